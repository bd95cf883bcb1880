//! Runs a witness and says whether it shows what it claims.

use std::ops::ControlFlow;

use heddle_ir::{Barrier, Kernel, OpId, OpKind};

use crate::beyond::{Beyond, Limits};
use crate::causality::Causality;
use crate::conflict::{Conflict, ConflictFinder, Party};
use crate::journal::{BarrierEvent, Both, Divergence, Moment, Visitor};
use crate::launch::Launch;
use crate::pair::Pair;
use crate::pending::OwnCopies;
use crate::session::{End, Session};
use crate::stop::Stop;
use crate::timely::Timely;
use crate::unwritten::Unwritten;

/// What a witness claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Two accesses that no barrier orders.
    Conflict(Pair),
    /// Two accesses that neither barriers nor releases and acquires of the run order, in which the
    /// first block may stop after this number of accesses of the pair.
    Unordered(Pair, Option<u32>),
    /// A copy, and an operation of its own issuer that touches what is under way.
    OwnCopy([OpId; 2]),
    /// A barrier that is not reached by all it waits for; of a grid barrier and two blocks, by the
    /// other block.
    Divergence(OpId),
    /// The end of a block while a copy that this operation issued is under way.
    Abandoned(OpId),
    /// Bytes that an operation touches and its object does not have.
    Outside(Limits),
    /// Bytes of shared memory that this operation reads before any thread of the block wrote them.
    Unwritten(OpId),
    /// A thread that comes to this end, or to this claim where it does not hold.
    End(OpId),
}

/// What the run showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmed {
    /// These two accesses.
    Conflict(Box<Conflict>),
    /// This barrier, and who reached it.
    Divergence(Divergence),
    /// This access, or the issue of a copy that is left under way; a read of what nobody wrote.
    Outside(Box<Party>),
    /// The thread that ended: its block and its number there.
    End([u32; 3], u32),
}

/// How a replay ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayOutcome {
    /// It happened, in a run that breaks no assumption of the program.
    Confirmed(Confirmed),
    /// It happened to other threads than the two that were asked for.
    Others(Box<Conflict>),
    /// The blocks ran to their ends, and it did not happen. (It may under another schedule or
    /// launch.)
    NotHit,
    /// The run stopped before it happened.
    Stopped(Stop),
}

