//! How the two threads of a question are placed towards each other.

/// How the two threads are placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Placement {
    /// In one block, and not the same thread.
    SameBlock,
    /// In one warp of one block, and not the same thread.
    SameWarp,
    /// One thread: for what it does itself, beside what lanes of its warp do where it says.
    SameThread,
    /// In one block, in different warps.
    DifferentWarps,
    /// In different blocks.
    DifferentBlocks,
    /// In different blocks of one cluster.
    SameCluster,
    /// In blocks of different clusters, whose size is known.
    DifferentClusters,
}

impl Placement {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Placement::SameBlock => "two threads of one block",
            Placement::SameWarp => "two threads of one warp",
            Placement::SameThread => "one thread",
            Placement::DifferentWarps => "two threads of one block in different warps",
            Placement::DifferentBlocks => "threads of two blocks",
            Placement::SameCluster => "threads of two blocks of one cluster",
            Placement::DifferentClusters => "threads of two clusters",
        }
    }

    /// Whether the two threads are in different blocks.
    pub(crate) fn is_across(self) -> bool {
        match self {
            Placement::SameBlock
            | Placement::SameWarp
            | Placement::SameThread
            | Placement::DifferentWarps => false,
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                true
            }
        }
    }
}
