//! OpenCL's built-in functions for ids, barriers, fences, copies and groups (OpenCL C 3.0, section
//! 6.15).

use heddle_ir::{
    Barrier, BinOp, CastOp, CrossLaneKind, ExprId, MemoryOrder, NoWrap, OpKind, Proxy, Reduction,
    Scope, Special, Touches,
};

use super::Call;
use crate::Lifter;
use crate::mangled::Mangled;
use crate::value::{Val, scalar_width};
use heddle_llvm::{Metadata, TypeKind};

/// Whether a function says where a thread is, or how large the launch.
pub(super) fn is_id(name: &str) -> bool {
    ids_beyond(name).is_some()
}

/// Whether a function reads an image or asks about one: where in it is not asked.
pub(super) fn reads_image(name: &str) -> bool {
    ["read_image", "get_image_"].iter().any(|it| name.starts_with(it))
}

impl<'m> Lifter<'m> {
    /// A built-in by its mangled name.
    pub(super) fn opencl(&mut self, call: &Call<'m>) -> Option<Val> {
        let mangled = Mangled::parse(&call.name)?;
        if !self.has_builtins {
            return self.texture_function(call, &mangled.name);
        }
        self.work_item(call, &mangled.name)
            .or_else(|| self.group_barrier(call, &mangled.name))
            .or_else(|| self.group_copy(call, &mangled))
            .or_else(|| self.group_function(call, &mangled.name))
            .or_else(|| self.opencl_atomic(call, &mangled))
            .or_else(|| self.opencl_halves(call, &mangled))
            .or_else(|| self.opencl_vector(call, &mangled))
            .or_else(|| self.opencl_two_results(call, &mangled))
            .or_else(|| self.opencl_image(call, &mangled.name))
            .or_else(|| self.texture_function(call, &mangled.name))
            .or_else(|| self.opencl_math(call, &mangled))
            .or_else(|| self.spirv_function(call, &mangled.name))
    }

    /// `get_global_id` and its like.
    fn work_item(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        let width = scalar_width(call.inst.ty())?;
        let id = match name {
            "get_local_linear_id" => self.linear_id(false),
            "get_global_linear_id" => self.linear_id(true),
            "get_sub_group_local_id" => self.special_wide(Special::LaneId),
            "get_sub_group_id" => self.special_wide(Special::WarpId),
            "get_max_sub_group_size" => match self.out.kernel().target.warp_size {
                // One number for the whole launch, whatever it is.
                0 => self.out.exprs().pure(name, &[], width),
                lanes => self.out.exprs().constant(u128::from(lanes), 64),
            },
            "get_sub_group_size" => match self.out.kernel().target.warp_size {
                0 => return Some(self.unknown_number(call)),
                lanes => self.sub_group_size(lanes),
            },
            "get_num_sub_groups" => self.sub_groups("get_local_size", width),
            "get_enqueued_num_sub_groups" => self.sub_groups("get_enqueued_local_size", width),
            // One number for the whole launch, whatever it is.
            "get_work_dim" => self.out.exprs().pure(name, &[], width),
            _ => {
                // What is not about ids has no row here.
                let beyond = ids_beyond(name)?;
                self.per_dimension(call, &|lifter, dimension| lifter.id(name, dimension), beyond)?
            }
        };
        Some(Val::Scalar(self.out.exprs().resize(id, width)))
    }

    /// The lanes of the sub-group: the last one of a work-group may have fewer.
    fn sub_group_size(&mut self, lanes: u32) -> ExprId {
        let items = self.work_items("get_local_size");
        let group = self.special_wide(Special::WarpId);
        let exprs = self.out.exprs();
        let lanes = exprs.constant(u128::from(lanes), 64);
        let before = exprs.binary_flagged(BinOp::Mul, NoWrap::BOTH, group, lanes);
        let left = exprs.binary_flagged(BinOp::Sub, NoWrap::BOTH, items, before);
        exprs.binary(BinOp::UMin, left, lanes)
    }

