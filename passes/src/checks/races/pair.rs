//! One pair of accesses, one placement of two threads: ordered, racy, or open.
//!
//! A model may have a run that the program's language excludes; the pair is asked again without
//! such runs then ([`super::ruled_out`]).

use heddle_diagnostics::{Assumption, Evidence, Method};
use heddle_ir::{Access, AccessKind, CastOp, CmpOp, ExprId, ObjectId, ObjectKind, OpId, Remote};
use heddle_solver::{Budget, Model};

use super::agree::state_different_stores;
use super::aligned::{Anchor, Promises, residues, state_distance};
use super::branches::Branches;
use super::flags::Flags;
use super::locks::Locks;
use super::overlap::{extent_of, in_bounds, state_meeting, state_meeting_behind_pointers};
use super::ruled_out::{Asked, Known, Made, is_inside, is_run, settle_pair};
use super::site::{Site, grouped_sites};
use super::ticket::state_tickets;
use super::winners::state_winners;
use crate::engine::answer::{Held, UnknownReason};
use crate::engine::cx::Cx;
use crate::engine::instance::{FrameId, Instance, Placement, Read};
use crate::engine::settle::{Failing, Seek, Settled};
use crate::engine::sums::{places_of, state_sums};
use crate::engine::unordered::state_unordered;
use crate::facts::analysis::Analysis;
use crate::facts::journal::Note;
use crate::facts::order::{Level, Relation};
use crate::facts::thread::Thread;

/// What orders accesses beside barriers.
#[derive(Debug)]
pub(crate) struct OtherOrders {
    pub(super) locks: Locks,
    pub(super) flags: Flags,
    pub(super) branches: Branches,
    promises: Promises,
}

impl OtherOrders {
    pub(crate) fn of(cx: &Cx<'_>) -> OtherOrders {
        let flags = Flags::of(&cx.analysis, &cx.options.budget);
        let branches = Branches::of(cx.kernel, &grouped_sites(cx.kernel));
        let locks = Locks::of(&cx.analysis, &cx.options.budget);
        OtherOrders { locks, flags, branches, promises: Promises::new(&cx.options.budget) }
    }

    /// Why a pair needs no question of its own, where that is known.
    pub(super) fn held(&self, cx: &Cx<'_>, pair: &[Site; 2], placement: Placement) -> Option<Held> {
        let ops = [pair[0].op, pair[1].op];
        self.branches.held(cx, pair).or_else(|| self.flags.held(cx, ops, placement))
    }
}

/// What came of a pair.
#[derive(Debug)]
pub(crate) enum PairAnswer<'a> {
    /// No two threads touch a common byte there, unordered.
    Disjoint(Held),
    /// Two threads do, and whenever two do, both store the same value.
    Benign(Box<Candidate<'a>>, Evidence),
    /// Two threads do.
    Race(Box<Candidate<'a>>),
    /// Could not be told, and why.
    Open(UnknownReason),
}

impl PairAnswer<'_> {
    fn words(&self) -> String {
        match self {
            PairAnswer::Disjoint(held) => held.words(),
            PairAnswer::Benign(..) => "they meet, and store the same value".to_owned(),
            PairAnswer::Race(_) => "they may meet".to_owned(),
            PairAnswer::Open(why) => format!("open: {}", why.why),
        }
    }
}

/// A model of a race.
#[derive(Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) instance: Instance<'a>,
    pub(crate) model: Model,
    pub(crate) ops: [OpId; 2],
    pub(crate) frames: [FrameId; 2],
    pub(crate) offsets: [ExprId; 2],
    pub(crate) placement: Placement,
    /// Whether the two store different values could not be told: only a run shows it.
    pub(crate) may_agree: bool,
}

impl Candidate<'_> {
    /// Whether the model rests on values that are not followed.
    pub(crate) fn rests_on_guesses(&self) -> bool {
        self.instance.rests_on_guesses()
    }
}

