//! What is known of a kernel, with what only a question can tell.
//!
//! **What**: the facts of [`Analysis`], the trip limits of loops, which barriers are met where they
//! stand, the phases of barrier objects, and which invariants of the source hold.
//! **Method**: the facts are computed first as if all barriers were met where they stand, and again
//! if some are not.
//! **Sound because**: what was taken for granted first is what [`regular`] then finds. A first
//! barrier of a run that threads do not meet where it stands would follow from what they did before
//! it, where the facts hold.
//! **Misses**, **assumes**: what trip limits, regular barriers and phases do.

use heddle_ir::Kernel;

use super::invariants::stated;
use super::phases::phases;
use super::regular::regular;
use super::trips::trip_limits;
use crate::facts::analysis::Analysis;
use crate::facts::journal::Journal;
use crate::facts::launch::Launch;
use crate::facts::order::Regular;

/// The facts of a kernel under a launch.
pub(crate) fn analyse<'k>(
    kernel: &'k Kernel,
    launch: &'k Launch,
    journal: Journal,
) -> Analysis<'k> {
    let possible = Regular::possible(kernel);
    let it = under(kernel, launch, possible.clone());
    let it = match regular(&it) {
        regular if regular == possible => it,
        regular => under(kernel, launch, regular),
    };
    let it = it.with_journal(journal);
    let phases = phases(&it);
    let it = it.with_phases(phases);
    let stated = stated(&it);
    it.with_stated(stated)
}

fn under<'k>(kernel: &'k Kernel, launch: &'k Launch, regular: Regular) -> Analysis<'k> {
    let it = Analysis::under(kernel, launch, regular);
    let trips = trip_limits(&it);
    it.with_trips(trips)
}
