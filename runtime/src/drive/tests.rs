//! The executor without native code: scripts stand in for fibers, so that all of it but fibers and
//! entry points runs under Miri, aliasing included (`make miri`).
//!
//! **Does not**: test what a compiled kernel gives; `tests/dynamic` does.

use heddle_semantics::LaunchShape;

use crate::abi::{self, Access, BarrierAction, Exchange, Mbarrier, MemoryOrder, Scope};
use crate::combine::Reduction;
use crate::event::{Event, Level};
use crate::group_copies::Elements;
use crate::launch::Limits;
use crate::schedule::{Random, Schedule};
use crate::turn::{Turn, lend, turn};

use super::*;

/// What a thread does next. Addresses are offsets: into shared memory of the block of a rank, or
/// into the buffer.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load(At),
    Store(At, u64),
    Update(At, MemoryOrder),
    Fence(u32),
    Barrier(BarrierAction, u32),
    Exchange(Exchange, u32),
    Yield,
    Grid,
    ClusterArrive,
    ClusterWait,
    Copy(At, At),
    CopyCommit,
    CopyWait,
    Bulk(At, At, At),
    Reduce(At, At),
    BulkCommit,
    BulkWait,
    Object(Mbarrier, At, u64),
    Event(At, At),
    EventWait(u64),
    Malloc,
    Active,
}

#[derive(Clone, Copy, Debug)]
enum At {
    Shared(usize),
    /// Of the block of that rank in the cluster.
    Of(u32, usize),
    Global(usize),
}

/// Bytes of shared memory, and of the buffer.
const BYTES: usize = 256;

/// Threads that do what a script says.
struct Scripts<'s> {
    script: &'s dyn Fn(u32) -> Vec<Step>,
    /// By the thread's number: what it has left, last first.
    left: std::collections::BTreeMap<u32, Vec<Step>>,
}

impl Threads for Scripts<'_> {
    fn resume(&mut self, worker: &mut Worker<'_>) -> Result<Pause, BadLayout> {
        let number = worker.grid.running_thread_mut().number;
        let script = self.script;
        let left = self.left.entry(number).or_insert_with(|| {
            let mut steps = script(number);
            steps.reverse();
            steps
        });
        // As native code does: the worker is lent, and taken step by step.
        Ok(lend(worker, || {
            loop {
                let Some(step) = left.pop() else { return Pause::Return };
                if let Some(pause) = turn(|turn| take(turn, step)) {
                    return pause;
                }
            }
        }))
    }

    fn release(&mut self, _fiber: u32, _returned: bool) {}
}

