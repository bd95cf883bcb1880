//! Sets of threads, as bits.
//!
//! A *thread* here is the unit that a progress model schedules: a test thread of a litmus test, or
//! a whole block of a kernel (its polling leader). At most [`ThreadSet::CAPACITY`] of them.

use std::fmt;

/// A set of thread ids below [`ThreadSet::CAPACITY`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadSet(u16);

impl ThreadSet {
    /// The largest number of threads a program may have.
    pub const CAPACITY: usize = 16;

    /// No thread.
    pub const EMPTY: Self = Self(0);

    /// The threads `0..count`.
    ///
    /// # Panics
    /// If `count` exceeds [`ThreadSet::CAPACITY`].
    pub fn first(count: usize) -> Self {
        assert!(count <= Self::CAPACITY, "at most {} threads", Self::CAPACITY);
        Self(((1u32 << count) - 1) as u16)
    }

    /// Just `thread`.
    pub fn one(thread: usize) -> Self {
        debug_assert!(thread < Self::CAPACITY);
        Self(1 << thread)
    }

    /// The set with the given bits, bit `t` for thread `t`.
    pub fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Bit `t` is set when thread `t` is in the set.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether no thread is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many threads are in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether `thread` is in the set.
    pub fn contains(self, thread: usize) -> bool {
        self.0 >> thread & 1 == 1
    }

    /// The set and `thread`.
    #[must_use]
    pub fn with(self, thread: usize) -> Self {
        Self(self.0 | Self::one(thread).0)
    }

    /// The set less `thread`.
    #[must_use]
    pub fn without(self, thread: usize) -> Self {
        Self(self.0 & !Self::one(thread).0)
    }

    /// Threads in either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Threads in both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Threads in this set and not in the other.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether each thread of this set is in the other.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The lowest thread id, as a set; empty when there is none.
    #[must_use]
    pub fn lowest(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// The threads whose id is at most the highest id of this set.
    #[must_use]
    pub fn up_to_highest(self) -> Self {
        Self(((1u32 << (16 - self.0.leading_zeros())) - 1) as u16)
    }

    /// The thread ids, ascending.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let thread = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(thread)
        })
    }
}

impl fmt::Display for ThreadSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (position, thread) in self.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{thread}")?;
        }
        f.write_str("}")
    }
}

impl fmt::Debug for ThreadSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operations() {
        let set = ThreadSet::one(1).with(3);
        assert_eq!(set.to_string(), "{1, 3}");
        assert_eq!(set.lowest(), ThreadSet::one(1));
        assert_eq!(set.up_to_highest(), ThreadSet::first(4));
        assert_eq!(ThreadSet::EMPTY.up_to_highest(), ThreadSet::EMPTY);
        assert_eq!(ThreadSet::EMPTY.lowest(), ThreadSet::EMPTY);
        assert_eq!(ThreadSet::first(16).up_to_highest(), ThreadSet::first(16));
        assert!(set.without(3).is_subset(set) && !set.is_subset(set.without(3)));
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 3]);
    }
}
