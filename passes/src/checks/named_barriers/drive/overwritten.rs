//! Barrier objects whose bytes are written as data while they live.
//!
//! **Claim.** Where neither function finds anything, nothing but operations on the objects of a
//! trace changed them (PTX ISA 9.7.13.15), so that the trace speaks for all schedules.

use std::collections::BTreeSet;

use heddle_interp::Stop;
use heddle_ir::{Kernel, ObjectId, OpId, Place, Touch, TouchedBy};
use heddle_trace::{BARRIER_OBJECT_BYTES, Race, Races, Sync};

use super::{Outcome, object_of, of_source};

const OVERWRITTEN: &str =
    "its barrier object may have been written as data after its initialisation";
const PERHAPS_OVERWRITTEN: &str =
    "where this writes, or whether it does, was not followed, and it may hit a barrier object";

/// A barrier object that is written as data in the middle of its life: what it does then is not
/// defined. Also, whether each such write races somewhere, which is a finding of its own.
pub(super) fn overwritten(races: &Races) -> Option<(Stop, bool)> {
    let harms = |source: u32| {
        let is_sure = |race: &Race| race.sources.iter().all(|it| of_source(*it).1);
        let mut of_it = races.list.iter().filter(|race| race.sources.contains(&source));
        of_it.any(|race| !race.is_benign && is_sure(race))
    };
    let is_harmless = |it: &&[u32; 2]| !harms(it[0]);
    let harmless = races.overwritten.iter().find(is_harmless);
    let [write, by] = harmless.or(races.overwritten.first())?;
    let (op, why) = match of_source(*write) {
        (_, true) => (of_source(*by).0, OVERWRITTEN),
        (write, false) => (write, PERHAPS_OVERWRITTEN),
    };
    let stop = Stop::Unsupported { op, why: why.to_owned() };
    Some((stop, harmless.is_none()))
}

/// A write of which it is not known where it goes, or whether it is done, and that may hit a
/// barrier object.
pub(super) fn may_be_overwritten(kernel: &Kernel, outcome: &Outcome) -> Option<Stop> {
    let objects: BTreeSet<(ObjectId, u64)> = outcome
        .trace
        .syncs
        .iter()
        .filter_map(|sync| match sync {
            Sync::Object(name, _) => Some((object_of(kernel, name.region), name.offset)),
            Sync::Named { .. }
            | Sync::Cluster { .. }
            | Sync::Issue
            | Sync::Settle
            | Sync::Product(_)
            | Sync::Warp { .. } => None,
        })
        .collect();
    if objects.is_empty() {
        return None;
    }
    let constant = |it| kernel.exprs.as_const(it).and_then(|it| u64::try_from(it).ok());
    let keeps_off = |op: OpId, place: Place<'_>, (object, start): (ObjectId, u64)| {
        let size = kernel.access(op).and_then(|access| constant(access.size));
        let (Place::At(address), Some(size)) = (place, size) else { return false };
        address.object == object
            && constant(address.offset).is_some_and(|at| {
                at.saturating_add(size) <= start || start.saturating_add(BARRIER_OBJECT_BYTES) <= at
            })
    };
    let hits = |op: OpId| {
        // What operations on the objects do is followed.
        let is_data = |it: &&Touch<'_>| !matches!(it.by, TouchedBy::BarrierObject);
        kernel[op].kind.effects().writes().filter(is_data).any(|touch| {
            let is_met = |it: &&(ObjectId, u64)| touch.place.may_be(kernel, it.0);
            objects.iter().filter(is_met).any(|it| !keeps_off(op, touch.place, *it))
        })
    };
    let op = outcome.blurred.keys().copied().find(|op| hits(*op))?;
    Some(Stop::Unsupported { op, why: PERHAPS_OVERWRITTEN.to_owned() })
}
