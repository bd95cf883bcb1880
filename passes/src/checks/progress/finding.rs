//! What is said of blocks that wait: who polls what, who would write it, the schedule, and what
//! would need less.

use heddle_diagnostics::{
    Binding, Code, Confirmation, Dim3, Finding, Severity, ThreadId, Unreplayed, Witness as Run,
};
use heddle_ir::{OpId, ParamKind};
use heddle_progress::blocks::{Action, Expr, Operation, Taken, Witness};
use heddle_progress::report::requirement_line;
use heddle_progress::requirement::Requirement;

use super::assumed::Assumed;
use super::replay::replay;
use super::{Answered, Followed};
use crate::engine::cx::Cx;

/// Steps of a schedule that are shown.
const STEPS: usize = 16;

/// The finding, if the kernel needs anything: a note where it is guaranteed, a warning where only
/// the user says so, else an error.
pub(super) fn of(
    cx: &Cx<'_>,
    followed: &Followed,
    answered: &Answered,
    assumed: &Assumed,
) -> Option<Finding> {
    let requirement = &answered.answer.requirement;
    let witness = answered.answer.witness.as_ref()?;
    let code = match requirement {
        Requirement::None => return None,
        Requirement::Weak(_) => Code::ProgressNeeded,
        Requirement::Livelock(_) => Code::Livelock,
        Requirement::Never => Code::Deadlock,
    };
    let enough = requirement.sufficient();
    let severity = if !enough.contains(&assumed.criterion) {
        Severity::Error
    } else if !enough.contains(&assumed.of_target) {
        Severity::Warning
    } else {
        Severity::Note
    };
    let poll = telling_poll(answered, witness);
    let answer = awaited(answered, witness, poll);
    let mut finding =
        Finding::new(code, message(requirement, witness, poll, &answer, assumed, severity))
            .kernel(cx.kernel.display_name.as_str());
    finding.severity = severity;
    if let Some(op) = op_of(answered, poll) {
        let text = format!("block {} polls `{}`", poll.block, poll.action.location);
        finding = finding.label(cx.places.op(cx.kernel, op), text);
    }
    if let Some(op) = answer.op {
        let text = format!("block {} would write it", answer.block);
        finding = finding.label(cx.places.op(cx.kernel, op), text);
    }
    finding = finding.note(schedule(witness));
    finding = finding.note(format!(
        "followed for {}: {}",
        followed.words(),
        requirement_line(requirement).trim_end()
    ));
    if let Some(way_out) = requirement.way_out() {
        finding = finding.help(way_out);
    }
    if severity == Severity::Error {
        let confirmation = match cx.options.replay {
            true => replay(cx, followed, answered, witness),
            false => {
                Confirmation::NotReplayed(Unreplayed::TurnedOff, "replay was turned off".to_owned())
            }
        };
        let run = run(cx, followed, answered, [poll.block, answer.block], &poll.action.location);
        finding = finding.witness(run, confirmation);
    }
    Some(finding)
}

/// The step of the cycle that says most: the first one at a place that another block would change.
fn telling_poll<'w>(answered: &Answered, witness: &'w Witness) -> &'w Taken {
    let mut steps = witness.cycle.iter();
    let telling = steps.find(|step| awaited(answered, witness, step).op.is_some());
    telling.unwrap_or(&witness.cycle[0])
}

fn op_of(answered: &Answered, step: &Taken) -> Option<OpId> {
    answered.lifted.origins[step.block].get(&step.position).copied()
}

/// Who would write what a block waits for, and where.
struct Awaited {
    block: usize,
    op: Option<OpId>,
}

/// The block that changed the location last comes first (it holds the lock), then those that
/// starve, then all.
fn awaited(answered: &Answered, witness: &Witness, poll: &Taken) -> Awaited {
    let steps = || witness.prefix.iter().chain(&witness.cycle);
    let ended: Vec<usize> = steps().filter(|it| it.ends).map(|it| it.block).collect();
    let holder = steps()
        .rev()
        .find(|it| it.location == poll.location && it.before != it.after)
        .map(|it| it.block);
    let all = 0..answered.lifted.program.blocks.len();
    let mut blocks = holder.into_iter().chain(witness.starved.iter()).chain(all);
    let polled: Vec<OpId> = steps().filter_map(|it| op_of(answered, it)).collect();
    let found = blocks.find_map(|block| {
        let other = block != poll.block && !ended.contains(&block);
        let op = other.then(|| writer(answered, block, poll.location, &polled))??;
        Some(Awaited { block, op: Some(op) })
    });
    let block = witness.starved.iter().next().unwrap_or(poll.block);
    found.unwrap_or(Awaited { block, op: None })
}

