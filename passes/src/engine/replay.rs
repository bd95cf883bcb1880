//! Replays a witness in the interpreter: does the run really show what the model says?
//!
//! **What**: a witness is `Confirmed` if the interpreter, which knows nothing of the solver, meets
//! the violation at the same operations; else the answer says what it met, and whether the replay
//! or the run is to blame.
//! **Method**: the launch of the model is run a block at a time, the two threads of the model
//! first, then any two.
//! **Sound because** the run is one that the program has. Variables hold what the program's
//! initialiser says; those that an earlier launch may have changed hold it too, as the run is the
//! first launch. Structures passed by value hold the arguments. Other memory holds what the model
//! says, elsewhere zeros, and in further attempts small integers and fractions that differ from
//! place to place, and numbers that go up where something is found by them. A run that breaks an
//! assumption of the program, before or after the violation, or that takes a turn on an undefined
//! value, is none. Nor is one whose memory breaks what arrays are said to keep
//! ([`crate::engine::arrays`]).
//! **Misses**: runs with other schedules; violations that need an earlier launch.
//! **Assumes**: nothing.

mod addresses;
mod bytes;
mod synchronized;
mod told;

use std::collections::BTreeMap;
use std::sync::Arc;

use heddle_diagnostics::{Confirmation, Unreplayed};
use heddle_interp::{
    Confirmed, Conflict, Contents, Launch, Limits, Pair, Party, ReplayOutcome, Rest, Stop,
    Want as InterpWant, replay as run_replay,
};
use heddle_ir::{
    ExprId, Initial, Kernel, MemoryOrder, ObjectId, ObjectKind, Op, OpId, OpKind, Orders,
    ParamKind, Space, ValueFrom, mask,
};

use rustc_hash::FxHashSet;

use self::addresses::addresses;
pub(crate) use self::addresses::is_null;
use self::bytes::{few, fraction, ramp, short_fraction, signed_fraction, varied};
use self::synchronized::placed;
use self::told::{Shown, told};
use crate::engine::arrays::keep;
use crate::engine::cx::{Attempt, Cx};
use crate::engine::instance::Placement;
use crate::engine::pointees::leading_apart;
use crate::engine::witness::{Held, Run, Told};

/// What the replay should show.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Want {
    /// The two operations race, by threads placed like this.
    Race([OpId; 2], Placement),
    /// The two operations race although fences and strong accesses might order them: in the run
    /// itself they do not.
    Unordered([OpId; 2], Placement),
    /// A thread touches by the second operation what its copy, the first, has under way.
    OwnCopy([OpId; 2]),
    /// Threads part at this barrier, or come to a copy of the whole block with other arguments.
    Divergence(OpId),
    /// The kernel ends while this copy is under way.
    Abandoned(OpId),
    /// An operation touches bytes that its object does not have.
    Outside(Limits),
    /// An operation reads shared memory that nobody wrote.
    Unwritten(OpId),
    /// A thread comes to this end.
    End(OpId),
}

/// What a replay showed.
#[derive(Debug)]
pub(crate) struct Replay {
    /// Whether it hit.
    pub confirmation: Confirmation,
    /// The two accesses it hit, the first operation's first, or one and the same twice where a
    /// thread alone is in the wrong; absent for a divergence and for an end.
    pub parties: Option<[Party; 2]>,
    /// What memory held at the start, place by place, where it was not what the run says.
    pub memory: Option<Vec<Held>>,
    /// What a reader of the run must know of memory, where that is something else.
    pub told: Option<Told>,
}

/// Operations that one replay may execute, over all threads: this part of what is left to all
/// replays of the kernel. One that shows something is short; many that do not wait for ever.
const SHARE: u64 = 8;
/// What a replay gets where all replays of a kernel together have spent what they may.
const FEWEST_STEPS: u64 = 20_000;
/// The same from limited fuel.
const FEWEST_STEPS_OF_BUILD: u64 = 10_000;
/// Grids of up to so many blocks are run as a whole where two blocks do not show the race.
const WHOLE_GRID: u128 = 256;

