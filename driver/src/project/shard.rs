//! One of several parts of a run, for job arrays: `--shard 2/5`.
//!
//! **Promises**: the parts of one project have each unit once; which part a unit is in depends on
//! the project's units and the count alone, not on the machine. [`identity`] tells parts of one
//! project from parts of another.

use std::fmt;
use std::str::FromStr;

use crate::options::BadOption;
use crate::source::Unit;

/// Part `index` of `count`, from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

impl Shard {
    /// Every `count`-th unit: neighbours in the order of paths are often alike in cost, and so are
    /// spread.
    pub(super) fn part(self, units: Vec<Unit>) -> Vec<Unit> {
        let (first, step) = (self.index as usize - 1, self.count as usize);
        units.into_iter().skip(first).step_by(step).collect()
    }
}

impl FromStr for Shard {
    type Err = BadOption;

    /// Reads `2/5`.
    fn from_str(text: &str) -> Result<Shard, BadOption> {
        let parts = text.split_once('/');
        let numbers =
            parts.and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if 1 <= index && index <= count => Ok(Shard { index, count }),
            Some(_) | None => Err(BadOption::new(
                "write `index/count` with an index from 1 to the count, as in `2/5`",
            )),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A hash of all units of a project, as the current folder shows them: their files, what is in
/// these, and how they are compiled. The current folder itself may differ from part to part.
pub(super) fn identity(units: &[Unit]) -> String {
    let mut hasher = blake3::Hasher::new();
    let here = std::env::current_dir().unwrap_or_default().display().to_string();
    for unit in units {
        let said = format!("{}\0{}\0{:?}\0", unit.shown, unit.compile.arch, unit.language);
        hasher.update(said.as_bytes());
        for argument in &unit.compile.clang_args {
            hasher.update(argument.to_string_lossy().replace(&here, ".").as_bytes());
            hasher.update(&[0]);
        }
        let content = heddle_diagnostics::source::read_regular(&unit.path).unwrap_or_default();
        hasher.update(blake3::hash(&content).as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_documented() {
        assert_eq!("2/5".parse(), Ok(Shard { index: 2, count: 5 }));
        for text in ["0/5", "6/5", "1", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
