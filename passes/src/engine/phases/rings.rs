//! Rings of barrier objects, and the numbers of what is done to them, as they look.
//!
//! **What**: [`draft`] lists rings with the operations on their objects, each with the number of
//! its phase. **Method**: operations that name one object are of one ring; the order of its objects
//! is that in which a wait comes to them. The number of a wait follows from object and parity, that
//! of an arrival up to whole turns of the ring, of which [`Ringed::choices`] lists the likely ones.
//! **Sound because**: that an operation names the objects of a ring in turn, and with which
//! parities, is computed for all iterations. Whatever else touches an object makes its ring open.
//! **Misses**: what the module above does. **Assumes**: nothing.

mod turns;

use std::collections::{BTreeMap, BTreeSet};

use heddle_interp::spins;
use heddle_ir::{
    Address, AsyncMechanism, Barrier, ExprId, ExprKind, Item, Kernel, LoopId, MbarrierAction,
    ObjectId, ObjectKind, OpId, OpKind, Phase, UnOp,
};

use self::turns::{in_turn, residue, waited_for};
use super::period::{LONGEST, Sequences};
use crate::facts::analysis::Analysis;
use crate::facts::order::Level;
use crate::facts::phases::{Fault, Step};

/// A barrier object: where it is in which object.
pub(super) type Slot = (ObjectId, u64);

/// What a step does to a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// Waits for the phase.
    Wait,
    /// Arrives once, expecting bytes or not.
    Arrive(Option<ExprId>),
    /// Issues a copy that the phase waits for.
    Copy,
    /// Has the phase wait for the copies of the thread so far, and counts for no arrival.
    Cover,
}

/// A step of a ring, and the phases it may be about.
#[derive(Clone, Debug)]
pub(super) struct Ringed {
    pub(super) step: Step,
    pub(super) action: Action,
    /// The iterations in which it may be done, where those are few.
    pub(super) few: Option<Vec<u64>>,
    /// The phase in iteration 0: one for a wait, several for arrivals and copies.
    pub(super) choices: Vec<i64>,
    /// Of a copy of a tensor, where it writes, as far as that is constant.
    pub(super) to: Vec<Slot>,
}

/// A ring as it looks.
#[derive(Clone, Debug)]
pub(super) struct Rough {
    /// Its objects, in turn.
    pub(super) slots: Vec<Slot>,
    /// The arrivals that an object counts, and the operation that says so.
    pub(super) count: ExprId,
    /// Initialisations, with the iterations in which they are done.
    pub(super) inits: Vec<(Step, Vec<u64>)>,
    pub(super) steps: Vec<Ringed>,
    /// All operations on its objects.
    pub(super) ops: Vec<OpId>,
}

/// All rings, and the operations that are of none, with the reason.
pub(super) struct Draft {
    pub(super) rings: Vec<Rough>,
    pub(super) open: Vec<(OpId, Fault)>,
}

/// An operation on a barrier object, and the objects it names.
struct Found {
    step: Step,
    what: What,
    /// The object of each iteration: for one period, or for the few there are.
    at: Vec<Slot>,
    few: Option<Vec<u64>>,
}

#[derive(Clone, Copy)]
enum What {
    Init(ExprId),
    Wait(ExprId),
    Arrive(Option<ExprId>),
    Copy,
    Cover,
}

