//! Uninitialised shared memory: no thread reads what none of its block has written.
//!
//! **What**: loads and atomics of shared memory, static and dynamic, read bytes that the thread
//! itself wrote earlier, or another thread of the block before a barrier in between.
//! **Method**: one question per read about the thread that does it: can it read bytes of which no
//! write is sure to come before ([`crate::engine::written`])? A read wider than a write is asked
//! about part by part. What a model shows is run: only a run that reads bytes which nobody wrote
//! makes a finding.
//! **Sound because**: that no write is known to come before is stated too often, never too seldom.
//! **Misses**: what copies and barrier objects read of shared memory leaves the property open or
//! is left to `named-barriers`; shared memory of other blocks of a cluster leaves it open.
//! **False alarms**: a value that is read and not used.
//! **Assumes**: accesses stay in their objects; barriers are uniform; what the answer names.

use heddle_diagnostics::{
    Assumption, Code, Confirmation, Finding, Findings, Obligations, Property, Reason, Verdict,
};
use heddle_ir::{Family, Kernel, ObjectId, ObjectKind, OpId, Place, Space, Touch, TouchedBy};

use super::bounds::one_per_line;
use super::pass::Pass;
use crate::engine::alone::settle_beside;
use crate::engine::answer::UnknownReason;
use crate::engine::cx::Cx;
use crate::engine::instance::FrameId;
use crate::engine::premises::Premises;
use crate::engine::replay::Want;
use crate::engine::settle::{Failing, Settled};
use crate::engine::shown::show;
use crate::engine::witness::name_of_bytes;
use crate::engine::written::{Reading, Write, state_unwritten, writes_to};
use crate::facts::loads::relies_for;

/// The pass.
#[derive(Debug)]
pub(crate) struct UninitialisedShared;

/// A load or an atomic of bytes of a known object.
#[derive(Clone, Copy)]
struct Read {
    op: OpId,
    object: ObjectId,
    size: u64,
}

impl Pass for UninitialisedShared {
    fn property(&self) -> Property {
        Property::UninitialisedShared
    }

    fn summary(&self) -> &'static str {
        "no shared memory is read before a thread of the block has written it"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::UninitialisedShared]
    }

    fn concerns(&self, kernel: &Kernel) -> bool {
        kernel.objects.values().any(|it| it.space == Space::Shared)
    }

    fn is_extra(&self) -> bool {
        true
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        let mut obligations = Obligations::new(self.property(), Premises::of_memory(cx));
        // That another thread wrote takes for granted that there is that thread.
        let target = &cx.kernel.target;
        let is_opencl = target.opencl || target.family == Family::Spirv;
        if is_opencl && cx.launch.may_be_uneven() {
            obligations.assume(Assumption::EvenBlocks);
        }
        let mut reads = Vec::new();
        cx.kernel.for_each_op(|op, _| {
            for touch in cx.kernel[op].kind.effects().touches.iter().filter(|it| it.reads) {
                match listed(cx.kernel, op, touch) {
                    Listed::Read(read) => reads.push(read),
                    Listed::NotShared => {}
                    Listed::Open(code, why) => {
                        let reason = Reason::new(code, why).at(cx.places.op(cx.kernel, op));
                        obligations.leave_open(reason);
                    }
                }
            }
        });
        let answers =
            cx.answers("uninitialised-shared", &reads, |it| vec![it.op], |it| ask(cx, *it));
        let told = reads.iter().zip(answers);
        let told = told.filter_map(|(read, answer)| record(cx, &mut obligations, *read, answer));
        out.extend(one_per_line(told));
        obligations.all_listed();
        obligations.conclude()
    }
}

/// What a touch that reads comes to.
enum Listed {
    Read(Read),
    NotShared,
    Open(Code, String),
}

fn listed(kernel: &Kernel, op: OpId, touch: &Touch<'_>) -> Listed {
    let may_be_shared = |(id, it): (ObjectId, &heddle_ir::Object)| {
        it.space == Space::Shared && touch.place.may_be(kernel, id)
    };
    if !kernel.objects.iter().any(may_be_shared) {
        return Listed::NotShared;
    }
    let known = match touch.place {
        Place::At(at) if kernel[at.object].kind != ObjectKind::Unknown => Some(at.object),
        Place::At(_) | Place::Anywhere(_) => None,
    };
    match (touch.by, known) {
        // What becomes of a barrier object is for `named-barriers` to say.
        (TouchedBy::BarrierObject, _) => Listed::NotShared,
        (TouchedBy::NotModelled, _) => {
            let text = "what is not modelled may read shared memory";
            Listed::Open(Code::UnmodelledInstruction, text.to_owned())
        }
        (TouchedBy::Copy, _) => {
            let text = "what a copy reads of shared memory is not followed";
            Listed::Open(Code::Undecided, text.to_owned())
        }
        (TouchedBy::Access(access), Some(object)) => {
            match kernel.exprs.as_const(access.size).and_then(|it| u64::try_from(it).ok()) {
                Some(size) => Listed::Read(Read { op, object, size }),
                None => {
                    let text = "how many bytes this reads of shared memory is not known";
                    Listed::Open(Code::Undecided, text.to_owned())
                }
            }
        }
        (TouchedBy::Access(_), None) => {
            let text = "where this reads, and whether that is shared memory, is not known";
            Listed::Open(Code::Undecided, text.to_owned())
        }
    }
}

