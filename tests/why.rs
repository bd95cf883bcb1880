//! `--why` explains and changes no answer; `--smt` writes queries that other solvers read, and
//! answer as we do.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Kernels of the corpus with options for a launch that they have an answer under: one for each way
/// in which a question is settled.
const KERNELS: &[(&str, &[&str])] = &[
    ("loops/proved_grid_stride.cu", &["--grid", "any", "--block", "256"]),
    ("loops/refuted_grid_stride.cu", &["--grid", "any", "--block", "256"]),
    (
        "loops/unknown_warshall_symbolic.cu",
        &["--grid", "1", "--block", "any", "--assume", "n > 0 && n <= 10000"],
    ),
    ("index/refuted_all_runs_wrap.cu", &["--grid", "1", "--block", "64", "--assume", "n >= 65536"]),
    ("index/proved_bank_padding.cu", &["--grid", "1", "--block", "64"]),
    ("locks/proved_account.cu", &["--grid", "4", "--block", "64"]),
    ("exchange/refuted_neighbour_before_barrier.cu", &["--grid", "1", "--block", "64"]),
    ("exchange/proved_neighbour_after_barrier.cu", &["--grid", "1", "--block", "64"]),
];

fn path(kernel: &str) -> String {
    format!("tests/kernels/{kernel}")
}

fn check(kernel: &str, launch: &[&str], more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["check", "--quiet", &path(kernel)])
        .args(launch)
        .args(more)
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// A folder of this name for one test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _absent = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for tests is writable");
    folder
}

#[test]
fn an_explanation_changes_no_answer_and_is_the_same_each_time() {
    for (kernel, launch) in KERNELS {
        let plain = check(kernel, launch, &["--format", "json"]);
        let explained = check(kernel, launch, &["--format", "json", "--why"]);
        let again = check(kernel, launch, &["--format", "json", "--why", "--jobs", "1"]);
        assert_eq!(text(&plain.stdout), text(&explained.stdout), "{kernel}");
        assert_eq!(plain.status, explained.status, "{kernel}");
        assert_eq!(text(&explained.stderr), text(&again.stderr), "{kernel}");
        assert!(text(&plain.stderr).is_empty(), "{kernel}: nothing is told unasked");
        assert!(text(&explained.stderr).contains("why: "), "{kernel}");
    }
}

#[test]
fn an_explanation_says_how_a_pair_was_settled() {
    let said = |kernel: usize| {
        let (kernel, launch) = KERNELS[kernel];
        text(&check(kernel, launch, &["--why"]).stderr)
    };
    for (kernel, parts) in [
        (
            0,
            &[
                "races, the store to `out` at tests/kernels/loops/proved_grid_stride.cu:6",
                "two threads of one block, asked as it stands: cannot happen, by algebra",
                "threads of two blocks, asked as it stands: cannot happen, by algebra",
                "`i` starts as ",
                " each iteration",
                "inter-block-race: proved",
                "assumes pointer arguments do not overlap",
            ][..],
        ),
        (
            2,
            &[
                "barriers, at tests/kernels/loops/unknown_warshall_symbolic.cu:10",
                "decisions on the way that no value tells apart are uniform",
                "a barrier stands between them (structure)",
                "without runs in which index arithmetic wraps around: cannot happen",
                "not followed: what `reach` (written at line 8) holds at line 7 (memory that the kernel writes)",
                "replay of a run",
            ],
        ),
        (5, &["what locks keep apart is stated"]),
        (6, &["replay of a run", "the violation happens"]),
    ] {
        let said = said(kernel);
        for part in parts {
            assert!(said.contains(part), "{}: no `{part}` in\n{said}", KERNELS[kernel].0);
        }
    }
}

#[test]
fn an_explanation_is_not_kept_from_anyone_by_the_cache() {
    let (kernel, launch) = KERNELS[0];
    let cache = folder("why_cache");
    let cache = cache.to_str().expect("the path is UTF-8");
    let first = check(kernel, launch, &["--cache", cache]);
    let known = check(kernel, launch, &["--cache", cache, "--why"]);
    let fresh = check(kernel, launch, &["--why"]);
    assert_eq!(text(&first.stdout), text(&known.stdout));
    assert_eq!(text(&known.stderr), text(&fresh.stderr));
    assert!(text(&known.stderr).contains("races, "), "{}", text(&known.stderr));
}

