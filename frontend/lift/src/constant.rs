//! Constants, and constant expressions through the same code as instructions.

use super::Lifter;
use super::value::{Val, elements, scalar_width};
use heddle_llvm::{TypeKind, Value, ValueKind};

impl<'m> Lifter<'m> {
    /// A constant of any kind.
    pub(super) fn constant(&mut self, value: Value<'m>) -> Val {
        let ty = value.ty();
        match value.kind() {
            ValueKind::ConstInt => match (value.const_int(), scalar_width(ty)) {
                (Some(bits), Some(width)) => Val::Scalar(self.out.exprs().constant(bits, width)),
                _ => Val::Nothing,
            },
            ValueKind::ConstFloat => match (float_bits(value), scalar_width(ty)) {
                (Some(bits), Some(width)) => Val::Scalar(self.out.exprs().constant(bits, width)),
                // Some value, the same each time: named by its text.
                (None, Some(width)) => {
                    Val::Scalar(self.out.exprs().pure(&value.text(), &[], width))
                }
                (_, None) => Val::Nothing,
            },
            ValueKind::Null => match ty.kind() {
                TypeKind::Pointer(space) => Val::Pointer(self.null(space)),
                TypeKind::Event => Val::Scalar(self.out.exprs().constant(0, 64)),
                _ => Val::Nothing,
            },
            ValueKind::Undef | ValueKind::Poison => self.undef_of(ty),
            ValueKind::ZeroAggregate | ValueKind::ConstAggregate => {
                let Some(types) = elements(ty) else { return Val::Nothing };
                let parts =
                    types.into_iter().enumerate().map(|(n, t)| match value.element(n as u32) {
                        Some(element) => self.constant(element),
                        None => self.undef_of(t),
                    });
                Val::Aggregate(parts.collect())
            }
            ValueKind::Global => match value.as_global() {
                Some(global) => self.global_pointer(global),
                None => Val::Nothing,
            },
            ValueKind::Alias => match value.operand(0) {
                Some(named) => self.constant(named),
                None => Val::Nothing,
            },
            ValueKind::ConstExpr => {
                let folded = value.const_opcode().and_then(|opcode| self.computed(value, opcode));
                folded.unwrap_or_else(|| self.undef_of(ty))
            }
            ValueKind::Function | ValueKind::Block | ValueKind::Other => match ty.kind() {
                TypeKind::Pointer(space) => {
                    let number = self.out.exprs().function_address(&value.name());
                    Val::Pointer(self.pointer_from_number(number, space))
                }
                _ => Val::Nothing,
            },
            ValueKind::Instruction
            | ValueKind::Argument
            | ValueKind::InlineAsm
            | ValueKind::Metadata => Val::Nothing,
        }
    }
}

/// The bits of a float constant that a double holds exactly.
pub(super) fn float_bits(value: Value<'_>) -> Option<u128> {
    let exact = value.const_float()?;
    match value.ty().kind() {
        TypeKind::Float(64) => Some(u128::from(exact.to_bits())),
        TypeKind::Float(32) => Some(u128::from((exact as f32).to_bits())),
        TypeKind::Float(16) => narrow_bits(exact, 5, 10),
        TypeKind::BFloat => narrow_bits(exact, 8, 7),
        _ => None,
    }
}

/// The bits of a float of so many exponent and fraction bits that equals `value`.
fn narrow_bits(value: f64, exponent_bits: u32, fraction_bits: u32) -> Option<u128> {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63) << (exponent_bits + fraction_bits);
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let fraction = bits & ((1 << 52) - 1);
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let all_ones = (1u128 << exponent_bits) - 1;
    if exponent == 0x7ff {
        let kept = u128::from(fraction >> (52 - fraction_bits));
        return Some(sign | (all_ones << fraction_bits) | kept);
    }
    if value == 0.0 {
        return Some(sign);
    }
    let unbiased = exponent - 1023;
    let (field, kept) = if unbiased > -bias {
        (u128::try_from(unbiased + bias).ok()?, fraction >> (52 - fraction_bits))
    } else {
        // Subnormal: the leading one moves into the fraction.
        let shift = u32::try_from(1 - bias - unbiased).ok()?;
        let full = fraction | (1 << 52);
        (0, full.checked_shr(52 - fraction_bits + shift)?)
    };
    (field < all_ones).then_some(sign | (field << fraction_bits) | u128::from(kept))
}

#[cfg(test)]
mod tests {
    use super::narrow_bits;

    #[test]
    fn halves_keep_their_bits() {
        assert_eq!(narrow_bits(1.0, 5, 10), Some(0x3c00));
        assert_eq!(narrow_bits(-2.5, 5, 10), Some(0xc100));
        assert_eq!(narrow_bits(65504.0, 5, 10), Some(0x7bff));
        assert_eq!(narrow_bits(2f64.powi(-24), 5, 10), Some(0x0001));
        assert_eq!(narrow_bits(2f64.powi(-14), 5, 10), Some(0x0400));
        assert_eq!(narrow_bits(f64::INFINITY, 5, 10), Some(0x7c00));
        assert_eq!(narrow_bits(1.0, 8, 7), Some(0x3f80));
    }
}
