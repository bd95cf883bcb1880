//! Data races: two threads touch the same bytes, at least one writes, and nothing orders them.
//!
//! **Misses**: accesses that leave their object; races that need a loop of 2^31 iterations or a
//! counter that wraps around. Both are named as assumptions. `locks`, `ticket` and `flags` order.
//! **False alarms**: where a value has no recurrence, or comes from memory that changes; the replay
//! then does not hit the pair, and the answer is `unknown`. Where the two may be ordered by release
//! and acquire (`synchronized`) and are in the runs that were tried, by named barriers or barrier
//! objects, the answer is `unknown`, too.
//! **Relies on**: barriers are uniform (barrier-divergence decides that); pointers do not overlap.
//!
//! Method (two-thread reduction, footprints per barrier interval): each pair of accesses to
//! possibly one object, in each way their loop iterations can relate, becomes one question to the
//! solver: do two threads exist whose guards hold, whose bytes meet, with no barrier in between?

mod agree;
mod aligned;
mod branches;
mod copies;
mod effort;
mod finding;
pub(super) mod flags;
mod groups;
mod hand_over;
mod in_flight;
mod left_out;
mod locks;
mod looks;
mod overlap;
mod pair;
mod reserved;
mod ruled_out;
mod said;
mod site;
mod synchronized;
mod template;
mod ticket;
mod unguarded;
mod winners;
mod word;

use std::collections::{BTreeMap, BTreeSet};

use heddle_diagnostics::{
    Assumption, Code, Confirmation, Finding, Findings, Obligations, Property, Reason, Verdict,
};
use heddle_ir::{OpId, Remote, Scope};

pub(crate) use self::copies::{collectives, is_followed, relied_on};
use self::effort::Open;
pub(crate) use self::finding::one_per_lines;
use self::flags::Flags;
use self::groups::Answers;
use self::in_flight::between_threads;
pub(crate) use self::in_flight::{by_the_issuer, record};
use self::left_out::LeftOut;
pub(crate) use self::left_out::{is_compared, not_followed};
pub(crate) use self::pair::{OtherOrders, PairAnswer};
pub(crate) use self::site::grouped_sites;
use self::site::{Site, crosses_blocks, may_race};
use self::synchronized::{close_by_run, may_be_ordered, missing::missing};
use self::unguarded::Unguarded;
use crate::checks::named_barriers::{Named, report_races as report_traced, report_samples};
use crate::checks::pass::Pass;
use crate::engine::cx::{Cx, Shared};
use crate::engine::premises::Premises;
use crate::engine::replay::Want;
use crate::engine::shown::show;
use crate::facts::loads::{taken_for_granted, writes_read_only};
use crate::facts::order::Level;

/// Threads of one warp.
#[derive(Debug)]
pub(crate) struct IntraWarpRace;

/// Threads of one block, in different warps.
#[derive(Debug)]
pub(crate) struct IntraBlockRace;

/// Threads of different blocks.
#[derive(Debug)]
pub(crate) struct InterBlockRace;

impl Pass for IntraWarpRace {
    fn property(&self) -> Property {
        Property::IntraWarpRace
    }

    fn summary(&self) -> &'static str {
        "no two threads of one warp touch the same bytes without an order, one of them writing"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::IntraWarpRace, Code::IntraBlockRace, Code::BenignRace]
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        cx.shared::<Races>().report(self.property(), out)
    }
}

impl Pass for IntraBlockRace {
    fn property(&self) -> Property {
        Property::IntraBlockRace
    }

    fn summary(&self) -> &'static str {
        "no two threads of one block, in different warps, do"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::IntraBlockRace, Code::BenignRace]
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        cx.shared::<Races>().report(self.property(), out)
    }
}

impl Pass for InterBlockRace {
    fn property(&self) -> Property {
        Property::InterBlockRace
    }

    fn summary(&self) -> &'static str {
        "no two threads of different blocks do"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::InterBlockRace, Code::BenignRace]
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        cx.shared::<Races>().report(self.property(), out)
    }
}

/// What the three race passes found, worked out together.
#[derive(Debug)]
pub(crate) struct Races {
    verdicts: BTreeMap<Property, Verdict>,
    findings: Vec<(Property, Finding)>,
}

