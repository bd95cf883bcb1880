//! Replays a race that fences and strong accesses might order: do they, in the run itself?
//!
//! **What**: whether in some run that starts like the model's two accesses are unordered by all
//! that the run synchronizes.
//! **Method**: the interpreter runs the blocks one after the other, in both orders, and follows
//! causality with clocks (`heddle_interp`, [`InterpWant::Unordered`]): for the model's two threads
//! first, then for any two where there are few. One block is stopped after accesses of the pair,
//! and the other one runs. Small grids are also run whole. Words that strong accesses go to
//! hold zero at the start, as locks, flags and counters do that the program does not set.
//! **Sound because** the run is one that the program has, from memory as it may be, and what its
//! synchronization leaves unordered is a race of it.
//! **Misses**: runs that go back and forth between blocks.
//! **Assumes**: that locks, flags and counters may start at zero, which the finding says.

use std::collections::BTreeSet;
use std::sync::Arc;

use heddle_diagnostics::{Confirmation, Unreplayed};
use heddle_interp::{
    Confirmed, Contents, Launch, Pair, Placed, ReplayOutcome, Rest, Want as InterpWant,
    replay as run_replay,
};
use heddle_ir::OpId;

use super::addresses::addresses;
use super::bytes::{fraction, ramp, varied};
use super::told::{Shown, told};
use super::{Replay, counters, held, index_like, launch, missed, stopped};
use crate::engine::arrays::keep;
use crate::engine::cx::{Attempt, Cx};
use crate::engine::instance::Placement;
use crate::engine::witness::Run;

/// Numbers of accesses of the pair after which one block is stopped, so that the other runs.
const STOPS: [u32; 5] = [1, 2, 3, 9, 17];

/// Grids of up to so many blocks are also run whole.
const MOST_BLOCKS: u64 = 16;

/// Operations that one run may execute, and each thread of a block on top, and how many such runs
/// one launch is worth: a block that waits for one which is not running never gets on.
const STEPS: u64 = 30_000;
const STEPS_OF_THREAD: u64 = 200;
const RUNS: u64 = 12;
/// Steps that are left to other replays of the kernel, of first models and of further ones.
const LEFT_TO_OTHERS: [u64; 2] = [2_000_000, 2_000_000];

