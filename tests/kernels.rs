//! Every file in `tests/kernels` answers as its name and its markers say, and as its snapshot shows
//! it.
//!
//! Beside that, properties that hold for every kernel at no cost: the lifted IR keeps the rules of
//! the IR and survives printing and parsing; refutations are confirmed by replay; the number of
//! jobs changes nothing. `INSTA_GLOB_FILTER` limits the snapshots, `HEDDLE_KERNELS=race` all tests,
//! to paths with that text.

mod harness;
mod schema;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use harness::{Case, fail_with, on_all_cores, overall};
use heddle_diagnostics::record;
use heddle_diagnostics::render::{Colour, human, json, jsonl, junit, sarif, summary};
use heddle_diagnostics::{Confirmation, Report, Unreplayed, Verdict};
use heddle_driver::{CheckOptions, LaunchOptions, Outcome, Progress, Source, check};
use heddle_frontend::from_mlir::is_installed;
use heddle_ir::Kernel;

/// Refutations that replay does not confirm, each with the class of the reason and why it is so.
/// Empty is what it should be.
const UNCONFIRMED: &[(&str, Unreplayed, &str)] =
    &[("calls/refuted_endless_function.cu", Unreplayed::TooLong, "a thread never gets on")];

/// A file with what the check said.
struct Answered {
    case: Case,
    outcome: Outcome,
}

impl Answered {
    fn path(&self) -> &Path {
        &self.case.path
    }

    fn report(&self) -> &Report {
        &self.outcome.report
    }
}

/// All files, each checked once for all tests; or what is wrong with their headers.
static ANSWERED: LazyLock<Vec<Result<Answered, String>>> = LazyLock::new(|| {
    on_all_cores(&kernel_files(), |path| {
        let case = Case::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let outcome = case.answer();
        Ok(Answered { case, outcome })
    })
});

fn answered() -> impl Iterator<Item = &'static Answered> {
    ANSWERED.iter().filter_map(|it| it.as_ref().ok())
}

fn kernel_files() -> Vec<PathBuf> {
    let filter = std::env::var("HEDDLE_KERNELS").unwrap_or_default();
    let mut files = Vec::new();
    for topic in folder(Path::new("tests/kernels")).into_iter().filter(|it| it.is_dir()) {
        files
            .extend(folder(&topic).into_iter().filter(|it| it.to_string_lossy().contains(&filter)));
    }
    // Without the program that reads them `tests/mlir` fails, once, and says what to build.
    files.retain(|it| it.extension().is_none_or(|it| it != "mlir") || is_installed());
    files
}

fn folder(path: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

#[test]
fn every_kernel_answers_as_its_name_and_markers_say() {
    let mut wrong = Vec::new();
    for it in ANSWERED.iter() {
        let it = match it {
            Ok(it) => it,
            Err(error) => {
                wrong.push(error.clone());
                continue;
            }
        };
        let name = it.path().file_name().unwrap_or_default().to_string_lossy();
        let expected = name.split('_').next().unwrap_or_default();
        let found = overall(it.report());
        if found != expected {
            wrong.push(format!("{}: {found}, not {expected}", it.path().display()));
        }
        for line in it.case.disagreements(it.report()) {
            wrong.push(format!("{}: {line}", it.path().display()));
        }
    }
    fail_with(&wrong, "`heddle check FILE` with the options of its launch line shows more");
}

#[test]
fn every_refutation_is_confirmed_by_replay() {
    let mut wrong = Vec::new();
    for it in answered() {
        let path = it.path().display().to_string();
        let excused = |why: Unreplayed| {
            why.is_limit_of_replay()
                && UNCONFIRMED.iter().any(|(file, class, _)| path.ends_with(file) && *class == why)
        };
        for kernel in it.report().kernels() {
            for (property, verdict) in &kernel.verdicts {
                let Verdict::Refuted(refutations) = verdict else { continue };
                for refutation in refutations {
                    match &refutation.confirmation {
                        Confirmation::Confirmed => {}
                        Confirmation::NotReplayed(why, _) if excused(*why) => {}
                        Confirmation::Unconfirmed(reason)
                        | Confirmation::NotReplayed(_, reason) => {
                            wrong
                                .push(format!("{path}: {property}: {}: {reason}", refutation.code));
                        }
                    }
                }
            }
        }
    }
    fail_with(&wrong, "make the replay reach it, or list the file in UNCONFIRMED with the reason");
}

#[test]
fn every_rendering_is_the_snapshot() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.bind(|| {
        insta::glob!("kernels/*/*", |path| {
            let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path);
            let Some(it) = answered().find(|it| it.path() == path) else { return };
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(snapshot_folder(path));
            settings.remove_snapshot_suffix();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            settings.bind(|| insta::assert_snapshot!(name, rendered(it.report())));
        });
    });
}

