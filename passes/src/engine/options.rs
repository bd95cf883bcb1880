//! What the user asks for.

use heddle_progress::model::Criterion;
use heddle_solver::Budget;

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
    /// Names of the passes to run; all if empty.
    pub selected: Vec<String>,
    /// Replay witnesses.
    pub replay: bool,
    /// Lanes of a warp run in step, as nothing promises since sm_70.
    pub warp_sync: bool,
    /// How forward progress is checked.
    pub progress: ProgressOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            request: LaunchRequest::default(),
            benign_is_error: false,
            budget: Budget::default(),
            selected: Vec::new(),
            replay: true,
            warp_sync: false,
            progress: ProgressOptions::default(),
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
