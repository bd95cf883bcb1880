//! A kernel: tables, and a tree of loops whose leaves are operations.

use std::ops::Index;

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::async_copy::AsyncMechanism;
use crate::entity::{ExprId, LoopId, ObjectId, OpId, OriginId, VarId};
use crate::expr::named;
use crate::expr::{ExprPool, sign_extend};
use crate::object::Object;
use crate::op::{Access, AccessKind, Op, OpKind};

/// One kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its symbol.
    pub name: String,
    /// Its name as the source has it.
    pub display_name: String,
    /// What it was compiled for.
    pub target: Target,
    /// What the program says of its launch.
    pub launch: LaunchBounds,
    /// Whether it reads memory through textures, or through images that it only reads. Such a read
    /// touches no object.
    pub fetches: bool,
    /// Whether calls through pointers were taken for calls of those functions of the program whose
    /// address it takes.
    pub callees_assumed: bool,
    /// Whether arrays in shared memory were taken to start at multiples of what addresses in them
    /// are rounded to.
    pub shared_aligned: bool,
    /// Whether its returns ([`Ending::Return`](crate::Ending)) are those that the source has: who
    /// comes to the end otherwise has not returned. Else any way out may be one.
    pub returns_written: bool,
    /// Parameters, in order.
    pub params: Vec<Param>,
    /// Expressions.
    pub exprs: ExprPool,
    /// Memory objects.
    pub objects: PrimaryMap<ObjectId, Object>,
    /// Operations.
    pub ops: PrimaryMap<OpId, Op>,
    /// Loops.
    pub loops: PrimaryMap<LoopId, Loop>,
    /// Loop variables.
    pub vars: PrimaryMap<VarId, Var>,
    /// Source places.
    pub origins: PrimaryMap<OriginId, Origin>,
    /// Source files by the index in [`Span::file`], as the program names them.
    pub files: Vec<String>,
    /// Names of values in the source, for messages only.
    pub names: FxHashMap<ExprId, String>,
    /// What a thread does, in order.
    pub body: Region,
}

/// What a kernel was compiled for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Which family.
    pub family: Family,
    /// `sm_80` as 80; zero where it does not apply or is not known.
    pub sm: u32,
    /// Lanes of a warp; 32 for NVIDIA. Zero where the target leaves it open (OpenCL, SPIR-V).
    pub warp_size: u32,
    /// Written in OpenCL: its barriers wait for every thread of the block, also on NVIDIA.
    pub opencl: bool,
    /// Subnormal floats of 32 bits count as zeros in arithmetic (`.ftz`; LLVM's function attribute
    /// `denormal-fp-math-f32`).
    pub flushes: bool,
}

impl Target {
    /// Whether two scopes include each other only if they are the same, as OpenCL has it (OpenCL
    /// API, section 3.3.6.1), and not also if each contains the other's thread (PTX ISA, section
    /// 8.5).
    pub fn has_strict_scopes(&self) -> bool {
        self.family != Family::Nvptx || self.opencl
    }
}

named! {
    /// The family of a target.
    Family {
        /// CUDA's, or OpenCL's on NVIDIA.
        Nvptx = "nvptx",
        /// SPIR-V.
        Spirv = "spirv",
    }
}

/// What the program says of its launch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchBounds {
    /// The block's size exactly (`reqd_work_group_size`, `nvvm.reqntid`).
    pub required_block: Option<[u32; 3]>,
    /// Threads of a block at most (`__launch_bounds__`, `nvvm.maxntid`).
    pub max_threads: Option<u32>,
    /// The cluster's size exactly.
    pub cluster: Option<[u32; 3]>,
    /// The grid that it is launched with, as an annotation says (`HEDDLE_LAUNCH`). A check may be
    /// asked for another.
    pub stated_grid: Option<[u32; 3]>,
    /// The block, likewise.
    pub stated_block: Option<[u32; 3]>,
    /// The launches that the source has, where those are all that it has.
    pub launches: Vec<SeenLaunch>,
    /// The kernel asks how large its block is, and the last block of a dimension may be smaller
    /// than the others (OpenCL 2.0 and later, unless the program is compiled for groups of one
    /// size).
    pub uneven_blocks: bool,
    /// Conditions that annotations take for granted (`HEDDLE_ASSUME`), as text.
    pub assumptions: Vec<String>,
}

