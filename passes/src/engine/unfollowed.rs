//! Values that are not followed, in the words of the program.
//!
//! **What**: each guess that a question rests on ([`Instance::guesses`]), as what makes it: a load
//! from memory that the kernel writes, the result of an atomic, what other lanes give, a loop
//! variable without a recurrence, the result of what is not modelled.
//! **Does not**: say which of several would have been enough to follow.

use std::collections::BTreeSet;

use heddle_ir::{
    AccessKind, ExprId, ExprKind, Kernel, OpId, OpKind, Special, ValueFrom, show_expr,
};

use super::cx::Cx;
use super::instance::Instance;
use crate::facts::launch::FIRST_OF_HOST;

/// Values that are named at most.
const NAMED: usize = 2;

/// The values that what an instance states rests on and that are not followed, each with its line;
/// empty where there are none.
pub(crate) fn unfollowed(cx: &Cx<'_>, instance: &Instance<'_>) -> Vec<String> {
    let guesses = instance.guesses();
    let mut told: Vec<String> = Vec::new();
    let mut more = BTreeSet::new();
    for guess in guesses {
        let text = of_value(cx, guess);
        if told.contains(&text) {
            continue;
        }
        match told.len() < NAMED {
            true => told.push(text),
            false => _ = more.insert(text),
        }
    }
    match more.len() {
        0 => {}
        1 => told.extend(more),
        count => told.push(format!("{count} more values")),
    }
    told
}

/// `, through A and B, which are not followed`; nothing where there are no values.
pub(crate) fn through(values: &[String]) -> String {
    match values {
        [] => String::new(),
        [one] => format!(", through {one}, which is not followed"),
        [first @ .., last] => {
            format!(", through {} and {last}, which are not followed", first.join(", "))
        }
    }
}

/// Why a value is not followed.
pub(crate) fn why_not(cx: &Cx<'_>, guess: ExprId) -> String {
    let kernel = cx.kernel;
    match kernel[guess].kind.value_from() {
        ValueFrom::Var(var) => {
            format!("no recurrence: it goes on as {}", show_expr(kernel, kernel[var].next))
        }
        ValueFrom::Exit(of, _) => match cx.analysis.trips(of) {
            Some(_) => "its last iteration differs between threads".to_owned(),
            None => "how often the loop runs is not known".to_owned(),
        },
        ValueFrom::Result(op, _) => match &kernel[op].kind {
            OpKind::Access(access) => match (&access.kind, writer(kernel, op)) {
                (AccessKind::Atomic(..), _) => "what other threads left there".to_owned(),
                (AccessKind::Load | AccessKind::Store(_), Some(_)) => {
                    "memory that the kernel writes".to_owned()
                }
                (AccessKind::Load | AccessKind::Store(_), None) => {
                    "memory that may change".to_owned()
                }
            },
            OpKind::CrossLane(_) => "other lanes".to_owned(),
            OpKind::Opaque(_) => "the result of what is not modelled".to_owned(),
            OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_) => "the result of an operation".to_owned(),
        },
        ValueFrom::Operands | ValueFrom::Launch | ValueFrom::Nothing | ValueFrom::Analysis(_) => {
            "nothing says what it is".to_owned()
        }
    }
}

/// A value that is not followed, with its line.
pub(crate) fn of_value(cx: &Cx<'_>, guess: ExprId) -> String {
    let kernel = cx.kernel;
    match kernel[guess].kind.value_from() {
        ValueFrom::Result(op, _) => of_operation(cx, op),
        ValueFrom::Var(var) => {
            let name = match &kernel[var].name {
                Some(name) => format!("`{name}`"),
                None => "a value".to_owned(),
            };
            let around = cx.places.origin(kernel, kernel[kernel[var].of].origin);
            format!("{name} of the loop{}", at_line(around.line()))
        }
        ValueFrom::Exit(of, _) => {
            let left = cx.places.origin(kernel, kernel[of].origin);
            format!("a value that the loop{} ends with", at_line(left.line()))
        }
        ValueFrom::Operands | ValueFrom::Launch | ValueFrom::Nothing | ValueFrom::Analysis(_) => {
            let kind = &kernel[guess].kind;
            let is_of_host =
                |it: &ExprKind| matches!(it, ExprKind::Undef(n) if *n >= FIRST_OF_HOST);
            if let ExprKind::Special(special) = kind {
                of_machine(*special).to_owned()
            } else if is_of_host(kind) {
                "a number of the host's code".to_owned()
            } else if cx.analysis.uniformity.is_combined(guess) {
                "what the lanes of a warp combined".to_owned()
            } else {
                "an undefined value".to_owned()
            }
        }
    }
}

fn of_machine(special: Special) -> &'static str {
    match special {
        Special::WarpId => "the number of the warp",
        Special::LaneId => "the lane, as the size of a warp is open",
        Special::ClusterCtaRank | Special::ClusterNctaRank => "the block's place in its cluster",
        Special::Tid(_)
        | Special::Ctaid(_)
        | Special::Ntid(_)
        | Special::Nctaid(_)
        | Special::GlobalOffset(_)
        | Special::DynamicSharedSize => "a size or an index of the launch",
    }
}

fn of_operation(cx: &Cx<'_>, op: OpId) -> String {
    let kernel = cx.kernel;
    let line = at_line(cx.places.op(kernel, op).line());
    match &kernel[op].kind {
        OpKind::Access(access) => {
            let object = &kernel[access.address.object].name;
            match access.kind {
                AccessKind::Atomic(..) => format!("the result of the atomic on `{object}`{line}"),
                AccessKind::Load | AccessKind::Store(_) => {
                    let written = match writer(kernel, op) {
                        Some(by) => match cx.places.op(kernel, by).line() {
                            Some(line) => format!(" (written at line {line})"),
                            None => " (which the kernel writes)".to_owned(),
                        },
                        None => String::new(),
                    };
                    format!("what `{object}`{written} holds{line}")
                }
            }
        }
        OpKind::CrossLane(_) => format!("what other lanes give{line}"),
        OpKind::Opaque(opaque) => format!("the result of `{}`{line}", opaque.name),
        OpKind::Barrier(_)
        | OpKind::Fence { .. }
        | OpKind::AsyncCopy(_)
        | OpKind::AsyncCommit(_)
        | OpKind::AsyncWait { .. }
        | OpKind::EventWait(_)
        | OpKind::Assume(_)
        | OpKind::Assert { .. }
        | OpKind::Claim(_)
        | OpKind::Exit(_)
        | OpKind::Registers(_) => format!("a result{line}"),
    }
}

fn at_line(line: Option<u32>) -> String {
    line.map(|line| format!(" at line {line}")).unwrap_or_default()
}

/// An operation that may write what a load reads.
fn writer(kernel: &Kernel, load: OpId) -> Option<OpId> {
    let read = kernel.access(load)?.address.object;
    kernel.ops.keys().find(|op| {
        kernel[*op].kind.effects().writes().any(|touch| touch.place.may_be(kernel, read))
    })
}
