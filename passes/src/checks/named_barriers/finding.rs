//! What is said of barriers that are wrong: who waits for whom, which use is taken for which, with
//! the lines.

use heddle_diagnostics::{Code, Confirmation, Dim3, Finding, Reason, ThreadId, Witness};
use heddle_interp::{Stop, Use};
use heddle_ir::OpId;
use heddle_trace::{
    Membership, Name, Strand, StrandId, Stuck, Trace, Violation, confirm, confirm_stuck,
};

use super::drive::{Outcome, object_of, of_source};
use super::fault::{Fault, FaultKind};
use crate::engine::cx::Cx;

/// All findings of a run.
pub(super) fn all(cx: &Cx<'_>, outcome: &Outcome) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        outcome.faults.iter().map(|fault| of_fault(cx, outcome, fault)).collect();
    for violation in &outcome.violations {
        let finding = of_violation(cx, outcome, violation);
        // One of its kind at one place says it all.
        let at = |it: &Finding| (it.code, it.message.clone(), it.place().cloned());
        if !findings.iter().any(|it| at(it) == at(&finding)) {
            findings.push(finding);
        }
    }
    // Barriers that are taken for each other leave threads waiting; that is no finding of its own.
    if findings.is_empty() && !outcome.stuck.is_empty() {
        findings.push(deadlock(cx, outcome));
    }
    findings
}

/// Why a run stopped short.
pub(super) fn stopped(cx: &Cx<'_>, stop: &Stop) -> Reason {
    let (code, op) = match stop {
        Stop::Unknown { used_by, .. } => match used_by {
            Use::Predicate(op) | Use::Address(op) | Use::Size(op) | Use::Barrier(op) => {
                (Code::Undecided, Some(cx.kernel[*op].origin))
            }
            Use::Entry(of) | Use::Continuation(of) => {
                (Code::Undecided, Some(cx.kernel[*of].origin))
            }
        },
        Stop::Unsupported { op, .. } => (Code::UnmodelledInstruction, Some(cx.kernel[*op].origin)),
        Stop::AssumptionFailed { op, .. } | Stop::Trapped { op, .. } => {
            (Code::Undecided, Some(cx.kernel[*op].origin))
        }
        Stop::Budget => (Code::BudgetSpent, None),
        Stop::Launch(_) => (Code::Undecided, None),
    };
    let text = format!("the barriers were not followed to the end: {}", stop.describe(cx.kernel));
    let reason = Reason::new(code, text);
    match op {
        Some(origin) => reason.at(cx.places.origin(cx.kernel, origin)),
        None => reason,
    }
}

/// Whether a replay showed what a finding says.
pub(super) fn is_confirmed(finding: &Finding) -> bool {
    matches!(finding.confirmation, Some(Confirmation::Confirmed))
}

/// Why nothing is known where no replay showed what the order of barriers leaves open.
pub(super) fn suspected(finding: Option<&Finding>) -> Reason {
    match finding {
        Some(finding) => {
            let text = format!(
                "no schedule that was tried shows it, and none is ruled out: {}",
                finding.message
            );
            let reason = Reason::new(Code::Undecided, text);
            match finding.place() {
                Some(place) => reason.at(place.clone()),
                None => reason,
            }
        }
        None => Reason::new(Code::InternalError, "what is wrong with a barrier has no place"),
    }
}

/// Who a strand is, in words.
pub(super) fn who(cx: &Cx<'_>, trace: &Trace, id: StrandId) -> String {
    let Strand { block, warp, lanes } = trace.strands[id.0 as usize];
    let several = trace.strands.iter().any(|it| it.block != block);
    let place = if several { format!(" of block {block}") } else { String::new() };
    let size = cx.launch.warp_size.unwrap_or(32);
    match lanes.count_ones() {
        1 => format!("thread {}{place}", warp * size + lanes.trailing_zeros()),
        n if n < size => format!("warp {warp}{place} (lanes {})", ranges(lanes)),
        _ => format!("warp {warp}{place}"),
    }
}

