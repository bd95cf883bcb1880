//! Pointers as lists of places: which object, and which byte of it, under which condition.
//!
//! A pointer of LLVM IR becomes a list of [`Alternative`]s whose guards exclude each other and
//! cover all cases in which the pointer is defined; there is one alternative for each [`Place`]. An
//! access through it becomes one access for each. Casts between address spaces change nothing.
//!
//! **Numbers.** Where a program looks at an address it sees `base(object) + offset`; a number made
//! into a pointer is taken apart again where exactly one base is found in it, and nothing else that
//! may count or tell another ([`distance`](super::distance)), else it stays a number
//! ([`Place::Absolute`]), and an access through it is one to an unknown object at that number as
//! offset. Null is the number zero.
//! The address of a shared object counts from the start of the generic window or of the shared one,
//! as the program chose: both are the same `base` here, so that a comparison of one form with the
//! other is not faithful.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, LoopId, NoWrap, ObjectId, Space};

use rustc_hash::FxHashSet;

use super::Lifter;
use super::predicate::{both, either, equals, is_callee};
use heddle_llvm::{IntPredicate, Value};

/// Where a pointer points, before its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Into this object.
    Object(ObjectId),
    /// Anywhere in this space; the offset is the address itself.
    Absolute(Space),
}

/// One of the places that a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    /// When it does.
    pub(super) guard: ExprId,
    /// Where.
    pub(super) place: Place,
    /// Which byte; 64 bits.
    pub(super) offset: ExprId,
}

/// A pointer. Without alternatives it is `undef` or `poison`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Pointer {
    pub(super) alternatives: Vec<Alternative>,
}

impl Pointer {
    /// `undef` or `poison`.
    pub(super) fn nowhere() -> Pointer {
        Pointer::default()
    }
}

/// Choices between constants nest no deeper than this where one is compared.
pub(super) const MAX_SELECTS: u32 = 16;

/// A sum of more terms than this is not searched for the address of an object.
const MAX_SUM: usize = 64;

impl<'m> Lifter<'m> {
    /// A pointer to one place.
    pub(super) fn point(&mut self, place: Place, offset: ExprId) -> Pointer {
        let guard = self.out.exprs().truth();
        Pointer { alternatives: vec![Alternative { guard, place, offset }] }
    }

    /// A pointer to the start of an object.
    pub(super) fn point_to(&mut self, object: ObjectId) -> Pointer {
        let zero = self.out.exprs().constant(0, 64);
        self.point(Place::Object(object), zero)
    }

    /// The null pointer.
    pub(super) fn null(&mut self, address_space: u32) -> Pointer {
        let zero = self.out.exprs().constant(0, 64);
        let space = self.objects.space(address_space);
        self.point(Place::Absolute(space), zero)
    }

    /// `a` where `c` is one, else `b`.
    pub(super) fn choose_pointer(&mut self, c: ExprId, a: Pointer, b: Pointer) -> Pointer {
        // Who follows an undefined pointer is undefined.
        if a.alternatives.is_empty() {
            return b;
        }
        if b.alternatives.is_empty() {
            return a;
        }
        let mut result: Vec<Alternative> = Vec::new();
        for alternative in a.alternatives {
            let guard = both(self.out.exprs(), c, alternative.guard);
            result.push(Alternative { guard, ..alternative });
        }
        let not = self.out.exprs().not(c);
        for alternative in b.alternatives {
            let guard = both(self.out.exprs(), not, alternative.guard);
            match result.iter_mut().find(|r| r.place == alternative.place) {
                Some(known) => {
                    let pool = self.out.exprs();
                    known.offset = pool.select(c, known.offset, alternative.offset);
                    known.guard = either(pool, known.guard, guard);
                }
                None => result.push(Alternative { guard, ..alternative }),
            }
        }
        result.retain(|r| self.out.kernel().exprs.as_const(r.guard) != Some(0));
        if let [only] = &mut result[..] {
            only.guard = self.out.exprs().truth();
        }
        Pointer { alternatives: result }
    }

