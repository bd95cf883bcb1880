//! Flags that do not order the two accesses of a race in the run that was found.
//!
//! **What**: whether a read of a flag, in the run of a model, takes its value from no write to it
//! by the thread that made the other access.
//! **Method**: write and read stand outside of loops, but for one that polls one place. The model
//! says that the write is not executed, or goes to another place, or that the read finds what the
//! write does not store, or zero, which is there at the start. What a loop carries from an earlier
//! read, and accesses in the loop that polls, are left alone.
//! **Sound because**: the answer only turns `unknown` into `refuted`, whose run the interpreter
//! replays. A read that need not come after any write of the word may find what is there at the
//! start. Values say so only where no read-modify-write changes the word, as one might hand on what
//! the write released; and where the writer has not written the word before its access with another
//! value, as two threads that each write and then read may exclude each other by that. The model is
//! asked only about what it did not make up: sizes, arguments, the read itself and memory that
//! nobody writes. A vote, a shuffle, other memory, a function known by its name or what a loop
//! carries may have any value in it, so that a loop "ends" whatever the flag says. A later store of
//! the writer's own carries what the write released (PTX ISA 8.8).
//! **Misses**: who else could have written what is read, so that the run may need flags that are
//! set at the start.
//! **Assumes**: nothing.

use heddle_ir::{AccessKind, ExprId, ExprKind, Kernel, LoopId, OpId};
use rustc_hash::FxHashSet;

use super::Flags;
use super::sides::leader;
use crate::checks::races::hand_over::{access, guard};
use crate::checks::races::pair::Candidate;
use crate::checks::races::word::writes_to;
use crate::engine::instance::{Instance, evaluate};
use crate::facts::analysis::Analysis;
use crate::facts::order::{Level, Relation, only_first_thread};
use crate::facts::thread::Thread;

/// Whether the read of the later side does not get its value from the write of the earlier side,
/// whose access is that of `earlier`; or one of the two is done by another thread, with no barrier
/// on the way.
pub(crate) fn is_excluded(
    flags: &Flags,
    candidate: &mut Candidate<'_>,
    earlier: Thread,
    pair: [OpId; 2],
) -> bool {
    why_excluded(flags, candidate, earlier, pair).is_some()
}

/// Why a read does not get its value from a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Excluded {
    /// The write is not done.
    NotWritten,
    /// The read is not done.
    NotRead,
    /// They are of different places.
    OtherPlace,
    /// What is read is zero, which is there at the start.
    AtStart,
    /// What is read is what another write stores.
    OtherValue,
}

