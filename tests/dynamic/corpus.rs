//! The kernels of `tests/kernels`, run: what is refuted is seen under the run that refutes it, what
//! is proved never trips.
//!
//! By default one kernel in thirty-two and 3 seeds; `HEDDLE_DYNAMIC=all` takes all,
//! `HEDDLE_DYNAMIC=race` the paths with that text, `HEDDLE_SEEDS=50` so many seeds. `make
//! corpus-dynamic` runs all kernels with 50. Each exclusion has a name and a reason, and is
//! printed.

mod lists;

use std::io::Write;
use std::path::{Path, PathBuf};

use heddle_clang::Embedded;
use heddle_diagnostics::{Code, Family, Finding, KernelReport, Property, Verdict};
use heddle_driver::dynamic::{Buffer, RunOptions, RunOutcome, run};
use heddle_driver::{CheckOptions, LaunchOptions, Progress, Replay, Size, Source, check};
use heddle_frontend::CompileOptions;
use heddle_frontend::from_mlir::is_installed;
use heddle_runtime::Schedule;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

pub(crate) use self::lists::REFUSED;
use self::lists::{ALARMS, NOT_SEEN};
use crate::header::{check_options, comment, launch_options, tokens};
use crate::sample::is_sampled;

/// What scalars are that the launch line leaves open: a multiple of what kernels assume that it is
/// a multiple of.
const OPEN_SCALAR: &str = "64";

/// Kernels that wait for others start from zeros: flags that are not set, locks that nobody has.
const ZEROS: [&str; 3] = ["progress", "locks", "flags"];

fn seeds() -> u64 {
    std::env::var("HEDDLE_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(3)
}

pub(crate) fn kernels(verdict: &str) -> Vec<PathBuf> {
    let filter = std::env::var("HEDDLE_DYNAMIC").unwrap_or_default();
    let folder = |path: &Path| {
        let entries =
            std::fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths
    };
    let topics = folder(Path::new("tests/kernels")).into_iter().filter(|it| it.is_dir());
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files = topics.flat_map(|it| folder(&it)).filter(|it| name(it).starts_with(verdict));
    let sampled = |path: &PathBuf| match filter.as_str() {
        "" => is_sampled(path, 32),
        "all" => true,
        text => path.to_string_lossy().contains(text),
    };
    // Without the program that reads them `tests/mlir` fails, once, and says what to build.
    let readable =
        |path: &PathBuf| path.extension().is_none_or(|it| it != "mlir") || is_installed();
    files.filter(sampled).filter(readable).collect()
}

/// The reason for which a file is excluded.
pub(crate) fn excused<'a>(list: &'a [(&str, &str)], path: &Path) -> Option<&'a str> {
    list.iter().find(|(file, _)| path.ends_with(file)).map(|(_, why)| *why)
}

/// Prints what is excluded, and fails with what is wrong.
fn settle(list: &[(&str, &str)], files: &[PathBuf], wrong: &[String], advice: &str) {
    for path in files {
        if let Some(why) = excused(list, path) {
            let _unheard = writeln!(std::io::stderr(), "excluded: {}: {why}", path.display());
        }
    }
    assert!(!files.is_empty(), "no kernel was looked at");
    let count = format!("{} of {} files", wrong.len(), files.len());
    assert!(wrong.is_empty(), "{count} wrong:\n{}\n{advice}", wrong.join("\n"));
}

fn launch_of(path: &Path) -> Result<LaunchOptions, String> {
    launch_options(&launch_line(path)?)
}

fn launch_line(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let line = text.lines().nth(1).and_then(comment).and_then(|it| it.strip_prefix("launch:"));
    line.map(str::to_owned).ok_or_else(|| "no launch line".to_owned())
}

/// What is wrong with files. Who waits for a check takes on another file meanwhile, on top of it:
/// so the stacks are large.
fn of_all(files: &[PathBuf], wrong: impl Fn(&PathBuf) -> Vec<String> + Send + Sync) -> Vec<String> {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(1 << 30).build().expect("threads");
    pool.install(|| files.par_iter().flat_map_iter(wrong).collect())
}

#[test]
fn each_refuted_kernel_is_seen_to_fail_when_its_witness_is_run() {
    let files = kernels("refuted_");
    let wrong = of_all(&files, |path| {
        if excused(NOT_SEEN, path).is_some() {
            return Vec::new();
        }
        let mut options = CheckOptions {
            replay: Replay::Jit,
            jobs: std::num::NonZeroUsize::new(1),
            ..CheckOptions::default()
        };
        let line = launch_line(path).expect("a launch line");
        options.launch = launch_options(&line).expect("a launch");
        check_options(&line, &mut options).expect("options of the check");
        let source = Source::File(path.clone());
        let outcome = check(&[source], &options, &Embedded, &Progress::default())
            .expect("threads and a current folder");
        let kernels = outcome.report.kernels().iter();
        kernels.filter_map(|it| unseen(path, it)).collect()
    });
    settle(NOT_SEEN, &files, &wrong, "`heddle check --replay=jit FILE` with its launch shows more");
}

