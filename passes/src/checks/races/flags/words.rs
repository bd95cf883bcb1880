//! Words that may be flags: who reads and writes them, and what is written.
//!
//! **What**: objects, or members of the elements of one, all accesses of which are of one aligned
//! word of one size, with what each access stores. In OpenCL all of them are atomics of the
//! device's scope.
//! **Sound because**: what is left out has a write that is not listed, or two accesses that may
//! overlap without being equal. Accesses to other members have no byte in common
//! ([`parts`]).
//! **Misses**: flags beside other data in one object whose elements' size is no power of two.
//! **Assumes**: accesses stay in their objects, as every race check does.

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Access, AccessKind, AtomicOp, ExprId, ExprKind, Kernel, ObjectId, OpId, Scope, Space,
};
use rustc_hash::FxHashSet;

use crate::checks::races::word::{parts, word_size, writes_to};
use crate::facts::strength::{Stored, is_strong, written_by};

/// An object, or a member of its elements, whose words are flags.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) object: ObjectId,
    pub(super) reads: Vec<OpId>,
    pub(super) writes: Vec<Write>,
    /// What is read decides who does what, and nothing else.
    pub(super) controls_only: bool,
    /// Read-modify-writes may stand between a write and the read that gets its value.
    pub(super) has_chains: bool,
    /// Some read-modify-write leaves another value than it read.
    pub(super) has_changes: bool,
}

#[derive(Debug)]
pub(super) struct Write {
    pub(super) op: OpId,
    /// What it stores, where that is constant.
    pub(super) constant: Option<u128>,
    /// It is an atomic addition of one.
    pub(super) adds_one: bool,
}

impl Word {
    /// Whether an access is to it.
    pub(super) fn has(&self, op: OpId) -> bool {
        self.reads.contains(&op) || self.writes.iter().any(|it| it.op == op)
    }

    /// Whether all accesses but the writes of zero are strong at a scope. A weak write of zero is
    /// no source of what is waited for.
    pub(super) fn all_strong(&self, kernel: &Kernel, scope: Scope) -> bool {
        let strong = |op: OpId| kernel.access(op).is_some_and(|it| is_strong(it, scope));
        let writes = self.writes.iter().filter(|it| it.constant != Some(0));
        self.reads.iter().copied().chain(writes.map(|it| it.op)).all(strong)
    }

    pub(super) fn uses_volatile(&self, kernel: &Kernel) -> Option<Assumption> {
        let all = self.reads.iter().copied().chain(self.writes.iter().map(|it| it.op));
        let mut accesses = all.filter_map(|op| kernel.access(op));
        accesses
            .any(|it| it.volatile && it.order.is_none())
            .then_some(Assumption::VolatileIsRelaxed)
    }
}

/// The words of an object that may be flags.
pub(super) fn words(kernel: &Kernel, object: ObjectId) -> Vec<Word> {
    if !matches!(kernel[object].space, Space::Global | Space::Shared) {
        return Vec::new();
    }
    // What is waited for is taken to be zero at the start.
    if !kernel[object].initial.may_be_zeros() || writes_to(kernel, object).is_none() {
        return Vec::new();
    }
    let accesses = kernel.ops.keys().filter_map(|op| Some((op, kernel.access(op)?)));
    let accesses: Vec<(OpId, &Access)> =
        accesses.filter(|(_, it)| it.address.object == object).collect();
    // A flag is looked at by a strong access; without one there is none to sort by place.
    if !accesses.iter().any(|(_, it)| is_strong(it, Scope::Block)) {
        return Vec::new();
    }
    let parts = parts(kernel, accesses);
    parts.into_iter().filter_map(|part| word(kernel, object, part)).collect()
}

