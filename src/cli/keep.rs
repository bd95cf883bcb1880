//! `--cache`, `--timings` and `--profile`: what a run keeps for the next one, and where its time
//! went.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use heddle_diagnostics::SourceMap;
use heddle_diagnostics::render::one_line;
use heddle_driver::Outcome;
use heddle_driver::cache::{Cache, Tally};
use heddle_passes::{Profile, Spent};

use super::why::shown;

#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Work")]
pub(super) struct KeepArgs {
    /// Keep answers in this folder, and compile and check only what has changed since [default:
    /// keep none]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Say on standard error how long each source and kernel took, and what the cache knew
    #[arg(long)]
    timings: bool,
    /// Say on standard error which ten questions took longest, and what else a pass took long for
    #[arg(long)]
    profile: bool,
}

/// How many questions a profile shows.
const SHOWN: usize = 10;

impl KeepArgs {
    /// The cache, opened.
    pub(super) fn open(&self) -> anyhow::Result<Option<Arc<Cache>>> {
        let cache = self.cache.as_deref().map(Cache::open).transpose()?;
        Ok(cache.map(Arc::new))
    }

    /// What questions are measured with, if they are.
    pub(super) fn profile(&self) -> Option<Arc<Profile>> {
        self.profile.then(Arc::default)
    }

    /// Tells on standard error what was asked for, and what is wrong with the cache.
    pub(super) fn tell(&self, cache: Option<&Cache>, profile: Option<&Profile>, outcome: &Outcome) {
        let mut text = String::new();
        if self.timings {
            for timing in &outcome.timings {
                let known = if timing.known { ", known" } else { "" };
                let took = timing.took.as_secs_f64() * 1e3;
                let name = one_line(&timing.name);
                text += &format!("{took:10.1} ms  {} {name}{known}\n", timing.stage);
            }
            if let Some(cache) = cache {
                let Tally { sources_found, sources_read, kernels_found, kernels_checked } =
                    cache.tally();
                text += &format!(
                    "cache: {sources_found} sources known and {sources_read} read; of the kernels read {kernels_found} \
                     known and {kernels_checked} checked\n"
                );
            }
        }
        for spent in profile.map(|it| it.longest(SHOWN)).unwrap_or_default() {
            text += &line(&spent, outcome.report.sources());
        }
        for warning in cache.map(Cache::warnings).unwrap_or_default() {
            text += &one_line(&format!("warning: {warning}"));
            text.push('\n');
        }
        let _unheard = io::stderr().write_all(text.as_bytes());
    }
}

/// `   812.5 ms  k: races at k.cu:65 and k.cu:70`
fn line(spent: &Spent, sources: &SourceMap) -> String {
    let Spent { kernel, what, at, took } = spent;
    let mut places: Vec<String> = at.iter().map(|place| shown(place, sources)).collect();
    places.dedup();
    let places = places.join(" and ");
    let at = if places.is_empty() { "" } else { " at " };
    let said = one_line(&format!("{kernel}: {what}{at}{places}"));
    format!("{:10.1} ms  {said}\n", took.as_secs_f64() * 1e3)
}
