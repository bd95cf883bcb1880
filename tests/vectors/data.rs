//! Vectors of instructions: what operations give for certain operands, as files, and kernels that
//! evaluate them.
//!
//! A line of `tests/vectors/*.jsonl` is an operation:
//!
//! ```text
//! {"name": …, "code" or "ptx" where the name is no function, "of": types, "gives": type,
//!  "cases": ["operand … result", …]}
//! ```
//!
//! Numbers are their bits, in hexadecimal. A case that begins with `~` is one that C++ leaves
//! undefined and PTX defines. NaN is the one with all bits set but the sign: kernels give it for
//! each NaN.
//!
//! **Does not**: know what is right; `oracle` does.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

/// The most cases of an operation: the threads of a block.
pub(crate) const MOST: usize = 64;
/// The most operands.
pub(crate) const OPERANDS: usize = 4;

/// The type of an operand or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ty {
    pub(crate) name: &'static str,
    /// As CUDA C++ has it.
    cuda: &'static str,
    /// Of all lanes.
    pub(crate) bits: u32,
    pub(crate) lanes: u32,
    /// Bits of the exponent and of the fraction, of a float.
    pub(crate) float: Option<(u32, u32)>,
    /// The register of inline PTX.
    register: char,
}

const fn integer(name: &'static str, cuda: &'static str, bits: u32, register: char) -> Ty {
    Ty { name, cuda, bits, lanes: 1, float: None, register }
}

const fn float(
    (name, cuda): (&'static str, &'static str),
    bits: u32,
    lanes: u32,
    float: (u32, u32),
    register: char,
) -> Ty {
    Ty { name, cuda, bits, lanes, float: Some(float), register }
}

const TYPES: [Ty; 14] = [
    integer("u16", "unsigned short", 16, 'h'),
    integer("s16", "short", 16, 'h'),
    integer("u32", "unsigned int", 32, 'r'),
    integer("s32", "int", 32, 'r'),
    integer("u64", "unsigned long long", 64, 'l'),
    integer("s64", "long long", 64, 'l'),
    integer("bool", "bool", 1, 'r'),
    float(("f16", "__half"), 16, 1, (5, 10), 'h'),
    float(("bf16", "__nv_bfloat16"), 16, 1, (8, 7), 'h'),
    float(("f16x2", "__half2"), 32, 2, (5, 10), 'r'),
    float(("bf16x2", "__nv_bfloat162"), 32, 2, (8, 7), 'r'),
    float(("f32", "float"), 32, 1, (8, 23), 'f'),
    float(("f64", "double"), 64, 1, (11, 52), 'd'),
    integer("l64", "long", 64, 'l'),
];

impl Ty {
    /// The type of a name.
    pub(crate) fn named(name: &str) -> Ty {
        TYPES.into_iter().find(|it| it.name == name).unwrap_or_else(|| panic!("a type {name}"))
    }

    /// The value whose bits are `expression`, which is of 64.
    fn of_bits(self, expression: &str) -> String {
        match self.bits {
            1 => format!("(({expression}) != 0)"),
            bits => {
                format!("__builtin_bit_cast({}, ({})({expression}))", self.cuda, unsigned(bits))
            }
        }
    }

    /// The bits of `expression`, with one NaN for all.
    fn to_bits(self, expression: &str) -> String {
        let Some((exponent, fraction)) = self.float else {
            let all = if self.bits == 1 { "unsigned int" } else { unsigned(self.bits) };
            return format!("(u64)({all})({expression})");
        };
        let bits = format!("__builtin_bit_cast({}, {expression})", unsigned(self.bits));
        let width = 1 + exponent + fraction;
        let one = |bits: &str| {
            format!(
                "one_nan({bits}, {:#x}ull, {:#x}ull)",
                ((1u64 << exponent) - 1) << fraction,
                u64::MAX >> (65 - width)
            )
        };
        match self.lanes {
            1 => one(&bits),
            _ => format!(
                "({} | {} << 16)",
                one(&format!("({bits} & 0xffff)")),
                one(&format!("({bits} >> 16)"))
            ),
        }
    }
}

fn unsigned(bits: u32) -> &'static str {
    match bits {
        16 => "unsigned short",
        32 => "unsigned int",
        _ => "unsigned long long",
    }
}

/// Operands, and what they give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Case {
    pub(crate) operands: Vec<u64>,
    pub(crate) result: u64,
    /// C++ leaves it undefined.
    pub(crate) open: bool,
}

