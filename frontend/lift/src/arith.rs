//! Instructions that compute: integers exactly, floats as pure functions by name, vectors element
//! by element.

use heddle_ir::{BinOp, CastOp, ExprId, NoWrap};

use super::distance::stays_inside;
use super::value::{Val, elements, scalar_width};
use super::vector::insert;
use super::{Lifter, pointer::Pointer};
use heddle_llvm::{FloatPredicate, Inst, Opcode, Predicate, Type, TypeKind, Value};

impl<'m> Lifter<'m> {
    /// Lifts one instruction that does not end its block.
    pub(super) fn instruction(&mut self, inst: Inst<'m>) {
        let value = match inst.opcode() {
            Opcode::Load
            | Opcode::Store
            | Opcode::AtomicRmw
            | Opcode::CmpXchg
            | Opcode::Fence
            | Opcode::Alloca => self.memory(inst),
            Opcode::Call | Opcode::Invoke | Opcode::CallBr => self.call(inst),
            // The first value of a register of PTX that nothing reads.
            Opcode::Freeze if inst.as_value().users().is_empty() => return,
            _ => self.computed(inst.as_value(), inst.opcode()),
        };
        let value = match value {
            Some(value) => value,
            None => self.not_modelled(inst),
        };
        self.name_value(&value, &inst.name());
        self.define(inst, value);
    }

    /// An instruction without a model: by its name, with what it may touch.
    pub(super) fn not_modelled(&mut self, inst: Inst<'m>) -> Val {
        let name = match inst.called_function() {
            Some(function) => function.name(),
            None => inst.opcode().name().to_owned(),
        };
        let touches = match inst.opcode() {
            opcode if is_memory(opcode) => super::touches_everything(),
            _ => heddle_ir::Touches::nothing(),
        };
        self.opaque_value(&name, &[], inst.ty(), touches, false)
    }

    /// An opaque operation that gives a value of a type: one result for each number in it.
    pub(super) fn opaque_value(
        &mut self,
        name: &str,
        args: &[ExprId],
        ty: Type<'m>,
        touches: heddle_ir::Touches,
        may_synchronize: bool,
    ) -> Val {
        let mut widths = Vec::new();
        leaf_widths(ty, &mut widths);
        let results = self.opaque(name, args, &widths, touches, may_synchronize);
        self.assemble(ty, &mut results.into_iter())
    }

    /// A value of a type out of one number for each of its leaves.
    pub(super) fn assemble(
        &mut self,
        ty: Type<'m>,
        leaves: &mut dyn Iterator<Item = ExprId>,
    ) -> Val {
        if scalar_width(ty).is_some() {
            return leaves.next().map_or(Val::Nothing, Val::Scalar);
        }
        if let TypeKind::Pointer(space) = ty.kind() {
            return match leaves.next() {
                Some(number) => {
                    let number = self.out.exprs().resize(number, 64);
                    Val::Pointer(self.pointer_from_number(number, space))
                }
                None => Val::Pointer(Pointer::nowhere()),
            };
        }
        match elements(ty) {
            Some(types) => {
                Val::Aggregate(types.into_iter().map(|t| self.assemble(t, leaves)).collect())
            }
            None => Val::Nothing,
        }
    }

