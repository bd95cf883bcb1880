//! Statements that compute: integers and predicates exactly, the rest as pure functions named by
//! their opcode.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, UnOp};

use super::Machine;
use crate::Lifter;
use crate::value::Val;
use heddle_ptx::{Comparison, Half, Instruction, Logic, PureOp, Role, Type, TypeKind};

impl<'m> Lifter<'m> {
    pub(super) fn pure_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        op: PureOp,
        ty: Type,
        here: ExprId,
    ) -> Option<()> {
        let dest = it.operand(Role::Dest)?.clone();
        let signed = ty.kind == TypeKind::Signed;
        match op {
            PureOp::Move | PureOp::ConvertAddress { .. } => {
                // Pointers stay pointers; packing and unpacking is by bits.
                let value = self.operand(machine, it.operand(Role::Value)?);
                let value = match (&dest, value) {
                    (heddle_ptx::Operand::Vector(elements), Val::Scalar(e)) => {
                        let total = self.out.exprs().width(e);
                        let each = total / u8::try_from(elements.len()).ok()?.max(1);
                        let parts = (0..elements.len() as u8)
                            .map(|n| Val::Scalar(self.slice(e, n * each, each)));
                        Val::Aggregate(parts.collect())
                    }
                    (_, value) => value,
                };
                self.write(machine, &dest, value, here);
            }
            PureOp::Compare(comparison, logic) => {
                self.compare_statement(machine, it, comparison, logic, ty, here)?;
            }
            _ => {
                let result = match self.exact(machine, it, op, ty) {
                    Some(result) => result,
                    None => self.by_name(machine, it, op, &dest, here)?,
                };
                self.write_number(machine, &dest, result, signed, here);
            }
        }
        Some(())
    }

    /// A function that is not looked into.
    fn by_name(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        op: PureOp,
        dest: &heddle_ptx::Operand,
        here: ExprId,
    ) -> Option<ExprId> {
        let mut args = Vec::new();
        for (role, operand) in &it.operands {
            if role.writes() {
                continue;
            }
            match self.operand(machine, operand) {
                Val::Scalar(e) => args.push(e),
                Val::Pointer(p) => args.push(self.numeric(&p)),
                Val::Aggregate(parts) => {
                    for part in parts {
                        let Val::Scalar(e) = part else { return None };
                        args.push(e);
                    }
                }
                Val::Nothing => return None,
            }
        }
        if matches!(dest, heddle_ptx::Operand::Vector(_)) {
            return None;
        }
        if let Some(second) = it.operand(Role::DestPred) {
            // The other result is a function of the same.
            let width = self.room(machine, second);
            let value = self.out.exprs().pure(&format!("{}.second", it.opcode), &args, width);
            self.write_number(machine, &second.clone(), value, false, here);
        }
        if let (PureOp::MapToBlock, &[address, rank]) = (op, &args[..]) {
            return Some(self.mapped_to_block(&it.opcode, address, rank));
        }
        let width = self.room(machine, dest);
        Some(self.out.exprs().pure(&it.opcode, &args, width))
    }

    /// Integer functions, with their PTX meaning.
    fn exact(
        &mut self,
        machine: &Machine<'m>,
        it: &Instruction,
        op: PureOp,
        ty: Type,
    ) -> Option<ExprId> {
        let width = ty.bits;
        let integer = ty.is_integer() || ty.kind == TypeKind::Predicate;
        if !integer {
            return None;
        }
        let signed = ty.kind == TypeKind::Signed;
        let arg = |lifter: &mut Self, role: Role, width: u8| lifter.role(machine, it, role, width);
        let a = arg(self, Role::Value, width)?;
        let simple = match op {
            PureOp::Add => Some(BinOp::Add),
            PureOp::Sub => Some(BinOp::Sub),
            PureOp::Mul(Half::Low) => Some(BinOp::Mul),
            PureOp::Div if signed => Some(BinOp::SDiv),
            PureOp::Div => Some(BinOp::UDiv),
            PureOp::Rem if signed => Some(BinOp::SRem),
            PureOp::Rem => Some(BinOp::URem),
            PureOp::Min if signed => Some(BinOp::SMin),
            PureOp::Min => Some(BinOp::UMin),
            PureOp::Max if signed => Some(BinOp::SMax),
            PureOp::Max => Some(BinOp::UMax),
            PureOp::And => Some(BinOp::And),
            PureOp::Or => Some(BinOp::Or),
            PureOp::Xor => Some(BinOp::Xor),
            _ => None,
        };
        if let Some(simple) = simple {
            let b = arg(self, Role::Second, width)?;
            return Some(self.out.exprs().binary(simple, a, b));
        }
        Some(match op {
            PureOp::Neg => self.out.exprs().unary(UnOp::Neg, a),
            PureOp::Not => self.out.exprs().not(a),
            PureOp::Abs => return self.integer_function("abs", &[a]),
            PureOp::PopCount => return self.count(UnOp::Popcount, a),
            PureOp::LeadingZeros => return self.count(UnOp::Clz, a),
            PureOp::Reverse => self.out.exprs().unary(UnOp::Bitreverse, a),
            PureOp::Shl | PureOp::Shr => {
                let by = arg(self, Role::Second, 32)?;
                let op = match op {
                    PureOp::Shl => BinOp::Shl,
                    _ if signed => BinOp::AShr,
                    _ => BinOp::LShr,
                };
                self.shift(op, a, by)
            }
            PureOp::Mul(half) => {
                let b = arg(self, Role::Second, width)?;
                self.product(half, signed, a, b)?
            }
            PureOp::Mad(half) => {
                let b = arg(self, Role::Second, width)?;
                let product = self.product(half, signed, a, b)?;
                let wide = self.out.exprs().width(product);
                let c = arg(self, Role::Third, wide)?;
                self.out.exprs().add(product, c)
            }
            PureOp::Select => {
                let b = arg(self, Role::Second, width)?;
                let predicate = arg(self, Role::Predicate, 1)?;
                self.out.exprs().select(predicate, a, b)
            }
            PureOp::Convert(from) => {
                if !from.is_integer() {
                    return None;
                }
                let a = arg(self, Role::Value, from.bits)?;
                let cast = if from.bits > width {
                    CastOp::Trunc
                } else if from.kind == TypeKind::Signed {
                    CastOp::Sext
                } else {
                    CastOp::Zext
                };
                self.out.exprs().cast(cast, a, width)
            }
            PureOp::Funnel { left, clamp } => {
                let (high, by) = (arg(self, Role::Second, 32)?, arg(self, Role::Third, 32)?);
                if clamp {
                    return None;
                }
                self.funnel(left, high, a, by)
            }
            PureOp::BitExtract => {
                let (start, length) = (arg(self, Role::Second, 32)?, arg(self, Role::Third, 32)?);
                self.extract_bits(signed, a, start, length)?
            }
            PureOp::Lop3 => {
                let (b, c) = (arg(self, Role::Second, width)?, arg(self, Role::Third, width)?);
                let table = arg(self, Role::Table, 8)?;
                self.by_table(a, b, c, table)?
            }
            _ => return None,
        })
    }

    fn count(&mut self, op: UnOp, a: ExprId) -> Option<ExprId> {
        let count = self.out.exprs().unary(op, a);
        Some(self.out.exprs().resize(count, 32))
    }

    /// A shift whose amount has 32 bits, whatever the width.
    fn shift(&mut self, op: BinOp, a: ExprId, by: ExprId) -> ExprId {
        let pool = self.out.exprs();
        let width = pool.width(a);
        if width < 32 {
            let limit = pool.constant(u128::from(width), 32);
            let by = pool.binary(BinOp::UMin, by, limit);
            let by = pool.resize(by, width);
            return pool.binary(op, a, by);
        }
        let by = pool.resize(by, width);
        pool.binary(op, a, by)
    }

    fn product(&mut self, half: Half, signed: bool, a: ExprId, b: ExprId) -> Option<ExprId> {
        let pool = self.out.exprs();
        match half {
            Half::Low => Some(pool.mul(a, b)),
            Half::High => self.high_product(signed, a, b),
            Half::Wide => {
                let wide = pool.width(a).checked_mul(2).filter(|w| *w <= 128)?;
                let cast = if signed { CastOp::Sext } else { CastOp::Zext };
                let (a, b) = (pool.cast(cast, a, wide), pool.cast(cast, b, wide));
                let exact =
                    if signed { heddle_ir::NoWrap::SIGNED } else { heddle_ir::NoWrap::UNSIGNED };
                Some(pool.binary_flagged(BinOp::Mul, exact, a, b))
            }
        }
    }

    /// `bfe` where start and length are constant and inside the number (PTX ISA, 9.7.1.19).
    fn extract_bits(
        &mut self,
        signed: bool,
        a: ExprId,
        start: ExprId,
        length: ExprId,
    ) -> Option<ExprId> {
        let pool = self.out.exprs();
        let width = pool.width(a);
        let (start, length) = (pool.as_const(start)? as u8, pool.as_const(length)? as u8);
        if length == 0 {
            return Some(pool.constant(0, width));
        }
        if u16::from(start) + u16::from(length) > u16::from(width) {
            return None;
        }
        let part = self.slice(a, start, length);
        let cast = if signed { CastOp::Sext } else { CastOp::Zext };
        Some(self.out.exprs().cast(cast, part, width))
    }

    /// `lop3`: the disjunction of the rows of its truth table.
    fn by_table(&mut self, a: ExprId, b: ExprId, c: ExprId, table: ExprId) -> Option<ExprId> {
        let pool = self.out.exprs();
        let table = pool.as_const(table)?;
        let width = pool.width(a);
        let mut result = pool.constant(0, width);
        for row in (0..8u32).filter(|row| table >> row & 1 == 1) {
            let mut term = pool.constant(u128::MAX, width);
            for (bit, operand) in [(4, a), (2, b), (1, c)] {
                let literal = if row & bit != 0 { operand } else { pool.not(operand) };
                term = pool.and(term, literal);
            }
            result = pool.or(result, term);
        }
        Some(result)
    }

    fn compare_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        comparison: Comparison,
        logic: Option<Logic>,
        ty: Type,
        here: ExprId,
    ) -> Option<()> {
        if !ty.is_integer() && ty.kind != TypeKind::Predicate {
            return None;
        }
        let (a, b) = (
            self.role(machine, it, Role::Value, ty.bits)?,
            self.role(machine, it, Role::Second, ty.bits)?,
        );
        let (less, at_most) = if ty.kind == TypeKind::Signed {
            (CmpOp::Slt, CmpOp::Sle)
        } else {
            (CmpOp::Ult, CmpOp::Ule)
        };
        let pool = self.out.exprs();
        let holds = match comparison {
            Comparison::Eq => pool.eq(a, b),
            Comparison::Ne => pool.ne(a, b),
            Comparison::Lt => pool.cmp(less, a, b),
            Comparison::Le => pool.cmp(at_most, a, b),
            Comparison::Gt => pool.cmp(less, b, a),
            Comparison::Ge => pool.cmp(at_most, b, a),
        };
        let fails = pool.not(holds);
        let with = match logic {
            Some(logic) => Some((logic, self.role(machine, it, Role::Predicate, 1)?)),
            None => None,
        };
        let combine = |lifter: &mut Self, value: ExprId| match with {
            None => value,
            Some((Logic::And, p)) => lifter.out.exprs().and(value, p),
            Some((Logic::Or, p)) => lifter.out.exprs().or(value, p),
            Some((Logic::Xor, p)) => lifter.out.exprs().binary(BinOp::Xor, value, p),
        };
        let (first, second) = (combine(self, holds), combine(self, fails));
        let dest = it.operand(Role::Dest)?.clone();
        self.write_number(machine, &dest, first, false, here);
        if let Some(dest) = it.operand(Role::DestPred) {
            self.write_number(machine, &dest.clone(), second, false, here);
        }
        Some(())
    }
}
