//! Vector clocks over strands and barrier objects.
//!
//! Component `d` counts the finished intervals of strand `d`, or the finished phases of a barrier
//! object that has the number `d`, that are known to lie in the past. Components that are not
//! stored are zero. Clocks are shared until they change: all strands that leave a barrier together
//! hold the same one.
//!
//! A clock says nothing about the strand that holds it: its own count is the number of its
//! interval.

use std::sync::Arc;

/// A number of finished intervals.
pub type Tick = u32;

/// A vector clock.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Clock(Arc<Vec<Tick>>);

impl Clock {
    /// How much of a dimension lies in the past.
    #[inline]
    pub fn get(&self, dimension: u32) -> Tick {
        self.0.get(dimension as usize).copied().unwrap_or(0)
    }

    /// At least so much of a dimension lies in the past.
    pub fn raise(&mut self, dimension: u32, tick: Tick) {
        if self.get(dimension) >= tick {
            return;
        }
        let ticks = Arc::make_mut(&mut self.0);
        if ticks.len() <= dimension as usize {
            ticks.resize(dimension as usize + 1, 0);
        }
        ticks[dimension as usize] = tick;
    }

    /// What either knows.
    pub fn join(&mut self, other: &Clock) {
        if Arc::ptr_eq(&self.0, &other.0) || other.is_within(self) {
            return;
        }
        if self.is_within(other) {
            *self = other.clone();
            return;
        }
        let ticks = Arc::make_mut(&mut self.0);
        if ticks.len() < other.0.len() {
            ticks.resize(other.0.len(), 0);
        }
        for (mine, theirs) in ticks.iter_mut().zip(other.0.iter()) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether the other knows all that this one knows.
    pub fn is_within(&self, other: &Clock) -> bool {
        let beyond = self.0.get(other.0.len()..).unwrap_or(&[]);
        self.0.iter().zip(other.0.iter()).all(|(mine, theirs)| mine <= theirs)
            && beyond.iter().all(|tick| *tick == 0)
    }
}

/// What is known at a point of a run: what it sees the effects of, and what came before it at all.
///
/// The two differ after an asynchronous copy: that it is over shows that it was issued, and not
/// what its issuer wrote before.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Knowledge {
    seen: Clock,
    /// None where it is the same.
    cause: Option<Clock>,
}

impl Knowledge {
    /// Whose effects are seen.
    #[inline]
    pub fn seen(&self) -> &Clock {
        &self.seen
    }

    /// What came before, in every schedule; at least what is seen.
    #[inline]
    pub fn cause(&self) -> &Clock {
        self.cause.as_ref().unwrap_or(&self.seen)
    }

    /// What either knows.
    pub fn join(&mut self, other: &Knowledge) {
        self.join_cause(other);
        self.seen.join(&other.seen);
        self.settle();
    }

    /// What the other knows came before, without its effects.
    pub fn join_cause(&mut self, other: &Knowledge) {
        if self.cause.is_some() || other.cause.is_some() || !other.seen.is_within(&self.seen) {
            let mut cause = self.cause().clone();
            cause.join(other.cause());
            self.cause = Some(cause);
            self.settle();
        }
    }

    /// At least so much of a dimension came before, and is seen.
    pub fn raise(&mut self, dimension: u32, tick: Tick) {
        self.seen.raise(dimension, tick);
        if let Some(cause) = &mut self.cause {
            cause.raise(dimension, tick);
        }
    }

    fn settle(&mut self) {
        if self.cause.as_ref().is_some_and(|it| it.is_within(&self.seen)) {
            self.cause = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_keeps_the_larger_of_each() {
        let mut a = Clock::default();
        let mut b = Clock::default();
        a.raise(0, 3);
        b.raise(2, 5);
        b.raise(0, 1);
        assert!(!a.is_within(&b) && !b.is_within(&a));
        a.join(&b);
        assert_eq!([a.get(0), a.get(1), a.get(2), a.get(9)], [3, 0, 5, 0]);
        assert!(b.is_within(&a));
    }

    #[test]
    fn a_clock_that_knows_less_takes_the_other_over() {
        let mut a = Clock::default();
        let mut b = Clock::default();
        b.raise(1, 2);
        a.join(&b);
        assert!(Arc::ptr_eq(&a.0, &b.0));
    }
}
