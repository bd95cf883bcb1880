//! Reads statements, and the inline assembly of named barriers.
//!
//! **Does not**: read `goto`, or other assembly.

use crate::lex::Token;
use crate::parse::Parser;
use crate::syntax::{Case, Expr, Stmt, Storage};

impl Parser {
    /// Statements up to the closing brace.
    pub(crate) fn statements(&mut self) -> Result<Vec<Stmt>, String> {
        let mut out = Vec::new();
        while !self.eat("}") {
            self.statement(&mut out)?;
        }
        Ok(out)
    }

    /// One statement or block, as a list.
    fn body(&mut self) -> Result<Vec<Stmt>, String> {
        if self.eat("{") {
            return self.statements();
        }
        let mut out = Vec::new();
        self.statement(&mut out)?;
        Ok(out)
    }

    fn condition(&mut self) -> Result<Expr, String> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    fn declaration(&mut self, out: &mut Vec<Stmt>) -> Result<(), String> {
        let specifiers = self.specifiers()?;
        let base = self.base_type()?;
        let storage = match &specifiers {
            it if it.external && it.shared => Storage::OpenShared,
            it if it.shared => Storage::Shared,
            it if it.constant || it.is_static && it.is_const => Storage::Table,
            it if it.is_static => return Err("a static variable".to_owned()),
            _ => Storage::Auto,
        };
        self.declarators(base, None, storage, specifiers.volatile, &mut |decl| {
            out.push(Stmt::Decl(decl));
        })
    }

    fn statement(&mut self, out: &mut Vec<Stmt>) -> Result<(), String> {
        if self.eat(";") {
            return Ok(());
        }
        if self.eat("{") {
            let body = self.statements()?;
            out.push(Stmt::Block(body));
            return Ok(());
        }
        if self.at_type() {
            return self.declaration(out);
        }
        let word = match self.peek() {
            Some(Token::Word(word)) => word.clone(),
            _ => String::new(),
        };
        let known = ["if", "for", "while", "do", "switch", "break", "continue", "return"];
        if known.contains(&word.as_str()) {
            self.at += 1;
        }
        let stmt = match word.as_str() {
            "if" => {
                let condition = self.condition()?;
                let then = self.body()?;
                let other = if self.eat_word("else") { self.body()? } else { Vec::new() };
                Stmt::If(condition, then, other)
            }
            "for" => self.for_loop()?,
            "while" => Stmt::While(self.condition()?, self.body()?),
            "do" => {
                let body = self.body()?;
                if !self.eat_word("while") {
                    return Err("do without while".to_owned());
                }
                let condition = self.condition()?;
                self.expect(";")?;
                Stmt::DoWhile(body, condition)
            }
            "switch" => self.switch()?,
            "break" => self.semicolon(Stmt::Break)?,
            "continue" => self.semicolon(Stmt::Continue)?,
            "return" if self.eat(";") => Stmt::Return(None),
            "return" => {
                let value = self.expression()?;
                self.semicolon(Stmt::Return(Some(value)))?
            }
            "asm" => return self.assembly(out),
            "goto" | "typedef" | "template" => return Err(word),
            _ => {
                let expr = self.expression()?;
                self.semicolon(Stmt::Expr(expr))?
            }
        };
        out.push(stmt);
        Ok(())
    }

    fn semicolon(&mut self, stmt: Stmt) -> Result<Stmt, String> {
        self.expect(";")?;
        Ok(stmt)
    }

    fn for_loop(&mut self) -> Result<Stmt, String> {
        self.expect("(")?;
        let mut init = Vec::new();
        if self.at_type() {
            self.declaration(&mut init)?;
        } else if !self.eat(";") {
            let first = self.expression()?;
            self.expect(";")?;
            init.push(Stmt::Expr(first));
        }
        let cond = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let body = self.body()?;
        Ok(Stmt::For { init, cond, step, body })
    }

    fn switch(&mut self) -> Result<Stmt, String> {
        let of = self.condition()?;
        self.expect("{")?;
        let mut cases: Vec<Case> = Vec::new();
        while !self.eat("}") {
            let label = if self.eat_word("case") {
                Some(Some(self.ternary()?))
            } else if self.eat_word("default") {
                Some(None)
            } else {
                None
            };
            match label {
                Some(label) => {
                    self.expect(":")?;
                    cases.push(Case { label, body: Vec::new() });
                }
                None => {
                    let mut case = cases.pop().ok_or("a statement before the first case")?;
                    self.statement(&mut case.body)?;
                    cases.push(case);
                }
            }
        }
        // Braces around the whole of a case are printed in any case.
        for case in &mut cases {
            if let [Stmt::Block(inner)] = &mut case.body[..] {
                case.body = std::mem::take(inner);
            }
        }
        Ok(Stmt::Switch(of, cases))
    }

    /// `asm volatile("bar.sync 1, 64;" ::: "memory")`, with the numbers in the text or as operands.
    fn assembly(&mut self, out: &mut Vec<Stmt>) -> Result<(), String> {
        self.at += 1;
        self.eat_word("volatile");
        self.expect("(")?;
        let Some(Token::Text(text)) = self.next() else { return Err("asm".to_owned()) };
        let mut operands = Vec::new();
        while !self.eat(")") {
            match self.next() {
                Some(Token::Text(kind)) if kind == "r" || kind == "n" => {
                    self.expect("(")?;
                    operands.push(self.expression()?);
                    self.expect(")")?;
                }
                Some(Token::Text(kind)) if kind != "memory" => return Err(format!("asm {kind}")),
                Some(_) => {}
                None => return Err("asm without end".to_owned()),
            }
        }
        self.expect(";")?;
        let text = text.trim().trim_end_matches(';');
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let name = match name {
            "bar.sync" | "barrier.sync.aligned" | "barrier.cta.sync.aligned" => "__bar_sync",
            "bar.arrive" => "__bar_arrive",
            _ => return Err(format!("asm {name}")),
        };
        let mut args = Vec::new();
        for part in rest.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            args.push(match part.strip_prefix('%') {
                Some(index) => {
                    let index = index.parse::<usize>().ok();
                    index.and_then(|it| operands.get(it)).cloned().ok_or("asm operand")?
                }
                None => Expr::int(part.parse::<i64>().map_err(|_| format!("asm {part}"))?),
            });
        }
        out.push(Stmt::Expr(Expr::Call(name.to_owned(), args)));
        Ok(())
    }
}
