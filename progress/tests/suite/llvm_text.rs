//! An operational reader for the LLVM IR text of small kernels: what `opt` prints, as block
//! programs, one for given block ids.
//!
//! Covers what integer code with atomics over one array becomes under `-O3`. Anything else panics
//! with the line, so that a test never passes because something was skipped.

use std::collections::BTreeMap;

use heddle_progress::blocks::{
    Action, Address, BlockProgram, Code, CodeBuilder, Expr, Label, Location, Operator, Register,
};

/// A function of a module: its parameter, and its basic blocks in order.
pub(crate) struct Function<'a> {
    parameter: &'a str,
    blocks: Vec<Block<'a>>,
}

struct Block<'a> {
    label: &'a str,
    lines: Vec<Vec<&'a str>>,
}

/// The kernels of a module by name.
pub(crate) fn functions(module: &str) -> BTreeMap<&str, Function<'_>> {
    let mut functions = BTreeMap::new();
    let mut lines = module.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("define ") {
            continue;
        }
        let name = between(line, '@', '(');
        let arguments = between(line, '(', '{');
        let parameter = arguments.split_whitespace().find(|word| word.starts_with('%'));
        let parameter = parameter.expect("a parameter").trim_end_matches([')', ',']);
        let mut blocks: Vec<Block<'_>> = Vec::new();
        let mut joined: Option<Vec<&str>> = None;
        for line in lines.by_ref() {
            let code = line.split(';').next().unwrap_or_default().trim_end();
            if code == "}" {
                break;
            }
            if code.is_empty() {
                continue;
            }
            if let Some(label) = code.strip_suffix(':').filter(|_| !code.starts_with(' ')) {
                blocks.push(Block { label, lines: Vec::new() });
                continue;
            }
            let mut words = joined.take().unwrap_or_default();
            words.extend(tokens(code));
            // A switch goes on to its closing bracket.
            if words[0] == "switch" && !words.contains(&"]") {
                joined = Some(words);
                continue;
            }
            if blocks.is_empty() {
                blocks.push(Block { label: "", lines: Vec::new() });
            }
            blocks.last_mut().expect("a block").lines.push(words);
        }
        functions.insert(name, Function { parameter, blocks });
    }
    functions
}

fn between(text: &str, open: char, close: char) -> &str {
    let start = text.find(open).expect("an opening sign") + 1;
    let end = text[start..].find(close).map_or(text.len(), |at| at + start);
    &text[start..end]
}

/// Flags that restrict values and do not change them.
const FLAGS: [&str; 12] = [
    "nuw", "nsw", "nneg", "disjoint", "samesign", "inbounds", "exact", "tail", "noundef",
    "inrange", "volatile", "notail",
];

fn tokens(code: &str) -> Vec<&str> {
    let words = code.split([' ', ',']).flat_map(|word| {
        // Brackets are words of their own.
        let cut = |word: &'static str| word;
        match word {
            w if w.starts_with('[') && w.len() > 1 => vec![cut("["), &w[1..]],
            w if w.ends_with(']') && w.len() > 1 => vec![&w[..w.len() - 1], cut("]")],
            w => vec![w],
        }
    });
    words.filter(|word| !word.is_empty() && !FLAGS.contains(word)).collect()
}

/// The kernel for blocks with these ids, over `words` words of memory.
pub(crate) fn block_program(function: &Function<'_>, ids: &[u32], words: usize) -> BlockProgram {
    let location = |word| Location { name: format!("memory[{word}]"), initial: 0 };
    let blocks = ids.iter().map(|id| Reader::new(function, *id, words).code()).collect();
    let locations = (0..words).map(location).collect();
    BlockProgram { name: "kernel".to_owned(), locations, blocks }
}

struct Reader<'a> {
    function: &'a Function<'a>,
    id: u32,
    words: usize,
    builder: CodeBuilder,
    registers: BTreeMap<&'a str, Register>,
    labels: BTreeMap<&'a str, Label>,
}

impl<'a> Reader<'a> {
    fn new(function: &'a Function<'a>, id: u32, words: usize) -> Self {
        let mut builder = CodeBuilder::new();
        let labels = function.blocks.iter().map(|block| (block.label, builder.label())).collect();
        Self { function, id, words, builder, registers: BTreeMap::new(), labels }
    }

    fn code(mut self) -> Code {
        for block in &self.function.blocks {
            let label = self.labels[block.label];
            self.builder.place(label);
            for line in &block.lines {
                self.line(block, line);
            }
        }
        self.builder.finish()
    }

    fn register(&mut self, name: &'a str) -> Register {
        let builder = &mut self.builder;
        *self.registers.entry(name).or_insert_with(|| builder.register())
    }