/// What is wrong with a kernel that is refuted.
fn unseen(path: &Path, kernel: &KernelReport) -> Option<String> {
    // Arrays of native code lie side by side: that one is left is not seen there. Nor are its runs
    // searched for what is read too early.
    let is_sought =
        |property: &Property| !matches!(property, Property::Bounds | Property::UninitialisedShared);
    let refuted = |it: &Verdict| matches!(it, Verdict::Refuted(_));
    if !kernel.verdicts.iter().any(|(property, it)| is_sought(property) && refuted(it)) {
        return None;
    }
    let notes = kernel.findings.iter().flat_map(|it| &it.notes);
    let told: Vec<_> = notes.filter(|it| it.contains("native code")).cloned().collect();
    if told.iter().any(|it| it.starts_with("seen: ")) {
        return None;
    }
    Some(format!("{}: `{}`: {}", path.display(), kernel.name, told.join("; ")))
}

#[test]
fn no_proved_kernel_ever_trips() {
    let files = kernels("proved_");
    let wrong = of_all(&files, |path| {
        if excused(ALARMS, path).or(excused(REFUSED, path)).is_some() {
            return Vec::new();
        }
        let source = Source::File(path.clone());
        let input = heddle_frontend::Input::file(path);
        let prepared = heddle_frontend::load_with(&input, &CompileOptions::default(), &Embedded);
        let names = prepared.expect("a kernel file compiles").kernels;
        let runs = names.iter().flat_map(|kernel| {
            let of = |schedule| run_kernel(&source, path, &kernel.name, schedule);
            [Schedule::Random, Schedule::Priorities].map(of)
        });
        runs.filter_map(Result::err).collect()
    });
    settle(
        &[ALARMS, REFUSED].concat(),
        &files,
        &wrong,
        "`heddle run FILE --fill 'i32[65536]:random(1)'` with its launch shows more",
    );
}

/// How a kernel of a file is run: the launch of its header, contents of its buffers by the
/// schedule.
pub(crate) fn options_of(
    path: &Path,
    kernel: &str,
    schedule: Schedule,
) -> Result<RunOptions, String> {
    let launch = launch_of(path)?;
    let size = |size: Option<Size>, open: u32| match size {
        Some(Size::Known(size)) => size,
        Some(Size::Any) | None => [open, 1, 1],
    };
    let contents = match schedule {
        _ if path.parent().is_some_and(|it| ZEROS.iter().any(|of| it.ends_with(of))) => {
            "i32[65536]:zeros"
        }
        Schedule::Random | Schedule::RoundRobin => "i32[65536]:random(1)",
        Schedule::Priorities | Schedule::Reverse => "i32[65536]:range",
    };
    Ok(RunOptions {
        kernel: Some(kernel.to_owned()),
        grid: size(launch.grid, 4),
        block: size(launch.block, 64),
        cluster: match launch.cluster {
            Some(Size::Known(size)) => Some(size),
            Some(Size::Any) | None => None,
        },
        args: launch.args.iter().map(|it| (it.name.clone(), it.value.to_string())).collect(),
        assumptions: launch.assumptions.clone(),
        fill: Buffer::unnamed(contents).ok(),
        fill_scalar: OPEN_SCALAR.to_owned(),
        schedule,
        runs: seeds().div_ceil(2),
        timeout: std::time::Duration::from_secs(10),
        ..RunOptions::default()
    })
}

/// Runs one kernel with all seeds, with contents of its buffers that differ; what is wrong, if
/// anything is.
fn run_kernel(
    source: &Source,
    path: &Path,
    kernel: &str,
    schedule: Schedule,
) -> Result<(), String> {
    let options = options_of(path, kernel, schedule)?;
    let outcome = run(source, &options, &Embedded).map_err(|error| error.to_string())?;
    let shown = format!("{}: `{kernel}`", path.display());
    if outcome.exit_code() == 2 {
        // Random numbers are no permutation; numbers that rise are one, and are run as well.
        let breaks = |it: &Finding| it.message.contains("does not hold in this run");
        if schedule == Schedule::Random && outcome.report.findings().any(breaks) {
            return Ok(());
        }
        let why: Vec<_> = outcome.report.findings().map(|it| it.message.clone()).collect();
        return Err(format!("{shown}: refused: {}", why.join("; ")));
    }
    let progress_only = tokens(&launch_line(path)?).iter().any(|it| it == "passes=progress");
    match trips(&outcome, progress_only) {
        tripped if tripped.is_empty() => Ok(()),
        tripped => Err(format!("{shown}: {}", tripped.join("; "))),
    }
}

/// A finding that says that a property checked statically fails; of some kernels only that they end
/// is checked.
fn trips(outcome: &RunOutcome, progress_only: bool) -> Vec<String> {
    let of_weight = outcome.report.findings().filter(|it| match it.code.family() {
        Family::Races => it.code != Code::BenignRace && !progress_only,
        Family::Barriers => it.code != Code::EarlyReturnBeforeBarrier && !progress_only,
        Family::Progress => true,
        Family::NotModelled
        | Family::Memory
        | Family::Convergence
        | Family::Assertions
        | Family::Tool => false,
    });
    of_weight.map(|it| format!("{}: {}", it.code, it.message)).collect()
}
