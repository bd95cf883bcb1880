//! `getelementptr`: what its indices come to in bytes.
//!
//! **Promise**: the offset is computed in the width of the pointer's address space where nothing
//! says that it fits; with `inbounds` a sum has no signed overflow. **Does not**: look at the
//! bounds of the object.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, ExprPool, NoWrap};

use super::Lifter;
use super::pointer::{Place, Pointer, is_carried};
use super::value::Val;
use heddle_llvm::{Type, TypeKind, Value};

/// A `getelementptr` with more indices than this has a type that no compiler makes.
const MOST_INDICES: usize = 64;

impl<'m> Lifter<'m> {
    /// A `getelementptr`, instruction or constant expression.
    pub(super) fn element_pointer(&mut self, gep: Value<'m>) -> Val {
        let operands: Vec<Value<'m>> = gep.operands().collect();
        let (Some(&base), Some(source)) = (operands.first(), gep.gep_source_type()) else {
            return Val::Pointer(Pointer::nowhere());
        };
        if let TypeKind::Vector(count, _) = gep.ty().kind() {
            return self.vector_of_pointers(&operands, source, count, gep);
        }
        let pointer = self.pointer(base);
        let indices: Vec<ExprId> = operands[1..].iter().map(|&i| self.index(i)).collect();
        let inbounds = gep.as_inst().is_none_or(|i| i.is_inbounds());
        let bits = self.index_bits(gep.ty());
        let pointer = self.step(pointer, source, &indices, &operands[1..], inbounds, bits);
        match self.may_leave_object(gep) {
            true => Val::Pointer(self.wherever(&pointer, gep)),
            false => Val::Pointer(pointer),
        }
    }

    /// Whether a step that does not promise to stay in its object (`inbounds`) is by a number that
    /// may be a distance of two objects: then it is one of addresses, as PTX has them.
    pub(super) fn may_leave_object(&mut self, gep: Value<'m>) -> bool {
        let indices: Vec<Value<'m>> = gep.operands().skip(1).collect();
        gep.as_inst().is_some_and(|it| !it.is_inbounds())
            && indices.into_iter().any(|it| it.const_int().is_none() && self.may_hold_address(it))
    }

    /// A pointer by its address: in an object where that shows in the number, else anywhere.
    fn wherever(&mut self, pointer: &Pointer, gep: Value<'m>) -> Pointer {
        let space = match gep.ty().kind() {
            TypeKind::Pointer(space) => space,
            _ => 0,
        };
        let number = self.numeric(pointer);
        if is_carried(self.out.exprs(), number) {
            let space = self.objects.space(space);
            return self.point(Place::Absolute(space), number);
        }
        self.pointer_from_number(number, space)
    }

