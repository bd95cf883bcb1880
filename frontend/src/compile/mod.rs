//! From source to IR bytes, by running clang.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::{Input, InputError, InputErrorKind, Language};

/// How sources are compiled. The defaults fit a kernel file without a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// The NVIDIA architecture, `sm_80`.
    pub arch: String,
    /// A CUDA toolkit to compile against, instead of the built-in headers.
    pub cuda_path: Option<PathBuf>,
    /// More arguments for clang, after ours.
    pub clang_args: Vec<OsString>,
    /// What OpenCL is compiled for.
    pub opencl_target: OpenClTarget,
    /// OpenCL's language version, as `-cl-std=` takes it.
    pub opencl_std: String,
}

/// What OpenCL is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpenClTarget {
    /// SPIR-V, 64 bit.
    Spirv64,
    /// NVIDIA.
    Nvptx64,
}

impl Default for CompileOptions {
    fn default() -> Self {
        CompileOptions {
            arch: "sm_80".to_owned(),
            cuda_path: None,
            clang_args: Vec::new(),
            opencl_target: OpenClTarget::Spirv64,
            opencl_std: "CL2.0".to_owned(),
        }
    }
}

/// IR of one input.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// IR text or bitcode.
    pub bytes: Vec<u8>,
    /// What clang warned about.
    pub warnings: String,
}

/// Gives the IR of an input, compiling it if it is source.
///
/// # Errors
/// The input cannot be read, or clang refuses it.
pub fn to_ir(input: &Input, options: &CompileOptions) -> Result<Compiled, InputError> {
    input.check_readable()?;
    let bytes = input.bytes()?;
    let language =
        input.declared_language().or_else(|| Language::of_bytes(&bytes)).ok_or_else(|| {
            InputError::new(
                InputErrorKind::UnknownLanguage,
                &input.name(),
                "neither the name nor the text says which language this is",
                "name it `.cu`, `.cl`, `.ll` or `.bc`, or say `--language`",
            )
        })?;
    let mut command = Command::new("clang-22");
    match language {
        Language::Ir => return Ok(Compiled { bytes, warnings: String::new() }),
        Language::Cuda => {
            command.args([
                "-x",
                "cuda",
                "--cuda-device-only",
                "-nocudainc",
                "-nocudalib",
                "--cuda-feature=+ptx87",
            ]);
            command.arg(format!("--cuda-gpu-arch={}", options.arch));
            command.args([
                "-D__global__=__attribute__((global))",
                "-D__device__=__attribute__((device))",
                "-D__shared__=__attribute__((shared))",
            ]);
        }
        Language::OpenCl => {
            command.args(["-x", "cl", "-Xclang", "-finclude-default-header", "-target", "spirv64"]);
            command.arg(format!("-cl-std={}", options.opencl_std));
        }
    }
    command.args(["-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names"]);
    command.args(["-g", "-Xclang", "-debug-info-kind=limited", "-emit-llvm", "-c", "-o", "-"]);
    command.args(&options.clang_args);
    match input.path() {
        Some(path) => command.arg(path),
        None => command.arg("-"),
    };
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| {
            InputError::new(
                InputErrorKind::NoClang,
                &input.name(),
                format!("clang-22 does not start: {e}"),
                "install clang-22",
            )
        })?;
    if let (None, Some(mut stdin)) = (input.path(), child.stdin.take()) {
        let _closed_early = std::io::Write::write_all(&mut stdin, &bytes);
    }
    let output = child.wait_with_output().map_err(|e| {
        InputError::new(
            InputErrorKind::NoClang,
            &input.name(),
            format!("clang-22 failed: {e}"),
            "install clang-22",
        )
    })?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        let mut error = InputError::new(
            InputErrorKind::Compile,
            &input.name(),
            "clang does not compile this",
            "see clang's messages above",
        );
        error.output = text;
        return Err(error);
    }
    Ok(Compiled { bytes: output.stdout, warnings: text })
}
