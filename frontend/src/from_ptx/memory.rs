//! Loads, stores and atomics as instructions of LLVM, where it has them exactly.

use heddle_ir::{AtomicOp, MemoryOrder, Scope};

use super::function::{Writer, argument};
use super::unwritten;
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{
    Address, Class, Instruction, LoadStore, Offset, Operand, Role, Semantics, Space, TypeKind,
};

impl Writer<'_> {
    /// `[base+offset]` as a pointer with its type.
    pub(super) fn address(&mut self, address: &Address, space: Space) -> Option<String> {
        if !address.coordinates.is_empty() {
            return None;
        }
        let number = match space {
            Space::Generic | Space::Local | Space::Parameter => 0,
            Space::Global => 1,
            Space::SharedBlock => 3,
            Space::Constant => 4,
            // That of another block is not an address of this one.
            Space::SharedCluster => return None,
        };
        let ty = match number {
            0 => "ptr".to_owned(),
            number => format!("ptr addrspace({number})"),
        };
        let base = match &*address.base {
            Operand::Symbol(name) => self.symbol(name)?.pointer,
            Operand::Int(at) => {
                let value = self.value(&format!("inttoptr i64 {} to {ty}", *at as i64));
                format!("{ty} {value}")
            }
            reg @ Operand::Reg(id)
                if self.pointers.registers.contains(id) && self.width(reg) == Some(64) =>
            {
                let pointer = self.pointer(&address.base)?;
                match number {
                    0 => format!("ptr {pointer}"),
                    _ => {
                        let cast = format!("addrspacecast ptr {pointer} to {ty}");
                        format!("{ty} {}", self.value(&cast))
                    }
                }
            }
            reg @ Operand::Reg(_) => {
                let bits = self.width(reg).filter(|it| *it >= 32)?;
                let mut value = self.operand(reg, bits)?;
                let Offset::Bytes(offset) = address.offset else { return None };
                // An address of 32 bits wraps around, its offset with it.
                if offset != 0 && bits == 32 {
                    value = self.value(&format!("add i32 {value}, {}", offset as i32));
                }
                let value = self.value(&format!("inttoptr i{bits} {value} to {ty}"));
                if bits == 32 {
                    return Some(format!("{ty} {value}"));
                }
                format!("{ty} {value}")
            }
            _ => return None,
        };
        let Offset::Bytes(offset) = address.offset else { return None };
        if offset == 0 {
            return Some(base);
        }
        let own = base.rsplit_once(' ').map_or("ptr", |(ty, _)| ty).to_owned();
        let value = self.value(&format!("getelementptr i8, {base}, i64 {}", offset as i64));
        Some(format!("{own} {value}"))
    }

    fn place_of(&mut self, it: &Instruction, space: Space) -> Option<String> {
        match it.operand(Role::Address)? {
            Operand::Address(address) => self.address(address, space),
            _ => None,
        }
    }

    /// Takes note of what an instruction loads: it may not have been written.
    fn is_loaded(&mut self, it: &Instruction, space: Space, ty: &str, bytes: u32) {
        let is_own = matches!(space, Space::Generic | Space::Local | Space::Parameter);
        let Some(Operand::Address(address)) = it.operand(Role::Address).filter(|_| is_own) else {
            return;
        };
        let found = unwritten::loaded(self.body, &self.written, self.number, address, ty, bytes);
        self.loaded.extend(found);
    }

    /// `ld`.
    pub(super) fn load(&mut self, it: &Instruction, access: LoadStore) -> Option<()> {
        let dest = it.operand(Role::Dest)?;
        if self.argument_load(it, access).is_some() {
            return Some(());
        }
        let place = self.place_of(it, access.space)?;
        let bits = u32::from(access.ty.bits) * u32::from(access.ty.lanes);
        let (kind, order) = strength(access)?;
        let signed = access.ty.kind == TypeKind::Signed;
        let bytes = bits / 8 * u32::from(access.elements);
        if access.elements == 1 && self.pointers.loads.contains(&self.number) && bits == 64 {
            self.is_loaded(it, access.space, "ptr", 8);
            let found = self.value(&format!("load{kind} ptr, {place}{order}, align 8"));
            return self.set_pointer(dest, &found);
        }
        let parts: Vec<&Operand> = match dest {
            Operand::Vector(parts) => parts.iter().collect(),
            one => vec![one],
        };
        if parts.len() != usize::from(access.elements) {
            return None;
        }
        if let [part] = parts[..] {
            self.is_loaded(it, access.space, &format!("i{bits}"), bytes);
            let value = self.value(&format!("load{kind} i{bits}, {place}{order}, align {bytes}"));
            return self.set_filled(part, bits, &value, signed);
        }
        if !order.is_empty() {
            return None;
        }
        let ty = format!("<{} x i{bits}>", parts.len());
        self.is_loaded(it, access.space, &ty, bytes);
        let whole = self.value(&format!("load{kind} {ty}, {place}, align {bytes}"));
        for (n, part) in parts.iter().enumerate() {
            let value = self.value(&format!("extractelement {ty} {whole}, i32 {n}"));
            self.set_filled(part, bits, &value, signed)?;
        }
        Some(())
    }

    /// A value for a register that may be wider, which is filled as the type says.
    fn set_filled(&mut self, to: &Operand, bits: u32, value: &str, signed: bool) -> Option<()> {
        let room = self.width(to).unwrap_or(bits).max(bits);
        let value = self.resized(value, bits, room, signed);
        self.set(to, room, &value)
    }

    /// `ld.param` of all of an argument.
    fn argument_load(&mut self, it: &Instruction, access: LoadStore) -> Option<()> {
        let Operand::Address(address) = it.operand(Role::Address)? else { return None };
        let (Operand::Symbol(name), Offset::Bytes(0)) = (&*address.base, address.offset) else {
            return None;
        };
        if access.space != Space::Parameter || self.body.local(self.step, name).is_some() {
            return None;
        }
        let function = self.function;
        let n = function.params.iter().position(|it| it.name == *name)?;
        let parameter = &function.params[n];
        let bits = u32::from(access.ty.bits) * u32::from(access.ty.lanes);
        if parameter.is_array || access.elements != 1 || parameter.bits() != bits {
            return None;
        }
        let given = argument(function, parameter);
        let dest = it.operand(Role::Dest)?;
        if self.is_pointer(n) {
            let given = match parameter.pointer {
                Some(Space::SharedBlock) if function.is_entry => {
                    self.value(&format!("addrspacecast ptr addrspace(3) {given} to ptr"))
                }
                Some(_) | None => given,
            };
            return self.set_pointer(dest, &given);
        }
        self.set_filled(dest, bits, &given, access.ty.kind == TypeKind::Signed)
    }

    /// `st`.
    pub(super) fn store(&mut self, it: &Instruction, access: LoadStore) -> Option<()> {
        let place = self.place_of(it, access.space)?;
        let bits = u32::from(access.ty.bits) * u32::from(access.ty.lanes);
        let (kind, order) = strength(access)?;
        let bytes = bits / 8 * u32::from(access.elements);
        let parts: Vec<&Operand> = match it.operand(Role::Value)? {
            Operand::Vector(parts) => parts.iter().collect(),
            one => vec![one],
        };
        if parts.len() != usize::from(access.elements) {
            return None;
        }
        if let [part] = parts[..] {
            if bits == 64
                && access.space == Space::Parameter
                && matches!(part, Operand::Reg(_))
                && let Some(value) = self.pointer(part)
            {
                self.line(&format!("store ptr {value}, {place}, align 8"));
                return Some(());
            }
            let value = self.operand(part, bits)?;
            self.line(&format!("store{kind} i{bits} {value}, {place}{order}, align {bytes}"));
            return Some(());
        }
        if !order.is_empty() {
            return None;
        }
        let ty = format!("<{} x i{bits}>", parts.len());
        let mut whole = "poison".to_owned();
        for (n, part) in parts.iter().enumerate() {
            let value = self.operand(part, bits)?;
            whole = self.value(&format!("insertelement {ty} {whole}, i{bits} {value}, i32 {n}"));
        }
        self.line(&format!("store{kind} {ty} {whole}, {place}, align {bytes}"));
        Some(())
    }

    /// `atom` and `red` without an order of their own: LLVM's for this target have none either.
    pub(super) fn atomic(&mut self, it: &Instruction) -> Option<()> {
        let Class::Atomic { op, order: MemoryOrder::Relaxed, scope, space, ty, elements: 1 } =
            it.class
        else {
            return None;
        };
        if ty.lanes != 1 || !matches!(ty.bits, 16 | 32 | 64) {
            return None;
        }
        let bits = u32::from(ty.bits);
        let float = match (ty.kind, bits) {
            (TypeKind::Float, 16) => Some("half"),
            (TypeKind::Float, 32) => Some("float"),
            (TypeKind::Float, _) => Some("double"),
            (TypeKind::OtherFloat, _) => return None,
            _ => None,
        };
        let place = self.place_of(it, space)?;
        let value = self.operand(it.operand(Role::Value)?, bits)?;
        let scope = syncscope(scope)?;
        let old = if op == AtomicOp::CompareExchange {
            let new = self.operand(it.operand(Role::Second)?, bits)?;
            let both = self.value(&format!(
                "cmpxchg {place}, i{bits} {value}, i{bits} {new}{scope} monotonic monotonic"
            ));
            self.value(&format!("extractvalue {{ i{bits}, i1 }} {both}, 0"))
        } else {
            let name = match op {
                AtomicOp::Add => "add",
                AtomicOp::And => "and",
                AtomicOp::Or => "or",
                AtomicOp::Xor => "xor",
                AtomicOp::Exchange => "xchg",
                AtomicOp::SMin => "min",
                AtomicOp::SMax => "max",
                AtomicOp::UMin => "umin",
                AtomicOp::UMax => "umax",
                AtomicOp::IncWrap => "uinc_wrap",
                AtomicOp::DecWrap => "udec_wrap",
                AtomicOp::FAdd => "fadd",
                _ => return None,
            };
            match float.filter(|_| op == AtomicOp::FAdd) {
                None => self
                    .value(&format!("atomicrmw {name} {place}, i{bits} {value}{scope} monotonic")),
                Some(ty) => {
                    let value = self.value(&format!("bitcast i{bits} {value} to {ty}"));
                    let old = self
                        .value(&format!("atomicrmw fadd {place}, {ty} {value}{scope} monotonic"));
                    self.value(&format!("bitcast {ty} {old} to i{bits}"))
                }
            }
        };
        match it.operand(Role::Dest) {
            Some(dest) => self.set_filled(dest, bits, &old, ty.kind == TypeKind::Signed),
            None => Some(()),
        }
    }
}

/// What stands after `load` and after the address: ` volatile`, ` syncscope("device") acquire`.
fn strength(access: LoadStore) -> Option<(&'static str, String)> {
    match access.semantics {
        Semantics::Weak => Some(("", String::new())),
        Semantics::Volatile => Some((" volatile", String::new())),
        Semantics::Mmio => None,
        Semantics::Ordered(order, scope) => {
            let word = match order {
                MemoryOrder::Relaxed => "monotonic",
                MemoryOrder::Acquire => "acquire",
                MemoryOrder::Release => "release",
                MemoryOrder::AcqRel | MemoryOrder::SeqCst => return None,
            };
            Some((" atomic", format!("{} {word}", syncscope(scope)?)))
        }
    }
}

fn syncscope(scope: Scope) -> Option<&'static str> {
    match scope {
        Scope::Block => Some(" syncscope(\"block\")"),
        Scope::Cluster => Some(" syncscope(\"cluster\")"),
        Scope::Device => Some(" syncscope(\"device\")"),
        Scope::System => Some(""),
        Scope::Thread | Scope::Warp => None,
    }
}
