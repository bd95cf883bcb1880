//! The races of a trace, for the race passes: found, and told with the order that is missing.

use std::collections::BTreeMap;

use heddle_diagnostics::{
    Among, Assumption, Code, Confirmation, Evidence, Finding, Method, Obligations, Property,
    Reason, Refutation,
};
use heddle_ir::MemoryOrder::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use heddle_ir::{AsyncMechanism, OpId, OpKind};
use heddle_trace::{AccessKind, Race, RaceKind, Sync, Witness as Meeting};

use super::Named;
use super::drive::{Outcome, object_of, of_source};
use super::finding::{thread_of, who, witness};
use super::one_value::is_one_value;
use super::stored::Values;
use crate::checks::races::flags::on_a_flag;
use crate::engine::cx::Cx;
use crate::engine::instance::Placement;
use crate::facts::phases::WARPGROUP;

/// What is said of an access that initialises a barrier object or ends it.
const INIT_OR_END: &str = "initialisation or end";

const WARPS_OF_WARPGROUP: u32 = WARPGROUP / 32;

/// The races within a block that the trace shows, as results of one race pass and its findings.
pub(crate) fn report(
    cx: &Cx<'_>,
    named: &Named,
    obligations: &mut Obligations,
) -> Vec<(Property, Finding)> {
    let mut findings = Vec::new();
    if cx.options.warp_sync && !named.outcomes.is_empty() {
        obligations.assume(Assumption::LanesInStep);
    }
    if copies_in_bulk(cx) && !named.outcomes.is_empty() {
        obligations.assume(Assumption::BulkCopiesFenced);
    }
    for assumption in &named.assumes {
        obligations.assume(assumption.clone());
    }
    if obligations.property() == Property::IntraWarpRace
        && !named.outcomes.is_empty()
        && let Some(reason) = rows_are_written(cx)
    {
        obligations.leave_open(reason);
    }
    if !named.outcomes.is_empty()
        && let Some(reason) = in_elements(cx)
    {
        obligations.leave_open(reason);
    }
    for outcome in &named.outcomes {
        if let Some(reason) = copies_meet_otherwise(cx, outcome, obligations.property()) {
            let obligation = obligations.open();
            obligations.give_up(obligation, reason);
        }
        let whole = obligations.open();
        races(cx, outcome, obligations, &mut findings);
        // The rest of the trace, or all of it.
        obligations.discharge(whole, Evidence::unconditional(Method::Trace));
    }
    findings
}

/// As [`report`], of runs that speak for some values of the arguments only: the races that they
/// show, one run of each.
pub(crate) fn report_samples(
    cx: &Cx<'_>,
    named: &Named,
    obligations: &mut Obligations,
) -> Vec<(Property, Finding)> {
    let mut findings = Vec::new();
    for outcome in &named.samples {
        races(cx, outcome, obligations, &mut findings);
        if !findings.is_empty() {
            break;
        }
    }
    findings
}

