//! Instructions that touch memory: loads, stores, atomics, fences, local variables.

use heddle_ir::{
    Access, AccessKind, Address, AtomicOp, BinOp, CastOp, ExprId, MemoryOrder, NoWrap, OpId,
    OpKind, Opaque, Scope, Space, Touches,
};
use smallvec::SmallVec;

use super::layout::{Leaf, runs};
use super::pointer::{Alternative, Place, Pointer};
use super::strength::Strength;
use super::value::{Val, scalar_width};
use super::{At, Lifter};
use heddle_llvm::{
    AtomicOp as LlvmAtomic, Inst, Opcode, Ordering, SyncScope, Type, TypeKind, Value,
};

impl<'m> Lifter<'m> {
    pub(super) fn memory(&mut self, inst: Inst<'m>) -> Option<Val> {
        match inst.opcode() {
            Opcode::Alloca => {
                if let Some(object) = self.alloca(inst) {
                    return Some(Val::Pointer(self.point_to(object)));
                }
                let address = self.opaque("alloca", &[], &[64], Touches::nothing(), false);
                Some(Val::Pointer(self.point(Place::Absolute(Space::Local), *address.first()?)))
            }
            Opcode::Load => {
                let source = inst.pointer_operand()?;
                if let Some(builtin) =
                    source.as_global().and_then(|g| self.builtin_variable(g, inst.ty()))
                {
                    return Some(builtin);
                }
                let strength = self.strength_of(inst);
                let pointer = self.pointer(source);
                self.claim_subscripts(source);
                if inst.metadata(self.module, "invariant.load").is_some() {
                    self.reads_unwritten(&pointer);
                }
                Some(self.load(&pointer, source, inst.ty(), strength))
            }
            Opcode::Store => {
                let target = inst.pointer_operand()?;
                let strength = self.strength_of(inst);
                let (pointer, value) = (self.pointer(target), inst.operand(0)?);
                self.claim_subscripts(target);
                let lifted = self.value(value);
                self.store(&pointer, lifted, value.ty(), strength);
                Some(Val::Nothing)
            }
            Opcode::Fence => {
                let (order, scope) = self.strength_of(inst).order?;
                self.emit(OpKind::Fence { order, scope, proxy: None }, &[]);
                Some(Val::Nothing)
            }
            Opcode::AtomicRmw => self.read_modify_write(inst),
            Opcode::CmpXchg => {
                let pointer = self.pointer(inst.pointer_operand()?);
                let ty = inst.accessed_type()?;
                let width = self.bits_of(ty)?;
                let (expected, new) =
                    (self.scalar(inst.operand(1)?), self.scalar(inst.operand(2)?));
                let strength = self.strength_of(inst);
                let operands = [expected, new];
                let (old, success) =
                    self.compare_exchange(&pointer, operands, width, strength, inst.is_weak());
                let old = self.split_bits(old, ty)?;
                Some(Val::Aggregate(vec![old, Val::Scalar(success)]))
            }
            _ => None,
        }
    }

    fn read_modify_write(&mut self, inst: Inst<'m>) -> Option<Val> {
        let op = atomic_op(inst.atomic_op()?)?;
        let pointer = self.pointer(inst.pointer_operand()?);
        self.claim_subscripts(inst.pointer_operand()?);
        let ty = inst.accessed_type()?;
        let width = scalar_width(ty).or_else(|| self.bits_of(ty))?;
        let operand = self.scalar(inst.operand(1)?);
        let mut strength = self.strength_of(inst);
        if !self.objects.is_spirv()
            && let Some((order, scope)) = &mut strength.order
        {
            // NVPTX emits `atom` without an order, and at device scope unless another is named.
            *order = MemoryOrder::Relaxed;
            if *scope == Scope::System {
                *scope = Scope::Device;
            }
        }
        let old = match ty.kind() {
            TypeKind::Vector(lanes, element) => {
                let (bits, lanes) = (scalar_width(element)?, u8::try_from(lanes).ok()?);
                self.packed_atomic(&pointer, op, operand, (bits, lanes), strength)
            }
            _ => self.atomic(&pointer, op, &[operand], width, strength),
        };
        self.split_bits(old, ty)
    }

