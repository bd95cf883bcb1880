//! Accesses that were seen, as they are compared with later ones.

use std::rc::Rc;

use heddle_ir::{OpId, Scope};

use super::Party;
use crate::journal::{AccessClass, Moment, ThreadAccess};
use crate::launch::Launch;

/// What the accesses of one event have in common.
#[derive(Clone, Debug)]
pub(super) struct Common {
    pub(super) op: OpId,
    pub(super) block: [u32; 3],
    pub(super) block_number: u32,
    pub(super) iterations: Vec<u64>,
    pub(super) class: AccessClass,
    pub(super) atomic: Option<Scope>,
    /// The copy of the whole block that it is a part of.
    pub(super) group: Option<u64>,
    pub(super) interval: u32,
    pub(super) grid_interval: u32,
    pub(super) cluster_interval: u32,
}

impl Common {
    pub(super) fn of(
        at: &Moment<'_>,
        class: AccessClass,
        (atomic, group): (Option<Scope>, Option<u64>),
        memory: usize,
    ) -> Common {
        Common {
            op: at.op,
            block: at.block,
            block_number: at.block_number,
            iterations: at.iterations.to_vec(),
            class,
            atomic,
            group,
            interval: [at.shared_interval, at.global_interval][memory],
            grid_interval: at.grid_interval,
            cluster_interval: at.cluster_interval,
        }
    }
}

/// One thread's part of it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) common: Rc<Common>,
    pub(super) at: ThreadAccess,
    pub(super) written: Option<Rc<[u128]>>,
    /// The memory: 0 is shared, 1 is global.
    pub(super) memory: usize,
    /// The thread's own warp clock for it.
    pub(super) warp_clock: u32,
    /// Block barriers for this memory up to the last that the thread took part in.
    pub(super) joined: u32,
    /// Which bytes of the granule.
    pub(super) bytes: u8,
}

impl Record {
    pub(super) fn party(&self, launch: &Launch) -> Party {
        let Common { op, block, iterations, class, interval, .. } = &*self.common;
        Party {
            op: *op,
            block: *block,
            thread: self.at.thread,
            tid: launch.shape.thread_index(self.at.thread),
            iterations: iterations.clone(),
            class: *class,
            offset: self.at.offset,
            size: self.at.size,
            written: self.written.as_ref().map(|it| it.to_vec()),
            interval: *interval,
        }
    }
}
