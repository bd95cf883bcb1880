//! What a buffer holds before a run: its notation, `.npy` and raw files, and values from a seed.
//!
//! `f32[1000]:random(1)`, `i32[64]`, `u8[4096]:value(255)`, `f64[10]:range`, `file:x.npy`,
//! `f32:file:x.bin`. Random integers are small (below 1024) so that sums of them and indices made
//! of them make sense; floats are in 0..1.

use std::path::PathBuf;
use std::str::FromStr;

use heddle_execute::jit::ParameterKind;
use heddle_runtime::schedule::Random;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    float: bool,
    signed: bool,
    bytes: usize,
}

/// What a buffer starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Zeros.
    Zeros,
    /// Each element the same number, as written.
    Value(String),
    /// The element's index.
    Range,
    /// From a seed.
    Random(u64),
    /// The bytes of a file.
    File(PathBuf),
}

/// A buffer behind a pointer parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The parameter.
    pub name: String,
    /// Its type.
    pub element: Element,
    /// Elements.
    pub count: usize,
    /// What is in it.
    pub content: Content,
    /// The bytes of its file, once read.
    data: Vec<u8>,
}

impl Element {
    /// Bytes.
    pub fn bytes(self) -> usize {
        self.bytes
    }

    fn parse(text: &str) -> Option<Element> {
        let (float, signed) = match text.get(..1)? {
            "f" => (true, true),
            "i" => (false, true),
            "u" => (false, false),
            _ => return None,
        };
        let bytes = match (text.get(1..)?, float) {
            ("8", false) => 1,
            ("16", false) => 2,
            ("32", _) => 4,
            ("64", _) => 8,
            _ => return None,
        };
        Some(Element { float, signed, bytes })
    }

    /// A number of this type, as text: its value as a float and as an integer.
    fn number(self, text: &str) -> Result<(f64, i128), String> {
        if self.float {
            let value: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
            let limit = if self.bytes == 4 { f64::from(f32::MAX) } else { f64::MAX };
            let said = text.to_ascii_lowercase().contains("inf");
            if !said && value.abs() > limit {
                return Err(format!("`{text}` is beyond the range of f{}", self.bytes * 8));
            }
            return Ok((value, value as i128));
        }
        let value = integer(text)?;
        let bits = self.bytes as u32 * 8;
        let (least, most) = match self.signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        };
        match (least..=most).contains(&value) {
            true => Ok((value as f64, value)),
            false => Err(format!("`{text}` is beyond {least}..{most}")),
        }
    }

    fn encode(self, value: f64, integer: i128) -> Vec<u8> {
        match (self.float, self.bytes) {
            (true, 4) => (value as f32).to_le_bytes().to_vec(),
            (true, _) => value.to_le_bytes().to_vec(),
            (false, bytes) => integer.to_le_bytes()[..bytes].to_vec(),
        }
    }
}

const FORM: &str = "write `name=f32[1000]:random(1)` with f32, f64, i8 to i64 or u8 to u64, and zeros, value(3), range, \
                    random(SEED), or `name=file:x.npy`, `name=f32:file:x.bin`";

impl FromStr for Buffer {
    type Err = String;

    fn from_str(text: &str) -> Result<Buffer, String> {
        let (name, rest) = text.split_once('=').ok_or(FORM)?;
        let mut buffer = Buffer::unnamed(rest)?;
        buffer.name = name.trim().to_owned();
        Ok(buffer)
    }
}

impl Buffer {
    /// The same content under a name.
    #[must_use]
    pub fn named(self, name: &str) -> Buffer {
        Buffer { name: name.to_owned(), ..self }
    }

