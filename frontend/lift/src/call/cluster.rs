//! Addresses of another block's shared memory (`mapa`, PTX ISA, section 9.7.9.23), and the place
//! of a block in its cluster.
//!
//! **Promises**: an address `offset` bytes into a shared object is mapped to what is `offset` bytes
//! beyond the mapped start of the object, so that the start alone is what the function is asked
//! for.

use heddle_ir::{BinOp, CastOp, ExprId, Space, Special};

use super::Call;
use super::nvvm::given;
use crate::Lifter;
use crate::value::Val;
use heddle_llvm::TypeKind;
use heddle_ptx::{Axis, Intrinsic, Role, Special as Register};

impl<'m> Lifter<'m> {
    /// The address in the shared memory of the block of this rank that belongs to `address`.
    pub(in crate::call) fn mapped_to_block(
        &mut self,
        name: &str,
        address: ExprId,
        rank: ExprId,
    ) -> ExprId {
        let width = self.out.exprs().width(address);
        let rank = self.out.exprs().resize(rank, 32);
        if let Some((object, offset)) = self.split_base(address)
            && self.out.kernel().objects[object].space == Space::Shared
        {
            let pool = self.out.exprs();
            let base = pool.base(object);
            let base = pool.resize(base, width);
            let start = pool.pure(name, &[base, rank], width);
            let offset = pool.cast(CastOp::Trunc, offset, width);
            return pool.add(start, offset);
        }
        self.out.exprs().pure(name, &[address, rank], width)
    }

    /// `llvm.nvvm.mapa` and `llvm.nvvm.mapa.shared.cluster`.
    pub(super) fn map_to_block(
        &mut self,
        call: &Call<'m>,
        name: &str,
        it: &Intrinsic,
    ) -> Option<Val> {
        let pointer = self.pointer(given(call, it, Role::Value)?);
        let address = self.numeric(&pointer);
        let rank = self.scalar(given(call, it, Role::Second)?);
        let mapped = self.mapped_to_block(name, address, rank);
        let TypeKind::Pointer(space) = call.inst.ty().kind() else { return None };
        Some(Val::Pointer(self.pointer_from_number(mapped, space)))
    }

    /// The registers of a cluster's shape, where the code says it.
    pub(super) fn of_cluster(&mut self, register: Register) -> Option<ExprId> {
        let cluster = self.out.kernel().launch.cluster?;
        let number = |axis| match axis {
            Axis::X => 0u8,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        let pool = self.out.exprs();
        let mut divided = |axis, of: fn(u8) -> Special, by: BinOp| {
            let axis = number(axis);
            let index = pool.special(of(axis));
            let size = pool.constant(u128::from(cluster[usize::from(axis)]), 32);
            pool.binary(by, index, size)
        };
        match register {
            Register::ClusterCtaid(axis) => Some(divided(axis, Special::Ctaid, BinOp::URem)),
            Register::Clusterid(axis) => Some(divided(axis, Special::Ctaid, BinOp::UDiv)),
            Register::Nclusterid(axis) => Some(divided(axis, Special::Nctaid, BinOp::UDiv)),
            Register::ClusterNctaid(axis) => {
                let size = cluster[usize::from(number(axis))];
                Some(self.out.exprs().constant(u128::from(size), 32))
            }
            _ => None,
        }
    }
}
