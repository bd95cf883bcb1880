//! Where the buffers of a replayed run are.
//!
//! **What**: an address for each buffer that a pointer argument or a member of an argument leads
//! to, for programs that ask whether a pointer is null, or aligned.
//! **Misses**: pointers in memory, whose buffers are apart by [`crate::engine::pointees`].

use std::collections::BTreeMap;

use heddle_ir::{
    ArrayContract, CmpOp, ExprId, ExprKind, ExprPool, ObjectId, ObjectKind, Space, UnOp,
};

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

fn mentions_address(pool: &ExprPool, expr: ExprId, object: ObjectId) -> bool {
    let mut found = false;
    pool.for_each_below(expr, |it| found |= pool[it].kind == ExprKind::Base(object));
    found
}
