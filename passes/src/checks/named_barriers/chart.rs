//! The barriers of a run as a chart: who takes part in which use of which barrier, and the pair
//! that is at odds.
//!
//! **Promises**: rows are uses of barriers (generations, phases) in an order that each thread
//! passes them in; the chart is data, the same for the same kernel and options. **Does not**: draw;
//! leave out a row that a marked event stands in.

use std::collections::BTreeMap;

use heddle_trace::{
    BarrierGraph, ClusterStep, GenerationId, Membership, ObjectStep, StrandId, Sync, Tick, Trace,
    Violation,
};

use super::Named;
use super::drive::{Outcome, of_source};
use super::finding::{called, who};
use crate::engine::cx::Cx;

/// Rows that a chart has at most, but for those with a mark.
const ROWS: usize = 240;

/// The barriers of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chart {
    /// The kernel, as its source calls it.
    pub kernel: String,
    /// What is wrong, or that nothing is.
    pub verdict: String,
    /// Who: warps, or the lanes of one that part ways.
    pub lanes: Vec<String>,
    /// Uses of barriers.
    pub rows: Vec<Row>,
    /// Uses that were left out at the end.
    pub left_out: usize,
}

/// One use of a barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The barrier, and which use of it.
    pub title: String,
    /// It came to its end.
    pub is_complete: bool,
    /// Who takes part, by lane of the chart: rising.
    pub cells: Vec<Cell>,
}

/// The part that one has in a use of a barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Who: a position in [`Chart::lanes`].
    pub lane: usize,
    /// What it does there.
    pub part: Part,
    /// The line of the instruction.
    pub line: Option<u32>,
    /// What is wrong with it, in the words of the finding: the event, or the access that it comes
    /// from.
    pub mark: Option<String>,
}

/// What is done to a barrier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Arrives and goes on.
    Arrives,
    /// Arrives and waits, or waits.
    Waits,
    /// A copy ends there, or bytes are announced.
    Signals,
}

/// The chart of the run that says most: the first in which something is wrong, else the first. None
/// where nothing was run.
pub fn chart(cx: &Cx<'_>) -> Option<Chart> {
    let named = cx.shared::<Named>();
    let all = || named.outcomes.iter().chain(&named.samples);
    let is_wrong = |it: &&Outcome| !it.is_clean() || !it.races.list.is_empty();
    let outcome = all().find(is_wrong).or_else(|| all().next())?;
    let trace = &outcome.trace;
    let (verdict, marks) = marks(cx, outcome);
    let mut lanes: Vec<StrandId> =
        (0..trace.strands.len() as u32).map(StrandId).filter(|it| takes_part(trace, *it)).collect();
    lanes.sort_by_key(|it| {
        let strand = trace.strands[it.0 as usize];
        (strand.block, strand.warp, strand.lanes.trailing_zeros())
    });
    let place: BTreeMap<StrandId, usize> = lanes.iter().copied().zip(0..).collect();
    let ranks = BarrierGraph::of(trace).ranks();
    let mut order: Vec<GenerationId> =
        (0..trace.generations.len() as u32).map(GenerationId).collect();
    order.sort_by_key(|it| (ranks[it.0 as usize], *it));
    let mut cells: BTreeMap<GenerationId, Vec<Cell>> = BTreeMap::new();
    for strand in &lanes {
        for (tick, event) in (0..).zip(&trace.events[strand.0 as usize]) {
            let (Some(generation), Some(part)) = (event.generation, part(trace.sync(event))) else {
                continue;
            };
            let at = Membership { strand: *strand, event: tick };
            let op = of_source(event.source).0;
            cells.entry(generation).or_default().push(Cell {
                lane: place[strand],
                part,
                line: cx.places.op(cx.kernel, op).line(),
                mark: marks.get(&at).cloned(),
            });
        }
    }
    let (mut rows, mut left_out) = (Vec::new(), 0);
    for generation in order {
        let of = &trace.generations[generation.0 as usize];
        let mut cells = cells.remove(&generation).unwrap_or_default();
        cells.sort_by_key(|it| (it.lane, it.part, it.line));
        cells.dedup();
        if rows.len() >= ROWS && cells.iter().all(|it| it.mark.is_none()) {
            left_out += 1;
            continue;
        }
        let (barrier, number) = called(cx, trace, generation);
        rows.push(Row {
            title: format!("{barrier}, {number}"),
            is_complete: of.is_complete,
            cells,
        });
    }
    let lanes = lanes.iter().map(|it| who(cx, trace, *it)).collect();
    Some(Chart { kernel: cx.kernel.display_name.to_string(), verdict, lanes, rows, left_out })
}

