//! Asynchronous copies: nothing meets the bytes of a copy that is still under way.
//!
//! **What**: pairs of a part of a copy, what it writes or what it reads, and a later access or
//! copy; by another thread, for the race properties, or by the issuer, for `async-copies`.
//! **Method**: two questions per pair and placement. Is there no barrier between the two, in either
//! order, as for accesses that are done at the issue ([`state_unordered`])? And, where barriers are
//! between them: is the copy not over when the other comes ([`crate::engine::pending`])?
//! **Sound because**: a copy touches its bytes after its issue and before its issuer's completing
//! wait (PTX ISA, 9.7.9.25). An access before the issue is ordered to it by a barrier alone, one
//! after it only by that wait and a barrier after the wait; the issuer itself by the wait. No other
//! order is believed: neither locks nor tickets, as a copy outlives the section it is issued in.
//! A copy of the whole block is begun by any of its threads and over for each that has waited for
//! it: what a thread does after its own issue is asked of that thread alone (`async-copies`), what
//! it does before is a race unless a barrier lies between ([`Other::GroupCopy`]).
//! Of copies that complete by barrier objects the phase tells who comes before and after.
//! **Misses**: of those, copies whose phase is not known: they are left to the trace
//! (`named_barriers`), or open.
//! **Assumes**: what [`crate::engine::pending`] does.

mod operand;
mod part;
mod relied;

use heddle_ir::{
    Access, AsyncMechanism, ExprId, ExprKind, Kernel, ObjectId, ObjectKind, OpId, OpKind, Space,
};
use heddle_solver::Budget;

use self::operand::state_other_warpgroup;
pub(crate) use self::part::Part;
use self::part::parts;
pub(crate) use self::relied::relied_on;
use super::overlap::state_meeting;
use super::pair::{self, Candidate};
use super::site::{Site, grouped_sites};
use crate::engine::answer::{Held, UnknownReason};
use crate::engine::cx::Cx;
use crate::engine::instance::{FrameId, Instance, Placement};
use crate::engine::pending::{
    Flight, Later, Other, Way, coarse_ways, has_phase, is_left, is_left_later, is_over, state_way,
    ways_on,
};
use crate::engine::settle::{Failing, Seek, Settled, settle};
use crate::engine::unordered::state_unordered;
use crate::facts::analysis::Analysis;
use crate::facts::order::{Level, Relation};

/// What may meet a part of a copy.
#[derive(Clone, Debug)]
pub(crate) enum Meeting {
    /// Accesses that one question can be asked about.
    Accesses(Site),
    /// A part of a copy, at its issue.
    Copy(Part),
}

/// A part of a copy, and what may meet it.
#[derive(Clone, Debug)]
pub(crate) struct CopyPair {
    pub(crate) part: Part,
    pub(crate) other: Meeting,
    /// Asked of the kernel in which nests of loops are single loops ([`Cx::flat`]).
    flat: bool,
}

/// What came of a pair.
#[derive(Debug)]
pub(crate) enum CopyAnswer<'a> {
    /// The two do not meet while the copy is under way.
    Apart(Held),
    /// They do, in a model.
    Meet(Box<Candidate<'a>>),
    /// Could not be told, and why.
    Open(UnknownReason),
}

/// Whether the ways of a copy to its end are followed here: of bulk copies, those whose size the
/// program says (a tensor map is the host's), and of those that complete by a barrier object, those
/// whose phase is known.
pub(crate) fn is_followed(cx: &Cx<'_>, op: OpId) -> bool {
    is_followed_in(cx.following(op), op)
}

fn is_followed_in(analysis: &Analysis<'_>, op: OpId) -> bool {
    let OpKind::AsyncCopy(copy) = &analysis.kernel[op].kind else { return false };
    let is_sized = !matches!(analysis.kernel[copy.size].kind, ExprKind::Undef(_));
    match copy.mechanism {
        AsyncMechanism::CpAsync | AsyncMechanism::WorkGroupEvent => true,
        AsyncMechanism::BulkGroup => is_sized,
        AsyncMechanism::Matrix => analysis.kernel[copy.source.object].kind != ObjectKind::Unknown,
        AsyncMechanism::Tensor => {
            let is_known = analysis.kernel[copy.source.object].kind != ObjectKind::Unknown;
            is_known && analysis.phases().fill(op).is_some()
        }
        AsyncMechanism::BulkMbarrier => {
            let phases = analysis.phases();
            phases.fill(op).is_some() && (is_sized || phases.box_of(op).is_some())
        }
    }
}

/// Whether a copy is one of the whole block.
pub(crate) fn is_of_group(flight: Flight) -> bool {
    flight.mechanism == AsyncMechanism::WorkGroupEvent
}

