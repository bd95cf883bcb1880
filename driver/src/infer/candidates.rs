//! Simple conditions on parameters and sizes, and what a run says of them.
//!
//! **Promises**: each is a text that `--assume` reads. **Does not**: know whether one is of use.

use std::collections::BTreeSet;

use heddle_diagnostics::Witness;
use heddle_ir::{
    BinOp, ExprId, ExprKind, Kernel, ObjectKind, ParamKind, Space, Special, fold_binary, fold_cast,
    fold_cmp, fold_unary, mask,
};
use heddle_passes::condition::parse_condition;

/// Parameters that are looked at.
const MOST_PARAMETERS: usize = 6;
/// Constants of the kernel that bound sizes.
const MOST_CONSTANTS: usize = 6;

/// Parameters that are assumed to be common numbers.
const MOST_COMMON_PARAMETERS: usize = 3;
/// The size of a block where the kernel shows none.
const COMMON_BLOCK: u128 = 256;

/// A condition that may be the missing one.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) condition: ExprId,
    /// The less, the simpler and the weaker.
    pub(super) cost: usize,
}

/// Conditions that some run violates, simple ones first.
pub(super) fn of(kernel: &mut Kernel, runs: &[Witness]) -> Vec<Candidate> {
    let mut texts: Vec<(usize, String)> = Vec::new();
    let named: BTreeSet<&str> =
        runs.iter().flat_map(|run| &run.arguments).map(|it| it.name.as_str()).collect();
    let numbers = numbers(kernel, MOST_PARAMETERS, |_, name| named.contains(name));
    for p in &numbers {
        texts.push((1, format!("{p} >= 1")));
        texts.push((1, format!("{p} >= 0")));
        texts.push((4, format!("({p} & ({p} - 1)) == 0 && {p} >= 1")));
        for by in [2, 4, 32] {
            texts.push((4, format!("{p} % {by} == 0")));
        }
        for bound in [65_535, 1_048_576] {
            texts.push((4, format!("{p} >= 0 && {p} <= {bound}")));
        }
        for axis in ["x", "y"] {
            texts.push((3, format!("{p} >= blockDim.{axis}")));
            texts.push((3, format!("{p} >= gridDim.{axis} * blockDim.{axis}")));
            texts.push((4, format!("{p} <= blockDim.{axis}")));
            texts.push((5, format!("{p} == gridDim.{axis} * blockDim.{axis}")));
        }
        for q in numbers.iter().filter(|q| *q != p) {
            texts.push((2, format!("{p} >= {q}")));
            texts.push((2, format!("{p} > {q}")));
            for r in numbers.iter().filter(|r| *r != p && *r >= q) {
                texts.push((4, format!("{p} == {q} * {r}")));
            }
        }
    }
    let constants = constants(kernel);
    for p in &numbers {
        texts.extend(constants.iter().map(|it| (2, format!("{p} >= {it}"))));
    }
    // The weakest first.
    for constant in constants.iter().rev() {
        texts.push((3, format!("blockDim.x <= {constant}")));
        texts.push((4, format!("blockDim.x == {constant}")));
    }
    texts.push((3, "blockDim.y == 1".to_owned()));
    texts.push((3, "gridDim.y == 1".to_owned()));
    texts.push((3, "blockDim.x % 32 == 0".to_owned()));
    texts.push((3, "(blockDim.x & (blockDim.x - 1)) == 0".to_owned()));
    texts.push((6, "gridDim.x == 1".to_owned()));
    texts.sort_by_key(|it| it.0);
    let mut candidates = Vec::new();
    for (cost, text) in texts {
        let Ok(condition) = parse_condition(kernel, &text) else { continue };
        if runs.iter().any(|run| holds(kernel, condition, run) == Some(false)) {
            candidates.push(Candidate { text, condition, cost });
        }
    }
    candidates
}

/// What is common of launches, all of which can hold together; what says more comes later.
pub(super) fn common(kernel: &mut Kernel) -> Vec<Candidate> {
    let mut used = BTreeSet::new();
    for (_, expr) in kernel.exprs.iter() {
        if let ExprKind::Param(index) = expr.kind {
            used.insert(index as usize);
        }
    }
    let numbers = numbers(kernel, MOST_COMMON_PARAMETERS, |index, _| used.contains(&index));
    let block = constants(kernel).into_iter().next_back().unwrap_or(COMMON_BLOCK);
    let mut texts: Vec<String> = numbers.iter().map(|p| format!("{p} >= 1")).collect();
    texts.push("blockDim.x % 32 == 0".to_owned());
    texts.push("blockDim.y == 1".to_owned());
    texts.extend(numbers.iter().map(|p| format!("{p} <= 1048576")));
    texts.extend(numbers.iter().map(|p| format!("{p} % 32 == 0")));
    texts.push(format!("blockDim.x == {block}"));
    let parsed = texts.into_iter().enumerate().filter_map(|(cost, text)| {
        let condition = parse_condition(kernel, &text).ok()?;
        Some(Candidate { text, condition, cost })
    });
    parsed.collect()
}