fn ranges(lanes: u64) -> String {
    let mut text = Vec::new();
    let mut lane = 0;
    while lane < 64 {
        if lanes >> lane & 1 == 0 {
            lane += 1;
            continue;
        }
        let length = (lanes >> lane).trailing_ones();
        text.push(match length {
            1 => lane.to_string(),
            _ => format!("{lane}-{}", lane + length - 1),
        });
        lane += length;
    }
    text.join(", ")
}

/// What a barrier is called.
fn name(cx: &Cx<'_>, name: Name) -> String {
    match name {
        Name::Named { id, .. } => format!("barrier {id}"),
        Name::Object(object) => {
            let of = &cx.kernel[object_of(cx.kernel, object.region)];
            format!("`{}{}`", of.name, of.shape.path(object.offset))
        }
        Name::Cluster => "the cluster's barrier".to_owned(),
        Name::Warp { warp, .. } => format!("the warp barrier of warp {warp}"),
        Name::Warpgroup { index, .. } => {
            format!("the matrix products of warpgroup {index}")
        }
    }
}

/// The barrier of a generation, and which one it is.
pub(super) fn called(
    cx: &Cx<'_>,
    trace: &Trace,
    generation: heddle_trace::GenerationId,
) -> (String, String) {
    let it = &trace.generations[generation.0 as usize];
    (name(cx, it.name), nth(it.name, it.number))
}

fn nth(name: Name, number: u32) -> String {
    match name {
        Name::Named { .. } => format!("generation {number}"),
        Name::Warpgroup { .. } => format!("group {number}"),
        Name::Object(_) | Name::Cluster | Name::Warp { .. } => format!("phase {number}"),
    }
}

fn op_at(outcome: &Outcome, at: Membership) -> OpId {
    of_source(outcome.trace.events[at.strand.0 as usize][at.event as usize].source).0
}

fn line(cx: &Cx<'_>, op: OpId) -> String {
    match cx.places.op(cx.kernel, op).line() {
        Some(line) => format!(" (line {line})"),
        None => String::new(),
    }
}

/// The first thread of a strand.
pub(super) fn thread(cx: &Cx<'_>, outcome: &Outcome, id: StrandId) -> ThreadId {
    let Strand { block, warp, lanes } = outcome.trace.strands[id.0 as usize];
    thread_of(cx, outcome, block, warp, lanes.trailing_zeros())
}

/// A lane of a warp.
pub(super) fn thread_of(
    cx: &Cx<'_>,
    outcome: &Outcome,
    block: u32,
    warp: u32,
    lane: u32,
) -> ThreadId {
    let [x, y, _] = outcome.block.map(|it| it.max(1));
    let number = warp * cx.launch.warp_size.unwrap_or(32) + lane;
    let [bx, by, bz] = outcome.blocks.get(block as usize).copied().flatten().unwrap_or_default();
    ThreadId {
        block: Dim3::new(bx, by, bz),
        thread: Dim3::new(number % x, number / x % y, number / x / y),
    }
}

/// The run with two threads of it picked out.
pub(super) fn witness(cx: &Cx<'_>, outcome: &Outcome, threads: [ThreadId; 2]) -> Witness {
    let sizes = |extents: &[crate::facts::launch::Extent; 3]| {
        let known = |d: usize| extents[d].known().unwrap_or(1);
        Dim3::new(known(0), known(1), known(2))
    };
    let arguments = cx
        .launch
        .args
        .iter()
        .chain(&outcome.given)
        .map(|(index, value)| {
            let name = cx.kernel.params[*index as usize].name.as_str();
            heddle_diagnostics::Binding::new(name, value)
        })
        .collect();
    Witness {
        grid: sizes(&cx.launch.grid),
        block: Dim3::new(outcome.block[0], outcome.block[1], outcome.block[2]),
        threads,
        arguments,
        memory: Vec::new(),
        bytes: None,
        iterations: Vec::new(),
        interval: None,
        rests_on: Vec::new(),
        reach: heddle_diagnostics::Reach::default(),
    }
}

