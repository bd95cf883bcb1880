//! Prints terms: what is bound by its name, the rest nested.

use std::fmt::Write;

use cranelift_entity::SecondaryMap;

use super::{quoted_unless_word, special_name};
use crate::entity::{ExprId, LoopId};
use crate::expr::{ExprKind, NoWrap, mask, sign_extend};
use crate::kernel::{Kernel, ParamKind};

/// An expression for messages: names of the source where it has them, and `…` below a certain
/// depth.
pub fn show_expr(kernel: &Kernel, expr: ExprId) -> String {
    let tokens = SecondaryMap::new();
    let terms = Terms::of_messages(kernel, &tokens);
    let mut out = String::new();
    terms.term(&mut out, expr, None, 6);
    out
}

pub(super) struct Terms<'a> {
    pub(super) kernel: &'a Kernel,
    /// The names of what is bound so far.
    pub(super) tokens: &'a SecondaryMap<ExprId, Option<String>>,
    /// The numbers of the loops printed so far; their own where there are none.
    pub(super) loops: Option<&'a SecondaryMap<LoopId, Option<u32>>>,
    /// Print a value the source names as that name.
    pub(super) source_names: bool,
}

impl<'a> Terms<'a> {
    /// Terms of messages: with names of the source. `tokens` binds nothing.
    pub(super) fn of_messages(
        kernel: &'a Kernel,
        tokens: &'a SecondaryMap<ExprId, Option<String>>,
    ) -> Terms<'a> {
        Terms { kernel, tokens, loops: None, source_names: true }
    }

    /// Prints `id` where a value of `expected` bits must stand, or of any width if that is not
    /// known there.
    pub(super) fn term(&self, out: &mut String, id: ExprId, expected: Option<u8>, depth: u32) {
        if let Some(token) = &self.tokens[id] {
            out.push_str(token);
            return;
        }
        if let (true, Some(name)) = (self.source_names, self.kernel.names.get(&id)) {
            out.push_str(name);
            return;
        }
        self.node(out, id, expected, depth);
    }

    /// Prints the operator of `id` even where it has a name.
    pub(super) fn node(&self, out: &mut String, id: ExprId, expected: Option<u8>, depth: u32) {
        let pool = &self.kernel.exprs;
        let width = pool.width(id);
        let Some(depth) = depth.checked_sub(1) else {
            out.push('…');
            return;
        };
        match &pool[id].kind {
            ExprKind::Const(value) => {
                out.push_str(&number(*value, width));
                suffix(out, width, expected);
            }
            ExprKind::Special(special) => out.push_str(&special_name(*special)),
            ExprKind::Param(index) => out.push_str(&self.param(*index)),
            ExprKind::Base(object) => {
                let _ = match self.kernel.objects.get(*object) {
                    Some(object) => write!(out, "base({})", quoted_unless_word(&object.name)),
                    None => write!(out, "base(?{object})"),
                };
            }
            // Reached only where there is no token: in messages, and in kernels the verifier
            // refuses.
            ExprKind::Var(var) => {
                match self.kernel.vars.get(*var).and_then(|it| it.name.as_ref()) {
                    Some(name) if self.source_names => out.push_str(name),
                    Some(_) | None => _ = write!(out, "?{var}"),
                }
            }
            ExprKind::Result(op, index) => _ = write!(out, "?{op}.{index}"),
            ExprKind::Exit(of, inner) => {
                _ = match self.loops.map_or(Some(of.as_u32()), |loops| loops[*of]) {
                    Some(number) => write!(out, "exit(@loop{number}, "),
                    None => write!(out, "exit(?{of}, "),
                };
                self.term(out, *inner, None, depth);
                out.push(')');
            }
            ExprKind::Undef(index) => {
                _ = write!(out, "undef({index})");
                suffix(out, width, expected);
            }
            ExprKind::Sym(symbol) => _ = write!(out, "?{symbol}"),
            ExprKind::Unary(op, a) => {
                out.push_str(op.name());
                self.operands(out, &[*a], &[expected], depth);
            }
            ExprKind::Binary(op, NoWrap { signed, unsigned }, a, b) => {
                out.push_str(op.name());
                out.push_str(if *signed { ".nsw" } else { "" });
                out.push_str(if *unsigned { ".nuw" } else { "" });
                self.operands(out, &[*a, *b], &[expected, Some(pool.width(*a))], depth);
            }
            ExprKind::Cmp(op, a, b) => {
                out.push_str(op.name());
                self.operands(out, &[*a, *b], &[None, Some(pool.width(*a))], depth);
            }
            ExprKind::Select(c, a, b) => {
                out.push_str("select");
                let widths = [Some(1), expected, Some(pool.width(*a))];
                self.operands(out, &[*c, *a, *b], &widths, depth);
            }
            ExprKind::Cast(op, a) => {
                _ = write!(out, "{op}.i{width}");
                self.operands(out, &[*a], &[None], depth);
            }
            ExprKind::Pure(function, args) => {
                let name = quoted_unless_word(pool.function_name(*function));
                _ = write!(out, "{name}:i{width}");
                self.operands(out, args, &vec![None; args.len()], depth);
            }
        }
    }

    fn operands(&self, out: &mut String, operands: &[ExprId], widths: &[Option<u8>], depth: u32) {
        out.push('(');
        for (index, (operand, width)) in operands.iter().zip(widths).enumerate() {
            out.push_str(if index == 0 { "" } else { ", " });
            self.term(out, *operand, *width, depth);
        }
        out.push(')');
    }

    fn param(&self, index: u32) -> String {
        let named = |it: &&crate::kernel::Param| super::is_word(&it.name);
        match self.kernel.params.get(index as usize).filter(named) {
            Some(param) if self.source_names => param.name.clone(),
            Some(param) if param_index(self.kernel, &param.name) == Some(index) => {
                format!("param({})", param.name)
            }
            Some(_) | None => format!("param({index})"),
        }
    }
}

/// The parameter of a name, where there is just one.
pub(super) fn param_index(kernel: &Kernel, name: &str) -> Option<u32> {
    let mut found = (0..).zip(&kernel.params).filter(|(_, it)| it.name == name);
    let (index, _) = found.next()?;
    found.next().is_none().then_some(index)
}

/// Bits of a parameter's value; pointers are no values.
pub(super) fn param_width(kind: &ParamKind) -> Option<u8> {
    match kind {
        ParamKind::Scalar { width } | ParamKind::Field { width, .. } => Some(*width),
        ParamKind::Pointer(_) => None,
    }
}

fn suffix(out: &mut String, width: u8, expected: Option<u8>) {
    if expected != Some(width) {
        _ = write!(out, ":i{width}");
    }
}

/// Small magnitudes as signed decimals, the rest in hexadecimal.
fn number(value: u128, width: u8) -> String {
    let signed = sign_extend(mask(value, width), width);
    if width > 1 && mask(value, width) == value && (-65536..0).contains(&signed) {
        format!("{signed}")
    } else if value < 1 << 20 {
        format!("{value}")
    } else {
        format!("{value:#x}")
    }
}
