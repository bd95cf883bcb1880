//! An input: where its bytes are, and which language they are in.

use std::io::Read;
use std::path::{Path, PathBuf};

use heddle_diagnostics::source::{NO_FILE, SOURCE_BYTES, check_size, read_source};

use crate::{InputError, InputErrorKind};

/// One thing to check.
#[derive(Clone, Debug)]
pub struct Input {
    origin: Origin,
    language: Option<Language>,
    /// What messages call it, where that is not its path.
    shown: Option<String>,
    is_of_host: bool,
}

#[derive(Clone, Debug)]
enum Origin {
    File(PathBuf),
    Stdin,
    Memory { name: String, bytes: Vec<u8> },
}

/// What an input is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// CUDA C++, compiled by clang for the device only.
    Cuda,
    /// OpenCL C, compiled by clang.
    OpenCl,
    /// LLVM IR, as text or as bitcode.
    Ir,
    /// PTX, as text.
    Ptx,
    /// MLIR, as text or as bytecode.
    Mlir,
}

impl Input {
    /// A file; `-` is standard input.
    pub fn file(path: impl AsRef<Path>) -> Input {
        let path = path.as_ref();
        let origin =
            if path == Path::new("-") { Origin::Stdin } else { Origin::File(path.to_owned()) };
        Input { origin, language: None, shown: None, is_of_host: false }
    }

    /// Bytes at hand, with the name that messages show. Without a language they are sniffed like
    /// standard input.
    pub fn memory(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Input {
        let origin = Origin::Memory { name: name.into(), bytes: bytes.into() };
        Input { origin, language: None, shown: None, is_of_host: false }
    }

    /// The module of a compiler at work, as bitcode that was written of it just now.
    pub fn of_host(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Input {
        Input { is_of_host: true, ..Input::memory(name, bytes) }.with_language(Language::Ir)
    }

    /// Whether it is IR, PTX or MLIR, made elsewhere of sources that it may name: by what is said
    /// of it, by its name or by its first bytes.
    pub fn is_ir(&self) -> bool {
        let by_bytes = || match &self.origin {
            Origin::Memory { bytes, .. } => Language::of_bytes(bytes),
            Origin::File(path) => Language::of_bytes(&read_source(path).ok()?),
            Origin::Stdin => None,
        };
        let language = self.declared_language().or_else(by_bytes);
        matches!(language, Some(Language::Ir | Language::Ptx | Language::Mlir))
    }

    pub(crate) fn is_of_host(&self) -> bool {
        self.is_of_host
    }

    /// Says what it is written in, whatever its name says.
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Input {
        self.language = Some(language);
        self
    }

    /// Says what messages call it.
    #[must_use]
    pub fn shown_as(mut self, name: impl Into<String>) -> Input {
        self.shown = Some(name.into());
        self
    }

    /// The name that messages show.
    pub fn name(&self) -> String {
        if let Some(name) = &self.shown {
            return name.clone();
        }
        match &self.origin {
            Origin::File(path) => path.display().to_string(),
            Origin::Stdin => "-".to_owned(),
            Origin::Memory { name, .. } => name.clone(),
        }
    }

    /// The file, when it is one: clang reads it itself, so that `#include "x.h"` finds its
    /// neighbours.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Stdin | Origin::Memory { .. } => None,
        }
    }

    /// The language given, or the one that the file's name says.
    pub(crate) fn declared_language(&self) -> Option<Language> {
        let by_name = || match &self.origin {
            Origin::File(path) => Language::of_name(path),
            Origin::Memory { name, .. } => Language::of_name(Path::new(name)),
            Origin::Stdin => None,
        };
        self.language.or_else(by_name)
    }

