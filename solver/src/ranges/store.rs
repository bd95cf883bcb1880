//! The bounds of one problem: what was assumed of each expression, and what follows for those
//! above.
//!
//! **Invariant**: every entry of `assumed` is a constraint of the problem. Whoever reads the
//! problem must read [`Ranges::assumed`] as well as the facts: a fact may be dropped because a
//! bound implies it.

use heddle_ir::{ExprId, ExprKind, ExprPool};
use rustc_hash::FxHashMap;

use super::forward;
use super::known::Known;

/// No value meets the bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Contradiction;

/// Bounds on expressions of one pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    assumed: FxHashMap<ExprId, Known>,
    /// What follows for other expressions; emptied when a bound is added.
    derived: FxHashMap<ExprId, Known>,
    /// Counts the bounds that were added or sharpened.
    changes: usize,
}

impl Ranges {
    /// The constraints, in the order of their expressions.
    pub(crate) fn assumed(&self) -> Vec<(ExprId, Known)> {
        let mut all: Vec<_> = self.assumed.iter().map(|(&expr, &known)| (expr, known)).collect();
        all.sort_by_key(|(expr, _)| *expr);
        all
    }

    /// How often a bound was added or sharpened.
    pub(crate) fn changes(&self) -> usize {
        self.changes
    }

    /// No bounds yet, but a history.
    pub(crate) fn resumed(changes: usize) -> Ranges {
        Ranges { changes, ..Ranges::default() }
    }

    /// Takes back the count of changes, where bounds were only rebuilt.
    pub(crate) fn set_changes(&mut self, changes: usize) {
        self.changes = changes;
    }

    /// What is known of an expression.
    pub(crate) fn of(&mut self, pool: &ExprPool, root: ExprId) -> Known {
        if let Some(known) = self.derived.get(&root) {
            return *known;
        }
        if let ExprKind::Const(value) = pool[root].kind {
            return Known::constant(value, pool[root].width);
        }
        let mut stack = vec![(root, false)];
        while let Some((expr, ready)) = stack.pop() {
            if self.derived.contains_key(&expr) {
                continue;
            }
            if ready {
                let known = self.node(pool, expr);
                self.derived.insert(expr, known);
                continue;
            }
            stack.push((expr, true));
            if !crate::model::is_leaf(&pool[expr].kind) {
                pool.for_each_operand(expr, |operand| stack.push((operand, false)));
            }
        }
        self.derived[&root]
    }

    /// What follows from the operands alone, without the bound on the expression itself.
    pub(crate) fn intrinsic(&mut self, pool: &ExprPool, expr: ExprId) -> Known {
        self.of(pool, expr);
        self.by_operands(pool, expr)
    }

    /// Adds a bound; says whether it was news.
    pub(crate) fn meet(
        &mut self,
        pool: &ExprPool,
        expr: ExprId,
        bound: &Known,
    ) -> Result<bool, Contradiction> {
        let now = self.of(pool, expr);
        let Some(next) = now.meet(bound) else {
            // Recorded, so that the problem is unsatisfiable for every reader.
            self.assumed.insert(expr, *bound);
            return Err(Contradiction);
        };
        if next == now {
            return Ok(false);
        }
        if let ExprKind::Const(_) = pool[expr].kind {
            return Ok(false);
        }
        self.assumed.insert(expr, next);
        self.derived.clear();
        self.changes += 1;
        Ok(true)
    }

    fn node(&self, pool: &ExprPool, expr: ExprId) -> Known {
        let known = self.by_operands(pool, expr);
        match self.assumed.get(&expr) {
            // An empty meet is found again, as a contradiction, by the next bound on it.
            Some(bound) => known.meet(bound).unwrap_or(*bound),
            None => known,
        }
    }

    fn by_operands(&self, pool: &ExprPool, expr: ExprId) -> Known {
        let of = |operand: &ExprId| match pool[*operand].kind {
            ExprKind::Const(value) => Known::constant(value, pool[*operand].width),
            _ => self.derived[operand],
        };
        let node = &pool[expr];
        let width = node.width;
        match &node.kind {
            ExprKind::Const(value) => Known::constant(*value, width),
            ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => Known::top(width),
            ExprKind::Unary(op, a) => forward::unary(*op, &of(a)),
            ExprKind::Binary(op, flags, a, b) => forward::binary(*op, *flags, &of(a), &of(b)),
            ExprKind::Cmp(op, a, b) => match Known::compare(*op, &of(a), &of(b)) {
                Some(truth) => Known::constant(u128::from(truth), 1),
                None => Known::top(1),
            },
            ExprKind::Select(c, a, b) => match of(c).as_const() {
                Some(0) => of(b),
                Some(_) => of(a),
                None => of(a).join(&of(b)),
            },
            ExprKind::Cast(op, a) => forward::cast(*op, &of(a), width),
        }
    }
}
