//! Bounds: each access stays inside its object.
//!
//! **What**: loads, stores, atomics, copies and barrier objects touch bytes that their array or
//! variable has: shared and `__device__` arrays, local arrays, structures passed by value, dynamic
//! shared memory whose size is given, and the memory behind a pointer argument whose size is given
//! (`--size`) or allocated by the host. None writes constant memory, or goes through a pointer that
//! is null.
//! **Method**: one question per operation about one thread ([`crate::engine::alone`]): does some
//! thread execute it at an offset that is negative, or too close to the end?
//! **Sound because**: offsets are compared as the 64-bit numbers that they are, with wrap-around.
//! The first access of a run that leaves its object is found with all accesses before it inside of
//! theirs, so what the analyses know of memory holds up to there.
//! **Misses**: rows of an array that run into the next row, as they stay inside the array; accesses
//! to private variables that become registers, which are gone before (named by the answer).
//! Runs in which index arithmetic on open sizes leaves the signed range, wrapping around or not,
//! are left out where that is all that is wrong, which the answer names.
//! **False alarms**: arguments, sizes and data that nobody passes; the finding says what its run
//! rests on.
//! **Assumes**: that memory of unknown size is large enough, which the answer names.

use std::collections::{BTreeMap, BTreeSet};

use heddle_diagnostics::{
    Assumption, Code, Dim3, Finding, Findings, Obligation, Obligations, Property, Reason, Verdict,
};
use heddle_interp::Limits;
use heddle_ir::{
    Address, CmpOp, ExprId, Kernel, LoopId, Object, ObjectId, ObjectKind, OpId, OpKind, Place,
    Shape, Space, Strided, TouchedBy,
};
use heddle_trace::BARRIER_OBJECT_BYTES;

use super::pass::Pass;
use crate::engine::alone::settle_alone;
use crate::engine::answer::{Held, UnknownReason};
use crate::engine::cx::Cx;
use crate::engine::instance::{FrameId, Instance, evaluate};
use crate::engine::not_modelled;
use crate::engine::premises::Premises;
use crate::engine::replay::{Want, is_null};
use crate::engine::settle::{Excuse, Failing, Settled};
use crate::engine::shown::{Shown, show};
use crate::engine::witness::iterations;
use crate::facts::loads::relies_for;

/// The pass.
#[derive(Debug)]
pub(crate) struct Bounds;

impl Pass for Bounds {
    fn property(&self) -> Property {
        Property::Bounds
    }

    fn summary(&self) -> &'static str {
        "each access stays in its array or variable, or in its buffer where `--size` gives one"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::OutOfBounds]
    }

    fn is_extra(&self) -> bool {
        true
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        let premises = Premises::of_memory(cx).but(&Assumption::InBounds);
        let premises = premises.and(Assumption::RegistersInBounds);
        let mut obligations = Obligations::new(self.property(), premises);
        let Listed { touches, unknown_sizes, lost } = list(cx);
        for reason in lost {
            obligations.leave_open(reason);
        }
        if touches.is_empty() && !unknown_sizes.is_empty() {
            let text = "the size of nothing that the kernel touches is known; `--size NAME=ELEMENTS` gives that of a buffer";
            obligations.leave_open(Reason::new(Code::Undecided, text));
        } else if !unknown_sizes.is_empty() {
            obligations.assume(Assumption::LargeEnough(unknown_sizes.into_iter().collect()));
        }
        let objects: BTreeSet<ObjectId> = touches.iter().map(|it| it.object).collect();
        for given in objects.iter().filter_map(|it| cx.launch.size_of(*it)) {
            obligations.assume(Assumption::Given(given.text.clone()));
        }
        let answers = cx.answers("bounds", &touches, |it| vec![it.op], |it| ask(cx, it));
        let mut told: BTreeMap<(OpId, ObjectId), Finding> = BTreeMap::new();
        for (touch, answer) in touches.iter().zip(answers) {
            let obligation = obligations.open();
            if let Some(finding) = record(cx, &mut obligations, obligation, touch, answer) {
                told.insert((touch.op, touch.object), finding);
            }
        }
        one_per_line(told.into_values()).into_iter().for_each(|it| out.push(it));
        obligations.all_listed();
        obligations.conclude()
    }
}

