//! Which files of a crate use which others of it, read from their paths: `crate::…`, `super::…`,
//! `self::…`.
//!
//! **Promises**: an arrow for every such path in code. **Does not**: expand macros, or follow names
//! that a module hands on; such an arrow ends at the module that hands the name on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module by its segments; the root of the crate has none.
pub(crate) type Module = Vec<String>;

/// The arrows of one crate: for each module the others that it names.
pub(crate) type Arrows = BTreeMap<Module, BTreeSet<Module>>;

/// The arrows between the files of a crate, given its sources by their path under `src`. A module
/// and the ones inside it count as one idea: no arrow is drawn between them.
pub(crate) fn arrows(files: &BTreeMap<Module, &str>) -> Arrows {
    let of_file = |(module, text): (&Module, &&str)| {
        let named = paths(text).into_iter().filter_map(|path| resolve(files, module, &path));
        let others = named.filter(|to| !to.starts_with(module) && !module.starts_with(to));
        (module.clone(), others.collect())
    };
    files.iter().map(of_file).collect()
}

/// The module of a file under `src`.
pub(crate) fn module(path: &Path) -> Module {
    let mut segments: Module = path
        .with_extension("")
        .components()
        .map(|it| it.as_os_str().to_string_lossy().into_owned())
        .collect();
    if segments.last().is_some_and(|it| ["mod", "lib", "main"].contains(&it.as_str())) {
        segments.pop();
    }
    segments
}

/// The longest module that a path goes through.
fn resolve(files: &BTreeMap<Module, &str>, from: &Module, path: &[String]) -> Option<Module> {
    let mut at = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => from.clone(),
        _ => from[..from.len().checked_sub(1)?].to_vec(),
    };
    for segment in &path[1..] {
        if segment == "super" {
            at.pop();
            continue;
        }
        at.push(segment.clone());
        if !files.contains_key(&at) {
            at.pop();
            break;
        }
    }
    files.contains_key(&at).then_some(at)
}

/// The paths in a text, those in braces one by one.
fn paths(text: &str) -> Vec<Vec<String>> {
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
    let mut found = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let alone = code[..at].chars().next_back().is_none_or(|c| !is_word(c) && c != ':');
            if alone {
                collect(&code[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Reads one path, and returns what comes after it.
fn collect<'a>(
    mut rest: &'a str,
    so_far: &mut Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> &'a str {
    let depth = so_far.len();
    loop {
        rest = rest.trim_start();
        if let Some(inside) = rest.strip_prefix('{') {
            rest = inside;
            while !rest.trim_start().starts_with('}') && !rest.trim_start().is_empty() {
                rest = collect(rest, so_far, found).trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest);
            }
            rest = rest.trim_start().strip_prefix('}').unwrap_or("");
            break;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            // What is no path is passed over.
            let mut chars = rest.chars();
            chars.next();
            rest = chars.as_str();
            break;
        }
        so_far.push(rest[..end].to_owned());
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(after) => rest = after,
            None => {
                found.push(so_far.clone());
                if let Some(renamed) = rest.strip_prefix(" as ") {
                    rest = renamed.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
                }
                break;
            }
        }
    }
    so_far.truncate(depth);
    rest
}