    /// All its bytes.
    ///
    /// # Errors
    /// It is missing, unreadable, too large or empty.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, InputError> {
        let bytes = match &self.origin {
            Origin::File(path) => read_source(path).map_err(|e| self.unreadable(&e))?,
            Origin::Stdin => {
                let mut bytes = Vec::new();
                let mut given = std::io::stdin().lock().take(SOURCE_BYTES + 1);
                let read = given.read_to_end(&mut bytes);
                let sized = read.and_then(|size| check_size(size as u64));
                sized.map_err(|e| self.unreadable(&e))?;
                bytes
            }
            Origin::Memory { bytes, .. } => bytes.clone(),
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(InputError::new(
                InputErrorKind::Empty,
                &self.name(),
                "the input is empty",
                "give CUDA (`.cu`), OpenCL (`.cl`), LLVM IR (`.ll`), bitcode (`.bc`), PTX (`.ptx`) or MLIR (`.mlir`)",
            ));
        }
        Ok(bytes)
    }

    /// Finds out early that a file is not there, which clang would report in its own words.
    pub(crate) fn check_readable(&self) -> Result<(), InputError> {
        let Origin::File(path) = &self.origin else { return Ok(()) };
        // Opening a pipe waits for its other end.
        let found = std::fs::metadata(path).map_err(|e| self.unreadable(&e))?;
        if found.is_dir() {
            return Err(self.unreadable(&std::io::Error::from(std::io::ErrorKind::IsADirectory)));
        }
        if !found.is_file() {
            return Err(self.no_file());
        }
        let opened = match found.len() {
            // Nothing is in it, or it is one of the system's that say so.
            0 => read_source(path).map(|_| ()),
            size => std::fs::File::open(path).and_then(|_| check_size(size)),
        };
        opened.map_err(|e| self.unreadable(&e))
    }

    fn no_file(&self) -> InputError {
        InputError::new(
            InputErrorKind::Unreadable,
            &self.name(),
            NO_FILE,
            "give a file, or `-` for standard input",
        )
    }

    fn unreadable(&self, error: &std::io::Error) -> InputError {
        let name = self.name();
        match error.kind() {
            std::io::ErrorKind::Unsupported => self.no_file(),
            std::io::ErrorKind::NotFound => InputError::new(
                InputErrorKind::Missing,
                &name,
                "there is no such file",
                "check the path",
            ),
            std::io::ErrorKind::IsADirectory => InputError::new(
                InputErrorKind::Unreadable,
                &name,
                "this is a folder, not a file",
                "name the kernel files in it",
            ),
            std::io::ErrorKind::FileTooLarge => InputError::new(
                InputErrorKind::Unreadable,
                &name,
                format!("the file is not read: {error}"),
                "give the files that it was made of, or a module of fewer kernels",
            ),
            _ => InputError::new(
                InputErrorKind::Unreadable,
                &name,
                format!("the file cannot be read: {error}"),
                "check its permissions",
            ),
        }
    }
}

impl Language {
    /// By a file's extension.
    pub fn of_name(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "cu" | "cuh" => Some(Language::Cuda),
            "cl" | "clcpp" => Some(Language::OpenCl),
            "ll" | "bc" => Some(Language::Ir),
            "ptx" => Some(Language::Ptx),
            "mlir" | "mlirbc" => Some(Language::Mlir),
            _ => None,
        }
    }

    /// By the first bytes: bitcode's magic, or words that only one of the languages has.
    pub fn of_bytes(bytes: &[u8]) -> Option<Language> {
        if is_bitcode(bytes) {
            return Some(Language::Ir);
        }
        if bytes.starts_with(MLIR_BYTECODE) {
            return Some(Language::Mlir);
        }
        let text = String::from_utf8_lossy(bytes);
        let first = text.lines().map(str::trim_start);
        let mut first = first.filter(|it| !it.is_empty() && !it.starts_with("//"));
        if first.next().is_some_and(|it| it.starts_with(".version ")) {
            return Some(Language::Ptx);
        }
        let words = ["gpu.module @", "gpu.launch blocks", "llvm.func @"];
        let starts = |line: &str| words.iter().any(|word| line.trim_start().starts_with(word));
        if text.lines().any(starts) {
            return Some(Language::Mlir);
        }
        let starts_like_ir = text
            .lines()
            .map(str::trim_start)
            .find(|l| !l.is_empty() && !l.starts_with(';'))
            .is_some_and(|l| {
                [
                    "source_filename",
                    "target ",
                    "define ",
                    "declare ",
                    "module asm",
                    "@",
                    "%",
                    "!",
                    "attributes #",
                    "$",
                ]
                .iter()
                .any(|word| l.starts_with(word))
            });
        if starts_like_ir || text.starts_with("; ModuleID") {
            Some(Language::Ir)
        } else if text.contains("__global__") || text.contains("__device__") {
            Some(Language::Cuda)
        } else if text.contains("__kernel") || text.contains("kernel void") {
            Some(Language::OpenCl)
        } else {
            None
        }
    }
}

/// How MLIR's bytecode starts.
const MLIR_BYTECODE: &[u8] = b"ML\xEFR";

/// Raw bitcode, or bitcode in its wrapper.
pub(crate) fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B])
}
