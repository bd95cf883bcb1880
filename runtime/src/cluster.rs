//! Clusters: blocks that are there together; how a launch makes them, and what is kept of each.
//!
//! The blocks of a cluster have neighbouring slots, in the order of their ranks, and start and
//! leave together: so the shared memory of a block can be told from its slot for as long as any
//! block of its cluster runs.
//!
//! **Does not**: let their threads meet (`cluster_barrier`).

use heddle_semantics::{ClusterPhases, Clusters, LaunchShape, index_of, number_of};

use crate::clock::Knowledge;
use crate::launch::Launch;
use crate::memory::BadLayout;

/// Blocks of a cluster at most (CUDA C++ Programming Guide: 8, and 16 where a kernel asks for it).
const MOST_BLOCKS: u32 = 16;

/// The sizes of a launch, with clusters that its grid is made of.
///
/// # Errors
/// The grid is not made of whole clusters, or they are too large.
pub(crate) fn whole(launch: &Launch) -> Result<LaunchShape, BadLayout> {
    let cluster = launch.shape.cluster.map(|it| it.max(1));
    let shape = LaunchShape { cluster, ..launch.shape };
    let text = |[x, y, z]: [u32; 3]| format!("{x},{y},{z}");
    if (0..3).any(|axis| !shape.grid[axis].is_multiple_of(cluster[axis])) {
        return Err(BadLayout(format!(
            "a grid of {} blocks is not made of clusters of {}",
            text(shape.grid),
            text(cluster)
        )));
    }
    if cluster.iter().fold(1, |all: u32, it| all.saturating_mul(*it)) > MOST_BLOCKS {
        return Err(BadLayout(format!(
            "a cluster of {} has more than {MOST_BLOCKS} blocks",
            text(cluster)
        )));
    }
    Ok(shape)
}

/// The number of the cluster that a block belongs to.
pub(crate) fn cluster_of(clusters: Clusters, block: u32) -> u32 {
    let index = clusters.cluster_of(index_of(block, clusters.grid));
    number_of(index, clusters.clusters())
}

/// The number of the block of a rank in a cluster.
pub(crate) fn block_of(clusters: Clusters, cluster: u32, rank: u32) -> u32 {
    let cluster = index_of(cluster, clusters.clusters());
    number_of(clusters.block(cluster, rank), clusters.grid)
}

/// What a block's threads see of its cluster, by the numbers of [`crate::abi::Special`] from
/// `ClusterX` on.
pub(crate) fn ids(of: Clusters, block: [u32; 3]) -> [u32; 13] {
    let [ax, ay, az] = of.cluster_of(block);
    let [nx, ny, nz] = of.clusters();
    let [ix, iy, iz] = of.index_in_cluster(block);
    let [cx, cy, cz] = of.cluster;
    [ax, ay, az, nx, ny, nz, ix, iy, iz, cx, cy, cz, of.rank(block)]
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
        let clusters = Clusters { grid: [4, 6, 2], cluster: [2, 3, 1] };
        let mut seen = [false; 48];
        for cluster in 0..8 {
            for rank in 0..6 {
                let block = block_of(clusters, cluster, rank);
                assert_eq!(cluster_of(clusters, block), cluster);
                let index = [block % 4, block / 4 % 6, block / 24];
                let ids = ids(clusters, index);
                assert_eq!((ids[12], ids[3..6].to_vec()), (rank, vec![2, 2, 2]));
                assert!(!std::mem::replace(&mut seen[block as usize], true));
            }
        }
        assert!(seen.iter().all(|it| *it));
    }
}
