//! Inline PTX, statement by statement, as the same operations that intrinsics become.
//!
//! [`ptx::read`](crate::ptx::read) says what each statement means; here it happens. Registers and outputs hold lifted
//! values; a guard is a predicate of the operations and selects between the old and the new value of a register.
//!
//! **Branches.** A branch forward takes its threads out until its label. A branch backward makes a loop that waits
//! (`try_wait` until it succeeds): the text is lifted once, for the last round, and what sends a thread round again is
//! assumed not to hold. That is exact where earlier rounds leave nothing behind; a loop with anything but tests, loads
//! and compare-and-swaps in it is opaque as a whole.
//!
//! **Addresses** may be numbers of 32 bits (the shared window) or 64: [`Lifter::split_base`] finds the object in them.
//!
//! **Does not**: give a meaning to matrix instructions, textures, or what the table does not know: these are opaque by
//! name, and their results are unknown.

mod effects;
mod number;

use heddle_ir::{CastOp, Ending, ExprId, Space, Special as Id};

use super::Call;
use crate::lift::Lifter;
use crate::lift::pointer::{Place, Pointer};
use crate::lift::predicate::{both, either};
use crate::lift::value::Val;
use crate::llvm::{TypeKind, Value};
use crate::ptx::{
    self, Axis, Class, ConstraintKind, Instruction, Offset, Operand, Role, Special,
    TypeKind as PtxKind,
};

/// An inline assembly while it is lifted.
struct Machine<'m> {
    asm: ptx::Asm,
    /// By `$n`: what is read there.
    inputs: Vec<Option<(Val, Value<'m>)>>,
    /// By `$n`: what has been written there.
    outputs: Vec<Option<Val>>,
    /// By `$n`: bits of an output.
    widths: Vec<u8>,
    registers: Vec<Option<Val>>,
    /// By label: the threads on their way to it.
    arriving: Vec<Option<ExprId>>,
    /// The threads that are here.
    active: ExprId,
}

impl<'m> Lifter<'m> {
    /// A call of inline assembly.
    pub(super) fn inline_asm(&mut self, call: &Call<'m>, template: &str, constraints: &str) -> Val {
        match ptx::read(template, constraints) {
            Ok(asm) if !rounds_leave_traces(&asm) => match self.machine(call, asm) {
                Some(machine) => self.run_asm(call, machine),
                None => self.unknown_asm(call, template),
            },
            Ok(_) | Err(_) => self.unknown_asm(call, template),
        }
    }

    /// An assembly that could not be read: it may do anything.
    fn unknown_asm(&mut self, call: &Call<'m>, template: &str) -> Val {
        let name = format!("asm {}", template.split_whitespace().collect::<Vec<_>>().join(" "));
        self.opaque_value(&name, &[], call.inst.ty(), crate::lift::touches_everything(), true)
    }

