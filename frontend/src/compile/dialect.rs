//! What `nvcc` takes and clang refuses, written as clang wants it.
//!
//! Some sources compile with `nvcc` alone, since it reads CUDA more freely. Where clang's error
//! says that this is the one thing it stumbles over, the text at that place is replaced by one
//! that means the same, and the file is compiled again ([`compile`]). The file itself is not
//! touched: clang reads the new text in its place. A line stays a line, so that messages and
//! findings point where they did.
//!
//! **What** is written otherwise is a [`Rule`]; a warning names each place.
//!
//! **Sound because** a rule looks at the text around the error and replaces what has one meaning
//! only; what it does not recognise stays an error, and of a file that does not compile after all
//! the first errors are shown.
//!
//! **Does not**: know CUDA's grammar; rewrite a source with another error in it, unless functions
//! with such errors are left out.

mod escapes;
mod includes;
mod overlay;
mod raw_strings;
mod rules;
mod shared;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Broken, Compiled, Compiler, Request, Source};
use crate::InputError;
use includes::absolute;
use overlay::Overlay;
use rules::Rule;
use shared::tells_reference;

/// How often a source is compiled at most.
const ROUNDS: usize = 24;

/// How many rounds in a row may end with no fewer errors that rules are for: an error may hide
/// another one of its expression.
const PATIENCE: usize = 4;

/// From the second round on clang shows all errors at once, instead of some twenty.
const ALL_ERRORS: &str = "-ferror-limit=0";

/// An error of clang at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct At {
    path: String,
    line: usize,
    column: usize,
    rule: Rule,
}

/// An error that goes where the function's own goes.
const FOLLOWS: &str = "explicit instantiation of undefined function template";

/// What stands before an error in a line of clang's, and the error's message.
fn error_in(line: &str) -> Option<(&str, &str)> {
    let split = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "));
    split.map(|(place, message)| (place, message.trim()))
}

/// The file, the line and the column of `k.cu:3:4`.
fn position(place: &str) -> Option<(&str, usize, usize)> {
    let mut parts = place.rsplitn(3, ':');
    let (column, line, path) = (parts.next()?, parts.next()?, parts.next()?);
    Some((path, line.parse().ok()?, column.parse().ok()?))
}

/// The errors of clang that rules are for; none where there is another one, unless functions with
/// such are left out. In a program that is read as a literal of C++ all errors follow from that.
fn errors(output: &str, language: Source, broken: Broken) -> Option<Vec<At>> {
    let mut found = Vec::new();
    let mut is_other = false;
    for text in output.lines() {
        let Some((place, message)) = error_in(text) else { continue };
        if message.starts_with(FOLLOWS) {
            continue;
        }
        let (path, line, column) = position(place)?;
        match (Rule::of(message), broken) {
            (Some(rule), _) => found.push(At { path: path.to_owned(), line, column, rule }),
            (None, Broken::LeftOut) => {}
            (None, Broken::Refused) => is_other = true,
        }
    }
    if language == Source::OpenCl && found.iter().any(|it| it.rule == Rule::RawString) {
        found.retain(|it| it.rule == Rule::RawString);
        is_other = false;
    }
    (!is_other && !found.is_empty()).then_some(found)
}

/// Texts that take the place of files, or of the source in memory.
#[derive(Default)]
struct Texts {
    files: BTreeMap<PathBuf, Vec<u8>>,
    source: Option<Vec<u8>>,
    said: Vec<String>,
    /// Something else than the name of an include, or than what encloses a program, was written
    /// otherwise.
    is_other: bool,
}

