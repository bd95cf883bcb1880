//! Work that several answers share: what a build allows for one kernel.
//!
//! A [`Fuel`] is counted in units of work (a node copied, a term looked at, a literal propagated;
//! a few dozen nanoseconds each), not in seconds, so that what is answered from it does not depend
//! on the machine. It is shared by its copies. A user may give a time as well, after which there is
//! no fuel left ([`Fuel::until`]); answers then depend on the machine.
//!
//! **Promises**: without fuel nothing is answered but [`Why::OutOfFuel`](crate::Why::OutOfFuel) or
//! [`Why::OutOfTime`](crate::Why::OutOfTime); where there is no limit nothing is counted. **Does
//! not**: make answers independent of the order in which they are asked for: who shares fuel asks
//! one question after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What is left of the work that some answers may cost together; without limit by default.
#[derive(Clone, Debug, Default)]
pub struct Fuel {
    units: Option<Arc<AtomicU64>>,
    until: Option<Instant>,
}

impl Fuel {
    /// So many units.
    pub fn of(units: u64) -> Fuel {
        Fuel { units: Some(Arc::new(AtomicU64::new(units))), until: None }
    }

    /// The same until a time at most.
    pub fn until(self, until: Option<Instant>) -> Fuel {
        Fuel { until, ..self }
    }

    /// So many units of its own, until the same time.
    pub fn apart(&self, units: u64) -> Fuel {
        Fuel::of(units).until(self.until)
    }

    /// Whether its time is over.
    pub fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Whether there is a limit of units.
    pub fn is_limited(&self) -> bool {
        self.units.is_some()
    }

    /// Whether there is a limit, and it is reached.
    pub fn is_empty(&self) -> bool {
        self.left() == 0
    }

    /// Units left.
    pub fn left(&self) -> u64 {
        if self.is_late() {
            return 0;
        }
        self.units.as_ref().map_or(u64::MAX, |left| left.load(Ordering::Relaxed))
    }

    /// Takes some out, as many as there are.
    pub fn take(&self, units: u64) {
        if let Some(left) = &self.units {
            left.store(left.load(Ordering::Relaxed).saturating_sub(units), Ordering::Relaxed);
        }
    }
}

/// Purses are alike if as much is left in them.
impl PartialEq for Fuel {
    fn eq(&self, other: &Fuel) -> bool {
        (self.is_limited(), self.until, self.left())
            == (other.is_limited(), other.until, other.left())
    }
}

impl Eq for Fuel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_what_is_left() {
        let fuel = Fuel::of(10);
        fuel.clone().take(4);
        assert_eq!(fuel.left(), 6);
        fuel.take(9);
        assert!(fuel.is_empty() && fuel.is_limited());
    }

    #[test]
    fn what_is_late_is_spent() {
        let fuel = Fuel::default().until(Some(Instant::now()));
        assert!(fuel.is_empty() && !fuel.is_limited());
        assert!(fuel.is_late() && fuel.apart(5).is_empty());
        assert!(Fuel::of(0).is_empty() && !Fuel::of(0).is_late());
        assert_eq!(Fuel::default().apart(5).left(), 5);
    }

    #[test]
    fn without_limit_nothing_is_counted() {
        let fuel = Fuel::default();
        fuel.take(u64::MAX);
        assert!(!fuel.is_empty() && !fuel.is_limited());
    }
}
