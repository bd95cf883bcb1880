//! Answers that are kept between runs.
//!
//! Two kinds of entries. A **kernel**'s holds its report, under a hash of the lifted kernel, its
//! launch, the options and this program. A **unit**'s says which kernels a source has, under a hash
//! of the source's compilation and the options; it holds as long as all that the compiler asked of
//! the file system has the same answer ([`Inputs`]). Where a unit and all its kernels are found,
//! nothing is compiled.
//!
//! **Promises**: a run that finds answers prints the bytes of one that computes them. A kernel's
//! entry is written when the kernel is done, so that a run that is interrupted loses nothing that
//! was finished. A damaged entry is a warning, and is computed again. Faults of ours are not kept.
//! Reports that depend on more than the key holds (native replays) are not kept either. A source
//! whose compilation depends on more than files is compiled at each run, which is a warning.
//!
//! **Trust**: an entry is believed. Who can write to the folder can make Heddle say anything: give
//! it the rights of the build's own outputs.
//!
//! **Does not**: read or write the folder itself; [`crate::cache`] does.

mod key;

use std::collections::BTreeMap;
use std::path::PathBuf;

use heddle_diagnostics::{Code, KernelReport, SourceMap, Verdict, record};
use heddle_frontend::compile::Reads;
use heddle_passes::launch::LaunchRequest;
use serde::{Deserialize, Serialize};

use crate::cache::{Cache, Event, Inputs};
use crate::load::Lifted;
use crate::options::CheckOptions;
use crate::source::Source;

/// A source of which everything is known.
#[derive(Debug)]
pub(crate) struct Known {
    /// All its kernels.
    pub(crate) kernels: Vec<KnownKernel>,
    /// The files that were read as source.
    pub(crate) files: Vec<PathBuf>,
    /// The names that were looked up, and whether there was something.
    pub(crate) looked_up: BTreeMap<PathBuf, bool>,
    /// Options that meet one of them, as [`crate::bind`] calls them.
    pub(crate) met: Vec<String>,
    /// What clang warned about.
    pub(crate) warnings: String,
}

/// A kernel of a known source.
#[derive(Debug)]
pub(crate) struct KnownKernel {
    /// The readable name.
    pub(crate) name: String,
    /// The name in the module.
    pub(crate) symbol: String,
    /// Its report, if it is one that was asked for.
    pub(crate) report: Option<KernelReport>,
}

/// What is said of a source that was read: the files that the compiler read as source, and what it
/// asked of the file system.
pub(crate) struct SourceFacts<'a> {
    pub(crate) files: &'a [PathBuf],
    pub(crate) reads: Option<&'a Reads>,
    pub(crate) kernels: Vec<KernelEntry>,
    pub(crate) met: Vec<String>,
    pub(crate) warnings: &'a str,
}

/// What is kept of a source.
#[derive(Serialize, Deserialize)]
struct UnitEntry {
    inputs: Inputs,
    files: Vec<PathBuf>,
    kernels: Vec<KernelEntry>,
    met: Vec<String>,
    warnings: String,
}

/// A kernel of a source: its names, and its key if it was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KernelEntry {
    pub(crate) name: String,
    pub(crate) symbol: String,
    pub(crate) key: Option<String>,
}

const KERNEL: &str = "kernel";
const UNIT: &str = "unit";

/// The source, if all that would be found by reading it is known.
pub(crate) fn source(
    cache: &Cache,
    source: &Source,
    options: &CheckOptions,
    map: &SourceMap,
) -> Option<Known> {
    let found = find_source(cache, source, options, map);
    cache.count(if found.is_some() { Event::SourceFound } else { Event::SourceRead });
    found
}

fn find_source(
    cache: &Cache,
    source: &Source,
    options: &CheckOptions,
    map: &SourceMap,
) -> Option<Known> {
    if !key::covers(options) {
        return None;
    }
    let key = key::of_source(source, options, map)?;
    let text = cache.get(UNIT, &key)?;
    let UnitEntry { inputs, files, kernels, met, warnings } = serde_json::from_str(&text).ok()?;
    if !cache.unchanged(&inputs) {
        return None;
    }
    let known = |KernelEntry { name, symbol, key }| {
        let report = match key {
            Some(key) => Some(report(cache, &key, map)?),
            None => None,
        };
        Some(KnownKernel { name, symbol, report })
    };
    let kernels = kernels.into_iter().map(known).collect::<Option<Vec<_>>>()?;
    let looked_up = inputs.looked_up().map(|(path, there)| (path.clone(), there)).collect();
    Some(Known { kernels, files, looked_up, met, warnings })
}

/// Keeps what a source has.
pub(crate) fn keep_source(
    cache: &Cache,
    source: &Source,
    options: &CheckOptions,
    map: &SourceMap,
    facts: SourceFacts<'_>,
) {
    let SourceFacts { files, reads, kernels, met, warnings } = facts;
    if !key::covers(options) {
        return;
    }
    let Some(key) = key::of_source(source, options, map) else { return };
    let past = match reads {
        None => Some("a clang in a process of its own, which does not say all that it reads"),
        Some(reads) => reads.past.as_deref(),
    };
    if let Some(past) = past {
        let name = source.name();
        return cache.warn(format!("`{name}` is compiled at each run: it depends on {past}"));
    }
    let inputs = reads.and_then(|reads| cache.inputs(reads));
    let Some(inputs) = inputs else { return };
    let (files, warnings) = (files.to_vec(), warnings.to_owned());
    let entry = UnitEntry { inputs, files, kernels, met, warnings };
    let text = serde_json::to_string(&entry).expect("plain data serialises");
    cache.put(UNIT, &key, &text);
}

/// The report under a key.
pub(crate) fn kernel(cache: &Cache, key: &str, map: &SourceMap) -> Option<KernelReport> {
    let report = report(cache, key, map);
    cache.count(if report.is_some() { Event::KernelFound } else { Event::KernelChecked });
    report
}

/// Keeps a report under its key.
pub(crate) fn keep_kernel(cache: &Cache, key: &str, report: &KernelReport, map: &SourceMap) {
    if !is_fault(report) {
        cache.put(KERNEL, key, &record::write(map, std::slice::from_ref(report), &[]));
    }
}

fn report(cache: &Cache, key: &str, map: &SourceMap) -> Option<KernelReport> {
    let text = cache.get(KERNEL, key)?;
    match record::read(&text, map) {
        Ok((mut kernels, _)) => kernels.pop(),
        Err(error) => {
            cache.warn(format!("an entry of the cache is not used: {error}"));
            None
        }
    }
}

/// The key of a kernel's report; `None` for a report that depends on more.
pub(crate) fn key(
    lifted: &Lifted,
    request: &LaunchRequest,
    options: &CheckOptions,
    map: &SourceMap,
) -> Option<String> {
    let kept = lifted.fault.is_none() && key::covers(options);
    kept.then(|| key::of_kernel(lifted, request, options, map))
}

/// A name for runs that can be put together: the same project, the same options, the same program.
pub(crate) fn identity(project: &str, options: &CheckOptions) -> String {
    key::of_run(project, options)
}

fn is_fault(report: &KernelReport) -> bool {
    let of_reasons = |verdict: &Verdict| match verdict {
        Verdict::Unknown(reasons) => reasons.iter().any(|it| it.code == Code::InternalError),
        Verdict::Proved(_) | Verdict::Refuted(_) => false,
    };
    report.findings.iter().any(|it| it.code == Code::InternalError)
        || report.verdicts.values().any(of_reasons)
}
