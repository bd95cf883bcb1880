//! What the operands of a statement are worth, and where its results go.

use heddle_ir::{CastOp, ExprId, Space};

use super::Machine;
use crate::Lifter;
use crate::pointer::{Found, Place, Pointer};
use crate::value::Val;
use heddle_llvm::Value;
use heddle_ptx::{
    self, ConstraintKind, Instruction, Offset, Operand, Role, Special, TypeKind as PtxKind,
};

impl<'m> Lifter<'m> {
    /// The value of an operand.
    pub(super) fn operand(&mut self, machine: &Machine<'m>, operand: &Operand) -> Val {
        match operand {
            Operand::Asm(n) => {
                let slot = match machine.asm.operands[*n].kind {
                    ConstraintKind::Output if !machine.asm.operands[*n].indirect => {
                        &machine.outputs[*n]
                    }
                    ConstraintKind::Tied(output) => &machine.outputs[output],
                    ConstraintKind::Output | ConstraintKind::Input | ConstraintKind::Label => {
                        return machine.inputs[*n]
                            .as_ref()
                            .map_or(Val::Nothing, |(value, _)| value.clone());
                    }
                };
                slot.clone().unwrap_or(Val::Nothing)
            }
            Operand::Reg(register) => machine.registers[register.0].clone().unwrap_or(Val::Nothing),
            Operand::Int(value) => Val::Scalar(self.out.exprs().signed(*value, 64)),
            Operand::Float { bits, width } => {
                Val::Scalar(self.out.exprs().constant(u128::from(*bits), *width))
            }
            Operand::Special(special) => Val::Scalar(self.ptx_register(*special)),
            Operand::Not(inner) => {
                let inner = self.number(machine, inner, 1);
                Val::Scalar(self.out.exprs().not(inner))
            }
            Operand::Vector(elements) => {
                Val::Aggregate(elements.iter().map(|e| self.operand(machine, e)).collect())
            }
            Operand::Symbol(name) => match self.module.globals().find(|g| g.name() == *name) {
                Some(global) => self.global_pointer(global),
                None => Val::Nothing,
            },
            Operand::Address(address) => {
                Val::Pointer(self.address(machine, address, Space::Generic))
            }
            Operand::Sink | Operand::Label(_) => Val::Nothing,
        }
    }

    /// An operand as a number of a width; constants are cut, the rest is cut or widened by
    /// zeros.
    pub(super) fn number(&mut self, machine: &Machine<'m>, operand: &Operand, width: u8) -> ExprId {
        let value = self.operand(machine, operand);
        self.as_bits(value, width)
    }

    /// The operand of a role as a number.
    pub(super) fn role(
        &mut self,
        machine: &Machine<'m>,
        instruction: &Instruction,
        role: Role,
        width: u8,
    ) -> Option<ExprId> {
        instruction.operand(role).map(|operand| self.number(machine, operand, width))
    }

    /// The address of a role, in a space.
    pub(super) fn role_address(
        &mut self,
        machine: &Machine<'m>,
        instruction: &Instruction,
        role: Role,
        space: Space,
    ) -> Option<Pointer> {
        match instruction.operand(role)? {
            Operand::Address(address) => Some(self.address(machine, address, space)),
            other => {
                let value = self.operand(machine, other);
                Some(self.address_of(value, None, space))
            }
        }
    }

    pub(super) fn address(
        &mut self,
        machine: &Machine<'m>,
        address: &heddle_ptx::Address,
        space: Space,
    ) -> Pointer {
        let base = self.operand(machine, &address.base);
        let source = match *address.base {
            Operand::Asm(n) => machine.inputs[n].as_ref().map(|(_, value)| *value),
            _ => None,
        };
        let pointer = self.address_of(base, source, space);
        let by = match address.offset {
            Offset::Bytes(bytes) => self.out.exprs().signed(bytes, 64),
            Offset::Asm(n) => {
                let by = self.number(machine, &Operand::Asm(n), 64);
                self.out.exprs().cast(CastOp::Sext, by, 64)
            }
        };
        self.advance(pointer, by, heddle_ir::NoWrap::SIGNED)
    }

