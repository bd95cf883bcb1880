//! What a loop carries from one iteration to the next: the variables that stand for a phi of its
//! header.
//!
//! A number is one variable. A pointer is one for its offset, unless it is always at the start of
//! its object, and one for which of several places it is in, numbered in the order that
//! [`Lifter::roots`] finds them. The elements of an aggregate have variables of their own.

use heddle_ir::{ExprId, LoopId, VarId};

use super::Lifter;
use super::pointer::{Alternative, Place, Pointer};
use super::roots::Roots;
use super::value::Val;
use heddle_llvm::Inst;

/// What a phi of a loop's header became.
pub(super) struct Carried<'m> {
    pub(super) phi: Inst<'m>,
    pub(super) parts: Parts,
}

/// The loop variables that stand for one value.
pub(super) enum Parts {
    Scalar(VarId),
    Pointer { places: Vec<Place>, tag: Option<VarId>, offset: Option<VarId> },
    Aggregate(Vec<Parts>),
    Nothing,
}

impl<'m> Lifter<'m> {
    /// Makes the variables that carry a phi of a header around its loop.
    pub(super) fn carry(
        &mut self,
        of: LoopId,
        phi: Inst<'m>,
        start: Val,
        name: Option<String>,
    ) -> (Val, Parts) {
        match start {
            Val::Scalar(init) => {
                let (var, value) = self.out.loop_var(of, init, name);
                (Val::Scalar(value), Parts::Scalar(var))
            }
            Val::Pointer(start) => {
                let roots = self.roots(phi.as_value());
                let (pointer, parts) = self.carry_pointer(of, roots, start, name);
                (Val::Pointer(pointer), parts)
            }
            Val::Aggregate(elements) => {
                let carried = elements.into_iter().map(|v| self.carry(of, phi, v, name.clone()));
                let (values, parts) = carried.unzip();
                (Val::Aggregate(values), Parts::Aggregate(parts))
            }
            Val::Nothing => (Val::Nothing, Parts::Nothing),
        }
    }

    fn carry_pointer(
        &mut self,
        of: LoopId,
        roots: Roots,
        start: Pointer,
        name: Option<String>,
    ) -> (Pointer, Parts) {
        let Roots { mut places, mut moves } = roots;
        for alternative in &start.alternatives {
            moves |= self.out.exprs().as_const(alternative.offset) != Some(0);
            if !places.contains(&alternative.place) {
                places.push(alternative.place);
            }
        }
        if places.is_empty() {
            return (Pointer::nowhere(), Parts::Pointer { places, tag: None, offset: None });
        }
        let (tag, offset) = self.encode(&places, &start);
        let tag = tag
            .map(|init| self.out.loop_var(of, init, name.as_ref().map(|n| format!("{n}.object"))));
        let moving = moves.then(|| self.out.loop_var(of, offset, name));
        let value = moving.map_or(offset, |(_, value)| value);
        let alternatives = places.iter().enumerate().map(|(n, &place)| {
            let guard = match tag {
                Some((_, which)) => {
                    let width = self.out.exprs().width(which);
                    let this = self.out.exprs().constant(n as u128, width);
                    self.out.exprs().eq(which, this)
                }
                None => self.out.exprs().truth(),
            };
            Alternative { guard, place, offset: value }
        });
        let pointer = Pointer { alternatives: alternatives.collect() };
        (pointer, Parts::Pointer { places, tag: tag.map(|t| t.0), offset: moving.map(|m| m.0) })
    }

    /// A pointer as the number of its place among `places`, and its offset there.
    fn encode(&mut self, places: &[Place], pointer: &Pointer) -> (Option<ExprId>, ExprId) {
        let width = (places.len().next_power_of_two().trailing_zeros() as u8).max(1);
        let (mut tag, mut offset) = (None, None);
        for alternative in pointer.alternatives.iter().rev() {
            let (at, value) = match places.iter().position(|p| *p == alternative.place) {
                Some(at) => (at, alternative.offset),
                None => {
                    // `roots` promises that there is a place for addresses; any is as good as
                    // another.
                    match places.iter().position(|p| matches!(p, Place::Absolute(_))) {
                        Some(at) => (at, self.number_of(alternative)),
                        None => {
                            self.opaque(
                                "a pointer of unforeseen origin",
                                &[],
                                &[],
                                super::touches_everything(),
                                false,
                            );
                            (0, self.undef(64))
                        }
                    }
                }
            };
            let at = self.out.exprs().constant(at as u128, width);
            tag = Some(match tag {
                None => at,
                Some(rest) => self.out.exprs().select(alternative.guard, at, rest),
            });
            offset = Some(match offset {
                None => value,
                Some(rest) => self.out.exprs().select(alternative.guard, value, rest),
            });
        }
        let tag =
            if places.len() > 1 { Some(tag.unwrap_or_else(|| self.undef(width))) } else { None };
        (tag, offset.unwrap_or_else(|| self.undef(64)))
    }

    pub(super) fn set_next(&mut self, parts: Parts, next: Val) {
        match (parts, next) {
            (Parts::Scalar(var), Val::Scalar(next)) => self.out.set_next(var, next),
            (Parts::Pointer { places, tag, offset }, Val::Pointer(next)) => {
                let (next_tag, next_offset) = self.encode(&places, &next);
                if let (Some(tag), Some(next)) = (tag, next_tag) {
                    self.out.set_next(tag, next);
                }
                if let Some(offset) = offset {
                    self.out.set_next(offset, next_offset);
                }
            }
            (Parts::Aggregate(parts), Val::Aggregate(next)) => {
                parts.into_iter().zip(next).for_each(|(part, value)| self.set_next(part, value));
            }
            (parts, _) => self.forget(parts),
        }
    }

    /// The next value is not known.
    fn forget(&mut self, parts: Parts) {
        let vars = match parts {
            Parts::Scalar(var) => vec![var],
            Parts::Pointer { tag, offset, places: _ } => tag.into_iter().chain(offset).collect(),
            Parts::Aggregate(parts) => return parts.into_iter().for_each(|p| self.forget(p)),
            Parts::Nothing => return,
        };
        for var in vars {
            let width = self.out.kernel().vars[var].width;
            let unknown = self.undef(width);
            self.out.set_next(var, unknown);
        }
    }
}
