//! The memory of a run that a replay confirmed where the model says too little of it.
//!
//! A model speaks of what its two threads read. Where others show the race, or other lanes have a
//! say in it, the replay had something elsewhere which no reader of the run knows.
//!
//! **Method**: what the two threads read first, or else what all threads read; of what the two
//! read, numbers that the race does not need are left out.
//! **Promises**: with what is told, and zeros elsewhere, the replay shows the race again. Where
//! that is not found, the run tells what it told. **Does not**: find the fewest places of all
//! threads.

use heddle_interp::{
    Confirmed, FirstRead, Launch, Party, ReplayOutcome, Rest, Want as InterpWant, first_reads,
    replay as run_replay,
};

use super::launch;
use crate::engine::cx::Cx;
use crate::engine::witness::{Held, Run, Told};

/// Places that are told, at most.
const MOST: usize = 256;
/// Operations that its replays may execute together, once for each thread.
const STEPS: u64 = 60_000;
/// Numbers of which it is tried, one by one, whether they are needed.
const TRIED: usize = 12;

/// A run that a replay confirmed: the launch and the order of blocks, and what was looked for.
pub(super) struct Shown<'a> {
    pub(super) launch: &'a Launch,
    pub(super) blocks: &'a [[u32; 3]],
    pub(super) want: &'a InterpWant,
}

/// Memory with which the run shows the race and zeros elsewhere, and the accesses that meet then.
pub(super) fn told(
    cx: &Cx<'_>,
    run: &Run,
    shown: &Shown<'_>,
    parties: &[Party; 2],
) -> Option<(Told, [Party; 2])> {
    let Shown { launch: confirmed, blocks, want } = *shown;
    let mut steps = STEPS;
    let left = &mut steps;
    if !run.arrays.is_empty() {
        return None;
    }
    // Zeros elsewhere are what a reader takes for granted.
    let is_zero = |rest: &Rest| matches!(rest, Rest::Zero);
    if is_zero(&confirmed.other_contents) && confirmed.buffers.values().all(|it| is_zero(&it.rest))
    {
        return None;
    }
    let reads = first_reads(cx.kernel, confirmed, blocks, parties, MOST, left);
    let of_parties = |it: &&FirstRead| {
        parties.iter().any(|party| (party.block, party.thread) == (it.block, it.thread))
    };
    let (own, others): (Vec<&FirstRead>, Vec<&FirstRead>) = reads.iter().partition(of_parties);
    let of = |all: Vec<&FirstRead>| -> Vec<Held> {
        all.into_iter().flat_map(|it| held_by(cx, confirmed, it)).collect()
    };
    let (mut own, others) = (of(own), of(others));
    let mut meets = |memory: &[Held]| {
        let run = Run { memory: memory.to_vec(), ..run.clone() };
        let again = launch(cx, &run, &confirmed.bases, Rest::Zero);
        match run_replay(cx.kernel, &again, blocks, want, left) {
            ReplayOutcome::Confirmed(Confirmed::Conflict(found)) | ReplayOutcome::Others(found) => {
                Some(found.parties)
            }
            ReplayOutcome::Confirmed(
                Confirmed::Divergence(_) | Confirmed::Outside(_) | Confirmed::End(..),
            )
            | ReplayOutcome::NotHit
            | ReplayOutcome::Stopped(_) => None,
        }
    };
    let Some(mut found) = meets(&own) else {
        let count = own.len();
        own.extend(others);
        let found = meets(&own)?;
        return Some((Told { all: own, own: count }, found));
    };
    let numbers: Vec<Held> = own.iter().copied().filter(|it| it.3 != 0).take(TRIED).collect();
    for number in numbers {
        let fewer: Vec<Held> = own.iter().copied().filter(|it| *it != number).collect();
        if let Some(same) = meets(&fewer).filter(|it| are_same(it, &found)) {
            (own, found) = (fewer, same);
        }
    }
    Some((Told { own: own.len(), all: own }, found))
}

/// Whether the same threads meet.
fn are_same(one: &[Party; 2], other: &[Party; 2]) -> bool {
    let of = |it: &Party| (it.block, it.thread, it.op);
    one.each_ref().map(of) == other.each_ref().map(of)
}

/// What the launch holds where a thread reads, number by number; nothing where it does not know.
fn held_by(cx: &Cx<'_>, launch: &Launch, read: &FirstRead) -> Vec<Held> {
    let contents = launch.buffers.get(&read.object);
    let byte = |at: u64| match contents {
        Some(contents) => contents.byte(at),
        None => launch.other_contents.byte(at),
    };
    let element = cx.kernel.element_size(read.op).map_or(read.size, |it| it as u64).clamp(1, 8);
    let number = |index: u64| {
        let start = read.offset.wrapping_add(index * element);
        let bytes = (0..element).rev().map(|it| byte(start.wrapping_add(it)).map(u128::from));
        let value = bytes.reduce(|all, byte| Some(all? << 8 | byte?)).flatten()?;
        Some((read.object, start, (8 * element) as u8, value))
    };
    (0..read.size / element).filter_map(number).collect()
}
