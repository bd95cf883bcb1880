//! What a step of a block program does: the front end of [`crate::system`] for kernels.

use super::relevance::{Relevance, relevance};
use super::validate::validate;
use super::{Action, Address, BlockProgram, Expr, Operation};
use crate::system::{self, Program, Stop};
use crate::threads::ThreadSet;

/// How many local operations a block may run between two atomic ones.
const LOCAL_LIMIT: usize = 100_000;

/// A block program that can be stepped.
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    program: &'a BlockProgram,
    relevance: Relevance,
}

/// Memory, and where each block is. Values that are not relevant are zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlocksState {
    /// The value of each location.
    pub memory: Vec<u64>,
    blocks: Vec<BlockState>,
}

/// A block that waits in front of an atomic operation, or has exited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct BlockState {
    /// The position of the operation; `None` for one that has exited.
    position: Option<usize>,
    registers: Vec<u64>,
}

impl<'a> Blocks<'a> {
    /// The program, with what is relevant in it found.
    ///
    /// # Errors
    /// When the program is malformed.
    pub fn new(program: &'a BlockProgram) -> Result<Self, Stop> {
        validate(program)?;
        Ok(Self { program, relevance: relevance(program) })
    }

    /// Runs local code up to an atomic operation or the exit, and forgets what is not relevant.
    fn run(
        &self,
        block: usize,
        mut position: usize,
        registers: &mut Vec<u64>,
    ) -> Result<BlockState, Stop> {
        let stop = |reason: String| Stop::Unsupported { thread: block, reason };
        let code = &self.program.blocks[block];
        for _ in 0..LOCAL_LIMIT {
            match &code.operations[position] {
                Operation::Assign(assignments) => {
                    // What nobody looks at is not computed: its operands may be forgotten ones.
                    let relevant = &self.relevance.registers[block][position + 1];
                    let wanted = assignments.iter().filter(|(to, _)| relevant[to.0 as usize]);
                    let values = wanted.map(|(to, value)| Ok((*to, value.value(registers)?)));
                    let values = values.collect::<Result<Vec<_>, String>>();
                    let values =
                        values.map_err(|what| stop(self.located(block, position, &what)))?;
                    for (register, value) in values {
                        registers[register.0 as usize] = value;
                    }
                    position += 1;
                }
                Operation::Branch(condition, yes, no) => {
                    let value = condition.value(registers);
                    let value = value.map_err(|what| stop(self.located(block, position, &what)))?;
                    position = if value != 0 { *yes } else { *no };
                }
                Operation::Jump(target) => position = *target,
                Operation::Atomic { .. } => {
                    let relevant = &self.relevance.registers[block][position];
                    for (value, relevant) in registers.iter_mut().zip(relevant) {
                        *value *= u64::from(*relevant);
                    }
                    let registers = std::mem::take(registers);
                    return Ok(BlockState { position: Some(position), registers });
                }
                Operation::Exit => return Ok(BlockState { position: None, registers: Vec::new() }),
            }
        }
        Err(stop(format!("a local loop runs {LOCAL_LIMIT} operations with no atomic one")))
    }

    fn located(&self, block: usize, position: usize, what: &str) -> String {
        match self.program.blocks[block].places[position].as_str() {
            "" => what.to_owned(),
            place => format!("{what} at {place}"),
        }
    }

    /// The atomic operation that a live block is in front of.
    fn operation(
        &self,
        state: &BlocksState,
        block: usize,
    ) -> (usize, &Address, &Action, Option<super::Register>) {
        let position = state.blocks[block].position.expect("only live blocks step");
        match &self.program.blocks[block].operations[position] {
            Operation::Atomic { address, action, result } => (position, address, action, *result),
            Operation::Assign(_) | Operation::Branch(..) | Operation::Jump(_) | Operation::Exit => {
                unreachable!("`run` stops at atomic operations only")
            }
        }
    }

    /// Whether what a location holds is kept.
    pub fn follows(&self, location: usize) -> bool {
        self.relevance.locations[location]
    }

    /// The position of the operation that a live block is in front of, and the location it is
    /// about; the first of its array where the index is outside.
    pub fn place(&self, state: &BlocksState, block: usize) -> (usize, usize) {
        let (position, address, ..) = self.operation(state, block);
        let location = self.location(address, &state.blocks[block].registers);
        (position, location.unwrap_or(address.base))
    }

    fn location(&self, address: &Address, registers: &[u64]) -> Result<usize, String> {
        let index = address.index.value(registers)? as usize;
        if index < address.count {
            return Ok(address.base + index);
        }
        let first = &self.program.locations[address.base].name;
        Err(format!("index {index} is outside the {} locations from `{first}`", address.count))
    }
}

