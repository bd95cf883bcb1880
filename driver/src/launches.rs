//! The launches that a source itself has, `kernel<<<grid, block>>>(…)`, as sizes to check the
//! kernel with.
//!
//! A kernel is written for the blocks that it is launched with, and races with others that nobody
//! launches are no news. So where the source launches a kernel, and nobody has said sizes, the
//! sizes of those launches hold, as far as they are constants: one size, or a condition that names
//! each. The answer says so; `--block any --grid any` asks for all.
//!
//! **Promises**: every launch of the source fits. **Does not**: see launches in other sources; the
//! answer says what it took.

use heddle_ir::{Kernel, SeenLaunch};
use heddle_passes::launch::SourceSizes;

use crate::limits;

/// Launches at most; a program that has more is checked for all sizes.
const MOST: usize = 8;

/// Sizes from the source.
pub(super) struct Seen {
    /// The sizes that all launches share.
    pub(super) sizes: SourceSizes,
    /// A condition that names each launch, where they differ.
    pub(super) condition: Option<String>,
}

/// What the launches of the source say of the grid and the block, where these are asked for;
/// nothing where they say nothing.
pub(super) fn seen(kernel: &Kernel, grid: bool, block: bool) -> Option<Seen> {
    let launches = &kernel.launch.launches;
    let (first, rest) = launches.split_first()?;
    if launches.len() > MOST || !launches.iter().all(|launch| possible(kernel, launch)) {
        return None;
    }
    let shared = |asked: bool, sizes: fn(&SeenLaunch) -> [Option<u32>; 3]| {
        let same = |d: &usize| rest.iter().all(|it| sizes(it)[*d] == sizes(first)[*d]);
        let size = |d: usize| sizes(first)[d].filter(|_| asked && same(&d));
        [0, 1, 2].map(size)
    };
    let grids = shared(grid, |it| it.grid);
    let blocks = shared(block, |it| it.block);
    let mut ways: Vec<String> = Vec::new();
    for it in launches {
        let mut way = Vec::new();
        if grid {
            differing("gridDim", it.grid, grids, &mut way);
        }
        if block {
            differing("blockDim", it.block, blocks, &mut way);
        }
        let way = way.join(" && ");
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    // A launch of which no more is known makes all possible.
    let condition = ways.iter().all(|way| !way.is_empty()).then(|| {
        let ways: Vec<_> = ways.iter().map(|it| format!("({it})")).collect();
        ways.join(" || ")
    });
    let knows = condition.is_some() || grids.iter().chain(&blocks).any(Option::is_some);
    knows.then_some(Seen { sizes: SourceSizes { grid: grids, block: blocks }, condition })
}

/// The sizes of one launch that are not those of all.
fn differing(
    name: &str,
    sizes: [Option<u32>; 3],
    shared: [Option<u32>; 3],
    conditions: &mut Vec<String>,
) {
    for (d, dimension) in ['x', 'y', 'z'].into_iter().enumerate() {
        if let (Some(size), None) = (sizes[d], shared[d]) {
            conditions.push(format!("{name}.{dimension} == {size}"));
        }
    }
}

/// Whether the target can run it. What it refuses says nothing.
fn possible(kernel: &Kernel, launch: &SeenLaunch) -> bool {
    let known = |sizes: [Option<u32>; 3]| sizes.into_iter().flatten().map(u64::from);
    let required = kernel.launch.required_block;
    known(launch.grid).chain(known(launch.block)).all(|size| size > 0)
        && limits::runs(kernel, launch)
        && required.is_none_or(|it| (0..3).all(|d| launch.block[d].is_none_or(|b| b == it[d])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_ir::{Family, KernelBuilder, Target};

    type Sizes = [Option<u32>; 3];

    fn kernel(launches: &[(Sizes, Sizes)]) -> Kernel {
        let target =
            Target { family: Family::Nvptx, sm: 80, warp_size: 32, opencl: false, flushes: false };
        let mut builder = KernelBuilder::new("k", target);
        builder.kernel_mut().launch.launches = launches
            .iter()
            .map(|(grid, block)| SeenLaunch { grid: *grid, block: *block })
            .collect();
        builder.finish()
    }

    const ANY: Sizes = [None; 3];

    fn line(size: u32) -> Sizes {
        [Some(size), Some(1), Some(1)]
    }

    #[test]
    fn one_launch_is_the_launch() {
        let seen = seen(&kernel(&[(line(4), line(256))]), true, true).expect("sizes");
        assert_eq!((seen.sizes.grid, seen.sizes.block), (line(4), line(256)));
        assert_eq!(seen.condition, None);
    }

    #[test]
    fn what_is_no_constant_is_open() {
        let kernel = kernel(&[([None, Some(1), Some(1)], line(256))]);
        let both = seen(&kernel, true, true).expect("sizes");
        assert_eq!((both.sizes.grid, both.sizes.block), ([None, Some(1), Some(1)], line(256)));
        assert_eq!(both.condition, None);
        let grid = seen(&kernel, true, false).expect("sizes");
        assert_eq!(grid.sizes.block, ANY, "the block is said by somebody else");
    }

    #[test]
    fn several_launches_are_a_choice() {
        let launched = [(ANY, line(64)), (ANY, line(128)), (ANY, line(64))];
        let seen = seen(&kernel(&launched), true, true).expect("sizes");
        assert_eq!(seen.sizes.block, [None, Some(1), Some(1)]);
        let ways = "(blockDim.x == 64) || (blockDim.x == 128)";
        assert_eq!(seen.condition.as_deref(), Some(ways));
    }

    #[test]
    fn a_launch_that_says_nothing_leaves_all_open() {
        assert!(seen(&kernel(&[(ANY, line(64)), (ANY, ANY)]), true, true).is_none());
        assert!(seen(&kernel(&[]), true, true).is_none());
        assert!(seen(&kernel(&[(line(1), line(2048))]), true, true).is_none(), "no device runs it");
        assert!(seen(&kernel(&[(line(0), line(32))]), true, true).is_none(), "an empty grid");
    }
}