    /// Order and scope as the instruction states them.
    fn strength_of(&self, inst: Inst<'m>) -> Strength {
        let order = match inst.ordering() {
            Ordering::NotAtomic => None,
            Ordering::Unordered | Ordering::Monotonic => Some(MemoryOrder::Relaxed),
            Ordering::Acquire => Some(MemoryOrder::Acquire),
            Ordering::Release => Some(MemoryOrder::Release),
            Ordering::AcqRel => Some(MemoryOrder::AcqRel),
            Ordering::SeqCst => Some(MemoryOrder::SeqCst),
        };
        let scope = match inst.sync_scope(self.module) {
            Some(SyncScope::System) => Scope::System,
            // A scope that no target defines promises nothing to others.
            Some(SyncScope::SingleThread | SyncScope::Other) => Scope::Thread,
            Some(SyncScope::Block) => Scope::Block,
            Some(SyncScope::Cluster) => Scope::Cluster,
            Some(SyncScope::Device) => Scope::Device,
            Some(SyncScope::Warp) => Scope::Warp,
            None => Scope::System,
        };
        let (order, volatile) = (order.map(|o| (o, scope)), self.is_volatile(inst));
        Strength { order, volatile, align: 1 }.aligned(inst.alignment())
    }

    /// Whether an access is one that the compiler leaves as it is. Elements that are not aligned to
    /// their size are accessed in parts, none of which is the whole.
    fn is_volatile(&self, inst: Inst<'m>) -> bool {
        let element = inst.accessed_type().map(|it| match it.kind() {
            TypeKind::Vector(_, element) => element,
            _ => it,
        });
        let size = element.and_then(|it| it.store_size(self.module));
        let is_whole = |(by, size): (u32, u64)| u64::from(by) >= size;
        inst.is_volatile() && inst.alignment().zip(size).is_none_or(is_whole)
    }

    /// The places an access goes to, each with its guard; somewhere unknown for an undefined
    /// pointer.
    pub(super) fn targets(&mut self, pointer: &Pointer) -> Vec<(ExprId, Address)> {
        let mut found = Vec::with_capacity(pointer.alternatives.len());
        for &Alternative { guard, place, offset } in &pointer.alternatives {
            let object = match place {
                Place::Object(object) => object,
                Place::Absolute(space) => self.unknown(space),
            };
            found.push((guard, Address { object, offset }));
        }
        if found.is_empty() {
            let (guard, object, offset) =
                (self.out.exprs().truth(), self.unknown(Space::Generic), self.undef(64));
            found.push((guard, Address { object, offset }));
        }
        found
    }

    /// A load that the program promises to find what was there before the kernel.
    pub(super) fn reads_unwritten(&mut self, pointer: &Pointer) {
        for (_, address) in self.targets(pointer) {
            self.out.kernel_mut().objects[address.object].read_only = true;
        }
    }

    /// One access for each place; the operations with their guards.
    pub(super) fn access(
        &mut self,
        pointer: &Pointer,
        size: ExprId,
        kind: &AccessKind,
        results: &[u8],
        strength: Strength,
    ) -> Vec<(ExprId, OpId)> {
        let Strength { order, volatile, align } = strength;
        let in_contract = match self.at {
            At::Inst(inst) => self.of_contracts.contains(&inst.as_value()),
            At::Origin(_) => false,
        };
        let targets = self.targets(pointer);
        let emit = |(guard, address): (ExprId, Address)| {
            let pred = super::predicate::both(self.out.exprs(), self.pred, guard);
            if in_contract && self.out.kernel_mut()[address.object].space != Space::Local {
                // No program reads it there: what it holds is not known, and nobody races with it.
                let unknown = OpKind::Opaque(Opaque {
                    name: "memory that a contract reads".to_owned(),
                    args: SmallVec::new(),
                    touches: Touches::nothing(),
                    may_synchronize: false,
                });
                return (guard, self.emit_under(pred, unknown, results));
            }
            let kind = kind.clone();
            let is_shown = self.out.exprs().is_multiple_of(address.offset, u128::from(align));
            let align = if is_shown { 1 } else { align };
            let access = Access { address, size, kind, order, volatile, align, by_warp: false };
            (guard, self.emit_under(pred, OpKind::Access(access), results))
        };
        targets.into_iter().map(emit).collect()
    }

