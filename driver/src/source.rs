//! The things to check: files, or text at hand.

use std::path::PathBuf;

use heddle_diagnostics::{FileId, SourceMap};
use heddle_frontend::{Input, Language};

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
}

impl Source {
    /// The name that messages show.
    pub fn name(&self) -> String {
        match self {
            Source::File(path) => path.display().to_string(),
            Source::Text { name, .. } => name.clone(),
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
        }
    }

    /// As a file of the map that findings point into.
    pub(super) fn add_to(&self, sources: &SourceMap) -> FileId {
        match self {
            Source::File(path) => sources.add(path),
            Source::Text { name, bytes, language: _ } => {
                sources.add_text(name, String::from_utf8_lossy(bytes))
            }
        }
    }
}
