//! What the device library finds, against the executor on the CPU and against the meaning of
//! barriers, over random programs.
//!
//! A program is a list of phases; in each, every thread of two blocks touches some words of shared
//! and global memory, and a phase ends with a barrier of the block, one of each warp, or none.

use std::collections::BTreeSet;

use heddle_clang::Embedded;
use heddle_diagnostics::Code;
use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, RunOptions, run};
use heddle_runtime::abi::{ATOMIC, Access, MemoryOrder, Scope, access_flags};
use heddle_runtime::gpu::Report;
use heddle_runtime::schedule::Random;

use crate::device::{Device, Step};
use crate::happens_before;

const BLOCKS: u32 = 2;
const THREADS: u32 = 64;
/// Words of each memory: few, so that accesses meet.
const WORDS: u64 = 3;
/// What each thread does in a phase.
const OPS: usize = 2;

/// Line n + 2 of this kernel is the access of site n.
const KERNEL: &str = "__global__ void k(const int *ops, const int *ends, int phases, int *data) { __shared__ int s[8]; int id = blockIdx.x * blockDim.x + threadIdx.x; int n = gridDim.x * blockDim.x; int sink = 0;\n\
for (int p = 0; p < phases; p++) { for (int j = 0; j < 2; j++) { int op = ops[(p * 2 + j) * n + id], at = op >> 4, v = 1 + id + p * 1000 + j * 500; switch (op & 15) {\n\
case 1: sink += s[at]; break;\n\
case 2: s[at] = v; break;\n\
case 3: atomicAdd(&s[at], v); break;\n\
case 4: sink += data[at]; break;\n\
case 5: data[at] = v; break;\n\
case 6: atomicAdd(&data[at], v); break;\n\
case 7: __threadfence(); break; } }\n\
int end = ends[p]; if (end == 1) __syncthreads(); if (end == 2) __syncwarp(); } }\n";

/// `ops[phase][op][thread of the grid]`, and how phases end: 0 not at all, 1 with a block barrier,
/// 2 with one of each warp.
struct Program {
    ops: Vec<Vec<Vec<(u32, u32)>>>,
    ends: Vec<u32>,
}

impl Program {
    /// One from a seed. Without fences nothing orders but barriers.
    fn random(seed: u64, fences: bool) -> Program {
        let mut random = Random::new(seed);
        let phases = 2 + random.below(4) as usize;
        // Most threads idle, so that not every pair of sites meets.
        let busy = 2 + random.below(12);
        let kinds: u64 = if fences { 7 } else { 6 };
        let ops = (0..phases).map(|_| {
            (0..OPS)
                .map(|_| {
                    (0..BLOCKS * THREADS)
                        .map(|_| match random.below(busy) {
                            0 => (1 + random.below(kinds) as u32, random.below(WORDS) as u32),
                            _ => (0, 0),
                        })
                        .collect()
                })
                .collect()
        });
        let ops = ops.collect();
        Program { ops, ends: (0..phases).map(|_| random.below(3) as u32).collect() }
    }

    fn step((kind, word): (u32, u32)) -> Option<Step> {
        let update = access_flags(Access::Update, MemoryOrder::Relaxed, Scope::Grid) | ATOMIC;
        let (load, store) = (
            access_flags(Access::Load, MemoryOrder::Relaxed, Scope::Grid),
            access_flags(Access::Store, MemoryOrder::Relaxed, Scope::Grid),
        );
        let access = |shared, flags| Some(Step::Access { word, shared, flags, site: kind });
        match kind {
            1 => access(true, load),
            2 => access(true, store),
            3 => access(true, update),
            4 => access(false, load),
            5 => access(false, store),
            6 => access(false, update),
            7 => Some(Step::Fence),
            _ => None,
        }
    }

    /// The phases that run without a barrier of the block in between.
    fn segments(&self) -> Vec<std::ops::Range<usize>> {
        let mut all = Vec::new();
        let mut start = 0;
        for (n, end) in self.ends.iter().enumerate() {
            if *end != 0 {
                all.push(start..n + 1);
                start = n + 1;
            }
        }
        all.push(start..self.ends.len());
        all.retain(|it| !it.is_empty());
        all
    }

