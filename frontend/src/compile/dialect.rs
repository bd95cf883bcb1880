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

mod includes;
mod overlay;
mod shared;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Broken, Compiled, Compiler, Request};
use crate::InputError;
use includes::absolute;
use overlay::Overlay;
use shared::{shared_object, tells_reference};

/// How often a source is compiled at most: clang shows some twenty errors at once.
const ROUNDS: usize = 24;

/// What is written otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    /// `asm("mov.u32 %0, %clusterid.x;" …)`: the `%` of a register is doubled.
    Register,
    /// `"r"(a) "l"(b)` among the operands of inline PTX: a comma comes between.
    OperandComma,
    /// `k << < 1, 32 >> > ()`: the brackets of a launch are put together.
    LaunchBrackets,
    /// `k<<<grid, {32, 4}>>>()`: a list of sizes becomes a `dim3` of them.
    LaunchSizes,
    /// `static` before a function that was declared without: left out.
    StaticAgain,
    /// `__shared__ T x;` where `T` has a constructor, which no thread runs: memory of that size.
    SharedObject,
    /// `extern const dim3 blockDim;` of the source's own, beside that of CUDA: left out.
    OwnIndex,
    /// `template <> __host__ __device__` of a template for the device: `__host__` is left out.
    Specialisation,
    /// `#include "Sub\\Name.h"` of the file `sub/name.h`: its name as the system has it.
    IncludeName,
}

/// What a kernel knows of its place, which CUDA declares.
const INDICES: [&str; 5] = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

impl Rule {
    /// The rule for a message of clang.
    fn of(message: &str) -> Option<Rule> {
        match message {
            "invalid % escape in inline assembly string" => Some(Rule::Register),
            "expected ')'" => Some(Rule::OperandComma),
            "expected expression" => Some(Rule::LaunchBrackets),
            "initialization is not supported for __shared__ variables" => Some(Rule::SharedObject),
            other if includes::is_missing(other) => Some(Rule::IncludeName),
            other => {
                if other.starts_with("static declaration of '")
                    && other.ends_with("' follows non-static declaration")
                {
                    return Some(Rule::StaticAgain);
                }
                if other.starts_with("no function template matches function template special") {
                    return Some(Rule::Specialisation);
                }
                let rest = other.strip_prefix("redeclaration of '")?;
                let (name, _) = rest.split_once("' with a different type")?;
                INDICES.contains(&name).then_some(Rule::OwnIndex)
            }
        }
    }

    /// The rule for what stands at `at`.
    fn at(self, line: &str, at: usize) -> Rule {
        match (self, line.as_bytes().get(at)) {
            (Rule::LaunchBrackets, Some(b'{')) => Rule::LaunchSizes,
            (it, _) => it,
        }
    }

    /// The line with what stands at `at` written otherwise.
    fn apply(self, line: &str, at: usize) -> Option<String> {
        let (before, after) = (line.get(..at)?, line.get(at..)?);
        match self {
            Rule::Register => {
                // The error stands a few bytes after the sign.
                let near = line.get(..line.len().min(at + 1))?;
                let sign = near.rfind('%').filter(|sign| at - (*sign).min(at) <= 3)?;
                let follows = line[sign + 1..].starts_with(|c: char| c.is_ascii_lowercase());
                (follows && !line[..sign].ends_with('%'))
                    .then(|| format!("{}%{}", &line[..sign], &line[sign..]))
            }
            Rule::OperandComma => {
                let operand = before.trim_end().strip_suffix(')')?;
                let open = opening(operand)?;
                let is_operand = operand[..open].trim_end().ends_with('"');
                (is_operand && after.starts_with('"')).then(|| format!("{before},{after}"))
            }
            Rule::LaunchSizes => {
                let start = before.trim_end();
                // Within the brackets, where nothing but sizes can be a list.
                let (_, given) = start.rsplit_once("<<<")?;
                let is_size = given.is_empty() || given.ends_with(',');
                (is_size && !given.contains([';', '>'])).then(|| format!("{before}dim3{after}"))
            }
            Rule::StaticAgain => {
                let (start, rest) = before.rsplit_once("static ")?;
                let is_alone = !start.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                (is_alone && !rest.contains([';', '}'])).then(|| format!("{start}{rest}{after}"))
            }
            Rule::Specialisation => {
                let (start, rest) = before.split_once("__host__ ")?;
                let is_both = start.contains("__device__ ") || rest.contains("__device__ ");
                let is_one =
                    start.trim_start().starts_with("template") && !before.contains([';', '}']);
                (is_both && is_one).then(|| format!("{start}{rest}{after}"))
            }
            Rule::LaunchBrackets => {
                let bracket = after.chars().next().filter(|c| ['<', '>'].contains(c))?;
                let two = [bracket, bracket].iter().collect::<String>();
                let start = before.trim_end();
                let gap = " ".repeat(before.len() - start.len());
                (start.ends_with(&two) && !gap.is_empty())
                    .then(|| format!("{start}{bracket}{gap}{}", &after[1..]))
            }
            Rule::SharedObject => shared_object(before, after),
            // Needs to know where files are.
            Rule::IncludeName => None,
            Rule::OwnIndex => {
                let name = after.trim_end().strip_suffix(';')?;
                let is_alone =
                    before.trim_start().starts_with("extern ") && INDICES.contains(&name);
                (is_alone && !before.contains([';', '{', '('])).then(String::new)
            }
        }
    }

