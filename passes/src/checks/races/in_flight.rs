//! What the questions about copies come to, in the race properties and for the issuer itself.

use heddle_diagnostics::{Code, Confirmation, Finding, Obligations, Property, Reason};
use heddle_ir::{AccessKind, Address, AsyncMechanism, Kernel, ObjectId, OpId, OpKind, Space};
use heddle_solver::Budget;

use super::copies::{CopyAnswer, CopyPair, Meeting, Part, ask, copy_pairs, is_of_group};
use super::effort::Share;
use super::finding;
use super::flags::Flags;
use super::pair::Candidate;
use super::site::Site;
use super::synchronized::may_be_ordered;
use crate::checks::named_barriers::Named;
use crate::engine::answer::UnknownReason;
use crate::engine::cx::Cx;
use crate::engine::instance::Placement;
use crate::engine::pending::Other;
use crate::engine::replay::Want;
use crate::engine::shown::{Shown, show};
use crate::engine::witness::name_of_bytes;
use crate::facts::order::Level;

/// Pairs that are asked about before the work spent so far is looked at.
const PAIRS_AT_A_TIME: usize = 8;
/// What one pair may cost is what all of the kernel may, divided by this.
const SHARES: u64 = 8;
/// Questions that may fail or stay open before the rest is left as it is.
const OPEN_PAIRS: usize = 16;

/// An answer, and the property that it is for.
type Placed<'a> = (Property, CopyAnswer<'a>);

/// Answers for all pairs of a copy and what may meet it, by other threads; each is told to
/// `record`.
pub(super) fn between_threads<'a>(
    cx: &'a Cx<'_>,
    sites: &[Site],
    mut record: impl FnMut(&CopyPair, Property, CopyAnswer<'a>),
) {
    let pairs = copy_pairs(cx, sites);
    let question = |pair: &CopyPair, budget: &Budget| between(cx, pair, budget);
    asked(cx, &pairs, question, |pair, some| {
        for (property, answer) in some {
            record(pair, property, answer);
        }
    });
}

/// Whether a run of the block's warps has told all that can be said of the pair within a block. Of
/// a copy it knows the place in shared memory, whether or not it knows the one in global memory.
fn is_traced(cx: &Cx<'_>, pair: &CopyPair) -> bool {
    let named = cx.shared::<Named>();
    let knows = |op: OpId, object: ObjectId| {
        let is_copy = matches!(cx.kernel[op].kind, OpKind::AsyncCopy(_));
        let is_shared = cx.kernel[object].space == Space::Shared;
        named.settles(op) || is_copy && is_shared && named.is_settled()
    };
    let object = pair.other.object();
    knows(pair.part.flight.copy, pair.part.address.object)
        && pair.other.ops().into_iter().all(|op| knows(op, object))
}

/// Answers for all pairs of a copy and what its own issuer does.
pub(crate) fn by_the_issuer<'a>(
    cx: &'a Cx<'_>,
    sites: &[Site],
    mut record: impl FnMut(&CopyPair, CopyAnswer<'a>),
) {
    let mut pairs = copy_pairs(cx, sites);
    pairs.retain(|pair| !is_traced(cx, pair));
    let one = |pair: &CopyPair, budget: &Budget| {
        let itself = ask(cx, pair, Placement::SameThread, Other::Itself, budget);
        vec![(Property::AsyncCopies, itself)]
    };
    asked(cx, &pairs, one, |pair, some| {
        for (_, answer) in some {
            record(pair, answer);
        }
    });
}

fn asked<'a>(
    cx: &'a Cx<'_>,
    pairs: &[CopyPair],
    question: impl Fn(&CopyPair, &Budget) -> Vec<Placed<'a>> + Send + Sync,
    mut told: impl FnMut(&CopyPair, Vec<Placed<'a>>),
) {
    let mut units = cx.options.budget.units;
    let mut open = 0;
    for some in pairs.chunks(PAIRS_AT_A_TIME) {
        let spent_all = open > OPEN_PAIRS;
        let budget = cx.options.budget.divided(if open > 4 { 4 } else { 1 });
        let share = if spent_all { 0 } else { units.min(cx.options.budget.units / SHARES) };
        let about = |pair: &CopyPair| {
            let other = pair.other.ops().into_iter();
            [pair.part.flight.copy].into_iter().chain(other).collect()
        };
        let answers = cx.answers("copies", some, about, |pair| {
            let share = Share::of(&budget, share);
            (question(pair, &share.budget), share.spent())
        });
        for (pair, (answers, spent)) in some.iter().zip(answers) {
            units = units.saturating_sub(spent);
            let is_open = |(_, it): &Placed<'_>| !matches!(it, CopyAnswer::Apart(_));
            open += usize::from(answers.iter().any(is_open));
            told(pair, answers);
        }
    }
}

