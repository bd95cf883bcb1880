//! Clusters: blocks that are there together; how a launch makes them, and what is kept of each.
//!
//! The blocks of a cluster have neighbouring slots, in the order of their ranks, and start and
//! leave together: so the shared memory of a block can be told from its slot for as long as any
//! block of its cluster runs.
//!
//! **Does not**: let their threads meet (`cluster_barrier`).

use heddle_semantics::{ClusterPhases, Clusters, index_of, number_of};

use crate::clock::Knowledge;
use crate::launch::Launch;
use crate::memory::BadLayout;

/// How blocks make clusters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    clusters: Clusters,
    /// Blocks of a cluster.
    pub(crate) size: usize,
}

/// Blocks of a cluster at most (CUDA C++ Programming Guide: 8, and 16 where a kernel asks for it).
const MOST_BLOCKS: usize = 16;

impl Shape {
    /// Of a launch.
    ///
    /// # Errors
    /// The grid is not made of whole clusters, or they are too large.
    pub(crate) fn of(launch: &Launch) -> Result<Shape, BadLayout> {
        let (dims, grid) = (launch.shape.cluster.map(|it| it.max(1)), launch.shape.grid);
        let text = |[x, y, z]: [u32; 3]| format!("{x},{y},{z}");
        if (0..3).any(|axis| !grid[axis].is_multiple_of(dims[axis])) {
            return Err(BadLayout(format!(
                "a grid of {} blocks is not made of clusters of {}",
                text(grid),
                text(dims)
            )));
        }
        let size = dims.iter().map(|it| *it as usize).product();
        if size > MOST_BLOCKS {
            return Err(BadLayout(format!(
                "a cluster of {} has more than {MOST_BLOCKS} blocks",
                text(dims)
            )));
        }
        Ok(Shape { clusters: Clusters { grid, cluster: dims }, size })
    }

    /// The number of the cluster that a block belongs to.
    pub(crate) fn cluster_of(&self, block: u32) -> u32 {
        let index = self.clusters.cluster_of(index_of(block, self.clusters.grid));
        number_of(index, self.clusters.clusters())
    }

    /// The number of the block of a rank in a cluster.
    pub(crate) fn block(&self, cluster: u32, rank: u32) -> u32 {
        let cluster = index_of(cluster, self.clusters.clusters());
        number_of(self.clusters.block(cluster, rank), self.clusters.grid)
    }

    /// What a block's threads see of its cluster, by the numbers of [`crate::abi::Special`] from
    /// `ClusterX` on.
    pub(crate) fn ids(&self, block: [u32; 3]) -> [u32; 13] {
        let of = self.clusters;
        let [ax, ay, az] = of.cluster_of(block);
        let [nx, ny, nz] = of.clusters();
        let [ix, iy, iz] = of.index_in_cluster(block);
        let [cx, cy, cz] = of.cluster;
        [ax, ay, az, nx, ny, nz, ix, iy, iz, cx, cy, cz, of.rank(block)]
    }
}

/// The barrier of one cluster.
#[derive(Debug, Default)]
pub(crate) struct Cluster {
    pub(crate) phases: ClusterPhases,
    /// Those that published, with their clocks.
    pub(crate) arrivals: Vec<(u32, u32)>,
    /// Some arrival published nothing, or was above the ceiling.
    pub(crate) uneven: bool,
    /// Clocks of arrivals are below; threads go on from it.
    pub(crate) ceiling: u32,
    pub(crate) published: Knowledge,
    /// What the phase before published.
    pub(crate) over: Knowledge,
    /// A thread that ended without having arrived in this phase.
    pub(crate) absent: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_of_one_cluster_and_has_one_rank_there() {
        let shape = Shape { clusters: Clusters { grid: [4, 6, 2], cluster: [2, 3, 1] }, size: 6 };
        let mut seen = [false; 48];
        for cluster in 0..8 {
            for rank in 0..6 {
                let block = shape.block(cluster, rank);
                assert_eq!(shape.cluster_of(block), cluster);
                let index = [block % 4, block / 4 % 6, block / 24];
                let ids = shape.ids(index);
                assert_eq!((ids[12], ids[3..6].to_vec()), (rank, vec![2, 2, 2]));
                assert!(!std::mem::replace(&mut seen[block as usize], true));
            }
        }
        assert!(seen.iter().all(|it| *it));
    }
}