    /// How many work-items a work-group of a size has.
    fn work_items(&mut self, size: &str) -> ExprId {
        let [x, y, z] = [0, 1, 2].map(|d| self.id(size, d));
        let exprs = self.out.exprs();
        let plane = exprs.binary_flagged(BinOp::Mul, NoWrap::BOTH, x, y);
        exprs.binary_flagged(BinOp::Mul, NoWrap::BOTH, plane, z)
    }

    /// How many sub-groups a work-group of a size has; the last may have fewer lanes. Where the
    /// size of a sub-group is not known, a number that follows from that of the work-group.
    fn sub_groups(&mut self, size: &str, width: u8) -> ExprId {
        let lanes = self.out.kernel().target.warp_size;
        if lanes == 0 {
            let sizes = [0, 1, 2].map(|d| self.id(size, d));
            return self.out.exprs().pure("get_num_sub_groups", &sizes, width);
        }
        let items = self.work_items(size);
        let exprs = self.out.exprs();
        let [others, lanes] = [lanes - 1, lanes].map(|it| exprs.constant(u128::from(it), 64));
        let filled = exprs.binary_flagged(BinOp::Add, NoWrap::BOTH, items, others);
        exprs.binary(BinOp::UDiv, filled, lanes)
    }

    /// The id of a dimension, 64 bits wide.
    pub(super) fn id(&mut self, name: &str, dimension: u8) -> ExprId {
        let d = dimension;
        match name {
            "get_local_id" => self.special_wide(Special::Tid(d)),
            "get_group_id" => self.special_wide(Special::Ctaid(d)),
            "get_local_size" => {
                self.look_at_block_size();
                self.special_wide(Special::Ntid(d))
            }
            // The size of all blocks but the last.
            "get_enqueued_local_size" => self.special_wide(Special::Ntid(d)),
            "get_num_groups" => self.special_wide(Special::Nctaid(d)),
            "get_global_offset" => self.special_wide(Special::GlobalOffset(d)),
            "get_global_size" => {
                self.look_at_block_size();
                let (groups, size) =
                    (self.special_wide(Special::Nctaid(d)), self.special_wide(Special::Ntid(d)));
                self.out.exprs().binary_flagged(BinOp::Mul, NoWrap::BOTH, groups, size)
            }
            _ => {
                let inside = self.global_id_without_offset(d);
                let offset = self.special_wide(Special::GlobalOffset(d));
                self.out.exprs().binary_flagged(BinOp::Add, NoWrap::BOTH, inside, offset)
            }
        }
    }

    /// The kernel asks for a size that is another one in the last block, where that may be smaller:
    /// from OpenCL 2.0 on, unless the program is compiled with `-cl-uniform-work-group-size`. A
    /// global id does not ask: it is made of the size of the other blocks.
    fn look_at_block_size(&mut self) {
        let uniform = self
            .function
            .attribute("uniform-work-group-size")
            .and_then(heddle_llvm::Attribute::string_value)
            .is_some_and(|it| it == "true");
        self.out.kernel_mut().launch.uneven_blocks |= !uniform && !self.is_opencl_1();
    }

    /// Whether the module says that it is OpenCL C 1.
    fn is_opencl_1(&self) -> bool {
        let versions = self.module.named_metadata("opencl.ocl.version");
        let majors: Vec<_> = versions
            .iter()
            .map(|it| it.operands().first().copied().flatten().and_then(Metadata::int))
            .collect();
        !majors.is_empty() && majors.iter().all(|major| *major == Some(1))
    }

