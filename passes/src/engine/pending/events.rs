//! What the issuer of a copy comes to on a way: commits, waits, barriers and returns, in order.
//!
//! **Does not**: ask whether they are executed, but for those that plainly are
//! ([`Map::is_plainly_over`]).

use heddle_ir::{AsyncMechanism, Barrier, Ending, ExprId, ExprKind, Item, LoopId, OpId, OpKind};

use super::{Map, Other, Turns, Way};
use crate::facts::order::{Level, implies};

/// Where events are followed, the number of iterations looked at of loops beside the way.
const ROUNDS_BESIDE: u32 = 4;

/// An iteration of a loop, as the issuer counts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// So many after that of the issue.
    OfCopy(u32),
    /// This one.
    At(u32),
    /// The one that the access is in.
    OfAccess,
}

/// Something the issuer comes to on the way, in the iterations of the loops around.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) path: Vec<(LoopId, Turn)>,
    pub(super) kind: EventKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EventKind {
    /// Copies so far become a group.
    Commit(OpId),
    /// All groups but the last `pending` are waited for.
    Wait {
        /// The wait.
        op: OpId,
        /// The groups that may stay under way.
        pending: ExprId,
        /// For what they read only.
        read_only: bool,
    },
    /// The copies of some events are waited for.
    EventWait(OpId),
    /// A store to an array that events are in.
    Store(OpId),
    /// A load of one.
    Load(OpId),
    /// What such arrays hold is not known from here on.
    Forgets,
    /// A barrier that orders the two threads.
    Barrier(OpId),
    /// The thread may return.
    Returns(OpId),
    /// The loop goes on after the path's innermost iteration.
    GoesOn(LoopId),
    /// The loop is entered.
    Enters(LoopId),
    /// A loop beside the way, in which threads may return.
    MayReturn,
    /// What follows is in the first iterations of a loop beside the way, where it is entered.
    Opens(LoopId),
    /// What follows is in the next iteration, where there is one.
    Continues(LoopId),
    /// What follows is after the loop.
    Closes,
}

