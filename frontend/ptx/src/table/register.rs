//! Functions of registers (PTX ISA 9.7.1 to 9.7.9).
//!
//! Only what occurs in addresses, branches and predicates is looked into: integers of one lane,
//! predicates, moves. All else is [`PureOp::Uninterpreted`], except what reads or writes the hidden
//! carry.

use super::super::class::{Class, Comparison, Effect, Half, Logic, PureOp};
use super::super::pattern::Modifiers;
use super::super::types::{Type, TypeKind};
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row { pattern: "mov.TYPE", operands: "dest value", class: |m| plain(m, PureOp::Move) },
    // Extended precision (9.7.2): a hidden register takes the carry from one to the next.
    Row { pattern: "add|sub.cc.TYPE", operands: "dest value second", class: carry },
    Row { pattern: "addc|subc{.cc}.TYPE", operands: "dest value second", class: carry },
    Row { pattern: "mad{.lo|hi}.cc.TYPE", operands: "dest value second third", class: carry },
    Row { pattern: "madc{.lo|hi}{.cc}.TYPE", operands: "dest value second third", class: carry },
    Row { pattern: "add{.ROUND|ftz|sat}*.TYPE", operands: TWO, class: |m| integer(m, PureOp::Add) },
    Row { pattern: "sub{.ROUND|ftz|sat}*.TYPE", operands: TWO, class: |m| integer(m, PureOp::Sub) },
    Row {
        pattern: "mul{.lo|hi|wide|ROUND|ftz|sat}*.TYPE",
        operands: TWO,
        class: |m| product(m, PureOp::Mul),
    },
    Row {
        pattern: "mad{.lo|hi|wide|ROUND|ftz|sat}*.TYPE",
        operands: THREE,
        class: |m| product(m, PureOp::Mad),
    },
    Row { pattern: "div{.ROUND|ftz}*.TYPE", operands: TWO, class: |m| integer(m, PureOp::Div) },
    Row { pattern: "rem.TYPE", operands: TWO, class: |m| integer(m, PureOp::Rem) },
    Row { pattern: "abs{.ftz}.TYPE", operands: ONE, class: |m| integer(m, PureOp::Abs) },
    Row { pattern: "neg{.ftz}.TYPE", operands: ONE, class: |m| integer(m, PureOp::Neg) },
    Row {
        pattern: "min{.ftz|NaN|xorsign|abs|relu}*.TYPE",
        operands: TWO,
        class: |m| integer(m, PureOp::Min),
    },
    Row {
        pattern: "max{.ftz|NaN|xorsign|abs|relu}*.TYPE",
        operands: TWO,
        class: |m| integer(m, PureOp::Max),
    },
    Row { pattern: "min|max{.ftz|NaN|xorsign|abs}*.f32", operands: THREE, class: uninterpreted },
    // Bits (9.7.8)
    Row { pattern: "and.TYPE", operands: TWO, class: |m| plain(m, PureOp::And) },
    Row { pattern: "or.TYPE", operands: TWO, class: |m| plain(m, PureOp::Or) },
    Row { pattern: "xor.TYPE", operands: TWO, class: |m| plain(m, PureOp::Xor) },
    Row { pattern: "not.TYPE", operands: ONE, class: |m| plain(m, PureOp::Not) },
    Row { pattern: "shl.TYPE", operands: TWO, class: |m| integer(m, PureOp::Shl) },
    Row { pattern: "shr.TYPE", operands: TWO, class: |m| integer(m, PureOp::Shr) },
    Row {
        pattern: "shf.l|r.wrap|clamp.b32",
        operands: THREE,
        class: |m| plain(m, PureOp::Funnel { left: m.has("l"), clamp: m.has("clamp") }),
    },
    Row {
        pattern: "bfe.u32|s32|u64|s64",
        operands: THREE,
        class: |m| plain(m, PureOp::BitExtract),
    },
    Row { pattern: "bfi.b32|b64", operands: FOUR, class: |m| plain(m, PureOp::BitInsert) },
    Row {
        pattern: "lop3.b32",
        operands: "dest value second third table",
        class: |m| plain(m, PureOp::Lop3),
    },
    Row {
        pattern: "lop3.and|or.b32",
        operands: "dest dest_pred value second third table predicate",
        class: uninterpreted,
    },
    Row { pattern: "prmt.b32", operands: THREE, class: |m| plain(m, PureOp::Permute) },
    Row { pattern: "prmt.b32.f4e|b4e|rc8|ecl|ecr|rc16", operands: THREE, class: uninterpreted },
    Row { pattern: "popc.b32|b64", operands: ONE, class: |m| plain(m, PureOp::PopCount) },
    Row { pattern: "clz.b32|b64", operands: ONE, class: |m| plain(m, PureOp::LeadingZeros) },
    Row { pattern: "brev.b32|b64", operands: ONE, class: |m| plain(m, PureOp::Reverse) },
    Row { pattern: "bfind{.shiftamt}.TYPE", operands: ONE, class: uninterpreted },
    Row { pattern: "fns.b32", operands: THREE, class: uninterpreted },
    Row { pattern: "bmsk|szext.wrap|clamp.TYPE", operands: TWO, class: uninterpreted },
    Row { pattern: "cnot.TYPE", operands: ONE, class: uninterpreted },
    // Comparison and selection (9.7.5, 9.7.6)
    Row {
        pattern: "setp.CMP{.ftz}.TYPE",
        operands: "dest dest_pred? value second",
        class: |m| compare(m, None),
    },
    Row {
        pattern: "setp.CMP.and|or|xor{.ftz}.TYPE",
        operands: "dest dest_pred? value second predicate",
        class: |m| {
            let logic = m.first(|name| match name {
                "and" => Some(Logic::And),
                "or" => Some(Logic::Or),
                "xor" => Some(Logic::Xor),
                _ => None,
            })?;
            compare(m, Some(logic))
        },
    },
    Row {
        pattern: "set.CMP{.and|or|xor}{.ftz}.TYPE.TYPE",
        operands: "dest value second predicate?",
        class: uninterpreted,
    },
    Row {
        pattern: "selp.TYPE",
        operands: "dest value second predicate",
        class: |m| plain(m, PureOp::Select),
    },
    Row { pattern: "slct{.ftz}.TYPE.TYPE", operands: THREE, class: uninterpreted },
    Row { pattern: "testp.ANY.TYPE", operands: ONE, class: uninterpreted },
    // Conversion (9.7.9)
    Row {
        pattern: "cvt{.ROUND|ftz|sat|relu|satfinite|scaled::n2::ue8m0}*.TYPE.TYPE",
        operands: "dest value second? third?",
        class: convert,
    },
    Row {
        pattern: "cvt.pack.sat.TYPE.TYPE{.TYPE}",
        operands: "dest value second third?",
        class: uninterpreted,
    },
    Row {
        pattern: "cvta{.to}.SPACE.u32|u64",
        operands: ONE,
        class: |m| plain(m, PureOp::ConvertAddress { to: m.has("to"), space: m.spaces().next()? }),
    },
    Row {
        pattern: "isspacep.SPACE",
        operands: ONE,
        class: |m| {
            let ty = Type { kind: TypeKind::Predicate, bits: 1, lanes: 1 };
            Some(Class::Pure { op: PureOp::IsSpace(m.spaces().next()?), ty })
        },
    },
    Row {
        pattern: "mapa{.shared::cluster}.u32|u64",
        operands: TWO,
        class: |m| plain(m, PureOp::MapToBlock),
    },
    Row {
        pattern: "getctarank{.shared::cluster}.u32|u64",
        operands: ONE,
        class: |m| plain(m, PureOp::BlockRank),
    },
    // Functions of floats and packed integers (9.7.1, 9.7.3, 9.7.4), and state words.
    Row {
        pattern: "ex2|lg2|rcp|sqrt|rsqrt|sin|cos|tanh{.ROUND|ftz}*.TYPE",
        operands: ONE,
        class: uninterpreted,
    },
    Row { pattern: "fma{.ROUND|ftz|sat|relu|oob}*.TYPE", operands: THREE, class: uninterpreted },
    Row { pattern: "copysign.TYPE", operands: TWO, class: uninterpreted },
    Row { pattern: "sad.TYPE", operands: THREE, class: uninterpreted },
    Row { pattern: "mul24.lo|hi.TYPE", operands: TWO, class: uninterpreted },
    Row { pattern: "mad24.lo|hi{.sat}.TYPE", operands: THREE, class: uninterpreted },
    Row { pattern: "dp4a.u32|s32.u32|s32", operands: THREE, class: uninterpreted },
    Row { pattern: "dp2a.lo|hi.u32|s32.u32|s32", operands: THREE, class: uninterpreted },
    Row {
        pattern: "vadd2|vadd4|vsub2|vsub4|vmin2|vmin4|vmax2|vmax4|vabsdiff2|vabsdiff4|vset2|vset4|vavrg2|vavrg4|vadd|vsub|vabsdiff|vmin|vmax{.ANY}*",
        operands: "dest value second third?",
        class: uninterpreted,
    },
    Row { pattern: "mbarrier.pending_count.b64", operands: "dest token", class: uninterpreted },
    Row { pattern: "createpolicy{.ANY}*", operands: "dest rest*", class: policy },
];

