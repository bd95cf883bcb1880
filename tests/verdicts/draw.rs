//! Random kernels, drawn as text: shared arrays, buffers, loops of all operators, guards, atomics,
//! warp operations.
//!
//! **Promises**: the same seed draws the same kernel; accesses to shared arrays stay inside (by
//! masks), so that runs are defined more often than not. **Does not**: draw idioms;
//! [`super::idioms`] and the corpus have those.

use crate::case::Case;
use crate::corpus::read_case;
use crate::random::Random;
use crate::syntax::Language;

/// A kernel by seed; `None` if it does not lower.
pub(crate) fn drawn(random: &mut Random) -> Option<Case> {
    let mut drawing = Drawing { random, variables: Vec::new(), fresh: 0, loops: 0, warp: false };
    let text = drawing.kernel();
    let case = read_case(&text, Language::Cuda, "drawn").ok()?;
    crate::lower::lower(&case.program).is_ok().then_some(case)
}

struct Drawing<'a> {
    random: &'a mut Random,
    variables: Vec<String>,
    fresh: usize,
    loops: usize,
    /// Inside code that not all lanes run, there are no exchanges among lanes.
    warp: bool,
}

const TYPES: [&str; 8] = [
    "int",
    "int",
    "unsigned",
    "unsigned",
    "short",
    "unsigned char",
    "long long",
    "unsigned long long",
];

