//! Runs a kernel's threads under one launch, one choice of arguments and memory, and one schedule.
//!
//! All blocks are resident at once. A thread runs until it waits, ends, or its turn is over;
//! [`Schedule`] says how long a turn is and who is next. Waits are in [`super::meet`].
//!
//! **Promises**: what an [`Outcome`] lists happened in the run. A run that meets undefined
//! behaviour says so.
//! **Does not**: end every run: after a number of steps, or of accesses to one word, it gives up
//! ([`End::Exhausted`]).

use crate::code::{Code, Kind, LeafKind, Place, SHARED, Value, Wait, address};
use crate::memory::{Bytes, Fill, Location, Memory};
use crate::races::{Clock, Race, Races};
use crate::random::{Random, Table};
use crate::syntax::Special;

/// Accesses to one word, with different values, that are told apart: each is compared with all.
const MOST_ON_A_WORD: usize = 1500;

/// What is given to a run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Setup {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// The blocks that run, by index; the others have not begun.
    pub(crate) resident: Vec<usize>,
    /// For each leaf: a scalar's bits, or which buffer a pointer points to and where.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) schedule: Schedule,
    /// Barriers wait for threads that returned.
    pub(crate) strict: bool,
    pub(crate) steps: u64,
    /// Numbers in memory: the leaf or `__device__` object by name, the offset, the size in bytes.
    pub(crate) patches: Vec<(String, u64, u64, u64)>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Argument {
    Scalar(u64),
    /// The leaf whose buffer it is (its own, or that of another it aliases), an offset in bytes,
    /// and the contents.
    Pointer {
        buffer: usize,
        offset: i64,
        fill: Fill,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Schedule {
    /// Long turns, in the order of the threads.
    Forward,
    /// Long turns, the last thread first.
    Backward,
    /// The first thread that can, always.
    First,
    /// Short turns by chance.
    Random(u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Done,
    /// The threads of a block part at a barrier.
    Divergence,
    /// The same for a stricter reader only: the thread that is missing returned, at a place after
    /// the barrier.
    PerhapsDivergence,
    /// Threads wait for arrivals at named barriers that never come.
    Deadlock,
    Undefined(&'static str),
    Exhausted,
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    pub(crate) races: Vec<Race>,
    /// Unsigned arithmetic of 32 bits wrapped around or left the signed range, or of 64.
    pub(crate) wrapped: [bool; 2],
    /// Arithmetic of 64 bits has left the signed range of 32, and so did a number that was cut to
    /// 32 then.
    pub(crate) cut: [bool; 2],
    /// An atomic met a counter that was not zero when it was first used, or wrapped around.
    pub(crate) odd_counter: bool,
    /// What some pointer leads to is not zero at the start.
    pub(crate) odd_start: bool,
    /// An unsigned argument of 32 or 64 bits is half its range or more.
    pub(crate) large_unsigned: bool,
    /// A signed argument of 32 or 64 bits is negative.
    pub(crate) negative: bool,
    /// A number from 2^31 on was compared as an unsigned one.
    pub(crate) compared_large: bool,
    /// A thread had returned when others met at a barrier.
    pub(crate) exited_early: bool,
    /// Lanes of a warp came to a named barrier by different instructions, or it completed without
    /// some of them, or it is for more threads than there are.
    pub(crate) unaligned: bool,
    /// The threads that are missing at a barrier have all ended, at a place after it.
    pub(crate) ended_behind: bool,
    /// An access before the place that a pointer argument points to.
    pub(crate) below: bool,
    /// An index of a row of an array is none of the row's.
    pub(crate) left_row: bool,
    /// An index of a whole array is none of the array's: another array may lie there.
    pub(crate) left_array: bool,
    pub(crate) steps: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Ready,
    Waiting(Wait),
    Done,
}

#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) pc: usize,
    pub(crate) stack: Vec<Value>,
    pub(crate) slots: Vec<Value>,
    pub(crate) own: Bytes,
    pub(crate) state: State,
    pub(crate) index: [u32; 3],
    pub(crate) block_index: [u32; 3],
    /// Operands of the wait.
    pub(crate) operands: Vec<Value>,
    /// The instruction after its last access to memory.
    pub(crate) last_effect: usize,
}

/// What an atomic's place remembers of those who released through it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Released {
    pub(crate) device: Option<Clock>,
    pub(crate) blocks: Table<usize, Clock>,
    pub(crate) used: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Fences {
    /// What the thread knew at its last fence, for its block and for the device.
    pub(crate) released: [Option<Clock>; 2],
    /// What it has read through atomics since.
    pub(crate) pending: [Option<Clock>; 2],
}

pub(crate) struct Machine<'a> {
    pub(crate) code: &'a Code,
    pub(crate) setup: &'a Setup,
    pub(crate) threads: Vec<Thread>,
    pub(crate) memory: Memory,
    pub(crate) races: Races,
    /// Two times for each thread: of shared memory's accesses, and of global memory's. They differ
    /// in OpenCL only.
    pub(crate) clocks: [Vec<Clock>; 2],
    pub(crate) released: Table<Location, Released>,
    pub(crate) fences: Vec<Fences>,
    pub(crate) per_block: usize,
    pub(crate) wide_clocks: bool,
    pub(crate) outcome: Outcome,
    pub(crate) named: Table<(usize, u64), crate::meet::NamedBarrier>,
}

/// Whether a signed argument, or an unsigned one, has its highest bit set.
fn is_large(signed: bool, (leaf, argument): (&crate::code::Leaf, &Argument)) -> bool {
    match (leaf.kind, argument) {
        (LeafKind::Scalar(Kind::Int(ty)), Argument::Scalar(bits)) => {
            ty.signed == signed && ty.bits >= 32 && (bits >> (ty.bits - 1)) & 1 == 1
        }
        _ => false,
    }
}

/// Runs it.
pub(crate) fn run(code: &Code, setup: &Setup) -> Outcome {
    let mut machine = Machine::new(code, setup);
    machine.run();
    machine.outcome
}

/// Runs it, and gives memory before and after, too.
pub(crate) fn run_with_memory(code: &Code, setup: &Setup) -> (Outcome, [Memory; 2]) {
    let mut machine = Machine::new(code, setup);
    let before = machine.memory.clone();
    machine.run();
    (machine.outcome, [before, machine.memory])
}

impl<'a> Machine<'a> {
    fn new(code: &'a Code, setup: &'a Setup) -> Machine<'a> {
        let count =
            |size: [u32; 3]| size.iter().fold(1usize, |all, it| all.saturating_mul(*it as usize));
        let (blocks, per_block) = (setup.resident.len(), count(setup.block));
        let mut memory = Memory::new(code, blocks);
        for (index, leaf) in code.leaves.iter().enumerate() {
            if let (LeafKind::Pointer(kind), Argument::Pointer { buffer, fill, .. }) =
                (leaf.kind, &setup.arguments[index])
                && *buffer == index
            {
                memory.add(1 + index as u64, kind, fill.clone());
            }
        }
        for (name, offset, size, value) in &setup.patches {
            let leaf = code.leaves.iter().position(|it| it.name == *name);
            let device = code.device.iter().position(|it| it.name == *name && !it.constant);
            let object = match (leaf, device) {
                (Some(index), _) => 1 + index as u64,
                (None, Some(index)) => crate::code::DEVICE + index as u64,
                (None, None) => continue,
            };
            let at = Location { object, offset: *offset as i64 };
            // What does not fit is no part of this kernel's memory.
            let _ = memory.write_global(at, *size, Value::new(*value));
        }
        let coordinates = |index: usize, size: [u32; 3]| {
            let (x, y) = (size[0] as usize, size[1] as usize);
            [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
        };
        let threads: Vec<_> = (0..blocks * per_block)
            .map(|it| Thread {
                pc: 0,
                stack: Vec::with_capacity(16),
                slots: vec![Value::UNDEF; usize::from(code.slots)],
                own: Bytes::new(code.private),
                state: State::Ready,
                index: coordinates(it % per_block, setup.block),
                block_index: coordinates(setup.resident[it / per_block], setup.grid),
                operands: Vec::new(),
                last_effect: 0,
            })
            .collect();
        let wide_clocks = code.has_fence;
        let length = if wide_clocks { threads.len() } else { per_block };
        let clock = |it: usize| {
            let mut clock = vec![0; length];
            clock[if wide_clocks { it } else { it % per_block }] = 1;
            clock
        };
        let clocks: Vec<Clock> = (0..threads.len()).map(clock).collect();
        let second = if code.opencl { clocks.clone() } else { Vec::new() };
        let arguments = || code.leaves.iter().zip(&setup.arguments);
        let mut machine = Machine {
            code,
            setup,
            memory,
            races: Races::new(per_block, !code.opencl),
            clocks: [clocks, second],
            released: Table::default(),
            fences: (0..threads.len()).map(|_| Fences::default()).collect(),
            threads,
            per_block,
            wide_clocks,
            outcome: Outcome {
                end: End::Done,
                races: Vec::new(),
                wrapped: [false; 2],
                cut: [false; 2],
                odd_counter: false,
                odd_start: setup
                    .arguments
                    .iter()
                    .any(|it| matches!(it, Argument::Pointer { fill, .. } if *fill != Fill::Zero)),
                large_unsigned: arguments().any(|it| is_large(false, it)),
                negative: arguments().any(|it| is_large(true, it)),
                compared_large: false,
                exited_early: false,
                unaligned: false,
                ended_behind: false,
                below: false,
                left_row: false,
                left_array: false,
                steps: 0,
            },
            named: Table::default(),
        };
        machine.pass_arguments();
        machine
    }

    fn pass_arguments(&mut self) {
        for (leaf, argument) in self.code.leaves.iter().zip(&self.setup.arguments) {
            let value = match (leaf.kind, argument) {
                (LeafKind::LocalPointer(offset), _) => address(SHARED, offset),
                (_, Argument::Scalar(bits)) => *bits,
                (_, Argument::Pointer { buffer, offset, .. }) => {
                    address(1 + *buffer as u64, *offset as u64)
                }
            };
            for thread in &mut self.threads {
                match leaf.place {
                    Place::Slot(slot) => thread.slots[usize::from(slot)] = Value::new(value),
                    Place::Private(at) => {
                        let size = match leaf.kind {
                            LeafKind::Scalar(kind) => kind.bytes(),
                            LeafKind::Pointer(_) | LeafKind::LocalPointer(_) => 8,
                        };
                        // Parameters have room of their own.
                        let _ = thread.own.write(at, size, Value::new(value));
                    }
                }
            }
        }
    }

    fn run(&mut self) {
        let mut random = Random(match self.setup.schedule {
            Schedule::Random(seed) => seed,
            Schedule::Forward | Schedule::Backward | Schedule::First => 0,
        });
        let mut turn = 0usize;
        loop {
            let count = self.threads.len();
            let order = |it: usize| match self.setup.schedule {
                Schedule::Backward => count - 1 - it % count,
                Schedule::Forward | Schedule::First | Schedule::Random(_) => it % count,
            };
            if let Schedule::Random(_) = self.setup.schedule {
                turn = random.below(count);
            }
            let next =
                (turn..turn + count).map(order).find(|it| self.threads[*it].state == State::Ready);
            let Some(thread) = next else {
                if self.threads.iter().all(|it| it.state == State::Done) {
                    break;
                }
                self.outcome.end = self.stuck();
                break;
            };
            let length = match self.setup.schedule {
                Schedule::Random(_) => 1 + random.below(12) as u64,
                Schedule::Forward | Schedule::Backward | Schedule::First => 1000,
            };
            if let Err(end) = self.turn(thread, length) {
                self.outcome.end = end;
                break;
            }
            if self.outcome.steps > self.setup.steps || self.races.most > MOST_ON_A_WORD {
                self.outcome.end = End::Exhausted;
                break;
            }
            turn = match self.setup.schedule {
                Schedule::Backward => count - thread,
                Schedule::First => 0,
                Schedule::Forward | Schedule::Random(_) => thread + 1,
            };
        }
        self.outcome.races = std::mem::take(&mut self.races.found);
    }

    /// Lets a thread run, and those go on that waited for what it did.
    fn turn(&mut self, thread: usize, length: u64) -> Result<(), End> {
        for _ in 0..length {
            self.outcome.steps += 1;
            self.step(thread).map_err(|it| End::Undefined(it.0))?;
            if self.threads[thread].state != State::Ready {
                return self.meet(thread);
            }
        }
        Ok(())
    }

    pub(crate) fn block_of(&self, thread: usize) -> usize {
        thread / self.per_block
    }

    /// The threads of a block.
    pub(crate) fn block(&self, block: usize) -> std::ops::Range<usize> {
        block * self.per_block..(block + 1) * self.per_block
    }

    /// The threads of a thread's warp.
    pub(crate) fn warp(&self, thread: usize) -> std::ops::Range<usize> {
        let block = self.block(self.block_of(thread));
        let first = block.start + (thread - block.start) / 32 * 32;
        first..(first + 32).min(block.end)
    }

    pub(crate) fn special(&self, thread: usize, what: Special, dim: u8) -> u64 {
        let dim = usize::from(dim);
        let it = &self.threads[thread];
        let size = u64::from(self.setup.block[dim]);
        let blocks = u64::from(self.setup.grid[dim]);
        match what {
            Special::Thread => u64::from(it.index[dim]),
            Special::Block => u64::from(it.block_index[dim]),
            Special::BlockSize => size,
            Special::GridSize => blocks,
            Special::Global => u64::from(it.block_index[dim]) * size + u64::from(it.index[dim]),
            Special::GlobalSize => size * blocks,
        }
    }
}

/// The number of bytes of a copy's next part.
pub(crate) fn part(left: u64) -> u64 {
    if left >= 4 { 4 } else { 1 }
}