/// Runs the model's launch until two accesses are met that its synchronization does not order.
pub(super) fn unordered(
    cx: &Cx<'_>,
    run: &Run,
    ops: [OpId; 2],
    placement: Placement,
    attempt: Attempt,
) -> Replay {
    let bases = addresses(cx, None);
    let words: BTreeSet<_> = counters(cx.kernel).collect();
    let said = run;
    let mut run = run.clone();
    run.memory.retain(|(object, ..)| !words.contains(object));
    let launches =
        [Rest::Zero, Rest::Function(Arc::new(varied)), Rest::Function(Arc::new(fraction))].map(
            |rest| {
                let mut launch = launch(cx, &run, &bases, rest);
                for (&object, &(size, written)) in &index_like(cx.kernel) {
                    let numbers = Rest::Function(Arc::new(move |offset| Some(ramp(offset, size))));
                    let rest = if written { Rest::Zero } else { numbers };
                    launch.buffers.entry(object).or_default().rest = rest;
                }
                for &object in &words {
                    let zeros = || Contents { rest: Rest::Zero, ..Contents::default() };
                    launch.buffers.entry(object).or_insert_with(zeros);
                }
                launch
            },
        );
    let [first, second] = run.threads.map(|(block, _)| block);
    let blocks = if first == second { vec![first] } else { vec![first, second] };
    let threads = run.threads.map(|(block, tid)| (block, launches[0].shape.thread_number(tid)));
    let values_differ = !cx.options.benign_is_error;
    let exact = Pair {
        ops: Some(ops),
        threads: Some(threads),
        placed: Some(placed(placement)),
        values_differ,
    };
    let any = Pair { threads: None, ..exact };
    let reversed: Vec<_> = blocks.iter().rev().copied().collect();
    let both = if reversed == blocks { vec![blocks] } else { vec![blocks, reversed] };
    let mut wanted: Vec<(Pair, Vec<[u32; 3]>, Option<u32>)> = Vec::new();
    wanted.extend(both.iter().map(|blocks| (exact, blocks.clone(), None)));
    // One block stops on the way, and the other one runs.
    if first != second {
        let stops = STOPS.iter().flat_map(|stop| both.iter().map(move |it| (it, *stop)));
        wanted.extend(stops.map(|(blocks, stop)| (exact, blocks.clone(), Some(stop))));
    }
    wanted.extend(both.into_iter().map(|blocks| (any, blocks, None)));
    // What a counter gives a block depends on all others.
    if first != second && run.grid.iter().map(|it| u64::from(*it)).product::<u64>() <= MOST_BLOCKS {
        let [x, y, z] = run.grid;
        let all: Vec<[u32; 3]> =
            (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z]))).collect();
        let reversed = all.iter().rev().copied().collect();
        wanted.extend([(any, all, None), (any, reversed, None)]);
    }
    let of_one = STEPS + STEPS_OF_THREAD * u64::from(launches[0].shape.threads());
    let mut in_all = match attempt {
        Attempt::First => RUNS * of_one,
        Attempt::Again => RUNS / 2 * of_one,
    };
    let mut last = missed(Unreplayed::NoSuchLaunch, "nothing was tried".to_owned());
    for (pair, blocks, stop) in &wanted {
        for launch in &launches {
            let free =
                cx.replay_steps_left(attempt).saturating_sub(LEFT_TO_OTHERS[attempt as usize]);
            let given = free.min(in_all).min(of_one);
            if given == 0 {
                return last;
            }
            in_all -= given;
            let want = InterpWant::Unordered(*pair, *stop);
            let (found, left) = attempt_of(cx, &run, launch, (&want, blocks), ops, given);
            cx.replay_took(attempt, given - left);
            in_all += left;
            last = found;
            match &last.confirmation {
                Confirmation::Confirmed => {
                    let ran = Shown { launch, blocks, want: &want };
                    let more = last.parties.as_ref().and_then(|it| told(cx, &run, &ran, it));
                    last = Replay { memory: held(said, launch), ..last };
                    if let Some((told, [a, b])) = more {
                        let parties = if a.op == ops[0] { [a, b] } else { [b, a] };
                        last = Replay { told: Some(told), parties: Some(parties), ..last };
                    }
                    return last;
                }
                // A block that waits for another does so whatever other memory holds.
                Confirmation::NotReplayed(Unreplayed::TooLong, _) => break,
                Confirmation::NotReplayed(..) | Confirmation::Unconfirmed(_) => {}
            }
        }
    }
    last
}

fn attempt_of(
    cx: &Cx<'_>,
    run: &Run,
    launch: &Launch,
    (want, blocks): (&InterpWant, &[[u32; 3]]),
    ops: [OpId; 2],
    mut left: u64,
) -> (Replay, u64) {
    let with_arrays = match keep(&run.arrays, launch) {
        Ok(launch) => launch,
        Err(why) => return (missed(Unreplayed::AssumptionBroken, why), left),
    };
    let launch = with_arrays.as_ref().unwrap_or(launch);
    let outcome = run_replay(cx.kernel, launch, blocks, want, &mut left);
    let found = match outcome {
        ReplayOutcome::Confirmed(Confirmed::Conflict(conflict)) => {
            let [a, b] = conflict.parties;
            let parties = Some(if a.op == ops[0] { [a, b] } else { [b, a] });
            Replay { confirmation: Confirmation::Confirmed, parties, memory: None, told: None }
        }
        ReplayOutcome::Confirmed(
            Confirmed::Divergence(_) | Confirmed::Outside(_) | Confirmed::End(..),
        )
        | ReplayOutcome::Others(_)
        | ReplayOutcome::NotHit => {
            let why = "it did not happen there".to_owned();
            Replay {
                confirmation: Confirmation::Unconfirmed(why),
                parties: None,
                memory: None,
                told: None,
            }
        }
        ReplayOutcome::Stopped(stop) => stopped(cx, &stop),
    };
    (found, left)
}

/// How two threads are placed that a question was about.
pub(super) fn placed(placement: Placement) -> Placed {
    match placement {
        Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
            Placed::TwoBlocks
        }
        Placement::SameBlock => Placed::OneBlock,
        Placement::SameWarp | Placement::SameThread => Placed::OneWarp,
        Placement::DifferentWarps => Placed::TwoWarps,
    }
}
