//! Brings a module into the form that `lift` reads, without losing a memory access.
//!
//! The analysis looks at the program as it was written: an optimiser may merge, move or delete the
//! very accesses that race (of 183 kernels with a known bug, `-O1` leaves 27 with no racing access
//! at all). So only these steps run:
//!
//! 1. **inline**: all that a kernel calls is inlined into it, `noinline` or not. Recursive
//!    functions stay calls, and so do those that another module may replace (`weak`).
//! 2. **drop**: functions that are not kernels and that nothing calls any more go, and so do unused
//!    globals.
//! 3. **registers** (SROA, keeping the control flow): variables of the thread that live in
//!    `alloca`s become values. This removes accesses, but only to memory that no other thread can
//!    name. It runs before step 1 too: what a function keeps to itself is then worked out once and
//!    not at each call, which halves the cost of this file.
//! 4. **flow**: unreachable blocks go; cycles with two entrances get one ([`flow`]).
//!
//! Before all of it, conditions of contracts that change something are refused, and those that do
//! not lose their promises about overflow (`contracts`).
//!
//! Calls through pointers that are left then become calls of the functions that they may reach,
//! which are inlined in turn (`dispatch`); where a module is executed they stay.
//!
//! What is lifted and not executed loses the values that nobody asks about (`dead_code`), after
//! variables that nothing writes were marked `constant` (`unwritten`, before anything else but that
//! what assembly names counts as used). Lists
//! of events of OpenCL become arguments (`events`), so that step 3 makes values of them. At last,
//! copies of constants are read where the constants are.
//!
//! **Promises**: each load, store, atomic and call that a kernel can reach and that does not go to
//! a private `alloca` is in the kernel afterwards, once per place it is called from, with its
//! source position. `frontend/tests/prepare.rs` counts them.
//!
//! **Does not**: fold constants (`instsimplify` deletes loads nobody uses), infer address spaces
//! (the lifter follows pointers to their object, whatever the cast), lower `switch`, simplify
//! branches, or normalise loops. Modules that were optimised before they came here keep what is
//! left in them.

mod contracts;
mod dead_code;
pub(crate) mod dispatch;
pub(crate) mod events;
pub mod flow;
mod growth;
pub mod kernels;
mod unwritten;

use std::collections::HashSet;

pub use kernels::Kernel;

use crate::Target;
use crate::{InputError, InputErrorKind};
use heddle_llvm::Module;

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
    /// Kernels of the source that are not in the module: templates that nothing instantiates.
    pub missing: Vec<String>,
    /// What the compiler said although it succeeded; its own text.
    pub warnings: String,
    /// Whether the source has contracts (`heddle.h`), also where the module is without them.
    pub has_contracts: bool,
}

/// Which of the values that a program computes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// All: the module can be executed.
    All,
    /// Those that lifting asks about.
    Asked,
}

/// Step 3, function by function, before anything is inlined. What nothing calls goes first.
pub const LOCALS: &str = "globaldce,function(sroa<preserve-cfg>)";
/// Step 1 and 2.
pub const INLINE: &str = "always-inline,globaldce";
/// Step 3 and the first half of step 4.
pub const REGISTERS: &str = "function(sroa<preserve-cfg>,unreachableblockelim)";
/// The second half of step 4, for functions that need it.
pub const REDUCE: &str = "lower-switch,fix-irreducible";

/// How often calls that cleaning up made plain are inlined in turn.
const CALL_ROUNDS: usize = 3;