fn races(
    cx: &Cx<'_>,
    outcome: &Outcome,
    obligations: &mut Obligations,
    findings: &mut Vec<(Property, Finding)>,
) {
    let property = obligations.property();
    let between_warps: BTreeMap<[u32; 2], ()> = outcome
        .races
        .list
        .iter()
        .filter(|race| property_of(outcome, race) == Property::IntraBlockRace)
        .map(|race| (race.sources, ()))
        .collect();
    let mine = |race: &&Race| property == property_of(outcome, race);
    for race in outcome.races.list.iter().filter(mine) {
        let mut values = Values::of(cx, race);
        if !race.is_benign
            && matches!(values, Values::Open | Values::EqualInIteration)
            && let Some(relies) = one_value_for(cx, race, true)
        {
            relies.into_iter().for_each(|it| obligations.assume(it));
            values = Values::Equal;
        }
        if values == Values::Open && one_value_for(cx, race, false).is_some() {
            values = Values::EqualInIteration;
        }
        let race = &Race { is_benign: race.is_benign || values == Values::Equal, ..race.clone() };
        let finding = finding(cx, outcome, race, between_warps.contains_key(&race.sources));
        if race.is_benign && !cx.options.benign_is_error {
            findings.push((property, finding));
            continue;
        }
        let obligation = obligations.open();
        let around = cx.analysis.scopes.loop_of(of_source(race.sources[0]).0);
        let is_open = !outcome.given.is_empty() || around.is_some();
        let may_agree = values == Values::EqualInIteration && is_open;
        if may_agree || values == Values::ReadFromOnePlace {
            let at = cx.places.op(cx.kernel, of_source(race.sources[0]).0);
            let text = "threads store here without an order, and whether always the same value was not followed";
            obligations.give_up(obligation, Reason::new(Code::Undecided, text).at(at));
            continue;
        }
        if let Some(perhaps) = race.sources.iter().find(|it| !of_source(**it).1) {
            let at = cx.places.op(cx.kernel, of_source(*perhaps).0);
            let text = "an operand of this matrix product may reach to bytes that are written while the product is under way";
            obligations.give_up(obligation, Reason::new(Code::Undecided, text).at(at));
            continue;
        }
        if let Some(op) = within_warpgroup(cx, outcome, race) {
            let at = cx.places.op(cx.kernel, op);
            let text = "a warpgroup touches an operand of its own matrix product, and whether before all its warps have come to it, or after, was not followed";
            obligations.give_up(obligation, Reason::new(Code::Undecided, text).at(at));
            continue;
        }
        let flag = || on_a_flag(cx, race.sources.map(|it| of_source(it).0));
        match (may_be_ordered(cx).or_else(flag), Refutation::of(&finding)) {
            (None, Some(refutation)) => {
                obligations.refute(obligation, refutation);
                findings.push((property, finding));
            }
            (by, _) => {
                let at = by.unwrap_or(of_source(race.sources[0]).0);
                let text = "two threads race unless a fence with an atomic or volatile access orders them, which is not followed";
                let reason = Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, at));
                obligations.give_up(obligation, reason);
            }
        }
    }
}

/// Whether threads that meet at one store in a race, in any iterations or in the same ones, write
/// one value there, and what that takes for granted. Lanes that run in step are ordered by more
/// than what orders in the text.
fn one_value_for(cx: &Cx<'_>, race: &Race, in_any: bool) -> Option<Vec<Assumption>> {
    let placement = match race.kind {
        RaceKind::Lanes => Placement::SameWarp,
        RaceKind::Warps => Placement::SameBlock,
        RaceKind::Blocks | RaceKind::ThreadAndCopy | RaceKind::Copies => return None,
    };
    let [one, two] = race.sources.map(of_source);
    let budget = cx.options.budget.divided(16);
    (one == two && one.1 && !cx.options.warp_sync)
        .then(|| is_one_value(&cx.analysis, one.0, (placement, in_any), &budget))?
}

/// The access of a race in which a warpgroup touches an operand of its own, unless a warp does
/// after it has issued the product: a product begins when all warps have issued it.
fn within_warpgroup(cx: &Cx<'_>, outcome: &Outcome, race: &Race) -> Option<OpId> {
    if race.kind != RaceKind::ThreadAndCopy {
        return None;
    }
    let ops = race.sources.map(|it| of_source(it).0);
    let product = ops.iter().position(|op| cx.kernel.is_of_warpgroup(*op))?;
    let [of_product, of_access] = [race.witness[product], race.witness[1 - product]];
    let [one, two] = [of_product, of_access]
        .map(|it| outcome.trace.strands[it.strand.0 as usize])
        .map(|it| (it.block, it.warp / WARPS_OF_WARPGROUP));
    let later = of_product.strand == of_access.strand && of_product.tick < of_access.tick;
    (one == two && !later).then_some(ops[1 - product])
}