/// Runs the witness and looks for what is wanted: by the two threads of the witness, and if they do
/// not show it, by any two that are placed like them. Where no attempt shows it, the answer is the
/// one that speaks most against the witness: what stands without a replay must do so in all
/// attempts.
pub(crate) fn replay(cx: &Cx<'_>, run: &Run, want: Want, attempt: Attempt) -> Replay {
    if !cx.options.replay {
        return match keep(&run.arrays, &launch(cx, run, &BTreeMap::new(), Rest::Zero)) {
            Ok(_) => missed(Unreplayed::TurnedOff, "replay was turned off".to_owned()),
            Err(why) => missed(Unreplayed::AssumptionBroken, why),
        };
    }
    // An object without bytes, where an argument leads to it, is what a null pointer leads to.
    let null = match want {
        Want::Outside(limits) if limits.bytes == 0 => Some(limits.object),
        Want::Outside(_)
        | Want::Race(..)
        | Want::Unordered(..)
        | Want::OwnCopy(_)
        | Want::Divergence(_)
        | Want::Abandoned(_)
        | Want::Unwritten(_)
        | Want::End(_) => None,
    };
    if let Want::Unordered(ops, placement) = want {
        return self::synchronized::unordered(cx, run, ops, placement, attempt);
    }
    let bases = addresses(cx, null);
    let zeros = launch(cx, run, &bases, Rest::Zero);
    let numbers = launch(cx, run, &bases, Rest::Function(Arc::new(varied)));
    let [first, second] = run.threads.map(|(block, _)| block);
    let blocks = if first == second { vec![first] } else { vec![first, second] };
    let threads = run.threads.map(|(block, tid)| (block, zeros.shape.thread_number(tid)));
    let mut wanted = Vec::new();
    match want {
        Want::Divergence(op) => wanted.push((InterpWant::Divergence(op), blocks)),
        Want::OwnCopy(ops) => wanted.push((InterpWant::OwnCopy(ops), blocks)),
        Want::Abandoned(op) => wanted.push((InterpWant::Abandoned(op), blocks)),
        Want::Outside(limits) => wanted.push((InterpWant::Outside(limits), blocks)),
        Want::Unwritten(op) => wanted.push((InterpWant::Unwritten(op), blocks)),
        Want::End(op) => wanted.push((InterpWant::End(op), blocks)),
        // Answered above.
        Want::Unordered(..) => {}
        Want::Race(ops, placement) => {
            let placed = Some(placed(placement));
            // Lanes that store one value are no race, whatever the question took their values for.
            let values_differ = !cx.options.benign_is_error;
            let exact = Pair { ops: Some(ops), threads: Some(threads), placed, values_differ };
            let any = Pair { threads: None, ..exact };
            let reversed: Vec<_> = blocks.iter().rev().copied().collect();
            wanted.push((InterpWant::Conflict(exact), blocks.clone()));
            if reversed != blocks {
                wanted.push((InterpWant::Conflict(exact), reversed));
            }
            // OpenCL has grids of up to 2^96 blocks.
            let total: u128 = run.grid.iter().map(|it| u128::from(*it)).product();
            if first != second && total <= WHOLE_GRID {
                wanted.push((InterpWant::Conflict(any), all_blocks(run.grid)));
            }
        }
    }
    let mut worst: Option<Replay> = None;
    let fractions = launch(cx, run, &bases, Rest::Function(Arc::new(fraction)));
    // What the model says of memory that is only computed with may be zeros, which make all results
    // one.
    let unread = Run { memory: Vec::new(), ..run.clone() };
    let elsewhere = launch(cx, &unread, &bases, Rest::Function(Arc::new(fraction)));
    // Numbers that something is found by go up, as the beginnings of rows do, and what the kernel
    // writes is zero, as flags and counters are; all else differs.
    let indices = index_like(cx.kernel);
    let rows = [run, &unread].map(|run| {
        let mut launch = launch(cx, run, &bases, Rest::Function(Arc::new(fraction)));
        for (&object, &(size, written)) in &indices {
            let numbers = Rest::Function(Arc::new(move |offset| Some(ramp(offset, size))));
            let rest = if written { Rest::Zero } else { numbers };
            launch.buffers.entry(object).or_default().rest = rest;
        }
        launch
    });
    let exact = launch(cx, run, &bases, Rest::Function(Arc::new(short_fraction)));
    let mut contents = vec![&zeros, &numbers, &fractions, &elsewhere, &exact];
    contents.extend(rows.iter().filter(|_| !indices.is_empty()));
    // What decides may be below zero in one place and above in another. Counters start at zero, as
    // answers take for granted.
    let mixed = [few as fn(u64) -> Option<u8>, signed_fraction].map(|rest| {
        let mut launch = launch(cx, &unread, &bases, Rest::Function(Arc::new(rest)));
        for object in counters(cx.kernel) {
            launch.buffers.entry(object).or_default().rest = Rest::Zero;
        }
        launch
    });
    let freely = if may_choose_runs(cx.kernel, want) { &mixed[..] } else { &[] };
    let counted = contents.into_iter().map(|launch| (launch, true));
    let contents: Vec<_> = counted.chain(freely.iter().map(|launch| (launch, false))).collect();
    let attempts = wanted.iter().flat_map(|it| contents.iter().map(move |launch| (*launch, it)));
    let mut others: Option<Replay> = None;
    for ((launch, speaks), (want_of_interp, blocks)) in attempts {
        let of_two = matches!(want_of_interp, InterpWant::Conflict(it) if it.threads.is_some());
        if !of_two && others.is_some() {
            break;
        }
        let fewest = match cx.options.budget.fuel.is_limited() {
            true => FEWEST_STEPS_OF_BUILD,
            false => FEWEST_STEPS,
        };
        if cx.options.budget.fuel.is_late() {
            worst.get_or_insert_with(|| stopped(cx, &Stop::Budget));
            break;
        }
        let left = cx.replay_steps_left(attempt);
        let given = match attempt {
            Attempt::First => fewest.max(left / SHARE),
            Attempt::Again if left < fewest => break,
            Attempt::Again => fewest.max(left / SHARE),
        };
        let mut left = given;
        let apart = leading_apart(cx.kernel, launch);
        let launch = apart.as_ref().unwrap_or(launch);
        let with_arrays = match keep(&run.arrays, launch) {
            Ok(launch) => launch,
            Err(why) => {
                worst = Some(missed(Unreplayed::AssumptionBroken, why));
                continue;
            }
        };
        let launch = with_arrays.as_ref().unwrap_or(launch);
        let outcome = run_replay(cx.kernel, launch, blocks, want_of_interp, &mut left);
        let ran = Shown { launch, blocks, want: want_of_interp };
        let conflict_at = |conflict: Box<Conflict>| {
            let parties = conflict.parties;
            let more = if apart.is_some() { None } else { told(cx, run, &ran, &parties) };
            let (told, parties) = more.map_or((None, parties), |(told, it)| (Some(told), it));
            Replay { told, ..confirmed(Some(in_order(parties, want)), held(run, launch)) }
        };
        let missed = match outcome {
            ReplayOutcome::Confirmed(Confirmed::Divergence(_) | Confirmed::End(..)) => {
                return confirmed(None, held(run, launch));
            }
            ReplayOutcome::Confirmed(Confirmed::Outside(party)) => {
                let parties = Some([Party::clone(&party), *party]);
                return confirmed(parties, held(run, launch));
            }
            ReplayOutcome::Confirmed(Confirmed::Conflict(conflict)) => {
                return conflict_at(conflict);
            }
            ReplayOutcome::Others(conflict) => {
                others.get_or_insert_with(|| conflict_at(conflict));
                continue;
            }
            ReplayOutcome::NotHit => {
                let why = "it did not happen there".to_owned();
                let confirmation = Confirmation::Unconfirmed(why);
                Replay { confirmation, parties: None, memory: None, told: None }
            }
            ReplayOutcome::Stopped(stop) => stopped(cx, &stop),
        };
        let speaks_more =
            |before: &Replay| weight(&missed.confirmation) >= weight(&before.confirmation);
        if speaks && worst.as_ref().is_none_or(speaks_more) {
            worst = Some(missed);
        }
    }
    others
        .or(worst)
        .unwrap_or_else(|| missed(Unreplayed::NoSuchLaunch, "nothing was tried".to_owned()))
}

