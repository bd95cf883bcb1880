//! MLIR's own conversions, from the dialects that people write to `llvm` and `nvvm`.
//!
//! The passes are those of `gpu-lower-to-nvvm-pipeline` without what optimises (`canonicalize`,
//! `cse`), what drops locations (`strip-debuginfo`), what compiles to a binary, and what lowers the
//! host. Some fold, drop and merge all the same; [`crate::keep`] holds against that. All run
//! on the `gpu.module`s alone, so that a host part in other dialects does not matter.

use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;

use crate::Wrong;
use crate::parse::Heard;

/// `gpu.launch` in host code becomes a `gpu.module`.
const OUTLINE: &str = "gpu-kernel-outlining";

/// From vectors, loops, affine accesses and views to `llvm` and `nvvm`. What has addresses and
/// numbers in it (`expand-strided-metadata`) makes affine maps, hence `lower-affine` again.
/// `convert-vector-to-llvm` leaves vectors in workgroup memory, whose address space it does not
/// know, to `convert-gpu-to-nvvm`; transfers only it lowers.
const LOWER: &str = "gpu.module(convert-nvgpu-to-nvvm,lower-affine,convert-vector-to-scf,\
                     expand-strided-metadata,lower-affine,convert-scf-to-cf,\
                     convert-vector-to-llvm{force-32bit-vector-indices=false},\
                     convert-gpu-to-nvvm{has-redux=true},convert-nvvm-to-llvm,\
                     reconcile-unrealized-casts)";

/// Each function becomes a subprogram of debug information.
const SUBPROGRAMS: &str = "ensure-debug-info-scope-on-llvm-func";

pub(crate) fn outline(
    context: &Context,
    module: &mut Module<'_>,
    heard: &Heard,
) -> Result<(), Wrong> {
    run(context, module, OUTLINE, heard)
}

pub(crate) fn lower(
    context: &Context,
    module: &mut Module<'_>,
    heard: &Heard,
) -> Result<(), Wrong> {
    run(context, module, LOWER, heard)
}

pub(crate) fn give_subprograms(
    context: &Context,
    module: &mut Module<'_>,
    heard: &Heard,
) -> Result<(), Wrong> {
    run(context, module, SUBPROGRAMS, heard)
}

fn run(
    context: &Context,
    module: &mut Module<'_>,
    passes: &str,
    heard: &Heard,
) -> Result<(), Wrong> {
    let manager = PassManager::new(context);
    let pipeline = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)
        .map_err(|error| Wrong::nowhere(format!("this MLIR lacks a pass: {error}")))?;
    manager
        .run(module)
        .map_err(|_| heard.or("MLIR cannot lower this to LLVM IR, and does not say why"))
}
