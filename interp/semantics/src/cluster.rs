//! The barrier of a cluster: arrivals now, waits later (PTX ISA, section 9.7.13.4).
//!
//! **Sound because** the barrier waits for the threads of the cluster that have not returned: a
//! thread that returns is not expected any more, and an arrival of its in the phase in progress
//! does not count any more either.
//!
//! **Does not**: know who is between the halves; the caller keeps the phase that
//! [`ClusterPhases::arrive`] gives.

/// The counts of the barrier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ClusterPhases {
    /// The phase in progress, from zero.
    pub phase: u32,
    /// Arrivals in it, of threads that have not returned.
    pub arrived: u32,
}

impl ClusterPhases {
    /// This many arrive; the phase that they belong to.
    pub fn arrive(&mut self, brings: u32) -> u32 {
        self.arrived += brings;
        self.phase
    }

    /// Threads return. `between` is the phase in which they arrived and did not wait yet, `brought`
    /// what they brought to it.
    pub fn leave(&mut self, between: Option<u32>, brought: u32) {
        if between == Some(self.phase) {
            self.arrived = self.arrived.saturating_sub(brought);
        }
    }

    /// Whether all `expected` have arrived.
    pub fn is_full(&self, expected: u32) -> bool {
        self.arrived > 0 && self.arrived >= expected
    }

    /// The next phase begins.
    pub fn advance(&mut self) {
        self.phase += 1;
        self.arrived = 0;
    }

    /// Whether a wait of those that arrived in a phase is over.
    pub fn is_over(&self, phase: u32) -> bool {
        phase < self.phase
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_return_are_not_waited_for() {
        let mut barrier = ClusterPhases::default();
        let phase = barrier.arrive(64);
        assert!(!barrier.is_full(128) && !barrier.is_over(phase));
        // The other half returns without an arrival, then one that has arrived.
        barrier.leave(None, 0);
        assert!(barrier.is_full(64));
        barrier.leave(Some(phase), 1);
        assert!(barrier.is_full(63) && !barrier.is_full(64));
        barrier.advance();
        assert!(barrier.is_over(phase) && !barrier.is_full(0));
    }
}