    /// The steps as the executor's round robin makes them: each thread up to a barrier, block by
    /// block.
    fn in_order(&self) -> Vec<(u32, u32, Step)> {
        let mut steps = Vec::new();
        for segment in self.segments() {
            for number in 0..BLOCKS * THREADS {
                let of_thread = segment.clone().flat_map(|phase| &self.ops[phase]);
                steps.extend(of_thread.filter_map(|ops| {
                    Some((number / THREADS, number % THREADS, Program::step(ops[number as usize])?))
                }));
            }
            let (before, after) = match self.ends[segment.end - 1] {
                1 => (Step::Barrier, Step::BarrierDone),
                2 => (Step::WarpBarrier, Step::WarpBarrierDone),
                _ => continue,
            };
            for step in [before, after] {
                steps.extend((0..BLOCKS * THREADS).map(|it| (it / THREADS, it % THREADS, step)));
            }
        }
        steps
    }

    /// The same, each stretch between barriers shuffled, threads in their own order.
    fn shuffled(&self, seed: u64) -> Vec<(u32, u32, Step)> {
        let mut random = Random::new(seed);
        let mut done = Vec::new();
        let steps = self.in_order();
        let is_access = |it: &(u32, u32, Step)| matches!(it.2, Step::Access { .. } | Step::Fence);
        for part in steps.chunk_by(|a, b| is_access(a) == is_access(b)) {
            if !is_access(&part[0]) {
                done.extend_from_slice(part);
                continue;
            }
            let mut queues: Vec<Vec<(u32, u32, Step)>> = Vec::new();
            for step in part.iter().rev() {
                match queues.iter_mut().find(|it| (it[0].0, it[0].1) == (step.0, step.1)) {
                    Some(queue) => queue.push(*step),
                    None => queues.push(vec![*step]),
                }
            }
            while !queues.is_empty() {
                let at = random.below(queues.len() as u64) as usize;
                done.extend(queues[at].pop());
                queues.retain(|it| !it.is_empty());
            }
        }
        done
    }

    fn on_the_cpu(&self) -> BTreeSet<Found> {
        let all: Vec<u32> =
            self.ops.iter().flatten().flatten().map(|(kind, at)| at << 4 | kind).collect();
        let file = |name: &str, words: &[u32]| {
            let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
            let path = folder.join(format!("{name}_{}.bin", std::process::id()));
            let bytes: Vec<u8> = words.iter().flat_map(|it| it.to_le_bytes()).collect();
            std::fs::write(&path, bytes).expect("the folder is cargo's for tests");
            format!("i32:file:{}", path.display())
        };
        let buffer =
            |name: &str, content: &str| Buffer::unnamed(content).expect("documented").named(name);
        let options = RunOptions {
            grid: [BLOCKS, 1, 1],
            block: [THREADS, 1, 1],
            args: vec![("phases".to_owned(), self.ends.len().to_string())],
            buffers: vec![
                buffer("ops", &file("ops", &all)),
                buffer("ends", &file("ends", &self.ends)),
                buffer("data", "i32[8]"),
            ],
            threads: Some(1),
            ..RunOptions::default()
        };
        let language = Some(heddle_frontend::Language::Cuda);
        let source = Source::Text {
            name: "<trace>".to_owned(),
            bytes: KERNEL.as_bytes().to_vec(),
            language,
        };
        let outcome = run(&source, &options, &Embedded).expect("a current folder");
        assert!(outcome.memory.is_some(), "{:?}", outcome.report);
        let races = outcome.report.findings().filter_map(|it| {
            let sites: Vec<u32> = it.labels.iter().filter_map(|it| it.place.line()).collect();
            let level = match it.code {
                Code::IntraWarpRace => 0,
                Code::IntraBlockRace => 1,
                Code::InterBlockRace => 2,
                _ => return None,
            };
            let [a, b] = sites[..] else { panic!("a race has two places: {it:?}") };
            Some((level, a.min(b) - 2, a.max(b) - 2))
        });
        races.collect()
    }

