//! Expressions: types as in C, conversions, addresses.
//!
//! **Promises**: an expression leaves one value on the stack, or none if it is `void`; an array and
//! a structure leave their address. **Does not**: convert pointers to integers, or have structures
//! as values of calls.

use crate::code::{Kind, Op, PRIVATE, Value, address};
use crate::layout::{common, field, promoted, size_and_align};
use crate::lower::{Home, Lower, kind_of};
use crate::parse_expr::vector_type;
use crate::syntax::{BinOp, Expr, IntTy, Language, Special, Ty, UnOp};

/// Something that can be stored to. Of memory, the address is on the stack.
pub(crate) enum Target {
    Slot(u16, Ty),
    Memory(Ty),
}

/// What is about to be done with a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write,
    Address,
}

impl Lower<'_> {
    pub(crate) fn push_int(&mut self, value: u64) {
        self.ops.push(Op::Push(Value::new(value)));
    }

    fn target(&mut self, expr: &Expr, using: Use) -> Result<Target, String> {
        match expr {
            Expr::Name(name) => {
                let variable = self.variable(name)?;
                Ok(match variable.home {
                    Home::Slot(slot) => Target::Slot(slot, variable.ty),
                    Home::Private(at) => {
                        self.push_int(address(PRIVATE, at));
                        Target::Memory(variable.ty)
                    }
                    Home::At(at) => {
                        self.push_int(at);
                        Target::Memory(variable.ty)
                    }
                })
            }
            Expr::Index(base, index) => {
                let Ty::Ptr(to) = self.expr(base)? else { return Err("index".to_owned()) };
                let Ty::Int(_) = self.expr(index)? else { return Err("index".to_owned()) };
                if let Some(Ty::Array(_, length)) = self.array(base) {
                    let is_row = !matches!(**base, Expr::Name(_));
                    self.ops.push(Op::Within { length, is_row });
                }
                let (size, _) = size_and_align(self.program, &to)?;
                self.ops.push(Op::Offset(size as i64));
                Ok(Target::Memory(*to))
            }
            Expr::Unary(UnOp::Deref, base) => {
                let Ty::Ptr(to) = self.expr(base)? else { return Err("*".to_owned()) };
                size_and_align(self.program, &to)?;
                Ok(Target::Memory(*to))
            }
            Expr::Member(base, name, arrow) => {
                let ty = if *arrow {
                    let Ty::Ptr(to) = self.expr(base)? else { return Err("->".to_owned()) };
                    *to
                } else {
                    match self.target(base, Use::Address)? {
                        Target::Memory(ty) => ty,
                        Target::Slot(..) => return Err("field of a scalar".to_owned()),
                    }
                };
                self.whole_vector(&ty, using)?;
                let (offset, ty) = field(self.program, &ty, name)?;
                if offset != 0 {
                    self.push_int(offset);
                    self.ops.push(Op::Offset(1));
                }
                Ok(Target::Memory(ty))
            }
            _ => Err("not something to store to".to_owned()),
        }
    }

    /// The type of an array that is named, or of a row of one.
    fn array(&self, expr: &Expr) -> Option<Ty> {
        match expr {
            Expr::Name(name) => self.variable(name).ok().map(|it| it.ty),
            Expr::Index(base, _) => match self.array(base)? {
                Ty::Array(of, _) => Some(*of),
                _ => None,
            },
            _ => None,
        }
    }

    /// OpenCL's vectors are vectors of the compiler's IR: who reads one component reads them all,
    /// and who stores to one reads them all and stores them all. CUDA's are structures, whose
    /// components stand for themselves.
    fn whole_vector(&mut self, ty: &Ty, using: Use) -> Result<(), String> {
        let Ty::Aggregate(name) = ty else { return Ok(()) };
        let own = self.program.aggregates.iter().any(|it| it.name == *name);
        let opencl = self.program.language == Language::OpenCl;
        let (true, false, Some((component, count))) = (opencl, own, vector_type(name)) else {
            return Ok(());
        };
        let kind = kind_of(&component).ok_or("component")?;
        for index in 0..count {
            let parts = match using {
                Use::Read => &[Op::Load(kind)][..],
                Use::Write => &[Op::Dup, Op::Load(kind), Op::Store(kind)],
                Use::Address => return Ok(()),
            };
            self.ops.push(Op::Dup);
            self.push_int(index * kind.bytes());
            self.ops.push(Op::Offset(1));
            self.ops.extend(parts.iter().cloned());
            self.ops.push(Op::Pop);
        }
        Ok(())
    }

    /// Reads what the address on the stack is of.
    fn load(&mut self, ty: Ty) -> Ty {
        match (&ty, kind_of(&ty)) {
            (_, Some(kind)) => {
                self.ops.push(Op::Load(kind));
                ty
            }
            (Ty::Array(of, _), None) => of.clone().pointer(),
            (_, None) => ty,
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr) -> Result<Ty, String> {
        match expr {
            Expr::Int(value, ty) => {
                self.push_int(*value);
                Ok(Ty::Int(*ty))
            }
            Expr::Real(value, true) => {
                self.push_int(u64::from((*value as f32).to_bits()));
                Ok(Ty::Float)
            }
            Expr::Real(value, false) => {
                self.push_int(value.to_bits());
                Ok(Ty::Double)
            }
            Expr::Special { what, dim, wide } => {
                if *dim > 2 || matches!(what, Special::Global | Special::GlobalSize) && !wide {
                    return Err("dimension".to_owned());
                }
                self.ops.push(Op::Special(*what, *dim));
                Ok(Ty::Int(if *wide { IntTy::ULONG } else { IntTy::UINT }))
            }
            Expr::SizeOf(ty) => {
                let (size, _) = size_and_align(self.program, ty)?;
                self.push_int(size);
                Ok(Ty::Int(IntTy::ULONG))
            }
            Expr::Name(_) | Expr::Index(..) | Expr::Member(..) | Expr::Unary(UnOp::Deref, _) => {
                match self.target(expr, Use::Read)? {
                    Target::Slot(slot, ty) => {
                        self.ops.push(Op::Slot(slot));
                        Ok(ty)
                    }
                    Target::Memory(ty) => Ok(self.load(ty)),
                }
            }
            Expr::Unary(UnOp::Address, of) => match self.target(of, Use::Address)? {
                Target::Slot(..) => Err("the address of a register".to_owned()),
                Target::Memory(ty) => Ok(ty.pointer()),
            },
            Expr::Unary(op, of) => self.unary(*op, of),
            Expr::Step { prefix, up, of } => self.step(*prefix, *up, of),
            Expr::Assign(None, to, from) => self.assign(to, from),
            Expr::Assign(Some(op), to, from) => self.update(*op, to, from),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Select(condition, then, other) => self.select(condition, then, other),
            Expr::Cast(ty, of) => {
                let from = self.expr(of)?;
                match (&from, ty) {
                    (Ty::Ptr(_), Ty::Ptr(_)) => {}
                    (Ty::Void, _) | (_, Ty::Ptr(_)) => return Err("a cast".to_owned()),
                    (Ty::Ptr(_), Ty::Int(to)) if *to != IntTy::BOOL => {
                        return Err("a pointer as a number".to_owned());
                    }
                    _ => self.convert(&from, ty)?,
                }
                Ok(ty.clone())
            }
            Expr::Call(name, args) => {
                match self.program.functions.iter().find(|it| it.name == *name) {
                    Some(function) => {
                        let function = function.clone();
                        self.call(&function, args)
                    }
                    None => self.builtin(name, args),
                }
            }
        }
    }

    /// Converts the value on the stack.
    pub(crate) fn convert(&mut self, from: &Ty, to: &Ty) -> Result<(), String> {
        if let Some(op) = conversion(from, to)? {
            self.ops.push(op);
        }
        Ok(())
    }

    /// Keeps a place for the conversion of the value on the stack, to be known when the other
    /// operand is.
    fn reserve(&mut self) -> usize {
        self.ops.push(Op::Nothing);
        self.ops.len() - 1
    }

    fn convert_at(&mut self, at: usize, from: &Ty, to: &Ty) -> Result<(), String> {
        if let Some(op) = conversion(from, to)? {
            self.ops[at] = op;
        }
        Ok(())
    }

    fn unary(&mut self, op: UnOp, of: &Expr) -> Result<Ty, String> {
        if op == UnOp::Not {
            self.condition(of)?;
            self.ops.push(Op::Not);
            return Ok(Ty::INT);
        }
        match (op, self.expr(of)?) {
            (UnOp::Neg, Ty::Int(ty)) => {
                let ty = promoted(ty);
                self.ops.push(Op::NegInt(ty));
                Ok(Ty::Int(ty))
            }
            (UnOp::BitNot, Ty::Int(ty)) => {
                let ty = promoted(ty);
                self.ops.push(Op::NotBits(ty));
                Ok(Ty::Int(ty))
            }
            (UnOp::Neg, ty @ (Ty::Float | Ty::Double)) => {
                self.ops.push(Op::NegReal(ty == Ty::Float));
                Ok(ty)
            }
            _ => Err("operand".to_owned()),
        }
    }

    fn assign(&mut self, to: &Expr, from: &Expr) -> Result<Ty, String> {
        match self.target(to, Use::Write)? {
            Target::Slot(slot, ty) => {
                let of = self.expr(from)?;
                self.convert(&of, &ty)?;
                self.ops.push(Op::Dup);
                self.ops.push(Op::SetSlot(slot));
                Ok(ty)
            }
            Target::Memory(ty) => {
                let of = self.expr(from)?;
                match kind_of(&ty) {
                    Some(kind) => {
                        self.convert(&of, &ty)?;
                        self.store(kind);
                        Ok(ty)
                    }
                    None if of == ty && matches!(ty, Ty::Aggregate(_)) => {
                        let (size, _) = size_and_align(self.program, &ty)?;
                        self.ops.push(Op::Copy(size));
                        Ok(Ty::Void)
                    }
                    None => Err("assignment".to_owned()),
                }
            }
        }
    }

    /// `a op= b`: the operation in the common type, the result in that of `a`.
    fn update(&mut self, op: BinOp, to: &Expr, from: &Expr) -> Result<Ty, String> {
        let target = self.target(to, Use::Write)?;
        let (Target::Slot(_, ty) | Target::Memory(ty)) = &target;
        let ty = ty.clone();
        let kind = kind_of(&ty).ok_or("assignment")?;
        match &target {
            Target::Slot(slot, _) => self.ops.push(Op::Slot(*slot)),
            Target::Memory(_) => {
                self.ops.push(Op::Dup);
                self.ops.push(Op::Load(kind));
            }
        }
        let at = self.reserve();
        let other = self.expr(from)?;
        let result = self.operate(op, &ty, at, &other)?;
        self.convert(&result, &ty)?;
        match target {
            Target::Slot(slot, _) => {
                self.ops.push(Op::Dup);
                self.ops.push(Op::SetSlot(slot));
            }
            Target::Memory(_) => self.store(kind),
        }
        Ok(ty)
    }

    fn step(&mut self, prefix: bool, up: bool, of: &Expr) -> Result<Ty, String> {
        let op = if up { BinOp::Add } else { BinOp::Sub };
        if prefix {
            return self.update(op, of, &Expr::int(1));
        }
        let target = self.target(of, Use::Write)?;
        let (Target::Slot(_, ty) | Target::Memory(ty)) = &target;
        let ty = ty.clone();
        let kind = kind_of(&ty).ok_or("++")?;
        let old = self.slot();
        let place = self.slot();
        match &target {
            Target::Slot(slot, _) => self.ops.push(Op::Slot(*slot)),
            Target::Memory(_) => {
                self.ops.extend([Op::Dup, Op::SetSlot(place)]);
                self.ops.push(Op::Load(kind));
            }
        }
        self.ops.push(Op::SetSlot(old));
        if matches!(target, Target::Memory(_)) {
            self.ops.push(Op::Slot(place));
        }
        self.ops.push(Op::Slot(old));
        let at = self.reserve();
        let one = self.expr(&Expr::int(1))?;
        let result = self.operate(op, &ty, at, &one)?;
        self.convert(&result, &ty)?;
        match target {
            Target::Slot(slot, _) => self.ops.push(Op::SetSlot(slot)),
            Target::Memory(_) => {
                self.store(kind);
                self.ops.push(Op::Pop);
            }
        }
        self.ops.push(Op::Slot(old));
        Ok(ty)
    }

    fn binary(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Result<Ty, String> {
        match op {
            BinOp::Comma => {
                if self.expr(a)? != Ty::Void {
                    self.ops.push(Op::Pop);
                }
                self.expr(b)
            }
            BinOp::LogAnd | BinOp::LogOr => {
                self.condition(a)?;
                let and = op == BinOp::LogAnd;
                let past = self.jump(if and { Op::JumpUnless } else { Op::JumpIf });
                self.condition(b)?;
                let end = self.jump(Op::Jump);
                self.land(past);
                self.push_int(u64::from(!and));
                self.land(end);
                Ok(Ty::INT)
            }
            _ => {
                let first = self.expr(a)?;
                let at = self.reserve();
                let second = self.expr(b)?;
                self.operate(op, &first, at, &second)
            }
        }
    }

    /// Both operands are on the stack, the first with a place for its conversion after it.
    fn operate(&mut self, op: BinOp, a: &Ty, at: usize, b: &Ty) -> Result<Ty, String> {
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        match (a, b) {
            (Ty::Int(a), Ty::Int(b)) if shift => {
                let ty = promoted(*a);
                let _ = b;
                self.ops.push(Op::Int(op, ty));
                Ok(Ty::Int(ty))
            }
            (Ty::Int(x), Ty::Int(y)) => {
                let ty = common(*x, *y);
                self.convert_at(at, a, &Ty::Int(ty))?;
                self.convert(b, &Ty::Int(ty))?;
                if op.is_comparison() {
                    self.ops.push(Op::Compare(op, ty.signed));
                    return Ok(Ty::INT);
                }
                self.ops.push(Op::Int(op, ty));
                Ok(Ty::Int(ty))
            }
            (Ty::Float | Ty::Double | Ty::Int(_), Ty::Float | Ty::Double | Ty::Int(_)) => {
                let double = *a == Ty::Double || *b == Ty::Double;
                let ty = if double { Ty::Double } else { Ty::Float };
                self.convert_at(at, a, &ty)?;
                self.convert(b, &ty)?;
                if op.is_comparison() {
                    self.ops.push(Op::RealCompare(op, !double));
                    return Ok(Ty::INT);
                }
                if op.level() < 12 || op == BinOp::Rem {
                    return Err("operator of real numbers".to_owned());
                }
                self.ops.push(Op::Real(op, !double));
                Ok(ty)
            }
            (Ty::Ptr(to), Ty::Int(_)) if matches!(op, BinOp::Add | BinOp::Sub) => {
                let (size, _) = size_and_align(self.program, to)?;
                let size = if op == BinOp::Sub { -(size as i64) } else { size as i64 };
                self.ops.push(Op::Offset(size));
                Ok(a.clone())
            }
            (Ty::Ptr(x), Ty::Ptr(y)) if x == y && op == BinOp::Sub => {
                let (size, _) = size_and_align(self.program, x)?;
                self.ops.push(Op::Distance(size as i64));
                Ok(Ty::Int(IntTy::LONG))
            }
            (Ty::Ptr(x), Ty::Ptr(y)) if x == y && op.is_comparison() => {
                self.ops.push(Op::Compare(op, false));
                Ok(Ty::INT)
            }
            _ => Err("operands".to_owned()),
        }
    }

    fn select(&mut self, condition: &Expr, then: &Expr, other: &Expr) -> Result<Ty, String> {
        self.condition(condition)?;
        let past = self.jump(Op::JumpUnless);
        let first = self.expr(then)?;
        let at = self.reserve();
        let end = self.jump(Op::Jump);
        self.land(past);
        let second = self.expr(other)?;
        let ty = match (&first, &second) {
            (Ty::Int(a), Ty::Int(b)) if a == b => Ty::Int(*a),
            (Ty::Int(a), Ty::Int(b)) => Ty::Int(common(*a, *b)),
            (Ty::Ptr(a), Ty::Ptr(b)) if a == b => first.clone(),
            (Ty::Void | Ty::Ptr(_) | Ty::Aggregate(_) | Ty::Array(..), _)
            | (_, Ty::Void | Ty::Ptr(_) | Ty::Aggregate(_) | Ty::Array(..)) => {
                return Err("? :".to_owned());
            }
            (a, b) if *a == Ty::Double || *b == Ty::Double => Ty::Double,
            _ => Ty::Float,
        };
        self.convert_at(at, &first, &ty)?;
        self.convert(&second, &ty)?;
        self.land(end);
        Ok(ty)
    }
}

/// The instruction that converts, if one is needed.
fn conversion(from: &Ty, to: &Ty) -> Result<Option<Op>, String> {
    Ok(match (from, to) {
        (Ty::Int(_) | Ty::Float | Ty::Double | Ty::Ptr(_), Ty::Int(IntTy::BOOL)) => match from {
            Ty::Int(IntTy::BOOL) => None,
            Ty::Int(ty) => Some(Op::Truth(Kind::Int(*ty))),
            Ty::Float => Some(Op::Truth(Kind::Float)),
            Ty::Double => Some(Op::Truth(Kind::Double)),
            _ => Some(Op::Truth(Kind::Pointer)),
        },
        (Ty::Int(a), Ty::Int(b)) => (a != b).then_some(Op::ToInt(*b)),
        (Ty::Int(a), Ty::Float) => Some(Op::IntToReal(a.signed, true)),
        (Ty::Int(a), Ty::Double) => Some(Op::IntToReal(a.signed, false)),
        (Ty::Float, Ty::Int(b)) => Some(Op::RealToInt(true, *b)),
        (Ty::Double, Ty::Int(b)) => Some(Op::RealToInt(false, *b)),
        (Ty::Float, Ty::Double) => Some(Op::RealToReal(false)),
        (Ty::Double, Ty::Float) => Some(Op::RealToReal(true)),
        (Ty::Float, Ty::Float) | (Ty::Double, Ty::Double) => None,
        (Ty::Ptr(a), Ty::Ptr(b)) if a == b => None,
        _ => return Err(format!("{from:?} as {to:?}")),
    })
}
