//! The eight patterns of `docs/found.md`: each kernel's run and its check report what its header
//! says, the run under each schedule.
//!
//! Line 2 of a kernel: `run: grid=1 block=64 n=3 | x=i32[64] y=f32[8] | HD0101`; line 3: `check:
//! grid=1 block=64 | HD0101`.

use heddle_driver::dynamic::{RunOptions, run};
use heddle_driver::{CheckOptions, Progress, Size, Source, check};
use heddle_runtime::Schedule;

#[path = "harness/header.rs"]
mod header;

fn patterns() -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir("tests/found")
        .expect("the folder of patterns")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    assert_eq!(files.len(), 8);
    files
}

#[test]
fn each_pattern_is_told_by_its_check() {
    for path in patterns() {
        let text = std::fs::read_to_string(&path).expect("a kernel");
        let line =
            text.lines().nth(2).and_then(header::comment).and_then(|it| it.strip_prefix("check: "));
        let (launch, code) = line.and_then(|it| it.split_once(" | ")).expect("a `check:` line");
        let mut options = CheckOptions {
            launch: header::launch_options(launch).expect("a launch"),
            ..CheckOptions::default()
        };
        header::check_options(launch, &mut options).expect("options of the check");
        let compiler = heddle_clang::Embedded;
        let outcome =
            check(&[Source::File(path.clone())], &options, &compiler, &Progress::default())
                .expect("threads and a current folder");
        let found: Vec<_> = outcome.report.findings().map(|it| it.code.number()).collect();
        assert!(found.contains(&code), "{}: {found:?}, not {code}", path.display());
    }
}

#[test]
fn each_pattern_is_found_by_its_run() {
    let mut wrong = Vec::new();
    for path in patterns() {
        let text = std::fs::read_to_string(&path).expect("a kernel");
        let line =
            text.lines().nth(1).and_then(|it| it.strip_prefix("// run: ")).expect("a `run:` line");
        let parts: Vec<_> = line.split(" | ").collect();
        let mut options =
            RunOptions { timeout: std::time::Duration::from_secs(60), ..RunOptions::default() };
        for token in parts[0].split_whitespace() {
            let (name, value) = token.split_once('=').expect("`name=value`");
            match (name, value.parse()) {
                ("grid", Ok(Size::Known(size))) => options.grid = size,
                ("block", Ok(Size::Known(size))) => options.block = size,
                ("resident", _) => options.resident = value.parse().ok(),
                _ => options.args.push((name.to_owned(), value.to_owned())),
            }
        }
        options.buffers =
            parts[1].split_whitespace().map(|it| it.parse().expect("a buffer")).collect();
        for schedule in Schedule::ALL {
            options.schedule = schedule;
            let outcome = run(&Source::File(path.clone()), &options, &heddle_clang::Embedded)
                .expect("a current folder");
            let found: Vec<_> = outcome
                .report
                .findings()
                .map(|it| (it.code.number(), it.message.clone()))
                .collect();
            if !found.iter().any(|(code, _)| *code == parts[2]) {
                wrong.push(format!("{} {schedule}: {found:?}, not {}", path.display(), parts[2]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
