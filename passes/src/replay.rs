//! Replays a witness in the interpreter: does the run really show what the model says?
//!
//! **Promises**: `Confirmed` only if the interpreter, which knows nothing of the solver, met the violation at the
//! same operations. Memory that the model does not speak of starts as zeros, and in a second attempt as small
//! numbers that differ from place to place: contents it may have.
//! **Does not**: search; where the run does not show it, another might.

use std::sync::Arc;

use heddle_diagnostics::Confirmation;
use heddle_interp::{
    BarrierModel as InterpBarrierModel, Confirmed, Contents, Launch, Pair, Party, ReplayOutcome,
    Rest, Want as InterpWant, replay as run_replay,
};
use heddle_ir::{ObjectKind, OpId};

use crate::cx::Cx;
use crate::instance::Placement;
use crate::launch::BarrierModel;
use crate::witness::Run;

/// What the replay should show.
#[derive(Clone, Copy, Debug)]
pub enum Want {
    /// The two operations race, by threads placed like this.
    Race([OpId; 2], Placement),
    /// Threads part at this barrier.
    Divergence(OpId),
}

/// What a replay showed.
#[derive(Debug)]
pub struct Replay {
    /// Whether it hit.
    pub confirmation: Confirmation,
    /// The two accesses it hit, the first operation's first; absent for a divergence.
    pub parties: Option<[Party; 2]>,
}

/// Operations that one replay may execute, over all threads.
const STEPS: u64 = 1_000_000;
/// The same for all replays of a kernel together; where it is spent, the rest get [`FEWEST_STEPS`] each.
pub(crate) const KERNEL_STEPS: u64 = 5_000_000;
const FEWEST_STEPS: u64 = 50_000;
/// The same from a limited purse.
const FEWEST_STEPS_OF_BUILD: u64 = 10_000;
/// Grids of up to so many blocks are run as a whole where two blocks do not show the race.
const WHOLE_GRID: u64 = 256;

/// Runs the witness and looks for what is wanted: by the two threads of the witness, and if they do not show
/// it, by any two that are placed like them.
pub fn replay(cx: &Cx<'_>, run: &Run, want: Want) -> Replay {
    let not = |why: &str| Replay {
        confirmation: Confirmation::NotReplayed(why.to_owned()),
        parties: None,
    };
    if !cx.options.replay {
        return not("replay was turned off");
    }
    let zeros = launch(cx, run, Rest::Zero);
    let numbers = launch(cx, run, Rest::Function(Arc::new(varied)));
    let [first, second] = run.threads.map(|(block, _)| block);
    let blocks = if first == second { vec![first] } else { vec![first, second] };
    let threads = run.threads.map(|(block, tid)| (block, zeros.thread(tid)));
    let mut wanted = Vec::new();
    match want {
        Want::Divergence(op) => wanted.push((InterpWant::Divergence(op), blocks)),
        Want::Race(ops, _) => {
            let exact = Pair { ops: Some(ops), threads: Some(threads) };
            let any = Pair { ops: Some(ops), threads: None };
            let reversed: Vec<_> = blocks.iter().rev().copied().collect();
            wanted.push((InterpWant::Conflict(exact), blocks.clone()));
            if reversed != blocks {
                wanted.push((InterpWant::Conflict(exact), reversed));
            }
            wanted.push((InterpWant::Conflict(any), blocks));
            let total: u64 = run.grid.iter().map(|it| u64::from(*it)).product();
            if first != second && total <= WHOLE_GRID {
                wanted.push((InterpWant::Conflict(any), all_blocks(run.grid)));
            }
        }
    }
    let mut last = not("nothing was tried");
    let attempts = wanted.iter().flat_map(|it| [(&zeros, it), (&numbers, it)]);
    for (launch, (want_of_interp, blocks)) in attempts {
        let fewest = match cx.options.budget.purse.is_limited() {
            true => FEWEST_STEPS_OF_BUILD,
            false => FEWEST_STEPS,
        };
        let given = cx.replay_steps_left().clamp(fewest, STEPS);
        let mut left = given;
        let outcome = run_replay(cx.kernel, launch, blocks, want_of_interp, &mut left);
        cx.replay_took(given - left);
        last = match outcome {
            ReplayOutcome::Confirmed(Confirmed::Divergence(_)) => {
                return Replay { confirmation: Confirmation::Confirmed, parties: None };
            }
            ReplayOutcome::Confirmed(Confirmed::Conflict(conflict)) => {
                let parties = match want {
                    Want::Race([one, _], _) if conflict.parties[0].op != one => {
                        let [a, b] = conflict.parties;
                        [b, a]
                    }
                    Want::Race(..) | Want::Divergence(_) => conflict.parties,
                };
                if placed_as_wanted(cx, want, &parties) {
                    let parties = Some(parties);
                    return Replay { confirmation: Confirmation::Confirmed, parties };
                }
                Replay {
                    confirmation: Confirmation::Unconfirmed(
                        "other threads meet there than were looked for".to_owned(),
                    ),
                    parties: None,
                }
            }
            ReplayOutcome::NotHit => Replay {
                confirmation: Confirmation::Unconfirmed("it did not happen there".to_owned()),
                parties: None,
            },
            ReplayOutcome::Stopped(stop) => not(&stop.describe(cx.kernel)),
        };
    }
    last
}

/// All blocks of a grid, x fastest.
fn all_blocks([x, y, z]: [u32; 3]) -> Vec<[u32; 3]> {
    let mut all = Vec::new();
    for k in 0..z {
        for j in 0..y {
            all.extend((0..x).map(|i| [i, j, k]));
        }
    }
    all
}

/// Bytes of 32-bit numbers below 256 that look like nothing in particular.
fn varied(offset: u64) -> Option<u8> {
    let word = offset / 4;
    let mixed = word.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    Some(if offset.is_multiple_of(4) { mixed as u8 } else { 0 })
}

fn launch(cx: &Cx<'_>, run: &Run, rest: Rest) -> Launch {
    let mut launch = Launch::new(cx.kernel, run.grid, run.block);
    launch.args = run.args.clone();
    launch.global_offset = run.global_offset;
    launch.warp_size = cx.launch.warp_size;
    launch.dynamic_shared = cx
        .launch
        .dynamic_shared
        .or(run.dynamic_shared)
        .map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX));
    launch.barriers = match cx.launch.barriers {
        BarrierModel::Strict => InterpBarrierModel::Strict,
        BarrierModel::ExitedOk => InterpBarrierModel::ExitedOk,
    };
    launch.other_contents = rest.clone();
    for (object, it) in &cx.kernel.objects {
        // A table of constants holds what the program says, which is not known here.
        if it.kind == ObjectKind::Variable && it.read_only {
            launch.buffers.insert(object, Contents::default());
        }
    }
    for &(object, offset, bits, value) in &run.memory {
        let contents = launch
            .buffers
            .entry(object)
            .or_insert_with(|| Contents { rest: rest.clone(), ..Contents::default() });
        contents.set(offset, bits, value);
    }
    launch
}

/// Whether two threads that met are placed as the question was about.
fn placed_as_wanted(cx: &Cx<'_>, want: Want, parties: &[Party; 2]) -> bool {
    let Want::Race(_, placement) = want else { return true };
    let [one, two] = parties;
    let warp = cx.launch.warp_size.unwrap_or(1);
    let one_block = one.block == two.block;
    let one_warp = one.thread / warp == two.thread / warp;
    match placement {
        Placement::DifferentBlocks => !one_block,
        Placement::SameBlock => one_block,
        Placement::SameWarp => one_block && one_warp,
        Placement::DifferentWarps => one_block && !one_warp,
    }
}
