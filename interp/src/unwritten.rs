//! Finds a read of shared memory that no thread of the block wrote before.
//!
//! **Sound**: what is found is of the run, in which the threads of a block do one operation
//! together: a schedule that the machine may choose. A copy counts as done when it is issued, and
//! after a store whose place is not known nothing counts as unwritten. **Misses** what other
//! schedules of the run read too early.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use heddle_ir::{Kernel, ObjectId, ObjectKind, OpId, Space};
use rustc_hash::FxHashSet;

use crate::conflict::Party;
use crate::journal::{
    AccessClass, AccessEvent, CopyEvent, Divergence, Moment, ThreadAccess, Visitor,
};
use crate::launch::Launch;

/// Looks for a read by one operation of what nobody wrote.
#[derive(Debug)]
pub(crate) struct Unwritten<'k> {
    kernel: &'k Kernel,
    launch: &'k Launch,
    op: OpId,
    block: u32,
    /// Bytes that were written in the block.
    written: BTreeMap<ObjectId, FxHashSet<u64>>,
    /// Any byte may have been written.
    any: bool,
    pub(crate) found: Option<Party>,
}

impl<'k> Unwritten<'k> {
    pub(crate) fn new(kernel: &'k Kernel, launch: &'k Launch, op: OpId) -> Unwritten<'k> {
        let written = BTreeMap::new();
        Unwritten { kernel, launch, op, block: 0, written, any: false, found: None }
    }

    fn begin(&mut self, at: &Moment<'_>) {
        if self.block != at.block_number {
            self.block = at.block_number;
            self.written.clear();
            self.any = false;
        }
    }

    fn write(&mut self, object: ObjectId, access: ThreadAccess) {
        let it = &self.kernel[object];
        // Arrays of dynamic shared memory are the same memory.
        let dynamic = |it: &ObjectKind| matches!(it, ObjectKind::DynamicShared);
        let others = || self.kernel.objects.values().filter(|it| dynamic(&it.kind)).count() > 1;
        if it.kind == ObjectKind::Unknown || dynamic(&it.kind) && others() {
            self.any = true;
        } else if it.space == Space::Shared {
            let bytes = access.offset..access.offset.saturating_add(access.size);
            self.written.entry(object).or_default().extend(bytes);
        }
    }

    /// The first byte that a thread reads, is of the object, and was not written.
    fn unwritten(&self, object: ObjectId, access: ThreadAccess) -> Option<u64> {
        let it = &self.kernel[object];
        if self.any || it.space != Space::Shared || it.kind == ObjectKind::Unknown {
            return None;
        }
        let size = if it.kind == ObjectKind::DynamicShared {
            self.launch.dynamic_shared.map_or(0, u64::from)
        } else {
            it.size.unwrap_or(0)
        };
        let end = access.offset.saturating_add(access.size).min(size);
        let known = self.written.get(&object);
        (access.offset..end).find(|byte| known.is_none_or(|it| !it.contains(byte)))
    }
}

impl Visitor for Unwritten<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        self.begin(at);
        for access in event.threads {
            let reads = match event.class {
                AccessClass::Read | AccessClass::Atomic(_) => true,
                AccessClass::Write => false,
            };
            if reads && at.op == self.op && self.unwritten(event.object, *access).is_some() {
                self.found = Some(Party {
                    op: at.op,
                    block: at.block,
                    thread: access.thread,
                    tid: self.launch.shape.thread_index(access.thread),
                    iterations: at.iterations.to_vec(),
                    class: event.class,
                    offset: access.offset,
                    size: access.size,
                    written: None,
                    interval: at.shared_interval,
                });
                return ControlFlow::Break(());
            }
            match event.class {
                AccessClass::Read => {}
                AccessClass::Write | AccessClass::Atomic(_) => self.write(event.object, *access),
            }
        }
        ControlFlow::Continue(())
    }

    fn access_in_cluster(
        &mut self,
        at: &Moment<'_>,
        _: &AccessEvent<'_>,
        _: &[u32],
    ) -> ControlFlow<()> {
        self.begin(at);
        self.any = true;
        ControlFlow::Continue(())
    }

    fn copy_issued(&mut self, at: &Moment<'_>, copy: &CopyEvent) -> ControlFlow<()> {
        self.begin(at);
        if let Some((object, access)) = copy.destination {
            self.write(object, access);
        }
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, at: &Moment<'_>, _: &[u32]) -> ControlFlow<()> {
        self.begin(at);
        self.any = true;
        ControlFlow::Continue(())
    }

    /// After a barrier that not all come to, the run is none.
    fn divergence(&mut self, _: &Divergence) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