fn of_fault(cx: &Cx<'_>, outcome: &Outcome, fault: &Fault) -> Finding {
    let Fault { op, block, warp, lanes, kind } = *fault;
    let (code, message, help) = match kind {
        FaultKind::NoSuchBarrier(id) => (
            Code::BarrierArrivals,
            format!("there is no barrier {id}"),
            "a block has the barriers 0 to 15",
        ),
        FaultKind::NotWholeWarps(count) => (
            Code::BarrierArrivals,
            format!("a barrier for {count} threads, which are no whole warps"),
            "count whole warps, 32 threads each",
        ),
        FaultKind::NotInBlock { count, block } => (
            Code::BarrierArrivals,
            format!("a barrier for {count} threads in a block of {block}"),
            "count the threads that take part, those that arrive and those that wait",
        ),
        FaultKind::PartOfWarp { missing } => (
            Code::PartialWarpBarrier,
            format!(
                "lanes {} of warp {warp} do not reach this aligned barrier with the others",
                ranges(u64::from(missing))
            ),
            "let all lanes of the warp reach it, or use the form without `.aligned` (`barrier.sync`)",
        ),
        FaultKind::UnequalLanes => (
            Code::PartialWarpBarrier,
            format!(
                "lanes of warp {warp} name different barriers or counts in one aligned instruction"
            ),
            "compute the barrier and its count from the warp, not from the thread",
        ),
    };
    let first = thread_of(cx, outcome, block, warp, lanes.trailing_zeros());
    let other = match kind {
        FaultKind::PartOfWarp { missing } => {
            thread_of(cx, outcome, block, warp, missing.trailing_zeros())
        }
        FaultKind::NoSuchBarrier(_)
        | FaultKind::NotWholeWarps(_)
        | FaultKind::NotInBlock { .. }
        | FaultKind::UnequalLanes => first,
    };
    let text = format!("reached by warp {warp}, lanes {}", ranges(u64::from(lanes)));
    Finding::new(code, message)
        .kernel(cx.kernel.display_name.as_str())
        .label(cx.places.op(cx.kernel, op), text)
        .help(help)
        .witness(witness(cx, outcome, [first, other]), Confirmation::Confirmed)
}

