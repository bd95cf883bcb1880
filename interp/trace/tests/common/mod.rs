//! Random small programs, and two naive judges of them: the paper's algorithm by full transitive
//! closure over threads, and a search through all schedules.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use heddle_trace::{
    AccessKind, Arrivals, Execution, ObjectName, ObjectStep, Partition, Progress, StrandId, Sync,
    Target, Violation, confirm, confirm_stuck, find_races,
};

/// A small generator (xorshift), so that a seed is a program for ever.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    Named { id: u32, count: u32, waits: bool },
    Touch { base: u64, stride: u64, kind: AccessKind },
    Object { which: u64, step: ObjectStep },
}

/// Per warp: items, each with the lanes that do it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) width: u32,
    pub(crate) warps: Vec<Vec<(u64, Item)>>,
}

impl Program {
    pub(crate) fn threads(&self) -> u32 {
        self.width * self.warps.len() as u32
    }

    /// What one thread does, with the number of each item among all of the program.
    fn of_thread(&self, thread: u32) -> Vec<(u32, u32, Item)> {
        let (warp, lane) = (thread / self.width, thread % self.width);
        let first: usize = self.warps[..warp as usize].iter().map(Vec::len).sum();
        let items = self.warps[warp as usize].iter().enumerate();
        let mine = items.filter(|(_, (lanes, _))| lanes >> lane & 1 == 1);
        mine.map(|(index, (_, item))| ((first + index) as u32, lane, *item)).collect()
    }

    fn partition(&self) -> Partition {
        let all = (1 << self.width) - 1;
        let mut partition = Partition::whole_warps(1, self.warps.len() as u32, |_, _| all);
        loop {
            let mut changed = false;
            for (warp, items) in (0..).zip(&self.warps) {
                for (lanes, item) in items {
                    if !matches!(item, Item::Touch { .. }) {
                        changed |= partition.cut(0, warp, *lanes);
                    }
                }
            }
            if !changed {
                return partition;
            }
        }
    }
}

/// What a judge says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Opinion {
    /// Deadlock, mismatch, or generations that depend on the schedule.
    Bad,
    /// Well-synchronized, with these pairs of racing items.
    Good(BTreeSet<(u32, u32)>),
}

fn object(which: u64) -> ObjectName {
    ObjectName { region: 9, offset: 8 * which }
}

/// What the library says.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) opinion: Opinion,
    pub(crate) violations: Vec<Violation>,
    /// Whether a replay shows each of them.
    pub(crate) shown: Vec<bool>,
    /// Who waits for ever, in a replay too.
    pub(crate) stuck: bool,
    /// The schedule: strand and item.
    pub(crate) order: String,
}

/// The library, in a schedule drawn from the dice.
pub(crate) fn library(program: &Program, dice: &mut Dice) -> Said {
    let partition = program.partition();
    let strands = partition.strands().to_vec();
    let mut execution = Execution::new(&partition, program.threads(), true);
    let mut next = vec![0; strands.len()];
    let first: Vec<usize> =
        (0..program.warps.len()).map(|it| program.warps[..it].iter().map(Vec::len).sum()).collect();
    let mut order = String::new();
    loop {
        let able: Vec<usize> = (0..strands.len())
            .filter(|it| {
                next[*it] < program.warps[strands[*it].warp as usize].len()
                    && !execution.is_blocked(StrandId(*it as u32))
            })
            .collect();
        if able.is_empty() {
            break;
        }
        let index = able[dice.below(able.len() as u64) as usize];
        let (strand, of) = (StrandId(index as u32), strands[index]);
        let (lanes, item) = program.warps[of.warp as usize][next[index]];
        let source = (first[of.warp as usize] + next[index]) as u32;
        next[index] += 1;
        if lanes & of.lanes == 0 {
            continue;
        }
        order.push_str(&format!("{index}:{source} "));
        let brings = (lanes & of.lanes).count_ones();
        let sync = match item {
            Item::Named { id, count, waits } => {
                let expected = Arrivals::Count(count);
                Sync::Named { id, expected, brings, waits, aligned: false }
            }
            Item::Object { which, step: ObjectStep::Arrive { count, expect, drop } } => {
                let step =
                    ObjectStep::Arrive { count: count * brings, expect: expect * brings, drop };
                Sync::Object(object(which), step)
            }
            Item::Object { which, step } => Sync::Object(object(which), step),
            Item::Touch { base, stride, kind } => {
                let mine: Vec<(u8, u64)> = (0..program.width as u8)
                    .filter(|lane| lanes & of.lanes & 1 << lane != 0)
                    .map(|lane| (lane, base + stride * u64::from(lane)))
                    .collect();
                execution.access(&partition, (0, of.warp), 0, 4, &mine, kind, source, 0);
                continue;
            }
        };
        if execution.perform(strand, sync, source) == Progress::Halts {
            break;
        }
    }
    let waits = execution.stuck();
    let (trace, violations) = execution.finish();
    let threads = program.threads();
    let shown = violations.iter().map(|it| confirm(&trace, it, threads, true)).collect();
    let stuck = !waits.is_empty();
    assert!(confirm_stuck(&trace, &waits, threads, true), "a replay ends elsewhere: {order}");
    if stuck || !violations.is_empty() {
        return Said { opinion: Opinion::Bad, violations, shown, stuck, order };
    }
    let races = find_races(&trace, false, u64::MAX).expect("no limit");
    let pairs = races.list.iter().map(|race| (race.sources[0], race.sources[1])).collect();
    Said { opinion: Opinion::Good(pairs), violations, shown, stuck, order }
}