    /// What stands after the name.
    ///
    /// # Errors
    /// It is not in the notation.
    pub fn unnamed(text: &str) -> Result<Buffer, String> {
        let made = |element, count, content| Buffer {
            name: String::new(),
            element,
            count,
            content,
            data: Vec::new(),
        };
        let i32 = Element { float: false, signed: true, bytes: 4 };
        if let Some(path) = text.strip_prefix("file:") {
            return Ok(made(i32, 0, Content::File(path.into())));
        }
        if let Some((ty, path)) = text.split_once(":file:") {
            return Ok(made(Element::parse(ty).ok_or(FORM)?, 0, Content::File(path.into())));
        }
        let (shape, content) = text.split_once(':').unwrap_or((text, "zeros"));
        let (ty, count) = shape.strip_suffix(']').and_then(|it| it.split_once('[')).ok_or(FORM)?;
        let element = Element::parse(ty.trim()).ok_or(FORM)?;
        let count: usize = count.trim().parse().map_err(|_| FORM)?;
        let inside = |word: &str| content.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')');
        let content = match content.trim() {
            "zeros" => Content::Zeros,
            "ones" => Content::Value("1".to_owned()),
            "range" => Content::Range,
            _ => match (inside("random"), inside("value")) {
                (Some(seed), _) => Content::Random(seed.parse().map_err(|_| FORM)?),
                (_, Some(value)) => {
                    element.number(value)?;
                    Content::Value(value.to_owned())
                }
                (None, None) => return Err(FORM.to_owned()),
            },
        };
        if count.checked_mul(element.bytes).is_none_or(|bytes| bytes > 1 << 36) {
            return Err(format!("`{text}` is larger than 64 GiB"));
        }
        Ok(made(element, count, content))
    }

    /// Reads the file, where there is one.
    ///
    /// # Errors
    /// It cannot be read, or is not what its name says.
    pub(super) fn settle(&mut self) -> Result<(), String> {
        let Content::File(path) = &self.content else { return Ok(()) };
        let shown = path.display().to_string();
        let bytes = heddle_diagnostics::source::read_regular(path)
            .map_err(|error| format!("the buffer file `{shown}` cannot be read: {error}"))?;
        let named = path.extension().is_some_and(|it| it == "npy");
        if named || bytes.starts_with(NPY) {
            let (element, count, start) = npy_header(&bytes)
                .ok_or_else(|| format!("`{shown}` is not a plain NumPy array"))?;
            let (has, needs) = (bytes.len() - start, count.saturating_mul(element.bytes));
            if has != needs {
                return Err(format!(
                    "`{shown}` is not whole: its header says {needs} bytes of elements, and it has {has}"
                ));
            }
            self.element = element;
            self.data = bytes[start..].to_vec();
        } else {
            self.data = bytes;
        }
        let size = self.element.bytes;
        if !self.data.len().is_multiple_of(size) {
            let len = self.data.len();
            return Err(format!("`{shown}` has {len} bytes, no multiple of an element's {size}"));
        }
        self.count = self.data.len() / size;
        Ok(())
    }

    /// Bytes of it.
    pub fn bytes(&self) -> usize {
        self.count * self.element.bytes
    }

    /// Fills memory with what it holds.
    pub(super) fn write_to(&self, bytes: &mut [u8]) {
        let size = self.element.bytes;
        let fill = |bytes: &mut [u8], of: &mut dyn FnMut(usize) -> (f64, i128)| {
            for (n, place) in bytes.chunks_exact_mut(size).enumerate() {
                let (value, integer) = of(n);
                place.copy_from_slice(&self.element.encode(value, integer));
            }
        };
        match &self.content {
            Content::Zeros => {}
            Content::Value(text) => {
                // The number was looked at when it was read.
                let value = self.element.number(text).unwrap_or((0.0, 0));
                fill(bytes, &mut |_| value);
            }
            Content::Range => fill(bytes, &mut |n| (n as f64, n as i128)),
            Content::Random(seed) => {
                let mut random = Random::new(*seed);
                fill(bytes, &mut |_| {
                    let bits = random.next_bits();
                    ((bits >> 11) as f64 / (1u64 << 53) as f64, i128::from(bits >> 54))
                });
            }
            Content::File(_) => {
                let len = self.data.len().min(bytes.len());
                bytes[..len].copy_from_slice(&self.data[..len]);
            }
        }
    }
}