fn of_violation(cx: &Cx<'_>, outcome: &Outcome, violation: &Violation) -> Finding {
    let trace = &outcome.trace;
    let called = |id| called(cx, trace, id);
    let (code, message, places, help): (Code, String, Vec<(Membership, String)>, &str) =
        match violation {
            Violation::CountMismatch { generation: id, first, other, fixed, given } => (
                Code::BarrierArrivals,
                format!("{} is used for {given} threads while it waits for {fixed}", called(*id).0),
                vec![
                    (*other, format!("for {given} threads, by {}", who(cx, trace, other.strand))),
                    (*first, format!("for {fixed} threads, by {}", who(cx, trace, first.strand))),
                ],
                "all that take part in one use of a barrier name the same count",
            ),
            Violation::TooMany { generation: id, by, brings, lacking } => (
                Code::BarrierArrivals,
                format!(
                    "{} gets {brings} arrivals at once where it lacks {lacking}",
                    called(*id).0
                ),
                vec![(*by, format!("arrived at by {}", who(cx, trace, by.strand)))],
                "the count is the sum of all arrivals, those that wait included",
            ),
            Violation::Recycled { generation: id, earlier, later } => {
                let (barrier, number) = called(*id);
                (
                    Code::BarrierRecycled,
                    format!("{barrier} can be used again before its last use is over"),
                    vec![
                        (
                            *later,
                            format!(
                                "{} may arrive here while {number} still waits for the other arrival",
                                who(cx, trace, later.strand)
                            ),
                        ),
                        (
                            *earlier,
                            format!("{} arrives for {number} here", who(cx, trace, earlier.strand)),
                        ),
                    ],
                    "order the two: let the later one wait for something that the earlier one does before, or use another barrier",
                )
            }
            Violation::EarlyPass { wait, before, missing } => {
                let (barrier, number) = called(*before);
                (
                    Code::BarrierPhase,
                    format!("a wait on {barrier} may pass one phase too early"),
                    vec![
                        (
                            *wait,
                            format!(
                                "{} may look while {number} is in progress, whose parity is the other",
                                who(cx, trace, wait.strand)
                            ),
                        ),
                        (
                            *missing,
                            format!("{} arrives for {number} here", who(cx, trace, missing.strand)),
                        ),
                    ],
                    "wait for each phase in turn, or order the wait after the phase before",
                )
            }
            Violation::Lapped { wait, by } => {
                let (barrier, number) = called(*by);
                (
                    Code::BarrierPhase,
                    format!("{barrier} can lap a thread that still waits"),
                    vec![(
                        *wait,
                        format!(
                            "{} may look only when {number} is over too, and then waits for one phase more",
                            who(cx, trace, wait.strand)
                        ),
                    )],
                    "let an arrival of the next phase come after this wait",
                )
            }
            Violation::LateExpect { phase, expect } => {
                let (barrier, number) = called(*phase);
                (
                    Code::BarrierPhase,
                    format!("bytes are announced to {barrier} when {number} may be over"),
                    vec![(*expect, format!("announced by {}", who(cx, trace, expect.strand)))],
                    "announce the bytes before the last arrival of the phase (`arrive.expect_tx`)",
                )
            }
            Violation::NotInitialised { name: of, by } => (
                Code::BarrierPhase,
                format!("{} is used and was not initialised", name(cx, *of)),
                vec![(*by, format!("used by {}", who(cx, trace, by.strand)))],
                "initialise it, and let the block meet at a barrier before its first use",
            ),
            Violation::InitUnordered { name: of, init, by } => (
                Code::BarrierPhase,
                format!("{} may be used before it is initialised", name(cx, *of)),
                vec![
                    (*init, format!("initialised by {}", who(cx, trace, init.strand))),
                    (*by, format!("used by {}", who(cx, trace, by.strand))),
                ],
                "let the block meet at a barrier between the initialisation and the first use",
            ),
            Violation::InitInUse { name: of, by } => (
                Code::BarrierPhase,
                format!("{} is initialised anew in the middle of a phase", name(cx, *of)),
                vec![(*by, format!("by {}", who(cx, trace, by.strand)))],
                "let the phase complete first",
            ),
            Violation::ClusterOrder { by } => (
                Code::BarrierPhase,
                "arrivals and waits at the cluster's barrier do not alternate".to_owned(),
                vec![(*by, format!("out of turn, by {}", who(cx, trace, by.strand)))],
                "each thread arrives once, then waits once",
            ),
        };
    let threads = [0, places.len() - 1].map(|at| thread(cx, outcome, places[at].0.strand));
    let (arrivals, awaited) = (outcome.block_arrivals, outcome.exited_are_awaited);
    let confirmation = shown(confirm(trace, violation, arrivals, awaited));
    let mut finding = Finding::new(code, message).kernel(cx.kernel.display_name.as_str());
    for (at, text) in places {
        finding = finding.label(cx.places.op(cx.kernel, op_at(outcome, at)), text);
    }
    finding.help(help).witness(witness(cx, outcome, threads), confirmation)
}

fn shown(by_replay: bool) -> Confirmation {
    match by_replay {
        true => Confirmation::Confirmed,
        false => Confirmation::Unconfirmed("no schedule that was tried shows it".to_owned()),
    }
}

