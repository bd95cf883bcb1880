//! From what the device reported to events: the same that a run on the CPU meets.
//!
//! **Promises**: reports of a pair of sites are one event with a count, that of the device's table
//! where it is larger than what was sent. A report that makes no sense (a site that is none, a kind
//! that is not known) makes no event.

use heddle_semantics::WARP;

use super::launch::{Done, End, Job};
use super::layout::{NO_SLOT_WAITS, Report, ReportKind, Wait, WaitKind};
use crate::event::{Event, Events, Level};
use crate::launch::Site;
use crate::memory::Variable;

/// In an address that a report gives: an offset in the block's shared memory.
const SHARED: u64 = 1 << 63;
/// With it: from the kernel's variables there.
const PLACED: u64 = 1 << 62;

/// The names of a launch's memory.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The buffers, then the variables in global memory, in the order of the job.
    pub global: Vec<Variable>,
    /// The variables in shared memory, by offset; a dynamic one is last and has no bytes.
    pub shared: Vec<Variable>,
}

/// The events of a launch.
pub fn events(done: &Done, job: &Job<'_>, sites: &[Site], names: &Names) -> Events {
    let threads: u32 = job.block.iter().product();
    let mut events = Events::default();
    for report in &done.reports {
        if let Some((event, numbers)) = event(report, threads, sites.len()) {
            events.add(event, numbers, || (name(report, done, names), Vec::new()));
        }
    }
    for pair in &done.pairs {
        let Some(of) = pair.race() else { continue };
        let level = match (of.same_block, of.same_warp) {
            (true, true) => Level::Warp,
            (true, false) => Level::Block,
            (false, _) => Level::Grid,
        };
        let (sites_of, writes_of) = in_order(of.sites, of.writes);
        let same = |event: &Event| {
            let Event::Race { sites, writes, same_value, level: its, .. } = event else {
                return false;
            };
            (*sites, *writes, *same_value, *its) == (sites_of, writes_of, of.same_value, level)
        };
        if let Some((_, met)) = events.0.iter_mut().find(|(event, _)| same(event)) {
            // What was not sent; both orders of a pair have an entry each.
            met.count += u64::from(pair.count.saturating_sub(super::REPORTS_OF_A_PAIR));
        }
    }
    match &done.end {
        End::Returned => {}
        End::Stopped => {
            events.add(Event::Unfinished { site: 0, other: 0 }, [0; 2], Default::default)
        }
        End::Failed(error) => {
            events.add(Event::Trap { site: 0, asserted: false }, [0; 2], || {
                (error.to_string(), Vec::new())
            });
        }
        End::Hangs => hang(&mut events, done, job, sites),
    }
    events
}

fn in_order(sites: [u32; 2], writes: [bool; 2]) -> ([u32; 2], [bool; 2]) {
    match (sites[0], writes[0]) > (sites[1], writes[1]) {
        true => ([sites[1], sites[0]], [writes[1], writes[0]]),
        false => (sites, writes),
    }
}

fn event(report: &Report, threads: u32, sites: usize) -> Option<(Event, [u32; 2])> {
    let (first, second) = (report.first, report.second);
    let number = |it: super::Word| it.block() * threads + it.thread();
    if [first, second].iter().any(|it| it.site() as usize >= sites.max(1)) {
        return None;
    }
    match report.kind()? {
        ReportKind::OutOfBounds => {
            let event = Event::OutOfBounds { site: second.site(), write: report.writes()[1] };
            Some((event, [number(second); 2]))
        }
        ReportKind::Race => {
            let level = match (
                first.block() == second.block(),
                first.thread() / WARP == second.thread() / WARP,
            ) {
                (true, true) => Level::Warp,
                (true, false) => Level::Block,
                (false, _) => Level::Grid,
            };
            let pair = [first.site(), second.site()];
            let (sites, writes) = in_order(pair, report.writes());
            let swapped = (pair[0], report.writes()[0]) > (pair[1], report.writes()[1]);
            let mut atomic = [first.is_atomic(), second.is_atomic()];
            let mut numbers = [number(first), number(second)];
            if swapped {
                atomic.reverse();
                numbers.reverse();
            }
            let same_value = report.same_value();
            let event = Event::Race { sites, writes, atomic, same_value, level, pending: false };
            Some((event, numbers))
        }
    }
}

/// How the source names the bytes of a report.
fn name(report: &Report, done: &Done, names: &Names) -> String {
    let (address, size) = (report.address, report.size());
    if address & SHARED != 0 {
        let offset = (address & !(SHARED | PLACED)) as usize;
        let within = names.shared.iter().rev().find(|it| it.address <= offset);
        return match within.filter(|_| address & PLACED != 0) {
            Some(it) if offset < it.address + it.len || it.len == 0 => {
                it.bytes(offset - it.address, size)
            }
            Some(_) | None => format!("byte {offset} of shared memory"),
        };
    }
    let found = done
        .regions
        .iter()
        .zip(&names.global)
        .find(|((at, len), _)| address.wrapping_sub(*at) < *len);
    match found {
        Some(((at, _), variable)) => variable.bytes((address - at) as usize, size),
        None => "memory that no buffer of the launch covers".to_owned(),
    }
}

