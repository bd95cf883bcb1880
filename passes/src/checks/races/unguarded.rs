//! Pairs that meet nowhere, whatever their guards say: one question for all pairs of two places.
//!
//! **What**: `if (n == 1) x[i] = 1; else if (n == 2) x[i] = 2; …` has as many pairs as the square
//! of its branches, and each of their questions has as many guards as there are branches.
//! **Method**: pairs outside of loops are counted by object, offset and size. Where [`MANY`] have
//! the same two places, the question is asked once without guards, barriers, locks and tickets.
//! **Sound because** what is left out are conditions on the two threads: if no two threads meet
//! without them, none do with them. An offset without its guard is poison in no run in which the
//! access is executed.
//! **Misses**: an answer that takes something for granted is not used, for the guarded question may
//! do without.
//! **Assumes**: nothing of its own.

use heddle_ir::{ExprId, ObjectId, ObjectKind};
use heddle_solver::Budget;
use rustc_hash::FxHashMap;

use super::overlap::{extent_of, in_bounds, overlap};
use super::site::{Site, crosses_blocks};
use crate::engine::answer::Held;
use crate::engine::cx::Cx;
use crate::engine::instance::{Instance, Placement};
use crate::engine::settle::{Seek, Settled, settle};
use crate::facts::journal::Note;
use crate::facts::thread::Thread;

/// Pairs of the same two places from which on they are asked about together.
const MANY: usize = 16;

/// Where an access goes, before a thread is chosen: offset and size.
type Place = (ExprId, ExprId);
/// Two accesses of one object.
type Places = (ObjectId, Place, Place);

/// Two places that no two threads meet at, within a block and across blocks.
#[derive(Debug, Default)]
pub(super) struct Unguarded {
    within: FxHashMap<Places, Held>,
    across: FxHashMap<Places, Held>,
}

impl Unguarded {
    /// What holds of pairs that are many.
    pub(super) fn of(cx: &Cx<'_>, pairs: &[[Site; 2]], budget: &Budget) -> Unguarded {
        let mut counts: FxHashMap<Places, usize> = FxHashMap::default();
        let mut found = Unguarded::default();
        for pair in pairs {
            let Some(places) = places(cx, pair) else { continue };
            let count = counts.entry(places).or_default();
            *count += 1;
            if *count != MANY {
                continue;
            }
            found.within.extend(apart(cx, places, Placement::SameBlock, budget));
            if pair.iter().all(|site| crosses_blocks(cx.kernel, site)) {
                found.across.extend(apart(cx, places, Placement::DifferentBlocks, budget));
            }
        }
        found
    }

    /// Why a pair meets nowhere, where that is known without its guards.
    pub(super) fn held(&self, cx: &Cx<'_>, pair: &[Site; 2], placement: Placement) -> Option<Held> {
        let known = match placement {
            Placement::SameBlock => &self.within,
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                &self.across
            }
            Placement::SameWarp | Placement::SameThread | Placement::DifferentWarps => {
                return None;
            }
        };
        let held = if known.is_empty() { None } else { known.get(&places(cx, pair)?).cloned() };
        if let Some(held) = &held {
            let text = || [placement.words(), ", whatever the guards: ", &held.words()].concat();
            cx.analysis.journal.note(|| Note::Text(text()));
        }
        held
    }
}

/// The places of a pair of single accesses of one object, outside of all loops.
fn places(cx: &Cx<'_>, pair: &[Site; 2]) -> Option<Places> {
    let place = |site: &Site| {
        let access = cx.kernel.access(site.op)?;
        let alone = site.members.len() == 1 && cx.analysis.order.chain(site.op).is_empty();
        alone.then_some((access.address.offset, access.size))
    };
    let [a, b] = pair;
    let placed = match cx.kernel[a.object].kind {
        ObjectKind::Unknown | ObjectKind::Pointee(_) => false,
        ObjectKind::Param(_)
        | ObjectKind::ParamField(..)
        | ObjectKind::Variable
        | ObjectKind::DynamicShared
        | ObjectKind::Alloca => true,
    };
    let known = a.object == b.object && placed;
    if known { Some((a.object, place(a)?, place(b)?)) } else { None }
}

fn apart(
    cx: &Cx<'_>,
    places: Places,
    placement: Placement,
    budget: &Budget,
) -> Option<(Places, Held)> {
    let (object, one, two) = places;
    let meet = |instance: &mut Instance<'_>| {
        let extent = extent_of(&cx.analysis, object);
        instance.state_placement();
        let bytes = [(one, Thread::One), (two, Thread::Two)].map(|((offset, size), thread)| {
            let frame = instance.root(thread);
            (instance.at(frame, offset), instance.at(frame, size))
        });
        for (offset, of) in bytes {
            let inside = in_bounds(&mut instance.pool, offset, of, extent);
            instance.state(inside);
        }
        let meet = overlap(&mut instance.pool, bytes[0], bytes[1]);
        instance.state(meet);
    };
    match settle(&cx.analysis, placement, Seek::Any, budget, meet) {
        Settled::Holds(held) if held.relies().is_empty() => Some((places, held)),
        Settled::Holds(_) | Settled::Fails(_) | Settled::Open(_) => None,
    }
}