/// Copies of the whole block, and waits for them, in the order of the text.
pub(crate) fn collectives(kernel: &Kernel) -> Vec<OpId> {
    let mut all = Vec::new();
    kernel.for_each_op(|op, _| match &kernel[op].kind {
        OpKind::EventWait(_) => all.push(op),
        OpKind::AsyncCopy(copy) if copy.event.is_some() => all.push(op),
        OpKind::AsyncCopy(_)
        | OpKind::Access(_)
        | OpKind::Barrier(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::CrossLane(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_)
        | OpKind::Opaque(_) => {}
    });
    all
}

/// The pairs of which one writes and that may be of one object.
pub(crate) fn copy_pairs(cx: &Cx<'_>, sites: &[Site]) -> Vec<CopyPair> {
    let mut pairs = pairs_in(&cx.analysis, sites);
    if let Some(flat) = cx.flat() {
        let is_new = |copy: OpId| std::ptr::eq(cx.following(copy), flat);
        let of_flat = pairs_in(flat, &grouped_sites(flat.kernel)).into_iter();
        let of_flat = of_flat.map(|it| CopyPair { flat: true, ..it });
        pairs.extend(of_flat.filter(|it| it.copies().any(is_new)));
    }
    pairs
}

fn pairs_in(analysis: &Analysis<'_>, sites: &[Site]) -> Vec<CopyPair> {
    let kernel = analysis.kernel;
    let parts = parts(analysis);
    let mut pairs = Vec::new();
    for part in &parts {
        let accesses = sites.iter().cloned().map(Meeting::Accesses);
        let copies = parts.iter().cloned().map(Meeting::Copy);
        for other in accesses.chain(copies) {
            let writes = !part.flight.reads || other.writes();
            if part.combines && other.combines() {
                // Each element of the two is combined as one.
                continue;
            }
            if writes && kernel.may_alias(part.address.object, other.object()) {
                pairs.push(CopyPair { part: part.clone(), other, flat: false });
            }
        }
    }
    pairs
}

impl Meeting {
    /// The operation, or the first of several.
    pub(crate) fn op(&self) -> OpId {
        match self {
            Meeting::Accesses(site) => site.op,
            Meeting::Copy(part) => part.flight.copy,
        }
    }

    pub(crate) fn ops(&self) -> Vec<OpId> {
        match self {
            Meeting::Accesses(site) => site.members.iter().map(|(op, _)| *op).collect(),
            Meeting::Copy(part) => vec![part.flight.copy],
        }
    }

    pub(crate) fn object(&self) -> ObjectId {
        match self {
            Meeting::Accesses(site) => site.object,
            Meeting::Copy(part) => part.address.object,
        }
    }

    fn writes(&self) -> bool {
        match self {
            Meeting::Accesses(site) => site.writes,
            Meeting::Copy(part) => !part.flight.reads,
        }
    }

    fn combines(&self) -> bool {
        match self {
            Meeting::Accesses(_) => false,
            Meeting::Copy(part) => part.combines,
        }
    }

    /// Whether lanes other than the one that gives the address may do it.
    pub(crate) fn is_by_warp(&self, kernel: &Kernel) -> bool {
        let by_warp = |op: &OpId| kernel.access(*op).is_some_and(|it: &Access| it.by_warp);
        self.ops().iter().any(by_warp)
    }

    fn bytes(&self, instance: &mut Instance<'_>, frame: FrameId) -> (ExprId, ExprId) {
        match self {
            Meeting::Accesses(site) => pair::bytes(instance, site, frame),
            Meeting::Copy(part) => part.bytes(instance, frame),
        }
    }
}

impl CopyPair {
    /// The copy, and the other one if there are two.
    fn copies(&self) -> impl Iterator<Item = OpId> {
        let other = match &self.other {
            Meeting::Copy(part) => Some(part.flight.copy),
            Meeting::Accesses(_) => None,
        };
        [Some(self.part.flight.copy), other].into_iter().flatten()
    }

    /// The operand among the two, if one is.
    pub(crate) fn operand(&self) -> Option<&Part> {
        let other = match &self.other {
            Meeting::Copy(part) => Some(part),
            Meeting::Accesses(_) => None,
        };
        [Some(&self.part), other].into_iter().flatten().find(|it| it.is_operand())
    }

    /// The same, of an operand with the bytes that are read for certain.
    fn for_sure(&self) -> CopyPair {
        let mut pair = self.clone();
        pair.part.sure = true;
        if let Meeting::Copy(part) = &mut pair.other {
            part.sure = true;
        }
        pair
    }

    /// The pair by halves of its accesses, where those are several.
    fn halves(&self) -> Option<[CopyPair; 2]> {
        let Meeting::Accesses(site) = &self.other else { return None };
        (site.members.len() > 1).then(|| {
            site.halves().map(|half| CopyPair { other: Meeting::Accesses(half), ..self.clone() })
        })
    }

    /// Whether threads of different blocks may meet there.
    pub(crate) fn crosses_blocks(&self, kernel: &Kernel) -> bool {
        let is_seen = |object: ObjectId| match kernel[object].space {
            Space::Global | Space::Generic => true,
            Space::Shared | Space::Local | Space::Constant => false,
        };
        is_seen(self.part.address.object) && is_seen(self.other.object())
    }
}

/// Pairs of single operations that meet or stay open, before the rest of a group is left.
const OPEN_SINGLES: usize = 4;

/// Asks about a pair: as a whole, then by halves.
pub(crate) fn ask<'a>(
    cx: &'a Cx<'_>,
    pair: &CopyPair,
    placement: Placement,
    other: Other,
    budget: &Budget,
) -> CopyAnswer<'a> {
    let flat = cx.flat().filter(|_| pair.flat);
    let is_atomic =
        matches!(&pair.other, Meeting::Accesses(site) if site.atomic.is_some() && site.writes);
    let why_open = match flat {
        Some(_) => Some("no run was made of what is known of loops inside loops"),
        None if pair.part.combines && is_atomic => Some(
            "reductions in bulk and atomics of threads are not known to be atomic to each other",
        ),
        None => None,
    };
    match (ask_in(flat.unwrap_or(&cx.analysis), pair, placement, other, budget), why_open) {
        (CopyAnswer::Meet(_), Some(why)) => CopyAnswer::Open(UnknownReason::undecided(why)),
        (answer, _) => answer,
    }
}

