//! Inline PTX, statement by statement, as the same operations that intrinsics become.
//!
//! [`heddle_ptx::read`] says what each statement means; here it happens. Registers and outputs hold
//! lifted values; a guard is a predicate of the operations and selects between the old and the new
//! value of a register.
//!
//! **Branches.** A branch forward takes its threads out until its label. A branch backward makes a
//! loop like any other, so that a thread which spins for ever is seen to (`rounds.rs`). Only where
//! a barrier object is waited for (`try_wait` until it succeeds) the text is lifted once, for the
//! last round: the check of barrier objects says whether there is one. An assembly with loops that
//! hand values from round to round is opaque as a whole.
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
mod tensor_core;
mod transfer;
mod warpgroup;

use heddle_ir::{Ending, ExprId, LoopId, Special as Id};

use super::Call;
use crate::Lifter;
use crate::predicate::{both, either};
use crate::value::Val;
use heddle_llvm::{TypeKind, Value};
use heddle_ptx::{Class, ConstraintKind, Instruction, Operand, Role};

/// An inline assembly while it is lifted.
struct Machine<'m> {
    asm: heddle_ptx::Asm,
    /// By `$n`: what is read there.
    inputs: Vec<Option<(Val, Value<'m>)>>,
    /// By `$n`: what has been written there.
    outputs: Vec<Option<Val>>,
    /// By `$n`: bits of an output.
    widths: Vec<u8>,
    registers: Vec<Option<Val>>,
    /// By label: the threads on their way to it.
    arriving: Vec<Option<ExprId>>,
    /// The threads that are here, of those that came to the assembly or to the round.
    active: ExprId,
    /// The loops around, outermost first.
    rounds: Vec<Rounds>,
}

/// A loop while its round is lifted.
struct Rounds {
    id: LoopId,
    /// Its first and its last instruction.
    span: (usize, usize),
    /// The threads that go round again.
    again: ExprId,
    /// Of the machine outside: the predicate, the threads that came, and those on their way to
    /// labels.
    outside: ExprId,
    came: ExprId,
    arriving: Vec<Option<ExprId>>,
}

impl<'m> Lifter<'m> {
    /// A call of inline assembly.
    pub(super) fn inline_asm(&mut self, call: &Call<'m>, template: &str, constraints: &str) -> Val {
        match heddle_ptx::read(template, constraints) {
            Ok(asm) => match (rounds::loops(&asm), self.machine(call, asm)) {
                (Some(loops), Some(machine)) => self.run_asm(call, machine, &loops),
                (None, _) | (_, None) => self.unknown_asm(call, template),
            },
            Err(_) => self.unknown_asm(call, template),
        }
    }

    /// An assembly that could not be read: it may do anything.
    fn unknown_asm(&mut self, call: &Call<'m>, template: &str) -> Val {
        let name = format!("asm {}", template.split_whitespace().collect::<Vec<_>>().join(" "));
        self.opaque_value(&name, &[], call.inst.ty(), crate::touches_everything(), true)
    }

    fn machine(&mut self, call: &Call<'m>, asm: heddle_ptx::Asm) -> Option<Machine<'m>> {
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
            rounds: Vec::new(),
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

    fn run_asm(
        &mut self,
        call: &Call<'m>,
        mut machine: Machine<'m>,
        loops: &[(usize, usize)],
    ) -> Val {
        let block = self.pred;
        let instructions = machine.asm.instructions.clone();
        for (at, instruction) in instructions.iter().enumerate() {
            self.meet_labels(&mut machine, at);
            for span in loops.iter().filter(|(start, _)| *start == at) {
                self.begin_rounds(&mut machine, *span);
            }
            let outside = self.pred;
            let guard = self.guard(&mut machine, instruction);
            let here = both(self.out.exprs(), machine.active, guard);
            if self.out.exprs().as_const(here) != Some(0) {
                self.pred = both(self.out.exprs(), outside, here);
                if let Class::Branch { uniform: _ } = instruction.class {
                    self.branch(&mut machine, instruction, at, here);
                } else {
                    self.statement(&mut machine, instruction, here);
                }
                self.pred = outside;
            }
            while machine.rounds.last().is_some_and(|it| it.span.1 == at) {
                self.end_rounds(&mut machine);
            }
        }
        self.pred = block;
        self.outputs(call, &mut machine)
    }

    /// The threads that are here come to a loop.
    fn begin_rounds(&mut self, machine: &mut Machine<'m>, span: (usize, usize)) {
        self.flush_returns();
        let origin = self.origin();
        let entered = both(self.out.exprs(), self.pred, machine.active);
        let truth = self.out.exprs().truth();
        let labels = machine.arriving.len();
        machine.rounds.push(Rounds {
            id: self.out.begin_loop(entered, origin),
            span,
            again: self.out.exprs().falsity(),
            outside: std::mem::replace(&mut self.pred, truth),
            came: std::mem::replace(&mut machine.active, truth),
            arriving: std::mem::replace(&mut machine.arriving, vec![None; labels]),
        });
    }

    /// The last round of the innermost loop is over: values are those that it left.
    fn end_rounds(&mut self, machine: &mut Machine<'m>) {
        let Some(Rounds { id, span: _, again, outside, came, arriving }) = machine.rounds.pop()
        else {
            return;
        };
        self.out.end_loop(again);
        self.pred = outside;
        let active = self.exit(id, machine.active);
        machine.active = both(self.out.exprs(), came, active);
        let inside = std::mem::replace(&mut machine.arriving, arriving);
        for (label, left) in inside.into_iter().enumerate() {
            let Some(left) = left else { continue };
            let left = self.exit(id, left);
            let left = both(self.out.exprs(), came, left);
            let before = machine.arriving[label];
            let all = before.map_or(left, |before| either(self.out.exprs(), before, left));
            machine.arriving[label] = Some(all);
        }
        for cell in machine.registers.iter_mut().chain(&mut machine.outputs) {
            *cell = cell.take().map(|value| self.exit_value(id, value));
        }
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
        } else if let Some(round) =
            machine.rounds.iter_mut().find(|it| it.span.0 == machine.asm.labels[target.0].at)
        {
            round.again = either(self.out.exprs(), round.again, here);
            machine.active = both(self.out.exprs(), machine.active, not);
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