const ONE: &str = "dest value";
const TWO: &str = "dest value second";
const THREE: &str = "dest value second third";
const FOUR: &str = "dest value second third fourth";

fn plain(m: &Modifiers<'_>, op: PureOp) -> Option<Class> {
    Some(Class::Pure { op, ty: m.types().next()? })
}

fn uninterpreted(m: &Modifiers<'_>) -> Option<Class> {
    plain(m, PureOp::Uninterpreted)
}

fn carry(_: &Modifiers<'_>) -> Option<Class> {
    Some(Class::Opaque(Effect::RegistersOnly))
}

/// The word that `createpolicy` makes is a hint's; which word it is matters to nobody.
fn policy(_: &Modifiers<'_>) -> Option<Class> {
    Some(Class::Opaque(Effect::RegistersOnly))
}

/// The operation on one integer without saturation, else a function that is not looked into.
fn integer(m: &Modifiers<'_>, op: PureOp) -> Option<Class> {
    let exact = m.types().next()?.is_integer() && !m.has("sat") && !m.has("relu");
    plain(m, if exact { op } else { PureOp::Uninterpreted })
}

fn product(m: &Modifiers<'_>, op: fn(Half) -> PureOp) -> Option<Class> {
    let half = m.at_most_one(|name| match name {
        "lo" => Some(Half::Low),
        "hi" => Some(Half::High),
        "wide" => Some(Half::Wide),
        _ => None,
    })?;
    match half {
        Some(half) => integer(m, op(half)),
        None => {
            (!m.types().next()?.is_integer()).then(|| plain(m, PureOp::Uninterpreted)).flatten()
        }
    }
}

