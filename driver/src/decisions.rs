//! What is decided about findings, from two sides: the options of a run, and `heddle.toml`. The
//! command line and the compiler plugin both come here, so that the same words mean the same in
//! both.
//!
//! **Promises**: the options count more than the file; severities of both hold together. **Does
//! not**: look for the file ([`Config::find`]), or apply what is decided.

use std::path::{Path, PathBuf};

use heddle_diagnostics::FailOn;
use heddle_diagnostics::policy::{Baseline, Levels, Policy};

use crate::config::Config;
use crate::options::{CheckOptions, LaunchRule};
use crate::table;

/// What the options of a run say about findings.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// Severities by code.
    pub levels: Levels,
    /// What makes the run fail.
    pub fail_on: Option<FailOn>,
    /// A file of findings that are known.
    pub baseline: Option<PathBuf>,
}

impl Decisions {
    /// The policy under a project's file.
    ///
    /// # Errors
    /// The baseline cannot be read.
    pub fn under(&self, config: &Config) -> Result<Policy, String> {
        let mut levels = config.levels.clone();
        levels.extend(&self.levels);
        let baseline = self.baseline.as_ref().or(config.baseline.as_ref());
        Ok(Policy {
            levels,
            fail_on: self.fail_on.or(config.fail_on).unwrap_or_default(),
            baseline: baseline.map(|path| read_baseline(path)).transpose()?,
            partial: false,
        })
    }
}

fn read_baseline(path: &Path) -> Result<Baseline, String> {
    let text = heddle_diagnostics::source::read_text(path).map_err(|error| {
        format!(
            "the baseline `{}` cannot be read: {error}; write one with `heddle baseline`",
            path.display()
        )
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Baseline::read(&text, folder).map_err(|error| format!("{}: {error}", path.display()))
}

impl Config {
    /// Adds to the options of a check what the file says and they do not; `gives` knows which of
    /// the table's options were given.
    ///
    /// # Errors
    /// The file names no pass.
    pub fn lay_under(
        &self,
        options: &mut CheckOptions,
        gives: &dyn Fn(&str) -> bool,
    ) -> Result<(), String> {
        options.launch.rules.clone_from(&self.rules);
        if !gives("passes") && !self.passes.is_empty() {
            table::set(options, "passes", &self.passes.join(","))
                .map_err(|error| format!("{}: `passes`: {error}", self.path.display()))?;
        }
        let sizes = |rule: &LaunchRule| !rule.launch.sizes.is_empty();
        if self.check_bounds || self.rules.iter().any(sizes) {
            table::set(options, "check-bounds", "").map_err(|error| error.to_string())?;
        }
        if !gives("benign") {
            options.benign_is_error = self.benign_is_error.unwrap_or(options.benign_is_error);
        }
        Ok(())
    }
}
