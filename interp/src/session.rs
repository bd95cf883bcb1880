//! Blocks of one launch, run one after the other.

use heddle_ir::Kernel;

use crate::exec::{Halt, Machine};
use crate::journal::Visitor;
use crate::launch::{Launch, LaunchError};
use crate::memory::Memory;
use crate::plan::Plan;
use crate::stop::{Causes, Stop};

/// A kernel, a launch, and global memory as the blocks so far left it.
#[derive(Debug)]
pub struct Session<'k> {
    kernel: &'k Kernel,
    launch: &'k Launch,
    plan: Plan,
    causes: Causes,
    global: Memory,
    blocks: u32,
}

/// How a block ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All its threads came to the end.
    Finished,
    /// The visitor had seen enough.
    Visitor,
}

impl<'k> Session<'k> {
    /// Memory as the launch says, and no block run. The kernel must be one that the verifier
    /// accepts.
    pub fn new(kernel: &'k Kernel, launch: &'k Launch) -> Result<Session<'k>, LaunchError> {
        launch.check()?;
        Ok(Session {
            kernel,
            launch,
            plan: Plan::of(kernel),
            causes: Causes::default(),
            global: Memory::default(),
            blocks: 0,
        })
    }

    /// Runs a block to its end, or to where the visitor breaks. Each thread of each operation, and
    /// of each iteration, takes a step of the budget, and so does each sixteenth value computed.
    pub fn run_block(
        &mut self,
        block: [u32; 3],
        visitor: &mut dyn Visitor,
        budget: &mut u64,
    ) -> Result<End, Stop> {
        let inside = block.iter().zip(self.launch.shape.grid).all(|(index, size)| *index < size);
        if !inside {
            return Err(Stop::Launch(LaunchError::NoSuchBlock(block)));
        }
        let number = self.blocks;
        self.blocks += 1;
        let mut machine = Machine::new(
            self.kernel,
            self.launch,
            &self.plan,
            &mut self.causes,
            &mut self.global,
            visitor,
            budget,
            block,
            number,
        );
        match machine.run() {
            Ok(()) => Ok(End::Finished),
            Err(Halt::Visitor) => Ok(End::Visitor),
            Err(Halt::Stop(stop)) => Err(stop),
        }
    }

    /// The little-endian number of up to 16 bytes of a global object, where known.
    pub fn global(&mut self, object: heddle_ir::ObjectId, offset: u64, bytes: u32) -> Option<u128> {
        let store = self.global.store(object, 0, self.kernel, self.launch, &mut self.causes);
        store.load(offset, bytes.min(16)).ok()
    }
}
