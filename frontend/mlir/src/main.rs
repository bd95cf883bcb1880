//! `heddle-mlir NAME`: MLIR on standard input, LLVM IR of its GPU modules on standard output.
//!
//! ```text
//! text or bytecode ── parse ──► gpu.module ── lower (MLIR's own passes) ──► llvm + nvvm
//!                  ── places ──► LLVM IR text
//! ```
//!
//! A program of its own, since MLIR brings a copy of LLVM: the `heddle` binary and the plugin must
//! not have a second one. `frontend/src/from_mlir.rs` starts it and reads what it writes.
//!
//! **Output**: for each `gpu.module` the line `; gpu.module NAME` and its LLVM IR. **Errors**: one
//! line `LINE:COLUMN: message` (or `0:0: message` without a place) on standard error, and status 1.
//!
//! **Promises**: no memory access and no barrier of the input is dropped or merged ([`keep`]), and
//! no kernel of it is left out; nothing of the input is run, and no plugin or other file is loaded.
//! **Does not**: read the host's part of a module.

mod arguments;
mod keep;
mod kernels;
mod limits;
mod location;
mod lower;
mod parse;
mod places;
mod pure;

use std::io::{Read, Write};
use std::process::ExitCode;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::utility::{register_all_dialects, register_all_llvm_translations, register_all_passes};

/// What is wrong, and where: line and column from 1, zero where the place is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

impl Wrong {
    /// Without a place.
    pub(crate) fn nowhere(message: impl Into<String>) -> Wrong {
        Wrong { line: 0, column: 0, message: message.into() }
    }
}

fn main() -> ExitCode {
    limits::set();
    let mut words = std::env::args().skip(1);
    let answer = match (words.next(), words.next()) {
        (Some(name), None) if !name.starts_with("--") => on_large_stack(move || translated(&name)),
        _ => Err(Wrong::nowhere(
            "`heddle` starts this program: `heddle check kernel.mlir`; by hand: `heddle-mlir NAME < FILE`",
        )),
    };
    let written = match &answer {
        Ok(text) => std::io::stdout().lock().write_all(text.as_bytes()),
        Err(Wrong { line, column, message }) => {
            let message = message.replace('\n', " ");
            writeln!(std::io::stderr().lock(), "{line}:{column}: {message}")
        }
    };
    match (answer, written) {
        (Ok(_), Ok(())) => ExitCode::SUCCESS,
        (Err(_), _) | (_, Err(_)) => ExitCode::FAILURE,
    }
}

/// MLIR goes through nested regions by recursion.
fn on_large_stack(
    work: impl FnOnce() -> Result<String, Wrong> + Send + 'static,
) -> Result<String, Wrong> {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(work);
    let thread =
        thread.map_err(|error| Wrong::nowhere(format!("no thread to work in: {error}")))?;
    thread
        .join()
        .unwrap_or_else(|_| Err(Wrong::nowhere("a fault of heddle-mlir; please report it")))
}

/// The LLVM IR of what stands on standard input.
fn translated(name: &str) -> Result<String, Wrong> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| Wrong::nowhere(format!("standard input: {error}")))?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    register_all_passes();
    let context = Context::new_with_registry(&registry, false);
    register_all_llvm_translations(&context);
    let heard = parse::listen(&context);
    let mut module = parse::parse(&context, &bytes, &heard)?;
    let text = String::from_utf8_lossy(&bytes);
    lower::outline(&context, &mut module, &heard)?;
    kernels::check(&module)?;
    let arguments = arguments::of_kernels(&module, &text);
    let kept = keep::mark(&context, &module)?;
    lower::lower(&context, &mut module, &heard)?;
    let is_there = keep::unmark(&module, &kept);
    // What is not lowered says more than that something is not there.
    kernels::check_lowered(&module).and(is_there)?;
    arguments::apply(&context, &module, &arguments);
    places::give_scopes(&context, &mut module, name, &heard)?;
    kernels::translate(&module, &heard)
}
