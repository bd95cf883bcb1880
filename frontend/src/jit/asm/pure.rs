//! Integer arithmetic of inline PTX. Floats are refused: their rounding modes are not those of the host.

use super::Body;
use crate::ptx::{Comparison, Half, Instruction, PureOp, Role, TypeKind};

impl Body<'_> {
    pub(super) fn pure(
        &mut self,
        it: &Instruction,
        op: PureOp,
        bits: u32,
        kind: TypeKind,
    ) -> Option<String> {
        let signed = kind == TypeKind::Signed;
        if kind == TypeKind::Float && !matches!(op, PureOp::Move) {
            return None;
        }
        let a = self.operand(it.operand(Role::Value)?, bits)?;
        let two = |body: &mut Self, f: &str| {
            let b = body.operand(it.operand(Role::Second)?, bits)?;
            Some(body.value(&format!("{f} i{bits} {a}, {b}")))
        };
        match op {
            PureOp::Move | PureOp::ConvertAddress { .. } => {
                Some(self.value(&format!("or i{bits} {a}, 0")))
            }
            PureOp::Add => two(self, "add"),
            PureOp::Sub => two(self, "sub"),
            PureOp::Mul(Half::Low) => two(self, "mul"),
            PureOp::And => two(self, "and"),
            PureOp::Or => two(self, "or"),
            PureOp::Xor => two(self, "xor"),
            PureOp::Div => two(self, if signed { "sdiv" } else { "udiv" }),
            PureOp::Rem => two(self, if signed { "srem" } else { "urem" }),
            PureOp::Not => Some(self.value(&format!("xor i{bits} {a}, -1"))),
            PureOp::Neg => Some(self.value(&format!("sub i{bits} 0, {a}"))),
            PureOp::Mad(Half::Low) => {
                let product = two(self, "mul")?;
                let c = self.operand(it.operand(Role::Third)?, bits)?;
                Some(self.value(&format!("add i{bits} {product}, {c}")))
            }
            PureOp::Compare(comparison, None) => {
                let sign = if signed { "s" } else { "u" };
                let word = match comparison {
                    Comparison::Eq => "eq".to_owned(),
                    Comparison::Ne => "ne".to_owned(),
                    Comparison::Lt => format!("{sign}lt"),
                    Comparison::Le => format!("{sign}le"),
                    Comparison::Gt => format!("{sign}gt"),
                    Comparison::Ge => format!("{sign}ge"),
                };
                two(self, &format!("icmp {word}"))
            }
            PureOp::Select => {
                let b = self.operand(it.operand(Role::Second)?, bits)?;
                let p = self.operand(it.operand(Role::Predicate)?, 1)?;
                Some(self.value(&format!("select i1 {p}, i{bits} {a}, i{bits} {b}")))
            }
            _ => None,
        }
    }
}
