//! The pairs of two groups of accesses, asked about as a whole first, then by halves.
//!
//! **What**: [`ask_group`] says of each pair of members whether threads of a warp, of a block and
//! of two blocks meet there.
//! **Method**: code that was unrolled makes groups of like accesses, of which one question often
//! speaks for all; a group that is not settled by one is halved. What a question may cost depends
//! on whether its property can still be proved ([`Effort`]).
//! **Sound because** what is left unasked is open, with the reason.
//! **Misses**: races of the pairs that are left, and those that only a long search shows once
//! another pair is open.

use heddle_ir::Scope;

use super::effort::{Effort, Open};
use super::pair::{OtherOrders, PairAnswer, ask_pair};
use super::site::{Site, is_by_warp, may_race, meet_across};
use super::unguarded::Unguarded;
use crate::checks::named_barriers::Named;
use crate::engine::answer::UnknownReason;
use crate::engine::cx::Cx;
use crate::engine::instance::Placement;
use crate::facts::order::Level;

/// Answers for one pair of accesses.
pub(super) struct Answers<'a> {
    pub(super) pair: [Site; 2],
    pub(super) warp: Option<PairAnswer<'a>>,
    pub(super) block: Option<PairAnswer<'a>>,
    pub(super) grid: Option<PairAnswer<'a>>,
}

impl Answers<'_> {
    /// Whether any answer is another than [`PairAnswer::Disjoint`].
    pub(super) fn is_open(&self) -> bool {
        let mut answers = [&self.warp, &self.block, &self.grid].into_iter().flatten();
        answers.any(|answer| !matches!(answer, PairAnswer::Disjoint(_)))
    }

    /// Whether an answer is open by which alone its property cannot be proved.
    pub(super) fn is_open_beside(&self, others: Open) -> bool {
        let is_open = |answer: &Option<PairAnswer<'_>>| matches!(answer, Some(PairAnswer::Open(_)));
        (is_open(&self.warp) && !others.warp)
            || (is_open(&self.block) && !others.block)
            || (is_open(&self.grid) && !others.grid)
    }
}

/// Single pairs of two groups that may race or stay open before the rest of the groups is left as
/// it is: unrolled code asks the same question many times.
const OPEN_SINGLES: usize = 6;

/// Asks about all pairs of members of two groups: as a whole first, then by halves.
pub(super) fn ask_group<'a>(
    cx: &'a Cx<'_>,
    known: (&OtherOrders, &Unguarded),
    pair: [Site; 2],
    mut open: Open,
    effort: &Effort,
) -> Vec<Answers<'a>> {
    let mut settled = Vec::new();
    let mut work = vec![pair];
    let mut open_singles = 0;
    while let Some(pair) = work.pop() {
        let left_why = match (open_singles >= OPEN_SINGLES, effort.is_spent()) {
            (_, Some(spent)) => Some(UnknownReason::of_solver(&spent)),
            (true, None) => Some(enough_open()),
            (false, None) => None,
        };
        if let Some(why) = left_why {
            settled.push(left(cx, pair, &why));
            continue;
        }
        let sizes = [pair[0].members.len(), pair[1].members.len()];
        let answers = ask(cx, known, pair.clone(), open, effort);
        let (single, is_open) = (sizes == [1, 1], answers.is_open());
        open_singles += usize::from(single && is_open);
        if !is_open || single {
            open.warp |= cannot_be_proved(answers.warp.as_ref());
            open.block |= cannot_be_proved(answers.block.as_ref());
            open.grid |= cannot_be_proved(answers.grid.as_ref());
            settled.push(answers);
            continue;
        }
        let same = pair[0].members == pair[1].members;
        let [a, b] = pair;
        if same {
            let [low, high] = a.halves();
            work.push([high.clone(), high.clone()]);
            work.push([low.clone(), high]);
            work.push([low.clone(), low]);
        } else if sizes[0] >= sizes[1] {
            let [low, high] = a.halves();
            work.push([high, b.clone()]);
            work.push([low, b]);
        } else {
            let [low, high] = b.halves();
            work.push([a.clone(), high]);
            work.push([a, low]);
        }
    }
    settled
}

/// Whether an answer leaves its property open or refuted.
fn cannot_be_proved(answer: Option<&PairAnswer<'_>>) -> bool {
    match answer {
        Some(PairAnswer::Race(_) | PairAnswer::Open(_)) => true,
        Some(PairAnswer::Disjoint(_) | PairAnswer::Benign(..)) | None => false,
    }
}

fn enough_open() -> UnknownReason {
    let why = "several pairs of these lines were undecided, and the rest was not looked at";
    UnknownReason::left(why)
}

/// The answers for a pair that is not asked about.
fn left<'a>(cx: &Cx<'_>, pair: [Site; 2], why: &UnknownReason) -> Answers<'a> {
    let open = |asked: bool| asked.then(|| PairAnswer::Open(why.clone()));
    let [a, b] = &pair;
    let within = may_race(cx.kernel, a, b, Scope::Block) && !is_traced(cx, [a, b]);
    let across = meet_across(cx.kernel, [a, b]) && may_race(cx.kernel, a, b, Scope::Device);
    let warp = within && cx.launch.warp_size.is_some();
    Answers { warp: open(warp), block: open(within), grid: open(across), pair }
}