/// Barriers of a naive run, thread by thread.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Barriers {
    /// By id: generation, count, arrived, threads that wait.
    named: BTreeMap<u32, (u32, u32, u32, Vec<u32>)>,
    /// By object: count, phase, lacking, bytes.
    objects: BTreeMap<u64, (u32, u32, i64, i64)>,
}

enum Step {
    Done,
    Wait,
    Error,
}

impl Barriers {
    /// The thread does an item; the generation or phase it concerns. A wait on an object that is
    /// not over changes nothing.
    fn step(&mut self, thread: u32, item: Item, released: &mut Vec<u32>) -> (Step, Option<u32>) {
        match item {
            Item::Touch { .. } => (Step::Done, None),
            Item::Named { id, count, waits } => {
                let entry = self.named.entry(id).or_default();
                if entry.2 == 0 && entry.3.is_empty() {
                    entry.1 = count;
                }
                if entry.1 != count || entry.2 == count {
                    return (Step::Error, None);
                }
                let generation = entry.0;
                entry.2 += 1;
                if waits {
                    entry.3.push(thread);
                    entry.3.sort_unstable();
                }
                if entry.2 == entry.1 {
                    released.append(&mut entry.3);
                    *entry = (generation + 1, 0, 0, Vec::new());
                }
                (if waits { Step::Wait } else { Step::Done }, Some(generation))
            }
            Item::Object { which, step } => {
                if let ObjectStep::Init(count) = step {
                    self.objects.insert(which, (count, 0, i64::from(count), 0));
                    return (Step::Done, None);
                }
                let Some(object) = self.objects.get_mut(&which) else {
                    return (Step::Error, None);
                };
                let phase = object.1;
                match step {
                    ObjectStep::Arrive { count, expect, .. } => {
                        object.2 -= i64::from(count);
                        object.3 += i64::from(expect);
                    }
                    ObjectStep::Expect(bytes) => object.3 += i64::from(bytes),
                    ObjectStep::Complete(bytes) => object.3 -= i64::from(bytes),
                    ObjectStep::Wait(Target::Parity(parity)) => {
                        let over = (phase & 1 == 1) != parity;
                        return (if over { Step::Done } else { Step::Wait }, Some(phase));
                    }
                    ObjectStep::Init(_)
                    | ObjectStep::Invalidate
                    | ObjectStep::Wait(_)
                    | ObjectStep::Ask(_)
                    | ObjectStep::Signal(_) => {
                        return (Step::Error, None);
                    }
                }
                if object.2 < 0 {
                    return (Step::Error, None);
                }
                if object.2 == 0 && object.3 == 0 {
                    *object = (object.0, phase + 1, i64::from(object.0), 0);
                }
                (Step::Done, Some(phase))
            }
        }
    }
}

/// Who takes part in a generation: thread, command, whether it waits.
type Member = (usize, usize, bool);