    fn value(&mut self, word: &'a str) -> Expr {
        match word {
            "true" => 1.into(),
            // A poison value may be any value.
            "false" | "null" | "poison" | "undef" => 0.into(),
            name if name == self.function.parameter => 0.into(),
            name if name.starts_with('%') => self.register(name).into(),
            number => {
                let number: i64 = number.parse().unwrap_or_else(|_| panic!("operand `{number}`"));
                (number as u64).into()
            }
        }
    }

    fn line(&mut self, block: &'a Block<'a>, words: &'a [&'a str]) {
        match words {
            [result, "=", rest @ ..] if result.starts_with('%') => self.definition(result, rest),
            ["store", "atomic", _, value, rest @ ..] => {
                let (address, _) = self.address(rest);
                let value = self.value(value);
                self.builder.atomic_only(address, Action::Store(value));
            }
            ["br", "label", target, ..] => self.jump(block, target),
            ["br", "i1", condition, "label", yes, "label", no, ..] => {
                let condition = self.value(condition);
                self.choose(block, condition, yes, no);
            }
            ["switch", bits, value, "label", default, "[", cases @ ..] => {
                let bits = width(bits);
                let value = self.value(value);
                for case in cases.chunks(4).filter(|case| case.len() == 4) {
                    let (number, target) = (self.value(case[1]), case[3]);
                    let equal = Expr::wide(Operator::Equal, bits, value.clone(), number);
                    let (hit, miss) = (self.builder.label(), self.builder.label());
                    self.builder.branch(equal, hit, miss);
                    self.builder.place(hit);
                    self.jump(block, target);
                    self.builder.place(miss);
                }
                self.jump(block, default);
            }
            ["ret", "void", ..] => self.builder.exit(),
            // Undefined behaviour: nothing reaches it. A local loop would be reported.
            ["unreachable"] => {
                let here = self.builder.here();
                self.builder.jump(here);
            }
            // Facts for the optimiser.
            ["call", "void", callee, ..] if callee.starts_with("@llvm.assume(") => {}
            _ => panic!("not modelled: {}", words.join(" ")),
        }
    }

    /// The address after `ptr addrspace(1)`, and the words after it.
    fn address(&mut self, words: &'a [&'a str]) -> (Address, &'a [&'a str]) {
        let ["ptr", "addrspace(1)", pointer, rest @ ..] = words else {
            panic!("not a global pointer: {}", words.join(" "));
        };
        let bytes = self.value(pointer);
        let index = Expr::wide(Operator::UnsignedDiv, 64, bytes, 4);
        (Address { base: 0, count: self.words, index }, rest)
    }

    fn definition(&mut self, result: &'a str, words: &'a [&'a str]) {
        let to = self.register(result);
        let value = match words {
            ["phi", ..] => return,
            ["load", "atomic", "i32", rest @ ..] => {
                let (address, _) = self.address(rest);
                return self.builder.atomic_into(to, address, Action::Load);
            }
            ["atomicrmw", operation, rest @ ..] => {
                let (address, rest) = self.address(rest);
                let ["i32", value, ..] = rest else { panic!("not 32 bits: {}", words.join(" ")) };
                let operand = self.value(value);
                let update =
                    |operator| Action::Update { operator, bits: 32, operand: operand.clone() };
                let action = match *operation {
                    "xchg" => Action::Exchange(operand.clone()),
                    "add" => update(Operator::Add),
                    "and" => update(Operator::And),
                    "or" => update(Operator::Or),
                    "xor" => update(Operator::Xor),
                    other => panic!("not modelled: atomicrmw {other}"),
                };
                return self.builder.atomic_into(to, address, action);
            }
            ["call", rest @ ..] => {
                let id = ["ctaid.x()", "workgroup.id.x()", "_Z12get_group_idj(i32"];
                let known = rest.iter().any(|word| id.iter().any(|name| word.contains(name)));
                assert!(known, "not modelled: {}", words.join(" "));
                u64::from(self.id).into()
            }
            ["getelementptr", element, "ptr", "addrspace(1)", pointer, index, offset, ..] => {
                let size = u64::from(width(element)) / 8;
                let (pointer, offset) = (self.value(pointer), self.value(offset));
                let offset = signed_to_64(offset, width(index));
                let scaled = Expr::wide(Operator::Mul, 64, offset, size);
                Expr::wide(Operator::Add, 64, pointer, scaled)
            }
            ["icmp", predicate, operand, rest @ ..] => {
                let (bits, rest) = match (*operand, rest) {
                    ("ptr", ["addrspace(1)", rest @ ..]) => (64, rest),
                    (operand, rest) => (width(operand), rest),
                };
                let (left, right) = (self.value(rest[0]), self.value(rest[1]));
                comparison(predicate, bits, left, right)
            }
            ["select", "i1", condition, rest @ ..] => {
                let rest: Vec<&'a str> =
                    rest.iter().copied().filter(|word| *word != "addrspace(1)").collect();
                let parts = [condition, rest[1], rest[3]];
                Expr::Select(Box::new(parts.map(|part| self.value(part))))
            }
            ["zext" | "trunc", from, value, "to", to, ..] => {
                let bits = width(from).min(width(to));
                let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
                Expr::wide(Operator::And, 64, self.value(value), mask)
            }
            ["sext", from, value, "to", to, ..] => {
                let value = signed_to_64(self.value(value), width(from));
                Expr::wide(Operator::And, width(to), value, u64::MAX)
            }
            ["freeze", _, value, ..] => self.value(value),
            [operation, bits, left, right, ..] => {
                let operator = binary(operation);
                Expr::wide(operator, width(bits), self.value(left), self.value(right))
            }
            _ => panic!("not modelled: {}", words.join(" ")),
        };
        self.builder.assign(vec![(to, value)]);
    }

    fn choose(&mut self, block: &'a Block<'a>, condition: Expr, yes: &'a str, no: &'a str) {
        let (hit, miss) = (self.builder.label(), self.builder.label());
        self.builder.branch(condition, hit, miss);
        self.builder.place(hit);
        self.jump(block, yes);
        self.builder.place(miss);
        self.jump(block, no);
    }

    /// Goes along an edge: sets the phis of the target, all at once.
    fn jump(&mut self, from: &'a Block<'a>, target: &'a str) {
        let target = target.trim_start_matches('%');
        let block = self.function.blocks.iter().find(|block| block.label == target);
        let block = block.unwrap_or_else(|| panic!("no block `{target}`"));
        let mut assignments = Vec::new();
        for line in &block.lines {
            let [result, "=", "phi", incoming @ ..] = &line[..] else { break };
            let start = incoming.iter().position(|word| *word == "[").expect("incoming values");
            // `[ value %label ]`, over and over. The first block may have no label in the text.
            let edge = incoming[start..].chunks(4).find(|edge| {
                let label = edge[2].trim_start_matches('%');
                label == from.label || (from.label.is_empty() && label == "0")
            });
            let edge = edge.unwrap_or_else(|| panic!("no value from `{}`", from.label));
            let value = self.value(edge[1]);
            assignments.push((self.register(result), value));
        }
        if !assignments.is_empty() {
            self.builder.assign(assignments);
        }
        let label = self.labels[target];
        self.builder.jump(label);
    }
}

