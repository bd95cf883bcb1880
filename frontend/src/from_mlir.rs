//! From MLIR to LLVM IR, by the program `heddle-mlir`.
//!
//! MLIR comes with a copy of LLVM of its own, and a process has room for one. So a program of its
//! own (`frontend/mlir`) lowers the `gpu.module`s and writes their LLVM IR; here it is started, and
//! what it wrote becomes one module: kernels get the names of their arguments back, and a function
//! that two `gpu.module`s have, and one of them defines, is told apart by the module's name.
//!
//! **Promises**: the program gets the input on its standard input, its name, and nothing else.
//! **Does not**: read MLIR; build or install the program.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::{InputError, InputErrorKind};
use heddle_llvm::Module;

/// What the program is called.
const PROGRAM: &str = "heddle-mlir";

/// The line before the LLVM IR of each module.
const MODULE: &str = "; gpu.module ";

/// The attribute of a kernel that has the names of its arguments.
const ARGUMENTS: &str = "heddle.arguments";

/// Vector transfers become accesses under masks, and those one access for each element, under a
/// branch: nothing but LLVM's own expansion for targets without masks.
const MASKED: &str = "function(scalarize-masked-mem-intrin)";

/// Bitcode of the kernels in a file of MLIR, as text or bytecode; `name` is the input's in messages
/// and in locations.
///
/// # Errors
/// [`InputErrorKind::NoMlir`], [`InputErrorKind::BadMlir`].
pub(crate) fn translate(name: &str, bytes: &[u8]) -> Result<Vec<u8>, InputError> {
    let (program, is_named) = program();
    let mut command = Command::new(&program);
    command.arg(name);
    let output =
        run(&mut command, bytes).map_err(|error| not_started(name, &program, is_named, &error))?;
    if !output.status.success() {
        return Err(refused(name, &output));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    joined(&text).map_err(|what| {
        let what = format!("what `{PROGRAM}` wrote is no valid LLVM IR: {what}");
        bad(name, &what, "report it; `make mlir` builds the program that fits this `heddle`")
    })
}

/// The program that `HEDDLE_MLIR` names; else the one beside this program, as `make mlir` puts it
/// there; else that of the path.
fn program() -> (PathBuf, bool) {
    match std::env::var_os("HEDDLE_MLIR") {
        Some(path) if !path.is_empty() => return (path.into(), true),
        _ => {}
    }
    let own = std::env::current_exe().ok();
    let folder = own.as_deref().and_then(Path::parent);
    // Cargo puts tests a folder below programs.
    let above = folder.filter(|it| it.ends_with("deps")).and_then(Path::parent);
    let beside = [folder, above].into_iter().flatten().map(|it| it.join(PROGRAM));
    (beside.into_iter().find(|it| it.is_file()).unwrap_or_else(|| PROGRAM.into()), false)
}

/// Whether there is a program to start.
pub fn is_installed() -> bool {
    let (program, _) = program();
    program.is_file()
        || std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|it| it.join(&program).is_file()))
}

fn run(command: &mut Command, input: &[u8]) -> std::io::Result<Output> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        if let Some(mut stdin) = stdin {
            // What ends early says why, which says more than a broken pipe.
            scope.spawn(move || stdin.write_all(input));
        }
        child.wait_with_output()
    })
}

fn not_started(name: &str, program: &Path, is_named: bool, error: &std::io::Error) -> InputError {
    let shown = program.display();
    let message = match (error.kind(), is_named) {
        (ErrorKind::NotFound, true) => {
            format!("`HEDDLE_MLIR` names `{shown}`, which is not there")
        }
        (ErrorKind::NotFound, false) => {
            format!("`{shown}` is needed to read MLIR and is not installed")
        }
        _ => format!("`{shown}` does not start: {error}"),
    };
    let help = "build it with `make mlir`, or set `HEDDLE_MLIR` to one";
    InputError::new(InputErrorKind::NoMlir, name, message, help)
}

/// The one line that the program wrote: `LINE:COLUMN: message`.
fn refused(name: &str, output: &Output) -> InputError {
    let text = String::from_utf8_lossy(&output.stderr);
    let help = "`mlir-opt-22` says more of MLIR that is not valid; docs/inputs.md has the dialects";
    let line = text.lines().find_map(|it| {
        let (line, rest) = it.split_once(':')?;
        let (column, message) = rest.split_once(": ")?;
        let column = column.parse::<u64>().ok()?;
        Some((line.parse::<u64>().ok()?, column, message))
    });
    match line {
        Some((0, _, message)) => bad(name, message, help),
        Some((line, column, message)) => {
            bad(name, &format!("line {line}, column {column}: {message}"), help)
        }
        None => {
            let how = match output.status.code() {
                Some(code) => format!("failed with exit status {code} and no message"),
                None => "was stopped by a signal".to_owned(),
            };
            let what = format!("`{PROGRAM}` {how}");
            bad(name, &what, "if `mlir-opt-22` takes the file, please report it")
        }
    }
}

fn bad(name: &str, message: &str, help: &str) -> InputError {
    InputError::new(InputErrorKind::BadMlir, name, message, help)
}

/// One module of all that the text has.
fn joined(text: &str) -> Result<Vec<u8>, String> {
    let mut whole: Option<Module> = None;
    for part in text.split(MODULE).skip(1) {
        let (name, ir) = part.split_once('\n').unwrap_or_default();
        let mut module = Module::parse(ir.as_bytes(), name)?;
        let functions: Vec<(String, bool, Option<String>)> = module
            .functions()
            .map(|it| {
                let arguments = it.attribute(ARGUMENTS).and_then(|it| it.string_value());
                (it.name(), it.is_declaration(), arguments)
            })
            .collect();
        for (function, is_declared, arguments) in functions {
            if let Some(arguments) = arguments.filter(|_| !is_declared) {
                let names: Vec<&str> = arguments.split(' ').collect();
                module.name_arguments(&function, &names);
            }
            // Modules become programs of their own: what one declares is not what another defines.
            let own = |whole: &Module| {
                whole.function(&function).is_some_and(|it| !(is_declared && it.is_declaration()))
            };
            if whole.as_ref().is_some_and(own) {
                module.name_function(&function, &format!("{name}_{function}"));
            }
        }
        match &mut whole {
            None => whole = Some(module),
            Some(whole) => whole.link_text(&module.text())?,
        }
    }
    let mut whole = whole.ok_or_else(|| "there is no module in it".to_owned())?;
    if text.contains("@llvm.masked.") {
        whole.verify()?;
        whole.run_passes(MASKED)?;
    }
    Ok(whole.to_bitcode())
}
