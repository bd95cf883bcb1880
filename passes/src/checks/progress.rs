//! Blocks that wait for other blocks: does the kernel end under the forward progress that is
//! guaranteed?
//!
//! **Misses**: what the lift takes for granted ([`TakenForGranted`]), which each proof names.
//! Waiting inside a block belongs to the barrier passes. **False alarms**: a store that frees a
//! block may be one that a value from outside decides; then the answer is unknown, not refuted.
//! **Unknown**: more blocks than were followed, polling by several threads of a block, values from
//! data, lanes that may wait for lanes that do not come. **Relies on**: barriers of a block and of
//! its parts are uniform; distinct pointer arguments do not overlap.
//!
//! Method: `heddle_progress::kernel` lifts the polls of one launch into a block program, and the
//! oracle of that crate explores all schedules. An answer holds for the number of blocks it was
//! asked for. So a proof needs a launch that is given, by `--grid` and `--block` or by `--blocks`;
//! a schedule that does not end refutes a kernel for any launch, if it allows that one.

mod assumed;
mod finding;
pub mod replay;

use heddle_diagnostics::{
    Assumption, Code, Conclusion, Evidence, Findings, Method, Obligations, Property, Reason,
    Refutation, Verdict,
};
use heddle_ir::{Barrier, Ending, Kernel, Op, OpId, OpKind, Waits};
use heddle_progress::blocks::{KernelAnswer, kernel_answer_under};
use heddle_progress::kernel::{
    KernelLaunch, LaunchShape, Lifted, Polls, Refusal, TakenForGranted, known, lift,
};
use heddle_progress::model::{Criterion, MODELS};
use heddle_progress::system::Stop;
use heddle_progress::threads::ThreadSet;

use crate::checks::divergence::grid_barrier_in_doubt;
use crate::checks::exchanges;
use crate::checks::named_barriers::Named;
use crate::checks::pass::Pass;
use crate::engine::cx::Cx;
use crate::engine::premises::Premises;
use crate::facts::launch::Extent;
use crate::facts::order::waits_for_block;
use assumed::Assumed;

/// Blocks that are followed at most.
pub const MOST_BLOCKS: u32 = ThreadSet::CAPACITY as u32;

/// Reads `obe` or `strong-obe`.
///
/// # Errors
/// The names that there are.
pub fn criterion(text: &str) -> Result<Criterion, String> {
    Criterion::named(text).ok_or_else(|| {
        let names: Vec<_> = MODELS.iter().map(|model| model.name).collect();
        format!("the models are {}, and all but the first also after `strong-`", names.join(", "))
    })
}

/// Whether a thread may end the whole launch by a trap in a loop that waits.
fn may_give_up(cx: &Cx<'_>, polls: &Polls) -> bool {
    let waiting: Vec<_> = polls.waiting().map(|poll| poll.of).collect();
    let mut found = false;
    cx.kernel.for_each_op(|op, loops| {
        let traps = cx.kernel[op].kind.effects().ends == Some(Ending::Trap);
        found |= traps && loops.iter().any(|of| waiting.contains(of));
    });
    found
}

/// Whether an operation is a barrier of some of a block's threads, by their number.
pub(super) fn meets_in_part(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Barrier(_)) && kind.effects().waits == Some(Waits::Counted)
}

/// Blocks of the grid that is followed where none is given.
const BLOCKS: u32 = 3;
/// Units of limited fuel that a state counts.
const UNITS_OF_STATE: u64 = 8;
/// Threads of its blocks where that is open.
const THREADS: u32 = 64;

/// Forward progress between blocks.
#[derive(Debug)]
pub struct ForwardProgress;

impl Pass for ForwardProgress {
    fn property(&self) -> Property {
        Property::Progress
    }