    /// Products and sums of 32-bit ids at 64 bits: no launch is so large that they wrap.
    fn global_id_without_offset(&mut self, dimension: u8) -> ExprId {
        let group = self.special_wide(Special::Ctaid(dimension));
        let size = self.special_wide(Special::Ntid(dimension));
        let local = self.special_wide(Special::Tid(dimension));
        let pool = self.out.exprs();
        let start = pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, group, size);
        pool.binary_flagged(BinOp::Add, NoWrap::BOTH, start, local)
    }

    fn special_wide(&mut self, special: Special) -> ExprId {
        let narrow = self.out.exprs().special(special);
        self.out.exprs().cast(CastOp::Zext, narrow, 64)
    }

    /// The thread's number in its block.
    pub(super) fn local_linear_id(&mut self) -> ExprId {
        self.linear_id(false)
    }

    fn linear_id(&mut self, global: bool) -> ExprId {
        let name = if global { "get_global_size" } else { "get_local_size" };
        let part = |lifter: &mut Self, d: u8| match global {
            true => lifter.global_id_without_offset(d),
            false => lifter.special_wide(Special::Tid(d)),
        };
        let mut result = part(self, 2);
        for d in [1, 0] {
            let (size, own) = (self.id(name, d), part(self, d));
            let pool = self.out.exprs();
            let scaled = pool.binary_flagged(BinOp::Mul, NoWrap::BOTH, result, size);
            result = pool.binary_flagged(BinOp::Add, NoWrap::BOTH, scaled, own);
        }
        result
    }

    /// One value for each dimension, chosen by the first argument; `beyond` for a dimension that is
    /// not there.
    pub(super) fn per_dimension(
        &mut self,
        call: &Call<'m>,
        value: &dyn Fn(&mut Self, u8) -> ExprId,
        beyond: u128,
    ) -> Option<ExprId> {
        let asked = self.arg(call, 0)?;
        let width = self.out.exprs().width(asked);
        let mut result = self.out.exprs().constant(beyond, 64);
        for dimension in [2, 1, 0] {
            let this = self.out.exprs().constant(u128::from(dimension), width);
            let here = self.out.exprs().eq(asked, this);
            if self.out.exprs().as_const(here) == Some(0) {
                continue;
            }
            let own = value(self, dimension);
            result = self.out.exprs().select(here, own, result);
        }
        Some(result)
    }

    fn group_barrier(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        match name {
            "barrier" | "work_group_barrier" => {
                let mut flags = self.arg(call, 0)?;
                // Memory is ordered for the work items of the scope alone (OpenCL C 3.0, 6.15.8).
                let scope = self.barrier_scope(call);
                match scope {
                    Scope::Block | Scope::Cluster | Scope::Device | Scope::System => {}
                    Scope::Warp => {
                        self.warp_wait(flags);
                        flags = self.out.exprs().constant(0, 32);
                    }
                    Scope::Thread => flags = self.out.exprs().constant(0, 32),
                }
                let proxy = self.fenced_memory(call);
                self.between_fences(scope, proxy, |it| it.group_wait(flags));
            }
            "sub_group_barrier" => {
                let scope = self.barrier_scope(call);
                let flags = match scope {
                    Scope::Thread => self.out.exprs().constant(0, 32),
                    Scope::Warp | Scope::Block | Scope::Cluster | Scope::Device | Scope::System => {
                        self.arg(call, 0)?
                    }
                };
                let proxy = self.fenced_memory(call);
                self.between_fences(scope, proxy, |it| it.warp_wait(flags));
            }
            "mem_fence" => self.flagged_fence(call, MemoryOrder::AcqRel, Scope::Block)?,
            "read_mem_fence" => self.flagged_fence(call, MemoryOrder::Acquire, Scope::Block)?,
            "write_mem_fence" => self.flagged_fence(call, MemoryOrder::Release, Scope::Block)?,
            "atomic_work_item_fence" => {
                let order = self.memory_order(call, 1);
                let scope = self.memory_scope(call, 2);
                self.flagged_fence(call, order, scope)?;
            }
            _ => return None,
        }
        Some(Val::Nothing)
    }

    /// All threads of the block wait; `flags` says which memory that orders.
    pub(super) fn group_wait(&mut self, flags: ExprId) {
        let orders = self.out.exprs().resize(flags, 32);
        self.emit(OpKind::Barrier(Barrier::Block { aligned: true, orders, reduce: None }), &[]);
    }

    /// The barrier of all lanes of a warp, for the memory that the flags name.
    pub(super) fn warp_wait(&mut self, flags: ExprId) {
        let orders = self.out.exprs().resize(flags, 32);
        let mask = self.out.exprs().constant(u128::from(u32::MAX), 32);
        self.emit(OpKind::Barrier(Barrier::Warp { mask, orders }), &[]);
    }

    /// The scope for which a barrier orders memory; that of the work group where none is given.
    fn barrier_scope(&mut self, call: &Call<'m>) -> Scope {
        match call.args.len() {
            0 | 1 => Scope::Block,
            _ => self.memory_scope(call, 1),
        }
    }

    /// A fence for the memory that the first argument names. One that leaves some memory out is
    /// marked, so that it is not taken for one that orders everything.
    fn flagged_fence(&mut self, call: &Call<'m>, order: MemoryOrder, scope: Scope) -> Option<()> {
        let proxy = self.fenced_memory(call);
        self.emit(OpKind::Fence { order, scope, proxy }, &[]);
        Some(())
    }

    /// The memory that the flags of a call name; `None` is all.
    fn fenced_memory(&mut self, call: &Call<'m>) -> Option<Proxy> {
        match self.constant_arg(call, 0) {
            Some(flags) if flags & 3 == 3 => None,
            Some(flags) if flags & 1 == 1 => Some(Proxy::OpenclLocal),
            Some(flags) if flags & 2 == 2 => Some(Proxy::OpenclGlobal),
            Some(_) => Some(Proxy::OpenclImage),
            None => Some(Proxy::OpenclUnknown),
        }
    }

    /// A barrier whose memory scope is wider than the block is one between a releasing and an
    /// acquiring fence of that scope (OpenCL API, section 3.3.6.2).
    pub(super) fn between_fences(
        &mut self,
        scope: Scope,
        proxy: Option<Proxy>,
        barrier: impl FnOnce(&mut Self),
    ) {
        let is_wider = match scope {
            Scope::Device | Scope::System => proxy.is_none_or(|it| it == Proxy::OpenclGlobal),
            Scope::Thread | Scope::Warp | Scope::Block | Scope::Cluster => false,
        };
        if is_wider {
            self.emit(OpKind::Fence { order: MemoryOrder::Release, scope, proxy }, &[]);
        }
        barrier(self);
        if is_wider {
            self.emit(OpKind::Fence { order: MemoryOrder::Acquire, scope, proxy }, &[]);
        }
    }

    /// Collective functions of a work-group or a sub-group.
    fn group_function(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        use CrossLaneKind as K;
        if let Some(function) = name.strip_prefix("work_group_") {
            let reduction = match function {
                "all" => Some(Reduction::And),
                "any" => Some(Reduction::Or),
                "broadcast" => None,
                _ if is_combined(function) => None,
                _ => return None,
            };
            let value = self.arg(call, 0)?;
            let none = self.out.exprs().constant(0, 32);
            if let Some(reduction) = reduction {
                let width = self.out.exprs().width(value);
                let zero = self.out.exprs().constant(0, width);
                let holds = self.out.exprs().ne(value, zero);
                let barrier = Barrier::Block {
                    aligned: true,
                    orders: none,
                    reduce: Some((reduction, holds)),
                };
                let op = self.emit(OpKind::Barrier(barrier), &[1]);
                let result = self.out.result(op, 0);
                return Some(Val::Scalar(
                    self.out.exprs().resize(result, scalar_width(call.inst.ty())?),
                ));
            }
            // All threads have to be there, as at a barrier that orders nothing; the value is not
            // modelled.
            self.group_wait(none);
            return Some(self.opaque_value(
                &call.name,
                &[value],
                call.inst.ty(),
                Touches::nothing(),
                false,
            ));
        }
        let function =
            name.strip_prefix("sub_group_").or_else(|| name.strip_prefix("intel_sub_group_"))?;
        // The one argument of a reduction, as the name of an overloaded function has its type.
        let unsigned = ['h', 't', 'j', 'm'].iter().any(|it| call.name.ends_with(*it));
        // A shuffle takes 5 bits of the lane's number.
        let has_five_bits = (1..=32).contains(&self.out.kernel().target.warp_size);
        let kind = match function {
            "all" => K::VoteAll,
            "any" => K::VoteAny,
            "broadcast" | "shuffle" | "shuffle_xor" if !has_five_bits => {
                return Some(self.unknown_number(call));
            }
            "broadcast" | "shuffle" => K::ShuffleIdx,
            "shuffle_xor" => K::ShuffleBfly,
            "reduce_add" => K::ReduceAdd,
            "reduce_min" if unsigned => K::ReduceUMin,
            "reduce_min" => K::ReduceSMin,
            "reduce_max" if unsigned => K::ReduceUMax,
            "reduce_max" => K::ReduceSMax,
            // Numbers of which nothing is known, and which touch nothing. What else there is reads
            // and writes: blocks of memory and of images, pipes, media.
            _ if gives_numbers(function) => return Some(self.unknown_number(call)),
            _ => return None,
        };
        let value = self.arg(call, 0)?;
        let is_float = matches!(call.inst.ty().kind(), TypeKind::Float(_));
        let args = match kind {
            K::ShuffleIdx | K::ShuffleBfly => {
                vec![value, self.arg(call, 1)?, self.out.exprs().constant(31, 32)]
            }
            K::VoteAll | K::VoteAny => {
                let width = self.out.exprs().width(value);
                let zero = self.out.exprs().constant(0, width);
                vec![self.out.exprs().ne(value, zero)]
            }
            // The reductions that are modelled are of integers; all lanes have to be there.
            _ if is_float => {
                let (nothing, ty) = (Touches::nothing(), call.inst.ty());
                return Some(self.opaque_value(&call.name, &[value], ty, nothing, false));
            }
            _ => vec![value],
        };
        let result = self.exchange(kind, None, &args)[0];
        let width = scalar_width(call.inst.ty())?;
        Some(Val::Scalar(self.out.exprs().resize(result, width)))
    }
}