/// The same where one of the two is a copy of the whole block.
fn between_groups<'a>(cx: &'a Cx<'_>, pair: &CopyPair, budget: &Budget) -> Vec<Placed<'a>> {
    let ask = |placement, other| ask(cx, pair, placement, other, budget);
    let mut all = Vec::new();
    let within = match &pair.other {
        Meeting::Accesses(_) if is_of_group(pair.part.flight) => {
            let other = Other::GroupCopy(pair.part.address.object);
            match ask(Placement::SameBlock, other) {
                CopyAnswer::Apart(held) => {
                    all.push((Property::IntraWarpRace, CopyAnswer::Apart(held.clone())));
                    Some(CopyAnswer::Apart(held))
                }
                found if cx.launch.warp_size.is_none() => Some(found),
                CopyAnswer::Meet(_) | CopyAnswer::Open(_) => {
                    all.push((Property::IntraWarpRace, ask(Placement::SameWarp, other)));
                    Some(ask(Placement::DifferentWarps, other))
                }
            }
        }
        Meeting::Accesses(_) => None,
        // Two copies of the block meet for each of its threads alike: `async-copies`.
        Meeting::Copy(other) if is_of_group(pair.part.flight) && is_of_group(other.flight) => None,
        Meeting::Copy(_) => Some(CopyAnswer::Open(UnknownReason::undecided(
            "copies of the whole block and of single threads were not compared",
        ))),
    };
    all.extend(within.map(|answer| (Property::IntraBlockRace, answer)));
    if pair.crosses_blocks(cx.kernel) {
        let across = ask(Placement::DifferentBlocks, Other::Thread(Level::Grid));
        all.push((Property::InterBlockRace, across));
    }
    all
}

fn between<'a>(cx: &'a Cx<'_>, pair: &CopyPair, budget: &Budget) -> Vec<Placed<'a>> {
    let group = |part: &Part| is_of_group(part.flight);
    if group(&pair.part) || matches!(&pair.other, Meeting::Copy(other) if group(other)) {
        return between_groups(cx, pair, budget);
    }
    let is_traced = is_traced(cx, pair);
    let asks = |placement, level| ask(cx, pair, placement, Other::Thread(level), budget);
    let mut all = Vec::new();
    if !is_traced {
        match asks(Placement::SameBlock, Level::Block) {
            CopyAnswer::Apart(held) => {
                all.push((Property::IntraBlockRace, CopyAnswer::Apart(held.clone())));
                all.push((Property::IntraWarpRace, CopyAnswer::Apart(held)));
            }
            found if cx.launch.warp_size.is_none() => all.push((Property::IntraBlockRace, found)),
            CopyAnswer::Meet(_) | CopyAnswer::Open(_) => {
                let block = asks(Placement::DifferentWarps, Level::Block);
                all.push((Property::IntraBlockRace, block));
                let warp = asks(Placement::SameWarp, Level::Warp);
                all.push((Property::IntraWarpRace, warp));
            }
        }
        if pair.other.is_by_warp(cx.kernel) && cx.launch.warp_size.is_some() {
            // Another lane touches the row whose address the issuer gives.
            let answer = match asks(Placement::SameThread, Level::Warp) {
                CopyAnswer::Apart(held) => CopyAnswer::Apart(held),
                CopyAnswer::Open(why) => CopyAnswer::Open(why),
                CopyAnswer::Meet(_) => CopyAnswer::Open(UnknownReason::undecided(
                    "other lanes touch the row whose address a thread gives",
                )),
            };
            all.push((Property::IntraWarpRace, answer));
        }
    }
    let traced = is_traced && cx.shared::<Named>().speaks_for_grid();
    if pair.crosses_blocks(cx.kernel) && !traced {
        all.push((Property::InterBlockRace, asks(Placement::DifferentBlocks, Level::Grid)));
    }
    all
}

