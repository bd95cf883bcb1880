//! Whether two stores that meet write the same, although the trace does not know what.
//!
//! **What**: of a race of two stores by one operation, whether the value is one that the threads
//! agree on, or may be one, as it was read at one place ([`Values`]).
//! **Promises**: [`Values::Equal`] is a proof. **Does not**: follow what memory holds; what threads
//! load alike is in `one_value`.

use std::collections::BTreeSet;

use heddle_ir::{Access, AccessKind as IrAccess, ExprId, ExprKind, Kernel};
use heddle_trace::{Race, RaceKind};

use super::drive::of_source;
use crate::engine::cx::Cx;
use crate::facts::uniformity::Varies;

/// What two stores that meet are known to write, although the trace does not know the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Values {
    /// The same to the same bytes: both compute it by one expression, which no loop changes and the
    /// block agrees on.
    Equal,
    /// The same in the same iterations of the loops around.
    EqualInIteration,
    /// What both read at one place, which may hold one value all the time.
    ReadFromOnePlace,
    /// Nothing.
    Open,
}

impl Values {
    pub(super) fn of(cx: &Cx<'_>, race: &Race) -> Values {
        let stored = |source: u32| {
            let Access { address, size, kind, order, volatile: _, align: _, by_warp: _ } =
                cx.kernel.access(of_source(source).0)?;
            let IrAccess::Store(values) = kind else { return None };
            let plain = !values.is_empty() && order.is_none();
            let meant = || [&[address.offset, *size], values.as_slice()].concat();
            plain.then(|| (address.object, meant(), values.as_slice()))
        };
        let agree_in = |id: ExprId| match race.kind {
            RaceKind::Lanes => Some(cx.analysis.uniformity.variation(id).varies <= Varies::ByWarp),
            RaceKind::Warps => Some(cx.analysis.uniformity.block_uniform(id)),
            RaceKind::Blocks | RaceKind::ThreadAndCopy | RaceKind::Copies => None,
        };
        let agree = |id: &ExprId| agree_in(*id) == Some(true);
        let fixed = |id: &ExprId| cx.analysis.scopes.home(*id).is_none();
        let [Some(one), Some(two)] = race.sources.map(stored) else { return Values::Open };
        let (_, meant, values) = &one;
        match one == two {
            false => Values::Open,
            true if meant.iter().all(|it| agree(it) && fixed(it)) => Values::Equal,
            // Whoever meets there in one iteration stores one value, wherever that is.
            true if values.iter().all(agree) => Values::EqualInIteration,
            true if values.iter().all(|it| reads_one_place(cx.kernel, *it, &agree)) => {
                Values::ReadFromOnePlace
            }
            true => Values::Open,
        }
    }
}

/// Whether a value is one that threads agree on, or is computed from such and from what they load
/// at places that they agree on; or the one or the other, and what was loaded may be the same.
fn reads_one_place(kernel: &Kernel, id: ExprId, agree: &dyn Fn(&ExprId) -> bool) -> bool {
    let (mut seen, mut work) = (BTreeSet::new(), vec![id]);
    let (mut is_chosen, mut is_loaded) = (false, false);
    while let Some(id) = work.pop() {
        if agree(&id) || !seen.insert(id) {
            continue;
        }
        match kernel[id].kind {
            ExprKind::Result(op, _) => match kernel.access(op) {
                Some(it) if it.kind == IrAccess::Load => {
                    is_loaded = true;
                    work.push(it.address.offset);
                }
                Some(_) | None => return false,
            },
            ExprKind::Select(condition, one, other) => {
                is_chosen |= !reads_one_place(kernel, condition, agree);
                work.extend([one, other]);
            }
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cmp(..) | ExprKind::Cast(..) => {
                kernel.exprs.for_each_operand(id, |it| work.push(it))
            }
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => return false,
        }
    }
    is_loaded || !is_chosen
}