/// Functions of a sub-group beside reductions and scans that give numbers of its lanes (OpenCL
/// Extension Specification, `cl_khr_subgroup_*`).
const OF_LANES: &[&str] = &[
    "elect",
    "broadcast_first",
    "non_uniform_broadcast",
    "non_uniform_all",
    "non_uniform_any",
    "non_uniform_all_equal",
    "ballot",
    "inverse_ballot",
    "ballot_bit_extract",
    "ballot_bit_count",
    "ballot_inclusive_scan",
    "ballot_exclusive_scan",
    "ballot_find_lsb",
    "ballot_find_msb",
    "shuffle_up",
    "shuffle_down",
    "rotate",
    "clustered_rotate",
];

/// Whether a function of a sub-group gives a number and does nothing else.
fn gives_numbers(function: &str) -> bool {
    let among = ["non_uniform_", "clustered_"].into_iter().find_map(|it| function.strip_prefix(it));
    OF_LANES.contains(&function) || is_combined(among.unwrap_or(function))
}

/// Whether a function of a group is a reduction or a scan.
fn is_combined(function: &str) -> bool {
    let by = ["reduce_", "scan_inclusive_", "scan_exclusive_"];
    let by = by.into_iter().find_map(|it| function.strip_prefix(it));
    by.is_some_and(|it| {
        matches!(
            it.trim_start_matches("logical_"),
            "add" | "mul" | "min" | "max" | "and" | "or" | "xor"
        )
    })
}

/// What an id function gives for a dimension above two; nothing for other functions.
fn ids_beyond(name: &str) -> Option<u128> {
    match name {
        "get_global_id" | "get_local_id" | "get_group_id" | "get_global_offset" => Some(0),
        "get_global_size" | "get_local_size" | "get_enqueued_local_size" | "get_num_groups" => {
            Some(1)
        }
        _ => None,
    }
}