fn ask_in<'a>(
    analysis: &'a Analysis<'a>,
    pair: &CopyPair,
    placement: Placement,
    other: Other,
    budget: &Budget,
) -> CopyAnswer<'a> {
    let mut held = Held::at_once();
    let mut open: Option<UnknownReason> = None;
    let mut work = vec![pair.clone()];
    let mut singles = 0;
    while let Some(pair) = work.pop() {
        match ask_one(analysis, &pair, placement, other, budget) {
            CopyAnswer::Apart(by) => held = held.and(by),
            CopyAnswer::Meet(_) if pair.operand().is_some() => {
                // Which bytes between the first and the last one are read is in its layout.
                match ask_one(analysis, &pair.for_sure(), placement, other, budget) {
                    CopyAnswer::Meet(candidate) => return CopyAnswer::Meet(candidate),
                    CopyAnswer::Apart(_) | CopyAnswer::Open(_) => {
                        let text = "it may be of the bytes up to which the operand reaches";
                        open = Some(UnknownReason::undecided(text));
                    }
                }
            }
            CopyAnswer::Meet(candidate) => return CopyAnswer::Meet(candidate),
            CopyAnswer::Open(why) => match pair.halves() {
                Some(halves) if singles < OPEN_SINGLES => work.extend(halves),
                Some(_) | None => {
                    singles += 1;
                    open = Some(why);
                }
            },
        }
    }
    match open {
        Some(why) => CopyAnswer::Open(why),
        None => CopyAnswer::Apart(held),
    }
}

/// How many times as hard a question about an operand may be.
const HARDER: u64 = 4;

/// What the question about a pair has made.
struct Made {
    frames: [FrameId; 2],
    offsets: [ExprId; 2],
}

