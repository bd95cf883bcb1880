//! What arrays keep when a kernel starts, in the words of `heddle.h`: `heddle_injective(perm, n)`.
//!
//! Such a property is one bit: an [`ExprKind::Pure`] over where the array begins, how many elements
//! of it are meant, and bounds. [`ArrayContract::bit`] builds it and [`ArrayContract::of`] reads it
//! back, so that it travels as any other condition on launches.
//!
//! **Does not**: say what follows from it; `passes` and whoever makes memory for a run do.

use crate::entity::{ExprId, ObjectId};
use crate::expr::{ExprKind, ExprPool, named};

named! {
    /// What the elements of an array keep.
    ArrayRule {
        /// No two of them are the same number.
        Injective = "injective",
        /// Each is at least the lower bound and below the upper one, as signed numbers of 64 bits.
        Range = "range",
        /// None is less than the one before it.
        Sorted = "sorted",
        /// Each is more than the one before it.
        Ascending = "ascending",
    }
}

/// The integers that an array is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    /// Bytes of one: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Whether the highest bit is a sign.
    pub signed: bool,
}

impl Element {
    /// One of such a size, if there are integers of it.
    pub fn new(bytes: u64, signed: bool) -> Option<Element> {
        match bytes {
            1 | 2 | 4 | 8 => Some(Element { bytes: bytes as u8, signed }),
            _ => None,
        }
    }

    /// Bits of one.
    pub fn bits(self) -> u8 {
        8 * self.bytes
    }

    /// The number that so many bits are. Numbers of 64 bits are signed beside bounds, and by their
    /// own sign beside each other.
    pub fn number(self, bits: u128) -> i128 {
        match self.signed {
            true => crate::sign_extend(bits, self.bits()),
            false => bits as i128,
        }
    }
}

/// A property of the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ArrayContract {
    /// What they keep.
    pub rule: ArrayRule,
    /// What they are.
    pub element: Element,
    /// Where they are.
    pub object: ObjectId,
    /// Its byte at which the first one begins; 64 bits.
    pub start: ExprId,
    /// How many; 64 bits, none where it is not positive as a signed number.
    pub count: ExprId,
    /// The bounds of a range, the upper one not in it; 64 bits, signed. Zeros otherwise.
    pub bounds: [ExprId; 2],
}

impl ArrayContract {
    /// The property as one bit.
    pub fn bit(&self, pool: &mut ExprPool) -> ExprId {
        let ArrayContract {
            rule,
            element: Element { bytes, signed },
            object,
            start,
            count,
            bounds,
        } = *self;
        let sign = if signed { 's' } else { 'u' };
        let name = format!("array.{rule}.{sign}{}", 8 * u32::from(bytes));
        let base = pool.base(object);
        pool.pure(&name, &[base, start, count, bounds[0], bounds[1]], 1)
    }

    /// The property that a bit is, if it is one.
    pub fn of(pool: &ExprPool, id: ExprId) -> Option<ArrayContract> {
        let ExprKind::Pure(function, args) = &pool[id].kind else { return None };
        let [base, start, count, low, high] = args[..] else { return None };
        let mut words = pool.function_name(*function).strip_prefix("array.")?.split('.');
        let rule = ArrayRule::from_name(words.next()?)?;
        let element = words.next()?;
        let signed = element.starts_with('s');
        let bits: u64 = element.get(1..)?.parse().ok()?;
        let ExprKind::Base(object) = pool[base].kind else { return None };
        let element = Element::new(bits / 8, signed)?;
        Some(ArrayContract { rule, element, object, start, count, bounds: [low, high] })
    }

    /// The properties that a condition asks for.
    pub fn all_of(pool: &ExprPool, condition: ExprId) -> Vec<ArrayContract> {
        pool.conjuncts(condition).into_iter().filter_map(|it| ArrayContract::of(pool, it)).collect()
    }
}