    /// A pointer as it was when the thread left a loop.
    pub(super) fn exit_pointer(&mut self, of: LoopId, pointer: Pointer) -> Pointer {
        let alternatives = pointer
            .alternatives
            .into_iter()
            .map(|Alternative { guard, place, offset }| Alternative {
                guard: self.exit(of, guard),
                place,
                offset: self.exit(of, offset),
            })
            .collect();
        Pointer { alternatives }
    }

    /// The address as a number of 64 bits.
    pub(super) fn numeric(&mut self, pointer: &Pointer) -> ExprId {
        let mut result: Option<ExprId> = None;
        for alternative in pointer.alternatives.iter().rev() {
            let number = self.number_of(alternative);
            result = Some(match result {
                None => number,
                Some(rest) => self.out.exprs().select(alternative.guard, number, rest),
            });
        }
        match result {
            Some(number) => number,
            None => self.undef(64),
        }
    }

    /// The address of one alternative.
    pub(super) fn number_of(&mut self, alternative: &Alternative) -> ExprId {
        match alternative.place {
            Place::Absolute(_) => alternative.offset,
            Place::Object(object) => {
                let base = self.out.exprs().base(object);
                self.out.exprs().add(base, alternative.offset)
            }
        }
    }

    /// A pointer moved by so many bytes.
    pub(super) fn advance(&mut self, pointer: Pointer, by: ExprId, flags: NoWrap) -> Pointer {
        let alternatives = pointer
            .alternatives
            .into_iter()
            .map(|a| {
                // What is known of a step inside an object is not known of an address.
                let flags = if matches!(a.place, Place::Object(_)) { flags } else { NoWrap::NONE };
                let offset = self.out.exprs().binary_flagged(BinOp::Add, flags, a.offset, by);
                Alternative { offset, ..a }
            })
            .collect();
        Pointer { alternatives }
    }

    /// `inttoptr`, or a pointer read from memory as a number.
    pub(super) fn pointer_from_number(&mut self, number: ExprId, address_space: u32) -> Pointer {
        self.pointer_from_choice(number, address_space, MAX_SELECTS / 2)
    }

    fn pointer_from_choice(&mut self, number: ExprId, address_space: u32, depth: u32) -> Pointer {
        if let (ExprKind::Select(c, a, b), true) =
            (&self.out.kernel().exprs[number].kind, depth > 0)
        {
            let (c, a, b) = (*c, *a, *b);
            let a = self.pointer_from_choice(a, address_space, depth - 1);
            let b = self.pointer_from_choice(b, address_space, depth - 1);
            return self.choose_pointer(c, a, b);
        }
        match self.split_base(number) {
            Some((object, offset)) => self.point(Place::Object(object), offset),
            None => {
                let space = self.objects.space(address_space);
                self.point(Place::Absolute(space), number)
            }
        }
    }

    /// The same, where the number may be one that a loop carries around: its base shows only in
    /// what it came from.
    pub(super) fn pointer_from_value(
        &mut self,
        number: ExprId,
        source: Value<'m>,
        address_space: u32,
    ) -> Pointer {
        let pointer = self.pointer_from_number(number, address_space);
        match self.object_of_number(&pointer, number, source) {
            Found::Kept => pointer,
            Found::Behind(object) => {
                let base = self.out.exprs().base(object);
                let offset = self.out.exprs().sub(number, base);
                self.point(Place::Object(object), offset)
            }
            Found::Lost => {
                let space = self.objects.space(address_space);
                self.point(Place::Absolute(space), number)
            }
        }
    }

