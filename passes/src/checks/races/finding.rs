//! What is said of a race.

use heddle_diagnostics::{Code, Dim3, Finding, Place, Property, Reason, Witness};
use heddle_ir::{
    Access, AccessKind, Address, Barrier, ExprKind, Kernel, OpId, OpKind, Orders, Remote, Space,
};

use super::pair::Candidate;
use super::site::Site;
use crate::engine::answer::UnknownReason;
use crate::engine::cx::Cx;
use crate::engine::instance::{Placement, evaluate};
use crate::engine::shown::Shown;
use crate::engine::witness::{iterations, loops_of_both, name_of_bytes};
use crate::facts::order::Level;

/// The finding of a race, as its run shows it.
pub(super) fn race(cx: &Cx<'_>, candidate: &Candidate<'_>, shown: &Shown) -> Finding {
    let kernel = cx.kernel;
    let ops = candidate.ops;
    let [one, two] = ops.map(|op| access(cx, op));
    let (mut witness, [x, y]) = witness(cx, candidate, shown);
    let meeting = x.max(y);
    let [place, other] = [one, two].map(|it| place(kernel, it));
    let bytes = name_of_bytes(kernel, &place, meeting);
    let name = &kernel[place.object].name;
    let (code, among) = match candidate.placement {
        Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
            (Code::InterBlockRace, "threads of different blocks race")
        }
        Placement::SameWarp if relies_on_warps(cx, ops) => {
            (Code::IntraWarpRace, "threads of one warp race")
        }
        Placement::SameWarp
        | Placement::SameThread
        | Placement::SameBlock
        | Placement::DifferentWarps => (Code::IntraBlockRace, "threads of one block race"),
    };
    let what = |access: &Access| match access.kind {
        AccessKind::Load => "read",
        AccessKind::Store(_) => "write",
        AccessKind::Atomic(..) => "atomic",
    };
    let verbs = match (what(one), what(two)) {
        (a, b) if a == b => format!("two {a}s"),
        (a, b) => format!("{a} and {b}"),
    };
    witness.bytes = Some(bytes.clone());
    witness.interval = interval(cx, ops, candidate.placement);
    let places = ops.map(|op| cx.places.op(kernel, op));
    let mut finding =
        Finding::new(code, format!("{among} on `{name}`: {verbs} of `{bytes}` without an order"))
            .kernel(kernel.display_name.as_str());
    let sides = [(one, place, x), (two, other, y)];
    for (side, (access, place, offset)) in sides.into_iter().enumerate() {
        let at = name_of_bytes(kernel, &place, offset);
        let who = witness.threads[side];
        let whose = match place == access.address {
            true => "",
            false => ", in the memory of a block of its cluster,",
        };
        let text = format!("{} of `{at}`{whose} by {who}", what(access));
        finding = finding.label(places[side].clone(), text);
    }
    finding = finding.primary(primary(cx, ops, &places));
    let in_step = witness.iterations.iter().all(|it| it.of[0] == it.of[1]);
    finding = finding.help(help(cx, candidate, &places, in_step));
    finding.witness(witness, shown.confirmation.clone())
}

/// The run in which the two meet, and the offset of each.
pub(super) fn witness(
    cx: &Cx<'_>,
    candidate: &Candidate<'_>,
    shown: &Shown,
) -> (Witness, [u64; 2]) {
    let ops = candidate.ops;
    let mut witness = shown.run.witness(&candidate.instance);
    let offsets = match &shown.parties {
        // The threads that met in the replay, which need not be the model's.
        Some(parties) => {
            for (thread, party) in witness.threads.iter_mut().zip(parties) {
                thread.block = dim(party.block);
                thread.thread = dim(party.tid);
            }
            [parties[0].offset, parties[1].offset]
        }
        None => candidate.offsets.map(|it| evaluate(&candidate.instance, &shown.model, it) as u64),
    };
    witness.iterations = iterations(
        &candidate.instance,
        &shown.model,
        ops.map(|op| cx.analysis.order.chain(op)),
        candidate.frames,
    );
    if let Some(parties) = &shown.parties {
        for iteration in &mut witness.iterations {
            iteration.of = [None, None];
        }
        let chains = ops.map(|op| cx.analysis.order.chain(op));
        let loops = loops_of_both(chains);
        for (iteration, of) in witness.iterations.iter_mut().zip(loops) {
            for side in [0, 1] {
                let at = chains[side].iter().position(|it| *it == of);
                iteration.of[side] = at.and_then(|at| parties[side].iterations.get(at).copied());
            }
        }
    }
    (witness, offsets)
}

