//! The blocks of a grid that are there, and which of their threads can run.
//!
//! **Does not**: let threads run (`drive`), or decide what they wait for.

use heddle_semantics::{LaunchShape, Warps};

use crate::block::{Block, BlockOf, Thread};
use crate::cluster::Cluster;
use crate::schedule::Ready;

/// The blocks of a grid that are there.
pub(crate) struct Grid {
    /// Its sizes, with clusters that it is made of.
    pub(crate) shape: LaunchShape,
    /// By slot.
    pub(crate) blocks: Vec<Option<Box<Block>>>,
    /// The slot and the index of the thread that runs, or ran last.
    pub(crate) running: (u32, u32),
    pub(crate) ready: Ready,
    /// By the number of the first slot, divided by the blocks of a cluster.
    pub(crate) clusters: Vec<Cluster>,
    pub(crate) presence: Presence,
    /// Yields since something changed; compiled code reads it.
    pub(crate) idle: u64,
    /// Lanes that ask which others are with them.
    pub(crate) asking: u32,
    /// The next block, or cluster, to start.
    pub(crate) next_block: u64,
    /// All blocks have been started.
    pub(crate) exhausted: bool,
    /// Blocks that are done, for the next to take their place.
    #[allow(clippy::vec_box, reason = "boxes move between here and the slots")]
    pub(crate) spare: Vec<Box<Block>>,
    /// Slots in which blocks are started without waiting for others to end.
    pub(crate) at_once: usize,
}

/// Who is there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Presence {
    /// Threads that wait at the grid's barrier.
    pub(crate) waiting: u64,
    /// Threads that have started and not ended.
    pub(crate) live: u64,
    /// Blocks that have ended, or were given up.
    pub(crate) ended: u64,
}

impl Grid {
    /// How the threads of a block make warps; each is one where the target has none.
    pub(crate) fn warps(&self) -> Warps {
        self.shape.warps_or_threads()
    }

    /// Blocks of a cluster.
    pub(crate) fn cluster_size(&self) -> usize {
        self.shape.clusters().size() as usize
    }

    /// The numbers of a block.
    pub(crate) fn block_of(&self, block: &Block) -> BlockOf {
        let first_thread = block.number * self.shape.threads();
        BlockOf { number: block.number, first_thread, warps: self.warps() }
    }

    /// Where a block is in the grid.
    pub(crate) fn index_of(&self, number: u32) -> [u32; 3] {
        self.shape.block_index(number)
    }

    /// All threads that are there.
    pub(crate) fn threads(&self) -> impl Iterator<Item = &Thread> + Clone {
        self.blocks.iter().flatten().flat_map(|block| &block.threads)
    }

    /// The threads of a cluster, by the number of its slots.
    pub(crate) fn threads_of(&self, group: usize) -> impl Iterator<Item = &Thread> {
        let size = self.cluster_size();
        self.blocks[group * size..][..size].iter().flatten().flat_map(|block| &block.threads)
    }

    /// Whether no block of a cluster is in its slots.
    pub(crate) fn is_free(&self, group: usize) -> bool {
        let size = self.cluster_size();
        self.blocks[group * size..][..size].iter().all(Option::is_none)
    }

    /// Whether another block, or cluster, could start.
    pub(crate) fn has_room(&self) -> bool {
        match self.cluster_size() {
            1 => self.blocks[..self.at_once].iter().any(Option::is_none),
            size => (0..self.blocks.len() / size).any(|group| self.is_free(group)),
        }
    }

    /// The block whose thread runs.
    #[inline]
    pub(crate) fn running_block(&self) -> &Block {
        match &self.blocks[self.running.0 as usize] {
            Some(block) => block,
            None => unreachable!("the block of a thread that runs is there"),
        }
    }

    /// The block whose thread runs, to be changed.
    pub(crate) fn running_block_mut(&mut self) -> &mut Block {
        match &mut self.blocks[self.running.0 as usize] {
            Some(block) => block,
            None => unreachable!("the block of a thread that runs is there"),
        }
    }

    /// The thread that runs, to be changed.
    pub(crate) fn running_thread_mut(&mut self) -> &mut Thread {
        let index = self.running.1 as usize;
        &mut self.running_block_mut().threads[index]
    }

    /// The block whose thread runs, and its cluster, both to be changed.
    pub(crate) fn running_block_and_cluster(&mut self) -> (&mut Block, &mut Cluster) {
        let slot = self.running.0 as usize;
        let group = slot / self.cluster_size();
        match &mut self.blocks[slot] {
            Some(block) => (block, &mut self.clusters[group]),
            None => unreachable!("the block of a thread that runs is there"),
        }
    }
}