    /// The n-th result of whichever of the operations was executed.
    pub(super) fn joined_result(&mut self, ops: &[(ExprId, OpId)], n: u32) -> ExprId {
        let mut joined: Option<ExprId> = None;
        for &(guard, op) in ops.iter().rev() {
            let own = self.out.result(op, n);
            joined = Some(match joined {
                None => own,
                Some(rest) => self.out.exprs().select(guard, own, rest),
            });
        }
        match joined {
            Some(value) => value,
            None => self.undef(1),
        }
    }

    /// An atomic of `width` bits; what it read.
    pub(super) fn atomic(
        &mut self,
        pointer: &Pointer,
        op: AtomicOp,
        operands: &[ExprId],
        width: u8,
        strength: Strength,
    ) -> ExprId {
        self.atomics(pointer, op, operands, width, strength).0
    }

    /// An atomic on values packed in one word: one on each, in an order that is not specified (PTX
    /// ISA 8.2.3).
    pub(super) fn packed_atomic(
        &mut self,
        pointer: &Pointer,
        op: AtomicOp,
        operand: ExprId,
        (bits, lanes): (u8, u8),
        strength: Strength,
    ) -> ExprId {
        let width = bits * lanes;
        let mut whole = self.out.exprs().constant(0, width);
        for lane in 0..lanes {
            let pool = self.out.exprs();
            let by = pool.constant(u128::from(lane) * u128::from(bits / 8), 64);
            let shift = pool.constant(u128::from(lane) * u128::from(bits), width);
            let shifted = pool.binary(BinOp::LShr, operand, shift);
            let value = pool.cast(CastOp::Trunc, shifted, bits);
            let at = self.advance(pointer.clone(), by, NoWrap::SIGNED);
            let strength = strength.at(u64::from(lane) * u64::from(bits / 8));
            let old = self.atomic(&at, op, &[value], bits, strength);
            let pool = self.out.exprs();
            let wide = pool.cast(CastOp::Zext, old, width);
            let placed = pool.binary(BinOp::Shl, wide, shift);
            whole = pool.binary(BinOp::Or, whole, placed);
        }
        whole
    }

    /// A compare-and-swap of `width` bits: what it read, and whether it wrote. A strong one wrote
    /// where it read what it expected; a weak one may have left that as it was.
    pub(super) fn compare_exchange(
        &mut self,
        pointer: &Pointer,
        [expected, new]: [ExprId; 2],
        width: u8,
        strength: Strength,
        weak: bool,
    ) -> (ExprId, ExprId) {
        let operands = [expected, new];
        if weak {
            let op = AtomicOp::CompareExchangeWeak;
            let (old, ops) = self.atomics(pointer, op, &operands, width, strength);
            return (old, self.joined_result(&ops, 1));
        }
        let old = self.atomic(pointer, AtomicOp::CompareExchange, &operands, width, strength);
        (old, self.out.exprs().eq(old, expected))
    }

    /// What an atomic read, and the operations it became.
    fn atomics(
        &mut self,
        pointer: &Pointer,
        op: AtomicOp,
        operands: &[ExprId],
        width: u8,
        strength: Strength,
    ) -> (ExprId, Vec<(ExprId, OpId)>) {
        let stored = width.div_ceil(8) * 8;
        let operands: SmallVec<[ExprId; 2]> =
            operands.iter().map(|&e| self.out.exprs().resize(e, stored)).collect();
        let size = self.out.exprs().constant(u128::from(stored / 8), 64);
        let results: &[u8] = match op {
            AtomicOp::CompareExchangeWeak => &[stored, 1],
            _ => &[stored],
        };
        let ops = self.access(pointer, size, &AccessKind::Atomic(op, operands), results, strength);
        let old = self.joined_result(&ops, 0);
        (self.out.exprs().resize(old, width), ops)
    }

