//! Whether an `until` stands for a loop: the rounds that do not end it change nothing.
//!
//! The last round alone is in an execution (`crate::parse`). That says all of a loop whose earlier
//! rounds read only, or write what they read. A loop that adds to a counter until it reads a number
//! has written all numbers before it, so it is no test of this form.

use crate::program::{Change, Comparison, Guard, Instruction, Operand, Statement, Test, each};

/// The first `until` whose earlier rounds could change what they read: its line.
pub(crate) fn first_that_changes(test: &Test) -> Option<usize> {
    test.threads.iter().find_map(|it| within(test, &it.body))
}

fn within(test: &Test, body: &[Statement]) -> Option<usize> {
    let mut before: Option<&Instruction> = None;
    for statement in body {
        match &statement.instruction {
            Instruction::Until(guard) => {
                let repeats = before.filter(|it| it.register() == Some(&guard.register));
                if repeats.is_some_and(|it| changes(test, it, guard)) {
                    return Some(statement.line);
                }
            }
            Instruction::If(_, inner) => {
                if let Some(line) = within(test, inner) {
                    return Some(line);
                }
            }
            Instruction::Load(..)
            | Instruction::Store(..)
            | Instruction::Atomic(..)
            | Instruction::Fence { .. }
            | Instruction::Barrier { .. } => {}
        }
        before = Some(&statement.instruction);
    }
    None
}

/// Whether a round that this guard does not end may leave another value than it read.
fn changes(test: &Test, repeated: &Instruction, guard: &Guard) -> bool {
    let Instruction::Atomic(_, _, location, change) = repeated else { return false };
    let ends = |value: u64| {
        let holds = |with: &u64| guard.comparison.holds(value, *with);
        number(&guard.with).as_ref().is_some_and(holds)
    };
    match change {
        Change::Add(by) => number(by) != Some(0),
        // It changes what it reads where that is `old`, and then the loop must be over.
        Change::CompareAndSwap(old, new) => {
            let same = guard.comparison == Comparison::Equal && guard.with == *old || old == new;
            !same && !number(old).is_some_and(ends)
        }
        Change::Exchange(new) => {
            let Some(values) = values(test, location) else { return true };
            !values.into_iter().all(|it| ends(it) || number(new) == Some(it))
        }
    }
}

fn number(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Number(number) => Some(*number),
        Operand::Register(_) => None,
    }
}

/// All that a location can hold, where each write to it stores a number.
fn values(test: &Test, location: &str) -> Option<Vec<u64>> {
    let first = test.init.iter().find(|it| it.0 == location).map_or(0, |it| it.1);
    let mut all = vec![Some(first)];
    for thread in &test.threads {
        each(&thread.body, &mut |it| match it {
            Instruction::Store(_, at, value) if at == location => all.push(number(value)),
            Instruction::Atomic(_, _, at, change) if at == location => match change {
                Change::Add(_) => all.push(None),
                Change::Exchange(new) | Change::CompareAndSwap(_, new) => all.push(number(new)),
            },
            Instruction::Load(..)
            | Instruction::Store(..)
            | Instruction::Atomic(..)
            | Instruction::Fence { .. }
            | Instruction::Barrier { .. }
            | Instruction::Until(_)
            | Instruction::If(..) => {}
        });
    }
    all.into_iter().collect()
}