fn takes_part(trace: &Trace, strand: StrandId) -> bool {
    trace.events[strand.0 as usize].iter().any(|it| it.generation.is_some())
}

fn part(sync: Sync) -> Option<Part> {
    match sync {
        Sync::Named { waits: true, .. } => Some(Part::Waits),
        Sync::Named { waits: false, .. } => Some(Part::Arrives),
        Sync::Cluster { step: ClusterStep::Arrive | ClusterStep::ArriveRelaxed, .. } => {
            Some(Part::Arrives)
        }
        Sync::Cluster { step: ClusterStep::Wait, .. } => Some(Part::Waits),
        Sync::Object(_, ObjectStep::Arrive { .. }) => Some(Part::Arrives),
        Sync::Object(_, ObjectStep::Wait(_)) => Some(Part::Waits),
        Sync::Object(
            _,
            ObjectStep::Expect(_) | ObjectStep::Complete(_) | ObjectStep::Signal(_),
        ) => Some(Part::Signals),
        Sync::Object(_, ObjectStep::Init(_) | ObjectStep::Invalidate | ObjectStep::Ask(_))
        | Sync::Issue
        | Sync::Settle
        | Sync::Product(_)
        | Sync::Warp { .. } => None,
    }
}

/// What is wrong first, and the events that it concerns.
fn marks(cx: &Cx<'_>, outcome: &Outcome) -> (String, BTreeMap<Membership, String>) {
    let mut marks = BTreeMap::new();
    let mut mark = |at: Membership, text: &str| _ = marks.insert(at, text.to_owned());
    if let Some(violation) = outcome.violations.first() {
        match *violation {
            Violation::Recycled { earlier, later, .. } => {
                mark(earlier, "arrives for this use");
                mark(later, "may take its place");
            }
            Violation::CountMismatch { first, other, .. } => {
                mark(first, "fixes the count");
                mark(other, "names another count");
            }
            Violation::EarlyPass { wait, missing, .. } => {
                mark(wait, "may pass too early");
                mark(missing, "arrives for the phase before");
            }
            Violation::InitUnordered { init, by, .. } => {
                mark(init, "initialises");
                mark(by, "may come first");
            }
            Violation::TooMany { by, .. } => mark(by, "brings too many"),
            Violation::Lapped { wait, .. } => mark(wait, "may be lapped"),
            Violation::LateExpect { expect, .. } => mark(expect, "may announce too late"),
            Violation::NotInitialised { by, .. } | Violation::InitInUse { by, .. } => {
                mark(by, "out of its life");
            }
            Violation::ClusterOrder { by } => mark(by, "out of turn"),
        }
    } else if !outcome.stuck.is_empty() {
        outcome.stuck.iter().for_each(|it| mark(it.event, "waits for ever"));
    } else if let Some(race) = outcome.races.list.iter().find(|it| !it.is_benign) {
        for (side, text) in [(0, "(1) after this"), (1, "(2) after this")] {
            let at = race.witness[side];
            let op = of_source(race.sources[side]).0;
            let line = cx.places.op(cx.kernel, op).line();
            let text = match line {
                Some(line) => format!("{text}: line {line}"),
                None => text.to_owned(),
            };
            if let Some(event) = last_before(&outcome.trace, at.strand, at.tick) {
                mark(Membership { strand: at.strand, event }, &text);
            }
        }
    }
    let finding = super::finding::all(cx, outcome).into_iter().next();
    let race = outcome.races.list.iter().find(|it| !it.is_benign);
    let verdict = match (finding, race) {
        (Some(finding), _) => format!("{}: {}", finding.code, finding.message),
        (None, Some(race)) => super::race::told(cx, outcome, race),
        (None, None) => "all uses are in order, and nothing races".to_owned(),
    };
    (verdict, marks)
}

/// The last event before an interval that belongs to a use of a barrier.
fn last_before(trace: &Trace, strand: StrandId, tick: Tick) -> Option<Tick> {
    let events = trace.events[strand.0 as usize].get(..tick as usize)?;
    let last =
        events.iter().rposition(|it| it.generation.is_some() && part(trace.sync(it)).is_some());
    last.map(|it| it as Tick)
}
