//! Vectors and aggregates: element by element, and under other types.

use heddle_ir::ExprId;

use super::Lifter;
use super::value::{Val, scalar_width};
use heddle_llvm::{Type, TypeKind, Value};

/// A vector index that is not constant becomes a chain of selects up to this many elements.
const MAX_INDEXED: usize = 64;

/// What is done to each element: of its operands, for a result of that type.
type Each<'a, 'm> = &'a mut dyn FnMut(&mut Lifter<'m>, &[Val], Type<'m>) -> Option<Val>;

impl<'m> Lifter<'m> {
    /// Applies `each` to the elements of vectors of one length (scalars among the arguments are
    /// repeated), or to scalars; the last argument of `each` is the type of its result.
    pub(super) fn per_element(
        &mut self,
        ty: Type<'m>,
        args: &[Val],
        each: Each<'_, 'm>,
    ) -> Option<Val> {
        let TypeKind::Vector(count, element) = ty.kind() else { return each(self, args, ty) };
        let mut lanes = Vec::with_capacity(count as usize);
        for n in 0..count as usize {
            let lane: Option<Vec<Val>> = args
                .iter()
                .map(|arg| match arg {
                    Val::Aggregate(parts) => parts.get(n).cloned(),
                    Val::Scalar(_) | Val::Pointer(_) | Val::Nothing => Some(arg.clone()),
                })
                .collect();
            lanes.push(each(self, &lane?, element)?);
        }
        Some(Val::Aggregate(lanes))
    }

    pub(super) fn bitcast(&mut self, operand: Value<'m>, to: Type<'m>) -> Option<Val> {
        let inner = self.value(operand);
        if operand.ty() == to || matches!(inner, Val::Pointer(_)) {
            return Some(inner);
        }
        if let (Val::Scalar(_), Some(_)) = (&inner, scalar_width(to)) {
            return Some(inner);
        }
        let same_shape = |a: Type<'m>, b: Type<'m>| match (a.kind(), b.kind()) {
            (TypeKind::Vector(n, x), TypeKind::Vector(m, y)) => {
                n == m && scalar_width(x) == scalar_width(y)
            }
            _ => false,
        };
        if same_shape(operand.ty(), to) {
            return Some(inner);
        }
        if let Some(width) = self.bits_of(operand.ty()) {
            let bits = self.as_bits(inner, width);
            return self.split_bits(bits, to);
        }
        // Wider than one expression: regroup elements where one width divides the other.
        self.regroup(inner, to)
    }

    /// A vector of more than 128 bits under another element width.
    fn regroup(&mut self, from: Val, to: Type<'m>) -> Option<Val> {
        let (Val::Aggregate(parts), TypeKind::Vector(count, element)) = (from, to.kind()) else {
            return None;
        };
        let width = scalar_width(element)?;
        let own = match parts.first()? {
            Val::Scalar(e) => self.out.exprs().width(*e),
            Val::Pointer(_) | Val::Aggregate(_) | Val::Nothing => return None,
        };
        let mut lanes = Vec::with_capacity(count as usize);
        if own > width {
            for part in parts {
                let bits = self.as_bits(part, own);
                for low in (0..own).step_by(width as usize) {
                    lanes.push(Val::Scalar(self.slice(bits, low, width)));
                }
            }
        } else {
            for group in parts.chunks((width / own) as usize) {
                lanes.push(Val::Scalar(self.as_bits(Val::Aggregate(group.to_vec()), width)));
            }
        }
        (lanes.len() == count as usize).then_some(Val::Aggregate(lanes))
    }

    pub(super) fn extract_element(&mut self, vector: Value<'m>, index: Value<'m>) -> Option<Val> {
        let Val::Aggregate(parts) = self.value(vector) else { return None };
        let index = self.scalar(index);
        if let Some(known) = self.out.exprs().as_const(index) {
            return usize::try_from(known).ok().and_then(|n| parts.get(n).cloned());
        }
        if parts.len() > MAX_INDEXED {
            return None;
        }
        let mut parts = parts.into_iter().enumerate().rev();
        let mut result = parts.next()?.1;
        for (n, part) in parts {
            let here = self.is_index(index, n);
            result = self.choose(here, part, result);
        }
        Some(result)
    }

    pub(super) fn insert_element(
        &mut self,
        vector: Value<'m>,
        element: Value<'m>,
        index: Value<'m>,
    ) -> Option<Val> {
        let Val::Aggregate(mut parts) = self.value(vector) else { return None };
        let element = self.value(element);
        let index = self.scalar(index);
        if let Some(known) = self.out.exprs().as_const(index) {
            *usize::try_from(known).ok().and_then(|n| parts.get_mut(n))? = element;
            return Some(Val::Aggregate(parts));
        }
        if parts.len() > MAX_INDEXED {
            return None;
        }
        let placed = parts.into_iter().enumerate().map(|(n, part)| {
            let here = self.is_index(index, n);
            self.choose(here, element.clone(), part)
        });
        Some(Val::Aggregate(placed.collect()))
    }

    fn is_index(&mut self, index: ExprId, n: usize) -> ExprId {
        let width = self.out.exprs().width(index);
        let n = self.out.exprs().constant(n as u128, width);
        self.out.exprs().eq(index, n)
    }
}

/// `insertvalue`: `part` at a path into `whole`.
pub(super) fn insert(whole: Val, path: &[u32], part: Val) -> Option<Val> {
    let [first, rest @ ..] = path else { return Some(part) };
    let Val::Aggregate(mut parts) = whole else { return None };
    let slot = parts.get_mut(*first as usize)?;
    *slot = insert(std::mem::replace(slot, Val::Nothing), rest, part)?;
    Some(Val::Aggregate(parts))
}