    /// What was done, for the warning.
    fn said(self) -> &'static str {
        match self {
            Rule::Register => "`%` before the name of a register of inline PTX is taken as `%%`",
            Rule::OperandComma => "a comma is put between two operands of inline PTX",
            Rule::LaunchBrackets => "the brackets of a launch are put together",
            Rule::LaunchSizes => "a list of the sizes of a launch is taken as a `dim3`",
            Rule::StaticAgain => "`static` is left out where a function was declared without it",
            Rule::SharedObject => "the constructor of a `__shared__` variable is not run",
            Rule::OwnIndex => "a declaration of what CUDA declares itself is left out",
            Rule::Specialisation => {
                "a specialisation of a template for the device alone is taken as one for it"
            }
            Rule::IncludeName => "the name of a file is taken whatever its case and its slashes",
        }
    }
}

/// Where the bracket opens whose contents end with the text.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => return Some(at),
            '(' => depth -= 1,
            '"' => return None,
            _ => {}
        }
    }
    None
}

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

/// The errors of clang that rules are for; none where there is another one, unless functions with
/// such are left out.
fn errors(output: &str, broken: Broken) -> Option<Vec<At>> {
    let mut found = Vec::new();
    for text in output.lines() {
        let split = text.split_once(": error: ").or_else(|| text.split_once(": fatal error: "));
        let Some((place, message)) = split else { continue };
        if message.starts_with(FOLLOWS) {
            continue;
        }
        let mut parts = place.rsplitn(3, ':');
        let (column, line, path) = (parts.next()?, parts.next()?, parts.next()?);
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        match (Rule::of(message.trim()), broken) {
            (Some(rule), _) => found.push(At { path: path.to_owned(), line, column, rule }),
            (None, Broken::LeftOut) => {}
            (None, Broken::Refused) => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Texts that take the place of files, or of the source in memory.
#[derive(Default)]
struct Texts {
    files: BTreeMap<PathBuf, Vec<u8>>,
    source: Option<Vec<u8>>,
    said: Vec<String>,
    /// Something else than the name of an include was written otherwise.
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
            self.said.push(format!("{path}:{line}: warning: read as nvcc does: {}\n", rule.said()));
            changed = true;
        }
        Some(changed)
    }
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
    let mut found = errors(&shown.output, broken);
    for _ in 0..ROUNDS {
        let Some(errors) = &found else { break };
        if texts.write(errors, request) != Some(true) {
            break;
        }
        let Ok(overlay) = Overlay::write(&texts.files) else { break };
        match texts.compile(&overlay, request, compiler) {
            Ok(compiled) => return Ok(compiled),
            Err(error) => {
                found = errors_after(&error.output, &overlay, &texts, broken);
                // A file that was found may include one that is to be looked for elsewhere.
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
    rest.ok_or(shown)
}

/// The errors of a later round, in files by their own names.
fn errors_after(output: &str, overlay: &Overlay, texts: &Texts, broken: Broken) -> Option<Vec<At>> {
    let mut found = errors(output, broken)?;
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

    fn applied(rule: Rule, line: &str, at: &str) -> Option<String> {
        rule.apply(line, line.find(at).expect("the place is in the line"))
    }

    /// A variable in shared memory is not captured, and `decltype` of it is no reference.
    #[test]
    fn what_tells_a_reference_from_a_variable_keeps_it() {
        for told in [
            "auto get = [=](int i) { return s.v[i]; };",
            "auto put = [ = ]() mutable { s.v[0] = 1; };",
            "auto get = [s] { return s.v[0]; };",
            "auto get = [n, s, &t] { return s.v[0]; };",
            "auto get = [n = f(1), s] { return s.v[0]; };",
            "decltype(s) own;",
            "decltype((s)) own = s;",
            "f<__typeof__( s )>(s);",
        ] {
            assert!(tells_reference(told, "s"), "{told}");
        }
        for same in [
            "auto get = [&](int i) { return s.v[i]; };",
            "f(a, s, b); s.v[i] = a[i];",
            "int v[] = {1, 2}; is = s.v[0]; g(n[0], s, 1);",
            "decltype(s2) other; auto get = [&s] { return s; };",
        ] {
            assert!(!tells_reference(same, "s"), "{same}");
        }
    }

    #[test]
    fn each_rule_writes_its_place_otherwise() {
        let asm = "asm(\"mov.u32 %0, %clusterid.x;\" : \"=r\"(x));";
        let doubled = asm.replace("%c", "%%c");
        assert_eq!(applied(Rule::Register, asm, "lusterid"), Some(doubled.clone()));
        assert_eq!(applied(Rule::Register, &doubled, "lusterid"), None);
        let operands = "asm(\"\" ::\"r\"((f(a))) \"l\"(b));";
        let with = operands.replace(" \"l\"", " ,\"l\"");
        assert_eq!(applied(Rule::OperandComma, operands, "\"l\""), Some(with));
        assert_eq!(applied(Rule::OperandComma, "f(a) \"b\"", "\"b\""), None);
        assert_eq!(
            applied(Rule::LaunchBrackets, "k << <1, 2>>>();", "<1"),
            Some("k <<< 1, 2>>>();".to_owned())
        );
        assert_eq!(
            applied(Rule::LaunchBrackets, "k<<<1, 2 >>  >();", ">("),
            Some("k<<<1, 2 >>>  ();".to_owned())
        );
        assert_eq!(applied(Rule::LaunchBrackets, "k < <1", "<1"), None);
        let sizes = |line: &str| {
            let at = line.find('{').expect("the place is in the line");
            assert_eq!(Rule::LaunchBrackets.at(line, at), Rule::LaunchSizes);
            applied(Rule::LaunchSizes, line, "{")
        };
        assert_eq!(
            sizes("k<1><<<grid, {32, 4}, 0>>>();"),
            Some("k<1><<<grid, dim3{32, 4}, 0>>>();".to_owned())
        );
        assert_eq!(sizes("k<<<{4}, 1>>>();"), Some("k<<<dim3{4}, 1>>>();".to_owned()));
        assert_eq!(sizes("k<<<1, 2>>>({3});"), None);
        let template = "template <int N> static int f();";
        let without = "template <int N> int f();";
        assert_eq!(applied(Rule::StaticAgain, template, "f("), Some(without.to_owned()));
        assert_eq!(applied(Rule::StaticAgain, "int f();", "f("), None);
        assert_eq!(applied(Rule::StaticAgain, "static int a; int f();", "f("), None);
        let object = applied(Rule::SharedObject, "  __shared__ B<A, 2> b[3]; f();", "b[");
        let object = object.expect("an object");
        assert!(object.starts_with("  typedef B<A, 2> heddle_b_type[3]; "), "{object}");
        assert!(object.ends_with("&>(heddle_b); f();"), "{object}");
        let both = "template <> inline __host__ __device__ float f(float3 v);";
        let device = both.replace("__host__ ", "");
        assert_eq!(applied(Rule::Specialisation, both, "f("), Some(device.clone()));
        assert_eq!(applied(Rule::Specialisation, &device, "f("), None);
        let own = applied(Rule::OwnIndex, "extern const dim3 blockDim;", "blockDim");
        assert_eq!(own, Some(String::new()));
        assert_eq!(
            applied(Rule::OwnIndex, "extern int a; extern dim3 blockDim;", "blockDim"),
            None
        );
        for line in ["__shared__ B b = 1;", "__shared__ B *b, c;", "B b;"] {
            assert_eq!(applied(Rule::SharedObject, line, "b"), None, "{line}");
        }
    }

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
        let known = "k.cu:3:4: error: expected expression\n";
        assert_eq!(errors(known, Broken::Refused).map(|it| it.len()), Some(1));
        let other = format!("{known}k.cu:4:1: error: unknown type name 'x'\n");
        assert_eq!(errors(&other, Broken::Refused), None);
        assert_eq!(errors(&other, Broken::LeftOut).map(|it| it.len()), Some(1));
        assert_eq!(errors("k.cu:1:1: warning: unused\n", Broken::Refused), None);
    }
}
