//! Makes a failing kernel smaller while it fails in the same way.
//!
//! **Promises**: the result fails with the same kind of failure. **Does not**: find the smallest;
//! it stops after a number of tries.

use crate::case::{Case, Size};
use crate::judge::{Kind, judge};
use crate::lower::lower;
use crate::setups::Effort;
use crate::syntax::{Expr, IntTy, Stmt, Ty, children_mut, visit_bodies};

/// A smaller case that fails in the same way.
pub(crate) fn shrunk(case: &Case, kind: Kind, effort: Effort, seed: u64, tries: usize) -> Case {
    let mut best = case.clone();
    let mut left = tries;
    let fails = |case: &Case, left: &mut usize| {
        if *left == 0 || lower(&case.program).is_err() {
            return false;
        }
        *left -= 1;
        judge(case, effort, seed).failures.iter().any(|it| it.kind == kind)
    };
    loop {
        let before = best.clone();
        for step in [statements, unwraps, expressions, declarations, launches] {
            let mut at = 0;
            // Each step gives its n-th smaller variant, until there is none.
            while let Some(smaller) = step(&best, at) {
                if left == 0 {
                    return best;
                }
                if smaller != best && fails(&smaller, &mut left) {
                    best = smaller;
                } else {
                    at += 1;
                }
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Without the n-th statement.
fn statements(case: &Case, at: usize) -> Option<Case> {
    change_statement(case, at, |body, index| {
        body.remove(index);
    })
}

/// With the n-th compound statement replaced by what is in it.
fn unwraps(case: &Case, at: usize) -> Option<Case> {
    change_statement(case, at, |body, index| {
        let inner = match &mut body[index] {
            Stmt::If(_, then, other) if then.is_empty() => std::mem::take(other),
            Stmt::If(_, then, _) => std::mem::take(then),
            Stmt::For { init, body, .. } => {
                let mut all = std::mem::take(init);
                all.append(body);
                all
            }
            Stmt::While(_, body) | Stmt::DoWhile(body, _) | Stmt::Block(body) => {
                std::mem::take(body)
            }
            Stmt::Switch(_, cases) => {
                cases.first_mut().map_or(Vec::new(), |it| std::mem::take(&mut it.body))
            }
            Stmt::Decl(_) | Stmt::Expr(_) | Stmt::Break | Stmt::Continue | Stmt::Return(_) => {
                return;
            }
        };
        body.splice(index..=index, inner);
    })
}

fn change_statement(
    case: &Case,
    at: usize,
    change: impl Fn(&mut Vec<Stmt>, usize),
) -> Option<Case> {
    let mut smaller = case.clone();
    let mut first = 0;
    let mut done = false;
    for body in smaller.program.texts_mut() {
        visit_bodies(body, &mut |it| {
            let length = it.len();
            if !done && (first..first + length).contains(&at) {
                done = true;
                change(it, at - first);
            }
            first += length;
        });
    }
    done.then_some(smaller)
}

/// With an expression replaced by a part of it, or by a small number. Four variants of each.
fn expressions(case: &Case, at: usize) -> Option<Case> {
    let mut smaller = case.clone();
    let (chosen, variant) = (at / 4, at % 4);
    let mut index = 0;
    let mut done = false;
    smaller.program.visit_exprs(&mut |it| {
        if index == chosen && !done {
            done = true;
            let simple = match variant {
                0 | 1 => children_mut(it).get(variant).map(|child| (**child).clone()),
                2 if !matches!(it, Expr::Int(0 | 1, _)) => Some(Expr::Int(0, IntTy::INT)),
                3 if matches!(it, Expr::Int(2.., _)) => match it {
                    Expr::Int(value, ty) => Some(Expr::Int(*value / 2, *ty)),
                    _ => None,
                },
                _ => None,
            };
            if let Some(simple) = simple
                && !matches!(it, Expr::Call(..) | Expr::Assign(..)) | (variant < 2)
            {
                *it = simple;
            }
        }
        index += 1;
    });
    done.then_some(smaller)
}

/// Without a parameter, a function, a global or a type; or with a simpler type.
fn declarations(case: &Case, at: usize) -> Option<Case> {
    let mut smaller = case.clone();
    let program = &mut smaller.program;
    let mut at = at;
    let mut take = |count: usize| {
        if at < count {
            return Some(at);
        }
        at -= count;
        None
    };
    if let Some(index) = take(program.kernel.params.len()) {
        let name = program.kernel.params.remove(index).name;
        smaller.args.retain(|(it, _)| *it != name);
        return Some(smaller);
    }
    if let Some(index) = take(program.globals.len()) {
        program.globals.remove(index);
        return Some(smaller);
    }
    if let Some(index) = take(program.functions.len()) {
        program.functions.remove(index);
        return Some(smaller);
    }
    if let Some(index) = take(program.aggregates.len()) {
        program.aggregates.remove(index);
        return Some(smaller);
    }
    if let Some(index) = take(program.kernel.params.len()) {
        let param = &mut program.kernel.params[index];
        match &mut param.ty {
            Ty::Ptr(to) => **to = Ty::INT,
            ty => *ty = Ty::INT,
        }
        return Some(smaller);
    }
    if let Some(index) = take(smaller.assumed.len()) {
        smaller.assumed.remove(index);
        return Some(smaller);
    }
    None
}

/// With a smaller launch.
fn launches(case: &Case, at: usize) -> Option<Case> {
    let sizes = [[1, 1, 1], [2, 1, 1], [32, 1, 1], [64, 1, 1]];
    let new = Size::Known(*sizes.get(at / 2)?);
    let mut smaller = case.clone();
    let of_grid = at.is_multiple_of(2);
    let size = if of_grid { &mut smaller.grid } else { &mut smaller.block };
    let threads = |size: &Size| match size {
        Size::Known(size) => size.iter().product::<u32>(),
        Size::Any => u32::MAX,
    };
    if threads(&new) < threads(size) {
        *size = new;
    }
    Some(smaller)
}
