//! Matrix products of a warpgroup (`wgmma`; PTX ISA, section 9.7.15): which bytes of shared memory
//! their operands are.
//!
//! **What**: each operand in shared memory becomes a read that is under way until the group of the
//! product is waited for. **Method**: a descriptor is a number of 64 bits: the address in units of
//! 16 bytes in the lowest 14, above them strides and the swizzle mode. [`Lifter::described`] takes
//! it apart into an address, which has to lead into one object, and the rest, which has to be a
//! constant; [`reach`] is how far the operand then reaches at most.
//! **Sound because**: what is added to a descriptor and is no constant moves its address: it is
//! made of indices, and not a multiple of 2^14. It touches nothing above the lowest 14 bits while
//! the address stays in shared memory, as accesses are taken to do.
//! **Misses**: descriptors that a loop carries, strides that are no constant, base offsets: such an
//! operand is one at an unknown place.
//! **Assumes**: `Assumption::OperandsAsDescribed` (heddle_diagnostics): an operand begins at its
//! address, where its swizzle pattern begins as well.

use heddle_ir::{
    AsyncCopy, AsyncMechanism, BinOp, CastOp, ExprId, ExprKind, ExprPool, NoWrap, OpKind, Space,
    Touches, sign_extend,
};

use super::Machine;
use crate::Lifter;
use crate::distance::Mentioned;
use crate::pointer::{Alternative, Place, Pointer, is_carried};
use crate::predicate::both;
use heddle_llvm::Value;
use heddle_ptx::{Instruction, Operand, Product, Role, Warpgroup};

/// The lowest bits of a descriptor, which are the address.
const START: u64 = 0x3fff;
/// The bytes that an address in a descriptor counts.
const UNIT: u128 = 16;
/// The bytes of a row of an operand that is not sparse.
pub(super) const ROW: u64 = 32;
/// Rows of a core matrix, and its bytes.
const CORE_ROWS: u64 = 8;
const CORE: u64 = 128;
/// Of a descriptor of `tcgen05`: a swizzle of other atoms, and a stride that is an address (PTX
/// ISA, 9.7.16.4.1).
const OTHER_MODES: u64 = 1 << 61 | 1 << 52;
/// Sums and choices that a descriptor is made of, at most.
const MOST_PARTS: u32 = 32;

/// An operand, as its descriptor has it.
struct Described {
    start: Pointer,
    /// The descriptor without its address.
    rest: u64,
}

/// What is multiplied.
pub(super) struct Shape {
    /// Rows of the first operand, columns of the second.
    pub(super) rows: u64,
    /// Bytes of a row.
    pub(super) row: u64,
    /// The elements of a column stand after each other, and not those of a row.
    pub(super) turned: bool,
}