fn deadlock(cx: &Cx<'_>, outcome: &Outcome) -> Finding {
    let trace = &outcome.trace;
    // Bytes that do not come are the cause; others wait for who waits for them.
    let lacks_bytes = |it: &&Stuck| it.bytes > 0 && it.arrived == it.expected;
    let first = outcome.stuck.iter().find(lacks_bytes).unwrap_or(&outcome.stuck[0]);
    let message = match first.name {
        Name::Named { .. } => {
            format!(
                "{} waits for {} threads and only {} come",
                name(cx, first.name),
                first.expected,
                first.arrived
            )
        }
        Name::Object(_) if first.bytes > 0 => format!(
            "{} of {} never ends: {} bytes are announced and do not come",
            nth(first.name, first.number),
            name(cx, first.name),
            first.bytes
        ),
        Name::Warpgroup { .. } => format!(
            "{} of {} never ends: {} of its warps issue it, and it needs {}",
            nth(first.name, first.number),
            name(cx, first.name),
            first.arrived,
            first.expected
        ),
        Name::Object(_) | Name::Cluster | Name::Warp { .. } => format!(
            "{} of {} never ends: it needs {} arrivals and gets {}",
            nth(first.name, first.number),
            name(cx, first.name),
            first.expected,
            first.arrived
        ),
    };
    let mut finding = Finding::new(Code::NamedBarrierDeadlock, message)
        .kernel(cx.kernel.display_name.as_str())
        .label(
            cx.places.op(cx.kernel, op_at(outcome, first.event)),
            format!("{} waits here for ever", who(cx, trace, first.strand)),
        );
    let mut said: Vec<(OpId, Name, u32)> =
        vec![(op_at(outcome, first.event), first.name, first.number)];
    for stuck in outcome.stuck.iter().filter(|it| *it != first) {
        let key = (op_at(outcome, stuck.event), stuck.name, stuck.number);
        if !said.contains(&key) && said.len() < 8 {
            let text = format!("{} waits here: {}", who(cx, trace, stuck.strand), lacks(cx, stuck));
            finding = finding.secondary(cx.places.op(cx.kernel, key.0), text);
            said.push(key);
        }
    }
    for note in standing(cx, outcome, first) {
        finding = finding.note(note);
    }
    let last = outcome.stuck.last().unwrap_or(first);
    let threads = [first.strand, last.strand].map(|it| thread(cx, outcome, it));
    let (arrivals, awaited) = (outcome.block_arrivals, outcome.exited_are_awaited);
    let confirmation = shown(confirm_stuck(trace, &outcome.stuck, arrivals, awaited));
    finding
        .help("let as many threads arrive as the barrier counts, in the same order of barriers everywhere")
        .witness(witness(cx, outcome, threads), confirmation)
}

fn lacks(cx: &Cx<'_>, stuck: &Stuck) -> String {
    let of = format!("{} of {}", nth(stuck.name, stuck.number), name(cx, stuck.name));
    match stuck.bytes {
        0 => format!("{of} has {} of {} arrivals", stuck.arrived, stuck.expected),
        bytes => format!(
            "{of} lacks {bytes} bytes, and has {} of {} arrivals",
            stuck.arrived, stuck.expected
        ),
    }
}

/// Who has arrived at what the stuck one waits for, and where the others of the generation before
/// are now.
fn standing(cx: &Cx<'_>, outcome: &Outcome, stuck: &Stuck) -> Vec<String> {
    let trace = &outcome.trace;
    let of = |number: u32| {
        trace.generations.iter().find(|it| it.name == stuck.name && it.number == number)
    };
    let mut notes = Vec::new();
    if let Some(open) = of(stuck.number) {
        let mut arrived: Vec<String> =
            open.arrivals.iter().map(|it| who(cx, trace, it.strand)).collect();
        arrived.dedup();
        notes.push(format!("arrived: {}", list(&arrived)));
    }
    let before = stuck.number.checked_sub(1).and_then(of);
    for absent in before.iter().flat_map(|it| &it.arrivals).take(64) {
        let here = of(stuck.number)
            .is_some_and(|it| it.arrivals.iter().any(|there| there.strand == absent.strand));
        if here {
            continue;
        }
        let waits = outcome.stuck.iter().find(|it| it.strand == absent.strand);
        let now = match waits {
            Some(waits) => {
                let op = op_at(outcome, waits.event);
                format!("waits at {}{}", name(cx, waits.name), line(cx, op))
            }
            None => "has ended".to_owned(),
        };
        let who = who(cx, trace, absent.strand);
        let text = format!("{who}, which arrived for {}, {now}", nth(stuck.name, stuck.number - 1));
        if !notes.contains(&text) && notes.len() < 6 {
            notes.push(text);
        }
    }
    notes
}

fn list(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        all if all.len() > 6 => format!("{} and {} more", all[..6].join(", "), all.len() - 6),
        all => all.join(", "),
    }
}
