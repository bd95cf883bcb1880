//! Registers and operands of a function in IR: a slot for each register.

use super::function::Writer;
use super::variable::address_space;
use heddle_ptx::registers::Slots;
use heddle_ptx::{
    Comparison, Half, Instruction, Logic, Operand, PureOp, RegId, Role, Special, Type, TypeKind,
};

impl Slots for Writer<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str("  ");
        self.text.push_str(text);
        self.text.push_str(&self.place);
        self.text.push('\n');
    }

    fn value(&mut self, text: &str) -> String {
        self.next += 1;
        let name = format!("%.{}", self.next);
        self.line(&format!("{name} = {text}"));
        name
    }

    fn operand(&mut self, operand: &Operand, bits: u32) -> Option<String> {
        match operand {
            Operand::Reg(id) => {
                let own = self.width(operand)?;
                self.used.insert(*id);
                let slot = format!("ptr {}", self.slot(*id));
                let value = match self.pointers.registers.contains(id) {
                    true => {
                        let pointer = self.value(&format!("load ptr, {slot}"));
                        self.value(&format!("ptrtoint ptr {pointer} to i{own}"))
                    }
                    false => self.value(&format!("load i{own}, {slot}")),
                };
                Some(self.resized(&value, own, bits, false))
            }
            Operand::Int(value) => Some(constant(*value, bits)),
            Operand::Float { bits: value, width: 64 } if bits == 32 => {
                let single = f64::from_bits(*value) as f32;
                Some(constant(i128::from(single.to_bits()), bits))
            }
            Operand::Float { bits: value, width } => {
                (u32::from(*width) <= bits).then(|| constant(i128::from(*value), bits))
            }
            Operand::Special(special) => {
                let (value, own) = self.special(*special)?;
                Some(self.resized(&value, own, bits, false))
            }
            Operand::Not(inner) => {
                let value = self.operand(inner, 1)?;
                let value = self.value(&format!("xor i1 {value}, true"));
                Some(self.resized(&value, 1, bits, false))
            }
            Operand::Symbol(name) => {
                let pointer = self.symbol(name)?.pointer;
                let value = self.value(&format!("ptrtoint {pointer} to i64"));
                Some(self.resized(&value, 64, bits, false))
            }
            Operand::Asm(_)
            | Operand::Address(_)
            | Operand::Vector(_)
            | Operand::Sink
            | Operand::Label(_) => None,
        }
    }

    fn set(&mut self, operand: &Operand, bits: u32, value: &str) -> Option<()> {
        match operand {
            Operand::Reg(id) => {
                let own = self.width(operand)?;
                self.used.insert(*id);
                let mut value = self.resized(value, bits, own, false);
                let mut ty = format!("i{own}");
                if self.pointers.registers.contains(id) {
                    value = self.value(&format!("inttoptr {ty} {value} to ptr"));
                    ty = "ptr".to_owned();
                }
                let slot = self.slot(*id);
                self.line(&format!("store {ty} {value}, ptr {slot}"));
                Some(())
            }
            Operand::Sink => Some(()),
            Operand::Asm(_)
            | Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Not(_)
            | Operand::Address(_)
            | Operand::Vector(_)
            | Operand::Label(_)
            | Operand::Symbol(_) => None,
        }
    }

    fn width(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Reg(id) => {
                let ty = self.body.registers.get(id.0)?.ty;
                Some(u32::from(ty.bits) * u32::from(ty.lanes))
            }
            Operand::Asm(_)
            | Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Not(_)
            | Operand::Address(_)
            | Operand::Vector(_)
            | Operand::Sink
            | Operand::Label(_)
            | Operand::Symbol(_) => None,
        }
    }
}

/// An integer of this width in bits, as IR writes it.
fn constant(value: i128, bits: u32) -> String {
    match bits {
        1 => (value & 1 != 0).to_string(),
        128 => value.to_string(),
        _ => {
            let shift = 128 - bits.clamp(1, 128);
            (value << shift >> shift).to_string()
        }
    }
}

/// What a name stands for.
pub(super) struct Named {
    /// The address, with its type: `ptr addrspace(3) @"s"`.
    pub(super) pointer: String,
}