/// `tests/kernels/race/x.cu` has its snapshot in `snapshots/race`.
fn snapshot_folder(path: &Path) -> PathBuf {
    let topic = path.parent().and_then(Path::file_name).unwrap_or_default();
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(topic)
}

fn rendered(report: &Report) -> String {
    human::report(report, human::Options::default()) + &summary::report(report, Colour::Never)
}

#[test]
fn every_snapshot_has_its_kernel() {
    let root = Path::new("snapshots");
    let mut wrong = Vec::new();
    assert!(root.is_dir(), "write the snapshots: docs/testing.md says how");
    for topic in folder(root).into_iter().filter(|it| it.is_dir()) {
        for snapshot in folder(&topic) {
            let kernel =
                Path::new("tests/kernels").join(snapshot.strip_prefix(root).unwrap_or(&snapshot));
            if snapshot.extension().is_none_or(|it| it != "snap")
                || !kernel.with_extension("").exists()
            {
                wrong.push(snapshot.display().to_string());
            }
        }
    }
    fail_with(&wrong, "delete these: no kernel belongs to them");
}

/// MLIR parses and verifies all kernels, and what it prints of them, in words of its own, reads
/// back as the same kernels: places, names, numbers of instructions, order of tables.
#[test]
fn every_lifted_kernel_is_verified_by_mlir_and_reads_back() {
    let all = || answered().flat_map(|it| it.outcome.kernels.iter().map(move |of| (it.path(), of)));
    let modules: Vec<_> =
        all().map(|(_, it)| heddle_ir::print_mlir(std::slice::from_ref(it))).collect();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus.mlir");
    std::fs::write(&path, modules.concat()).expect("the folder for tests is writable");
    let output = std::process::Command::new("mlir-opt-22")
        .args(["--irdl-file=docs/heddle.irdl", "--mlir-print-debuginfo", "-o", "-"])
        .arg(&path)
        .output()
        .expect("`tools/install-deps --tests` installs mlir-opt-22");
    let said: String = String::from_utf8_lossy(&output.stderr).chars().take(4000).collect();
    assert!(output.status.success(), "{said}");
    let printed = String::from_utf8(output.stdout).expect("MLIR prints UTF-8");
    let printed = heddle_ir::parse_mlir(&printed).expect("what MLIR printed");
    assert_eq!(printed.len(), modules.len());
    let mut wrong = Vec::new();
    let same = |it: &Kernel| heddle_ir::print_kernel(&heddle_ir::renumber(it));
    for (((path, kernel), written), printed) in all().zip(&modules).zip(&printed) {
        let (path, wanted) = (path.display(), same(kernel));
        match heddle_ir::parse_mlir(written).as_deref() {
            Ok([it]) if same(it) == wanted => {}
            Ok(_) => wrong.push(format!("{path}: what is written reads as another kernel")),
            Err(error) => wrong.push(format!("{path}: what is written is not read: {error}")),
        }
        if same(printed) != wanted {
            wrong.push(format!("{path}: what MLIR prints reads as another kernel"));
        }
    }
    fail_with(&wrong, "`heddle lift --emit=mlir FILE` prints what is written");
}

