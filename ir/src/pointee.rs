//! Pointers that lie in memory: which one an address is computed from.
//!
//! **What**: the value that was read from memory as a pointer, for an address that is this pointer
//! and a distance. **Method**: the sums that the address is made of, and the start of loop
//! variables that go on by sums, are looked through for values of 64 bits that were read from
//! memory of the host.
//! **Sound because** one such value alone stands in the sum as it is; a distance that was read as
//! one of 64 bits, unscaled, would be a second one, and then there is no answer, nor where an
//! argument of 64 bits stands beside it. A loop variable counts only if it goes on from itself: one
//! that is set anew in each iteration holds what an iteration before has read.
//! **Misses**: pointers out of memory that the kernel fills, and choices of pointers.

use rustc_hash::FxHashSet;

use crate::entity::{ExprId, ObjectId};
use crate::expr::{BinOp, ExprKind};
use crate::kernel::Kernel;
use crate::object::{ObjectKind, Space};
use crate::op::{AccessKind, OpKind};

impl Kernel {
    /// The pointer that an address is computed from, and the object that it lies in, where it was
    /// read from memory of the host.
    pub fn pointer_in_memory(&self, address: ExprId) -> Option<(ExprId, ObjectId)> {
        let mut found = Vec::new();
        self.pointers(address, &mut FxHashSet::default(), &mut found);
        let [only] = found[..] else { return None };
        Some((only, self.table_of(only)?))
    }

    /// Collects the terms of a sum that may be pointers.
    fn pointers(&self, id: ExprId, seen: &mut FxHashSet<ExprId>, found: &mut Vec<ExprId>) {
        match self.exprs[id].kind {
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                self.pointers(a, seen, found);
                self.pointers(b, seen, found);
            }
            ExprKind::Var(var) if seen.insert(id) => {
                let mut steps = self.terms(self[var].next);
                match steps.iter().position(|it| *it == id) {
                    Some(own) => drop(steps.swap_remove(own)),
                    None => found.push(id),
                }
                self.pointers(self[var].init, seen, found);
                steps.into_iter().for_each(|it| self.pointers(it, seen, found));
            }
            ExprKind::Const(_) => {}
            ExprKind::Param(_) if self.exprs.width(id) < 64 => {}
            // Distances are computed; what else may be an address keeps the answer from being one.
            ExprKind::Binary(BinOp::Mul | BinOp::Shl, ..) | ExprKind::Cast(..) => {}
            ExprKind::Var(_)
            | ExprKind::Param(_)
            | ExprKind::Binary(..)
            | ExprKind::Special(_)
            | ExprKind::Base(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Unary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Pure(..) => found.push(id),
        }
    }

    /// What a sum adds up.
    pub fn terms(&self, sum: ExprId) -> Vec<ExprId> {
        let (mut terms, mut work) = (Vec::new(), vec![sum]);
        while let Some(at) = work.pop() {
            match self.exprs[at].kind {
                ExprKind::Binary(BinOp::Add, _, a, b) => work.extend([a, b]),
                _ => terms.push(at),
            }
        }
        terms
    }

    /// The object that a value was read from, by a plain load of 64 bits.
    fn table_of(&self, value: ExprId) -> Option<ObjectId> {
        let ExprKind::Result(op, 0) = self.exprs[value].kind else { return None };
        let OpKind::Access(access) = &self[op].kind else { return None };
        let plain = access.order.is_none() && !access.volatile && self.exprs.width(value) == 64;
        let object = &self[access.address.object];
        let of_host = match object.kind {
            ObjectKind::Param(_)
            | ObjectKind::ParamField(..)
            | ObjectKind::Variable
            | ObjectKind::Pointee(_) => true,
            ObjectKind::DynamicShared | ObjectKind::Alloca | ObjectKind::Unknown => false,
        };
        let lies_there = of_host && matches!(object.space, Space::Global | Space::Constant);
        let is_load = matches!(access.kind, AccessKind::Load);
        (plain && is_load && lies_there).then_some(access.address.object)
    }
}
