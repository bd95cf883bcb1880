//! Statements: control flow, declarations, calls, which are inlined.
//!
//! **Promises**: each loop counts its iterations, so that a barrier knows which one it is in.
//! **Does not**: know `goto`.

use std::collections::HashMap;

use crate::code::Kind;
use crate::code::{Op, PRIVATE, Value, address};
use crate::layout::size_and_align;
use crate::lower::{Home, Jumps, Lower, Return, Variable, kind_of, names_in_memory};
use crate::syntax::{Decl, Expr, Function, Init, IntTy, Stmt, Storage, Ty, UnOp};

impl Lower<'_> {
    /// A block of statements with a scope of its own.
    pub(crate) fn body(&mut self, stmts: &[Stmt]) -> Result<(), String> {
        self.scopes.push(HashMap::new());
        for stmt in stmts {
            self.stmt(stmt)?;
        }
        self.scopes.pop();
        Ok(())
    }

    fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    pub(crate) fn jump(&mut self, make: fn(u32) -> Op) -> usize {
        self.ops.push(make(0));
        self.ops.len() - 1
    }

    pub(crate) fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.ops[jump] {
            Op::Jump(to) | Op::JumpIf(to) | Op::JumpUnless(to) => *to = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }

    /// Whether an expression is of a volatile parameter or global, or of what it points to.
    fn is_volatile(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(name) => {
                let params = self.program.kernel.params.iter().map(|it| (&it.name, it.volatile));
                let globals = self.program.globals.iter().map(|it| (&it.name, it.volatile));
                params.chain(globals).any(|(it, volatile)| volatile && it == name)
            }
            Expr::Index(base, _) | Expr::Member(base, ..) | Expr::Unary(UnOp::Deref, base) => {
                self.is_volatile(base)
            }
            Expr::Binary(_, base, _) => self.is_volatile(base),
            _ => false,
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        match stmt {
            Stmt::Decl(decl) => self.decl(decl),
            // A value that is not used is not read, unless it is volatile (C++17, [expr.context]).
            Stmt::Expr(
                expr @ (Expr::Name(_)
                | Expr::Index(..)
                | Expr::Member(..)
                | Expr::Unary(UnOp::Deref, _)),
            ) if !self.is_volatile(expr) => Ok(()),
            Stmt::Expr(expr) => {
                let ty = self.expr(expr)?;
                if ty != Ty::Void {
                    self.ops.push(Op::Pop);
                }
                Ok(())
            }
            Stmt::If(condition, then, other) => {
                self.condition(condition)?;
                let past = self.jump(Op::JumpUnless);
                self.body(then)?;
                if other.is_empty() {
                    self.land(past);
                    return Ok(());
                }
                let end = self.jump(Op::Jump);
                self.land(past);
                self.body(other)?;
                self.land(end);
                Ok(())
            }
            Stmt::For { init, cond, step, body } => {
                self.scopes.push(HashMap::new());
                for stmt in init {
                    self.stmt(stmt)?;
                }
                self.cycle(cond.as_ref(), step.as_ref(), body, false)?;
                self.scopes.pop();
                Ok(())
            }
            Stmt::While(condition, body) => self.cycle(Some(condition), None, body, false),
            Stmt::DoWhile(body, condition) => self.cycle(Some(condition), None, body, true),
            Stmt::Switch(of, cases) => {
                let Ty::Int(ty) = self.expr(of)? else { return Err("switch".to_owned()) };
                let ty = crate::layout::promoted(ty);
                let value = self.slot();
                self.ops.push(Op::ToInt(ty));
                self.ops.push(Op::SetSlot(value));
                let mut entries = Vec::new();
                let mut labels = Vec::new();
                for case in cases {
                    let Some(label) = &case.label else {
                        entries.push(None);
                        continue;
                    };
                    let number = match label {
                        Expr::Int(number, _) => *number as i64,
                        Expr::Unary(UnOp::Neg, inner) => match &**inner {
                            Expr::Int(number, _) => -(*number as i64),
                            _ => return Err("case".to_owned()),
                        },
                        _ => return Err("case".to_owned()),
                    };
                    if labels.contains(&number) {
                        return Err("case twice".to_owned());
                    }
                    labels.push(number);
                    self.ops.push(Op::Slot(value));
                    self.ops.push(Op::Push(Value::new(crate::arith::extend(number as u64, ty))));
                    self.ops.push(Op::Compare(crate::syntax::BinOp::Eq, ty.signed));
                    entries.push(Some(self.jump(Op::JumpIf)));
                }
                if entries.iter().filter(|it| it.is_none()).count() > 1 {
                    return Err("default twice".to_owned());
                }
                let otherwise = self.jump(Op::Jump);
                self.exits.push(Jumps::default());
                let mut had_default = false;
                for (case, entry) in cases.iter().zip(entries) {
                    match entry {
                        Some(jump) => self.land(jump),
                        None => {
                            had_default = true;
                            self.land(otherwise);
                        }
                    }
                    self.body(&case.body)?;
                }
                if !had_default {
                    self.land(otherwise);
                }
                let jumps = self.exits.pop().ok_or("no switch")?;
                jumps.breaks.into_iter().for_each(|it| self.land(it));
                Ok(())
            }
            Stmt::Break => {
                let jump = self.jump(Op::Jump);
                self.exits.last_mut().ok_or("break outside")?.breaks.push(jump);
                Ok(())
            }
            Stmt::Continue => {
                let jump = self.jump(Op::Jump);
                let around = self.exits.iter_mut().rev().find(|it| it.is_loop);
                around.ok_or("continue outside")?.continues.push(jump);
                Ok(())
            }
            Stmt::Return(value) => self.return_(value.as_ref()),
            Stmt::Block(body) => self.body(body),
        }
    }

    fn cycle(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &[Stmt],
        body_first: bool,
    ) -> Result<(), String> {
        let counter = self.slot();
        let barriers = self.barriers.len();
        self.ops.push(Op::LoopEnter(counter));
        let start = self.here();
        self.loops.push(counter);
        self.exits.push(Jumps { is_loop: true, ..Jumps::default() });
        let mut out = None;
        if let (Some(condition), false) = (condition, body_first) {
            self.condition(condition)?;
            out = Some(self.jump(Op::JumpUnless));
        }
        self.body(body)?;
        let jumps = self.exits.pop().ok_or("no loop")?;
        jumps.continues.into_iter().for_each(|it| self.land(it));
        if let (Some(condition), true) = (condition, body_first) {
            self.condition(condition)?;
            out = Some(self.jump(Op::JumpUnless));
        }
        if let Some(step) = step
            && self.expr(step)? != Ty::Void
        {
            self.ops.push(Op::Pop);
        }
        self.ops.push(Op::LoopNext(counter));
        self.ops.push(Op::Jump(start));
        self.loops.pop();
        let end = self.ops.len();
        self.barriers[barriers..].iter_mut().for_each(|it| it.end = end);
        out.into_iter().chain(jumps.breaks).for_each(|it| self.land(it));
        Ok(())
    }

    fn return_(&mut self, value: Option<&Expr>) -> Result<(), String> {
        let result = self.returns.last().and_then(|it| it.result.clone());
        if self.returns.len() == 1 {
            if value.is_some() {
                return Err("a kernel returns nothing".to_owned());
            }
            self.ops.push(Op::Exit(Some(self.loops.clone())));
            return Ok(());
        }
        match (value, result) {
            (Some(value), Some((ty, slot))) => {
                let from = self.expr(value)?;
                self.convert(&from, &ty)?;
                self.ops.push(Op::SetSlot(slot));
            }
            (None, None) => {}
            _ => return Err("return".to_owned()),
        }
        let jump = self.jump(Op::Jump);
        if let Some(last) = self.returns.last_mut() {
            last.jumps.push(jump);
        }
        Ok(())
    }

    fn decl(&mut self, decl: &Decl) -> Result<(), String> {
        if decl.storage != Storage::Auto {
            let function = self.returns.last().map_or(String::new(), |it| it.function.clone());
            // The same declaration, met again as the function is inlined once more, is the same
            // variable. Two of one name in one function would be told apart by their order, which
            // inlining does not keep: refused.
            let key = (function, decl.name.clone());
            let variable = match self.fixed.get(&(key.0.clone(), key.1.clone(), 0)) {
                Some(variable) if variable.ty == decl.ty => variable.clone(),
                Some(_) => return Err(format!("{} twice", decl.name)),
                None => self.fixed_variable(decl)?,
            };
            self.seen_in_function.insert(key.clone(), 0);
            self.fixed.insert((key.0, key.1, 0), variable.clone());
            return self.declare(&decl.name, variable);
        }
        let ty = decl.ty.clone();
        let (_, _) = size_and_align(self.program, &ty)?;
        let in_memory = kind_of(&ty).is_none() || self.in_memory.contains(&decl.name);
        let home = if in_memory {
            Home::Private(self.private_bytes(&ty)?)
        } else {
            Home::Slot(self.slot())
        };
        let variable = Variable { ty: ty.clone(), home };
        match (&decl.init, home) {
            (Some(Init::Expr(expr)), _) if matches!(ty, Ty::Aggregate(_)) => {
                self.declare(&decl.name, variable)?;
                let target = Expr::Name(decl.name.clone());
                let assign = Expr::Assign(None, Box::new(target), Box::new(expr.clone()));
                self.expr(&assign)?;
                return Ok(());
            }
            (Some(Init::Expr(expr)), Home::Slot(slot)) => {
                let from = self.expr(expr)?;
                self.convert(&from, &ty)?;
                self.ops.push(Op::SetSlot(slot));
            }
            (Some(Init::Expr(expr)), Home::Private(at)) => {
                let Some(kind) = kind_of(&ty) else { return Err("initialiser".to_owned()) };
                self.ops.push(Op::Push(Value::new(address(PRIVATE, at))));
                let from = self.expr(expr)?;
                self.convert(&from, &ty)?;
                self.store(kind);
                self.ops.push(Op::Pop);
            }
            (Some(Init::List(parts)), Home::Private(at)) => {
                self.list(&ty, parts, at)?;
            }
            (None, Home::Slot(slot)) => {
                self.ops.push(Op::Push(Value::UNDEF));
                self.ops.push(Op::SetSlot(slot));
            }
            (None, Home::Private(_)) => {}
            (Some(_), _) => return Err("initialiser".to_owned()),
            (None, Home::At(_)) => return Err("storage".to_owned()),
        }
        self.declare(&decl.name, variable)
    }

    /// `{a, b}` of an array of scalars; the rest is zero.
    fn list(&mut self, ty: &Ty, parts: &[Init], at: u64) -> Result<(), String> {
        let Ty::Array(of, length) = ty else { return Err("initialiser".to_owned()) };
        let Some(kind) = kind_of(of) else { return Err("initialiser".to_owned()) };
        if parts.len() as u64 > *length || *length > 64 {
            return Err("initialiser".to_owned());
        }
        for index in 0..*length {
            let place = address(PRIVATE, at + index * kind.bytes());
            self.ops.push(Op::Push(Value::new(place)));
            match parts.get(index as usize) {
                Some(Init::Expr(expr)) => {
                    let from = self.expr(expr)?;
                    self.convert(&from, of)?;
                }
                Some(Init::List(_)) => return Err("initialiser".to_owned()),
                None => self.ops.push(Op::Push(Value::new(0))),
            }
            self.store(kind);
            self.ops.push(Op::Pop);
        }
        Ok(())
    }

    pub(crate) fn store(&mut self, kind: Kind) {
        self.ops.push(Op::Store(kind));
    }

    /// Inlines a call to a function of the program. Its arguments are not yet computed.
    pub(crate) fn call(&mut self, function: &Function, args: &[Expr]) -> Result<Ty, String> {
        if self.returns.iter().any(|it| it.function == function.name) {
            return Err("recursion".to_owned());
        }
        if args.len() != function.params.len() {
            return Err("number of arguments".to_owned());
        }
        let mut scope = HashMap::new();
        for (param, arg) in function.params.iter().zip(args) {
            let from = self.expr(arg)?;
            self.convert(&from, &param.ty)?;
            if kind_of(&param.ty).is_none() {
                return Err("a structure as argument".to_owned());
            }
            let slot = self.slot();
            self.ops.push(Op::SetSlot(slot));
            let home = Home::Slot(slot);
            scope.insert(param.name.clone(), Variable { ty: param.ty.clone(), home });
        }
        let result = (function.result != Ty::Void).then(|| (function.result.clone(), self.slot()));
        if let Some((_, slot)) = &result {
            self.ops.push(Op::Push(Value::UNDEF));
            self.ops.push(Op::SetSlot(*slot));
        }
        // The body sees the globals and its parameters.
        let globals = self.scopes[0].clone();
        let outer = std::mem::replace(&mut self.scopes, vec![globals, scope]);
        let in_memory = names_in_memory(&function.body);
        if function.params.iter().any(|it| in_memory.contains(&it.name)) {
            return Err("the address of a parameter".to_owned());
        }
        let in_memory = std::mem::replace(&mut self.in_memory, in_memory);
        let exits = std::mem::take(&mut self.exits);
        let name = function.name.clone();
        self.returns.push(Return { function: name, result: result.clone(), jumps: Vec::new() });
        self.body(&function.body)?;
        let jumps = self.returns.pop().map_or(Vec::new(), |it| it.jumps);
        jumps.into_iter().for_each(|it| self.land(it));
        self.scopes = outer;
        self.in_memory = in_memory;
        self.exits = exits;
        if let Some((_, slot)) = result {
            self.ops.push(Op::Slot(slot));
        }
        Ok(function.result.clone())
    }

    /// A value as a condition: one bit on the stack.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Result<(), String> {
        let ty = self.expr(expr)?;
        self.convert(&ty, &Ty::Int(IntTy::BOOL))
    }
}
