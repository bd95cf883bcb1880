//! Loop ends of the two-thread reduction: which iterations a thread reaches, and which is its last.
//!
//! **What**: facts that hold when a thread is in iteration `k` of a loop that it entered.
//! **Method**: stated at once is the test of iteration `k - 1`; for most loops it implies the tests
//! of all iterations before, and where it is an inequality, so does what `equal_end` states. A
//! model of the query is checked against the others, the first ones and some far apart, and what
//! fails is stated as `j < k` implies the test of iteration `j` ([`Instance::learn_tests`]); then
//! the query is asked again.
//! **Sound because** every fact is a consequence of reaching `k`: a thread is in iteration `k` only
//! after the tests of all iterations below `k`. Nothing is taken from the model but which of these
//! consequences to state. How a loop inside ends is stated under the condition that its iteration
//! of the loop around is one that the thread reaches: the frames before the first and after the
//! last are expressions only.
//! **Misses**: tests that read memory of which nothing is said, or depend on loops inside, and the
//! tests of long loops between the sampled ones; so a model may still be in an iteration that no
//! thread reaches. Only a replay confirms that one does.
//! **Assumes**: loops run fewer than 2^31 iterations.

use heddle_ir::{
    Access, AccessKind, BinOp, ExprId, ExprKind, LoopId, NoWrap, OpId, ValueFrom, VarId,
    sign_extend,
};
use heddle_solver::{Model, Value};
use rustc_hash::FxHashSet;

use super::{FrameId, Instance, Meaning};
use crate::facts::counts::TripLimit;
use crate::facts::rounds::rounds;

/// A claim among the facts of an instance: where `given` holds, a thread reaches iteration `k`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    outside: FrameId,
    of: LoopId,
    k: ExprId,
    given: Option<ExprId>,
}

/// Tests of so many first iterations are looked at, all of them.
const FIRST: u128 = 256;
/// Facts that are learned from models, at most.
pub(crate) const MOST_LEARNED: usize = 256;
/// The same while an invariant is being shown.
pub(crate) const MOST_LEARNED_OF_GOAL: usize = 4;