/// One finding per pair of lines and kind: unrolled code races at the same lines many times, and
/// where the threads of one block race, that blocks race too says nothing new, nor that some of the
/// stores agree.
pub(crate) fn one_per_lines(findings: Vec<(Property, Finding)>) -> Vec<(Property, Finding)> {
    let lines = |finding: &Finding| {
        let mut places: Vec<_> =
            finding.labels.iter().map(|it| (it.place.file(), it.place.line())).collect();
        if places.iter().any(|(_, line)| line.is_none()) {
            return None;
        }
        places.sort_by_key(|(_, line)| *line);
        places.dedup();
        Some(places)
    };
    let mut kept: Vec<(Property, Finding)> = Vec::new();
    let rank = |code: Code| match code {
        Code::IntraBlockRace => 0,
        Code::IntraWarpRace => 1,
        Code::BenignRace => 3,
        Code::InterBlockRace => 2,
        Code::UnmodelledInstruction
        | Code::Undecided
        | Code::CopyUnderWay
        | Code::CollectiveCopy
        | Code::CopyNotWaitedFor
        | Code::CopyAbandoned
        | Code::BudgetSpent
        | Code::BarrierDivergence
        | Code::NamedBarrierDeadlock
        | Code::EarlyReturnBeforeBarrier
        | Code::BarrierRecycled
        | Code::BarrierArrivals
        | Code::BarrierPhase
        | Code::PartialWarpBarrier
        | Code::OutOfBounds
        | Code::UninitialisedShared
        | Code::AssertionFails
        | Code::ProgressNeeded
        | Code::Livelock
        | Code::Deadlock
        | Code::BadInput
        | Code::UselessSuppression
        | Code::InternalError => 4,
    };
    let mut ordered = findings;
    // Of several pairs on the same lines the one that stands first in the text is told.
    ordered.sort_by_key(|(_, finding)| {
        (rank(finding.code), finding.place().and_then(|place| place.line()))
    });
    for (property, finding) in ordered {
        let key = lines(&finding);
        let again = key.is_some() && kept.iter().any(|(_, it)| lines(it) == key);
        if !again {
            kept.push((property, finding));
        }
    }
    kept
}

fn dim(it: [u32; 3]) -> Dim3 {
    Dim3::new(it[0], it[1], it[2])
}

/// The note for two stores of one value.
pub(super) fn benign(cx: &Cx<'_>, candidate: &Candidate<'_>) -> Finding {
    let kernel = cx.kernel;
    let ops = candidate.ops;
    let name = &kernel[place(kernel, access(cx, ops[0])).object].name;
    let places = ops.map(|op| cx.places.op(kernel, op));
    let mut finding = Finding::new(
        Code::BenignRace,
        format!("several threads may store the same value to `{name}` without an order"),
    )
    .kernel(kernel.display_name.as_str())
    .label(places[0].clone(), "stored here");
    if places[0] != places[1] {
        finding = finding.label(places[1].clone(), "and here");
    }
    finding.note("the stored values are equal whenever two threads store to the same bytes; `--benign=error` treats this as a race")
}

