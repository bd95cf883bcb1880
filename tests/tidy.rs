//! The rules of the house that a program can check. Each failure says what to do.

#[path = "harness/arrows.rs"]
mod arrows;
#[path = "harness/edges.rs"]
mod edges;
#[path = "tidy/modules.rs"]
mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use edges::EDGES;
use heddle_diagnostics::{Code, Family, Property, examples};
use heddle_passes::PASSES;

/// The crates whose sources may name the bindings of LLVM and of MLIR.
const NAME_LLVM: [&str; 2] = ["frontend/llvm", "frontend/mlir"];

/// No source file is longer. What is about to be is two ideas.
const LONGEST_FILE: usize = 520;

/// No comment is wider, but for tables and what stands between fences; rustfmt breaks code there.
const WIDEST_COMMENT: usize = 100;

/// What a kernel file's name starts with.
const VERDICTS: [&str; 3] = ["proved_", "refuted_", "unknown_"];

#[test]
fn crates_use_only_the_crates_they_may() {
    let mut wrong = Vec::new();
    for (crate_, allowed) in EDGES {
        for used in used_crates(crate_) {
            if !allowed.contains(&used.as_str()) {
                wrong.push(format!(
                    "{crate_}/Cargo.toml uses heddle-{used}, and may use {allowed:?}"
                ));
            }
        }
    }
    fail_with(
        &wrong,
        "move the code to where the boundary allows it (ARCHITECTURE.md), or decide on the edge in EDGES",
    );
}

#[test]
fn the_table_of_crates_is_the_one_that_is_held() {
    let page = read(Path::new("ARCHITECTURE.md"));
    let mut wrong = Vec::new();
    for (crate_, allowed) in EDGES {
        let folder = if *crate_ == "." { "src" } else { crate_ };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{folder}/` |")));
        let Some(last) = row.and_then(|row| row.trim_end_matches([' ', '|']).rsplit('|').next())
        else {
            wrong.push(format!("ARCHITECTURE.md has no row for {folder}/"));
            continue;
        };
        let names = last.split('`').nth(1).unwrap_or_default().split_whitespace();
        let shown: BTreeSet<_> = names.filter_map(|it| it.rsplit('/').next()).collect();
        let held: BTreeSet<_> = allowed.iter().copied().collect();
        let used = used_crates(crate_);
        let used: BTreeSet<_> = used.iter().map(String::as_str).collect();
        if shown != held || used != held {
            wrong
                .push(format!("{folder}: the table has {shown:?}, EDGES {held:?}, cargo {used:?}"));
        }
    }
    fail_with(&wrong, "the table of ARCHITECTURE.md, EDGES and the manifests say the same");
}

#[test]
fn every_crate_has_its_edges_listed() {
    let listed: BTreeSet<_> = EDGES.iter().map(|(crate_, _)| (*crate_).to_owned()).collect();
    let found: BTreeSet<_> = members().into_iter().chain([".".to_owned()]).collect();
    assert_eq!(found, listed, "list each crate of the workspace in EDGES");
}

#[test]
fn llvm_is_named_in_one_crate_only() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if !NAME_LLVM.iter().any(|it| path.starts_with(it)) && !path.ends_with("tests/tidy.rs") {
            for name in ["llvm_sys", "inkwell", "melior", "mlir_sys"] {
                if mentions(&text, name) {
                    wrong.push(format!("{} names {name}", path.display()));
                }
            }
        }
    }
    fail_with(
        &wrong,
        "what a pass wants to know of LLVM is a field that the IR lacks: add it there and fill it in frontend/lift; a question to LLVM itself belongs in frontend/llvm",
    );
}

/// The files of the generator that talk to the checker, and to the executors.
const DOORS: [(&str, &[&str]); 2] =
    [("tests/verdicts/ask.rs", &[]), ("tests/verdicts/execute.rs", &["interp", "ir"])];

#[test]
fn the_generator_of_verdicts_shares_no_code_with_the_checker() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if path.starts_with("tests/verdicts") {
            let reasoning = ["passes", "solver", "interp", "trace", "progress", "ir"];
            let other = ["diagnostics", "driver", "frontend", "clang", "runtime"];
            let door = DOORS.iter().find(|(door, _)| path.ends_with(door));
            let allowed = door.map_or(&[][..], |(_, allowed)| *allowed);
            let forbidden = reasoning.iter().filter(|it| !allowed.contains(it));
            for name in forbidden.chain(if door.is_some() { &[][..] } else { &other[..] }) {
                if mentions(&text, &format!("heddle_{name}")) {
                    wrong.push(format!("{} names heddle_{name}", path.display()));
                }
            }
        }
    }
    fail_with(
        &wrong,
        "an oracle that shares code with what it judges makes the same mistakes; ask.rs is the one door, and execute.rs that to the executors",
    );
}