/// Accesses as flags, where all are of one aligned word of one size, some writing and some reading.
fn word(kernel: &Kernel, object: ObjectId, accesses: Vec<(OpId, &Access)>) -> Option<Word> {
    // Wider accesses are done in parts.
    let size = word_size(kernel, accesses.first()?.1).filter(|size| *size <= 8)?;
    let mut word = Word {
        object,
        reads: Vec::new(),
        writes: Vec::new(),
        controls_only: false,
        has_chains: false,
        has_changes: false,
    };
    for (op, access) in accesses {
        if word_size(kernel, access) != Some(size) {
            return None;
        }
        // In OpenCL nothing but an atomic is strong, and two scopes include each other only if they
        // are the same.
        let opencl = kernel.target.opencl;
        if opencl && !matches!(access.order, Some((_, Scope::Device))) {
            return None;
        }
        match &access.kind {
            AccessKind::Load if kernel[op].results.len() == 1 => word.reads.push(op),
            AccessKind::Store(values) if values.len() == 1 => {
                word.writes.push(Write {
                    op,
                    constant: kernel.exprs.as_const(values[0]),
                    adds_one: false,
                });
            }
            // Elements of a vector are accessed one by one.
            AccessKind::Load | AccessKind::Store(_) => return None,
            // LLVM makes loops of wider reads and compare-and-swaps of these.
            AccessKind::Atomic(..) if size < 4 => return None,
            AccessKind::Atomic(atomic, operands) => {
                word.reads.push(op);
                word.has_chains = true;
                let stored = written_by(kernel, *atomic, operands);
                word.has_changes |= !matches!(stored, Stored::AsRead);
                match stored {
                    Stored::AsRead => {}
                    Stored::Constant(value) => {
                        word.writes.push(Write { op, constant: Some(value), adds_one: false });
                    }
                    Stored::Other => {
                        let one =
                            operands.first().and_then(|it| kernel.exprs.as_const(*it)) == Some(1);
                        let adds_one = *atomic == AtomicOp::Add && one;
                        word.writes.push(Write { op, constant: None, adds_one });
                    }
                }
            }
        }
    }
    let polled = word
        .reads
        .iter()
        .any(|op| kernel.access(*op).is_some_and(|it| is_strong(it, Scope::Block)));
    if !polled || word.writes.is_empty() {
        return None;
    }
    word.controls_only = decides(kernel, &word.reads) && controls_only(kernel, &word.reads);
    Some(word)
}

/// Whether what some read gives decides anything: who does what, or how often.
fn decides(kernel: &Kernel, reads: &[OpId]) -> bool {
    let mut all: Vec<ExprId> = kernel.ops.values().map(|it| it.pred).collect();
    all.extend(kernel.loops.values().flat_map(|it| [it.pred, it.cont]));
    let ops = kernel.ops.values().filter(|it| !it.kind.is_subscript());
    ops.for_each(|it| it.for_each_expr(|operand| all.push(operand)));
    some_reach(kernel, reads, all, Comparisons::Pass)
}

/// Whether results of reads reach no operand of an operation, but by comparisons; those of a
/// compare-and-swap of the same words compare.
fn controls_only(kernel: &Kernel, reads: &[OpId]) -> bool {
    let mut operands = Vec::new();
    for (op, it) in kernel.ops.iter().filter(|(_, it)| !it.kind.is_subscript()) {
        let access = kernel.access(op).filter(|_| reads.contains(&op));
        let swaps = access.filter(|access| match access.kind {
            AccessKind::Atomic(atomic, _) => atomic.compares(),
            AccessKind::Load | AccessKind::Store(_) => false,
        });
        match swaps {
            Some(access) => operands.extend([access.address.offset, access.size]),
            None => it.for_each_expr(|operand| {
                operands.extend((operand != it.pred).then_some(operand));
            }),
        }
    }
    // What a comparison says is no longer the value.
    !some_reach(kernel, reads, operands, Comparisons::End)
}

/// What a comparison of a value is to who looks for that value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparisons {
    /// As good as the value.
    Pass,
    /// Something else.
    End,
}

/// Whether the result of a read is part of what some expressions are computed from.
fn some_reach(
    kernel: &Kernel,
    reads: &[OpId],
    expressions: Vec<ExprId>,
    comparisons: Comparisons,
) -> bool {
    let (mut seen, mut work) = (FxHashSet::default(), expressions);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let ExprKind::Result(op, _) = kernel[id].kind
            && reads.contains(&op)
        {
            return true;
        }
        if let ExprKind::Var(var) = kernel[id].kind {
            work.extend([kernel[var].init, kernel[var].next]);
        }
        let is_comparison = matches!(kernel[id].kind, ExprKind::Cmp(..));
        if comparisons == Comparisons::Pass || !is_comparison {
            kernel.exprs.for_each_operand(id, |operand| work.push(operand));
        }
    }
    false
}
