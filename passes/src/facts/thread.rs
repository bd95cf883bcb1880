//! The two threads that a question is about, the leaders of their blocks, and the lanes that they
//! get values from.

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
    /// The thread of the first's warp whose values the first gets by a shuffle.
    SourceOfOne,
    /// The same for the second.
    SourceOfTwo,
}

impl Thread {
    /// All, by index.
    pub(crate) const ALL: [Thread; 6] = [
        Thread::One,
        Thread::Two,
        Thread::LeaderOfOne,
        Thread::LeaderOfTwo,
        Thread::SourceOfOne,
        Thread::SourceOfTwo,
    ];

    /// 0 and 1 for the two threads, then their leaders, then their sources.
    pub(crate) fn index(self) -> usize {
        match self {
            Thread::One => 0,
            Thread::Two => 1,
            Thread::LeaderOfOne => 2,
            Thread::LeaderOfTwo => 3,
            Thread::SourceOfOne => 4,
            Thread::SourceOfTwo => 5,
        }
    }

    /// The one of the two whose block it is in.
    pub(crate) fn member(self) -> Thread {
        match self {
            Thread::One | Thread::LeaderOfOne | Thread::SourceOfOne => Thread::One,
            Thread::Two | Thread::LeaderOfTwo | Thread::SourceOfTwo => Thread::Two,
        }
    }

    /// Whether it is one of the two.
    pub(crate) fn is_member(self) -> bool {
        self == self.member()
    }

    /// Whether it is the leader of a block.
    pub(crate) fn is_leader(self) -> bool {
        self == self.leader()
    }

    /// The leader of its block.
    pub(crate) fn leader(self) -> Thread {
        match self {
            Thread::One | Thread::LeaderOfOne | Thread::SourceOfOne => Thread::LeaderOfOne,
            Thread::Two | Thread::LeaderOfTwo | Thread::SourceOfTwo => Thread::LeaderOfTwo,
        }
    }

    /// The thread of its warp that it gets values from.
    pub(crate) fn source(self) -> Thread {
        match self {
            Thread::One | Thread::LeaderOfOne | Thread::SourceOfOne => Thread::SourceOfOne,
            Thread::Two | Thread::LeaderOfTwo | Thread::SourceOfTwo => Thread::SourceOfTwo,
        }
    }

    /// Whether it is where one of the two gets values from.
    pub(crate) fn is_source(self) -> bool {
        self == self.source()
    }
}
