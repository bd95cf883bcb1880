//! `printf` of the device: a format and a packed list of arguments (CUDA C++ Programming Guide,
//! "Formatted Output").
//!
//! Arguments lie one after the other, each at a multiple of its size: 4 bytes for `int`, 8 for
//! `long long`, `double` and pointers. A vector of OpenCL (`%v4hlf`) is its elements, one after the
//! other.
//!
//! **Does not**: honour `%n`, or read a string longer than 4 kB.

use crate::bytes::Bytes;

/// The text that a format and its packed arguments give.
///
/// # Safety
/// The arguments that the format names can be read, and its strings as [`text`] asks.
pub(crate) unsafe fn format(format: &str, mut at: usize) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some(start) = rest.find('%') {
        out.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let end =
            rest.find(|c: char| c.is_ascii_alphabetic() && !"hlLqjztv".contains(c) || c == '%');
        let Some(end) = end else { break };
        let (spec, letter) = (&rest[..end], rest.as_bytes()[end]);
        rest = &rest[end + 1..];
        if letter == b'%' {
            out.push('%');
            continue;
        }
        let (spec, lanes) = lanes(spec);
        let spec = spec.replace("hl", "");
        let wide = spec.contains(['l', 'j', 'z', 't']) || b"fFeEgGaAsp".contains(&letter);
        let size = if wide { 8 } else { 4 };
        for lane in 0..lanes {
            at = at.next_multiple_of(size);
            // SAFETY: the caller's promise.
            let bits = unsafe { Bytes::new(at, size) }.load();
            at += size;
            out.push_str(if lane == 0 { "" } else { "," });
            // SAFETY: as above.
            let string = || unsafe { text(bits as usize) };
            out.push_str(&value(&spec, letter, bits, wide, string));
        }
    }
    out + rest
}

/// `.2v4hl` as `.2hl` and 4 (OpenCL C 3.0, 6.15.14.2).
fn lanes(spec: &str) -> (String, usize) {
    let Some((before, after)) = spec.split_once('v') else { return (spec.to_owned(), 1) };
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    let (count, after) = after.split_at(digits);
    (format!("{before}{after}"), count.parse().unwrap_or(1))
}

fn value(spec: &str, letter: u8, bits: u64, wide: bool, string: impl FnOnce() -> String) -> String {
    let spec: String = spec.chars().filter(|c| !c.is_ascii_alphabetic()).collect();
    let (width, precision) = match spec.split_once('.') {
        Some((width, precision)) => (width, precision.parse().ok()),
        None => (spec.as_str(), None),
    };
    let flags = width.trim_start_matches(['-', '0', '+', ' ', '#']);
    let set = &width[..width.len() - flags.len()];
    let body = match letter {
        b'd' | b'i' => {
            let n = if wide { bits as i64 } else { i64::from(bits as u32 as i32) };
            if set.contains('+') { format!("{n:+}") } else { n.to_string() }
        }
        b'u' => bits.to_string(),
        b'x' => format!("{bits:x}"),
        b'X' => format!("{bits:X}"),
        b'o' => format!("{bits:o}"),
        b'c' => char::from(bits as u8).to_string(),
        b'p' => format!("{bits:#x}"),
        b's' => string(),
        b'e' | b'E' => format!("{:.*e}", precision.unwrap_or(6), f64::from_bits(bits)),
        _float => format!("{:.*}", precision.unwrap_or(6), f64::from_bits(bits)),
    };
    let width: usize = flags.parse().unwrap_or(0);
    match (set.contains('-'), set.contains('0')) {
        (true, _) => format!("{body:<width$}"),
        (false, true) => {
            let (sign, digits) = body.strip_prefix('-').map_or(("", body.as_str()), |it| ("-", it));
            format!("{sign}{digits:0>0$}", width.saturating_sub(sign.len()))
        }
        (false, false) => format!("{body:>width$}"),
    }
}

/// A C string by its address; of null, the empty one.
///
/// # Safety
/// Its bytes can be read up to the zero that ends it, or 4096 of them.
pub(crate) unsafe fn text(address: usize) -> String {
    let mut bytes = Vec::new();
    while address != 0 && bytes.len() < 4096 {
        // SAFETY: the caller's promise.
        let byte = unsafe { Bytes::new(address + bytes.len(), 1) }.load() as u8;
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn arguments_are_read_where_the_device_packs_them() {
        let mut packed = [0u8; 32];
        packed[0..4].copy_from_slice(&(-7i32).to_le_bytes());
        packed[8..16].copy_from_slice(&1.5f64.to_le_bytes());
        packed[16..20].copy_from_slice(&42u32.to_le_bytes());
        let at = packed.as_ptr() as usize;
        // SAFETY: the formats name what is packed.
        let text = |of: &str| unsafe { format(of, at) };
        assert_eq!(text("n=%d x=%.2f h=%04x 100%%\n"), "n=-7 x=1.50 h=002a 100%\n");
        assert_eq!(text("%v2hld %.1v1hlf"), "-7,0 1.5");
    }
}