pub(super) fn draft(analysis: &Analysis<'_>) -> Draft {
    let kernel = analysis.kernel;
    let mut sequences = Sequences::new(analysis);
    let mut found = Vec::new();
    let mut open = Vec::new();
    // Objects of which something is done that is not followed.
    let mut spoilt: Vec<(OpId, ObjectId, &str)> = Vec::new();
    kernel.for_each_op(|op, around| {
        let Some((address, what)) = what_of(kernel, op) else { return };
        let fail = match what {
            Ok(what) => match place(&mut sequences, analysis, op, around, address, what) {
                Ok(it) => {
                    found.push(it);
                    return;
                }
                // A wait that is not followed says nothing, and changes nothing.
                Err(_) if matches!(what, What::Wait(_)) => return,
                Err(why) => why,
            },
            Err("") => return,
            Err(why) => why,
        };
        spoilt.push((op, address.object, fail));
    });
    let mut rings = Vec::new();
    for slots in components(&found) {
        let of_ring: Vec<&Found> =
            found.iter().filter(|it| it.at.iter().any(|slot| slots.contains(slot))).collect();
        let bad = spoilt
            .iter()
            .find(|(_, object, _)| slots.iter().any(|slot| kernel.may_alias(slot.0, *object)));
        let made = match bad {
            Some((at, _, why)) => Err(Fault { at: *at, why: (*why).to_owned() }),
            None => ring(analysis, &mut sequences, &slots, &of_ring),
        };
        match made {
            Ok(rough) => rings.push(rough),
            Err(fault) => open.extend(of_ring.iter().map(|it| (it.step.op, fault.clone()))),
        }
    }
    for (op, _, why) in spoilt {
        open.push((op, Fault { at: op, why: why.to_owned() }));
    }
    Draft { rings, open }
}

/// What an operation does to a barrier object; an empty reason for what changes nothing.
fn what_of(kernel: &Kernel, op: OpId) -> Option<(&Address, Result<What, &'static str>)> {
    match &kernel[op].kind {
        OpKind::Barrier(Barrier::Mbarrier { address, action }) => {
            let what = match action {
                MbarrierAction::Init(count) => Ok(What::Init(*count)),
                MbarrierAction::Arrive { count, transactions, drop: false } => {
                    match kernel.exprs.as_const(*count) {
                        Some(1) => Ok(What::Arrive(*transactions)),
                        Some(_) | None => Err("arrivals for more than one are not followed"),
                    }
                }
                MbarrierAction::Arrive { drop: true, .. } => Err("`arrive_drop` is not followed"),
                MbarrierAction::Test { phase: Phase::Parity(parity), may_wait: _ } => {
                    Ok(What::Wait(*parity))
                }
                MbarrierAction::Test { phase: Phase::Token(_), may_wait: _ } => Err(""),
                MbarrierAction::Invalidate => Err("the end of its life is not followed"),
                MbarrierAction::ExpectTx(_) => {
                    Err("bytes that are announced apart from an arrival are not followed")
                }
                MbarrierAction::CompleteTx(_) => Err("`complete_tx` is not followed"),
                MbarrierAction::CopiesArrive { extra: true } => Ok(What::Cover),
                MbarrierAction::CopiesArrive { extra: false } | MbarrierAction::ProductsArrive => {
                    Ok(What::Arrive(None))
                }
            };
            Some((address, what))
        }
        OpKind::AsyncCopy(copy) if copy.mechanism == AsyncMechanism::BulkMbarrier => {
            Some((copy.mbarrier.as_ref()?, Ok(What::Copy)))
        }
        OpKind::AsyncCopy(_)
        | OpKind::Barrier(_)
        | OpKind::Access(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Claim(_)
        | OpKind::Assert { .. }
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => None,
    }
}

/// Where an operation stands, and which objects it names in its iterations.
fn place(
    sequences: &mut Sequences<'_>,
    analysis: &Analysis<'_>,
    op: OpId,
    around: &[LoopId],
    address: &Address,
    what: What,
) -> Result<Found, &'static str> {
    let kernel = analysis.kernel;
    let (mut around, mut guard) = (around, kernel[op].pred);
    if let What::Wait(parity) = what {
        match around.split_last() {
            Some((of, outside))
                if spins(kernel, *of)
                    && is_alone(kernel, *of)
                    && [parity, address.offset]
                        .iter()
                        .all(|it| analysis.scopes.invariant(*of, *it))
                    && sequences.starts(kernel[op].pred, outside, *of) =>
            {
                (around, guard) = (outside, kernel[*of].pred);
            }
            _ if is_insisted(analysis, op) => {}
            _ => return Err("a test that does not insist on its answer"),
        }
    }
    let of = match around {
        [] => None,
        [of] => Some(*of),
        _ => return Err("barrier objects in loops inside loops are not followed"),
    };
    if kernel[address.object].kind == ObjectKind::Unknown {
        return Err("which barrier object this is could not be told");
    }
    if let (None, Some(of)) = (of, left_loop(analysis, address.offset)) {
        // An index that a loop leaves behind.
        let is_followed = matches!(what, What::Arrive(_) | What::Wait(_));
        let offsets = sequences.after(address.offset, of).filter(|_| is_followed);
        let slot = |it: u128| Some((address.object, u64::try_from(it).ok()?));
        let at: Option<Vec<Slot>> = offsets.and_then(|all| all.into_iter().map(slot).collect());
        let step = Step { op, of: Some(of), guard, last: true };
        return match at {
            Some(at) if !at.is_empty() => Ok(Found { step, what, at, few: None }),
            Some(_) | None => {
                Err("which barrier object this is, in which round, could not be told")
            }
        };
    }
    let few = few(sequences, analysis, of, guard);
    let offsets = match &few {
        Some(few) => few.iter().map(|k| sequences.at(address.offset, of, *k)).collect(),
        None => sequences.of(address.offset, of),
    };
    let offsets: Option<Vec<u128>> = offsets;
    let at: Option<Vec<Slot>> = offsets.and_then(|all| {
        all.into_iter().map(|it| Some((address.object, u64::try_from(it).ok()?))).collect()
    });
    match at {
        Some(at) if !at.is_empty() => {
            Ok(Found { step: Step { op, of, guard, last: false }, what, at, few })
        }
        Some(_) | None => Err("which barrier object this is, in which round, could not be told"),
    }
}

