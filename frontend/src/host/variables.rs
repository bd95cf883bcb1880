//! Which variables of a program its other sources cannot set.
//!
//! **What**: whether a variable of a source with `main` is the source's alone.
//! **Method**: the files that the compiler read are searched for its name, as text.
//! **Sound because** another source can set a variable only if it declares it, too. What sources
//! share is declared in a header, or declared again with `extern`: a variable that a header names,
//! or that is declared with `extern` in its own source, is one that others may set. Of the system's
//! headers only what they declare `extern` counts: they name nothing of a program.
//! **Assumes**: no other source declares, without a header, a variable that this one defines.
//! **Misses**: variables in namespaces, what holds pointers, a source that was read from memory.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::compile::Compiled;

/// Where headers of the system are: neither the program's nor those of its libraries.
const SYSTEM: [&str; 2] = ["/usr/include", "/usr/lib"];

/// The files of a program's source.
pub(super) struct Files<'a> {
    source: &'a str,
    all: &'a [PathBuf],
    /// Read where a name is asked for.
    texts: OnceCell<Option<Texts>>,
}

struct Texts {
    /// The source, and headers of the system.
    declaring: Vec<String>,
    /// Headers of the program and of its libraries.
    naming: Vec<String>,
}

impl<'a> Files<'a> {
    /// Those of a module that was compiled from the file `source`.
    pub(super) fn of(compiled: &'a Compiled, source: &'a str) -> Files<'a> {
        Files { source, all: &compiled.files, texts: OnceCell::new() }
    }

    /// Whether no other source sets the variable of this name.
    pub(super) fn are_alone_with(&self, name: &str) -> bool {
        if name.starts_with("_Z") {
            return false;
        }
        let texts = self.texts.get_or_init(|| self.read());
        texts.as_ref().is_some_and(|it| it.are_alone_with(name))
    }

    /// None where it is not known which file is the source.
    fn read(&self) -> Option<Texts> {
        let source = Path::new(self.source).canonicalize().ok()?;
        let is_declaring = |it: &&PathBuf| {
            let is_of_system = SYSTEM.iter().any(|folder| it.starts_with(folder));
            is_of_system || it.canonicalize().is_ok_and(|it| it == source)
        };
        let text = |path: &PathBuf| {
            let bytes = heddle_diagnostics::source::read_regular(path).ok()?;
            Some(uncommented(&String::from_utf8_lossy(&bytes)))
        };
        let (declaring, naming): (Vec<_>, Vec<_>) = self.all.iter().partition(is_declaring);
        let is_there = declaring.iter().any(|it| it.canonicalize().is_ok_and(|it| it == source));
        let [declaring, naming] =
            [declaring, naming].map(|all| all.into_iter().map(text).collect::<Option<Vec<_>>>());
        is_there.then_some(Texts { declaring: declaring?, naming: naming? })
    }
}

impl Texts {
    fn are_alone_with(&self, name: &str) -> bool {
        let has = |text: &str, word: &str| {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            text.match_indices(word).any(|(at, _)| {
                !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
            })
        };
        let is_declared = |text: &str| has(text, "extern") && has(text, name);
        !self.naming.iter().any(|it| has(it, name))
            && !self.declaring.iter().any(|it| it.split(';').any(is_declared))
    }
}

/// A text with blanks in place of its comments.
fn uncommented(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            // What a string holds is no comment. It ends with its line, whatever is in it.
            let end = if rest.starts_with('"') { string_end(rest) } else { 1 };
            let quote = ["'\"'", "'\\\"'"].iter().find(|it| rest.starts_with(**it));
            let end = quote.map_or(end, |it| it.len());
            plain.push_str(&rest[..end]);
            end
        };
        plain.push(' ');
        rest = &rest[end..];
    }
    plain.push_str(rest);
    plain
}

/// Where a string ends that the text begins with.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            '\n' => return at,
            c => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_no_comment() {
        let text = "a(\"/*\"); b = '\"'; // c\nd(\"\\\"//\"); /* e\n */ f / g";
        let plain = uncommented(text);
        let words: Vec<_> = plain.split_whitespace().collect();
        let kept = ["a(\"/*\"", ");", "b", "=", "'\"'", ";", "d(\"\\\"//\"", ");", "f", "/", "g"];
        assert_eq!(words, kept);
    }

    #[test]
    fn a_variable_is_shared_where_another_file_may_declare_it() {
        let source =
            "int a = 1; int b; extern int c; int c = 2; extern \"C\" { int d; } int e; int f;";
        let system = "extern int e; void a(int a, int f); /* extern int a; */";
        let files = Texts {
            declaring: vec![source.to_owned(), uncommented(system)],
            naming: vec![uncommented("// a\nextern int b; /* f */ EXTERN int g; int a2;")],
        };
        let alone: Vec<_> = ["a", "b", "c", "d", "e", "f", "g"]
            .into_iter()
            .filter(|it| files.are_alone_with(it))
            .collect();
        assert_eq!(alone, ["a", "f"]);
    }
}
