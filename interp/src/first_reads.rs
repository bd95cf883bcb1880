//! What threads read of global memory that the run has not written before: what memory must hold at
//! the start for the run to go as it does.
//!
//! **Promises**: each access with a byte that was not touched before, in the order of the run.
//! **Does not**: say whether the run rests on it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use heddle_ir::{Initial, Kernel, ObjectId, OpId, Space};
use rustc_hash::FxHashSet;

use crate::conflict::Party;
use crate::journal::{AccessClass, AccessEvent, Moment, ThreadAccess, Visitor};
use crate::launch::Launch;
use crate::session::{End, Session};

/// A read of what memory held at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstRead {
    /// The reader's block.
    pub block: [u32; 3],
    /// The reader's number in its block.
    pub thread: u32,
    /// The operation.
    pub op: OpId,
    /// The object.
    pub object: ObjectId,
    /// The first byte.
    pub offset: u64,
    /// How many bytes.
    pub size: u64,
}

/// The first reads of a run until both accesses have happened; the search ends at `most` of them,
/// and where `budget` (operations, once for each thread) is spent.
pub fn first_reads(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[[u32; 3]],
    until: &[Party; 2],
    most: usize,
    budget: &mut u64,
) -> Vec<FirstRead> {
    let mut watch = FirstReads {
        kernel,
        until,
        seen: [false; 2],
        touched: BTreeMap::new(),
        found: Vec::new(),
        most,
    };
    let Ok(mut session) = Session::new(kernel, launch) else { return Vec::new() };
    for block in blocks {
        match session.run_block(*block, &mut watch, budget) {
            Ok(End::Finished) => {}
            Ok(End::Visitor) | Err(_) => break,
        }
    }
    watch.found
}

struct FirstReads<'a> {
    kernel: &'a Kernel,
    until: &'a [Party; 2],
    seen: [bool; 2],
    /// Bytes that were read or written.
    touched: BTreeMap<ObjectId, FxHashSet<u64>>,
    found: Vec<FirstRead>,
    most: usize,
}

impl FirstReads<'_> {
    /// Whether a byte of what is accessed was not touched before.
    fn touch(&mut self, object: ObjectId, access: &ThreadAccess) -> bool {
        let touched = self.touched.entry(object).or_default();
        let end = access.offset.saturating_add(access.size);
        (access.offset..end).filter(|byte| touched.insert(*byte)).count() > 0
    }
}

impl Visitor for FirstReads<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        let object = &self.kernel[event.object];
        let is_of_others = match object.space {
            Space::Global | Space::Generic | Space::Constant => true,
            Space::Shared | Space::Local => false,
        };
        let is_told = is_of_others && matches!(object.initial, Initial::Any);
        let reads = match event.class {
            AccessClass::Read | AccessClass::Atomic(_) => true,
            AccessClass::Write => false,
        };
        for access in event.threads {
            let ThreadAccess { thread, offset, size } = *access;
            if is_told && self.touch(event.object, access) && reads {
                let (block, op, object) = (at.block, at.op, event.object);
                self.found.push(FirstRead { block, thread, op, object, offset, size });
            }
            for (party, seen) in self.until.iter().zip(&mut self.seen) {
                *seen |= (party.op, party.block, party.thread) == (at.op, at.block, thread)
                    && party.iterations == at.iterations;
            }
        }
        match self.seen == [true; 2] || self.found.len() >= self.most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