/// Inlines, cleans up, finds the kernels.
///
/// # Errors
/// [`InputErrorKind::NoKernels`].
pub fn prepare(
    name: &str,
    mut module: Module,
    target: Target,
    values: Values,
) -> Result<Prepared, InputError> {
    module.return_where_missing();
    if values == Values::All {
        module.forget_returns();
    }
    // Kernels are known by name from here on, and IR may have some without (`@0`).
    if module.functions().any(|f| f.name().is_empty()) {
        run(name, &mut module, "name-anon-globals")?;
    }
    let kernels = kernels::find(&module);
    if kernels.is_empty() {
        return Err(no_kernels(name, &module, target));
    }
    let has_contracts = crate::contract::are_in(&module);
    contracts::settle(name, &mut module)?;
    if values == Values::Asked {
        module.take_named_addresses();
        unwritten::make_constant(&mut module, target);
    }
    if values == Values::All && !growth::too_large(&module).is_empty() {
        return Err(grows(name));
    }
    mark(&mut module, &kernels, values);
    if values == Values::Asked {
        let is_kernel = |function: &str| kernels.iter().any(|it| it.name == function);
        dead_code::drop_dead_code(&mut module, target, &is_kernel);
    }
    run(name, &mut module, &[LOCALS, INLINE, REGISTERS].join(","))?;
    if values == Values::Asked && events::spread_lists(&mut module) {
        run(name, &mut module, REGISTERS)?;
    }
    // A function pointer in a local variable is a plain call once the variable is a value.
    for _ in 0..CALL_ROUNDS {
        let helpers = module.functions().filter(|f| !f.is_declaration()).count();
        if helpers <= kernels.len() {
            break;
        }
        run(name, &mut module, INLINE)?;
        run(name, &mut module, REGISTERS)?;
    }
    if values == Values::Asked {
        for round in 0..dispatch::ROUNDS {
            if !dispatch::resolve_calls(&mut module, &kernels, round) {
                break;
            }
            mark(&mut module, &kernels, values);
            run(name, &mut module, &[INLINE, REGISTERS].join(","))?;
        }
    }
    if values == Values::Asked {
        module.read_constants_in_place();
    }
    let irreducible: Vec<String> = module
        .functions()
        .filter(|f| !f.is_declaration() && !flow::is_reducible(*f))
        .map(heddle_llvm::Function::name)
        .collect();
    for function in irreducible {
        module.run_function_passes(&function, REDUCE).map_err(|why| refused(name, REDUCE, &why))?;
    }
    let missing = missing(&module);
    let name = name.to_owned();
    Ok(Prepared { name, module, target, kernels, missing, warnings: String::new(), has_contracts })
}

/// What our own compiler leaves in `!heddle.missing`.
fn missing(module: &Module) -> Vec<String> {
    let nodes = module.named_metadata("heddle.missing");
    nodes.into_iter().filter_map(|node| node.operand(0)?.string()).collect()
}

/// Steps 1 and 2 alone: the form against which step 3 and 4 are tested.
///
/// # Errors
/// LLVM is not the version it should be.
pub fn inline(name: &str, module: &mut Module, kernels: &[Kernel]) -> Result<(), InputError> {
    mark(module, kernels, Values::All);
    run(name, module, INLINE)
}

/// A function that another module may replace is not looked into, nor one that brings too much, but
/// where this module is executed.
fn mark(module: &mut Module, kernels: &[Kernel], values: Values) {
    let kept: HashSet<&str> = kernels.iter().map(|k| k.name.as_str()).collect();
    let too_large = growth::too_large(module);
    module.mark_for_inlining(&|function| kept.contains(function), &|function| {
        values == Values::All
            || !function.is_interposable() && !too_large.contains(&function.name())
    });
    module.mark_pure(&is_device_math);
}

/// CUDA's device mathematics, as clang declares it against a real toolkit: no attribute says that
/// it is pure.
fn is_device_math(function: &str) -> bool {
    function.starts_with("__nv_")
}

fn run(name: &str, module: &mut Module, pipeline: &str) -> Result<(), InputError> {
    module.run_passes(pipeline).map_err(|why| refused(name, pipeline, &why))
}

fn refused(name: &str, pipeline: &str, why: &str) -> InputError {
    InputError::new(
        InputErrorKind::BrokenModule,
        name,
        format!("LLVM refuses the pass pipeline `{pipeline}`: {why}"),
        "this is a fault of heddle or of an LLVM that is not version 22; please report it",
    )
}

fn grows(name: &str) -> InputError {
    InputError::new(
        InputErrorKind::BrokenModule,
        name,
        format!(
            "the calls of a function bring more than {} instructions when they are inlined",
            growth::MOST_INSTRUCTIONS
        ),
        "a function that calls others several times, and they in turn, grows with each; \
         leave out what this run does not need",
    )
}

fn no_kernels(name: &str, module: &Module, target: Target) -> InputError {
    let defined = module.functions().filter(|f| !f.is_declaration()).count();
    let message = match defined {
        0 => "there is no kernel in it, and no other function".to_owned(),
        1 => "there is no kernel in it, only one function that is not one".to_owned(),
        n => format!("there is no kernel in it, only {n} functions that are not kernels"),
    };
    let help = match target {
        Target::Nvptx => {
            "a kernel is marked `__global__` (CUDA), `ptx_kernel` (IR) or `!nvvm.annotations`; a kernel template must \
             be instantiated in the file"
        }
        Target::Spirv => "a kernel is marked `__kernel` (OpenCL) or `spir_kernel` (IR)",
    };
    InputError::new(InputErrorKind::NoKernels, name, message, help)
}
