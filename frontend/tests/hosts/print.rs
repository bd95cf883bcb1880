//! Programs as C++.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::draw::{Expr, PARAMETERS, Program, Stmt, VARS};

/// Prints programs, and notes the line of each launch.
#[derive(Default)]
pub(crate) struct Printer {
    pub(crate) text: String,
    pub(crate) lines: HashMap<(usize, usize), u32>,
    pub(crate) program: usize,
}

impl Printer {
    pub(crate) fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    pub(crate) fn program(&mut self, program: &Program) {
        let n = self.program;
        self.line(&format!("__global__ void k{n}(int *o, int x, long y, unsigned z) {{"));
        self.line("  o[x] = y + z;\n}");
        let parameters: Vec<_> =
            (0..PARAMETERS).map(|v| format!("{} v{v}", program.types[v].name())).collect();
        self.line(&format!("void run{n}(int *out, {}) {{", parameters.join(", ")));
        for v in PARAMETERS..VARS {
            self.line(&format!("{} v{v} = 0;", program.types[v].name()));
        }
        // A pointer leads to variables of one type.
        self.line(&format!("{} *p = &v{};", program.types[0].name(), 0));
        self.block(program, &program.body);
        self.line("}");
        self.program += 1;
    }

    pub(crate) fn block(&mut self, program: &Program, block: &[Stmt]) {
        block.iter().for_each(|it| self.stmt(program, it));
    }

    pub(crate) fn stmt(&mut self, program: &Program, stmt: &Stmt) {
        match stmt {
            Stmt::Set(v, e) => self.line(&format!("v{v} = {};", text(e))),
            Stmt::SetThrough(e) => self.line(&format!("*p = {};", text(e))),
            Stmt::SetGlobal(e) => self.line(&format!("global = {};", text(e))),
            Stmt::Point(v) if program.types[*v] == program.types[0] => {
                self.line(&format!("p = &v{v};"));
            }
            Stmt::Point(..) => self.line(";"),
            Stmt::If(c, yes, no) => {
                self.line(&format!("if ({}) {{", text(c)));
                self.block(program, yes);
                self.line("} else {");
                self.block(program, no);
                self.line("}");
            }
            Stmt::For(v, from, to, step, body) => {
                let test = if *step < 0 { ">" } else { "<" };
                let head = format!("for (int i = {from}; i {test} {to}; i += {step}) {{");
                self.line(&head);
                self.line(&format!("v{v} = i;"));
                self.block(program, body);
                self.line("}");
            }
            Stmt::While(v, doubles, body) => {
                let step = if *doubles { "*= 2" } else { "/= 2" };
                self.line(&format!(
                    "for (int s = {}; s > 0 && s < 4096; s {step}) {{",
                    if *doubles { 1 } else { 1024 }
                ));
                self.line(&format!("v{v} = s;"));
                self.block(program, body);
                self.line("}");
            }
            Stmt::Switch(on, cases) => {
                self.line(&format!("switch ((int)({})) {{", text(on)));
                for (case, body, ends) in cases {
                    self.line(&format!("case {case}: {{"));
                    self.block(program, body);
                    self.line(if *ends { "} break;" } else { "}" });
                }
                self.line("}");
            }
            Stmt::Return => self.line("return;"),
            Stmt::Tick => self.line("tick();"),
            Stmt::Launch(site, [grid, block, x, y, z]) => {
                let line = 1 + self.text.matches('\n').count() as u32;
                self.lines.insert((self.program, *site), line);
                let mut call = String::new();
                let _infallible = write!(
                    call,
                    "k{}<<<{}, {}>>>(out, {}, {}, {});",
                    self.program,
                    text(grid),
                    text(block),
                    text(x),
                    text(y),
                    text(z)
                );
                self.line(&call);
            }
        }
    }
}

pub(crate) fn text(expr: &Expr) -> String {
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Var(v) => format!("v{v}"),
        Expr::Through => "*p".to_owned(),
        Expr::Binary(op, a, b) => format!("({} {op} {})", text(a), text(b)),
        Expr::Choice(c, a, b) => format!("({} ? {} : {})", text(c), text(a), text(b)),
        Expr::Cast(ty, a) => format!("({})({})", ty.name(), text(a)),
        Expr::Half(a) => format!("half({})", text(a)),
        Expr::Global => "global".to_owned(),
    }
}
