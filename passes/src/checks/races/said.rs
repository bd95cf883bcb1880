//! What could be said of an array so that a race does not happen.
//!
//! **What**: of a store and another access, no atomic, that meet because of what an array of
//! indices holds, a condition on that array under which they do not: that no number is in it twice,
//! or that its numbers rise.
//! **Method**: the question whose model the race is has its facts already. Each condition that fits
//! the kernel's parameters is added to them, and asked.
//! **Sound because** nothing is concluded: the condition is printed as what the user may know, and
//! only where the two accesses cannot meet under it.
//! **Misses**: conditions with other numbers of elements than a parameter, or one more.
//! **Assumes**: nothing.

use heddle_diagnostics::Finding;
use heddle_ir::{
    AccessKind, ArrayContract, ArrayRule, CastOp, Element, ExprPool, ObjectId, ObjectKind,
    ParamKind,
};

use super::pair::{Candidate, state_elements_inside};
use crate::engine::cx::Cx;

/// Conditions that are tried for one race, at most.
const MOST: usize = 12;

/// A finding with what it lacks, and what could be said so that it does not happen.
pub(super) fn with_advice(
    cx: &Cx<'_>,
    candidate: &mut Candidate<'_>,
    told: Finding,
    lack: Option<String>,
) -> Finding {
    let told = lack.into_iter().fold(told, Finding::note);
    let said = would_exclude(cx, candidate);
    said.into_iter().fold(told, Finding::help)
}

/// Advice to say a condition on an array under which the race does not happen.
fn would_exclude(cx: &Cx<'_>, candidate: &mut Candidate<'_>) -> Option<String> {
    let kernel = cx.kernel;
    // What is changed by atomics expects to come to a place more than once.
    let mut accesses = candidate.ops.iter().map(|op| kernel.access(*op));
    if accesses.any(|it| it.is_none_or(|it| matches!(it.kind, AccessKind::Atomic(..)))) {
        return None;
    }
    let (ops, frames) = (candidate.ops, candidate.frames);
    let instance = &mut candidate.instance;
    let arrays = instance.arrays_of_indices(candidate.offsets);
    let mut left = MOST;
    for (object, bits) in arrays.into_iter().filter(|(object, _)| is_named(cx, *object)) {
        let Some(element) = Element::new(u64::from(bits / 8), true) else { continue };
        for (index, param) in (0u32..).zip(&kernel.params) {
            let ParamKind::Scalar { width: width @ (32 | 64) } = param.kind else { continue };
            let (name, of) = (&kernel[object].name, &param.name);
            for (rule, more, text) in [
                (
                    ArrayRule::Injective,
                    0,
                    format!(
                        "if no number is in `{name}` twice, say so: `--assume 'injective({name}, {of})'`"
                    ),
                ),
                (
                    ArrayRule::Sorted,
                    1,
                    format!(
                        "if the numbers in `{name}` never fall, say so: `--assume 'sorted({name}, {of} + 1)'`"
                    ),
                ),
            ] {
                let contract = |pool: &mut ExprPool| {
                    let number = match cx.launch.arg(index) {
                        Some(value) => pool.constant(value, width),
                        None => pool.param(index, width),
                    };
                    // As the condition is read: in the width of the parameter.
                    let more = pool.constant(more, width);
                    let count = pool.add(number, more);
                    let count = pool.cast(CastOp::Sext, count, 64);
                    let start = pool.constant(0, 64);
                    ArrayContract { rule, element, object, start, count, bounds: [start; 2] }
                };
                left = left.checked_sub(1)?;
                let more = |instance: &mut _| state_elements_inside(instance, ops, frames);
                if instance.excludes_with(contract, more, &cx.advice) {
                    return Some(text);
                }
            }
        }
    }
    None
}

/// Whether a condition of the command line can name what a pointer leads to.
fn is_named(cx: &Cx<'_>, object: ObjectId) -> bool {
    let it = &cx.kernel[object];
    let count = cx.kernel.objects.values().filter(|other| other.name == it.name).count();
    matches!(it.kind, ObjectKind::Param(_)) && count == 1
}
