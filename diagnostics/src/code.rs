//! The registry of finding codes: one row per code, and all that follows from the row.
//!
//! A row gives the number (stable for ever), the slug (what a user types), the family, the default
//! severity and a one-line title. The page is `docs/codes/<number>.md`, included at compile time: a
//! row without a page does not compile. Numbers leave room inside a family for what belongs beside
//! them; a number is never reused.
//!
//! Not here: who reports a code (passes name theirs), and severities a user asked for.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How serious a finding is. The order is from mild to serious.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Suspicious, or the tool could not tell.
    Warning,
    /// Wrong: a property is refuted, or the input cannot be checked.
    Error,
}

impl Severity {
    /// The word a report starts with.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a group of codes is about: the first two digits of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// HD00: something was not modelled or not decided.
    NotModelled,
    /// HD01: races.
    Races,
    /// HD02: barriers.
    Barriers,
    /// HD03: memory.
    Memory,
    /// HD04: convergence of warps.
    Convergence,
    /// HD05: forward progress.
    Progress,
    /// HD06: what the program itself asserts.
    Assertions,
    /// HD09: the tool itself and its input.
    Tool,
}

impl Family {
    /// The first four characters of each number of the family.
    pub fn prefix(self) -> &'static str {
        match self {
            Family::NotModelled => "HD00",
            Family::Races => "HD01",
            Family::Barriers => "HD02",
            Family::Memory => "HD03",
            Family::Convergence => "HD04",
            Family::Progress => "HD05",
            Family::Assertions => "HD06",
            Family::Tool => "HD09",
        }
    }

    /// A heading for lists of codes.
    pub fn title(self) -> &'static str {
        match self {
            Family::NotModelled => "not modelled, not decided",
            Family::Races => "races",
            Family::Barriers => "barriers",
            Family::Memory => "memory",
            Family::Convergence => "convergence",
            Family::Progress => "progress",
            Family::Assertions => "assertions",
            Family::Tool => "the tool and its input",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $slug:literal, $family:ident, $severity:ident, $title:literal;)*) => {
        /// The kind of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, by number.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The number, such as `HD0101`.
            pub fn number(self) -> &'static str {
                match self { $(Code::$name => $number,)* }
            }

            /// The name a user types, such as `intra-block-race`.
            pub fn slug(self) -> &'static str {
                match self { $(Code::$name => $slug,)* }
            }

            /// One line, lower case, without a full stop.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// What the code is about.
            pub fn family(self) -> Family {
                match self { $(Code::$name => Family::$family,)* }
            }

            /// The severity unless a user asked for another.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            /// The page that `heddle explain` prints: Markdown, the text of
            /// `docs/codes/<number>.md`.
            pub fn page(self) -> &'static str {
                match self { $(Code::$name => include_str!(concat!("../../docs/codes/", $number, ".md")),)* }
            }
        }
    };
}

