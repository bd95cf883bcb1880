//! One pair of accesses, one placement of two threads: ordered, racy, or open.

use heddle_ir::{Access, AccessKind, CmpOp, ExprId, ObjectKind, OpId};
use heddle_solver::{Answer, Budget, Method, Model};

use super::locks::Locks;
use super::overlap::{in_bounds, overlap};
use super::site::Site;
use super::ticket::state_tickets;
use crate::analysis::Analysis;
use crate::instance::{FrameId, Instance, Placement, Thread};
use crate::order::{Level, Relation};
use crate::question::Doubt;

/// What came of a pair.
#[derive(Debug)]
pub(crate) enum PairAnswer<'a> {
    /// No two threads touch a common byte there, unordered.
    Disjoint {
        /// The costliest method it took.
        by: Method,
        /// It took the assumption that index arithmetic does not wrap around.
        no_wrap: bool,
        /// It took the assumption that counters start at zero and do not wrap around.
        counters: bool,
    },
    /// Two threads do.
    Race(Box<Candidate<'a>>),
    /// Could not be told, and why.
    Open(Doubt),
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
    /// Both store, at equal places, values that are equal in every model.
    pub(crate) benign: bool,
}

impl Candidate<'_> {
    /// Whether the model rests on values that are not followed.
    pub(crate) fn rests_on_guesses(&self) -> bool {
        self.instance.rests_on_guesses()
    }
}

/// Asks about one pair.
pub(crate) fn ask_pair<'a>(
    analysis: &'a Analysis<'a>,
    locks: &Locks,
    a: &Site,
    b: &Site,
    placement: Placement,
    level: Level,
    budget: &Budget,
) -> PairAnswer<'a> {
    let mut hardest = Method::Simplification;
    let mut no_wrap = false;
    let mut counters = false;
    let mut open = None;
    for relation in analysis.order.relations(a.op, b.op, level) {
        if analysis.order.obviously_ordered(analysis.kernel, a.op, b.op, relation, level) {
            continue;
        }
        let exact = ask(analysis, locks, a, b, placement, level, relation, false, budget);
        let settled = match exact {
            PairAnswer::Disjoint { .. } => exact,
            PairAnswer::Race(_) | PairAnswer::Open(_) if analysis.launch.closed => exact,
            // Where sizes are open, a model that needs an index to wrap around 2^32 is not the one a
            // person looks for.
            PairAnswer::Race(_) | PairAnswer::Open(_) => {
                match ask(analysis, locks, a, b, placement, level, relation, true, budget) {
                    PairAnswer::Open(_) => exact,
                    other => other,
                }
            }
        };
        match settled {
            PairAnswer::Disjoint { by, no_wrap: assumed, counters: relied } => {
                hardest = hardest.max(by);
                no_wrap |= assumed;
                counters |= relied;
            }
            PairAnswer::Race(_) => return settled,
            PairAnswer::Open(why) => open = Some(why),
        }
    }
    match open {
        Some(why) => PairAnswer::Open(why),
        None => PairAnswer::Disjoint { by: hardest, no_wrap, counters },
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of one question")]
fn ask<'a>(
    analysis: &'a Analysis<'a>,
    locks: &Locks,
    a: &Site,
    b: &Site,
    placement: Placement,
    level: Level,
    relation: Relation,
    no_wrap: bool,
    budget: &Budget,
) -> PairAnswer<'a> {
    let mut instance = Instance::new(analysis, placement, no_wrap);
    let frames = frames(&mut instance, a.op, b.op, level, relation);
    instance.state_placement();
    let ops = [a.op, b.op];
    for (op, frame) in ops.into_iter().zip(frames) {
        instance.state_executed(op, frame);
    }
    analysis.order.state_unordered(
        &mut instance,
        (a.op, frames[0]),
        (b.op, frames[1]),
        relation,
        level,
    );
    let [x, y] =
        [(a, frames[0]), (b, frames[1])].map(|(site, frame)| bytes(&mut instance, site, frame));
    let same_object = a.object == b.object;
    if same_object && analysis.kernel[a.object].kind != ObjectKind::Unknown {
        let size = analysis.kernel[a.object].size;
        for (offset, size_of_access) in [x, y] {
            let inside = in_bounds(&mut instance.pool, offset, size_of_access, size);
            instance.state(inside);
        }
        let meet = overlap(&mut instance.pool, x, y);
        instance.state(meet);
    }
    // Of a group the first operation stands for all, but not for where each is between fences.
    let single = a.members.len() == 1 && b.members.len() == 1;
    state_tickets(&mut instance, single.then_some(ops));
    if single {
        state_locks(&mut instance, locks, ops, frames);
    }
    match instance.ask(&[], budget) {
        Answer::Unsat(by) => {
            PairAnswer::Disjoint { by, no_wrap, counters: instance.relies_on_counters }
        }
        Answer::Unknown(why) => PairAnswer::Open(Doubt::of_solver(&why)),
        Answer::Sat(model) => {
            if !same_object || analysis.kernel[a.object].kind == ObjectKind::Unknown {
                return PairAnswer::Open(Doubt::undecided(
                    "what a pointer leads to could not be told",
                ));
            }
            if !single {
                return PairAnswer::Open(Doubt::undecided(
                    "one question for several accesses did not do",
                ));
            }
            let model = instance.smaller_model(budget).unwrap_or(model);
            let benign = is_benign(&mut instance, ops, frames, budget);
            PairAnswer::Race(Box::new(Candidate {
                instance,
                model,
                ops,
                frames,
                offsets: [x.0, y.0],
                placement,
                benign,
            }))
        }
    }
}

/// States that no lock that both threads hold is the same.
fn state_locks(instance: &mut Instance<'_>, locks: &Locks, ops: [OpId; 2], frames: [FrameId; 2]) {
    for [one, two] in locks.keep_apart(instance, ops, frames) {
        let another = instance.pool.ne(one, two);
        instance.state(another);
    }
}

/// Frames inside all loops of the two operations, with the iteration numbers the relation says.
fn frames(
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

fn access<'k>(instance: &Instance<'k>, op: OpId) -> &'k Access {
    instance.analysis.kernel.access(op).expect("a site is an access")
}

/// Offset and size of an access, or of all accesses of a group.
fn bytes(instance: &mut Instance<'_>, site: &Site, frame: FrameId) -> (ExprId, ExprId) {
    let access = access(instance, site.op);
    let size = instance.at(frame, access.size);
    match site.template() {
        Some(template) => (template.offset(instance, frame), size),
        None => (instance.at(frame, access.address.offset), size),
    }
}

/// Whether both are plain stores of the same bytes with the same values, whenever they meet.
fn is_benign(
    instance: &mut Instance<'_>,
    ops: [OpId; 2],
    frames: [FrameId; 2],
    budget: &Budget,
) -> bool {
    let [one, two] = ops.map(|op| access(instance, op));
    let (AccessKind::Store(x), AccessKind::Store(y)) = (&one.kind, &two.kind) else { return false };
    if x.is_empty() || x.len() != y.len() {
        return false;
    }
    let mut differs = instance.pool.falsity();
    let pairs = x
        .iter()
        .zip(y)
        .map(|(x, y)| (*x, *y))
        .chain([(one.address.offset, two.address.offset), (one.size, two.size)]);
    for (x, y) in pairs {
        let (x, y) = (instance.at(frames[0], x), instance.at(frames[1], y));
        if instance.pool.width(x) != instance.pool.width(y) {
            return false;
        }
        let apart = instance.pool.ne(x, y);
        differs = instance.pool.or(differs, apart);
    }
    instance.ask(&[differs], budget).is_unsat()
}
