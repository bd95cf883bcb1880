//! Functions of PTX registers as LLVM IR: what an `add`, a `setp`, a `cvt` computes, said once.
//!
//! Two write IR in which a register is a slot (an `alloca` of an integer): the executor, for inline
//! PTX, and the reader of PTX files. What they share is here, over [`Slots`].
//!
//! **Promises**: values are integers of their width; an instruction that is not known exactly
//! enough for a run gives `None`, and nothing that was written by then is wrong. **Does not**:
//! touch memory, or know special registers.

pub mod carry;
pub mod floats;
pub mod integers;

use crate::{Instruction, Logic, Operand, Role};

/// Text of IR, and where its registers are.
pub trait Slots {
    /// Adds a line.
    fn line(&mut self, text: &str);

    /// Adds a line that defines a value, and gives its name.
    fn value(&mut self, text: &str) -> String;

    /// An operand as an integer of so many bits.
    fn operand(&mut self, operand: &Operand, bits: u32) -> Option<String>;

    /// Writes an integer of so many bits into a register.
    fn set(&mut self, operand: &Operand, bits: u32, value: &str) -> Option<()>;

    /// The bits of a register.
    fn width(&self, operand: &Operand) -> Option<u32>;

    /// Writes whether a comparison holds, and whether it does not, each combined with a predicate.
    fn answer(&mut self, it: &Instruction, holds: &str, logic: Option<Logic>) -> Option<()> {
        let fails = it.operand(Role::DestPred);
        let fails = fails.map(|_| self.value(&format!("xor i1 {holds}, true")));
        let with = match logic {
            Some(logic) => {
                let word = match logic {
                    Logic::And => "and",
                    Logic::Or => "or",
                    Logic::Xor => "xor",
                };
                Some((word, self.operand(it.operand(Role::Predicate)?, 1)?))
            }
            None => None,
        };
        let dests = [(Role::Dest, Some(holds.to_owned())), (Role::DestPred, fails)];
        for (role, value) in dests {
            let (Some(dest), Some(value)) = (it.operand(role), value) else { continue };
            let value = match &with {
                Some((word, predicate)) => self.value(&format!("{word} i1 {value}, {predicate}")),
                None => value,
            };
            self.set(dest, 1, &value)?;
        }
        Some(())
    }

    /// A value of another width.
    fn resized(&mut self, value: &str, from: u32, to: u32, signed: bool) -> String {
        let extend = if signed { "sext" } else { "zext" };
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => value.to_owned(),
            std::cmp::Ordering::Less => self.value(&format!("{extend} i{from} {value} to i{to}")),
            std::cmp::Ordering::Greater => self.value(&format!("trunc i{from} {value} to i{to}")),
        }
    }
}
