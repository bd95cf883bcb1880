//! Which macro a source wants to be defined: that under which stands what clang misses.
//!
//! The text of the source and of the headers that it includes is read line by line, with the
//! conditions of `#if` around each. Conditions that a macro makes true (`#ifdef M`, `#if
//! defined(M)`, `#if M`, `#if M == 1`) count, those of compilers and systems do not.
//!
//! **Does not**: expand macros, evaluate conditions, or know whether a macro is defined: whoever
//! asks compiles with it and looks whether that helps.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How many files are read.
const FILES: usize = 400;

/// A macro, and one of the words that stand under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Guard {
    pub(super) name: String,
    pub(super) word: String,
}

/// The macros under which the words stand in what the source includes, those with most words first.
pub(super) fn guards(
    source: &Path,
    arguments: &[OsString],
    words: &BTreeSet<String>,
) -> Vec<Guard> {
    if words.is_empty() {
        return Vec::new();
    }
    let folders = folders(arguments);
    let mut found: BTreeMap<String, BTreeSet<&String>> = BTreeMap::new();
    let mut seen = BTreeSet::from([source.to_owned()]);
    let mut files = VecDeque::from([source.to_owned()]);
    while let Some(path) = files.pop_front() {
        let Some(text) = read(&path) else { continue };
        for line in conditional(&text) {
            if let Some(name) = included(line.text) {
                let near = path.parent().unwrap_or(Path::new("")).join(name);
                let far = folders.iter().map(|it| it.join(name));
                let there = std::iter::once(near).chain(far).find(|it| it.is_file());
                if let Some(there) = there.filter(|it| seen.len() < FILES && !seen.contains(it)) {
                    seen.insert(there.clone());
                    files.push_back(there);
                }
            }
            for word in words_of(line.text) {
                let Some(word) = words.get(word) else { continue };
                for name in &line.under {
                    found.entry(name.clone()).or_default().insert(word);
                }
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(name, words)| (std::cmp::Reverse(words.len()), name.clone()));
    let guard = |(name, words): (String, BTreeSet<&String>)| {
        let word = words.first().map(|it| (*it).clone())?;
        Some(Guard { name, word })
    };
    found.into_iter().filter_map(guard).collect()
}

/// The macros under which every kernel of the source stands, if any.
pub(super) fn around_kernels(source: &Path) -> Vec<String> {
    let Some(text) = read(source) else { return Vec::new() };
    let mut common: Option<Vec<String>> = None;
    for line in conditional(&text) {
        if words_of(line.text).any(|word| word == "__global__") {
            common = Some(match common {
                None => line.under,
                Some(so_far) => so_far.into_iter().filter(|it| line.under.contains(it)).collect(),
            });
        }
    }
    common.unwrap_or_default()
}

pub(super) fn read(path: &Path) -> Option<String> {
    let bytes = heddle_diagnostics::source::read_regular(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The folders of headers among clang's arguments.
fn folders(arguments: &[OsString]) -> Vec<PathBuf> {
    const NAMES: [&str; 4] = ["-isystem", "-iquote", "-idirafter", "-I"];
    let mut folders = Vec::new();
    let mut words = arguments.iter().filter_map(|it| it.to_str());
    while let Some(word) = words.next() {
        let Some(rest) = NAMES.iter().find_map(|name| word.strip_prefix(name)) else { continue };
        let folder = if rest.is_empty() { words.next() } else { Some(rest) };
        folders.extend(folder.map(PathBuf::from));
    }
    folders
}

/// A line and the macros that each make a condition around it true.
struct Line<'a> {
    text: &'a str,
    under: Vec<String>,
}

/// The lines of a text outside of comments, without its conditions.
fn conditional(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut stack: Vec<Condition> = Vec::new();
    let mut in_comment = false;
    for text in text.lines() {
        let text = uncommented(text, &mut in_comment);
        let directive = text.trim_start().strip_prefix('#').map(str::trim_start);
        let Some((word, rest)) = directive.map(split_word) else {
            let under = stack.iter().filter_map(|it| it.holds.clone()).collect();
            lines.push(Line { text, under });
            continue;
        };
        match word {
            "ifdef" => stack.push(Condition::of_name(rest, true)),
            "ifndef" => stack.push(Condition::of_name(rest, false)),
            "if" => stack.push(Condition::of(rest)),
            "elif" => {
                stack.pop();
                stack.push(Condition::of(rest));
            }
            "else" => {
                if let Some(last) = stack.last_mut() {
                    std::mem::swap(&mut last.holds, &mut last.fails);
                }
            }
            "endif" => {
                stack.pop();
            }
            _ => {
                let under = stack.iter().filter_map(|it| it.holds.clone()).collect();
                lines.push(Line { text, under });
            }
        }
    }
    lines
}

/// What a condition asks of one macro.
#[derive(Default)]
struct Condition {
    /// The macro that makes it true.
    holds: Option<String>,
    /// The macro that makes it false.
    fails: Option<String>,
}

impl Condition {
    fn of_name(rest: &str, positive: bool) -> Condition {
        let name = wanted(split_word(rest).0);
        match positive {
            true => Condition { holds: name, fails: None },
            false => Condition { holds: None, fails: name },
        }
    }

    /// `defined(M)`, `M`, `M == 1`, each alone, before `||` or before `&&`.
    fn of(condition: &str) -> Condition {
        let first = condition.split("||").next().unwrap_or_default();
        let first = first.split("&&").next().unwrap_or_default().trim();
        let (negated, first) = match first.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, first),
        };
        let (word, rest) = split_word(first);
        let name = match word {
            "defined" => split_word(rest.trim_start_matches(['(', ' '])).0,
            word if rest.is_empty() => word,
            word => {
                let one = rest.strip_prefix("==").map(str::trim);
                if one == Some("1") { word } else { "" }
            }
        };
        let name = wanted(name);
        match negated {
            false => Condition { holds: name, fails: None },
            true => Condition { holds: None, fails: name },
        }
    }
}

/// A macro that a build may define: neither one of compilers and systems nor a number.
fn wanted(name: &str) -> Option<String> {
    const OF_SYSTEMS: [&str; 8] =
        ["WIN32", "WIN64", "MSVC", "LINUX", "APPLE", "DEBUG", "NDEBUG", "CUDA_VERSION"];
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let foreign = name.contains("HIP") || name.contains("ROCM");
    (starts && !foreign && !OF_SYSTEMS.contains(&name)).then(|| name.to_owned())
}

fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|it| !it.is_empty())
}

