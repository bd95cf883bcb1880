//! Bytes of barrier objects that are written as data between two operations on the object, though
//! all are in order.
//!
//! **Claim.** Of each life of an object, from its initialisation to the next or to its end: a write
//! that is listed neither comes before the initialisation in every schedule, nor after all
//! operations of that life. One that is not listed leaves each life alone. Nothing but the
//! operations may touch the object there (PTX ISA 9.7.13.15): what they do then is not defined, and
//! nothing may be concluded from it.

use std::collections::BTreeMap;

use heddle_semantics::BARRIER_OBJECT_BYTES;
use rustc_hash::FxHashSet;

use crate::clock::Tick;
use crate::shape::Footprint;
use crate::strand::StrandId;
use crate::sync::{ObjectName, ObjectStep, Sync};
use crate::trace::{AccessKey, Ending, Membership, Trace, Turn};

use super::Search;

/// One life of an object: its initialisation, and the operations behind.
struct Life {
    init: Membership,
    uses: Vec<Membership>,
}

impl Life {
    fn sources(&self, trace: &Trace) -> impl Iterator<Item = u32> {
        let all = self.uses.iter().chain([&self.init]);
        all.map(|it| trace.events[it.strand.0 as usize][it.event as usize].source)
    }
}

/// Writes, with an operation that may come after them: sources, rising, each pair once.
pub(super) fn overwritten(search: &mut Search<'_>) -> Vec<[u32; 2]> {
    let trace = search.trace;
    let objects = lives(trace);
    let mut found = Vec::new();
    if objects.is_empty() {
        return found;
    }
    let mut note = |write: u32, by: &Membership| {
        let event = &trace.events[by.strand.0 as usize][by.event as usize];
        found.push([write, event.source]);
    };
    // Initialisations and ends of objects are writes here too, and no data.
    let own: FxHashSet<u32> = objects.values().flatten().flat_map(|it| it.sources(trace)).collect();
    let is_data = |key: &AccessKey| key.kind.writes() && !own.contains(&key.source);
    for track in trace.tracks.iter().filter(|it| is_data(&it.key)) {
        for life in hit(trace, &objects, track.key.footprint) {
            let strand = track.strand;
            // Of a life, all ticks are looked at: a loop may write before the life and in it.
            let between = track.ticks.iter().find_map(|tick| {
                let is_later = |it: &&Membership| !use_first(trace, **it, strand, tick);
                let starts = !access_first(trace, strand, tick, life.init);
                search.steps += 1;
                let mut uses = life.uses.iter().rev().inspect(|_| search.steps += 1);
                uses.find(is_later).filter(|_| starts)
            });
            if search.is_spent() {
                return found;
            }
            if let Some(by) = between {
                note(track.key.source, by);
            }
        }
    }
    for copy in trace.pending.iter().filter(|it| it.key.kind.writes()) {
        for life in hit(trace, &objects, copy.key.footprint) {
            let interval = trace.interval(life.init.strand, life.init.event);
            let is_over = copy.endings.iter().any(|it| {
                let Ending { dimension, tick } = *it;
                match dimension == life.init.strand.0 {
                    true => life.init.event >= tick,
                    false => interval.known.seen().get(dimension) >= tick,
                }
            });
            let is_later = |it: &&Membership| !use_first(trace, **it, copy.issuer, copy.tick);
            if let Some(by) = life.uses.iter().rev().find(is_later).filter(|_| !is_over) {
                note(copy.key.source, by);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether an operation on an object is over before an access in an interval. The end of a copy is
/// where that is known, which its issue does not tell.
fn use_first(trace: &Trace, event: Membership, strand: StrandId, tick: Tick) -> bool {
    match trace.ends.get(&event) {
        Some(ending) => {
            let known = &trace.interval(strand, tick).known;
            known.cause().get(ending.dimension) >= ending.tick
        }
        None => event_first(trace, event, strand, tick),
    }
}

/// Whether an event lies before an access in an interval; of one strand, by the order of its
/// program.
fn event_first(trace: &Trace, event: Membership, strand: StrandId, tick: Tick) -> bool {
    match event.strand == strand {
        true => event.event < tick,
        false => trace.is_before(event.strand, event.event, strand, tick),
    }
}

/// Whether an access in an interval lies before an event.
fn access_first(trace: &Trace, strand: StrandId, tick: Tick, event: Membership) -> bool {
    match event.strand == strand {
        true => tick <= event.event,
        false => trace.is_before(strand, tick, event.strand, event.event),
    }
}

/// The lives of the objects that share a byte with a footprint.
fn hit<'a>(
    trace: &Trace,
    objects: &'a BTreeMap<ObjectName, Vec<Life>>,
    footprint: Footprint,
) -> Vec<&'a Life> {
    let region = footprint.region;
    let all = ObjectName { region, offset: 0 }..=ObjectName { region, offset: u64::MAX };
    if objects.range(all).next().is_none() {
        return Vec::new();
    }
    let mut lives = Vec::new();
    let mut last = None;
    for (from, to) in trace.shapes.runs(footprint) {
        // No object starts below zero.
        let [from, to] = [from, to].map(|it| u64::try_from(it).unwrap_or(0));
        let first = ObjectName { region, offset: from.saturating_sub(BARRIER_OBJECT_BYTES - 1) };
        for (name, its) in objects.range(first..ObjectName { region, offset: to }) {
            if last != Some(*name) {
                lives.extend(its);
            }
            last = Some(*name);
        }
    }
    lives
}

/// The lives of all objects, in the order of the run.
fn lives(trace: &Trace) -> BTreeMap<ObjectName, Vec<Life>> {
    let mut objects: BTreeMap<ObjectName, Vec<Life>> = BTreeMap::new();
    if !trace.syncs.iter().any(|it| matches!(it, Sync::Object(..))) {
        return objects;
    }
    let mut done: Vec<Tick> = vec![0; trace.strands.len()];
    for turn in &trace.schedule {
        let Turn::Does(strand) = *turn else { continue };
        let at = Membership { strand, event: done[strand.0 as usize] };
        done[strand.0 as usize] += 1;
        let Some(event) = trace.events[strand.0 as usize].get(at.event as usize) else { continue };
        let Sync::Object(name, step) = trace.sync(event) else { continue };
        let lives = objects.entry(name).or_default();
        match step {
            ObjectStep::Init(_) => lives.push(Life { init: at, uses: Vec::new() }),
            ObjectStep::Invalidate
            | ObjectStep::Arrive { .. }
            | ObjectStep::Expect(_)
            | ObjectStep::Complete(_)
            | ObjectStep::Signal(_)
            | ObjectStep::Wait(_)
            | ObjectStep::Ask(_) => {
                if let Some(life) = lives.last_mut() {
                    life.uses.push(at);
                }
            }
        }
    }
    objects
}
