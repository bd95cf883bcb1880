//! What is compared: operators and intrinsics as LLVM IR, their widths and their operands.

use std::collections::BTreeMap;

use heddle_ir::{BinOp, CastOp, CmpOp, NoWrap, UnOp, mask};

/// One bit, odd widths, powers of two and their neighbours, up to the widest of the IR.
pub(crate) const WIDTHS: [u8; 16] = [1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128];

/// An operator of the IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Unary(UnOp),
    Binary(BinOp),
    Cmp(CmpOp),
    /// To that many bits.
    Cast(CastOp, u8),
    /// Whether the no-wrap flags hold.
    Exact(BinOp, NoWrap),
}

/// One operator or intrinsic at one width, with all its cases.
pub(crate) struct Row {
    /// `None` for what is no operator of the IR.
    pub(crate) operator: Option<Operator>,
    intrinsic: &'static str,
    /// Bits of the operands.
    pub(crate) width: u8,
    /// Bits of the result.
    pub(crate) result: u8,
    /// The operands of each case.
    pub(crate) cases: Vec<Vec<u128>>,
}

/// Values of a width: the edges of its signed and unsigned numbers and of shifts, patterns, and
/// four at random.
pub(crate) fn values(width: u8) -> Vec<u128> {
    let least = 1u128 << (width - 1);
    let bits = u128::from(width);
    let mut values = vec![0, 1, 2, 3, bits - 1, bits, bits + 1, least - 1, least, least + 1];
    values.extend([u128::MAX, u128::MAX - 1, u128::MAX / 3, u128::MAX / 255 * 0xb2]);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(width);
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u128::from(state)
    };
    values.extend((0..4).map(|_| random() << 64 | random()));
    values.iter_mut().for_each(|value| *value = mask(*value, width));
    values.sort_unstable();
    values.dedup();
    values
}

/// All lists of `count` values of a width.
fn lists(width: u8, count: usize) -> Vec<Vec<u128>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..count {
        let longer = |list: &Vec<u128>| {
            let list = list.clone();
            values(width).into_iter().map(move |value| [list.as_slice(), &[value]].concat())
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    lists
}

/// Each operator of the IR at each width.
pub(crate) fn of_operators() -> Vec<Row> {
    let mut rows = Vec::new();
    for width in WIDTHS {
        let mut row = |operator, result, count| {
            let cases = lists(width, count);
            rows.push(Row { operator: Some(operator), intrinsic: "", width, result, cases });
        };
        UnOp::ALL.iter().for_each(|&op| row(Operator::Unary(op), width, 1));
        BinOp::ALL.iter().for_each(|&op| row(Operator::Binary(op), width, 2));
        CmpOp::ALL.iter().for_each(|&op| row(Operator::Cmp(op), 1, 2));
        for to in WIDTHS {
            for &op in CastOp::ALL {
                if narrows(op) == (to < width) && to != width {
                    row(Operator::Cast(op, to), to, 1);
                }
            }
        }
        for &op in BinOp::ALL.iter().filter(|op| exact(**op).is_some()) {
            for flags in [NoWrap::SIGNED, NoWrap::UNSIGNED] {
                row(Operator::Exact(op, flags), 1, 2);
            }
        }
    }
    rows
}

/// What the lift takes apart into operators, where LLVM has it at the width. Comparisons that the
/// IR turns around are here too.
pub(crate) fn of_intrinsics() -> Vec<Row> {
    let mut rows = Vec::new();
    for width in WIDTHS {
        let mut row = |intrinsic, result, cases| {
            rows.push(Row { operator: None, intrinsic, width, result, cases });
        };
        for name in ["icmp ne", "icmp ugt", "icmp uge", "icmp sgt", "icmp sge"] {
            row(name, 1, lists(width, 2));
        }
        for name in ["uadd.sat", "usub.sat", "scmp", "ucmp"] {
            row(name, if name.ends_with("cmp") { width.max(2) } else { width }, lists(width, 2));
        }
        row("abs", width, lists(width, 1));
        for name in ["select i1 true", "select i1 false"] {
            row(name, width, lists(width, 2));
        }
        // Overflow is found out at twice the width.
        if width <= 64 {
            for name in ["sadd.sat", "ssub.sat"] {
                row(name, width, lists(width, 2));
            }
            for name in ["sadd", "ssub", "smul", "uadd", "usub", "umul"] {
                row(name, 1, lists(width, 2));
            }
        }
        if width.is_multiple_of(16) {
            row("bswap", width, lists(width, 1));
        }
        // Three operands: the shifted ones from the middle of the list.
        let amounts = values(width);
        let shifted = &amounts[amounts.len() / 3..amounts.len() / 3 + amounts.len().min(4) / 2];
        let three = |&by: &u128| {
            let pairs = shifted.iter().flat_map(|&a| shifted.iter().map(move |&b| (a, b)));
            pairs.map(|(a, b)| vec![a, b, by]).collect::<Vec<_>>()
        };
        for name in ["fshl", "fshr"] {
            row(name, width, amounts.iter().flat_map(three).collect());
        }
    }
    rows
}

/// Whether a cast gives fewer bits than it takes.
fn narrows(op: CastOp) -> bool {
    match op {
        CastOp::Zext | CastOp::Sext => false,
        CastOp::Trunc => true,
    }
}

/// How a unary operator is written; `A` stands for the operand, `T` for its type.
fn unary(op: UnOp) -> &'static str {
    match op {
        UnOp::Not => "xor T A, -1",
        UnOp::Neg => "sub T 0, A",
        UnOp::Popcount => "call T @llvm.ctpop.T(T A)",
        UnOp::Clz => "call T @llvm.ctlz.T(T A, i1 false)",
        UnOp::Ctz => "call T @llvm.cttz.T(T A, i1 false)",
        UnOp::Bitreverse => "call T @llvm.bitreverse.T(T A)",
    }
}