/// Adds an answer to the obligations of its property; the finding, if it is refuted.
pub(crate) fn record(
    cx: &Cx<'_>,
    obligations: &mut Obligations,
    pair: &CopyPair,
    answer: CopyAnswer<'_>,
) -> Option<Finding> {
    let obligation = obligations.open();
    match answer {
        CopyAnswer::Apart(held) => {
            obligations.discharge(obligation, held.evidence());
            None
        }
        CopyAnswer::Open(why) => {
            let (words, meets) = (words(cx, pair), meets(pair));
            let text = format!("could not tell whether {words} {meets}: {}", why.why);
            obligations.give_up(obligation, why.as_cause_of(reason(cx, pair, text)));
            None
        }
        CopyAnswer::Meet(mut candidate) => {
            if let Some(by) = may_be_ordered(cx, &Flags::default(), &mut candidate) {
                let line = cx.places.op(cx.kernel, by).line();
                let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
                let (words, meets) = (words(cx, pair), meets(pair));
                let text = format!(
                    "{words} {meets} that may be under way, unless synchronization that is not followed{line} orders them"
                );
                obligations.give_up(obligation, reason(cx, pair, text));
                return None;
            }
            let want = match candidate.placement {
                Placement::SameThread => Want::OwnCopy(candidate.ops),
                Placement::SameBlock
                | Placement::SameWarp
                | Placement::DifferentWarps
                | Placement::DifferentBlocks
                | Placement::SameCluster
                | Placement::DifferentClusters => Want::Race(candidate.ops, candidate.placement),
            };
            let model = candidate.model.clone();
            let shown = show(cx, &mut candidate.instance, model, want);
            if shown.confirmation != Confirmation::Confirmed {
                let (words, what) = (words(cx, pair), under_way(pair));
                let text = format!(
                    "{words} may meet {what} that is under way; the run that was tried does not show it"
                );
                obligations.give_up(obligation, reason(cx, pair, text));
                return None;
            }
            let told = told(cx, pair, &candidate, &shown);
            shown.close(obligations, obligation, told, |why, through| {
                let (words, what) = (words(cx, pair), under_way(pair));
                let text = format!("{words} may meet {what}{through} ({why})");
                reason(cx, pair, text)
            })
        }
    }
}

fn words(cx: &Cx<'_>, pair: &CopyPair) -> String {
    let name = &cx.kernel[pair.part.address.object].name;
    let what = match (&pair.other, pair.part.flight.reads) {
        (Meeting::Copy(part), _) if part.is_operand() => "an operand of a matrix product",
        (Meeting::Copy(_), _) if pair.part.is_operand() => "a copy",
        (Meeting::Accesses(_), true) if pair.part.is_operand() => "a write to an operand",
        (Meeting::Copy(_), _) => "another copy",
        (Meeting::Accesses(_), true) => "a write to what is copied",
        (Meeting::Accesses(_), false) => "an access",
    };
    format!("{what} on `{name}`")
}

/// What is under way of the two.
fn under_way(pair: &CopyPair) -> &'static str {
    if pair.part.is_operand() { "a matrix product" } else { "a copy" }
}

fn meets(pair: &CopyPair) -> String {
    format!("meets {}", under_way(pair))
}

fn reason(cx: &Cx<'_>, pair: &CopyPair, text: String) -> Reason {
    let at = cx.places.op(cx.kernel, pair.other.op());
    let issued = cx.places.op(cx.kernel, pair.part.flight.copy).line();
    let text = match issued {
        Some(line) if at.line() != Some(line) => {
            let what = if pair.part.is_operand() { "product" } else { "copy" };
            format!("{text}; the {what} is issued at line {line}")
        }
        Some(_) | None => text,
    };
    Reason::new(Code::Undecided, text).at(at)
}

/// What the other does, and where.
fn side<'k>(kernel: &'k Kernel, meeting: &'k Meeting) -> (&'static str, &'k Address) {
    match meeting {
        Meeting::Copy(part) if part.is_operand() => ("read by a matrix product", &part.address),
        Meeting::Copy(part) if part.flight.reads => ("copied from", &part.address),
        Meeting::Copy(part) => ("copied to", &part.address),
        Meeting::Accesses(site) => {
            let access = kernel.access(site.op).expect("a site is an access");
            let verb = match access.kind {
                AccessKind::Load => "read",
                AccessKind::Store(_) => "written",
                AccessKind::Atomic(..) => "changed by an atomic",
            };
            (verb, &access.address)
        }
    }
}

