//! Memory: bytes that are known, or have a cause why not.
//!
//! Global and constant objects live as long as the session, shared ones as long as a block runs,
//! local ones as long as that and once per thread. An [`Unknown`](heddle_ir::ObjectKind::Unknown)
//! object may be any object of its space: what is read through it is unknown, and a write through
//! it makes all it may be unknown.

mod bytes;

use std::collections::BTreeMap;

use heddle_ir::{Kernel, ObjectId, ObjectKind, Space};

use crate::launch::{Contents, Launch};
use crate::stop::{Cause, Causes, Unknown};
pub(crate) use bytes::ByteStore;

/// The objects of one lifetime.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Per object one store, or one per thread.
    stores: BTreeMap<ObjectId, Vec<ByteStore>>,
    /// Objects that are written through an unknown one of their space from then on start unknown.
    clobbered: BTreeMap<ObjectId, Cause>,
}

impl Memory {
    /// The store of an object for a thread, made when it is first asked for.
    pub(crate) fn store(
        &mut self,
        object: ObjectId,
        thread: u32,
        kernel: &Kernel,
        launch: &Launch,
        causes: &mut Causes,
    ) -> &mut ByteStore {
        let index = if kernel[object].space == Space::Local { thread as usize } else { 0 };
        let stores = self.stores.entry(object).or_default();
        while stores.len() <= index {
            let contents = match launch.buffers.get(&object) {
                Some(contents) => contents.clone(),
                None => {
                    let starts_known =
                        matches!(kernel[object].space, Space::Global | Space::Constant)
                            && kernel[object].kind != ObjectKind::Unknown;
                    let rest = if starts_known {
                        launch.other_contents.clone()
                    } else {
                        Default::default()
                    };
                    Contents { bytes: BTreeMap::new(), rest }
                }
            };
            let store = match self.clobbered.get(&object) {
                Some(cause) => ByteStore::new(Contents::default(), *cause),
                None => ByteStore::new(contents, causes.of(Unknown::Contents(object))),
            };
            stores.push(store);
        }
        &mut stores[index]
    }

    /// Makes all an object holds unknown.
    pub(crate) fn clobber(&mut self, object: ObjectId, cause: Cause) {
        self.clobbered.insert(object, cause);
        for store in self.stores.get_mut(&object).into_iter().flatten() {
            *store = ByteStore::new(Contents::default(), cause);
        }
    }
}