/// How a binary operator is written.
fn binary(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "add T A, B",
        BinOp::Sub => "sub T A, B",
        BinOp::Mul => "mul T A, B",
        BinOp::UDiv => "udiv T A, B",
        BinOp::SDiv => "sdiv T A, B",
        BinOp::URem => "urem T A, B",
        BinOp::SRem => "srem T A, B",
        BinOp::Shl => "shl T A, B",
        BinOp::LShr => "lshr T A, B",
        BinOp::AShr => "ashr T A, B",
        BinOp::And => "and T A, B",
        BinOp::Or => "or T A, B",
        BinOp::Xor => "xor T A, B",
        BinOp::UMin => "call T @llvm.umin.T(T A, T B)",
        BinOp::UMax => "call T @llvm.umax.T(T A, T B)",
        BinOp::SMin => "call T @llvm.smin.T(T A, T B)",
        BinOp::SMax => "call T @llvm.smax.T(T A, T B)",
    }
}

fn cmp(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "icmp eq T A, B",
        CmpOp::Ult => "icmp ult T A, B",
        CmpOp::Ule => "icmp ule T A, B",
        CmpOp::Slt => "icmp slt T A, B",
        CmpOp::Sle => "icmp sle T A, B",
    }
}

fn cast(op: CastOp) -> &'static str {
    match op {
        CastOp::Zext => "zext T A to R",
        CastOp::Sext => "sext T A to R",
        CastOp::Trunc => "trunc T A to R",
    }
}

/// The instruction that no-wrap flags speak of, where there is one.
pub(crate) fn exact(op: BinOp) -> Option<&'static str> {
    match op {
        BinOp::Add => Some("add"),
        BinOp::Sub => Some("sub"),
        BinOp::Mul => Some("mul"),
        BinOp::Shl => Some("shl"),
        BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => None,
    }
}

impl Row {
    /// For messages.
    pub(crate) fn name(&self) -> String {
        match self.operator {
            Some(operator) => format!("{operator:?} at {} bits", self.width),
            None => format!("{} at {} bits", self.intrinsic, self.width),
        }
    }

