//! The two threads that a question is about, and the leaders of their blocks.

/// Which of the two threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Thread {
    /// The first.
    One,
    /// The second.
    Two,
    /// The thread with index zero of the first's block.
    LeaderOfOne,
    /// The thread with index zero of the second's block, where that is another.
    LeaderOfTwo,
}

impl Thread {
    /// All, by index.
    pub(crate) const ALL: [Thread; 4] =
        [Thread::One, Thread::Two, Thread::LeaderOfOne, Thread::LeaderOfTwo];

    /// 0 and 1 for the two threads, 2 and 3 for their leaders.
    pub(crate) fn index(self) -> usize {
        match self {
            Thread::One => 0,
            Thread::Two => 1,
            Thread::LeaderOfOne => 2,
            Thread::LeaderOfTwo => 3,
        }
    }

    /// The one of the two whose block it is in.
    pub(crate) fn member(self) -> Thread {
        match self {
            Thread::One | Thread::LeaderOfOne => Thread::One,
            Thread::Two | Thread::LeaderOfTwo => Thread::Two,
        }
    }

    /// The leader of its block.
    pub(crate) fn leader(self) -> Thread {
        match self {
            Thread::One | Thread::LeaderOfOne => Thread::LeaderOfOne,
            Thread::Two | Thread::LeaderOfTwo => Thread::LeaderOfTwo,
        }
    }
}