    /// A value as an address in a space. `source` is what LLVM has for it: where no base shows in
    /// the number, because a loop carries it around, it may still come from one object only.
    pub(super) fn address_of(
        &mut self,
        value: Val,
        source: Option<Value<'m>>,
        space: Space,
    ) -> Pointer {
        let mut pointer = match value {
            Val::Pointer(pointer) => pointer,
            Val::Scalar(e) => {
                let found = self.pointer_from_number(e, 0);
                let what = source.map(|source| self.object_of_number(&found, e, source));
                match what {
                    Some(Found::Behind(object)) => {
                        let width = self.out.exprs().width(e);
                        let base = self.out.exprs().base(object);
                        let base = self.out.exprs().resize(base, width);
                        let offset = self.out.exprs().sub(e, base);
                        let offset = self.out.exprs().cast(CastOp::Sext, offset, 64);
                        self.point(Place::Object(object), offset)
                    }
                    Some(Found::Lost) => self.point(Place::Absolute(space), e),
                    Some(Found::Kept) | None => found,
                }
            }
            Val::Aggregate(_) | Val::Nothing => Pointer::nowhere(),
        };
        for alternative in &mut pointer.alternatives {
            if let Place::Absolute(known) = &mut alternative.place {
                if *known == Space::Generic {
                    *known = space;
                }
                alternative.offset = self.out.exprs().resize(alternative.offset, 64);
            }
        }
        pointer
    }

    /// A special register. One that is not modelled is unknown each time it is read.
    pub(super) fn ptx_register(&mut self, special: Special) -> ExprId {
        if let Some(value) = self.register(special) {
            return value;
        }
        match special {
            Special::Clock64
            | Special::GlobalTimer
            | Special::GridId
            | Special::CurrentGraphExec => self.unknown_register(special, 64),
            // What the driver sets before the launch is the same for all its threads.
            Special::ReservedSmemBegin
            | Special::ReservedSmemEnd
            | Special::ReservedSmemCap
            | Special::ReservedSmem(_)
            | Special::EnvReg(_) => {
                let name = format!("%{special:?}").to_lowercase();
                self.out.exprs().pure(&name, &[], 32)
            }
            Special::Tid(_)
            | Special::Ntid(_)
            | Special::Ctaid(_)
            | Special::Nctaid(_)
            | Special::LaneId
            | Special::WarpId
            | Special::WarpSize
            | Special::ClusterCtarank
            | Special::ClusterNctarank
            | Special::DynamicSmemSize
            | Special::LanemaskEq
            | Special::LanemaskLe
            | Special::LanemaskLt
            | Special::LanemaskGe
            | Special::LanemaskGt
            | Special::Clusterid(_)
            | Special::Nclusterid(_)
            | Special::ClusterCtaid(_)
            | Special::ClusterNctaid(_)
            | Special::NwarpId
            | Special::SmId
            | Special::NsmId
            | Special::IsExplicitCluster
            | Special::Clock
            | Special::ClockHi
            | Special::GlobalTimerLo
            | Special::GlobalTimerHi
            | Special::TotalSmemSize
            | Special::AggrSmemSize
            | Special::Pm(_) => self.unknown_register(special, 32),
        }
    }

    pub(super) fn unknown_register(&mut self, special: Special, width: u8) -> ExprId {
        let name = format!("%{special:?}").to_lowercase();
        self.opaque(&name, &[], &[width], heddle_ir::Touches::nothing(), false)[0]
    }

