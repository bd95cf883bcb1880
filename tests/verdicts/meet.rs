//! Where threads wait for each other: block barriers, warp barriers, exchanges among lanes, named
//! barriers.
//!
//! **Promises**: a block barrier opens when all threads of the block wait at the same barrier in
//! the same iterations of the loops around it; those that have returned are not waited for, unless
//! the run is strict. **Does not**: say who is to blame.

use std::collections::BTreeSet;

use crate::arith::Undefined;
use crate::code::{Exchange, Op, Tally, Value, Vote, Wait};
use crate::machine::{End, Machine, State};
use crate::order::join;

/// Why a run is undefined in which arrivals at a named barrier do not fit each other.
pub(crate) const UNFIT: &str = "arrivals that do not fit";

/// How a thread that ended stands to a barrier that it did not execute.
enum Passed {
    Before,
    Perhaps,
    After,
}

/// Arrivals at a named barrier.
#[derive(Debug, Default)]
pub(crate) struct NamedBarrier {
    count: u64,
    arrived: Vec<usize>,
    /// The instruction of each arrival.
    places: Vec<usize>,
}

impl Machine<'_> {
    /// Called when a thread stops: takes its operands, and lets go on who need not wait any more.
    pub(crate) fn meet(&mut self, thread: usize) -> Result<(), End> {
        if let State::Waiting(wait) = self.threads[thread].state {
            let operands = match wait {
                Wait::Block(site) => {
                    let tally = self.code.barriers[site as usize].tally;
                    usize::from(tally != Tally::Nothing)
                }
                Wait::Warp => 1,
                Wait::Shuffle(_) => 4,
                Wait::Vote(_) => 2,
                Wait::Named(counted) => 1 + usize::from(counted),
            };
            let stack = &mut self.threads[thread].stack;
            let operands = stack.split_off(stack.len() - operands);
            if operands.first().is_some_and(|it| it.undef) && !matches!(wait, Wait::Block(_)) {
                return Err(End::Undefined("a mask that nobody wrote"));
            }
            self.threads[thread].operands = operands;
            if let Wait::Named(counted) = wait {
                let id = self.threads[thread].operands[0].bits;
                let count = if counted {
                    self.threads[thread].operands[1].bits
                } else {
                    (self.per_block as u64).next_multiple_of(32)
                };
                self.arrive_at(thread, id, count).map_err(|it| End::Undefined(it.0))?;
            }
        }
        let block = self.block_of(thread);
        if self.threads[thread].state == State::Done {
            (0..16).for_each(|id| self.complete(block, id));
        }
        self.meet_lanes(thread)?;
        self.meet_block(block)
    }

    fn meet_block(&mut self, block: usize) -> Result<(), End> {
        let members = self.block(block);
        let mut first: Option<usize> = None;
        let mut exited = false;
        let mut different = false;
        for it in members.clone() {
            match self.threads[it].state {
                State::Done => exited = true,
                State::Waiting(Wait::Block(_)) => match first {
                    None => first = Some(it),
                    Some(other) => different |= !self.same_instance(other, it),
                },
                State::Ready | State::Waiting(_) => return Ok(()),
            }
        }
        let Some(first) = first else { return Ok(()) };
        if different || exited && self.setup.strict {
            return Err(End::Divergence);
        }
        for it in members.clone().filter(|it| self.threads[*it].state == State::Done) {
            let passed = self.passed(it, first);
            self.outcome.ended_behind |= !matches!(passed, Passed::Before);
            match passed {
                Passed::Before => {}
                Passed::Perhaps => return Err(End::PerhapsDivergence),
                Passed::After => return Err(End::Divergence),
            }
        }
        self.outcome.exited_early |= exited;
        let State::Waiting(Wait::Block(site)) = self.threads[first].state else { return Ok(()) };
        let site = &self.code.barriers[site as usize];
        if site.tally != Tally::Nothing {
            let waiting: Vec<usize> =
                members.clone().filter(|it| self.threads[*it].state != State::Done).collect();
            let values: Vec<Value> =
                waiting.iter().map(|it| self.threads[*it].operands[0]).collect();
            let undef = values.iter().any(|it| it.undef);
            let count = values.iter().filter(|it| it.bits != 0).count() as u64;
            let bits = match site.tally {
                Tally::Nothing | Tally::Count => count,
                Tally::Or => u64::from(count > 0),
                Tally::And => u64::from(count == values.len() as u64),
            };
            for it in waiting {
                self.threads[it].stack.push(Value { bits, undef });
            }
        }
        let all: Vec<usize> = members.clone().collect();
        if site.local {
            self.order(0, &all, &all);
        }
        if self.code.opencl && site.global {
            self.order(1, &all, &all);
        }
        self.share_fences(&members);
        if site.local {
            self.races.forget_shared(block);
        }
        if site.global && self.threads.len() == self.per_block {
            self.races.forget_global();
        }
        for it in all {
            if self.threads[it].state != State::Done {
                self.threads[it].state = State::Ready;
            }
        }
        Ok(())
    }

    /// Whether a thread ended before it came to the barrier at which another waits.
    fn passed(&self, ended: usize, waiting: usize) -> Passed {
        let State::Waiting(Wait::Block(site)) = self.threads[waiting].state else {
            return Passed::Before;
        };
        let site = &self.code.barriers[site as usize];
        let (ended, waiting) = (&self.threads[ended], &self.threads[waiting]);
        let Some(Op::Exit(Some(loops))) = self.code.ops.get(ended.pc - 1) else {
            // Who comes to the end of the text has not returned.
            return Passed::After;
        };
        let common = loops.iter().zip(&site.loops).take_while(|(a, b)| a == b);
        for (slot, _) in common {
            let slot = usize::from(*slot);
            match ended.slots[slot].bits.cmp(&waiting.slots[slot].bits) {
                std::cmp::Ordering::Less => return Passed::Before,
                std::cmp::Ordering::Greater => return Passed::After,
                std::cmp::Ordering::Equal => {}
            }
        }
        // Of two branches, the text says nothing about which comes first.
        if ended.pc - 1 < site.at { Passed::Before } else { Passed::Perhaps }
    }

    /// Whether two waiting threads are at the same barrier in the same iterations.
    fn same_instance(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.threads[a], &self.threads[b]);
        let (State::Waiting(Wait::Block(x)), State::Waiting(Wait::Block(y))) = (a.state, b.state)
        else {
            return false;
        };
        let iteration =
            |slot: &u16| a.slots[usize::from(*slot)].bits == b.slots[usize::from(*slot)].bits;
        x == y && self.code.barriers[x as usize].loops.iter().all(iteration)
    }

    /// What `from` did comes before what `to` do from here on.
    fn order(&mut self, which: usize, from: &[usize], to: &[usize]) {
        let mut all = Vec::new();
        for it in from {
            join(&mut all, &self.clocks[which][*it]);
        }
        for it in to {
            self.clocks[which][*it].clone_from(&all);
        }
        for it in from {
            self.tick(which, *it);
        }
    }

    /// Lets lanes go on that wait for each other.
    fn meet_lanes(&mut self, thread: usize) -> Result<(), End> {
        let warp = self.warp(thread);
        for first in warp.clone() {
            let State::Waiting(wait) = self.threads[first].state else { continue };
            if matches!(wait, Wait::Block(_) | Wait::Named(_)) {
                continue;
            }
            let mask = self.threads[first].operands[0].bits;
            if mask >> (first - warp.start) & 1 == 0 {
                return Err(End::Undefined("a lane that is not in its own mask"));
            }
            let lanes: Vec<usize> = warp
                .clone()
                .filter(|it| mask >> (it - warp.start) & 1 == 1)
                .filter(|it| self.threads[*it].state != State::Done)
                .collect();
            let together = lanes.iter().all(|it| {
                let it = &self.threads[*it];
                matches!(it.state, State::Waiting(other) if same_wait(wait, other))
                    && it.operands[0].bits == mask
            });
            if together {
                let named = |it: &usize| mask >> (it - warp.start) & 1 == 1;
                let named: Vec<usize> = warp.clone().filter(named).collect();
                self.exchange(wait, &lanes, &named)?;
            }
        }
        Ok(())
    }

    /// Lanes that wait together, and those that the mask names, of which some may have returned:
    /// what these did is done.
    fn exchange(&mut self, wait: Wait, lanes: &[usize], named: &[usize]) -> Result<(), End> {
        let base = self.warp(lanes[0]).start;
        match wait {
            Wait::Warp => {
                self.outcome.exited_early |= lanes.len() < named.len();
                self.order(0, named, lanes);
            }
            Wait::Vote(vote) => {
                let values: Vec<(usize, Value)> =
                    lanes.iter().map(|it| (*it, self.threads[*it].operands[1])).collect();
                let undef = values.iter().any(|(_, it)| it.undef);
                let yes = |(_, it): &(usize, Value)| it.bits != 0;
                let bits = match vote {
                    Vote::Any => u64::from(values.iter().any(yes)),
                    Vote::All => u64::from(values.iter().all(yes)),
                    Vote::Ballot => {
                        values.iter().filter(|it| yes(it)).map(|(lane, _)| 1 << (lane - base)).sum()
                    }
                };
                for it in lanes {
                    self.threads[*it].stack.push(Value { bits, undef });
                }
            }
            Wait::Shuffle(exchange) => {
                let results: Vec<Value> =
                    lanes.iter().map(|it| self.shuffled(exchange, *it, lanes, base)).collect();
                for (it, value) in lanes.iter().zip(results) {
                    self.threads[*it].stack.push(value);
                }
            }
            Wait::Block(_) | Wait::Named(_) => return Ok(()),
        }
        for it in lanes {
            self.threads[*it].state = State::Ready;
        }
        Ok(())
    }

    fn shuffled(&self, exchange: Exchange, thread: usize, lanes: &[usize], base: usize) -> Value {
        let operands = &self.threads[thread].operands;
        let [_, own, by, width] = operands[..] else { return Value::UNDEF };
        if by.undef || width.undef || ![1, 2, 4, 8, 16, 32].contains(&width.bits) {
            return Value::UNDEF;
        }
        let lane = (thread - base) as i64;
        let (by, width) = (by.bits as i64, width.bits as i64);
        let first = lane / width * width;
        let from = match exchange {
            Exchange::Index => first + by.rem_euclid(width),
            Exchange::Xor => lane ^ by,
            Exchange::Up => lane - by,
            Exchange::Down => lane + by,
        };
        // PTX ISA, `shfl.sync`: out of the segment, a lane gets its own value; `xor` may reach
        // lower segments.
        let inside = match exchange {
            Exchange::Index => true,
            Exchange::Xor => (0..first + width).contains(&from),
            Exchange::Up => from >= first && from <= lane,
            Exchange::Down => from < first + width && from >= lane,
        };
        if !inside {
            return own;
        }
        let source = base + from as usize;
        if !lanes.contains(&source) {
            return Value::UNDEF;
        }
        self.threads[source].operands[1]
    }

    pub(crate) fn arrive(&mut self, thread: usize) -> Result<(), Undefined> {
        let stack = &mut self.threads[thread].stack;
        let (Some(count), Some(id)) = (stack.pop(), stack.pop()) else {
            return Err(Undefined("no operands"));
        };
        if count.undef || id.undef {
            return Err(Undefined("a barrier that nobody wrote"));
        }
        self.arrive_at(thread, id.bits, count.bits)
    }

    fn arrive_at(&mut self, thread: usize, id: u64, count: u64) -> Result<(), Undefined> {
        let block = self.block_of(thread);
        if id > 15 || count == 0 || !count.is_multiple_of(32) {
            return Err(Undefined("a barrier that does not exist"));
        }
        let barrier = self.named.entry((block, id)).or_default();
        if barrier.arrived.is_empty() {
            barrier.count = count;
        }
        if barrier.count != count || barrier.arrived.contains(&thread) {
            return Err(Undefined(UNFIT));
        }
        let place = self.threads[thread].pc;
        let lanes = barrier.arrived.iter().zip(&barrier.places);
        let elsewhere = lanes.filter(|(it, other)| *it / 32 == thread / 32 && **other != place);
        let large = count > self.per_block.next_multiple_of(32) as u64;
        self.outcome.unaligned |= large || elsewhere.count() > 0;
        barrier.arrived.push(thread);
        barrier.places.push(place);
        self.complete(block, id);
        Ok(())
    }

    /// Lets those go on who wait at a named barrier, if enough have come. A warp counts as a whole,
    /// with the lanes that it never had and those that have ended (PTX ISA, `bar`: arrivals go by
    /// warps).
    fn complete(&mut self, block: usize, id: u64) {
        let Some(barrier) = self.named.get_mut(&(block, id)) else { return };
        let count = barrier.count;
        let arrived = std::mem::take(&mut barrier.arrived);
        let places = std::mem::take(&mut barrier.places);
        let warps: BTreeSet<usize> = arrived.iter().map(|it| self.warp(*it).start).collect();
        let came = |it: &usize| arrived.contains(it) || self.threads[*it].state == State::Done;
        let warp =
            |first: usize| (32 - self.warp(first).len()) + self.warp(first).filter(came).count();
        let all: usize = warps.iter().map(|it| warp(*it)).sum();
        let lanes: usize = warps.iter().map(|it| self.warp(*it).len()).sum();
        if arrived.is_empty() || (all as u64) < count || arrived.len() as u64 > count {
            if let Some(barrier) = self.named.get_mut(&(block, id)) {
                (barrier.arrived, barrier.places) = (arrived, places);
            }
            return;
        }
        let waits = |it: &usize| {
            matches!(self.threads[*it].state, State::Waiting(Wait::Named(_)))
                && self.threads[*it].operands.first().is_some_and(|x| x.bits == id)
        };
        let waiting: Vec<usize> = arrived.iter().copied().filter(waits).collect();
        self.outcome.unaligned |= arrived.len() < lanes;
        self.order(0, &arrived, &waiting);
        for it in waiting {
            self.threads[it].state = State::Ready;
        }
    }

    /// Nobody can go on: why.
    pub(crate) fn stuck(&self) -> End {
        let waits = |what: fn(Wait) -> bool| {
            self.threads.iter().any(|it| matches!(it.state, State::Waiting(wait) if what(wait)))
        };
        if waits(|it| matches!(it, Wait::Named(_))) {
            return End::Deadlock;
        }
        if waits(|it| !matches!(it, Wait::Block(_) | Wait::Named(_))) {
            return End::Undefined("lanes that never meet");
        }
        End::Divergence
    }
}

fn same_wait(a: Wait, b: Wait) -> bool {
    a == b
}