    fn vector_of_pointers(
        &mut self,
        operands: &[Value<'m>],
        source: Type<'m>,
        count: u32,
        gep: Value<'m>,
    ) -> Val {
        let inbounds = gep.as_inst().is_none_or(|i| i.is_inbounds());
        let bits = self.index_bits(gep.ty());
        let lanes: Vec<Val> = operands.iter().map(|&v| self.value(v)).collect();
        let lane = |val: &Val, n: usize| match val {
            Val::Aggregate(elements) => elements.get(n).cloned().unwrap_or(Val::Nothing),
            Val::Scalar(_) | Val::Pointer(_) | Val::Nothing => val.clone(),
        };
        let result = (0..count as usize).map(|n| {
            let Val::Pointer(pointer) = lane(&lanes[0], n) else {
                return Val::Pointer(Pointer::nowhere());
            };
            let indices: Vec<ExprId> = lanes[1..]
                .iter()
                .map(|l| match lane(l, n) {
                    Val::Scalar(e) => self.widen_index(e),
                    Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => self.undef(64),
                })
                .collect();
            Val::Pointer(self.step(pointer, source, &indices, &operands[1..], inbounds, bits))
        });
        Val::Aggregate(result.collect())
    }

    /// Bits in which an offset into the space of a pointer, or of a vector of them, is computed.
    fn index_bits(&self, ty: Type<'m>) -> u8 {
        let space = match ty.kind() {
            TypeKind::Pointer(space) => space,
            TypeKind::Vector(_, element) => match element.kind() {
                TypeKind::Pointer(space) => space,
                _ => return 64,
            },
            _ => return 64,
        };
        u8::try_from(self.module.pointer_bits(space)).unwrap_or(64).min(64)
    }

    /// An index as the 64 bits that it counts as.
    pub(super) fn index(&mut self, value: Value<'m>) -> ExprId {
        let e = self.scalar(value);
        self.widen_index(e)
    }

    fn widen_index(&mut self, e: ExprId) -> ExprId {
        let op = if self.out.exprs().width(e) > 64 { CastOp::Trunc } else { CastOp::Sext };
        self.out.exprs().cast(op, e, 64)
    }

    /// Adds what the indices of a `getelementptr` come to.
    fn step(
        &mut self,
        pointer: Pointer,
        source: Type<'m>,
        indices: &[ExprId],
        values: &[Value<'m>],
        inbounds: bool,
        bits: u8,
    ) -> Pointer {
        let flags = if inbounds { NoWrap::SIGNED } else { NoWrap::NONE };
        let mut ty = source;
        let mut total = self.out.exprs().constant(0, 64);
        for (position, (&index, &value)) in
            indices.iter().zip(values).enumerate().take(MOST_INDICES)
        {
            let scale = if position == 0 {
                ty.alloc_size(self.module)
            } else {
                match ty.kind() {
                    TypeKind::Struct { .. } => {
                        let field = value
                            .const_int()
                            .or_else(|| value.element(0).and_then(Value::const_int));
                        let field = field.and_then(|f| u32::try_from(f).ok()).unwrap_or(0);
                        let offset = ty.field_offset(self.module, field).unwrap_or(0);
                        let offset = self.out.exprs().constant(u128::from(offset), 64);
                        total = self.out.exprs().binary_flagged(BinOp::Add, flags, total, offset);
                        match ty.fields().get(field as usize) {
                            Some(&inner) => ty = inner,
                            None => break,
                        }
                        continue;
                    }
                    TypeKind::Array(_, element) | TypeKind::Vector(_, element) => {
                        ty = element;
                        element.alloc_size(self.module)
                    }
                    TypeKind::Void
                    | TypeKind::Int(_)
                    | TypeKind::Float(_)
                    | TypeKind::BFloat
                    | TypeKind::Pointer(_)
                    | TypeKind::Function
                    | TypeKind::Event
                    | TypeKind::Other => None,
                }
            };
            let pool = self.out.exprs();
            let part = match scale {
                Some(scale) => {
                    let flags =
                        if fits_scaled(pool, index, scale) { NoWrap::SIGNED } else { flags };
                    let scale = pool.constant(u128::from(scale), 64);
                    pool.binary_flagged(BinOp::Mul, flags, index, scale)
                }
                None => self.undef(64),
            };
            total = self.out.exprs().binary_flagged(BinOp::Add, flags, total, part);
        }
        // Short pointers (`-fcuda-short-ptr`) take as much of a sum as fits.
        if bits < 64 && !inbounds {
            let pool = self.out.exprs();
            let cut = pool.cast(CastOp::Trunc, total, bits);
            total = pool.cast(CastOp::Sext, cut, 64);
        }
        self.advance(pointer, total, flags)
    }
}

/// Whether an index is so narrow that its product with an element's size cannot overflow.
fn fits_scaled(pool: &ExprPool, index: ExprId, scale: u64) -> bool {
    let narrow = match pool[index].kind {
        ExprKind::Cast(CastOp::Sext | CastOp::Zext, inner) => pool.width(inner) <= 32,
        _ => false,
    };
    narrow && scale < 1 << 30
}
