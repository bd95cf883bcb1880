//! What is known of a launch: sizes given by the user, said by the program, or any the target
//! allows.

mod host;

use heddle_diagnostics::{Assumption, Dim3};
pub use heddle_interp::BarrierModel;
use heddle_ir::{
    Barrier, ClaimKind, ExprId, ExprKind, Family, Kernel, ObjectId, ObjectKind, OpKind, Param,
    ParamKind, Special, Target,
};
use heddle_semantics::WARP;

pub use host::{FIRST_OF_HOST, HostFacts, HostPointers, SharedMemory, SourceSizes};

/// One size of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// This many.
    Known(u32),
    /// One, because the kernel never looks at this dimension and nobody gave it.
    Unused,
    /// Any number from one to this limit.
    UpTo(u32),
}

impl Extent {
    /// The size, where there is only one possible.
    pub fn known(self) -> Option<u32> {
        match self {
            Extent::Known(size) => Some(size),
            Extent::Unused => Some(1),
            Extent::UpTo(_) => None,
        }
    }

    /// The largest possible size.
    pub fn limit(self) -> u32 {
        match self {
            Extent::Known(size) => size,
            Extent::Unused => 1,
            Extent::UpTo(limit) => limit,
        }
    }
}

/// OpenCL's global offset (OpenCL API, `clEnqueueNDRangeKernel`): what is added to global ids.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum GlobalOffset {
    /// Nobody says: any, and zero where an answer needs it, which the answer then names. Nearly all
    /// hosts give none.
    #[default]
    Unsaid,
    /// This one.
    Given([u32; 3]),
    /// Any.
    Any,
}

impl GlobalOffset {
    /// The one that is followed where an answer looks at one launch alone: what that takes for
    /// granted says [`Launch::without_offset`].
    pub(crate) fn followed(self) -> Option<[u32; 3]> {
        match self {
            GlobalOffset::Unsaid => Some([0; 3]),
            GlobalOffset::Given(offset) => Some(offset),
            GlobalOffset::Any => None,
        }
    }
}

/// What the user says of a launch; absent is not said.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct LaunchRequest {
    /// `--grid`.
    pub grid: Option<[u32; 3]>,
    /// `--block`.
    pub block: Option<[u32; 3]>,
    /// `--cluster`, where the code does not say how large clusters are.
    pub cluster: Option<[u32; 3]>,
    /// `--global-offset`.
    pub global_offset: GlobalOffset,
    /// `--dynamic-shared`, in bytes.
    pub dynamic_shared: Option<u64>,
    /// `--barrier-model`.
    pub barriers: Option<BarrierModel>,
    /// `--warp-size`, where the target leaves it open.
    pub warp_size: Option<u32>,
    /// What the launches in the source share; counts less than all of the above.
    pub source: Option<SourceSizes>,
    /// What the host says of each launch that it has, instead of that; a check is under one.
    pub hosts: Vec<HostFacts>,
    /// Launches of the host that give two pointers the same memory, where all of them are too many
    /// to be checked one by one: each is checked besides.
    pub beside: Vec<LaunchRequest>,
    /// Of those that are not, what they give twice.
    pub given_twice: Option<HostFacts>,
    /// Values of parameters by index.
    pub args: Vec<(u32, u128)>,
    /// Conditions on parameters and sizes, each with its text. One bit, built in the kernel's own
    /// expressions.
    pub assumptions: Vec<(ExprId, String)>,
    /// Sizes of what pointers lead to.
    pub sizes: Vec<BufferSize>,
}

/// The size of what a pointer argument leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferSize {
    /// What it leads to.
    pub object: ObjectId,
    /// Its bytes: 64 bits, built in the kernel's own expressions. A launch in which it is negative
    /// is none.
    pub bytes: ExprId,
    /// In words: `out has n * m elements`.
    pub text: String,
}