/// Runs `blocks` of a launch, in order, until what is wanted happens; what it takes is taken from
/// `budget`, which counts operations, once for each thread.
pub fn replay(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[[u32; 3]],
    want: &Want,
    budget: &mut u64,
) -> ReplayOutcome {
    match want {
        Want::Conflict(pair) => {
            let wanted = ConflictFinder::new(kernel, launch, *pair, 1);
            // That others are found ends no run.
            let by_any = Pair { threads: None, ..*pair };
            let others = ConflictFinder::new(kernel, launch, by_any, usize::MAX);
            let mut both = Both(others, wanted);
            let outcome = match pair.threads {
                Some(_) => run(kernel, launch, blocks, &mut both, budget),
                None => run(kernel, launch, blocks, &mut both.1, budget),
            };
            let Both(others, wanted) = both;
            let late = wanted.leaves_behind();
            let mut settle = |conflict: Conflict| {
                let found = Confirmed::Conflict(Box::new(conflict));
                unless_undefined(kernel, launch, blocks, found, late, budget)
            };
            if let Some(conflict) = wanted.into_conflicts().pop() {
                return settle(conflict);
            }
            // Where no steps are left, what comes after it was not seen.
            let is_spent = matches!(outcome, Err(Stop::Budget)) && rest_matters(kernel, late);
            let others = others.into_conflicts().into_iter().next().filter(|_| !is_spent);
            match (others.map(&mut settle), outcome) {
                (Some(ReplayOutcome::Confirmed(Confirmed::Conflict(conflict))), _) => {
                    ReplayOutcome::Others(conflict)
                }
                (_, Ok(())) => ReplayOutcome::NotHit,
                (_, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
        Want::Unordered(pair, stop_after) => {
            let mut watch = Causality::new(kernel, launch, *pair, blocks, *stop_after);
            let outcome = run_with_stop(kernel, launch, blocks, &mut watch, budget);
            let late = watch.leaves_behind;
            match (watch.found, outcome) {
                (Some(conflict), _) => {
                    let found = Confirmed::Conflict(Box::new(conflict));
                    unless_undefined(kernel, launch, blocks, found, late, budget)
                }
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
        Want::OwnCopy(ops) => {
            let mut watch = OwnCopies::new(kernel, launch, *ops);
            let outcome = run(kernel, launch, blocks, &mut watch, budget);
            match (watch.found, outcome) {
                (Some(conflict), _) => {
                    let found = Confirmed::Conflict(Box::new(conflict));
                    unless_undefined(kernel, launch, blocks, found, true, budget)
                }
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
        Want::Abandoned(op) => {
            let mut watch = OwnCopies::left_at_end(kernel, launch, *op);
            let outcome = run(kernel, launch, blocks, &mut watch, budget);
            match (watch.left, outcome) {
                (Some(party), _) => {
                    let found = Confirmed::Outside(Box::new(party));
                    unless_undefined(kernel, launch, blocks, found, true, budget)
                }
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
        Want::Outside(limits) => {
            let mut watch = Beyond::new(launch, *limits);
            let outcome = run(kernel, launch, blocks, &mut watch, budget);
            match (watch.found, outcome) {
                (Some(party), _) => {
                    let found = Confirmed::Outside(Box::new(party));
                    unless_undefined(kernel, launch, blocks, found, true, budget)
                }
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
        Want::Unwritten(op) => {
            let mut watch = Unwritten::new(kernel, launch, *op);
            let outcome = run(kernel, launch, blocks, &mut watch, budget);
            match (watch.found, outcome) {
                (Some(party), _) => {
                    let found = Confirmed::Outside(Box::new(party));
                    unless_undefined(kernel, launch, blocks, found, true, budget)
                }
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
        Want::End(op) => end_at(kernel, launch, blocks, *op, budget),
        Want::Divergence(op) => {
            if let [one, two] = blocks {
                for pair in [[*one, *two], [*two, *one]] {
                    let outcome = missing_block(kernel, launch, pair, *op, budget);
                    if matches!(outcome, ReplayOutcome::Confirmed(_)) {
                        return outcome;
                    }
                }
            }
            let mut watch = DivergenceAt { op: *op, found: None };
            let outcome = run(kernel, launch, blocks, &mut watch, budget);
            match (watch.found, outcome) {
                (Some(found), _) => {
                    let found = Confirmed::Divergence(found);
                    unless_undefined(kernel, launch, blocks, found, true, budget)
                }
                (None, Ok(())) => ReplayOutcome::NotHit,
                (None, Err(stop)) => ReplayOutcome::Stopped(stop),
            }
        }
    }
}

/// What was found, unless a thread breaks an assumption of the program later in the run: the
/// program is undefined then, and what came before shows nothing. Nor does a run in which a thread
/// on its way to a return acts too late ([`Timely`]). A run that stops before its end shows what
/// was found, unless such a thread was on its way when it stopped: what it does later was not seen.
fn unless_undefined(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[[u32; 3]],
    found: Confirmed,
    leaves_behind: bool,
    budget: &mut u64,
) -> ReplayOutcome {
    if !rest_matters(kernel, leaves_behind) {
        return ReplayOutcome::Confirmed(found);
    }
    let missing = match &found {
        Confirmed::Divergence(divergence) => divergence.missing.as_slice(),
        Confirmed::Conflict(_) | Confirmed::Outside(_) | Confirmed::End(..) => &[],
    };
    let mut order = Timely::new(kernel, launch, missing);
    let outcome = run(kernel, launch, blocks, &mut order, budget);
    let late = order.late;
    let may_be_late = order.may_be_late();
    match outcome {
        _ if late => ReplayOutcome::NotHit,
        Err(stop @ Stop::AssumptionFailed { .. }) => ReplayOutcome::Stopped(stop),
        Err(stop) if may_be_late => ReplayOutcome::Stopped(stop),
        Ok(()) | Err(_) => ReplayOutcome::Confirmed(found),
    }
}

/// Whether what comes after a find may take it back.
fn rest_matters(kernel: &Kernel, leaves_behind: bool) -> bool {
    leaves_behind || kernel.ops.values().any(|op| matches!(op.kind, OpKind::Assume(_)))
}

/// Whether a thread comes to an operation that ends it, and the launch; or to a claim that does not
/// hold.
fn end_at(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[[u32; 3]],
    op: OpId,
    budget: &mut u64,
) -> ReplayOutcome {
    let claims = matches!(kernel[op].kind, OpKind::Claim(_));
    let watching = Launch { watched: claims.then_some(op), ..launch.clone() };
    let mut session = match Session::new(kernel, &watching) {
        Ok(session) => session,
        Err(error) => return ReplayOutcome::Stopped(Stop::Launch(error)),
    };
    for block in blocks {
        match session.run_block(*block, &mut Nobody, budget) {
            Ok(_) => {}
            Err(Stop::Trapped { op: at, thread }) if at == op => {
                let found = Confirmed::End(*block, thread);
                // A trap ends the launch; after a claim the run goes on.
                return match claims {
                    true => unless_undefined(kernel, launch, blocks, found, true, budget),
                    false => ReplayOutcome::Confirmed(found),
                };
            }
            Err(stop) => return ReplayOutcome::Stopped(stop),
        }
    }
    ReplayOutcome::NotHit
}

/// Lets a run go on.
struct Nobody;

impl Visitor for Nobody {}

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

/// The same, where the first block may be stopped: another one may run from there on.
fn run_with_stop(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[[u32; 3]],
    watch: &mut Causality<'_>,
    budget: &mut u64,
) -> Result<(), Stop> {
    let mut session = Session::new(kernel, launch).map_err(Stop::Launch)?;
    for block in blocks {
        match session.run_block(*block, watch, budget)? {
            End::Visitor if !watch.goes_on() => return Ok(()),
            End::Finished | End::Visitor => {}
        }
    }
    Ok(())
}

/// Whether the first block comes to an instance of a grid barrier that the second does not come to.
///
/// The second runs to its end, alone: a schedule that the machine may choose up to its first grid
/// barrier. After that nothing is known of global memory, so what either block does rests on no
/// schedule. Where the second passes no grid barrier, the first runs after it; else it runs from
/// the start, as long as no atomics tell blocks apart by the order in which they run.
fn missing_block(
    kernel: &Kernel,
    launch: &Launch,
    [one, two]: [[u32; 3]; 2],
    op: OpId,
    budget: &mut u64,
) -> ReplayOutcome {
    if !is_grid_barrier(kernel, op) {
        return ReplayOutcome::NotHit;
    }
    let mut run = || -> Result<Option<Divergence>, Stop> {
        let mut session = Session::new(kernel, launch).map_err(Stop::Launch)?;
        let mut second = Arrivals { kernel, all: Vec::new() };
        session.run_block(two, &mut second, budget)?;
        if !second.all.is_empty() {
            let is_atomic = |op: OpId| {
                kernel.access(op).is_some_and(|access| {
                    access.order.is_some()
                        || access.volatile
                        || matches!(access.kind, heddle_ir::AccessKind::Atomic(..))
                })
            };
            if kernel.ops.keys().any(is_atomic) {
                return Ok(None);
            }
            session = Session::new(kernel, launch).map_err(Stop::Launch)?;
        }
        let mut first = FirstAlone { kernel, others: &second.all, found: None };
        let outcome = session.run_block(one, &mut first, budget);
        if first.found.is_none() {
            outcome?;
        }
        let missing = (0..launch.shape.threads()).collect();
        Ok(first.found.filter(|it| it.op == op).map(|it| Divergence { missing, ..it }))
    };
    match run() {
        Ok(Some(found)) => ReplayOutcome::Confirmed(Confirmed::Divergence(found)),
        Ok(None) => ReplayOutcome::NotHit,
        Err(stop) => ReplayOutcome::Stopped(stop),
    }
}

/// An operation, and the iterations of the loops around it.
type Instance = (OpId, Vec<u64>);

fn is_grid_barrier(kernel: &Kernel, op: OpId) -> bool {
    matches!(kernel[op].kind, OpKind::Barrier(Barrier::Grid))
}

/// The instances of grid barriers that a block comes to.
struct Arrivals<'k> {
    kernel: &'k Kernel,
    all: Vec<Instance>,
}

impl Visitor for Arrivals<'_> {
    fn barrier(&mut self, at: &Moment<'_>, _: &BarrierEvent<'_>) -> ControlFlow<()> {
        if is_grid_barrier(self.kernel, at.op) {
            self.all.push((at.op, at.iterations.to_vec()));
        }
        ControlFlow::Continue(())
    }
}

/// The first instance of a grid barrier that a block comes to and others do not.
struct FirstAlone<'k> {
    kernel: &'k Kernel,
    others: &'k [Instance],
    found: Option<Divergence>,
}

impl Visitor for FirstAlone<'_> {
    fn barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        let is_here = |it: &Instance| it.0 == at.op && it.1 == at.iterations;
        if !is_grid_barrier(self.kernel, at.op) || self.others.iter().any(is_here) {
            return ControlFlow::Continue(());
        }
        self.found = Some(Divergence {
            op: at.op,
            block: at.block,
            iterations: at.iterations.to_vec(),
            arrived: event.threads.to_vec(),
            missing: Vec::new(),
        });
        ControlFlow::Break(())
    }
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
