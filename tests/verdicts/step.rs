//! One instruction of one thread.

use crate::arith::{
    Undefined, arithmetic, bits_of, compare, extend, function, integer, real, to_integer, truth,
};
use crate::code::{Kind, ORIGIN, Op, PRIVATE, Rmw, Scope, Value};
use crate::machine::{Machine, Outcome, State, part};
use crate::memory::{Location, locate};
use crate::races::Access;
use crate::syntax::{BinOp, IntTy};

impl Machine<'_> {
    fn pop(&mut self, thread: usize) -> Value {
        self.threads[thread].stack.pop().expect("the lowering keeps the stack even")
    }

    fn push(&mut self, thread: usize, value: Value) {
        self.threads[thread].stack.push(value);
    }

    fn decided(&mut self, thread: usize) -> Result<bool, Undefined> {
        let value = self.pop(thread);
        if value.undef {
            return Err(Undefined("a decision by what nobody wrote"));
        }
        Ok(value.bits != 0)
    }

    pub(crate) fn step(&mut self, thread: usize) -> Result<(), Undefined> {
        let code = self.code;
        let pc = self.threads[thread].pc;
        self.threads[thread].pc += 1;
        match &code.ops[pc] {
            Op::Push(value) => self.push(thread, *value),
            Op::Nothing => {}
            Op::Slot(slot) => {
                let value = self.threads[thread].slots[usize::from(*slot)];
                self.push(thread, value);
            }
            Op::SetSlot(slot) => {
                let value = self.pop(thread);
                self.threads[thread].slots[usize::from(*slot)] = value;
            }
            Op::Dup => {
                let value = *self.threads[thread].stack.last().expect("a value");
                self.push(thread, value);
            }
            Op::Pop => drop(self.pop(thread)),
            Op::Special(what, dim) => {
                let value = Value::new(self.special(thread, *what, *dim));
                self.push(thread, value);
            }
            Op::Int(op, ty) => {
                let (b, a) = (self.pop(thread), self.pop(thread));
                let divides = matches!(op, BinOp::Div | BinOp::Rem);
                if b.undef && (divides || matches!(op, BinOp::Shl | BinOp::Shr)) {
                    return Err(Undefined("an operation by what nobody wrote"));
                }
                let undef = a.undef || b.undef;
                let (bits, wrapped) = match integer(*op, *ty, a.bits, b.bits, code.masks_shifts) {
                    Err(_) if undef => (0, false),
                    result => result?,
                };
                // Unsigned numbers from 2^31 (2^63) leave the signed range without wrapping around.
                let computes = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl);
                let large = computes && !ty.signed && ty.bits >= 32 && bits >> (ty.bits - 1) == 1;
                if wrapped || large {
                    self.outcome.wrapped[usize::from(ty.bits == 64)] = true;
                }
                self.outcome.cut[0] |=
                    computes && ty.bits == 64 && i32::try_from(bits as i64).is_err();
                self.push(thread, Value { bits, undef });
            }
            Op::Compare(op, signed) => {
                let (b, a) = (self.pop(thread), self.pop(thread));
                let order = if *signed {
                    (a.bits as i64).cmp(&(b.bits as i64))
                } else {
                    self.outcome.compared_large |= a.bits.max(b.bits) >= 1 << 31;
                    a.bits.cmp(&b.bits)
                };
                let bits = u64::from(compare(*op, Some(order)));
                self.push(thread, Value { bits, undef: a.undef || b.undef });
            }
            Op::Real(op, is_float) => {
                let (b, a) = (self.pop(thread), self.pop(thread));
                let bits = arithmetic(*op, a.bits, b.bits, *is_float);
                self.push(thread, Value { bits, undef: a.undef || b.undef });
            }
            Op::RealCompare(op, is_float) => {
                let (b, a) = (self.pop(thread), self.pop(thread));
                let order = real(a.bits, *is_float).partial_cmp(&real(b.bits, *is_float));
                let bits = u64::from(compare(*op, order));
                self.push(thread, Value { bits, undef: a.undef || b.undef });
            }
            Op::NegInt(ty) => {
                let a = self.pop(thread);
                let (bits, wrapped) = match integer(BinOp::Sub, *ty, 0, a.bits, false) {
                    Err(_) if a.undef => (0, false),
                    result => result?,
                };
                if wrapped {
                    self.outcome.wrapped[usize::from(ty.bits == 64)] = true;
                }
                self.push(thread, Value { bits, undef: a.undef });
            }
            Op::NotBits(ty) => {
                let a = self.pop(thread);
                self.push(thread, Value { bits: extend(!a.bits, *ty), ..a });
            }
            Op::NegReal(is_float) => {
                let a = self.pop(thread);
                let bits = bits_of(-real(a.bits, *is_float), *is_float);
                self.push(thread, Value { bits, ..a });
            }
            Op::Truth(kind) => {
                let a = self.pop(thread);
                self.push(thread, Value { bits: u64::from(truth(*kind, a)), ..a });
            }
            Op::Not => {
                let a = self.pop(thread);
                self.push(thread, Value { bits: u64::from(a.bits == 0), ..a });
            }
            Op::ToInt(ty) => {
                let a = self.pop(thread);
                self.outcome.cut[1] |=
                    self.outcome.cut[0] && ty.bits == 32 && i32::try_from(a.bits as i64).is_err();
                self.push(thread, Value { bits: extend(a.bits, *ty), ..a });
            }
            Op::IntToReal(signed, is_float) => {
                let a = self.pop(thread);
                let bits = match (signed, is_float) {
                    (true, true) => u64::from((a.bits as i64 as f32).to_bits()),
                    (false, true) => u64::from((a.bits as f32).to_bits()),
                    (true, false) => (a.bits as i64 as f64).to_bits(),
                    (false, false) => (a.bits as f64).to_bits(),
                };
                self.push(thread, Value { bits, ..a });
            }
            Op::RealToInt(is_float, ty) => {
                let a = self.pop(thread);
                let bits = match to_integer(a.bits, *is_float, *ty) {
                    Err(_) if a.undef => 0,
                    result => result?,
                };
                self.push(thread, Value { bits, ..a });
            }
            Op::RealToReal(to_float) => {
                let a = self.pop(thread);
                let bits = bits_of(real(a.bits, !to_float), *to_float);
                self.push(thread, Value { bits, ..a });
            }
            Op::Within { length, is_row } => {
                let index = self.pop(thread);
                let Outcome { left_row, left_array, .. } = &mut self.outcome;
                let left = if *is_row { left_row } else { left_array };
                *left |= index.bits >= *length;
                self.push(thread, index);
            }
            Op::Offset(size) => {
                let (index, base) = (self.pop(thread), self.pop(thread));
                let bytes = (index.bits as i64).checked_mul(*size);
                let far = bytes.is_none_or(|it| it.unsigned_abs() > ORIGIN / 4);
                if far && !index.undef {
                    return Err(Undefined("an address far away"));
                }
                let bits = base.bits.wrapping_add(bytes.unwrap_or(0) as u64);
                self.push(thread, Value { bits, undef: base.undef || index.undef });
            }
            Op::Distance(size) => {
                let (b, a) = (self.pop(thread), self.pop(thread));
                let bytes = (a.bits as i64).wrapping_sub(b.bits as i64);
                let bits = (bytes / size) as u64;
                self.push(thread, Value { bits, undef: a.undef || b.undef });
            }
            Op::Load(kind) => {
                let address = self.pop(thread);
                let value = self.load(thread, address, kind.bytes())?;
                let bits = match kind {
                    Kind::Int(ty) => extend(value.bits, *ty),
                    Kind::Float | Kind::Double | Kind::Pointer => value.bits,
                };
                self.push(thread, Value { bits, ..value });
            }
            Op::Store(kind) => {
                let (value, address) = (self.pop(thread), self.pop(thread));
                self.store(thread, address, kind.bytes(), value)?;
                self.push(thread, value);
            }
            Op::Copy(size) => {
                let (from, to) = (self.pop(thread), self.pop(thread));
                let mut done = 0;
                while done < *size {
                    let bytes = part(size - done);
                    let next = |it: Value| Value { bits: it.bits + done, ..it };
                    let value = self.load(thread, next(from), bytes)?;
                    self.store(thread, next(to), bytes, value)?;
                    done += bytes;
                }
            }
            Op::Atomic(op, kind, scope) => self.atomic(thread, *op, *kind, *scope)?,
            Op::Fence(scope) => self.fence(thread, *scope),
            Op::Function(which, ty) => {
                let two = matches!(which, crate::code::Function::Min | crate::code::Function::Max);
                let b = if two { self.pop(thread) } else { Value::new(0) };
                let a = self.pop(thread);
                let bits = function(*which, *ty, a.bits, b.bits)?;
                self.push(thread, Value { bits, undef: a.undef || b.undef });
            }
            Op::Assume => {
                if !self.decided(thread)? {
                    return Err(Undefined(crate::judge::BROKEN_ASSUMPTION));
                }
            }
            Op::Jump(to) => self.threads[thread].pc = *to as usize,
            Op::JumpUnless(to) => {
                if !self.decided(thread)? {
                    self.threads[thread].pc = *to as usize;
                }
            }
            Op::JumpIf(to) => {
                if self.decided(thread)? {
                    self.threads[thread].pc = *to as usize;
                }
            }
            Op::LoopEnter(slot) => self.threads[thread].slots[usize::from(*slot)] = Value::new(0),
            Op::LoopNext(slot) => self.threads[thread].slots[usize::from(*slot)].bits += 1,
            Op::Wait(wait) => self.threads[thread].state = State::Waiting(*wait),
            Op::Arrive => self.arrive(thread)?,
            Op::Exit(_) => self.threads[thread].state = State::Done,
        }
        Ok(())
    }

    fn load(&mut self, thread: usize, address: Value, size: u64) -> Result<Value, Undefined> {
        let at = self.place(address, size)?;
        let block = self.block_of(thread);
        let value = self.memory.read(at, size, block, &self.threads[thread].own)?;
        let value_of_read = Value::new(0);
        self.record(
            thread,
            at,
            Access {
                write: false,
                atomic: None,
                value: value_of_read,
                size,
                modifies: false,
                idle: false,
            },
        );
        Ok(value)
    }

    fn store(
        &mut self,
        thread: usize,
        address: Value,
        size: u64,
        value: Value,
    ) -> Result<(), Undefined> {
        let at = self.place(address, size)?;
        let block = self.block_of(thread);
        self.memory.write(at, size, value, block, &mut self.threads[thread].own)?;
        self.record(
            thread,
            at,
            Access { write: true, atomic: None, value, size, modifies: false, idle: false },
        );
        Ok(())
    }

    fn place(&self, address: Value, size: u64) -> Result<Location, Undefined> {
        if address.undef {
            return Err(Undefined("an address that nobody wrote"));
        }
        let at = locate(address.bits)?;
        if at.offset.rem_euclid(size as i64) != 0 && size.is_power_of_two() {
            return Err(Undefined("an address that is not aligned"));
        }
        Ok(at)
    }

    fn record(&mut self, thread: usize, at: Location, access: Access) {
        if at.object == PRIVATE {
            return;
        }
        self.threads[thread].last_effect = self.threads[thread].pc;
        self.outcome.below |= at.offset < 0;
        let which = self.clock_of(at.object);
        let base = self.base(thread);
        self.races.add(thread, at, access, &self.clocks[which][thread], base);
    }

    fn atomic(
        &mut self,
        thread: usize,
        op: Rmw,
        kind: Kind,
        scope: Scope,
    ) -> Result<(), Undefined> {
        let operand = self.pop(thread);
        let expected = if op == Rmw::CompareAndSwap { Some(self.pop(thread)) } else { None };
        let address = self.pop(thread);
        let size = kind.bytes();
        let at = self.place(address, size)?;
        if at.object == PRIVATE {
            return Err(Undefined("an atomic on a variable of the thread"));
        }
        let block = self.block_of(thread);
        let old = self.memory.read(at, size, block, &self.threads[thread].own)?;
        let old = match kind {
            Kind::Int(ty) => Value { bits: extend(old.bits, ty), ..old },
            Kind::Float | Kind::Double | Kind::Pointer => old,
        };
        if self.first_use(at, thread) && old.bits != 0 {
            self.outcome.odd_counter = true;
        }
        let new = updated(op, kind, old.bits, operand.bits, expected.map(|it| it.bits));
        let writes = new.is_some();
        if let (Kind::Int(ty), Rmw::Add | Rmw::Sub) = (kind, op) {
            let unsigned = IntTy { signed: false, ..ty };
            let plain = if op == Rmw::Add { BinOp::Add } else { BinOp::Sub };
            let (a, b) = (extend(old.bits, unsigned), extend(operand.bits, unsigned));
            if integer(plain, unsigned, a, b, false).is_ok_and(|(_, wrapped)| wrapped) {
                self.outcome.odd_counter = true;
            }
        }
        let undef = old.undef || operand.undef || expected.is_some_and(|it| it.undef);
        let stored = Value { bits: new.unwrap_or(old.bits), undef };
        if writes {
            self.memory.write(at, size, stored, block, &mut self.threads[thread].own)?;
        }
        let modifies = op != Rmw::Exchange;
        let value = if modifies { Value::new(0) } else { stored };
        // Of an addition of zero the compiler may leave nothing.
        let idle =
            writes && operand.bits == 0 && matches!(op, Rmw::Add | Rmw::Sub | Rmw::Or | Rmw::Xor);
        let access = Access { write: writes, atomic: Some(scope), value, size, modifies, idle };
        self.record(thread, at, access);
        self.through(thread, at, scope, writes);
        self.push(thread, old);
        Ok(())
    }
}

