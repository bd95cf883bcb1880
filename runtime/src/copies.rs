//! Asynchronous copies and the mbarrier objects that tell when they are done (PTX ISA 9.7.9 and
//! 9.7.13).
//!
//! A copy moves its bytes as late as it may: when the thread waits for its group, or when it
//! arrives at a barrier object. Until then its bytes are pending, and any access that meets them is
//! reported, the thread's own included.
//!
//! A bulk copy of one dimension belongs to a barrier object, whose phase waits for its bytes: it is
//! done when somebody looks at the object. Or it belongs to a group of its own kind. Until it is
//! done its source must not be written either.
//!
//! **Does not**: model tensor copies; code that has them is refused by name. Who tests an object
//! sees the copies done at once, so a run does not show a phase that passes before its bytes have
//! come.

use heddle_semantics::{BARRIER_OBJECT_BYTES, Excess, Phases, Target};

use crate::abi::{self, Access, Mbarrier, MemoryOrder, Scope};
use crate::block::{Pause, State, Thread};
use crate::bytes::Bytes;
use crate::combine::Reduction;
use crate::detect::Check;
use crate::ground::Ground;
use crate::pending::{Copy, Object};
use crate::shadow::{ATOMIC, AWAY, CellAt, GRANULE, PENDING, Part, Record, SITE, WIDE, element};
use crate::turn::Turn;
use crate::worker::Worker;

/// Bytes of a barrier object.
const OBJECT_BYTES: usize = BARRIER_OBJECT_BYTES as usize;

impl Turn<'_, '_> {
    /// A copy is issued. `false` if it must not be made.
    pub(crate) fn issue_copy(
        &mut self,
        target: usize,
        source: usize,
        size: usize,
        filled: usize,
    ) -> bool {
        let site = self.thread().facts.site;
        let source = match filled {
            0 => Some(Bytes::NONE),
            _ => self.access(source, filled, site, 0, 0),
        };
        let Some(source) = source else { return false };
        let Some(target) = self.access(target, size, site, 1, 0) else { return false };
        let copy = self.copy_of((target, source), site, false);
        self.mark(&copy, PENDING);
        self.thread_mut().copies.open.push(copy);
        true
    }

    pub(crate) fn copy_of(&self, (target, source): (Bytes, Bytes), site: u32, bulk: bool) -> Copy {
        let facts = &self.thread().facts;
        let (own, clock) = (facts.own, facts.clock);
        Copy { target, source, site, own, clock, bulk, combines: None }
    }

    /// A bulk copy is issued; it belongs to a barrier object, or to the open group (0). It may
    /// combine its bytes with those that are there. `false` if it must not be made.
    pub(crate) fn issue_bulk(
        &mut self,
        target: usize,
        source: usize,
        size: usize,
        object: usize,
        combines: Option<Reduction>,
    ) -> bool {
        if size == 0 {
            return true;
        }
        let site = self.thread().facts.site;
        let writes = match combines {
            None => 1,
            Some(it) => {
                abi::access_flags(Access::Update, MemoryOrder::Relaxed, Scope::Grid)
                    | abi::ATOMIC
                    | abi::element_flags(it.bytes() as u64)
            }
        };
        let Some(source) = self.access(source, size, site, 0, 0) else { return false };
        let Some(target) = self.access(target, size, site, writes, 0) else { return false };
        let copy = Copy { combines, ..self.copy_of((target, source), site, true) };
        self.mark(&copy, PENDING);
        // What the thread does from here on is not published with the copy.
        let thread = self.thread_mut();
        thread.facts.clock += 1;
        match object {
            0 => thread.copies.bulk_open.push(copy),
            object => {
                self.checks.mbarriers.entry(object).or_default().copies.push(copy);
                self.finish_waited(object);
            }
        }
        true
    }

    /// A bulk copy to the same place in several blocks of the cluster, each with its own barrier
    /// object.
    pub(crate) fn issue_multicast(
        &mut self,
        (target, source): (usize, usize),
        size: usize,
        object: usize,
        blocks: u32,
    ) -> bool {
        (0..16).filter(|rank| blocks >> rank & 1 != 0).all(|rank| {
            let (target, object) = (self.mapped(target, rank), self.mapped(object, rank));
            self.issue_bulk(target, source, size, object, None)
        })
    }

    /// Ends the open group of bulk copies.
    pub(crate) fn commit_bulk(&mut self) {
        let copies = &mut self.thread_mut().copies;
        let group = std::mem::take(&mut copies.bulk_open);
        copies.bulk_groups.push_back(group);
    }

    /// Waits until no more than so many groups of bulk copies are pending.
    pub(crate) fn wait_bulk(&mut self, pending: usize) {
        while self.thread().copies.bulk_groups.len() > pending {
            let group = self.thread_mut().copies.bulk_groups.pop_front().unwrap_or_default();
            self.finish_own(group);
        }
    }

