//! What is run: the launch's sizes, its arguments, and what memory holds when it starts.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use heddle_ir::{Data, Initial, Kernel, ObjectId, OpId, Scope};
use heddle_semantics::{BarrierModel, LaunchShape};

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Its sizes. Where the target leaves the lanes of a warp open, nothing may depend on them.
    pub shape: LaunchShape,
    /// OpenCL's global offset.
    pub global_offset: [u32; 3],
    /// Values of the parameters, in order; `None` where not known, and for pointers. May be shorter
    /// than the list.
    pub args: Vec<Option<u128>>,
    /// What objects hold at the start. Shared and local objects start anew in each block and
    /// thread. Variables whose contents are fixed are here from the beginning.
    pub buffers: BTreeMap<ObjectId, Contents>,
    /// What objects hold that `buffers` does not name.
    pub other_contents: Rest,
    /// Numeric addresses of objects, for programs that look at them.
    pub bases: BTreeMap<ObjectId, u64>,
    /// Numeric addresses of functions, by the name of what stands for one
    /// ([`ExprPool::function_address`](heddle_ir::ExprPool::function_address)).
    pub functions: BTreeMap<String, u64>,
    /// Bytes of dynamic shared memory; `None` where not known.
    pub dynamic_shared: Option<u32>,
    /// Whom a block barrier waits for.
    pub barriers: BarrierModel,
    /// What to do where the address of an access outside shared memory is not known.
    pub unknown_address: UnknownAddress,
    /// A claim of the source at which a run stops where it does not hold. Other claims do nothing.
    pub watched: Option<OpId>,
}

/// What to do where the address of an access is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownAddress {
    /// Stop.
    Stop,
    /// Go on without it: what it reads is unknown, and so is, after a write, what it may have
    /// written.
    Skip,
}

/// What an object holds at the start.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Known bytes by offset.
    pub bytes: BTreeMap<u64, u8>,
    /// The others.
    pub rest: Rest,
}

/// What the bytes hold that nothing else is said of.
#[derive(Clone, Default)]
pub enum Rest {
    /// Not known.
    #[default]
    Unknown,
    /// Zero.
    Zero,
    /// A function of the offset; `None` where not known.
    Function(Arc<dyn Fn(u64) -> Option<u8> + Send + Sync>),
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rest::Unknown => "Unknown",
            Rest::Zero => "Zero",
            Rest::Function(_) => "Function",
        })
    }
}

impl Rest {
    /// The byte at an offset.
    pub fn byte(&self, offset: u64) -> Option<u8> {
        match self {
            Rest::Unknown => None,
            Rest::Zero => Some(0),
            Rest::Function(of) => of(offset),
        }
    }
}

/// What variables hold whatever ran before.
fn fixed_contents(kernel: &Kernel) -> BTreeMap<ObjectId, Contents> {
    let data = kernel.objects.iter().filter_map(|(id, object)| match &object.initial {
        Initial::Fixed(data) => Some((id, Contents::of_data(data))),
        Initial::First(_) | Initial::Host(_) | Initial::Any | Initial::Argument(_) => None,
    });
    data.collect()
}

impl Contents {
    /// The bytes of an initialiser; the others are not known.
    pub fn of_data(data: &Data) -> Contents {
        let data = data.clone();
        let rest = Rest::Function(Arc::new(move |offset| data.byte(offset)));
        Contents { bytes: BTreeMap::new(), rest }
    }

    /// These bytes from offset zero, and the rest unknown.
    pub fn of_bytes(bytes: impl IntoIterator<Item = u8>) -> Contents {
        Contents { bytes: (0..).zip(bytes).collect(), rest: Rest::Unknown }
    }

    /// These 32-bit numbers from offset zero, and the rest unknown.
    pub fn of_words(words: impl IntoIterator<Item = u32>) -> Contents {
        Contents::of_bytes(words.into_iter().flat_map(u32::to_le_bytes))
    }

    /// Sets `bits` bits at an offset, little-endian, in whole bytes.
    pub fn set(&mut self, offset: u64, bits: u8, value: u128) {
        for (index, byte) in (0..u64::from(bits.div_ceil(8))).zip(value.to_le_bytes()) {
            self.bytes.insert(offset.wrapping_add(index), byte);
        }
    }

    /// The byte at an offset.
    pub fn byte(&self, offset: u64) -> Option<u8> {
        self.bytes.get(&offset).copied().or_else(|| self.rest.byte(offset))
    }
}

/// Why a launch cannot be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LaunchError {
    /// The grid, the block or the cluster has no members in some dimension.
    Empty(&'static str),
    /// A block of more than 65,536 threads.
    TooManyThreads(u128),
    /// A warp of no or more than 64 lanes.
    WarpSize(u32),
    /// A block that is not in the grid.
    NoSuchBlock([u32; 3]),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LaunchError::Empty(what) => write!(f, "the {what} is empty"),
            LaunchError::TooManyThreads(count) => write!(f, "a block of {count} threads"),
            LaunchError::WarpSize(lanes) => write!(f, "a warp of {lanes} lanes, not 1 to 64"),
            LaunchError::NoSuchBlock([x, y, z]) => {
                write!(f, "no block ({x}, {y}, {z}) in the grid")
            }
        }
    }
}

impl std::error::Error for LaunchError {}

impl Launch {
    /// One grid of blocks of a kernel: nothing known of arguments and memory, warps and barriers as
    /// its target has them.
    pub fn new(kernel: &Kernel, grid: [u32; 3], block: [u32; 3]) -> Launch {
        let target = &kernel.target;
        let warp_size = (target.warp_size > 0).then_some(target.warp_size);
        let cluster = kernel.launch.cluster.unwrap_or([1; 3]);
        Launch {
            shape: LaunchShape { grid, block, cluster, warp_size },
            global_offset: [0; 3],
            args: Vec::new(),
            buffers: fixed_contents(kernel),
            other_contents: Rest::Unknown,
            bases: BTreeMap::new(),
            functions: BTreeMap::new(),
            dynamic_shared: None,
            barriers: BarrierModel::of(target),
            unknown_address: UnknownAddress::Skip,
            watched: None,
        }
    }

    /// Whether a scope, seen from one of two threads, includes the other; each by its block and its
    /// number there.
    pub(crate) fn in_scope(&self, scope: Scope, a: ([u32; 3], u32), b: ([u32; 3], u32)) -> bool {
        let lanes = self.shape.warp_size.unwrap_or(1);
        let cluster =
            |block: [u32; 3]| [0, 1, 2].map(|axis| block[axis] / self.shape.cluster[axis]);
        match scope {
            Scope::Thread => false,
            Scope::Warp => a.0 == b.0 && a.1 / lanes == b.1 / lanes,
            Scope::Block => a.0 == b.0,
            Scope::Cluster => cluster(a.0) == cluster(b.0),
            Scope::Device | Scope::System => true,
        }
    }

    pub(crate) fn check(&self) -> Result<(), LaunchError> {
        let LaunchShape { grid, block, cluster, warp_size } = self.shape;
        for (what, sizes) in [("grid", grid), ("block", block), ("cluster", cluster)] {
            if sizes.contains(&0) {
                return Err(LaunchError::Empty(what));
            }
        }
        let threads: u128 = block.iter().map(|it| u128::from(*it)).product();
        if threads > 1 << 16 {
            return Err(LaunchError::TooManyThreads(threads));
        }
        match warp_size {
            Some(lanes) if !(1..=64).contains(&lanes) => Err(LaunchError::WarpSize(lanes)),
            Some(_) | None => Ok(()),
        }
    }
}
