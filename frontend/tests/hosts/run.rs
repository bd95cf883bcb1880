//! Runs programs. What C++ leaves undefined ends a run without an answer.

use heddle_ir::mask;

use crate::draw::{Expr, INT, Program, Stmt, Type};

/// A launch that a run does: site, grid, block, arguments.
pub(crate) type Done = (usize, [u32; 2], [u64; 3]);

/// A run of a program.
pub(crate) struct Run<'a> {
    pub(crate) program: &'a Program,
    pub(crate) values: Vec<i128>,
    pub(crate) points_to: usize,
    pub(crate) global: i128,
    pub(crate) left: usize,
    pub(crate) done: Vec<Done>,
}

/// What a statement ends with: goes on, returns; `None` for undefined behaviour or a run too long.
pub(crate) type Goes = Option<bool>;

impl Run<'_> {
    pub(crate) fn block(&mut self, block: &[Stmt]) -> Goes {
        for stmt in block {
            if !self.stmt(stmt)? {
                return Some(false);
            }
        }
        Some(true)
    }

    pub(crate) fn set(&mut self, v: usize, value: i128) {
        self.values[v] = self.program.types[v].cut(value);
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) -> Goes {
        self.left = self.left.checked_sub(1)?;
        match stmt {
            Stmt::Set(v, e) => {
                let (value, _) = self.eval(e)?;
                self.set(*v, value);
            }
            Stmt::SetThrough(e) => {
                let (value, _) = self.eval(e)?;
                self.set(self.points_to, value);
            }
            Stmt::SetGlobal(e) => self.global = INT.cut(self.eval(e)?.0),
            Stmt::Point(v) => {
                if self.program.types[*v] == self.program.types[0] {
                    self.points_to = *v;
                }
            }
            Stmt::If(c, yes, no) => {
                let taken = if self.eval(c)?.0 != 0 { yes } else { no };
                return self.block(taken);
            }
            Stmt::For(v, from, to, step, body) => {
                let mut i = *from;
                while if *step < 0 { i > *to } else { i < *to } {
                    self.set(*v, i);
                    if !self.block(body)? {
                        return Some(false);
                    }
                    i += step;
                }
            }
            Stmt::While(v, doubles, body) => {
                let mut s = if *doubles { 1 } else { 1024 };
                while s > 0 && s < 4096 {
                    self.set(*v, s);
                    if !self.block(body)? {
                        return Some(false);
                    }
                    s = if *doubles { s * 2 } else { s / 2 };
                }
            }
            Stmt::Switch(on, cases) => {
                let value = INT.cut(self.eval(on)?.0);
                let first = cases.iter().position(|it| it.0 == value);
                for (_, body, ends) in cases.iter().skip(first.unwrap_or(cases.len())) {
                    if !self.block(body)? {
                        return Some(false);
                    }
                    if *ends {
                        break;
                    }
                }
            }
            Stmt::Return => return Some(false),
            // Somebody else's code: it may do this.
            Stmt::Tick => self.global = INT.cut(self.global * 31 + 7),
            Stmt::Launch(site, [grid, block, x, y, z]) => {
                let size = |run: &mut Self, e| Some(mask(run.eval(e)?.0 as u128, 32) as u32);
                let (grid, block) = (size(self, grid)?, size(self, block)?);
                let bits =
                    |run: &mut Self, e, width| Some(mask(run.eval(e)?.0 as u128, width) as u64);
                let args = [bits(self, x, 32)?, bits(self, y, 64)?, bits(self, z, 32)?];
                self.done.push((*site, [grid, block], args));
            }
        }
        Some(true)
    }

    pub(crate) fn eval(&self, expr: &Expr) -> Option<(i128, Type)> {
        Some(match expr {
            Expr::Const(value) => (*value, INT),
            Expr::Var(v) => (self.values[*v], self.program.types[*v]),
            Expr::Through => (self.values[self.points_to], self.program.types[0]),
            Expr::Global => (self.global, INT),
            Expr::Cast(ty, a) => (ty.cut(self.eval(a)?.0), *ty),
            Expr::Half(a) => {
                let value = INT.cut(self.eval(a)?.0);
                (if value > 100 { value / 2 } else { value }, INT)
            }
            Expr::Choice(c, a, b) => {
                let chosen = if self.eval(c)?.0 != 0 { a } else { b };
                let ty = self.type_of(a).common(self.type_of(b));
                (ty.cut(self.eval(chosen)?.0), ty)
            }
            Expr::Binary("&&", a, b) => {
                (i128::from(self.eval(a)?.0 != 0 && self.eval(b)?.0 != 0), INT)
            }
            Expr::Binary("||", a, b) => {
                (i128::from(self.eval(a)?.0 != 0 || self.eval(b)?.0 != 0), INT)
            }
            Expr::Binary(op, a, b) => {
                let ((a, ta), (b, tb)) = (self.eval(a)?, self.eval(b)?);
                if let "<<" | ">>" = *op {
                    let ty = ta.promoted();
                    let a = ty.cut(a);
                    return Some((ty.cut(if *op == "<<" { a << b } else { a >> b }), ty));
                }
                let ty = ta.common(tb);
                let (a, b) = (ty.cut(a), ty.cut(b));
                let test = |it: bool| Some((i128::from(it), INT));
                let value = match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a.checked_mul(b)?,
                    "/" => a / b,
                    "%" => a % b,
                    "&" => a & b,
                    "|" => a | b,
                    "^" => a ^ b,
                    "<" => return test(a < b),
                    "<=" => return test(a <= b),
                    ">" => return test(a > b),
                    ">=" => return test(a >= b),
                    "==" => return test(a == b),
                    "!=" => return test(a != b),
                    other => unreachable!("{other}"),
                };
                // A signed result that does not fit is undefined.
                (!ty.signed || ty.cut(value) == value).then_some(())?;
                (ty.cut(value), ty)
            }
        })
    }

    pub(crate) fn type_of(&self, expr: &Expr) -> Type {
        match expr {
            Expr::Const(_) | Expr::Half(_) | Expr::Global => INT,
            Expr::Var(v) => self.program.types[*v],
            Expr::Through => self.program.types[0],
            Expr::Cast(ty, _) => *ty,
            Expr::Choice(_, a, b) => self.type_of(a).common(self.type_of(b)),
            Expr::Binary("<<" | ">>", a, _) => self.type_of(a).promoted(),
            Expr::Binary("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^", a, b) => {
                self.type_of(a).common(self.type_of(b))
            }
            Expr::Binary(..) => INT,
        }
    }
}
