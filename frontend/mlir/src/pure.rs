//! Operations that neither access memory nor wait for another thread, so that nothing is lost where
//! MLIR folds them or drops them.
//!
//! **Sound**: only what is listed is pure; whatever is not, of any dialect, is taken for an access.
//! Control flow counts as pure, since what it contains is looked at by itself.

use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Type, TypeLike, ValueLike};

use crate::kernels::name_of;

/// Dialects whose operations compute numbers of numbers, or choose an address.
const NUMBERS: [&str; 5] = ["arith", "complex", "index", "math", "ub"];

/// Of these dialects each operation is structure or an address.
const STRUCTURE: [&str; 2] = ["builtin", "scf"];

/// Structure, addresses and numbers of the other dialects.
const PURE: &[(&str, &str)] = &[
    ("affine", "apply delinearize_index for if linearize_index max min parallel yield"),
    ("cf", "br cond_br switch"),
    ("func", "func return constant"),
    (
        "gpu",
        "block_dim block_id cluster_block_id cluster_dim cluster_dim_blocks cluster_id \
         dynamic_shared_memory func global_id grid_dim lane_id module num_subgroups return \
         subgroup_id subgroup_mma_constant_matrix subgroup_mma_elementwise subgroup_size terminator \
         thread_id warp_size yield",
    ),
    (
        "llvm",
        "add addrspacecast alloca and ashr bitcast br cond_br extractelement extractvalue fadd fcmp \
         fdiv fmul fneg fpext fptosi fptoui fptrunc freeze frem fsub func getelementptr icmp \
         insertelement insertvalue inttoptr lshr mlir.addressof mlir.constant mlir.global mlir.none \
         mlir.poison mlir.undef mlir.zero mul or ptrtoint return sdiv select sext shl shufflevector \
         sitofp srem sub switch trunc udiv uitofp unreachable urem xor zext",
    ),
    (
        "memref",
        "alloca alloca_scope alloca_scope.return assume_alignment atomic_yield cast collapse_shape \
         dim distinct_objects expand_shape extract_aligned_pointer_as_index \
         extract_strided_metadata get_global global memory_space_cast rank reinterpret_cast subview \
         transpose view",
    ),
    ("nvgpu", "mbarrier.create"),
];

/// Whether an operation has nothing that could be lost.
pub(crate) fn is_pure(operation: OperationRef<'_, '_>) -> bool {
    let name = name_of(operation);
    let Some((dialect, short)) = name.split_once('.') else { return false };
    if STRUCTURE.contains(&dialect) {
        return true;
    }
    if NUMBERS.contains(&dialect) {
        return operation.region_count() == 0;
    }
    if dialect == "vector" {
        // Its accesses take the memory that they are to.
        let is_memory = |r#type: Type<'_>| r#type.is_mem_ref() || r#type.is_unranked_mem_ref();
        let takes_memory = operation.operands().any(|it| is_memory(it.r#type()));
        return operation.region_count() == 0 && short != "print" && !takes_memory;
    }
    if dialect == "nvvm" {
        return short.starts_with("read.ptx.sreg.");
    }
    PURE.iter().any(|(of, names)| *of == dialect && names.split_whitespace().any(|it| it == short))
}
