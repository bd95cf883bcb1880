//! Which runs are tried: launches among those claimed, arguments, contents of memory, schedules.
//!
//! **Promises**: each is a run that the case allows: sizes, given arguments and conditions hold.
//! **Does not**: cover all; arguments are drawn around the numbers that stand in the kernel.

use crate::ask::Run;
use crate::case::{Case, Size};
use crate::code::{Code, Kind, LeafKind};
use crate::machine::{Argument, Schedule, Setup};
use crate::memory::Fill;
use crate::random::Random;
use crate::syntax::{BinOp, Expr, Special, UnOp};

/// Bytes of a `__device__` variable that does not start as its source says in some runs.
const MOST_LEFT_BEHIND: u64 = 1024;

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    pub(crate) runs: usize,
    pub(crate) steps: u64,
    /// Threads of a launch at most.
    pub(crate) threads: u32,
    /// The checker may work as long as it does for a person; else as long as in a build.
    pub(crate) full: bool,
}

/// Runs of a case, by seed. `aliased` lets all pointers point to one buffer.
pub(crate) fn setups(
    case: &Case,
    code: &Code,
    effort: Effort,
    seed: u64,
    aliased: bool,
) -> Vec<Setup> {
    let mut random = Random(seed);
    let numbers = numbers_of(case);
    let flat = !reads_rows_of_block(case);
    let mut out = Vec::new();
    for index in 0..effort.runs * 3 {
        if out.len() >= effort.runs {
            break;
        }
        let grid = match case.grid {
            Size::Known(size) => size,
            Size::Any => [*random.pick(&[2, 1, 3, 4]), 1, 1],
        };
        let block = match case.block {
            Size::Known(size) => size,
            Size::Any if flat => [*random.pick(&[64, 32, 33, 96, 5, 128, 1]), 1, 1],
            Size::Any => *random.pick(&[[8, 8, 1], [32, 2, 1], [4, 16, 1], [3, 5, 1]]),
        };
        let fill = |random: &mut Random, index: usize| match index % 8 {
            0 => Fill::Zero,
            1 => Fill::Index(64),
            2 => Fill::Random(random.next(), 4),
            3 => Fill::Same(1),
            4 => Fill::Random(random.next(), 100),
            5 => Fill::Same(u64::MAX),
            6 => Fill::Wide(random.next()),
            _ => Fill::Index(7),
        };
        let mut arguments = Vec::new();
        for (position, leaf) in code.leaves.iter().enumerate() {
            let given = case.args.iter().find(|(name, _)| *name == leaf.name);
            arguments.push(match (leaf.kind, given) {
                (LeafKind::Scalar(kind), Some((_, value))) => {
                    Argument::Scalar(scalar(kind, *value))
                }
                (LeafKind::Scalar(kind), None) => {
                    Argument::Scalar(scalar(kind, *random.pick(&numbers)))
                }
                (LeafKind::Pointer(_), _) => {
                    let first = code.leaves.iter().position(|it| is_pointer(it.kind));
                    let buffer = if aliased { first.unwrap_or(position) } else { position };
                    let offset = if aliased && random.once_in(2) { 4 * position as i64 } else { 0 };
                    Argument::Pointer { buffer, offset, fill: fill(&mut random, index) }
                }
                (LeafKind::LocalPointer(_), _) => Argument::Scalar(0),
            });
        }
        let schedule = match index % 3 {
            0 => Schedule::Forward,
            1 => Schedule::Backward,
            _ => Schedule::Random(random.next()),
        };
        let resident = resident(grid, block, effort, &mut random);
        let setup = Setup {
            grid,
            block,
            resident,
            arguments,
            schedule,
            strict: code.opencl,
            steps: effort.steps,
            patches: if index % 8 == 3 { left_behind(code, 1) } else { Vec::new() },
        };
        if allowed(case, code, &setup) && !setup.resident.is_empty() {
            out.push(setup);
        }
    }
    out
}

/// Numbers in `__device__` variables, as an earlier launch may have left them.
fn left_behind(code: &Code, value: u64) -> Vec<(String, u64, u64, u64)> {
    // What starts with numbers may be a table that nobody writes.
    let is_open = |it: &&crate::code::DeviceObject| {
        !it.constant && it.init.is_empty() && it.size <= MOST_LEFT_BEHIND
    };
    let objects = code.device.iter().filter(is_open);
    let words = objects.flat_map(|it| (0..it.size / 4).map(|word| (it.name.clone(), word * 4)));
    words.map(|(name, offset)| (name, offset, 4, value)).collect()
}

fn is_pointer(kind: LeafKind) -> bool {
    matches!(kind, LeafKind::Pointer(_))
}

/// The blocks that run: all, or some of a large grid. The others may well begin later.
fn resident(grid: [u32; 3], block: [u32; 3], effort: Effort, random: &mut Random) -> Vec<usize> {
    let product =
        |size: [u32; 3]| size.iter().fold(1u64, |all, it| all.saturating_mul((*it).into()));
    let (blocks, per_block) = (product(grid), product(block));
    let most = (u64::from(effort.threads) / per_block).min(blocks);
    if most == blocks {
        return (0..blocks as usize).collect();
    }
    let first = if random.once_in(2) { 0 } else { random.next() % (blocks - most + 1) };
    (first as usize..(first + most) as usize).collect()
}

