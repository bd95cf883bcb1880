//! Which writes have been observed by loads.
//!
//! An atomic load that gives what an atomic wrote comes after it in observation order, and what its
//! thread does next, or others after a barrier, comes after the write in causality order (PTX ISA
//! 8.9.2 and 8.9.5). Of updates the shadow itself says so, for they are writes
//! ([`crate::shadow::OBSERVED`]); of loads there may be many, and they stand here.
//!
//! **Promises**: a write is taken for known only by who knows a load that gave its value, each of
//! the two morally strong for the other (section 8.7). **Does not**: hand over what came before the
//! write: that takes a release and an acquire (`sync`); hold for OpenCL, which has no such order.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::shadow::Record;

/// The loads of the last write to each cell, by its first address.
#[derive(Default)]
pub(crate) struct Observed(BTreeMap<usize, Loads>);

/// Loads that gave what one write left.
#[derive(Clone)]
struct Loads {
    write: Record,
    /// The first one of each thread: its clock, by the thread's number.
    by: BTreeMap<u32, u32>,
}

impl Observed {
    /// A load gives what the write left.
    pub(crate) fn note(&mut self, at: usize, write: Record, load: Record) {
        let new = || Loads { write, by: BTreeMap::new() };
        let loads = self.0.entry(at).or_insert_with(new);
        if loads.write != write {
            *loads = new();
        }
        loads.by.entry(load.thread_number()).or_insert(load.clock);
    }

    /// Whether a thread knows a load that gave what the write left: one of its own, or one of the
    /// threads in `others` that it `knows`.
    pub(crate) fn is_known(
        &self,
        at: usize,
        write: Record,
        thread: u32,
        others: Range<u32>,
        knows: impl Fn(Record) -> bool,
    ) -> bool {
        let Some(loads) = self.0.get(&at).filter(|it| it.write == write) else { return false };
        let load = |(&number, &clock): (&u32, &u32)| Record { thread: number + 1, clock, info: 0 };
        loads.by.contains_key(&thread) || loads.by.range(others).any(|it| knows(load(it)))
    }

    /// A cell is followed by those of its bytes.
    pub(crate) fn split(&mut self, at: usize, bytes: usize) {
        if let Some(loads) = self.0.get(&at).cloned() {
            (1..bytes).for_each(|n| drop(self.0.insert(at + n, loads.clone())));
        }
    }

    /// A write has come after those that were observed in a cell.
    pub(crate) fn end(&mut self, at: usize) {
        if !self.0.is_empty() {
            self.0.remove(&at);
        }
    }

    /// Nothing of a range is of interest any more.
    pub(crate) fn forget(&mut self, range: Range<usize>) {
        if !self.0.is_empty() {
            self.0.retain(|at, _| !range.contains(at));
        }
    }
}
