//! Finds a thread that touches what a copy of its own has under way, or that ends before it has
//! waited for one.
//!
//! **Sound**: what is found is of the run: a copy that its issuer has not waited for, and an access
//! or a second copy of the same thread to the same bytes, one of the two writing. **Misses**
//! nothing of the two operations that it is asked about, but copies between memory that is not
//! known ([`heddle_ir::ObjectKind::Unknown`]).

use std::ops::ControlFlow;

use heddle_ir::{Kernel, ObjectId, ObjectKind, OpId};

use crate::conflict::{Conflict, Party};
use crate::journal::{AccessClass, AccessEvent, CopyEvent, Moment, ThreadAccess, Visitor};
use crate::launch::Launch;

/// One end of a copy.
#[derive(Debug)]
struct End {
    number: u64,
    object: ObjectId,
    party: Party,
}

/// Looks for a copy and something else that its issuer does.
#[derive(Debug)]
pub(crate) struct OwnCopies<'k> {
    kernel: &'k Kernel,
    launch: &'k Launch,
    /// The copy, and what meets it.
    ops: [OpId; 2],
    flying: Vec<End>,
    pub(crate) found: Option<Conflict>,
    /// The end of the block is what is looked for, and what was under way there.
    at_end: bool,
    pub(crate) left: Option<Party>,
}

impl<'k> OwnCopies<'k> {
    /// Looks for the second operation on bytes of the first, a copy.
    pub(crate) fn new(kernel: &'k Kernel, launch: &'k Launch, ops: [OpId; 2]) -> OwnCopies<'k> {
        let (flying, found) = (Vec::new(), None);
        OwnCopies { kernel, launch, ops, flying, found, at_end: false, left: None }
    }

    /// Looks for copies of an operation that are under way when a block ends.
    pub(crate) fn left_at_end(kernel: &'k Kernel, launch: &'k Launch, copy: OpId) -> OwnCopies<'k> {
        OwnCopies { at_end: true, ..OwnCopies::new(kernel, launch, [copy; 2]) }
    }

    fn party(&self, at: &Moment<'_>, class: AccessClass, access: ThreadAccess) -> Party {
        Party {
            op: at.op,
            block: at.block,
            thread: access.thread,
            tid: self.launch.tid(access.thread),
            iterations: at.iterations.to_vec(),
            class,
            offset: access.offset,
            size: access.size,
            written: None,
            interval: at.shared_interval,
        }
    }

    fn meets(&mut self, object: ObjectId, later: Party) -> ControlFlow<()> {
        if self.kernel[object].kind == ObjectKind::Unknown {
            return ControlFlow::Continue(());
        }
        let end = |it: &Party| it.offset.saturating_add(it.size);
        let met = self.flying.iter().find(|it| {
            let party = &it.party;
            let writes = [party, &later].iter().any(|it| it.class != AccessClass::Read);
            it.object == object
                && party.block == later.block
                && party.thread == later.thread
                && writes
                && party.offset < end(&later)
                && later.offset < end(party)
        });
        let Some(met) = met else { return ControlFlow::Continue(()) };
        let byte = met.party.offset.max(later.offset);
        let parties = [met.party.clone(), later];
        self.found = Some(Conflict { parties, object, byte, same_value: false });
        ControlFlow::Break(())
    }
}

impl Visitor for OwnCopies<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        if at.op != self.ops[1] || self.at_end {
            return ControlFlow::Continue(());
        }
        event.threads.iter().try_for_each(|access| {
            let later = self.party(at, event.class, *access);
            self.meets(event.object, later)
        })
    }

    fn copy_issued(&mut self, at: &Moment<'_>, copy: &CopyEvent) -> ControlFlow<()> {
        if at.op == self.ops[0] {
            let ends = [(AccessClass::Write, copy.destination), (AccessClass::Read, copy.source)];
            for (class, end) in ends {
                let Some((object, access)) = end else { continue };
                let party = self.party(at, class, access);
                self.flying.push(End { number: copy.number, object, party });
            }
        }
        ControlFlow::Continue(())
    }

    fn copy_done(&mut self, _: &Moment<'_>, number: u64) -> ControlFlow<()> {
        self.flying.retain(|it| it.number != number);
        ControlFlow::Continue(())
    }

    fn copy_read(&mut self, _: &Moment<'_>, number: u64) -> ControlFlow<()> {
        self.flying.retain(|it| it.number != number || it.party.class != AccessClass::Read);
        ControlFlow::Continue(())
    }

    fn block_end(&mut self, _: [u32; 3]) -> ControlFlow<()> {
        self.left = std::mem::take(&mut self.flying).into_iter().next().map(|it| it.party);
        match self.at_end && self.left.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
