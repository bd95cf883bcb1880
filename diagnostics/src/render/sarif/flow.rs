//! A witness as a SARIF code flow: what each of its two threads does, step by step.
//!
//! The steps of a thread are where its kernel begins, the calls that were inlined, and its access.
//! The two accesses of a race carry no order of execution: that none exists is what the finding
//! says. Of a divergent barrier the first thread goes by the branch to the barrier, and the second
//! goes by the branch and not to it.

use std::collections::BTreeMap;

use serde_json::json;
use serde_sarif::sarif::{
    CodeFlow, Location, Message, MultiformatMessageString, ThreadFlow, ThreadFlowLocation,
};

use super::place;
use crate::finding::{Finding, Label};
use crate::kernel::KernelReport;
use crate::source::SourceMap;
use crate::span::Place;
use crate::witness::{Binding, Iteration, Stored, Witness};

/// The flow of a finding's witness, if it has one.
pub(super) fn of(
    sources: &SourceMap,
    finding: &Finding,
    kernel: Option<&KernelReport>,
) -> Option<CodeFlow> {
    let witness = finding.witness.as_ref()?;
    let flows: Vec<_> =
        (0..2).filter_map(|index| thread(sources, finding, witness, kernel, index)).collect();
    if flows.is_empty() {
        return None;
    }
    let size = format!("a run with grid={} block={}", witness.grid.size(), witness.block.size());
    let text = match &witness.interval {
        Some(interval) => format!("{size}; both are {interval}"),
        None => size,
    };
    Some(CodeFlow::builder().message(Message::from(&text)).thread_flows(flows).build())
}

fn thread(
    sources: &SourceMap,
    finding: &Finding,
    witness: &Witness,
    kernel: Option<&KernelReport>,
    index: usize,
) -> Option<ThreadFlow> {
    let name = witness.threads[index].to_string();
    let mut steps = Vec::new();
    let mut step = |place: &Place, text: &str, importance: &str| {
        steps.push(numbered(place::location(sources, place, Some(text)), importance));
    };
    if let Some(start) = kernel.and_then(|it| it.place.as_ref()) {
        step(start, "the kernel begins", "important");
    }
    // One label is a place that the first thread reaches and the second does not.
    if finding.labels.len() == 1 {
        for Label { place, text } in &finding.secondary {
            step(place, text, "important");
        }
    }
    if let Some(Label { place, text }) = finding.labels.get(index) {
        for call in place.inlined_at().iter().rev() {
            step(&Place::Source(call.clone()), "by this call", "important");
        }
        step(place, text, "essential");
    }
    let last: &mut ThreadFlowLocation = steps.last_mut()?;
    last.state = iterations(witness, index);
    let mut flow = ThreadFlow::builder()
        .id(name.as_str())
        .message(Message::from(&name))
        .locations(steps)
        .build();
    flow.immutable_state = Some(launch(witness));
    flow.initial_state = memory(witness);
    Some(flow)
}

fn numbered(location: Location, importance: &str) -> ThreadFlowLocation {
    ThreadFlowLocation::builder().location(location).importance(json!(importance)).build()
}

/// The launch and the arguments, which hold for the whole run.
fn launch(witness: &Witness) -> BTreeMap<String, MultiformatMessageString> {
    let sizes = [("gridDim", witness.grid), ("blockDim", witness.block)];
    let sizes = sizes.into_iter().map(|(name, size)| (name.to_owned(), value(&size.to_string())));
    let arguments = witness.arguments.iter();
    sizes
        .chain(arguments.map(|Binding { name, value: text }| (name.clone(), value(text))))
        .collect()
}

/// What memory holds at the start, where it matters.
fn memory(witness: &Witness) -> Option<BTreeMap<String, MultiformatMessageString>> {
    let state: BTreeMap<_, _> = witness
        .memory
        .iter()
        .map(|Stored { object, offset, bits, value: number }| {
            (format!("{object}, {bits} bits at byte {offset}"), value(&number.to_string()))
        })
        .collect();
    (!state.is_empty()).then_some(state)
}

/// In which iteration of each loop the thread makes its access.
fn iterations(
    witness: &Witness,
    index: usize,
) -> Option<BTreeMap<String, MultiformatMessageString>> {
    let state: BTreeMap<_, _> = witness
        .iterations
        .iter()
        .filter_map(|Iteration { name, of }| {
            Some((format!("iteration of {name}"), value(&of[index]?.to_string())))
        })
        .collect();
    (!state.is_empty()).then_some(state)
}

fn value(text: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(text).build()
}
