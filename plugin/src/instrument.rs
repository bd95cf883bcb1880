//! Puts race checks into the host's module, at the end of its pipeline, where that was asked for.
//!
//! Everything is inlined into the kernels first, since a check belongs to the kernel that runs it;
//! then all accesses are checked, also those of kernels that were proved: after the optimiser no
//! instruction is the one that a proof was about.
//!
//! **Promises**: the host's module is changed only after the same was done to a copy and LLVM's
//! verifier accepted that; a fault of ours leaves it as it was. **Does not**: bring the functions
//! that the checks call (`docs/dynamic.md`).

use heddle_execute::instrument::{Skips, instrument};
use heddle_frontend::Target;
use heddle_lift::prepare::{inline, kernels};
use heddle_llvm::{HostModuleMut, Module};

/// Instruments the module.
///
/// # Errors
/// What went wrong with the copy.
///
/// # Panics
/// By a fault of ours; who calls catches it.
pub(crate) fn instrument_module(host: &mut HostModuleMut) -> Result<(), String> {
    let mut copy = Module::parse(&host.to_bitcode(), "module")?;
    put_checks_into(&mut copy)?;
    copy.verify().map_err(|why| format!("the instrumented module is not valid: {why}"))?;
    put_checks_into(host.module())
}

fn put_checks_into(module: &mut Module) -> Result<(), String> {
    let target = Target::of_triple(&module.triple()).ok_or("this target is not instrumented")?;
    let kernels = kernels::find(module);
    inline("module", module, &kernels).map_err(|error| error.to_string())?;
    let _sites = instrument(module, target, &kernels, &Skips::new());
    Ok(())
}
