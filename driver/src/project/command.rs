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

use super::compilation::{Meaning, Spoken};
use super::database::Entry;
use super::{clang, nvcc, words};

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
