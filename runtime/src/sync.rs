//! Barriers of a block, fences, and what atomics carry.
//!
//! **Promises**: a barrier orders what its participants did before with what they do after, and
//! nothing else; a fence and an atomic order only as a pair (PTX ISA 8.8: release and acquire
//! patterns), within the scope of both.

use heddle_semantics::{Arrivals, Misuse, counted};

use crate::abi::{Access, BarrierAction, MemoryOrder, NO_ACQUIRE, NO_RELEASE, SC_FENCE, Scope};
use crate::block::{Block, Open, Pause, State, Thread};
use crate::clock::Knowledge;
use crate::event::Event;
use crate::sc_fences::ScFences;
use crate::turn::Turn;
use crate::worker::Worker;

impl Turn<'_, '_> {
    /// The thread comes to a barrier. Whether it waits.
    pub(crate) fn arrive(
        &mut self,
        id: usize,
        action: BarrierAction,
        count: u32,
        value: u32,
    ) -> Option<Pause> {
        let index = self.grid.running.1;
        let expected = if count > 0 { Arrivals::Count(count) } else { Arrivals::All };
        self.with_block(|worker, block| {
            worker.compare_counts(block, id, index, expected);
            let of = worker.grid.block_of(block);
            let (thread, barrier) = (&mut block.threads[index as usize], &mut block.barriers[id]);
            thread.waits_at = thread.facts.site;
            let arrives = action == BarrierAction::Arrive;
            if arrives {
                barrier.arrived.push(index);
                barrier.published.join(&thread.knowledge(&of, false));
                thread.facts.clock += 1;
            } else {
                barrier.waiting.push(index);
                block.halted += 1;
                thread.state = State::Barrier { id, action, value };
            }
            worker.count_arrivals(block, id);
            // The thread is in the set of those that run if it was the last one; it then goes on
            // at once in any case.
            (!arrives).then_some(Pause::Wait)
        })
    }

    /// The thread comes to a barrier that a block does not have.
    pub(crate) fn no_such_barrier(&mut self, id: u32) {
        let (site, number) = (self.thread().facts.site, self.thread().number);
        let event = Event::NoSuchBarrier { site };
        self.host.outcome.events.add(event, [number; 2], || (id.to_string(), Vec::new()));
        self.host.outcome.finished = false;
    }

    /// A fence: publishes with the next atomic, and takes over what atomics have read, unless the
    /// flags of `kind` say that it does one of the two only; or that it is sequentially consistent.
    pub(crate) fn fence(&mut self, scope: Scope, kind: u32) {
        let index = self.grid.running.1 as usize;
        let of = self.grid.block_of(self.block());
        let block = self.grid.running_block_mut();
        let thread = &mut block.threads[index];
        if kind & NO_ACQUIRE == 0 {
            let reaches = |from: u32| scope == Scope::Grid || from == of.number;
            for (_, knowledge) in thread.unfenced.extract_if(.., |it| reaches(it.0)) {
                thread.facts.knows.get_or_insert_default().join(&knowledge);
                block.has_knowledge = true;
            }
        }
        if kind & NO_RELEASE != 0 {
            return;
        }
        let sc = kind & SC_FENCE != 0 && scope == Scope::Grid;
        if sc {
            let learned = thread.sc_fences.learned();
            if !learned.is_empty() {
                thread.facts.knows.get_or_insert_default().join(&learned);
                block.has_knowledge = true;
            }
        }
        let wide = match scope {
            Scope::Grid => thread.knowledge(&of, true),
            // What an earlier fence publishes it publishes still.
            Scope::Block => thread.fenced.take().map(|it| it.1).unwrap_or_default(),
        };
        if sc {
            thread.sc_fences.fence(&wide);
            block.has_sc_fences = true;
        }
        thread.fenced = Some(Box::new((thread.knowledge(&of, false), wide)));
        thread.facts.clock += 1;
    }

