//! Small changes of a kernel: operators, constants, bounds, types, scopes, guards, barriers,
//! statements, launches.
//!
//! **Promises**: a mutant lowers; most compile. **Does not**: keep what the kernel means: that is
//! the point.

use crate::case::{Case, Size};
use crate::lower::lower;
use crate::mutate_stmt::{barrier, delete, duplicate, guard, leave, step, swap, wrap};
use crate::random::Random;
use crate::syntax::{BinOp, Decl, Expr, IntTy, Language, Program, Special, Ty, UnOp, visit_decls};

/// A mutant of a case, with one to three changes. `None` if none that lowers was met.
pub(crate) fn mutant(case: &Case, random: &mut Random) -> Option<Case> {
    for _ in 0..30 {
        let mut mutant = case.clone();
        let mut changes = Vec::new();
        for _ in 0..1 + random.below(3) {
            let (name, change) = *random.pick(CHANGES);
            if change(&mut mutant, random) {
                changes.push(name);
            }
        }
        if !changes.is_empty() && mutant != *case && lower(&mutant.program).is_ok() {
            mutant.origin = format!("{}: {}", case.origin, changes.join(", "));
            return Some(mutant);
        }
    }
    None
}

type Change = fn(&mut Case, &mut Random) -> bool;

/// Changes that hit the steps of the checker most often stand more than once.
const CHANGES: &[(&str, Change)] = &[
    ("operator", operator),
    ("operator", operator),
    ("constant", constant),
    ("constant", constant),
    ("constant", constant),
    ("bound", bound),
    ("bound", bound),
    ("type", declared_type),
    ("type", declared_type),
    ("parameter type", parameter_type),
    ("cast", cast),
    ("cast", cast),
    ("barrier", barrier),
    ("barrier", barrier),
    ("barrier", barrier),
    ("guard", guard),
    ("guard", guard),
    ("scope", scope),
    ("atomic", atomic),
    ("swap", swap),
    ("delete", delete),
    ("duplicate", duplicate),
    ("expression", exchange),
    ("expression", exchange),
    ("step", step),
    ("step", step),
    ("leave", leave),
    ("launch", launch),
    ("value", value),
    ("wrap", wrap),
];

/// Changes one of the expressions that are wanted.
fn change_expr(
    program: &mut Program,
    random: &mut Random,
    want: impl Fn(&Expr) -> bool,
    change: impl Fn(&mut Expr, &mut Random),
) -> bool {
    let mut count = 0;
    program.visit_exprs(&mut |it| count += usize::from(want(it)));
    if count == 0 {
        return false;
    }
    let chosen = random.below(count);
    let mut index = 0;
    program.visit_exprs(&mut |it| {
        if want(it) {
            if index == chosen {
                change(it, random);
            }
            index += 1;
        }
    });
    true
}

fn operator(case: &mut Case, random: &mut Random) -> bool {
    let arithmetic = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem];
    let bits = [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Shl, BinOp::Shr];
    let other = move |op: BinOp, random: &mut Random| match op {
        BinOp::LogAnd => BinOp::LogOr,
        BinOp::LogOr => BinOp::LogAnd,
        op if op.is_comparison() || op == BinOp::Comma => op,
        op if random.once_in(3) && arithmetic.contains(&op) => *random.pick(&bits),
        op if arithmetic.contains(&op) || random.once_in(3) => *random.pick(&arithmetic),
        _ => *random.pick(&bits),
    };
    let want = |it: &Expr| match it {
        Expr::Binary(op, ..) => !op.is_comparison() && *op != BinOp::Comma,
        Expr::Assign(Some(_), ..) => true,
        _ => false,
    };
    change_expr(&mut case.program, random, want, |it, random| match it {
        Expr::Binary(op, ..) | Expr::Assign(Some(op), ..) => *op = other(*op, random),
        _ => {}
    })
}

fn constant(case: &mut Case, random: &mut Random) -> bool {
    let want = |it: &Expr| matches!(it, Expr::Int(_, ty) if *ty != IntTy::BOOL);
    change_expr(&mut case.program, random, want, |it, random| {
        let Expr::Int(value, ty) = it else { return };
        let old = *value;
        *value = match random.below(12) {
            0 | 1 => old.wrapping_add(1),
            2 | 3 => old.saturating_sub(1),
            4 => (old * 2) & 0x7fff_ffff,
            5 => old / 2,
            6 => 0,
            7 => *random.pick(&[1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255]),
            8 => *random.pick(&[0x7fff_ffff, 0x7fff_ffe0, 0x4000_0000, 0xffff, 0x7fff, 1 << 20]),
            9 => old ^ 1 << random.below(8),
            10 => {
                *ty = IntTy { signed: !ty.signed, ..*ty };
                if random.once_in(2) { 0x8000_0000 } else { old }
            }
            _ => {
                let negated = Expr::Unary(UnOp::Neg, Box::new(Expr::Int(old.max(1), *ty)));
                *it = negated;
                return;
            }
        };
        if ty.signed && ty.bits == 32 {
            *value &= 0x7fff_ffff;
        }
    })
}

fn bound(case: &mut Case, random: &mut Random) -> bool {
    let want = |it: &Expr| matches!(it, Expr::Binary(op, ..) if op.is_comparison());
    change_expr(&mut case.program, random, want, |it, random| {
        let Expr::Binary(op, a, b) = it else { return };
        match random.below(4) {
            0 => std::mem::swap(a, b),
            1 => **b = Expr::binary(BinOp::Add, (**b).clone(), Expr::int(1)),
            _ => {
                let all = [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Eq, BinOp::Ne];
                *op = *random.pick(&all);
            }
        }
    })
}