impl Texts {
    /// Writes what the errors point at otherwise; whether anything is new.
    fn write(&mut self, errors: &[At], request: &Request<'_>) -> Option<bool> {
        let mut changed = false;
        // From the end of a line to its start: what is added moves what follows.
        let mut errors = errors.to_vec();
        errors.sort_by_key(|at| std::cmp::Reverse((at.line, at.column)));
        errors.dedup();
        for At { path, line, column, rule } in errors {
            let in_memory = request.path.is_none()
                && (path == request.name || path == "<stdin>" && request.name == "-");
            let text = if in_memory {
                self.source.get_or_insert_with(|| request.text.to_vec())
            } else {
                let full = absolute(&path, request.options)?;
                match self.files.entry(full) {
                    std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                    std::collections::btree_map::Entry::Vacant(new) => {
                        let bytes = heddle_diagnostics::source::read_regular(new.key()).ok()?;
                        new.insert(bytes)
                    }
                }
            };
            if rule == Rule::RawString {
                // The delimiters of a literal are in two lines.
                let Some(program) = raw_strings::program_in(text) else { continue };
                *text = program;
                self.said.push(said(&path, line, rule));
                changed = true;
                continue;
            }
            let at = column.checked_sub(1)?;
            let lines = text.split_inclusive(|it| *it == b'\n');
            let start: usize = lines.take(line.checked_sub(1)?).map(<[u8]>::len).sum();
            let bytes = text.get(start..)?.split(|it| *it == b'\n').next()?.to_owned();
            let old = as_text(&bytes);
            let rule = rule.at(&old, at);
            let name = old.get(at..).unwrap_or_default();
            let name = &name[..name
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(name.len())];
            let rest = &text[start + bytes.len()..];
            if rule == Rule::SharedObject && tells_reference(&as_text(rest), name) {
                continue;
            }
            let new = match rule {
                Rule::IncludeName => includes::as_named(&old, &path, request),
                other => other.apply(&old, at),
            };
            let Some(new) = new.and_then(|it| as_bytes(&it, &bytes)) else { continue };
            self.is_other |= rule != Rule::IncludeName;
            text.splice(start..start + bytes.len(), new);
            self.said.push(said(&path, line, rule));
            changed = true;
        }
        Some(changed)
    }
}

/// The warning on what was written otherwise.
fn said(path: &str, line: usize, rule: Rule) -> String {
    let as_who = if rule == Rule::RawString { "its host" } else { "nvcc" };
    format!("{path}:{line}: warning: read as {as_who} does: {}\n", rule.said())
}

impl Texts {
    /// Compiles the source as it is written now; the overlay has its files.
    fn compile(
        &self,
        overlay: &Overlay,
        request: &Request<'_>,
        compiler: &dyn Compiler,
    ) -> Result<Compiled, InputError> {
        let mut options = request.options.clone();
        options.clang_args.extend(overlay.arguments());
        if self.is_other {
            options.clang_args.push(ALL_ERRORS.into());
        }
        let text = self.source.as_deref().unwrap_or(request.text);
        let mut compiled = compiler.compile(&Request { options: &options, text, ..*request })?;
        if self.said.is_empty() {
            return Ok(compiled);
        }
        let mut said = self.said.clone();
        said.sort_unstable();
        said.dedup();
        compiled.warnings = said.concat() + &compiled.warnings;
        // What was read is the new text, which nobody finds there the next time.
        compiled.reads = None;
        compiled.files.retain(|path| !path.starts_with(&overlay.folder));
        Ok(compiled)
    }
}

/// What stands in a line for a byte that is not UTF-8, as in a comment in Latin-1.
const OTHER: char = '\u{1}';

/// Text, in which all that is UTF-8 stands where it does in the bytes.
fn as_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n(OTHER, chunk.invalid().len()));
    }
    text
}

/// The bytes of a line that was written otherwise: those that are not UTF-8 are what they were.
/// None where it has not as many of these as before.
fn as_bytes(new: &str, old: &[u8]) -> Option<Vec<u8>> {
    let is_other = |it: &u8| u32::from(*it) == u32::from(OTHER);
    let shown = as_text(old);
    let mut others = old.iter().zip(shown.bytes()).filter(|(_, shown)| is_other(shown));
    let mut bytes = new.as_bytes().to_vec();
    for byte in bytes.iter_mut().filter(|it| is_other(it)) {
        *byte = *others.next()?.0;
    }
    others.next().is_none().then_some(bytes)
}

/// Compiles a source, as `nvcc` would take it. A function is left out no earlier than all is
/// written that `nvcc` reads otherwise.
///
/// # Errors
/// Those of the compiler for the source as it stands.
pub(super) fn compile(
    request: &Request<'_>,
    compiler: &dyn Compiler,
) -> Result<Compiled, InputError> {
    let broken = request.broken;
    let request = &Request { broken: Broken::Refused, ..*request };
    let mut shown = match compiler.compile(request) {
        Ok(compiled) => return Ok(compiled),
        Err(error) => error,
    };
    let mut texts = Texts::default();
    let mut found = errors(&shown.output, request.language, broken);
    let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
    for _ in 0..ROUNDS {
        let Some(errors) = &found else { break };
        let is_fewer = errors.len() < fewest;
        patience = if is_fewer { PATIENCE } else { patience - 1 };
        fewest = fewest.min(errors.len());
        if patience == 0 {
            break;
        }
        if texts.write(errors, request) != Some(true) {
            break;
        }
        let Ok(overlay) = Overlay::write(&texts.files) else { break };
        match texts.compile(&overlay, request, compiler) {
            Ok(compiled) => return Ok(compiled),
            Err(error) => {
                found = errors_after(&error.output, &overlay, &texts, request, broken);
                // A file that was found may include one that is to be looked for elsewhere, and a
                // program in a literal may miss names.
                let temporary = overlay.folder.to_string_lossy();
                if !texts.is_other && !error.output.contains(&*temporary) {
                    shown = error;
                }
            }
        }
    }
    let rest = || {
        let overlay = Overlay::write(&texts.files).ok()?;
        texts.compile(&overlay, &Request { broken, ..*request }, compiler).ok()
    };
    let rest = if broken == Broken::LeftOut { rest() } else { None };
    rest.ok_or_else(|| escapes::left_out(shown, request, compiler))
}