/// Asks about one pair, in each way in which the iterations of the two can relate. A race in one of
/// them is the answer; stores of one value are only if that holds in all of them.
pub(crate) fn ask_pair<'a>(
    analysis: &'a Analysis<'a>,
    orders: &OtherOrders,
    a: &Site,
    b: &Site,
    placement: Placement,
    level: Level,
    budget: &Budget,
) -> PairAnswer<'a> {
    let mut held = Held::at_once();
    let mut open = None;
    let mut benign = None;
    for relation in analysis.order.relations(a.op, b.op, level) {
        if analysis.order.obviously_ordered(analysis.kernel, a.op, b.op, relation, level) {
            analysis.journal.note(|| {
                let words = [placement.words(), relation.words()].join(", ");
                Note::Text(format!("{words}: a barrier stands between them (structure)"))
            });
            continue;
        }
        let answer = analysis.journal.within(
            || ([placement.words(), relation.words()].join(", "), Vec::new()),
            || {
                // What is open in one way is open: in others only a run is looked for.
                let of_run = open.is_some().then(|| budget.for_a_run());
                let budget = of_run.as_ref().unwrap_or(budget);
                ask(analysis, orders, a, b, placement, level, relation, budget)
            },
            |answer| Some(answer.words()),
        );
        match answer {
            PairAnswer::Disjoint(by) => held = held.and(by),
            PairAnswer::Benign(candidate, evidence) => {
                benign = Some(match benign {
                    None => (candidate, evidence),
                    Some((first, so_far)) => (first, evidence.and(&so_far)),
                });
            }
            PairAnswer::Race(candidate) => return PairAnswer::Race(candidate),
            PairAnswer::Open(why) => open = Some(why),
        }
    }
    match (open, benign) {
        (Some(why), _) => PairAnswer::Open(why),
        (None, Some((candidate, evidence))) => {
            PairAnswer::Benign(candidate, evidence.and(&held.evidence()))
        }
        (None, None) => PairAnswer::Disjoint(held),
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of one question")]
fn ask<'a>(
    analysis: &'a Analysis<'a>,
    orders: &OtherOrders,
    a: &Site,
    b: &Site,
    placement: Placement,
    level: Level,
    relation: Relation,
    budget: &Budget,
) -> PairAnswer<'a> {
    let ops = [a.op, b.op];
    let place = a.place();
    let one_object = place == b.place() && analysis.kernel[place].kind != ObjectKind::Unknown;
    // Of a group the first operation stands for all, but not for where each is between fences.
    let single = a.members.len() == 1 && b.members.len() == 1;
    let shown = one_object && single && !may_agree(analysis, ops);
    let seek = if shown { Seek::Run } else { Seek::Any };
    let size = one_object.then(|| analysis.launch.given_size_of(place)).flatten();
    let is_named = |it: &Site| one_object && it.remote.is_none();
    let anchors = [a, b].map(|it| if is_named(it) { Anchor::of(analysis, it) } else { None });
    let anchored = anchors.iter().all(Option::is_some);
    let known = Known { ops, size, anchored, may_show: one_object && single };
    let is_kept = |found: bool| {
        let promises = [(a, anchors[0]), (b, anchors[1])];
        let promises = promises.into_iter().filter_map(|(site, anchor)| Some((site, anchor?)));
        for promise in promises {
            if !orders.promises.is_kept(analysis, promise, found)? {
                return Some(false);
            }
        }
        Some(true)
    };
    let meet = |instance: &mut Instance<'a>, asked: Asked| {
        let frames = frames(instance, a.op, b.op, level, relation);
        instance.state_placement();
        for (op, frame) in ops.into_iter().zip(frames) {
            instance.state_executed(op, frame);
        }
        state_unordered(instance, (a.op, frames[0]), (b.op, frames[1]), relation, level);
        let bytes = [(a, frames[0]), (b, frames[1])].map(|(site, at)| bytes(instance, site, at));
        for (op, frame) in ops.into_iter().zip(frames).filter(|_| asked.in_arrays) {
            for fact in instance.subscripts(op, frame) {
                instance.state(fact);
            }
            let last = match asked.fits {
                true => instance.subscripts_of_last(op, frame),
                false => Vec::new(),
            };
            for fact in last {
                instance.state(fact);
            }
            instance.rely_on(Assumption::IndicesInArrays);
        }
        if asked.anywhere {
            for (op, frame) in ops.into_iter().zip(frames) {
                for fact in instance.untrapped(op, frame) {
                    instance.state(fact);
                }
            }
        } else if one_object && matches!(analysis.kernel[place].kind, ObjectKind::Pointee(_)) {
            state_meeting_behind_pointers(instance, ops, frames, bytes);
        } else if one_object {
            state_meeting(instance, place, bytes);
            state_one_block(instance, [(a, frames[0]), (b, frames[1])]);
        }
        if let ([Some(a), Some(b)], true) = (anchors, asked.apart) {
            state_distance(instance, [(a, frames[0]), (b, frames[1])]);
        }
        let anchored = anchors.into_iter().zip(frames).filter(|_| single);
        let anchored: Vec<_> = anchored.filter_map(|(it, frame)| Some((it?, frame))).collect();
        let aligned = residues(instance, &anchored);
        let ordered = |instance: &mut Instance<'a>, by: &str, state: &dyn Fn(&mut Instance<'a>)| {
            let before = instance.facts().len();
            state(instance);
            if instance.facts().len() > before {
                let text = || format!("what {by} keep apart is stated");
                analysis.journal.note(|| Note::Text(text()));
            }
        };
        ordered(instance, "tickets (results of atomics)", &|it| {
            state_tickets(it, single.then_some(ops), budget);
        });
        if single {
            ordered(instance, "locks", &|it| state_locks(it, &orders.locks, ops, frames));
            let before = instance.facts().len();
            ordered(instance, "flags", &|it| orders.flags.state(it, ops, frames));
            // Whoever waits for a flag may be the one who sets it; a round that sets it may have
            // drawn a ticket.
            let flagged = instance.facts().len() > before;
            ordered(instance, "words that one alone changes", &|it| match flagged {
                true => state_tickets(it, None, budget),
                false => state_winners(it),
            });
        }
        ordered(instance, "sums over the threads of a block", &|it| {
            let places = places_of(it, ops, frames);
            state_sums(it, &places);
        });
        if let Some(size) = size.filter(|_| asked.inside) {
            for bytes in bytes {
                let fact = is_inside(instance, size, bytes);
                instance.state(fact);
            }
            instance.rely_on(Assumption::Given(size.text.clone()));
        }
        for fact in aligned.iter().filter(|_| asked.aligned) {
            instance.state(*fact);
        }
        state_elements_inside(instance, ops, frames);
        instance.state_places_apart(budget);
        instance.state_counts_of_bits();
        Made { frames, bytes, aligned }
    };
    let candidate = |failing: Failing<'a, Made>| {
        let Failing { instance, model, made: Made { frames, bytes, .. } } = failing;
        let offsets = bytes.map(|(offset, _)| offset);
        Box::new(Candidate { instance, model, ops, frames, offsets, placement, may_agree: false })
    };
    let mut failing = match settle_pair(analysis, (placement, seek, budget), known, is_kept, meet) {
        Settled::Holds(held) => return PairAnswer::Disjoint(held),
        Settled::Open(why) => return PairAnswer::Open(why),
        Settled::Fails(_) if !one_object => {
            return PairAnswer::Open(UnknownReason::undecided(
                "what a pointer leads to could not be told",
            ));
        }
        Settled::Fails(_) if !single => {
            let why = "one question for several accesses did not do";
            return PairAnswer::Open(UnknownReason::undecided(why));
        }
        Settled::Fails(failing) => *failing,
    };
    if !may_agree(analysis, ops) {
        return PairAnswer::Race(candidate(failing));
    }
    // They meet; the run that is wanted is one in which they leave different values.
    let differ = |instance: &mut Instance<'a>, asked: Asked| {
        let made = meet(instance, asked);
        state_different_stores(instance, ops, made.frames, budget);
        made
    };
    let harmful = settle_pair(analysis, (placement, Seek::Run, budget), known, is_kept, differ);
    match harmful {
        Settled::Holds(held) => {
            PairAnswer::Benign(candidate(failing), held.evidence_by(Method::SameValue))
        }
        Settled::Fails(harmful) => PairAnswer::Race(candidate(*harmful)),
        Settled::Open(why) if !is_run(&mut failing, ops) => PairAnswer::Open(why),
        Settled::Open(_) => {
            let met = candidate(failing);
            PairAnswer::Race(Box::new(Candidate { may_agree: true, ..*met }))
        }
    }
}

