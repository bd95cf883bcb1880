//! Changes of statements: barriers, guards, order, steps of loops, ways out.

use crate::case::Case;
use crate::mutate::some_type;
use crate::random::Random;
use crate::syntax::{
    BinOp, Decl, Expr, Language, Program, Special, Stmt, Storage, Ty, bodies_mut, visit_bodies,
};

/// A list of statements of the program, and a place in it.
fn change_body(
    program: &mut Program,
    random: &mut Random,
    change: impl Fn(&mut Vec<Stmt>, usize, &mut Random) -> bool,
) -> bool {
    let mut sizes = 0;
    for body in program.texts_mut() {
        visit_bodies(body, &mut |it| sizes += it.len());
    }
    if sizes == 0 {
        return false;
    }
    let chosen = random.below(sizes);
    let mut first = 0;
    let mut changed = false;
    let mut done = false;
    for body in program.texts_mut() {
        visit_bodies(body, &mut |it| {
            let length = it.len();
            if !done && (first..first + length).contains(&chosen) {
                done = true;
                changed = change(it, chosen - first, random);
            }
            first += length;
        });
    }
    changed
}

/// A barrier in the language.
fn some_barrier(language: Language, random: &mut Random) -> Stmt {
    let call = |name: &str, args: Vec<Expr>| Stmt::Expr(Expr::Call(name.to_owned(), args));
    let flag = |name: &str| Expr::Name(name.to_owned());
    match language {
        Language::Cuda if random.once_in(4) => call("__syncwarp", Vec::new()),
        Language::Cuda => call("__syncthreads", Vec::new()),
        Language::OpenCl => {
            let name = *random.pick(&["CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"]);
            call("barrier", vec![flag(name)])
        }
    }
}

fn is_barrier(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(Expr::Call(name, _))
        if name.starts_with("__sync") || name == "barrier" || name.starts_with("__bar_"))
}

pub(crate) fn barrier(case: &mut Case, random: &mut Random) -> bool {
    let language = case.program.language;
    if random.once_in(3) {
        return change_body(&mut case.program, random, |body, at, random| {
            body.insert(at + random.below(2), some_barrier(language, random));
            true
        });
    }
    let mut count = 0;
    for body in case.program.texts_mut() {
        visit_bodies(body, &mut |it| count += it.iter().filter(|it| is_barrier(it)).count());
    }
    if count == 0 {
        return false;
    }
    let (chosen, how) = (random.below(count), random.below(5));
    let warp = some_barrier(language, random);
    let mut index = 0;
    for body in case.program.texts_mut() {
        visit_bodies(body, &mut |it| {
            let places: Vec<usize> = (0..it.len()).filter(|at| is_barrier(&it[*at])).collect();
            for at in places {
                if index == chosen {
                    match how {
                        0 | 1 => drop(it.remove(at)),
                        2 if at > 0 => it.swap(at, at - 1),
                        3 if at + 1 < it.len() => it.swap(at, at + 1),
                        _ => it[at] = warp.clone(),
                    }
                    index += 1;
                    return;
                }
                index += 1;
            }
        });
    }
    true
}

/// A condition over ids, made of what kernels use.
fn some_condition(random: &mut Random) -> Expr {
    let special = |what| Expr::Special { what, dim: 0, wide: false };
    let thread = special(if random.once_in(6) { Special::Block } else { Special::Thread });
    let number = Expr::int(*random.pick(&[0, 1, 2, 3, 16, 31, 32, 33, 63, 64]));
    let op = *random.pick(&[BinOp::Lt, BinOp::Eq, BinOp::Ne, BinOp::Gt, BinOp::Le, BinOp::Ge]);
    let left = match random.below(4) {
        0 => Expr::binary(BinOp::Rem, thread, Expr::int(*random.pick(&[2, 3, 32]))),
        1 => Expr::binary(BinOp::And, thread, Expr::int(*random.pick(&[1, 3, 31, 32]))),
        _ => thread,
    };
    // Comparisons bind more than `&`, so the tree says what is meant.
    Expr::binary(op, left, number)
}