/// The reason for which [`is_excluded`] holds.
pub(crate) fn why_excluded(
    flags: &Flags,
    candidate: &mut Candidate<'_>,
    earlier: Thread,
    [write, read]: [OpId; 2],
) -> Option<Excluded> {
    let Candidate { instance, model, ops, .. } = candidate;
    let analysis = instance.analysis;
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let word = flags
        .words
        .iter()
        .find(|it| it.writes.iter().any(|it| it.op == write) && it.reads.contains(&read))?;
    let constant = word.writes.iter().find(|it| it.op == write).map(|it| it.constant)?;
    let polls = order.chain(read);
    let place = access(instance, read).address.offset;
    let in_one_place = polls.iter().all(|of| analysis.scopes.home(place) != Some(*of));
    if !order.chain(write).is_empty() || polls.len() > 1 || !in_one_place {
        return None;
    }
    let later = if earlier == Thread::One { Thread::Two } else { Thread::One };
    let sides = [
        (earlier, write, [ops[earlier.index()], write]),
        (later, read, [read, ops[later.index()]]),
    ];
    let mut by = [earlier, later];
    for (side, (thread, op, [from, to])) in sides.into_iter().enumerate() {
        if !may_meet_barrier(analysis, from, to) {
            continue;
        }
        // Who does it for the block is known only where it is the first thread.
        if !only_first_thread(kernel, analysis.launch, guard(instance, op)) {
            return None;
        }
        by[side] = leader(instance, thread);
    }
    // The run of the model must be one by what is read from flags, and by the reader's own reads.
    let (decides, is_carried) = reads_behind(analysis, ops[later.index()]);
    let by_itself = by[1] == later || decides.is_empty();
    if !by_itself || decides.iter().any(|op| !word.reads.contains(op)) {
        return None;
    }
    // What an earlier iteration read may be what decides, and not what the last one did.
    let in_poll = order.chain(ops[later.index()]).iter().any(|of| polls.contains(of));
    if in_poll || is_carried || rests_on_names(analysis, &[ops[later.index()], read]) {
        return None;
    }
    let written_at = access(instance, write).address.offset;
    let of_loops = polls.iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
    let evaluated = [kernel[write].pred, written_at, guard(instance, read), place];
    if is_made_up(kernel, evaluated.into_iter().chain(of_loops), polls, read) {
        return None;
    }
    let write_frame = instance.root(by[0]);
    let writes = instance.at(write_frame, kernel[write].pred);
    let written = instance.at(write_frame, written_at);
    let outside = instance.root(by[1]);
    let read_frame = match polls.first() {
        Some(of) => {
            let last = instance.last_iteration(outside, *of);
            instance.enter(outside, *of, last)
        }
        None => outside,
    };
    let reads = guard(instance, read);
    let reads = instance.at(outside, reads);
    let read_at = instance.at(read_frame, place);
    let value = |instance: &Instance<'_>, id| evaluate(instance, model, id);
    if value(instance, writes) == 0 {
        return Some(Excluded::NotWritten);
    }
    if value(instance, reads) == 0 {
        return Some(Excluded::NotRead);
    }
    if value(instance, written) != value(instance, read_at) {
        return Some(Excluded::OtherPlace);
    }
    let found = result(kernel, read).filter(|_| !word.has_changes)?;
    // A question that did not look at the loop says nothing of the read that ends it.
    let goes_on = polls.iter().any(|of| {
        let goes_on = instance.at(read_frame, kernel[*of].cont);
        value(instance, goes_on) != 0
    });
    if goes_on {
        return None;
    }
    let found = instance.at(read_frame, found);
    let found = value(instance, found);
    // What is read is not older than what the same thread has written before its access.
    let before = word.writes.iter().filter(|it| !order.before(ops[earlier.index()], it.op));
    let is_newest = before.map(|it| it.constant).all(|it| it == Some(found));
    let mut of_found = word.writes.iter().filter(|it| it.constant == Some(found));
    if of_found.clone().any(|it| order.before(write, it.op)) {
        return None;
    }
    let is_written = of_found.next().is_some();
    let by_another = constant != Some(found);
    // Words hold zero at the start, see `words::word`.
    let at_start = found == 0;
    let by_another = is_written && by_another && constant.is_some();
    match (is_newest, at_start, by_another) {
        (true, true, _) => Some(Excluded::AtStart),
        (true, false, true) => Some(Excluded::OtherValue),
        (true, false, false) | (false, ..) => None,
    }
}

/// The operations whose results decide whether an access is done, and whether a loop carries such a
/// result on the way.
fn reads_behind(analysis: &Analysis<'_>, op: OpId) -> (Vec<OpId>, bool) {
    let kernel = analysis.kernel;
    let around = analysis.order.chain(op).iter();
    let around = around.flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
    results_in(kernel, std::iter::once(kernel[op].pred).chain(around))
}

/// Whether what decides of one of these accesses goes through a function of which the name alone is
/// known, such as a comparison of floats: a model makes up its value, so that what the model has
/// for a read need not be a value with which the access is done.
fn rests_on_names(analysis: &Analysis<'_>, ops: &[OpId]) -> bool {
    let kernel = analysis.kernel;
    let around = ops.iter().flat_map(|op| analysis.order.chain(*op));
    let around = around.flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
    let mut found = false;
    for_each_source(kernel, ops.iter().map(|op| kernel[*op].pred).chain(around), |id, _| {
        found |= matches!(kernel[id].kind, ExprKind::Pure(..));
    });
    found
}

