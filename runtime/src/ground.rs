//! Where an address belongs: which memory has it, which cell of a shadow, what the source calls it.
//!
//! **Promises**: bytes that are given here are in the memory of the launch or on the stack of the
//! thread, all of them in one place. **Does not**: judge accesses; `detect` does.

use crate::bytes::Bytes;
use crate::event::Event;
use crate::shadow::{Cell, GRANULE};
use crate::turn::Turn;

/// Which memory has a shadow for an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Shared memory, of the thread's block or of another one of its cluster.
    Shared,
    /// Buffers, the heap, variables of the module.
    Global,
}

/// A range that a thread may reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    pub(crate) bytes: Bytes,
    /// Which memory has its shadow; none for what only this thread reaches.
    pub(crate) home: Option<Home>,
}

/// Where one address belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Home(Home),
    /// The thread's own stack, or the launch's arguments.
    Private,
    /// Shared memory of a block of the cluster that has ended.
    Ended,
    Nothing,
}

impl Turn<'_, '_> {
    /// A range, if the thread may reach it; else an event says why not.
    pub(crate) fn ground(&mut self, address: usize, size: usize, write: bool) -> Option<Ground> {
        let last = address + size.max(1) - 1;
        let home = match (self.locate(address), self.locate(last)) {
            (At::Private, At::Private) => None,
            (At::Home(home), At::Home(_)) => {
                if home == Home::Shared && self.grid.cluster_size() > 1 {
                    let own = self.thread().slot as usize;
                    let slot = self.slot_of(address).filter(|it| *it != own);
                    slot.into_iter().for_each(|slot| self.visit(slot, write));
                }
                if !self.belongs(home, address, last) {
                    self.out_of_bounds(address, size, write);
                    return None;
                }
                Some(home)
            }
            (At::Ended, _) => {
                self.report_ended(address, size, write);
                return None;
            }
            (At::Home(_) | At::Private | At::Nothing, _) => {
                self.out_of_bounds(address, size, write);
                return None;
            }
        };
        // SAFETY: both ends are in one memory of the launch, in which no bytes between them belong
        // to nothing, or on the thread's stack or among the arguments.
        Some(Ground { bytes: unsafe { Bytes::new(address, size) }, home })
    }

    /// Whether all bytes of a range are in one memory, and each belongs to something.
    fn belongs(&self, home: Home, first: usize, last: usize) -> bool {
        let region = match home {
            Home::Shared => &self.checks.shared.region,
            Home::Global => match self.host.memory.region(first) {
                Some(region) => region,
                None => return false,
            },
        };
        let mut cells = (first & !(GRANULE - 1)..=last).step_by(GRANULE);
        cells.all(|at| region.belongs(at))
    }

    fn locate(&self, address: usize) -> At {
        let (checks, host) = (&self.checks, &self.host);
        if host.memory.global.has(address) {
            return At::Home(Home::Global);
        }
        let in_shared = checks.shared.region.has(address);
        if in_shared && address.wrapping_sub(self.block().shared) < checks.shared.stride {
            return At::Home(Home::Shared);
        }
        if in_shared
            && self.grid.cluster_size() > 1
            && let Some(slot) = self.slot_of(address)
        {
            let runs = self.grid.blocks[slot].is_some();
            return if runs { At::Home(Home::Shared) } else { At::Ended };
        }
        let (low, high) = self.thread().stack;
        let arguments = host.arguments.as_ptr().addr();
        if (low..high).contains(&address)
            || (host.frames.0..host.frames.1).contains(&address)
            || address.wrapping_sub(arguments) < host.arguments.len()
        {
            return At::Private;
        }
        match host.memory.region(address) {
            Some(_) => At::Home(Home::Global),
            None => At::Nothing,
        }
    }

    /// What is remembered at an address; nothing where there is no shadow.
    pub(crate) fn cell(&self, home: Home, address: usize) -> Cell {
        let cell = match home {
            Home::Shared => self.checks.shared.region.get(address),
            Home::Global => self.host.memory.region(address).and_then(|it| it.get(address)),
        };
        cell.unwrap_or_default()
    }

    /// Remembers something at an address, under its lock.
    pub(crate) fn set_cell(&self, home: Home, address: usize, cell: Cell) {
        match home {
            Home::Shared => self.checks.shared.region.set(address, cell),
            Home::Global => {
                if let Some(region) = self.host.memory.region(address) {
                    region.set(address, cell);
                }
            }
        }
    }

    fn out_of_bounds(&mut self, address: usize, size: usize, write: bool) {
        let event = Event::OutOfBounds { site: self.thread().facts.site, write };
        let what = self.name(address, size);
        self.end_with(event, what);
    }

    /// An access to shared memory of a block of the cluster that has ended.
    pub(crate) fn report_ended(&mut self, address: usize, size: usize, write: bool) {
        let site = self.thread().facts.site;
        let what = self.name(address, size);
        self.end_with(Event::EndedBlock { site, write, has_ended: true }, what);
    }

    /// The thread ends here, by an event.
    pub(crate) fn end_with(&mut self, event: Event, what: String) {
        let number = self.thread().number;
        self.host.outcome.events.add(event, [number; 2], || (what, Vec::new()));
        self.host.outcome.finished = false;
    }

    /// How bytes are named in the source.
    pub(crate) fn name(&self, address: usize, size: usize) -> String {
        let shared = &self.checks.shared;
        let mut offset = address.wrapping_sub(self.block().shared);
        if offset >= shared.stride {
            match self.slot_of(address) {
                Some(slot) => offset = address - shared.start(slot),
                None => return self.host.memory.name(address, size),
            }
        }
        let within = self.host.program.shared.iter().rev().find(|it| it.address <= offset);
        match within {
            Some(it) if offset < it.address + it.len || it.len == 0 => {
                it.bytes(offset - it.address, size)
            }
            Some(it) => format!(
                "{} bytes after `{}` in shared memory",
                offset - it.address - it.len,
                it.name
            ),
            None => format!("byte {offset} of shared memory"),
        }
    }
}