/// The accesses of a conflict as the question has them: those of its first operation first.
fn in_order([a, b]: [Party; 2], want: Want) -> [Party; 2] {
    match want {
        Want::Race([one, _], _) if a.op != one => [b, a],
        Want::Race(..)
        | Want::Unordered(..)
        | Want::OwnCopy(_)
        | Want::Divergence(_)
        | Want::Abandoned(_)
        | Want::Outside(_)
        | Want::Unwritten(_)
        | Want::End(_) => [a, b],
    }
}

fn confirmed(parties: Option<[Party; 2]>, memory: Option<Vec<Held>>) -> Replay {
    Replay { confirmation: Confirmation::Confirmed, parties, memory, told: None }
}

/// What a launch has in memory where the run tells of it, if that differs anywhere. Where the
/// launch does not know, the run's word stays.
fn held(run: &Run, launch: &Launch) -> Option<Vec<Held>> {
    let at = |&(object, offset, bits, value): &Held| {
        let contents = launch.buffers.get(&object);
        let byte = |index: u64| match contents {
            Some(contents) => contents.byte(offset.wrapping_add(index)),
            None => launch.other_contents.byte(offset.wrapping_add(index)),
        };
        let bytes = (0..u64::from(bits.div_ceil(8))).map(|it| byte(it).map(u128::from));
        let whole = bytes.rev().try_fold(0, |all, byte| Some(all << 8 | byte?));
        (object, offset, bits, whole.map_or(value, |whole| mask(whole, bits)))
    };
    let held: Vec<_> = run.memory.iter().map(at).collect();
    let differs = run.memory.iter().zip(&held).any(|(said, held)| mask(said.3, said.2) != held.3);
    differs.then_some(held)
}