/// The first parameters that are numbers and that are wanted, by their index and name.
fn numbers(kernel: &Kernel, most: usize, is_wanted: impl Fn(usize, &str) -> bool) -> Vec<String> {
    let is_number = |kind: &ParamKind| match kind {
        ParamKind::Scalar { width } | ParamKind::Field { width, .. } => (8..=64).contains(width),
        ParamKind::Pointer(_) => false,
    };
    let all = kernel.params.iter().enumerate();
    let wanted = all.filter(|(index, it)| is_number(&it.kind) && is_wanted(*index, &it.name));
    wanted.map(|(_, it)| it.name.clone()).take(most).collect()
}

/// Constants that a block may be written for: those that sizes of shared arrays show, and those
/// that thread numbers are divided by.
fn constants(kernel: &Kernel) -> Vec<u128> {
    let mut found = BTreeSet::new();
    for object in kernel.objects.values() {
        if object.space == Space::Shared && object.kind == ObjectKind::Variable {
            let bytes = object.size.map_or(0, u128::from);
            found.extend([1, 4, 8].map(|element| bytes / element));
        }
    }
    for (_, expr) in kernel.exprs.iter() {
        if let ExprKind::Binary(op, _, _, b) = expr.kind
            && let Some(constant) = kernel.exprs.as_const(b)
        {
            match op {
                BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem | BinOp::Mul => {
                    found.insert(constant);
                }
                BinOp::And => {
                    found.insert(constant + 1);
                }
                BinOp::Shl | BinOp::LShr => {
                    found.insert(1 << constant.min(20));
                }
                _ => {}
            }
        }
    }
    let fits = |it: &u128| (16..=1024).contains(it) && it.is_multiple_of(16);
    found.into_iter().filter(fits).take(MOST_CONSTANTS).collect()
}

/// Whether a condition holds in a run; `None` where the run does not say.
pub(super) fn holds(kernel: &Kernel, condition: ExprId, run: &Witness) -> Option<bool> {
    Some(value(kernel, condition, run)? != 0)
}

fn value(kernel: &Kernel, expr: ExprId, run: &Witness) -> Option<u128> {
    let pool = &kernel.exprs;
    let width = pool.width(expr);
    let of = |it: ExprId| value(kernel, it, run);
    Some(match &pool[expr].kind {
        ExprKind::Const(value) => *value,
        ExprKind::Special(Special::Ntid(d)) => {
            u128::from([run.block.x, run.block.y, run.block.z][usize::from(*d).min(2)])
        }
        ExprKind::Special(Special::Nctaid(d)) => {
            u128::from([run.grid.x, run.grid.y, run.grid.z][usize::from(*d).min(2)])
        }
        ExprKind::Param(index) => {
            let name = &kernel.params.get(*index as usize)?.name;
            let given = run.arguments.iter().find(|it| it.name == *name)?;
            mask(given.value.parse::<i128>().ok()? as u128, width)
        }
        ExprKind::Unary(op, a) => fold_unary(*op, of(*a)?, width),
        ExprKind::Binary(op, _, a, b) => {
            // One side may decide alone.
            match (op, of(*a), of(*b)) {
                (BinOp::And, Some(0), _) | (BinOp::And, _, Some(0)) => 0,
                (_, a, b) => fold_binary(*op, a?, b?, width),
            }
        }
        ExprKind::Cmp(op, a, b) => u128::from(fold_cmp(*op, of(*a)?, of(*b)?, pool.width(*a))),
        ExprKind::Select(c, a, b) => of(if of(*c)? != 0 { *a } else { *b })?,
        ExprKind::Cast(op, a) => fold_cast(*op, of(*a)?, pool.width(*a), width),
        ExprKind::Special(_)
        | ExprKind::Base(_)
        | ExprKind::Var(_)
        | ExprKind::Exit(..)
        | ExprKind::Result(..)
        | ExprKind::Undef(_)
        | ExprKind::Sym(_)
        | ExprKind::Pure(..) => return None,
    })
}
