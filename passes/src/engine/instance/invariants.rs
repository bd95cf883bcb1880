//! Invariants in the two-thread reduction: where they are facts.
//!
//! **What**: an invariant of a loop is stated of each iteration that a thread is known to reach,
//! and of the last one of a loop whose end is asked about, if the thread comes there. A claim that
//! stands after an inner loop is stated of that last one alone: a thread that is in the iteration
//! may be in the inner loop for ever.
//! **Method**: once shown, an invariant may be stated of any iteration. While it is being shown,
//! only what a thread did before may be taken for granted ([`Goal::is_before`]).
//! **Sound because** claims and starts of iterations are met by a thread one after the other. If
//! each holds when all that were met before it do, then all hold: there is no first one that fails.
//! **Misses**: what happens before in an iteration of a loop around other than this one and, of the
//! goal's own loop, the last one.
//! **Assumes**: nothing.

use heddle_diagnostics::Assumption;
use heddle_ir::{BinOp, CmpOp, ExprId, Item, Kernel, LoopId, OpId, Region, VarId};
use rustc_hash::FxHashMap;

use super::{FrameId, Instance, WrapAround};
use crate::facts::invariants::{Form, Invariant, Other, Shown, Tiers, What, claim};

/// The order of the program's text: loops stand before what is in them.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    ops: FxHashMap<OpId, usize>,
    loops: FxHashMap<LoopId, usize>,
}

impl Positions {
    pub(crate) fn of(kernel: &Kernel) -> Positions {
        let mut all = Positions::default();
        all.walk(kernel, &kernel.body, &mut 0);
        all
    }

    fn walk(&mut self, kernel: &Kernel, region: &Region, next: &mut usize) {
        for item in &region.items {
            *next += 1;
            match *item {
                Item::Op(op) => _ = self.ops.insert(op, *next),
                Item::Loop(of) => {
                    self.loops.insert(of, *next);
                    self.walk(kernel, &kernel[of].body, next);
                }
            }
        }
    }

    fn invariant(&self, it: &Invariant) -> Option<usize> {
        match it.what {
            What::Claimed(op) => self.ops.get(&op).copied(),
            What::Found(..) => self.loops.get(&it.of).copied(),
        }
    }
}

/// What is being shown.
#[derive(Debug)]
pub(crate) struct Goal<'a> {
    /// Where things stand.
    pub(crate) positions: &'a Positions,
    /// The invariant.
    pub(crate) shown: Invariant,
    /// The thread in the iteration in which it is shown.
    pub(crate) frame: FrameId,
    /// The same thread in the iteration before, where that is not the first.
    pub(crate) before: Option<FrameId>,
}

impl Goal<'_> {
    /// Whether what an invariant says of a frame is met before the goal.
    fn is_before(&self, instance: &Instance<'_>, at: FrameId, it: &Invariant) -> bool {
        let (Some(goal), Some(own)) =
            (self.positions.invariant(&self.shown), self.positions.invariant(it))
        else {
            return false;
        };
        let around = instance.and_around(self.frame);
        // The present iterations of the loops around.
        if around.contains(&at) {
            return own < goal;
        }
        let within = instance.and_around(at);
        if self.before.is_some_and(|before| within.contains(&before)) {
            return true;
        }
        // A loop that is left by now: the outermost one that is not around the goal.
        let Some(n) = within.iter().position(|frame| around.contains(frame)) else { return false };
        let Some(left) = n.checked_sub(1).and_then(|n| instance.loop_of(within[n])) else {
            return false;
        };
        let encloses = around.iter().any(|frame| instance.loop_of(*frame) == Some(left));
        !encloses && self.positions.loops.get(&left).is_some_and(|it| *it < goal)
    }
}

impl<'a> Instance<'a> {
    /// From here on these are taken for invariants.
    pub(crate) fn take(&mut self, shown: &Tiers) {
        let Shown { all, relies } = match self.wrap {
            WrapAround::Happens | WrapAround::ExcludedUnsigned => &shown.exact,
            WrapAround::Excluded => &shown.in_range,
        };
        self.invariants.extend_from_slice(all);
        self.invariants_rely.extend(relies.iter().cloned());
    }

    /// From here on these, and no others, are taken for invariants before the goal.
    pub(crate) fn take_only(&mut self, invariants: &[Invariant]) {
        self.invariants = invariants.to_vec();
    }

    /// From here on this is what is being shown.
    pub(crate) fn show(&mut self, goal: Goal<'a>) {
        self.goal = Some(goal);
    }

    /// A frame and those around it, innermost first.
    fn and_around(&self, frame: FrameId) -> Vec<FrameId> {
        let mut all = vec![frame];
        let mut at = frame;
        while let Some((outside, ..)) = self.frames[at.0].inside {
            all.push(outside);
            at = outside;
        }
        all
    }

    fn loop_of(&self, frame: FrameId) -> Option<LoopId> {
        self.frames[frame.0].inside.map(|(_, of, _)| of)
    }

