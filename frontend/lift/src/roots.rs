//! Where a pointer that a loop carries around may point, before the loop has been lifted.
//!
//! The header of a loop needs to know the places of its pointers before the body says what they
//! become. So the graph of values is walked here without regard to order: through `getelementptr`,
//! casts, `phi`, `select` and the intrinsics that hand a pointer on, down to where pointers come
//! from.
//!
//! **Promise**: the places found cover what the lifting of the body can come to. A pointer from a
//! load or a call, and one made from a number, is [`Place::Absolute`], to which any other place can
//! be brought as a number.

use heddle_ir::Space;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lifter;
use super::own_addresses::Addresses;
use super::pointer::{MOST_ALIGNMENT, Place, boundary};
use heddle_llvm::{Opcode, TypeKind, Value, ValueKind};

/// Where a pointer may point.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// The places, in the order they are met.
    pub(super) places: Vec<Place>,
    /// It may be anywhere in them; else it is always at their start.
    pub(super) moves: bool,
}

impl Roots {
    fn join(&mut self, other: &Roots) {
        other.places.iter().for_each(|place| self.add(*place));
        self.moves |= other.moves;
    }

    fn add(&mut self, place: Place) {
        // The offset of an address is the address.
        self.moves |= matches!(place, Place::Absolute(_));
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }
}

impl<'m> Lifter<'m> {
    /// The places that a pointer value may have.
    pub(super) fn roots(&mut self, value: Value<'m>) -> Roots {
        let mut seen = FxHashSet::default();
        let mut found = Roots::default();
        let mut work = vec![value];
        while let Some(at) = work.pop() {
            if seen.insert(at) {
                self.visit_root(at, &mut work, &mut found);
            }
        }
        found
    }

