//! Severities by code: `HD0103=error`, `unknown=ignore`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::acceptance::{Acceptance, may_be_accepted};
use crate::code::{Code, Family, Severity};
use crate::finding::Finding;

/// The word for all codes that say what could not be decided (HD00).
const UNKNOWN: &str = "unknown";

/// How serious the findings of a code are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// They stay in the report and count for nothing.
    Ignore,
    /// This serious.
    At(Severity),
}

/// Severities that differ from the codes' own; the last word on a code counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels(BTreeMap<Code, Level>);

/// A text that gives no code a level; the message says what would.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLevel(String);

impl fmt::Display for BadLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadLevel {}

impl FromStr for Level {
    type Err = BadLevel;

    fn from_str(text: &str) -> Result<Level, BadLevel> {
        match text {
            "ignore" => Ok(Level::Ignore),
            "note" => Ok(Level::At(Severity::Note)),
            "warn" | "warning" => Ok(Level::At(Severity::Warning)),
            "error" => Ok(Level::At(Severity::Error)),
            _ => Err(BadLevel(format!(
                "`{text}` is no level; give `ignore`, `note`, `warning` or `error`"
            ))),
        }
    }
}

impl Levels {
    /// Gives a code a level: its number, its name, or `unknown` for all codes of the family HD00.
    ///
    /// # Errors
    /// There is no such code, or it always is an error.
    pub fn set(&mut self, code: &str, level: Level) -> Result<(), BadLevel> {
        if code == UNKNOWN {
            let of_family = |code: &&Code| code.family() == Family::NotModelled;
            self.0.extend(Code::ALL.iter().filter(of_family).map(|code| (*code, level)));
            return Ok(());
        }
        let known: Code = code
            .parse()
            .map_err(|_| BadLevel(format!("no code is called `{code}`; give a number such as `HD0103`, a name from `heddle explain`, or `unknown`")))?;
        if !may_be_accepted(known) {
            return Err(BadLevel(format!("{known} is always an error")));
        }
        self.0.insert(known, level);
        Ok(())
    }

    /// Reads `HD0103=error`.
    ///
    /// # Errors
    /// As [`Levels::set`], or it has another form.
    pub fn read(&mut self, text: &str) -> Result<(), BadLevel> {
        let (code, level) = text
            .split_once('=')
            .ok_or_else(|| BadLevel("write `CODE=LEVEL`, as in `HD0103=error`".to_owned()))?;
        self.set(code.trim(), level.trim().parse()?)
    }

    /// Takes over what `others` say; on a code that both know, theirs counts.
    pub fn extend(&mut self, others: &Levels) {
        self.0.extend(&others.0);
    }

    pub(super) fn apply(&self, finding: &mut Finding) {
        match self.0.get(&finding.code) {
            Some(Level::Ignore) => finding.accepted = Some(Acceptance::Ignored),
            Some(Level::At(severity)) => finding.severity = *severity,
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_documented() {
        let mut levels = Levels::default();
        levels.read("HD0103=error").expect("a level");
        levels.read("unknown = ignore").expect("a level");
        levels.read("undecided=warn").expect("a level");
        let level = |code| levels.0.get(&code).copied();
        assert_eq!(level(Code::BenignRace), Some(Level::At(Severity::Error)));
        assert_eq!(level(Code::BudgetSpent), Some(Level::Ignore));
        assert_eq!(level(Code::Undecided), Some(Level::At(Severity::Warning)));
        for (text, part) in [
            ("HD0103", "CODE=LEVEL"),
            ("HD7=note", "no code"),
            ("HD0103=loud", "no level"),
            ("HD0999=ignore", "always an error"),
        ] {
            let error = Levels::default().read(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
