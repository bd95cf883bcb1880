//! What a command of the database says about one compilation for a device: its language, its
//! architectures, the arguments for clang, and those that clang does not get.
//!
//! This is what the readers of commands ([`super::nvcc`], [`super::clang`]) answer in common.
//! **Does not**: read commands; [`super::command`] finds the reader.

use std::path::Path;

use heddle_frontend::compile::OpenClTarget;

use crate::source::Dropped;

/// What a command means for Heddle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It compiles device code.
    Device(Compilation),
    /// It compiles for the host alone.
    Host,
    /// It compiles a device language that Heddle does not read: its name.
    Foreign(&'static str),
}

/// A device compilation as clang's arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Compilation {
    /// Written in OpenCL C; else CUDA.
    pub(super) opencl: Option<OpenCl>,
    /// The architectures that the command names, each once, in its order: `sm_80`, `sm_90a`.
    pub(super) archs: Vec<String>,
    /// For clang's device compilation.
    pub(super) arguments: Vec<String>,
    /// What clang does not get.
    pub(super) dropped: Vec<Dropped>,
}

/// How OpenCL is compiled, where the command says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenCl {
    /// The value of `-cl-std=`.
    pub(super) std: Option<String>,
    /// The target.
    pub(super) target: Option<OpenClTarget>,
}

impl Compilation {
    pub(super) fn drop(&mut self, argument: impl Into<String>, reason: &'static str) {
        self.dropped.push(Dropped { argument: argument.into(), reason });
    }

    pub(super) fn add_arch(&mut self, arch: String) {
        if !self.archs.contains(&arch) {
            self.archs.push(arch);
        }
    }
}

/// The languages that a command can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spoken {
    Cuda,
    OpenCl,
    Hip,
    Host,
}

impl Spoken {
    /// By the value of `-x`, in clang's words and nvcc's.
    pub(super) fn of_option(value: &str) -> Option<Spoken> {
        match value {
            "cuda" | "cu" => Some(Spoken::Cuda),
            "cl" | "clcpp" => Some(Spoken::OpenCl),
            "hip" => Some(Spoken::Hip),
            "none" => None,
            _ => Some(Spoken::Host),
        }
    }

    /// By the file's extension.
    pub(super) fn of_file(path: &Path) -> Spoken {
        match path.extension().and_then(|it| it.to_str()) {
            Some("cu" | "cuh") => Spoken::Cuda,
            Some("cl" | "clcpp") => Spoken::OpenCl,
            Some("hip") => Spoken::Hip,
            Some(_) | None => Spoken::Host,
        }
    }
}

/// The architecture with the highest number; of equal numbers the one with the most features
/// (`sm_90a`).
pub(super) fn highest(archs: &[String]) -> Option<&String> {
    archs.iter().max_by_key(|arch| {
        let rest = arch.trim_start_matches("sm_");
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        (digits.parse::<u32>().unwrap_or(0), rest.len())
    })
}

/// Whether a folder of include files is that of a CUDA toolkit. Beside the built-in headers there
/// can be no second set of the same names.
pub(super) fn is_toolkit(folder: &Path) -> bool {
    folder.join("cuda_runtime.h").is_file() && folder.join("crt/host_config.h").is_file()
}

/// Why [`is_toolkit`] folders go.
pub(super) const TOOLKIT: &str =
    "headers of a CUDA toolkit; the built-in ones are used unless `--cuda-path` names a toolkit";
