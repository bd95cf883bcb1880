//! Order that holds if fences count for others across a barrier: an idiom of grid barriers.
//!
//! All threads of a block fence, meet at a barrier, and one of them does the atomic that other
//! blocks wait for; there all threads meet, and fence, before they read. The one's own fence does
//! not order what the others wrote (PTX ISA 8.8: a release pattern begins at the thread's own
//! fence), and devices order it all the same. A race that only this leaves open is a note.
//!
//! **Promises**: nothing is believed of a thread that has not fenced for the grid before the last
//! barrier of its block, or by a thread that has not fenced after it heard.
//! **Does not**: order anything; `sync` does.

use crate::block::{Block, Thread};
use crate::clock::Knowledge;

/// What a thread would know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beliefs {
    /// Its clock at its last fence for the grid.
    fence: u32,
    /// What it, or a thread that it met at a barrier, has read and not fenced.
    heard: Knowledge,
    /// What it goes by.
    pub(crate) holds: Knowledge,
}

impl Beliefs {
    /// The thread fences for the grid, at a clock.
    pub(crate) fn fence(&mut self, clock: u32) {
        self.fence = clock;
        if !self.heard.is_empty() {
            self.holds.join(&std::mem::take(&mut self.heard));
        }
    }

    /// The thread reads what an atomic carries.
    pub(crate) fn hear(&mut self, carried: &Knowledge, acquires: bool) {
        self.heard.join(carried);
        if acquires {
            self.holds.join(carried);
        }
    }
}

/// What an atomic of a thread carries: what each thread of its block fenced before the last
/// barrier.
pub(crate) fn carried(thread: &Thread, block: &Block) -> Knowledge {
    let mut all = thread.beliefs.holds.clone();
    for other in &block.threads {
        if other.beliefs.fence > 0 && other.beliefs.fence < thread.facts.floor {
            all.learn_thread(other.number, other.beliefs.fence);
        }
    }
    all
}

/// Threads that met at a barrier have heard, and believe, what any of them does.
pub(crate) fn meet(block: &mut Block, waiting: &[u32]) {
    let (mut heard, mut holds) = (Knowledge::default(), Knowledge::default());
    for &index in waiting {
        let beliefs = &block.threads[index as usize].beliefs;
        heard.join(&beliefs.heard);
        holds.join(&beliefs.holds);
    }
    for &index in waiting {
        let beliefs = &mut block.threads[index as usize].beliefs;
        (beliefs.heard, beliefs.holds) = (heard.clone(), holds.clone());
    }
}