    /// Whether a frame's variables are computed from those of the iteration before.
    pub(super) fn follows(&self, frame: FrameId) -> Option<FrameId> {
        self.goal.as_ref().filter(|it| it.frame == frame)?.before
    }

    pub(super) fn has_invariants(&self, of: LoopId) -> bool {
        self.invariants.iter().any(|it| it.of == of)
    }

    /// States the invariants of a loop of a frame directly in it, under a condition.
    pub(super) fn state_invariants(&mut self, inside: FrameId, of: LoopId, given: Option<ExprId>) {
        let all: Vec<_> = self.invariants.iter().filter(|it| it.of == of).cloned().collect();
        for it in all {
            if self.goal.as_ref().is_some_and(|goal| !goal.is_before(self, inside, &it)) {
                continue;
            }
            let is_met = given.is_some() || self.goal.is_some();
            if !is_met && self.may_not_be_met(&it) {
                continue;
            }
            let holds = self.invariant_at(inside, &it);
            let fact = match given {
                Some(given) => self.pool.implies(given, holds),
                None => holds,
            };
            if self.pool.as_const(fact) != Some(1) {
                self.state(fact);
                if self.goal.is_none() {
                    self.relies.extend(self.invariants_rely.iter().cloned());
                    self.rely_on(Assumption::Invariant(it.name(self.analysis.kernel)));
                }
            }
        }
    }

    /// Whether a loop stands before a claim, in the iteration that it is about.
    fn may_not_be_met(&self, it: &Invariant) -> bool {
        let What::Claimed(op) = it.what else { return false };
        let mut items = self.analysis.kernel[it.of].body.items.iter();
        let first = items.find(|item| matches!(item, Item::Loop(_)) || **item == Item::Op(op));
        first != Some(&Item::Op(op))
    }

    /// That an invariant holds in an iteration.
    pub(crate) fn invariant_at(&mut self, inside: FrameId, it: &Invariant) -> ExprId {
        let kernel = self.analysis.kernel;
        match it.what {
            What::Claimed(op) => {
                let Some(claim) = claim(kernel, op) else { return self.pool.truth() };
                let executed = self.at(inside, kernel[op].pred);
                let holds = self.at(inside, claim.condition);
                self.pool.implies(executed, holds)
            }
            What::Found(var, form) => {
                let Some((outside, _, k)) = self.frames[inside.0].inside else {
                    return self.pool.truth();
                };
                let first = self.at(outside, kernel[var].init);
                self.form_at([outside, inside], (var, form), first, k)
            }
        }
    }

    fn form_at(
        &mut self,
        [outside, inside]: [FrameId; 2],
        (var, form): (VarId, Form),
        first: ExprId,
        k: ExprId,
    ) -> ExprId {
        let width = self.analysis.kernel[var].width;
        let own = self.pool.var(var, width);
        let value = self.at(inside, own);
        // What the loop need not compute promises nothing.
        let first = self.pool.without_flags(first);
        let value = match self.goal {
            Some(_) => value,
            None => self.pool.without_flags(value),
        };
        let plain = |it: &mut Self, expr: ExprId| {
            let expr = it.at(outside, expr);
            it.pool.without_flags(expr)
        };
        match form {
            Form::Ordered { order, widened, other, is_left } => {
                let own = match widened {
                    Some((how, width)) => self.pool.cast(how, value, width),
                    None => value,
                };
                let other = match other {
                    Other::First => first,
                    Other::Zero => self.pool.constant(0, width),
                    Other::Of(expr) => plain(self, expr),
                };
                let [a, b] = if is_left { [own, other] } else { [other, own] };
                self.pool.cmp(order, a, b)
            }
            Form::Strided(by) => {
                let way = self.pool.sub(value, first);
                let rest = self.pool.constant(by - 1, width);
                let rest = self.pool.binary(BinOp::And, way, rest);
                let zero = self.pool.constant(0, width);
                self.pool.eq(rest, zero)
            }
            Form::PowerOfTwo => {
                let zero = self.pool.constant(0, width);
                let one = self.pool.constant(1, width);
                let less = self.pool.sub(value, one);
                let bits = self.pool.binary(BinOp::And, value, less);
                let is_one = self.pool.eq(bits, zero);
                let is_some = self.pool.ne(value, zero);
                self.pool.and(is_one, is_some)
            }
            Form::Stepped { when, step } => {
                let (when, step) = (plain(self, when), plain(self, step));
                let k = self.pool.resize(k, width);
                let way = self.pool.mul(k, step);
                let moved = self.pool.add(first, way);
                let expected = self.pool.select(when, moved, first);
                self.pool.eq(value, expected)
            }
            Form::Slow(by) => {
                let way = self.pool.sub(value, first);
                let way = self.pool.resize(way, 64);
                let k = self.pool.resize(k, 64);
                let by = self.pool.constant(by, 64);
                let most = self.pool.mul(k, by);
                self.pool.cmp(CmpOp::Ule, way, most)
            }
        }
    }
}