/// A scalar argument's bytes.
pub(super) fn scalar(text: &str, kind: ParameterKind, bytes: usize) -> Result<Vec<u8>, String> {
    match kind {
        ParameterKind::Float => {
            let element = Element { float: true, signed: true, bytes };
            let (value, integer) = element.number(text)?;
            Ok(element.encode(value, integer))
        }
        ParameterKind::Bytes => {
            let digits = text.strip_prefix("hex:").ok_or_else(|| {
                format!("a structure is given as `hex:` and its {bytes} bytes, two digits each")
            })?;
            let pairs = digits
                .as_bytes()
                .chunks(2)
                .map(|it| u8::from_str_radix(&String::from_utf8_lossy(it), 16));
            let value: Vec<u8> = pairs
                .collect::<Result<_, _>>()
                .map_err(|_| "these are no hexadecimal digits".to_owned())?;
            match digits.len() == 2 * bytes {
                true => Ok(value),
                false => Err(format!(
                    "the structure has {bytes} bytes, and these are {} digits",
                    digits.len()
                )),
            }
        }
        ParameterKind::Int | ParameterKind::Pointer | ParameterKind::SharedPointer => {
            let value = integer(text)?;
            let bits = bytes.clamp(1, 15) as u32 * 8;
            // Nothing says whether a parameter has a sign.
            let (least, most) = (-(1_i128 << (bits - 1)), (1_i128 << bits) - 1);
            if !(least..=most).contains(&value) {
                return Err(format!("this is beyond the parameter's range, {least} to {most}"));
            }
            Ok(value.to_le_bytes()[..bytes.min(16)].to_vec())
        }
    }
}

/// `12`, `-12`, `0xc`.
fn integer(text: &str) -> Result<i128, String> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |it| (true, it));
    let value = match digits.strip_prefix("0x") {
        _ if digits.contains(['-', '+']) => None,
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    };
    let value = value.ok_or_else(|| "this is no integer".to_owned())?;
    Ok(if negative { -value } else { value })
}

/// What NumPy's format 1 starts with (numpy.lib.format).
const NPY: &[u8] = b"\x93NUMPY";

/// The elements' type, how many there are, and where they start.
fn npy_header(bytes: &[u8]) -> Option<(Element, usize, usize)> {
    let wide = *bytes.get(6)? >= 2;
    let (start, len) = match wide {
        false => (10, usize::from(u16::from_le_bytes([*bytes.get(8)?, *bytes.get(9)?]))),
        true => (12, u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize),
    };
    let header = String::from_utf8_lossy(bytes.get(start..start + len)?).into_owned();
    let order = header.contains("'fortran_order': False");
    let kind = header.split("'descr':").nth(1)?.split('\'').nth(1)?;
    let kind = kind.trim_start_matches(['<', '|', '=']);
    let digits: u32 = kind.get(1..)?.parse().ok()?;
    let element = Element::parse(&format!("{}{}", kind.get(..1)?, digits * 8))?;
    let shape = header.split("'shape':").nth(1)?.split_once('(')?.1.split_once(')')?.0;
    let sizes = shape.split(',').map(str::trim).filter(|it| !it.is_empty());
    let mut count = 1_usize;
    for size in sizes {
        count = count.checked_mul(size.parse().ok()?)?;
    }
    order.then_some((element, count, start + len))
}

/// A one-dimensional array in NumPy's format 1.
pub(super) fn to_npy(element: Element, bytes: &[u8]) -> Vec<u8> {
    let Element { float, signed, bytes: size } = element;
    let kind = if float {
        'f'
    } else if signed {
        'i'
    } else {
        'u'
    };
    let mark = if size == 1 { '|' } else { '<' };
    let mut header = format!(
        "{{'descr': '{mark}{kind}{size}', 'fortran_order': False, 'shape': ({},), }}",
        bytes.len() / size
    );
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = NPY.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(bytes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_read_as_documented() {
        let buffer: Buffer = "x=f32[1000]:random(1)".parse().expect("documented");
        assert_eq!(
            (buffer.name.as_str(), buffer.bytes(), &buffer.content),
            ("x", 4000, &Content::Random(1))
        );
        assert_eq!("y=u8[3]".parse::<Buffer>().expect("documented").content, Content::Zeros);
        for text in [
            "x",
            "x=f32",
            "x=q8[3]",
            "x=f16[3]",
            "x=i32[3]:odd",
            "x=i64[99999999999999]",
            "x=i32[-1]",
            "x=i32[4]:value(x)",
            "x=i32[4]:value(1.5)",
            "x=u8[4]:value(256)",
            "x=i8[4]:value(-129)",
            "x=f32[4]:value(1e300)",
        ] {
            assert!(text.parse::<Buffer>().is_err(), "{text}");
        }
    }

    #[test]
    fn numpy_files_are_read_back() {
        let element = Element::parse("i16").expect("known");
        let file = to_npy(element, &[1, 0, 2, 0]);
        let (read, count, start) = npy_header(&file).expect("our own");
        assert_eq!((read, count, start % 64), (element, 2, 0));
        assert_eq!(file[start..], [1, 0, 2, 0]);
    }
}