/// An integer type to put in place of another.
pub(crate) fn some_type(random: &mut Random) -> IntTy {
    let bits = *random.pick(&[8, 16, 32, 32, 64]);
    IntTy { bits, signed: random.once_in(2) }
}

fn declared_type(case: &mut Case, random: &mut Random) -> bool {
    let mut count = 0;
    let wanted = |decl: &Decl| match &decl.ty {
        Ty::Int(ty) => *ty != IntTy::BOOL,
        Ty::Array(of, _) => matches!(**of, Ty::Int(_)),
        _ => false,
    };
    for body in case.program.texts_mut() {
        visit_decls(body, &mut |it| count += usize::from(wanted(it)));
    }
    if count == 0 {
        return false;
    }
    let (chosen, new) = (random.below(count), Ty::Int(some_type(random)));
    let mut index = 0;
    for body in case.program.texts_mut() {
        visit_decls(body, &mut |it| {
            if wanted(it) {
                if index == chosen {
                    match &mut it.ty {
                        Ty::Array(of, _) => **of = new.clone(),
                        ty => *ty = new.clone(),
                    }
                }
                index += 1;
            }
        });
    }
    true
}

fn parameter_type(case: &mut Case, random: &mut Random) -> bool {
    let params = &mut case.program.kernel.params;
    if params.is_empty() {
        return false;
    }
    let at = random.below(params.len());
    let new = some_type(random);
    match &mut params[at].ty {
        Ty::Int(ty) => *ty = new,
        Ty::Ptr(to) => match &mut **to {
            Ty::Int(ty) => *ty = new,
            _ => return false,
        },
        _ => return false,
    }
    true
}

fn is_number(it: &Expr) -> bool {
    matches!(
        it,
        Expr::Special { .. }
            | Expr::Binary(..)
            | Expr::Name(_)
            | Expr::Select(..)
            | Expr::Index(..)
    )
}

fn cast(case: &mut Case, random: &mut Random) -> bool {
    let casts = |it: &Expr| matches!(it, Expr::Cast(Ty::Int(_), _));
    if random.once_in(3)
        && change_expr(&mut case.program, random, casts, |it, random| {
            if let Expr::Cast(ty, _) = it {
                *ty = Ty::Int(some_type(random));
            }
        })
    {
        return true;
    }
    change_expr(&mut case.program, random, is_number, |it, random| {
        *it = Expr::Cast(Ty::Int(some_type(random)), Box::new(it.clone()));
    })
}

fn scope(case: &mut Case, random: &mut Random) -> bool {
    if case.program.language == Language::OpenCl {
        return false;
    }
    let want = |it: &Expr| matches!(it, Expr::Call(name, _) if name.starts_with("atomic") || name.starts_with("__threadfence"));
    change_expr(&mut case.program, random, want, |it, random| {
        let Expr::Call(name, _) = it else { return };
        let base = name.trim_end_matches("_block").trim_end_matches("_system").to_owned();
        *name = base + *random.pick(&["", "_block", "_system"]);
    })
}

fn atomic(case: &mut Case, random: &mut Random) -> bool {
    let want = |it: &Expr| matches!(it, Expr::Call(name, _) if name.starts_with("atomic"));
    let cuda = case.program.language == Language::Cuda;
    change_expr(&mut case.program, random, want, |it, random| {
        let Expr::Call(name, args) = it else { return };
        if random.once_in(3) && args.len() == 2 && cuda {
            // The plain way to do the same.
            let target = Expr::Unary(UnOp::Deref, Box::new(args[0].clone()));
            *it = Expr::Assign(Some(BinOp::Add), Box::new(target), Box::new(args[1].clone()));
            return;
        }
        let all = crate::builtin::ATOMICS;
        let other = random.pick(&all);
        *name = if cuda { other.0 } else { other.1 }.to_owned();
    })
}

/// Puts an expression of the program in place of another: indices, guards and values change places.
fn exchange(case: &mut Case, random: &mut Random) -> bool {
    let mut all = Vec::new();
    case.program.visit_exprs(&mut |it| {
        if is_number(it) || matches!(it, Expr::Int(..)) {
            all.push(it.clone());
        }
    });
    if all.is_empty() {
        return false;
    }
    let new = random.pick(&all).clone();
    change_expr(&mut case.program, random, is_number, |it, random| {
        *it = match random.below(4) {
            0 => Expr::binary(
                *random.pick(&[BinOp::Add, BinOp::Xor, BinOp::Sub]),
                it.clone(),
                new.clone(),
            ),
            _ => new.clone(),
        };
    })
}

fn launch(case: &mut Case, random: &mut Random) -> bool {
    match random.below(4) {
        0 => case.block = Size::Known([*random.pick(&[32, 64, 33, 96, 128, 48]), 1, 1]),
        1 => case.grid = Size::Known([*random.pick(&[1, 2, 3]), 1, 1]),
        2 => case.block = Size::Any,
        _ => case.grid = Size::Any,
    }
    true
}

/// What is stored becomes something simple, so that several threads may store the same.
fn value(case: &mut Case, random: &mut Random) -> bool {
    let want = |it: &Expr| matches!(it, Expr::Assign(None, ..));
    change_expr(&mut case.program, random, want, |it, random| {
        let Expr::Assign(_, _, from) = it else { return };
        **from = match random.below(3) {
            0 => Expr::int(random.below(3) as i64),
            1 => Expr::Special { what: Special::Thread, dim: 0, wide: false },
            _ => Expr::Special { what: Special::Block, dim: 0, wide: false },
        };
    })
}
