//! Comparisons that LLVM has made of other ones.
//!
//! **What**: what `value == constant` says of the numbers of the source, where LLVM has turned a
//! `switch` or a chain of comparisons into one over bits.
//! **Method**: cases that lie a power of two apart are told by a rotation, `fshl(n - 32, n - 32,
//! 27)`, and powers of two by their place, `cttz(n)`, after `ctpop(n) == 1`. Each has what it says
//! of `n`.
//! **Sound because** a rotation has an inverse; the lowest bit of a number that is one is the k-th
//! just where the number modulo `2^(k + 1)` is `2^k`; a number has at most one bit just where
//! nothing is left without the lowest.
//! **Misses**: other intrinsics.
//! **Assumes**: nothing.

use heddle_ir::{ExprId, mask};

use super::reader::Reader;
use heddle_llvm::{Function, Inst, IntPredicate, Opcode, TypeKind, Value};

impl<'m> Reader<'_, 'm> {
    /// Whether a value is the one of a case of a `switch`.
    pub(super) fn is_case(&mut self, value: Value<'m>, case: Value<'m>, strict: bool) -> ExprId {
        if let Some(number) = case.const_int() {
            return self.is(value, number, strict, 0);
        }
        let (value, case) = (self.value(value, strict, 0), self.value(case, true, 0));
        self.pool.eq(value, case)
    }

    /// Whether a value is a number.
    fn is(&mut self, value: Value<'m>, number: u128, strict: bool, depth: usize) -> ExprId {
        let width = self.width(value.ty());
        let called = value.as_inst().and_then(intrinsic).filter(|_| width <= 64);
        match called.as_ref().map(|(name, given)| (&**name, &given[..])) {
            Some((name @ ("llvm.fshl" | "llvm.fshr"), [a, again, by])) if a == again => {
                if let Some(by) = by.const_int() {
                    let by = (by % u128::from(width)) as u8;
                    let right = if name == "llvm.fshl" { by } else { (width - by) % width };
                    let number = rotated_right(number, right, width);
                    let (from, number) = moved(*a, number).unwrap_or((*a, number));
                    return self.is(from, mask(number, width), strict, depth);
                }
            }
            Some(("llvm.cttz", [a, ..])) if number < u128::from(width) => {
                let a = self.value(*a, strict, depth);
                let place = 1u128 << number;
                let low = self.pool.constant(mask(2 * place - 1, width), width);
                let (low, place) = (self.pool.and(a, low), self.pool.constant(place, width));
                return self.pool.eq(low, place);
            }
            Some(_) | None => {}
        }
        let value = self.value(value, strict, depth);
        let number = self.pool.constant(number, width);
        self.pool.eq(value, number)
    }

    /// What a comparison of two values says, where one is computed by bits.
    pub(super) fn compared_bits(
        &mut self,
        predicate: IntPredicate,
        [value, number]: [Value<'m>; 2],
        strict: bool,
        depth: usize,
    ) -> Option<ExprId> {
        let (name, given) = intrinsic(value.as_inst()?)?;
        let number = number.const_int()?;
        let is_equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        let holds = match &*name {
            "llvm.fshl" | "llvm.fshr" | "llvm.cttz" if is_equality => {
                self.is(value, number, strict, depth)
            }
            "llvm.ctpop" => {
                let TypeKind::Int(width @ ..=64) = value.ty().kind() else { return None };
                let a = self.value(*given.first()?, strict, depth);
                let one = self.pool.constant(1, width as u8);
                let zero = self.pool.constant(0, width as u8);
                let without = self.pool.sub(a, one);
                let left = self.pool.and(a, without);
                let at_most_one = self.pool.eq(left, zero);
                match (predicate, number) {
                    (IntPredicate::Eq | IntPredicate::Ne, 1) => {
                        let any = self.pool.ne(a, zero);
                        self.pool.and(any, at_most_one)
                    }
                    (IntPredicate::Ult, 2) => at_most_one,
                    (IntPredicate::Ugt, 1) => self.pool.not(at_most_one),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(if predicate == IntPredicate::Ne { self.pool.not(holds) } else { holds })
    }
}

/// What a sum with a constant is made of, and which number that is where the sum is this one. LLVM
/// moves the first case of a `switch` to zero.
fn moved(value: Value<'_>, number: u128) -> Option<(Value<'_>, u128)> {
    let inst = value.as_inst()?;
    let (of, by) = (inst.operand(0)?, inst.operand(1)?.const_int()?);
    match inst.opcode() {
        Opcode::Add => Some((of, number.wrapping_sub(by))),
        Opcode::Sub => Some((of, number.wrapping_add(by))),
        _ => None,
    }
}

/// The function of LLVM that is called, without its type, and what it is given.
fn intrinsic(inst: Inst<'_>) -> Option<(String, Vec<Value<'_>>)> {
    let name = inst.called_function().map(Function::name)?;
    let (name, _) = name.rsplit_once('.')?;
    name.starts_with("llvm.").then(|| (name.to_owned(), inst.arguments()))
}

/// A number with its low bits at the top.
fn rotated_right(number: u128, by: u8, width: u8) -> u128 {
    match by {
        0 => number,
        _ => mask((number >> by) | (number << (width - by)), width),
    }
}

#[cfg(test)]
mod tests {
    use super::rotated_right;

    #[test]
    fn a_rotation_to_the_left_is_taken_back() {
        for n in [32u32, 64, 96, 4, 0] {
            let from_first = n.wrapping_sub(32);
            let back = rotated_right(u128::from(from_first.rotate_left(27)), 27, 32);
            assert_eq!(back, u128::from(from_first));
        }
        assert_eq!(rotated_right(0b1001, 1, 4), 0b1100);
        assert_eq!(rotated_right(7, 0, 64), 7);
    }
}
