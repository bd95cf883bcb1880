//! The entry points that compiled code calls: from raw numbers to the thread's turn, and back.
//!
//! Each runs on the fiber's stack and suspends it where it must, its turn given back.
//! **Invariant**: no Rust value that owns something is alive across a suspension, so that a fiber
//! can be dropped where it stands.

mod matrix;
mod memory;
mod system;

use crate::abi::{BarrierAction, Exchange, Mbarrier, Scope};
use crate::block::{Pause, State};
use crate::facts::Facts;
use crate::fibers::suspend;
use crate::turn::turn;

/// The constant that says which version of the ABI this is.
static VERSION: u32 = crate::abi::VERSION;

/// The entry points by name, with their addresses, for whoever links the code.
pub fn symbols() -> Vec<(&'static str, usize)> {
    let mut all = vec![
        (crate::abi::VERSION_SYMBOL, &raw const VERSION as usize),
        ("__heddle_facts", facts as *const () as usize),
        ("__heddle_poll_slow", poll as *const () as usize),
        ("__heddle_barrier", barrier as *const () as usize),
        ("__heddle_exchange", exchange as *const () as usize),
        ("__heddle_active", active as *const () as usize),
        ("__heddle_fence", fence as *const () as usize),
        ("__heddle_mbarrier", mbarrier as *const () as usize),
        ("__heddle_grid_barrier", grid_barrier as *const () as usize),
        ("__heddle_cluster_arrive", cluster_arrive as *const () as usize),
        ("__heddle_cluster_wait", cluster_wait as *const () as usize),
        ("__heddle_mapa", mapa as *const () as usize),
        ("__heddle_rank_of", rank_of as *const () as usize),
    ];
    all.extend(matrix::symbols());
    all.extend(memory::symbols());
    all.extend(system::symbols());
    all
}

/// What compiled code sees of the thread.
extern "C" fn facts() -> *const Facts {
    turn(|turn| &raw const turn.thread().facts)
}

/// A thread that has run long gives way: compiled code counts the iterations of its loops.
extern "C" fn poll() {
    let pause = turn(|turn| {
        if turn.is_stackless() {
            return (!turn.goes_on()).then_some(Pause::End);
        }
        turn.grid.idle = turn.grid.idle.saturating_sub(1);
        if turn.is_late() {
            turn.unfinished();
        }
        Some(Pause::Yield)
    });
    pause.into_iter().for_each(suspend);
}

extern "C" fn barrier(id: u32, action: u32, count: u32, value: u32) -> u32 {
    let action = BarrierAction::from_number(action).unwrap_or(BarrierAction::Sync);
    if id as usize >= crate::block::BARRIERS {
        turn(|turn| turn.no_such_barrier(id));
        suspend(Pause::End);
    }
    let pause = turn(|turn| turn.arrive(id as usize, action, count, value));
    match pause {
        Some(pause) => {
            suspend(pause);
            result() as u32
        }
        None => 0,
    }
}

extern "C" fn exchange(kind: u32, mask: u32, value: u64, lane: u32, clamp: u32) -> u64 {
    let Some(kind) = Exchange::from_number(kind) else { return 0 };
    let pause = turn(|turn| turn.exchange(kind, mask, value, lane, clamp));
    suspend(pause);
    result()
}

/// The lanes of the warp that have not returned.
extern "C" fn active() -> u32 {
    turn(|turn| {
        let (warp, threads) = (turn.thread().warp, &turn.block().threads);
        let lanes = threads.iter().filter(|it| it.warp == warp && it.state != State::Done);
        lanes.fold(0, |mask, it| mask | 1 << it.lane)
    })
}

extern "C" fn fence(kind: u32) {
    let scope = Scope::from_number(kind & 1).unwrap_or(Scope::Block);
    turn(|turn| turn.fence(scope, kind));
}

extern "C" fn mbarrier(op: u32, address: usize, operand: u64) -> u64 {
    let Some(op) = Mbarrier::from_number(op) else { return 0 };
    match turn(|turn| turn.mbarrier(op, address, operand)) {
        Ok(value) => {
            if matches!(op, Mbarrier::TestParity | Mbarrier::TestToken) && value == 0 {
                suspend(Pause::Yield);
            }
            value
        }
        Err(pause) => {
            suspend(pause);
            result()
        }
    }
}

/// The barrier of the whole grid.
extern "C" fn grid_barrier() {
    suspend(turn(|turn| turn.arrive_at_grid()));
}

/// A thread arrives at its cluster's barrier; zero publishes nothing.
extern "C" fn cluster_arrive(publishes: u32) {
    turn(|turn| turn.arrive_at_cluster(publishes != 0));
}

extern "C" fn cluster_wait() {
    turn(|turn| turn.wait_for_cluster()).into_iter().for_each(suspend);
}

/// An address of shared memory, as that of the block of a rank in the cluster.
extern "C" fn mapa(address: usize, rank: u32) -> usize {
    turn(|turn| turn.mapped(address, rank))
}

/// The rank of the block that an address of shared memory is of.
extern "C" fn rank_of(address: usize) -> u32 {
    turn(|turn| turn.rank_of(address))
}

/// What the wait that is over gave.
fn result() -> u64 {
    turn(|turn| turn.thread().result)
}