impl Drawing<'_> {
    fn pick(&mut self, from: &[&str]) -> String {
        (*self.random.pick(from)).to_owned()
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.random.once_in(times)
    }

    fn kernel(&mut self) -> String {
        let grid = self.pick(&["1", "1", "2", "2", "3", "any"]);
        let block = self.pick(&["64", "64", "64", "32", "96", "33", "any"]);
        let mut launch = format!("grid={grid} block={block}");
        let closed = self.once_in(3);
        if closed {
            launch += &format!(" n={}", self.number());
        } else if self.once_in(4) {
            launch += &format!(" assume=\"n > 0 && n <= {}\"", 1 + self.random.below(100));
        }
        let wide = self.pick(&["int", "unsigned", "short", "unsigned char"]);
        let mut body = String::from("  int t = threadIdx.x;\n");
        self.variables = ["t", "n"].map(str::to_owned).to_vec();
        if self.once_in(2) {
            body += "  unsigned u = threadIdx.x;\n";
            self.variables.push("u".to_owned());
        }
        if self.once_in(2) {
            body += "  int b = blockIdx.x;\n";
            self.variables.push("b".to_owned());
        }
        if self.once_in(2) {
            body += "  int g = blockIdx.x * blockDim.x + threadIdx.x;\n";
            self.variables.push("g".to_owned());
        }
        self.warp = true;
        for _ in 0..2 + self.random.below(4) {
            body += &self.statement(2, 1);
        }
        format!(
            "// launch: {launch}\n__global__ void k(int *out, {wide} *w, const int *in, int n) {{\n  \
             __shared__ int s[64];\n  __shared__ {wide} r[64];\n{body}}}\n"
        )
    }

    fn number(&mut self) -> String {
        self.pick(&[
            "0", "1", "2", "3", "4", "5", "7", "8", "15", "16", "31", "32", "33", "63", "64", "100",
        ])
    }

    /// A number that differs from thread to thread.
    fn id(&mut self) -> String {
        self.pick(&["t", "t", "t", "(int)threadIdx.x", "(t & 31)", "(t / 32)", "(63 - t)"])
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.once_in(3) {
            return match self.random.below(6) {
                0 | 1 => self.number(),
                2 => self.pick(&["(int)blockDim.x", "(int)blockIdx.x", "(int)gridDim.x"]),
                3 => self.id(),
                _ => {
                    let variables = self.variables.clone();
                    self.random.pick(&variables).clone()
                }
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.below(12) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {})", self.number()),
            3 => format!("({a} ^ {b})"),
            4 => format!("({a} & {})", self.number()),
            5 => format!("({a} % {})", 1 + self.random.below(40)),
            6 => format!("({a} / {})", 1 + self.random.below(9)),
            7 => format!("({a} {} {})", self.pick(&["<<", ">>"]), self.random.below(5)),
            8 => format!("(({}){a})", self.pick(&TYPES)),
            9 => format!("({} ? {a} : {b})", self.condition(depth - 1)),
            10 => format!("s[{}]", self.index(depth - 1)),
            _ => format!("in[{}]", self.index(depth - 1)),
        }
    }

    /// Below 64.
    fn index(&mut self, depth: usize) -> String {
        let constant = 1 + self.random.below(40);
        match self.random.below(9) {
            0 | 1 => "(t & 63)".to_owned(),
            2 => format!("((t + {constant}) & 63)"),
            3 => format!("((t ^ {}) & 63)", 1 << self.random.below(6)),
            4 => "(63 - (t & 63))".to_owned(),
            5 => format!("((t * {constant}) & 63)"),
            6 => format!("({} & 63)", self.value(depth)),
            7 => format!("(unsigned)({}) % 64u", self.value(depth)),
            _ => format!("(t / {} & 63)", 1 + self.random.below(4)),
        }
    }

    /// In a buffer: mostly the thread's own.
    fn place(&mut self) -> String {
        match self.random.below(8) {
            0 | 1 => "blockIdx.x * blockDim.x + threadIdx.x".to_owned(),
            2 => "(long long)blockIdx.x * blockDim.x + t".to_owned(),
            3 => format!("blockIdx.x * 64 + {}", self.index(1)),
            4 => format!("t * {}", 1 + self.random.below(4)),
            5 => self.index(2),
            6 => format!("({}) & 1023", self.value(2)),
            _ => "blockIdx.x".to_owned(),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let op = self.pick(&["<", "<", "==", "!=", ">=", ">", "<="]);
        match self.random.below(6) {
            0 if depth > 0 => {
                let mark = self.pick(&["&&", "||"]);
                format!("({} {mark} {})", self.condition(depth - 1), self.condition(depth - 1))
            }
            1 => format!("(n {op} {})", self.number()),
            2 => format!("(blockIdx.x {op} {}u)", self.random.below(3)),
            3 => format!("({} {op} {})", self.value(depth), self.value(depth.min(1))),
            _ => format!("({} {op} {})", self.id(), self.number()),
        }
    }

    fn block(&mut self, depth: usize, indent: usize) -> String {
        let known = self.variables.len();
        let mut out = String::new();
        for _ in 0..1 + self.random.below(3) {
            out += &self.statement(depth, indent + 1);
        }
        self.variables.truncate(known);
        out
    }

    fn statement(&mut self, depth: usize, indent: usize) -> String {
        let pad = "  ".repeat(indent);
        match self.random.below(if depth == 0 { 11 } else { 17 }) {
            0 | 1 => format!("{pad}s[{}] = {};\n", self.index(1), self.value(2)),
            2 => format!("{pad}r[{}] = {};\n", self.index(1), self.value(1)),
            3 => format!("{pad}out[{}] = {};\n", self.place(), self.value(2)),
            4 => format!("{pad}w[{}] = {};\n", self.place(), self.value(1)),
            5 | 6 => format!("{pad}__syncthreads();\n"),
            7 => {
                self.fresh += 1;
                let (name, ty) = (format!("v{}", self.fresh), self.pick(&TYPES));
                let text = format!("{pad}{ty} {name} = {};\n", self.value(2));
                self.variables.push(name);
                text
            }
            8 => self.atomic(&pad),
            9 => match self.random.below(3) {
                0 => format!("{pad}s[{}] += {};\n", self.index(0), self.value(1)),
                1 => format!(
                    "{pad}((unsigned char *)s)[{} * 3] = {};\n",
                    self.index(1),
                    self.value(1)
                ),
                _ => format!("{pad}((short *)s)[{} + 3] = {};\n", self.index(1), self.value(1)),
            },
            10 if self.loops > 0 => {
                let out = self.pick(&["break", "continue", "return"]);
                format!("{pad}if {} {out};\n", self.condition(1))
            }
            10 if self.warp => self.lanes(&pad),
            10 => format!("{pad}if {} return;\n", self.condition(1)),
            11 | 12 => {
                let warp = std::mem::replace(&mut self.warp, false);
                let then = self.block(depth - 1, indent);
                let mut text = format!("{pad}if {} {{\n{then}{pad}}}", self.condition(1));
                if self.once_in(3) {
                    text += &format!(" else {{\n{}{pad}}}", self.block(depth - 1, indent));
                }
                self.warp = warp;
                text + "\n"
            }
            13 => {
                let of = self.value(1);
                let warp = std::mem::replace(&mut self.warp, false);
                let (a, b) = (self.block(depth - 1, indent + 1), self.block(depth - 1, indent + 1));
                self.warp = warp;
                let fall = self.pick(&["break;", "break;", ""]);
                format!(
                    "{pad}switch (({of}) & 3) {{\n{pad}  case 0:\n{a}{pad}    {fall}\n{pad}  case {}:\n{b}{pad}    break;\n{pad}}}\n",
                    1 + self.random.below(3)
                )
            }
            _ => self.cycle(&pad, depth, indent),
        }
    }

    fn cycle(&mut self, pad: &str, depth: usize, indent: usize) -> String {
        self.fresh += 1;
        let (i, ty) = (format!("i{}", self.fresh), self.pick(&TYPES));
        let k = 1 + self.random.below(9);
        let head = match self.random.below(14) {
            0 => format!("{ty} {i} = 0; {i} < {k}; {i}++"),
            1 => format!("{ty} {i} = t; {i} < n; {i} += blockDim.x"),
            2 => format!("{ty} {i} = t; {i} < {}; {i} += (int)(blockDim.x * gridDim.x)", 64 * k),
            3 => format!("int {i} = {}; {i} > 0; {i} /= 2", 1 << k),
            4 => format!("int {i} = -{}; {i} < 0; {i} /= 2", 1 << k),
            5 => format!("{ty} {i} = 1; {i} < {}; {i} *= 2", 1 << (k % 7)),
            6 => format!("{ty} {i} = {}; {i} >= 1; {i} >>= 1", 1 << (k % 7)),
            7 => format!("int {i} = t; {i} >= 0; {i} -= {}", 16 * k),
            8 => format!("int {i} = {}; {i} != 0; {i} ^= {}", 1 << (k % 4), 1 << (k % 4)),
            9 => format!("int {i} = t; {i} > {}; {i} %= {k}", 60 + k),
            10 => format!("unsigned {i} = blockDim.x / 2; {i} > 0; {i} >>= 1"),
            11 => format!("{ty} {i} = {}; {i} < {}; {i} += {k}", self.value(0), 8 * k),
            12 => format!("int {i} = n; {i} < {}; {i}++", self.number()),
            _ => format!("int {i} = {}; {i} < {}; {i} <<= 1", 1 + k % 3, 1 << (k % 7)),
        };
        self.variables.push(i);
        self.loops += 1;
        let warp = std::mem::replace(&mut self.warp, false);
        let body = self.block(depth - 1, indent);
        self.warp = warp;
        self.loops -= 1;
        self.variables.pop();
        format!("{pad}for ({head}) {{\n{body}{pad}}}\n")
    }

    fn atomic(&mut self, pad: &str) -> String {
        let name = self.pick(&[
            "atomicAdd",
            "atomicMax",
            "atomicOr",
            "atomicExch",
            "atomicXor",
            "atomicMin",
        ]);
        let scope = self.pick(&["", "", "_block", "_system"]);
        let target = match self.random.below(3) {
            0 => format!("&s[{}]", self.index(1)),
            1 => format!("&out[{}]", self.place()),
            _ => "&out[0]".to_owned(),
        };
        if self.once_in(3) {
            self.fresh += 1;
            let v = format!("v{}", self.fresh);
            self.variables.push(v.clone());
            return format!("{pad}int {v} = {name}{scope}({target}, {});\n", self.value(1));
        }
        format!("{pad}{name}{scope}({target}, {});\n", self.value(1))
    }

    fn lanes(&mut self, pad: &str) -> String {
        self.fresh += 1;
        let v = format!("v{}", self.fresh);
        let text = match self.random.below(5) {
            0 => return format!("{pad}__syncwarp();\n"),
            1 => format!(
                "__shfl_xor_sync(0xffffffffu, {}, {})",
                self.value(1),
                1 << self.random.below(5)
            ),
            2 => format!(
                "__shfl_down_sync(0xffffffffu, {}, {})",
                self.value(1),
                self.random.below(9)
            ),
            3 => format!("__any_sync(0xffffffffu, {})", self.condition(0)),
            _ => format!("__ballot_sync(0xffffffffu, {})", self.condition(0)),
        };
        self.variables.push(v.clone());
        format!("{pad}int {v} = {text};\n")
    }
}