impl Instance<'_> {
    /// The number of the last iteration that the frame's thread runs of a loop directly inside.
    /// States that the loop goes on before it and not after it.
    pub(crate) fn last_iteration(&mut self, outside: FrameId, of: LoopId) -> ExprId {
        let kernel = self.analysis.kernel;
        let agree =
            !self.placement.is_across() && self.analysis.uniformity.trips_block_uniform(kernel, of);
        let thread = (!agree).then_some(self.thread(outside));
        let key = (of, self.iterations(outside), thread);
        if let Some(&known) = self.exit_index.get(&key) {
            return known;
        }
        if let Some(TripLimit { last, exact: true }) = self.trips_relied_on(of) {
            let k = self.pool.constant(u128::from(last), 32);
            self.exit_index.insert(key, k);
            if self.has_invariants(of) {
                let (entered, there) =
                    (self.at(outside, kernel[of].pred), self.is_reached(outside));
                let given = self.pool.and(there, entered);
                let inside = self.enter(outside, of, k);
                self.state_invariants(inside, of, Some(given));
            }
            return k;
        }
        let k = self.iteration_symbol(of, thread);
        self.exit_index.insert(key, k);
        let it = &kernel[of];
        let inside = self.enter(outside, of, k);
        let goes_on = self.at(inside, it.cont);
        let ends = self.pool.not(goes_on);
        let reached = self.reached(outside, of, k);
        let entered = self.at(outside, it.pred);
        let there = self.is_reached(outside);
        let given = self.pool.and(there, entered);
        let last = self.pool.and(ends, reached);
        let fact = self.pool.implies(given, last);
        self.state(fact);
        self.state_invariants(inside, of, Some(given));
        let given = match self.supposed {
            Some(supposed) => self.pool.and(supposed, given),
            None => given,
        };
        self.claim(Reach { outside, of, k, given: Some(given) });
        k
    }

    /// How often loops inside have stepped a variable when iteration `k` of its loop begins, in 64
    /// bits: `k` times as often as in the first round, in which they end as in each.
    pub(super) fn times_until(&mut self, outside: FrameId, var: VarId, k: ExprId) -> ExprId {
        let analysis = self.analysis;
        let found = rounds(analysis.kernel, &analysis.scopes, var);
        let (zero, one) = (self.pool.constant(0, 32), self.pool.constant(1, 64));
        let mut frame = self.enter(outside, analysis.kernel[var].of, zero);
        let mut times = self.pool.resize(k, 64);
        // Two numbers of 31 bits; three need not fit.
        let mut flags = NoWrap::BOTH;
        for (inside, adds_at_end) in found.into_iter().flat_map(|it| it.inner) {
            let last = self.last_iteration(frame, inside);
            let mut ran = self.pool.resize(last, 64);
            if adds_at_end {
                ran = self.pool.binary_flagged(BinOp::Add, NoWrap::BOTH, ran, one);
            }
            times = self.pool.binary_flagged(BinOp::Mul, flags, times, ran);
            flags = NoWrap::NONE;
            frame = self.enter(frame, inside, zero);
        }
        times
    }

    /// That the frame's thread executes an operation, in iterations that it reaches. Facts about
    /// the operation are stated under this condition. A variable that has the value of the last
    /// iteration is looked up in the frame of iteration `k - 1`, which for `k = 0` does not exist:
    /// what a thread would compute there may be poison.
    pub(crate) fn executed_in(&mut self, frame: FrameId, op: OpId) -> ExprId {
        let there = self.is_reached(frame);
        let executed = self.at(frame, self.analysis.kernel[op].pred);
        self.pool.and(there, executed)
    }

    /// That the frame's iterations are some that the thread reaches, as far as nothing else states
    /// it. The iteration before the first and the one after the last have frames too, in which a
    /// loop inside need not end.
    pub(super) fn is_reached(&mut self, frame: FrameId) -> ExprId {
        let mut all = self.pool.truth();
        let mut at = frame;
        while let Some((outside, of, k)) = self.frames[at.0].inside {
            let (base, shift) = match self.plus_constant(k) {
                Some((base, c)) => (base, sign_extend(c, 32)),
                None => (k, 0),
            };
            if self.pool.as_const(base).is_some() || self.exit_index.values().any(|it| *it == base)
            {
                let entered = self.at(outside, self.analysis.kernel[of].pred);
                all = self.pool.and(all, entered);
            }
            if shift < 0 {
                let limit = self.pool.constant(1 << 31, 32);
                let exists = self.pool.ult(k, limit);
                all = self.pool.and(all, exists);
            }
            for back in 1..=shift {
                let before = self.shift_iteration(k, -(back as i64));
                let earlier = self.enter(outside, of, before);
                let went_on = self.at(earlier, self.analysis.kernel[of].cont);
                all = self.pool.and(all, went_on);
            }
            at = outside;
        }
        all
    }

    /// States that the frame's thread, which entered a loop directly inside, reaches iteration `k`.
    pub(crate) fn state_reached(&mut self, outside: FrameId, of: LoopId, k: ExprId) {
        let reached = self.reached(outside, of, k);
        self.state(reached);
        self.claim(Reach { outside, of, k, given: None });
    }

    fn claim(&mut self, reach: Reach) {
        if !self.reaches.contains(&reach) {
            self.reaches.push(reach);
        }
    }

    /// That iteration `k` is the first, or the one before went on.
    fn reached(&mut self, outside: FrameId, of: LoopId, k: ExprId) -> ExprId {
        if self.pool.as_const(k) == Some(0) {
            return self.pool.truth();
        }
        let cont = self.analysis.kernel[of].cont;
        let before = self.shift_iteration(k, -1);
        let earlier = self.enter(outside, of, before);
        let went_on = self.at(earlier, cont);
        let went_on = self.within_equal_end(outside, of, k, went_on);
        if self.never_first(k) {
            return went_on;
        }
        let zero = self.pool.constant(0, 32);
        let first = self.pool.eq(k, zero);
        self.pool.or(first, went_on)
    }

    /// States tests of earlier iterations that a model fails; their number. With each round,
    /// `width` more iterations on both sides of the failing one.
    pub(crate) fn learn_tests(&mut self, model: &Model, width: u128) -> usize {
        // Where values are arbitrary, a better number of iterations makes no run of the model.
        if self.reaches.is_empty() || self.rests_on_guesses() {
            return 0;
        }
        let before = self.facts.len();
        for reach in self.reaches.clone() {
            if !self.is_closed(reach.of) {
                continue;
            }
            let Value::Known(k) = model.evaluate(&self.pool, reach.k) else { continue };
            let Some(failing) = self.failing(model, reach, k) else { continue };
            for j in failing.saturating_sub(width)..=failing.saturating_add(width) {
                if j == failing || j < k && j < FIRST {
                    let fact = self.went_on(reach, j);
                    self.state(fact);
                }
            }
        }
        self.facts.len() - before
    }

    /// An iteration below `k` in which the model has the loop end, though it reaches `k`.
    fn failing(&mut self, model: &Model, reach: Reach, k: u128) -> Option<u128> {
        let spread = (0..32).map(|power| 1 << power).filter(|j| (FIRST..k).contains(j));
        for j in (0..k.min(FIRST)).chain(spread) {
            let fact = self.went_on(reach, j);
            if !self.is_followed(fact) {
                return None;
            }
            if model.evaluate(&self.pool, fact) == Value::Known(0) {
                return Some(j);
            }
        }
        None
    }

    /// That the loop goes on in iteration `j`, if a later one is reached.
    fn went_on(&mut self, reach: Reach, j: u128) -> ExprId {
        let Reach { outside, of, k, given } = reach;
        let number = self.pool.constant(j, 32);
        let inside = self.enter(outside, of, number);
        let goes_on = self.at(inside, self.analysis.kernel[of].cont);
        let below = self.pool.ult(number, k);
        let fact = self.pool.implies(below, goes_on);
        match given {
            Some(given) => self.pool.implies(given, fact),
            None => fact,
        }
    }

    /// Whether the test of a loop reads nothing but loop variables and what the launch gives: no
    /// memory, and no loop inside, whose end is a fact only about iterations that are reached.
    fn is_closed(&self, of: LoopId) -> bool {
        let kernel = self.analysis.kernel;
        let mut seen = FxHashSet::default();
        let mut work = vec![kernel[of].cont];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match kernel[id].kind.value_from() {
                ValueFrom::Var(var) if kernel[var].of == of => work.push(kernel[var].next),
                // From outside the loop.
                ValueFrom::Var(_) => {}
                // Of such an array it is known what it holds in each iteration.
                ValueFrom::Result(op, _) if let Some(access) = self.element_of_array(op) => {
                    work.push(access.address.offset);
                }
                ValueFrom::Exit(..) | ValueFrom::Result(..) | ValueFrom::Nothing => return false,
                ValueFrom::Operands | ValueFrom::Launch | ValueFrom::Analysis(_) => {
                    kernel.exprs.for_each_operand(id, |operand| work.push(operand));
                }
            }
        }
        true
    }

    /// The access, if an operation reads an array of which something is said.
    fn element_of_array(&self, op: OpId) -> Option<&Access> {
        let access = self.analysis.kernel.access(op)?;
        let is_said = self.arrays.iter().any(|it| it.object == access.address.object);
        (is_said && matches!(access.kind, AccessKind::Load)).then_some(access)
    }

    /// Whether an expression has no arbitrary values in it: those of each iteration are others.
    fn is_followed(&self, expr: ExprId) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![expr];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.pool[id].kind.value_from() {
                ValueFrom::Analysis(symbol) => match self.meaning(symbol) {
                    Meaning::Leaf(..) => return false,
                    Meaning::Tid(..)
                    | Meaning::Ctaid(..)
                    | Meaning::ClusterRank(_)
                    | Meaning::Iteration(..)
                    | Meaning::Member => {}
                },
                ValueFrom::Operands
                    if matches!(self.pool[id].kind, ExprKind::Pure(..))
                        && !self.initial.contains(&id) =>
                {
                    return false;
                }
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Var(_)
                | ValueFrom::Exit(..)
                | ValueFrom::Result(..)
                | ValueFrom::Nothing => {
                    self.pool.for_each_operand(id, |operand| work.push(operand));
                }
            }
        }
        true
    }
}