    /// What an atomic or volatile access at an address publishes and learns. A store that does not
    /// read ends what is carried there: observation goes on through updates alone (PTX ISA 8.9.2).
    /// What its own thread has released there it carries on, as any later write of that thread does
    /// (8.8: a release pattern is a release operation, and a strong write after it).
    pub(crate) fn synchronize(
        &mut self,
        address: usize,
        kind: Access,
        order: MemoryOrder,
        wide: bool,
    ) {
        let (thread, block) = (self.thread(), self.block());
        let number = block.number;
        let is_first = self.checks.releases.is_empty() && !block.has_sc_fences;
        let has_released = thread.fenced.is_some() || !thread.released.is_empty();
        if is_first && !has_released && !order.releases() {
            return;
        }
        let here = (address, 0)..=(address, u32::MAX);
        if kind == Access::Store {
            self.end_releases(address);
            self.publish(address, order, wide);
            return;
        }
        let mut learned: Vec<(u32, Knowledge)> = Vec::new();
        let mut heard = Knowledge::default();
        for (&(_, from), release) in self.checks.releases.range(here) {
            if from == number {
                learned.push((from, release.narrow.clone()));
            } else if wide {
                learned.push((from, release.wide.clone()));
                heard.join(&release.sc_fenced);
            }
        }
        let index = self.grid.running.1 as usize;
        let block = self.grid.running_block_mut();
        let thread = &mut block.threads[index];
        if !heard.is_empty() {
            thread.sc_fences.heard.join(&heard);
            block.has_sc_fences = true;
        }
        learned.retain(|(_, knowledge)| !knowledge.is_empty());
        for (from, knowledge) in learned {
            if order.acquires() {
                thread.facts.knows.get_or_insert_default().join(&knowledge);
                block.has_knowledge = true;
            } else {
                remember(thread, from, knowledge);
            }
        }
        if kind == Access::Update {
            self.publish(address, order, wide);
        }
    }

    /// Ends what is carried at an address.
    fn end_releases(&mut self, address: usize) {
        let here = (address, 0)..=(address, u32::MAX);
        let ended: Vec<_> = self.checks.releases.range(here).map(|it| *it.0).collect();
        for key in ended {
            self.checks.releases.remove(&key);
        }
    }

    fn publish(&mut self, address: usize, order: MemoryOrder, wide: bool) {
        let index = self.grid.running.1 as usize;
        let of = self.grid.block_of(self.block());
        let Worker { grid, checks, .. } = &mut **self;
        let block = grid.running_block_mut();
        let thread = &mut block.threads[index];
        if order.releases() {
            // One for the block alone hands nothing to others, also by later writes.
            let wider = if wide { thread.knowledge(&of, true) } else { Knowledge::default() };
            let narrow = thread.knowledge(&of, false);
            let released = thread.released.entry(address).or_default();
            released.0.join(&narrow);
            released.1.join(&wider);
            thread.facts.clock += 1;
        }
        let carried = match wide && block.has_sc_fences {
            true => thread.sc_fences.carried(&block.sc_fenced),
            false => Knowledge::default(),
        };
        let own = thread.released.get(&address);
        if thread.fenced.is_none() && own.is_none() && carried.is_empty() {
            return;
        }
        let release = checks.releases.entry((address, of.number)).or_default();
        release.sc_fenced.join(&carried);
        for (narrow, wider) in thread.fenced.as_deref().into_iter().chain(own) {
            release.narrow.join(narrow);
            if wide {
                release.wide.join(wider);
            }
        }
    }
}