/// A kernel that does not end: who waits where, as far as the device left it.
fn hang(events: &mut Events, done: &Done, job: &Job<'_>, sites: &[Site]) {
    let threads: u32 = job.block.iter().product();
    let warps = threads.div_ceil(WARP) as usize;
    let waiting: Vec<(usize, Wait)> =
        done.waits.iter().copied().enumerate().filter(|(_, it)| it.lanes != 0).collect();
    let number = |(warp, wait): &(usize, Wait)| {
        let (block, warp) = (warp / warps, warp % warps);
        block as u32 * threads + warp as u32 * WARP + wait.lanes.trailing_zeros()
    };
    let notes = || {
        let mut notes: Vec<String> = Vec::new();
        let mut groups: Vec<((usize, u32), Vec<usize>)> = Vec::new();
        for (warp, wait) in &waiting {
            let key = (warp / warps, wait.what);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, all)) => all.push(warp % warps),
                None => groups.push((key, vec![warp % warps])),
            }
        }
        for ((block, what), of) in groups.iter().take(8) {
            let left = done.blocks.get(*block).map_or(0, |it| it.left);
            let place = Wait { lanes: 1, what: *what };
            notes.push(format!(
                "of block {block}, warps {of:?} wait {}; {left} of {threads} threads have ended",
                words(place, sites)
            ));
        }
        if notes.is_empty() {
            notes.push(NO_SLOT_WAITS.to_owned());
        }
        notes
    };
    // A block is stuck if each of its threads waits or has ended; of one that is not, some thread
    // may run.
    let stuck = |block: usize| {
        let lanes = waiting.iter().filter(|(warp, _)| warp / warps == block);
        let waits: u32 = lanes.map(|(_, it)| it.lanes.count_ones()).sum();
        done.blocks.get(block).is_some_and(|it| it.left + waits >= threads)
    };
    let of_stuck: Vec<_> = waiting.iter().filter(|(warp, _)| stuck(warp / warps)).collect();
    let Some(first) = of_stuck.first() else {
        let site = waiting.first().map_or(0, |(_, it)| it.site());
        let who = waiting.first().map_or(0, number);
        return events
            .add(Event::Unfinished { site, other: site }, [who; 2], || (String::new(), notes()));
    };
    let mut near = of_stuck.iter().filter(|it| it.0 / warps == first.0 / warps);
    let other = near.find(|it| it.1.site() != first.1.site()).unwrap_or(first);
    let arrivals = of_stuck.iter().any(|(warp, wait)| {
        warp / warps == first.0 / warps
            && match wait.kind() {
                Some(WaitKind::Block) => wait.barrier() > 0,
                Some(WaitKind::Object) => true,
                Some(WaitKind::Warp | WaitKind::Cluster) | None => false,
            }
    });
    let event = Event::Deadlock { site: first.1.site(), other: other.1.site(), arrivals };
    events.add(event, [number(first), number(other)], || (String::new(), notes()));
}

fn words(wait: Wait, sites: &[Site]) -> String {
    let line = sites.get(wait.site() as usize).and_then(|it| it.place.line());
    let place = line.map_or_else(|| "a place without a line".to_owned(), |it| format!("line {it}"));
    match wait.kind() {
        Some(WaitKind::Block) => format!("at barrier {}, {place}", wait.barrier()),
        Some(WaitKind::Warp) => format!("for lanes of their warp, {place}"),
        Some(WaitKind::Cluster) => format!("for the other blocks of the cluster, {place}"),
        Some(WaitKind::Object) => format!("for a phase of an mbarrier, {place}"),
        None => format!("somewhere, {place}"),
    }
}

/// What the run could not look at, for the reader.
pub fn gaps(done: &Done) -> Vec<String> {
    let Some(counters) = &done.counters else { return Vec::new() };
    let mut all = Vec::new();
    if counters.dropped > 0 {
        all.push(format!("{} reports did not fit the ring and are only counted", counters.dropped));
    }
    if counters.blocks_unchecked > 0 {
        all.push(format!(
            "the shared memory of {} blocks was not checked: too many were there at a time",
            counters.blocks_unchecked
        ));
    }
    if counters.epochs_spent > 0 {
        all.push(format!(
            "{} blocks passed more than 8191 barriers: races within them were not seen after that",
            counters.epochs_spent
        ));
    }
    all
}
