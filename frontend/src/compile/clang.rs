//! Compiling by running `clang-22`, whose driver finds the standard library and understands all its
//! options.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::errors::compile_error;
use super::headers::{OnDisk, PRELUDE, SHOWN_AT, SUPPLEMENT};
use super::toolkit::{self, Version};
use super::{CompileOptions, Compiled, Compiler, Request, Side, Source, dependencies};
use crate::{InputError, InputErrorKind};

/// Runs the clang that `HEDDLE_CLANG` names, else `clang-22` from the path. It lists the files that
/// it read, and not those that it looked for in vain, so what it gives has no [`super::Reads`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ClangProcess;

/// The newest PTX that LLVM 22 knows. clang's driver without a toolkit assumes PTX 4.2, which has
/// no warp operations.
const PTX: &str = "+ptx88";

/// The macro that each OpenCL compiler has beside clang's own: the version of the device, which is
/// that of the language here, whichever the options ask for.
pub const OPENCL_VERSION: &str = "-D__OPENCL_VERSION__=__OPENCL_C_VERSION__";

impl Compiler for ClangProcess {
    fn compile(&self, request: &Request<'_>) -> Result<Compiled, InputError> {
        let on_disk = || OnDisk::write().map_err(|e| no_temporary(request.name, &e));
        let headers = match (request.language, &request.options.cuda_path) {
            (Source::Cuda, None) => on_disk()?,
            (Source::Cuda, Some(_)) | (Source::OpenCl, _) => {
                OnDisk::write_beside_others().map_err(|e| no_temporary(request.name, &e))?
            }
        };
        // The list of files goes into a folder that is ours.
        let list = headers.root().join("files.d");
        let (clang, named) = match std::env::var_os("HEDDLE_CLANG") {
            Some(path) if !path.is_empty() => (PathBuf::from(path), true),
            _ => (PathBuf::from("clang-22"), false),
        };
        let mut command = Command::new(&clang);
        command.args(command_line(request, headers.root()));
        if let Some(directory) = &request.options.directory {
            command.current_dir(directory);
        }
        command.args(["-MD", "-MT", "files", "-MF"]).arg(&list);
        command.args(source_arguments(request));
        let output =
            run(&mut command, request).map_err(|e| no_clang(request.name, &clang, named, &e))?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() && !output.stdout.is_empty() {
            let folder = match &request.options.directory {
                Some(directory) => Some(directory.clone()),
                None => std::env::current_dir().ok(),
            };
            let rules = std::fs::read_to_string(list).ok();
            let read = |(text, folder): (String, PathBuf)| {
                dependencies::read(&text, &folder, headers.root())
            };
            let files = rules.zip(folder).map(read).unwrap_or_default();
            return Ok(Compiled {
                bytes: output.stdout,
                warnings: text,
                files,
                reads: None,
                supplied: Vec::new(),
                left_out: Vec::new(),
                is_own: false,
            });
        }
        Err(compile_error(request, text, output.status.code()))
    }
}

/// The arguments of clang's driver for a source, but for the source itself. `headers` is the folder
/// of the built-in headers.
pub fn command_line(request: &Request<'_>, headers: &Path) -> Vec<OsString> {
    let mut arguments = match request.language {
        Source::Cuda => cuda_arguments(request.options, headers, request.side),
        Source::OpenCl => opencl_arguments(request.options),
    };
    arguments.extend(["-idirafter".into(), headers.into()]);
    let mut shown = OsString::from("-ffile-prefix-map=");
    shown.push(headers);
    shown.push(format!("={SHOWN_AT}"));
    arguments.push(shown);
    arguments.extend(common_arguments(request));
    arguments
}

fn words<const N: usize>(words: [&str; N]) -> impl Iterator<Item = OsString> {
    words.into_iter().map(OsString::from)
}

