//! Numbers as PTX writes them (chapter 4, "Constants").

use super::operand::Operand;

/// Reads a word that starts with a digit, or nothing if it is no number that fits 64 bits.
pub fn parse(text: &str, negative: bool) -> Option<Operand> {
    let float_bits = |digits: &str, width: u8| {
        let whole =
            digits.len() == usize::from(width) / 4 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let bits = whole.then(|| u64::from_str_radix(digits, 16).ok()).flatten()?;
        let sign = if negative { 1 << (width - 1) } else { 0 };
        Some(Operand::Float { bits: bits ^ sign, width })
    };
    if let Some(digits) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F")) {
        return float_bits(digits, 32);
    }
    if let Some(digits) = text.strip_prefix("0d").or_else(|| text.strip_prefix("0D")) {
        return float_bits(digits, 64);
    }
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    if hex.is_none() && text.contains('.') {
        if !text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E')) {
            return None;
        }
        let value: f64 = text.parse().ok()?;
        return Some(Operand::Float {
            bits: if negative { -value } else { value }.to_bits(),
            width: 64,
        });
    }
    let unsigned = |digits: &str, radix: u32| {
        let digits = digits.strip_suffix('U').unwrap_or(digits);
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        plain.then(|| u64::from_str_radix(digits, radix).ok()).flatten()
    };
    let magnitude = if let Some(digits) = hex {
        unsigned(digits, 16)?
    } else if let Some(digits) = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B")) {
        unsigned(digits, 2)?
    } else if text.len() > 1 && text.starts_with('0') && text != "0U" {
        unsigned(&text[1..], 8)?
    } else {
        unsigned(text, 10)?
    };
    let value = i128::from(magnitude);
    Some(Operand::Int(if negative { -value } else { value }))
}