impl<'m> Lifter<'m> {
    pub(super) fn warpgroup(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        step: Warpgroup,
        here: ExprId,
    ) -> Option<()> {
        match step {
            Warpgroup::Fence => self.unmodelled(machine, it, Touches::nothing(), false, here),
            Warpgroup::Commit => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::Matrix), &[]);
            }
            Warpgroup::Wait => {
                let pending = self.role(machine, it, Role::Pending, 32)?;
                self.wait_for_groups(AsyncMechanism::Matrix, pending, false);
            }
            Warpgroup::Product(product) => {
                self.operands_of(machine, it, product)?;
                self.unmodelled(machine, it, Touches::nothing(), false, here);
            }
        }
        Some(())
    }

    /// The reads of a product: of both operands, or of the second where the first is in registers.
    fn operands_of(
        &mut self,
        machine: &Machine<'m>,
        it: &Instruction,
        product: Product,
    ) -> Option<()> {
        let Product { columns, element_bits, sparse } = product;
        let rest = it.operands.iter().filter(|(role, _)| *role == Role::Rest);
        let operands: Vec<Operand> = rest.map(|(_, operand)| operand.clone()).collect();
        let in_registers = matches!(operands.first()?, Operand::Vector(_));
        // Which way an operand of 16-bit elements is turned stands at the end.
        let mut turns = operands.iter().rev();
        let mut turned = |lifter: &mut Self, known: bool| -> Option<Option<bool>> {
            if element_bits != 16 || !known {
                return Some(Some(false));
            }
            let turn = lifter.number(machine, turns.next()?, 32);
            Some(lifter.out.exprs().as_const(turn).map(|it| it != 0))
        };
        let second_turned = turned(self, true)?;
        let first_turned = turned(self, !in_registers)?;
        if !in_registers {
            let shape = first_turned.map(|turned| Shape { rows: 64, row: ROW, turned });
            self.operand_of(machine, AsyncMechanism::Matrix, operands.first()?, shape.as_slice());
        }
        let row = if sparse { 2 * ROW } else { ROW };
        let shape = second_turned.map(|turned| Shape { rows: u64::from(columns), row, turned });
        self.operand_of(machine, AsyncMechanism::Matrix, operands.get(1)?, shape.as_slice());
        Some(())
    }

    /// The read of one operand, whose shape is one of several; somewhere in shared memory, where
    /// its descriptor is not followed.
    pub(super) fn operand_of(
        &mut self,
        machine: &Machine<'m>,
        mechanism: AsyncMechanism,
        operand: &Operand,
        shapes: &[Shape],
    ) {
        let source = match operand {
            Operand::Asm(n) => machine.inputs[*n].as_ref().map(|(_, value)| *value),
            _ => None,
        };
        let number = self.number(machine, operand, 64);
        let described = match shapes {
            [] => None,
            _ => self.described(number, source, MOST_PARTS),
        };
        let described = described.and_then(|Described { start, rest }| {
            // Fields that only descriptors for tensor memory have.
            let is_known = mechanism == AsyncMechanism::Matrix || rest & OTHER_MODES == 0;
            let all: Option<Vec<Reach>> = shapes.iter().map(|it| reach(rest, it)).collect();
            let most = all?.into_iter().max_by_key(|it| it.bytes)?;
            is_known.then_some((start, most))
        });
        let none = self.out.exprs().constant(0, 64);
        let (start, bytes) = match described {
            Some((start, reach)) => (start, Some(reach)),
            None => (self.point(Place::Absolute(Space::Shared), none), None),
        };
        for (guard, source) in self.targets_in(&start, Space::Shared) {
            let read = match bytes {
                Some(Reach { bytes, line }) => {
                    let pool = self.out.exprs();
                    let bytes = pool.constant(u128::from(bytes), 64);
                    let into = within_line(pool, source.offset, line);
                    pool.binary_flagged(BinOp::Sub, NoWrap::BOTH, bytes, into)
                }
                None => self.undef(64),
            };
            let copy = AsyncCopy {
                mechanism,
                destination: source,
                source,
                size: none,
                read: Some(read),
                mbarrier: None,
                event: None,
                strided: None,
                combines: false,
            };
            let pred = both(self.out.exprs(), self.pred, guard);
            self.emit_under(pred, OpKind::AsyncCopy(copy), &[]);
        }
    }

    /// Takes a descriptor apart.
    fn described(
        &mut self,
        number: ExprId,
        source: Option<Value<'m>>,
        depth: u32,
    ) -> Option<Described> {
        let depth = depth.checked_sub(1)?;
        let expr = self.out.exprs()[number].clone();
        let constant = |lifter: &mut Self, id: ExprId| {
            lifter.out.exprs().as_const(id).and_then(|it| u64::try_from(it).ok())
        };
        match expr.kind {
            ExprKind::Cast(op, a) => {
                let Described { start, rest } = self.described(a, source, depth)?;
                let width = u32::from(expr.width.min(self.out.exprs().width(a)));
                let kept = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
                let signed = op == CastOp::Sext && width < 64 && rest >> (width - 1) & 1 == 1;
                (width >= 14 && !signed).then_some(Described { start, rest: rest & kept })
            }
            ExprKind::Binary(op @ (BinOp::Or | BinOp::Add | BinOp::Xor), _, a, b) => {
                let (a, b) = if self.out.exprs().as_const(a).is_some() { (b, a) } else { (a, b) };
                match constant(self, b) {
                    Some(bits) if bits & START == 0 => {
                        let Described { start, rest } = self.described(a, source, depth)?;
                        let rest = match op {
                            BinOp::Or => rest | bits,
                            BinOp::Xor => rest ^ bits,
                            _ => rest.wrapping_add(bits),
                        };
                        Some(Described { start, rest })
                    }
                    _ if op == BinOp::Add => {
                        let one = self.described(a, source, depth);
                        let (Described { start, rest }, by) = match one {
                            Some(it) => (it, b),
                            None => (self.described(b, source, depth)?, a),
                        };
                        let pool = self.out.exprs();
                        if !is_index(pool, by) {
                            return None;
                        }
                        let by = pool.cast(CastOp::Sext, by, 64);
                        let unit = pool.constant(UNIT, 64);
                        let by = pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, by, unit);
                        let start = self.advance(start, by, NoWrap::SIGNED);
                        Some(Described { start, rest })
                    }
                    _ => None,
                }
            }
            ExprKind::Binary(BinOp::And, _, a, b) => {
                let bits = constant(self, b)?;
                let Described { start, rest } = self.described(a, source, depth)?;
                (bits & START == START).then_some(Described { start, rest: rest & bits })
            }
            ExprKind::Binary(BinOp::LShr, _, a, b) => {
                let by = constant(self, b)?;
                // To the left and back by as much: a mask, which `bfe` is in PTX.
                if let ExprKind::Binary(BinOp::Shl, _, inner, to) = self.out.exprs()[a].kind
                    && constant(self, to) == Some(by)
                {
                    let kept = u64::from(expr.width).checked_sub(by).filter(|it| *it >= 14)?;
                    let Described { start, rest } = self.described(inner, source, depth)?;
                    let mask = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
                    return Some(Described { start, rest: rest & mask });
                }
                (by == 4).then_some(())?;
                let start = self.shared_address(a, source)?;
                Some(Described { start, rest: 0 })
            }
            ExprKind::Select(c, a, b) => {
                let a = self.described(a, source, depth)?;
                let b = self.described(b, source, depth)?;
                let start = self.choose_pointer(c, a.start, b.start);
                (a.rest == b.rest).then_some(Described { start, rest: a.rest })
            }
            _ => None,
        }
    }

    /// A number as an address in an object of shared memory, or of one that may be there.
    fn shared_address(&mut self, number: ExprId, source: Option<Value<'m>>) -> Option<Pointer> {
        let mut at = number;
        loop {
            let pool = &self.out.kernel().exprs;
            at = match pool[at].kind {
                // All bits of an address in shared memory that count.
                ExprKind::Binary(BinOp::And, _, a, b) => {
                    let bits = pool.as_const(b)?;
                    (bits & 0x3fff0 == 0x3fff0).then_some(a)?
                }
                ExprKind::Cast(_, a) if pool.width(a) >= 32 => a,
                _ => break,
            };
        }
        let at = self.out.exprs().resize(at, 64);
        let pointer = self.pointer_from_number(at, 0);
        let is_object = |it: &Alternative| matches!(it.place, Place::Object(_));
        let known = !pointer.alternatives.is_empty() && pointer.alternatives.iter().all(is_object);
        // What a loop or memory adds to an address may lead to another object.
        let carried = is_carried(self.out.exprs(), at);
        let lost = source.filter(|_| carried).is_some_and(|source| {
            let Mentioned { objects, others, .. } = self.mentioned([source], false);
            others || objects.len() != 1 || self.compares_objects()
        });
        (known && !lost).then_some(pointer)
    }
}