impl Worker<'_> {
    /// The first arrival of a use of a barrier fixes the count; one that names another is reported.
    fn compare_counts(&mut self, block: &mut Block, id: usize, index: u32, given: Arrivals) {
        let thread = &block.threads[index as usize];
        let (site, number) = (thread.facts.site, thread.number);
        let Some(Open { expected, site: first_site, number: first, .. }) = block.barriers[id].open
        else {
            let open = Open { expected: given, came: 0, site, number };
            block.barriers[id].open = Some(open);
            return;
        };
        if expected != given
            && let Err(Misuse::CountMismatch { fixed, given }) =
                expected.agrees(given, block.all_arrivals(self.grid.warps()))
        {
            let event = Event::ArrivalCounts { sites: [first_site, site] };
            let what = format!("{fixed} and {given}");
            self.host.outcome.events.add(event, [first, number], || (what, Vec::new()));
        }
    }

    /// A thread has come. More than are lacking are not defined, and complete the barrier here.
    fn count_arrivals(&mut self, block: &mut Block, id: usize) {
        if let Some(open) = block.barriers[id].open {
            let came = block.came(id, open.expected, self.grid.warps());
            block.barriers[id].open = Some(Open { came, ..open });
            self.settle_barrier(block, id);
        }
    }

    /// Lets those barriers go on that are complete.
    pub(crate) fn settle_barriers(&mut self, block: &mut Block) {
        for id in 0..block.barriers.len() {
            self.settle_barrier(block, id);
        }
    }

    fn settle_barrier(&mut self, block: &mut Block, id: usize) {
        if block.barriers[id]
            .open
            .is_some_and(|it| it.came > 0 && it.came >= it.expected.number(block.live))
        {
            self.complete(block, id);
        }
    }

    fn complete(&mut self, block: &mut Block, id: usize) {
        self.grid.idle = 0;
        let barrier = std::mem::take(&mut block.barriers[id]);
        let whole = barrier.open.is_none_or(|it| it.is_for_all());
        self.compare_sites(block, &barrier.waiting, whole);
        let value = |index: &u32| match block.threads[*index as usize].state {
            State::Barrier { value, .. } => value != 0,
            State::Ready
            | State::Lanes { .. }
            | State::Mbarrier { .. }
            | State::Cluster
            | State::Grid
            | State::Done => false,
        };
        let set = barrier.waiting.iter().filter(|index| value(index)).count() as u32;
        let all = barrier.waiting.len() as u32;
        if barrier.arrived.is_empty() && barrier.waiting.len() as u32 >= block.live {
            raise_floor(block, &barrier.waiting, orders(block, &barrier.waiting));
        } else {
            self.join(block, &barrier.waiting, barrier.published);
        }
        let mut waiting = barrier.waiting;
        if !waiting.is_sorted() {
            waiting.sort_unstable();
        }
        for &index in &waiting {
            let thread = &mut block.threads[index as usize];
            let State::Barrier { action, .. } = thread.state else { continue };
            thread.result = action.reduction().map_or(0, |it| u64::from(counted(it, set, all)));
            thread.state = State::Ready;
            block.halted -= 1;
            self.grid.ready.add((thread.slot, index));
        }
        waiting.clear();
        block.barriers[id].waiting = waiting;
    }

    /// Reports threads that wait at different places, and barriers that go on without threads that
    /// returned.
    fn compare_sites(&mut self, block: &mut Block, waiting: &[u32], whole: bool) {
        let Some(&first) = waiting.first() else { return };
        let place = |index: u32| block.threads[index as usize].waits_at;
        let (number, site) = (block.threads[first as usize].number, place(first));
        if !whole || site == 0 {
            return;
        }
        if let Some(&other) = waiting.iter().find(|index| place(**index) != site) {
            let sites = [site.min(place(other)), site.max(place(other))];
            let threads = [number, block.threads[other as usize].number];
            let threads = if place(other) < site { [threads[1], threads[0]] } else { threads };
            self.host.outcome.events.add(
                Event::DifferentBarriers { sites },
                threads,
                Default::default,
            );
        }
        if let Some(&(end, absent)) = block.returned.first() {
            let threads = [number, block.number * self.grid.shape.threads() + absent];
            if self.host.launch.strict_barriers {
                self.host.outcome.events.add(
                    Event::Skipped { barrier: site, end },
                    threads,
                    Default::default,
                );
            } else {
                self.host.outcome.events.add(
                    Event::EarlyReturn { barrier: site },
                    threads,
                    Default::default,
                );
                let returned = block.returned.len();
                if block
                    .without
                    .last()
                    .is_none_or(|(at, count, _)| (*at, *count) != (site, returned))
                {
                    block.without.push((site, returned, first));
                }
            }
        }
    }

    /// A thread returned. If it ends where one ended that had skipped a barrier it waited at, the
    /// barrier diverges.
    pub(crate) fn note_return(&mut self, block: &mut Block, index: u32) {
        let thread = &block.threads[index as usize];
        let (site, number) = (thread.facts.site, thread.number);
        let waited = |barrier: u32| thread.waits_at == barrier;
        let skipped = block.without.iter().find(|(barrier, count, _)| {
            waited(*barrier)
                && site != *barrier
                && block.returned[..*count].iter().any(|(end, _)| *end == site)
        });
        if let Some(&(barrier, count, _)) = skipped {
            let absent = block.returned[..count]
                .iter()
                .find(|(end, _)| *end == site)
                .map_or(index, |(_, it)| *it);
            let threads = [number, block.number * self.grid.shape.threads() + absent];
            self.host.outcome.events.add(
                Event::Skipped { barrier, end: site },
                threads,
                Default::default,
            );
        }
        block.returned.push((site, index));
    }

    /// Each participant learns of all others.
    fn join(&mut self, block: &mut Block, waiting: &[u32], mut all: Knowledge) {
        let of = self.grid.block_of(block);
        for &index in waiting {
            let thread = &mut block.threads[index as usize];
            all.join(&thread.knowledge(&of, false));
            thread.facts.clock += 1;
        }
        for &index in waiting {
            block.threads[index as usize].facts.knows.get_or_insert_default().join(&all);
        }
        block.has_knowledge = true;
    }
}

