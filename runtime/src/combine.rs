//! What a bulk reduction computes, element by element (PTX ISA 9.7.9, `cp.reduce.async.bulk`).
//!
//! **Does not**: order anything; each element is atomic, relaxed and for the device, and `copies`
//! records it so.

use half::{bf16, f16};
use heddle_semantics::updated;

use crate::abi::{Combine, Combined};

/// A reduction: what is computed, on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reduction {
    pub(crate) op: Combine,
    pub(crate) element: Combined,
}

impl Reduction {
    /// From the numbers that compiled code passes: the operation in the low byte, the element
    /// above. None for a plain copy.
    pub(crate) fn from_number(number: u32) -> Option<Reduction> {
        let op = Combine::from_number(number & 0xff)?;
        let element = Combined::from_number(number >> 8)?;
        (op != Combine::Overwrite).then_some(Reduction { op, element })
    }

    /// Combines bytes with those that are there; what is less than an element at the end is left.
    pub(crate) fn apply(self, target: &mut [u8], source: &[u8]) {
        let size = match self.element {
            Combined::F16 | Combined::BF16 => 2,
            Combined::U32 | Combined::S32 | Combined::F32 => 4,
            Combined::U64 | Combined::S64 | Combined::F64 => 8,
        };
        for (there, new) in target.chunks_exact_mut(size).zip(source.chunks_exact(size)) {
            let result = self.element(number(there), number(new));
            there.copy_from_slice(&result.to_le_bytes()[..size]);
        }
    }

    fn element(self, a: u64, b: u64) -> u64 {
        let Reduction { op, element } = self;
        let float = |a: f64, b: f64| match op {
            Combine::Min => a.min(b),
            Combine::Max => a.max(b),
            _add => a + b,
        };
        let integer = |width, signed| {
            let operand = |_: usize| Ok::<u128, ()>(u128::from(b));
            let new = op
                .atomic(signed)
                .and_then(|it| updated(it, Ok(u128::from(a)), operand, width))
                .and_then(Result::ok);
            new.map_or(b, |it| it as u64)
        };
        match element {
            Combined::U32 => integer(32, false),
            Combined::U64 => integer(64, false),
            Combined::S32 => integer(32, true),
            Combined::S64 => integer(64, true),
            Combined::F16 => {
                let [a, b] = [a, b].map(|it| f16::from_bits(it as u16).to_f64());
                u64::from(f16::from_f64(float(a, b)).to_bits())
            }
            Combined::BF16 => {
                let [a, b] = [a, b].map(|it| bf16::from_bits(it as u16).to_f64());
                u64::from(bf16::from_f64(float(a, b)).to_bits())
            }
            Combined::F32 => {
                let [a, b] = [a, b].map(|it| f64::from(f32::from_bits(it as u32)));
                u64::from((float(a, b) as f32).to_bits())
            }
            Combined::F64 => float(f64::from_bits(a), f64::from_bits(b)).to_bits(),
        }
    }
}

fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_combined_as_the_manual_says() {
        let of = |op, element, a: u64, b: u64| Reduction { op, element }.element(a, b);
        let minus = u64::from(-3i32 as u32);
        assert_eq!(of(Combine::Min, Combined::S32, minus, 2), minus);
        assert_eq!(of(Combine::Min, Combined::U32, minus, 2), 2);
        assert_eq!(of(Combine::Add, Combined::U32, 0xffff_ffff, 2), 1);
        assert_eq!(of(Combine::Increment, Combined::U32, 5, 5), 0);
        assert_eq!(of(Combine::Decrement, Combined::U32, 0, 5), 5);
        let half = |it: f64| u64::from(f16::from_f64(it).to_bits());
        assert_eq!(of(Combine::Add, Combined::F16, half(1.5), half(2.0)), half(3.5));
        let mut there = [1, 0, 0, 0, 2, 0, 0, 0];
        let all = Reduction { op: Combine::Add, element: Combined::U32 };
        all.apply(&mut there, &[10, 0, 0, 0, 20, 0, 0, 0]);
        assert_eq!(there, [11, 0, 0, 0, 22, 0, 0, 0]);
        assert_eq!(Reduction::from_number(0), None);
        assert_eq!(Reduction::from_number(1), Some(all));
    }
}
