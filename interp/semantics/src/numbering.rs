//! How threads, blocks and clusters are numbered (PTX ISA, section 10; CUDA C++ Programming Guide,
//! "Thread Hierarchy"): x counts first, then y, then z.

use std::ops::Range;

/// Lanes of a warp of NVIDIA's devices.
pub const WARP: u32 = 32;

/// The index that a number stands for in a shape whose x counts first.
pub fn index_of(number: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    [number % x, number / x % y, number / x / y]
}

/// The number of an index: the inverse of [`index_of`].
pub fn number_of([ix, iy, iz]: [u32; 3], [x, y, _]: [u32; 3]) -> u32 {
    (iz * y + iy) * x + ix
}

/// How many indices a shape has.
pub fn count(shape: [u32; 3]) -> u32 {
    shape.iter().product()
}

/// The sizes of a launch, each known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchShape {
    /// Blocks of the grid, by dimension.
    pub grid: [u32; 3],
    /// Threads of a block, by dimension.
    pub block: [u32; 3],
    /// Blocks of a cluster, by dimension; ones where there are no clusters.
    pub cluster: [u32; 3],
    /// Lanes of a warp, 1 to 64; `None` where the target has no warps or leaves it open.
    pub warp_size: Option<u32>,
}

impl LaunchShape {
    /// Of blocks that make no clusters.
    pub fn new(grid: [u32; 3], block: [u32; 3], warp_size: Option<u32>) -> LaunchShape {
        LaunchShape { grid, block, cluster: [1; 3], warp_size }
    }

    /// Blocks of the grid, or the largest number where there are more.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().fold(1, |all: u64, size| all.saturating_mul(u64::from(*size)))
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        count(self.block)
    }

    /// The index of a block by its number.
    pub fn block_index(&self, number: u32) -> [u32; 3] {
        index_of(number, self.grid)
    }

    /// The index of a thread by its number in its block.
    pub fn thread_index(&self, number: u32) -> [u32; 3] {
        index_of(number, self.block)
    }

    /// The number of a thread in its block.
    pub fn thread_number(&self, index: [u32; 3]) -> u32 {
        number_of(index, self.block)
    }

    /// How the threads of a block make warps, where that is known.
    pub fn warps(&self) -> Option<Warps> {
        self.warp_size.map(|size| Warps { size, threads: self.threads() })
    }

    /// The same where each thread is a warp if nothing is known.
    pub fn warps_or_threads(&self) -> Warps {
        Warps { size: self.warp_size.unwrap_or(1), threads: self.threads() }
    }

    /// How blocks make clusters.
    pub fn clusters(&self) -> Clusters {
        Clusters { grid: self.grid, cluster: self.cluster }
    }
}

/// How the threads of a block make warps: in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warps {
    /// Lanes of a warp, 1 to 64.
    pub size: u32,
    /// Threads of the block.
    pub threads: u32,
}

impl Warps {
    /// The warp of a thread. It is what `%warpid` gives on today's hardware.
    pub fn warp(self, thread: u32) -> u32 {
        thread / self.size
    }

    /// The lane of a thread in its warp.
    pub fn lane(self, thread: u32) -> u32 {
        thread % self.size
    }

    /// How many warps there are; the last one may lack lanes.
    pub fn count(self) -> u32 {
        self.threads.div_ceil(self.size)
    }

    /// The threads of a warp.
    pub fn threads_of(self, warp: u32) -> Range<u32> {
        let first = warp * self.size;
        first..first.saturating_add(self.size).min(self.threads)
    }

    /// The lanes that a warp has, as bits.
    pub fn lanes_of(self, warp: u32) -> u64 {
        let threads = self.threads_of(warp).len() as u32;
        if threads >= u64::BITS { u64::MAX } else { (1 << threads) - 1 }
    }

    /// Arrivals of the whole block at a barrier: warps arrive whole (PTX ISA, 9.7.13.1).
    pub fn arrivals(self) -> u32 {
        self.count() * self.size
    }
}

/// How the blocks of a grid make clusters (PTX ISA, sections 10.15 to 10.20).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clusters {
    /// Blocks of the grid, by dimension.
    pub grid: [u32; 3],
    /// Blocks of a cluster, by dimension.
    pub cluster: [u32; 3],
}

impl Clusters {
    /// Blocks of a cluster (`%cluster_nctarank`).
    pub fn size(self) -> u32 {
        count(self.cluster)
    }

    /// Clusters of the grid, by dimension (`%nclusterid`).
    pub fn clusters(self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.grid[axis] / self.cluster[axis])
    }

    /// The index of a block's cluster in the grid (`%clusterid`).
    pub fn cluster_of(self, block: [u32; 3]) -> [u32; 3] {
        [0, 1, 2].map(|axis| block[axis] / self.cluster[axis])
    }

    /// The index of a block in its cluster (`%cluster_ctaid`).
    pub fn index_in_cluster(self, block: [u32; 3]) -> [u32; 3] {
        [0, 1, 2].map(|axis| block[axis] % self.cluster[axis])
    }

    /// The rank of a block in its cluster (`%cluster_ctarank`).
    pub fn rank(self, block: [u32; 3]) -> u32 {
        number_of(self.index_in_cluster(block), self.cluster)
    }

    /// The index of the block of a rank in a cluster.
    pub fn block(self, cluster: [u32; 3], rank: u32) -> [u32; 3] {
        let inside = index_of(rank, self.cluster);
        [0, 1, 2].map(|axis| cluster[axis] * self.cluster[axis] + inside[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_indices_are_inverse_and_x_counts_first() {
        let shape = [4, 3, 2];
        assert_eq!([index_of(1, shape), index_of(4, shape)], [[1, 0, 0], [0, 1, 0]]);
        assert!((0..count(shape)).all(|it| number_of(index_of(it, shape), shape) == it));
    }

    #[test]
    fn the_last_warp_may_lack_lanes_and_arrives_whole() {
        let warps = Warps { size: 32, threads: 48 };
        assert_eq!((warps.count(), warps.arrivals()), (2, 64));
        assert_eq!((warps.warp(40), warps.lane(40), warps.threads_of(1)), (1, 8, 32..48));
        assert_eq!([warps.lanes_of(0), warps.lanes_of(1)], [0xffff_ffff, 0xffff]);
        assert_eq!(Warps { size: 64, threads: 64 }.lanes_of(0), u64::MAX);
    }

    #[test]
    fn each_block_is_of_one_cluster_and_has_one_rank_there() {
        let clusters = Clusters { grid: [4, 6, 2], cluster: [2, 3, 1] };
        for block in (0..48).map(|it| index_of(it, clusters.grid)) {
            let rank = clusters.rank(block);
            assert!(rank < clusters.size());
            assert_eq!(clusters.block(clusters.cluster_of(block), rank), block);
        }
        assert_eq!(clusters.clusters(), [2, 2, 2]);
        assert_eq!(clusters.rank([1, 2, 0]), 5);
    }
}
