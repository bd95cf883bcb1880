//! Values of LLVM as expressions.
//!
//! **What**: an expression with the value that the host computes, over unknowns.
//! **Method**: by the instruction. An instruction that computes from integers and addresses is an
//! operator; all others are unknowns, each instruction one.
//! **Sound because** the operators are those of LLVM ([`heddle_ir`] says so, and `tests/fold` holds
//! it). A flag is kept where the host uses the value whatever else is so: not below a `select`.
//! **Misses**: floats (but for [`rounded`](super::rounded)), vectors, widths above 64, memory.
//! **Assumes**: nothing.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap};

use super::inlining::ALLOCATED;
use super::reader::Reader;
use super::{Held, Unknown};
use heddle_llvm::{
    Function, Inst, IntPredicate, Opcode, Predicate, Type, TypeKind, Value, ValueKind,
};

/// How deep expressions are followed.
const DEEPEST: usize = 60;

/// An expression shifted right by a constant, zeros in; looks through how LLVM packs two numbers of
/// 32 bits.
pub(super) fn shifted(pool: &mut ExprPool, whole: ExprId, by: u8) -> ExprId {
    if by == 0 {
        return whole;
    }
    let width = pool.width(whole);
    match pool[whole].kind {
        ExprKind::Binary(BinOp::Or, _, a, b) => {
            let (a, b) = (shifted(pool, a, by), shifted(pool, b, by));
            return pool.or(a, b);
        }
        // A mask of no more bits than go.
        ExprKind::Binary(BinOp::And, _, _, mask)
            if pool.as_const(mask).is_some_and(|it| it >> by == 0) =>
        {
            return pool.constant(0, width);
        }
        // What was widened from no more bits than go.
        ExprKind::Cast(CastOp::Zext, inner) if pool.width(inner) <= by => {
            return pool.constant(0, width);
        }
        ExprKind::Binary(BinOp::Shl, _, inner, amount) => {
            if let (ExprKind::Cast(CastOp::Zext, narrow), Some(shift)) =
                (&pool[inner].kind, pool.as_const(amount))
                && shift == u128::from(by)
                && u128::from(pool.width(*narrow)) + shift <= u128::from(width)
            {
                return inner;
            }
        }
        _ => {}
    }
    let amount = pool.constant(u128::from(by), width);
    pool.binary(BinOp::LShr, whole, amount)
}

/// The low bits of an expression.
pub(super) fn narrowed(pool: &mut ExprPool, whole: ExprId, width: u8) -> ExprId {
    let from = pool.width(whole);
    if from == width {
        return whole;
    }
    if from < width {
        return pool.cast(CastOp::Zext, whole, width);
    }
    match pool[whole].kind {
        ExprKind::Binary(op @ (BinOp::Or | BinOp::And), _, a, b) => {
            let (a, b) = (narrowed(pool, a, width), narrowed(pool, b, width));
            return pool.binary(op, a, b);
        }
        ExprKind::Binary(BinOp::Shl, _, _, amount)
            if pool.as_const(amount).is_some_and(|it| it >= u128::from(width)) =>
        {
            return pool.constant(0, width);
        }
        ExprKind::Cast(_, inner) if pool.width(inner) >= width => {
            return narrowed(pool, inner, width);
        }
        ExprKind::Cast(op, inner) => return pool.cast(op, inner, width),
        _ => {}
    }
    pool.cast(CastOp::Trunc, whole, width)
}