fn ask<'a>(
    cx: &'a Cx<'_>,
    (orders, apart): (&OtherOrders, &Unguarded),
    pair: [Site; 2],
    open: Open,
    effort: &Effort,
) -> Answers<'a> {
    let [a, b] = pair.clone();
    let asks = |placement, level| {
        let budget = effort.of(open, placement);
        let others = || orders.held(cx, &pair, placement);
        match apart.held(cx, &pair, placement).or_else(others) {
            Some(held) => PairAnswer::Disjoint(held),
            None => ask_pair(&cx.analysis, orders, &a, &b, placement, level, budget),
        }
    };
    let mut answers = Answers { pair: pair.clone(), warp: None, block: None, grid: None };
    if may_race(cx.kernel, &a, &b, Scope::Block) && !is_traced(cx, [&a, &b]) {
        match asks(Placement::SameBlock, Level::Block) {
            PairAnswer::Disjoint(held) => {
                answers.block = Some(PairAnswer::Disjoint(held.clone()));
                answers.warp = Some(PairAnswer::Disjoint(held));
            }
            found if cx.launch.warp_size.is_none() => answers.block = Some(found),
            PairAnswer::Benign(..) | PairAnswer::Race(_) | PairAnswer::Open(_) => {
                answers.block = Some(asks(Placement::DifferentWarps, Level::Block));
                answers.warp = Some(asks(Placement::SameWarp, Level::Warp));
            }
        }
    }
    // The same lanes touch what one thread says in one instruction, again and again: rows are
    // aligned to their size.
    let one_instruction = a.members.len() == 1 && b.members.len() == 1 && a.op == b.op;
    if let Some(PairAnswer::Disjoint(held)) = &answers.warp
        && is_by_warp(cx.kernel, [&a, &b])
        && !one_instruction
    {
        answers.warp = Some(match asks(Placement::SameThread, Level::Warp) {
            PairAnswer::Disjoint(by) => PairAnswer::Disjoint(held.clone().and(by)),
            PairAnswer::Open(why) => PairAnswer::Open(why),
            PairAnswer::Benign(..) | PairAnswer::Race(_) => PairAnswer::Open(
                UnknownReason::undecided("other lanes touch the row whose address a thread gives"),
            ),
        });
    }
    let across = meet_across(cx.kernel, [&a, &b]);
    let traced = cx.shared::<Named>().speaks_for_grid() && is_traced(cx, [&a, &b]);
    if across && !traced && may_race(cx.kernel, &a, &b, Scope::Device) {
        answers.grid = Some(ask_across(cx, [&a, &b], asks));
    }
    answers
}

/// Asks about threads of two blocks. Shared memory is reached within a cluster alone; and where
/// blocks meet their cluster at barriers, those of one cluster are asked about apart from others.
fn ask_across<'a>(
    cx: &Cx<'_>,
    [a, b]: [&Site; 2],
    asks: impl Fn(Placement, Level) -> PairAnswer<'a>,
) -> PairAnswer<'a> {
    let reaches = a.remote.is_some() || b.remote.is_some();
    let is_strong =
        |site: &Site| cx.kernel.access(site.op).is_some_and(|it| it.volatile || it.order.is_some());
    if reaches && is_strong(a) && is_strong(b) {
        let why = "whether the two are a flag or a lock in the shared memory of another block is not followed";
        return PairAnswer::Open(UnknownReason::undecided(why));
    }
    let answer = match reaches {
        true => asks(Placement::SameCluster, Level::Cluster),
        false => asks(Placement::DifferentBlocks, Level::Grid),
    };
    let is_apart = matches!(answer, PairAnswer::Disjoint(_));
    let size = cx.kernel.launch.cluster;
    if is_apart || size == Some([1; 3]) || !(reaches || cx.kernel.goes_by_clusters()) {
        return answer;
    }
    if size.is_none() && !matches!(answer, PairAnswer::Benign(..)) {
        let why = "which blocks are of one cluster is not known; give `--cluster …` or `__cluster_dims__`";
        return PairAnswer::Open(UnknownReason::undecided(why));
    }
    if reaches || size.is_none() || !cx.analysis.order.regular().cluster {
        return answer;
    }
    match asks(Placement::DifferentClusters, Level::Grid) {
        PairAnswer::Disjoint(apart) => match asks(Placement::SameCluster, Level::Cluster) {
            PairAnswer::Disjoint(held) => PairAnswer::Disjoint(held.and(apart)),
            PairAnswer::Benign(candidate, evidence) => {
                PairAnswer::Benign(candidate, evidence.and(&apart.evidence()))
            }
            found @ (PairAnswer::Race(_) | PairAnswer::Open(_)) => found,
        },
        // Blocks of two clusters are ordered by nothing.
        PairAnswer::Benign(..) | PairAnswer::Race(_) | PairAnswer::Open(_) => answer,
    }
}

/// Whether a run of the block's warps has told all that can be said of the two within a block.
fn is_traced(cx: &Cx<'_>, pair: [&Site; 2]) -> bool {
    let mut members = pair.into_iter().flat_map(|site| &site.members);
    members.all(|(op, _)| cx.shared::<Named>().settles(*op))
}
