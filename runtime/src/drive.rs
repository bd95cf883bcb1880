//! The loop that runs a grid: blocks come and go, threads take turns, waits are resolved.
//!
//! When no thread can run, `stuck` says who waits for whom, and ends the block. The loop does not
//! know what runs a thread: a fiber with native code ([`Fibers`]), or the script of a test.
//!
//! **Does not**: run blocks whose threads have no stacks (`rounds`).

use crate::block::{Pause, State};
use crate::event::Event;
use crate::fibers::{Fibers, processor_time};
use crate::launch::{Code, Launch, Outcome, Program};
use crate::memory::{BadLayout, Memory};
use crate::spread::Spread;
use crate::worker::{Threads, Worker};

/// Runs a grid to its end, in this process.
///
/// # Errors
/// As [`crate::run`].
///
/// # Safety
/// As [`crate::run`].
pub(crate) unsafe fn run_here(
    program: &Program,
    launch: &Launch,
    memory: &Memory,
    arguments: &[u8],
) -> Result<Outcome, BadLayout> {
    let apart = !program.cooperative && launch.shape.cluster.iter().all(|it| *it <= 1);
    if launch.threads > 1 && apart {
        // SAFETY: the caller's promise.
        return unsafe { run_spread(program, launch, memory, arguments) };
    }
    // SAFETY: as above.
    unsafe { run_on(program, launch, memory, arguments, None) }
}

/// Runs the blocks of a grid, or those that this worker gets of it.
///
/// # Safety
/// As [`crate::run`].
unsafe fn run_on(
    program: &Program,
    launch: &Launch,
    memory: &Memory,
    arguments: &[u8],
    spread: Option<&Spread>,
) -> Result<Outcome, BadLayout> {
    let (mut worker, runs) = Worker::new(program, launch, memory, arguments, spread)?;
    crate::signals::watch_thread();
    let used = processor_time();
    match program.code {
        Code::Fibers(_) => {
            // SAFETY: the caller's promise.
            let mut fibers = unsafe { Fibers::new(program.stack_bytes) };
            drive(&mut worker, &mut fibers, runs)?;
        }
        // SAFETY: as above.
        Code::Stackless(code) => unsafe { crate::rounds::drive(&mut worker, code, runs)? },
    }
    let mut outcome = worker.host.outcome;
    outcome.processor = processor_time().saturating_sub(used);
    Ok(outcome)
}

/// Runs a grid on several operating system threads.
///
/// # Safety
/// As [`crate::run`].
unsafe fn run_spread(
    program: &Program,
    launch: &Launch,
    memory: &Memory,
    arguments: &[u8],
) -> Result<Outcome, BadLayout> {
    let spread = Spread::new();
    let outcomes: Vec<Result<Outcome, BadLayout>> = std::thread::scope(|scope| {
        let start = |_| {
            // SAFETY: the caller's promise.
            scope.spawn(|| unsafe { run_on(program, launch, memory, arguments, Some(&spread)) })
        };
        let workers: Vec<_> = (0..launch.threads.max(1)).map(start).collect();
        let lost = |_| Err(BadLayout("a thread of the run was lost".to_owned()));
        workers.into_iter().map(|it| it.join().unwrap_or_else(lost)).collect()
    });
    let mut total = Outcome { finished: true, ..Outcome::default() };
    for outcome in outcomes {
        let Outcome { events, printed, accesses, switches, processor, finished, again, died: _ } =
            outcome?;
        total.events.join(events);
        total.printed.push_str(&printed);
        total.accesses += accesses;
        total.switches += switches;
        total.processor += processor;
        total.finished &= finished;
        total.again |= again;
    }
    let late = |event: &Event| matches!(event, Event::Unfinished { .. });
    total.again |= !total.printed.is_empty() || !total.events.0.keys().all(late);
    Ok(total)
}

