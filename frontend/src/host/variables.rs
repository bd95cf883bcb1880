//! Which variables of a program its other sources cannot set.
//!
//! **What**: whether a variable of a source with `main` is the source's alone.
//! **Method**: the files that the compiler read are searched for its name, as text.
//! **Sound because** another source can set a variable only if it declares it, too. What sources
//! share is declared in a header, or declared again with `extern`: a variable that a header names,
//! or whose source says `extern` of anything but shared memory and kernels, is one that others may
//! set. Of the system's headers only what they declare `extern` counts: they name nothing of a
//! program.
//! **Assumes**: no other source declares, without a header, a variable that this one defines; no
//! macro of the command line says `extern`.
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

/// All with their comments: what these say counts as well.
struct Texts {
    source: String,
    /// Headers of the system.
    system: Vec<String>,
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
        let is_source = |it: &&PathBuf| it.canonicalize().is_ok_and(|it| it == source);
        let is_of_system = |it: &&PathBuf| SYSTEM.iter().any(|folder| it.starts_with(folder));
        let text = |path: &PathBuf| {
            let bytes = heddle_diagnostics::source::read_regular(path).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let (own, others): (Vec<_>, Vec<_>) = self.all.iter().partition(is_source);
        let (system, naming): (Vec<_>, Vec<_>) = others.into_iter().partition(is_of_system);
        let [system, naming] =
            [system, naming].map(|all| all.into_iter().map(text).collect::<Option<Vec<_>>>());
        Some(Texts { source: text(own.first()?)?, system: system?, naming: naming? })
    }
}

impl Texts {
    fn are_alone_with(&self, name: &str) -> bool {
        let is_declared = |text: &str| has(text, "extern") && has(text, name);
        // What macros paste together, and what is found by its section, has other names.
        let is_pasted = |text: &str| text.contains("##");
        // A macro that says `extern` may come before any name, in a definition of several lines.
        let is_hidden = |line: &str| line.trim_start().starts_with('#') && has(line, "extern");
        let hides = |text: &str| text.replace("\\\n", " ").lines().any(is_hidden);
        let naming = |text: &String| has(text, name) || is_pasted(text) || hides(text);
        !declares_elsewhere(&self.source)
            && !is_pasted(&self.source)
            && !has(&self.source, "section")
            && !self.naming.iter().any(naming)
            && !self.system.iter().any(|it| it.split(';').any(is_declared))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What follows each occurrence of a word in a text.
fn after<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let all = text.match_indices(word).map(move |(at, _)| (at, &text[at + word.len()..]));
    let whole =
        all.filter(|(at, rest)| !text[..*at].ends_with(is_word) && !rest.starts_with(is_word));
    whole.map(|it| it.1)
}

fn has(text: &str, word: &str) -> bool {
    after(text, word).next().is_some()
}

/// Whether a source may declare, or have a macro declare, what another source defines: its dynamic
/// shared memory, and kernels with C's names, are no such variables.
fn declares_elsewhere(source: &str) -> bool {
    let is_harmless = |rest: &str| {
        let mut words = rest.split_whitespace();
        let (first, second) = (words.next(), words.next());
        first == Some("__shared__") || (first == Some("\"C\"") && second == Some("__global__"))
    };
    after(source, "extern").any(|rest| !is_harmless(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(source: &str, naming: &str) -> Vec<&'static str> {
        let system = "extern int e; void a(int a, int f);".to_owned();
        let naming = vec![naming.to_owned()];
        let files = Texts { source: source.to_owned(), system: vec![system], naming };
        let names = ["a", "b", "e", "f"].into_iter();
        names.filter(|it| files.are_alone_with(it)).collect()
    }

    #[test]
    fn a_variable_is_shared_where_another_file_may_declare_it() {
        let source = "int a = 1; int b; int e; int f;\n\
            extern \"C\" __global__ void k(int *p) { extern __shared__ int s[]; }";
        assert_eq!(alone(source, "int b; EXTERN int g; int a2;"), ["a", "f"]);
        assert_eq!(alone(source, "#define OF(n) int n##_of"), [""; 0]);
        assert_eq!(alone(source, "#define SHARED extern"), [""; 0]);
        assert_eq!(alone(source, "#define SHARED(n) \\\n  extern int n\n"), [""; 0]);
    }

    #[test]
    fn a_source_that_says_extern_shares_its_variables() {
        for more in [
            "extern struct P { int a; int n; } f;",
            "#define SHARED extern",
            "R\"(5\" /* )\"; extern int b; /* x */",
            "extern \"C\" { int d; }",
            "__attribute__((section(\"x\"))) int g;",
            "int a##b;",
        ] {
            assert_eq!(alone(&format!("int a; int f; {more}"), ""), [""; 0], "{more}");
        }
    }
}