impl Program for Blocks<'_> {
    type State = BlocksState;

    fn threads(&self) -> usize {
        self.program.blocks.len()
    }

    fn unit(&self) -> &'static str {
        "block"
    }

    fn initial(&self) -> Result<BlocksState, Stop> {
        let locations = self.program.locations.iter().zip(&self.relevance.locations);
        let memory = locations.map(|(location, kept)| location.initial * u64::from(*kept));
        let blocks = self.program.blocks.iter().enumerate();
        let start =
            |(block, code): (usize, &super::Code)| self.run(block, 0, &mut vec![0; code.registers]);
        Ok(BlocksState {
            memory: memory.collect(),
            blocks: blocks.map(start).collect::<Result<_, _>>()?,
        })
    }

    fn live(&self, state: &BlocksState) -> ThreadSet {
        state.blocks.iter().enumerate().fold(ThreadSet::EMPTY, |live, (block, state)| {
            if state.position.is_some() { live.with(block) } else { live }
        })
    }

    fn step(&self, state: &BlocksState, block: usize) -> Result<BlocksState, Stop> {
        let (position, address, action, result) = self.operation(state, block);
        let registers = &state.blocks[block].registers;
        let stop = |what: String| Stop::Unsupported {
            thread: block,
            reason: self.located(block, position, &what),
        };
        let location = self.location(address, registers).map_err(stop)?;
        let old = state.memory[location];
        let mut after = state.clone();
        if self.relevance.locations[location] {
            after.memory[location] = written(action, old, registers).map_err(stop)?;
        }
        let mut registers = registers.clone();
        if let Some(result) = result {
            registers[result.0 as usize] = old;
        }
        after.blocks[block] = self.run(block, position + 1, &mut registers)?;
        Ok(after)
    }

    fn action(&self, state: &BlocksState, block: usize) -> system::Action {
        let (position, address, action, _) = self.operation(state, block);
        let registers = &state.blocks[block].registers;
        let place = self.program.blocks[block].places[position].clone();
        let Ok(location) = self.location(address, registers) else {
            let location = self.program.locations[address.base].name.clone();
            return system::Action { text: format!("outside `{location}`"), location, place };
        };
        let (name, old) = (self.program.locations[location].name.clone(), state.memory[location]);
        let value = |value: &Expr| value.value(registers).unwrap_or_default();
        let text = match action {
            _ if !self.relevance.locations[location] => match action {
                Action::Load => format!("load {name}"),
                Action::Store(_) => format!("store {name}"),
                Action::Exchange(_) | Action::Update { .. } | Action::CompareExchange { .. } => {
                    format!("update {name}")
                }
            },
            Action::Load => format!("load {name}, saw {old}"),
            Action::Store(new) => format!("store {name} = {}", value(new)),
            Action::Exchange(new) => format!("exch {name} = {}, saw {old}", value(new)),
            Action::Update { operator, operand, .. } => {
                let operator = format!("{operator:?}").to_lowercase();
                format!("fetch-{operator} {name}, {}, saw {old}", value(operand))
            }
            Action::CompareExchange { expected, replacement } => {
                let (expected, replacement) = (value(expected), value(replacement));
                format!("cas {name}, {expected} -> {replacement}, saw {old}")
            }
        };
        system::Action { location: name, text, place }
    }

    fn describe(&self, state: &BlocksState) -> String {
        let position = |block: &BlockState| {
            block.position.map_or_else(|| "end".to_owned(), |position| position.to_string())
        };
        let blocks: Vec<_> = state.blocks.iter().map(position).collect();
        let memory =
            self.program.locations.iter().zip(&state.memory).zip(&self.relevance.locations);
        let memory = memory.filter(|(_, kept)| **kept);
        let memory: Vec<_> =
            memory.map(|((location, value), _)| format!("{}={value}", location.name)).collect();
        format!("{} | {}", blocks.join(" "), memory.join(" "))
    }
}

/// What the location holds after the action.
fn written(action: &Action, old: u64, registers: &[u64]) -> Result<u64, String> {
    match action {
        Action::Load => Ok(old),
        Action::Store(value) | Action::Exchange(value) => value.value(registers),
        Action::Update { operator, bits, operand } => {
            operator.apply(*bits, old, operand.value(registers)?)
        }
        Action::CompareExchange { expected, replacement } => {
            if old == expected.value(registers)? {
                replacement.value(registers)
            } else {
                Ok(old)
            }
        }
    }
}