fn width(word: &str) -> u8 {
    let bits = word.strip_prefix('i').and_then(|bits| bits.parse().ok());
    bits.unwrap_or_else(|| panic!("not an integer type: `{word}`"))
}

fn signed_to_64(value: Expr, bits: u8) -> Expr {
    if bits == 64 {
        return value;
    }
    let shift = u64::from(64 - bits);
    let high = Expr::wide(Operator::ShiftLeft, 64, value, shift);
    Expr::wide(Operator::SignedShiftRight, 64, high, shift)
}

fn binary(operation: &str) -> Operator {
    match operation {
        "add" => Operator::Add,
        "sub" => Operator::Sub,
        "mul" => Operator::Mul,
        "udiv" => Operator::UnsignedDiv,
        "urem" => Operator::UnsignedRem,
        "and" => Operator::And,
        "or" => Operator::Or,
        "xor" => Operator::Xor,
        "shl" => Operator::ShiftLeft,
        "lshr" => Operator::ShiftRight,
        "ashr" => Operator::SignedShiftRight,
        other => panic!("not modelled: {other}"),
    }
}

fn comparison(predicate: &str, bits: u8, left: Expr, right: Expr) -> Expr {
    let wide = |operator, left, right| Expr::wide(operator, bits, left, right);
    match predicate {
        "eq" => wide(Operator::Equal, left, right),
        "ne" => wide(Operator::NotEqual, left, right),
        "ult" => wide(Operator::Less, left, right),
        "ule" => wide(Operator::AtMost, left, right),
        "ugt" => wide(Operator::Less, right, left),
        "uge" => wide(Operator::AtMost, right, left),
        "slt" => wide(Operator::SignedLess, left, right),
        "sle" => wide(Operator::SignedAtMost, left, right),
        "sgt" => wide(Operator::SignedLess, right, left),
        "sge" => wide(Operator::SignedAtMost, right, left),
        other => panic!("not modelled: icmp {other}"),
    }
}
