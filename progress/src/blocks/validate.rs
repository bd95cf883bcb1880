//! What a block program must satisfy before it is stepped.
//!
//! Checks: targets, registers and locations exist; no block runs past its end; widths are 1 to 64.
//! Does not check: indices of addresses, shifts and divisors, which depend on values and stop the
//! exploration where they go wrong.

use super::{Action, Address, BlockProgram, Code, Expr, Operation, Register};
use crate::system::Stop;

/// Finds the first thing that is wrong with a program.
pub(super) fn validate(program: &BlockProgram) -> Result<(), Stop> {
    for (thread, code) in program.blocks.iter().enumerate() {
        let check = Check { locations: program.locations.len(), code };
        for (position, operation) in code.operations.iter().enumerate() {
            check.operation(position, operation).map_err(|what| Stop::Unsupported {
                thread,
                reason: format!("malformed operation {position}: {what}"),
            })?;
        }
        if code.operations.is_empty() || code.places.len() != code.operations.len() {
            let reason = "malformed code: no operations, or not one place for each".to_owned();
            return Err(Stop::Unsupported { thread, reason });
        }
    }
    Ok(())
}

struct Check<'a> {
    locations: usize,
    code: &'a Code,
}

impl Check<'_> {
    fn operation(&self, position: usize, operation: &Operation) -> Result<(), String> {
        match operation {
            Operation::Assign(assignments) => {
                self.target(position + 1)?;
                for (register, value) in assignments {
                    self.register(*register)?;
                    self.expr(value)?;
                }
                Ok(())
            }
            Operation::Atomic { address: Address { base, count, index }, action, result } => {
                self.target(position + 1)?;
                if *count == 0 || base + count > self.locations {
                    return Err(format!("no locations {base} to {}", base + count));
                }
                self.expr(index)?;
                result.map_or(Ok(()), |result| self.register(result))?;
                self.action(action)
            }
            Operation::Branch(condition, yes, no) => {
                self.expr(condition)?;
                self.target(*yes)?;
                self.target(*no)
            }
            Operation::Jump(target) => self.target(*target),
            Operation::Exit => Ok(()),
        }
    }

    fn action(&self, action: &Action) -> Result<(), String> {
        match action {
            Action::Load => Ok(()),
            Action::Store(value) | Action::Exchange(value) => self.expr(value),
            Action::Update { bits, operand, .. } => {
                self.width(*bits)?;
                self.expr(operand)
            }
            Action::CompareExchange { expected, replacement } => {
                self.expr(expected)?;
                self.expr(replacement)
            }
        }
    }

    fn expr(&self, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Constant(_) => Ok(()),
            Expr::Register(register) => self.register(*register),
            Expr::Binary { bits, left, right, .. } => {
                self.width(*bits)?;
                self.expr(left)?;
                self.expr(right)
            }
            Expr::Select(parts) => parts.iter().try_for_each(|part| self.expr(part)),
        }
    }

    fn width(&self, bits: u8) -> Result<(), String> {
        if (1..=64).contains(&bits) { Ok(()) } else { Err(format!("a width of {bits} bits")) }
    }

    fn register(&self, Register(number): Register) -> Result<(), String> {
        let known = (number as usize) < self.code.registers;
        if known { Ok(()) } else { Err(format!("no register {number}")) }
    }

    fn target(&self, target: usize) -> Result<(), String> {
        let known = target < self.code.operations.len();
        if known { Ok(()) } else { Err(format!("the code ends before operation {target}")) }
    }
}