    /// A load of a type through a pointer. `source` is the pointer as the program has it: it tells
    /// what memory a loaded pointer was found in.
    pub(super) fn load(
        &mut self,
        pointer: &Pointer,
        source: Value<'m>,
        ty: Type<'m>,
        strength: Strength,
    ) -> Val {
        let Some(leaves) = self.leaves_of(ty) else {
            return self.load_bytes(pointer, ty, strength);
        };
        let space = leaves.iter().find_map(|leaf| match leaf.ty.kind() {
            TypeKind::Pointer(address_space) => Some(self.space_behind(source, address_space)),
            _ => None,
        });
        let mut parts: Vec<Option<Val>> = vec![None; leaves.len()];
        for alternative in pointer.alternatives.iter().rev() {
            let known = self.known_at(alternative, &leaves, strength);
            let loaded = match known {
                Some(values) => values,
                None => {
                    let loaded = self.load_leaves(alternative, &leaves, space, strength);
                    self.told_by_table(alternative, &leaves, strength, loaded)
                }
            };
            for (part, value) in parts.iter_mut().zip(loaded) {
                *part = Some(match part.take() {
                    None => value,
                    Some(rest) => self.choose(alternative.guard, value, rest),
                });
            }
        }
        if pointer.alternatives.is_empty() {
            let nowhere = self.targets(pointer);
            for (guard, Address { offset, .. }) in nowhere {
                let lost = Alternative { guard, place: Place::Absolute(Space::Generic), offset };
                let loaded = self.load_leaves(&lost, &leaves, space, strength);
                parts = loaded.into_iter().map(Some).collect();
            }
        }
        let mut parts = parts.into_iter().flatten();
        self.rebuild(ty, &mut parts)
    }

    /// A load whose value is not modelled.
    fn load_bytes(&mut self, pointer: &Pointer, ty: Type<'m>, strength: Strength) -> Val {
        let size =
            self.out.exprs().constant(u128::from(ty.store_size(self.module).unwrap_or(1)), 64);
        self.access(pointer, size, &AccessKind::Load, &[], strength);
        self.undef_of(ty)
    }