/// How far an operand reaches.
#[derive(Clone, Copy)]
struct Reach {
    /// From the start of the line that it begins in.
    bytes: u64,
    /// The bytes of a line of its swizzle pattern.
    line: u64,
}

/// How far an operand of a product reaches, by the part of its descriptor that is no address (PTX
/// ISA, 9.7.15.5.1): `None` where it is of no form that is followed.
fn reach(rest: u64, shape: &Shape) -> Option<Reach> {
    let stride = |low: u32| (rest >> low & START) * UNIT as u64;
    let (leading, other) = (stride(16), stride(32));
    let base_offset = rest >> 49 & 7;
    let Shape { rows, row, turned } = *shape;
    let line = match rest >> 62 {
        0 => 16,
        1 => 128,
        2 => 64,
        _ => 32,
    };
    // The element of an operand that is turned has 2 bytes.
    let (outer, outer_stride, inner, inner_stride) = match (turned, line) {
        (false, 16) => (rows / CORE_ROWS, other, row / 16, leading),
        (false, _) => (rows / CORE_ROWS, other, row.div_ceil(line), leading),
        (true, 16) => (rows / CORE_ROWS, other, row / 16, leading),
        (true, _) => ((rows * 2).div_ceil(line), leading, row / 16, other),
    };
    let pattern = if line == 16 { CORE } else { CORE_ROWS * line };
    let bytes = (outer - 1) * outer_stride + (inner - 1) * inner_stride + pattern;
    // Strides that lead out of shared memory are negative ones.
    let is_inside = bytes <= (START + 1) * UNIT as u64;
    (base_offset == 0 && rest != 0 && is_inside).then_some(Reach { bytes, line })
}

/// Whether a number that is added to a descriptor changes its address alone: it is made of
/// constants and of indices, and none of these counts for 2^14 units or more, which are its other
/// fields. That an index itself is smaller is assumed
/// (`Assumption::OperandsAsDescribed` of heddle_diagnostics).
fn is_index(pool: &ExprPool, number: ExprId) -> bool {
    let mut work = vec![number];
    let mut parts = 0;
    while let Some(at) = work.pop() {
        parts += 1;
        let outside = matches!(
            pool[at].kind,
            ExprKind::Base(_) | ExprKind::Param(_) | ExprKind::Result(..) | ExprKind::Undef(_)
        );
        if outside || parts > 8 * MOST_PARTS {
            return false;
        }
        pool.for_each_operand(at, |it| work.push(it));
    }
    counts_for_little(pool, number, 1, MOST_PARTS)
}

