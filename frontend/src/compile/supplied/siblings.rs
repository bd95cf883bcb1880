//! Which other file in the folder of an OpenCL source has the names that the source misses.
//!
//! A host may give several files as one program (`clCreateProgramWithSource`), so that none of
//! them says `#include`. The file that is meant defines the names and has no kernel of its own: a
//! file of functions, of types or of macros is there to be read with others.
//!
//! **Promises**: a file is named only if no other one in the folder, with another text, has the
//! missing name and as many others.
//! **Does not**: look into other folders, where a name may be of another program; parse: whoever
//! asks compiles with the file and looks whether that helps.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::folders::Files;
use super::macros::{read, uncommented, words_of};

/// How such files end.
const ENDINGS: [&str; 5] = ["cl", "clh", "h", "hcl", "opencl"];

/// How many files are read.
const FILES: usize = 400;

/// A file that defines one of the names, and most of the others, and that name.
pub(super) fn with_names(
    files: &Files,
    source: &Path,
    names: &BTreeSet<String>,
) -> Option<(PathBuf, String)> {
    let source = source.canonicalize().ok()?;
    let own = source.parent()?;
    let is_one = |path: &&PathBuf| {
        let ending = path.extension().and_then(|it| it.to_str());
        let is_beside = path.parent() == Some(own) && **path != source;
        is_beside && ending.is_some_and(|it| ENDINGS.contains(&it))
    };
    let beside = files.paths().iter().filter(is_one).take(FILES);
    let texts = beside.filter_map(|it| Some((it, read(it)?)));
    let all: Vec<_> = texts.map(|(path, text)| (path, defined(&text, names), text)).collect();
    names.iter().find_map(|name| {
        let with = || all.iter().filter(|(_, defined, _)| defined.contains(name));
        let most = with().map(|(_, defined, _)| defined.len()).max()?;
        let mut best = with().filter(|(_, defined, _)| defined.len() == most);
        let (path, _, text) = best.next()?;
        best.all(|(_, _, other)| other == text).then(|| ((*path).clone(), name.clone()))
    })
}

/// Which of the names a text defines outside of functions; none where it has a kernel.
fn defined<'a>(text: &str, names: &'a BTreeSet<String>) -> BTreeSet<&'a String> {
    let mut found = BTreeSet::new();
    let (mut in_comment, mut depth) = (false, 0_usize);
    // What was read of a definition since the last one ended.
    let mut head = String::new();
    for line in text.lines() {
        let line = uncommented(line, &mut in_comment);
        if words_of(line).any(|it| ["__kernel", "kernel", "__global__"].contains(&it)) {
            return BTreeSet::new();
        }
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            let macro_name = directive.trim_start().strip_prefix("define");
            let macro_name = macro_name.and_then(|rest| words_of(rest).next());
            found.extend(macro_name.and_then(|it| names.get(it)));
            continue;
        }
        for c in line.chars().chain(std::iter::once(' ')) {
            match c {
                '{' => {
                    if depth == 0 && !is_type(&head) && !head.contains('=') {
                        let called = head.split('(').next().unwrap_or_default();
                        found.extend(words_of(called).last().and_then(|it| names.get(it)));
                        head.clear();
                    }
                    depth += 1;
                }
                '}' => depth = depth.saturating_sub(1),
                ';' if depth == 0 => {
                    let is_defined = is_type(&head) || head.contains('=');
                    let named = head.split(['=', '[']).next().unwrap_or_default();
                    let name = words_of(named).last().and_then(|it| names.get(it));
                    found.extend(name.filter(|_| is_defined));
                    head.clear();
                }
                c if depth == 0 => head.push(c),
                _ => {}
            }
        }
    }
    found
}

/// Whether a definition begins as one of a type does.
fn is_type(head: &str) -> bool {
    words_of(head).next().is_some_and(|it| ["typedef", "struct", "union", "enum"].contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_known_by_their_form() {
        let names: BTreeSet<_> = ["A", "b", "c", "D", "E", "f", "g"].map(str::to_owned).into();
        let text = "#define A 1 // b\ninline int b(int x)\n{ int c = g(x); return c; }\n\
                    typedef struct { int E; } D;\nint g(int);\n__constant int f[2] = {1, 2};\n";
        let found: Vec<_> = defined(text, &names).into_iter().cloned().collect();
        assert_eq!(found, ["A", "D", "b", "f"]);
        assert!(defined(&format!("{text}__kernel void k() {{}}\n"), &names).is_empty());
    }
}
