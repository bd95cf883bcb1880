//! What memory holds in a replay where the model does not say.
//!
//! **Promises**: the same bytes at the same place each time. **Does not**: know the kernel.

/// Bytes of 32-bit numbers below 256 that look like nothing in particular.
pub(super) fn varied(offset: u64) -> Option<u8> {
    let word = offset / 4;
    let mixed = word.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    Some(if offset.is_multiple_of(4) { mixed as u8 } else { 0 })
}

/// Bytes of floating-point numbers between one and two that differ from place to place: small
/// integers are denormal numbers, whose products are all zero, so that stores of results would
/// agree.
pub(super) fn fraction(offset: u64) -> Option<u8> {
    let mixed = (offset / 4).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Some(match offset % 4 {
        3 => 0x3f,
        2 => 0x80 | (mixed >> 57) as u8,
        byte => (mixed >> (40 + 8 * byte)) as u8,
    })
}

/// The first 11 bits after the point of [`fraction`]'s numbers. The product of two is exact at 32
/// bits, so that it is no matter whether a compiler fuses it with a sum.
pub(super) fn short_fraction(offset: u64) -> Option<u8> {
    fraction(offset).map(|byte| match offset % 4 {
        0 => 0,
        1 => byte & 0xf0,
        _ => byte,
    })
}

/// Bytes of 32-bit numbers from -2 to 3, which differ in sign, in their lowest bits and in whether
/// they are zero.
pub(super) fn few(offset: u64) -> Option<u8> {
    let mixed = (offset / 4).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let number = (mixed % 6) as i32 - 2;
    Some(number.to_le_bytes()[(offset % 4) as usize])
}

/// Bytes of floating-point numbers like [`fraction`]'s, some of which are below zero.
pub(super) fn signed_fraction(offset: u64) -> Option<u8> {
    let mixed = (offset / 4).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let sign = ((mixed >> 39) as u8 & 1) << 7;
    fraction(offset).map(|byte| if offset % 4 == 3 { byte | sign } else { byte })
}

/// Bytes of numbers of a size that each are the number of their place.
pub(super) fn ramp(offset: u64, size: u64) -> u8 {
    let shift = 8 * (offset % size).min(7);
    ((offset / size) >> shift) as u8
}
