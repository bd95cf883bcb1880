//! Prints a kernel: numbering, the tree, and the table of source places.

use std::fmt::Write;

use cranelift_entity::{EntitySet, SecondaryMap};

use super::bind::Bindings;
use super::print_expr::Terms;
use super::{escaped, is_word, push_line, quoted, quoted_unless_word};
use crate::entity::{ExprId, LoopId, OpId, OriginId, VarId};
use crate::expr::ExprKind;
use crate::kernel::{Item, Kernel, Loop, Origin, Region, Span, Var};

/// Terms are broken up long before; this only bounds what a wrong kernel could do.
const DEPTH: u32 = 64;

/// The textual form of a kernel.
pub fn print_kernel(kernel: &Kernel) -> String {
    let mut printer = Printer {
        kernel,
        bindings: Bindings::of(kernel),
        out: String::new(),
        indent: 0,
        values: 0,
        tokens: SecondaryMap::new(),
        var_exprs: SecondaryMap::new(),
        result_exprs: SecondaryMap::new(),
        loops: 0,
        origins: SecondaryMap::new(),
        origin_order: Vec::new(),
        entered: EntitySet::new(),
        loop_tokens: SecondaryMap::new(),
    };
    for (id, expr) in kernel.exprs.iter() {
        match expr.kind {
            ExprKind::Var(var) => printer.var_exprs[var] = Some(id),
            ExprKind::Result(op, index) => printer.result_exprs[op].push((index, id)),
            _ => {}
        }
    }
    super::print_header::header(kernel, &mut printer.out);
    printer.out.push_str("{\n");
    printer.indent = 1;
    printer.region(None, &kernel.body);
    printer.out.push_str("}\n");
    printer.places();
    printer.out
}

impl std::fmt::Display for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&print_kernel(self))
    }
}

pub(super) struct Printer<'k> {
    pub(super) kernel: &'k Kernel,
    bindings: Bindings,
    pub(super) out: String,
    indent: usize,
    values: u32,
    tokens: SecondaryMap<ExprId, Option<String>>,
    var_exprs: SecondaryMap<VarId, Option<ExprId>>,
    result_exprs: SecondaryMap<OpId, Vec<(u32, ExprId)>>,
    loops: u32,
    loop_tokens: SecondaryMap<LoopId, Option<u32>>,
    origins: SecondaryMap<OriginId, Option<u32>>,
    origin_order: Vec<OriginId>,
    entered: EntitySet<LoopId>,
}