/// Lets threads take turns until all blocks are done.
///
/// # Errors
/// There is no memory for a thread.
pub(crate) fn drive(
    worker: &mut Worker<'_>,
    threads: &mut impl Threads,
    blocks: u64,
) -> Result<(), BadLayout> {
    loop {
        worker.fill(blocks);
        while let Some((slot, index)) = worker.grid.ready.take() {
            let Some(block) = &mut worker.grid.blocks[slot as usize] else { continue };
            let thread = &mut block.threads[index as usize];
            if thread.state == State::Done {
                continue;
            }
            thread.state = State::Ready;
            worker.host.outcome.switches += 1;
            worker.grid.running = (slot, index);
            let pause = threads.resume(worker)?;
            let at_once = worker.grid.at_once;
            worker.after(pause);
            worker.release(threads);
            if worker.grid.blocks[slot as usize].is_none() || worker.grid.at_once != at_once {
                worker.fill(blocks);
            }
            if worker.host.outcome.switches.is_multiple_of(1024) && worker.is_late() {
                worker.unfinished();
            }
            if worker.host.stopped || worker.is_called_off() {
                worker.abandon();
                worker.release(threads);
                return Ok(());
            }
            if worker.grid.ready.len() == 0 {
                break;
            }
        }
        if worker.grid.ready.len() > 0 {
            continue;
        }
        if worker.grid.blocks.iter().all(Option::is_none) && worker.grid.exhausted {
            return Ok(());
        }
        if worker.grid.has_room() && !worker.grid.exhausted {
            continue;
        }
        worker.resolve_stuck();
        worker.release(threads);
    }
}

impl Worker<'_> {
    /// What ran threads that have ended is free.
    fn release(&mut self, threads: &mut impl Threads) {
        self.host.released.drain(..).for_each(|(fiber, returned)| threads.release(fiber, returned));
    }

    /// Starts blocks in the slots that are free. Blocks that do not communicate follow each other,
    /// which keeps the memory that is touched small; but those that run long without end may wait
    /// for another one after all.
    fn fill(&mut self, blocks: u64) {
        if self.grid.cluster_size() > 1 {
            return self.fill_clusters(blocks);
        }
        for slot in 0..self.grid.at_once {
            if self.grid.blocks[slot].is_none()
                && !self.grid.exhausted
                && let Some(number) = self.next_number(blocks)
            {
                self.start_block(slot, number);
            }
        }
    }

    /// What a thread that paused wants.
    fn after(&mut self, pause: Pause) {
        let (slot, index) = self.grid.running;
        match pause {
            Pause::Yield => {
                self.grid.at_once = self.grid.blocks.len();
                self.grid.idle += 1;
                self.grid.ready.add_behind((slot, index));
                if self.grid.asking > 0 && self.grid.idle > 4 * self.grid.ready.len() as u64 {
                    self.settle_all_asking();
                }
                let turns = 64 * self.grid.ready.len() as u64;
                if self.grid.idle > self.host.launch.limits.idle.max(turns) {
                    self.spins();
                }
            }
            Pause::Wait => self.settle_asking(slot, index),
            Pause::End | Pause::Return => {
                self.retire(slot, index, pause == Pause::Return);
                self.settle_asking(slot, index);
            }
        }
    }

    /// A thread is done: what ran it is free, and what waited for it is looked at again.
    fn retire(&mut self, slot: u32, index: u32, returned: bool) {
        self.grid.idle = 0;
        self.host.last_end = self.host.outcome.switches;
        let Some(mut block) = self.grid.blocks[slot as usize].take() else { return };
        let thread = &mut block.threads[index as usize];
        thread.state = State::Done;
        self.host.outcome.accesses += thread.facts.accesses;
        self.host.released.extend(thread.fiber.take().map(|it| (it, returned)));
        let (number, between) = (thread.number, thread.between.take());
        block.live -= 1;
        self.grid.presence.live -= 1;
        self.note_return(&mut block, index);
        self.settle_visits(&mut block, index);
        if block.live == 0 {
            self.grid.presence.ended += 1;
            let shared = block.shared..block.shared + self.checks.shared.stride;
            self.checks.releases.retain(|(address, _), _| !shared.contains(address));
            self.checks.mbarriers.retain(|address, _| !shared.contains(address));
            self.checks.observed.forget(shared);
            self.grid.spare.push(block);
            self.leave_cluster(slot as usize, number, between);
            return;
        }
        if block.halted > 0 {
            self.settle_barriers(&mut block);
            let warp = block.threads[index as usize].warp;
            self.settle_lanes(&mut block, warp);
        }
        self.grid.blocks[slot as usize] = Some(block);
        self.leave_cluster(slot as usize, number, between);
        self.settle_grid();
    }
}

#[cfg(test)]
mod tests;
