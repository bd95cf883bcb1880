//! What the target of a kernel cannot launch.
//!
//! A proof about a launch that no device runs is a proof about nothing, and hides a slip of the
//! finger (`--block 2048`). So sizes beyond the target's limits are bad input, and a launch of the
//! host beyond them gets a warning.
//!
//! **Source**: CUDA C++ Programming Guide, "Compute Capabilities", technical specifications per
//! compute capability. **Does not**: limit OpenCL for SPIR-V, whose devices differ; count
//! registers, or ask whether an architecture has clusters, as that is often the default one.

use heddle_diagnostics::Dim3;
use heddle_frontend::host::HostLaunch;
use heddle_ir::{ExprId, Family, Kernel, SeenLaunch, Space};

use crate::options::LaunchOptions;
use crate::options::Size;

const THREADS: u64 = 1024;
const BLOCK: [u32; 3] = [1024, 1024, 64];
const GRID: [u32; 3] = [0x7fff_ffff, 0xffff, 0xffff];
const CLUSTER: u64 = 16;

/// Bytes of shared memory that a block can have at most, by compute capability from the given one
/// on.
const SHARED: [(u32, u64); 11] = [
    (0, 48),
    (70, 96),
    (75, 64),
    (80, 163),
    (86, 99),
    (87, 163),
    (89, 99),
    (90, 227),
    (100, 227),
    (120, 99),
    (122, 227),
];

/// What of the sizes the kernel's target cannot launch, in words; with the way out.
pub(crate) fn exceeded(kernel: &Kernel, options: &LaunchOptions) -> Vec<(String, String)> {
    match kernel.target.family {
        Family::Nvptx => {}
        Family::Spirv => return Vec::new(),
    }
    let mut wrong = Vec::new();
    let known = |size: Option<Size>| match size {
        Some(Size::Known(sizes)) => Some(sizes),
        Some(Size::Any) | None => None,
    };
    wrong.extend(beyond_sizes(known(options.block), known(options.grid)));
    wrong.extend(declared(kernel));
    let cluster = known(options.cluster).or(kernel.launch.cluster);
    wrong.extend(cluster.and_then(|it| beyond_cluster(kernel, it)));
    if let Some((grid, cluster)) = known(options.grid).zip(cluster) {
        // CUDA C++ Programming Guide, "Thread Block Clusters": a grid consists of whole clusters.
        if grid.iter().zip(cluster).any(|(blocks, each)| each != 0 && blocks % each != 0) {
            let message = format!(
                "`--grid {}` does not fit: `{}` runs in clusters of {}, and a grid has whole clusters",
                list(grid),
                kernel.display_name,
                list(cluster)
            );
            wrong.push((message, "give a multiple, or leave out `--grid`".to_owned()));
        }
    }
    if let Some(dynamic) = options.dynamic_shared {
        let own = own_shared(kernel);
        let row = SHARED.iter().rev().find(|(from, _)| *from <= kernel.target.sm);
        let most = row.map_or(u64::MAX, |(_, kibibytes)| kibibytes << 10);
        if own.saturating_add(dynamic) > most {
            let message = format!(
                "`--dynamic-shared {dynamic}` does not fit: with its {own} bytes of its own a block of `{}` has more than the {most} bytes of shared memory of sm_{}",
                kernel.display_name, kernel.target.sm
            );
            let help = "give less, or the architecture that it is for, with `--arch`".to_owned();
            wrong.push((message, help));
        }
    }
    wrong
}

/// What the code itself says of the kernel's launches that no NVIDIA GPU runs.
fn declared(kernel: &Kernel) -> Option<(String, String)> {
    let name = &kernel.display_name;
    if let Some(block) = kernel.launch.required_block {
        let sizes = block.map(|size| Some(u128::from(size)));
        let beyond = beyond_threads(kernel, sizes).or_else(|| beyond("threads", sizes, BLOCK));
        if let Some((what, most)) = beyond {
            let message = format!("`{name}` requires {what}, and {most}");
            return Some((message, "require smaller blocks".to_owned()));
        }
    }
    beyond_shared(kernel, 0).map(|(_, most)| {
        let message = format!(
            "`{name}` declares {} bytes of shared memory, and {most}: no launch of it succeeds",
            own_shared(kernel)
        );
        (message, "declare less".to_owned())
    })
}

/// What no NVIDIA GPU runs as a cluster (CUDA C++ Programming Guide, "Thread Block Clusters"): 16
/// blocks are the most, where the host asks for more than the 8 that are portable.
fn beyond_cluster(kernel: &Kernel, cluster: [u32; 3]) -> Option<(String, String)> {
    let blocks: u64 = cluster.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    (blocks > CLUSTER).then(|| {
        let message = format!(
            "clusters of {} blocks do not fit `{}`: no NVIDIA GPU runs more than {CLUSTER} blocks in one",
            list(cluster),
            kernel.display_name
        );
        (message, "give a smaller cluster".to_owned())
    })
}