#[test]
fn every_file_says_first_what_it_is_for() {
    // A file that is included in another has a plain comment: it is no module.
    let heads = |text: &str| {
        let first = text.lines().next().unwrap_or_default();
        (first.starts_with("//! ") || first.starts_with("// ")) && first.len() > 12
    };
    let wrong: Vec<_> = sources()
        .into_iter()
        .filter(|(_, text)| !heads(text))
        .map(|(path, _)| path.display().to_string())
        .collect();
    fail_with(
        &wrong,
        "start the file with `//!` and what it is for, what it promises, what it does not do",
    );
}

#[test]
fn no_file_is_too_long() {
    let wrong: Vec<_> = sources()
        .into_iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(path, lines)| format!("{}: {lines} lines", path.display()))
        .collect();
    fail_with(&wrong, &format!("split these by idea; {LONGEST_FILE} lines is the most"));
}

#[test]
fn comments_are_no_wider_than_code() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let mut verbatim = false;
        for (number, line) in text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else {
                verbatim = false;
                continue;
            };
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            verbatim ^= comment.starts_with("```");
            let is_table = comment.starts_with('|') || verbatim;
            if !is_table && line.chars().count() > WIDEST_COMMENT {
                wrong.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    fail_with(&wrong, &format!("break these comments before column {WIDEST_COMMENT}"));
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not hold them.
    let words =
        ["TO DO", "FIX ME", "XX X", "unimplemented !", "to do!", "#[ig nore", "allow(dead _code"]
            .map(|it| it.replace(' ', ""));
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (number, line) in (1..).zip(text.lines()) {
            wrong.extend(
                words
                    .iter()
                    .filter(|word| line.contains(*word))
                    .map(|word| format!("{}:{number}: {word}", path.display())),
            );
        }
    }
    fail_with(&wrong, "do it, or say in the module head what the file does not do");
}

#[test]
fn unsafe_code_is_forbidden_where_it_is_not_needed() {
    let crates = "diagnostics ir solver interp interp/semantics interp/trace passes progress progress/litmus driver \
                  frontend frontend/lift frontend/ptx .";
    let wrong: Vec<_> = crates
        .split(' ')
        .map(|crate_| format!("{crate_}/src/lib.rs"))
        .filter(|path| !read(Path::new(path)).contains("#![forbid(unsafe_code)]"))
        .collect();
    fail_with(
        &wrong,
        "add `#![forbid(unsafe_code)]`; who talks to C (frontend/llvm, frontend/clang, plugin, the GPU's driver in runtime) or calls compiled code is on the list",
    );
}

/// Crates in which no `match` over an enum has a wildcard arm. There a new operation or expression
/// would be taken for harmless. The others name the operations that they make (`frontend`), print
/// (`diagnostics`, `driver`), or recognise shapes and hand what they do not recognise to the next
/// method (`solver`, which still has two arms that stand for the last operator of a group).
const WITHOUT_WILDCARDS: [&str; 5] =
    ["passes", "interp", "interp/semantics", "progress", "interp/trace"];

#[test]
fn wildcards_are_denied_where_a_new_operation_could_pass_for_harmless() {
    let lint = "#![deny(clippy::wildcard_enum_match_arm)]";
    let wrong: Vec<_> = WITHOUT_WILDCARDS
        .into_iter()
        .map(|crate_| format!("{crate_}/src/lib.rs"))
        .filter(|path| !read(Path::new(path)).contains(lint))
        .collect();
    fail_with(&wrong, "clippy must hold that matches list all variants: put the lint back");
}

#[test]
fn every_code_has_a_pass_and_a_kernel_that_shows_it() {
    let shown = markers_in_kernels();
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        // Codes about the tool or about what was not decided belong to no one pass.
        let (needs_pass, needs_kernel) = match code.family() {
            Family::NotModelled => (false, true),
            Family::Races | Family::Barriers | Family::Memory => (true, true),
            Family::Convergence | Family::Assertions | Family::Progress => (true, true),
            Family::Tool => (false, false),
        };
        // What only a run shows has examples that say so, and `tests/dynamic` runs them.
        let dynamic = examples(code.page()).iter().any(|it| it.dynamic);
        if needs_pass && !dynamic && !PASSES.iter().any(|pass| pass.codes().contains(&code)) {
            wrong.push(format!("{code}: no pass of PASSES names it"));
        }
        let in_page = examples(code.page()).iter().any(|it| it.expects_finding);
        if needs_kernel && !shown.contains(&code) && !in_page {
            wrong.push(format!(
                "{code}: no kernel in tests/kernels and no example of its page has `~ {code}`"
            ));
        }
    }
    fail_with(
        &wrong,
        "a code is five things, landed together: row, page with a running example, pass, a kernel that triggers it, one that must not",
    );
}