/// A launch in the source of the kernel: `kernel<<<grid, block>>>(…)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenLaunch {
    /// Blocks of the grid; `None` is no constant.
    pub grid: [Option<u32>; 3],
    /// Threads of the block, likewise.
    pub block: [Option<u32>; 3],
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ParamKind,
    /// Whether its numbers have a sign; `None` for pointers, and where the source is not known.
    pub sign: Option<Sign>,
}

impl Param {
    /// Whether a value of it, of this width in bits, may be a float that is no number (NaN), whose
    /// sign and payload are the compiler's choice. What debug info does not declare as an integer
    /// may be a float, or two.
    pub fn may_be_nan(&self, value: u128, width: u8) -> bool {
        let is_nan = |value: u128| f32::from_bits(value as u32).is_nan();
        match (self.sign, width) {
            (Some(Sign::Signed | Sign::Unsigned), _) => false,
            (Some(Sign::Float) | None, 32) => is_nan(value),
            (Some(Sign::Float), 64) => f64::from_bits(value as u64).is_nan(),
            (None, 64) => {
                f64::from_bits(value as u64).is_nan() || is_nan(value) || is_nan(value >> 32)
            }
            // Beyond the numbers that half precision has; bfloat16 has some more.
            (Some(Sign::Float) | None, _) => value & 0x7fff > 0x7c00,
        }
    }

    /// A value of it, of this width in bits, as the source would write it; signed where debug info
    /// does not declare what it is.
    pub fn written(&self, value: u128, width: u8) -> String {
        match (self.sign, width) {
            (Some(Sign::Float), 32) => format!("{:?}", f32::from_bits(value as u32)),
            (Some(Sign::Float), 64) => format!("{:?}", f64::from_bits(value as u64)),
            (Some(Sign::Float), _) => format!("{value:#x}"),
            (Some(Sign::Unsigned), _) | (_, 1) => value.to_string(),
            (Some(Sign::Signed) | None, _) => sign_extend(value, width).to_string(),
        }
    }

    /// A parameter of which nobody said whether its numbers have a sign.
    pub fn new(name: impl Into<String>, kind: ParamKind) -> Param {
        Param { name: name.into(), kind, sign: None }
    }
}

/// What the source declares the numbers of a parameter as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// `int`, `long long`.
    Signed,
    /// `unsigned`, `size_t`.
    Unsigned,
    /// `float`, `double`: a bit pattern.
    Float,
}

impl Sign {
    /// How the text of a kernel says it.
    pub fn name(self) -> &'static str {
        match self {
            Sign::Signed => "signed",
            Sign::Unsigned => "unsigned",
            Sign::Float => "float",
        }
    }

    /// The sign of a word of the text.
    pub fn from_name(name: &str) -> Option<Sign> {
        [Sign::Signed, Sign::Unsigned, Sign::Float].into_iter().find(|it| it.name() == name)
    }
}

/// What a parameter is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A number of so many bits.
    Scalar {
        /// Bits.
        width: u8,
    },
    /// A pointer; what it points to is this object, at offset zero.
    Pointer(ObjectId),
    /// A scalar inside a structure passed by value. Each member read is a parameter of its own.
    Field {
        /// The structure's position in the source's parameter list.
        of: u32,
        /// Bytes from the start of the structure.
        offset: u64,
        /// Bits.
        width: u8,
    },
}

/// A sequence that every thread of the kernel, or of an iteration, goes through in this order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Region {
    /// Operations and loops.
    pub items: Vec<Item>,
}

/// An element of a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Item {
    /// An operation.
    Op(OpId),
    /// A loop.
    Loop(LoopId),
}

/// A loop. Threads for which `pred` holds run its body at least once; after the body, a thread for
/// which `cont` holds runs it again. Threads in the body run in lock-step with those that have
/// left, which are disabled: an iteration has the same number for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Who enters; an expression of the parent.
    pub pred: ExprId,
    /// Variables.
    pub vars: Vec<VarId>,
    /// One iteration.
    pub body: Region,
    /// Who goes on; an expression of the body, evaluated at its end. It implies nothing about
    /// `pred`: only threads in the iteration are asked.
    pub cont: ExprId,
    /// The loop it is in.
    pub parent: Option<LoopId>,
    /// Where it comes from.
    pub origin: OriginId,
}

