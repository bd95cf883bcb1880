//! Which values decide anything about progress.
//!
//! **Claim**: with every other value forgotten, the transition system has the same steps and
//! terminations. A register is relevant at an operation if its value may flow from there into a
//! branch, an address, or what is written to a relevant location; a location is relevant if its
//! value may flow into a relevant register, or decides what a relevant location becomes.
//! Addresses that are not constant stand for their whole array.

use super::{Action, Address, BlockProgram, Code, Expr, Operation, Register};

/// What to keep of a state.
#[derive(Clone, Debug)]
pub(super) struct Relevance {
    /// By location.
    pub(super) locations: Vec<bool>,
    /// By block, by position of the next operation, by register.
    pub(super) registers: Vec<Vec<Vec<bool>>>,
}

/// Finds what is relevant: the least solution, reached from below.
pub(super) fn relevance(program: &BlockProgram) -> Relevance {
    let blank = |code: &Code| vec![vec![false; code.registers]; code.operations.len()];
    let mut relevance = Relevance {
        locations: vec![false; program.locations.len()],
        registers: program.blocks.iter().map(blank).collect(),
    };
    loop {
        let mut changed = false;
        for (block, code) in program.blocks.iter().enumerate() {
            while pass(code, &mut relevance.locations, &mut relevance.registers[block]) {
                changed = true;
            }
        }
        if !changed {
            return relevance;
        }
    }
}

/// One pass backwards over a block; whether anything became relevant.
fn pass(code: &Code, locations: &mut [bool], registers: &mut [Vec<bool>]) -> bool {
    let mut changed = false;
    for (position, operation) in code.operations.iter().enumerate().rev() {
        let mut before = after(operation, position, registers, code.registers);
        match operation {
            Operation::Assign(assignments) => {
                let behind = before.clone();
                for (register, _) in assignments {
                    before[register.0 as usize] = false;
                }
                let kept = assignments.iter().filter(|(register, _)| behind[register.0 as usize]);
                kept.for_each(|(_, value)| read(value, &mut before));
            }
            Operation::Atomic { address, action, result } => {
                let result_matters = result.is_some_and(|result| before[result.0 as usize]);
                if let Some(Register(result)) = result {
                    before[*result as usize] = false;
                }
                let reach = reach(address);
                if result_matters {
                    changed |= mark(&mut locations[reach.clone()]);
                }
                let location_matters = locations[reach].iter().any(|relevant| *relevant);
                read(&address.index, &mut before);
                if location_matters {
                    match action {
                        Action::Load => {}
                        Action::Store(value)
                        | Action::Exchange(value)
                        | Action::Update { operand: value, .. } => read(value, &mut before),
                        Action::CompareExchange { expected, replacement } => {
                            read(expected, &mut before);
                            read(replacement, &mut before);
                        }
                    }
                }
            }
            Operation::Branch(condition, ..) => read(condition, &mut before),
            Operation::Jump(_) | Operation::Exit => {}
        }
        for (known, relevant) in registers[position].iter_mut().zip(before) {
            changed |= relevant && !*known;
            *known |= relevant;
        }
    }
    changed
}

/// What is relevant after an operation.
fn after(
    operation: &Operation,
    position: usize,
    registers: &[Vec<bool>],
    count: usize,
) -> Vec<bool> {
    let targets: &[usize] = match operation {
        Operation::Assign(_) | Operation::Atomic { .. } => &[position + 1],
        Operation::Branch(_, yes, no) => &[*yes, *no],
        Operation::Jump(target) => &[*target],
        Operation::Exit => &[],
    };
    let mut all = vec![false; count];
    for target in targets {
        all.iter_mut().zip(&registers[*target]).for_each(|(known, relevant)| *known |= relevant);
    }
    all
}

fn read(expr: &Expr, registers: &mut [bool]) {
    expr.registers(&mut |register| registers[register.0 as usize] = true);
}

fn reach(address: &Address) -> std::ops::Range<usize> {
    match &address.index {
        Expr::Constant(index) if (*index as usize) < address.count => {
            let location = address.base + *index as usize;
            location..location + 1
        }
        Expr::Constant(_) | Expr::Register(_) | Expr::Binary { .. } | Expr::Select(_) => {
            address.base..address.base + address.count
        }
    }
}

fn mark(locations: &mut [bool]) -> bool {
    let changed = locations.iter().any(|relevant| !relevant);
    locations.fill(true);
    changed
}
