//! What a kernel needs, given what is left of it ([`BlockProgram`]).

use super::{BlockProgram, Blocks};
use crate::model::Criterion;
use crate::oracle::Oracle;
use crate::report;
use crate::requirement::Requirement;
use crate::system::{Program, Stop, explore};
use crate::threads::ThreadSet;

/// The answer for a kernel launched with a number of blocks. It holds for that number only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelAnswer {
    /// What the kernel needs.
    pub requirement: Requirement,
    /// How many blocks were looked at.
    pub blocks: usize,
    /// The schedule that shows that nothing weaker is enough; none if nothing is needed.
    pub witness: Option<Witness>,
}

/// A schedule that does not terminate, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The criterion that allows the schedule.
    pub criterion: Criterion,
    /// The polls of the cycle: block, location, and place in the program.
    pub polls: Vec<(usize, String, String)>,
    /// The blocks that are not guaranteed and do not run.
    pub starved: ThreadSet,
    /// The schedule, step by step, as [`report::failure`] writes it.
    pub schedule: String,
}

/// Asks the oracle what a kernel needs.
///
/// # Errors
/// The reason why there is no answer, which must be reported as `unknown`.
pub fn kernel_answer(program: &BlockProgram, state_limit: usize) -> Result<KernelAnswer, Stop> {
    let blocks = Blocks::new(program)?;
    let explored = explore(&blocks, state_limit)?;
    let mut oracle = Oracle::of(&explored.system);
    let requirement = Requirement::of(&mut oracle);
    let witness = requirement.telling_failure().and_then(|criterion| {
        let lasso = oracle.failure(&explored.system, criterion)?;
        let mut polls = Vec::new();
        for step in &lasso.cycle {
            let action = blocks.action(&explored.states[step.state as usize], step.thread);
            let poll = (step.thread, action.location, action.place);
            if !polls.contains(&poll) {
                polls.push(poll);
            }
        }
        let schedule = report::failure(&blocks, &explored, criterion, &lasso);
        Some(Witness { criterion, polls, starved: lasso.starved(), schedule })
    });
    Ok(KernelAnswer { requirement, blocks: program.blocks.len(), witness })
}