impl<'m> Reader<'_, 'm> {
    /// The expression of a value of at most 64 bits; an address has 64. `strict`: the host uses it
    /// whatever else is so.
    pub(super) fn value(&mut self, value: Value<'m>, strict: bool, depth: usize) -> ExprId {
        if let Some(&known) = self.read.get(&(value, strict)) {
            return known;
        }
        let width = self.width(value.ty());
        let expr = match value.kind() {
            ValueKind::ConstInt => {
                let bits = value.const_int().unwrap_or_default();
                self.pool.constant(bits, width)
            }
            ValueKind::Null => self.pool.constant(0, width),
            ValueKind::Instruction if depth < DEEPEST && self.left > 0 => {
                self.left -= 1;
                let inst = value.as_inst();
                let computed = inst.and_then(|it| self.computed(it, width, strict, depth + 1));
                match computed {
                    Some(expr) if self.pool.width(expr) == width => expr,
                    Some(_) | None => self.unknown(value, width),
                }
            }
            ValueKind::ConstExpr if value.const_opcode() == Some(Opcode::GetElementPtr) => {
                let computed = self.address(value, strict, depth);
                computed.unwrap_or_else(|| self.unknown(value, width))
            }
            _ => self.unknown(value, width),
        };
        self.read.insert((value, strict), expr);
        expr
    }

    /// The bits of a type, as far as it has values here.
    pub(super) fn width(&self, ty: Type<'m>) -> u8 {
        match ty.kind() {
            TypeKind::Int(bits) if bits <= 128 => bits as u8,
            _ => 64,
        }
    }

    /// What an unknown is called: by the variable or the parameter that has it, by the function
    /// that gave it, or by a number of its own.
    fn name_of(&self, value: Value<'m>, callee: Option<Function<'m>>) -> String {
        let is_taken = |name: &String| self.unknowns.iter().any(|it| it.name == *name);
        match (value.as_inst(), callee) {
            (Some(inst), Some(callee)) if is_of_call(inst) => {
                let name = super::names::shown(&callee.name());
                let numbered = (2..).map(|n| format!("{name}{n}"));
                let mut all = std::iter::once(name.clone()).chain(numbered);
                all.find(|it| !is_taken(it)).unwrap_or(name)
            }
            (Some(inst), _) if !is_of_variable(inst) => {
                let mut all = (1..).map(|n| format!("host.{n}"));
                all.find(|it| !is_taken(it)).unwrap_or_default()
            }
            (Some(_) | None, _) => value.name().split('.').next().unwrap_or_default().to_owned(),
        }
    }

    pub(super) fn unknown(&mut self, value: Value<'m>, width: u8) -> ExprId {
        // Each use of what has no value may have another one.
        let is_nothing = matches!(value.kind(), ValueKind::Undef | ValueKind::Poison);
        if let (Some(&known), false) = (self.known.get(&value), is_nothing) {
            return known;
        }
        let inst = value.as_inst();
        let callee = inst.filter(|it| it.is_call()).and_then(Inst::called_function);
        let allocation = callee.filter(|it| it.name() == ALLOCATED).zip(inst).map(|(_, inst)| {
            self.allocations.push(inst);
            self.allocations.len() as u32
        });
        if let Some(phi) = inst.filter(|it| it.opcode() == Opcode::Phi) {
            self.phis.push(phi);
        }
        let name = self.name_of(value, callee);
        let expr = self.pool.param(self.unknowns.len() as u32, width);
        let is_address = matches!(value.ty().kind(), TypeKind::Pointer(_));
        let is_parameter = value.as_argument().is_some();
        let index = self.unknowns.len();
        let computes = inst.is_some_and(is_computation);
        self.unknowns.push(Unknown {
            width,
            name,
            is_parameter,
            is_address,
            is_input: inst.is_some_and(Inst::is_call) && !computes,
            computed_of: computes.then(Vec::new),
            allocation,
            bytes: None,
            read_from: None,
            held: Held::default(),
            may_be: Vec::new(),
            joined: None,
            alike: if is_address { self.alike.groups_of(value) } else { Vec::new() },
        });
        self.known.insert(value, expr);
        // The operands of a call that comes before each launch have the values at the launch that
        // they had for the call, which was made.
        let size = allocation.and(inst).and_then(|it| it.arguments().first().copied());
        let bytes = size.map(|it| self.value(it, true, 0));
        self.unknowns[index].bytes = bytes;
        // A structure may be copied as numbers, its pointers among them.
        let may_be_address = is_address || width == 64;
        let load = inst.filter(|it| may_be_address && it.opcode() == Opcode::Load);
        let place = load.and_then(Inst::pointer_operand).map(|it| self.value(it, false, 0));
        self.unknowns[index].read_from = place;
        if let Some(load) = load {
            self.unknowns[index].held = self.held(load);
        }
        expr
    }

    fn computed(
        &mut self,
        inst: Inst<'m>,
        width: u8,
        strict: bool,
        depth: usize,
    ) -> Option<ExprId> {
        let small = |it: Value<'m>| match it.ty().kind() {
            TypeKind::Int(bits) => bits <= 64,
            TypeKind::Pointer(_) => true,
            _ => false,
        };
        if matches!(inst.opcode(), Opcode::FPToSI | Opcode::FPToUI) {
            return self.rounded(inst, width, depth);
        }
        if !inst.is_call() && !inst.operands().all(small) {
            return None;
        }
        let of = |reader: &mut Self, n: u32, strict: bool| -> Option<ExprId> {
            Some(reader.value(inst.operand(n)?, strict, depth))
        };
        let flags = match strict {
            true => NoWrap { signed: inst.no_signed_wrap(), unsigned: inst.no_unsigned_wrap() },
            false => NoWrap::NONE,
        };
        if let Some(op) = operator(inst.opcode()) {
            let (a, b) = (of(self, 0, strict)?, of(self, 1, strict)?);
            return Some(self.pool.binary_flagged(op, flags, a, b));
        }
        Some(match inst.opcode() {
            Opcode::ICmp => {
                let Predicate::Int(predicate) = inst.predicate()? else { return None };
                let operands = [inst.operand(0)?, inst.operand(1)?];
                if let Some(bits) = self.compared_bits(predicate, operands, strict, depth) {
                    return Some(bits);
                }
                let (a, b) = (of(self, 0, strict)?, of(self, 1, strict)?);
                compared(&mut self.pool, predicate, a, b)
            }
            Opcode::Select => {
                let condition = of(self, 0, strict)?;
                let (a, b) = (of(self, 1, false)?, of(self, 2, false)?);
                match width {
                    // `a && b`, `a || b`
                    1 => {
                        let (yes, not) = (self.pool.and(condition, a), self.pool.not(condition));
                        let no = self.pool.and(not, b);
                        match (self.pool.as_const(a), self.pool.as_const(b)) {
                            (_, Some(0)) => yes,
                            (Some(1), _) => self.pool.or(condition, b),
                            _ => self.pool.or(yes, no),
                        }
                    }
                    _ => self.pool.select(condition, a, b),
                }
            }
            Opcode::ZExt => {
                let a = of(self, 0, strict)?;
                self.pool.cast(CastOp::Zext, a, width)
            }
            Opcode::SExt => {
                let a = of(self, 0, strict)?;
                self.pool.cast(CastOp::Sext, a, width)
            }
            Opcode::Trunc => {
                let a = of(self, 0, strict)?;
                narrowed(&mut self.pool, a, width)
            }
            Opcode::PtrToInt | Opcode::IntToPtr | Opcode::BitCast => {
                let a = of(self, 0, strict)?;
                (self.pool.width(a) == width).then_some(a)?
            }
            Opcode::GetElementPtr => return self.address(inst.as_value(), strict, depth),
            Opcode::Call => return self.called(inst, strict, depth),
            _ => return None,
        })
    }

    /// A pointer and bytes beyond it.
    fn address(&mut self, step: Value<'m>, strict: bool, depth: usize) -> Option<ExprId> {
        let mut at = self.value(step.operand(0)?, strict, depth);
        let mut over = step.gep_source_type()?;
        for n in 1..step.operand_count() {
            let index = step.operand(n)?;
            if n > 1 {
                over = match over.kind() {
                    TypeKind::Array(_, element) => element,
                    TypeKind::Struct { opaque: false } => {
                        let field = u32::try_from(index.const_int()?).ok()?;
                        let bytes = u128::from(over.field_offset(self.module, field)?);
                        let bytes = self.pool.constant(bytes, 64);
                        at = self.pool.add(at, bytes);
                        over = *over.fields().get(field as usize)?;
                        continue;
                    }
                    _ => return None,
                };
            }
            let each = self.pool.constant(u128::from(over.alloc_size(self.module)?), 64);
            let index = self.value(index, strict, depth);
            let index = self.pool.cast(CastOp::Sext, index, 64);
            let bytes = self.pool.mul(index, each);
            at = self.pool.add(at, bytes);
        }
        Some(at)
    }

    /// Functions of LLVM that compute.
    fn called(&mut self, inst: Inst<'m>, strict: bool, depth: usize) -> Option<ExprId> {
        let name = inst.called_function().map(Function::name)?;
        let op = match name.rsplit_once('.')?.0 {
            "llvm.umin" => BinOp::UMin,
            "llvm.umax" => BinOp::UMax,
            "llvm.smin" => BinOp::SMin,
            "llvm.smax" => BinOp::SMax,
            _ => return None,
        };
        let given = inst.arguments();
        let [a, b] = given[..] else { return None };
        matches!(a.ty().kind(), TypeKind::Int(..=64)).then_some(())?;
        let (a, b) = (self.value(a, strict, depth), self.value(b, strict, depth));
        Some(self.pool.binary(op, a, b))
    }
}