/// An operation that touches an object whose size is known.
#[derive(Clone, Copy, Debug)]
struct Touch {
    op: OpId,
    object: ObjectId,
    offset: ExprId,
    /// Bytes touched; 64 bits.
    size: Amount,
    /// These are not one stretch, but elements of this size and distance.
    strided: Option<Strided>,
    writes: bool,
    /// Bytes of the object.
    limit: Amount,
    /// What is wrong with an access beyond that.
    wrong: Wrong,
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    /// It leaves its object.
    Outside,
    /// It writes constant memory.
    Constant,
    /// It goes through a null pointer, or to an address beside it.
    Null,
}

/// Addresses below this are those of members behind a null pointer.
const BESIDE_NULL: u128 = 4096;

impl Wrong {
    /// What is wrong with each access of this kind to an object; `address` is where it goes, where
    /// that is a constant and the object may be any.
    fn at_once(object: &Object, writes: bool, address: Option<u128>) -> Option<Wrong> {
        let is_null = object.kind == ObjectKind::Unknown
            && object.space.may_be(Space::Global)
            && address.is_some_and(|at| at < BESIDE_NULL);
        match (is_null, object.space == Space::Constant && writes) {
            (true, _) => Some(Wrong::Null),
            (false, true) => Some(Wrong::Constant),
            (false, false) => None,
        }
    }
}

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Amount {
    Known(u64),
    /// 64 bits, of the kernel.
    Computed(ExprId),
}

/// What a kernel touches.
#[derive(Debug, Default)]
struct Listed {
    touches: Vec<Touch>,
    /// Objects whose size is not known, by name.
    unknown_sizes: BTreeSet<String>,
    /// Why something could not be listed.
    lost: Vec<Reason>,
}

fn list(cx: &Cx<'_>) -> Listed {
    let mut listed = Listed::default();
    cx.kernel.for_each_op(|op, _| {
        let effects = cx.kernel[op].kind.effects();
        let at = || cx.places.op(cx.kernel, op);
        for touch in &effects.touches {
            let reason = |code, text: String| Reason::new(code, text).at(at());
            let not_modelled = || {
                let name = effects.not_modelled.unwrap_or("something");
                not_modelled::reason(name, "touch memory", at())
            };
            let Place::At(address) = touch.place else {
                listed.lost.push(not_modelled());
                continue;
            };
            let mut strided = None;
            let size = match touch.by {
                TouchedBy::Access(access) => Amount::of(cx.kernel, access.size),
                TouchedBy::Copy => {
                    let OpKind::AsyncCopy(copy) = &cx.kernel[op].kind else { continue };
                    strided = copy.strided.filter(|it| it.of_source != touch.writes);
                    let read = copy.read.unwrap_or(copy.size);
                    Amount::of(cx.kernel, if touch.writes { copy.size } else { read })
                }
                TouchedBy::BarrierObject => Amount::Known(BARRIER_OBJECT_BYTES),
                TouchedBy::NotModelled => {
                    listed.lost.push(not_modelled());
                    continue;
                }
            };
            let Address { object, offset } = *address;
            let address = cx.kernel.exprs.as_const(offset);
            let writes = touch.writes;
            let mut list = |limit, wrong| {
                let touch = Touch { op, object, offset, size, strided, writes, limit, wrong };
                listed.touches.push(touch);
            };
            let at_once = Wrong::at_once(&cx.kernel[object], writes, address);
            let null = is_reached_by_null(cx, op, object).then_some(Wrong::Null);
            if let Some(wrong) = at_once.or(null) {
                list(Amount::Known(0), wrong);
                continue;
            }
            match size_of(cx, object) {
                Size::Bytes(limit) => list(limit, Wrong::Outside),
                Size::NotGiven => {
                    listed.unknown_sizes.insert(cx.kernel[object].name.clone());
                }
                Size::Nowhere => {
                    let text = "where this access goes is not known".to_owned();
                    listed.lost.push(reason(Code::Undecided, text));
                }
            }
        }
    });
    listed
}

/// Whether an operation is done only where the pointer to an object is null: the launch says so, or
/// it is tested for that on the way and nothing is said of the buffer.
fn is_reached_by_null(cx: &Cx<'_>, op: OpId, object: ObjectId) -> bool {
    let kernel = cx.kernel;
    let is_null = |condition: ExprId| {
        let parts = kernel.exprs.conjuncts(condition);
        parts.into_iter().any(|part| is_null(&kernel.exprs, part, object) == Some(true))
    };
    let of_host = cx.launch.host.is_some() || cx.launch.as_launched;
    let said = of_host || cx.launch.size_of(object).is_some();
    let mut around = cx.analysis.order.chain(op).iter().map(|of| kernel[*of].pred);
    cx.launch.conditions().any(is_null)
        || !said && (is_null(kernel[op].pred) || around.any(is_null))
}