/// What writes a location in the code of a block; something that is not polling itself, if there is
/// such.
fn writer(answered: &Answered, block: usize, location: usize, polled: &[OpId]) -> Option<OpId> {
    let operations = answered.lifted.program.blocks[block].operations.iter().enumerate();
    let writers = operations.filter_map(|(position, operation)| {
        let Operation::Atomic { address, action, .. } = operation else { return None };
        let reach = match &address.index {
            Expr::Constant(index) => {
                let at = address.base + *index as usize;
                at..at + 1
            }
            Expr::Register(_) | Expr::Binary { .. } | Expr::Select(_) => {
                address.base..address.base + address.count
            }
        };
        let op = *answered.lifted.origins[block].get(&position)?;
        let rank = match action {
            Action::Load => return None,
            Action::Update { operand: Expr::Constant(0), .. } => return None,
            Action::Store(_) | Action::Exchange(_) | Action::Update { .. } => 0,
            Action::CompareExchange { .. } => 1,
        };
        reach.contains(&location).then_some((
            rank + 2 * u32::from(polled.contains(&op)),
            position,
            op,
        ))
    });
    writers.min().map(|(.., op)| op)
}

fn message(
    requirement: &Requirement,
    witness: &Witness,
    poll: &Taken,
    answer: &Awaited,
    assumed: &Assumed,
    severity: Severity,
) -> String {
    let waits = format!("block {} waits for `{}`", poll.block, poll.action.location);
    let (by, model) = (assumed.by, assumed.criterion.model.name);
    let given = match severity {
        Severity::Error => format!("and {by} guarantees {model}"),
        Severity::Warning => format!("and only {by} guarantees that"),
        Severity::Note => format!("which {by} guarantees"),
    };
    let writes = format!("block {}, which would write it", answer.block);
    match (requirement, severity) {
        (Requirement::None | Requirement::Weak(_), Severity::Error) => {
            let started = witness.prefix.iter().any(|step| step.block == answer.block);
            let how = if started { "run again" } else { "start" };
            format!("{waits}, but {writes}, need not {how}: the kernel {requirement}, {given}")
        }
        (Requirement::None | Requirement::Weak(_), Severity::Warning | Severity::Note) => {
            format!(
                "{waits}, which block {} writes: the kernel {requirement}, {given}",
                answer.block
            )
        }
        (Requirement::Livelock(_), _) => format!(
            "{waits} again and again, and so do all others: the kernel {requirement}, {given}"
        ),
        (Requirement::Never, _) => {
            format!("{waits} for ever under every model: blocks wait for each other")
        }
    }
}

/// The schedule in lines: what leads there, and what goes on for ever.
fn schedule(witness: &Witness) -> String {
    let mut text = format!("a schedule that {} allows:", witness.criterion);
    let step = |step: &Taken| {
        let ends = if step.ends { ", and ends" } else { "" };
        let place = match step.action.place.as_str() {
            "" => String::new(),
            place => format!("  ({place})"),
        };
        format!("\n  block {}: {}{ends}{place}", step.block, step.action.text)
    };
    let lines: Vec<String> = witness.prefix.iter().map(step).collect();
    let skipped = lines.len().saturating_sub(STEPS);
    if skipped > 0 {
        text += &format!("\n  … {skipped} steps");
    }
    lines[skipped..].iter().for_each(|line| text += line);
    text += "\n  then for ever:";
    let lines: Vec<String> = witness.cycle.iter().map(step).collect();
    lines.iter().take(STEPS).for_each(|line| text += line);
    if lines.len() > STEPS {
        text += &format!("\n  … {} steps", lines.len() - STEPS);
    }
    for block in witness.starved.iter() {
        let started = witness.prefix.iter().any(|step| step.block == block);
        let how = if started { "is never run again" } else { "is never started" };
        text += &format!("\n  block {block} {how}");
    }
    text
}

fn run(
    cx: &Cx<'_>,
    followed: &Followed,
    answered: &Answered,
    blocks: [usize; 2],
    location: &str,
) -> Run {
    let dim = |[x, y, z]: [u32; 3]| Dim3::new(x, y, z);
    let launch = &followed.launch;
    let threads = blocks.map(|block| ThreadId {
        block: dim(launch.shape.block_index(block as u32)),
        thread: dim(launch.shape.thread_index(answered.lifted.leaders[block].unwrap_or(0))),
    });
    let arguments = cx.launch.args.iter().filter_map(|(index, value)| {
        let param = &cx.kernel.params[*index as usize];
        match param.kind {
            ParamKind::Scalar { width } | ParamKind::Field { width, .. } => {
                Some(Binding::new(&param.name, param.written(*value, width)))
            }
            ParamKind::Pointer(_) => None,
        }
    });
    Run {
        grid: dim(launch.shape.grid),
        block: dim(launch.shape.block),
        threads,
        arguments: arguments.collect(),
        memory: Vec::new(),
        rests_on: Vec::new(),
        bytes: Some(location.to_owned()),
        iterations: Vec::new(),
        interval: None,
        reach: heddle_diagnostics::Reach::default(),
    }
}
