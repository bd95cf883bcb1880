//! Statements that move bytes: loads, stores, atomics, copies, rows of matrices, and values between
//! lanes.

use heddle_ir::{
    AccessKind, AsyncMechanism, AtomicOp, CrossLaneKind, ExprId, MemoryOrder, Scope, Space, Touches,
};
use smallvec::SmallVec;

use super::Machine;
use super::effects::space_of;
use crate::Lifter;
use crate::pointer::Place;
use crate::strength::Strength;
use crate::value::Val;
use heddle_ptx::{
    self, BulkCompletion, BulkCopy, BulkKind, Instruction, LoadStore, Operand, Role, Semantics,
    TypeKind,
};

impl<'m> Lifter<'m> {
    pub(super) fn bulk_copy(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        copy: &BulkCopy,
    ) -> Option<()> {
        let BulkCopy { kind, destination, source, completion, tensor, multicast } = *copy;
        let to = self.role_address(machine, it, Role::Address, space_of(destination))?;
        let from = self.role_address(machine, it, Role::Source, space_of(source))?;
        if multicast {
            // It writes to the memory of several blocks, and signals the barrier objects there.
            let touches = self.touches_at(&[from], &[to]);
            self.opaque(&it.opcode, &[], &[], touches, true);
            return Some(());
        }
        let size = match (self.role(machine, it, Role::Size, 64), tensor) {
            // Which of the bytes are written stands in a mask.
            (Some(_), None) if it.opcode.contains(".cp_mask") => self.undef(64),
            (Some(size), None) => size,
            // How large a box of a tensor is stands in its map.
            (_, Some(_)) | (None, None) => self.undef(64),
        };
        // The map is no place that is copied to or from: the tensor is somewhere in global memory.
        let somewhere = self.undef(64);
        let tensor_memory = self.point(Place::Absolute(Space::Global), somewhere);
        let (to, from) = match tensor {
            Some(_) if destination == heddle_ptx::Space::Global => (tensor_memory, from),
            Some(_) => (to, tensor_memory),
            None => (to, from),
        };
        let combines = matches!(kind, BulkKind::Reduce(_));
        match completion {
            BulkCompletion::Group => self.copy_or_combine(
                (AsyncMechanism::BulkGroup, combines),
                &to,
                &from,
                (size, None),
                None,
            ),
            BulkCompletion::Mbarrier => {
                let at = self.role_address(machine, it, Role::Mbarrier, Space::Shared)?;
                let (_, address) = self.targets_in(&at, Space::Shared).into_iter().next()?;
                self.copy_or_combine(
                    (AsyncMechanism::BulkMbarrier, combines),
                    &to,
                    &from,
                    (size, None),
                    Some(address),
                );
            }
        }
        Some(())
    }

    pub(in crate::call) fn strength_of_statement(semantics: Semantics) -> Strength {
        match semantics {
            Semantics::Weak => Strength::default(),
            Semantics::Volatile => Strength { order: None, volatile: true, align: 1 },
            Semantics::Mmio => Strength {
                order: Some((MemoryOrder::Relaxed, Scope::System)),
                volatile: true,
                align: 1,
            },
            Semantics::Ordered(order, scope) => {
                Strength { order: Some((order, scope)), volatile: false, align: 1 }
            }
        }
    }