/// An atomic access of several elements, each of which is in one piece: the trace knows the size of
/// all.
fn in_elements(cx: &Cx<'_>) -> Option<Reason> {
    let is_vector = |op: &OpId| {
        cx.kernel.access(*op).is_some_and(|it| {
            it.order.is_some() && cx.kernel.exprs.as_const(it.size) != cx.kernel.element_size(*op)
        })
    };
    let op = cx.kernel.ops.keys().find(is_vector)?;
    let text = "this atomic access is one of several elements, which was not followed";
    Some(Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, op)))
}

/// A row that lanes write of which the trace does not know which they are.
fn rows_are_written(cx: &Cx<'_>) -> Option<Reason> {
    let is_row = |op: &OpId| cx.kernel.access(*op).is_some_and(|it| it.by_warp && it.writes());
    let op = cx.kernel.ops.keys().find(is_row)?;
    let text = "which lanes write the rows whose addresses threads give here was not followed";
    Some(Reason::new(Code::Undecided, text).at(cx.places.op(cx.kernel, op)))
}

/// The property that a race is of; of copies, as the threads of its witness are placed.
fn property_of(outcome: &Outcome, race: &Race) -> Property {
    match race.kind {
        RaceKind::Lanes => Property::IntraWarpRace,
        RaceKind::Warps => Property::IntraBlockRace,
        RaceKind::Blocks => Property::InterBlockRace,
        RaceKind::ThreadAndCopy | RaceKind::Copies => {
            let [one, two] = race.witness.map(|it| {
                let strand = outcome.trace.strands[it.strand.0 as usize];
                (strand.block, strand.warp, it.lane)
            });
            match (one.0 == two.0, one.1 == two.1, one.2 == two.2) {
                (false, _, _) => Property::InterBlockRace,
                (true, false, _) => Property::IntraBlockRace,
                (true, true, false) => Property::IntraWarpRace,
                (true, true, true) => Property::AsyncCopies,
            }
        }
    }
}

/// A race of copies has one witness, whatever the threads that meet there: where it stands for
/// another property, this one is open.
fn copies_meet_otherwise(cx: &Cx<'_>, outcome: &Outcome, property: Property) -> Option<Reason> {
    let of_copies = |race: &&Race| match race.kind {
        RaceKind::ThreadAndCopy | RaceKind::Copies => true,
        RaceKind::Lanes | RaceKind::Warps | RaceKind::Blocks => false,
    };
    let concerned = match property.races_among() {
        Some(Among::Warp | Among::Block) => true,
        // Of blocks that run apart the pairs of accesses are asked.
        Some(Among::Grid) => outcome.trace.strands.iter().any(|it| it.block != 0),
        None => property == Property::AsyncCopies,
    };
    let is_sure = |race: &Race| race.sources.iter().all(|it| of_source(*it).1);
    let others = || outcome.races.list.iter().filter(of_copies);
    let elsewhere = || others().filter(|race| property_of(outcome, race) != property);
    let sure = elsewhere().find(|race| is_sure(race));
    let race = sure.or(elsewhere().next())?;
    let told = finding(cx, outcome, race, false);
    let code = if is_sure(race) { told.code } else { Code::Undecided };
    let text =
        "a copy that is under way is met, and whether by threads placed like this was not followed";
    let reason = Reason::new(code, text);
    concerned.then(|| match told.place() {
        Some(place) => reason.at(place.clone()),
        None => reason,
    })
}

/// Copies that go another way to memory than the threads do.
fn copies_in_bulk(cx: &Cx<'_>) -> bool {
    cx.kernel.ops.values().any(|op| match &op.kind {
        OpKind::AsyncCopy(copy) => match copy.mechanism {
            AsyncMechanism::BulkGroup | AsyncMechanism::BulkMbarrier => true,
            AsyncMechanism::CpAsync
            | AsyncMechanism::WorkGroupEvent
            | AsyncMechanism::Matrix
            | AsyncMechanism::Tensor => false,
        },
        OpKind::Access(_)
        | OpKind::Fence { .. }
        | OpKind::Barrier(_)
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => false,
    })
}

