//! Arithmetic of inline PTX on integers and predicates; `float` has the rest.

use super::Body;
use crate::ptx::{Comparison, Half, Instruction, PureOp, Role, Special, Type, TypeKind};

impl Body<'_> {
    /// A function of its operands, put into `dest`.
    pub(super) fn pure(&mut self, it: &Instruction, op: PureOp, ty: Type) -> Option<()> {
        let bits = u32::from(ty.bits) * u32::from(ty.lanes);
        let (value, bits) = match op {
            PureOp::Uninterpreted => return self.float(it),
            PureOp::MapToBlock | PureOp::BlockRank => return self.mapped(it, op, bits),
            PureOp::Compare(..) => (self.integer(it, op, bits, ty.kind)?, 1),
            PureOp::Mul(Half::Wide) | PureOp::Mad(Half::Wide) => {
                (self.integer(it, op, bits, ty.kind)?, bits * 2)
            }
            PureOp::PopCount | PureOp::LeadingZeros => {
                let count = self.integer(it, op, bits, ty.kind)?;
                (self.resized(&count, bits, 32, false), 32)
            }
            _ => (self.integer(it, op, bits, ty.kind)?, bits),
        };
        self.set(it.operand(Role::Dest)?, bits, &value)
    }

    fn integer(
        &mut self,
        it: &Instruction,
        op: PureOp,
        bits: u32,
        kind: TypeKind,
    ) -> Option<String> {
        let signed = kind == TypeKind::Signed;
        let is_moved = matches!(op, PureOp::Move | PureOp::Select);
        if matches!(kind, TypeKind::Float | TypeKind::OtherFloat) && !is_moved {
            return None;
        }
        if let PureOp::Convert(from) = op {
            let own = u32::from(from.bits);
            let value = self.operand(it.operand(Role::Value)?, own)?;
            let integers = !matches!(from.kind, TypeKind::Float | TypeKind::OtherFloat);
            return integers
                .then(|| self.resized(&value, own, bits, from.kind == TypeKind::Signed));
        }
        let a = self.operand(it.operand(Role::Value)?, bits)?;
        let sign = if signed { "s" } else { "u" };
        let two = |body: &mut Self, f: &str| {
            let b = body.operand(it.operand(Role::Second)?, bits)?;
            Some(body.value(&format!("{f} i{bits} {a}, {b}")))
        };
        let call = |body: &mut Self, f: &str, more: &str| {
            Some(body.value(&format!("call i{bits} @llvm.{f}.i{bits}(i{bits} {a}{more})")))
        };
        match op {
            PureOp::Move | PureOp::ConvertAddress { .. } => {
                Some(self.value(&format!("or i{bits} {a}, 0")))
            }
            PureOp::Add => two(self, "add"),
            PureOp::Sub => two(self, "sub"),
            PureOp::Mul(Half::Low) => two(self, "mul"),
            PureOp::Mul(half) => self.product(it, half, bits, signed),
            PureOp::And => two(self, "and"),
            PureOp::Or => two(self, "or"),
            PureOp::Xor => two(self, "xor"),
            PureOp::Div => two(self, if signed { "sdiv" } else { "udiv" }),
            PureOp::Rem => two(self, if signed { "srem" } else { "urem" }),
            PureOp::Not => Some(self.value(&format!("xor i{bits} {a}, -1"))),
            PureOp::Neg => Some(self.value(&format!("sub i{bits} 0, {a}"))),
            PureOp::Abs => call(self, "abs", ", i1 false"),
            PureOp::Min | PureOp::Max => {
                let b = self.operand(it.operand(Role::Second)?, bits)?;
                let which = if op == PureOp::Min { "min" } else { "max" };
                call(self, &format!("{sign}{which}"), &format!(", i{bits} {b}"))
            }
            PureOp::PopCount => call(self, "ctpop", ""),
            PureOp::LeadingZeros => call(self, "ctlz", ", i1 false"),
            PureOp::Reverse => call(self, "bitreverse", ""),
            PureOp::Shl | PureOp::Shr => self.shift(it, &a, bits, op == PureOp::Shl, signed),
            PureOp::Mad(Half::Low) => {
                let product = two(self, "mul")?;
                let c = self.operand(it.operand(Role::Third)?, bits)?;
                Some(self.value(&format!("add i{bits} {product}, {c}")))
            }
            PureOp::Mad(half) => {
                let product = self.product(it, half, bits, signed)?;
                let bits = if half == Half::Wide { bits * 2 } else { bits };
                let c = self.operand(it.operand(Role::Third)?, bits)?;
                Some(self.value(&format!("add i{bits} {product}, {c}")))
            }
            PureOp::Compare(comparison, None) => {
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

    /// The upper half of a product, or all of it.
    fn product(&mut self, it: &Instruction, half: Half, bits: u32, signed: bool) -> Option<String> {
        let wide = bits * 2;
        let mut factors = Vec::new();
        for role in [Role::Value, Role::Second] {
            let value = self.operand(it.operand(role)?, bits)?;
            factors.push(self.resized(&value, bits, wide, signed));
        }
        let all = self.value(&format!("mul i{wide} {}, {}", factors[0], factors[1]));
        match half {
            Half::Wide => Some(all),
            Half::High => {
                let high = self.value(&format!("lshr i{wide} {all}, {bits}"));
                Some(self.resized(&high, wide, bits, false))
            }
            Half::Low => Some(self.resized(&all, wide, bits, false)),
        }
    }

    /// A shift by at most the width: more gives what all bits shifted out give.
    fn shift(
        &mut self,
        it: &Instruction,
        a: &str,
        bits: u32,
        left: bool,
        signed: bool,
    ) -> Option<String> {
        let by = self.operand(it.operand(Role::Second)?, 32)?;
        let most = bits - 1;
        let cut = self.value(&format!("call i32 @llvm.umin.i32(i32 {by}, i32 {most})"));
        let cut = self.resized(&cut, 32, bits, false);
        let verb = match (left, signed) {
            (true, _) => "shl",
            (false, true) => "ashr",
            (false, false) => "lshr",
        };
        let shifted = self.value(&format!("{verb} i{bits} {a}, {cut}"));
        if verb == "ashr" {
            return Some(shifted);
        }
        let out = self.value(&format!("icmp ugt i32 {by}, {most}"));
        Some(self.value(&format!("select i1 {out}, i{bits} 0, i{bits} {shifted}")))
    }

    /// The lanes that compare so with the lane's own.
    fn lane_mask(&mut self, register: Special, bits: u32) -> String {
        let lane = self.value("call i64 @__heddle_special(i32 12)");
        let lane = self.resized(&lane, 64, 32, false);
        let own = self.value(&format!("shl i32 1, {lane}"));
        let below = self.value(&format!("sub i32 {own}, 1"));
        let mask = match register {
            Special::LanemaskLt => below,
            Special::LanemaskLe => self.value(&format!("or i32 {below}, {own}")),
            Special::LanemaskGe => self.value(&format!("xor i32 {below}, -1")),
            Special::LanemaskGt => {
                let up_to = self.value(&format!("or i32 {below}, {own}"));
                self.value(&format!("xor i32 {up_to}, -1"))
            }
            _equal => own,
        };
        self.resized(&mask, 32, bits, false)
    }

    /// A special register, where the executor has it (section 10).
    pub(super) fn special(&mut self, register: Special, bits: u32) -> Option<String> {
        if let Some(number) = crate::jit::id_of(register) {
            let value = self.value(&format!("call i64 @__heddle_special(i32 {number})"));
            return Some(self.resized(&value, 64, bits, false));
        }
        match register {
            Special::ClusterNctarank => {
                let sizes = [28, 29, 30]
                    .map(|it| self.value(&format!("call i64 @__heddle_special(i32 {it})")));
                let plane = self.value(&format!("mul i64 {}, {}", sizes[0], sizes[1]));
                let all = self.value(&format!("mul i64 {plane}, {}", sizes[2]));
                Some(self.resized(&all, 64, bits, false))
            }
            Special::LanemaskEq
            | Special::LanemaskLe
            | Special::LanemaskLt
            | Special::LanemaskGe
            | Special::LanemaskGt => Some(self.lane_mask(register, bits)),
            Special::Clock | Special::Clock64 | Special::GlobalTimer | Special::GlobalTimerLo => {
                let time = self.value("call i64 @__heddle_clock()");
                Some(self.resized(&time, 64, bits, false))
            }
            Special::ClockHi | Special::GlobalTimerHi => {
                let time = self.value("call i64 @__heddle_clock()");
                let high = self.value(&format!("lshr i64 {time}, 32"));
                Some(self.resized(&high, 64, bits, false))
            }
            // A device of one multiprocessor.
            Special::SmId => Some("0".to_owned()),
            Special::NsmId => Some("1".to_owned()),
            Special::Tid(_)
            | Special::Ntid(_)
            | Special::Ctaid(_)
            | Special::Nctaid(_)
            | Special::LaneId
            | Special::WarpId
            | Special::Clusterid(_)
            | Special::Nclusterid(_)
            | Special::ClusterCtaid(_)
            | Special::ClusterNctaid(_)
            | Special::ClusterCtarank
            | Special::WarpSize
            | Special::DynamicSmemSize
            | Special::NwarpId
            | Special::GridId
            | Special::IsExplicitCluster
            | Special::TotalSmemSize
            | Special::AggrSmemSize
            | Special::CurrentGraphExec
            | Special::ReservedSmemBegin
            | Special::ReservedSmemEnd
            | Special::ReservedSmemCap
            | Special::ReservedSmem(_)
            | Special::EnvReg(_)
            | Special::Pm(_) => None,
        }
    }
}