    /// What an instruction or a constant expression computes from its operands; `None` where it has
    /// no model.
    pub(super) fn computed(&mut self, value: Value<'m>, opcode: Opcode) -> Option<Val> {
        let operand = |n: u32| value.operand(n);
        let inst = value.as_inst();
        let flagged = inst.filter(|_| !self.without_flags);
        match opcode {
            Opcode::GetElementPtr => Some(self.element_pointer(value)),
            Opcode::Freeze => self.frozen(operand(0)?),
            Opcode::AddrSpaceCast => {
                let inner = self.value(operand(0)?);
                Some(match (inner, value.ty().kind()) {
                    (Val::Pointer(p), TypeKind::Pointer(space)) => {
                        Val::Pointer(self.in_space(p, space))
                    }
                    (other, _) => other,
                })
            }
            Opcode::BitCast => self.bitcast(operand(0)?, value.ty()),
            Opcode::PtrToInt | Opcode::PtrToAddr => {
                let pointers = self.value(operand(0)?);
                self.per_element(value.ty(), &[pointers], &mut |lifter, lane, ty| {
                    let width = scalar_width(ty)?;
                    Some(Val::Scalar(lifter.as_bits(lane[0].clone(), width)))
                })
            }
            Opcode::IntToPtr => {
                let numbers = self.value(operand(0)?);
                let source = operand(0)?;
                self.per_element(value.ty(), &[numbers], &mut |lifter, lane, ty| {
                    let (Val::Scalar(number), TypeKind::Pointer(space)) = (&lane[0], ty.kind())
                    else {
                        return None;
                    };
                    let bits = lifter.module.pointer_bits(space).clamp(1, 64) as u8;
                    let number = lifter.out.exprs().resize(*number, bits);
                    let number = lifter.out.exprs().resize(number, 64);
                    Some(Val::Pointer(lifter.pointer_from_value(number, source, space)))
                })
            }
            Opcode::Select => {
                let (c, a, b) =
                    (self.value(operand(0)?), self.value(operand(1)?), self.value(operand(2)?));
                match c {
                    Val::Scalar(c) => Some(self.choose(c, a, b)),
                    Val::Aggregate(_) => {
                        self.per_element(value.ty(), &[c, a, b], &mut |lifter, lane, _| {
                            let Val::Scalar(c) = lane[0] else { return None };
                            Some(lifter.choose(c, lane[1].clone(), lane[2].clone()))
                        })
                    }
                    Val::Pointer(_) | Val::Nothing => None,
                }
            }
            Opcode::ICmp => {
                let Some(Predicate::Int(predicate)) = inst.and_then(|i| i.predicate()) else {
                    return None;
                };
                let (a, b) = (self.value(operand(0)?), self.value(operand(1)?));
                let inside = stays_inside(operand(0)?) && stays_inside(operand(1)?);
                let asks_for_callee = inst.is_some_and(|it| it.asks_for_callee(self.module));
                self.per_element(value.ty(), &[a, b], &mut |lifter, lane, _| {
                    Some(Val::Scalar(match (&lane[0], &lane[1]) {
                        (Val::Pointer(a), Val::Pointer(b)) if asks_for_callee => lifter.calls(a, b),
                        (Val::Pointer(a), Val::Pointer(b)) => {
                            lifter.compare_pointers(predicate, a, b, inside)
                        }
                        (Val::Scalar(a), Val::Scalar(b)) => lifter.compare(predicate, *a, *b),
                        _ => return None,
                    }))
                })
            }
            Opcode::FCmp => {
                let Some(Predicate::Float(predicate)) = inst.and_then(|i| i.predicate()) else {
                    return None;
                };
                let (a, b) = (self.value(operand(0)?), self.value(operand(1)?));
                self.per_element(value.ty(), &[a, b], &mut |lifter, lane, _| {
                    let (Val::Scalar(a), Val::Scalar(b)) = (&lane[0], &lane[1]) else {
                        return None;
                    };
                    let pool = lifter.out.exprs();
                    Some(Val::Scalar(match predicate {
                        FloatPredicate::False => pool.falsity(),
                        FloatPredicate::True => pool.truth(),
                        _ => pool.pure(&format!("fcmp.{}", predicate.name()), &[*a, *b], 1),
                    }))
                })
            }
            Opcode::Trunc | Opcode::ZExt | Opcode::SExt => {
                let a = self.value(operand(0)?);
                let nneg = flagged.is_some_and(|i| i.non_negative());
                self.per_element(value.ty(), &[a], &mut |lifter, lane, ty| {
                    let (Val::Scalar(a), Some(to)) = (&lane[0], scalar_width(ty)) else {
                        return None;
                    };
                    Some(Val::Scalar(lifter.widen(opcode, *a, to, nneg)))
                })
            }
            Opcode::FPToUI
            | Opcode::FPToSI
            | Opcode::UIToFP
            | Opcode::SIToFP
            | Opcode::FPTrunc
            | Opcode::FPExt
            | Opcode::FNeg
            | Opcode::FAdd
            | Opcode::FSub
            | Opcode::FMul
            | Opcode::FDiv
            | Opcode::FRem => {
                let args: Option<Vec<Val>> =
                    value.operands().map(|v| Some(self.value(v))).collect();
                self.pure_value(opcode.name(), &args?, value.ty())
            }
            Opcode::Add
            | Opcode::Sub
            | Opcode::Mul
            | Opcode::UDiv
            | Opcode::SDiv
            | Opcode::URem
            | Opcode::SRem
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor => {
                let (a, b) = (self.value(operand(0)?), self.value(operand(1)?));
                let flags = flagged.map_or(NoWrap::NONE, |i| NoWrap {
                    signed: i.no_signed_wrap(),
                    unsigned: i.no_unsigned_wrap(),
                });
                let disjoint = flagged.is_some_and(|i| i.is_disjoint());
                self.per_element(value.ty(), &[a, b], &mut |lifter, lane, _| {
                    let (Val::Scalar(a), Val::Scalar(b)) = (&lane[0], &lane[1]) else {
                        return None;
                    };
                    Some(Val::Scalar(lifter.integer(opcode, flags, disjoint, *a, *b)))
                })
            }
            Opcode::ExtractElement => self.extract_element(operand(0)?, operand(1)?),
            Opcode::InsertElement => self.insert_element(operand(0)?, operand(1)?, operand(2)?),
            Opcode::ShuffleVector => {
                let (a, b) = (self.value(operand(0)?), self.value(operand(1)?));
                let (Val::Aggregate(mut lanes), Val::Aggregate(second)) = (a, b) else {
                    return None;
                };
                lanes.extend(second);
                let TypeKind::Vector(_, element) = value.ty().kind() else { return None };
                let mask = inst?.shuffle_mask();
                let picked = mask.into_iter().map(|lane| {
                    lane.and_then(|n| lanes.get(n as usize).cloned())
                        .unwrap_or_else(|| self.undef_of(element))
                });
                Some(Val::Aggregate(picked.collect()))
            }
            Opcode::ExtractValue => {
                let mut at = self.value(operand(0)?);
                for index in inst?.indices() {
                    let Val::Aggregate(parts) = at else { return None };
                    at = parts.get(index as usize)?.clone();
                }
                // What has no counterpart stays visible as an operation.
                (at != Val::Nothing).then_some(at)
            }
            Opcode::InsertValue => {
                let (whole, part) = (self.value(operand(0)?), self.value(operand(1)?));
                insert(whole, &inst?.indices(), part)
            }
            _ => None,
        }
    }

