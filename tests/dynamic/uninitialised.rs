//! What a check calls written before it is read, no run reads too early.

use std::path::{Path, PathBuf};

use heddle_clang::Embedded;
use heddle_diagnostics::{Code, Verdict};
use heddle_driver::dynamic::run;
use heddle_driver::{CheckOptions, Progress, Source, check};
use heddle_runtime::Schedule;
use rayon::prelude::*;

use super::corpus::{REFUSED, excused, kernels, options_of};
use super::header::{check_options, comment, launch_options};

/// The pass that is compared.
const PASS: &str = "uninitialised-shared";

/// Kernels of which the run is none that the proof speaks of.
const ELSEWHERE: &[(&str, &str)] = &[
    ("bounds/refuted_bins_by_data.cu", OUTSIDE),
    ("bounds/refuted_local_memory.cl", OUTSIDE),
    ("bounds/refuted_tree_reduction.cu", OUTSIDE),
    ("host/proved_switch_over_blocks.cu", LAUNCHED),
    ("host/proved_template_launcher.cu", LAUNCHED),
];
const OUTSIDE: &str = "the run leaves its arrays, and the proof says that it takes them to be kept";
const LAUNCHED: &str = "the proof is of the launches in the source";

/// The kernels of a file that are proved under the launch of its header.
fn proved(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().nth(1).and_then(comment).and_then(|it| it.strip_prefix("launch:"));
    let Some(line) = line else { return Vec::new() };
    let launch = launch_options(line).expect("a launch");
    let mut options = CheckOptions { launch, ..CheckOptions::default() };
    check_options(line, &mut options).expect("options of the check");
    options.passes = vec![PASS.to_owned()];
    let source = Source::File(path.to_owned());
    let outcome = check(&[source], &options, &Embedded, &Progress::default());
    let report = outcome.expect("threads and a current folder").report;
    let is_proved = |it: &Verdict| matches!(it, Verdict::Proved(_));
    let kernels = report.kernels().iter().filter(|it| it.verdicts.values().any(is_proved));
    kernels.map(|it| it.name.to_string()).collect()
}

#[test]
fn no_run_reads_too_early_what_is_proved_to_be_written() {
    let files: Vec<_> = ["proved_", "refuted_", "unknown_"].into_iter().flat_map(kernels).collect();
    assert!(!files.is_empty(), "no kernel was looked at");
    // One file after the other: a check shares its work out by itself.
    let followed = |path: &&PathBuf| excused(REFUSED, path).or(excused(ELSEWHERE, path)).is_none();
    let kernels_of =
        |path: &PathBuf| proved(path).into_iter().map(|it| (path.clone(), it)).collect();
    let kernels: Vec<_> = files.iter().filter(followed).flat_map::<Vec<_>, _>(kernels_of).collect();
    let early = |path: &Path, kernel: &str, schedule: Schedule| {
        let options = options_of(path, kernel, schedule).expect("a launch");
        let report = run(&Source::File(path.to_owned()), &options, &Embedded).ok()?.report;
        let found = report.findings().find(|it| it.code == Code::UninitialisedShared)?;
        Some(format!("{}: `{kernel}`: {}", path.display(), found.message))
    };
    let wrong: Vec<String> = kernels
        .par_iter()
        .flat_map_iter(|(path, kernel)| {
            [Schedule::Random, Schedule::Reverse].map(|it| early(path, kernel, it))
        })
        .flatten()
        .collect();
    assert!(wrong.is_empty(), "proved, and read too early:\n{}", wrong.join("\n"));
}
