//! Loads, stores and atomics of inline PTX, each after the check that instrumented code has for it.

use heddle_ir::{AtomicOp, Scope};
use heddle_runtime::abi;

use super::{Body, scope_number};
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Class, Instruction, LoadStore, Operand, Role, TypeKind};

impl Body<'_> {
    pub(super) fn check(&mut self, pointer: &str, bytes: u32, flags: u32) {
        if self.signature.checked {
            let here = crate::jit::CURRENT_SITE;
            let flags = flags | abi::alignment_flags(u64::from(bytes));
            self.line(&format!("call void @__heddle_access(ptr {pointer}, i32 {bytes}, i32 {here}, i32 {flags}, i64 0)"));
        }
    }

    pub(super) fn load(&mut self, it: &Instruction, access: LoadStore) -> Option<()> {
        let (pointer, bits) = (self.pointer(it, Role::Address)?, u32::from(access.ty.bits));
        let flags = strength(access, abi::Access::Load);
        self.check(&pointer, bits / 8 * u32::from(access.elements), flags);
        let dest = it.operand(Role::Dest)?;
        let parts: Vec<&Operand> = match dest {
            Operand::Vector(parts) => parts.iter().collect(),
            one => vec![one],
        };
        for (n, part) in parts.into_iter().enumerate() {
            let at = self.value(&format!("getelementptr i{bits}, ptr {pointer}, i64 {n}"));
            let value = self.value(&format!("load i{bits}, ptr {at}, align 1"));
            self.set(part, bits, &value)?;
        }
        Some(())
    }

    pub(super) fn store(&mut self, it: &Instruction, access: LoadStore) -> Option<()> {
        let (pointer, bits) = (self.pointer(it, Role::Address)?, u32::from(access.ty.bits));
        let flags = strength(access, abi::Access::Store);
        self.check(&pointer, bits / 8 * u32::from(access.elements), flags);
        let value = it.operand(Role::Value)?;
        let parts: Vec<&Operand> = match value {
            Operand::Vector(parts) => parts.iter().collect(),
            one => vec![one],
        };
        for (n, part) in parts.into_iter().enumerate() {
            let value = self.operand(part, bits)?;
            let at = self.value(&format!("getelementptr i{bits}, ptr {pointer}, i64 {n}"));
            self.line(&format!("store i{bits} {value}, ptr {at}, align 1"));
        }
        Some(())
    }

    pub(super) fn atomic(
        &mut self,
        it: &Instruction,
        op: AtomicOp,
        bits: u32,
        kind: TypeKind,
        scope: Scope,
    ) -> Option<()> {
        let _kind = kind;
        let pointer = self.pointer(it, Role::Address)?;
        let order = match &it.class {
            Class::Atomic { order, .. } => *order,
            _ => return None,
        };
        let order = match order {
            heddle_ir::MemoryOrder::Relaxed => abi::MemoryOrder::Relaxed,
            heddle_ir::MemoryOrder::Acquire => abi::MemoryOrder::Acquire,
            heddle_ir::MemoryOrder::Release => abi::MemoryOrder::Release,
            heddle_ir::MemoryOrder::AcqRel | heddle_ir::MemoryOrder::SeqCst => {
                abi::MemoryOrder::AcqRel
            }
        };
        let scope = if scope_number(scope) == 0 { abi::Scope::Block } else { abi::Scope::Grid };
        self.check(
            &pointer,
            bits / 8,
            abi::access_flags(abi::Access::Update, order, scope) | abi::ATOMIC,
        );
        let value = self.operand(it.operand(Role::Value)?, bits)?;
        let name = match op {
            AtomicOp::Add => "add",
            AtomicOp::Exchange => "xchg",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::SMin => "min",
            AtomicOp::SMax => "max",
            AtomicOp::UMin => "umin",
            AtomicOp::UMax => "umax",
            AtomicOp::IncWrap => "uinc_wrap",
            AtomicOp::DecWrap => "udec_wrap",
            AtomicOp::CompareExchange => {
                let second = self.operand(it.operand(Role::Second)?, bits)?;
                let both = self.value(&format!(
                    "cmpxchg ptr {pointer}, i{bits} {value}, i{bits} {second} seq_cst seq_cst"
                ));
                let old = self.value(&format!("extractvalue {{ i{bits}, i1 }} {both}, 0"));
                return self.give_old(it, &pointer, bits, &old);
            }
            _ => return None,
        };
        let old = self.value(&format!("atomicrmw {name} ptr {pointer}, i{bits} {value} seq_cst"));
        self.give_old(it, &pointer, bits, &old)
    }

    fn give_old(&mut self, it: &Instruction, pointer: &str, bits: u32, old: &str) -> Option<()> {
        if self.signature.checked {
            self.line(&format!("call void @__heddle_atomic_done(ptr {pointer}, i32 {})", bits / 8));
        }
        match it.operand(Role::Dest) {
            Some(dest) => self.set(dest, bits, old),
            None => Some(()),
        }
    }
}

fn strength(access: LoadStore, does: abi::Access) -> u32 {
    use heddle_ptx::Semantics;
    let element = abi::element_flags(u64::from(access.ty.bits / 8));
    match access.semantics {
        Semantics::Weak => abi::access_flags(does, abi::MemoryOrder::Relaxed, abi::Scope::Grid),
        Semantics::Volatile | Semantics::Mmio => {
            abi::access_flags(does, abi::MemoryOrder::Relaxed, abi::Scope::Grid)
                | abi::VOLATILE
                | element
        }
        Semantics::Ordered(order, scope) => {
            let order = match order {
                heddle_ir::MemoryOrder::Relaxed => abi::MemoryOrder::Relaxed,
                heddle_ir::MemoryOrder::Acquire => abi::MemoryOrder::Acquire,
                heddle_ir::MemoryOrder::Release => abi::MemoryOrder::Release,
                heddle_ir::MemoryOrder::AcqRel | heddle_ir::MemoryOrder::SeqCst => {
                    abi::MemoryOrder::AcqRel
                }
            };
            let scope = if scope_number(scope) == 0 { abi::Scope::Block } else { abi::Scope::Grid };
            abi::access_flags(does, order, scope) | abi::ATOMIC | element
        }
    }
}
