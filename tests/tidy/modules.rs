//! Modules: where their files are, which are public, and how the files of a crate use each other:
//! in no circle, and in the passes no floor a higher one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::arrows::{self, Arrows, Module, arrows};
use super::{collect, fail_with, members, read, sources};

/// The floors of `passes/src`, from the ground up.
const FLOORS: [&str; 3] = ["facts", "engine", "checks"];

#[test]
fn no_floor_of_the_passes_uses_a_higher_one() {
    let floor =
        |module: &Module| FLOORS.iter().position(|it| module.first().is_some_and(|m| m == it));
    let mut wrong = Vec::new();
    let arrows = arrows_of("passes");
    for (from, uses) in &arrows {
        for to in uses {
            if let (Some(low), Some(high)) = (floor(from), floor(to))
                && low < high
            {
                wrong.push(format!("passes/src: `{}` uses `{}`", from.join("::"), to.join("::")));
            }
        }
    }
    assert!(arrows.len() > 40, "the walk must find the files of the passes");
    fail_with(&wrong, "what both need belongs on the lower floor");
}

#[test]
fn files_of_a_crate_use_each_other_without_circles() {
    let mut found: BTreeSet<(String, Vec<String>)> = BTreeSet::new();
    for crate_ in members().into_iter().chain([".".to_owned()]) {
        found.extend(circles(&arrows_of(&crate_)).into_iter().map(|it| (crate_.clone(), it)));
    }
    let kept = CIRCLES.iter().map(|(crate_, files)| {
        (crate_.to_string(), files.iter().map(|it| it.to_string()).collect::<Vec<_>>())
    });
    let kept: BTreeSet<_> = kept.collect();
    let shown =
        |(crate_, files): &(String, Vec<String>)| format!("{crate_}/src: {}", files.join(", "));
    let wrong: Vec<_> = found.difference(&kept).map(shown).collect();
    fail_with(&wrong, "move what both files need below them");
    let gone: Vec<_> = kept.difference(&found).map(shown).collect();
    fail_with(&gone, "these are no circles any more: take them out of CIRCLES");
}

/// The circles that are there for a reason, each with its crate and its files.
const CIRCLES: [(&str, &[&str]); 1] = [
    // Handles of LLVM's objects. Each of these leads to the others there, as a function does to its
    // instructions and an instruction to its function; a file has what is asked of one kind.
    (
        "frontend/llvm",
        &["attribute", "debug", "function", "inst", "metadata", "module", "types", "value"],
    ),
];

#[test]
fn arrows_follow_names_that_a_module_hands_on() {
    let files: [(&[&str], &str); 5] = [
        (&[], "mod a; mod b; pub use a::one::{First, Second as Other};"),
        (&["a"], "mod one; mod two; mod three; use three::*; use one::First;"),
        (&["a", "one"], "pub struct First; pub struct Second;"),
        (&["a", "two"], "use super::{First, Third};"),
        (&["a", "three"], "pub struct Third; use crate::Other; // crate::b::None"),
    ];
    let module = |names: &[&str]| names.iter().map(|it| it.to_string()).collect::<Module>();
    let arrows = arrows(&files.iter().map(|(names, text)| (module(names), *text)).collect());
    let to =
        |from: &[&str]| arrows[&module(from)].iter().map(|it| it.join("::")).collect::<Vec<_>>();
    assert_eq!(to(&["a", "two"]), ["a::one", "a::three"]);
    assert_eq!(to(&["a", "three"]), ["a::one"]);
    assert_eq!((to(&["a"]), to(&["a", "one"])), (vec![], vec![]));
}

#[test]
fn a_module_with_children_is_a_file_beside_their_folder() {
    let is_old = |path: &PathBuf| {
        path.ends_with("mod.rs") && path.components().any(|it| it.as_os_str() == "src")
    };
    let wrong: Vec<_> =
        sources().into_keys().filter(is_old).map(|it| it.display().to_string()).collect();
    fail_with(&wrong, "move `x/mod.rs` to `x.rs`");
}

#[test]
fn public_modules_are_used_outside_of_their_crate() {
    let all = sources();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for crate_ in members().into_iter().chain([".".to_owned()]) {
        let source = Path::new(crate_.trim_start_matches('.')).join("src");
        let Some(root) = all.get(&source.join("lib.rs")) else { continue };
        let library = library_name(Path::new(&crate_));
        let is_outside = |path: &Path| {
            !path.starts_with(&source) || BINARIES.iter().any(|it| path.starts_with(it))
        };
        let outside = all.iter().filter(|(path, _)| is_outside(path));
        let named: BTreeSet<String> =
            outside.flat_map(|(_, text)| arrows::named_in(text, &library)).collect();
        let public = root.lines().filter_map(|it| it.strip_prefix("pub mod ")?.strip_suffix(';'));
        for module in public {
            seen += 1;
            if !named.contains(module) {
                wrong.push(format!("{}: `pub mod {module}`", source.join("lib.rs").display()));
            }
        }
    }
    assert!(seen > 30, "the walk must find the public modules");
    fail_with(&wrong, "nothing outside of the crate names these: leave `pub` out");
}

/// The parts of the root's `src` that use its library.
const BINARIES: [&str; 2] = ["src/bin", "src/main.rs"];

/// What other crates call the library of a crate.
fn library_name(crate_: &Path) -> String {
    let manifest = read(&crate_.join("Cargo.toml"));
    let of = |section: &str| {
        let (_, after) = manifest.split_once(section)?;
        let lines = after.lines().skip(1).take_while(|it| !it.starts_with('['));
        lines.filter_map(|it| it.strip_prefix("name = ")).next().map(str::to_owned)
    };
    let name = of("[lib]").or_else(|| of("[package]")).unwrap_or_default();
    name.trim_matches('"').replace('-', "_")
}

/// The arrows between the files of a crate.
fn arrows_of(crate_: &str) -> Arrows {
    let root = Path::new(crate_).join("src");
    let mut files = BTreeMap::new();
    collect(&root, &mut files);
    let texts = files.iter().map(|(path, text)| {
        let path = path.strip_prefix(&root).expect("what is found is under the folder");
        (arrows::module(path), text.as_str())
    });
    arrows(&texts.collect())
}

/// The sets of files of which each uses each, directly or through others.
fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let modules: Vec<&Module> = arrows.keys().collect();
    let number = |module: &Module| modules.binary_search(&module).expect("a module of the crate");
    let edges = arrows.iter().flat_map(|(from, uses)| uses.iter().map(move |to| (from, to)));
    let graph: DiGraphMap<usize, ()> =
        edges.map(|(from, to)| (number(from), number(to), ())).collect();
    let circles = tarjan_scc(&graph).into_iter().filter(|it| it.len() > 1);
    let named = circles.map(|circle| {
        let mut names: Vec<String> = circle.into_iter().map(|it| modules[it].join("::")).collect();
        names.sort();
        names
    });
    named.collect()
}