/// The paper's algorithm: one run, thread by thread; the closure of happens-before over all
/// commands; all pairs.
pub(crate) fn closure(program: &Program) -> Opinion {
    let threads: Vec<_> = (0..program.threads()).map(|it| program.of_thread(it)).collect();
    let mut barriers = Barriers::default();
    let mut next = vec![0; threads.len()];
    let mut waiting = vec![false; threads.len()];
    let mut members: BTreeMap<(u32, u32), Vec<Member>> = BTreeMap::new();
    loop {
        let mut moved = false;
        for thread in 0..threads.len() {
            while !waiting[thread] && next[thread] < threads[thread].len() {
                let (_, _, item) = threads[thread][next[thread]];
                let mut released = Vec::new();
                let (step, generation) = barriers.step(thread as u32, item, &mut released);
                if let (Item::Named { id, waits, .. }, Some(generation)) = (item, generation) {
                    let list = members.entry((id, generation)).or_default();
                    list.push((thread, next[thread], waits));
                }
                next[thread] += 1;
                moved = true;
                match step {
                    Step::Error => return Opinion::Bad,
                    Step::Wait => waiting[thread] = true,
                    Step::Done => {}
                }
                for it in released {
                    waiting[it as usize] = false;
                }
            }
        }
        if !moved {
            break;
        }
    }
    if waiting.contains(&true) {
        return Opinion::Bad;
    }
    let offsets: Vec<usize> =
        (0..threads.len()).map(|it| threads[..it].iter().map(|x| 2 * x.len()).sum()).collect();
    let total: usize = threads.iter().map(|it| 2 * it.len()).sum();
    let start = |(thread, command): (usize, usize)| offsets[thread] + 2 * command;
    let mut reach = vec![vec![false; total]; total];
    for (thread, commands) in threads.iter().enumerate() {
        for node in 1..2 * commands.len() {
            reach[offsets[thread] + node - 1][offsets[thread] + node] = true;
        }
    }
    for list in members.values() {
        for (thread, command, _) in list {
            for (other, at, waits) in list {
                if *waits {
                    reach[start((*thread, *command))][start((*other, *at)) + 1] = true;
                }
            }
        }
    }
    for middle in 0..total {
        let through = reach[middle].clone();
        for row in reach.iter_mut().filter(|row| row[middle]) {
            row.iter_mut().zip(&through).for_each(|(to, on)| *to |= on);
        }
    }
    for ((id, generation), list) in &members {
        for later in members.get(&(*id, generation + 1)).into_iter().flatten() {
            for earlier in list {
                if !reach[start((earlier.0, earlier.1))][start((later.0, later.1))] {
                    return Opinion::Bad;
                }
            }
        }
    }
    let mut touches = Vec::new();
    for (thread, commands) in threads.iter().enumerate() {
        for (command, (source, lane, item)) in commands.iter().enumerate() {
            if let Item::Touch { base, stride, kind } = item {
                touches.push((
                    start((thread, command)),
                    *source,
                    base + stride * u64::from(*lane),
                    *kind,
                ));
            }
        }
    }
    let mut races = BTreeSet::new();
    for (index, a) in touches.iter().enumerate() {
        for b in &touches[index + 1..] {
            let meets = a.2 < b.2 + 4 && b.2 < a.2 + 4;
            if meets && a.3.conflicts(b.3) && !reach[a.0][b.0] && !reach[b.0][a.0] {
                races.insert((a.1.min(b.1), a.1.max(b.1)));
            }
        }
    }
    Opinion::Good(races)
}

/// All schedules: whether none errs or gets stuck, and each command meets the same generation in
/// all.
pub(crate) fn all_schedules(program: &Program) -> bool {
    let threads: Vec<_> = (0..program.threads()).map(|it| program.of_thread(it)).collect();
    let mut met: BTreeMap<(usize, usize), Option<u32>> = BTreeMap::new();
    // Ends of copies that are issued and not yet done, by thread and place.
    let pending: Vec<(usize, usize)> = Vec::new();
    let first =
        (vec![0usize; threads.len()], vec![false; threads.len()], Barriers::default(), pending);
    let mut seen = HashSet::new();
    let mut work = vec![first];
    while let Some(state) = work.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let (next, waiting, barriers, pending) = state;
        let mut moved = false;
        for (n, &(thread, place)) in pending.iter().enumerate() {
            let (_, _, item) = threads[thread][place];
            let mut after = (next.clone(), waiting.clone(), barriers.clone(), pending.clone());
            after.3.remove(n);
            let (step, generation) = after.2.step(thread as u32, item, &mut Vec::new());
            if matches!(step, Step::Error)
                || *met.entry((thread, place)).or_insert(generation) != generation
            {
                return false;
            }
            moved = true;
            work.push(after);
        }
        for thread in 0..threads.len() {
            if waiting[thread] || next[thread] == threads[thread].len() {
                continue;
            }
            let (_, _, item) = threads[thread][next[thread]];
            let mut after = (next.clone(), waiting.clone(), barriers.clone(), pending.clone());
            if matches!(item, Item::Object { step: ObjectStep::Complete(_), .. }) {
                after.3.push((thread, next[thread]));
                after.0[thread] += 1;
                moved = true;
                work.push(after);
                continue;
            }
            let mut released = Vec::new();
            let (step, generation) = after.2.step(thread as u32, item, &mut released);
            let is_poll = matches!(item, Item::Object { .. });
            match step {
                Step::Error => return false,
                Step::Wait if is_poll => continue,
                Step::Wait => after.1[thread] = true,
                Step::Done => {}
            }
            moved = true;
            if *met.entry((thread, next[thread])).or_insert(generation) != generation {
                return false;
            }
            after.0[thread] += 1;
            for it in released {
                after.1[it as usize] = false;
            }
            work.push(after);
        }
        let ended = next.iter().zip(&threads).all(|(at, of)| *at == of.len());
        if !moved && (!ended || waiting.contains(&true)) {
            return false;
        }
    }
    true
}