impl Shared for Races {
    /// Asks about every pair.
    fn find(cx: &Cx<'_>) -> Races {
        let premises = premises(cx);
        let across = premises.clone().into_iter().chain(premises_across_blocks(cx));
        let mut asked = ByProperty {
            warp: Obligations::new(Property::IntraWarpRace, premises.clone()),
            block: Obligations::new(Property::IntraBlockRace, premises),
            grid: Obligations::new(Property::InterBlockRace, across),
            findings: Vec::new(),
        };
        asked.leave_open_left_out(cx);
        let named = cx.shared::<Named>();
        if named.orders() {
            for obligations in [&mut asked.warp, &mut asked.block] {
                asked.findings.extend(report_traced(cx, &named, obligations));
            }
        }
        for obligations in [&mut asked.warp, &mut asked.block] {
            asked.findings.extend(report_samples(cx, &named, obligations));
        }
        if named.orders() && named.speaks_for_grid() {
            asked.findings.extend(report_traced(cx, &named, &mut asked.grid));
        }
        if let Some(wrong) = named.wrong(cx) {
            if named.speaks_for_grid() {
                asked.grid.leave_open(wrong.clone());
            }
            asked.warp.leave_open(wrong.clone());
            asked.block.leave_open(wrong);
        }
        let shared_is_settled = named.covers_all_shared(cx.kernel);
        let mut sites = grouped_sites(cx.kernel);
        sites.retain(|site| !shared_is_settled || crosses_blocks(cx.kernel, site));
        let mut pairs = Vec::new();
        for (index, a) in sites.iter().enumerate() {
            for b in &sites[index..] {
                // The scope that asks most: who does not race at it does not race at a narrower
                // one.
                if may_race(cx.kernel, a, b, Scope::System) {
                    pairs.push([a.clone(), b.clone()]);
                }
            }
        }
        between_threads(cx, &grouped_sites(cx.kernel), |pair, property, answer| {
            let ByProperty { warp, block, grid, findings } = &mut asked;
            let obligations = obligations_of(property, [warp, block, grid]);
            let told = obligations.and_then(|it| record(cx, it, pair, answer));
            findings.extend(told.map(|told| (property, told)));
        });
        let orders = OtherOrders::of(cx);
        let apart = Unguarded::of(cx, &pairs, &cx.options.budget);
        looks::ask_all(cx, (&orders, &apart), &pairs, |answers| {
            for answer in answers {
                asked.record(cx, &orders.flags, answer);
            }
            asked.open(cx)
        });
        let ByProperty { mut warp, mut block, mut grid, findings } = asked;
        let mut verdicts = BTreeMap::new();
        for obligations in [&mut warp, &mut block, &mut grid] {
            obligations.all_listed();
        }
        for obligations in [warp, block, grid] {
            verdicts.insert(obligations.property(), obligations.conclude());
        }
        Races { verdicts, findings: finding::one_per_lines(findings) }
    }
}

impl Races {
    fn report(&self, property: Property, out: &mut Findings) -> Verdict {
        for (of, finding) in &self.findings {
            if *of == property {
                out.push(finding.clone());
            }
        }
        match self.verdicts.get(&property) {
            Some(verdict) => verdict.clone(),
            None => Verdict::unknown(Reason::new(
                Code::InternalError,
                format!("{property} was not worked out"),
            )),
        }
    }
}

/// The obligations of the three properties while pairs are asked about.
struct ByProperty {
    warp: Obligations,
    block: Obligations,
    grid: Obligations,
    findings: Vec<(Property, Finding)>,
}

/// What the race properties take for granted of the kernel as a whole.
fn premises(cx: &Cx<'_>) -> Premises {
    let accesses =
        || cx.kernel.ops.keys().filter_map(|op| cx.kernel.access(op).map(|access| (op, access)));
    let decisions = accesses().flat_map(|(op, access)| {
        let around = cx.analysis.order.chain(op);
        let loops = around.iter().flat_map(|of| [cx.kernel[*of].pred, cx.kernel[*of].cont]);
        loops.chain([cx.kernel[op].pred, access.address.offset]).collect::<Vec<_>>()
    });
    let loads = taken_for_granted(cx.kernel, decisions);
    let unwritten = writes_read_only(cx.kernel).then_some(Assumption::ReadOnlyUnwritten);
    let of_copies = relied_on(cx);
    loads.into_iter().chain(unwritten).chain(of_copies).fold(Premises::of_memory(cx), Premises::and)
}

/// What is taken for granted of pairs of different blocks besides.
fn premises_across_blocks(cx: &Cx<'_>) -> BTreeSet<Assumption> {
    let mut all = cx.analysis.order.regular().grid.relies.clone();
    if is_left_to_itself(cx) {
        all.insert(Assumption::ClusterRuns);
    }
    all
}