/// The name in `#include "x.h"`.
fn included(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let rest = rest.trim_start();
    let close = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    rest[1..].split_once(close).map(|it| it.0)
}

/// A line up to its comment; `inside` says whether it begins and ends in one.
pub(super) fn uncommented<'a>(line: &'a str, inside: &mut bool) -> &'a str {
    let mut start = 0;
    if *inside {
        let Some(end) = line.find("*/") else { return "" };
        *inside = false;
        start = end + 2;
    }
    let rest = &line[start..];
    let end = [rest.find("//"), rest.find("/*")].into_iter().flatten().min();
    let Some(end) = end else { return rest };
    if rest[end..].starts_with("/*") {
        *inside = !rest[end + 2..].contains("*/");
    }
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_the_macros_around_them() {
        let text = "a\n#ifdef A\nb\n#if defined(B) && C\n  c // d\n#else\ne\n#endif\n#endif\n\
                    #ifndef D\nf\n# else\ng\n#endif\n/* #ifdef X\n*/ h\n#if E == 1\ni\n#elif !F\nj\n\
                    #else\nk\n#endif\n#if 1\n#ifdef __CUDACC__\nl\n#endif\n#endif\n";
        let lines: Vec<_> = conditional(text)
            .into_iter()
            .filter(|it| !it.text.trim().is_empty())
            .map(|it| format!("{}{}", it.text.trim(), it.under.concat()))
            .collect();
        assert_eq!(lines, ["a", "bA", "cAB", "eA", "f", "gD", "h", "iE", "j", "kF", "l"]);
    }
}