fn take(turn: &mut Turn<'_, '_>, step: Step) -> Option<Pause> {
    let place = |turn: &Turn<'_, '_>, at: At| match at {
        At::Shared(offset) => turn.block().shared + offset,
        At::Of(rank, offset) => turn.mapped(turn.block().shared, rank) + offset,
        At::Global(offset) => turn.host.memory.buffers()[0].address + offset,
    };
    let made = |made: bool| (!made).then_some(Pause::End);
    let site = turn.thread().lane + 1;
    match step {
        Step::Load(at) => made(turn.access(place(turn, at), 4, site, 0, 0).is_some()),
        Step::Store(at, value) => {
            let flags = Access::Store.number() | abi::VALUE;
            let bytes = turn.access(place(turn, at), 4, site, flags, value);
            if let Some(bytes) = bytes {
                bytes.update(|_| value);
            }
            made(bytes.is_some())
        }
        Step::Update(at, order) => {
            let flags = abi::access_flags(Access::Update, order, Scope::Grid) | abi::ATOMIC;
            let bytes = turn.access(place(turn, at), 4, site, flags, 0);
            if let Some(bytes) = bytes {
                bytes.update(|old| old + 1);
            }
            made(bytes.is_some())
        }
        Step::Fence(kind) => {
            turn.fence(Scope::Grid, kind);
            None
        }
        Step::Barrier(action, count) => {
            turn.thread_mut().facts.site = 33;
            turn.arrive(0, action, count, 1)
        }
        Step::Exchange(kind, mask) => Some(turn.exchange(kind, mask, u64::from(site), 0, 0)),
        Step::Yield => Some(Pause::Yield),
        Step::Grid => Some(turn.arrive_at_grid()),
        Step::ClusterArrive => {
            turn.arrive_at_cluster(true);
            None
        }
        Step::ClusterWait => turn.wait_for_cluster(),
        Step::Copy(target, source) => {
            made(turn.issue_copy(place(turn, target), place(turn, source), 16, 12))
        }
        Step::CopyCommit => {
            turn.commit_copies();
            None
        }
        Step::CopyWait => {
            turn.wait_copies(0, true);
            None
        }
        Step::Bulk(target, source, object) => {
            let [target, source, object] = [target, source, object].map(|it| place(turn, it));
            made(turn.issue_bulk(target, source, 16, object, None))
        }
        Step::Reduce(target, source) => {
            let add = Reduction::from_number(1);
            made(turn.issue_bulk(place(turn, target), place(turn, source), 16, 0, add))
        }
        Step::BulkCommit => {
            turn.commit_bulk();
            None
        }
        Step::BulkWait => {
            turn.wait_bulk(0);
            None
        }
        Step::Object(op, at, operand) => turn.mbarrier(op, place(turn, at), operand).err(),
        Step::Event(target, source) => {
            let [target, source] = [target, source].map(|it| place(turn, it));
            let elements = Elements { target, source, each: 4, count: 4, apart: [4, 8] };
            made(turn.issue_group_copy(elements, 0).is_some())
        }
        Step::EventWait(event) => {
            turn.wait_for_events(&[event]);
            None
        }
        Step::Malloc => {
            let address = turn.host.memory.allocate(8);
            made(address == 0 || turn.access(address, 8, site, Access::Store.number(), 0).is_some())
        }
        Step::Active => Some(turn.exchange(Exchange::ActiveMask, 0, 0, 0, 0)),
    }
}

unsafe extern "C" fn nothing(_arguments: *const u8) {}

fn launch(grid: u32, block: u32) -> Launch {
    Launch {
        shape: LaunchShape::new([grid, 1, 1], [block, 1, 1], Some(32)),
        offset: [0; 3],
        dynamic_shared: 0,
        strict_barriers: false,
        schedule: Schedule::RoundRobin,
        seed: 1,
        blocks: None,
        resident: grid,
        threads: 1,
        limits: Limits { idle: 64, ..Limits::default() },
    }
}

fn in_clusters(launch: Launch, size: u32) -> Launch {
    let shape = LaunchShape { cluster: [size, 1, 1], ..launch.shape };
    Launch { shape, ..launch }
}

/// What a launch of scripts meets, by the number of the thread.
fn run(launch: &Launch, script: impl Fn(u32) -> Vec<Step>) -> Outcome {
    let program = Program {
        code: Code::Fibers(nothing),
        sites: Vec::new(),
        shared: Vec::new(),
        shared_bytes: BYTES,
        stack_bytes: 0,
        checked: true,
        functions: Vec::new(),
        cooperative: true,
        communicates: true,
        partial: false,
    };
    let memory = Memory::new(&[("x".to_owned(), BYTES, 4)]).expect("a few pages");
    let (mut worker, runs) =
        Worker::new(&program, launch, &memory, &[], None).expect("a launch that can be");
    let mut scripts = Scripts { script: &script, left: Default::default() };
    drive(&mut worker, &mut scripts, runs).expect("scripts need no memory");
    std::mem::take(&mut worker.host.outcome)
}

fn races(outcome: &Outcome) -> Vec<Level> {
    let level = |event: &Event| match event {
        Event::Race { level, .. } => Some(*level),
        _other => None,
    };
    outcome.events.0.keys().filter_map(level).collect()
}

fn word(thread: u32) -> At {
    At::Shared(4 * thread as usize)
}

