//! A model: a value for each leaf and a table for each pure function, and the evaluator that
//! every satisfiable answer must pass.
//!
//! **Promises**: [`Model::evaluate`] uses only the folders of `heddle_ir`, so that no bug of a
//! decision layer can confirm itself.

use heddle_ir::{
    BinOp, ExprId, ExprKind, ExprPool, NoWrap, PureId, flags_hold, fold_binary, fold_cast,
    fold_cmp, fold_unary, mask,
};
use rustc_hash::FxHashMap;

/// Values that meet a query.
#[derive(Clone, Debug, Default)]
pub struct Model {
    leaves: FxHashMap<ExprId, u128>,
    tables: FxHashMap<Entry, u128>,
    values: FxHashMap<ExprId, u128>,
}

/// A place in the table of a function. Functions of one name and different widths are different.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// The function.
    pub function: PureId,
    /// Bits of its result.
    pub width: u8,
    /// Arguments: bits and value of each.
    pub at: Box<[(u8, u128)]>,
}

/// The value of an expression in a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number, with zeros above the width.
    Known(u128),
    /// A no-wrap flag does not hold.
    Poison,
}

impl Model {
    /// A model without values: every leaf, and every function everywhere, is zero.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a leaf its value.
    pub fn set_leaf(&mut self, leaf: ExprId, value: u128) {
        self.leaves.insert(leaf, value);
    }

    /// Gives a function its value at one place; `false` where it had another.
    pub fn set_entry(&mut self, entry: Entry, value: u128) -> bool {
        *self.tables.entry(entry).or_insert(value) == value
    }

    /// The places of functions that have a value.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&Entry, u128)> {
        self.tables.iter().map(|(entry, value)| (entry, *value))
    }

    /// The value of a leaf, of a pure application under the facts, or of an expression that the
    /// query called relevant. `None` for anything else, and for poison; see [`Model::evaluate`].
    pub fn value(&self, expr: ExprId) -> Option<u128> {
        self.leaves.get(&expr).or_else(|| self.values.get(&expr)).copied()
    }

    /// The value of any expression of the pool the query was built in. Leaves and function entries
    /// the model does not mention are zero.
    pub fn evaluate(&self, pool: &ExprPool, expr: ExprId) -> Value {
        Evaluator { pool, model: self, memo: FxHashMap::default() }.value(expr)
    }

    /// Whether all facts are met. Keeps the values of `relevant` and of each pure application met
    /// on the way.
    pub(crate) fn confirm(
        &mut self,
        pool: &ExprPool,
        facts: &[ExprId],
        relevant: &[ExprId],
    ) -> bool {
        let mut evaluator = Evaluator { pool, model: self, memo: FxHashMap::default() };
        let met = facts.iter().all(|&fact| evaluator.value(fact) == Value::Known(1));
        if !met {
            return false;
        }
        for &expr in relevant {
            evaluator.value(expr);
        }
        let memo = evaluator.memo;
        let wanted = |expr: &ExprId| {
            relevant.contains(expr) || matches!(pool[*expr].kind, ExprKind::Pure(..))
        };
        self.values = memo
            .into_iter()
            .filter(|(expr, _)| wanted(expr))
            .filter_map(|(expr, value)| match value {
                Value::Known(value) => Some((expr, value)),
                Value::Poison => None,
            })
            .collect();
        true
    }
}

struct Evaluator<'a> {
    pool: &'a ExprPool,
    model: &'a Model,
    memo: FxHashMap<ExprId, Value>,
}

impl Evaluator<'_> {
    /// Post-order with an explicit stack: expressions of unrolled kernels are deep.
    fn value(&mut self, root: ExprId) -> Value {
        let mut stack = vec![(root, false)];
        while let Some((expr, ready)) = stack.pop() {
            if self.memo.contains_key(&expr) {
                continue;
            }
            if ready {
                let value = self.node(expr);
                self.memo.insert(expr, value);
                continue;
            }
            stack.push((expr, true));
            if !is_leaf(&self.pool[expr].kind) {
                self.pool.for_each_operand(expr, |operand| stack.push((operand, false)));
            }
        }
        self.memo[&root]
    }

    fn node(&self, expr: ExprId) -> Value {
        let of = |operand: &ExprId| self.memo[operand];
        let node = &self.pool[expr];
        let width = node.width;
        match &node.kind {
            ExprKind::Const(value) => Value::Known(*value),
            ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_) => {
                Value::Known(mask(self.model.leaves.get(&expr).copied().unwrap_or(0), width))
            }
            ExprKind::Unary(op, a) => match of(a) {
                Value::Known(a) => Value::Known(fold_unary(*op, a, width)),
                Value::Poison => Value::Poison,
            },
            ExprKind::Binary(op, flags, a, b) => binary(*op, *flags, of(a), of(b), width),
            ExprKind::Cmp(op, a, b) => match (of(a), of(b)) {
                (Value::Known(x), Value::Known(y)) => {
                    Value::Known(u128::from(fold_cmp(*op, x, y, self.pool.width(*a))))
                }
                (Value::Poison, _) | (_, Value::Poison) => Value::Poison,
            },
            ExprKind::Select(c, a, b) => match of(c) {
                Value::Known(0) => of(b),
                Value::Known(_) => of(a),
                Value::Poison => Value::Poison,
            },
            ExprKind::Cast(op, a) => match of(a) {
                Value::Known(x) => Value::Known(fold_cast(*op, x, self.pool.width(*a), width)),
                Value::Poison => Value::Poison,
            },
            ExprKind::Pure(function, args) => {
                let mut at = Vec::with_capacity(args.len());
                for arg in args {
                    match of(arg) {
                        Value::Known(value) => at.push((self.pool.width(*arg), value)),
                        Value::Poison => return Value::Poison,
                    }
                }
                let entry = Entry { function: *function, width, at: at.into_boxed_slice() };
                Value::Known(self.model.tables.get(&entry).copied().unwrap_or(0))
            }
        }
    }
}

/// Whether the solver treats this as a free variable or a constant. What an `Exit` refers to is
/// evaluated elsewhere, so it is a leaf here.
pub(crate) fn is_leaf(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Const(_)
        | ExprKind::Special(_)
        | ExprKind::Param(_)
        | ExprKind::Base(_)
        | ExprKind::Var(_)
        | ExprKind::Exit(..)
        | ExprKind::Result(..)
        | ExprKind::Undef(_)
        | ExprKind::Sym(_) => true,
        ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cmp(..)
        | ExprKind::Select(..)
        | ExprKind::Cast(..)
        | ExprKind::Pure(..) => false,
    }
}

fn binary(op: BinOp, flags: NoWrap, a: Value, b: Value, width: u8) -> Value {
    match (a, b) {
        (Value::Known(x), Value::Known(y)) if flags_hold(op, flags, x, y, width) => {
            Value::Known(fold_binary(op, x, y, width))
        }
        (Value::Known(_), Value::Known(_)) => Value::Poison,
        (Value::Known(known), Value::Poison) | (Value::Poison, Value::Known(known))
            if width == 1 =>
        {
            match (op, known) {
                (BinOp::And, 0) => Value::Known(0),
                (BinOp::Or, 1) => Value::Known(1),
                _ => Value::Poison,
            }
        }
        (Value::Poison, _) | (_, Value::Poison) => Value::Poison,
    }
}
