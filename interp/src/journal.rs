//! What a run tells: accesses, barriers and divergence, as they happen, one operation of a block at
//! a time.
//!
//! A [`Visitor`] keeps what it needs; nothing is stored here. Threads are named by their number in
//! the block (x counts first); the launch's shape gives the index.

use std::ops::ControlFlow;
use std::rc::Rc;

use heddle_ir::{AtomicOp, ObjectId, OpId, Scope};

use crate::column::Column;

/// When and where something happens.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The block's index in the grid.
    pub block: [u32; 3],
    /// How many blocks of the session ran before this one.
    pub block_number: u32,
    /// The operation.
    pub op: OpId,
    /// Iterations of the loops around the operation, outermost first, from zero.
    pub iterations: &'a [u64],
    /// Block barriers passed that order shared memory.
    pub shared_interval: u32,
    /// Block barriers passed that order global memory.
    pub global_interval: u32,
    /// Grid barriers passed.
    pub grid_interval: u32,
    /// Barriers of the cluster passed.
    pub cluster_interval: u32,
    /// Warp barriers each thread of the block has taken part in.
    pub warp_intervals: &'a [u32],
}

/// What is done to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessClass {
    /// Looked at.
    Read,
    /// Changed.
    Write,
    /// Looked at and changed as one.
    Atomic(AtomicOp),
}

/// One operation's accesses, by all threads that execute it.
#[derive(Clone, Copy, Debug)]
pub struct AccessEvent<'a> {
    /// What is done.
    pub class: AccessClass,
    /// The scope within which it is atomic, if it is: atomics, and loads and stores with an order.
    pub atomic: Option<Scope>,
    /// The object.
    pub object: ObjectId,
    /// Who executes it, in rising order, with the offset of the first byte and the number of bytes.
    pub threads: &'a [ThreadAccess],
    /// The copy of the whole block that this is a part of, if it is: the same number for each of
    /// its threads and parts.
    pub group: Option<u64>,
    pub(crate) values: &'a [Rc<Column>],
}

/// The bytes one thread touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadAccess {
    /// Which thread of the block.
    pub thread: u32,
    /// The first byte in the object.
    pub offset: u64,
    /// How many.
    pub size: u64,
}

impl AccessEvent<'_> {
    /// The value the `index`-th thread of the event wrote, element by element, where all are known.
    /// `None` for reads, and for accesses whose value is not modelled.
    pub fn written(&self, index: usize) -> Option<Vec<u128>> {
        if self.values.is_empty() {
            return None;
        }
        let thread = self.threads.get(index)?.thread;
        self.values.iter().map(|element| element.get(thread).ok()).collect()
    }
}

/// What one thread's asynchronous copy reads and writes, from its issue to the wait that completes
/// it.
#[derive(Clone, Copy, Debug)]
pub struct CopyEvent {
    /// Its number in the block.
    pub number: u64,
    /// What it writes: the object and the bytes. Nothing, of an operand of a matrix product.
    pub destination: Option<(ObjectId, ThreadAccess)>,
    /// What it reads, where known.
    pub source: Option<(ObjectId, ThreadAccess)>,
    /// The copy of the whole block that it is a part of, as in [`AccessEvent::group`].
    pub group: Option<u64>,
}

/// A barrier of a block or a warp, passed.
#[derive(Clone, Copy, Debug)]
pub struct BarrierEvent<'a> {
    /// Who arrived, in rising order.
    pub threads: &'a [u32],
    /// Who did not and has not ended, in rising order.
    pub missing: &'a [u32],
    /// It orders shared memory.
    pub orders_shared: bool,
    /// It orders global memory.
    pub orders_global: bool,
}

/// A block barrier that some threads reach and others do not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The barrier.
    pub op: OpId,
    /// The block.
    pub block: [u32; 3],
    /// Iterations of the loops around it, outermost first, from zero.
    pub iterations: Vec<u64>,
    /// Who arrived, in rising order.
    pub arrived: Vec<u32>,
    /// Who did not and should have, in rising order.
    pub missing: Vec<u32>,
}

/// Watches a run. Each method may end it by breaking.
pub trait Visitor {
    /// Global memory is about to be touched: adds what other blocks have written meanwhile, as
    /// first byte, bytes, and value.
    fn incoming(
        &mut self,
        at: &Moment<'_>,
        object: ObjectId,
        threads: &[ThreadAccess],
        written: &mut Vec<(u64, u32, u128)>,
    ) {
        let _ = (at, object, threads, written);
    }

