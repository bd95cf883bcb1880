//! Finds a thread that touches what a copy of its own has under way, or that ends before it has
//! waited for one.
//!
//! **Sound**: what is found is of the run: a copy that its issuer has not waited for, and an access
//! or a second copy of the same thread to the same bytes, one of the two writing. **Misses**
//! nothing of the two operations that it is asked about, but copies between memory that is not
//! known ([`heddle_ir::ObjectKind::Unknown`]).

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use heddle_ir::{Kernel, ObjectId, ObjectKind, OpId};
use rustc_hash::FxHashMap;

use crate::conflict::{Conflict, Party};
use crate::journal::{AccessClass, AccessEvent, CopyEvent, Moment, ThreadAccess, Visitor};
use crate::launch::Launch;

/// Where an end of a copy is. Those of one thread and object are in a row, by their first bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct At {
    block: [u32; 3],
    thread: u32,
    object: ObjectId,
    offset: u64,
    /// Which copy it is of.
    number: u64,
    is_read: bool,
}

/// The ends of copies that are under way, each found by its place or its copy, so that a run with
/// many of them takes no longer than its steps.
#[derive(Default, Debug)]
struct Flying {
    ends: BTreeMap<At, Party>,
    of_copy: FxHashMap<u64, Vec<At>>,
    /// Bytes of the largest end that there was.
    largest: u64,
}

impl Flying {
    fn add(&mut self, number: u64, object: ObjectId, party: Party) {
        let is_read = party.class == AccessClass::Read;
        let (block, thread, offset) = (party.block, party.thread, party.offset);
        let at = At { block, thread, object, offset, number, is_read };
        self.largest = self.largest.max(party.size);
        self.of_copy.entry(number).or_default().push(at);
        self.ends.insert(at, party);
    }

    /// The first copy of the same thread, one end of which an access meets, if one of the two
    /// writes.
    fn met_by(&self, object: ObjectId, later: &Party) -> Option<&Party> {
        let end = |it: &Party| it.offset.saturating_add(it.size);
        let from = later.offset.saturating_sub(self.largest);
        let (block, thread) = (later.block, later.thread);
        let at = |offset| At { block, thread, object, offset, number: 0, is_read: false };
        let near = self.ends.range(at(from)..at(end(later)));
        let meets = |party: &Party| {
            let writes = [party, later].iter().any(|it| it.class != AccessClass::Read);
            writes && later.offset < end(party)
        };
        let met = near.filter(|(_, party)| meets(party));
        met.min_by_key(|(at, _)| (at.number, at.is_read)).map(|(_, party)| party)
    }

    /// Takes out the ends of a copy that is done, or the one that has been read.
    fn done(&mut self, number: u64, only_read: bool) {
        let Some(all) = self.of_copy.remove(&number) else { return };
        let (done, left): (Vec<At>, Vec<At>) =
            all.into_iter().partition(|at| at.is_read || !only_read);
        for at in done {
            self.ends.remove(&at);
        }
        if !left.is_empty() {
            self.of_copy.insert(number, left);
        }
    }

    /// The one that was issued first, of those that are left.
    fn first(self) -> Option<Party> {
        self.ends.into_iter().min_by_key(|(at, _)| (at.number, at.is_read)).map(|(_, party)| party)
    }
}

/// Looks for a copy and something else that its issuer does.
#[derive(Debug)]
pub(crate) struct OwnCopies<'k> {
    kernel: &'k Kernel,
    launch: &'k Launch,
    /// The copy, and what meets it.
    ops: [OpId; 2],
    flying: Flying,
    pub(crate) found: Option<Conflict>,
    /// The end of the block is what is looked for, and what was under way there.
    at_end: bool,
    pub(crate) left: Option<Party>,
}

impl<'k> OwnCopies<'k> {
    /// Looks for the second operation on bytes of the first, a copy.
    pub(crate) fn new(kernel: &'k Kernel, launch: &'k Launch, ops: [OpId; 2]) -> OwnCopies<'k> {
        let (flying, found) = (Flying::default(), None);
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
            tid: self.launch.shape.thread_index(access.thread),
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
        let Some(met) = self.flying.met_by(object, &later) else {
            return ControlFlow::Continue(());
        };
        let byte = met.offset.max(later.offset);
        let parties = [met.clone(), later];
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
                self.flying.add(copy.number, object, party);
            }
        }
        ControlFlow::Continue(())
    }

    fn copy_done(&mut self, _: &Moment<'_>, number: u64) -> ControlFlow<()> {
        self.flying.done(number, false);
        ControlFlow::Continue(())
    }

    fn copy_read(&mut self, _: &Moment<'_>, number: u64) -> ControlFlow<()> {
        self.flying.done(number, true);
        ControlFlow::Continue(())
    }

    fn block_end(&mut self, _: [u32; 3]) -> ControlFlow<()> {
        self.left = std::mem::take(&mut self.flying).first();
        match self.at_end && self.left.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
