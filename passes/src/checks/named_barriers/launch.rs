//! The launch that is run: all sizes known, the index of the block not, unless there is one block.

use std::collections::BTreeSet;

use heddle_diagnostics::{Code, Reason};
use heddle_interp::Launch;
use heddle_ir::{Barrier, ExprKind, MbarrierAction, OpKind, Scope, Special};

use crate::engine::cx::Cx;
use crate::facts::launch::reads_offset;

/// Sizes of a block that are tried where nobody gives one, in `x`.
const SIZES: [u32; 3] = [128, 64, 256];
/// What a block may have beside the threads that a barrier object counts: none, a warp, four.
const BESIDE: [u32; 3] = [0, 32, 128];

/// Blocks of the sizes that are tried: the one that is given, or several where the size is open in
/// one dimension.
pub(super) fn sizes(cx: &Cx<'_>) -> Vec<[u32; 3]> {
    let [x, y, z] = cx.launch.block;
    if let (Some(x), Some(y), Some(z)) = (x.known(), y.known(), z.known()) {
        return vec![[x, y, z]];
    }
    let (None, Some(1), Some(1)) = (x.known(), y.known(), z.known()) else { return Vec::new() };
    let counted = cx.kernel.ops.values().filter_map(|op| {
        let OpKind::Barrier(Barrier::Mbarrier { action: MbarrierAction::Init(count), .. }) =
            &op.kind
        else {
            return None;
        };
        u32::try_from(cx.kernel.exprs.as_const(*count)?).ok().filter(|count| *count >= 32)
    });
    let meant = counted.flat_map(|count| BESIDE.map(|more| count.saturating_add(more)));
    let mut all: Vec<u32> = SIZES.into_iter().chain(meant).collect();
    let mut seen = BTreeSet::new();
    all.retain(|size| *size <= x.limit() && seen.insert(*size));
    all.into_iter().map(|size| [size, 1, 1]).collect()
}

/// The launch for the interpreter, or what is missing for it.
pub(super) fn concrete(cx: &Cx<'_>, size: Option<[u32; 3]>) -> Result<Launch, Box<Reason>> {
    let missing = |what: &str, flag: &str| {
        let text = format!("named barriers are checked for a known {what}; give `{flag}`");
        Box::new(Reason::new(Code::Undecided, text))
    };
    let all = |sizes: &[crate::facts::launch::Extent; 3]| {
        Some([sizes[0].known()?, sizes[1].known()?, sizes[2].known()?])
    };
    let Some(block) = size.or_else(|| all(&cx.launch.block)) else {
        return Err(missing("block size", "--block …"));
    };
    let looks_at_grid = cx
        .kernel
        .exprs
        .iter()
        .any(|(_, expr)| matches!(expr.kind, ExprKind::Special(Special::Nctaid(_))));
    let grid = match all(&cx.launch.grid) {
        Some(grid) => grid,
        // What is tried for some size of a block is tried for one block.
        None if looks_at_grid && size.is_some() => [1; 3],
        None if looks_at_grid => return Err(missing("grid size", "--grid …")),
        // Any number of blocks, and none knows how many: more than one, so that no index is taken
        // for granted.
        None => [u32::MAX, 1, 1],
    };
    let mut launch = Launch::new(cx.kernel, grid, block);
    launch.shape.warp_size = cx.launch.warp_size;
    if let Some(offset) = cx.launch.global_offset.followed() {
        launch.global_offset = offset;
    } else if reads_offset(cx.kernel) {
        return Err(missing("global offset", "--global-offset …"));
    }
    launch.dynamic_shared = cx.launch.dynamic_shared.and_then(|it| u32::try_from(it).ok());
    launch.barriers = cx.launch.barriers;
    launch.args = (0..cx.kernel.params.len() as u32).map(|index| cx.launch.arg(index)).collect();
    Ok(launch)
}

/// The index of the one block of the launch; none where there are more.
pub(super) fn only_block(launch: &Launch) -> Option<[u32; 3]> {
    (launch.shape.grid == [1; 3]).then_some([0; 3])
}

/// All blocks.
pub(super) fn blocks(launch: &Launch) -> impl Iterator<Item = [u32; 3]> + use<> {
    let [x, y, z] = launch.shape.grid;
    (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])))
}

/// The blocks of the first cluster, where the kernel waits for its cluster and that has several.
pub(super) fn cluster(cx: &Cx<'_>, launch: &Launch) -> Vec<Option<[u32; 3]>> {
    let [x, y, z] = launch.shape.cluster;
    if !cx.kernel.meets_cluster() || x * y * z == 1 {
        return Vec::new();
    }
    (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| Some([x, y, z])))).collect()
}

/// Whether the kernel waits for its cluster, and nothing says how large that is.
pub(super) fn lacks_cluster(cx: &Cx<'_>, launch: &Launch) -> bool {
    cx.kernel.meets_cluster() && cx.kernel.launch.cluster.is_none() && launch.shape.grid != [1; 3]
}

/// Whether the launch is known, and its grid is one cluster: then the trace has all blocks.
pub(super) fn is_of_one_cluster(cx: &Cx<'_>) -> bool {
    let Ok(launch) = concrete(cx, None) else { return false };
    !lacks_cluster(cx, &launch) && launch.shape.grid == launch.shape.cluster
}

/// Whether some access is ordered for its block only: the trace of several blocks then takes too
/// much for ordered.
pub(super) fn has_block_scope(cx: &Cx<'_>) -> bool {
    let is_narrow = |op: heddle_ir::OpId| {
        let order = cx.kernel.access(op).and_then(|access| access.order);
        order.is_some_and(|(_, scope)| scope < Scope::Cluster)
    };
    cx.kernel.ops.keys().any(is_narrow)
}
