//! A question about two accesses, asked again where the run that was found is none.
//!
//! **What**: a model may have a run that C++ or the answer's own assumptions exclude: an access
//! that leaves a buffer whose size is given or allocated by the host, an index beyond the array
//! that it is of, an address that is not aligned as the access promises. It is asked of the other
//! runs then.
//! **Sound because** what is left out is named by the proof, each time that it was needed for one.
//! Indices count only where nobody says how large blocks are: with a given block an index beyond
//! its array is what the program does. A proof of blocks that fit the arrays needs two threads
//! in one that does.
//! **Assumes**: [`Assumption::Given`] of a size, [`Assumption::IndicesInArrays`],
//! [`Assumption::Aligned`]; of objects that start at odd addresses nothing is said.
//!
//! [`Assumption::Given`]: heddle_diagnostics::Assumption::Given
//! [`Assumption::IndicesInArrays`]: heddle_diagnostics::Assumption::IndicesInArrays
//! [`Assumption::Aligned`]: heddle_diagnostics::Assumption::Aligned

use heddle_ir::{ExprId, OpId};
use heddle_solver::Budget;

use super::overlap::within;
use crate::engine::answer::UnknownReason;
use crate::engine::instance::{FrameId, Instance, Placement, evaluate};
use crate::engine::settle::{Failing, Seek, Settled, settle};
use crate::facts::analysis::Analysis;
use crate::facts::launch::BufferSize;
use crate::facts::thread::Thread;

/// What the question about a pair has made.
pub(super) struct Made {
    pub(super) frames: [FrameId; 2],
    /// Offset and size of each access.
    pub(super) bytes: [(ExprId, ExprId); 2],
    /// What a run should keep, too: that accesses are aligned from where their object starts.
    pub(super) aligned: Vec<ExprId>,
}

/// What is asked of the two accesses of a question.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// Both lie in a buffer of the size that is given.
    pub(super) inside: bool,
    /// Their distance is one that their alignment allows.
    pub(super) apart: bool,
    /// Both are aligned, from where their object starts.
    pub(super) aligned: bool,
    /// The threads index arrays inside of these.
    pub(super) in_arrays: bool,
    /// And so does the last thread of a block, in their place.
    pub(super) fits: bool,
    /// They need not meet.
    pub(super) anywhere: bool,
}

/// What may be stated of the two beside what is asked.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The two.
    pub(super) ops: [OpId; 2],
    /// The size that is given of their buffer.
    pub(super) size: Option<&'a BufferSize>,
    /// Whether both promise an alignment.
    pub(super) anchored: bool,
    /// Whether a run that is found may be shown.
    pub(super) may_show: bool,
}

/// The part of the budget for a look whether two are apart whatever their alignment is.
const QUICK: u32 = 8;