/// A loop variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// Its loop.
    pub of: LoopId,
    /// Bits.
    pub width: u8,
    /// Its value in the first iteration; an expression of the loop's parent.
    pub init: ExprId,
    /// Its value in the next iteration; an expression of the body.
    pub next: ExprId,
    /// Its name in the source.
    pub name: Option<String>,
}

/// Where an operation comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    /// The function the instruction stands in after preparation: the kernel.
    pub function: String,
    /// The function of the source it was written in, where inlining moved it.
    pub source_function: Option<String>,
    /// Its number among the instructions of the function it was written in, from zero, in the order
    /// of the text that was read. `None` where the front end made it.
    pub ordinal: Option<u32>,
    /// The place in the source.
    pub span: Option<Span>,
    /// The call that brought it here.
    pub inlined_at: Option<OriginId>,
}

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// Index into [`Kernel::files`].
    pub file: u32,
    /// Line, from one.
    pub line: u32,
    /// Column, from one; zero where not known.
    pub column: u32,
}

macro_rules! index {
    ($($id:ty, $field:ident, $out:ty;)*) => {
        $(impl Index<$id> for Kernel {
            type Output = $out;

            fn index(&self, id: $id) -> &$out { &self.$field[id] }
        })*
    };
}

index! {
    OpId, ops, Op;
    LoopId, loops, Loop;
    VarId, vars, Var;
    ObjectId, objects, Object;
    OriginId, origins, Origin;
    ExprId, exprs, crate::expr::Expr;
}

impl Kernel {
    /// The access of an operation, if it is one.
    pub fn access(&self, op: OpId) -> Option<&Access> {
        match &self[op].kind {
            OpKind::Access(access) => Some(access),
            OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => None,
        }
    }

    /// The bytes of each element of an access, where that is known: a vector is accessed element by
    /// element.
    pub fn element_size(&self, op: OpId) -> Option<u128> {
        let access = self.access(op)?;
        let elements = match &access.kind {
            AccessKind::Load => self[op].results.len(),
            AccessKind::Store(values) => values.len(),
            AccessKind::Atomic(..) => 1,
        };
        let size = self.exprs.as_const(access.size)?;
        Some(size / (elements.max(1) as u128))
    }

    /// Whether an operation is the read of an operand of a matrix product.
    pub fn is_operand(&self, op: OpId) -> bool {
        matches!(&self[op].kind, OpKind::AsyncCopy(copy) if !copy.writes())
    }

    /// Whether it is one of a product that a whole warpgroup begins together (`wgmma`).
    pub fn is_of_warpgroup(&self, op: OpId) -> bool {
        matches!(&self[op].kind, OpKind::AsyncCopy(copy) if copy.mechanism == AsyncMechanism::Matrix)
    }

    /// Whether an operation of a region, or of a loop in it, is wanted.
    pub fn any_inside(&self, region: &Region, wanted: &dyn Fn(OpId) -> bool) -> bool {
        region.items.iter().any(|item| match *item {
            Item::Op(op) => wanted(op),
            Item::Loop(of) => self.any_inside(&self[of].body, wanted),
        })
    }

    /// Calls `visit` on each operation in the order of the tree, with the loops around it,
    /// outermost first.
    pub fn for_each_op(&self, mut visit: impl FnMut(OpId, &[LoopId])) {
        fn walk(
            kernel: &Kernel,
            region: &Region,
            around: &mut Vec<LoopId>,
            visit: &mut dyn FnMut(OpId, &[LoopId]),
        ) {
            for item in &region.items {
                match *item {
                    Item::Op(op) => visit(op, around),
                    Item::Loop(inner) => {
                        around.push(inner);
                        walk(kernel, &kernel[inner].body, around, visit);
                        around.pop();
                    }
                }
            }
        }
        walk(self, &self.body, &mut Vec::new(), &mut visit);
    }
}
