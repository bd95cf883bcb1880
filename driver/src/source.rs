//! The things to check: files, text at hand, or units of a build.

use std::path::PathBuf;

use heddle_diagnostics::{FileId, SourceMap};
use heddle_frontend::{CompileOptions, Input, Language};

/// One thing to check.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file; its name says its language.
    File(PathBuf),
    /// Text or bitcode at hand: standard input, an example in a page.
    Text {
        /// What messages call it, in angle brackets where it is no file: `<stdin>`.
        name: String,
        /// The bytes.
        bytes: Vec<u8>,
        /// Its language, where the bytes do not show it.
        language: Option<Language>,
    },
    /// The module of the compiler that this runs in.
    Host {
        /// What messages call it.
        name: String,
        /// Its bitcode.
        bitcode: Vec<u8>,
    },
    /// A file of a build, compiled as the build compiles it.
    Unit(Box<Unit>),
}

/// A file with a device compilation of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The file, absolute.
    pub path: PathBuf,
    /// The name that messages show.
    pub shown: String,
    /// Its language, whatever its name says.
    pub language: Language,
    /// How it is compiled.
    pub compile: CompileOptions,
    /// Arguments of the build's command that do not count here.
    pub dropped: Vec<Dropped>,
}

/// An argument of a command that the device compilation does not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// As the command has it, with its value.
    pub argument: String,
    /// Why it goes.
    pub reason: &'static str,
}

impl Unit {
    /// What a list of units is sorted by.
    pub(crate) fn order(&self) -> (&PathBuf, &String, &[std::ffi::OsString]) {
        (&self.path, &self.compile.arch, &self.compile.clang_args)
    }
}

impl Source {
    /// The name that messages show.
    pub fn name(&self) -> String {
        match self {
            Source::File(path) => path.display().to_string(),
            Source::Text { name, .. } | Source::Host { name, .. } => name.clone(),
            Source::Unit(unit) => unit.shown.clone(),
        }
    }

    /// How it is compiled: as the run's options say, or in its own way.
    pub(super) fn compile_options<'a>(&'a self, options: &'a CompileOptions) -> &'a CompileOptions {
        match self {
            Source::File(_) | Source::Text { .. } | Source::Host { .. } => options,
            Source::Unit(unit) => &unit.compile,
        }
    }

    /// For the front end.
    pub(super) fn input(&self) -> Input {
        match self {
            Source::File(path) => Input::file(path),
            Source::Text { name, bytes, language } => {
                let input = Input::memory(name.clone(), bytes.clone());
                match language {
                    Some(language) => input.with_language(*language),
                    None => input,
                }
            }
            Source::Host { name, bitcode } => Input::of_host(name.clone(), bitcode.clone()),
            Source::Unit(unit) => {
                Input::file(&unit.path).shown_as(&unit.shown).with_language(unit.language)
            }
        }
    }

    /// Whether it is IR, as text or bitcode, or PTX, and is not compiled here.
    pub(super) fn is_ir(&self) -> bool {
        let input = self.input();
        match self {
            Source::Host { .. } => true,
            Source::File(_) | Source::Text { .. } | Source::Unit(_) => input.is_ir(),
        }
    }

    /// Whether its lines are lines of IR.
    pub(super) fn is_ir_text(&self) -> bool {
        match self {
            Source::File(path) => path.extension().is_some_and(|it| it == "ll"),
            Source::Text { bytes, language, .. } => {
                !bytes.starts_with(b"BC")
                    && language.or_else(|| Language::of_bytes(bytes)) == Some(Language::Ir)
            }
            Source::Host { .. } | Source::Unit(_) => false,
        }
    }

    /// As a file of the map that findings point into.
    pub(super) fn add_to(&self, sources: &SourceMap) -> FileId {
        match self {
            // A file that the user names is his to show.
            Source::File(path) => {
                sources.admit(path);
                sources.add(path)
            }
            Source::Text { name, bytes, language: _ } => {
                sources.add_text(name, String::from_utf8_lossy(bytes))
            }
            // Bitcode has no lines to show.
            Source::Host { name, bitcode: _ } => sources.add_text(name, String::new()),
            Source::Unit(unit) => sources.add(&unit.path),
        }
    }
}