fn ask<'a>(cx: &'a Cx<'_>, read: Read) -> Settled<'a, FrameId> {
    let writes = writes_to(cx.kernel, read.object);
    // Parts of which each is in one write or outside of it.
    let gcd = |a: u64, b: u64| {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let unit = writes.iter().fold(read.size, |unit, write: &Write| gcd(unit, write.size)).max(1);
    let offset = cx.kernel.access(read.op).map(|access| access.address.offset);
    settle_beside(cx, read.op, |instance, frame| {
        let Some(offset) = offset else { return };
        let mut start = instance.at(frame, offset);
        if unit < read.size {
            let part = instance.index_symbol(64, u128::from(read.size / unit - 1));
            let unit = instance.pool.constant(u128::from(unit), 64);
            let by = instance.pool.mul(part, unit);
            start = instance.pool.add(start, by);
        }
        let is_dynamic = cx.kernel[read.object].kind == ObjectKind::DynamicShared;
        let size = if is_dynamic {
            cx.launch.dynamic_shared
        } else {
            cx.kernel[read.object].size.filter(|it| *it >= unit)
        };
        if let Some(size) = size {
            let last = instance.pool.constant(u128::from(size.saturating_sub(unit)), 64);
            let inside = instance.pool.cmp(heddle_ir::CmpOp::Ule, start, last);
            instance.state(inside);
        }
        state_unwritten(instance, Reading { op: read.op, frame, start, size: unit }, &writes);
    })
}

fn record(
    cx: &Cx<'_>,
    obligations: &mut Obligations,
    read: Read,
    answer: Settled<'_, FrameId>,
) -> Option<Finding> {
    let kernel = cx.kernel;
    let obligation = obligations.open();
    let place = cx.places.op(kernel, read.op);
    let access = kernel.access(read.op)?;
    let name = &kernel[read.object].name;
    let open = |why: &UnknownReason| {
        let text =
            format!("could not tell whether `{name}` is written before it is read: {}", why.why);
        why.as_cause_of(Reason::new(why.code, text).at(place.clone()))
    };
    match answer {
        Settled::Holds(held) => {
            let accesses = kernel.ops.keys().filter_map(|op| Some((op, kernel.access(op)?)));
            let decisions = accesses.filter(|(_, it)| it.address.object == read.object);
            let decisions = decisions.flat_map(|(op, it)| {
                let around = cx.analysis.order.chain(op).iter();
                let loops = around.flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
                loops.chain([kernel[op].pred, it.address.offset]).collect::<Vec<_>>()
            });
            let relies = relies_for(&cx.analysis, read.op, decisions);
            obligations.discharge(obligation, held.given(relies).evidence());
            None
        }
        Settled::Open(why) => {
            obligations.give_up(obligation, open(&why));
            None
        }
        Settled::Fails(_) if access.by_warp => {
            let why = "lanes read rows whose addresses others give";
            obligations.give_up(obligation, open(&UnknownReason::undecided(why)));
            None
        }
        Settled::Fails(failing) => {
            let Failing { mut instance, model, made: _ } = *failing;
            let shown = show(cx, &mut instance, model, Want::Unwritten(read.op));
            let Some([party, _]) = &shown.parties else {
                let why = match &shown.confirmation {
                    Confirmation::Confirmed => "the run could not be described".to_owned(),
                    Confirmation::Unconfirmed(_) => {
                        "no write was found that surely comes before, nor a run without one".into()
                    }
                    Confirmation::NotReplayed(_, why) => {
                        format!(
                            "no write was found that surely comes before, and the run of one without it was not seen ({why})"
                        )
                    }
                };
                obligations.give_up(obligation, open(&UnknownReason::undecided(why)));
                return None;
            };
            let mut witness = shown.run.witness(&instance);
            let dim = |it: [u32; 3]| heddle_diagnostics::Dim3::new(it[0], it[1], it[2]);
            let thread =
                heddle_diagnostics::ThreadId { block: dim(party.block), thread: dim(party.tid) };
            witness.threads = [thread, thread];
            let bytes = name_of_bytes(kernel, &access.address, party.offset);
            witness.bytes = Some(bytes.clone());
            let message = format!("`{bytes}` is read before any thread wrote it");
            let label = format!("read of `{bytes}` by {thread}");
            let told = Finding::new(Code::UninitialisedShared, message)
                .kernel(kernel.display_name.as_str())
                .label(place, label)
                .help("write it first, or read what was written")
                .witness(witness, shown.confirmation.clone());
            shown.close(obligations, obligation, told, |why, _| {
                Reason::new(Code::Undecided, why.to_owned())
            })
        }
    }
}
