//! Where a pointer that a loop carries around may point, before the loop has been lifted.
//!
//! The header of a loop needs to know the places of its pointers before the body says what they become. So the graph
//! of values is walked here without regard to order: through `getelementptr`, casts, `phi`, `select` and the intrinsics
//! that hand a pointer on, down to where pointers come from.
//!
//! **Promise**: the places found cover what the lifting of the body can come to. A pointer from a load or a call, and
//! one made from a number, is [`Place::Absolute`], to which any other place can be brought as a number.

use heddle_ir::Space;
use rustc_hash::FxHashSet;

use super::Lifter;
use super::pointer::Place;
use crate::llvm::{Opcode, TypeKind, Value, ValueKind};

impl<'m> Lifter<'m> {
    /// The places that a pointer value may have, in the order they are met.
    pub(super) fn places(&mut self, value: Value<'m>) -> Vec<Place> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut work = vec![value];
        while let Some(at) = work.pop() {
            if seen.insert(at) {
                self.visit_root(at, &mut work, &mut found);
            }
        }
        found
    }

    fn visit_root(&mut self, at: Value<'m>, work: &mut Vec<Value<'m>>, found: &mut Vec<Place>) {
        let address_space = match at.ty().kind() {
            TypeKind::Pointer(space) => space,
            _ => 0,
        };
        let opcode = at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode()));
        let mut add = |place: Place| {
            if !found.contains(&place) {
                found.push(place);
            }
        };
        match at.kind() {
            ValueKind::Undef | ValueKind::Poison => {}
            ValueKind::Argument | ValueKind::Global | ValueKind::Alias => {
                if let super::Val::Pointer(p) = self.value(at) {
                    p.alternatives.iter().for_each(|a| add(a.place));
                }
            }
            ValueKind::Instruction | ValueKind::ConstExpr => match opcode {
                Some(
                    Opcode::GetElementPtr
                    | Opcode::BitCast
                    | Opcode::AddrSpaceCast
                    | Opcode::Freeze,
                ) => {
                    // A lane of a vector of pointers comes from wherever the base comes from.
                    work.extend(at.operand(0));
                }
                Some(Opcode::Phi) => {
                    let incoming = at.as_inst().map(|i| i.incoming()).unwrap_or_default();
                    work.extend(incoming.into_iter().map(|(v, _)| v).rev());
                }
                Some(Opcode::Select) => {
                    work.extend([at.operand(2), at.operand(1)].into_iter().flatten())
                }
                Some(Opcode::Alloca) => match at.as_inst().and_then(|i| self.alloca(i)) {
                    Some(object) => add(Place::Object(object)),
                    None => add(Place::Absolute(Space::Local)),
                },
                Some(Opcode::Load) => {
                    let source = at.operand(0);
                    match source.and_then(|s| self.parameter_member(s)) {
                        Some(object) => add(Place::Object(object)),
                        None => {
                            let space = source
                                .map_or(Space::Generic, |s| self.space_behind(s, address_space));
                            add(Place::Absolute(space));
                        }
                    }
                }
                Some(Opcode::Call) if self.hands_pointer_on(at).is_some() => {
                    work.extend(self.hands_pointer_on(at));
                }
                Some(Opcode::IntToPtr) => {
                    self.number_roots(at, found);
                    let absolute = Place::Absolute(self.objects.space(address_space));
                    if !found.contains(&absolute) {
                        found.push(absolute);
                    }
                }
                _ => add(Place::Absolute(self.objects.space(address_space))),
            },
            ValueKind::Function
            | ValueKind::Block
            | ValueKind::ConstInt
            | ValueKind::ConstFloat
            | ValueKind::Null
            | ValueKind::ZeroAggregate
            | ValueKind::ConstAggregate
            | ValueKind::InlineAsm
            | ValueKind::Metadata
            | ValueKind::Other => add(Place::Absolute(self.objects.space(address_space))),
        }
    }

    /// The space of a pointer that is read through `source`: a generic one in global memory points to global memory,
    /// since the host, or a kernel before, put it there.
    pub(super) fn space_behind(&mut self, source: Value<'m>, address_space: u32) -> Space {
        let own = self.objects.space(address_space);
        if own != Space::Generic {
            return own;
        }
        let all_global = self.places(source).iter().all(|place| {
            let space = match place {
                Place::Object(object) => self.out.kernel().objects[*object].space,
                Place::Absolute(space) => *space,
            };
            matches!(space, Space::Global | Space::Constant)
        });
        if all_global { Space::Global } else { Space::Generic }
    }

    /// The pointers that a number was computed from.
    fn number_roots(&mut self, from: Value<'m>, found: &mut Vec<Place>) {
        let mut seen = FxHashSet::default();
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            match at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode())) {
                Some(Opcode::PtrToInt | Opcode::PtrToAddr) => {
                    for place in at.operand(0).map(|p| self.places(p)).unwrap_or_default() {
                        if !found.contains(&place) {
                            found.push(place);
                        }
                    }
                }
                Some(Opcode::Phi) => {
                    let incoming = at.as_inst().map(|i| i.incoming()).unwrap_or_default();
                    work.extend(incoming.into_iter().map(|(v, _)| v).rev());
                }
                Some(
                    Opcode::Add
                    | Opcode::Sub
                    | Opcode::Or
                    | Opcode::Select
                    | Opcode::ZExt
                    | Opcode::SExt
                    | Opcode::Trunc
                    | Opcode::Freeze
                    | Opcode::IntToPtr,
                ) => work.extend(at.operands()),
                _ => {}
            }
        }
    }

    /// The one object that a number counts the address of, where it comes from exactly one pointer; for a number that
    /// a loop carries around, in which no base shows.
    pub(super) fn object_behind(&mut self, number: Value<'m>) -> Option<heddle_ir::ObjectId> {
        let mut found = Vec::new();
        self.number_roots(number, &mut found);
        match found[..] {
            [Place::Object(object)] => Some(object),
            _ => None,
        }
    }
}
