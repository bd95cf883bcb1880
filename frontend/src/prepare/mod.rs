//! Brings a module into the form that `lift` reads, without losing a memory access.
//!
//! The analysis looks at the program as it was written: an optimiser may merge, move or delete the very accesses that
//! race (of 183 kernels with a known bug, `-O1` leaves 27 with no racing access at all). So only these steps run:
//!
//! 1. **inline**: all that a kernel calls is inlined into it. Recursive functions stay calls.
//! 2. **drop**: functions that are not kernels and that nothing calls any more go, and so do unused globals.
//! 3. **registers** (SROA, keeping the control flow): variables of the thread that live in `alloca`s become values.
//!    This removes accesses, but only to memory that no other thread can name.
//! 4. **flow**: unreachable blocks go; irreducible cycles are made reducible; each loop gets one preheader and one
//!    latch ([`flow`]).
//!
//! **Promises**: each load, store, atomic and call that stands in a kernel after step 1 and does not go to a private
//! `alloca` stands there after step 4, once. `frontend/tests/prepare.rs` counts them.
//!
//! **Does not**: fold constants, lower `switch`, simplify branches, or put loops into LCSSA form. Modules that were
//! optimised before they came here keep what is left in them.

pub mod kernels;

pub use kernels::Kernel;

use crate::llvm::Module;
use crate::read::Target;
use crate::{InputError, InputErrorKind};

/// A module ready to be lifted.
#[derive(Debug)]
pub struct Prepared {
    /// The input as the user named it.
    pub name: String,
    /// The module: kernels with bodies, and whatever could not be inlined.
    pub module: Module,
    /// Its target.
    pub target: Target,
    /// Its kernels, in text order, at least one.
    pub kernels: Vec<Kernel>,
    /// What the compiler said although it succeeded; its own text.
    pub warnings: String,
}

/// Inlines, cleans up, finds the kernels.
///
/// # Errors
/// [`InputErrorKind::NoKernels`].
pub fn prepare(name: &str, mut module: Module, target: Target) -> Result<Prepared, InputError> {
    let mut kernels = kernels::find(&module);
    if kernels.is_empty() {
        return Err(no_kernels(name, &module, target));
    }
    let kept: std::collections::HashSet<String> = kernels.iter().map(|k| k.name.clone()).collect();
    module.mark_for_inlining(&|function| kept.contains(function));
    run(
        name,
        &mut module,
        "always-inline,globaldce,function(sroa<preserve-cfg>,unreachableblockelim)",
    )?;
    run(name, &mut module, "function(lower-switch,fix-irreducible,loop-simplify)")?;
    kernels.retain(|k| module.function(&k.name).is_some_and(|f| !f.is_declaration()));
    Ok(Prepared { name: name.to_owned(), module, target, kernels, warnings: String::new() })
}

fn run(name: &str, module: &mut Module, pipeline: &str) -> Result<(), InputError> {
    module.run_passes(pipeline).map_err(|why| {
        InputError::new(
            InputErrorKind::BrokenModule,
            name,
            format!("LLVM refuses the pass pipeline `{pipeline}`: {why}"),
            "this is a fault of heddle or of an LLVM that is not version 22; please report it",
        )
    })
}

fn no_kernels(name: &str, module: &Module, target: Target) -> InputError {
    let defined = module.functions().filter(|f| !f.is_declaration()).count();
    let message = match defined {
        0 => "the module has no kernels and no functions".to_owned(),
        1 => "the module has one function and no kernel".to_owned(),
        n => format!("the module has {n} functions and no kernel"),
    };
    let help = match target {
        Target::Nvptx => {
            "a kernel is marked `__global__` (CUDA), `ptx_kernel` (IR) or `!nvvm.annotations`; a template kernel must be \
             instantiated in the file"
        }
        Target::Spirv => "a kernel is marked `__kernel` (OpenCL) or `spir_kernel` (IR)",
    };
    InputError::new(InputErrorKind::NoKernels, name, message, help)
}
