//! Inline PTX, statement by statement, as the same operations that intrinsics become.
//!
//! [`ptx::read`] says what each statement means; here it happens. Registers and outputs hold lifted
//! values; a guard is a predicate of the operations and selects between the old and the new value
//! of a register.
//!
//! **Branches.** A branch forward takes its threads out until its label. A branch backward makes a
//! loop that waits (`try_wait` until it succeeds): the text is lifted once, for the last round, and
//! what sends a thread round again is assumed not to hold. That is exact where earlier rounds leave
//! no trace (`rounds.rs`); an assembly with another loop is opaque as a whole.
//!
//! **Addresses** may be numbers of 32 bits (the shared window) or 64: [`Lifter::split_base`] finds
//! the object in them.
//!
//! **Does not**: give a meaning to matrix instructions, textures, or what the table does not know:
//! these are opaque by name, and their results are unknown.

mod effects;
mod number;
mod operands;
mod rounds;
mod transfer;

use heddle_ir::{Ending, ExprId, Special as Id};

use super::Call;
use crate::lift::Lifter;
use crate::lift::predicate::{both, either};
use crate::lift::value::Val;
use crate::llvm::{TypeKind, Value};
use crate::ptx::{self, Class, ConstraintKind, Instruction, Operand, Role};

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
            Ok(asm) if rounds::one_round_is_all(&asm) => match self.machine(call, asm) {
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
            let part = match self.split_bits(leaf, ty) {
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

    /// A thread ends in the assembly.
    fn end_thread(&mut self, how: Ending) {
        let truth = self.out.exprs().truth();
        self.leave(truth, how);
    }

    /// `laneid < rows`, for what only the first lanes do.
    pub(super) fn first_lanes(&mut self, rows: u8) -> ExprId {
        let pool = self.out.exprs();
        if rows >= 32 {
            return pool.truth();
        }
        let lane = pool.special(Id::LaneId);
        let rows = pool.constant(u128::from(rows), 32);
        pool.ult(lane, rows)
    }
}