/// The queries of all kernels, each file with its text.
fn queries(name: &str) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for (index, (kernel, launch)) in KERNELS.iter().enumerate() {
        let folder = folder(&format!("{name}_{index}"));
        let given = folder.to_str().expect("the path is UTF-8");
        check(kernel, launch, &["--smt", given]);
        let files = std::fs::read_dir(&folder).expect("the folder is there");
        let mut paths: Vec<_> = files.map(|it| it.expect("a file").path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{kernel} asks the solver");
        let read = |path: PathBuf| {
            let text = std::fs::read_to_string(&path).expect("the file was written");
            (path, text)
        };
        all.extend(paths.into_iter().map(read));
    }
    all
}

/// What is wrong with a script: parentheses, names that nothing declares, its status, its end.
fn faults(script: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut depth = 0i64;
    let mut known = BTreeSet::new();
    let mut words: Vec<String> = vec![String::new()];
    for c in script.chars() {
        match c {
            '(' | ')' => {
                depth += if c == '(' { 1 } else { -1 };
                words.extend([c.to_string(), String::new()]);
            }
            c if c.is_whitespace() => words.push(String::new()),
            c => words.last_mut().expect("there is one").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    let is_name = |word: &str| {
        let mut chars = word.chars();
        matches!(chars.next(), Some('e' | 'p' | 'f'))
            && word.len() > 1
            && chars.all(|c| c.is_ascii_digit())
    };
    for (at, word) in words.iter().enumerate() {
        let declares = at > 0
            && ["declare-const", "declare-fun", "define-fun"].contains(&words[at - 1].as_str());
        if declares {
            if !known.insert(word) {
                wrong.push(format!("`{word}` is declared twice"));
            }
        } else if is_name(word) && !known.contains(word) {
            wrong.push(format!("`{word}` is not declared"));
        }
    }
    let status = ["unsat", "sat", "unknown"];
    if !status.iter().any(|it| script.contains(&format!("(set-info :status {it})\n"))) {
        wrong.push("no status".to_owned());
    }
    if depth != 0 || !script.ends_with("(check-sat)\n") {
        wrong.push("it ends in the middle".to_owned());
    }
    wrong
}

#[test]
fn queries_are_scripts() {
    let queries = queries("smt_read");
    let (mut sat, mut unsat) = (0, 0);
    for (path, script) in &queries {
        assert_eq!(faults(script), Vec::<String>::new(), "{}", path.display());
        sat += usize::from(script.contains(":status sat"));
        unsat += usize::from(script.contains(":status unsat"));
    }
    assert!(sat >= 8 && unsat >= 8, "{sat} and {unsat} of {}", queries.len());
    for broken in ["(check-sat)\n)", "(assert e1)\n(check-sat)\n"] {
        assert!(!faults(broken).is_empty(), "{broken}");
    }
}

/// Z3 behind the solver's crate, as its own tests run it, reads the written files.
#[test]
fn z3_agrees_with_the_status_of_each_query() {
    let queries = queries("smt_z3");
    let list = folder("smt_list").join("files");
    let paths: Vec<String> = queries.iter().map(|(path, _)| path.display().to_string()).collect();
    std::fs::write(&list, paths.join("\n")).expect("the folder for tests is writable");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("inside the target folder");
    let run = Command::new(env!("CARGO"))
        .args(["test", "--package", "heddle-solver", "--features", "z3", "--test", "z3_agrees"])
        .args(["--target-dir", &target.display().to_string(), "--", "on_written_files"])
        .env("HEDDLE_SMT_FILES", &list)
        .output()
        .expect("cargo runs");
    let said = text(&run.stdout);
    assert!(
        run.status.success() && said.contains("1 passed"),
        "Z3 disagrees, or is not there: `make test-deps` installs it (Debian's libz3-dev)\n{said}\n{}",
        text(&run.stderr)
    );
}