    fn summary(&self) -> &'static str {
        "blocks that wait for other blocks end, under the forward progress that is guaranteed"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::ProgressNeeded, Code::Livelock, Code::Deadlock]
    }

    fn concerns(&self, kernel: &Kernel) -> bool {
        !Polls::of(kernel).is_empty()
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        let polls = Polls::of(cx.kernel);
        let mut premises = Premises::of_trace(cx).and(Assumption::DistinctPointers);
        let meets = |op: &Op| waits_for_block(&op.kind) || meets_in_part(&op.kind);
        if cx.kernel.ops.values().any(meets) {
            premises = premises.and(Assumption::UniformBarriers);
        }
        let mut obligations = Obligations::new(self.property(), premises);
        // A block is followed as one thread, which waits for no lane.
        exchanges::rely_on(cx, &mut obligations, || cx.shared::<Named>().orders());
        let retries = polls.loops.len() - polls.waiting().count();
        for _ in 0..retries {
            let retry = obligations.open();
            obligations.discharge(retry, Evidence::unconditional(Method::LockFree));
        }
        let waits = obligations.open();
        obligations.all_listed();
        let assumed = Assumed::of(cx, &polls);
        if let Some(reason) = grid_barrier_in_doubt(cx) {
            obligations.give_up(waits, reason);
            return obligations.conclude();
        }
        if polls.waiting().next().is_none() {
            if !polls.grid_barriers.is_empty() {
                obligations.assume(Assumption::CooperativeLaunch);
            }
            if !cx.kernel.loops.is_empty() {
                obligations.assume(assumed::of_lift(TakenForGranted::OtherLoopsEnd));
            }
            obligations.discharge(waits, Evidence::unconditional(Method::NothingAwaited));
            return obligations.conclude();
        }
        if let Some(op) = cluster_barrier(cx.kernel) {
            let text = "blocks of a cluster wait for each other at a barrier beside what they poll, which is not followed";
            let reason = Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, op));
            obligations.give_up(waits, reason);
            return obligations.conclude();
        }
        let followed = Followed::of(cx);
        let answered = match followed.answer(cx, &polls, assumed.criterion) {
            Ok(answered) => answered,
            Err(reason) => {
                obligations.give_up(waits, *reason);
                return obligations.conclude();
            }
        };
        let told = finding::of(cx, &followed, &answered, &assumed);
        if !answered.is_enough(&assumed) && cx.kernel.launch.cluster.is_some_and(|it| it != [1; 3])
        {
            let text = "a block may wait for ever, unless it is for one of its cluster: those start together, which is not followed";
            obligations.give_up(waits, at_poll(cx, &polls, Reason::new(Code::Undecided, text)));
            return obligations.conclude();
        }
        if !answered.is_enough(&assumed) {
            match told.as_ref().and_then(Refutation::of) {
                Some(_) if may_give_up(cx, &polls) => {
                    let text =
                        "a block waits for ever, unless a thread traps in the loop that waits";
                    let reason = at_poll(cx, &polls, Reason::new(Code::Undecided, text));
                    obligations.give_up(waits, reason);
                    return obligations.conclude();
                }
                Some(refutation) => match Conclusion::of(&refutation.confirmation, false) {
                    Conclusion::Refutes => obligations.refute(waits, refutation),
                    Conclusion::Undecided(why) => {
                        let text =
                            format!("a schedule starves a block, and no run shows it: {why}");
                        let reason = at_poll(cx, &polls, Reason::new(Code::Undecided, text));
                        obligations.give_up(waits, reason);
                        // What is told would be an error that nothing stands for.
                        return obligations.conclude();
                    }
                },
                None => {
                    let text = "what a block waits for has no place";
                    obligations.give_up(waits, Reason::new(Code::InternalError, text));
                }
            }
        } else if let Some(open) = followed.open {
            let text = format!(
                "with {} the kernel {}, which is given; other numbers of blocks were not looked at: {open}",
                followed.words(),
                answered.answer.requirement
            );
            obligations.give_up(waits, at_poll(cx, &polls, Reason::new(Code::Undecided, text)));
        } else {
            obligations.assume(Assumption::Launched {
                blocks: followed.launch.shape.blocks(),
                threads: followed.launch.shape.threads(),
            });
            obligations.assume(assumed.assumption());
            if let Some(assumption) = cx.launch.without_offset(cx.kernel) {
                obligations.assume(assumption);
            }
            for fact in TakenForGranted::ALL {
                obligations.assume(assumed::of_lift(*fact));
            }
            obligations.discharge(waits, Evidence::unconditional(Method::AllSchedules));
        }
        out.extend(told);
        obligations.conclude()
    }
}

/// A barrier of a cluster, which no step of a block stands for.
fn cluster_barrier(kernel: &Kernel) -> Option<OpId> {
    let is_one = |op: &Op| matches!(op.kind, OpKind::Barrier(Barrier::Cluster { .. }));
    kernel.ops.iter().find(|(_, op)| is_one(op)).map(|(id, _)| id)
}

/// The launch whose schedules are followed.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) launch: KernelLaunch,
    /// What to give so that an answer is one for the launch that is asked about; `None` if it is.
    open: Option<&'static str>,
}

/// What was found for the launch that was followed.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) lifted: Lifted,
    pub(crate) answer: KernelAnswer,
}