/// What is known of the size of an object.
enum Size {
    Bytes(Amount),
    /// An object of its own, as large as the host makes it.
    NotGiven,
    /// It may be any object.
    Nowhere,
}

fn size_of(cx: &Cx<'_>, id: ObjectId) -> Size {
    let object = &cx.kernel[id];
    let known = |bytes: Option<u64>| match bytes {
        Some(bytes) => Size::Bytes(Amount::Known(bytes)),
        None => Size::NotGiven,
    };
    match object.kind {
        ObjectKind::Variable | ObjectKind::Alloca => known(object.size.filter(|it| *it > 0)),
        ObjectKind::DynamicShared => known(cx.launch.dynamic_shared_bytes()),
        // Offsets count from one of several pointers, the size from another one.
        _ if cx.launch.leads_into(id) => Size::NotGiven,
        ObjectKind::Param(_) | ObjectKind::ParamField(..) => match cx.launch.size_of(id) {
            Some(given) => Size::Bytes(Amount::of(cx.kernel, given.bytes)),
            None => known(object.size.filter(|it| *it > 0)),
        },
        ObjectKind::Pointee(_) | ObjectKind::Unknown => Size::Nowhere,
    }
}

impl Touch {
    /// Where it touches how many bytes: of one of the elements, where it touches such.
    fn stretch(&self, instance: &mut Instance<'_>, frame: FrameId) -> (ExprId, ExprId) {
        let start = instance.at(frame, self.offset);
        let Some(Strided { of_source: _, count, each, apart }) = self.strided else {
            return (start, self.size.at(instance, frame));
        };
        let [count, each, apart] = [count, each, apart].map(|it| instance.at(frame, it));
        let index = instance.index_symbol(64, i64::MAX as u128);
        let is_one = instance.pool.ult(index, count);
        instance.state(is_one);
        let by = instance.pool.mul(index, apart);
        (instance.pool.add(start, by), each)
    }
}

impl Amount {
    fn of(kernel: &Kernel, id: ExprId) -> Amount {
        match kernel.exprs.as_const(id) {
            Some(bytes) => Amount::Known(bytes as u64),
            None => Amount::Computed(id),
        }
    }

    fn at(self, instance: &mut Instance<'_>, frame: FrameId) -> ExprId {
        match self {
            Amount::Known(bytes) => instance.pool.constant(u128::from(bytes), 64),
            Amount::Computed(id) => instance.at(frame, id),
        }
    }

    fn id(self) -> Option<ExprId> {
        match self {
            Amount::Known(_) => None,
            Amount::Computed(id) => Some(id),
        }
    }
}

/// What came of a question.
enum Answer<'a> {
    Inside(Held),
    Outside(Box<Failing<'a, FrameId>>),
    Open(UnknownReason),
}

fn ask<'a>(cx: &'a Cx<'_>, touch: &Touch) -> Answer<'a> {
    let settled = settle_alone(cx, touch.op, Excuse::LeavesSignedRange, |instance, frame| {
        let (offset, size) = touch.stretch(instance, frame);
        let limit = touch.limit.at(instance, frame);
        let pool = &mut instance.pool;
        let zero = pool.constant(0, 64);
        let is_size = pool.cmp(CmpOp::Sle, zero, limit);
        let some = pool.ne(size, zero);
        let larger = pool.ult(limit, size);
        let last = pool.sub(limit, size);
        let beyond = pool.ult(last, offset);
        let outside = pool.or(larger, beyond);
        instance.state(is_size);
        instance.state(some);
        instance.state(outside);
    });
    match settled {
        Settled::Holds(held) => Answer::Inside(held),
        Settled::Fails(failing) => Answer::Outside(failing),
        Settled::Open(why) => Answer::Open(why),
    }
}

