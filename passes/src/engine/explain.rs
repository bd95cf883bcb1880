//! From the notes about a kernel to an explanation, in the words of the program.
//!
//! **What**: for each question the places that it is about, how the two threads were placed, how
//! their iterations related, trip counts and recurrences of the loops, values that were not
//! followed, the solver's answers, and what the answer takes for granted; then the verdicts.
//! **Promises**: the verdicts are the same with and without it; what is told depends on the kernel
//! and the options alone.

use std::collections::BTreeMap;

use heddle_diagnostics::{Property, Verdict};
use heddle_ir::{AccessKind, LoopId, OpId, VarId, show_expr};

use super::cx::Cx;
use super::unfollowed::{of_value, why_not};
use super::why::{Explained, Step, Why};
use crate::facts::evolution::Evolution;
use crate::facts::journal::{Note, Question};

/// Tells what was noted about a kernel.
pub(crate) fn explain(why: &Why, cx: &Cx<'_>, verdicts: &BTreeMap<Property, Verdict>) {
    let mut scripts = Vec::new();
    let notes = cx.analysis.journal.take();
    let steps = steps(cx, notes, &mut scripts);
    why.add(Explained {
        symbol: cx.kernel.name.clone(),
        kernel: cx.kernel.display_name.clone(),
        launch: cx.analysis.assumptions().iter().map(ToString::to_string).collect(),
        steps,
        verdicts: verdicts.iter().map(|(of, verdict)| concluded(*of, verdict)).collect(),
        scripts,
    });
}

fn line(text: String) -> Step {
    Step { text, at: Vec::new(), outcome: None, inside: Vec::new() }
}

/// The notes as lines; values that read alike, as those of both threads do, have one.
fn steps(cx: &Cx<'_>, notes: Vec<Note>, scripts: &mut Vec<String>) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for note in notes {
        let is_value = matches!(note, Note::Unfollowed(_));
        let step = step(cx, note, scripts);
        if !is_value || all.iter().all(|it| it.text != step.text) {
            all.push(step);
        }
    }
    all
}

/// What an operation does to which object.
fn of_op(cx: &Cx<'_>, op: OpId) -> String {
    let Some(access) = cx.kernel.access(op) else { return String::new() };
    let object = &cx.kernel[access.address.object].name;
    match access.kind {
        AccessKind::Load => format!("the load of `{object}`"),
        AccessKind::Store(_) => format!("the store to `{object}`"),
        AccessKind::Atomic(..) => format!("the atomic on `{object}`"),
    }
}

fn step(cx: &Cx<'_>, note: Note, scripts: &mut Vec<String>) -> Step {
    match note {
        Note::Text(text) => line(text),
        Note::Loop(of) => line(of_loop(cx, of)),
        Note::Recurrence(var) => line(of_variable(cx, var)),
        Note::Unfollowed(value) => {
            line(format!("not followed: {} ({})", of_value(cx, value), why_not(cx, value)))
        }
        Note::Query { facts, answer, script } => {
            scripts.extend(script);
            let number = match scripts.len() {
                0 => String::new(),
                number => format!(" {number}"),
            };
            line(format!("query{number} of {facts} facts: {answer}"))
        }
        Note::Question(Question { text, about, outcome, notes }) => Step {
            text,
            at: about.into_iter().map(|op| (of_op(cx, op), cx.places.op(cx.kernel, op))).collect(),
            outcome,
            inside: steps(cx, notes, scripts),
        },
    }
}

fn of_loop(cx: &Cx<'_>, of: LoopId) -> String {
    let place = cx.places.origin(cx.kernel, cx.kernel[of].origin);
    let at = place.line().map(|line| format!(" at line {line}")).unwrap_or_default();
    let trips = match cx.analysis.trips(of) {
        Some(limit) if limit.exact => format!("{} iterations", u64::from(limit.last) + 1),
        Some(limit) => format!("at most {} iterations", u64::from(limit.last) + 1),
        None if cx.analysis.ends_in_time(of) => {
            "no trip count; its counter stays below 2^31".to_owned()
        }
        None => "no trip count; taken to run fewer than 2^31 iterations".to_owned(),
    };
    format!("loop{at}: {trips}")
}

fn of_variable(cx: &Cx<'_>, var: VarId) -> String {
    let it = &cx.kernel[var];
    let name = it.name.as_ref().map_or_else(|| "a value".to_owned(), |name| format!("`{name}`"));
    let show = |id| show_expr(cx.kernel, id);
    let first = format!("{name} starts as {}", show(it.init));
    let goes_on = match cx.analysis.evolution(var) {
        Evolution::Invariant => "keeps its first value".to_owned(),
        Evolution::Add(step, _) => format!("adds {} each iteration", show(step)),
        Evolution::Rounds(step, _) => {
            format!("adds {} as often as a loop inside runs", show(step))
        }
        Evolution::ShiftLeft(by, _) => format!("is shifted left by {} each iteration", show(by)),
        Evolution::Double(exponent, _) => {
            format!("is multiplied by 2^{exponent} each iteration")
        }
        Evolution::ShiftRight(by) | Evolution::ShiftRightSigned(by) => {
            format!("is shifted right by {} each iteration", show(by))
        }
        Evolution::HalveSigned(exponent) | Evolution::HalveUnsigned(exponent) => {
            format!("is divided by 2^{exponent} each iteration")
        }
        Evolution::Toggle(mask) => format!("flips the bits {} each iteration", show(mask)),
        Evolution::Reflect(of) => format!("becomes {} less itself each iteration", show(of)),
        Evolution::Cycle { step, modulus } => {
            format!("adds {step} modulo {modulus} each iteration")
        }
        Evolution::LedIn { lead, modulus } => {
            format!("counts up to zero in {lead} iterations, then adds 1 modulo {modulus}")
        }
        Evolution::Rotate => "takes turns with other values of the loop".to_owned(),
        Evolution::Lag(of) => format!("is what {} was one iteration before", show(of)),
        Evolution::Unknown => {
            format!("has no recurrence: it goes on as {}", show(it.next))
        }
    };
    format!("{first} and {goes_on}")
}

fn concluded(property: Property, verdict: &Verdict) -> Step {
    let text = property.to_string();
    let step = |outcome: &str, inside: Vec<Step>| Step {
        text,
        at: Vec::new(),
        outcome: Some(outcome.to_owned()),
        inside,
    };
    match verdict {
        Verdict::Proved(proof) => {
            let methods = proof.methods().iter().map(|(by, count)| format!("{count} by {by}"));
            let methods: Vec<_> = methods.collect();
            let shown = match methods.is_empty() {
                true => line("nothing had to be shown".to_owned()),
                false => line(format!("shown: {}", methods.join(", "))),
            };
            let assumed = proof.assumptions().iter().map(|it| line(format!("assumes {it}")));
            step("proved", [shown].into_iter().chain(assumed).collect())
        }
        Verdict::Refuted(refutations) => {
            let told = refutations.iter().map(|it| line(format!("{}: a run shows it", it.code)));
            step("refuted", told.collect())
        }
        Verdict::Unknown(reasons) => {
            let told = reasons.iter().map(|reason| Step {
                at: reason.place.iter().map(|at| (String::new(), at.clone())).collect(),
                ..line(format!("{}: {}", reason.code, reason.text))
            });
            step("unknown", told.collect())
        }
    }
}
