//! Numbers of which it is said which they are: the launches that a program makes.
//!
//! **What**: for each expression of a kernel's conditions and of its body that can only be one of
//! some numbers, these: by a list (`n == 4 || n == 8`), a choice (`n == (big ? 8 : 4)`), or what is
//! computed from such.
//! **Method**: conditions are looked through for equalities until nothing new is found; operators
//! are applied to each number of their operands.
//! **Sound because**: nothing is proved from it. It only says which arithmetic keeps its
//! wrap-around where a question is asked again without it: that of numbers which are meant.
//! **Misses**: numbers that only a loop makes, and lists of more than [`MOST_NUMBERS`].
//! **Assumes**: nothing.

use heddle_ir::{
    BinOp, CmpOp, ExprId, ExprKind, ExprPool, Kernel, fold_binary, fold_cast, fold_cmp, fold_unary,
    is_undefined_division,
};
use rustc_hash::FxHashMap;

use crate::facts::launch::Launch;

/// Longer lists say no numbers.
const MOST_NUMBERS: usize = 64;

/// Rounds over the conditions: what is equal to what is listed is listed after it.
const ROUNDS: usize = 4;

/// The numbers of expressions that have a list.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    numbers: FxHashMap<ExprId, Vec<u128>>,
}

impl Listed {
    /// What the conditions of a launch say.
    pub(crate) fn of(kernel: &Kernel, launch: &Launch) -> Listed {
        let mut it = Listed::default();
        let said: Vec<ExprId> =
            launch.conditions().flat_map(|it| kernel.exprs.conjuncts(it)).collect();
        for _ in 0..ROUNDS {
            let before = it.numbers.len();
            for part in &said {
                if let Some((of, numbers)) = it.list(&kernel.exprs, *part) {
                    it.numbers.entry(of).or_insert(numbers);
                }
            }
            if it.numbers.len() == before {
                break;
            }
        }
        it
    }

    /// The numbers that an expression of a list is said to be.
    pub(crate) fn of_leaf(&self, id: ExprId) -> Option<&[u128]> {
        self.numbers.get(&id).map(Vec::as_slice)
    }

    /// The expression that a condition lists the numbers of: by an equality, by alternatives of
    /// such, or by a part of it.
    fn list(&self, pool: &ExprPool, condition: ExprId) -> Option<(ExprId, Vec<u128>)> {
        if let ExprKind::Cmp(CmpOp::Eq, a, b) = pool[condition].kind {
            return [(a, b), (b, a)].into_iter().find_map(|(of, to)| {
                let is_open = pool.as_const(of).is_none() && self.of_leaf(of).is_none();
                is_open.then(|| Some((of, self.numbers(pool, to)?)))?
            });
        }
        let ExprKind::Binary(op, _, a, b) = pool[condition].kind else { return None };
        if op == BinOp::And {
            return self.list(pool, a).or_else(|| self.list(pool, b));
        }
        if op != BinOp::Or {
            return None;
        }
        let ((one, mut all), (other, more)) = (self.list(pool, a)?, self.list(pool, b)?);
        all.extend(more);
        (one == other).then(|| Some((one, few(all)?)))?
    }

    /// The numbers that an expression can be.
    fn numbers(&self, pool: &ExprPool, id: ExprId) -> Option<Vec<u128>> {
        if let Some(known) = self.of_leaf(id) {
            return Some(known.to_vec());
        }
        let width = pool.width(id);
        match pool[id].kind {
            ExprKind::Const(value) => Some(vec![value]),
            ExprKind::Select(_, a, b) => {
                let mut all = self.numbers(pool, a)?;
                all.extend(self.numbers(pool, b)?);
                few(all)
            }
            ExprKind::Cast(op, a) => {
                let from = pool.width(a);
                few(self
                    .numbers(pool, a)?
                    .iter()
                    .map(|it| fold_cast(op, *it, from, width))
                    .collect())
            }
            ExprKind::Unary(op, a) => {
                few(self.numbers(pool, a)?.iter().map(|it| fold_unary(op, *it, width)).collect())
            }
            ExprKind::Binary(op, _, a, b) => {
                let (xs, ys) = (self.numbers(pool, a)?, self.numbers(pool, b)?);
                let pairs = xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y)));
                let defined = pairs.filter(|(x, y)| !is_undefined_division(op, *x, *y, width));
                few(defined.map(|(x, y)| fold_binary(op, x, y, width)).collect())
            }
            ExprKind::Cmp(op, a, b) => {
                let (xs, ys) = (self.numbers(pool, a)?, self.numbers(pool, b)?);
                let of = pool.width(a);
                let pairs = xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y)));
                few(pairs.map(|(x, y)| u128::from(fold_cmp(op, x, y, of))).collect())
            }
            ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => None,
        }
    }
}

/// Each number once, if they are few.
fn few(mut numbers: Vec<u128>) -> Option<Vec<u128>> {
    numbers.sort_unstable();
    numbers.dedup();
    (!numbers.is_empty() && numbers.len() <= MOST_NUMBERS).then_some(numbers)
}