#[test]
fn a_barrier_orders_what_a_block_stores_and_reads() {
    let exchange = |barrier: bool| {
        run(&launch(1, 4), move |n| {
            let meet = Step::Barrier(BarrierAction::Sync, 0);
            let meets = if barrier { vec![meet] } else { Vec::new() };
            [vec![Step::Store(word(n), 7)], meets, vec![Step::Load(word(n ^ 1))]].concat()
        })
    };
    let with = exchange(true);
    assert!(with.finished && with.events.0.is_empty(), "{:?}", with.events);
    assert_eq!(races(&exchange(false)), [Level::Warp; 4]);
}

#[test]
fn lanes_meet_and_are_ordered_by_the_barrier_of_their_warp_alone() {
    let pass = |kind: Exchange| {
        run(&launch(1, 4), move |n| {
            vec![Step::Store(word(n), 1), Step::Exchange(kind, 0xf), Step::Load(word(n ^ 2))]
        })
    };
    assert_eq!(races(&pass(Exchange::Barrier)), []);
    assert_eq!(races(&pass(Exchange::ShuffleXor)).len(), 4);
}

#[test]
fn atomics_hand_over_what_fences_publish() {
    let flag = At::Global(128);
    let pass = |fences: bool| {
        run(&launch(2, 1), move |n| {
            let fence = if fences { vec![Step::Fence(0)] } else { Vec::new() };
            let signal = Step::Update(flag, MemoryOrder::Relaxed);
            match n {
                0 => [vec![Step::Store(At::Global(0), 1)], fence, vec![signal]].concat(),
                _ => {
                    let wait = vec![Step::Yield, Step::Yield, signal];
                    [wait, fence, vec![Step::Load(At::Global(0))]].concat()
                }
            }
        })
    };
    assert_eq!(races(&pass(true)), []);
    assert_eq!(races(&pass(false)), [Level::Grid]);
}

#[test]
fn a_copy_is_pending_until_it_is_waited_for() {
    let pass = |waits: bool| {
        run(&launch(1, 1), move |_| {
            let copy = vec![Step::Copy(At::Shared(16), At::Global(0)), Step::CopyCommit];
            let wait = if waits { vec![Step::CopyWait] } else { Vec::new() };
            [copy, wait, vec![Step::Load(At::Shared(16))]].concat()
        })
    };
    assert_eq!(races(&pass(true)), []);
    assert_eq!(races(&pass(false)).len(), 1);
}

#[test]
fn a_bulk_copy_is_done_when_its_barrier_object_is_waited_for() {
    let object = At::Shared(0);
    let pass = |waits: bool| {
        run(&launch(1, 2), move |n| {
            let meet = Step::Barrier(BarrierAction::Sync, 0);
            let issue = vec![
                Step::Object(Mbarrier::ExpectBytes, object, 16),
                Step::Bulk(At::Shared(32), At::Global(0), object),
                Step::Object(Mbarrier::Arrive, object, 1),
            ];
            let wait = Step::Object(Mbarrier::WaitParity, object, 0);
            let start = match n {
                0 => vec![Step::Object(Mbarrier::Init, object, 1), meet],
                _ => vec![meet],
            };
            let issue = if n == 0 { issue } else { Vec::new() };
            let wait = if waits { vec![wait] } else { vec![Step::Yield] };
            [start, issue, wait, vec![Step::Load(At::Shared(32))]].concat()
        })
    };
    assert_eq!(races(&pass(true)), []);
    assert!(!races(&pass(false)).is_empty());
}

