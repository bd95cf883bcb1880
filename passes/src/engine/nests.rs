//! Rings of barrier objects that go on through a loop around theirs: tile after tile, each with its
//! own main loop.
//!
//! **What**: [`flattened`] is the kernel with each such nest as one loop, of which
//! [`super::phases`] then tells the phases; only pairs with a copy whose phase is known no other
//! way are asked of it.
//! **Method**: from the inside out, a loop with operations on barrier objects and the loop around
//! it become one ([`heddle_ir::as_one_loop`]).
//! **Sound because**: each thread does in the new kernel what it did, in its order. What is
//! concluded from threads being in iterations of one number, as that barriers in the loop order
//! them and that they compute the same values there, holds as before if the inner loop is entered
//! by all or none, and runs equally often for all, of the threads of a block that are in an
//! iteration of the outer one. Then iterations of one number are parts of the same old iteration.
//! That is asked of the kernel as it was, for all inner loops of a nest.
//! **Misses**: loops with more than one main loop inside; inner loops that are not entered in each
//! iteration of the outer one, or run as often as a thread says.
//! **Assumes**: that a nest runs fewer than 2^31 iterations, all together.

use heddle_interp::spins;
use heddle_ir::{Item, Kernel, LoopId, as_one_loop};

use super::known::analyse;
use crate::facts::analysis::Analysis;
use crate::facts::journal::Journal;
use crate::facts::launch::Launch;
use crate::facts::phases::is_on_object;

/// Nests that are made one loop, and loops that are.
const MOST: usize = 16;

/// The kernel with its nests of loops around barrier objects as single loops, if it has such.
pub(crate) fn flattened(analysis: &Analysis<'_>) -> Option<Kernel> {
    let mut flat: Option<Kernel> = None;
    let mut made = Vec::new();
    for _ in 0..MOST {
        let kernel = flat.as_ref().unwrap_or(analysis.kernel);
        let Some(inner) = main_loops(kernel).into_iter().find(|of| is_alone(kernel, *of)) else {
            break;
        };
        // One that was made of two has been looked at with the inner one.
        if !made.contains(&inner)
            && !around(analysis.kernel, inner).all(|of| goes_in_step(analysis, of))
        {
            return None;
        }
        made.extend(kernel[inner].parent);
        flat = Some(as_one_loop(kernel, inner)?);
    }
    flat
}

/// The facts of such a kernel.
pub(crate) fn analyse_flat<'k>(kernel: &'k Kernel, launch: &'k Launch) -> Analysis<'k> {
    let it = analyse(kernel, launch, Journal::default());
    let mut phases = it.phases().clone();
    let assumed = it.assumptions();
    phases.relies.extend(assumed);
    it.with_phases(phases)
}

/// A loop, and those around it but the outermost.
fn around(kernel: &Kernel, of: LoopId) -> impl Iterator<Item = LoopId> {
    std::iter::successors(Some(of), |of| kernel[*of].parent)
        .filter(|of| kernel[*of].parent.is_some())
}

/// Whether the threads of a block in one iteration of the loop around enter a loop together, and
/// leave it together.
fn goes_in_step(analysis: &Analysis<'_>, of: LoopId) -> bool {
    let it = &analysis.kernel[of];
    [it.pred, it.cont].into_iter().all(|id| analysis.uniformity.block_uniform(id))
}

/// Loops in other loops that have operations on barrier objects, and not only in loops inside but
/// for those that wait.
fn main_loops(kernel: &Kernel) -> Vec<LoopId> {
    let has = |of: LoopId| has_objects(kernel, &kernel[of].body.items);
    kernel
        .loops
        .keys()
        .filter(|of| kernel[*of].parent.is_some() && !spins(kernel, *of) && has(*of))
        .collect()
}

fn has_objects(kernel: &Kernel, items: &[Item]) -> bool {
    items.iter().any(|item| match *item {
        Item::Op(op) => is_on_object(kernel, op),
        Item::Loop(of) => spins(kernel, of),
    })
}

/// Whether no loop beside it has such operations, and none in it but those that wait.
fn is_alone(kernel: &Kernel, of: LoopId) -> bool {
    let all = main_loops(kernel);
    let parent = kernel[of].parent;
    all.iter().all(|it| *it == of || kernel[*it].parent != parent && kernel[*it].parent != Some(of))
}