    /// An integer operator.
    fn integer(
        &mut self,
        opcode: Opcode,
        flags: NoWrap,
        disjoint: bool,
        a: ExprId,
        b: ExprId,
    ) -> ExprId {
        let op = match opcode {
            Opcode::Add => BinOp::Add,
            Opcode::Sub => return self.difference(flags, a, b),
            Opcode::Mul => BinOp::Mul,
            Opcode::UDiv => BinOp::UDiv,
            Opcode::SDiv => BinOp::SDiv,
            Opcode::URem => BinOp::URem,
            Opcode::SRem => BinOp::SRem,
            Opcode::Shl => BinOp::Shl,
            Opcode::LShr => BinOp::LShr,
            Opcode::AShr => BinOp::AShr,
            Opcode::And => BinOp::And,
            // No bit of one meets a bit of the other: the sum has no carry.
            Opcode::Or if disjoint => {
                return self.out.exprs().binary_flagged(BinOp::Add, NoWrap::BOTH, a, b);
            }
            _ if opcode == Opcode::Or => BinOp::Or,
            _ => BinOp::Xor,
        };
        if self.out.exprs().width(a) == 1 {
            match op {
                BinOp::And => return super::predicate::both(self.out.exprs(), a, b),
                BinOp::Or => return super::predicate::either(self.out.exprs(), a, b),
                _ => {}
            }
        }
        self.out.exprs().binary_flagged(op, flags, a, b)
    }

    /// `trunc`, `zext`, `sext`.
    fn widen(&mut self, opcode: Opcode, a: ExprId, to: u8, nneg: bool) -> ExprId {
        let pool = self.out.exprs();
        let op = match opcode {
            Opcode::Trunc => CastOp::Trunc,
            Opcode::SExt => CastOp::Sext,
            // Either extension gives the same; the one that a sum without signed overflow passes
            // through is more use.
            _ if nneg => match pool[a].kind {
                heddle_ir::ExprKind::Binary(_, NoWrap { signed: true, unsigned: false }, ..) => {
                    CastOp::Sext
                }
                _ => CastOp::Zext,
            },
            _ => CastOp::Zext,
        };
        if (pool.width(a) > to) == (op == CastOp::Trunc) {
            pool.cast(op, a, to)
        } else {
            pool.resize(a, to)
        }
    }

    /// A function of its arguments alone, element by element.
    pub(super) fn pure_value(&mut self, name: &str, args: &[Val], ty: Type<'m>) -> Option<Val> {
        self.per_element(ty, args, &mut |lifter, lane, ty| {
            let width = scalar_width(ty)?;
            let args: Option<Vec<ExprId>> = lane
                .iter()
                .map(|v| match v {
                    Val::Scalar(e) => Some(*e),
                    Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => None,
                })
                .collect();
            Some(Val::Scalar(lifter.out.exprs().pure(name, &args?, width)))
        })
    }
}

/// The widths of the numbers in a type, in order; a pointer counts as its address.
pub(super) fn leaf_widths(ty: Type<'_>, out: &mut Vec<u8>) {
    if let Some(width) = scalar_width(ty) {
        out.push(width);
    } else if matches!(ty.kind(), TypeKind::Pointer(_)) {
        out.push(64);
    } else if let Some(types) = elements(ty) {
        types.into_iter().for_each(|t| leaf_widths(t, out));
    }
}

fn is_memory(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Load
            | Opcode::Store
            | Opcode::AtomicRmw
            | Opcode::CmpXchg
            | Opcode::Fence
            | Opcode::VAArg
            | Opcode::Call
            | Opcode::Invoke
            | Opcode::CallBr
    )
}
