//! One run: sources to kernels to reports, in parallel, with what is known from earlier runs.
//!
//! 1. Each source is read, or known.
//! 2. The kernels that are asked for are chosen, and the options fitted to them.
//! 3. Each kernel is checked, or known. Kernels that are the same, as those of a header that
//!    several units include, are checked once. With a cache this is done as soon as their source is
//!    read ([`crate::ahead`]).
//!
//! **Promises**: what is known changes nothing but the time. **Does not**: know what is in the
//! cache's folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use heddle_diagnostics::policy::Policy;
use heddle_diagnostics::{Code, Finding, KernelReport, Report, Scope, SourceMap};
use heddle_frontend::compile::Compiler;
use heddle_passes::launch::{Launch, LaunchRequest};
use heddle_passes::named_barriers::{Chart, chart};
use heddle_passes::{Cx, Places};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::ahead::Ahead;
use crate::answer::{Asked, answer_or_find, of_kernel};
use crate::bind::Bound;
use crate::cache::Cache;
use crate::fault::guarded;
use crate::kept::{self, Known, KnownKernel};
use crate::load::{self, Lifted, Loaded};
use crate::names;
use crate::options::CheckOptions;
use crate::outcome::{Outcome, Timing};
use crate::progress::Progress;
use crate::project::Project;
use crate::rules;
use crate::source::Source;
use crate::visible::Visible;

/// Stack of each worker. Expressions are as deep as the program nests, and are walked recursively;
/// the memory is reserved, and used only where a kernel needs it.
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
    let asked = Asked { sources, options, compiler, progress };
    Ok(decided(run(asked, About::default(), Goal::Check)?, options))
}

/// Applies what is decided about findings.
fn decided(outcome: Outcome, options: &CheckOptions) -> Outcome {
    let partial = !options.kernels.is_empty() || !options.passes.is_empty();
    let policy = Policy { partial: partial || options.policy.partial, ..options.policy.clone() };
    Outcome { report: policy.apply(outcome.report), ..outcome }
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
    let Project { units: _, mut scope, findings, database: _ } = project;
    scope.identity = kept::identity(&scope.identity, options);
    let about = About { scope: Some(scope), findings };
    let asked = Asked { sources, options, compiler, progress };
    Ok(decided(run(asked, about, Goal::Check)?, options))
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
    run(Asked { sources, options, compiler, progress }, About::default(), Goal::Lift)
}

/// Checks the kernels, and charts the barriers of those whose threads meet at barriers of their
/// own.
///
/// # Errors
/// As [`check`].
pub fn charts(
    sources: &[Source],
    options: &CheckOptions,
    compiler: &dyn Compiler,
    progress: &Progress,
) -> anyhow::Result<Outcome> {
    run(Asked { sources, options, compiler, progress }, About::default(), Goal::Draw)
}

/// How far a run goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// To reports.
    Check,
    /// To reports, and charts of barriers.
    Draw,
    /// To lifted kernels.
    Lift,
}

/// What a run knows before it reads the sources.
#[derive(Default)]
struct About {
    /// The part of a project that the sources are.
    scope: Option<Scope>,
    /// What was wrong so far.
    findings: Vec<Finding>,
}

fn run(asked: Asked<'_>, about: About, goal: Goal) -> anyhow::Result<Outcome> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(asked.options.jobs.map_or(0, |jobs| jobs.get()))
        .stack_size(STACK)
        .thread_name(|index| format!("heddle-{index}"))
        .build()
        .context("no threads to work with: lower `--jobs` or the limit on memory (`ulimit -v`)")?;
    let base =
        std::env::current_dir().context("the current folder is gone; change to one that exists")?;
    let map = Arc::new(SourceMap::guarded(base));
    let several = if asked.sources.len() > 1 { asked.compiler.for_several() } else { None };
    let asked = Asked { compiler: several.unwrap_or(asked.compiler), ..asked };
    Ok(pool.install(|| in_pool(asked, about, goal, &map)))
}

