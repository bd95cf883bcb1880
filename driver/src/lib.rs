//! From sources and options to a report: compile, read, lift, check, in parallel over files and then over kernels.
//!
//! ```text
//! Source ── load ──► kernels ── bind (arguments, assumptions) ──► heddle_passes::check ──► Report
//! ```
//!
//! **Promises**: the same sources and options give the same report, whatever the number of jobs. Bad input is a finding
//! HD0901 and a fault of ours a finding HD0999; neither stops the rest. Options that fit no kernel are
//! bad input, and then nothing is checked. **Does not**: print, read standard input, or exit;
//! link a compiler: who calls brings one (the binary has clang inside, the plugin lives in one and needs none).

#![forbid(unsafe_code)]

mod bind;
pub mod dynamic;
mod fault;
mod ir_lines;
mod load;
mod names;
mod options;
pub mod pipeline;
mod progress;
pub mod project;
mod source;
pub mod table;
pub mod transform;

pub use options::{Argument, BadOption, CheckOptions, LaunchOptions, Replay, Size};
pub use progress::Progress;
pub use source::{Source, Unit};

use std::sync::Arc;

use anyhow::Context;
use heddle_diagnostics::{Code, Finding, KernelReport, Report, Scope, SourceMap};
use heddle_frontend::CompileOptions;
use heddle_frontend::compile::Compiler;
use heddle_ir::Kernel;
use heddle_passes::launch::LaunchRequest;
use heddle_passes::{Options, Places};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use bind::Bound;
use fault::{guarded, unanswered};
use load::{Lifted, Loaded};
use project::Project;

/// Everything a run has to say.
#[derive(Debug)]
pub struct Outcome {
    /// Verdicts and findings.
    pub report: Report,
    /// The kernels that were lifted, in the order of the sources.
    pub kernels: Vec<Kernel>,
    /// What clang warned about, in the order of the sources.
    pub warnings: Vec<String>,
}

/// Stack of each worker. Expressions are as deep as the program nests, and are walked recursively; the memory is reserved,
/// and used only where a kernel needs it.
const STACK: usize = 256 << 20;

/// Checks the kernels of all sources. `compiler` compiles those that are source text.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn check(
    sources: &[Source],
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    run(sources, options, compiler, progress, About::default(), &|kernels, requests, map| {
        check_each(&Asked { sources, options, compiler, progress, map }, kernels, requests)
    })
}

/// Checks the units of a project.
///
/// # Errors
/// As [`check`].
pub fn check_project(
    project: Project,
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    let sources = &project.sources()[..];
    let Project { units: _, scope, findings } = project;
    let about = About { scope: Some(scope), findings };
    run(sources, options, compiler, progress, about, &|kernels, requests, map| {
        check_each(&Asked { sources, options, compiler, progress, map }, kernels, requests)
    })
}

/// Lifts the kernels of all sources, and checks nothing: the report has no verdicts.
///
/// # Errors
/// As [`check`].
pub fn lift(
    sources: &[Source],
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    run(sources, options, compiler, progress, About::default(), &|kernels, _, _| {
        let faults = kernels.iter().filter_map(|(lifted, _)| {
            lifted.fault.as_ref().map(|fault| fault.report(&lifted.kernel, &options.passes))
        });
        faults.collect()
    })
}

/// The kernels with their places, and the launch of each, to reports.
type CheckAll<'a> =
    dyn Fn(&[(Lifted, Places)], &[LaunchRequest], &SourceMap) -> Vec<KernelReport> + Sync + 'a;

/// What a run knows before it reads the sources.
#[derive(Default)]
struct About {
    /// The part of a project that the sources are.
    scope: Option<Scope>,
    /// What was wrong so far.
    findings: Vec<Finding>,
}

fn run(
    sources: &[Source],
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
    about: About,
    check_all: &CheckAll<'_>,
) -> anyhow::Result<Outcome> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.map_or(0, |jobs| jobs.get()))
        .stack_size(STACK)
        .thread_name(|index| format!("heddle-{index}"))
        .build()
        .context("no threads to work with: lower `--jobs` or the limit on memory (`ulimit -v`)")?;
    let base =
        std::env::current_dir().context("the current folder is gone; change to one that exists")?;
    let map = Arc::new(SourceMap::new(base));
    Ok(pool.install(|| {
        progress.begin("reading", sources.len());
        let loaded = load_all(sources, &options.compile, compiler, &map, progress);
        let Gathered { kernels: lifted, mut findings, warnings } = gather(loaded);
        let About { mut scope, findings: before } = about;
        findings.extend(before);
        let is_part = scope.as_ref().is_some_and(|scope| scope.shard.is_some());
        let (mut lifted, mut unmet) = select(lifted, &options.kernels, is_part);
        if !is_part {
            findings.extend(unmet.drain(..).map(|(_, finding)| finding));
        }
        let mut unmet: Vec<_> = unmet.into_iter().map(|(option, _)| option).collect();
        let mut kernels: Vec<_> = lifted.iter_mut().map(|it| &mut it.kernel).collect();
        let reports = match bind::bind(&mut kernels, &options.launch, is_part) {
            Ok(Bound { requests, unmet: more }) => {
                unmet.extend(more);
                let places = |it: &Lifted| Places::new(&map, &it.kernel, Some(it.module));
                let placed: Vec<_> = lifted
                    .into_iter()
                    .map(|it| {
                        let places = places(&it);
                        (it, places)
                    })
                    .collect();
                let reports = check_all(&placed, &requests, &map);
                lifted = placed.into_iter().map(|(it, _)| it).collect();
                reports
            }
            Err(refused) => {
                findings.extend(refused);
                Vec::new()
            }
        };
        let kernels =
            lifted.into_iter().filter(|it| it.fault.is_none()).map(|it| it.kernel).collect();
        let report = Report::new(map.clone(), reports, findings);
        let report = match scope.take() {
            Some(scope) => report.of_project(Scope { unmet, ..scope }),
            None => report,
        };
        Outcome { report, kernels, warnings }
    }))
}

