//! Asynchronous copies that are not done, and barrier objects: what threads and blocks keep of
//! them.
//!
//! **Does not**: issue or carry out copies (`copies`, `group_copies`).

use std::collections::{BTreeMap, VecDeque};

use heddle_semantics::Phases;

use crate::bytes::Bytes;
use crate::clock::Knowledge;
use crate::combine::Reduction;

/// One copy that was issued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    pub(crate) target: Bytes,
    /// What is copied; the rest of the target is set to zero.
    pub(crate) source: Bytes,
    pub(crate) site: u32,
    /// The thread that issued it, as records have it, and its clock then.
    pub(crate) own: u32,
    pub(crate) clock: u32,
    /// Its source may not be written before it is done.
    pub(crate) bulk: bool,
    /// It combines its bytes with those that are there.
    pub(crate) combines: Option<Reduction>,
}

/// The copies of a thread that are not done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    pub(crate) open: Vec<Copy>,
    pub(crate) groups: VecDeque<Vec<Copy>>,
    pub(crate) bulk_open: Vec<Copy>,
    pub(crate) bulk_groups: VecDeque<Vec<Copy>>,
    pub(crate) events: Events,
}

impl Copies {
    /// Forgets them.
    pub(crate) fn clear(&mut self) {
        self.open.clear();
        self.groups.clear();
        self.bulk_open.clear();
        self.bulk_groups.clear();
        self.events = Events::default();
    }
}

/// The events of copies of a whole work-group, with the first thread of the block; of the others
/// only how many they made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    pub(crate) made: u64,
    pub(crate) open: BTreeMap<u64, Vec<Copy>>,
    /// Who issued the copies of an event that is over, and its clocks then.
    pub(crate) over: BTreeMap<u64, Vec<(u32, u32)>>,
}

/// A barrier object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    pub(crate) phases: Phases,
    /// What arrivals of this phase publish, and what those of the phases before did.
    pub(crate) published: Knowledge,
    pub(crate) over: Knowledge,
    /// Bulk copies whose bytes it waits for.
    pub(crate) copies: Vec<Copy>,
}