/// Orders of integers; equality of plain bits; all on floats is left alone.
fn compare(m: &Modifiers<'_>, logic: Option<Logic>) -> Option<Class> {
    let ty = m.types().next()?;
    let comparison = m.first(|name| {
        Some(match name {
            "eq" => Comparison::Eq,
            "ne" => Comparison::Ne,
            "lt" | "lo" => Comparison::Lt,
            "le" | "ls" => Comparison::Le,
            "gt" | "hi" => Comparison::Gt,
            "ge" | "hs" => Comparison::Ge,
            _ => return None,
        })
    });
    let ordered = matches!(ty.kind, TypeKind::Signed | TypeKind::Unsigned);
    // `lo` and its kin are the unsigned orders: on a signed type they are no instruction.
    let unsigned_name = m.has("lo") || m.has("ls") || m.has("hi") || m.has("hs");
    let op = match comparison {
        Some(comparison @ (Comparison::Eq | Comparison::Ne)) if ty.is_integer() => {
            PureOp::Compare(comparison, logic)
        }
        Some(comparison)
            if ordered && ty.is_integer() && !(unsigned_name && ty.kind == TypeKind::Signed) =>
        {
            PureOp::Compare(comparison, logic)
        }
        Some(_) | None => PureOp::Uninterpreted,
    };
    plain(m, op)
}

/// From one integer to another, without saturation.
fn convert(m: &Modifiers<'_>) -> Option<Class> {
    let mut types = m.types();
    let (to, from) = (types.next()?, types.next()?);
    let exact = to.is_integer() && from.is_integer() && !m.has("sat");
    Some(Class::Pure {
        op: if exact { PureOp::Convert(from) } else { PureOp::Uninterpreted },
        ty: to,
    })
}