impl Printer<'_> {
    fn region(&mut self, of: Option<LoopId>, region: &Region) {
        for (index, item) in region.items.iter().enumerate() {
            self.bind(of, index);
            match *item {
                Item::Op(op) if self.kernel.ops.is_valid(op) => self.op_line(op),
                Item::Loop(id) if self.kernel.loops.is_valid(id) && self.entered.insert(id) => {
                    self.loop_lines(id);
                }
                Item::Op(id) => self.line(&format!("?{id}")),
                Item::Loop(id) => self.line(&format!("?{id}")),
            }
        }
        self.bind(of, region.items.len());
    }

    fn bind(&mut self, of: Option<LoopId>, item: usize) {
        for id in self.bindings.before(of, item).to_vec() {
            let mut line = String::new();
            self.terms().node(&mut line, id, None, DEPTH);
            let token = self.token(self.kernel.names.get(&id).map(String::as_str));
            self.line(&format!("{token} = {line}"));
            self.tokens[id] = Some(bare(&token));
        }
    }

    fn op_line(&mut self, id: OpId) {
        let op = &self.kernel[id];
        let mut line = String::new();
        if self.kernel.exprs.as_const(op.pred) != Some(1) {
            line.push('[');
            self.terms().term(&mut line, op.pred, Some(1), DEPTH);
            line.push_str("] ");
        }
        let mut kind = String::new();
        super::print_op::kind(&self.terms(), &op.kind, DEPTH, &mut kind);
        for (index, width) in op.results.iter().enumerate() {
            let exprs: Vec<ExprId> = self.result_exprs[id]
                .iter()
                .filter(|(n, _)| *n as usize == index)
                .map(|(_, expr)| *expr)
                .collect();
            let hint = exprs.iter().find_map(|expr| self.kernel.names.get(expr));
            let token = self.token(hint.map(String::as_str));
            line.push_str(if index == 0 { "" } else { ", " });
            _ = write!(line, "{token}: i{width}");
            for expr in exprs {
                self.tokens[expr] = Some(bare(&token));
            }
        }
        line.push_str(if op.results.is_empty() { "" } else { " = " });
        line.push_str(&kind);
        self.origin_suffix(&mut line, op.origin);
        self.line(&line);
    }

    fn loop_lines(&mut self, id: LoopId) {
        let Loop { pred, vars, body, cont, parent: _, origin } = &self.kernel[id];
        let mut line = format!("loop @loop{}", self.loops);
        self.loop_tokens[id] = Some(self.loops);
        self.loops += 1;
        if self.kernel.exprs.as_const(*pred) != Some(1) {
            line.push_str(" if ");
            self.terms().term(&mut line, *pred, Some(1), DEPTH);
        }
        line.push_str(" {");
        self.origin_suffix(&mut line, *origin);
        // A variable starts with a value of the outside: none of its own is named yet.
        let mut lines = Vec::new();
        let mut defined = Vec::new();
        for &var in vars.iter().filter(|var| self.kernel.vars.is_valid(**var)) {
            let Var { of: _, width, init, next: _, name } = &self.kernel[var];
            let token = self.token(name.as_deref());
            let mut text = format!("var {token}");
            if let Some(hint) = self.var_exprs[var].and_then(|expr| self.kernel.names.get(&expr)) {
                _ = write!(text, " as {}", quoted_unless_word(hint));
            }
            _ = write!(text, ": i{width} = ");
            self.terms().term(&mut text, *init, Some(*width), DEPTH);
            lines.push(text);
            defined.push((var, bare(&token)));
        }
        self.line(&line);
        self.indent += 1;
        lines.iter().for_each(|line| self.line(line));
        for (var, token) in &defined {
            if let Some(expr) = self.var_exprs[*var] {
                self.tokens[expr] = Some(token.clone());
            }
        }
        self.region(Some(id), body);
        for (var, token) in &defined {
            let Var { width, next, .. } = &self.kernel[*var];
            if Some(*next) != self.var_exprs[*var] {
                let mut text = format!("next {token} = ");
                self.terms().term(&mut text, *next, Some(*width), DEPTH);
                self.line(&text);
            }
        }
        let mut text = "while ".to_owned();
        self.terms().term(&mut text, *cont, Some(1), DEPTH);
        self.line(&text);
        self.indent -= 1;
        self.line("}");
    }

    fn terms(&self) -> Terms<'_> {
        Terms {
            kernel: self.kernel,
            tokens: &self.tokens,
            loops: Some(&self.loop_tokens),
            source_names: false,
        }
    }

    fn line(&mut self, text: &str) {
        push_line(&mut self.out, self.indent, text);
    }

    /// A fresh name with the source's name in or after it.
    fn token(&mut self, hint: Option<&str>) -> String {
        let number = self.values;
        self.values += 1;
        match hint {
            Some(name) if is_word(name) => format!("%{name}.{number}"),
            Some(name) => format!("%{number} {}", quoted(name)),
            None => format!("%{number}"),
        }
    }

    fn origin_suffix(&mut self, line: &mut String, id: OriginId) {
        let number = self.origin_number(id);
        _ = write!(line, " @at{number}");
        if let Some(place) = place(self.kernel, id) {
            _ = write!(line, " ; {place}");
        }
    }

    fn origin_number(&mut self, id: OriginId) -> u32 {
        *self.origins[id].get_or_insert_with(|| {
            self.origin_order.push(id);
            self.origin_order.len() as u32 - 1
        })
    }

    fn places(&mut self) {
        for file in &self.kernel.files {
            _ = writeln!(self.out, "file {}", quoted(file));
        }
        let mut done = 0;
        while done < self.origin_order.len() {
            let Some(origin) = self.kernel.origins.get(self.origin_order[done]) else {
                done += 1;
                continue;
            };
            let Origin { function, source_function, ordinal, span, inlined_at } = origin;
            let mut line = format!("at{done} in {}", quoted_unless_word(function));
            if let Some(name) = source_function {
                _ = write!(line, " from {}", quoted_unless_word(name));
            }
            if let Some(ordinal) = ordinal {
                _ = write!(line, " ordinal {ordinal}");
            }
            if let Some(Span { file, line: row, column }) = span {
                _ = write!(line, " span {file} {row} {column}");
            }
            if let Some(at) = inlined_at {
                let number = self.origin_number(*at);
                _ = write!(line, " inlined @at{number}");
            }
            _ = writeln!(self.out, "{line}");
            done += 1;
        }
    }
}

/// A token without the name after it.
fn bare(token: &str) -> String {
    token.split(' ').next().unwrap_or_default().to_owned()
}

/// `k.cu:5:3, inlined at k.cu:9:1`, for readers.
fn place(kernel: &Kernel, id: OriginId) -> Option<String> {
    let mut out = String::new();
    let mut at = kernel.origins.get(id);
    for _ in 0..16 {
        let Some(origin) = at else { break };
        let span = origin.span?;
        let file = kernel.files.get(span.file as usize)?;
        let name = escaped(file.rsplit('/').next().unwrap_or(file));
        out.push_str(if out.is_empty() { "" } else { ", inlined at " });
        _ = write!(out, "{name}:{}:{}", span.line, span.column);
        at = origin.inlined_at.and_then(|at| kernel.origins.get(at));
    }
    Some(out)
}