#[test]
fn passes_are_named_as_their_properties() {
    let names: Vec<_> = PASSES.iter().map(|pass| pass.name()).collect();
    let unique: BTreeSet<_> = names.iter().collect();
    assert_eq!(names.len(), unique.len(), "two passes have one name: {names:?}");
    for property in Property::ALL {
        assert!(names.contains(&property.name()), "no pass decides {property}: add it to PASSES");
    }
    for pass in PASSES {
        let summary = pass.summary();
        assert!(
            !summary.is_empty() && !summary.ends_with('.'),
            "{}: a summary is a phrase without full stop",
            pass.name()
        );
        assert!(!pass.codes().is_empty(), "{}: name the codes it reports", pass.name());
    }
}

#[test]
fn kernel_files_are_named_by_their_verdict() {
    let wrong: Vec<_> = kernel_files()
        .into_iter()
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let known = [".cu", ".cl", ".ll", ".ptx", ".mlir"].iter().any(|it| name.ends_with(it));
            !known || !VERDICTS.iter().any(|verdict| name.starts_with(verdict))
        })
        .map(|path| path.display().to_string())
        .collect();
    fail_with(&wrong, "name it `{proved,refuted,unknown}_<what>.{cu,cl,ll,ptx,mlir}`");
}

#[test]
fn kernels_that_the_docs_name_are_there() {
    let mut pages: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(PathBuf::from).to_vec();
    let docs = std::fs::read_dir("docs").expect("the folder of pages").flatten();
    pages.extend(docs.map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "md")));
    let (mut wrong, mut named) = (Vec::new(), 0);
    for page in &pages {
        for part in read(page).split('`') {
            let name = part.strip_prefix("tests/kernels/").unwrap_or(part);
            let file = name.split_once('/').map_or("", |(_, file)| file);
            let is_kernel = VERDICTS.iter().any(|it| file.starts_with(it))
                && file.split_once('.').is_some_and(|(stem, _)| {
                    stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                });
            if is_kernel {
                named += 1;
                if !Path::new("tests/kernels").join(name).exists() {
                    wrong.push(format!("{}: `{name}`", page.display()));
                }
            }
        }
    }
    assert!(named > 50, "only {named} were found");
    fail_with(&wrong, "name the kernel that shows it now");
}

#[test]
fn messages_of_the_registry_are_phrases() {
    for code in Code::ALL {
        assert!(!code.title().ends_with('.'), "{code}: no full stop");
        assert!(
            code.page().lines().any(|line| line.starts_with("## How to fix it")),
            "{code}: the page must say how to fix it"
        );
    }
}

/// The folders of all crates but the root's.
fn members() -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from(".")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let hidden = name.to_string_lossy().starts_with('.') || name == "target";
            if path.is_dir() && !hidden {
                if path.join("Cargo.toml").exists() {
                    found.push(path.strip_prefix(".").unwrap_or(&path).display().to_string());
                }
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Crates of ours under `[dependencies]` and `[build-dependencies]`. Tests may use more.
fn used_crates(crate_: &str) -> Vec<String> {
    let manifest = read(&Path::new(crate_).join("Cargo.toml"));
    let mut used = Vec::new();
    let mut counts = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            counts = line == "[dependencies]"
                || line == "[build-dependencies]"
                || line.starts_with("[target.");
        } else if counts && let Some(rest) = line.strip_prefix("heddle-") {
            let name: String =
                rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
            used.push(name);
        }
    }
    used
}

/// All Rust files of the workspace with their text, by path.
fn sources() -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let members = members();
    let of_root = ["src", "tests", "benches", "build.rs"].map(PathBuf::from);
    for start in members.iter().map(PathBuf::from).chain(of_root) {
        collect(&start, &mut files);
    }
    assert!(files.len() > 50, "the walk must find the sources");
    files
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, String>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder").flatten() {
            if entry.file_name() != "target" {
                collect(&entry.path(), files);
            }
        }
    } else if path.extension().is_some_and(|it| it == "rs") {
        files.insert(path.to_owned(), read(path));
    }
}

fn kernel_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for topic in std::fs::read_dir("tests/kernels").expect("tests/kernels").flatten() {
        if topic.path().is_dir() {
            files.extend(
                std::fs::read_dir(topic.path()).expect("a folder").flatten().map(|it| it.path()),
            );
        }
    }
    files.sort();
    files
}

fn markers_in_kernels() -> BTreeSet<Code> {
    let mut codes = BTreeSet::new();
    for path in kernel_files() {
        for line in read(&path).lines() {
            let marker = line.rsplit_once("// ~").or_else(|| line.rsplit_once("; ~"));
            codes.extend(
                marker
                    .into_iter()
                    .flat_map(|(_, codes)| codes.split_whitespace())
                    .filter_map(|it| it.parse::<Code>().ok()),
            );
        }
    }
    codes
}

/// Whether a name stands in the text as a path or an import, not in a comment.
fn mentions(text: &str, name: &str) -> bool {
    text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(name))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn fail_with(wrong: &[String], advice: &str) {
    assert!(wrong.is_empty(), "{} wrong:\n\n{}\n\n{advice}", wrong.len(), wrong.join("\n"));
}
