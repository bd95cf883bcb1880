//! What the user asks for.

use std::sync::Arc;

use heddle_progress::model::Criterion;
use heddle_solver::Budget;

use super::profile::Profile;
use super::why::Why;
use crate::facts::launch::LaunchRequest;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The launch.
    pub request: LaunchRequest,
    /// Stores of one value by several threads count as races.
    pub benign_is_error: bool,
    /// Work that one question may cost. From limited fuel questions are asked one after the
    /// other.
    pub budget: Budget,
    /// Names of the passes to run; all but those that are extra if empty.
    pub selected: Vec<String>,
    /// Names of extra passes to run besides.
    pub extra: Vec<String>,
    /// Replay witnesses.
    pub replay: bool,
    /// Lanes of a warp run in step, as nothing promises since sm_70.
    pub warp_sync: bool,
    /// How forward progress is checked.
    pub progress: ProgressOptions,
    /// Where it is written down how long each question takes, if anywhere.
    pub profile: Option<Arc<Profile>>,
    /// Where it is written down how each question was settled, if anywhere.
    pub why: Option<Arc<Why>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            request: LaunchRequest::default(),
            benign_is_error: false,
            budget: Budget::default(),
            selected: Vec::new(),
            extra: Vec::new(),
            replay: true,
            warp_sync: false,
            progress: ProgressOptions::default(),
            profile: None,
            why: None,
        }
    }
}

/// How forward progress is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgressOptions {
    /// What is taken for granted; what the target guarantees if not said.
    pub assumed: Option<Criterion>,
    /// The grid that is followed, whatever the launch is.
    pub blocks: Option<u32>,
    /// States of a transition system, at most.
    pub states: usize,
}

impl Default for ProgressOptions {
    fn default() -> ProgressOptions {
        ProgressOptions { assumed: None, blocks: None, states: 200_000 }
    }
}