impl ByProperty {
    fn all(&mut self) -> [&mut Obligations; 3] {
        [&mut self.warp, &mut self.block, &mut self.grid]
    }

    /// Of which properties a proof is no longer possible.
    fn open(&self, cx: &Cx<'_>) -> Open {
        let [warp, block, grid] =
            [&self.warp, &self.block, &self.grid].map(Obligations::cannot_be_proved);
        // Where there are no warps, nothing is asked about them.
        Open { warp: warp || cx.launch.warp_size.is_none(), block, grid }
    }

    /// What stands in no pair of accesses keeps properties from being proved.
    fn leave_open_left_out(&mut self, cx: &Cx<'_>) {
        for left_out in LeftOut::of(cx) {
            for obligations in self.all() {
                if left_out.leaves_open(obligations.property()) {
                    obligations.leave_open(left_out.reason.clone());
                }
            }
        }
    }

    fn record(&mut self, cx: &Cx<'_>, flags: &Flags, answers: Answers<'_>) {
        let Answers { pair, warp, block, grid } = answers;
        for (property, answer) in [
            (Property::IntraBlockRace, block),
            (Property::IntraWarpRace, warp),
            (Property::InterBlockRace, grid),
        ] {
            if let Some(answer) = answer {
                self.record_one((cx, flags), property, &pair, answer);
            }
        }
    }

    fn record_one(
        &mut self,
        (cx, flags): (&Cx<'_>, &Flags),
        property: Property,
        pair: &[Site; 2],
        answer: PairAnswer<'_>,
    ) {
        let ByProperty { warp, block, grid, findings } = self;
        let Some(obligations) = obligations_of(property, [warp, block, grid]) else { return };
        let obligation = obligations.open();
        match answer {
            PairAnswer::Disjoint(held) => obligations.discharge(obligation, held.evidence()),
            PairAnswer::Benign(candidate, evidence) if !cx.options.benign_is_error => {
                // Where the meeting itself is a guess, there is nothing to tell.
                if !candidate.rests_on_guesses() {
                    findings.push((property, finding::benign(cx, &candidate)));
                }
                obligations.discharge(obligation, evidence);
            }
            PairAnswer::Open(why) => {
                let reason = finding::undecided(cx, pair, &why);
                obligations.give_up(obligation, reason);
            }
            PairAnswer::Race(mut candidate) | PairAnswer::Benign(mut candidate, _) => {
                if let Some(by) = may_be_ordered(cx, flags, &mut candidate) {
                    let open = (obligations, obligation, finding::maybe_ordered(cx, pair, by));
                    let told = close_by_run(cx, flags, &mut candidate, by, open);
                    findings.extend(told.map(|told| (property, told)));
                    return;
                }
                let want = Want::Race(candidate.ops, candidate.placement);
                let shown = show(cx, &mut candidate.instance, candidate.model.clone(), want);
                if candidate.may_agree && shown.confirmation != Confirmation::Confirmed {
                    return obligations.give_up(obligation, finding::may_agree(cx, pair));
                }
                let told = finding::race(cx, &candidate, &shown);
                let lack = missing(cx, flags, &mut candidate, Some(&shown));
                let told = said::with_advice(cx, &mut candidate, told, lack);
                let reason =
                    |why: &str, through: &str| finding::unconfirmed(cx, pair, why, through);
                let told = shown.close(obligations, obligation, told, reason);
                findings.extend(told.map(|told| (property, told)));
            }
        }
    }
}

/// Whether some access to the shared memory of another block may be done before that has started,
/// or when it has ended: no barrier of the cluster stands before it, or none after it, that all
/// blocks come to.
fn is_left_to_itself(cx: &Cx<'_>) -> bool {
    let (kernel, order) = (cx.kernel, &cx.analysis.order);
    let is_remote =
        |op: &OpId| kernel.access(*op).is_some_and(|it| Remote::of(kernel, it).is_some());
    let meets = |op: &OpId| {
        order.separates(kernel, *op, Level::Cluster)
            && order.chain(*op).is_empty()
            && kernel.exprs.as_const(kernel[*op].pred) == Some(1)
    };
    let barriers: Vec<OpId> = kernel.ops.keys().filter(meets).collect();
    kernel.ops.keys().filter(is_remote).any(|access| {
        !barriers.iter().any(|it| order.before(*it, access))
            || !barriers.iter().any(|it| order.before(access, *it))
    })
}

/// The obligations of a property, of those for warp, block and grid.
fn obligations_of(property: Property, all: [&mut Obligations; 3]) -> Option<&mut Obligations> {
    all.into_iter().find(|it| it.property() == property)
}
