//! What a value of LLVM IR is while it is lifted, and how it crosses loops and joins.
//!
//! A number is an expression, a pointer a list of places, a vector or an aggregate the list of its
//! elements. Integers beyond 128 bits and tokens have no counterpart: they are [`Val::Nothing`],
//! and what is made of them is unknown.

use heddle_ir::{CastOp, ExprId, ExprKind, LoopId};

use super::Lifter;
use super::pointer::Pointer;
use heddle_llvm::{Type, TypeKind, Value, ValueKind};

/// A lifted value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Val {
    /// An integer or a float, as bits.
    Scalar(ExprId),
    /// A pointer.
    Pointer(Pointer),
    /// The elements of a vector, an array or a struct.
    Aggregate(Vec<Val>),
    /// Something without counterpart: `void`, a token, an integer of more than 128 bits.
    Nothing,
}

/// First-class arrays with more elements than this are not taken apart.
const MAX_ELEMENTS: u64 = 1024;

/// The bits of a scalar type that an expression can hold.
pub(super) fn scalar_width(ty: Type<'_>) -> Option<u8> {
    match ty.kind() {
        TypeKind::Int(bits) | TypeKind::Float(bits) => {
            u8::try_from(bits).ok().filter(|b| (1..=128).contains(b))
        }
        TypeKind::BFloat => Some(16),
        TypeKind::Event => Some(64),
        TypeKind::Pointer(_)
        | TypeKind::Void
        | TypeKind::Array(..)
        | TypeKind::Vector(..)
        | TypeKind::Struct { .. }
        | TypeKind::Function
        | TypeKind::Other => None,
    }
}