    fn machine(&mut self, call: &Call<'m>, asm: ptx::Asm) -> Option<Machine<'m>> {
        let outputs =
            asm.operands.iter().filter(|c| c.kind == ConstraintKind::Output && !c.indirect).count();
        let ty = call.inst.ty();
        let output_types = match ty.kind() {
            TypeKind::Struct { .. } if outputs != 1 => ty.fields(),
            TypeKind::Void => Vec::new(),
            _ => vec![ty],
        };
        let (mut types, mut args) = (output_types.into_iter(), call.args.iter());
        let count = asm.operands.len();
        let mut machine = Machine {
            inputs: vec![None; count],
            outputs: vec![None; count],
            widths: vec![64; count],
            registers: vec![None; asm.regs.len()],
            arriving: vec![None; asm.labels.len()],
            active: self.out.exprs().truth(),
            asm,
        };
        for n in 0..count {
            let constraint = machine.asm.operands[n].clone();
            if constraint.kind == ConstraintKind::Output && !constraint.indirect {
                machine.widths[n] = self.bits_of(types.next()?)?;
                continue;
            }
            if constraint.kind == ConstraintKind::Label {
                return None;
            }
            let argument = *args.next()?;
            let value = self.value(argument);
            if let ConstraintKind::Tied(output) = constraint.kind {
                machine.outputs[output] = Some(value.clone());
            }
            machine.inputs[n] = Some((value, argument));
        }
        Some(machine)
    }

    fn run_asm(&mut self, call: &Call<'m>, mut machine: Machine<'m>) -> Val {
        let block = self.pred;
        let instructions = machine.asm.instructions.clone();
        for (at, instruction) in instructions.iter().enumerate() {
            self.meet_labels(&mut machine, at);
            let guard = self.guard(&mut machine, instruction);
            let here = both(self.out.exprs(), machine.active, guard);
            if self.out.exprs().as_const(here) == Some(0) {
                continue;
            }
            self.pred = both(self.out.exprs(), block, here);
            if let Class::Branch { uniform: _ } = instruction.class {
                self.branch(&mut machine, instruction, at, here);
                continue;
            }
            self.statement(&mut machine, instruction, here);
        }
        self.pred = block;
        self.outputs(call, &mut machine)
    }

    /// Threads that branched to a label are here again.
    fn meet_labels(&mut self, machine: &mut Machine<'m>, at: usize) {
        for (label, place) in machine.asm.labels.iter().enumerate() {
            if place.at == at
                && let Some(arriving) = machine.arriving[label].take()
            {
                machine.active = either(self.out.exprs(), machine.active, arriving);
            }
        }
    }

    fn branch(
        &mut self,
        machine: &mut Machine<'m>,
        instruction: &Instruction,
        at: usize,
        here: ExprId,
    ) {
        let Some(&Operand::Label(target)) = instruction.operand(Role::Target) else { return };
        let not = self.out.exprs().not(here);
        if machine.asm.labels[target.0].at > at {
            machine.active = both(self.out.exprs(), machine.active, not);
            let known = machine.arriving[target.0];
            let joined = known.map_or(here, |known| either(self.out.exprs(), known, here));
            machine.arriving[target.0] = Some(joined);
        } else {
            // The round that is lifted is the last one.
            let last = self.out.exprs().falsity();
            self.emit(heddle_ir::OpKind::Assume(last), &[]);
            machine.active = both(self.out.exprs(), machine.active, not);
        }
    }

    fn guard(&mut self, machine: &mut Machine<'m>, instruction: &Instruction) -> ExprId {
        let Some(guard) = &instruction.guard else { return self.out.exprs().truth() };
        let predicate = self.number(machine, &guard.predicate, 1);
        if guard.negated { self.out.exprs().not(predicate) } else { predicate }
    }

    /// The results of the whole assembly.
    fn outputs(&mut self, call: &Call<'m>, machine: &mut Machine<'m>) -> Val {
        let mut leaves = Vec::new();
        for n in 0..machine.outputs.len() {
            let constraint = &machine.asm.operands[n];
            if constraint.kind != ConstraintKind::Output || constraint.indirect {
                continue;
            }
            let width = machine.widths[n];
            leaves.push(match machine.outputs[n].take() {
                Some(value) => self.as_bits(value, width),
                None => self.undef(width),
            });
        }
        self.assemble_bits(call, leaves)
    }

    /// One number for each output, as the value of the call.
    fn assemble_bits(&mut self, call: &Call<'m>, leaves: Vec<ExprId>) -> Val {
        let ty = call.inst.ty();
        let mut parts = Vec::new();
        let types = match ty.kind() {
            TypeKind::Struct { .. } if leaves.len() != 1 => ty.fields(),
            TypeKind::Void => return Val::Nothing,
            _ => vec![ty],
        };
        let several = matches!(ty.kind(), TypeKind::Struct { .. }) && leaves.len() != 1;
        for (leaf, ty) in leaves.into_iter().zip(types) {
            let part = match self.from_bits(leaf, ty) {
                Some(part) => part,
                None => self.undef_of(ty),
            };
            parts.push(part);
        }
        match (several, parts.pop()) {
            (false, Some(only)) => only,
            (_, last) => Val::Aggregate(parts.into_iter().chain(last).collect()),
        }
    }

    // Operands.

    /// The value of an operand.
    fn operand(&mut self, machine: &Machine<'m>, operand: &Operand) -> Val {
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

    /// An operand as a number of so many bits; constants are cut, the rest is cut or widened by zeros.
    fn number(&mut self, machine: &Machine<'m>, operand: &Operand, width: u8) -> ExprId {
        let value = self.operand(machine, operand);
        self.as_bits(value, width)
    }

    /// The operand of a role as a number.
    fn role(
        &mut self,
        machine: &Machine<'m>,
        instruction: &Instruction,
        role: Role,
        width: u8,
    ) -> Option<ExprId> {
        instruction.operand(role).map(|operand| self.number(machine, operand, width))
    }

    /// The address of a role, in a space.
    fn role_address(
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

    fn address(&mut self, machine: &Machine<'m>, address: &ptx::Address, space: Space) -> Pointer {
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

    /// A value as an address in a space. `source` is what LLVM has for it: where no base shows in the number, because a
    /// loop carries it around, it may still come from one object only.
    fn address_of(&mut self, value: Val, source: Option<Value<'m>>, space: Space) -> Pointer {
        let mut pointer = match value {
            Val::Pointer(pointer) => pointer,
            Val::Scalar(e) => {
                let found = self.pointer_from_number(e, 0);
                let lost =
                    matches!(found.alternatives[..], [a] if matches!(a.place, Place::Absolute(_)));
                match source.filter(|_| lost).and_then(|s| self.object_behind(s)) {
                    Some(object) => {
                        let width = self.out.exprs().width(e);
                        let base = self.out.exprs().base(object);
                        let base = self.out.exprs().resize(base, width);
                        let offset = self.out.exprs().sub(e, base);
                        let offset = self.out.exprs().cast(CastOp::Sext, offset, 64);
                        self.point(Place::Object(object), offset)
                    }
                    None => found,
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
    fn ptx_register(&mut self, special: Special) -> ExprId {
        let axis = |axis: Axis| match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        let id = match special {
            Special::Tid(a) => Id::Tid(axis(a)),
            Special::Ntid(a) => Id::Ntid(axis(a)),
            Special::Ctaid(a) => Id::Ctaid(axis(a)),
            Special::Nctaid(a) => Id::Nctaid(axis(a)),
            Special::LaneId => Id::LaneId,
            Special::WarpId => Id::WarpId,
            Special::ClusterCtarank => Id::ClusterCtaRank,
            Special::ClusterNctarank => Id::ClusterNctaRank,
            Special::DynamicSmemSize => Id::DynamicSharedSize,
            Special::WarpSize => return self.out.exprs().constant(32, 32),
            Special::LanemaskEq => return self.lane_mask_of("eq"),
            Special::LanemaskLe => return self.lane_mask_of("le"),
            Special::LanemaskLt => return self.lane_mask_of("lt"),
            Special::LanemaskGe => return self.lane_mask_of("ge"),
            Special::LanemaskGt => return self.lane_mask_of("gt"),
            Special::Clock64
            | Special::GlobalTimer
            | Special::GridId
            | Special::CurrentGraphExec => {
                return self.unknown_register(special, 64);
            }
            Special::Clusterid(_)
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
            | Special::AggrSmemSize => return self.unknown_register(special, 32),
        };
        self.out.exprs().special(id)
    }

    fn lane_mask_of(&mut self, which: &str) -> ExprId {
        match self.special_register(&format!("lanemask.{which}")) {
            Some(mask) => mask,
            None => self.undef(32),
        }
    }

    fn unknown_register(&mut self, special: Special, width: u8) -> ExprId {
        let name = format!("%{special:?}").to_lowercase();
        self.opaque(&name, &[], &[width], heddle_ir::Touches::nothing(), false)[0]
    }

    // Results.

    /// Writes a destination, for the threads that are here.
    fn write(&mut self, machine: &mut Machine<'m>, to: &Operand, value: Val, here: ExprId) {
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
    fn fitted(&mut self, value: Val, width: u8) -> Val {
        match value {
            Val::Pointer(_) if width == 64 => value,
            Val::Scalar(_) | Val::Pointer(_) | Val::Aggregate(_) => {
                Val::Scalar(self.as_bits(value, width))
            }
            Val::Nothing => Val::Scalar(self.undef(width)),
        }
    }

    fn overwrite(&mut self, old: Option<Val>, new: Val, here: ExprId) -> Val {
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
    fn room(&self, machine: &Machine<'m>, to: &Operand) -> u8 {
        match to {
            Operand::Asm(n) => match machine.asm.operands[*n].kind {
                ConstraintKind::Tied(output) => machine.widths[output],
                ConstraintKind::Output | ConstraintKind::Input | ConstraintKind::Label => {
                    machine.widths[*n]
                }
            },
            Operand::Reg(register) => match machine.asm.regs[register.0].ty {
                ptx::Type { kind: PtxKind::Predicate, .. } => 1,
                ptx::Type { bits, lanes, .. } => bits.saturating_mul(lanes).min(128),
            },
            _ => 64,
        }
    }

    /// A number for a destination, widened as its type says.
    fn write_number(
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

    /// A thread ends in the assembly.
    fn end_thread(&mut self, how: Ending) {
        let truth = self.out.exprs().truth();
        self.leave(truth, how);
    }

    /// `laneid < rows`, for what only the first lanes do.
    fn first_lanes(&mut self, rows: u8) -> ExprId {
        let pool = self.out.exprs();
        if rows >= 32 {
            return pool.truth();
        }
        let lane = pool.special(Id::LaneId);
        let rows = pool.constant(u128::from(rows), 32);
        pool.ult(lane, rows)
    }
}

/// Whether a loop in the assembly does something in each round that stays, so that one round is not all of it.
fn rounds_leave_traces(asm: &ptx::Asm) -> bool {
    asm.instructions.iter().enumerate().any(|(at, instruction)| {
        let Some(&Operand::Label(target)) = instruction.operand(Role::Target) else { return false };
        let start = asm.labels[target.0].at;
        start <= at && asm.instructions[start..=at].iter().any(leaves_a_trace)
    })
}

fn leaves_a_trace(instruction: &Instruction) -> bool {
    match &instruction.class {
        Class::Mbarrier { op: ptx::MbarrierOp::Test { .. }, .. }
        | Class::Load(_)
        | Class::Atomic { op: heddle_ir::AtomicOp::CompareExchange, .. }
        | Class::Fence { .. }
        | Class::Pure { .. }
        | Class::Hint
        | Class::Sleep
        | Class::Branch { .. } => false,
        Class::Barrier { .. }
        | Class::WarpBarrier
        | Class::ClusterBarrier { .. }
        | Class::GridDependency { .. }
        | Class::SetMaxRegisters { .. }
        | Class::Mbarrier { .. }
        | Class::CpAsync(_)
        | Class::CpAsyncCommit
        | Class::CpAsyncWait
        | Class::CpAsyncArrive { .. }
        | Class::BulkCopy(_)
        | Class::BulkCommit
        | Class::BulkWait { .. }
        | Class::FenceMbarrierInit
        | Class::ProxyFence { .. }
        | Class::Store(_)
        | Class::Atomic { .. }
        | Class::CrossLane { .. }
        | Class::LoadMatrix { .. }
        | Class::StoreMatrix { .. }
        | Class::Opaque(_)
        | Class::Exit
        | Class::Trap
        | Class::Breakpoint
        | Class::Unknown => true,
    }
}