    pub(super) fn load_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        access: &LoadStore,
        here: ExprId,
    ) -> Option<()> {
        let bytes = u8::try_from(access.ty.bytes()?).ok()?;
        let pointer = self.role_address(machine, it, Role::Address, space_of(access.space))?;
        let widths = vec![bytes * 8; usize::from(access.elements)];
        let size = self.out.exprs().constant(u128::from(bytes) * u128::from(access.elements), 64);
        if access.non_coherent {
            self.reads_unwritten(&pointer);
        }
        let strength = Self::strength_of_statement(access.semantics);
        let ops = self.access(&pointer, size, &AccessKind::Load, &widths, strength);
        let dest = it.operand(Role::Dest)?.clone();
        let signed = access.ty.kind == TypeKind::Signed;
        match &dest {
            heddle_ptx::Operand::Vector(elements) => {
                for (n, element) in elements.iter().enumerate().take(widths.len()) {
                    let value = self.joined_result(&ops, n as u32);
                    self.write_number(machine, element, value, signed, here);
                }
            }
            _ => {
                let value = self.joined_result(&ops, 0);
                self.write_number(machine, &dest, value, signed, here);
            }
        }
        Some(())
    }

    pub(super) fn store_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        access: &LoadStore,
    ) -> Option<()> {
        let bytes = u8::try_from(access.ty.bytes()?).ok()?;
        let pointer = self.role_address(machine, it, Role::Address, space_of(access.space))?;
        let lanes = self.lanes_of(machine, it.operand(Role::Value)?, bytes * 8);
        let size = self.out.exprs().constant(u128::from(bytes) * u128::from(access.elements), 64);
        if lanes.len() != usize::from(access.elements) {
            return None;
        }
        let strength = Self::strength_of_statement(access.semantics);
        self.access(&pointer, size, &AccessKind::Store(lanes), &[], strength);
        Some(())
    }

    /// The elements of a value operand, each of a width.
    pub(super) fn lanes_of(
        &mut self,
        machine: &Machine<'m>,
        operand: &heddle_ptx::Operand,
        width: u8,
    ) -> SmallVec<[ExprId; 2]> {
        match operand {
            heddle_ptx::Operand::Vector(elements) => {
                elements.iter().map(|e| self.number(machine, e, width)).collect()
            }
            _ => [self.number(machine, operand, width)].into_iter().collect(),
        }
    }

    pub(super) fn atomic_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        (op, ty, elements): (AtomicOp, heddle_ptx::Type, u8),
        space: Space,
        strength: Strength,
        here: ExprId,
    ) -> Option<()> {
        let bytes = u8::try_from(ty.bytes()?).ok()?;
        let width = bytes * 8;
        let pointer = self.role_address(machine, it, Role::Address, space)?;
        let values = self.lanes_of(machine, it.operand(Role::Value)?, width);
        let second = self.role(machine, it, Role::Second, width);
        if values.len() != usize::from(elements)
            || (op == AtomicOp::CompareExchange) != second.is_some()
        {
            return None;
        }
        let mut olds = Vec::with_capacity(values.len());
        for (n, value) in values.into_iter().enumerate() {
            let by = self.out.exprs().constant(n as u128 * u128::from(bytes), 64);
            let at = self.advance(pointer.clone(), by, heddle_ir::NoWrap::SIGNED);
            if ty.lanes > 1 {
                let old = self.packed_atomic(&at, op, value, (ty.bits, ty.lanes), strength);
                olds.push(Val::Scalar(old));
                continue;
            }
            let operands: Vec<ExprId> = [Some(value), second].into_iter().flatten().collect();
            olds.push(Val::Scalar(self.atomic(&at, op, &operands, width, strength)));
        }
        if let Some(dest) = it.operand(Role::Dest) {
            let value = if olds.len() == 1 { olds[0].clone() } else { Val::Aggregate(olds) };
            self.write(machine, &dest.clone(), value, here);
        }
        Some(())
    }

    pub(super) fn exchange_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        kind: CrossLaneKind,
        ty: heddle_ptx::Type,
        here: ExprId,
    ) -> Option<()> {
        use CrossLaneKind as K;
        let mask = self.role(machine, it, Role::Mask, 32);
        let width = ty.bits.max(1);
        let args: Vec<ExprId> = match kind {
            K::ShuffleIdx | K::ShuffleUp | K::ShuffleDown | K::ShuffleBfly => vec![
                self.role(machine, it, Role::Value, width)?,
                self.role(machine, it, Role::Lane, 32)?,
                self.role(machine, it, Role::Clamp, 32)?,
            ],
            K::VoteAll | K::VoteAny | K::VoteUniform | K::Ballot => {
                vec![self.role(machine, it, Role::Predicate, 1)?]
            }
            K::MatchAny
            | K::MatchAll
            | K::ReduceAdd
            | K::ReduceUMin
            | K::ReduceUMax
            | K::ReduceSMin
            | K::ReduceSMax
            | K::ReduceAnd
            | K::ReduceOr
            | K::ReduceXor => vec![self.role(machine, it, Role::Value, width)?],
            K::Elect | K::ActiveMask => Vec::new(),
        };
        let results = self.exchange(kind, mask, &args);
        self.result(machine, it, results.first().copied(), here);
        if let (Some(second), Some(dest)) = (results.get(1), it.operand(Role::DestPred)) {
            self.write_number(machine, &dest.clone(), *second, false, here);
        }
        Some(())
    }

    /// `suld.b`, `sust.b`: one access to a texel, where the surface is an argument.
    pub(super) fn surface_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        surface: &heddle_ptx::Surface,
        here: ExprId,
    ) -> Option<()> {
        let heddle_ptx::Surface { write, dimensions, layered, ty, elements, clamp } = *surface;
        let Operand::Address(address) = it.operand(Role::Address)?.clone() else { return None };
        let handle = self.number(machine, &address.base, 64);
        let written: Vec<&Operand> = address.coordinates.iter().collect();
        let mut numbers = written
            .into_iter()
            .map(|operand| self.number(machine, operand, 32))
            .collect::<Vec<_>>();
        let layer = (layered && !numbers.is_empty()).then(|| numbers.remove(0));
        let zero = self.out.exprs().constant(0, 32);
        let coordinate = |n: u8| match n < dimensions {
            true => numbers.get(usize::from(n)).copied(),
            false => Some(zero),
        };
        let place = [coordinate(0)?, coordinate(1)?, layer.map_or_else(|| coordinate(2), Some)?];
        let count = usize::from(elements);
        let bytes = u64::from(ty.bytes()?) * u64::from(elements);
        // What lies outside of it is moved to the border, where others write too.
        let object = self.surface(handle).filter(|_| !clamp);
        let Some(object) = object else {
            let space: smallvec::SmallVec<_> = [Space::Global].into_iter().collect();
            let touches = match write {
                true => Touches { writes_spaces: space, ..Touches::default() },
                false => Touches { reads_spaces: space, ..Touches::default() },
            };
            self.unmodelled(machine, it, touches, false, here);
            return Some(());
        };
        let width = ty.bits;
        if write {
            let value = self.operand(machine, it.operand(Role::Value)?);
            let parts = match value {
                Val::Aggregate(parts) => parts,
                single @ (Val::Scalar(_) | Val::Pointer(_) | Val::Nothing) => vec![single],
            };
            let lanes = if parts.len() == count {
                parts.into_iter().map(|part| self.as_bits(part, width)).collect()
            } else {
                SmallVec::new()
            };
            self.access_texel(object, place, bytes, &AccessKind::Store(lanes), &[]);
        } else {
            let widths = vec![width; count];
            let loaded = self.access_texel(object, place, bytes, &AccessKind::Load, &widths);
            let mut parts: Vec<Val> = loaded.into_iter().map(Val::Scalar).collect();
            let value = match parts.len() {
                1 => parts.remove(0),
                _ => Val::Aggregate(parts),
            };
            self.write(machine, &it.operand(Role::Dest)?.clone(), value, here);
        }
        Some(())
    }

    /// Each of the first lanes of the warp touches the row at its own address.
    pub(super) fn rows(
        &mut self,
        machine: &Machine<'m>,
        it: &Instruction,
        space: Space,
        row_bytes: u8,
        rows: u8,
        kind: &AccessKind,
    ) -> Option<()> {
        let pointer = self.role_address(machine, it, Role::Address, space)?;
        self.first_rows(&pointer, row_bytes, rows, kind);
        Some(())
    }
}