    /// Ends the open group.
    pub(crate) fn commit_copies(&mut self) {
        let copies = &mut self.thread_mut().copies;
        let group = std::mem::take(&mut copies.open);
        copies.groups.push_back(group);
    }

    /// Waits until no more than so many groups are pending; with `all`, the open one is done too.
    pub(crate) fn wait_copies(&mut self, pending: usize, all: bool) {
        while self.thread().copies.groups.len() > pending {
            let group = self.thread_mut().copies.groups.pop_front().unwrap_or_default();
            self.finish_own(group);
        }
        if all {
            let open = std::mem::take(&mut self.thread_mut().copies.open);
            self.finish_own(open);
        }
    }

    /// Carries out copies that the thread waits for itself: their bytes are written now.
    fn finish_own(&mut self, mut group: Vec<Copy>) {
        let clock = self.thread().facts.clock;
        group.iter_mut().for_each(|copy| copy.clock = clock);
        self.carry_out(&group);
    }

    /// An operation on a barrier object; what it gives, or that the thread waits.
    pub(crate) fn mbarrier(
        &mut self,
        op: Mbarrier,
        address: usize,
        operand: u64,
    ) -> Result<u64, Pause> {
        let thread = self.thread_mut();
        thread.waits_at = thread.facts.site;
        let own = thread.slot as usize;
        let of = self.grid.block_of(self.block());
        if self.owner(address).is_none() {
            self.report_ended(address, OBJECT_BYTES, true);
            return Err(Pause::End);
        }
        let wide = self.grid.cluster_size() > 1;
        if let Some(slot) = self.slot_of(address).filter(|it| wide && *it != own) {
            self.visit(slot, true);
        }
        if matches!(op, Mbarrier::ArriveAfterCopies | Mbarrier::JoinAfterCopies) {
            self.wait_copies(0, true);
        }
        if matches!(
            op,
            Mbarrier::TestToken | Mbarrier::TestParity | Mbarrier::WaitToken | Mbarrier::WaitParity
        ) {
            self.finish_bulk(address);
        }
        self.check_object(op, address, wide);
        let index = self.grid.running.1 as usize;
        let Worker { grid, checks, .. } = &mut **self;
        let block = grid.running_block_mut();
        let thread = &mut block.threads[index];
        let object = checks.mbarriers.entry(address).or_default();
        let token = u64::from(object.phases.phase);
        match op {
            Mbarrier::Init => {
                *object = Object { phases: Phases::init(operand as u32), ..Object::default() };
            }
            Mbarrier::Invalidate => {
                checks.mbarriers.remove(&address);
                return Ok(0);
            }
            Mbarrier::Arrive
            | Mbarrier::ArriveDrop
            | Mbarrier::ArriveAfterCopies
            | Mbarrier::JoinAfterCopies => {
                let count = match op {
                    Mbarrier::ArriveAfterCopies => 1,
                    Mbarrier::JoinAfterCopies => 0,
                    _ => operand as u32,
                };
                object.published.join(&thread.knowledge(&of, wide));
                thread.facts.clock += 1;
                // More arrivals than are lacking are not defined; here they end the phase.
                let (Ok(()) | Err(Excess { .. })) = object.phases.arrive(count);
                if op == Mbarrier::ArriveDrop {
                    object.phases.drop_out(count);
                }
            }
            Mbarrier::ExpectBytes => object.phases.expect(operand as u32),
            Mbarrier::CompleteBytes => object.phases.complete(operand as u32),
            Mbarrier::TestToken
            | Mbarrier::TestParity
            | Mbarrier::WaitToken
            | Mbarrier::WaitParity => {
                if over(object, op, operand) {
                    let published = object.over.clone();
                    thread.facts.knows.get_or_insert_default().join(&published);
                    block.has_knowledge = true;
                    return Ok(1);
                }
                let waits = matches!(op, Mbarrier::WaitToken | Mbarrier::WaitParity);
                if waits {
                    thread.state = State::Mbarrier { address, op, operand };
                    block.halted += 1;
                    return Err(Pause::Wait);
                }
                return Ok(0);
            }
        }
        self.settle_object(address);
        self.finish_waited(address);
        Ok(token)
    }

    /// Checks what an operation does to the bytes of its object: initialising and ending it write
    /// them, also with what they hold (PTX ISA, `mbarrier.init`); every other operation is atomic.
    fn check_object(&mut self, op: Mbarrier, address: usize, wide: bool) {
        let reach = ATOMIC | element(OBJECT_BYTES) | if wide { WIDE } else { 0 };
        let (write, read, flags) = match op {
            Mbarrier::Init | Mbarrier::Invalidate => (true, false, 0),
            Mbarrier::Arrive
            | Mbarrier::ArriveDrop
            | Mbarrier::ArriveAfterCopies
            | Mbarrier::JoinAfterCopies
            | Mbarrier::ExpectBytes
            | Mbarrier::CompleteBytes => (true, true, reach),
            Mbarrier::TestToken
            | Mbarrier::TestParity
            | Mbarrier::WaitToken
            | Mbarrier::WaitParity => (false, true, reach),
        };
        let thread = self.thread();
        let (site, clock) = (thread.facts.site, thread.facts.clock);
        let record = Record { thread: thread.number + 1, clock, info: site & SITE | flags };
        if let Some(Ground { home: Some(home), .. }) = self.ground(address, OBJECT_BYTES, write) {
            let size = OBJECT_BYTES;
            let (same_value, plain_store) = (false, false);
            self.check(Check { address, size, write, read, record, same_value, plain_store, home });
        }
    }

