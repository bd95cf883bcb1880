//! Race checks on a GPU: a source as PTX with the device library in it, and a run of it through the
//! CUDA driver.
//!
//! **Does not**: assemble the PTX; the CUDA driver does, when it loads it.

mod pack;
mod run;

use heddle_diagnostics::{Code, Finding, SourceMap};
use heddle_execute::gpu::{DeviceCode, GpuOptions, compile};
use heddle_frontend::compile::Compiler;
use heddle_frontend::{CompileOptions, Prepared};
use heddle_passes::instrument::Plan;

use super::plans::{Checks, only, skips, sound_plans};
use crate::load::prepared;
use crate::source::Source;

pub use pack::{Packed, pack};
pub(super) use run::Started;

/// A source's kernels as PTX with checks. The inner error says what is wrong with the input.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn ptx(
    source: &Source,
    compile: &CompileOptions,
    compiler: &dyn Compiler,
    checks: Checks,
) -> anyhow::Result<Result<DeviceCode, Finding>> {
    Ok(planned_ptx(source, compile, compiler, checks, &[], &SourceMap::default())?
        .map(|(code, _)| code))
}

/// The same, with the plans of the kernels, for those that these patterns mean, or all. The map is
/// told of the files that were read.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn planned_ptx(
    source: &Source,
    compile: &CompileOptions,
    compiler: &dyn Compiler,
    checks: Checks,
    kernels: &[String],
    sources: &SourceMap,
) -> anyhow::Result<Result<(DeviceCode, Vec<Plan>), Finding>> {
    let plans = match checks {
        Checks::Off | Checks::All => Vec::new(),
        Checks::Unproved => {
            match sound_plans(source, (compile, compiler), checks, kernels, sources)? {
                Ok(plans) => plans,
                Err(finding) => return Ok(Err(finding)),
            }
        }
    };
    let prepared = match prepared(source, compile, compiler, sources) {
        Ok(prepared) => prepared,
        Err(finding) => return Ok(Err(*finding)),
    };
    let prepared = match only(prepared, kernels) {
        Ok(prepared) => prepared,
        Err(finding) => return Ok(Err(finding)),
    };
    let skips = match checks {
        Checks::Off => None,
        Checks::All | Checks::Unproved => Some(skips(&plans, &prepared)),
    };
    Ok(device_code(&prepared, skips.as_ref(), compile, None).map(|code| (code, plans)))
}

/// The PTX of a module that was loaded, or of one kernel of it.
pub(super) fn device_code(
    prepared: &Prepared,
    skips: Option<&heddle_execute::instrument::Skips>,
    options: &CompileOptions,
    kernel: Option<&str>,
) -> Result<DeviceCode, Finding> {
    let options = GpuOptions {
        arch: options.arch.clone(),
        toolkit: options.cuda_path.clone(),
        kernel: kernel.map(str::to_owned),
    };
    compile(prepared, skips, &options).map_err(|error| {
        Finding::new(Code::BadInput, format!("no PTX can be made of `{}`: {error}", prepared.name))
    })
}