/// The one loop, in no other, that leaves something behind which an expression depends on, where
/// how often it runs is open.
fn left_loop(analysis: &Analysis<'_>, expr: ExprId) -> Option<LoopId> {
    let kernel = analysis.kernel;
    let (mut found, mut work) = (None, vec![expr]);
    while let Some(id) = work.pop() {
        if let ExprKind::Exit(of, _) = kernel[id].kind {
            if found.is_some_and(|it| it != of) {
                return None;
            }
            found = Some(of);
        } else {
            kernel.exprs.for_each_operand(id, |it| work.push(it));
        }
    }
    let is_outermost = |of: &LoopId| kernel.body.items.contains(&Item::Loop(*of));
    let is_open = |of: &LoopId| !analysis.trips(*of).is_some_and(|it| it.exact);
    found.filter(is_outermost).filter(is_open)
}

/// The iterations in which a step may be done, where its loop has a small constant limit, and
/// outside loops.
fn few(
    sequences: &mut Sequences<'_>,
    analysis: &Analysis<'_>,
    of: Option<LoopId>,
    guard: ExprId,
) -> Option<Vec<u64>> {
    let Some(of) = of else { return Some(vec![0]) };
    let cont = analysis.kernel[of].cont;
    let limit = match analysis.trips(of) {
        Some(limit) => Some(u64::from(limit.last)).filter(|last| *last <= LONGEST),
        None => (0..=LONGEST).find(|k| sequences.at(cont, Some(of), *k) == Some(0)),
    }?;
    Some((0..=limit).filter(|k| sequences.at(guard, Some(of), *k) != Some(0)).collect())
}

/// Whether a loop that waits has one test in it.
fn is_alone(kernel: &Kernel, of: LoopId) -> bool {
    let mut tests = 0;
    kernel.for_each_op(|op, around| {
        let is_test = matches!(kernel[op].kind, OpKind::Barrier(_));
        tests += u32::from(is_test && around.contains(&of));
    });
    tests == 1
}

