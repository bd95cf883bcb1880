//! What a command of the database compiles for a device: which language, for which architectures,
//! with which arguments.
//!
//! A command is read by the rules of its compiler: [`super::nvcc`] or, for everything else,
//! [`super::clang`]. Both leave arguments that mean to clang's device compilation what they meant
//! to the command, and a list of those that were left out, each with the reason.
//!
//! **Promises**: an option that could change the device code is passed on, is an error, or is one
//! that a project may not give ([`super::allowed`]) and is named; none is dropped in silence.
//! **Does not**: run a compiler, or look into the source.

use std::path::PathBuf;

use heddle_frontend::compile::OpenClTarget;

use super::database::Entry;
use super::{clang, nvcc, words};

/// An argument of a command that the device compilation does not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// As the command has it, with its value.
    pub argument: String,
    /// Why it goes.
    pub reason: &'static str,
}

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
    pub(super) fn of_file(path: &std::path::Path) -> Spoken {
        match path.extension().and_then(|it| it.to_str()) {
            Some("cu" | "cuh") => Spoken::Cuda,
            Some("cl" | "clcpp") => Spoken::OpenCl,
            Some("hip") => Spoken::Hip,
            Some(_) | None => Spoken::Host,
        }
    }
}

/// Reads the command of an entry. `folders` are those in which response files may be.
///
/// # Errors
/// Why it cannot be read, in words.
pub(super) fn read(entry: &Entry, folders: &[PathBuf]) -> Result<Meaning, String> {
    let Entry { directory, file, words } = entry;
    let words = words::without_launchers(words);
    let Some((program, arguments)) = words.split_first() else { return Ok(Meaning::Host) };
    let arguments = words::with_response_files(arguments, directory, folders)?;
    match words::program_name(program) {
        // Kokkos's script takes the options of both compilers, and all files for CUDA.
        "nvcc_wrapper" => {
            let more = ["-forward-unknown-to-host-compiler", "-x", "cu"].map(str::to_owned);
            nvcc::read(&[&more[..], &arguments].concat(), (directory, folders), file)
        }
        name if name.starts_with("nvcc") => nvcc::read(&arguments, (directory, folders), file),
        "hipcc" => Ok(Meaning::Foreign("HIP")),
        "nvc++" | "nvc" if Spoken::of_file(file) == Spoken::Cuda => Err(
            "the options of the NVIDIA HPC compilers are not known here; give those of nvcc or clang"
                .to_owned(),
        ),
        _ => clang::read(&arguments, directory, file),
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
pub(super) fn is_toolkit(folder: &std::path::Path) -> bool {
    folder.join("cuda_runtime.h").is_file() && folder.join("crt/host_config.h").is_file()
}

/// Why [`is_toolkit`] folders go.
pub(super) const TOOLKIT: &str =
    "headers of a CUDA toolkit; the built-in ones are used unless `--cuda-path` names a toolkit";

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(command: &str, file: &str) -> Result<Meaning, String> {
        let words = words::split(command).expect("words");
        read(&Entry { directory: "/p".into(), file: file.into(), words }, &[])
    }

    #[test]
    fn the_program_says_whose_options_they_are() {
        let Ok(Meaning::Device(it)) =
            meaning("nvcc_wrapper -Wall -arch=sm_80 -fPIC -DA k.cpp", "/p/k.cpp")
        else {
            panic!("a file of Kokkos is CUDA")
        };
        assert_eq!(
            (it.archs, it.arguments),
            (vec!["sm_80".to_owned()], vec!["-D".to_owned(), "A".to_owned()])
        );
        assert_eq!(meaning("hipcc -c k.cu", "/p/k.cu"), Ok(Meaning::Foreign("HIP")));
        assert_eq!(meaning("nvc++ -c k.cpp", "/p/k.cpp"), Ok(Meaning::Host));
        assert!(meaning("nvc++ -cuda -gpu=cc80 k.cu", "/p/k.cu").unwrap_err().contains("HPC"));
        assert_eq!(meaning("ccache", "/p/k.cpp"), Ok(Meaning::Host));
    }
}