    fn visit_root(&mut self, at: Value<'m>, work: &mut Vec<Value<'m>>, found: &mut Roots) {
        let address_space = match at.ty().kind() {
            TypeKind::Pointer(space) => space,
            _ => 0,
        };
        let opcode = at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode()));
        match at.kind() {
            ValueKind::Undef | ValueKind::Poison => {}
            ValueKind::Argument | ValueKind::Global | ValueKind::Alias => {
                if let super::Val::Pointer(p) = self.value(at) {
                    for alternative in &p.alternatives {
                        found.add(alternative.place);
                        found.moves |= self.out.exprs().as_const(alternative.offset) != Some(0);
                    }
                }
            }
            ValueKind::Instruction | ValueKind::ConstExpr => match opcode {
                Some(
                    Opcode::GetElementPtr
                    | Opcode::BitCast
                    | Opcode::AddrSpaceCast
                    | Opcode::Freeze,
                ) => {
                    found.moves |= opcode == Some(Opcode::GetElementPtr)
                        && !at.operands().skip(1).all(|index| index.const_int() == Some(0));
                    // A lane of a vector of pointers comes from wherever the base comes from.
                    work.extend(at.operand(0));
                    // A step by what may be a distance of objects leads anywhere.
                    if opcode == Some(Opcode::GetElementPtr) && self.may_leave_object(at) {
                        found.add(Place::Absolute(self.objects.space(address_space)));
                    }
                }
                Some(Opcode::Phi) => {
                    let incoming = at.as_inst().map(|i| i.incoming()).unwrap_or_default();
                    work.extend(incoming.into_iter().map(|(v, _)| v).rev());
                }
                Some(Opcode::Select) => {
                    work.extend([at.operand(2), at.operand(1)].into_iter().flatten())
                }
                Some(Opcode::Alloca) => match at.as_inst().and_then(|i| self.alloca(i)) {
                    Some(object) => found.add(Place::Object(object)),
                    None => found.add(Place::Absolute(Space::Local)),
                },
                Some(Opcode::Load) => {
                    let source = at.operand(0);
                    match source.and_then(|s| self.parameter_member(s)) {
                        Some(object) => found.add(Place::Object(object)),
                        None => {
                            let space = source
                                .map_or(Space::Generic, |s| self.space_behind(s, address_space));
                            found.add(Place::Absolute(space));
                        }
                    }
                }
                Some(Opcode::Call) if self.hands_pointer_on(at).is_some() => {
                    work.extend(self.hands_pointer_on(at));
                }
                Some(Opcode::IntToPtr) => self.roots_of_number(at, address_space, found),
                _ => found.add(Place::Absolute(self.objects.space(address_space))),
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
            | ValueKind::Other => found.add(Place::Absolute(self.objects.space(address_space))),
        }
    }

    /// Where a number made into a pointer leads: into the one object whose address it counts, or
    /// anywhere.
    fn roots_of_number(&mut self, at: Value<'m>, address_space: u32, found: &mut Roots) {
        if let Some(known) = self.rooted.numbers.get(&at) {
            return found.join(known);
        }
        let anywhere = Place::Absolute(self.objects.space(address_space));
        if self.rooted.open.is_empty() {
            self.rooted.steps = 0;
        }
        self.rooted.steps += 1;
        if self.rooted.steps > MOST_NUMBERS {
            return found.add(anywhere);
        }
        // What leads back to itself adds nothing.
        if !self.rooted.open.insert(at) {
            self.rooted.is_cut = true;
            return;
        }
        let is_cut = std::mem::take(&mut self.rooted.is_cut);
        let mut own = Roots::default();
        match at.operand(0).and_then(|number| self.object_behind(number)) {
            Some(object) => {
                own.add(Place::Object(object));
                own.moves = true;
            }
            None => {
                self.number_roots(at, &mut own);
                own.add(anywhere);
            }
        }
        self.rooted.open.remove(&at);
        // An answer that rests on one that is still open is not kept.
        let is_whole = !self.rooted.is_cut || self.rooted.open.is_empty();
        self.rooted.is_cut = is_cut || !is_whole;
        found.join(&own);
        if is_whole && self.asking.is_empty() {
            self.rooted.numbers.insert(at, own);
        }
    }

    /// The space of a pointer that is read through `source`: a generic one in global memory points
    /// to global memory, since the host, or a kernel before, put it there; unless this kernel
    /// itself stores addresses of its block's or its threads' memory.
    pub(super) fn space_behind(&mut self, source: Value<'m>, address_space: u32) -> Space {
        let own = self.objects.space(address_space);
        if own != Space::Generic {
            return own;
        }
        if let Some(&known) = self.spaces.get(&source) {
            return known;
        }
        // A list is in global memory if its head is: what leads back to the question is no reason
        // against it.
        if !self.asking.insert(source) {
            return Space::Global;
        }
        let all_global = self.roots(source).places.iter().all(|place| {
            let space = match place {
                Place::Object(object) => self.out.kernel().objects[*object].space,
                Place::Absolute(space) => *space,
            };
            matches!(space, Space::Global | Space::Constant)
        });
        self.asking.remove(&source);
        let space = match all_global && !self.stores_addresses(Addresses::Own) {
            true => Space::Global,
            false => Space::Generic,
        };
        // An answer that rests on one that is still open is not kept.
        if self.asking.is_empty() {
            self.spaces.insert(source, space);
        }
        space
    }

    /// The pointers that a number was computed from.
    fn number_roots(&mut self, from: Value<'m>, found: &mut Roots) {
        let mut seen = FxHashSet::default();
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            if !seen.insert(at) {
                continue;
            }
            match at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode())) {
                Some(Opcode::PtrToInt | Opcode::PtrToAddr) => {
                    let roots = at.operand(0).map(|p| self.roots(p)).unwrap_or_default();
                    roots.places.into_iter().for_each(|place| found.add(place));
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
                Some(Opcode::And) if rounds_down(at) => work.extend(at.operand(0)),
                _ => {}
            }
        }
    }

    /// The one object that a number counts the address of, once; for a number that a loop carries
    /// around, in which no base shows. Whatever the number may be must count it: beside a number
    /// from memory it may be any address.
    pub(super) fn object_behind(&mut self, number: Value<'m>) -> Option<heddle_ir::ObjectId> {
        let mut steps = 0;
        match self.counted(number, &mut Vec::new(), &mut steps) {
            Counted::Once(object) => Some(object),
            Counted::Undefined | Counted::None | Counted::Remainder(_) | Counted::Other => None,
        }
    }

    /// Whether a number may be made of more addresses than one.
    pub(super) fn counts_several(&mut self, number: Value<'m>) -> bool {
        let mut steps = 0;
        self.counted(number, &mut Vec::new(), &mut steps) == Counted::Other
    }

    fn counted(&mut self, at: Value<'m>, path: &mut Vec<Value<'m>>, steps: &mut usize) -> Counted {
        *steps += 1;
        if *steps > MOST_STEPS {
            return Counted::Other;
        }
        // What a loop carries around is what it carried before, or what came into it.
        if path.contains(&at) {
            return Counted::Undefined;
        }
        path.push(at);
        let mut of = |this: &mut Self, value: Option<Value<'m>>| match value {
            Some(value) => this.counted(value, path, steps),
            None => Counted::Other,
        };
        let found = match at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode())) {
            Some(Opcode::PtrToInt | Opcode::PtrToAddr) => {
                let roots = at.operand(0).map(|p| self.roots(p)).unwrap_or_default();
                match roots.places[..] {
                    [Place::Object(object)] => self.cut(Counted::Once(object), at),
                    _ => Counted::Other,
                }
            }
            // What decides how often a loop adds, or what is chosen, may go by the distance of
            // two objects.
            Some(
                Opcode::Phi
                | Opcode::Select
                | Opcode::ICmp
                | Opcode::FCmp
                | Opcode::Load
                | Opcode::AtomicRmw
                | Opcode::CmpXchg,
            ) if self.compares_objects() => Counted::Other,
            Some(Opcode::Phi) => {
                let incoming = at.as_inst().map(|i| i.incoming()).unwrap_or_default();
                let mut all = Counted::Undefined;
                for (value, _) in incoming {
                    all = all.or(of(self, Some(value)));
                }
                all
            }
            Some(Opcode::Select) => {
                let (a, b) = (of(self, at.operand(1)), of(self, at.operand(2)));
                a.or(b)
            }
            Some(Opcode::Add | Opcode::Or) => {
                let (a, b) = (of(self, at.operand(0)), of(self, at.operand(1)));
                a.plus(b)
            }
            Some(Opcode::Sub) => {
                let (a, b) = (of(self, at.operand(0)), of(self, at.operand(1)));
                match b {
                    Counted::None => a,
                    Counted::Remainder(_) => a.plus(b),
                    Counted::Undefined | Counted::Once(_) | Counted::Other => Counted::Other,
                }
            }
            // As much less as the address is beyond the boundary.
            Some(Opcode::And) if rounds_down(at) => match of(self, at.operand(0)) {
                it @ (Counted::Undefined | Counted::None | Counted::Once(_)) => it,
                Counted::Remainder(_) | Counted::Other => Counted::Other,
            },
            Some(Opcode::Trunc) => {
                let whole = of(self, at.operand(0));
                self.cut(whole, at)
            }
            Some(Opcode::ZExt | Opcode::SExt | Opcode::Freeze | Opcode::IntToPtr) => {
                of(self, at.operand(0))
            }
            // What the kernel has put into memory may be made of addresses.
            Some(Opcode::Load | Opcode::AtomicRmw | Opcode::CmpXchg) => {
                match self.stores_addresses(Addresses::Any) {
                    true => Counted::Other,
                    false => Counted::None,
                }
            }
            // Tells of an address, and counts none.
            Some(Opcode::ICmp | Opcode::FCmp) => Counted::None,
            Some(Opcode::And | Opcode::URem) if at.operands().any(is_small) => {
                let mentioned = self.mentioned(at.operands().collect::<Vec<_>>(), false);
                match (mentioned.is_some(), &mentioned.objects.iter().collect::<Vec<_>>()[..]) {
                    (false, _) => Counted::None,
                    (true, [object]) if !mentioned.others => Counted::Remainder(**object),
                    (true, _) => Counted::Other,
                }
            }
            Some(Opcode::Call)
                if at.as_inst().is_some_and(|call| self.call_reads_addresses(call)) =>
            {
                Counted::Other
            }
            // A product, a call, a part of an aggregate: made of addresses or not at all.
            Some(_) => {
                let operands: Vec<_> = at.operands().collect();
                let counts = operands.into_iter().any(|operand| {
                    let is_number = !matches!(operand.ty().kind(), TypeKind::Pointer(_));
                    !is_number && !matches!(operand.kind(), ValueKind::Function)
                        || is_number && of(self, Some(operand)) != Counted::None
                });
                if counts { Counted::Other } else { Counted::None }
            }
            None => match at.kind() {
                ValueKind::Undef | ValueKind::Poison => Counted::Undefined,
                _ => Counted::None,
            },
        };
        path.pop();
        found
    }

    /// A number as a cut leaves it: the low half of an address in global memory is none, and no
    /// address is told by fewer bits than the window of shared memory has.
    fn cut(&self, whole: Counted, at: Value<'m>) -> Counted {
        let (Counted::Once(object), TypeKind::Int(bits)) = (whole, at.ty().kind()) else {
            return whole;
        };
        let is_global = self.out.kernel().objects[object].space == Space::Global;
        match bits < 32 || bits < 64 && is_global {
            true => Counted::Other,
            false => whole,
        }
    }
}