/// Atomics or volatile accesses that order threads together with fences: not followed in a trace.
fn may_be_ordered(cx: &Cx<'_>) -> Option<OpId> {
    let (mut releases, mut acquires) = (None, None);
    cx.kernel.for_each_op(|op, _| match &cx.kernel[op].kind {
        OpKind::Fence { proxy: None, .. } => releases = releases.or(Some(op)),
        OpKind::Access(access) => {
            let (release, acquire) = match access.order {
                Some((Relaxed, _)) => (false, access.reads()),
                Some((Acquire, _)) => (false, true),
                Some((Release, _)) => (true, false),
                Some((AcqRel | SeqCst, _)) => (access.writes(), access.reads()),
                None => (false, access.volatile && access.reads()),
            };
            if release {
                releases = releases.or(Some(op));
            }
            if acquire {
                acquires = acquires.or(Some(op));
            }
        }
        OpKind::Fence { .. }
        | OpKind::Barrier(_)
        | OpKind::AsyncCopy(_)
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => {}
    });
    releases.filter(|_| acquires.is_some())
}

/// A race in one line.
pub(super) fn told(cx: &Cx<'_>, outcome: &Outcome, race: &Race) -> String {
    let finding = finding(cx, outcome, race, true);
    format!("{}: {}", finding.code, finding.message)
}

