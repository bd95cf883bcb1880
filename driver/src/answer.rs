//! The report of one kernel: from the cache, or given now under each launch of the host, and kept.
//!
//! **Promises**: what is known changes nothing but the time; a fault of ours leaves the kernel
//! undecided. **Does not**: choose kernels or fit options to them; [`crate::run`] does.

use std::time::Instant;

use heddle_diagnostics::{KernelReport, SourceMap};
use heddle_frontend::compile::Compiler;
use heddle_ir::Kernel;
use heddle_passes::launch::LaunchRequest;
use heddle_passes::{Options, Places};
use heddle_solver::Budget;

use crate::cache::Cache;
use crate::contracts;
use crate::fault::{guarded, unanswered};
use crate::host;
use crate::infer;
use crate::kept;
use crate::load::Lifted;
use crate::options::{CheckOptions, Replay};
use crate::outcome::Timing;
use crate::progress::Progress;
use crate::replay::{Subject, confirm};
use crate::source::Source;

/// All that a run goes by.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) options: &'a CheckOptions,
    pub(crate) compiler: &'a dyn Compiler,
    pub(crate) progress: &'a Progress,
}

/// The report of one kernel: from the cache, or given now and kept there.
pub(crate) fn answer_or_find(
    asked: Asked<'_>,
    map: &SourceMap,
    cache: Option<&Cache>,
    (places, lifted, request): (&Places, &Lifted, &LaunchRequest),
    key: Option<&str>,
) -> (KernelReport, Timing) {
    let Asked { sources, options, compiler, progress: _ } = asked;
    let since = Instant::now();
    let at = cache.zip(key);
    let found = at.and_then(|(cache, key)| kept::kernel(cache, key, map));
    let known = found.is_some();
    let report = found.unwrap_or_else(|| {
        let mut report = check_one(lifted, places, request, options);
        if options.replay == Replay::Jit {
            let source = &sources[lifted.source];
            let subject = Subject { source, kernel: &lifted.kernel, map, request };
            confirm(&mut report, &subject, options, compiler);
        }
        let is_late = options.max_time.is_some_and(|time| since.elapsed() >= time);
        if let (Some((cache, key)), false) = (at, is_late) {
            kept::keep_kernel(cache, key, &report, map);
        }
        report
    });
    let name = lifted.kernel.display_name.clone();
    (report, Timing::new("checked", name, since.elapsed(), known))
}

fn check_one(
    lifted: &Lifted,
    places: &Places,
    request: &LaunchRequest,
    options: &CheckOptions,
) -> KernelReport {
    let Lifted { kernel, source: _, module: _, fault, launches: _, of_source } = lifted;
    if let Some(fault) = fault {
        return fault.report(kernel, &options.passes);
    }
    guarded(|| under_each(kernel, *of_source, places, request, options)).unwrap_or_else(|panic| {
        let what = format!("checking the kernel `{}` failed inside Heddle", kernel.display_name);
        unanswered(&kernel.display_name, &kernel.name, &options.passes, &what, &panic)
    })
}

/// The report under each launch of the host, as one. `of_source` kernels share what one source may
/// cost.
fn under_each(
    kernel: &Kernel,
    of_source: usize,
    places: &Places,
    request: &LaunchRequest,
    options: &CheckOptions,
) -> KernelReport {
    let until = options.max_time.and_then(|time| Instant::now().checked_add(time));
    let (mut reports, mut excluded) = (Vec::new(), Vec::new());
    let requests = request.each();
    let limits = (of_source.saturating_mul(requests.len()), until);
    for request in &requests {
        let Some(facts) = request.host() else {
            let asked = |request: &LaunchRequest| of_kernel(options, kernel, request, limits);
            let mut report = heddle_passes::check(kernel, &asked(request), places);
            if options.infer {
                let tried = |request: &LaunchRequest| Options { why: None, ..asked(request) };
                infer::conditions(kernel, places, &tried, request, &mut report);
            }
            if let Some(host) = &request.given_twice {
                host::lacking(kernel, &mut report, host);
            }
            reports.push((report, None));
            continue;
        };
        let kernel = &*host::joined(kernel, facts);
        // Asked with work of its own, so that the answers that follow do not depend on it.
        let asked = || of_kernel(options, kernel, request, limits);
        // What holds at a launch that never runs proves nothing.
        if !heddle_passes::is_possible(kernel, &asked(), places) {
            // But one that runs and breaks what the kernel requires is told.
            let alone = contracts::without(kernel, request);
            let breaks = alone.assumptions.len() < request.assumptions.len()
                && heddle_passes::is_possible(
                    kernel,
                    &Options { request: alone, ..asked() },
                    places,
                );
            if !breaks {
                excluded.push(facts);
                continue;
            }
        }
        let mut report = heddle_passes::check(kernel, &asked(), places);
        if let (Some(light), true) = (host::lighter(kernel, facts), host::is_open(&report)) {
            let request = LaunchRequest { hosts: vec![light], ..request.clone() };
            let asked =
                Options { request, selected: host::open(&report), extra: Vec::new(), ..asked() };
            host::decide(&mut report, heddle_passes::check(kernel, &asked, places));
        }
        if options.infer && !facts.open.is_empty() {
            let tried = |request: &LaunchRequest| Options {
                why: None,
                ..of_kernel(options, kernel, request, limits)
            };
            infer::conditions(kernel, places, &tried, request, &mut report);
        }
        reports.push((report, Some(facts)));
    }
    host::merged(kernel, reports).unwrap_or_else(|| {
        let open = LaunchRequest { hosts: Vec::new(), ..request.clone() };
        let report =
            heddle_passes::check(kernel, &of_kernel(options, kernel, &open, limits), places);
        host::beside(kernel, report, &excluded)
    })
}

/// What the passes are asked of one kernel: `answers` are given about its source, which share what
/// it may cost, and this one ends at a time.
pub(crate) fn of_kernel(
    options: &CheckOptions,
    kernel: &Kernel,
    request: &LaunchRequest,
    (answers, until): (usize, Option<Instant>),
) -> Options {
    let CheckOptions {
        compile: _,
        kernels: _,
        allow_missing: _,
        launch: _,
        benign_is_error,
        budget,
        limit,
        passes,
        also,
        replay,
        warp_sync,
        progress,
        infer: _,
        policy: _,
        max_time: _,
        profile,
        why,
        jobs: _,
        cache: _,
    } = options;
    let units = limit.units(budget.units, answers);
    let fuel = limit.fuel(kernel).until(until);
    Options {
        request: request.clone(),
        benign_is_error: *benign_is_error,
        budget: Budget { units, fuel, ..budget.clone() },
        selected: passes.clone(),
        extra: also.clone(),
        replay: *replay != Replay::None,
        warp_sync: *warp_sync,
        progress: *progress,
        profile: profile.clone(),
        why: why.clone(),
    }
}