    /// The loads of one alternative: one for each run of leaves without a gap.
    fn load_leaves(
        &mut self,
        alternative: &Alternative,
        leaves: &[Leaf<'m>],
        space: Option<Space>,
        strength: Strength,
    ) -> Vec<Val> {
        let mut values = Vec::with_capacity(leaves.len());
        for run in runs(leaves) {
            let widths: Vec<u8> = run.iter().map(|l| l.bytes * 8).collect();
            let pointer = self.pointer_to_run(alternative, run);
            let size = self.size_of_run(run);
            let strength = strength.at(run[0].offset);
            let ops = self.access(&pointer, size, &AccessKind::Load, &widths, strength);
            for (n, leaf) in run.iter().enumerate() {
                let bits = self.joined_result(&ops, n as u32);
                values.push(self.leaf_value(bits, leaf.ty, space));
            }
        }
        values
    }

    fn leaf_value(&mut self, bits: ExprId, ty: Type<'m>, space: Option<Space>) -> Val {
        match (scalar_width(ty), space) {
            (Some(width), _) => Val::Scalar(self.out.exprs().resize(bits, width)),
            (None, space) => {
                let address = self.out.exprs().resize(bits, 64);
                Val::Pointer(self.point(Place::Absolute(space.unwrap_or(Space::Generic)), address))
            }
        }
    }

    fn pointer_to_run(&mut self, alternative: &Alternative, run: &[Leaf<'m>]) -> Pointer {
        let by = self.out.exprs().constant(u128::from(run[0].offset), 64);
        let pointer = Pointer { alternatives: vec![*alternative] };
        self.advance(pointer, by, heddle_ir::NoWrap::SIGNED)
    }

    fn size_of_run(&mut self, run: &[Leaf<'m>]) -> ExprId {
        let bytes: u64 = run.iter().map(|l| u64::from(l.bytes)).sum();
        self.out.exprs().constant(u128::from(bytes), 64)
    }

    /// A store of a value of a type.
    pub(super) fn store(
        &mut self,
        pointer: &Pointer,
        value: Val,
        ty: Type<'m>,
        strength: Strength,
    ) {
        let mut parts = Vec::new();
        flatten(value, &mut parts);
        let leaves = self.leaves_of(ty).filter(|leaves| leaves.len() == parts.len());
        let Some(leaves) = leaves else {
            let size =
                self.out.exprs().constant(u128::from(ty.store_size(self.module).unwrap_or(1)), 64);
            self.access(pointer, size, &AccessKind::Store(SmallVec::new()), &[], strength);
            return;
        };
        let mut parts = parts.into_iter();
        for run in runs(&leaves) {
            let lanes: SmallVec<[ExprId; 2]> = run
                .iter()
                .zip(parts.by_ref())
                .map(|(leaf, part)| self.as_bits(part, leaf.bytes * 8))
                .collect();
            let by = self.out.exprs().constant(u128::from(run[0].offset), 64);
            let at = self.advance(pointer.clone(), by, heddle_ir::NoWrap::SIGNED);
            let size = self.size_of_run(run);
            let strength = strength.at(run[0].offset);
            self.access(&at, size, &AccessKind::Store(lanes), &[], strength);
        }
    }

    /// A pointer whose unknown alternatives are known to be in an address space.
    pub(super) fn in_space(&mut self, pointer: Pointer, address_space: u32) -> Pointer {
        let space = self.objects.space(address_space);
        if space == Space::Generic {
            return pointer;
        }
        let alternatives = pointer.alternatives.into_iter().map(|a| match a.place {
            Place::Absolute(Space::Generic) => Alternative { place: Place::Absolute(space), ..a },
            Place::Absolute(_) | Place::Object(_) => a,
        });
        Pointer { alternatives: alternatives.collect() }
    }

    /// The addresses behind a pointer, as what an opaque operation may touch.
    pub(super) fn touches_at(&mut self, reads: &[Pointer], writes: &[Pointer]) -> Touches {
        let mut touches = Touches::default();
        for pointer in reads {
            touches.reads.extend(self.targets(pointer).into_iter().map(|t| t.1));
        }
        for pointer in writes {
            touches.writes.extend(self.targets(pointer).into_iter().map(|t| t.1));
        }
        touches
    }
}

fn flatten(value: Val, out: &mut Vec<Val>) {
    match value {
        Val::Aggregate(parts) => parts.into_iter().for_each(|p| flatten(p, out)),
        Val::Scalar(_) | Val::Pointer(_) | Val::Nothing => out.push(value),
    }
}

fn atomic_op(op: LlvmAtomic) -> Option<AtomicOp> {
    Some(match op {
        LlvmAtomic::Xchg => AtomicOp::Exchange,
        LlvmAtomic::Add => AtomicOp::Add,
        LlvmAtomic::Sub => AtomicOp::Sub,
        LlvmAtomic::And => AtomicOp::And,
        LlvmAtomic::Nand => AtomicOp::Nand,
        LlvmAtomic::Or => AtomicOp::Or,
        LlvmAtomic::Xor => AtomicOp::Xor,
        LlvmAtomic::Max => AtomicOp::SMax,
        LlvmAtomic::Min => AtomicOp::SMin,
        LlvmAtomic::UMax => AtomicOp::UMax,
        LlvmAtomic::UMin => AtomicOp::UMin,
        LlvmAtomic::FAdd => AtomicOp::FAdd,
        LlvmAtomic::FSub => AtomicOp::FSub,
        LlvmAtomic::FMax | LlvmAtomic::FMaximum => AtomicOp::FMax,
        LlvmAtomic::FMin | LlvmAtomic::FMinimum => AtomicOp::FMin,
        LlvmAtomic::UIncWrap => AtomicOp::IncWrap,
        LlvmAtomic::UDecWrap => AtomicOp::DecWrap,
        LlvmAtomic::USubCond | LlvmAtomic::USubSat => return None,
    })
}