/// The finding, as its run shows it.
fn told(cx: &Cx<'_>, pair: &CopyPair, candidate: &Candidate<'_>, shown: &Shown) -> Finding {
    let kernel = cx.kernel;
    let (mut witness, [x, y]) = finding::witness(cx, candidate, shown);
    let (verb, address) = side(kernel, &pair.other);
    let bytes = name_of_bytes(kernel, address, x.max(y));
    let name = &kernel[address.object].name;
    let (code, whose) = match candidate.placement {
        Placement::SameThread => (Code::CopyUnderWay, "its own thread"),
        Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
            (Code::InterBlockRace, "a thread of another block")
        }
        Placement::SameWarp | Placement::SameBlock | Placement::DifferentWarps => {
            (Code::IntraBlockRace, "another thread")
        }
    };
    let what = match pair.part.flight.reads {
        true if pair.part.is_operand() => "an operand of a matrix product",
        true => "the source of a copy",
        false => "the destination of a copy",
    };
    let message = format!("{what} that is under way is {verb} by {whose}: `{bytes}` of `{name}`");
    witness.bytes = Some(bytes);
    let places = candidate.ops.map(|op| cx.places.op(kernel, op));
    let at = [(&pair.part.address, x), (address, y)]
        .map(|(address, offset)| name_of_bytes(kernel, address, offset));
    let [issuer, other] = witness.threads;
    let issue = match pair.part.flight.reads {
        true if pair.part.is_operand() => format!("product with `{}`", at[0]),
        true => format!("copy from `{}`", at[0]),
        false => format!("copy to `{}`", at[0]),
    };
    Finding::new(code, message)
        .kernel(kernel.display_name.as_str())
        .label(places[0].clone(), format!("{issue} issued by {issuer}"))
        .label(places[1].clone(), format!("`{}` {verb} by {other}", at[1]))
        .primary(1)
        .help(help(cx, pair, candidate))
        .witness(witness, shown.confirmation.clone())
}

/// What would order the two.
fn help(cx: &Cx<'_>, pair: &CopyPair, candidate: &Candidate<'_>) -> String {
    let own = candidate.placement == Placement::SameThread;
    if is_of_group(pair.part.flight) {
        return match candidate.placement {
            Placement::SameThread => {
                "wait for the event of the copy before: `wait_group_events(1, &event)`".to_owned()
            }
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                "let each work-group copy to bytes of its own: nothing orders work-groups".to_owned()
            }
            Placement::SameBlock | Placement::SameWarp | Placement::DifferentWarps => {
                "put a barrier between the access and the copy: a copy waits for no work-item before it begins, and waiting for it orders nothing else".to_owned()
            }
        };
    }
    let line = |op: OpId| cx.places.op(cx.kernel, op).line();
    let mut waits = Vec::new();
    cx.kernel.for_each_op(|op, _| {
        if let OpKind::AsyncWait { mechanism, pending, .. } = cx.kernel[op].kind
            && mechanism == pair.part.flight.mechanism
        {
            waits.push((line(op), cx.kernel.exprs.as_const(pending)));
        }
    });
    let enough = "completes a group only if more groups than the wait leaves pending were committed after it";
    let barrier = "a barrier after that wait (`__syncthreads()`) tells the other threads";
    let wait = match pair.part.flight.mechanism {
        AsyncMechanism::BulkGroup => "`cp.async.bulk.wait_group 0`",
        AsyncMechanism::Matrix => "`wgmma.commit_group` and `wgmma.wait_group 0`",
        AsyncMechanism::Tensor => "`tcgen05.commit`, and a wait for its phase",
        AsyncMechanism::CpAsync | AsyncMechanism::BulkMbarrier | AsyncMechanism::WorkGroupEvent => {
            "`cp.async.wait_group 0`, or `__pipeline_wait_prior(0)`"
        }
    };
    match (waits.as_slice(), own) {
        ([], true) => format!("wait before: {wait}"),
        ([], false) => format!("let the issuer wait first ({wait}); {barrier}"),
        ([(Some(line), Some(n)), ..], true) => {
            format!("the wait at line {line} leaves {n} newer groups pending; a wait {enough}")
        }
        ([(Some(line), Some(n)), ..], false) => format!(
            "the wait at line {line} leaves {n} newer groups pending and is for its own thread alone: a wait {enough}, and {barrier}"
        ),
        (_, true) => format!("a wait {enough}"),
        (_, false) => format!("a wait {enough}, and {barrier}"),
    }
}
