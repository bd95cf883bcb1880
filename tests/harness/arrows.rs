//! Which files of a crate use which others of it, read from their paths: `crate::…`, `super::…`,
//! `self::…`.
//!
//! **Promises**: an arrow for every such path in code, and where a module on the way hands the name
//! on (`pub use`, or a `use` that the modules inside it see), arrows to the modules that it comes
//! from. **Does not**: expand macros, or look into names of modules that a `use` has shortened.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module by its segments; the root of the crate has none.
pub(crate) type Module = Vec<String>;

/// The arrows of one crate: for each module the others that it names.
pub(crate) type Arrows = BTreeMap<Module, BTreeSet<Module>>;

/// The arrows between the files of a crate, given its sources by their path under `src`. A module
/// and the ones inside it count as one idea: no arrow is drawn between them.
pub(crate) fn arrows(files: &BTreeMap<Module, &str>) -> Arrows {
    let crate_: Crate =
        files.iter().map(|(module, text)| (module.clone(), File::of(text))).collect();
    let of_file = |(module, file): (&Module, &File)| {
        let mut found = Found::default();
        for path in &file.paths {
            follow(&crate_, module, path, &mut found);
        }
        let others = found.modules.into_iter();
        let others = others.filter(|to| !to.starts_with(module) && !module.starts_with(to));
        (module.clone(), others.collect())
    };
    crate_.iter().map(of_file).collect()
}

type Crate = BTreeMap<Module, File>;

/// What a file says about names.
struct File {
    code: String,
    /// Its paths within the crate.
    paths: Vec<Vec<String>>,
    /// Where the names are from that it brings into scope: `self::`, `super::` and whoever uses it
    /// find them there. Under `*`, what all names of are brought.
    imports: BTreeMap<String, Vec<Vec<String>>>,
}

impl File {
    fn of(text: &str) -> File {
        let code = code_of(text);
        let mut imports: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        for (at, _) in code.match_indices("use ") {
            let mut found = Vec::new();
            if begins_word(&code, at) {
                collect(&code[at + "use ".len()..], &mut Vec::new(), &mut found);
            }
            for Named { path, name } in found {
                imports.entry(name).or_default().push(path);
            }
        }
        let paths = paths(&code, &["crate::", "super::", "self::"]);
        File { paths, imports, code }
    }

    /// Whether it has an item of this name.
    fn has(&self, name: &str) -> bool {
        let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
        let is_item = |kind: &str| {
            let item = format!("{kind} {name}");
            let ends = |at: usize| !self.code[at + item.len()..].starts_with(is_of_word);
            self.code.match_indices(&item).any(|(at, _)| begins_word(&self.code, at) && ends(at))
        };
        kinds.into_iter().any(is_item)
    }
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

/// What the paths of a file lead to.
#[derive(Default)]
struct Found {
    modules: BTreeSet<Module>,
    /// The names that were looked up, each in a module: imports may go round in a circle.
    names: BTreeSet<(Module, String)>,
}

/// The modules that a path of `from` goes through: the longest that it spells and, where that one
/// has the name from elsewhere, the ones that it has it from.
fn follow(crate_: &Crate, from: &Module, path: &[String], found: &mut Found) {
    let Some((at, rest)) = spelt(crate_, from, path) else { return };
    let Some(file) = crate_.get(&at) else { return };
    found.modules.insert(at.clone());
    let Some((name, after)) = rest.split_first() else { return };
    if file.has(name) || !found.names.insert((at.clone(), name.clone())) {
        return;
    }
    for import in file.imports.get(name).into_iter().flatten() {
        follow(crate_, &at, &[import, after].concat(), found);
    }
    for import in file.imports.get("*").into_iter().flatten() {
        let all = spelt(crate_, &at, import).filter(|(to, _)| *to != at && !at.starts_with(to));
        if all.is_some_and(|(to, _)| crate_.get(&to).is_some_and(|it| it.has(name))) {
            follow(crate_, &at, &[import, rest].concat(), found);
        }
    }
}

/// The longest module that a path spells, and what is left of it. A path of an import may begin
/// with a module inside the importing one.
fn spelt<'p>(crate_: &Crate, from: &Module, path: &'p [String]) -> Option<(Module, &'p [String])> {
    let (first, mut rest) = path.split_first()?;
    let mut at = match first.as_str() {
        "crate" => Vec::new(),
        "self" => from.clone(),
        "super" => from[..from.len().checked_sub(1)?].to_vec(),
        inside => [&from[..], &[inside.to_owned()]].concat(),
    };
    while let Some((segment, after)) = rest.split_first() {
        let next = match segment.as_str() {
            "super" => at[..at.len().checked_sub(1)?].to_vec(),
            inside => [&at[..], &[inside.to_owned()]].concat(),
        };
        if !crate_.contains_key(&next) {
            break;
        }
        (at, rest) = (next, after);
    }
    crate_.contains_key(&at).then_some((at, rest))
}

/// What a text names in a library: the first segments of paths into it.
pub(crate) fn named_in(text: &str, library: &str) -> BTreeSet<String> {
    let paths = paths(&code_of(text), &[&format!("{library}::")]);
    paths.into_iter().filter_map(|path| path.into_iter().nth(1)).collect()
}

/// A text without its comments, as one line.
fn code_of(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect()
}

/// The paths in a text that begin as said, those in braces one by one.
fn paths(code: &str, starts: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in starts {
        for (at, _) in code.match_indices(start) {
            if begins_word(code, at) {
                collect(&code[at..], &mut Vec::new(), &mut found);
            }
        }
    }
    found.into_iter().map(|it| it.path).collect()
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a word or a path begins here.
fn begins_word(code: &str, at: usize) -> bool {
    code[..at].chars().next_back().is_none_or(|c| !is_of_word(c) && c != ':')
}

/// A path, and the name that it has from then on.
struct Named {
    path: Vec<String>,
    name: String,
}

/// Reads one path, and returns what comes after it.
fn collect<'a>(mut rest: &'a str, so_far: &mut Vec<String>, found: &mut Vec<Named>) -> &'a str {
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
        let end = match rest.starts_with('*') {
            true => 1,
            false => rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()),
        };
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
                let mut path = so_far.clone();
                if path.len() > 1 && path.last().is_some_and(|it| it == "self") {
                    path.pop();
                }
                let mut name = path.last().cloned().unwrap_or_default();
                if let Some(renamed) = rest.strip_prefix(" as ") {
                    rest = renamed.trim_start_matches(is_of_word);
                    name = renamed[..renamed.len() - rest.len()].to_owned();
                }
                found.push(Named { path, name });
                break;
            }
        }
    }
    so_far.truncate(depth);
    rest
}
