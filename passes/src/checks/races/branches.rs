//! Accesses in two branches of which each launch takes one: no thread executes the one in a run in
//! which some thread executes the other.
//!
//! **What**: `if (mode == 0) x[i] = 1; else if (mode == 1) x[2 * i] = 2; …` has as many pairs as
//! the square of its branches, and each of their questions has as many guards as there are.
//! **Method**: of each guard, the conditions that hold wherever the access is executed, as far as
//! they are the same for all threads of a launch: arguments, constants, and operators on these that
//! have a value whatever their operands are. Two accesses exclude each other where one needs what
//! the other forbids, or where the two need one number to be two.
//! **Sound because** such a condition has one value in a launch, whoever asks and however often.
//! **Misses**: conditions on what is loaded, on threads, and what only arithmetic tells apart.
//! **Assumes**: nothing.

use std::cell::RefCell;

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, ExprPool, Kernel, NoWrap, UnOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::site::Site;
use crate::engine::answer::Held;
use crate::engine::cx::Cx;
use crate::facts::journal::Note;

/// What launches must be like for a guard to hold.
#[derive(Debug, Default)]
struct Needs {
    holds: FxHashSet<ExprId>,
    fails: FxHashSet<ExprId>,
    /// Numbers that are one constant.
    equal: FxHashMap<ExprId, ExprId>,
}

/// The needs of the guards of sites.
#[derive(Debug, Default)]
pub(super) struct Branches(FxHashMap<ExprId, Needs>);

impl Branches {
    /// Of the guards of all these sites.
    pub(super) fn of<'s>(kernel: &Kernel, sites: impl IntoIterator<Item = &'s Site>) -> Branches {
        let constants = Constants { pool: &kernel.exprs, known: RefCell::default() };
        let mut found = FxHashMap::default();
        for site in sites {
            let guard = kernel[site.op].pred;
            found.entry(guard).or_insert_with(|| constants.needs(guard));
        }
        Branches(found)
    }

    /// That no launch executes both, where that is so.
    pub(super) fn held(&self, cx: &Cx<'_>, pair: &[Site; 2]) -> Option<Held> {
        let told = "each launch takes one of their branches at most (structure)";
        let excluded = self.exclude(cx.kernel, pair);
        excluded.then(|| {
            cx.analysis.journal.note(|| Note::Text(told.to_owned()));
            Held::at_once()
        })
    }

    /// Whether no launch executes both. All members of a site stand under one guard.
    fn exclude(&self, kernel: &Kernel, [a, b]: &[Site; 2]) -> bool {
        let needs = |site: &Site| self.0.get(&kernel[site.op].pred);
        let (Some(a), Some(b)) = (needs(a), needs(b)) else { return false };
        let clash = |a: &Needs, b: &Needs| a.holds.iter().any(|it| b.fails.contains(it));
        let differs = |(number, one): (&ExprId, &ExprId)| {
            b.equal.get(number).is_some_and(|other| other != one)
        };
        clash(a, b) || clash(b, a) || a.equal.iter().any(differs)
    }
}

/// Which expressions have one value in a launch.
struct Constants<'k> {
    pool: &'k ExprPool,
    known: RefCell<FxHashMap<ExprId, bool>>,
}

impl Constants<'_> {
    fn needs(&self, guard: ExprId) -> Needs {
        let mut needs = Needs::default();
        for part in self.pool.conjuncts(guard).into_iter().filter(|it| self.is_constant(*it)) {
            match self.negated(part) {
                Some(inner) => {
                    needs.fails.insert(inner);
                }
                None => {
                    needs.holds.insert(part);
                    let number = self.equal(part);
                    needs.equal.extend(number);
                }
            }
        }
        needs
    }

    fn negated(&self, part: ExprId) -> Option<ExprId> {
        let ExprKind::Unary(UnOp::Not, inner) = self.pool[part].kind else { return None };
        Some(inner)
    }

    /// The number and the constant of an equality. Constants of one pool are one expression where
    /// they are one number of one width.
    fn equal(&self, part: ExprId) -> Option<(ExprId, ExprId)> {
        let ExprKind::Cmp(CmpOp::Eq, number, constant) = self.pool[part].kind else { return None };
        self.pool.as_const(constant).map(|_| (number, constant))
    }

    fn is_constant(&self, id: ExprId) -> bool {
        if let Some(known) = self.known.borrow().get(&id) {
            return *known;
        }
        let all = |ids: &[ExprId]| ids.iter().all(|it| self.is_constant(*it));
        let found = match &self.pool[id].kind {
            ExprKind::Const(_) | ExprKind::Param(_) => true,
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => all(&[*a]),
            ExprKind::Binary(op, flags, a, b) => {
                *flags == NoWrap::NONE && is_total(*op) && all(&[*a, *b])
            }
            ExprKind::Cmp(_, a, b) => all(&[*a, *b]),
            ExprKind::Select(c, a, b) => all(&[*c, *a, *b]),
            ExprKind::Special(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => false,
        };
        self.known.borrow_mut().insert(id, found);
        found
    }
}

/// Whether an operator has a value for all operands.
fn is_total(op: BinOp) -> bool {
    match op {
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => true,
        BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr => false,
    }
}