fn cuda_arguments(options: &CompileOptions, headers: &Path, side: Side) -> Vec<OsString> {
    let only = match side {
        Side::Device => "--cuda-device-only",
        Side::Host => "--cuda-host-only",
    };
    // Functions of libdevice are known by their names. What PTX there is does not depend on a
    // toolkit.
    let mut arguments: Vec<OsString> = words([
        "-x",
        "cuda",
        only,
        "-nocudalib",
        "-Wno-unknown-cuda-version",
        // An error in C++17 for clang, a word without meaning for nvcc.
        "-Wno-register",
        // `double a[] = {n};` where `n` is an integer: a warning for nvcc.
        "-Wno-c++11-narrowing",
        // `"a"NAME`: text and a macro beside it.
        "-Wno-reserved-user-defined-literal",
        // `S::template f(x)`: the list of arguments is left out.
        "-Wno-missing-template-arg-list-after-template-kw",
        &format!("--cuda-feature={PTX}"),
        &format!("--cuda-gpu-arch={}", options.arch),
    ])
    .collect();
    if side == Side::Host {
        // Else clang marks each loop as one that is not to be unrolled.
        arguments.push("-funroll-loops".into());
    }
    match &options.cuda_path {
        None => {
            arguments.extend(words(["-nocudainc", "-include"]));
            arguments.push(headers.join(PRELUDE).into());
        }
        Some(toolkit) => {
            let mut path = OsString::from("--cuda-path=");
            path.push(toolkit);
            arguments.push(path);
            // With `-nocudalib` the driver does not say which version it found, and a launch is
            // taken for one of CUDA 9.
            let known = toolkit::version(toolkit);
            let Version { major, minor } = known.min(toolkit::NEWEST_LAUNCH);
            let version = format!("-target-sdk-version={major}.{minor}");
            arguments.extend(words(["-Xclang", &version]));
            let Version { major, minor } = known;
            arguments.push(format!("-D__CUDACC_VER_MAJOR__={major}").into());
            arguments.push(format!("-D__CUDACC_VER_MINOR__={minor}").into());
            arguments.extend(["-isystem".into(), toolkit.join(toolkit::CCCL).into()]);
            arguments.extend(["-include".into(), headers.join(SUPPLEMENT).into()]);
        }
    }
    arguments
}

fn opencl_arguments(options: &CompileOptions) -> Vec<OsString> {
    // The driver adds `-fdeclare-opencl-builtins`, which costs nothing; the full header costs half
    // a second.
    let mut arguments: Vec<OsString> =
        words(["-x", "cl", "-target", options.opencl_target.triple()]).collect();
    arguments.push(format!("-cl-std={}", options.opencl_std).into());
    arguments.push(OPENCL_VERSION.into());
    if options.opencl_target == super::OpenClTarget::Nvptx64 {
        arguments.push(format!("-march={}", options.arch).into());
        arguments.extend(words(["-Xclang", "-target-feature", "-Xclang", PTX]));
    }
    arguments
}

fn common_arguments(request: &Request<'_>) -> Vec<OsString> {
    let color = request.options.color;
    let mut arguments: Vec<OsString> = words([
        "-O1",
        "-Xclang",
        "-disable-llvm-passes",
        "-fno-math-errno",
        // The end of a function that lacks its `return` is reached: `nvcc` goes on with any value.
        "-fno-strict-return",
        "-fno-discard-value-names",
        "-g",
        "-Xclang",
        "-debug-info-kind=limited",
        if color { "-fcolor-diagnostics" } else { "-fno-color-diagnostics" },
        // Else a crash of clang leaves its files in the temporary directory.
        "-fno-crash-diagnostics",
        "-emit-llvm",
        "-c",
        "-o",
        "-",
    ])
    .collect();
    arguments.push(format!("-D{}", super::CONTRACTS).into());
    arguments.extend(request.options.clang_args.iter().cloned());
    arguments
}

fn source_arguments(request: &Request<'_>) -> Vec<OsString> {
    match request.path {
        Some(path) => vec!["--".into(), path.into()],
        None => vec!["-".into()],
    }
}

fn run(command: &mut Command, request: &Request<'_>) -> std::io::Result<Output> {
    let source_at_stdin = request.path.is_none();
    let mut child = command
        .stdin(if source_at_stdin { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    std::thread::scope(|scope| {
        if let Some(mut stdin) = stdin {
            // clang may stop reading at an error; its message says more than a broken pipe.
            scope.spawn(move || stdin.write_all(request.text));
        }
        child.wait_with_output()
    })
}

fn no_clang(
    name: &str,
    clang: &std::path::Path,
    named: bool,
    error: &std::io::Error,
) -> InputError {
    let shown = clang.display();
    let message = match (error.kind(), named) {
        (ErrorKind::NotFound, true) => {
            format!("`HEDDLE_CLANG` names `{shown}`, which is not there")
        }
        (ErrorKind::NotFound, false) => {
            format!("`{shown}` is needed to compile this and is not installed")
        }
        _ => format!("`{shown}` does not start: {error}"),
    };
    InputError::new(
        InputErrorKind::NoClang,
        name,
        message,
        "install clang 22 (`make install-deps`, or `apt-get install clang-22`), or set `HEDDLE_CLANG` to one",
    )
}

fn no_temporary(name: &str, error: &std::io::Error) -> InputError {
    InputError::new(
        InputErrorKind::Unreadable,
        name,
        format!("the temporary directory cannot be written: {error}"),
        "set `TMPDIR` to a folder that can",
    )
}

/// Options by which the host's part is read as for a processor that has nearly all instructions.
pub(super) const ALL_INSTRUCTIONS: [&str; 8] = [
    "-Xarch_host",
    "-march=x86-64-v4",
    "-Xarch_host",
    "-maes",
    "-Xarch_host",
    "-mpclmul",
    "-Xarch_host",
    "-msha",
];