impl Writer<'_> {
    /// Where a register is. No name of PTX starts with a dot or has a dash; what stands before the
    /// dot is what messages call the value.
    pub(super) fn slot(&self, id: RegId) -> String {
        let name = self.body.registers[id.0].name.trim_start_matches('%');
        format!("%\"{name}.-{}\"", id.0)
    }

    /// What a name stands for where the present step is.
    pub(super) fn symbol(&mut self, name: &str) -> Option<Named> {
        let typed = |space, name: &str| match address_space(space) {
            0 => format!("ptr {name}"),
            number => format!("ptr addrspace({number}) {name}"),
        };
        if let Some(local) = self.body.local(self.step, name) {
            let space = local.variable.space?;
            return Some(Named { pointer: typed(space, &local.ir_name) });
        }
        if let Some(slot) = self.parameter(name) {
            return Some(Named { pointer: format!("ptr {slot}") });
        }
        if let Some(variable) = self.file.variable(name) {
            let space = variable.space?;
            return Some(Named { pointer: typed(space, &format!("@\"{name}\"")) });
        }
        let function = self.file.function(name)?;
        let pointer = format!("ptr @\"{}\"", function.name);
        Some(Named { pointer })
    }

    /// An operand that is kept as a pointer, as a generic one.
    pub(super) fn pointer(&mut self, operand: &Operand) -> Option<String> {
        match operand {
            Operand::Reg(id) if self.pointers.registers.contains(id) => {
                self.used.insert(*id);
                let slot = self.slot(*id);
                Some(self.value(&format!("load ptr, ptr {slot}")))
            }
            Operand::Symbol(name) => {
                let pointer = self.symbol(name)?.pointer;
                match pointer.strip_prefix("ptr addrspace") {
                    None => Some(pointer.strip_prefix("ptr ")?.to_owned()),
                    Some(_) => Some(self.value(&format!("addrspacecast {pointer} to ptr"))),
                }
            }
            _ => None,
        }
    }

    /// Writes a register that is kept as a pointer.
    pub(super) fn set_pointer(&mut self, to: &Operand, pointer: &str) -> Option<()> {
        let Operand::Reg(id) = to else { return None };
        if !self.pointers.registers.contains(id) {
            let bits = self.width(to)?;
            let value = self.value(&format!("ptrtoint ptr {pointer} to i64"));
            let value = self.resized(&value, 64, bits, false);
            return self.set(to, bits, &value);
        }
        self.used.insert(*id);
        let slot = self.slot(*id);
        self.line(&format!("store ptr {pointer}, ptr {slot}"));
        Some(())
    }

    /// A step of a register that is kept as a pointer, or a comparison of two.
    pub(super) fn on_pointers(&mut self, it: &Instruction, op: PureOp, ty: Type) -> Option<()> {
        if let PureOp::Compare(comparison, logic) = op {
            return self.compare_pointers(it, comparison, logic, ty);
        }
        let dest = it.operand(Role::Dest)?;
        let Operand::Reg(id) = dest else { return None };
        if !self.pointers.registers.contains(id) {
            return None;
        }
        let (a, b) = (it.operand(Role::Value)?, it.operand(Role::Second));
        let moved = |writer: &mut Self, pointer: &str, by: &str| {
            let by = writer.resized(by, writer.width(dest)?, 64, true);
            Some(writer.value(&format!("getelementptr i8, ptr {pointer}, i64 {by}")))
        };
        let bits = self.width(dest)?;
        let pointer = match op {
            PureOp::Move if *a == Operand::Int(0) => "null".to_owned(),
            PureOp::Move | PureOp::ConvertAddress { .. } | PureOp::Convert(_) => self.pointer(a)?,
            PureOp::Add => {
                let (pointer, by) = match self.pointer(a) {
                    Some(pointer) => (pointer, b?),
                    None => (self.pointer(b?)?, a),
                };
                let by = self.operand(by, bits)?;
                moved(self, &pointer, &by)?
            }
            PureOp::Sub => {
                let pointer = self.pointer(a)?;
                let by = self.operand(b?, bits)?;
                let by = self.value(&format!("sub i{bits} 0, {by}"));
                moved(self, &pointer, &by)?
            }
            PureOp::Select => {
                let (a, b) = (self.pointer(a)?, self.pointer(b?)?);
                let holds = self.operand(it.operand(Role::Predicate)?, 1)?;
                self.value(&format!("select i1 {holds}, ptr {a}, ptr {b}"))
            }
            PureOp::Mad(half) => {
                let wide = half == Half::Wide;
                let own = if wide { bits / 2 } else { bits };
                let signed = ty.kind == TypeKind::Signed;
                let (a, b) = (self.operand(a, own)?, self.operand(b?, own)?);
                let a = self.resized(&a, own, bits, signed);
                let b = self.resized(&b, own, bits, signed);
                let by = self.value(&format!("mul i{bits} {a}, {b}"));
                let pointer = self.pointer(it.operand(Role::Third)?)?;
                moved(self, &pointer, &by)?
            }
            _ => return None,
        };
        self.set_pointer(dest, &pointer)
    }

    /// `div` and `rem` by a number that may be zero: the result is then unspecified (PTX ISA
    /// 9.7.1), and some number.
    pub(super) fn divided(&mut self, it: &Instruction, op: PureOp, ty: Type) -> Option<()> {
        let word = match (op, ty.kind) {
            (PureOp::Div, TypeKind::Signed) => "sdiv",
            (PureOp::Div, TypeKind::Unsigned) => "udiv",
            (PureOp::Rem, TypeKind::Signed) => "srem",
            (PureOp::Rem, TypeKind::Unsigned) => "urem",
            _ => return None,
        };
        let by = it.operand(Role::Second)?;
        if matches!(by, Operand::Int(it) if *it != 0) {
            return None;
        }
        let bits = u32::from(ty.bits) * u32::from(ty.lanes);
        let (a, by) = (self.operand(it.operand(Role::Value)?, bits)?, self.operand(by, bits)?);
        let known = self.value(&format!("{word} i{bits} {a}, {by}"));
        let any = self.value(&format!("freeze i{bits} undef"));
        let is_zero = self.value(&format!("icmp eq i{bits} {by}, 0"));
        let value = self.value(&format!("select i1 {is_zero}, i{bits} {any}, i{bits} {known}"));
        self.set(it.operand(Role::Dest)?, bits, &value)
    }

    fn compare_pointers(
        &mut self,
        it: &Instruction,
        comparison: Comparison,
        logic: Option<Logic>,
        ty: Type,
    ) -> Option<()> {
        if ty.bits != 64
            || ty.kind == TypeKind::Signed && !matches!(comparison, Comparison::Eq | Comparison::Ne)
        {
            return None;
        }
        let word = match comparison {
            Comparison::Eq => "eq",
            Comparison::Ne => "ne",
            Comparison::Lt => "ult",
            Comparison::Le => "ule",
            Comparison::Gt => "ugt",
            Comparison::Ge => "uge",
        };
        let a = self.pointer(it.operand(Role::Value)?)?;
        let b = self.pointer(it.operand(Role::Second)?)?;
        let holds = self.value(&format!("icmp {word} ptr {a}, {b}"));
        self.answer(it, &holds, logic)
    }

    /// A special register (section 10) and its width: by the intrinsic, where there is one.
    fn special(&mut self, special: Special) -> Option<(String, u32)> {
        let axis = |axis| match axis {
            heddle_ptx::Axis::X => "x",
            heddle_ptx::Axis::Y => "y",
            heddle_ptx::Axis::Z => "z",
        };
        let name = match special {
            Special::Tid(it) => format!("tid.{}", axis(it)),
            Special::Ntid(it) => format!("ntid.{}", axis(it)),
            Special::Ctaid(it) => format!("ctaid.{}", axis(it)),
            Special::Nctaid(it) => format!("nctaid.{}", axis(it)),
            Special::Clusterid(it) => format!("clusterid.{}", axis(it)),
            Special::Nclusterid(it) => format!("nclusterid.{}", axis(it)),
            Special::ClusterCtaid(it) => format!("cluster.ctaid.{}", axis(it)),
            Special::ClusterNctaid(it) => format!("cluster.nctaid.{}", axis(it)),
            Special::ClusterCtarank => "cluster.ctarank".to_owned(),
            Special::ClusterNctarank => "cluster.nctarank".to_owned(),
            Special::LaneId => "laneid".to_owned(),
            Special::WarpId => "warpid".to_owned(),
            Special::WarpSize => "warpsize".to_owned(),
            Special::LanemaskEq => "lanemask.eq".to_owned(),
            Special::LanemaskLe => "lanemask.le".to_owned(),
            Special::LanemaskLt => "lanemask.lt".to_owned(),
            Special::LanemaskGe => "lanemask.ge".to_owned(),
            Special::LanemaskGt => "lanemask.gt".to_owned(),
            Special::NwarpId
            | Special::SmId
            | Special::NsmId
            | Special::GridId
            | Special::IsExplicitCluster
            | Special::Clock
            | Special::ClockHi
            | Special::Clock64
            | Special::GlobalTimer
            | Special::GlobalTimerLo
            | Special::GlobalTimerHi
            | Special::TotalSmemSize
            | Special::AggrSmemSize
            | Special::DynamicSmemSize
            | Special::CurrentGraphExec
            | Special::ReservedSmemBegin
            | Special::ReservedSmemEnd
            | Special::ReservedSmemCap
            | Special::ReservedSmem(_)
            | Special::EnvReg(_)
            | Special::Pm(_) => return None,
        };
        let value = self.value(&format!("call i32 @llvm.nvvm.read.ptx.sreg.{name}() #1"));
        Some((value, 32))
    }
}
