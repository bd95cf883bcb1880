//! The run that shows a violation: a launch, two threads, argument values, bytes.
//!
//! A witness is data for people and for machine-readable output; the values are rendered text where
//! only the text matters. The confirmation says whether replaying it concretely hit the same pair.
//!
//! **Does not**: replay anything; the interpreter does, on its own concrete form of the same run.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Three sizes or three coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Dim3 {
    /// First, fastest-running.
    pub x: u32,
    /// Second.
    pub y: u32,
    /// Third.
    pub z: u32,
}

impl Dim3 {
    /// From the three parts.
    pub fn new(x: u32, y: u32, z: u32) -> Dim3 {
        Dim3 { x, y, z }
    }

    /// As a size in the form of `--block` and `launch:` lines: `64`, `16,16`, `8,8,4`.
    pub fn size(self) -> String {
        match self {
            Dim3 { x, y: 1, z: 1 } => x.to_string(),
            Dim3 { x, y, z: 1 } => format!("{x},{y}"),
            Dim3 { x, y, z } => format!("{x},{y},{z}"),
        }
    }
}

impl fmt::Display for Dim3 {
    /// As coordinates: `(x,y,z)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dim3 { x, y, z } = self;
        write!(f, "({x},{y},{z})")
    }
}

/// One thread of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadId {
    /// The block's index in the grid.
    pub block: Dim3,
    /// The thread's index in its block.
    pub thread: Dim3,
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {} of block {}", self.thread, self.block)
    }
}

/// A name and the value it has in the witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// As the source names it: a parameter, `blockDim.x`, an assumed value.
    pub name: String,
    /// As a decimal number or other short text.
    pub value: String,
}

impl Binding {
    /// From a name and anything that can be shown.
    pub fn new(name: impl Into<String>, value: impl fmt::Display) -> Binding {
        Binding { name: name.into(), value: value.to_string() }
    }
}

/// The iteration of one loop in which each of the two threads makes its access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iteration {
    /// Which loop, in the source's words: `i`, or `the loop at line 12`.
    pub name: String,
    /// Iteration number from 0 of the first and the second thread; `None` where the thread's access
    /// is outside the loop.
    pub of: [Option<u64>; 2],
}

/// A number that memory holds when the run starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The buffer or variable, as the source names it.
    pub object: String,
    /// Bytes from its start.
    pub offset: u64,
    /// Its width.
    pub bits: u8,
    /// The number.
    pub value: u128,
}

/// A concrete run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// Blocks in the grid.
    pub grid: Dim3,
    /// Threads in a block.
    pub block: Dim3,
    /// The two threads, in the order of the finding's labels.
    pub threads: [ThreadId; 2],
    /// Argument values that matter, in the order of the parameters.
    pub arguments: Vec<Binding>,
    /// What memory holds at the start, where it matters; anything elsewhere.
    pub memory: Vec<Stored>,
    /// The part of it that the run rests on, as the source names it: `row[3]` and its value.
    pub rests_on: Vec<Binding>,
    /// The bytes both touch, in the source's words: `s[6]`, `out[4..8]`.
    pub bytes: Option<String>,
    /// Loop iterations, outermost first.
    pub iterations: Vec<Iteration>,
    /// The barrier interval they share, such as `between the barriers at line 7 and line 12`.
    pub interval: Option<String>,
    /// For which launches there is such a run.
    #[serde(default)]
    pub reach: Reach,
}

/// For which launches there is a run that violates a property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// For some that are allowed. Which of them a program does is not known.
    #[default]
    Open,
    /// For the one launch that was asked about: nothing of it is open.
    Always,
    /// For one that the host's code has, here: nothing that was read of it excludes the run.
    Launched(String),
    /// For one that the host's code has, here, if values of the program that were not followed are
    /// such: what callers in other sources give, what memory holds.
    Called {
        /// The launch.
        at: String,
        /// The kernel's parameters and sizes that rest on them.
        values: Vec<String>,
    },
    /// For some that are allowed, and for none of those for which this condition holds.
    Unless(String),
}

impl Reach {
    /// A word for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Reach::Open => "open",
            Reach::Always => "always",
            Reach::Launched(_) => "launched",
            Reach::Called { .. } => "called",
            Reach::Unless(_) => "unless",
        }
    }

    /// The launch, or the condition.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Reach::Open | Reach::Always => None,
            Reach::Launched(text) | Reach::Unless(text) => Some(text),
            Reach::Called { at, values: _ } => Some(at),
        }
    }

    /// Whether a program is known to do such a launch, but for values that were not followed.
    pub(crate) fn is_launched(&self) -> bool {
        match self {
            Reach::Always | Reach::Launched(_) | Reach::Called { .. } => true,
            Reach::Open | Reach::Unless(_) => false,
        }
    }

    /// Whether no value of the program stands between the launch and the run.
    pub(crate) fn is_certain(&self) -> bool {
        match self {
            Reach::Always | Reach::Launched(_) => true,
            Reach::Open | Reach::Called { .. } | Reach::Unless(_) => false,
        }
    }

    /// The values that decide whether there is such a launch, in a row; empty where that is known,
    /// or nothing is.
    pub(crate) fn open_values(&self) -> String {
        match self {
            Reach::Open | Reach::Always | Reach::Launched(_) | Reach::Unless(_) => String::new(),
            Reach::Called { at: _, values } => listed(values),
        }
    }

    /// In words, where there is something to say.
    pub fn words(&self) -> Option<String> {
        match self {
            Reach::Open | Reach::Always => None,
            Reach::Launched(at) => Some(format!("at the launch at {at}")),
            Reach::Called { at, values } => {
                Some(format!("at the launch at {at}, for some {}", listed(values)))
            }
            Reach::Unless(condition) => {
                Some(format!("for some arguments; proved if `{condition}`"))
            }
        }
    }
}