    /// What no barrier orders, from the meaning of barriers: pairs of sites by level.
    fn unordered(&self) -> BTreeSet<Found> {
        let mut all = Vec::new();
        let (mut epoch, mut warp_epoch) = (0, 0);
        for (phase, end) in self.ops.iter().zip(&self.ends) {
            for ops in phase {
                let touched = ops.iter().enumerate().filter(|(_, (kind, _))| (1..7).contains(kind));
                all.extend(touched.map(|(n, op)| (n as u32, *op, epoch, warp_epoch)));
            }
            match end {
                1 => (epoch, warp_epoch) = (epoch + 1, 0),
                2 => warp_epoch += 1,
                _ => {}
            }
        }
        let mut found = BTreeSet::new();
        for (n, &(a, (kind_a, word_a), epoch_a, warp_a)) in all.iter().enumerate() {
            for &(b, (kind_b, word_b), epoch_b, warp_b) in &all[..n] {
                let (shared_a, shared_b) = (kind_a <= 3, kind_b <= 3);
                let reads = |kind: u32| kind % 3 == 1;
                let atomic = |kind: u32| kind.is_multiple_of(3);
                let harmless =
                    (reads(kind_a) && reads(kind_b)) || (atomic(kind_a) && atomic(kind_b));
                let same_block = a / THREADS == b / THREADS;
                if a == b || word_a != word_b || shared_a != shared_b || harmless {
                    continue;
                }
                if !same_block && shared_a {
                    continue;
                }
                let same_warp = same_block && a / 32 == b / 32;
                if same_block && epoch_a != epoch_b || same_warp && warp_a != warp_b {
                    continue;
                }
                let level = if same_warp { 0 } else { 1 + u32::from(!same_block) };
                found.insert((level, kind_a.min(kind_b), kind_a.max(kind_b)));
            }
        }
        found
    }
}

/// How near (warp, block, grid), and the two sites, the smaller first.
pub(crate) type Found = (u32, u32, u32);

fn found(reports: &[Report]) -> BTreeSet<Found> {
    let of = |it: &Report| {
        let (a, b) = (it.first, it.second);
        let level = match (a.block() == b.block(), a.thread() / 32 == b.thread() / 32) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        };
        (level, a.site().min(b.site()), a.site().max(b.site()))
    };
    reports.iter().map(of).collect()
}

#[test]
fn the_library_finds_what_the_executor_finds_where_barriers_alone_order() {
    let (mut races, mut observations) = (0, 0);
    for seed in 0..40 {
        let program = Program::random(seed, false);
        let (reports, counters) = Device::run(BLOCKS, THREADS, &program.in_order());
        assert_eq!(counters.dropped, 0);
        let (of_library, of_executor) = (found(&reports), program.on_the_cpu());
        assert!(of_executor.is_subset(&of_library), "seed {seed}: {:?}", program.ends);
        // The executor knows what an atomic observes, the library does not.
        let left_out: BTreeSet<Found> = of_library.difference(&of_executor).copied().collect();
        let observed = observed(&program.in_order());
        assert!(left_out.is_subset(&observed), "seed {seed}: {:?}", left_out.difference(&observed));
        observations += left_out.len();
        races += of_library.len();
    }
    assert!(races > 40, "the programs race: {races}");
    assert!(observations * 20 < races, "{observations} of {races} are ordered by what is read");
}

/// An access that was made.
#[derive(Clone, Copy)]
struct Done {
    /// Its thread, of all.
    by: u32,
    /// The block's barriers and the warp's since, that the thread had passed.
    epoch: (u32, u32),
    /// A word, of shared memory or not.
    place: (u32, bool),
    site: u32,
}

impl Done {
    fn is_atomic(self) -> bool {
        self.site.is_multiple_of(3)
    }

    /// How near its thread is to another's: warp, block or grid.
    fn level(self, other: Done) -> u32 {
        match (self.by / 32 == other.by / 32, self.by / THREADS == other.by / THREADS) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }

    /// Whether a barrier stands between the two.
    fn is_before(self, other: Done) -> bool {
        match self.level(other) {
            0 => self.epoch < other.epoch,
            1 => self.epoch.0 < other.epoch.0,
            _ => false,
        }
    }
}

/// The pairs of sites, an atomic and a plain access, of which each plain access that nothing else
/// orders comes after an atomic that has read what the first wrote: of its own thread, or before a
/// barrier.
fn observed(steps: &[(u32, u32, Step)]) -> BTreeSet<Found> {
    let mut epochs = vec![(0, 0); (BLOCKS * THREADS) as usize];
    let mut done: Vec<Done> = Vec::new();
    for &(block, thread, step) in steps {
        let by = block * THREADS + thread;
        let epoch = &mut epochs[by as usize];
        match step {
            Step::Barrier => *epoch = (epoch.0 + 1, 0),
            Step::WarpBarrier => epoch.1 += 1,
            Step::Access { word, shared, site, .. } => {
                done.push(Done { by, epoch: *epoch, place: (word, shared), site });
            }
            _ => {}
        }
    }
    let (mut all, mut open) = (BTreeSet::new(), BTreeSet::new());
    for (n, &later) in done.iter().enumerate() {
        for (m, &earlier) in done[..n].iter().enumerate() {
            let level = earlier.level(later);
            let one_thread = earlier.by == later.by;
            let apart = earlier.place != later.place || later.place.1 && level == 2;
            if one_thread
                || apart
                || earlier.is_atomic() == later.is_atomic()
                || earlier.is_before(later)
            {
                continue;
            }
            let pair = (level, earlier.site.min(later.site), earlier.site.max(later.site));
            all.insert(pair);
            let reads = |it: &Done| {
                let known = it.by == later.by || it.is_before(later);
                it.place == later.place && it.is_atomic() && known
            };
            if !(earlier.is_atomic() && done[m + 1..n].iter().any(reads)) {
                open.insert(pair);
            }
        }
    }
    &all - &open
}