/// Whether some expressions rest on what a model makes up: on anything but sizes, arguments, the
/// read itself, and memory that nobody writes. Of loops, only those of `polls` are looked into.
fn is_made_up(
    kernel: &Kernel,
    exprs: impl Iterator<Item = ExprId>,
    polls: &[LoopId],
    read: OpId,
) -> bool {
    let is_constant = |op: OpId| {
        kernel.access(op).is_some_and(|it| {
            let writes = writes_to(kernel, it.address.object);
            matches!(it.kind, AccessKind::Load) && writes.is_some_and(|it| it.is_empty())
        })
    };
    let mut found = false;
    for_each_source(kernel, exprs, |id, _| {
        found |= match &kernel[id].kind {
            ExprKind::Result(op, _) => *op != read && !is_constant(*op),
            ExprKind::Exit(of, _) => !polls.contains(of),
            ExprKind::Pure(..) | ExprKind::Var(_) | ExprKind::Undef(_) | ExprKind::Base(_) => true,
            ExprKind::Const(_)
            | ExprKind::Param(_)
            | ExprKind::Special(_)
            | ExprKind::Sym(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..) => false,
        };
    });
    found
}

/// The operations whose results some expressions rest on, and whether a loop carries such a result
/// on the way.
pub(crate) fn results_in(
    kernel: &Kernel,
    exprs: impl Iterator<Item = ExprId>,
) -> (Vec<OpId>, bool) {
    let (mut found, mut is_carried) = (Vec::new(), false);
    for_each_source(kernel, exprs, |id, carried| {
        if let ExprKind::Result(op, _) = kernel[id].kind {
            found.push(op);
            is_carried |= carried;
        }
    });
    (found, is_carried)
}

/// Visits all that some expressions are computed from, and whether a loop carries it on the way. A
/// value after a loop rests on what ends the loop, too.
fn for_each_source(
    kernel: &Kernel,
    exprs: impl Iterator<Item = ExprId>,
    mut visit: impl FnMut(ExprId, bool),
) {
    let mut work: Vec<(ExprId, bool)> = exprs.map(|it| (it, false)).collect();
    let mut seen = FxHashSet::default();
    while let Some((id, carried)) = work.pop() {
        if !seen.insert((id, carried)) {
            continue;
        }
        visit(id, carried);
        if let ExprKind::Var(var) = kernel[id].kind {
            work.extend([(kernel[var].init, true), (kernel[var].next, true)]);
        }
        if let ExprKind::Exit(of, _) = kernel[id].kind {
            work.extend([(kernel[of].cont, carried), (kernel[of].pred, carried)]);
        }
        kernel.exprs.for_each_operand(id, |operand| work.push((operand, carried)));
    }
}

fn result(kernel: &Kernel, read: OpId) -> Option<ExprId> {
    let is_result = |kind: &ExprKind| *kind == ExprKind::Result(read, 0);
    kernel.exprs.iter().find(|(_, it)| is_result(&it.kind)).map(|(id, _)| id)
}

/// Whether some barrier may stand between two operations.
fn may_meet_barrier(analysis: &Analysis<'_>, from: OpId, to: OpId) -> bool {
    let (kernel, order) = (analysis.kernel, &analysis.order);
    let looped = |op: OpId| order.chain(op).iter().any(|of| order.has_separator(*of, Level::Warp));
    let between = |op: OpId| {
        order.separates(kernel, op, Level::Warp) && !order.before(op, from) && !order.before(to, op)
    };
    looped(from)
        || looped(to)
        || kernel.ops.keys().any(between)
        || order.obviously_ordered(kernel, from, to, Relation::Same, Level::Warp)
}