#[test]
fn blocks_of_a_cluster_and_of_a_grid_meet() {
    let clusters = in_clusters(launch(2, 2), 2);
    let pass = |meets: bool| {
        run(&clusters, move |n| {
            let meet = [Step::ClusterArrive, Step::ClusterWait];
            let meet = if meets { meet.to_vec() } else { Vec::new() };
            let other = At::Of(1 - n / 2, 4 * (n % 2) as usize);
            [
                meet.clone(),
                vec![Step::Store(word(n % 2), 1)],
                meet.clone(),
                vec![Step::Load(other)],
                meet,
            ]
            .concat()
        })
    };
    let together = pass(true);
    assert!(together.finished && together.events.0.is_empty(), "{:?}", together.events);
    assert!(!pass(false).events.0.is_empty());
    let grid = run(&launch(3, 2), |n| {
        let other = At::Global(4 * ((n as usize + 1) % 6));
        vec![Step::Store(At::Global(4 * n as usize), 1), Step::Grid, Step::Load(other)]
    });
    assert!(grid.finished && grid.events.0.is_empty(), "{:?}", grid.events);
}

#[test]
fn who_waits_for_nobody_is_told_and_ended() {
    let stuck = run(&launch(1, 2), |n| match n {
        0 => vec![Step::Barrier(BarrierAction::Sync, 64)],
        _ => vec![Step::Exchange(Exchange::Barrier, 0b11)],
    });
    assert!(!stuck.finished);
    assert!(stuck.events.0.keys().any(|it| matches!(it, Event::Deadlock { .. })));
}

/// Any steps in any order: what they meet depends on the seed alone, and Miri has nothing to say.
#[test]
fn drawn_scripts_give_the_same_twice() {
    let rounds = if cfg!(miri) { 4 } else { 400 };
    for seed in 0..rounds {
        let cluster = if seed % 3 == 0 { 2 } else { 1 };
        let schedule = Schedule::ALL[seed as usize % 4];
        let base = Launch { schedule, seed, ..in_clusters(launch(2, 3), cluster) };
        let script = |n: u32| drawn(&mut Random::new(seed * 64 + u64::from(n)));
        let (first, second) = (run(&base, script), run(&base, script));
        assert_eq!(first.events, second.events, "{seed}");
        assert_eq!((first.accesses, first.switches), (second.accesses, second.switches), "{seed}");
    }
}

fn drawn(random: &mut Random) -> Vec<Step> {
    (0..12).map(|_| drawn_step(random)).collect()
}

fn drawn_step(random: &mut Random) -> Step {
    let at = |random: &mut Random| {
        let offset = 16 * random.below(10) as usize;
        match random.below(4) {
            0 => At::Of(random.below(2) as u32, offset),
            1 => At::Global(offset),
            _ => At::Shared(offset),
        }
    };
    let order = [MemoryOrder::Relaxed, MemoryOrder::AcqRel][random.below(2) as usize];
    let object = At::Shared(16 * (10 + random.below(2) as usize));
    match random.below(26) {
        0 | 1 => Step::Load(at(random)),
        2 | 3 => Step::Store(at(random), random.below(3)),
        4 | 5 => Step::Update(at(random), order),
        6 => Step::Fence(random.below(2) as u32 * abi::SC_FENCE),
        7 | 8 => Step::Barrier(BarrierAction::Sync, 0),
        9 => Step::Barrier(BarrierAction::Arrive, 96),
        10 => Step::Exchange(Exchange::Barrier, 0b111),
        11 => Step::Exchange(Exchange::Ballot, 0b11),
        12 => Step::Yield,
        13 => Step::ClusterArrive,
        14 => Step::ClusterWait,
        15 => Step::Copy(at(random), at(random)),
        16 => Step::CopyCommit,
        17 => Step::CopyWait,
        18 => Step::Object(Mbarrier::Init, object, 1 + random.below(3)),
        19 => Step::Object(Mbarrier::Arrive, object, 1),
        20 => Step::Object(Mbarrier::TestParity, object, random.below(2)),
        21 => Step::Bulk(at(random), at(random), object),
        22 => match random.below(3) {
            0 => Step::Reduce(at(random), at(random)),
            1 => Step::BulkCommit,
            _ => Step::BulkWait,
        },
        23 => Step::Event(at(random), at(random)),
        24 => Step::EventWait((1 << 32) + random.below(3)),
        _ => [Step::Malloc, Step::Active, Step::Grid][random.below(3) as usize],
    }
}