    /// What a number that was taken for an address is, by what LLVM has for it: where no base shows
    /// in it, because a loop carries it around, it may still come from one object only; and where
    /// one shows, what a loop or memory adds to it may hold another.
    pub(super) fn object_of_number(
        &mut self,
        found: &Pointer,
        number: ExprId,
        source: Value<'m>,
    ) -> Found {
        let is_absolute = |it: &Alternative| matches!(it.place, Place::Absolute(_));
        let place = match found.alternatives[..] {
            [Alternative { place, .. }] => Some(place),
            _ if found.alternatives.iter().any(is_absolute) => {
                if let Some(object) = self.object_behind(source) {
                    return Found::Behind(object);
                }
                None
            }
            _ => None,
        };
        match place {
            Some(Place::Absolute(_)) if self.out.exprs().as_const(number).is_none() => {
                self.object_behind(source).map_or(Found::Kept, Found::Behind)
            }
            Some(Place::Absolute(_)) => Found::Kept,
            Some(Place::Object(_)) | None => {
                let carried = is_carried(self.out.exprs(), number);
                if carried && self.counts_several(source) { Found::Lost } else { Found::Kept }
            }
        }
    }

    /// `base(object) + offset`, where a sum has exactly one base in it, once, and the offset counts
    /// no other: `b + (a - b)` is an address in `a`, and stays a number. Works at 32 to 64 bits: an
    /// address cut to the 32 bits of the shared window is taken apart the same way, and its offset
    /// is widened as signed. Fewer bits are not all of an address.
    pub(super) fn split_base(&mut self, number: ExprId) -> Option<(ObjectId, ExprId)> {
        let mut found: Option<ObjectId> = None;
        let rest = self.without_base(number, &mut found, 0)?;
        let object = found?;
        if counts_a_base(self.out.exprs(), rest, object) {
            return None;
        }
        let rest = self.out.exprs().cast(CastOp::Sext, rest, 64);
        Some((object, rest))
    }

    /// A difference, in which the base of an object that both operands point into cancels out.
    pub(super) fn difference(&mut self, flags: NoWrap, a: ExprId, b: ExprId) -> ExprId {
        if self.out.exprs().width(a) == 64
            && let Some((x, left)) = self.split_sum(a)
            && let Some((y, right)) = self.split_sum(b)
            && x == y
        {
            return self.out.exprs().sub(left, right);
        }
        self.out.exprs().binary_flagged(BinOp::Sub, flags, a, b)
    }