#[test]
fn every_lifted_kernel_keeps_the_rules_and_survives_its_text() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for it in answered() {
        let path = it.path().display();
        if it.outcome.kernels.is_empty() {
            wrong.push(format!("{path}: nothing was lifted"));
        }
        for kernel in &it.outcome.kernels {
            seen += 1;
            if let Err(errors) = heddle_ir::verify(kernel) {
                wrong.extend(errors.into_iter().map(|error| format!("{path}: {error}")));
            }
            let text = heddle_ir::print_kernel(kernel);
            match heddle_ir::parse_kernel(&text) {
                Ok(again) if heddle_ir::print_kernel(&again) == text => {}
                Ok(_) => wrong.push(format!("{path}: the text parses to another kernel")),
                Err(error) => wrong.push(format!("{path}: the text does not parse: {error}")),
            }
        }
    }
    assert!(seen > 0, "no kernel was looked at");
    fail_with(&wrong, "`heddle lift FILE` prints the text");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    // Files in which nothing requires another size.
    let within = |path: &PathBuf| {
        path.starts_with("tests/kernels/exchange") || path.starts_with("tests/kernels/llvm")
    };
    let sample: Vec<_> = kernel_files().into_iter().filter(within).map(Source::File).collect();
    let launch = || LaunchOptions {
        grid: "2".parse().ok(),
        block: "64".parse().ok(),
        ..LaunchOptions::default()
    };
    let answer = |jobs: usize| {
        let options = CheckOptions {
            launch: launch(),
            jobs: NonZeroUsize::new(jobs),
            ..CheckOptions::default()
        };
        let outcome = check(&sample, &options, &heddle_clang::Embedded, &Progress::default())
            .expect("threads and a current folder");
        (json::report(&outcome.report), rendered(&outcome.report))
    };
    let one = answer(1);
    assert!(one.0.contains("\"verdict\": \"proved\""), "the sample must have an answer to compare");
    for jobs in [2, 5] {
        assert!(answer(jobs) == one, "the report with {jobs} jobs is another than with 1");
    }
}

#[test]
fn every_refuted_kernel_has_its_proved_twin() {
    // The folder, and the first word of what follows the verdict: twins begin alike.
    let subjects = |verdict: &str| -> BTreeSet<(PathBuf, String)> {
        let named = kernel_files().into_iter().filter_map(|path| {
            let stem = path.file_stem()?.to_str()?.strip_prefix(verdict)?.to_owned();
            Some((path.parent()?.to_owned(), stem.split('_').next()?.to_owned()))
        });
        named.collect()
    };
    let wrong: Vec<_> = subjects("refuted_")
        .difference(&subjects("proved_"))
        .map(|(topic, subject)| format!("{}/refuted_{subject}…", topic.display()))
        .collect();
    fail_with(
        &wrong,
        "add `proved_…` beside it: the same kernel with the fix, under a name that begins alike",
    );
}

#[test]
fn every_report_is_valid_for_other_programs_and_reads_back() {
    let validator = schema::validator();
    let [document, line] = ["document", "line"].map(schema::ours);
    let mut wrong = Vec::new();
    for it in answered() {
        let report = it.report();
        let mut say = |what: String| wrong.push(format!("{}: {what}", it.path().display()));
        let log = sarif::report(report);
        schema::errors(&validator, &log).into_iter().for_each(&mut say);
        schema::errors(&document, &json::report(report)).into_iter().for_each(&mut say);
        for text in jsonl::report(report).lines() {
            schema::errors(&line, text).into_iter().for_each(&mut say);
        }
        let verdicts: usize = report.kernels().iter().map(|it| it.verdicts.len()).sum();
        if junit::report(report).matches("<testcase").count() != verdicts {
            say("JUnit has another number of test cases than there are verdicts".to_owned());
        }
        let here = std::env::current_dir().expect("a current folder");
        let sources = std::sync::Arc::new(heddle_diagnostics::SourceMap::new(here));
        let text = record::write(report.sources(), report.kernels(), report.loose_findings());
        match record::read(&text, &sources) {
            Ok((kernels, findings)) => {
                if sarif::report(&Report::new(sources, kernels, findings)) != log {
                    say("a record of it reads back to another report".to_owned());
                }
            }
            Err(error) => say(error.to_string()),
        }
    }
    fail_with(&wrong, "correct diagnostics/src/render, or diagnostics/src/record.rs");
}