/// Settles a question about two accesses; `meet` states it in an instance.
///
/// A small part of the budget goes to the question without alignment first. What alignment says is
/// stated if that part shows nothing, and if it may be kept: `is_kept` says so, where two threads
/// were found that meet without it, or not; nothing says that this could not be told. If this shows
/// nothing either, the question without it gets the whole budget.
pub(super) fn settle_pair<'a>(
    analysis: &'a Analysis<'a>,
    (placement, seek, budget): (Placement, Seek, &Budget),
    Known { ops, size, anchored, may_show }: Known<'_>,
    is_kept: impl Fn(bool) -> Option<bool>,
    meet: impl Fn(&mut Instance<'a>, Asked) -> Made,
) -> Settled<'a, Made> {
    let ask_within = |budget: &Budget, asked: Asked| {
        settle(analysis, placement, seek, budget, |it| meet(it, asked))
    };
    let ask = |asked: Asked| ask_within(budget, asked);
    let plain = Asked::default();
    let mut asked = Asked { apart: anchored, ..plain };
    // Whether more work may show without alignment what was not shown with it.
    let (mut is_hard, mut is_found) = (false, false);
    if anchored {
        match ask_within(&budget.divided(QUICK), plain) {
            Settled::Holds(held) => return Settled::Holds(held),
            Settled::Fails(_) => is_found = true,
            Settled::Open(_) => is_hard = true,
        }
    }
    let mut settled = ask(asked);
    if anchored && matches!(settled, Settled::Holds(_)) && is_kept(is_found) != Some(true) {
        asked = plain;
        settled = ask(asked);
    }
    if is_hard
        && !matches!(settled, Settled::Holds(_))
        && let Settled::Holds(held) = ask(plain)
    {
        return Settled::Holds(held);
    }
    if let Some(size) = size
        && is_left(&mut settled, |instance, made| {
            made.bytes.map(|bytes| is_inside(instance, size, bytes)).to_vec()
        })
    {
        asked.inside = true;
        settled = ask(asked);
    }
    if is_left(&mut settled, |instance, made| claimed(instance, made, ops)) {
        let in_arrays = Asked { in_arrays: true, ..asked };
        let again = ask(in_arrays);
        // Threads that are never both there, in a block that fits, prove nothing.
        let there = Asked { anywhere: true, fits: true, ..in_arrays };
        let is_of_threads = || !matches!(ask(there), Settled::Holds(_));
        let counts = match again {
            Settled::Holds(_) => is_of_threads(),
            Settled::Fails(_) => true,
            // More is asked of their values where they may meet.
            Settled::Open(_) => seek == Seek::Run,
        };
        if counts {
            (settled, asked) = (again, in_arrays);
        }
    }
    let of_last = |instance: &mut Instance<'a>, made: &Made| -> Vec<ExprId> {
        let frames = ops.into_iter().zip(made.frames);
        frames.flat_map(|(op, frame)| instance.subscripts_of_last(op, frame)).collect()
    };
    // A block in which other threads leave their arrays is no good example: these race, too.
    if may_show && is_left(&mut settled, of_last) {
        let fitting = ask(Asked { in_arrays: true, fits: true, ..asked });
        if matches!(fitting, Settled::Fails(_)) {
            settled = fitting;
        }
    }
    // Where it is only asked whether they meet, more is asked of their values.
    if seek != Seek::Run || !is_left(&mut settled, |_, made| made.aligned.clone()) {
        return settled;
    }
    match ask(Asked { aligned: true, ..asked }) {
        // Where no run is aligned, the one that was found is as good as any.
        Settled::Holds(_) if is_kept(true) == Some(false) => settled,
        Settled::Holds(_) => Settled::Open(UnknownReason::undecided(
            "in each run that was found, accesses are not aligned, or buffers start at odd addresses",
        )),
        settled @ (Settled::Fails(_) | Settled::Open(_)) => settled,
    }
}

/// Whether the run that was found is one: its accesses are aligned and stay in their arrays.
pub(super) fn is_run(failing: &mut Failing<'_, Made>, ops: [OpId; 2]) -> bool {
    let Failing { instance, model, made } = failing;
    let mut kept = claimed(instance, made, ops);
    kept.extend(&made.aligned);
    kept.iter().all(|it| evaluate(instance, model, *it) != 0)
}

/// What the subscripts on the ways to the two claim.
fn claimed(instance: &mut Instance<'_>, made: &Made, ops: [OpId; 2]) -> Vec<ExprId> {
    let frames = ops.into_iter().zip(made.frames);
    frames.flat_map(|(op, frame)| instance.subscripts(op, frame)).collect()
}

/// Whether the run that was found is one in which something does not hold.
fn is_left<'a>(
    settled: &mut Settled<'a, Made>,
    holds: impl FnOnce(&mut Instance<'a>, &Made) -> Vec<ExprId>,
) -> bool {
    let Settled::Fails(failing) = settled else { return false };
    let Failing { instance, model, made } = &mut **failing;
    let facts = holds(instance, made);
    facts.iter().any(|it| evaluate(instance, model, *it) == 0)
}

/// That an access lies in a buffer of this size.
pub(super) fn is_inside(
    instance: &mut Instance<'_>,
    size: &BufferSize,
    access: (ExprId, ExprId),
) -> ExprId {
    let root = instance.root(Thread::One);
    let limit = instance.at(root, size.bytes);
    within(&mut instance.pool, access, limit)
}