/// A pair that the solver left open.
pub(super) fn undecided(cx: &Cx<'_>, pair: &[Site; 2], open: &UnknownReason) -> Reason {
    let name = name(cx, pair);
    let text = format!("could not tell whether two threads race on {name}: {}", open.why);
    open.as_cause_of(reason(cx, pair, text))
}

/// A pair with a model that no run shows; it may rest on values that the analysis does not follow.
pub(super) fn unconfirmed(cx: &Cx<'_>, pair: &[Site; 2], why: &str, through: &str) -> Reason {
    let text = format!(
        "two threads may race on {}{through}; the run that was tried does not show it ({why})",
        name(cx, pair)
    );
    reason(cx, pair, text)
}

/// A pair of stores of which no run shows that they are of different values.
pub(super) fn may_agree(cx: &Cx<'_>, pair: &[Site; 2]) -> Reason {
    unconfirmed(cx, pair, "whether they store different values could not be told", "")
}

/// A pair that something not modelled may order.
pub(super) fn maybe_ordered(cx: &Cx<'_>, pair: &[Site; 2], by: OpId) -> Reason {
    let what = match cx.kernel[by].kind.effects().orders {
        Some(Orders::Barrier(barrier)) => match barrier {
            Barrier::Named { .. } => "a named barrier",
            Barrier::Mbarrier { .. } => "a barrier object",
            Barrier::Cluster { .. } => "a cluster barrier",
            Barrier::Block { .. } | Barrier::Warp { .. } | Barrier::Grid => "a barrier",
        },
        // A volatile access orders only together with a fence.
        Some(Orders::Fence(..) | Orders::Access(..)) | None => {
            "a fence with an atomic or volatile access"
        }
        Some(Orders::Copies) => "a copy",
        Some(Orders::NotModelled) => "an instruction that is not modelled",
    };
    let line = cx.places.op(cx.kernel, by).line();
    let place = line.map(|line| format!(" (line {line})")).unwrap_or_default();
    let text = format!(
        "two threads race on {} unless {what}{place} orders them, which is not followed",
        name(cx, pair)
    );
    reason(cx, pair, text)
}

fn reason(cx: &Cx<'_>, pair: &[Site; 2], text: String) -> Reason {
    let ops = [pair[0].op, pair[1].op];
    let places = ops.map(|op| cx.places.op(cx.kernel, op));
    let at = primary(cx, ops, &places);
    let other = places[1 - at].line();
    let text = match other {
        Some(line) if places[at].line() != Some(line) => {
            format!("{text}; the other access is at line {line}")
        }
        _ => text,
    };
    Reason::new(Code::Undecided, text).at(places[at].clone())
}

fn name(cx: &Cx<'_>, pair: &[Site; 2]) -> String {
    format!("`{}`", cx.kernel[pair[0].place()].name)
}

fn access<'k>(cx: &Cx<'k>, op: OpId) -> &'k Access {
    cx.kernel.access(op).expect("a site is an access")
}

/// The write; of two writes the one first in the text.
fn primary(cx: &Cx<'_>, ops: [OpId; 2], places: &[Place; 2]) -> usize {
    let writes = ops.map(|op| access(cx, op).writes());
    match writes {
        [true, false] => 0,
        [false, true] => 1,
        _ => usize::from(places[1].line() < places[0].line()),
    }
}

/// Whether the code was written for the order inside a warp: warp barriers, exchanges
/// among lanes, or volatile accesses.
fn relies_on_warps(cx: &Cx<'_>, ops: [OpId; 2]) -> bool {
    ops.iter().any(|op| access(cx, *op).volatile)
        || cx.kernel.ops.values().any(|op| {
            matches!(op.kind, OpKind::Barrier(Barrier::Warp { .. }) | OpKind::CrossLane(_))
        })
}

/// Where an access goes, also one to the shared memory of another block.
fn place(kernel: &Kernel, access: &Access) -> Address {
    let object = Remote::of(kernel, access).map_or(access.address.object, |it| it.object);
    Address { object, ..access.address }
}