impl LaunchRequest {
    /// The requests that say all that this one does: one for each launch of the host.
    pub fn each(&self) -> Vec<LaunchRequest> {
        let one = |it: &HostFacts| LaunchRequest { hosts: vec![it.clone()], ..self.clone() };
        match self.hosts.is_empty() {
            true => std::iter::once(self).chain(&self.beside).cloned().collect(),
            false => self.hosts.iter().map(one).collect(),
        }
    }

    /// The launch of the host that this is about, where it is about one.
    pub fn host(&self) -> Option<&HostFacts> {
        if let [one] = &self.hosts[..] { Some(one) } else { None }
    }
}

/// A launch as the checks see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Blocks of the grid, by dimension.
    pub grid: [Extent; 3],
    /// Threads of the block, by dimension.
    pub block: [Extent; 3],
    /// Threads of a block at most.
    pub max_threads: u32,
    /// Lanes of a warp; `None` where the target leaves it open.
    pub warp_size: Option<u32>,
    /// What a barrier waits for.
    pub barriers: BarrierModel,
    /// What is added to global ids.
    pub global_offset: GlobalOffset,
    /// Bytes of dynamic shared memory, where given.
    pub dynamic_shared: Option<u64>,
    /// Blocks of a cluster, where the code does not say it and it is given.
    pub cluster: Option<[u32; 3]>,
    /// Whether sizes are from the launches of its source.
    pub as_launched: bool,
    /// Values of parameters, where given.
    pub args: Vec<(u32, u128)>,
    /// Conditions the user vouches for.
    pub assumptions: Vec<(ExprId, String)>,
    /// Sizes of what pointers lead to, where given.
    pub sizes: Vec<BufferSize>,
    /// The launch of the host that it is, with conditions.
    pub host: Option<HostFacts>,
    /// All sizes and all numbers among the parameters are given.
    pub closed: bool,
}

/// Largest block of every NVIDIA target (PTX ISA, section 10: `%ntid`), and what OpenCL devices
/// offer. Global ids, in each dimension, are below this; by assumption where the launch does not
/// say so.
pub(crate) const MOST_THREADS: u128 = 1 << 31;
/// What the built-in headers of PyTorch call the strides of an accessor.
const CONTIGUOUS: &str = ".contiguous_strides_";
const MAX_THREADS: u32 = 1024;
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
const MAX_GRID: [u32; 3] = [0x7fff_ffff, 0xffff, 0xffff];
/// Blocks that are resident together at most, as those of a grid barrier have to be: 32 on a
/// multiprocessor (CUDA C++ programming guide, compute capabilities), on 1024 multiprocessors,
/// several times what any device has.
const MOST_RESIDENT: u32 = 32 * 1024;