/// States that two accesses to shared memory, of which one names a block of the cluster, go to that
/// of one block.
fn state_one_block(instance: &mut Instance<'_>, pair: [(&Site, FrameId); 2]) {
    if pair.iter().all(|(site, _)| site.remote.is_none()) {
        return;
    }
    let [one, two] = pair.map(|(site, frame)| match &site.remote {
        Some(remote) => instance.at(frame, remote.rank),
        None => instance.cluster_rank(frame),
    });
    let same = instance.pool.eq(one, two);
    instance.state(same);
}

/// States that no lock that both threads hold is the same.
fn state_locks(instance: &mut Instance<'_>, locks: &Locks, ops: [OpId; 2], frames: [FrameId; 2]) {
    for same in locks.keep_apart(instance, ops, frames) {
        let another = instance.pool.not(same);
        instance.state(another);
    }
}

/// Frames inside all loops of the two operations, with the iteration numbers the relation says.
pub(super) fn frames(
    instance: &mut Instance<'_>,
    a: OpId,
    b: OpId,
    level: Level,
    relation: Relation,
) -> [FrameId; 2] {
    let analysis = instance.analysis;
    let (equal, apart) = match relation {
        Relation::Same => (analysis.order.common(a, b, level), None),
        Relation::Apart { depth, first, distance } => (depth, Some((first, distance))),
    };
    let mut frames = [instance.root(Thread::One), instance.root(Thread::Two)];
    let chains = [analysis.order.chain(a), analysis.order.chain(b)];
    for &of in &chains[0][..equal] {
        let k = instance.iteration_symbol(of, None);
        frames = frames.map(|frame| instance.enter(frame, of, k));
    }
    let mut from = equal;
    if let Some((first, distance)) = apart {
        let of = chains[0][equal];
        let earlier = instance.iteration_symbol(of, Some(first));
        let later = if distance == 1 {
            instance.shift_iteration(earlier, 1)
        } else {
            let second = if first == Thread::One { Thread::Two } else { Thread::One };
            let later = instance.iteration_symbol(of, Some(second));
            let after = instance.shift_iteration(earlier, 2);
            let far = instance.pool.cmp(CmpOp::Ule, after, later);
            instance.state(far);
            later
        };
        for thread in [Thread::One, Thread::Two] {
            let k = if thread == first { earlier } else { later };
            let side = thread.index();
            frames[side] = instance.enter(frames[side], of, k);
        }
        from += 1;
    }
    for thread in [Thread::One, Thread::Two] {
        let side = thread.index();
        for &of in &chains[side][from..] {
            let k = instance.iteration_symbol(of, Some(thread));
            frames[side] = instance.enter(frames[side], of, k);
        }
    }
    frames
}