/// The barriers around the earlier access, in words.
fn interval(cx: &Cx<'_>, ops: [OpId; 2], placement: Placement) -> Option<String> {
    let level = match placement {
        Placement::SameCluster => Level::Cluster,
        Placement::DifferentBlocks | Placement::DifferentClusters => {
            let text = "the whole launch: nothing orders threads of different blocks";
            return Some(text.to_owned());
        }
        Placement::SameBlock
        | Placement::SameWarp
        | Placement::SameThread
        | Placement::DifferentWarps => Level::Block,
    };
    let first = if cx.analysis.order.before(ops[0], ops[1]) { ops[0] } else { ops[1] };
    let mut before = None;
    let mut after = None;
    cx.kernel.for_each_op(|op, _| {
        if cx.analysis.order.separates(cx.kernel, op, level) {
            if cx.analysis.order.before(op, first) {
                before = Some(op);
            } else if after.is_none() {
                after = Some(op);
            }
        }
    });
    let line = |op: Option<OpId>| op.and_then(|op| cx.places.op(cx.kernel, op).line());
    Some(match (line(before), line(after)) {
        (Some(a), Some(b)) => format!("between the barriers at line {a} and line {b}"),
        (Some(a), None) => format!("from the barrier at line {a} to the end of the kernel"),
        (None, Some(b)) => format!("from the start of the kernel to the barrier at line {b}"),
        (None, None) if level == Level::Cluster => {
            "the whole kernel: there is no barrier of the cluster".to_owned()
        }
        (None, None) => "the whole kernel: there is no barrier".to_owned(),
    })
}

/// What would order the two, which happen in the same iterations of their loops or not.
fn help(cx: &Cx<'_>, candidate: &Candidate<'_>, places: &[Place; 2], in_step: bool) -> String {
    let opencl = cx.kernel.target.opencl;
    let shared =
        cx.kernel[place(cx.kernel, access(cx, candidate.ops[0])).object].space == Space::Shared;
    let lines = match (places[0].line(), places[1].line()) {
        (Some(a), Some(b)) if a != b => {
            format!("between line {} and line {}", a.min(b), a.max(b))
        }
        (Some(a), _) => format!("around line {a}"),
        (None, _) => "between the two accesses".to_owned(),
    };
    if candidate.placement == Placement::SameCluster {
        return format!("`cluster.sync()` (`barrier.cluster`) {lines} would order them");
    }
    if candidate.placement.is_across() {
        let how = "make the blocks touch different elements, use an atomic, or split the kernel in two launches";
        return how.to_owned();
    }
    let [one, other] = candidate.ops;
    let updates = in_step && (is_update(cx, one, other) || is_update(cx, other, one));
    if one == other || updates {
        return "make the threads touch different elements, or use an atomic".to_owned();
    }
    if candidate.placement == Placement::SameWarp && relies_on_warps(cx, candidate.ops) {
        return format!("`__syncwarp()` {lines} would order them");
    }
    if opencl {
        let flag = if shared { "CLK_LOCAL_MEM_FENCE" } else { "CLK_GLOBAL_MEM_FENCE" };
        return format!("`barrier({flag})` {lines} would order them");
    }
    format!("`__syncthreads()` {lines} would order them")
}

/// Whether one operation writes back what it makes of what the other read there: a barrier between
/// the two would lose updates all the same.
fn is_update(cx: &Cx<'_>, read: OpId, write: OpId) -> bool {
    let (from, to) = (access(cx, read), access(cx, write));
    let AccessKind::Store(values) = &to.kind else { return false };
    let mut found = false;
    for value in values {
        cx.kernel.exprs.for_each_below(*value, |it| {
            found |= matches!(cx.kernel[it].kind, ExprKind::Result(op, _) if op == read);
        });
    }
    found && from.address == to.address
}