    /// The instructions that define `%r<case>`; what they call goes to `declared`, by name.
    pub(crate) fn llvm(
        &self,
        case: usize,
        arguments: &[u128],
        declared: &mut BTreeMap<String, String>,
    ) -> String {
        let template = match self.operator {
            Some(Operator::Unary(op)) => unary(op).to_owned(),
            Some(Operator::Binary(op)) => binary(op).to_owned(),
            Some(Operator::Cmp(op)) => cmp(op).to_owned(),
            Some(Operator::Cast(op, _)) => cast(op).to_owned(),
            Some(Operator::Exact(op, flags)) => return self.exactly(case, arguments, op, flags),
            None => intrinsic(self.intrinsic),
        };
        let [a, b, c] = [0, 1, 2].map(|n| signed(*arguments.get(n).unwrap_or(&0), self.width));
        let (ty, result) = (format!("i{}", self.width), format!("i{}", self.result));
        let text = template
            .replace('A', &a)
            .replace('B', &b)
            .replace('C', &c)
            .replace('T', &ty)
            .replace('R', &result);
        declare(&text, declared);
        match text.contains("with.overflow") {
            true => format!(
                "  %s{case} = {text}\n  %r{case} = extractvalue {{ {ty}, i1 }} %s{case}, 1\n"
            ),
            false => format!("  %r{case} = {text}\n"),
        }
    }

    /// Whether the result is the mathematical one: computed at twice the width and more, and cut
    /// and extended again.
    fn exactly(&self, case: usize, arguments: &[u128], op: BinOp, flags: NoWrap) -> String {
        let narrow = self.width;
        let wide = 2 * u32::from(narrow) + 2;
        let [a, b] = [arguments[0], arguments[1]];
        let name = exact(op).unwrap_or_default();
        if op == BinOp::Shl && b >= u128::from(narrow) {
            // No value at all, so no flag holds.
            return format!("  %r{case} = icmp ne i{narrow} 0, 0\n");
        }
        let extend = if flags.signed { "sext" } else { "zext" };
        // The amount of a shift is a number without sign.
        let extend_b = if op == BinOp::Shl { "zext" } else { extend };
        let (a, b) = (signed(a, narrow), signed(b, narrow));
        format!(
            "  %a{case} = {extend} i{narrow} {a} to i{wide}\n  %b{case} = {extend_b} i{narrow} {b} to i{wide}\n  \
             %w{case} = {name} i{wide} %a{case}, %b{case}\n  %n{case} = trunc i{wide} %w{case} to i{narrow}\n  \
             %x{case} = {extend} i{narrow} %n{case} to i{wide}\n  %r{case} = icmp eq i{wide} %x{case}, %w{case}\n"
        )
    }
}

/// How an intrinsic or another instruction is written.
fn intrinsic(name: &str) -> String {
    match name {
        "abs" => "call T @llvm.abs.T(T A, i1 false)".to_owned(),
        "bswap" => "call T @llvm.bswap.T(T A)".to_owned(),
        "scmp" | "ucmp" => format!("call R @llvm.{name}.R.T(T A, T B)"),
        "fshl" | "fshr" => format!("call T @llvm.{name}.T(T A, T B, T C)"),
        _ if name.starts_with("select") => format!("{name}, T A, T B"),
        _ if name.starts_with("icmp") => format!("{name} T A, B"),
        _ if name.ends_with(".sat") => format!("call T @llvm.{name}.T(T A, T B)"),
        _ => format!("call {{ T, i1 }} @llvm.{name}.with.overflow.T(T A, T B)"),
    }
}

/// Declares the intrinsic that an instruction calls.
fn declare(text: &str, declared: &mut BTreeMap<String, String>) {
    let Some((before, call)) = text.split_once('@') else { return };
    let Some((name, arguments)) = call.split_once('(') else { return };
    let result = before.trim_start_matches("call ").trim();
    let types: Vec<_> =
        arguments.split(", ").filter_map(|argument| argument.split(' ').next()).collect();
    declared
        .entry(name.to_owned())
        .or_insert_with(|| format!("declare {result} @{name}({})\n", types.join(", ")));
}

/// As LLVM writes a constant.
fn signed(value: u128, width: u8) -> String {
    heddle_ir::sign_extend(value, width).to_string()
}
