//! Where the buffers of a replayed run are.
//!
//! **What**: an address for each buffer that a pointer argument or a member of an argument leads
//! to, for programs that ask whether a pointer is null, or aligned.
//! **Sound because** a buffer is where an allocation may be. Of members it is not known what the
//! host gives, so that one has an address only where the program asks nothing but whether it is
//! null.
//! **Misses**: pointers in memory, whose buffers are apart by [`crate::engine::pointees`].

use std::collections::BTreeMap;

use heddle_ir::{
    ArrayContract, BinOp, CmpOp, ExprId, ExprKind, ExprPool, Kernel, ObjectId, ObjectKind, Op,
    OpKind, Space, UnOp, Var,
};
use rustc_hash::FxHashSet;

use crate::engine::cx::Cx;

/// Where the first buffer is, and how far the next one is from it.
const FIRST_ADDRESS: u64 = 0x7f00_0000_0000;
const APART: u64 = 1 << 33;

/// Where what pointer arguments lead to may be, also pointers in structures passed by value, for
/// programs that ask whether one is null, or aligned: apart from each other and aligned as
/// allocations are; `null` is, and those of which the launch says so. One of which the launch says
/// something else is left open.
pub(super) fn addresses(cx: &Cx<'_>, null: Option<ObjectId>) -> BTreeMap<ObjectId, u64> {
    let pool = &cx.kernel.exprs;
    let mut found = BTreeMap::new();
    // Members come after all parameters.
    let mut place_of_member = cx.kernel.params.len() as u64;
    for (object, it) in &cx.kernel.objects {
        let place = match it.kind {
            ObjectKind::Param(index) => u64::from(index),
            ObjectKind::ParamField(..) => {
                place_of_member += 1;
                if !is_only_compared_with_null(cx.kernel, object) {
                    continue;
                }
                place_of_member
            }
            ObjectKind::Pointee(_)
            | ObjectKind::Variable
            | ObjectKind::DynamicShared
            | ObjectKind::Alloca
            | ObjectKind::Unknown => continue,
        };
        if it.space != Space::Global {
            continue;
        }
        let apart = FIRST_ADDRESS + place * APART;
        let mut address = Some(if null == Some(object) { 0 } else { apart });
        let conditions = cx.launch.conditions().flat_map(|it| pool.conjuncts(it));
        for condition in conditions.filter(|it| ArrayContract::of(pool, *it).is_none()) {
            if !mentions_address(pool, condition, object) {
                continue;
            }
            address = address.and_then(|_| {
                is_null(pool, condition, object).map(|is_null| if is_null { 0 } else { apart })
            });
        }
        found.extend(address.map(|address| (object, address)));
    }
    found
}

/// Whether a condition says that an object is at address zero, or that it is not; `None` where it
/// says something else.
pub(crate) fn is_null(pool: &ExprPool, condition: ExprId, object: ObjectId) -> Option<bool> {
    if let ExprKind::Unary(UnOp::Not, inner) = pool[condition].kind {
        return is_null(pool, inner, object).map(|is_null| !is_null);
    }
    let ExprKind::Cmp(CmpOp::Eq, a, b) = pool[condition].kind else { return None };
    let is_base = |it: ExprId| pool[it].kind == ExprKind::Base(object);
    let is_zero = |it: ExprId| pool.as_const(it) == Some(0);
    ((is_base(a) && is_zero(b)) || (is_base(b) && is_zero(a))).then_some(true)
}

/// Whether the kernel asks of the address of an object only whether it is null, and goes to places
/// from there: what it does is the same wherever the object is.
fn is_only_compared_with_null(kernel: &Kernel, object: ObjectId) -> bool {
    let pool = &kernel.exprs;
    let is_zero = |it: ExprId| pool.as_const(it) == Some(0);
    let mut leads = FxHashSet::default();
    for (id, expr) in pool.iter() {
        let mut comes_from_it = false;
        pool.for_each_operand(id, |it| comes_from_it |= leads.contains(&it));
        let is_it = expr.kind == ExprKind::Base(object);
        let is_asked =
            matches!(expr.kind, ExprKind::Cmp(CmpOp::Eq, a, b) if is_zero(a) || is_zero(b));
        if !is_it && !comes_from_it || is_asked {
            continue;
        }
        // What else is computed of it may be a question.
        let leads_on = if let ExprKind::Binary(BinOp::Add, _, a, b) = expr.kind {
            leads.contains(&a) != leads.contains(&b)
        } else if let ExprKind::Select(condition, ..) = expr.kind {
            !leads.contains(&condition)
        } else {
            is_it
        };
        if !leads_on {
            return false;
        }
        leads.insert(id);
    }
    let is_kept = |it: &Op| {
        let mut op = it.clone();
        // To where an access goes is no question.
        if let OpKind::Access(access) = &mut op.kind {
            access.address.offset = op.pred;
        }
        let mut found = false;
        op.for_each_expr(|it| found |= leads.contains(&it));
        found
    };
    let carries = |var: &Var| leads.contains(&var.init) || leads.contains(&var.next);
    !kernel.ops.values().any(is_kept) && !kernel.vars.values().any(carries)
}

fn mentions_address(pool: &ExprPool, expr: ExprId, object: ObjectId) -> bool {
    let mut found = false;
    pool.for_each_below(expr, |it| found |= pool[it].kind == ExprKind::Base(object));
    found
}