/// Names in a row, each in quotes; of many the first.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let shown = names.iter().take(SHOWN).map(|it| format!("`{it}`"));
    let more = (names.len() > SHOWN).then(|| format!("{} more", names.len() - SHOWN));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

/// What replaying a witness showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Confirmation {
    /// The replay hit the same violation.
    Confirmed,
    /// The replay did not hit it: an abstraction may be to blame. Carries what happened instead.
    Unconfirmed(String),
    /// The witness could not be replayed to its end. Carries the class of the reason, and what was
    /// met.
    NotReplayed(Unreplayed, String),
}

/// Why a witness was not replayed, or not to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Unreplayed {
    /// The user turned replay off.
    TurnedOff,
    /// The run takes more steps than a replay may take.
    TooLong,
    /// An operation that the interpreter does not execute.
    NotExecuted,
    /// A value that decides where the run goes is not known: undefined, or not computed by the
    /// interpreter.
    Undetermined,
    /// A thread broke what the program takes for granted, so that this is no run of the program.
    AssumptionBroken,
    /// A thread ended the launch (a trap, a failed assertion, code that cannot be reached) before
    /// the violation.
    Trapped,
    /// The launch cannot be, or is larger than the interpreter takes.
    NoSuchLaunch,
}

impl Unreplayed {
    /// All of them.
    pub const ALL: [Unreplayed; 7] = [
        Unreplayed::TurnedOff,
        Unreplayed::TooLong,
        Unreplayed::NotExecuted,
        Unreplayed::Undetermined,
        Unreplayed::AssumptionBroken,
        Unreplayed::Trapped,
        Unreplayed::NoSuchLaunch,
    ];

    /// Whether the reason is the replay's and not the run's: a model that rests on no guess then
    /// stands as a refutation without a replay.
    pub fn is_limit_of_replay(self) -> bool {
        match self {
            Unreplayed::TurnedOff | Unreplayed::TooLong => true,
            Unreplayed::NotExecuted
            | Unreplayed::Undetermined
            | Unreplayed::AssumptionBroken
            | Unreplayed::Trapped
            | Unreplayed::NoSuchLaunch => false,
        }
    }
}

impl Confirmation {
    /// One word for summaries and machine-readable output.
    pub fn name(&self) -> &'static str {
        match self {
            Confirmation::Confirmed => "confirmed",
            Confirmation::Unconfirmed(_) => "unconfirmed",
            Confirmation::NotReplayed(..) => "not-replayed",
        }
    }

    /// Why it is not confirmed.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Confirmation::Confirmed => None,
            Confirmation::Unconfirmed(reason) | Confirmation::NotReplayed(_, reason) => {
                Some(reason)
            }
        }
    }
}

/// What a model of a violation amounts to after its replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion<'a> {
    /// It refutes the property.
    Refutes,
    /// It does not, and why no run shows it.
    Undecided(&'a str),
}

impl<'a> Conclusion<'a> {
    /// A violation is refuted if the replay confirmed it; or if the replay could not show it for a
    /// reason of its own ([`Unreplayed::is_limit_of_replay`]) and the model rests on no guess.
    pub fn of(confirmation: &'a Confirmation, rests_on_guesses: bool) -> Conclusion<'a> {
        match confirmation {
            Confirmation::Confirmed => Conclusion::Refutes,
            Confirmation::NotReplayed(why, _) if why.is_limit_of_replay() && !rests_on_guesses => {
                Conclusion::Refutes
            }
            Confirmation::NotReplayed(_, reason) | Confirmation::Unconfirmed(reason) => {
                Conclusion::Undecided(reason)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_limits_of_replay_stand_without_a_run_and_never_with_guesses() {
        for why in Unreplayed::ALL {
            let not = Confirmation::NotReplayed(why, "why".to_owned());
            let stands = matches!(why, Unreplayed::TurnedOff | Unreplayed::TooLong);
            assert_eq!(Conclusion::of(&not, false) == Conclusion::Refutes, stands, "{why:?}");
            assert_eq!(Conclusion::of(&not, true), Conclusion::Undecided("why"));
        }
        for guessed in [false, true] {
            assert_eq!(Conclusion::of(&Confirmation::Confirmed, guessed), Conclusion::Refutes);
            let missed = Confirmation::Unconfirmed("missed".to_owned());
            assert_eq!(Conclusion::of(&missed, guessed), Conclusion::Undecided("missed"));
        }
    }
}