/// Keeps what an atomic read for the next fence; what is kept from one block is joined.
fn remember(thread: &mut Thread, from: u32, knowledge: Knowledge) {
    match thread.unfenced.iter_mut().find(|(block, _)| *block == from) {
        Some((_, known)) => known.join(&knowledge),
        None => thread.unfenced.push((from, knowledge)),
    }
}

/// Whether a barrier orders shared memory, and global memory: what all that wait say.
fn orders(block: &Block, waiting: &[u32]) -> (bool, bool) {
    let mut both = (true, true);
    for &index in waiting {
        if let State::Barrier { action: BarrierAction::SyncSome, value, .. } =
            block.threads[index as usize].state
        {
            both = (both.0 && value & 1 != 0, both.1 && value & 2 != 0);
        }
    }
    both
}

/// All threads of the block know of all that any of them did.
fn raise_floor(block: &mut Block, waiting: &[u32], (shared, global): (bool, bool)) {
    if block.has_sc_fences && global {
        carry_on(block, waiting);
    }
    let floor = block.threads.iter().map(|it| it.facts.clock).max().unwrap_or(0) + 1;
    let mut all = Knowledge::default();
    // What is known of other blocks concerns memory that is theirs, too.
    if block.has_knowledge && global {
        for &index in waiting {
            let knows = &mut block.threads[index as usize].facts.knows;
            // What the block's own threads know of each other the floors say, where all are raised.
            if let Some(knows) = if shared { knows.take() } else { knows.clone() } {
                all.join(&knows);
            }
        }
        let first = block.threads[0].number;
        let of_others =
            |thread: &u32, _: &mut u32| thread.wrapping_sub(first) >= block.threads.len() as u32;
        all.threads.retain(of_others);
    }
    for &index in waiting {
        let thread = &mut block.threads[index as usize];
        thread.facts.clock = floor;
        if global {
            thread.facts.floor = floor;
        }
        if shared {
            thread.facts.shared_floor = floor;
        }
        if shared && global {
            thread.facts.warp_floor = floor;
        }
        if !all.is_empty() {
            thread.facts.knows.get_or_insert_default().join(&all);
        }
    }
}

/// Threads that met at a barrier carry on, and have heard, what any of them does.
fn carry_on(block: &mut Block, waiting: &[u32]) {
    let mut heard = Knowledge::default();
    for &index in waiting {
        let fences: &mut ScFences = &mut block.threads[index as usize].sc_fences;
        heard.join(&fences.heard);
        if let Some(carries) = fences.hand_over() {
            block.sc_fenced.join(&carries);
        }
    }
    if heard.is_empty() {
        return;
    }
    for &index in waiting {
        block.threads[index as usize].sc_fences.heard = heard.clone();
    }
}