impl Launch {
    /// The user's word first, then the program's, then what the target allows. A dimension that
    /// neither the user gave nor the kernel looks at has size one.
    pub fn resolve(kernel: &Kernel, request: &LaunchRequest) -> Launch {
        let used_by_block = used_dimensions(kernel, |special| match special {
            Special::Tid(d) | Special::Ntid(d) => Some(d),
            Special::Ctaid(_)
            | Special::Nctaid(_)
            | Special::GlobalOffset(_)
            | Special::LaneId
            | Special::WarpId
            | Special::ClusterCtaRank
            | Special::ClusterNctaRank
            | Special::DynamicSharedSize => None,
        });
        let used_by_grid = used_dimensions(kernel, |special| match special {
            Special::Ctaid(d) | Special::Nctaid(d) | Special::GlobalOffset(d) => Some(d),
            Special::Tid(_)
            | Special::Ntid(_)
            | Special::LaneId
            | Special::WarpId
            | Special::ClusterCtaRank
            | Special::ClusterNctaRank
            | Special::DynamicSharedSize => None,
        });
        // OpenCL leaves the dimensions to the device.
        let (max_block, max_grid) = match kernel.target {
            Target { opencl: false, family: Family::Nvptx, .. } => (MAX_BLOCK, MAX_GRID),
            Target { .. } => ([MAX_THREADS; 3], [MAX_GRID[0]; 3]),
        };
        let max_threads = kernel.launch.max_threads.unwrap_or(MAX_THREADS);
        let block = request.block.or(kernel.launch.required_block);
        let host = request.host().cloned();
        let seen = host.as_ref().map(|it| &it.sizes).or(request.source.as_ref());
        let (seen_grid, seen_block) = seen.map_or(([None; 3], [None; 3]), |it| (it.grid, it.block));
        let mut args = request.args.clone();
        for (index, value) in host.iter().flat_map(|it| &it.args) {
            if !args.iter().any(|(known, _)| known == index) {
                args.push((*index, *value));
            }
        }
        let extent =
            |given: Option<[u32; 3]>, seen: [Option<u32>; 3], used: bool, d: usize, limit| {
                match given.map(|sizes| sizes[d]).or(seen[d]) {
                    Some(size) => Extent::Known(size),
                    None if !used => Extent::Unused,
                    None => Extent::UpTo(limit),
                }
            };
        let most_blocks = |d: usize| match has_grid_barrier(kernel) {
            true => max_grid[d].min(MOST_RESIDENT),
            false => max_grid[d],
        };
        let barriers = request.barriers.unwrap_or_else(|| BarrierModel::of(&kernel.target));
        let mut launch = Launch {
            grid: [0, 1, 2]
                .map(|d| extent(request.grid, seen_grid, used_by_grid[d], d, most_blocks(d))),
            block: [0, 1, 2].map(|d| {
                extent(block, seen_block, used_by_block[d], d, max_block[d].min(max_threads))
            }),
            max_threads,
            // What the target says is not the user's to change.
            warp_size: match kernel.target.warp_size {
                0 => request.warp_size,
                lanes => Some(lanes),
            },
            barriers,
            // What is said of it in conditions is not known to be zero.
            global_offset: if request.global_offset == GlobalOffset::Unsaid
                && is_said_of_offset(kernel, request)
            {
                GlobalOffset::Any
            } else {
                request.global_offset
            },
            dynamic_shared: request.dynamic_shared,
            cluster: request.cluster,
            as_launched: request.source.is_some(),
            args,
            assumptions: request.assumptions.clone(),
            sizes: request.sizes.clone(),
            host,
            closed: false,
        };
        let open_parameter =
            kernel.params.iter().enumerate().any(|(index, param)| match param.kind {
                ParamKind::Scalar { .. } | ParamKind::Field { .. } => {
                    launch.arg(index as u32).is_none()
                }
                ParamKind::Pointer(_) => false,
            });
        launch.closed = launch.is_known() && !open_parameter;
        launch
    }

    /// What an answer takes for granted that looks at launches without a global offset alone, where
    /// nobody said which there is and the kernel would see it.
    pub(crate) fn without_offset(&self, kernel: &Kernel) -> Option<Assumption> {
        let is_open = self.global_offset == GlobalOffset::Unsaid && reads_offset(kernel);
        is_open.then_some(Assumption::NoGlobalOffset)
    }

    /// Whether the last block of a dimension may be smaller, where the program does not exclude it:
    /// its sizes are not all given, and there is more than one block.
    pub(crate) fn may_be_uneven(&self) -> bool {
        !self.is_known() && self.grid.iter().any(|extent| extent.known() != Some(1))
    }

    /// Bytes of dynamic shared memory, as they are given or as the host asks for them.
    pub(crate) fn dynamic_shared_bytes(&self) -> Option<u64> {
        self.dynamic_shared.or_else(|| self.host.as_ref()?.dynamic_shared)
    }

    /// Whether every size is one number.
    pub fn is_known(&self) -> bool {
        self.grid.iter().chain(&self.block).all(|extent| extent.known().is_some())
    }

    /// Whether the threads of a block are in one row.
    pub(crate) fn is_row(&self) -> bool {
        self.block[1..].iter().all(|it| it.known() == Some(1))
    }

    /// Whether each warp of a block has all its lanes.
    pub(crate) fn whole_warps(&self) -> bool {
        self.threads_of_last_warp() == Some(0)
    }

