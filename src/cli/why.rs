//! `--why` and `--smt`: how each verdict came about, and the solver's queries as files.
//!
//! **Promises**: the text depends on the sources and options alone; nothing is written but into the
//! folder that is named. **Does not**: change what a check answers.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use heddle_diagnostics::render::one_line;
use heddle_diagnostics::{Place, SourceMap};
use heddle_passes::{Explained, Step, Why};

use super::written;

#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Explanation")]
pub(super) struct WhyArgs {
    /// Say on standard error how each question was settled: accesses, placement of the two threads,
    /// iterations, recurrences, trip counts, the method that answered, what it takes for granted,
    /// and what was not followed. Answers are worked out anew, not taken from the cache
    #[arg(long)]
    why: bool,
    /// Write each query to the solver into this folder, as SMT-LIB 2 with the answer as its status
    #[arg(long, value_name = "DIR")]
    smt: Option<PathBuf>,
}

impl WhyArgs {
    /// What explanations are written into, if they are wanted.
    pub(super) fn wanted(&self) -> Option<Arc<Why>> {
        match (&self.smt, self.why) {
            (Some(_), _) => Some(Arc::new(Why::with_scripts())),
            (None, true) => Some(Arc::default()),
            (None, false) => None,
        }
    }

    /// The folder of queries, made before there is any.
    pub(super) fn open(&self) -> anyhow::Result<()> {
        let made = self.smt.as_deref().map(|it| {
            std::fs::create_dir_all(it)
                .with_context(|| format!("`{}` cannot be made", it.display()))
        });
        made.unwrap_or(Ok(()))
    }

    /// Tells them; whether all is written that is to be.
    pub(super) fn tell(&self, why: Option<&Why>, sources: &SourceMap) -> bool {
        let mut told = why.map(Why::told).unwrap_or_default();
        told.sort_by_cached_key(|it| (it.symbol.clone(), explained(it, sources)));
        if self.why {
            let text: String = told.iter().map(|it| explained(it, sources)).collect();
            let _unheard = io::stderr().write_all(text.as_bytes());
        }
        self.smt.as_ref().is_none_or(|folder| write_queries(folder, &told, sources))
    }
}

fn write_queries(folder: &Path, told: &[Explained], sources: &SourceMap) -> bool {
    for (index, it) in told.iter().enumerate() {
        // Of one kernel under several launches each has a number.
        let before = told[..index].iter().filter(|other| other.symbol == it.symbol).count();
        let launch = if before == 0 { String::new() } else { format!("-{}", before + 1) };
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let symbol: String = it.symbol.chars().take(120).map(plain).collect();
        for (query, script) in it.scripts.iter().enumerate() {
            let path = folder.join(format!("{symbol}{launch}-{:04}.smt2", query + 1));
            if !written::put(&path, script.as_bytes(), sources) {
                return false;
            }
        }
    }
    true
}

fn explained(it: &Explained, sources: &SourceMap) -> String {
    let mut text = format!("why: {}\n", one_line(&it.kernel));
    for launch in &it.launch {
        line(&mut text, 1, &format!("for {launch}"));
    }
    for step in it.steps.iter().chain(&it.verdicts) {
        write_step(&mut text, 1, step, sources);
    }
    text.push('\n');
    text
}

fn write_step(text: &mut String, depth: usize, step: &Step, sources: &SourceMap) {
    let about = |(what, place): &(String, Place)| match what.as_str() {
        "" => format!("at {}", shown(place, sources)),
        what => format!("{what} at {}", shown(place, sources)),
    };
    let mut places: Vec<String> = step.at.iter().map(about).collect();
    places.dedup();
    let at = if places.is_empty() { String::new() } else { format!(", {}", places.join(" and ")) };
    let outcome = step.outcome.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    line(text, depth, &format!("{}{at}{outcome}", step.text));
    for inside in &step.inside {
        write_step(text, depth + 1, inside, sources);
    }
}

fn line(text: &mut String, depth: usize, what: &str) {
    writeln!(text, "{:indent$}{}", "", one_line(what), indent = 2 * depth)
        .expect("a string takes all");
}

/// A place as `file:line`.
pub(super) fn shown(place: &Place, sources: &SourceMap) -> String {
    match place {
        Place::Source(it) => format!("{}:{}", sources.display_path(it.file), it.line),
        Place::Instruction(it) => format!("instruction {} of `{}`", it.ordinal, it.function),
    }
}
