//! Conditions over a kernel's parameters and sizes as a reader writes them.
//!
//! **Promises**: the text names the parameters and sizes, and the constants. **Does not**: say
//! which operators are unsigned or where a value is widened: it is for people.

use std::cell::Cell;

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, Kernel, Special, UnOp, sign_extend};

/// The longest text of a condition.
const LONGEST: usize = 160;

pub(super) fn special(special: Special) -> String {
    let axis = |d: u8| ["x", "y", "z"][usize::from(d).min(2)];
    match special {
        Special::Ntid(d) => format!("blockDim.{}", axis(d)),
        Special::Nctaid(d) => format!("gridDim.{}", axis(d)),
        Special::Tid(_)
        | Special::Ctaid(_)
        | Special::GlobalOffset(_)
        | Special::LaneId
        | Special::WarpId
        | Special::ClusterCtaRank
        | Special::ClusterNctaRank
        | Special::DynamicSharedSize => "…".to_owned(),
    }
}

/// A constant as a signed number.
pub(super) fn constant(value: u128, width: u8) -> String {
    match width {
        1 => value.to_string(),
        _ => sign_extend(value, width).to_string(),
    }
}

/// The text of a condition; `None` where a part has no name, or it is too long. `unknown` names
/// arbitrary values.
pub(super) fn condition(
    kernel: &Kernel,
    condition: ExprId,
    unknown: &dyn Fn(u32) -> Option<String>,
) -> Option<String> {
    let text = Words { kernel, unknown, left: Cell::new(LONGEST) }.of(condition, 0);
    (text.chars().count() <= LONGEST && !text.contains(NAMELESS)).then_some(text)
}

/// Stands where there is nothing to say.
const NAMELESS: char = '…';

struct Words<'a> {
    kernel: &'a Kernel,
    unknown: &'a dyn Fn(u32) -> Option<String>,
    /// Parts that may still be written. A part that is used twice is written twice, so that a short
    /// computation may have a text that nobody could store.
    left: Cell<usize>,
}

impl Words<'_> {
    /// The text, in brackets where it binds less than `around`.
    fn of(&self, expr: ExprId, around: u8) -> String {
        let Some(left) = self.left.get().checked_sub(1) else { return NAMELESS.to_string() };
        self.left.set(left);
        let kernel = self.kernel;
        let pool = &kernel.exprs;
        let bracketed = |level: u8, text: String| match level < around {
            true => format!("({text})"),
            false => text,
        };
        let two = |level: u8, sign: &str, a: ExprId, b: ExprId| {
            let text = format!("{} {sign} {}", self.of(a, level), self.of(b, level + 1));
            bracketed(level, text)
        };
        match &pool[expr].kind {
            ExprKind::Const(value) => constant(*value, pool.width(expr)),
            ExprKind::Special(it) => special(*it),
            ExprKind::Param(index) => {
                kernel.params.get(*index as usize).map_or("…".to_owned(), |it| it.name.clone())
            }
            ExprKind::Cast(_, inner) => self.of(*inner, around),
            ExprKind::Cmp(op, a, b) => {
                // A constant stands on the right.
                let swapped = pool.as_const(*a).is_some();
                match (op, swapped) {
                    (CmpOp::Eq, _) => two(6, "==", *a, *b),
                    (CmpOp::Ult | CmpOp::Slt, false) => two(7, "<", *a, *b),
                    (CmpOp::Ule | CmpOp::Sle, false) => two(7, "<=", *a, *b),
                    (CmpOp::Ult | CmpOp::Slt, true) => two(7, ">", *b, *a),
                    (CmpOp::Ule | CmpOp::Sle, true) => two(7, ">=", *b, *a),
                }
            }
            ExprKind::Unary(UnOp::Not, inner) if pool.width(expr) == 1 => match pool[*inner].kind {
                ExprKind::Cmp(CmpOp::Eq, a, b) => two(6, "!=", a, b),
                _ => format!("!{}", self.of(*inner, 12)),
            },
            ExprKind::Unary(op, inner) => format!("{}({})", op.name(), self.of(*inner, 0)),
            ExprKind::Select(c, a, b) => {
                let parts = [*c, *a, *b].map(|it| self.of(it, 2));
                bracketed(1, format!("{} ? {} : {}", parts[0], parts[1], parts[2]))
            }
            ExprKind::Binary(op, _, a, b) => {
                let is_bit = pool.width(expr) == 1;
                let power = pool.as_const(*b);
                match op {
                    BinOp::And if is_bit => two(3, "&&", *a, *b),
                    BinOp::Or if is_bit => two(2, "||", *a, *b),
                    // The low bits are a remainder.
                    BinOp::And if power.is_some_and(|it| (it + 1).is_power_of_two()) => {
                        let divisor = power.map_or(0, |it| it + 1);
                        bracketed(10, format!("{} % {divisor}", self.of(*a, 10)))
                    }
                    BinOp::Shl if power.is_some_and(|it| it < 64) => {
                        let factor = 1u128 << power.unwrap_or(0);
                        bracketed(10, format!("{} * {factor}", self.of(*a, 10)))
                    }
                    BinOp::Add => match power.map(|it| sign_extend(it, pool.width(expr))) {
                        Some(by) if by < 0 => {
                            bracketed(9, format!("{} - {}", self.of(*a, 9), by.unsigned_abs()))
                        }
                        _ => two(9, "+", *a, *b),
                    },
                    BinOp::Sub => two(9, "-", *a, *b),
                    BinOp::Mul => two(10, "*", *a, *b),
                    BinOp::UDiv | BinOp::SDiv => two(10, "/", *a, *b),
                    BinOp::URem | BinOp::SRem => two(10, "%", *a, *b),
                    BinOp::Shl => two(8, "<<", *a, *b),
                    BinOp::LShr | BinOp::AShr => two(8, ">>", *a, *b),
                    BinOp::And => two(5, "&", *a, *b),
                    BinOp::Xor => two(4, "^", *a, *b),
                    BinOp::Or => two(3, "|", *a, *b),
                    BinOp::UMin | BinOp::SMin => {
                        format!("min({}, {})", self.of(*a, 0), self.of(*b, 0))
                    }
                    BinOp::UMax | BinOp::SMax => {
                        format!("max({}, {})", self.of(*a, 0), self.of(*b, 0))
                    }
                }
            }
            ExprKind::Undef(number) => {
                (self.unknown)(*number).unwrap_or_else(|| NAMELESS.to_string())
            }
            ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => NAMELESS.to_string(),
        }
    }
}
