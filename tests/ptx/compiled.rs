//! PTX that LLVM makes of kernel files.

use std::path::Path;

use heddle_frontend::compile::{to_ir, without_contracts};
use heddle_frontend::{CompileOptions, Input, read};
use heddle_llvm::{Machine, Module};

/// PTX of a kernel file. Parameters have the names of the source, which a launch names.
pub(crate) fn ptx_of(
    path: &Path,
    options: &CompileOptions,
    pipeline: &str,
) -> Result<String, String> {
    let name = path.display().to_string();
    // PTX is what other builds make of it.
    let options = &without_contracts(options);
    let compiled = to_ir(&Input::file(path), options, &heddle_clang::Embedded)
        .map_err(|error| error.output)?;
    let (mut module, _) = read::read(&name, &compiled.bytes).map_err(|error| error.to_string())?;
    let machine = Machine::nvptx("sm_100a", "+ptx88")?;
    // Marks are for the lift alone.
    module.forget_returns();
    module.run_passes_for(&machine, pipeline)?;
    let names = names(&module);
    let mut text = module.assembly(&machine)?;
    for (parameter, argument) in names {
        text = text.replace(&parameter, &argument);
    }
    Ok(text)
}

/// `k_param_0` and `k_out`, the later ones first.
fn names(module: &Module) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for function in module.functions().filter(|it| !it.is_declaration()) {
        for (n, argument) in function.arguments().iter().enumerate() {
            let own = argument.name();
            let own = own.strip_suffix(".coerce").unwrap_or(&own);
            if own.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') && !own.is_empty() {
                let of = function.name();
                names.push((format!("{of}_param_{n}"), format!("{of}_{own}")));
            }
        }
    }
    names.reverse();
    names
}