/// What an atomic writes; `None` if a comparison fails.
fn updated(op: Rmw, kind: Kind, old: u64, operand: u64, expected: Option<u64>) -> Option<u64> {
    let ty = match kind {
        Kind::Int(ty) => ty,
        Kind::Float | Kind::Double | Kind::Pointer => {
            let is_float = kind == Kind::Float;
            return Some(match op {
                Rmw::Add => arithmetic(BinOp::Add, old, operand, is_float),
                _ => operand,
            });
        }
    };
    let less = |a: u64, b: u64| if ty.signed { (a as i64) < b as i64 } else { a < b };
    let bits = match op {
        Rmw::Add => old.wrapping_add(operand),
        Rmw::Sub => old.wrapping_sub(operand),
        Rmw::Exchange => operand,
        Rmw::Min => {
            if less(operand, old) {
                operand
            } else {
                old
            }
        }
        Rmw::Max => {
            if less(old, operand) {
                operand
            } else {
                old
            }
        }
        Rmw::And => old & operand,
        Rmw::Or => old | operand,
        Rmw::Xor => old ^ operand,
        Rmw::Inc => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        Rmw::Dec => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
        Rmw::CompareAndSwap => {
            if expected != Some(old) {
                return None;
            }
            operand
        }
    };
    Some(extend(bits, ty))
}