impl Map<'_> {
    /// What the issuer comes to after the issue, as far as the way says it.
    pub(super) fn events(&self, way: &Way) -> Vec<Event> {
        let order = &self.analysis.order;
        let copy = self.flight.copy;
        let [of_copy, of_access] = self.chains();
        let shared = way.shared();
        let mut events = Vec::new();
        let mut path: Vec<(LoopId, Turn)> =
            of_copy.iter().map(|of| (*of, Turn::OfCopy(0))).collect();
        for depth in (shared + 1..=of_copy.len()).rev() {
            let items = self.items(of_copy, depth);
            self.add(&mut events, &path, &items[order.index(copy, depth) + 1..]);
            let (Turns::Exactly(n) | Turns::AtLeast(n)) = way.leaves[depth - 1 - shared];
            for turn in 1..=n {
                self.go_on(&mut events, &path);
                self.turn(&mut path, Turn::OfCopy(turn));
                self.add(&mut events, &path, items);
            }
            self.skip(&mut events, &path, way.leaves[depth - 1 - shared]);
            path.pop();
        }
        let items = self.items(of_copy, shared);
        let from = order.index(copy, shared) + 1;
        let until = self.index_of_later(shared);
        match way.ahead {
            None => self.add(&mut events, &path, &items[from..until]),
            Some(Turns::Exactly(n) | Turns::AtLeast(n)) => {
                self.add(&mut events, &path, &items[from..]);
                for turn in 1..n {
                    self.go_on(&mut events, &path);
                    self.turn(&mut path, Turn::OfCopy(turn));
                    self.add(&mut events, &path, items);
                }
                self.go_on(&mut events, &path);
                self.skip(&mut events, &path, way.ahead.unwrap_or(Turns::AtLeast(0)));
                self.turn(&mut path, Turn::OfAccess);
                self.add(&mut events, &path, &items[..until]);
            }
        }
        for (depth, of) in of_access.iter().enumerate().skip(shared) {
            events.push(Event { path: path.clone(), kind: EventKind::Enters(*of) });
            let items = self.items(of_access, depth + 1);
            path.push((*of, Turn::At(0)));
            let (Turns::Exactly(n) | Turns::AtLeast(n)) = way.enters[depth - shared];
            for turn in 0..n {
                self.turn(&mut path, Turn::At(turn));
                self.add(&mut events, &path, items);
                self.go_on(&mut events, &path);
            }
            self.skip(&mut events, &path, way.enters[depth - shared]);
            self.turn(&mut path, Turn::OfAccess);
            self.add(&mut events, &path, &items[..self.index_of_later(depth + 1)]);
        }
        events
    }

    /// Iterations that are not listed.
    fn skip(&self, events: &mut Vec<Event>, path: &[(LoopId, Turn)], turns: Turns) {
        if let Turns::AtLeast(_) = turns {
            events.push(Event { path: path.to_vec(), kind: EventKind::Forgets });
        }
    }

    fn turn(&self, path: &mut [(LoopId, Turn)], to: Turn) {
        if let Some((_, turn)) = path.last_mut() {
            *turn = to;
        }
    }

    fn go_on(&self, events: &mut Vec<Event>, path: &[(LoopId, Turn)]) {
        if let Some((of, _)) = path.last() {
            events.push(Event { path: path.to_vec(), kind: EventKind::GoesOn(*of) });
        }
    }

    /// Adds what happens in these items: of loops, in the first iteration, which all that enter
    /// run.
    fn add(&self, events: &mut Vec<Event>, path: &[(LoopId, Turn)], items: &[Item]) {
        for item in items {
            match *item {
                Item::Op(op) => {
                    let event = |kind| Event { path: path.to_vec(), kind };
                    events.extend(self.kind_of(op).map(event));
                }
                Item::Loop(of) => {
                    let body = &self.kernel[of].body;
                    let returns = |op: OpId| self.kernel[op].kind == OpKind::Exit(Ending::Return);
                    if self.kernel.any_inside(body, &returns) {
                        events.push(Event { path: path.to_vec(), kind: EventKind::MayReturn });
                    }
                    if self.matters(of) && self.follows_events() {
                        self.add_rounds(events, path, of);
                    // Which of its events count depends on whether it is entered: only those of
                    // loops that plainly are.
                    } else if self.matters(of)
                        && self.kernel.exprs.as_const(self.kernel[of].pred) == Some(1)
                    {
                        let mut inside = path.to_vec();
                        inside.push((of, Turn::At(0)));
                        self.add(events, &inside, &body.items);
                    }
                    if self.kernel.any_inside(body, &|op| self.kind_in_arrays(op).is_some()) {
                        events.push(Event { path: path.to_vec(), kind: EventKind::Forgets });
                    }
                }
            }
        }
    }

    /// Adds the first iterations of a loop beside the way.
    fn add_rounds(&self, events: &mut Vec<Event>, path: &[(LoopId, Turn)], of: LoopId) {
        events.push(Event { path: path.to_vec(), kind: EventKind::Opens(of) });
        let mut inside = path.to_vec();
        for turn in 0..ROUNDS_BESIDE {
            if turn > 0 {
                events.push(Event { path: inside.clone(), kind: EventKind::Continues(of) });
                inside.pop();
            }
            inside.push((of, Turn::At(turn)));
            self.add(events, &inside, &self.kernel[of].body.items);
        }
        events.push(Event { path: path.to_vec(), kind: EventKind::Closes });
    }

    /// Whether the way plainly leads past a wait that completes the copy, and a barrier after it.
    pub(super) fn is_plainly_over(&self, way: &Way) -> bool {
        let itself = self.is_by_one();
        let within_block = self.other != Other::Thread(Level::Grid);
        let agree =
            |id: ExprId| itself || within_block && self.analysis.uniformity.block_uniform(id);
        if !itself && !self.analysis.order.regular().timely {
            return false;
        }
        let exprs = &self.kernel.exprs;
        let (mut age, mut completed) = (0u128, self.other != Other::Itself && itself);
        let mut beside = 0;
        for Event { path, kind } in self.events(way) {
            match kind {
                EventKind::Opens(_) => beside += 1,
                EventKind::Closes => beside -= 1,
                EventKind::Commit(_)
                | EventKind::Wait { .. }
                | EventKind::EventWait(_)
                | EventKind::Store(_)
                | EventKind::Load(_)
                | EventKind::Forgets
                | EventKind::Barrier(_)
                | EventKind::Returns(_)
                | EventKind::GoesOn(_)
                | EventKind::Enters(_)
                | EventKind::MayReturn
                | EventKind::Continues(_) => {}
            }
            if beside > 0 {
                continue;
            }
            let here = path.iter().all(|(_, turn)| *turn == Turn::OfCopy(0));
            let same = here && path.len() == self.chains()[0].len();
            let surely = |pred: ExprId| {
                exprs.as_const(pred) == Some(1) || self.holds_with_issue(&path, pred)
            };
            match kind {
                EventKind::GoesOn(of) if !self.goes_on_by_way(way, &path) => {
                    if !agree(self.kernel[of].cont) {
                        return false;
                    }
                }
                EventKind::GoesOn(_) => {}
                EventKind::Enters(of) => {
                    if !agree(self.kernel[of].pred)
                        && exprs.as_const(self.kernel[of].pred) != Some(1)
                    {
                        return false;
                    }
                }
                EventKind::MayReturn if itself => {}
                EventKind::MayReturn => return false,
                EventKind::Commit(op) => age += u128::from(surely(self.kernel[op].pred)),
                EventKind::Wait { op, pending, read_only } => {
                    let enough = exprs.as_const(pending).is_some_and(|n| age > n);
                    let this_part = !read_only || self.flight.reads;
                    completed |= enough && this_part && surely(self.kernel[op].pred);
                    if completed && itself {
                        return true;
                    }
                }
                EventKind::EventWait(op) => {
                    let OpKind::EventWait(events) = &self.kernel[op].kind else { continue };
                    let result = ExprKind::Result(self.flight.copy, 0);
                    let named = events.iter().any(|it| exprs[*it].kind == result);
                    completed |= same && named && surely(self.kernel[op].pred);
                    if completed && self.other == Other::Itself {
                        return true;
                    }
                }
                // An end is reached on the ways without a return alone, which is asked.
                EventKind::Returns(_) if itself => {}
                EventKind::Returns(_) => return false,
                EventKind::Store(_) | EventKind::Load(_) | EventKind::Forgets => {}
                EventKind::Opens(_) | EventKind::Continues(_) | EventKind::Closes => {}
                EventKind::Barrier(op) => {
                    if completed && surely(self.kernel[op].pred) && self.is_for_all(op) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether a condition holds there because the copy is issued: in the iterations of the issue,
    /// whose predicate holds, or in those around, in which the loop of the issue is entered.
    fn holds_with_issue(&self, path: &[(LoopId, Turn)], pred: ExprId) -> bool {
        let chain = self.chains()[0];
        let given = match chain.get(path.len()) {
            Some(of) => self.kernel[*of].pred,
            None => self.kernel[self.flight.copy].pred,
        };
        path.iter().all(|(_, turn)| *turn == Turn::OfCopy(0))
            && path.len() <= chain.len()
            && implies(self.kernel, given, pred)
    }

    /// The same of an operation.
    pub(super) fn is_done_with_issue(&self, path: &[(LoopId, Turn)], op: OpId) -> bool {
        self.holds_with_issue(path, self.kernel[op].pred)
    }

    /// What an operation is on a way, if it is anything.
    pub(super) fn kind_of(&self, op: OpId) -> Option<EventKind> {
        let mine = |mechanism: AsyncMechanism| mechanism == self.flight.mechanism;
        if let Some(kind) = self.kind_in_arrays(op) {
            return Some(kind);
        }
        match self.kernel[op].kind {
            OpKind::AsyncCommit(mechanism) => mine(mechanism).then_some(EventKind::Commit(op)),
            OpKind::AsyncWait { mechanism, pending, read_only } => {
                mine(mechanism).then_some(EventKind::Wait { op, pending, read_only })
            }
            OpKind::EventWait(_) => (self.other == Other::Itself
                && mine(AsyncMechanism::WorkGroupEvent))
            .then_some(EventKind::EventWait(op)),
            OpKind::Exit(Ending::Return) => Some(EventKind::Returns(op)),
            OpKind::Barrier(_) => match self.other {
                Other::Thread(level) => {
                    let counts = self.analysis.order.separates(self.kernel, op, level);
                    counts.then_some(EventKind::Barrier(op))
                }
                Other::GroupCopy(_) => {
                    let counts = self.analysis.order.separates(self.kernel, op, Level::Block);
                    counts.then_some(EventKind::Barrier(op))
                }
                Other::Itself => None,
            },
            OpKind::Access(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => None,
        }
    }

    /// Whether a barrier orders all memory for all lanes.
    fn is_for_all(&self, op: OpId) -> bool {
        let constant = |id: ExprId| self.kernel.exprs.as_const(id);
        let all_memory = |flags: ExprId| constant(flags).is_some_and(|flags| flags & 3 == 3);
        let OpKind::Barrier(barrier) = &self.kernel[op].kind else { return false };
        match barrier {
            Barrier::Block { orders, .. } => all_memory(*orders),
            Barrier::Warp { mask, orders } => {
                constant(*mask) == Some(u128::from(u32::MAX)) && all_memory(*orders)
            }
            Barrier::Grid | Barrier::Named { .. } | Barrier::Cluster { .. } => true,
            Barrier::Mbarrier { .. } => false,
        }
    }
}