fn operator(opcode: Opcode) -> Option<BinOp> {
    Some(match opcode {
        Opcode::Add => BinOp::Add,
        Opcode::Sub => BinOp::Sub,
        Opcode::Mul => BinOp::Mul,
        Opcode::UDiv => BinOp::UDiv,
        Opcode::SDiv => BinOp::SDiv,
        Opcode::URem => BinOp::URem,
        Opcode::SRem => BinOp::SRem,
        Opcode::Shl => BinOp::Shl,
        Opcode::LShr => BinOp::LShr,
        Opcode::AShr => BinOp::AShr,
        Opcode::And => BinOp::And,
        Opcode::Or => BinOp::Or,
        Opcode::Xor => BinOp::Xor,
        _ => return None,
    })
}

fn compared(pool: &mut ExprPool, predicate: IntPredicate, a: ExprId, b: ExprId) -> ExprId {
    match predicate {
        IntPredicate::Eq => pool.eq(a, b),
        IntPredicate::Ne => pool.ne(a, b),
        IntPredicate::Ugt => pool.cmp(CmpOp::Ult, b, a),
        IntPredicate::Uge => pool.cmp(CmpOp::Ule, b, a),
        IntPredicate::Ult => pool.cmp(CmpOp::Ult, a, b),
        IntPredicate::Ule => pool.cmp(CmpOp::Ule, a, b),
        IntPredicate::Sgt => pool.cmp(CmpOp::Slt, b, a),
        IntPredicate::Sge => pool.cmp(CmpOp::Sle, b, a),
        IntPredicate::Slt => pool.cmp(CmpOp::Slt, a, b),
        IntPredicate::Sle => pool.cmp(CmpOp::Sle, a, b),
    }
}

