//! What a kernel needs, given what is left of it ([`BlockProgram`]).

use super::{BlockProgram, Blocks, BlocksState};
use crate::model::Criterion;
use crate::oracle::{Move, Oracle};
use crate::report;
use crate::requirement::Requirement;
use crate::system::{Action, Program, Stop, explore};
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
    /// The steps that lead to the cycle.
    pub prefix: Vec<Taken>,
    /// The steps of the cycle.
    pub cycle: Vec<Taken>,
}

/// A step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The block that steps.
    pub block: usize,
    /// The position of the operation in the code of the block.
    pub position: usize,
    /// The number of the location it touches.
    pub location: usize,
    /// What the location holds before; `None` where that decides nothing and is not followed.
    pub before: Option<u64>,
    /// What the location holds after.
    pub after: Option<u64>,
    /// What it does, for people.
    pub action: Action,
    /// Whether the block ends with it.
    pub ends: bool,
}

impl Taken {
    /// The step of a live block from one state to the next.
    pub fn of(
        blocks: &Blocks<'_>,
        before: &BlocksState,
        block: usize,
        after: &BlocksState,
    ) -> Self {
        let (position, location) = blocks.place(before, block);
        let value =
            |state: &BlocksState| blocks.follows(location).then_some(state.memory[location]);
        Self {
            block,
            position,
            location,
            before: value(before),
            after: value(after),
            action: blocks.action(before, block),
            ends: !blocks.live(after).contains(block),
        }
    }
}

/// Asks the oracle what a kernel needs.
///
/// # Errors
/// The reason why there is no answer, which must be reported as `unknown`.
pub fn kernel_answer(program: &BlockProgram, state_limit: usize) -> Result<KernelAnswer, Stop> {
    kernel_answer_under(program, state_limit, None)
}

/// The same, with the witness for what is assumed where that is too weak and fairness to more
/// blocks would help; else the one that tells most.
///
/// # Errors
/// As [`kernel_answer`].
pub fn kernel_answer_under(
    program: &BlockProgram,
    state_limit: usize,
    assumed: Option<Criterion>,
) -> Result<KernelAnswer, Stop> {
    let blocks = Blocks::new(program)?;
    let explored = explore(&blocks, state_limit)?;
    let mut oracle = Oracle::of(&explored.system);
    let requirement = Requirement::of(&mut oracle);
    let wanted = match &requirement {
        Requirement::Weak(_) => {
            let enough = requirement.sufficient();
            assumed.filter(|it| !enough.contains(it)).or_else(|| requirement.telling_failure())
        }
        Requirement::None | Requirement::Livelock(_) | Requirement::Never => {
            requirement.telling_failure()
        }
    };
    let witness = wanted.and_then(|criterion| {
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
        let states = &explored.states;
        let taken = |it: &Move| {
            Taken::of(&blocks, &states[it.state as usize], it.thread, &states[it.next as usize])
        };
        let prefix = lasso.prefix.iter().map(taken).collect();
        let cycle = lasso.cycle.iter().map(taken).collect();
        Some(Witness { criterion, polls, starved: lasso.starved(), schedule, prefix, cycle })
    });
    Ok(KernelAnswer { requirement, blocks: program.blocks.len(), witness })
}