fn ask_one<'a>(
    analysis: &'a Analysis<'a>,
    pair: &CopyPair,
    placement: Placement,
    other: Other,
    budget: &Budget,
) -> CopyAnswer<'a> {
    let CopyPair { part, other: meeting, flat: _ } = pair;
    let kernel = analysis.kernel;
    // Two counts modulo the stages of a ring, in an order that depends on each other.
    let conflicts = budget.conflicts * if pair.operand().is_some() { HARDER } else { 1 };
    let budget = &Budget { conflicts, ..budget.clone() };
    let ops = [part.flight.copy, meeting.op()];
    let one_object = part.address.object == meeting.object()
        && !matches!(
            kernel[part.address.object].kind,
            ObjectKind::Unknown | ObjectKind::Pointee(_)
        );
    let single = meeting.ops().len() == 1;
    let seek = if one_object && single { Seek::Run } else { Seek::Any };
    let meet = |instance: &mut Instance<'a>, frames: [FrameId; 2]| {
        let bytes = [part.bytes(instance, frames[0]), meeting.bytes(instance, frames[1])];
        let of_warpgroup = pair.copies().any(|op| kernel.is_of_warpgroup(op));
        if part.sure && of_warpgroup && placement != Placement::SameThread {
            // A product begins when all of the warpgroup have come to it, and is over for all when
            // it is for one: what others of the group do is not known to meet it.
            state_other_warpgroup(instance);
        }
        if one_object {
            state_meeting(instance, part.address.object, bytes);
        }
        Made { frames, offsets: bytes.map(|(offset, _)| offset) }
    };
    let mut held = Held::at_once();
    let mut conclude = |settled: Settled<'a, Made>| match settled {
        Settled::Holds(by) => {
            held = held.clone().and(by);
            None
        }
        Settled::Open(why) => Some(CopyAnswer::Open(why)),
        Settled::Fails(_) if !one_object => Some(CopyAnswer::Open(UnknownReason::undecided(
            "what a pointer leads to could not be told",
        ))),
        Settled::Fails(_) if !single => Some(CopyAnswer::Open(UnknownReason::undecided(
            "one question for several accesses did not do",
        ))),
        Settled::Fails(failing) => {
            let Failing { instance, model, made: Made { frames, offsets } } = *failing;
            let candidate =
                Candidate { instance, model, ops, frames, offsets, placement, may_agree: false };
            Some(CopyAnswer::Meet(Box::new(candidate)))
        }
    };
    if let Other::Thread(level) = other {
        for relation in analysis.order.relations(ops[0], ops[1], level) {
            if analysis.order.obviously_ordered(kernel, ops[0], ops[1], relation, level) {
                continue;
            }
            let settled = settle(analysis, placement, seek, budget, |instance| {
                let frames = at_issue(instance, ops, level, relation);
                state_not_by_phase(instance, pair, frames);
                meet(instance, frames)
            });
            if let Some(answer) = conclude(settled) {
                return answer;
            }
        }
    }
    // A copy of the whole block is asked about from the access on.
    let (flight, later) = match other {
        Other::GroupCopy(_) => (Flight { copy: ops[1], ..part.flight }, Later::Op(ops[0])),
        Other::Itself | Other::Thread(_) => (part.flight, Later::Op(ops[1])),
    };
    let in_flight = |way: &Way, seek: Seek| {
        settle(analysis, placement, seek, budget, |instance| {
            let [first, second] = state_way(instance, flight, later, other, way);
            let frames = match other {
                Other::GroupCopy(_) => [second, first],
                Other::Itself | Other::Thread(_) => [first, second],
            };
            state_not_by_phase(instance, pair, frames);
            meet(instance, frames)
        })
    };
    // Most pairs are of other bytes in all iterations, whatever has been waited for.
    for coarse in coarse_ways(analysis, flight, later, other) {
        if let Settled::Holds(by) = in_flight(&coarse, Seek::Any) {
            conclude(Settled::Holds(by));
            continue;
        }
        for way in ways_on(analysis, flight, later, other, coarse) {
            if let Some(answer) = conclude(in_flight(&way, seek)) {
                return answer;
            }
        }
    }
    CopyAnswer::Apart(held)
}

/// States that no phase of a barrier object orders the end of a copy and the other, either way.
fn state_not_by_phase(instance: &mut Instance<'_>, pair: &CopyPair, frames: [FrameId; 2]) {
    let issues = (pair.part.flight.copy, frames[0]);
    let other = (pair.other.op(), frames[1]);
    let analysis = instance.analysis;
    let by_phase = |part: &Part| has_phase(analysis, part.flight);
    let mut ordered = instance.pool.falsity();
    if by_phase(&pair.part) {
        ordered = is_over(instance, issues, (Some(other.0), other.1));
    }
    let before = match &pair.other {
        Meeting::Copy(part) if part.is_operand() => {
            let over = match by_phase(part) {
                true => is_over(instance, other, (Some(issues.0), issues.1)),
                false => instance.pool.falsity(),
            };
            let left = is_left_later(instance, (part.flight, other.1), issues);
            instance.pool.or(over, left)
        }
        Meeting::Copy(part) if by_phase(part) && pair.part.is_operand() => {
            let over = is_over(instance, other, (Some(issues.0), issues.1));
            let left = is_left_later(instance, (pair.part.flight, issues.1), other);
            instance.pool.or(over, left)
        }
        Meeting::Accesses(_) if by_phase(&pair.part) => is_left(instance, other, issues),
        Meeting::Copy(part) if by_phase(part) => {
            is_over(instance, other, (Some(issues.0), issues.1))
        }
        Meeting::Accesses(_) | Meeting::Copy(_) => instance.pool.falsity(),
    };
    let ordered = instance.pool.or(ordered, before);
    let apart = instance.pool.not(ordered);
    instance.state(apart);
}

/// States that the copy is issued, and the other done, with no barrier in between.
fn at_issue(
    instance: &mut Instance<'_>,
    ops: [OpId; 2],
    level: Level,
    relation: Relation,
) -> [FrameId; 2] {
    let frames = pair::frames(instance, ops[0], ops[1], level, relation);
    instance.state_placement();
    for (op, frame) in ops.into_iter().zip(frames) {
        instance.state_executed(op, frame);
    }
    state_unordered(instance, (ops[0], frames[0]), (ops[1], frames[1]), relation, level);
    frames
}