/// The errors of a later round, in files by their own names.
fn errors_after(
    output: &str,
    overlay: &Overlay,
    texts: &Texts,
    request: &Request<'_>,
    broken: Broken,
) -> Option<Vec<At>> {
    let mut found = errors(output, request.language, broken)?;
    for at in &mut found {
        let replaced = texts
            .files
            .keys()
            .zip(0_usize..)
            .find(|(_, n)| Path::new(&at.path) == overlay.folder.join(n.to_string()));
        if let Some((path, _)) = replaced {
            at.path = path.to_str()?.to_owned();
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile_error;

    #[test]
    fn bytes_that_are_not_utf_8_stay_what_they_are() {
        let line = b"k << <1 /* gr\xf6\xdfe, \xc3\xb6 */";
        let text = as_text(line);
        assert_eq!((text.len(), text.find("<1")), (line.len(), Some(5)));
        assert_eq!(as_bytes(&text, line).as_deref(), Some(&line[..]));
        let new = text.replace("<< <", "<<<");
        assert_eq!(as_bytes(&new, line), Some(b"k <<<1 /* gr\xf6\xdfe, \xc3\xb6 */".to_vec()));
        assert_eq!(as_bytes("k <<<1", line), None);
        assert_eq!(as_bytes("\u{1}\u{1}\u{1}", line), None);
    }

    #[test]
    fn a_source_with_another_error_is_left_alone() {
        let errors = |output, broken| errors(output, Source::Cuda, broken);
        let known = "k.cu:3:4: error: expected expression\n";
        assert_eq!(errors(known, Broken::Refused).map(|it| it.len()), Some(1));
        let other = format!("{known}k.cu:4:1: error: unknown type name 'x'\n");
        assert_eq!(errors(&other, Broken::Refused), None);
        assert_eq!(errors(&other, Broken::LeftOut).map(|it| it.len()), Some(1));
        assert_eq!(errors("k.cu:1:1: warning: unused\n", Broken::Refused), None);
    }

    /// Says of one name after the other that it is a type.
    struct Grumbling(std::sync::atomic::AtomicUsize);

    impl Compiler for Grumbling {
        fn compile(&self, request: &Request<'_>) -> Result<Compiled, InputError> {
            let turn = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let text = String::from_utf8_lossy(request.text);
            let at = text.match_indices("A::b").nth(turn).map_or(1, |(at, _)| at + 1);
            let said = "missing 'typename' prior to dependent type name A::b";
            Err(compile_error(request, format!("k.cu:1:{at}: error: {said}\n"), Some(1)))
        }
    }

    #[test]
    fn rounds_that_bring_no_fewer_errors_come_to_an_end() {
        let compiler = Grumbling(std::sync::atomic::AtomicUsize::new(0));
        let text = "A::b ".repeat(2 * ROUNDS);
        let options = crate::CompileOptions::default();
        let request = Request {
            name: "k.cu",
            path: None,
            text: text.as_bytes(),
            language: Source::Cuda,
            options: &options,
            side: super::super::Side::Device,
            broken: Broken::Refused,
        };
        assert!(compile(&request, &compiler).is_err());
        let calls = compiler.0.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(calls, 1 + PATIENCE);
    }

    #[test]
    fn all_errors_in_a_literal_follow_from_it() {
        let output = "k.cl:1:1: error: unknown type name 'R'\nk.cl:3:1: error: expected ';'\n";
        let of = |language| errors(output, language, Broken::Refused).map(|it| it.len());
        assert_eq!((of(Source::OpenCl), of(Source::Cuda)), (Some(1), None));
    }
}