/// Whether a thread goes on after a test only if the answer was yes, as in an assembly that loops.
fn is_insisted(analysis: &Analysis<'_>, test: OpId) -> bool {
    let kernel = analysis.kernel;
    let order = &analysis.order;
    let depth = order.chain(test).len();
    kernel.ops.iter().any(|(op, it)| {
        let OpKind::Assume(condition) = it.kind else { return false };
        let given = kernel.exprs.conjuncts(kernel[test].pred);
        let fails = |id: &ExprId| {
            matches!(kernel[*id].kind, ExprKind::Unary(UnOp::Not, a)
                if kernel[a].kind == ExprKind::Result(test, 0))
        };
        kernel.exprs.as_const(condition) == Some(0)
            && order.chain(op) == order.chain(test)
            && order.index(op, depth) == order.index(test, depth) + 1
            && kernel.exprs.conjuncts(it.pred).iter().all(|id| given.contains(id) || fails(id))
    })
}

/// Objects that belong together because one operation names them.
fn components(found: &[Found]) -> Vec<BTreeSet<Slot>> {
    let mut all: Vec<BTreeSet<Slot>> = Vec::new();
    // What initialises objects names those of several rings.
    for it in found.iter().filter(|it| !matches!(it.what, What::Init(_))) {
        let mut one: BTreeSet<Slot> = it.at.iter().copied().collect();
        all.retain(|other| {
            let apart = one.is_disjoint(other);
            if !apart {
                one.extend(other);
            }
            apart
        });
        all.push(one);
    }
    all
}

fn ring(
    analysis: &Analysis<'_>,
    sequences: &mut Sequences<'_>,
    slots: &BTreeSet<Slot>,
    of_ring: &[&Found],
) -> Result<Rough, Fault> {
    let first = of_ring[0].step.op;
    let fail = |at: OpId, why: &str| Err(Fault { at, why: why.to_owned() });
    let n = slots.len();
    // It comes to all of them in turn, from its first iteration on.
    let is_whole = |it: &Found| {
        let distinct: BTreeSet<_> = it.at.iter().take(n).collect();
        let from_first = it.few.iter().flatten().zip(0..).all(|(k, index)| *k == index);
        distinct.len() == n && from_first && in_turn(it, n) && !it.step.last
    };
    let users = || of_ring.iter().filter(|it| !matches!(it.what, What::Init(_)));
    let waits = users().filter(|it| matches!(it.what, What::Wait(_)));
    let (endless, other): (Vec<&&Found>, Vec<&&Found>) =
        waits.chain(users()).filter(|it| is_whole(it)).partition(|it| it.few.is_none());
    let Some(lead) = endless.first().or(other.first()) else {
        return fail(first, "barrier objects that are not used in turn are not followed");
    };
    // Where the ring begins: where most waits are for phases in order.
    let mut order = lead.at[..n].to_vec();
    let mut best = None;
    for turn in 0..n {
        let mut turned = lead.at[..n].to_vec();
        turned.rotate_left(turn);
        let in_order = users()
            .filter(|it| match it.what {
                What::Wait(parity) => residue(it, &turned).is_some_and(|residue| {
                    waited_for(sequences, it, parity, residue, n as i64).is_some()
                }),
                What::Init(_) | What::Arrive(_) | What::Copy | What::Cover => false,
            })
            .count();
        if best.is_none_or(|known| in_order > known) {
            (order, best) = (turned, Some(in_order));
        }
    }
    let mut count = None;
    let mut inits: Vec<(Step, Vec<u64>)> = Vec::new();
    let mut times: BTreeMap<Slot, u32> = BTreeMap::new();
    let mut steps = Vec::new();
    for it in of_ring {
        let op = it.step.op;
        if let What::Init(given) = it.what {
            let rounds = match &it.few {
                Some(few) if count.is_none_or(|known| known == given) => few.clone(),
                Some(_) | None => {
                    return fail(op, "barrier objects of one ring do not count alike");
                }
            };
            count = Some(given);
            inits.push((it.step, rounds));
            for slot in it.at.iter().filter(|slot| slots.contains(slot)) {
                *times.entry(*slot).or_default() += 1;
            }
            continue;
        }
        let Some(residue) = residue(it, &order) else {
            return fail(op, "barrier objects that are not used in turn are not followed");
        };
        let (action, choices) = match it.what {
            What::Wait(parity) => {
                let Some(shift) = waited_for(sequences, it, parity, residue, n as i64) else {
                    // It says nothing about phases.
                    continue;
                };
                (Action::Wait, vec![shift])
            }
            What::Arrive(bytes) => {
                // For a phase of this turn, of the one before, or of the next.
                let before = (residue > 0).then_some(residue - n as i64);
                let choices = [Some(residue), before, Some(residue + n as i64)];
                (Action::Arrive(bytes), choices.into_iter().flatten().collect())
            }
            What::Copy => (Action::Copy, vec![residue, residue + n as i64]),
            What::Cover => (Action::Cover, vec![residue, residue + n as i64]),
            What::Init(_) => continue,
        };
        let to = match action {
            Action::Copy => destinations(analysis, sequences, it),
            Action::Wait | Action::Arrive(_) | Action::Cover => Vec::new(),
        };
        steps.push(Ringed { step: it.step, action, few: it.few.clone(), choices, to });
    }
    let Some(count) = count else {
        return fail(first, "where this barrier object is initialised was not found");
    };
    if slots.iter().any(|slot| times.get(slot) != Some(&1)) {
        return fail(
            inits[0].0.op,
            "a barrier object that is not initialised just once is not followed",
        );
    }
    let depends =
        |(it, _): &(Step, Vec<u64>)| it.of.is_some_and(|of| !analysis.scopes.invariant(of, count));
    if inits.iter().any(depends) || !analysis.uniformity.block_uniform(count) {
        return fail(inits[0].0.op, "what a barrier object counts is not the same in all");
    }
    let users: Vec<OpId> = of_ring
        .iter()
        .filter(|it| !matches!(it.what, What::Init(_)))
        .map(|it| it.step.op)
        .collect();
    if let Some((init, _)) = inits.iter().find(|it| !is_shown(analysis, it.0.op, &users)) {
        return fail(
            init.op,
            "no barrier of the block lies between this and the uses of the object",
        );
    }
    let ops = of_ring.iter().map(|it| it.step.op).collect();
    Ok(Rough { slots: order, count, inits, steps, ops })
}

