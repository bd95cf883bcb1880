//! What is run, how, and what it gave.
//!
//! **Does not**: run it (`worker`, [`crate::stackless`]).

use std::time::Duration;

use heddle_diagnostics::Place;
use heddle_semantics::LaunchShape;

use crate::event::Events;
use crate::memory::Variable;
use crate::schedule::Schedule;
use crate::stackless::Stackless;

/// A place in the kernel that instrumented code names by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where.
    pub place: Place,
    /// What happens there in a word or two: `write`, `atomic`, `barrier`.
    pub what: String,
}

/// A kernel, compiled.
#[derive(Clone, Debug)]
pub struct Program {
    /// What runs a thread, or all of a block.
    pub code: Code,
    /// Sites by number; number 0 is no site.
    pub sites: Vec<Site>,
    /// Variables in shared memory, by offset. Dynamic shared memory comes last and has no size
    /// here.
    pub shared: Vec<Variable>,
    /// Bytes of static shared memory; dynamic shared memory starts here.
    pub shared_bytes: usize,
    /// Bytes of stack that the kernel's own variables take.
    pub stack_bytes: usize,
    /// Whether the code calls the checks.
    pub checked: bool,
    /// Functions that a call by pointer may lead to: their addresses, sorted.
    pub functions: Vec<usize>,
    /// Whether all blocks of the grid wait for each other: they must all be there.
    pub cooperative: bool,
    /// Whether blocks may learn of each other in an orderly way, or need an order: atomics, fences,
    /// volatile accesses, output.
    pub communicates: bool,
    /// Whether accesses are left out that others see; what is read before it is written is then not
    /// known.
    pub partial: bool,
}

/// A kernel as native code.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    /// One thread, on a stack of its own: takes the address of the packed arguments.
    Fibers(unsafe extern "C" fn(*const u8)),
    /// All threads of a block, from barrier to barrier. For schedules that go by number; a run that
    /// meets anything is [`Outcome::again`], to be made with fibers.
    Stackless(Stackless),
}

/// How a kernel is launched.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Its sizes.
    pub shape: LaunchShape,
    /// What is added to global ids: OpenCL's global offset.
    pub offset: [u32; 3],
    /// Bytes.
    pub dynamic_shared: u32,
    /// Barriers wait for threads that have returned, too.
    pub strict_barriers: bool,
    /// Who runs next.
    pub schedule: Schedule,
    /// What all choices come from.
    pub seed: u64,
    /// Only these blocks of the grid, by number; all of them if not said.
    pub blocks: Option<Vec<u32>>,
    /// Blocks that are there at the same time.
    pub resident: u32,
    /// Operating system threads. More than one where blocks do not communicate, by atomics, fences
    /// or volatile accesses.
    pub threads: u32,
    /// When to give up.
    pub limits: Limits,
}

impl Launch {
    /// Whether the memory model of PTX counts: what has warps is for NVIDIA here.
    pub(crate) fn is_ptx(&self) -> bool {
        self.shape.warp_size.is_some()
    }
}

/// When a run is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Visits in a row without any change of memory until nobody is expected to change any.
    pub idle: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(60), idle: 1 << 20 }
    }
}

/// What a run gave, beside the buffers.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was met.
    pub events: Events,
    /// What the kernel printed.
    pub printed: String,
    /// Checked accesses.
    pub accesses: u64,
    /// Times that a fiber was resumed.
    pub switches: u64,
    /// Processor time of all operating system threads that ran it.
    pub processor: Duration,
    /// Whether all threads returned by themselves.
    pub finished: bool,
    /// The process of the run ended before the run did; the one event says how.
    pub died: bool,
    /// The run is to be made again, on one thread, with fibers and with memory as it was; this
    /// outcome says nothing else.
    pub again: bool,
}