    /// Who waits for an object looks at it again.
    fn finish_waited(&mut self, address: usize) {
        let waits =
            |it: &Thread| matches!(it.state, State::Mbarrier { address: at, .. } if at == address);
        let owner = self.owner(address).and_then(|slot| self.grid.blocks[slot].as_deref());
        if owner.is_some_and(|it| it.threads.iter().any(waits)) {
            self.finish_bulk(address);
        }
    }

    /// Ends the phase of an object that has all it waits for, and wakes the threads whose phase is
    /// over.
    fn settle_object(&mut self, address: usize) {
        let owner = self.owner(address);
        let Worker { grid, checks, .. } = &mut **self;
        let Some(object) = checks.mbarriers.get_mut(&address) else { return };
        if !object.phases.advance() {
            return;
        }
        let published = std::mem::take(&mut object.published);
        object.over.join(&published);
        grid.idle = 0;
        let Some(block) = owner.and_then(|slot| grid.blocks[slot].as_deref_mut()) else { return };
        for thread in &mut block.threads {
            if let State::Mbarrier { address: at, op, operand } = thread.state
                && at == address
                && over(object, op, operand)
            {
                thread.facts.knows.get_or_insert_default().join(&object.over);
                thread.result = 1;
                thread.state = State::Ready;
                block.halted -= 1;
                grid.ready.add((thread.slot, thread.index));
            }
        }
        block.has_knowledge = true;
    }

    /// The bulk copies of a barrier object are done: their bytes have come, and who waits knows of
    /// them.
    fn finish_bulk(&mut self, address: usize) {
        let objects = &mut self.checks.mbarriers;
        let Some(object) = objects.get_mut(&address).filter(|it| !it.copies.is_empty()) else {
            return;
        };
        let copies = std::mem::take(&mut object.copies);
        for copy in &copies {
            object.phases.complete(copy.target.len() as u32);
            object.published.learn_thread(copy.own - 1, copy.clock);
        }
        self.carry_out(&copies);
        self.settle_object(address);
    }

    /// Carries copies out: their bytes are written now.
    pub(crate) fn carry_out(&mut self, group: &[Copy]) {
        self.grid.idle = 0;
        for copy in group {
            match copy.combines {
                Some(reduction) => reduction.apply(copy.target, &copy.source.read()),
                None => copy.target.copy_from(copy.source),
            }
            self.mark(copy, 0);
        }
    }

    /// Writes a copy's bytes into the shadow once more, pending or done.
    pub(crate) fn mark(&self, copy: &Copy, flags: u32) {
        let away = if flags & PENDING != 0 { AWAY } else { 0 };
        let Copy { target, source, site, own, clock, bulk, combines } = *copy;
        let record = Record { thread: own | away, clock, info: site & SITE | flags };
        // Elements that are combined are atomic, for the device.
        let kind = combines.map_or(0, |it| ATOMIC | WIDE | element(it.bytes()));
        let written = Record { info: record.info | kind, ..record };
        let is_own = |it: Record| it.thread & !AWAY == own;
        self.for_each_cell(target, |cell| {
            if is_own(cell.record(Part::Write)) {
                cell.set_record(Part::Write, written);
            }
        });
        self.for_each_cell(if bulk { source } else { Bytes::NONE }, |cell| {
            for part in [Part::Read, Part::Other] {
                if is_own(cell.record(part)) {
                    cell.set_record(part, record);
                }
            }
        });
    }

    /// Looks at the cells of a range that was checked, each under its lock.
    fn for_each_cell(&self, bytes: Bytes, look: impl Fn(CellAt<'_>)) {
        let shared = self.checks.shared.region.has(bytes.address());
        let region = if shared { &self.checks.shared.region } else { &self.host.memory.global };
        for n in 0..bytes.len().div_ceil(GRANULE) {
            let at = bytes.address() + n * GRANULE;
            let _held = self.host.hold(at, shared);
            let Some(cell) = region.at(at) else { return };
            look(cell);
        }
    }
}

/// Whether the phase that is asked for is over.
fn over(object: &Object, op: Mbarrier, operand: u64) -> bool {
    let target = match op {
        Mbarrier::TestToken | Mbarrier::WaitToken => Target::Phase(operand as u32),
        _parity => Target::Parity(operand & 1 == 1),
    };
    object.phases.passes(target).is_some()
}