fn record(
    cx: &Cx<'_>,
    obligations: &mut Obligations,
    obligation: Obligation,
    touch: &Touch,
    answer: Answer<'_>,
) -> Option<Finding> {
    let kernel = cx.kernel;
    let name = &kernel[touch.object].name;
    let place = cx.places.op(kernel, touch.op);
    match answer {
        Answer::Inside(held) => {
            let values = [Some(touch.offset), touch.size.id(), touch.limit.id()];
            let apart = touch.strided.map(|it| it.apart);
            let loads =
                relies_for(&cx.analysis, touch.op, values.into_iter().flatten().chain(apart));
            obligations.discharge(obligation, held.given(loads).evidence());
            None
        }
        Answer::Open(why) => {
            let text = format!("could not tell whether an access stays in `{name}`: {}", why.why);
            obligations.give_up(obligation, why.as_cause_of(Reason::new(why.code, text).at(place)));
            None
        }
        Answer::Outside(failing) => {
            let Failing { mut instance, model, made: frame } = *failing;
            let limit = touch.limit.at(&mut instance, frame);
            let bytes = evaluate(&instance, &model, limit) as u64;
            let limits = Limits { op: touch.op, object: touch.object, bytes };
            let shown = show(cx, &mut instance, model, Want::Outside(limits));
            let told = told(cx, touch, bytes, &mut instance, frame, &shown);
            shown.close(obligations, obligation, told, |why, through| {
                let text = format!(
                    "an access may leave `{name}`{through}; the run that was tried does not show it ({why})"
                );
                Reason::new(Code::Undecided, text).at(place)
            })
        }
    }
}

/// The finding, as its run shows it.
fn told(
    cx: &Cx<'_>,
    touch: &Touch,
    bytes: u64,
    instance: &mut Instance<'_>,
    frame: FrameId,
    shown: &Shown,
) -> Finding {
    let kernel = cx.kernel;
    let object = &kernel[touch.object];
    let mut witness = shown.run.witness(instance);
    let chain: &[LoopId] = cx.analysis.order.chain(touch.op);
    witness.iterations = iterations(instance, &shown.model, [chain, chain], [frame, frame]);
    let mut offset = {
        let offset = instance.at(frame, touch.offset);
        evaluate(instance, &shown.model, offset) as u64
    };
    if let Some([party, _]) = &shown.parties {
        offset = party.offset;
        let dim = |it: [u32; 3]| Dim3::new(it[0], it[1], it[2]);
        for thread in &mut witness.threads {
            thread.block = dim(party.block);
            thread.thread = dim(party.tid);
        }
        for (iteration, number) in witness.iterations.iter_mut().zip(&party.iterations) {
            iteration.of = [Some(*number), Some(*number)];
        }
    }
    let at = element(object, offset as i64);
    let does = if touch.writes { "write" } else { "read" };
    witness.bytes = Some(at.clone());
    let message = match touch.wrong {
        Wrong::Outside => {
            let name = &object.name;
            format!("{does} of `{at}`, outside of `{name}`, which has {}", extent(object, bytes))
        }
        Wrong::Constant => format!("{does} of `{at}`, which is constant memory"),
        Wrong::Null => format!("{does} through a null pointer, at address {offset}"),
    };
    Finding::new(Code::OutOfBounds, message)
        .kernel(kernel.display_name.as_str())
        .label(cx.places.op(kernel, touch.op), format!("{does} of `{at}` by {}", witness.threads[0]))
        .help("guard the access by its index, or say what each launch satisfies (`--block`, `--assume`)")
        .witness(witness, shown.confirmation.clone())
}

/// An element, also before the first one: `s[-1]`.
fn element(object: &Object, offset: i64) -> String {
    match (u64::try_from(offset), &object.shape) {
        (Ok(offset), shape) => format!("{}{}", object.name, shape.path(offset)),
        (Err(_), Shape::Array { stride, .. }) if *stride > 0 => {
            format!("{}[-{}]", object.name, offset.unsigned_abs().div_ceil(*stride))
        }
        (Err(_), _) => format!("{}{offset}", object.name),
    }
}

/// The size of an object, in words.
fn extent(object: &Object, bytes: u64) -> String {
    let (count, what) = match object.shape {
        Shape::Array { stride, .. } if stride > 0 && bytes.is_multiple_of(stride) => {
            (bytes / stride, "element")
        }
        Shape::Array { .. } | Shape::Bytes | Shape::Scalar { .. } | Shape::Struct { .. } => {
            (bytes, "byte")
        }
    };
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// One finding per line: unrolled code leaves an array at one line many times.
pub(super) fn one_per_line(findings: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let line = |it: &Finding| it.place().map(|place| (place.file(), place.line()));
        let known = finding.place().is_some_and(|it| it.line().is_some());
        if !known || kept.iter().all(|it| line(it) != line(&finding)) {
            kept.push(finding);
        }
    }
    kept
}