/// Whether a value is another one, rounded down to a boundary.
fn rounds_down(at: Value<'_>) -> bool {
    let TypeKind::Int(bits) = at.ty().kind() else { return false };
    let (Ok(bits), Some(mask)) = (u8::try_from(bits), at.operand(1).and_then(|it| it.const_int()))
    else {
        return false;
    };
    boundary(mask, bits).is_some()
}

/// Whether a value is a constant below what objects are aligned to.
fn is_small(value: Value<'_>) -> bool {
    value.const_int().is_some_and(|it| it < MOST_ALIGNMENT)
}

/// Numbers made into pointers that are followed for one pointer; others may lead anywhere.
const MOST_NUMBERS: usize = 256;

/// Where numbers made into pointers lead, as far as that was found out.
#[derive(Debug, Default)]
pub(super) struct Rooted<'m> {
    numbers: FxHashMap<Value<'m>, Roots>,
    /// Those of which it is being found out.
    open: FxHashSet<Value<'m>>,
    /// One of these was met again.
    is_cut: bool,
    steps: usize,
}

/// Values that [`Lifter::object_behind`] looks at.
const MOST_STEPS: usize = 1 << 10;

/// Whose address is a part of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// It has no value, or the one that is asked for.
    Undefined,
    /// No address that shows.
    None,
    /// This object's, once.
    Once(heddle_ir::ObjectId),
    /// None, but how far an address of this object is from a boundary.
    Remainder(heddle_ir::ObjectId),
    /// Several, or none that can be told.
    Other,
}

impl Counted {
    /// One of two numbers.
    fn or(self, other: Counted) -> Counted {
        match (self, other) {
            (Counted::Undefined, it) | (it, Counted::Undefined) => it,
            (a, b) if a == b => a,
            (Counted::None, it @ Counted::Remainder(_))
            | (it @ Counted::Remainder(_), Counted::None) => it,
            _ => Counted::Other,
        }
    }

    /// The sum of two numbers.
    fn plus(self, other: Counted) -> Counted {
        match (self, other) {
            (Counted::None, it) | (it, Counted::None) => it,
            (Counted::Remainder(a), it @ (Counted::Once(b) | Counted::Remainder(b)))
            | (it @ Counted::Once(b), Counted::Remainder(a))
                if a == b =>
            {
                it
            }
            _ => Counted::Other,
        }
    }
}