/// The runs that a refutation describes: its launch, arguments and memory; what it leaves open in
/// some ways.
pub(crate) fn described(case: &Case, code: &Code, run: &Run, effort: Effort) -> Vec<Setup> {
    let mut out = Vec::new();
    let fills = [
        Fill::Zero,
        Fill::Index(64),
        Fill::Random(7, 5),
        Fill::Same(100),
        Fill::Same(1),
        Fill::Signed(9),
        Fill::Same(u64::MAX),
        Fill::Wide(11),
    ];
    let schedules = [
        Schedule::Forward,
        Schedule::Backward,
        Schedule::First,
        Schedule::Random(3),
        Schedule::Random(8),
    ];
    for index in 0..fills.len() {
        // All pointers lead to memory of one kind, then each to another.
        for (schedule, apart) in
            schedules.map(|it| (it, 0)).into_iter().chain([(Schedule::Forward, 1)])
        {
            if index > 1 && schedule != Schedule::Forward {
                continue;
            }
            let argument = |(position, leaf): (usize, &crate::code::Leaf)| match leaf.kind {
                LeafKind::Scalar(kind) => {
                    let given = case.args.iter().find(|(name, _)| *name == leaf.name);
                    let said = run.arguments.iter().find(|(name, _)| *name == leaf.name);
                    let value = match (given, said) {
                        (Some((_, value)), _) => *value,
                        (None, Some((_, text))) => text.parse().unwrap_or(0),
                        (None, None) => index as i128,
                    };
                    Argument::Scalar(scalar(kind, value))
                }
                LeafKind::Pointer(_) => {
                    let fill = fills[(index + apart * position) % fills.len()].clone();
                    Argument::Pointer { buffer: position, offset: 0, fill }
                }
                LeafKind::LocalPointer(_) => Argument::Scalar(0),
            };
            let setup = Setup {
                grid: run.grid,
                block: run.block,
                resident: run.blocks(effort.threads),
                arguments: code.leaves.iter().enumerate().map(argument).collect(),
                schedule,
                strict: code.opencl,
                steps: effort.steps,
                patches: match index {
                    0 => run.memory.clone(),
                    _ => [left_behind(code, index as u64), run.memory.clone()].concat(),
                },
            };
            if !setup.resident.is_empty() {
                out.push(setup);
            }
        }
    }
    out
}

/// An argument's bits, cut to its type.
fn scalar(kind: Kind, value: i128) -> u64 {
    match kind {
        Kind::Int(ty) => crate::arith::extend(value as u64, ty),
        Kind::Float => u64::from((value as f32).to_bits()),
        Kind::Double => (value as f64).to_bits(),
        Kind::Pointer => 0,
    }
}

/// Numbers to try as arguments: those of the kernel, their neighbours, and some that are special
/// everywhere.
fn numbers_of(case: &Case) -> Vec<i128> {
    let mut numbers = vec![0, 1, 2, 3, 7, 16, 31, 33, 64, 65, 100, -1, -5, 0x5555_5556, 1 << 31];
    numbers.extend([1 << 30, i128::from(i32::MAX), 1000]);
    case.program.clone().visit_exprs(&mut |expr| {
        if let Expr::Int(value, _) = expr
            && *value > 1
        {
            let value = i128::from(*value);
            numbers.extend([value, value + 1, value - 1]);
        }
    });
    numbers
}

/// Whether the kernel reads more than the first dimension of its block: the others are taken for 1
/// where it does not.
fn reads_rows_of_block(case: &Case) -> bool {
    let mut found = false;
    case.program.clone().visit_exprs(&mut |expr| {
        if let Expr::Special { what, dim: 1.., .. } = expr {
            found |= match what {
                Special::Thread | Special::BlockSize | Special::Global | Special::GlobalSize => {
                    true
                }
                Special::Block | Special::GridSize => false,
            };
        }
    });
    found
}

/// Whether the conditions of the case hold in a run.
fn allowed(case: &Case, code: &Code, setup: &Setup) -> bool {
    case.assumed.iter().all(|it| value(it, code, setup).is_some_and(|it| it != 0))
}

/// A condition's value, in numbers without bounds, as the checker reads conditions.
fn value(expr: &Expr, code: &Code, setup: &Setup) -> Option<i128> {
    Some(match expr {
        Expr::Int(value, _) => i128::from(*value),
        Expr::Name(name) => {
            let index = code.leaves.iter().position(|it| it.name == *name)?;
            match (code.leaves[index].kind, &setup.arguments[index]) {
                (LeafKind::Scalar(Kind::Int(ty)), Argument::Scalar(bits)) if ty.signed => {
                    i128::from(*bits as i64)
                }
                (LeafKind::Scalar(Kind::Int(_)), Argument::Scalar(bits)) => i128::from(*bits),
                _ => return None,
            }
        }
        Expr::Special { what, dim, .. } => {
            let dim = usize::from(*dim);
            match what {
                Special::BlockSize => i128::from(setup.block[dim]),
                Special::GridSize => i128::from(setup.grid[dim]),
                _ => return None,
            }
        }
        Expr::Unary(UnOp::Neg, a) => -value(a, code, setup)?,
        Expr::Unary(UnOp::Not, a) => i128::from(value(a, code, setup)? == 0),
        Expr::Binary(op, a, b) => {
            let (a, b) = (value(a, code, setup)?, value(b, code, setup)?);
            match op {
                BinOp::Add => a + b,
                BinOp::Sub => a - b,
                BinOp::Mul => a.checked_mul(b)?,
                BinOp::Div => a.checked_div(b)?,
                BinOp::Rem => a.checked_rem(b)?,
                BinOp::And => a & b,
                BinOp::LogAnd => i128::from(a != 0 && b != 0),
                BinOp::LogOr => i128::from(a != 0 || b != 0),
                op if op.is_comparison() => i128::from(crate::arith::compare(*op, Some(a.cmp(&b)))),
                _ => return None,
            }
        }
        _ => return None,
    })
}