/// States that the elements which the two threads read, on the way to their accesses, of arrays of
/// which something is said lie in these: as the two accesses, they are taken to stay in their
/// objects.
pub(super) fn state_elements_inside(
    instance: &mut Instance<'_>,
    ops: [OpId; 2],
    frames: [FrameId; 2],
) {
    let analysis = instance.analysis;
    let is_said = |instance: &Instance<'_>, object: ObjectId| {
        instance.arrays().iter().any(|it| it.object == object)
    };
    let reads: Vec<Read> =
        instance.reads().iter().filter(|it| is_said(instance, it.object)).copied().collect();
    for read in reads {
        for (op, frame) in ops.into_iter().zip(frames) {
            let (chain, around) = (analysis.order.chain(op), analysis.order.chain(read.op));
            if !chain.starts_with(around)
                || !analysis.order.before(read.op, op)
                || instance.outer(frame, chain.len() - around.len()) != read.frame
            {
                continue;
            }
            let done = instance.at(read.frame, analysis.kernel[read.op].pred);
            let size = u128::from(instance.pool.width(read.value).div_ceil(8));
            let size = instance.pool.constant(size, 64);
            let extent = extent_of(analysis, read.object);
            let inside = in_bounds(&mut instance.pool, read.offset, size, extent);
            let fact = instance.pool.implies(done, inside);
            instance.state(fact);
        }
    }
}

fn access<'k>(instance: &Instance<'k>, op: OpId) -> &'k Access {
    instance.analysis.kernel.access(op).expect("a site is an access")
}

/// Offset and size of an access, or of all accesses of a group.
pub(super) fn bytes(instance: &mut Instance<'_>, site: &Site, frame: FrameId) -> (ExprId, ExprId) {
    let access = access(instance, site.op);
    let size = instance.at(frame, access.size);
    if let Some(remote) = &site.remote {
        return (distance(instance, remote, frame), size);
    }
    match site.template() {
        Some(template) => (template.offset(instance, frame), size),
        None => (instance.at(frame, access.address.offset), size),
    }
}

/// How far into its object an access to another block's memory goes.
fn distance(instance: &mut Instance<'_>, remote: &Remote, frame: FrameId) -> ExprId {
    let terms: Vec<_> = remote.distance.iter().map(|it| instance.at(frame, *it)).collect();
    let pool = &mut instance.pool;
    match terms.into_iter().reduce(|sum, term| pool.add(sum, term)) {
        Some(sum) => pool.cast(CastOp::Sext, sum, 64),
        None => pool.constant(0, 64),
    }
}

/// Whether two operations are plain stores of equally many values of the same widths, which may be
/// the same.
fn may_agree(analysis: &Analysis<'_>, ops: [OpId; 2]) -> bool {
    let kernel = analysis.kernel;
    let [one, two] = ops.map(|op| kernel.access(op).map(|access| &access.kind));
    let (Some(AccessKind::Store(x)), Some(AccessKind::Store(y))) = (one, two) else {
        return false;
    };
    let widths = |values: &[ExprId]| -> Vec<u8> {
        values.iter().map(|value| kernel.exprs.width(*value)).collect()
    };
    !x.is_empty() && widths(x) == widths(y)
}