    /// Whether each warp of a block has a lane of this number, modulo 32; any number, where there
    /// is none. Lane 0 is in each warp.
    pub(crate) fn has_lane(&self, lane: Option<u128>) -> bool {
        let is_there = |lane: u128| {
            let lane = lane % u128::from(WARP);
            let last = self.threads_of_last_warp();
            lane == 0 || last.is_some_and(|it| lane < u128::from(it))
        };
        self.whole_warps() || lane.is_some_and(is_there)
    }

    /// The threads of a block that fill no whole warp of 32; where its size and the warp's are
    /// known.
    fn threads_of_last_warp(&self) -> Option<u32> {
        let threads: u32 = self.block.iter().map(|it| it.known()).product::<Option<u32>>()?;
        (self.warp_size == Some(WARP)).then_some(threads % WARP)
    }

    /// The value of a parameter, where given.
    pub fn arg(&self, index: u32) -> Option<u128> {
        self.args.iter().find(|(it, _)| *it == index).map(|(_, value)| *value)
    }

    /// The bytes of what a pointer argument leads to, where given.
    pub(crate) fn size_of(&self, object: ObjectId) -> Option<&BufferSize> {
        let of_host = self.host.iter().flat_map(|it| &it.pointers.sizes);
        self.sizes.iter().chain(of_host).find(|it| it.object == object)
    }

    /// The same, where offsets count from where the buffer starts.
    pub(crate) fn given_size_of(&self, object: ObjectId) -> Option<&BufferSize> {
        self.size_of(object).filter(|_| !self.leads_into(object))
    }

    /// Whether the memory behind a pointer is that behind another one, whose accesses are taken for
    /// accesses of this one: it may begin before where this one points.
    pub(crate) fn leads_into(&self, object: ObjectId) -> bool {
        let mut shared = self.host.iter().flat_map(|it| &it.pointers.shared);
        shared.any(|it| it.one == object || it.other == object)
    }

    /// All conditions that hold of it.
    pub fn conditions(&self) -> impl Iterator<Item = ExprId> {
        let of_host = self.host.iter().flat_map(|it| it.conditions.iter().map(|it| it.0));
        self.assumptions.iter().map(|(condition, _)| *condition).chain(of_host)
    }

    /// What a proof under this launch has to say about it.
    pub fn assumptions(&self, kernel: &Kernel) -> Vec<Assumption> {
        let whole = |sizes: &[Extent; 3]| {
            let known = [sizes[0].known()?, sizes[1].known()?, sizes[2].known()?];
            // Sizes nobody gave and nobody looks at are no launch.
            sizes
                .iter()
                .any(|it| matches!(it, Extent::Known(_)))
                .then(|| Dim3::new(known[0], known[1], known[2]))
        };
        let mut all =
            vec![Assumption::Launch { grid: whole(&self.grid), block: whole(&self.block) }];
        if let Some(HostFacts { at, facts, conditions, .. }) = &self.host {
            let said = conditions.iter().map(|it| &it.1).filter(|it| !it.is_empty());
            let facts = facts.iter().chain(said).cloned().collect();
            all.push(Assumption::LaunchedAt(vec![(at.clone(), facts)]));
        } else if self.as_launched {
            all.push(Assumption::LaunchedAsInSource);
        }
        if let (Some(lanes), 0) = (self.warp_size, kernel.target.warp_size) {
            // OpenCL says nowhere which work-items a sub-group has.
            let given = format!("warp size = {lanes}, warps along the linear local id");
            all.push(Assumption::Given(given));
        }
        if let (GlobalOffset::Given([x, y, z]), true) = (self.global_offset, reads_offset(kernel)) {
            let given = format!("global offset = {}", Dim3::new(x, y, z).size());
            all.push(Assumption::Given(given));
        }
        if let (Some(bytes), true) = (self.dynamic_shared, has_dynamic_shared(kernel)) {
            all.push(Assumption::Given(format!("dynamic shared memory = {bytes} bytes")));
        }
        if let (Some([x, y, z]), true) = (self.cluster, kernel.goes_by_clusters()) {
            all.push(Assumption::Given(format!("cluster = {}", Dim3::new(x, y, z).size())));
        }
        let by_host = |it: &&(u32, u128)| self.host.iter().any(|host| host.args.contains(*it));
        for (index, value) in self.args.iter().filter(|it| !by_host(it)) {
            all.push(Assumption::Given(format!(
                "{} = {value}",
                kernel.params[*index as usize].name
            )));
        }
        all.extend(kernel.callees_assumed.then_some(Assumption::CalleesInProgram));
        all.extend(kernel.shared_aligned.then_some(Assumption::SharedAligned));
        let is_stride = |it: &Param| it.name.contains(CONTIGUOUS);
        if self.host.is_some() && kernel.params.iter().any(is_stride) {
            all.push(Assumption::TensorsContiguous);
        }
        for (_, text) in &self.assumptions {
            all.push(Assumption::Given(text.clone()));
        }
        if reads_offset(kernel) {
            all.push(Assumption::GlobalIdsInRange);
        } else if !self.is_known() {
            all.push(Assumption::GridInRange);
        }
        // A smaller block of several rows has other warps: its rows are shorter.
        let is_opencl = kernel.target.opencl || kernel.target.family == Family::Spirv;
        let goes_by_rows = is_opencl && self.warp_size.is_some() && !self.is_row();
        if (kernel.launch.uneven_blocks || goes_by_rows) && self.may_be_uneven() {
            all.push(Assumption::EvenBlocks);
        }
        if has_grid_barrier(kernel) && self.grid.iter().any(|size| size.known().is_none()) {
            all.push(Assumption::BlocksResident { most: MOST_RESIDENT });
        }
        let unused = |sizes: &[Extent; 3]| {
            sizes.contains(&Extent::Unused) && sizes.iter().any(|it| *it != Extent::Unused)
        };
        if unused(&self.grid) || unused(&self.block) {
            all.push(Assumption::UnreadDimensionsAreOne);
        }
        all
    }
}