codes! {
    /// An instruction or call that the lifter does not model, and that the answer depends on.
    UnmodelledInstruction = "HD0001", "unmodelled-instruction", NotModelled, Warning,
        "an instruction that the answer depends on is not modelled";
    /// A query, an index or a bound that no domain could settle.
    Undecided = "HD0002", "undecided", NotModelled, Warning,
        "no method could settle a question about this kernel";
    /// The step budget ran out before an answer.
    BudgetSpent = "HD0003", "budget-spent", NotModelled, Warning,
        "the step budget ran out before an answer was found";
    /// Two threads of one block touch the same bytes, unordered, with a write.
    IntraBlockRace = "HD0101", "intra-block-race", Races, Error,
        "two threads of one block touch the same bytes, and no barrier orders them";
    /// Two threads of different blocks touch the same bytes, unordered, with a write.
    InterBlockRace = "HD0102", "inter-block-race", Races, Error,
        "two threads of different blocks touch the same bytes, and nothing orders them";
    /// Two threads store provably the same value to the same bytes.
    BenignRace = "HD0103", "benign-race", Races, Note,
        "two threads store the same value to the same bytes";
    /// Two threads of one warp touch the same bytes, unordered, with a write.
    IntraWarpRace = "HD0104", "intra-warp-race", Races, Error,
        "two threads of one warp touch the same bytes, and no warp barrier orders them";
    /// A thread touches what an asynchronous copy of its own still writes, or writes what it still
    /// reads.
    CopyUnderWay = "HD0105", "copy-under-way", Races, Error,
        "a thread touches what an asynchronous copy of its own has under way";
    /// A copy of the whole work-group, or a wait for one, that its work-items do not come to
    /// together with the same arguments.
    CollectiveCopy = "HD0106", "collective-copy", Races, Error,
        "a copy of the work-group, or a wait for one, is not done by all its work-items alike";
    /// A copy of the whole work-group that nobody has waited for when the kernel ends.
    CopyNotWaitedFor = "HD0107", "copy-not-waited-for", Races, Error,
        "the kernel ends before it has waited for a copy of the work-group";
    /// An asynchronous copy of a thread that it has not waited for when it ends.
    CopyAbandoned = "HD0108", "copy-abandoned", Races, Warning,
        "a thread ends before it has waited for an asynchronous copy";
    /// A block barrier that some threads of the block reach and others do not.
    BarrierDivergence = "HD0201", "barrier-divergence", Barriers, Error,
        "a block barrier is reached by some threads of the block and not by others";
    /// Threads wait at a named barrier, or for a barrier object, for ever.
    NamedBarrierDeadlock = "HD0202", "named-barrier-deadlock", Barriers, Error,
        "threads wait at a barrier for arrivals that never come";
    /// A thread may return before a barrier that the other threads of its block wait at.
    EarlyReturnBeforeBarrier = "HD0203", "early-return-before-barrier", Barriers, Warning,
        "some threads return before a block barrier that the others reach";
    /// A use of a barrier may begin while the one before it lacks arrivals.
    BarrierRecycled = "HD0204", "barrier-recycled", Barriers, Error,
        "a barrier can be used again before its last use is over";
    /// Counts and arrivals of a named barrier that do not fit.
    BarrierArrivals = "HD0205", "barrier-arrivals", Barriers, Error,
        "the arrivals at a barrier do not add up";
    /// A barrier object whose phases a wait can confuse, or that is not initialised in time.
    BarrierPhase = "HD0206", "barrier-phase", Barriers, Error,
        "a thread can wait for another phase of a barrier object than the one it means";
    /// An aligned barrier that only some lanes of a warp reach together.
    PartialWarpBarrier = "HD0207", "partial-warp-barrier", Barriers, Error,
        "an aligned barrier is reached by part of a warp";
    /// An access to bytes that no buffer, array or variable has.
    OutOfBounds = "HD0301", "out-of-bounds", Memory, Error,
        "an access goes to bytes that belong to nothing";
    /// A read of shared memory that no thread of the block has written. Only a run tells.
    UninitialisedShared = "HD0302", "uninitialised-shared", Memory, Warning,
        "shared memory is read before any thread writes it";
    /// A block waits for another one, and what is assumed does not guarantee that the other one
    /// runs.
    ProgressNeeded = "HD0501", "progress-needed", Progress, Error,
        "a block waits for another one that need not run";
    /// Blocks that all keep running can undo each other's work for ever.
    Livelock = "HD0502", "livelock", Progress, Error,
        "blocks can undo each other's work for ever";
    /// Blocks wait for each other, and no scheduler helps.
    Deadlock = "HD0503", "deadlock", Progress, Error,
        "blocks wait for ever under every scheduler";
    /// A thread reaches a failing assertion, or a trap.
    AssertionFails = "HD0601", "assertion-fails", Assertions, Error,
        "an assertion fails";
    /// The input cannot be checked as given.
    BadInput = "HD0901", "bad-input", Tool, Error,
        "the input cannot be checked as it was given";
    /// A comment that allows a finding, and does nothing.
    UselessSuppression = "HD0902", "useless-suppression", Tool, Warning,
        "a comment that allows a finding does nothing";
    /// A fault of Heddle itself.
    InternalError = "HD0999", "internal-error", Tool, Error,
        "Heddle itself failed";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

/// A text that is neither the number nor the slug of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCode(String);

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slugs: Vec<_> = Code::ALL.iter().map(|code| code.slug()).collect();
        let first = Code::ALL[0].number();
        write!(f, "no code is called `{}`; give a number such as `{first}` or one of: ", self.0)?;
        f.write_str(&slugs.join(", "))
    }
}

impl std::error::Error for UnknownCode {}

impl FromStr for Code {
    type Err = UnknownCode;

    /// Reads a number in either case (`HD0101`, `hd0101`) or a slug (`intra-block-race`).
    fn from_str(text: &str) -> Result<Code, UnknownCode> {
        let names = |code: &Code| code.number().eq_ignore_ascii_case(text) || code.slug() == text;
        Code::ALL.iter().copied().find(names).ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.number())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_unique_and_in_their_family() {
        for pair in Code::ALL.windows(2) {
            assert!(
                pair[0].number() < pair[1].number(),
                "{} must come before {}",
                pair[0],
                pair[1]
            );
        }
        for code in Code::ALL {
            assert_eq!(code.number().len(), 6, "{code}");
            assert!(code.number().starts_with(code.family().prefix()), "{code}");
            let same = Code::ALL.iter().filter(|other| other.slug() == code.slug()).count();
            assert_eq!(same, 1, "{code}: slug used twice");
        }
    }

    #[test]
    fn a_code_is_read_back_from_its_number_and_its_slug() {
        for &code in Code::ALL {
            assert_eq!(code.number().parse(), Ok(code));
            assert_eq!(code.number().to_lowercase().parse(), Ok(code));
            assert_eq!(code.slug().parse(), Ok(code));
        }
        let error = "HD9999".parse::<Code>().expect_err("no such code").to_string();
        assert!(error.contains("HD9999") && error.contains("intra-block-race"), "{error}");
    }

    #[test]
    fn titles_are_messages() {
        for code in Code::ALL {
            assert!(!code.title().ends_with('.') && !code.title().contains('\n'), "{code}");
        }
    }
}