/// The types of the elements of a vector, an array or a struct.
pub(super) fn elements(ty: Type<'_>) -> Option<Vec<Type<'_>>> {
    match ty.kind() {
        TypeKind::Array(count, element) if count <= MAX_ELEMENTS => {
            Some(vec![element; count as usize])
        }
        TypeKind::Vector(count, element) => Some(vec![element; count as usize]),
        TypeKind::Struct { opaque: false } => Some(ty.fields()),
        TypeKind::Array(..)
        | TypeKind::Struct { opaque: true }
        | TypeKind::Void
        | TypeKind::Int(_)
        | TypeKind::Float(_)
        | TypeKind::BFloat
        | TypeKind::Pointer(_)
        | TypeKind::Function
        | TypeKind::Event
        | TypeKind::Other => None,
    }
}

impl<'m> Lifter<'m> {
    /// A bit that is the same for all threads, and otherwise arbitrary.
    pub(super) fn decided_by_the_compiler(&mut self, what: &str) -> ExprId {
        let name = format!("{what}.{}", self.undefs);
        self.undefs += 1;
        self.out.exprs().pure(&name, &[], 1)
    }

    /// An operand as a pointer. A value that is none gives an undefined one.
    pub(super) fn pointer(&mut self, value: Value<'m>) -> Pointer {
        match self.value(value) {
            Val::Pointer(p) => p,
            Val::Scalar(e) => {
                let wide = self.out.exprs().resize(e, 64);
                self.pointer_from_number(wide, 0)
            }
            Val::Aggregate(_) | Val::Nothing => Pointer::nowhere(),
        }
    }

    /// A fresh arbitrary number.
    pub(super) fn undef(&mut self, width: u8) -> ExprId {
        let number = self.undefs;
        self.undefs += 1;
        self.out.exprs().intern(ExprKind::Undef(number), width)
    }

    /// An arbitrary value of a type.
    pub(super) fn undef_of(&mut self, ty: Type<'m>) -> Val {
        self.build(ty, &mut |lifter, width| lifter.undef(width))
    }

    /// A value of a type with `scalar` for each number in it, and nowhere for each pointer.
    fn build(&mut self, ty: Type<'m>, scalar: &mut dyn FnMut(&mut Self, u8) -> ExprId) -> Val {
        if let Some(width) = scalar_width(ty) {
            return Val::Scalar(scalar(self, width));
        }
        if matches!(ty.kind(), TypeKind::Pointer(_)) {
            return Val::Pointer(Pointer::nowhere());
        }
        match elements(ty) {
            Some(types) => {
                Val::Aggregate(types.into_iter().map(|t| self.build(t, scalar)).collect())
            }
            None => Val::Nothing,
        }
    }

    /// The value of an operand, as the region that is being lifted sees it.
    pub(super) fn value(&mut self, value: Value<'m>) -> Val {
        self.value_in(value, self.here)
    }

    /// The value of an operand, as a loop (or the function, `None`) sees it.
    pub(super) fn value_in(&mut self, value: Value<'m>, region: Option<usize>) -> Val {
        match value.kind() {
            ValueKind::Instruction | ValueKind::Argument => match self.values.get(&value) {
                Some((found, defined_in)) => {
                    let (found, defined_in) = (found.clone(), *defined_in);
                    self.leave_loops(found, defined_in, region)
                }
                // Only code that is never reached uses what was never defined.
                None => self.undef_of(value.ty()),
            },
            _ => self.constant(value),
        }
    }

    fn leave_loops(&mut self, value: Val, defined_in: Option<usize>, region: Option<usize>) -> Val {
        let (mut value, mut at) = (value, defined_in);
        while let Some(index) = at.filter(|_| !self.forest.is_inside(region, at)) {
            if let Some(id) = self.loop_ids[index] {
                value = self.exit_value(id, value);
            }
            at = self.forest.loops[index].parent;
        }
        value
    }

    pub(super) fn exit_value(&mut self, of: LoopId, value: Val) -> Val {
        match value {
            Val::Scalar(e) => Val::Scalar(self.exit(of, e)),
            Val::Pointer(p) => Val::Pointer(self.exit_pointer(of, p)),
            Val::Aggregate(elements) => {
                Val::Aggregate(elements.into_iter().map(|v| self.exit_value(of, v)).collect())
            }
            Val::Nothing => Val::Nothing,
        }
    }

    /// The value that `e` had when the thread left the loop. Leaves that do not change in the loop
    /// stay bare, and the operators over them too: only what the loop makes is marked.
    pub(super) fn exit(&mut self, of: LoopId, e: ExprId) -> ExprId {
        if let Some(&known) = self.exits.get(&(of, e)) {
            return known;
        }
        // Handles rise from operands to users, so that no recursion is needed: expressions can be
        // very deep.
        let (mut work, mut needed) = (vec![e], Vec::new());
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(at) = work.pop() {
            if self.exits.contains_key(&(of, at)) || !seen.insert(at) {
                continue;
            }
            needed.push(at);
            let pool = &self.out.kernel().exprs;
            if !matches!(pool[at].kind, ExprKind::Exit(..)) {
                pool.for_each_operand(at, |operand| work.push(operand));
            }
        }
        needed.sort_unstable();
        for at in needed {
            let result = self.exit_node(of, at);
            self.exits.insert((of, at), result);
        }
        self.exits[&(of, e)]
    }

    /// One node of [`Self::exit`], whose operands are done.
    fn exit_node(&mut self, of: LoopId, e: ExprId) -> ExprId {
        let node = self.out.kernel().exprs[e].clone();
        let done = |lifter: &Self, a: ExprId| lifter.exits[&(of, a)];
        match node.kind {
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Sym(_) => e,
            ExprKind::Var(var) => {
                let inside = self.out.kernel().vars[var].of;
                self.exit_leaf(of, e, Some(inside))
            }
            ExprKind::Result(op, _) => {
                let inside = self.op_loops[op];
                self.exit_leaf(of, e, inside)
            }
            ExprKind::Exit(inner, _) => {
                let inside = self.out.kernel().loops[inner].parent;
                self.exit_leaf(of, e, inside)
            }
            ExprKind::Undef(_) => self.out.exprs().exit(of, e),
            ExprKind::Unary(op, a) => {
                let a = done(self, a);
                self.out.exprs().unary(op, a)
            }
            ExprKind::Binary(op, flags, a, b) => {
                let (a, b) = (done(self, a), done(self, b));
                self.out.exprs().binary_flagged(op, flags, a, b)
            }
            ExprKind::Cmp(op, a, b) => {
                let (a, b) = (done(self, a), done(self, b));
                self.out.exprs().cmp(op, a, b)
            }
            ExprKind::Select(c, a, b) => {
                let (c, a, b) = (done(self, c), done(self, a), done(self, b));
                self.out.exprs().select(c, a, b)
            }
            ExprKind::Cast(op, a) => {
                let a = done(self, a);
                self.out.exprs().cast(op, a, node.width)
            }
            ExprKind::Pure(function, args) => {
                let args: Box<[ExprId]> = args.iter().map(|&a| done(self, a)).collect();
                self.out.exprs().intern(ExprKind::Pure(function, args), node.width)
            }
        }
    }

    fn exit_leaf(&mut self, of: LoopId, e: ExprId, lives_in: Option<LoopId>) -> ExprId {
        let mut at = lives_in;
        while let Some(id) = at {
            if id == of {
                return self.out.exprs().exit(of, e);
            }
            at = self.out.kernel().loops[id].parent;
        }
        e
    }

    /// `a` where `c` is one, else `b`.
    pub(super) fn choose(&mut self, c: ExprId, a: Val, b: Val) -> Val {
        if a == b {
            return a;
        }
        match (a, b) {
            (Val::Scalar(a), Val::Scalar(b)) => Val::Scalar(self.out.exprs().select(c, a, b)),
            (Val::Pointer(a), Val::Pointer(b)) => Val::Pointer(self.choose_pointer(c, a, b)),
            (Val::Aggregate(a), Val::Aggregate(b)) => {
                Val::Aggregate(a.into_iter().zip(b).map(|(a, b)| self.choose(c, a, b)).collect())
            }
            (Val::Scalar(_) | Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing, _) => {
                Val::Nothing
            }
        }
    }

    /// The bits of an operand as one number; unknown where it has no counterpart.
    pub(super) fn scalar(&mut self, value: Value<'m>) -> ExprId {
        let lifted = self.value(value);
        let width = self.bits_of(value.ty()).unwrap_or(64);
        self.as_bits(lifted, width)
    }

    /// The bits of a type that one expression can hold: a pointer counts 64.
    pub(super) fn bits_of(&self, ty: Type<'m>) -> Option<u8> {
        if let Some(width) = scalar_width(ty) {
            return Some(width);
        }
        match ty.kind() {
            TypeKind::Pointer(_) => Some(64),
            TypeKind::Vector(..) | TypeKind::Array(..) | TypeKind::Struct { .. } => {
                let total: u64 = elements(ty)?
                    .into_iter()
                    .map(|t| self.bits_of(t).map(u64::from))
                    .collect::<Option<Vec<u64>>>()?
                    .into_iter()
                    .sum();
                u8::try_from(total).ok().filter(|b| (1..=128).contains(b))
            }
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::BFloat
            | TypeKind::Function
            | TypeKind::Event
            | TypeKind::Other => None,
        }
    }

    /// The bits of a lifted value, its first element lowest, as `width` bits.
    pub(super) fn as_bits(&mut self, value: Val, width: u8) -> ExprId {
        match value {
            Val::Scalar(e) if self.out.exprs().width(e) == width => e,
            Val::Scalar(e) => self.out.exprs().resize(e, width),
            Val::Pointer(p) => {
                let address = self.numeric(&p);
                self.out.exprs().resize(address, width)
            }
            Val::Aggregate(elements) => {
                let mut bits = self.out.exprs().constant(0, width);
                let mut at = 0u32;
                for element in elements {
                    let own = match &element {
                        Val::Scalar(e) => self.out.exprs().width(*e),
                        Val::Pointer(_) => 64,
                        Val::Aggregate(_) | Val::Nothing => return self.undef(width),
                    };
                    if at + u32::from(own) > u32::from(width) {
                        return self.undef(width);
                    }
                    let part = self.as_bits(element, own);
                    let part = self.out.exprs().resize(part, width);
                    let shift = self.out.exprs().constant(u128::from(at), width);
                    let part = self.out.exprs().binary(heddle_ir::BinOp::Shl, part, shift);
                    bits = self.out.exprs().or(bits, part);
                    at += u32::from(own);
                }
                bits
            }
            Val::Nothing => self.undef(width),
        }
    }

    /// `width` bits of a number from bit `low` on. Looks through how [`Self::as_bits`] puts
    /// elements together.
    pub(super) fn slice(&mut self, e: ExprId, low: u8, width: u8) -> ExprId {
        use heddle_ir::BinOp;
        let total = self.out.exprs().width(e);
        if low == 0 && width == total {
            return e;
        }
        let pool = &self.out.kernel().exprs;
        match pool[e].kind {
            ExprKind::Cast(CastOp::Zext, inner) => {
                let inner_width = pool.width(inner);
                if low >= inner_width {
                    return self.out.exprs().constant(0, width);
                }
                if low + width <= inner_width {
                    return self.slice(inner, low, width);
                }
            }
            ExprKind::Binary(BinOp::Or, _, a, b) => {
                let (a, b) = (self.slice(a, low, width), self.slice(b, low, width));
                return self.out.exprs().or(a, b);
            }
            ExprKind::Binary(BinOp::Shl, _, a, by) => {
                if let Some(by) = pool.as_const(by).and_then(|c| u8::try_from(c).ok()) {
                    if low >= by {
                        return self.slice(a, low - by, width);
                    }
                    if low + width <= by {
                        return self.out.exprs().constant(0, width);
                    }
                }
            }
            _ => {}
        }
        let by = self.out.exprs().constant(u128::from(low), total);
        let moved = self.out.exprs().binary(BinOp::LShr, e, by);
        self.out.exprs().resize(moved, width)
    }

    /// A number taken apart into a value of a type; `None` where the widths do not agree.
    pub(super) fn split_bits(&mut self, e: ExprId, ty: Type<'m>) -> Option<Val> {
        let total = self.out.exprs().width(e);
        if let Some(width) = scalar_width(ty) {
            return (width == total).then_some(Val::Scalar(e));
        }
        if let TypeKind::Pointer(space) = ty.kind() {
            let wide = self.out.exprs().resize(e, 64);
            return Some(Val::Pointer(self.pointer_from_number(wide, space)));
        }
        let types = elements(ty)?;
        let mut at = 0u8;
        let mut parts = Vec::with_capacity(types.len());
        for t in types {
            let own = self.bits_of(t)?;
            if at.checked_add(own)? > total {
                return None;
            }
            let part = self.slice(e, at, own);
            parts.push(self.split_bits(part, t)?);
            at += own;
        }
        (at == total).then_some(Val::Aggregate(parts))
    }
}