    /// Writes a destination, for the threads that are here.
    pub(super) fn write(
        &mut self,
        machine: &mut Machine<'m>,
        to: &Operand,
        value: Val,
        here: ExprId,
    ) {
        match to {
            Operand::Asm(n) => {
                let slot = match machine.asm.operands[*n].kind {
                    ConstraintKind::Tied(output) => output,
                    ConstraintKind::Output | ConstraintKind::Input | ConstraintKind::Label => *n,
                };
                let width = machine.widths[slot];
                let new = self.fitted(value, width);
                let old = machine.outputs[slot].take();
                machine.outputs[slot] = Some(self.overwrite(old, new, here));
            }
            Operand::Reg(register) => {
                let declared = &machine.asm.regs[register.0];
                if declared.elements > 1 {
                    machine.registers[register.0] = Some(value);
                    return;
                }
                let bits = u16::from(declared.ty.bits) * u16::from(declared.ty.lanes);
                let width = u8::try_from(bits.clamp(1, 128)).unwrap_or(128);
                let new = self.fitted(value, width);
                let old = machine.registers[register.0].take();
                machine.registers[register.0] = Some(self.overwrite(old, new, here));
            }
            Operand::Vector(elements) => {
                let parts = match value {
                    Val::Aggregate(parts) => parts,
                    Val::Scalar(_) | Val::Pointer(_) | Val::Nothing => vec![value; elements.len()],
                };
                for (element, part) in elements.iter().zip(parts) {
                    self.write(machine, element, part, here);
                }
            }
            Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Not(_)
            | Operand::Address(_)
            | Operand::Sink
            | Operand::Label(_)
            | Operand::Symbol(_) => {}
        }
    }

    /// Pointers stay what they are; numbers get the width of their register.
    pub(super) fn fitted(&mut self, value: Val, width: u8) -> Val {
        match value {
            Val::Pointer(_) if width == 64 => value,
            Val::Scalar(_) | Val::Pointer(_) | Val::Aggregate(_) => {
                Val::Scalar(self.as_bits(value, width))
            }
            Val::Nothing => Val::Scalar(self.undef(width)),
        }
    }

    pub(super) fn overwrite(&mut self, old: Option<Val>, new: Val, here: ExprId) -> Val {
        match (old, new) {
            (None | Some(Val::Nothing), new) => new,
            (Some(Val::Pointer(old)), Val::Pointer(new)) => {
                Val::Pointer(self.choose_pointer(here, new, old))
            }
            (Some(old), new) => {
                let width = match (&old, &new) {
                    (Val::Scalar(e), _) | (_, Val::Scalar(e)) => self.out.exprs().width(*e),
                    _ => 64,
                };
                let (old, new) = (self.as_bits(old, width), self.as_bits(new, width));
                Val::Scalar(self.out.exprs().select(here, new, old))
            }
        }
    }

    /// The bits that a destination has room for.
    pub(super) fn room(&self, machine: &Machine<'m>, to: &Operand) -> u8 {
        match to {
            Operand::Asm(n) => match machine.asm.operands[*n].kind {
                ConstraintKind::Tied(output) => machine.widths[output],
                ConstraintKind::Output | ConstraintKind::Input | ConstraintKind::Label => {
                    machine.widths[*n]
                }
            },
            Operand::Reg(register) => match machine.asm.regs[register.0].ty {
                heddle_ptx::Type { kind: PtxKind::Predicate, .. } => 1,
                heddle_ptx::Type { bits, lanes, .. } => bits.saturating_mul(lanes).min(128),
            },
            _ => 64,
        }
    }

    /// A number for a destination, widened as its type says.
    pub(super) fn write_number(
        &mut self,
        machine: &mut Machine<'m>,
        to: &Operand,
        value: ExprId,
        signed: bool,
        here: ExprId,
    ) {
        let room = self.room(machine, to);
        let width = self.out.exprs().width(value);
        let value = if signed && room > width {
            self.out.exprs().cast(CastOp::Sext, value, room)
        } else {
            value
        };
        self.write(machine, to, Val::Scalar(value), here);
    }
}