fn stopped(cx: &Cx<'_>, stop: &Stop) -> Replay {
    missed(class_of(stop), stop.describe(cx.kernel))
}

fn missed(why: Unreplayed, text: String) -> Replay {
    Replay {
        confirmation: Confirmation::NotReplayed(why, text),
        parties: None,
        memory: None,
        told: None,
    }
}

/// How much the outcome of an attempt speaks against a witness.
fn weight(confirmation: &Confirmation) -> u32 {
    match confirmation {
        Confirmation::Confirmed => 0,
        Confirmation::NotReplayed(why, _) if why.is_limit_of_replay() => 1,
        Confirmation::NotReplayed(..) => 2,
        Confirmation::Unconfirmed(_) => 3,
    }
}

/// The class of a reason why a run stopped short.
pub(crate) fn class_of(stop: &Stop) -> Unreplayed {
    match stop {
        Stop::Budget => Unreplayed::TooLong,
        Stop::Unknown { .. } => Unreplayed::Undetermined,
        Stop::Unsupported { .. } => Unreplayed::NotExecuted,
        Stop::AssumptionFailed { .. } => Unreplayed::AssumptionBroken,
        Stop::Trapped { .. } => Unreplayed::Trapped,
        Stop::Launch(_) => Unreplayed::NoSuchLaunch,
    }
}

/// All blocks of a grid, x fastest.
fn all_blocks([x, y, z]: [u32; 3]) -> Vec<[u32; 3]> {
    let mut all = Vec::new();
    for k in 0..z {
        for j in 0..y {
            all.extend((0..x).map(|i| [i, j, k]));
        }
    }
    all
}

/// Global memory that atomics, ordered or volatile accesses touch.
fn counters(kernel: &Kernel) -> impl Iterator<Item = ObjectId> + '_ {
    let is_global = |object: &ObjectId| kernel[*object].space == Space::Global;
    let objects = kernel.ops.keys().filter(|op| is_strong(kernel, *op));
    objects.filter_map(|op| Some(kernel.access(op)?.address.object)).filter(is_global)
}

fn is_strong(kernel: &Kernel, op: OpId) -> bool {
    kernel.access(op).is_some_and(|it| it.volatile || it.order.is_some())
}

/// Whether runs far from the model may be tried, of other numbers in memory and among the
/// arguments. A replay knows barriers alone. That flags and fences do not order a race is said of
/// the model; and atomics of one word may come in an order that is observed.
pub(super) fn may_choose_runs(kernel: &Kernel, want: Want) -> bool {
    let hands_over = |op: OpId| match kernel[op].kind.effects().orders {
        Some(Orders::Fence(..) | Orders::NotModelled) => true,
        Some(Orders::Access(order, _)) => order != MemoryOrder::Relaxed,
        Some(Orders::Barrier(_) | Orders::Copies) | None => {
            kernel.access(op).is_some_and(|it| it.volatile)
        }
    };
    match want {
        Want::Race(ops, _) => {
            !ops.iter().any(|op| is_strong(kernel, *op)) && !kernel.ops.keys().any(hands_over)
        }
        // What fences and strong accesses order is followed there.
        Want::Unordered(..)
        | Want::OwnCopy(_)
        | Want::Divergence(_)
        | Want::Abandoned(_)
        | Want::Outside(_)
        | Want::Unwritten(_)
        | Want::End(_) => true,
    }
}

