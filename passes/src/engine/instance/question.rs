//! From an instance to a solver's query: guards, placement of the threads, launch hints.

use heddle_diagnostics::Assumption;
use heddle_ir::{BinOp, ExprId, NoWrap, OpId, Sign, Special};
use heddle_solver::{Answer, Budget, Method, Model, Query, Value, decide};
use smallvec::SmallVec;

use super::reach::{MOST_LEARNED, MOST_LEARNED_OF_GOAL};
use super::{FrameId, Instance, Placement};
use crate::engine::answer::{Asked, Held};
use crate::facts::journal::Note;
use crate::facts::launch::{Extent, GlobalOffset, MOST_THREADS};
use crate::facts::thread::Thread;

/// The part of the budget after which a model with too large a grid is taken for one.
const IN_RANGE: u32 = 16;

/// What may be known of a question otherwise than by its models: that it is excluded.
pub(crate) type Explain<'f, I> = dyn FnMut(&mut I, &Model) -> Option<Held> + 'f;

impl Instance<'_> {
    /// States that the frame's thread reaches the frame's iterations and executes the operation
    /// there.
    pub(crate) fn state_executed(&mut self, op: OpId, frame: FrameId) {
        let kernel = self.analysis.kernel;
        let chain = self.analysis.order.chain(op);
        for (depth, &of) in chain.iter().enumerate() {
            self.state_in_iteration(frame, chain.len() - depth, of);
        }
        let executed = self.at(frame, kernel[op].pred);
        self.state(executed);
        self.state_assumptions(op, frame);
    }

    /// States that the thread entered a loop and reached its iteration; `levels` is how many loops
    /// the frame is inside, this one counted.
    pub(crate) fn state_in_iteration(
        &mut self,
        frame: FrameId,
        levels: usize,
        of: heddle_ir::LoopId,
    ) {
        self.analysis.journal.note(|| Note::Loop(of));
        let inside = self.outer(frame, levels - 1);
        let outside = self.outer(frame, levels);
        let entered = self.at(outside, self.analysis.kernel[of].pred);
        self.state(entered);
        if let Some(k) = self.iteration(inside, of) {
            self.state_reached(outside, of, k);
        }
        self.state_invariants(inside, of, None);
    }

    /// States that the two threads are placed as the instance was made for.
    pub(crate) fn state_placement(&mut self) {
        for fact in self.placement_facts() {
            self.state(fact);
        }
    }

    /// What says how the two threads are placed.
    pub(super) fn placement_facts(&mut self) -> Vec<ExprId> {
        if self.placement == Placement::SameThread {
            let same = |d| {
                let [one, two] = [self.tid(Thread::One, d), self.tid(Thread::Two, d)];
                self.pool.eq(one, two)
            };
            return [0, 1, 2].map(same).to_vec();
        }
        let differs = |it: &mut Self, pairs: [(ExprId, ExprId); 3]| {
            let mut any = it.pool.falsity();
            for (one, two) in pairs {
                let apart = it.pool.ne(one, two);
                any = it.pool.or(any, apart);
            }
            any
        };
        let apart = match self.placement {
            Placement::DifferentBlocks | Placement::SameCluster => {
                let pairs =
                    [0, 1, 2].map(|d| (self.ctaid(Thread::One, d), self.ctaid(Thread::Two, d)));
                differs(self, pairs)
            }
            Placement::DifferentClusters => {
                let agree = self.clusters_agree();
                self.pool.not(agree)
            }
            Placement::SameBlock
            | Placement::SameWarp
            | Placement::SameThread
            | Placement::DifferentWarps => {
                let pairs = [0, 1, 2].map(|d| (self.tid(Thread::One, d), self.tid(Thread::Two, d)));
                differs(self, pairs)
            }
        };
        let warp = self.analysis.launch.warp_size.unwrap_or(1);
        let together = match self.placement {
            Placement::SameWarp | Placement::SameThread => true,
            Placement::DifferentWarps => false,
            Placement::SameCluster => return vec![apart, self.in_one_cluster()],
            Placement::SameBlock | Placement::DifferentBlocks | Placement::DifferentClusters => {
                return vec![apart];
            }
        };
        let warp = self.pool.constant(u128::from(warp), 32);
        let [one, two] = [Thread::One, Thread::Two].map(|thread| {
            let linear = self.linear_tid(thread);
            self.pool.binary(heddle_ir::BinOp::UDiv, linear, warp)
        });
        let warps = if together { self.pool.eq(one, two) } else { self.pool.ne(one, two) };
        vec![apart, warps]
    }

    /// Asks whether everything stated, and `extra`, can hold. A model in which a thread is in an
    /// iteration that its loop does not reach is no answer: what it got wrong is stated, and the
    /// rest is asked. Nor is one with a grid that no proof looks at, unless it takes long to find
    /// another.
    pub(crate) fn ask(&mut self, extra: &[ExprId], budget: &Budget) -> Asked {
        self.ask_or_explain(extra, budget, &mut |_, _| None)
    }

    /// The same. The first model is shown to `explain`, which may know without another one why
    /// there is no run to be shown.
    pub(crate) fn ask_or_explain(
        &mut self,
        extra: &[ExprId],
        budget: &Budget,
        explain: &mut Explain<'_, Self>,
    ) -> Asked {
        let answer = self.ask_with_tests(extra, budget, explain);
        let answer = self.without_offset(answer, extra, budget);
        let Asked::Sat(model) = &answer else { return answer };
        let facts = self.facts.len();
        if self.learn_grid(model) == 0 {
            return answer;
        }
        match self.ask_with_tests(extra, &budget.divided(IN_RANGE), &mut |_, _| None) {
            Asked::Unknown(_) => {
                self.facts.truncate(facts);
                answer
            }
            other @ (Asked::Held(_) | Asked::Sat(_)) => other,
        }
    }

    /// The answer for launches without a global offset, where one with an offset is found and
    /// nobody said which there is.
    fn without_offset(&mut self, answer: Asked, extra: &[ExprId], budget: &Budget) -> Asked {
        let Asked::Sat(model) = &answer else { return answer };
        if self.analysis.launch.global_offset != GlobalOffset::Unsaid {
            return answer;
        }
        let has_offset = [0, 1, 2].into_iter().any(|d| {
            let offset = self.pool.special(Special::GlobalOffset(d));
            matches!(model.evaluate(&self.pool, offset), Value::Known(1..))
        });
        if !has_offset {
            return answer;
        }
        let (facts, relies) = (self.facts.len(), self.relies.clone());
        self.state_no_offset();
        match self.ask_with_tests(extra, budget, &mut |_, _| None) {
            Asked::Unknown(_) => {
                self.facts.truncate(facts);
                self.relies = relies;
                answer
            }
            other @ (Asked::Held(_) | Asked::Sat(_)) => other,
        }
    }

    /// Leaves out launches with a global offset, which answers name from here on.
    pub(crate) fn state_no_offset(&mut self) {
        for d in [0, 1, 2] {
            let offset = self.pool.special(Special::GlobalOffset(d));
            let none = self.pool.constant(0, 32);
            let none = self.pool.eq(offset, none);
            self.state(none);
        }
        self.rely_on(Assumption::NoGlobalOffset);
    }

    fn ask_with_tests(
        &mut self,
        extra: &[ExprId],
        budget: &Budget,
        explain: &mut Explain<'_, Self>,
    ) -> Asked {
        let (mut learned, mut width) = (0, 0);
        loop {
            let answer = self.ask_once(extra, budget);
            let Asked::Sat(model) = &answer else { return answer };
            if learned == 0
                && let Some(held) = explain(self, model)
            {
                return Asked::Held(held);
            }
            let new = self.learn_tests(model, width);
            learned += new;
            // An invariant that a model refutes is dropped, and others are left.
            let most = if self.goal.is_some() { MOST_LEARNED_OF_GOAL } else { MOST_LEARNED };
            if new == 0 || learned > most {
                return answer;
            }
            width = 2 * width + 1;
        }
    }

    /// States that a grid has no more threads in a dimension than a proof looks at, where a model
    /// has more; the number of facts. What `Assumption::GridInRange` says, or of OpenCL
    /// `Assumption::GlobalIdsInRange`, one of which is named wherever a size is open.
    fn learn_grid(&mut self, model: &Model) -> usize {
        let launch = self.analysis.launch;
        let before = self.facts.len();
        for d in [0u8, 1, 2] {
            let (grid, block) = (launch.grid[d as usize], launch.block[d as usize]);
            if grid.known().is_some() || block.known().is_some() {
                continue;
            }
            let [blocks, threads] = [Special::Nctaid(d), Special::Ntid(d)].map(|size| {
                let size = self.pool.special(size);
                self.pool.resize(size, 64)
            });
            let all = self.pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, blocks, threads);
            let most = self.pool.constant(MOST_THREADS, 64);
            let fits = self.pool.ult(all, most);
            if model.evaluate(&self.pool, fits) == Value::Known(0) {
                self.state(fits);
            }
        }
        self.facts.len() - before
    }

    /// The same, asked once. That it cannot hold comes with what was taken for granted.
    fn ask_once(&mut self, extra: &[ExprId], budget: &Budget) -> Asked {
        self.state_arrays();
        let facts = self.facts_to_ask(extra);
        if facts.iter().any(|fact| self.pool.as_const(*fact) == Some(0)) {
            let text = || "what is stated is plainly false together, without a query".to_owned();
            self.analysis.journal.note(|| Note::Text(text()));
            return Asked::Held(Held::of(Method::Simplification, self.relies()));
        }
        let query = Query {
            facts,
            ranges: self.ranges().to_vec(),
            small: self.small_values(),
            relevant: Vec::new(),
        };
        let answer = decide(&self.pool, &query, budget);
        self.analysis.journal.solved(&self.pool, &query, &answer);
        match answer {
            Answer::Unsat(by) => Asked::Held(Held::of(by, self.relies())),
            Answer::Sat(model) => Asked::Sat(model),
            Answer::Unknown(why) => Asked::Unknown(why),
        }
    }

    /// Sizes and numbers to try first: small launches make witnesses that people can follow.
    fn small_values(&mut self) -> Vec<(ExprId, SmallVec<[u128; 4]>)> {
        let launch = self.analysis.launch;
        let mut small = Vec::new();
        for d in [0u8, 1, 2] {
            for (special, extent, values) in [
                (
                    heddle_ir::Special::Ntid(d),
                    launch.block[d as usize],
                    if d == 0 { [64, 128, 4, 256] } else { [2, 4, 1, 8] },
                ),
                (heddle_ir::Special::Nctaid(d), launch.grid[d as usize], [2, 1, 4, 16]),
            ] {
                if let Extent::UpTo(limit) = extent {
                    let id = self.pool.special(special);
                    let values = values.into_iter().filter(|it| *it <= u128::from(limit)).collect();
                    small.push((id, values));
                }
            }
        }
        let kernel = self.analysis.kernel;
        for (id, expr) in kernel.exprs.iter() {
            if let heddle_ir::ExprKind::Param(index) = expr.kind
                && launch.arg(index).is_none()
                && expr.width >= 16
            {
                let is_float = kernel.params[index as usize].sign == Some(Sign::Float);
                let values = match (is_float, expr.width) {
                    (true, 32) => [1.0f32, 2.0, 0.5, 0.0].map(|it| u128::from(it.to_bits())),
                    (true, 64) => [1.0f64, 2.0, 0.5, 0.0].map(|it| u128::from(it.to_bits())),
                    (true | false, _) => [64, 4, 1024, 1],
                };
                small.push((id, SmallVec::from_slice(&values)));
            }
        }
        small
    }
}
