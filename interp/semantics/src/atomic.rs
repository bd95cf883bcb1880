//! What an atomic on integers leaves in memory (PTX ISA, `atom` and `red`; the same operations
//! combine elements of bulk copies).

use heddle_ir::{AtomicOp, BinOp, fold_binary, mask};

use crate::Known;

/// The new value of `width` bits, from the old one and the operands by their positions; none for
/// operations on floats. A weak compare-and-swap writes here whenever it may.
pub fn updated<E>(
    op: AtomicOp,
    old: Known<E>,
    operand: impl Fn(usize) -> Known<E>,
    width: u8,
) -> Option<Known<E>> {
    Some(match op {
        AtomicOp::Exchange => operand(0),
        AtomicOp::Add => folded(BinOp::Add, old, operand(0), width),
        AtomicOp::Sub => folded(BinOp::Sub, old, operand(0), width),
        AtomicOp::And => folded(BinOp::And, old, operand(0), width),
        AtomicOp::Or => folded(BinOp::Or, old, operand(0), width),
        AtomicOp::Xor => folded(BinOp::Xor, old, operand(0), width),
        AtomicOp::Nand => folded(BinOp::And, old, operand(0), width).map(|it| mask(!it, width)),
        AtomicOp::SMin => folded(BinOp::SMin, old, operand(0), width),
        AtomicOp::SMax => folded(BinOp::SMax, old, operand(0), width),
        AtomicOp::UMin => folded(BinOp::UMin, old, operand(0), width),
        AtomicOp::UMax => folded(BinOp::UMax, old, operand(0), width),
        AtomicOp::IncWrap => {
            both(old, operand(0)).map(|(old, limit)| if old >= limit { 0 } else { old + 1 })
        }
        AtomicOp::DecWrap => both(old, operand(0))
            .map(|(old, limit)| if old == 0 || old > limit { limit } else { old - 1 }),
        AtomicOp::CompareExchange | AtomicOp::CompareExchangeWeak => match both(old, operand(0)) {
            Ok((old, expected)) if old == expected => operand(1),
            Ok((old, _)) => Ok(old),
            Err(cause) => Err(cause),
        },
        AtomicOp::FAdd | AtomicOp::FSub | AtomicOp::FMin | AtomicOp::FMax => return None,
    })
}

/// Whether a compare-and-swap found what it expected.
pub fn stored_is_expected<E>(old: Known<E>, expected: Known<E>) -> Known<E> {
    both(old, expected).map(|(old, expected)| u128::from(old == expected))
}

fn folded<E>(op: BinOp, old: Known<E>, operand: Known<E>, width: u8) -> Known<E> {
    both(old, operand).map(|(old, operand)| fold_binary(op, old, operand, width))
}

fn both<E>(a: Known<E>, b: Known<E>) -> Result<(u128, u128), E> {
    Ok((a?, b?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(op: AtomicOp, old: u128, operands: [u128; 2]) -> Option<Known<()>> {
        updated(op, Ok(old), |index| Ok(operands[index]), 32)
    }

    #[test]
    fn increments_and_decrements_wrap_at_their_operand() {
        let inc = [(4, 5), (5, 0), (9, 0)];
        let dec = [(0, 5), (3, 2), (6, 5)];
        for (old, new) in inc {
            assert_eq!(update(AtomicOp::IncWrap, old, [5, 0]), Some(Ok(new)));
        }
        for (old, new) in dec {
            assert_eq!(update(AtomicOp::DecWrap, old, [5, 0]), Some(Ok(new)));
        }
    }

    #[test]
    fn the_width_and_the_sign_are_those_of_the_operation() {
        let minus = u128::from(-3i32 as u32);
        assert_eq!(update(AtomicOp::SMin, minus, [2, 0]), Some(Ok(minus)));
        assert_eq!(update(AtomicOp::UMin, minus, [2, 0]), Some(Ok(2)));
        assert_eq!(update(AtomicOp::Add, 0xffff_ffff, [2, 0]), Some(Ok(1)));
        assert_eq!(update(AtomicOp::Nand, 3, [6, 0]), Some(Ok(0xffff_fffd)));
        assert_eq!(update(AtomicOp::CompareExchange, 7, [7, 1]), Some(Ok(1)));
        assert_eq!(update(AtomicOp::CompareExchange, 8, [7, 1]), Some(Ok(8)));
        assert_eq!(update(AtomicOp::FAdd, 8, [7, 1]), None);
    }
}