/// Whether a result has no name but the one that Clang gives calls.
fn is_of_call(inst: Inst<'_>) -> bool {
    let name = inst.as_value().name();
    let number = name.split('.').next().and_then(|it| it.strip_prefix("call"));
    inst.is_call() && number.is_some_and(|it| it.is_empty() || it.parse::<u32>().is_ok())
}

/// Whether an instruction may have the name of a variable: of a load or a call, and of what joins
/// the values of a variable, which LLVM numbers. Others have the names that Clang gives to what it
/// computes on the way.
fn is_of_variable(inst: Inst<'_>) -> bool {
    let name = inst.as_value().name();
    let is_numbered = || {
        let number = name.rsplit_once('.').map(|(_, it)| it);
        number.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    };
    match inst.opcode() {
        Opcode::Phi => is_numbered(),
        Opcode::Load | Opcode::Call | Opcode::Invoke | Opcode::Alloca => true,
        _ => false,
    }
}

/// Whether an instruction computes what it gives from its operands: a call only where its function
/// does nothing else.
fn is_computation(inst: Inst<'_>) -> bool {
    const COMPUTE: [&str; 10] = [
        "abs", "ffs", "labs", "llabs", "llrint", "llround", "lrint", "lrintf", "lround", "lroundf",
    ];
    let of = inst.called_function().map(Function::name);
    match inst.opcode() {
        Opcode::Call => of.is_some_and(|it| it.starts_with("llvm.") || COMPUTE.contains(&&*it)),
        Opcode::Phi | Opcode::Load | Opcode::Invoke | Opcode::Alloca => false,
        _ => true,
    }
}