#[test]
fn no_order_of_threads_makes_a_false_alarm_and_most_races_show() {
    let (mut shown, mut there) = (0, 0);
    for seed in 0..400 {
        let program = Program::random(seed, false);
        let may = program.unordered();
        let mut met = BTreeSet::new();
        for order in 0..4 {
            let (reports, _) = Device::run(BLOCKS, THREADS, &program.shuffled(seed * 4 + order));
            let found = found(&reports);
            assert!(found.is_subset(&may), "seed {seed}: {:?}", found.difference(&may));
            met.extend(found);
        }
        shown += met.len();
        there += may.len();
    }
    assert!(shown * 100 >= there * 80, "{shown} of {there} pairs of sites shown");
    let _unheard = std::io::Write::write_fmt(
        &mut std::io::stderr(),
        format_args!("{shown} of {there} racing pairs of sites shown in four orders\n"),
    );
}

#[test]
fn fences_and_atomics_hide_races_and_make_none_up() {
    let (mut shown, mut there) = (0, 0);
    for seed in 1000..1200 {
        let program = Program::random(seed, true);
        let steps = program.shuffled(seed);
        let (reports, _) = Device::run(BLOCKS, THREADS, &steps);
        let (found, may) = (found(&reports), happens_before::races(&steps, BLOCKS, THREADS));
        assert!(found.is_subset(&may), "seed {seed}: {:?}", found.difference(&may));
        shown += found.len();
        there += may.len();
    }
    let _unheard = std::io::Write::write_fmt(
        &mut std::io::stderr(),
        format_args!("{shown} of {there} racing pairs of sites shown beside fences and atomics\n"),
    );
    assert!(shown > 0 && shown < there, "{shown} of {there}");
}

#[test]
fn a_storm_is_counted_and_sent_in_part() {
    let store = access_flags(Access::Store, MemoryOrder::Relaxed, Scope::Grid);
    let write = Step::Access { word: 0, shared: false, flags: store, site: 5 };
    let steps: Vec<_> = (0..10_000).map(|n| (n % 2, n / 2 % THREADS, write)).collect();
    let (reports, counters) = Device::run(BLOCKS, THREADS, &steps);
    assert!(reports.len() <= 2 * heddle_runtime::gpu::REPORTS_OF_A_PAIR as usize);
    assert_eq!((counters.dropped, counters.accesses), (0, 10_000));
    assert!(!reports.is_empty());
}

/// Each thread of the launch does this, in order.
fn all(step: Step) -> impl Iterator<Item = (u32, u32, Step)> {
    (0..BLOCKS * THREADS).map(move |it| (it / THREADS, it % THREADS, step))
}

fn store_to(word: u32, site: u32) -> Step {
    let flags = access_flags(Access::Store, MemoryOrder::Relaxed, Scope::Grid);
    Step::Access { word, shared: true, flags, site }
}

#[test]
fn counts_of_barriers_that_run_out_hide_races_and_say_so() {
    let after = |barriers: usize| {
        let mut steps: Vec<_> = Vec::new();
        for _ in 0..barriers {
            steps.extend(all(Step::Barrier).chain(all(Step::BarrierDone)));
        }
        // Ordered by a barrier, then not.
        steps.push((0, 0, store_to(1, 1)));
        steps.extend(all(Step::Barrier).chain(all(Step::BarrierDone)));
        steps.push((0, 40, store_to(1, 2)));
        steps.push((0, 0, store_to(2, 3)));
        steps.push((0, 40, store_to(2, 4)));
        let (reports, counters) = Device::run(BLOCKS, THREADS, &steps);
        (found(&reports), counters.epochs_spent)
    };
    assert_eq!(after(3), (BTreeSet::from([(1, 3, 4)]), 0));
    assert_eq!(after(8188), (BTreeSet::from([(1, 3, 4)]), 0));
    assert_eq!(after(9000), (BTreeSet::new(), BLOCKS));
}