/// An operation with its cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// An expression in `a`, `b`, `c` and `d`.
    pub(crate) code: Option<String>,
    /// An instruction, whose operands are `%0`, the result, and `%1` and so on.
    pub(crate) ptx: Option<String>,
    pub(crate) of: Vec<Ty>,
    pub(crate) gives: Ty,
    pub(crate) cases: Vec<Case>,
}

impl Row {
    fn read(line: &str) -> Row {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|it| panic!("{it}: {line}"));
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let word =
            |word: &str| u64::from_str_radix(word, 16).unwrap_or_else(|it| panic!("{it}: {word}"));
        let case = |text: &str| {
            let mut words: Vec<u64> = text.trim_start_matches('~').split(' ').map(word).collect();
            let result = words.pop().expect("a result");
            Case { operands: words, result, open: text.starts_with('~') }
        };
        let cases = value["cases"].as_array().expect("cases");
        Row {
            name: text("name").expect("a name"),
            code: text("code"),
            ptx: text("ptx"),
            of: text("of").expect("types").split(' ').map(Ty::named).collect(),
            gives: Ty::named(&text("gives").expect("a type")),
            cases: cases.iter().map(|it| case(it.as_str().expect("a case"))).collect(),
        }
    }

    /// The bits of the result of these operands, which are expressions of 64 bits.
    pub(crate) fn expression(&self, operands: &[String]) -> String {
        let letters = ["a", "b", "c", "d"];
        let mut text = "({ ".to_owned();
        for ((ty, letter), operand) in self.of.iter().zip(letters).zip(operands) {
            let _written = write!(text, "{} {letter} = {}; ", ty.cuda, ty.of_bits(operand));
        }
        match (&self.ptx, &self.code) {
            (Some(ptx), _) => text += &self.assembly(ptx),
            (None, Some(code)) => {
                let _written = write!(text, "{} r = {code}; ", self.gives.cuda);
            }
            (None, None) => {
                let call = letters[..self.of.len()].join(", ");
                let _written = write!(text, "{} r = {}({call}); ", self.gives.cuda, self.name);
            }
        }
        text + &self.gives.to_bits("r") + "; })"
    }

    fn assembly(&self, ptx: &str) -> String {
        // A short float is its bits in a register.
        let short = |ty: Ty| ty.register == 'h' && ty.float.is_some() || ty.lanes > 1;
        let kept = if short(self.gives) { unsigned(self.gives.bits) } else { self.gives.cuda };
        let kept = if self.gives.bits == 1 { "unsigned int" } else { kept };
        let inputs: Vec<String> = self
            .of
            .iter()
            .zip(["a", "b", "c", "d"])
            .map(|(ty, letter)| {
                let value = match short(*ty) {
                    true => format!("__builtin_bit_cast({}, {letter})", unsigned(ty.bits)),
                    false => letter.to_owned(),
                };
                format!("\"{}\"({value})", ty.register)
            })
            .collect();
        let ask = format!(
            "{kept} w; asm(\"{ptx}\" : \"={}\"(w) : {}); ",
            self.gives.register,
            inputs.join(", ")
        );
        let back = if short(self.gives) {
            format!("__builtin_bit_cast({}, w)", self.gives.cuda)
        } else {
            "w".to_owned()
        };
        format!("{ask}{} r = {back}; ", self.gives.cuda)
    }
}

/// A file of operations.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
}

/// All files, in order.
pub(crate) fn files() -> Vec<File> {
    let entries = std::fs::read_dir("tests/vectors").expect("tests/vectors").flatten();
    let mut paths: Vec<_> = entries.map(|it| it.path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "jsonl"));
    paths.sort();
    let read = |path: &Path| File {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        rows: std::fs::read_to_string(path).expect("a file").lines().map(Row::read).collect(),
    };
    paths.iter().map(|it| read(it)).collect()
}

/// What each kernel has before it.
pub(crate) const HEAD: &str = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cmath>\ntypedef unsigned long long u64;\n\
    static __device__ __forceinline__ u64 one_nan(u64 bits, u64 infinity, u64 nan) { return (bits & nan) > infinity ? nan : bits; }\n";

/// What `in` holds, and what must be in `out`. Places without a case are like the row's first.
pub(crate) fn buffers(rows: &[Row]) -> (Vec<u8>, Vec<u8>) {
    let (mut operands, mut results) = (Vec::new(), Vec::new());
    for row in rows {
        for place in 0..MOST {
            let case = row.cases.get(place).unwrap_or(&row.cases[0]);
            for n in 0..OPERANDS {
                operands
                    .extend_from_slice(&case.operands.get(n).copied().unwrap_or(0).to_le_bytes());
            }
            results.extend_from_slice(&case.result.to_le_bytes());
        }
    }
    (operands, results)
}