/// Where a copy that does not say how many bytes it writes begins to, in its iterations.
fn destinations(analysis: &Analysis<'_>, sequences: &mut Sequences<'_>, it: &Found) -> Vec<Slot> {
    let kernel = analysis.kernel;
    let OpKind::AsyncCopy(copy) = &kernel[it.step.op].kind else { return Vec::new() };
    let Address { object, offset } = copy.destination;
    if !matches!(kernel[copy.size].kind, ExprKind::Undef(_))
        || kernel[object].kind == ObjectKind::Unknown
    {
        return Vec::new();
    }
    let of = it.step.of;
    let starts: Option<Vec<u128>> = match &it.few {
        Some(few) => few.iter().map(|k| sequences.at(offset, of, *k)).collect(),
        None => sequences.of(offset, of),
    };
    let slot = |start: u128| Some((object, u64::try_from(start).ok()?));
    starts.unwrap_or_default().into_iter().map(slot).collect::<Option<_>>().unwrap_or_default()
}

/// Whether a barrier of the block lies between the initialisation of an object and all its uses.
fn is_shown(analysis: &Analysis<'_>, init: OpId, users: &[OpId]) -> bool {
    let kernel = analysis.kernel;
    let order = &analysis.order;
    kernel.ops.iter().any(|(op, it)| {
        order.chain(op).is_empty()
            && order.separates(kernel, op, Level::Block)
            && kernel.exprs.as_const(it.pred) == Some(1)
            && order.index(init, 0) < order.index(op, 0)
            && users.iter().all(|user| order.index(op, 0) < order.index(*user, 0))
    })
}
