//! Phases of barrier objects, numbered without a launch: which phase a wait is for, an arrival
//! belongs to, and a copy is waited for by.
//!
//! **What**: rings of barrier objects ([`Phases`]) of which two things hold. A thread that is past
//! an operation in [`Phases::known`] is ordered after the end of its phase. A phase ends after all
//! arrivals and all bytes of the copies that have its number, by whatever thread executes them.
//! **Method**: the objects that one operation names in turn are a ring, and give each operation
//! the number of its phase ([`rings`]). That the numbers are right is then asked ([`claims`]), of
//! all rings together: a ring of which something cannot be shown is left out, and those that rest
//! on it with it.
//! **Sound because**: of the first violation in time. (1) A wait for parity `p` goes on if the
//! number of ended phases is `p + 1` modulo 2. The waits of a thread at one object are for phases
//! -1 or 0 first, then for one more each time, so that the number, which only grows, is past the
//! phase. (2) At most as many arrivals have one number as the object counts, and an arrival of
//! phase `j` comes after the end of phase `j - n` of its ring: of its own thread's knowledge, or
//! because the thread has waited for a phase of another ring that ends after an arrival by a thread
//! that knew. So the arrivals that count for a phase are those of its number, and all of them. (3)
//! Bytes are expected by the thread that arrives, not fewer than it then copies, so that a phase in
//! which all have arrived ends with the last byte.
//! Objects are initialised once, and a barrier of the block lies between that and all uses.
//! **Misses**: operations that stand in loops inside loops, rings whose length is no constant,
//! arrivals for more than one, tokens, bytes announced apart from arrivals, objects that are
//! initialised again.
//! **Assumes**: that a wait ends at all is for the check of barrier objects; a kernel in which it
//! does not has fewer runs. That the lowest lane is elected, where it matters.

mod asked;
mod claims;
mod period;
mod rings;

use heddle_ir::{Barrier, OpKind};

pub(super) use self::asked::is_member;
pub(super) use self::claims::is_of_copies;
use self::claims::keep_shown;
use self::rings::{Draft, draft};
use crate::facts::analysis::Analysis;
use crate::facts::phases::Phases;

/// The rings of a kernel.
pub(super) fn phases(analysis: &Analysis<'_>) -> Phases {
    let has_objects = analysis
        .kernel
        .ops
        .values()
        .any(|op| matches!(op.kind, OpKind::Barrier(Barrier::Mbarrier { .. })));
    if !has_objects {
        return Phases::default();
    }
    let Draft { rings, open } = draft(analysis);
    keep_shown(analysis, rings, open)
}
