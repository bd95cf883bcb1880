//! From an input of any kind to a prepared module of LLVM IR, and the launches of the host's code.
//!
//! ```text
//! Input ── compile (clang) ──► bitcode ── read ──► heddle_llvm::Module ── prepare ──► Prepared ── lift ──► heddle_ir
//! ```
//!
//! [`load`] goes from an input to a [`Prepared`] module: its kernels are found, everything they
//! call is inlined, and no memory access of the source is lost on the way. `lift` takes it from
//! there.
//!
//! **Promises**: bad input is an [`InputError`] with a way out, never a panic or an abort; nothing
//! is printed; no file is written outside the temporary directory, and none is left there.
//!
//! **Does not**: judge a kernel, render a message, keep anything between two calls.

#![forbid(unsafe_code)]

pub mod compile;
pub mod from_mlir;
mod from_ptx;
pub mod host;
mod input;
pub mod read;

pub use compile::CompileOptions;
pub use heddle_lift::{InputError, InputErrorKind, Prepared, Target, Values};
pub use input::{Input, Language};

use std::ffi::OsString;
use std::path::PathBuf;

use heddle_lift::{contract, prepare};

/// Compiles an input if it is source, reads it, and prepares it for lifting. clang runs as a
/// process of its own.
///
/// # Errors
/// The input is at fault, or clang is missing: see [`InputErrorKind`].
pub fn load(input: &Input, options: &CompileOptions) -> Result<Prepared, InputError> {
    load_with(input, options, &compile::ClangProcess)
}

/// [`load`], with another compiler.
///
/// # Errors
/// As [`load`].
pub fn load_with(
    input: &Input,
    options: &CompileOptions,
    compiler: &dyn compile::Compiler,
) -> Result<Prepared, InputError> {
    load_made(input, options, compiler).map(|(prepared, _)| prepared)
}

/// What a module was made of.
#[derive(Clone, Debug)]
pub struct Made {
    /// The files that were read as source.
    pub files: Vec<PathBuf>,
    /// Arguments for clang that were found in the source's project.
    pub supplied: Vec<OsString>,
}

/// [`load_with`], and what the module was made of.
///
/// # Errors
/// As [`load`].
pub fn load_made(
    input: &Input,
    options: &CompileOptions,
    compiler: &dyn compile::Compiler,
) -> Result<(Prepared, Made), InputError> {
    let name = input.name();
    let mut compiled = compile::to_ir(input, options, compiler)?;
    let (mut module, mut target) = read::read(&name, &compiled.bytes)?;
    // No program evaluates the conditions of contracts.
    let has_contracts = contract::are_in(&module);
    if has_contracts {
        compiled = compile::to_ir(input, &compile::without_contracts(options), compiler)?;
        (module, target) = read::read(&name, &compiled.bytes)?;
    }
    let prepared = prepare::prepare(&name, module, target, Values::All)?;
    let made = Made { files: compiled.files, supplied: compiled.supplied };
    Ok((Prepared { warnings: compiled.warnings, has_contracts, ..prepared }, made))
}

/// From what the compiler gave to a module that is lifted, and not executed. `name` is the input's
/// in messages.
///
/// # Errors
/// As [`load`].
pub fn for_lifting(name: &str, compiled: compile::Compiled) -> Result<Prepared, InputError> {
    let compile::Compiled { bytes, warnings, is_own, files: _, reads: _, supplied: _, left_out: _ } =
        compiled;
    let (module, target) =
        if is_own { read::read_own(name, &bytes)? } else { read::read(name, &bytes)? };
    let prepared = prepare::prepare(name, module, target, Values::Asked)?;
    Ok(Prepared { warnings, ..prepared })
}