fn finding(cx: &Cx<'_>, outcome: &Outcome, race: &Race, warps_too: bool) -> Finding {
    let kernel = cx.kernel;
    let trace = &outcome.trace;
    let object = &kernel[object_of(kernel, race.region)];
    let bytes = format!("{}{}", object.name, object.shape.path(race.byte));
    let ops = race.sources.map(|it| of_source(it).0);
    let places = ops.map(|op| cx.places.op(kernel, op));
    if race.is_benign {
        let message =
            format!("several threads store the same value to `{}` without an order", object.name);
        let mut finding = Finding::new(Code::BenignRace, message)
            .kernel(kernel.display_name.as_str())
            .label(places[0].clone(), "stored here");
        if places[0] != places[1] {
            finding = finding.label(places[1].clone(), "and here");
        }
        return finding.note(
            "the stored values are equal in this launch; `--benign=error` treats this as a race",
        );
    }
    let is_barrier = |op: OpId| matches!(kernel[op].kind, OpKind::Barrier(_));
    let is_copy = |op: OpId| matches!(kernel[op].kind, OpKind::AsyncCopy(_));
    let what = |side: usize| match (race.accesses[side], is_copy(ops[side])) {
        (AccessKind::Object | AccessKind::ObjectRead, _) => "barrier operation",
        (AccessKind::Write, false) if is_barrier(ops[side]) => INIT_OR_END,
        (AccessKind::Read | AccessKind::AtomicRead, false) => "read",
        (AccessKind::Write, false) => "write",
        (AccessKind::Atomic, false) => "atomic",
        (AccessKind::Read | AccessKind::AtomicRead, true) if kernel.is_operand(ops[side]) => {
            "read by a matrix product"
        }
        (AccessKind::Read | AccessKind::AtomicRead, true) => "read by a copy",
        (AccessKind::Write | AccessKind::Atomic, true) => "write by a copy",
    };
    let verbs = match [what(0), what(1)] {
        [a, b] if a == b && is_copy(ops[0]) => {
            format!("two {}", a.replace(" by a copy", "s by copies"))
        }
        [INIT_OR_END, INIT_OR_END] => "two initialisations or ends".to_owned(),
        [a, b] if a == b => format!("two {a}s"),
        [a, b] => format!("{a} and {b}"),
    };
    let across = property_of(outcome, race) == Property::InterBlockRace;
    let of_copy = if across { Code::InterBlockRace } else { Code::IntraBlockRace };
    let (code, among) = match race.kind {
        RaceKind::Lanes if !warps_too => (Code::IntraWarpRace, "threads of one warp race"),
        RaceKind::Lanes | RaceKind::Warps => (Code::IntraBlockRace, "threads of one block race"),
        RaceKind::Blocks => (Code::InterBlockRace, "threads of different blocks race"),
        RaceKind::ThreadAndCopy | RaceKind::Copies
            if property_of(outcome, race) == Property::AsyncCopies =>
        {
            (Code::CopyUnderWay, "a thread meets a copy of its own that is under way")
        }
        RaceKind::ThreadAndCopy if ops.iter().any(|op| kernel.is_operand(*op)) => {
            (of_copy, "a thread races with a matrix product")
        }
        RaceKind::ThreadAndCopy => (of_copy, "a thread races with a copy"),
        RaceKind::Copies if ops.iter().any(|op| kernel.is_operand(*op)) => {
            (of_copy, "a copy races with a matrix product")
        }
        RaceKind::Copies => (of_copy, "two copies race"),
    };
    let message = format!("{among} on `{}`: {verbs} of `{bytes}` without an order", object.name);
    let threads = race.witness.map(|it| {
        let strand = trace.strands[it.strand.0 as usize];
        thread_of(cx, outcome, strand.block, strand.warp, u32::from(it.lane))
    });
    let mut finding = Finding::new(code, message).kernel(kernel.display_name.as_str());
    for side in [0, 1] {
        let issued = if is_copy(ops[side]) { "issued by" } else { "by" };
        let text = format!("{} of `{bytes}` {issued} {}", what(side), threads[side]);
        finding = finding.label(places[side].clone(), text);
    }
    let writes = race.accesses.map(AccessKind::writes);
    let primary = match writes {
        // What does not belong there is the access of data.
        _ if is_barrier(ops[0]) != is_barrier(ops[1]) => usize::from(is_barrier(ops[0])),
        [true, false] => 0,
        [false, true] => 1,
        _ => usize::from(places[1].line() < places[0].line()),
    };
    finding = finding.primary(primary);
    for side in [0, 1] {
        if let Some(note) = last_barrier(cx, outcome, race.witness[side]) {
            finding = finding.note(note);
        }
    }
    let mut run = witness(cx, outcome, threads);
    run.bytes = Some(bytes);
    let help = match ops.iter().any(|op| kernel.is_operand(*op)) {
        true => "give a stage back after `wgmma.wait_group` for the products that read it",
        false => "let one wait for a barrier that the other arrives at after its access",
    };
    finding.help(help).witness(run, Confirmation::Confirmed)
}

/// The barrier that the strand left last before the access.
fn last_barrier(cx: &Cx<'_>, outcome: &Outcome, at: Meeting) -> Option<String> {
    let trace = &outcome.trace;
    let events = trace.events[at.strand.0 as usize].get(..at.tick as usize)?;
    let last = events.iter().rev().find(|it| {
        let sync = trace.sync(it);
        !matches!(sync, Sync::Issue | Sync::Settle | Sync::Product(_))
    })?;
    let line = cx.places.op(cx.kernel, of_source(last.source).0).line()?;
    let barrier = match trace.sync(last) {
        Sync::Named { id, waits: true, .. } => format!("waited at barrier {id}"),
        Sync::Named { id, .. } => format!("arrived at barrier {id}"),
        Sync::Object(..) => "was at a barrier object".to_owned(),
        Sync::Cluster { .. } => "was at the cluster's barrier".to_owned(),
        Sync::Warp { .. } => "was at a warp barrier".to_owned(),
        Sync::Issue | Sync::Settle | Sync::Product(_) => return None,
    };
    Some(format!("{} {barrier} last (line {line})", who(cx, trace, at.strand)))
}