/// Memory of the host that decides where accesses go, and whether they and loops do, with the bytes
/// of a number in it, and whether the kernel writes it.
fn index_like(kernel: &Kernel) -> BTreeMap<ObjectId, (u64, bool)> {
    let mut found = BTreeMap::new();
    let (mut seen, mut work) = (FxHashSet::default(), Vec::new());
    for op in kernel.ops.values() {
        work.push(op.pred);
        work.extend(address_of(op));
    }
    work.extend(kernel.loops.values().flat_map(|it| [it.pred, it.cont]));
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        kernel.exprs.for_each_operand(id, |operand| work.push(operand));
        match kernel[id].kind.value_from() {
            ValueFrom::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
            ValueFrom::Exit(_, value) => work.push(value),
            ValueFrom::Result(op, _) => {
                let Some(it) = kernel.access(op) else { continue };
                let object = it.address.object;
                let of_host = kernel[object].initial == Initial::Any
                    && matches!(kernel[object].kind, ObjectKind::Param(_));
                let size = kernel.exprs.as_const(it.size).and_then(|it| u64::try_from(it).ok());
                if let Some(size) = size.filter(|size| of_host && *size > 0) {
                    let writes = |op: &Op| {
                        let effects = op.kind.effects();
                        effects.writes().any(|it| it.place.may_be(kernel, object))
                    };
                    let written = kernel.ops.values().any(writes);
                    found.insert(object, (size, written));
                }
            }
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => {}
        }
    }
    found
}

fn address_of(op: &Op) -> Option<ExprId> {
    let OpKind::Access(it) = &op.kind else { return None };
    Some(it.address.offset)
}

fn launch(cx: &Cx<'_>, run: &Run, bases: &BTreeMap<ObjectId, u64>, rest: Rest) -> Launch {
    let mut launch = Launch::new(cx.kernel, run.grid, run.block);
    launch.args = run.args.clone();
    launch.global_offset = run.global_offset;
    launch.shape.warp_size = cx.launch.warp_size;
    launch.dynamic_shared = cx
        .launch
        .dynamic_shared_bytes()
        .or(run.dynamic_shared)
        .map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX));
    launch.barriers = cx.launch.barriers;
    launch.other_contents = rest.clone();
    launch.bases = bases.clone();
    launch.bases.extend(run.called.iter().copied());
    launch.functions = run.functions.clone();
    for (object, it) in &cx.kernel.objects {
        match &it.initial {
            // A run is the first launch: what an earlier one left is not known to be possible.
            Initial::First(data) => {
                _ = launch.buffers.insert(object, Contents::of_data(data));
            }
            Initial::Argument(of) => {
                _ = launch.buffers.insert(object, members(cx.kernel, *of, &run.args, &rest));
            }
            Initial::Any | Initial::Host(_) | Initial::Fixed(_) => {}
        }
    }
    for &(object, offset, bits, value) in &run.memory {
        // What nobody has written to shared memory is undefined, and a run that depends on it is
        // none.
        if cx.kernel[object].space == Space::Shared {
            continue;
        }
        let contents = launch
            .buffers
            .entry(object)
            .or_insert_with(|| Contents { rest: rest.clone(), ..Contents::default() });
        // Members of a structure passed by value are the arguments already.
        let is_free = |byte: u64| !contents.bytes.contains_key(&offset.wrapping_add(byte));
        if !is_argument(cx.kernel, object) || (0..u64::from(bits.div_ceil(8))).all(is_free) {
            contents.set(offset, bits, value);
        }
    }
    launch
}

fn is_argument(kernel: &Kernel, object: ObjectId) -> bool {
    matches!(kernel[object].initial, Initial::Argument(_))
}

/// A structure passed by value, whose members are parameters.
fn members(kernel: &Kernel, of: u32, args: &[Option<u128>], rest: &Rest) -> Contents {
    let mut contents = Contents { rest: rest.clone(), ..Contents::default() };
    for (param, value) in kernel.params.iter().zip(args) {
        if let (ParamKind::Field { of: position, offset, width }, Some(value)) =
            (&param.kind, value)
            && *position == of
        {
            contents.set(*offset, *width, *value);
        }
    }
    contents
}