    /// `base + offset` exactly as [`Self::numeric`] makes it.
    fn split_sum(&mut self, e: ExprId) -> Option<(ObjectId, ExprId)> {
        let pool = self.out.exprs();
        let as_base = |pool: &heddle_ir::ExprPool, e: ExprId| match pool[e].kind {
            ExprKind::Base(object) => Some(object),
            _ => None,
        };
        if let Some(object) = as_base(pool, e) {
            return Some((object, pool.constant(0, 64)));
        }
        let ExprKind::Binary(BinOp::Add, _, a, b) = pool[e].kind else { return None };
        match (as_base(pool, a), as_base(pool, b)) {
            (Some(object), None) => Some((object, b)),
            (None, Some(object)) => Some((object, a)),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }

    fn without_base(
        &mut self,
        e: ExprId,
        found: &mut Option<ObjectId>,
        depth: usize,
    ) -> Option<ExprId> {
        if depth > MAX_SUM {
            return None;
        }
        let node = self.out.kernel().exprs[e].clone();
        match node.kind {
            ExprKind::Base(object) => {
                if found.replace(object).is_some() {
                    return None;
                }
                Some(self.out.exprs().constant(0, 64))
            }
            ExprKind::Binary(BinOp::Add, flags, a, b) => {
                let before = *found;
                let left = self.without_base(a, found, depth + 1)?;
                let right = self.without_base(b, found, depth + 1)?;
                // A flag of the sum with the base says nothing of the sum without it.
                let flags = if *found == before { flags } else { NoWrap::NONE };
                Some(self.out.exprs().binary_flagged(BinOp::Add, flags, left, right))
            }
            ExprKind::Binary(BinOp::Sub, flags, a, b) if found.is_none() => {
                let left = self.without_base(a, found, depth + 1)?;
                let flags = if found.is_none() { flags } else { NoWrap::NONE };
                Some(self.out.exprs().binary_flagged(BinOp::Sub, flags, left, b))
            }
            // Rounded down to a boundary: as much less as the address is beyond that. An array in
            // shared memory is taken to start at one.
            ExprKind::Binary(BinOp::And, _, a, mask)
                if found.is_none() && self.boundary(mask).is_some() =>
            {
                let mut inner = None;
                let stripped = self.without_base(a, &mut inner, depth + 1)?;
                let (Some(object), Some(below)) = (inner, self.boundary(mask)) else {
                    return Some(e);
                };
                let is_short =
                    node.width < 64 && self.out.kernel().objects[object].space == Space::Global;
                if is_short || node.width < 32 {
                    return Some(e);
                }
                *found = inner;
                let is_shared = self.out.kernel().objects[object].space == Space::Shared;
                self.out.kernel_mut().shared_aligned |= is_shared;
                let pool = self.out.exprs();
                let below = pool.constant(below - 1, node.width);
                let from = if is_shared { stripped } else { a };
                let beyond = pool.binary(BinOp::And, from, below);
                Some(pool.sub(stripped, beyond))
            }
            ExprKind::Cast(op, a) if found.is_none() => {
                let mut inner = None;
                let stripped = self.without_base(a, &mut inner, depth + 1)?;
                let Some(object) = inner else { return Some(e) };
                // The window of global memory is larger than what is left of the address, and that
                // of shared memory than less than 32 bits.
                let space = self.out.kernel().objects[object].space;
                let is_short = node.width.min(self.out.exprs().width(a)) < 32;
                if is_short || op == CastOp::Trunc && space == Space::Global {
                    return Some(e);
                }
                *found = inner;
                // Widened again after the cut to the shared window's 32 bits: as signed, as
                // everywhere here.
                let op = if op == CastOp::Zext { CastOp::Sext } else { op };
                Some(self.out.exprs().cast(op, stripped, node.width))
            }
            _ => Some(e),
        }
    }

    /// The boundary that a mask rounds down to, where it is one that addresses are rounded to.
    fn boundary(&self, mask: ExprId) -> Option<u128> {
        let pool = &self.out.kernel().exprs;
        boundary(pool.as_const(mask)?, pool.width(mask))
    }

    /// A comparison of pointers. Equal addresses in one object have equal offsets. Which is lower
    /// is told by offsets, as signed numbers, of pointers that never leave their object
    /// (`inside`): no object reaches half of the address space. Else it is one of addresses, which
    /// wrap around.
    pub(super) fn compare_pointers(
        &mut self,
        predicate: IntPredicate,
        a: &Pointer,
        b: &Pointer,
        inside: bool,
    ) -> ExprId {
        let signed = match predicate {
            IntPredicate::Ugt => IntPredicate::Sgt,
            IntPredicate::Uge => IntPredicate::Sge,
            IntPredicate::Ult => IntPredicate::Slt,
            IntPredicate::Ule => IntPredicate::Sle,
            IntPredicate::Eq
            | IntPredicate::Ne
            | IntPredicate::Sgt
            | IntPredicate::Sge
            | IntPredicate::Slt
            | IntPredicate::Sle => predicate,
        };
        if let ([x], [y]) = (&a.alternatives[..], &b.alternatives[..])
            && x.place == y.place
            && matches!(x.place, Place::Object(_))
            && (inside || matches!(predicate, IntPredicate::Eq | IntPredicate::Ne))
        {
            return self.compare(signed, x.offset, y.offset);
        }
        let (x, y) = (self.numeric(a), self.numeric(b));
        self.compare(predicate, x, y)
    }

    /// Whether a call by one pointer calls the function that the other leads to.
    pub(super) fn calls(&mut self, pointer: &Pointer, function: &Pointer) -> ExprId {
        let (address, function) = (self.numeric(pointer), self.numeric(function));
        is_callee(self.out.exprs(), address, function, MAX_SELECTS)
    }

    /// An integer comparison.
    pub(super) fn compare(&mut self, predicate: IntPredicate, a: ExprId, b: ExprId) -> ExprId {
        let pool = self.out.exprs();
        match predicate {
            IntPredicate::Eq | IntPredicate::Ne => {
                let (a, b) = if pool.as_const(a).is_some() { (b, a) } else { (a, b) };
                let equal = match pool.as_const(b) {
                    Some(_) => equals(pool, a, b, MAX_SELECTS),
                    None => pool.eq(a, b),
                };
                if predicate == IntPredicate::Eq { equal } else { pool.not(equal) }
            }
            IntPredicate::Ult => pool.cmp(CmpOp::Ult, a, b),
            IntPredicate::Ule => pool.cmp(CmpOp::Ule, a, b),
            IntPredicate::Ugt => pool.cmp(CmpOp::Ult, b, a),
            IntPredicate::Uge => pool.cmp(CmpOp::Ule, b, a),
            IntPredicate::Slt => pool.cmp(CmpOp::Slt, a, b),
            IntPredicate::Sle => pool.cmp(CmpOp::Sle, a, b),
            IntPredicate::Sgt => pool.cmp(CmpOp::Slt, b, a),
            IntPredicate::Sge => pool.cmp(CmpOp::Sle, b, a),
        }
    }
}

/// What a number that was taken for an address turns out to be.
pub(super) enum Found {
    /// What it was taken for.
    Kept,
    /// An address in this object.
    Behind(ObjectId),
    /// Any address.
    Lost,
}

/// Whether a loop, or memory, brings a part of the number along.
pub(super) fn is_carried(pool: &heddle_ir::ExprPool, number: ExprId) -> bool {
    let (mut seen, mut work) = (FxHashSet::default(), vec![number]);
    while let Some(at) = work.pop() {
        if seen.insert(at) {
            match pool[at].kind {
                ExprKind::Var(_) | ExprKind::Exit(..) | ExprKind::Result(..) => return true,
                _ => pool.for_each_operand(at, |it| work.push(it)),
            }
        }
    }
    false
}

/// Bytes up to which a remainder of an address is a distance from a boundary.
pub(super) const MOST_ALIGNMENT: u128 = 1 << 16;

/// The power of two that a mask rounds numbers of this width down to a multiple of, if that is at
/// most what objects are aligned to.
pub(super) fn boundary(mask: u128, width: u8) -> Option<u128> {
    let most = heddle_ir::mask(u128::MAX, width);
    let below = most & !mask;
    (below < MOST_ALIGNMENT && (below + 1).is_power_of_two()).then_some(below + 1)
}

/// Whether an address may be a part of this number, which is added to an address of an object, or
/// tell another one's. What comparisons and remainders by an alignment tell of that object itself
/// counts no address; of another, it is a distance between the two, or may be.
fn counts_a_base(pool: &heddle_ir::ExprPool, number: ExprId, of: ObjectId) -> bool {
    let small = |e: ExprId| pool.as_const(e).is_some_and(|it| it < MOST_ALIGNMENT);
    // Whether only the object's own address is told below here.
    let (mut seen, mut work) = (FxHashSet::default(), vec![(number, false)]);
    while let Some((at, told)) = work.pop() {
        if !seen.insert((at, told)) {
            continue;
        }
        let told = match pool[at].kind {
            ExprKind::Base(object) if !told || object != of => return true,
            ExprKind::Cmp(..) => true,
            ExprKind::Binary(BinOp::And, _, a, b) if small(a) || small(b) => true,
            ExprKind::Binary(BinOp::URem, _, _, by) if small(by) => true,
            _ => told,
        };
        pool.for_each_operand(at, |it| work.push((it, told)));
    }
    false
}
