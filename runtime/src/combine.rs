//! What a bulk reduction computes, element by element (PTX ISA 9.7.9, `cp.reduce.async.bulk`).
//!
//! **Does not**: order anything; each element is atomic, relaxed and for the device, and `copies`
//! records it so.

use half::{bf16, f16};
use heddle_semantics::updated;

use crate::abi::{Combine, Combined};
use crate::bytes::Bytes;

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

    /// The bytes of an element.
    pub(crate) fn bytes(self) -> usize {
        match self.element {
            Combined::F16 | Combined::BF16 => 2,
            Combined::U32 | Combined::S32 | Combined::F32 => 4,
            Combined::U64 | Combined::S64 | Combined::F64 => 8,
        }
    }

    /// Combines bytes with those that are there; what is less than an element at the end is left.
    /// Each element is read and written at once: blocks on other workers may combine theirs with it
    /// at the same time.
    pub(crate) fn apply(self, target: Bytes, source: &[u8]) {
        let size = self.bytes();
        for (new, there) in source.chunks_exact(size).zip(target.chunks(size)) {
            let new = number(new);
            there.update(|old| self.element(old, new));
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
    #[allow(unsafe_code, reason = "a target is an address")]
    fn no_element_is_lost_between_workers() {
        let all = Reduction { op: Combine::Add, element: Combined::U32 };
        let mut there = [0u32; 8];
        let target = there.as_mut_ptr() as usize;
        let source: Vec<u8> = [1u32; 8].iter().flat_map(|it| it.to_le_bytes()).collect();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20_000 {
                        // SAFETY: the array lives until all threads have ended.
                        all.apply(unsafe { Bytes::new(target, 32) }, &source);
                    }
                });
            }
        });
        assert_eq!(there, [80_000; 8]);
    }

    #[test]
    #[allow(unsafe_code, reason = "a target is an address")]
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
        let all = Reduction { op: Combine::Add, element: Combined::U32 };
        // Aligned, and not.
        for start in [0, 1] {
            let mut there = [0u64; 3];
            let bytes = there.as_mut_ptr().cast::<u8>();
            // SAFETY: sixteen bytes from there on are in the array.
            let there = unsafe {
                let at = bytes.add(start);
                std::slice::from_raw_parts_mut(at, 8).copy_from_slice(&[1, 0, 0, 0, 2, 0, 0, 0]);
                all.apply(Bytes::new(at as usize, 8), &[10, 0, 0, 0, 20, 0, 0, 0]);
                std::slice::from_raw_parts(at, 8).to_vec()
            };
            assert_eq!(there, [11, 0, 0, 0, 22, 0, 0, 0], "{start}");
        }
        assert_eq!(Reduction::from_number(0), None);
        assert_eq!(Reduction::from_number(1), Some(all));
    }
}