pub(crate) fn guard(case: &mut Case, random: &mut Random) -> bool {
    change_body(&mut case.program, random, |body, at, random| {
        let how = random.below(4);
        if let Stmt::If(condition, then, other) = &mut body[at] {
            match how {
                0 => std::mem::swap(then, other),
                1 => *condition = some_condition(random),
                2 => {
                    let old = condition.clone();
                    let op = *random.pick(&[BinOp::LogAnd, BinOp::LogOr]);
                    *condition = Expr::binary(op, old, some_condition(random));
                }
                _ => {
                    let then = std::mem::take(then);
                    body.splice(at..=at, then);
                }
            }
            return true;
        }
        if matches!(body[at], Stmt::Decl(_)) {
            return false;
        }
        let inner = body.remove(at);
        body.insert(at, Stmt::If(some_condition(random), vec![inner], Vec::new()));
        true
    })
}

pub(crate) fn swap(case: &mut Case, random: &mut Random) -> bool {
    change_body(&mut case.program, random, |body, at, _| {
        let possible = at + 1 < body.len();
        if possible {
            body.swap(at, at + 1);
        }
        possible
    })
}

pub(crate) fn delete(case: &mut Case, random: &mut Random) -> bool {
    change_body(&mut case.program, random, |body, at, _| {
        body.remove(at);
        true
    })
}

pub(crate) fn duplicate(case: &mut Case, random: &mut Random) -> bool {
    change_body(&mut case.program, random, |body, at, random| {
        let copy = body[at].clone();
        let place = at + 1 + random.below(body.len() - at);
        body.insert(place, copy);
        true
    })
}

/// Changes how a loop steps.
pub(crate) fn step(case: &mut Case, random: &mut Random) -> bool {
    change_body(&mut case.program, random, |body, at, random| {
        let Stmt::For { step: Some(step), .. } = &mut body[at] else { return false };
        let counter = match step {
            Expr::Step { of, .. } => (**of).clone(),
            Expr::Assign(_, to, _) => (**to).clone(),
            _ => return false,
        };
        let ops = [
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::Div,
            BinOp::Shl,
            BinOp::Shr,
            BinOp::Rem,
            BinOp::Xor,
        ];
        let op = *random.pick(&ops);
        let by = match random.below(4) {
            0 => Expr::Special { what: Special::BlockSize, dim: 0, wide: false },
            1 => Expr::int(*random.pick(&[1, 2, 3, 5, 7, 16, 32, 33, 64])),
            _ => Expr::int(*random.pick(&[1, 2, 2, 4])),
        };
        *step = Expr::Assign(Some(op), Box::new(counter), Box::new(by));
        true
    })
}

/// A way out under a guard.
pub(crate) fn leave(case: &mut Case, random: &mut Random) -> bool {
    change_body(&mut case.program, random, |body, at, random| {
        let out = match random.below(3) {
            0 => Stmt::Return(None),
            1 => Stmt::Break,
            _ => Stmt::Continue,
        };
        let guarded = Stmt::If(some_condition(random), vec![out], Vec::new());
        match bodies_mut(&mut body[at]).into_iter().next() {
            Some(inner) if random.once_in(2) => {
                let place = random.below(inner.len() + 1);
                inner.insert(place, guarded);
            }
            _ => body.insert(at, guarded),
        }
        true
    })
}

/// A loop or a block around a statement.
pub(crate) fn wrap(case: &mut Case, random: &mut Random) -> bool {
    change_body(&mut case.program, random, |body, at, random| {
        if matches!(body[at], Stmt::Decl(_)) {
            return false;
        }
        let inner = body.remove(at);
        let name = format!("w{}", random.below(1000));
        let start = Expr::int(*random.pick(&[0, 1, 2, 64, -8]));
        let ty = Ty::Int(some_type(random));
        let init = Some(crate::syntax::Init::Expr(start));
        let (storage, volatile) = (Storage::Auto, false);
        let decl = Decl { ty, name: name.clone(), storage, volatile, init };
        let counter = Expr::Name(name);
        let limit = Expr::int(*random.pick(&[2, 3, 4, 10, 100]));
        let condition = Expr::binary(*random.pick(&[BinOp::Lt, BinOp::Ne]), counter.clone(), limit);
        let op = *random.pick(&[BinOp::Add, BinOp::Add, BinOp::Mul, BinOp::Shl, BinOp::Xor]);
        let by = Expr::int(*random.pick(&[1, 1, 2, 3]));
        let step = Expr::Assign(Some(op), Box::new(counter), Box::new(by));
        body.insert(
            at,
            Stmt::For {
                init: vec![Stmt::Decl(decl)],
                cond: Some(condition),
                step: Some(step),
                body: vec![inner],
            },
        );
        true
    })
}
