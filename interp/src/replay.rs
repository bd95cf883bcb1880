//! Runs a witness and says whether it shows what it claims.

use std::ops::ControlFlow;

use heddle_ir::{Kernel, OpId};

use crate::conflict::{Conflict, ConflictFinder, Pair};
use crate::journal::{Divergence, Visitor};
use crate::launch::Launch;
use crate::session::{End, Session};
use crate::stop::Stop;

/// What a witness claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Two accesses that nothing orders.
    Conflict(Pair),
    /// A block barrier that is not reached by all it waits for.
    Divergence(OpId),
}

/// What the run showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmed {
    /// These two accesses.
    Conflict(Box<Conflict>),
    /// This barrier, and who reached it.
    Divergence(Divergence),
}

/// How a replay ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayOutcome {
    /// It happened.
    Confirmed(Confirmed),
    /// The blocks ran to their ends, and it did not happen. (It may under another schedule or launch.)
    NotHit,
    /// The run stopped before it happened.
    Stopped(Stop),
}

/// Runs `blocks` of a launch, in order, until what is wanted happens; what it takes is taken from `budget`, which counts
/// operations, once for each thread.
pub fn replay(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[[u32; 3]],
    want: &Want,
    budget: &mut u64,
) -> ReplayOutcome {
    match want {
        Want::Conflict(pair) => {
            let mut finder = ConflictFinder::new(kernel, launch, *pair, 1);
            let outcome = run(kernel, launch, blocks, &mut finder, budget);
            match (finder.into_conflicts().pop(), outcome) {
                (Some(conflict), _) => {
                    ReplayOutcome::Confirmed(Confirmed::Conflict(Box::new(conflict)))
                }
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
        Want::Divergence(op) => {
            let mut watch = DivergenceAt { op: *op, found: None };
            let outcome = run(kernel, launch, blocks, &mut watch, budget);
            match (watch.found, outcome) {
                (Some(found), _) => ReplayOutcome::Confirmed(Confirmed::Divergence(found)),
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
    }
}

fn run(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[[u32; 3]],
    visitor: &mut dyn Visitor,
    budget: &mut u64,
) -> Result<(), Stop> {
    let mut session = Session::new(kernel, launch).map_err(Stop::Launch)?;
    for block in blocks {
        match session.run_block(*block, visitor, budget)? {
            End::Finished => {}
            End::Visitor => return Ok(()),
        }
    }
    Ok(())
}

struct DivergenceAt {
    op: OpId,
    found: Option<Divergence>,
}

impl Visitor for DivergenceAt {
    fn divergence(&mut self, divergence: &Divergence) -> ControlFlow<()> {
        if divergence.op != self.op {
            return ControlFlow::Continue(());
        }
        self.found = Some(divergence.clone());
        ControlFlow::Break(())
    }
}