fn in_pool(asked: Asked<'_>, about: About, goal: Goal, map: &Arc<SourceMap>) -> Outcome {
    let cache = match goal {
        Goal::Check if asked.options.why.is_none() => asked.options.cache.as_deref(),
        Goal::Check | Goal::Draw | Goal::Lift => None,
    };
    let About { scope, findings: before } = about;
    let is_part = scope.as_ref().is_some_and(|scope| scope.shard.is_some());
    let fitted = |read: &mut Read| {
        let (mut kernels, launched): (Vec<_>, Vec<_>) =
            read.lifted.iter_mut().map(Lifted::parts).unzip();
        rules::bind(&mut kernels, &launched, &asked.options.launch, is_part, &read.elsewhere)
    };
    let ahead = cache.map(|cache| Ahead::new(cache, asked, map));
    let mut read = Read::all(asked, cache, map, is_part, ahead.as_ref());
    let mut bound = fitted(&mut read);
    if bound.is_err() && read.knows {
        // What is said of an option that fits nowhere names all kernels, so all are read.
        read = Read::all(asked, None, map, is_part, None);
        bound = fitted(&mut read);
    }
    let Read {
        lifted,
        mut reports,
        mut findings,
        mut unmet,
        warnings,
        mut timings,
        files,
        looked_up,
        elsewhere: _,
        knows: _,
    } = read;
    findings.extend(before);
    let mut charts = Vec::new();
    let places = |it: &Lifted| Places::new(map, &it.kernel, Some(it.module));
    let placed: Vec<_> = lifted.into_iter().map(|it| (places(&it), it)).collect();
    match bound {
        Err(refused) => {
            findings.extend(refused);
            reports.clear();
        }
        Ok(Bound { requests, met: _, unmet: more }) => {
            unmet.extend(more);
            let keyed = cache.is_some() || scope.is_some();
            let key = |((_, lifted), request): (&(Places, Lifted), &LaunchRequest)| {
                let is_kept = keyed && goal == Goal::Check;
                is_kept.then(|| kept::key(lifted, request, asked.options, map)).flatten()
            };
            let keys: Vec<_> = placed.par_iter().zip(requests.par_iter()).map(key).collect();
            match goal {
                Goal::Check | Goal::Draw => {
                    let checked =
                        check_each(asked, map, ahead.as_ref(), cache, &placed, &requests, &keys);
                    for (report, timing) in checked {
                        reports.push(report);
                        timings.push(timing);
                    }
                    if goal == Goal::Draw {
                        charts = drawn(&placed, &requests, asked.options);
                    }
                }
                Goal::Lift => reports.extend(placed.iter().filter_map(|(_, it)| {
                    let fault = it.fault.as_ref();
                    fault.map(|fault| fault.report(&it.kernel, &asked.options.passes))
                })),
            }
        }
    }
    let lifted = placed.into_iter().map(|(_, it)| it);
    let kernels = lifted.filter(|it| it.fault.is_none()).map(|it| it.kernel).collect();
    let report = Report::new(map.clone(), reports, findings);
    let report = match scope {
        Some(scope) => {
            let files = contents(&files, map);
            let shown = |(path, there): (PathBuf, bool)| (map.display_of(&path), there);
            let looked_up = looked_up.into_iter().map(shown).collect();
            report.of_project(Scope { unmet, files, looked_up, ..scope })
        }
        None => report,
    };
    Outcome { report, kernels, charts, warnings, timings }
}

/// What came of reading the sources.
#[derive(Default)]
struct Read {
    /// The kernels that are asked for.
    lifted: Vec<Lifted>,
    /// Reports of kernels of known sources.
    reports: Vec<KernelReport>,
    /// Options that meet a kernel of a known source.
    elsewhere: BTreeSet<String>,
    /// Whether a source was known.
    knows: bool,
    findings: Vec<Finding>,
    /// Patterns that mean no kernel, in one part of several.
    unmet: Vec<String>,
    warnings: Vec<String>,
    timings: Vec<Timing>,
    /// The files that were read as source.
    files: BTreeSet<PathBuf>,
    /// The names that were looked up, and whether there was something.
    looked_up: BTreeMap<PathBuf, bool>,
}

/// A hash of each file whose lines may be shown, by display path.
fn contents(files: &BTreeSet<PathBuf>, map: &SourceMap) -> BTreeMap<String, String> {
    let shown = files.iter().filter(|path| map.admits(path));
    let hash = |path: &PathBuf| {
        let bytes = heddle_diagnostics::source::read_regular(path).unwrap_or_default();
        (map.display_of(path), blake3::hash(&bytes).to_hex()[..16].to_owned())
    };
    shown.map(hash).collect()
}

/// A source, read or known.
enum One {
    Known(Known),
    Read(Result<Loaded, Box<Finding>>),
}

impl Read {
    fn all(
        asked: Asked<'_>,
        cache: Option<&Cache>,
        map: &SourceMap,
        is_part: bool,
        ahead: Option<&Ahead<'_>>,
    ) -> Read {
        let Asked { sources, options, compiler, progress } = asked;
        progress.begin(if ahead.is_some() { "checking" } else { "reading" }, sources.len());
        let one = |(index, source): (usize, &Source)| {
            let since = Instant::now();
            let known = cache.and_then(|cache| kept::source(cache, source, options, map));
            let (one, took) = match known {
                Some(known) => {
                    let compile = source.compile_options(&options.compile);
                    source.add_to(map);
                    Visible::of(source, compile).admit(&known.files, map);
                    (One::Known(known), since.elapsed())
                }
                None => {
                    let _span = tracing::info_span!("read", source = source.name()).entered();
                    let loaded = load::load(source, options, compiler, map);
                    let took = since.elapsed();
                    if let (Some(ahead), Ok(loaded)) = (ahead, &loaded) {
                        ahead.finish(index, loaded);
                    }
                    (One::Read(loaded), took)
                }
            };
            progress.step();
            (one, took)
        };
        let ones: Vec<_> = sources.par_iter().enumerate().map(one).collect();
        let mut read = Read::default();
        let mut all_names: Vec<(String, String)> = Vec::new();
        for (index, (one, took)) in ones.into_iter().enumerate() {
            let known = matches!(one, One::Known(_));
            read.timings.push(Timing::new("read", sources[index].name(), took, known));
            read.take(index, one, &mut all_names);
        }
        read.choose(&options.kernels, &all_names, is_part);
        read
    }

