//! Replays a schedule that shows a violation: only what an event needs happens, then the event itself.
//!
//! An arrival that is not forced to come after one of the generation before takes its place in the schedule that runs nothing but the causal
//! past of the later one. [`confirm`] runs that schedule through the barriers' semantics, and looks.

use crate::execution::{Execution, Progress};
use crate::strand::{Partition, StrandId};
use crate::trace::{Membership, Trace};
use crate::violation::Violation;

/// Whether the schedule that a violation speaks of shows it. None where the violation is of another kind: those happened.
pub fn confirm(trace: &Trace, violation: &Violation, block_arrivals: u32) -> Option<bool> {
    match violation {
        Violation::Recycled { generation, later, .. } => {
            let execution = run_past(trace, *later, block_arrivals)?;
            let events = &execution.trace().events[later.strand.0 as usize];
            let met = events.get(later.event as usize).and_then(|event| event.generation);
            let earlier = &trace.generations[generation.0 as usize];
            let took_place = met.is_some_and(|it| {
                execution.trace().generations[it.0 as usize].number <= earlier.number
            });
            let clashed = !execution.violations().is_empty();
            Some(took_place || clashed)
        }
        Violation::EarlyPass { wait, .. } => {
            let execution = run_past(trace, *wait, block_arrivals)?;
            Some(execution.is_over(*wait))
        }
        Violation::Lapped { .. }
        | Violation::LateExpect { .. }
        | Violation::InitUnordered { .. }
        | Violation::CountMismatch { .. }
        | Violation::TooMany { .. }
        | Violation::NotInitialised { .. }
        | Violation::InitInUse { .. }
        | Violation::ClusterOrder { .. } => None,
    }
}

/// Runs the causal past of an event and the event. None if the past cannot run alone.
fn run_past(trace: &Trace, last: Membership, block_arrivals: u32) -> Option<Execution> {
    let partition = Partition::of(trace.strands.clone()).fixed();
    let mut execution = Execution::new(&partition, block_arrivals, true);
    let clock = &trace.interval(last.strand, last.event).clock;
    let limits: Vec<usize> = (0..trace.strands.len() as u32)
        .map(|it| if it == last.strand.0 { last.event } else { clock.get(it) } as usize)
        .collect();
    let mut done = vec![0; limits.len()];
    loop {
        let mut moved = false;
        for strand in (0..limits.len() as u32).map(StrandId) {
            let index = strand.0 as usize;
            while done[index] < limits[index] && !execution.is_blocked(strand) {
                let event = trace.events[index].get(done[index])?;
                done[index] += 1;
                moved = true;
                if execution.perform(strand, trace.sync(event), event.source) == Progress::Halts {
                    return Some(execution);
                }
            }
        }
        if !moved {
            break;
        }
    }
    if done != limits || execution.is_blocked(last.strand) {
        return None;
    }
    let event = trace.events[last.strand.0 as usize].get(last.event as usize)?;
    execution.perform(last.strand, trace.sync(event), event.source);
    Some(execution)
}
