//! Finds an access to bytes that its object does not have.
//!
//! **Sound**: what is found is of the run: an operation and the bytes it touches, beside the size
//! it was told. **Misses** nothing of that operation and object, but accesses at addresses that
//! are not known.

use std::ops::ControlFlow;

use heddle_ir::{ObjectId, OpId};

use crate::conflict::Party;
use crate::journal::{AccessClass, AccessEvent, CopyEvent, Moment, ThreadAccess, Visitor};
use crate::launch::Launch;

/// An operation that touches an object, and the size of that object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The operation.
    pub op: OpId,
    /// The object.
    pub object: ObjectId,
    /// Its bytes.
    pub bytes: u64,
}

/// Looks for an access beyond the limits.
#[derive(Debug)]
pub(crate) struct Beyond<'k> {
    launch: &'k Launch,
    limits: Limits,
    pub(crate) found: Option<Party>,
}

impl<'k> Beyond<'k> {
    pub(crate) fn new(launch: &'k Launch, limits: Limits) -> Beyond<'k> {
        Beyond { launch, limits, found: None }
    }

    fn see(
        &mut self,
        at: &Moment<'_>,
        class: AccessClass,
        object: ObjectId,
        access: ThreadAccess,
    ) -> ControlFlow<()> {
        let Limits { op, object: wanted, bytes } = self.limits;
        let ThreadAccess { thread, offset, size } = access;
        let inside = offset.checked_add(size).is_some_and(|end| end <= bytes);
        if at.op != op || object != wanted || inside || size == 0 {
            return ControlFlow::Continue(());
        }
        self.found = Some(Party {
            op,
            block: at.block,
            thread,
            tid: self.launch.shape.thread_index(thread),
            iterations: at.iterations.to_vec(),
            class,
            offset,
            size,
            written: None,
            interval: at.shared_interval,
        });
        ControlFlow::Break(())
    }
}

impl Visitor for Beyond<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        event.threads.iter().try_for_each(|it| self.see(at, event.class, event.object, *it))
    }

    fn copy_issued(&mut self, at: &Moment<'_>, copy: &CopyEvent) -> ControlFlow<()> {
        if let Some((object, access)) = copy.destination {
            self.see(at, AccessClass::Write, object, access)?;
        }
        match copy.source {
            Some((object, access)) => self.see(at, AccessClass::Read, object, access),
            None => ControlFlow::Continue(()),
        }
    }
}