/// Whether the constants in a number, times this, are below 2^14 units, and so are the factors of
/// what is no constant.
fn counts_for_little(pool: &ExprPool, number: ExprId, times: u128, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let units = u128::from(START) + 1;
    if let Some(value) = pool.as_const(number) {
        let value = sign_extend(value, pool.width(number)).unsigned_abs();
        return value.checked_mul(times).is_some_and(|it| it < units);
    }
    let little = |id: ExprId, times: u128| counts_for_little(pool, id, times, depth);
    let factor = |id: ExprId| {
        let value = sign_extend(pool.as_const(id)?, pool.width(id)).unsigned_abs();
        value.checked_mul(times).filter(|it| *it < units)
    };
    match pool[number].kind {
        ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, _, a, b)
        | ExprKind::Select(_, a, b) => little(a, times) && little(b, times),
        ExprKind::Binary(BinOp::Mul, _, a, b) => match (factor(a), factor(b)) {
            (Some(by), _) => little(b, by),
            (_, Some(by)) => little(a, by),
            (None, None) => false,
        },
        ExprKind::Binary(BinOp::Shl, _, a, by) => {
            let by = pool.as_const(by).filter(|it| *it < 14);
            by.is_some_and(|by| (times << by) < units && little(a, times << by))
        }
        ExprKind::Cast(_, a) => little(a, times),
        _ => times < units,
    }
}

/// A number modulo the bytes of a line. Terms that are multiples of it are left out.
fn within_line(pool: &mut ExprPool, number: ExprId, line: u64) -> ExprId {
    let mut rest = pool.constant(0, 64);
    let mut work = vec![number];
    while let Some(at) = work.pop() {
        match (remainder(pool, at, line, MOST_PARTS), &pool[at].kind) {
            (Some(known), _) => {
                let known = pool.constant(u128::from(known), 64);
                rest = pool.add(rest, known);
            }
            (None, ExprKind::Binary(BinOp::Add, _, a, b)) => work.extend([*a, *b]),
            // The sum is the same modulo a line at any width that has its bits.
            (None, ExprKind::Cast(_, a)) if pool.width(*a) >= 32 => work.push(*a),
            (None, _) => {
                let wide = pool.resize(at, 64);
                rest = pool.add(rest, wide);
            }
        }
    }
    let mask = pool.constant(u128::from(line - 1), 64);
    pool.and(rest, mask)
}

/// What is known of a number modulo a power of two, which is at least 16.
fn remainder(pool: &ExprPool, number: ExprId, modulus: u64, depth: u32) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    if let Some(value) = pool.as_const(number) {
        return Some((value % u128::from(modulus)) as u64);
    }
    let of = |id: ExprId| remainder(pool, id, modulus, depth);
    match pool[number].kind {
        ExprKind::Binary(BinOp::Add, _, a, b) => Some((of(a)? + of(b)?) % modulus),
        ExprKind::Binary(BinOp::Sub, _, a, b) => Some((of(a)? + modulus - of(b)?) % modulus),
        ExprKind::Binary(BinOp::Mul, _, a, b) => match (of(a), of(b)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(a), Some(b)) => Some(a * b % modulus),
            _ => {
                // Enough that the two together have the factor.
                let zeros = |id: ExprId| pool.as_const(id).map_or(0, |it| it.trailing_zeros());
                (zeros(a).max(zeros(b)) >= modulus.trailing_zeros()).then_some(0)
            }
        },
        ExprKind::Binary(BinOp::Shl, _, _, by) => {
            let by = pool.as_const(by)?;
            (by >= u128::from(modulus.trailing_zeros())).then_some(0)
        }
        ExprKind::Cast(_, a) if u32::from(pool.width(a)) >= modulus.trailing_zeros() => of(a),
        ExprKind::Select(_, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            (a == b).then_some(a)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_reaches_as_far_as_its_descriptor_says() {
        let bytes = |rest: u64, rows: u64, turned: bool| {
            reach(rest, &Shape { rows, row: ROW, turned }).map(|it| it.bytes)
        };
        let of = |swizzle: u64, leading: u64, other: u64| {
            swizzle << 62 | (leading / 16) << 16 | (other / 16) << 32
        };
        // 64 rows of 128 bytes, swizzled: 8 patterns of 1024 bytes.
        assert_eq!(bytes(of(1, 16, 1024), 64, false), Some(8192));
        assert_eq!(bytes(of(2, 16, 512), 64, false), Some(4096));
        assert_eq!(bytes(of(3, 16, 256), 8, false), Some(256));
        // Core matrices of 128 bytes: two beside each other, eight below.
        assert_eq!(bytes(of(0, 128, 256), 64, false), Some(2048));
        // 128 columns of 2 bytes are two lines, 16 rows two patterns.
        assert_eq!(bytes(of(1, 2048, 1024), 128, true), Some(2048 + 1024 + 1024));
        assert_eq!(bytes(of(1, 16, 1024) | 1 << 49, 64, false), None);
    }
}
