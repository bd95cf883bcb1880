//! The scalars inside a type and where they lie; and what is known of memory without reading it.

use super::Lifter;
use super::pointer::{Alternative, Place};
use super::strength::Strength;
use super::value::{Val, elements, scalar_width};
use heddle_llvm::{Type, TypeKind, Value};

/// A scalar inside a type: what one lane of an access holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf<'m> {
    /// Bytes from the start.
    pub(super) offset: u64,
    /// Bytes in memory.
    pub(super) bytes: u8,
    pub(super) ty: Type<'m>,
}

/// Bigger accesses than this have no lanes.
const MAX_LANES: usize = 128;
/// Functions that a table is searched for.
const MAX_TABLE: u64 = 32;

impl<'m> Lifter<'m> {
    /// What is known without a load: members of a structure parameter, and constants.
    pub(super) fn known_at(
        &mut self,
        alternative: &Alternative,
        leaves: &[Leaf<'m>],
        strength: Strength,
    ) -> Option<Vec<Val>> {
        let Place::Object(object) = alternative.place else { return None };
        let start = u64::try_from(self.out.exprs().as_const(alternative.offset)?).ok()?;
        if let Some(&of) = self.objects.structures.get(&object) {
            let values = leaves.iter().map(|leaf| {
                let offset = start + leaf.offset;
                match scalar_width(leaf.ty) {
                    Some(width) => {
                        let name = self.member_name(of, offset);
                        let stored = self.field(of, offset, leaf.bytes * 8, &name);
                        Val::Scalar(self.out.exprs().resize(stored, width))
                    }
                    None => {
                        let object = self.member_object(of, offset, leaf.ty);
                        Val::Pointer(self.point_to(object))
                    }
                }
            });
            return Some(values.collect());
        }
        let initial = *self.objects.initial.get(&object).filter(|_| !strength.volatile)?;
        let mut values = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let found = self.initial_at(initial, start + leaf.offset, leaf.ty)?;
            values.push(self.constant(found));
        }
        Some(values)
    }

    /// What was loaded from a table of functions that nobody writes: which one, by the place.
    pub(super) fn told_by_table(
        &mut self,
        alternative: &Alternative,
        leaves: &[Leaf<'m>],
        strength: Strength,
        loaded: Vec<Val>,
    ) -> Vec<Val> {
        let (Place::Object(object), [leaf]) = (alternative.place, leaves) else { return loaded };
        let initial = self.objects.initial.get(&object).filter(|_| !strength.volatile);
        let Some(&initial) = initial else { return loaded };
        let entries: Vec<(u64, Value<'m>)> = (0..MAX_TABLE)
            .map(|at| at * u64::from(leaf.bytes))
            .map_while(|at| Some((at, self.initial_at(initial, at, leaf.ty)?)))
            .filter(|(_, entry)| entry.as_function().is_some())
            .collect();
        let told = |lifter: &mut Self, rest: Val| {
            entries.iter().rev().fold(rest, |rest, &(at, function)| {
                let at = lifter.out.exprs().constant(u128::from(at), 64);
                let is_there = lifter.out.exprs().eq(alternative.offset, at);
                let function = lifter.constant(function);
                lifter.choose(is_there, function, rest)
            })
        };
        loaded.into_iter().map(|it| told(self, it)).collect()
    }

    /// The constant of a type at a byte of an initial value.
    fn initial_at(&mut self, initial: Value<'m>, offset: u64, ty: Type<'m>) -> Option<Value<'m>> {
        let own = initial.ty();
        if offset == 0 && own == ty {
            return Some(initial);
        }
        let (index, rest) = match own.kind() {
            TypeKind::Array(count, element) => {
                let stride = element.alloc_size(self.module).filter(|s| *s > 0)?;
                Some((offset / stride, offset % stride)).filter(|at| at.0 < count)?
            }
            TypeKind::Vector(count, element) => {
                let stride = element.store_size(self.module).filter(|s| *s > 0)?;
                Some((offset / stride, offset % stride)).filter(|at| at.0 < u64::from(count))?
            }
            TypeKind::Struct { .. } => {
                let fields = own.fields().len() as u32;
                let (field, start) = (0..fields)
                    .rev()
                    .filter_map(|f| own.field_offset(self.module, f).map(|at| (f, at)))
                    .find(|(_, at)| *at <= offset)?;
                (u64::from(field), offset - start)
            }
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::BFloat
            | TypeKind::Pointer(_)
            | TypeKind::Function
            | TypeKind::Event
            | TypeKind::Other => return None,
        };
        let inner = initial.element(u32::try_from(index).ok()?)?;
        self.initial_at(inner, rest, ty)
    }

    /// The scalars of a type, with their places; `None` for what has no byte-wise lanes.
    pub(super) fn leaves_of(&self, ty: Type<'m>) -> Option<Vec<Leaf<'m>>> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, 0, &mut leaves)?;
        (!leaves.is_empty() && leaves.len() <= MAX_LANES).then_some(leaves)
    }

    fn collect_leaves(&self, ty: Type<'m>, offset: u64, out: &mut Vec<Leaf<'m>>) -> Option<()> {
        if scalar_width(ty).is_some() || matches!(ty.kind(), TypeKind::Pointer(_)) {
            let bytes =
                u8::try_from(ty.store_size(self.module)?).ok().filter(|b| (1..=16).contains(b))?;
            out.push(Leaf { offset, bytes, ty });
            return Some(());
        }
        if out.len() > MAX_LANES {
            return None;
        }
        let types = elements(ty)?;
        let packed = matches!(ty.kind(), TypeKind::Vector(..));
        let stride = match types.first() {
            // Elements of a vector stand bit by bit after each other.
            Some(first) if packed => {
                let bits = self.bits_of(*first).filter(|b| b % 8 == 0)?;
                u64::from(bits / 8)
            }
            Some(first) => first.alloc_size(self.module)?,
            None => 0,
        };
        let is_struct = matches!(ty.kind(), TypeKind::Struct { .. });
        for (n, inner) in types.into_iter().enumerate() {
            let at =
                if is_struct { ty.field_offset(self.module, n as u32)? } else { n as u64 * stride };
            self.collect_leaves(inner, offset + at, out)?;
        }
        Some(())
    }

    /// A value of a type out of its leaves.
    pub(super) fn rebuild(&mut self, ty: Type<'m>, parts: &mut dyn Iterator<Item = Val>) -> Val {
        if scalar_width(ty).is_some() || matches!(ty.kind(), TypeKind::Pointer(_)) {
            return parts.next().unwrap_or(Val::Nothing);
        }
        match elements(ty) {
            Some(types) => {
                Val::Aggregate(types.into_iter().map(|t| self.rebuild(t, parts)).collect())
            }
            None => Val::Nothing,
        }
    }
}

/// Stretches of leaves that stand directly after each other.
pub(super) fn runs<'a, 'm>(leaves: &'a [Leaf<'m>]) -> impl Iterator<Item = &'a [Leaf<'m>]> {
    leaves.chunk_by(|a, b| a.offset + u64::from(a.bytes) == b.offset)
}
