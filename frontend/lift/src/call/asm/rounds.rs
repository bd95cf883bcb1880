//! The loops of an assembly, and whether one round of each stands for all of its rounds.
//!
//! **What**: where the loops of an assembly begin and end. **Method**: over the text between the
//! label and the branch, in order. No instruction may leave anything in memory or at a barrier, and
//! no register may hand a value from one round to the next, or past the last one: each that is
//! written is written in every round, before it is read. Then a round is lifted as the body of a
//! loop without variables.
//! **Sound because** each round computes the same from what memory holds at that time, reads the
//! same addresses, and leaves nothing but what the last one leaves; threads that never leave the
//! loop stay in it. Loops nest or are apart, and are entered at their label alone.
//! **Misses**: loops that count, walk along addresses or hand on what was read; these are opaque as
//! a whole.
//! **Assumes**: nothing. A compare-and-swap that succeeds in an earlier round writes to the word
//! that the last round asks for. Loops that wait for a barrier object are no loops here: only their
//! last round is lifted.

use std::collections::{BTreeMap, BTreeSet};

use heddle_ptx::{Class, ConstraintKind, Instruction, Operand, RegId, Role};

/// What holds a value from one instruction to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Register(RegId),
    /// An operand from outside, an input as the output that it is tied to.
    Operand(usize),
}

/// The first and the last instruction of each loop, outer ones first; `None` if one has more to it
/// than its rounds.
pub(super) fn loops(asm: &heddle_ptx::Asm) -> Option<Vec<(usize, usize)>> {
    let mut ends: BTreeMap<usize, usize> = BTreeMap::new();
    let back = asm.instructions.iter().enumerate().filter_map(|(at, instruction)| {
        let start = target(asm, instruction).filter(|start| *start <= at)?;
        Some((start, at))
    });
    for (start, at) in back.clone() {
        if !one_round_is_all(asm, start, at) {
            return None;
        }
        if !asm.instructions[start..=at].iter().any(waits_for_object) {
            let end = ends.entry(start).or_default();
            *end = at.max(*end);
        }
    }
    let all: Vec<(usize, usize)> = ends.into_iter().collect();
    let nest = |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| c > b || d <= b && a <= c;
    let ordered =
        all.iter().enumerate().all(|(n, one)| all[n + 1..].iter().all(|it| nest(one, it)));
    // A branch goes back to the innermost loop that it is in, so that no round is left by the way.
    let innermost = |at: usize| all.iter().rev().find(|(a, b)| (*a..=*b).contains(&at));
    let own = back
        .filter(|(start, _)| all.iter().any(|(a, _)| a == start))
        .all(|(start, at)| innermost(at).is_some_and(|(a, _)| *a == start));
    (ordered && own).then_some(all)
}

fn waits_for_object(instruction: &Instruction) -> bool {
    matches!(instruction.class, Class::Mbarrier { op: heddle_ptx::MbarrierOp::Test { .. }, .. })
}

/// Whether a loop is its last round and nothing else.
fn one_round_is_all(asm: &heddle_ptx::Asm, start: usize, at: usize) -> bool {
    let jumps_in = asm.instructions.iter().enumerate().any(|(from, other)| {
        let into = target(asm, other).is_some_and(|to| start < to && to <= at);
        into && !(start..=at).contains(&from)
    });
    let body = &asm.instructions[start..=at];
    !jumps_in && !body.iter().any(leaves_a_trace) && !hands_on(asm, body)
}

fn target(asm: &heddle_ptx::Asm, instruction: &Instruction) -> Option<usize> {
    match instruction.operand(Role::Target) {
        Some(&Operand::Label(target)) => Some(asm.labels[target.0].at),
        Some(_) | None => None,
    }
}

/// Whether a register may bring a value out of an earlier round.
fn hands_on(asm: &heddle_ptx::Asm, body: &[Instruction]) -> bool {
    let cell = |operand: &Operand| match operand {
        Operand::Reg(register) => Some(Cell::Register(*register)),
        Operand::Asm(n) => Some(Cell::Operand(match asm.operands.get(*n).map(|it| it.kind) {
            Some(ConstraintKind::Tied(output)) => output,
            Some(_) | None => *n,
        })),
        _ => None,
    };
    let mut changed = BTreeSet::new();
    for instruction in body {
        for operand in instruction.dests() {
            operand.walk(&mut |it| changed.extend(cell(it)));
        }
    }
    let mut written = BTreeSet::new();
    // A thread that has gone elsewhere, or whose guard does not hold, keeps what an earlier round
    // wrote.
    let mut sure = true;
    for instruction in body {
        let mut early = false;
        let mut read = |operand: &Operand| {
            operand.walk(&mut |it| {
                early |= cell(it).is_some_and(|it| changed.contains(&it) && !written.contains(&it));
            });
        };
        if let Some(guard) = &instruction.guard {
            read(&guard.predicate);
        }
        for (role, operand) in &instruction.operands {
            // The base of an address is read, whatever happens there.
            if !matches!(role, Role::Dest | Role::DestPred)
                || matches!(operand, Operand::Address(_))
            {
                read(operand);
            }
        }
        let writes = instruction.dests().next().is_some();
        if early || (writes && !(sure && instruction.guard.is_none())) {
            return true;
        }
        for operand in instruction.dests() {
            operand.walk(&mut |it| written.extend(cell(it)));
        }
        sure &= !matches!(instruction.class, Class::Branch { .. });
    }
    false
}

fn leaves_a_trace(instruction: &Instruction) -> bool {
    match &instruction.class {
        Class::Mbarrier { op: heddle_ptx::MbarrierOp::Test { .. }, .. }
        | Class::Load(_)
        | Class::Atomic { op: heddle_ir::AtomicOp::CompareExchange, .. }
        | Class::Fence { .. }
        | Class::Pure { .. }
        | Class::Hint
        | Class::Sleep
        | Class::Branch { .. } => false,
        Class::Barrier { .. }
        | Class::WarpBarrier
        | Class::ClusterBarrier { .. }
        | Class::GridDependency { .. }
        | Class::SetMaxRegisters { .. }
        | Class::Mbarrier { .. }
        | Class::CpAsync(_)
        | Class::CpAsyncCommit
        | Class::CpAsyncWait
        | Class::CpAsyncArrive { .. }
        | Class::BulkCopy(_)
        | Class::BulkCommit
        | Class::BulkWait { .. }
        | Class::FenceMbarrierInit
        | Class::ProxyFence { .. }
        | Class::Store(_)
        | Class::Atomic { .. }
        | Class::CrossLane { .. }
        | Class::LoadMatrix { .. }
        | Class::Surface(_)
        | Class::StoreMatrix { .. }
        | Class::Warpgroup(_)
        | Class::TensorCore(_)
        | Class::Opaque(_)
        | Class::Exit
        | Class::Trap
        | Class::Breakpoint
        | Class::Unknown => true,
    }
}
