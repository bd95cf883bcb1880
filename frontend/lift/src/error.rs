//! What can be wrong with an input, said once and with a way out.

use std::ffi::OsString;
use std::fmt;

/// An input that cannot be checked.
///
/// `Display` gives one line, `path: message`; the help and clang's own text are separate, so that a
/// renderer can set them apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// What kind of trouble it is.
    pub kind: InputErrorKind,
    /// The input as the user named it, `-` for standard input.
    pub path: String,
    /// One line: lower case, no full stop.
    pub message: String,
    /// The way out, one line.
    pub help: String,
    /// What clang printed, as it printed it; empty where clang had no part in it.
    pub output: String,
    /// Arguments for clang that no option said and that the last attempt had.
    pub supplied: Box<[OsString]>,
}

/// The kinds of [`InputError`]. The names are stable: JSON output shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputErrorKind {
    /// The file is not there.
    Missing,
    /// The file is there and cannot be read (permissions, a folder).
    Unreadable,
    /// The file has nothing in it.
    Empty,
    /// Neither the name nor the bytes say what it is.
    UnknownLanguage,
    /// Text that LLVM does not read as IR.
    NotIr,
    /// Text that is not PTX, or of a version that is not known.
    BadPtx,
    /// Text that is not MLIR, or that its own passes cannot lower.
    BadMlir,
    /// Bitcode that ends early or is damaged.
    BadBitcode,
    /// A module that LLVM's verifier rejects.
    BrokenModule,
    /// A module for the CPU.
    HostModule,
    /// A module for a target that is not read.
    OtherTarget,
    /// A module without a kernel.
    NoKernels,
    /// The condition of a contract (`heddle.h`) changes something.
    Contract,
    /// clang is not installed, or is too old.
    NoClang,
    /// The program that reads MLIR is not installed.
    NoMlir,
    /// clang found an error in the source.
    Compile,
    /// An option that makes no sense, such as an architecture that does not exist.
    Option,
}

impl InputErrorKind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            InputErrorKind::Missing => "missing",
            InputErrorKind::Unreadable => "unreadable",
            InputErrorKind::Empty => "empty",
            InputErrorKind::UnknownLanguage => "unknown-language",
            InputErrorKind::NotIr => "not-ir",
            InputErrorKind::BadPtx => "bad-ptx",
            InputErrorKind::BadMlir => "bad-mlir",
            InputErrorKind::BadBitcode => "bad-bitcode",
            InputErrorKind::BrokenModule => "broken-module",
            InputErrorKind::HostModule => "host-module",
            InputErrorKind::OtherTarget => "other-target",
            InputErrorKind::NoKernels => "no-kernels",
            InputErrorKind::Contract => "contract",
            InputErrorKind::NoClang => "no-clang",
            InputErrorKind::NoMlir => "no-mlir",
            InputErrorKind::Compile => "compile",
            InputErrorKind::Option => "option",
        }
    }
}

impl InputError {
    /// What is wrong with an input: the kind, its name, what is said, and the way out.
    pub fn new(
        kind: InputErrorKind,
        path: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        InputError {
            kind,
            path: path.to_owned(),
            message: message.into(),
            help: help.into(),
            output: String::new(),
            supplied: Box::default(),
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for InputError {}