#[test]
fn counts_of_warp_barriers_that_run_out_make_no_alarm() {
    for barriers in [1, 62, 63, 64, 200] {
        let mut steps = vec![(0, 0, store_to(1, 1))];
        for _ in 0..barriers {
            steps.extend(all(Step::WarpBarrier).chain(all(Step::WarpBarrierDone)));
        }
        steps.push((0, 5, store_to(1, 2)));
        // Of another warp, and ordered by nothing.
        steps.push((0, 40, store_to(1, 3)));
        let (reports, _) = Device::run(BLOCKS, THREADS, &steps);
        assert_eq!(found(&reports), BTreeSet::from([(1, 2, 3)]), "{barriers}");
    }
}

#[test]
fn barriers_of_some_threads_order_those_and_make_no_alarm_for_others() {
    let some = |of: std::ops::Range<u32>, step: Step| of.map(move |thread| (0, thread, step));
    let meet = |of: std::ops::Range<u32>| {
        some(of.clone(), Step::PartBarrier).chain(some(of, Step::PartBarrierDone))
    };
    let whole = || all(Step::Barrier).chain(all(Step::BarrierDone));
    // Threads 0 to 31 meet twice; then all meet; then the others touch what was touched.
    let mut steps = vec![(0, 0, store_to(1, 1))];
    steps.extend(meet(0..32).chain(meet(0..32)));
    steps.push((0, 5, store_to(1, 2)));
    steps.extend(whole());
    steps.push((0, 40, store_to(1, 3)));
    let (reports, _) = Device::run(BLOCKS, THREADS, &steps);
    assert_eq!(found(&reports), BTreeSet::new());
    // One that did not meet races with one that did.
    let mut steps: Vec<_> = meet(0..32).collect();
    steps.push((0, 3, store_to(1, 1)));
    steps.push((0, 40, store_to(1, 2)));
    let (reports, _) = Device::run(BLOCKS, THREADS, &steps);
    assert_eq!(found(&reports), BTreeSet::from([(1, 1, 2)]));
}

#[test]
fn stores_of_one_value_are_told_before_either_is_in_memory() {
    for (values, same) in [([7, 7], true), ([7, 8], false), ([0, 1 << 31], false)] {
        for other in [(0, 1), (0, 40), (1, 0)] {
            let store = |value, site| Step::Store { word: 1, value, site };
            let steps = [(0, 0, store(values[0], 1)), (other.0, other.1, store(values[1], 2))];
            let (reports, _) = Device::run(BLOCKS, THREADS, &steps);
            assert_eq!(found(&reports).len(), 1, "{values:?} {other:?}");
            assert!(reports.iter().all(|it| it.same_value() == same), "{values:?} {other:?}");
        }
    }
}

#[test]
fn a_fence_after_a_barrier_takes_over_what_another_thread_has_read() {
    let atomic = access_flags(Access::Load, MemoryOrder::Relaxed, Scope::Grid) | ATOMIC;
    let looks =
        |of, thread| (of, thread, Step::Access { word: 2, shared: false, flags: atomic, site: 9 });
    let load = access_flags(Access::Load, MemoryOrder::Relaxed, Scope::Grid);
    let after = |looked: bool| {
        let store = Step::Store { word: 1, value: 3, site: 1 };
        let mut steps = vec![(1, 0, store), (1, 0, Step::Fence)];
        steps.extend(looked.then(|| looks(0, 0)));
        steps.extend(all(Step::Barrier).chain(all(Step::BarrierDone)));
        steps.push((0, 40, Step::Fence));
        steps.push((0, 40, Step::Access { word: 1, shared: false, flags: load, site: 2 }));
        found(&Device::run(BLOCKS, THREADS, &steps).0)
    };
    assert_eq!(after(true), BTreeSet::new());
    assert_eq!(after(false), BTreeSet::from([(2, 1, 2)]));
}

#[test]
fn an_access_beyond_all_memory_ends_the_thread() {
    let steps = [(0, 0, store_to(1 << 20, 9))];
    let (reports, _) = Device::run(BLOCKS, THREADS, &steps);
    let kinds: Vec<_> = reports.iter().map(Report::kind).collect();
    assert_eq!(kinds, [Some(heddle_runtime::gpu::ReportKind::OutOfBounds)]);
}