    fn take(&mut self, source: usize, one: One, all_names: &mut Vec<(String, String)>) {
        match one {
            One::Known(Known { kernels, files, looked_up, met, warnings }) => {
                self.looked_up.extend(looked_up);
                self.files.extend(files);
                self.knows = true;
                self.elsewhere.extend(met);
                self.warnings.extend((!warnings.is_empty()).then_some(warnings));
                for KnownKernel { name, symbol, report } in kernels {
                    self.reports.extend(report);
                    all_names.push((name, symbol));
                }
            }
            One::Read(Ok(Loaded { mut kernels, warnings, files, reads: _, looked_up })) => {
                self.looked_up.extend(looked_up);
                self.files.extend(files);
                kernels.iter_mut().for_each(|it| it.source = source);
                let names = |it: &Lifted| (it.kernel.display_name.clone(), it.kernel.name.clone());
                all_names.extend(kernels.iter().map(names));
                self.lifted.extend(kernels);
                self.warnings.extend((!warnings.is_empty()).then_some(warnings));
            }
            One::Read(Err(finding)) => self.findings.push(*finding),
        }
    }

    /// Keeps the kernels that some pattern means. A pattern that means none is bad input, unless
    /// this is one part of several.
    fn choose(&mut self, patterns: &[String], all_names: &[(String, String)], is_part: bool) {
        if patterns.is_empty() {
            return;
        }
        for pattern in patterns {
            let looked = is_part || !all_names.is_empty();
            let means = |(name, symbol): &(String, String)| names::means(pattern, symbol, name);
            if looked && !all_names.iter().any(means) {
                if is_part {
                    self.unmet.push(format!("--kernel {pattern}"));
                    continue;
                }
                let names: Vec<_> = all_names.iter().map(|(name, _)| format!("`{name}`")).collect();
                let message = format!("`--kernel {pattern}`: no kernel has this name");
                let finding = Finding::new(Code::BadInput, message);
                self.findings.push(finding.help(format!("the kernels are {}", names.join(", "))));
            }
        }
        self.lifted.retain(|it| it.is_asked_for(patterns));
    }
}

fn check_each(
    asked: Asked<'_>,
    map: &SourceMap,
    ahead: Option<&Ahead<'_>>,
    cache: Option<&Cache>,
    kernels: &[(Places, Lifted)],
    requests: &[LaunchRequest],
    keys: &[Option<String>],
) -> Vec<(KernelReport, Timing)> {
    // Of kernels with one key the first is checked.
    let mut firsts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut like = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        like.push(key.as_deref().map_or(index, |key| *firsts.entry(key).or_insert(index)));
    }
    let check = |index: &usize| {
        let ((places, lifted), key) = (&kernels[*index], keys[*index].as_deref());
        let given = ahead.zip(key).and_then(|(ahead, key)| ahead.take(key));
        let answer = given.unwrap_or_else(|| {
            answer_or_find(asked, map, cache, (places, lifted, &requests[*index]), key)
        });
        asked.progress.step();
        (*index, answer)
    };
    let distinct: Vec<usize> = (0..kernels.len()).filter(|&index| like[index] == index).collect();
    asked.progress.begin("checking", distinct.len());
    let checked: BTreeMap<usize, _> = distinct.par_iter().map(check).collect();
    like.into_iter().filter_map(|index| checked.get(&index).cloned()).collect()
}

/// The barriers of each kernel whose threads meet at barriers of their own.
fn drawn(
    kernels: &[(Places, Lifted)],
    requests: &[LaunchRequest],
    options: &CheckOptions,
) -> Vec<Chart> {
    let one = |((places, lifted), request): (&(Places, Lifted), &LaunchRequest)| {
        let asked = of_kernel(options, &lifted.kernel, request, (lifted.of_source, None));
        let launch = Launch::resolve(&lifted.kernel, &asked.request);
        let cx = Cx::new(&lifted.kernel, &launch, &asked, places);
        guarded(|| chart(&cx)).ok().flatten()
    };
    kernels.iter().zip(requests).filter_map(one).collect()
}
