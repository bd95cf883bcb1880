//! Writes a test in the text form that [`super::parse()`] reads back to an equal test.

use std::fmt;

use super::{Instruction, Test};

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            writeln!(f, "test {}", self.name)?;
        }
        if !self.locations.is_empty() {
            writeln!(f, "locations {}", self.locations.join(" "))?;
        }
        for (number, code) in self.threads.iter().enumerate() {
            writeln!(f, "thread {number}")?;
            for (position, instruction) in code.iter().enumerate() {
                let targeted = code.iter().any(|other| {
                    other.branch.is_some_and(|branch| branch.target as usize == position)
                });
                let label = if targeted { format!("L{position}:") } else { String::new() };
                writeln!(f, "  {label:<4}{}", self.instruction_text(*instruction, code.len()))?;
            }
        }
        Ok(())
    }
}

impl Test {
    /// One instruction of a thread of `length` instructions, in the text form.
    pub fn instruction_text(&self, instruction: Instruction, length: usize) -> String {
        let location = &self.locations[instruction.location as usize];
        let mut text = match (instruction.exchange, instruction.branch) {
            (Some(value), Some(_)) => format!("exch {location} = {value}"),
            (Some(value), None) => format!("store {location} = {value}"),
            (None, _) => format!("load {location}"),
        };
        if let Some(branch) = instruction.branch {
            let target = match branch.target as usize {
                target if target == length => "end".to_owned(),
                target => format!("L{target}"),
            };
            text += &format!(", if {} goto {target}", branch.value);
        }
        text
    }
}