fn load_all(
    sources: &[Source],
    options: &CompileOptions,
    compiler: &dyn Compiler,
    map: &SourceMap,
    progress: &Progress,
) -> Vec<Result<Loaded, Box<Finding>>> {
    let load = |source| {
        let loaded = load::load(source, options, compiler, map);
        progress.step();
        loaded
    };
    sources.par_iter().map(load).collect()
}

struct Gathered {
    kernels: Vec<Lifted>,
    findings: Vec<Finding>,
    warnings: Vec<String>,
}

fn gather(loaded: Vec<Result<Loaded, Box<Finding>>>) -> Gathered {
    let mut all = Gathered { kernels: Vec::new(), findings: Vec::new(), warnings: Vec::new() };
    for (source, one) in loaded.into_iter().enumerate() {
        match one {
            Ok(Loaded { mut kernels, warnings }) => {
                kernels.iter_mut().for_each(|it| it.source = source);
                all.kernels.extend(kernels);
                all.warnings.extend((!warnings.is_empty()).then_some(warnings));
            }
            Err(finding) => all.findings.push(*finding),
        }
    }
    all
}

/// The kernels that some pattern means, and each pattern that means none: as the option it was, and as bad input.
fn select(
    kernels: Vec<Lifted>,
    patterns: &[String],
    is_part: bool,
) -> (Vec<Lifted>, Vec<(String, Finding)>) {
    let mut unmet = Vec::new();
    if patterns.is_empty() {
        return (kernels, unmet);
    }
    for pattern in patterns {
        let looked = is_part || !kernels.is_empty();
        if looked && !kernels.iter().any(|it| names::means(pattern, &it.kernel)) {
            let names: Vec<_> =
                kernels.iter().map(|it| format!("`{}`", it.kernel.display_name)).collect();
            let message = format!("`--kernel {pattern}`: no kernel has this name");
            let finding = Finding::new(Code::BadInput, message);
            let finding = finding.help(format!("the kernels are {}", names.join(", ")));
            unmet.push((format!("--kernel {pattern}"), finding));
        }
    }
    let meant = |it: &Lifted| patterns.iter().any(|pattern| names::means(pattern, &it.kernel));
    (kernels.into_iter().filter(meant).collect(), unmet)
}

/// All that a run goes by.
struct Asked<'a> {
    sources: &'a [Source],
    options: &'a CheckOptions,
    compiler: &'a dyn Compiler,
    progress: &'a Progress,
    map: &'a SourceMap,
}

fn check_each(
    asked: &Asked<'_>,
    kernels: &[(Lifted, Places)],
    requests: &[LaunchRequest],
) -> Vec<KernelReport> {
    let Asked { sources, options, compiler, progress, map } = *asked;
    progress.begin("checking", kernels.len());
    let pairs = kernels.par_iter().zip(requests.par_iter());
    let check = |((lifted, places), request): (&(Lifted, Places), _)| {
        let mut report = check_one(lifted, places, request, options);
        if options.replay == Replay::Jit {
            let source = &sources[lifted.source];
            let subject = dynamic::Subject { source, kernel: &lifted.kernel, map };
            dynamic::confirm(&mut report, &subject, options, compiler);
        }
        progress.step();
        report
    };
    pairs.map(check).collect()
}

fn check_one(
    lifted: &Lifted,
    places: &Places,
    request: &LaunchRequest,
    options: &CheckOptions,
) -> KernelReport {
    let Lifted { kernel, source: _, module: _, fault } = lifted;
    if let Some(fault) = fault {
        return fault.report(kernel, &options.passes);
    }
    let CheckOptions {
        compile: _,
        kernels: _,
        launch: _,
        benign_is_error,
        budget,
        passes,
        replay,
        warp_sync,
        jobs: _,
    } = options;
    let asked = Options {
        request: request.clone(),
        benign_is_error: *benign_is_error,
        budget: budget.clone(),
        selected: passes.clone(),
        replay: *replay != Replay::None,
        warp_sync: *warp_sync,
    };
    guarded(|| heddle_passes::check(kernel, &asked, places)).unwrap_or_else(|panic| {
        let what = format!("checking the kernel `{}` failed inside Heddle", kernel.display_name);
        unanswered(&kernel.display_name, &kernel.name, passes, &what, &panic)
    })
}
