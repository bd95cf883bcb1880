//! Models that a person can follow: few blocks of whole warps, small numbers, first iterations.
//!
//! **What**: another model of what is stated, once there is one. **Method**: the question is asked
//! again with what makes a run plain, from the plainest launch on.
//! **Promises**: a model of the question. **Does not**: find the smallest one, nor spend on it what
//! answers cost.

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, ExprPool, Sign, Special};
use heddle_solver::{Budget, Model};

use super::{Instance, Meaning, evaluate};
use crate::engine::answer::{Asked, Held};
use crate::facts::launch::Extent;

/// Numbers up to this are looked for once a model is there.
const SMALL_NUMBER: u128 = 1024;

/// Iterations up to this one count as the first.
const LAST_OF_FIRST: u128 = 3;

/// More blocks than this are many.
const MANY_BLOCKS: u128 = 1024;

/// Parameters that are kept small one by one, at most.
const MOST_KEPT_SMALL: usize = 6;

impl Instance<'_> {
    /// A model in which the launch is a plain one, and numbers among the parameters and what the
    /// threads read are small, as far as there is one: its run is short enough to be replayed, and
    /// to be followed by a person. The launch comes first: one of two blocks of 64 threads, then
    /// one of few blocks of whole warps, then any; of each the one with small reads, then one with
    /// small parameters alone. Where all of that leaves many blocks, the launches are tried longer.
    pub(crate) fn smaller_model(&mut self, than: &Model, budget: &Budget) -> Option<Model> {
        let parameters = self.kept_small(self.open_parameters(), SMALL_NUMBER);
        let reads = self.reads().iter().map(|read| read.value).collect();
        let reads = self.kept_small(reads, SMALL_NUMBER);
        let mut numbers = vec![parameters.clone()];
        if !reads.is_empty() {
            numbers.insert(0, [reads, parameters].concat());
        }
        let plain = [self.plain_launch(), self.launch_of_warps(), self.few_blocks()];
        let plain: Vec<Vec<ExprId>> = plain.into_iter().filter(|it| !it.is_empty()).collect();
        // A model is looked for, so proofs are not tried for long.
        let quick = budget.divided(16);
        let is_open = match self.model_of_launch(&plain, &numbers, &quick) {
            Asked::Sat(model) => return Some(model),
            Asked::Held(_) => false,
            Asked::Unknown(_) => true,
        };
        let small = numbers.iter().filter(|it| !it.is_empty());
        let found = small.into_iter().find_map(|small| self.model_with(small, budget));
        if is_open && self.has_many_blocks(found.as_ref().unwrap_or(than)) {
            let longer = Budget {
                instances: (budget.instances / 4).max(1),
                instance_conflicts: (budget.instance_conflicts / 8).max(1),
                clauses: (budget.clauses / 4).max(1),
                ..quick
            };
            if let Asked::Sat(model) = self.model_of_launch(&plain, &numbers, &longer) {
                return Some(model);
            }
        }
        found
    }

    /// Whether an argument that is not given is negative in a model, or 2^28 or more.
    pub(crate) fn has_large_parameter(&self, model: &Model) -> bool {
        self.open_parameters().into_iter().any(|it| evaluate(self, model, it) >= 1 << 28)
    }

    /// A model of the first of these launches that has one with one of these numbers.
    fn model_of_launch(
        &mut self,
        launches: &[Vec<ExprId>],
        numbers: &[Vec<ExprId>],
        budget: &Budget,
    ) -> Asked {
        let mut answer = Asked::Held(Held::at_once());
        for launch in launches {
            answer = self.first_model(launch, numbers, budget);
            // Where one is open, others would be as hard.
            if !matches!(answer, Asked::Held(_)) {
                break;
            }
        }
        answer
    }

    /// Whether a model has more blocks than a person follows.
    fn has_many_blocks(&mut self, model: &Model) -> bool {
        let blocks = [0u8, 1, 2].map(|d| {
            let size = self.size(Special::Nctaid(d), self.analysis.launch.grid[d as usize]);
            evaluate(self, model, size)
        });
        blocks.into_iter().fold(1, u128::saturating_mul) > MANY_BLOCKS
    }

    /// A model of these facts with the first of these that there is one with; that there is none
    /// with any, or one that could not be told.
    fn first_model(&mut self, facts: &[ExprId], with: &[Vec<ExprId>], budget: &Budget) -> Asked {
        let (last, others) = with.split_last().expect("parameters are always there");
        for more in others {
            match self.ask(&[facts, more].concat(), budget) {
                Asked::Held(_) => {}
                done @ (Asked::Sat(_) | Asked::Unknown(_)) => return done,
            }
        }
        self.ask(&[facts, last].concat(), budget)
    }

    /// That open sizes are two blocks of 64 threads, in the first dimension.
    fn plain_launch(&mut self) -> Vec<ExprId> {
        self.open_sizes(|pool, size, is_block, d| {
            let value = match (is_block, d) {
                (true, 0) => 64,
                (false, 0) => 2,
                (_, _) => 1,
            };
            let value = pool.constant(value, 32);
            pool.eq(size, value)
        })
    }

    /// That open sizes are few blocks of whole warps.
    fn launch_of_warps(&mut self) -> Vec<ExprId> {
        let lanes = self.analysis.launch.warp_size.unwrap_or(1).max(1);
        self.open_sizes(|pool, size, is_block, d| {
            if !is_block || d > 0 {
                let few = pool.constant(4, 32);
                return pool.cmp(CmpOp::Ule, size, few);
            }
            let (lanes, zero) = (pool.constant(u128::from(lanes), 32), pool.constant(0, 32));
            let rest = pool.binary(BinOp::URem, size, lanes);
            pool.eq(rest, zero)
        })
    }

    /// That the open sizes of the grid are few blocks.
    fn few_blocks(&mut self) -> Vec<ExprId> {
        self.open_sizes(|pool, size, is_block, _| {
            let few = pool.constant(4, 32);
            let is_few = pool.cmp(CmpOp::Ule, size, few);
            if is_block { pool.truth() } else { is_few }
        })
    }

    /// What is stated of each size that the launch leaves open: of the block or the grid, in a
    /// dimension.
    fn open_sizes(
        &mut self,
        state: impl Fn(&mut ExprPool, ExprId, bool, u8) -> ExprId,
    ) -> Vec<ExprId> {
        let launch = self.analysis.launch;
        let mut stated = Vec::new();
        for d in [0u8, 1, 2] {
            for (special, extent, is_block) in [
                (Special::Ntid(d), launch.block[d as usize], true),
                (Special::Nctaid(d), launch.grid[d as usize], false),
            ] {
                if matches!(extent, Extent::UpTo(_)) {
                    let size = self.pool.special(special);
                    stated.push(state(&mut self.pool, size, is_block, d));
                }
            }
        }
        stated
    }

    /// A model in which numbers among the parameters are between these: all of them, or else as
    /// many of the first ones as there is a model of; `None` where that is none.
    pub(crate) fn model_of_parameters_between(
        &mut self,
        (least, limit): (u128, u128),
        budget: &Budget,
    ) -> Option<Model> {
        let small = self.kept_between(self.open_parameters(), (least, limit));
        let mut model_of = |facts: &[ExprId]| self.model_with(facts, budget);
        if small.is_empty() {
            return None;
        }
        if let Some(model) = model_of(&small) {
            return Some(model);
        }
        let (mut kept, mut found) = (Vec::new(), None);
        for fact in small.into_iter().take(MOST_KEPT_SMALL) {
            kept.push(fact);
            match model_of(&kept) {
                Some(model) => found = Some(model),
                None => _ = kept.pop(),
            }
        }
        found
    }

    /// A model in which the threads are in one of the first iterations of each loop, where that of
    /// another model is in a late one: a counter that nothing keeps from wrapping around may be
    /// anything after many iterations, and only the test before the last one is stated. `None`
    /// where there is none.
    pub(crate) fn model_of_first_iterations(
        &mut self,
        than: &Model,
        budget: &Budget,
    ) -> Option<Model> {
        let numbers: Vec<ExprId> = self
            .symbols
            .iter()
            .filter(|(_, meaning)| matches!(meaning, Meaning::Iteration(..)))
            .map(|(symbol, _)| self.pool.symbol(symbol, 32))
            .collect();
        let is_late = |id: &ExprId| evaluate(self, than, *id) > LAST_OF_FIRST;
        if !numbers.iter().any(is_late) {
            return None;
        }
        let first = self.kept_small(numbers, LAST_OF_FIRST);
        self.model_with(&first, budget)
    }

    /// Another model, with these facts as well. One is looked for, so proofs are not tried long.
    fn model_with(&mut self, facts: &[ExprId], budget: &Budget) -> Option<Model> {
        let quick = budget.divided(16);
        let budget = Budget { cases: quick.cases, pivots: quick.pivots, ..budget.divided(2) };
        match self.ask(facts, &budget) {
            Asked::Sat(model) => Some(model),
            Asked::Held(_) | Asked::Unknown(_) => None,
        }
    }

    /// Parameters whose values the launch leaves open.
    fn open_parameters(&self) -> Vec<ExprId> {
        let kernel = self.analysis.kernel;
        let parameters = kernel.exprs.iter().filter_map(|(id, expr)| {
            let ExprKind::Param(index) = expr.kind else { return None };
            let is_float = kernel.params[index as usize].sign == Some(Sign::Float);
            (self.analysis.launch.arg(index).is_none() && !is_float).then_some(id)
        });
        parameters.collect()
    }

    /// That these numbers are small, as far as they are numbers and their values open.
    fn kept_small(&mut self, numbers: Vec<ExprId>, limit: u128) -> Vec<ExprId> {
        self.kept_between(numbers, (0, limit))
    }

    /// That each is between these, both ends included.
    fn kept_between(&mut self, numbers: Vec<ExprId>, (least, limit): (u128, u128)) -> Vec<ExprId> {
        let mut kept = Vec::new();
        for id in numbers {
            let width = self.pool.width(id);
            if (16..=64).contains(&width) && self.pool.as_const(id).is_none() {
                let ends = [least, limit].map(|end| self.pool.constant(end, width));
                let above = self.pool.cmp(CmpOp::Ule, ends[0], id);
                let below = self.pool.cmp(CmpOp::Ule, id, ends[1]);
                kept.push(self.pool.and(above, below));
            }
        }
        kept
    }
}