    /// Memory is touched. Accesses at unknown addresses that are skipped are not told.
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        let _ = (at, event);
        ControlFlow::Continue(())
    }

    /// Shared memory of blocks of the cluster is touched, by its address there; one rank for each
    /// thread of the event.
    fn access_in_cluster(
        &mut self,
        at: &Moment<'_>,
        event: &AccessEvent<'_>,
        ranks: &[u32],
    ) -> ControlFlow<()> {
        let _ = (at, event, ranks);
        ControlFlow::Continue(())
    }

    /// Threads execute a fence.
    fn fence(&mut self, at: &Moment<'_>, threads: &[u32]) -> ControlFlow<()> {
        let _ = (at, threads);
        ControlFlow::Continue(())
    }

    /// A thread issues an asynchronous copy; told after its accesses.
    fn copy_issued(&mut self, at: &Moment<'_>, copy: &CopyEvent) -> ControlFlow<()> {
        let _ = (at, copy);
        ControlFlow::Continue(())
    }

    /// A thread has waited for its copy of this number.
    fn copy_done(&mut self, at: &Moment<'_>, number: u64) -> ControlFlow<()> {
        let _ = (at, number);
        ControlFlow::Continue(())
    }

    /// A thread has waited until its copy of this number has read its source.
    fn copy_read(&mut self, at: &Moment<'_>, number: u64) -> ControlFlow<()> {
        let _ = (at, number);
        ControlFlow::Continue(())
    }

    /// A block barrier is passed; called before the interval counts up.
    fn barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        let _ = (at, event);
        ControlFlow::Continue(())
    }

    /// Threads of one warp pass a warp barrier together.
    fn warp_barrier(&mut self, at: &Moment<'_>, event: &BarrierEvent<'_>) -> ControlFlow<()> {
        let _ = (at, event);
        ControlFlow::Continue(())
    }

    /// A block barrier is reached by some of those it waits for, and the run goes on as if all had
    /// come; or a copy of the whole block, or the wait for one, is reached by some, or with other
    /// arguments by those that are missing.
    fn divergence(&mut self, divergence: &Divergence) -> ControlFlow<()> {
        let _ = divergence;
        ControlFlow::Continue(())
    }

    /// An access is skipped because its address is not known.
    fn skipped(&mut self, at: &Moment<'_>, threads: &[u32]) -> ControlFlow<()> {
        let _ = (at, threads);
        ControlFlow::Continue(())
    }

    /// The last operation of a block is done.
    fn block_end(&mut self, block: [u32; 3]) -> ControlFlow<()> {
        let _ = block;
        ControlFlow::Continue(())
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ignore;

impl Visitor for Ignore {}

/// Two visitors, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Both<A, B>(pub A, pub B);

macro_rules! both {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {
        impl<A: Visitor, B: Visitor> Visitor for Both<A, B> {
            fn incoming(
                &mut self,
                at: &Moment<'_>,
                object: ObjectId,
                threads: &[ThreadAccess],
                written: &mut Vec<(u64, u32, u128)>,
            ) {
                self.0.incoming(at, object, threads, written);
                self.1.incoming(at, object, threads, written);
            }

            $(fn $method(&mut self, $($name: $type),*) -> ControlFlow<()> {
                self.0.$method($($name),*)?;
                self.1.$method($($name),*)
            })*
        }
    };
}

both! {
    access(at: &Moment<'_>, event: &AccessEvent<'_>);
    access_in_cluster(at: &Moment<'_>, event: &AccessEvent<'_>, ranks: &[u32]);
    fence(at: &Moment<'_>, threads: &[u32]);
    copy_issued(at: &Moment<'_>, copy: &CopyEvent);
    copy_done(at: &Moment<'_>, number: u64);
    copy_read(at: &Moment<'_>, number: u64);
    barrier(at: &Moment<'_>, event: &BarrierEvent<'_>);
    warp_barrier(at: &Moment<'_>, event: &BarrierEvent<'_>);
    divergence(divergence: &Divergence);
    skipped(at: &Moment<'_>, threads: &[u32]);
    block_end(block: [u32; 3]);
}