impl Answered {
    /// Whether the kernel ends under what is assumed.
    fn is_enough(&self, assumed: &Assumed) -> bool {
        self.answer.requirement.sufficient().contains(&assumed.criterion)
    }
}

impl Followed {
    fn of(cx: &Cx<'_>) -> Followed {
        let all =
            |sizes: [Extent; 3]| Some([sizes[0].known()?, sizes[1].known()?, sizes[2].known()?]);
        let given = |sizes: [Extent; 3]| sizes.iter().any(|it| matches!(it, Extent::Known(_)));
        let (grid, grid_is_open) = match (cx.options.progress.blocks, all(cx.launch.grid)) {
            (Some(blocks), _) => ([blocks, 1, 1], false),
            (None, Some(grid)) if given(cx.launch.grid) => (grid, false),
            (None, _) => ([BLOCKS, 1, 1], true),
        };
        let (block, block_is_open) = match all(cx.launch.block) {
            Some(block) => (block, false),
            None => {
                let room = cx.launch.max_threads.min(THREADS);
                let size = |extent: Extent, open: u32| extent.known().unwrap_or(open);
                let [x, y, z] = cx.launch.block;
                ([size(x, room.min(x.limit())), size(y, 1), size(z, 1)], true)
            }
        };
        let args = (0..cx.kernel.params.len() as u32).map(|index| cx.launch.arg(index)).collect();
        let launch = KernelLaunch {
            shape: LaunchShape::new(grid, block, cx.launch.warp_size),
            global_offset: cx.launch.global_offset.followed(),
            args,
        };
        let open = match (grid_is_open, block_is_open) {
            (false, false) => None,
            (true, false) => Some("give `--grid …`, or `--blocks …` to be answered for that many"),
            (false, true) => Some("give `--block …`"),
            (true, true) => Some("give `--grid …` and `--block …`"),
        };
        Followed { launch, open }
    }

    /// The launch in words.
    pub(crate) fn words(&self) -> String {
        let count = |count: u64, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let blocks = count(self.launch.shape.blocks(), "block");
        format!("{blocks} of {}", count(u64::from(self.launch.shape.threads()), "thread"))
    }

    fn answer(
        &self,
        cx: &Cx<'_>,
        polls: &Polls,
        assumed: Criterion,
    ) -> Result<Answered, Box<Reason>> {
        let said = cx.launch.assumptions.iter().map(|(it, text)| (*it, format!("`{text}`")));
        let of_host = cx.launch.host.iter();
        let of_host = of_host.flat_map(|host| {
            let said = format!("what holds at {}", host.at);
            host.conditions.iter().map(move |it| (it.0, said.clone()))
        });
        for (condition, text) in said.chain(of_host) {
            if known(cx.kernel, &self.launch, condition) == Some(0) {
                let text = format!(
                    "{text} does not hold for {}; give `--blocks …` or `--block …` that fit",
                    self.words()
                );
                return Err(Box::new(Reason::new(Code::Undecided, text)));
            }
        }
        let lifted =
            lift(cx.kernel, polls, &self.launch).map_err(|it| Box::new(refused(cx, it)))?;
        let asked = cx.options.progress.states;
        let allowed = cx.allowed(asked as u64 * UNITS_OF_STATE) / UNITS_OF_STATE;
        let limit = usize::try_from(allowed).map_or(asked, |it| it.min(asked));
        let answer = kernel_answer_under(&lifted.program, limit, Some(assumed));
        let answer = answer.map_err(|stop| {
            let spent = matches!(stop, Stop::TooManyStates { .. }) && limit < asked;
            let code = if spent { Code::BudgetSpent } else { Code::Undecided };
            let stop = stop.to_string().replace("thread ", "block ").replace("threads", "blocks");
            let text = format!("the schedules of {} were not all followed: {stop}", self.words());
            Box::new(at_poll(cx, polls, Reason::new(code, text)))
        })?;
        Ok(Answered { lifted, answer })
    }
}

/// The reason, at the first thing that is polled.
fn at_poll(cx: &Cx<'_>, polls: &Polls, reason: Reason) -> Reason {
    match polls.waiting().find_map(|poll| poll.reads.first()) {
        Some(op) => reason.at(cx.places.op(cx.kernel, *op)),
        None => reason,
    }
}

fn refused(cx: &Cx<'_>, refusal: Refusal) -> Reason {
    let Refusal { reason, origin, unmodelled } = refusal;
    let code = if unmodelled { Code::UnmodelledInstruction } else { Code::Undecided };
    let reason = Reason::new(code, reason);
    match origin {
        Some(origin) => reason.at(cx.places.origin(cx.kernel, origin)),
        None => reason,
    }
}