/// What of these sizes of block and grid no NVIDIA GPU launches, in words; with the way out.
pub(crate) fn beyond_sizes(
    block: Option<[u32; 3]>,
    grid: Option<[u32; 3]>,
) -> Vec<(String, String)> {
    let mut wrong = Vec::new();
    if let Some(block) = block {
        let threads: u64 = block.into_iter().map(u64::from).fold(1, u64::saturating_mul);
        if threads > THREADS {
            let message = format!(
                "`--block {}` has {threads} threads, and no NVIDIA GPU runs more than {THREADS} in a block",
                list(block)
            );
            wrong.push((message, "give a smaller block, and more blocks with `--grid`".to_owned()));
        } else {
            wrong.extend(dimensions("--block", block, BLOCK));
        }
    }
    if let Some(grid) = grid {
        wrong.extend(dimensions("--grid", grid, GRID));
    }
    wrong
}

/// The first dimension that is too large.
fn dimensions(option: &str, sizes: [u32; 3], most: [u32; 3]) -> Option<(String, String)> {
    let beyond = (0..3).find(|&d| sizes[d] > most[d])?;
    let (name, most) = (['x', 'y', 'z'][beyond], most[beyond]);
    let message =
        format!("`{option} {}`: no NVIDIA GPU takes more than {most} in {name}", list(sizes));
    Some((message, format!("give at most {most} in {name}")))
}

fn list(sizes: [u32; 3]) -> String {
    Dim3::new(sizes[0], sizes[1], sizes[2]).size()
}

/// Why a launch of the host starts nothing, where it is larger than the target runs.
pub(crate) fn fails(kernel: &Kernel, launch: &HostLaunch) -> Option<String> {
    match kernel.target.family {
        Family::Nvptx => {}
        Family::Spirv => return None,
    }
    let known = |sizes: [ExprId; 3]| sizes.map(|it| launch.pool.as_const(it));
    let what = beyond_threads(kernel, known(launch.block))
        .or_else(|| beyond("threads", known(launch.block), BLOCK))
        .or_else(|| beyond("blocks", known(launch.grid), GRID))
        .or_else(|| beyond_shared(kernel, launch.pool.as_const(launch.shared)?))?;
    let HostLaunch { file, line, .. } = launch;
    let (what, most) = what;
    Some(format!(
        "`{}` is launched with {what} at {file}:{line}, and {most}: the launch fails, and is left out",
        kernel.display_name
    ))
}

/// Whether the target runs a launch of the text, as far as its sizes are known.
pub(crate) fn runs(kernel: &Kernel, launch: &SeenLaunch) -> bool {
    let known = |sizes: [Option<u32>; 3]| sizes.map(|it| it.map(u128::from));
    beyond_threads(kernel, known(launch.block)).is_none()
        && (kernel.target.family == Family::Spirv
            || beyond("threads", known(launch.block), BLOCK).is_none()
                && beyond("blocks", known(launch.grid), GRID).is_none())
}

/// What a launch has too much of, and how much there may be.
type Beyond = Option<(String, String)>;

fn beyond_threads(kernel: &Kernel, block: [Option<u128>; 3]) -> Beyond {
    let known = block.into_iter().flatten().fold(1u128, u128::saturating_mul);
    let (most, who) = match kernel.launch.max_threads {
        Some(most) if u64::from(most) < THREADS => (u64::from(most), "it takes"),
        Some(_) | None => (THREADS, "an NVIDIA GPU runs"),
    };
    let said = || (format!("{known} threads in a block"), format!("{who} at most {most}"));
    (known > u128::from(most)).then(said)
}

fn beyond(what: &str, sizes: [Option<u128>; 3], most: [u32; 3]) -> Beyond {
    let d = (0..3).find(|&d| sizes[d].is_some_and(|size| size > u128::from(most[d])))?;
    let (name, size, most) = (['x', 'y', 'z'][d], sizes[d]?, most[d]);
    Some((format!("{size} {what} in {name}"), format!("an NVIDIA GPU runs at most {most}")))
}

/// More than any target has: the host may choose by the device that it finds.
fn beyond_shared(kernel: &Kernel, dynamic: u128) -> Beyond {
    let own = own_shared(kernel);
    let most = SHARED.iter().map(|it| it.1 << 10).max().unwrap_or(u64::MAX);
    (dynamic.saturating_add(u128::from(own)) > u128::from(most)).then(|| {
        let what = format!("{dynamic} bytes of dynamic shared memory beside {own} of its own");
        (what, format!("a block has at most {most}"))
    })
}

/// Bytes of shared memory that the kernel itself declares.
fn own_shared(kernel: &Kernel) -> u64 {
    let own = kernel.objects.values().filter(|it| it.space == Space::Shared);
    own.filter_map(|it| it.size).sum()
}
