//! Variables that loops inside step: `for (…) for (…) p += step;`.
//!
//! **What**: for a variable of an outer loop, the step that a loop inside adds in each of its
//! iterations, and the loops whose iterations count.
//! **Method**: the next value is what a variable of the loop inside is at the end, which starts
//! there as the outer variable and adds a step; or goes on like this itself.
//! **Sound because** each round of the outer loop that another one follows has entered the loop
//! inside, and that loop runs equally often in each round: its test and what its test is made of
//! start alike and change alike, as no memory, no other loop and nothing that the outer loop
//! changes is among it. So after `k` rounds the step was added `k` times as often as in the first.
//! **Misses**: loops inside that only some rounds enter, or that run for a number that the outer
//! loop changes; steps beside the loop inside.
//! **Assumes**: nothing.

use heddle_ir::{BinOp, ExprId, ExprKind, Kernel, LoopId, NoWrap, Scopes, VarId};
use rustc_hash::FxHashSet;

use super::order::implies;

/// A step that loops inside add.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rounds {
    /// Added each time; the outer loop leaves it alone.
    pub(crate) step: ExprId,
    /// The flags of one addition.
    pub(crate) flags: NoWrap,
    /// The loops inside, outermost first; of each, whether its last iteration adds as well.
    pub(crate) inner: Vec<(LoopId, bool)>,
}

/// How loops inside step a variable.
pub(crate) fn rounds(kernel: &Kernel, scopes: &Scopes, var: VarId) -> Option<Rounds> {
    let it = &kernel[var];
    let ExprKind::Exit(inside, value) = kernel[it.next].kind else { return None };
    let enters = implies(kernel, kernel[it.of].cont, kernel[inside].pred);
    if scopes.parent(inside) != Some(it.of) || !enters {
        return None;
    }
    let is = |id: ExprId, of: VarId| kernel[id].kind == ExprKind::Var(of);
    let own = kernel[inside].vars.iter().find(|own| {
        let starts = is(kernel[**own].init, var);
        starts && (is(value, **own) || value == kernel[**own].next)
    });
    let own = *own?;
    let found = match added(kernel, scopes, own) {
        Some((step, flags)) => Rounds { step, flags, inner: Vec::new() },
        None => rounds(kernel, scopes, own)?,
    };
    let Rounds { step, flags, mut inner } = found;
    inner.insert(0, (inside, !is(value, own)));
    let alike = inner.iter().all(|(of, _)| is_alike(kernel, scopes, it.of, *of));
    (alike && scopes.invariant(it.of, step)).then_some(Rounds { step, flags, inner })
}

/// The step that a variable adds in each iteration of its own loop.
fn added(kernel: &Kernel, scopes: &Scopes, var: VarId) -> Option<(ExprId, NoWrap)> {
    let it = &kernel[var];
    let ExprKind::Binary(BinOp::Add, flags, a, b) = kernel[it.next].kind else { return None };
    let is_self = |id: ExprId| kernel[id].kind == ExprKind::Var(var);
    let step = [(a, b), (b, a)].into_iter().find(|(of, _)| is_self(*of))?.1;
    scopes.invariant(it.of, step).then_some((step, flags))
}

/// Whether a loop runs equally often in each round of one around it.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed may change with the round")]
fn is_alike(kernel: &Kernel, scopes: &Scopes, around: LoopId, of: LoopId) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![kernel[of].cont];
    while let Some(id) = work.pop() {
        if !seen.insert(id) || scopes.invariant(around, id) {
            continue;
        }
        match kernel[id].kind {
            ExprKind::Var(var) if kernel[var].of == of => {
                work.extend([kernel[var].init, kernel[var].next]);
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => kernel.exprs.for_each_operand(id, |operand| work.push(operand)),
            _ => return false,
        }
    }
    true
}