fn has_grid_barrier(kernel: &Kernel) -> bool {
    kernel.ops.values().any(|op| matches!(op.kind, OpKind::Barrier(Barrier::Grid)))
}

fn has_dynamic_shared(kernel: &Kernel) -> bool {
    let is_size = |kind: &ExprKind| matches!(kind, ExprKind::Special(Special::DynamicSharedSize));
    kernel.objects.values().any(|it| it.kind == ObjectKind::DynamicShared)
        || kernel.exprs.iter().any(|(_, expr)| is_size(&expr.kind))
}

/// Whether a condition speaks of the global offset: one of the user's, or of the program's own.
fn is_said_of_offset(kernel: &Kernel, request: &LaunchRequest) -> bool {
    let of_program = kernel.ops.values().filter_map(|op| {
        if let OpKind::Assume(condition) = &op.kind {
            return Some(*condition);
        }
        let OpKind::Claim(claim) = &op.kind else { return None };
        (claim.kind == ClaimKind::Required).then_some(claim.condition)
    });
    let given = request.assumptions.iter().map(|(condition, _)| *condition);
    let mut speaks = false;
    for condition in given.chain(of_program) {
        kernel.exprs.for_each_below(condition, |it| {
            speaks |= matches!(kernel[it].kind, ExprKind::Special(Special::GlobalOffset(_)));
        });
    }
    speaks
}

/// Whether a kernel sees OpenCL's global offset, as by its global ids.
pub fn reads_offset(kernel: &Kernel) -> bool {
    let is_offset = |kind: &ExprKind| matches!(kind, ExprKind::Special(Special::GlobalOffset(_)));
    kernel.exprs.iter().any(|(_, expr)| is_offset(&expr.kind))
}

/// Which dimensions the kernel looks at through these ids and sizes. The first always counts.
fn used_dimensions(kernel: &Kernel, dimension: impl Fn(Special) -> Option<u8>) -> [bool; 3] {
    let mut used = [true, false, false];
    for (_, expr) in kernel.exprs.iter() {
        if let ExprKind::Special(special) = expr.kind
            && let Some(d) = dimension(special)
        {
            used[d as usize] = true;
        }
    }
    used
}
