//! What a person reads: the verdict table, and a failure step by step.

use std::fmt::Write;

use crate::model::{Criterion, MODELS, UNFAIR};
use crate::oracle::{Lasso, Move, Oracle};
use crate::requirement::Requirement;
use crate::system::{Explored, Program};

/// The verdict of each model, weak and strong, as a table with a head.
pub fn verdict_table(oracle: &mut Oracle) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        writeln!(out, "{}", text.trim_end()).expect("writing to a string does not fail");
    };
    line(format!("{:<10} {:<6} {:<6} guarantees", "model", "weak", "strong"));
    for model in MODELS {
        let weak = oracle.verdict(model.weak()).name();
        let strong = if *model == UNFAIR { "-" } else { oracle.verdict(model.strong()).name() };
        line(format!("{:<10} {weak:<6} {strong:<6} {}", model.name, model.summary));
    }
    out
}

/// The requirement in a sentence, and what else meets it.
pub fn requirement_line(requirement: &Requirement) -> String {
    let minimal = match requirement {
        Requirement::None | Requirement::Never => return format!("{requirement}\n"),
        Requirement::Weak(models) | Requirement::Livelock(models) => models,
    };
    let others = requirement.sufficient().into_iter().filter(|criterion| {
        !minimal.contains(&criterion.model) && criterion.fairness == fairness(requirement)
    });
    let others: Vec<_> = others.map(|criterion| criterion.model.name).collect();
    if others.is_empty() {
        return format!("{requirement}\n");
    }
    format!("{requirement} (met by {} too)\n", others.join(", "))
}

fn fairness(requirement: &Requirement) -> crate::model::Fairness {
    match requirement {
        Requirement::None | Requirement::Weak(_) => crate::model::Fairness::Weak,
        Requirement::Livelock(_) | Requirement::Never => crate::model::Fairness::Strong,
    }
}

/// A failure as a schedule, with who spins on what, who is guaranteed and who is starved.
pub fn failure<P: Program>(
    program: &P,
    explored: &Explored<P::State>,
    criterion: Criterion,
    lasso: &Lasso,
) -> String {
    let mut out = format!("does not terminate under {criterion}:\n");
    let unit = program.unit();
    let mut line = |text: String| {
        writeln!(out, "{}", text.trim_end()).expect("writing to a string does not fail");
    };
    let step = |number: usize, step: &Move| {
        let state = &explored.states[step.state as usize];
        let action = program.action(state, step.thread);
        let place =
            if action.place.is_empty() { String::new() } else { format!("  ({})", action.place) };
        let ends = explored.system.live(step.state).contains(step.thread)
            && !explored.system.live(step.next).contains(step.thread);
        let ends = if ends { ", and ends" } else { "" };
        format!("  {number:>3}. {unit} {}: {}{ends}{place}", step.thread, action.text)
    };
    for (number, taken) in lasso.prefix.iter().enumerate() {
        line(step(number + 1, taken));
    }
    line("  then for ever:".to_owned());
    for (number, taken) in lasso.cycle.iter().enumerate() {
        line(step(lasso.prefix.len() + number + 1, taken));
    }
    line(format!("  guaranteed: {}", lasso.guaranteed));
    for thread in lasso.spinning().iter() {
        let polled = polled_locations(program, explored, lasso, thread);
        line(format!("  spinning: {unit} {thread} on {}", polled.join(", ")));
    }
    for thread in lasso.starved().iter() {
        let started = if lasso.view.started.contains(thread) { "started" } else { "never started" };
        line(format!("  starved: {unit} {thread}, {started}, not guaranteed"));
    }
    out
}

/// The locations that a thread touches in the cycle, in order of first touch.
pub fn polled_locations<P: Program>(
    program: &P,
    explored: &Explored<P::State>,
    lasso: &Lasso,
    thread: usize,
) -> Vec<String> {
    let mut locations = Vec::new();
    for step in lasso.cycle.iter().filter(|step| step.thread == thread) {
        let location = program.action(&explored.states[step.state as usize], thread).location;
        if !locations.contains(&location) {
            locations.push(location);
        }
    }
    locations
}
