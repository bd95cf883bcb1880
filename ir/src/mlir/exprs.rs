//! Expressions: each node is an operation at the first place of a region where it is needed.

use super::lex::quoted;
use super::writer::{NAMES, Named, Writer};
use crate::entity::ExprId;
use crate::expr::{Expr, ExprKind, NoWrap};
use crate::text::special_name;

impl Writer<'_> {
    /// The value of an expression, computed here where it is not known yet.
    pub(super) fn value(&mut self, id: ExprId) -> Named {
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            if self.known(next).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            self.kernel.exprs.for_each_operand(next, |it| {
                if self.known(it).is_none() {
                    open.push(it);
                }
            });
            if open.len() == before {
                let value = self.node(next);
                self.define(next, value);
                open.pop();
            }
        }
        self.known(id).unwrap_or_else(|| self.missing(id))
    }

    /// Several values.
    pub(super) fn values(&mut self, ids: &[ExprId]) -> Vec<Named> {
        ids.iter().map(|it| self.value(*it)).collect()
    }

    /// A node whose operands are known.
    fn node(&mut self, id: ExprId) -> Named {
        let Expr { kind, width } = self.kernel.exprs[id].clone();
        let mut operands = Vec::new();
        self.kernel.exprs.for_each_operand(id, |it| operands.extend(self.known(it)));
        let op = |name: &str| ("op", quoted(name));
        let truth = |name: &'static str, it: bool| (name, it.to_string());
        let (name, mut attributes) = match kind {
            ExprKind::Const(value) => ("const", vec![("of", format!("{value} : i{width}"))]),
            ExprKind::Special(it) => ("special", vec![("name", quoted(&special_name(it)))]),
            ExprKind::Base(object) => {
                operands.extend(self.objects.get(&object).cloned());
                ("base", Vec::new())
            }
            ExprKind::Undef(number) => ("undef", vec![("number", format!("{number} : i32"))]),
            ExprKind::Unary(it, _) => ("unary", vec![op(it.name())]),
            ExprKind::Binary(it, NoWrap { signed, unsigned }, _, _) => {
                ("binary", vec![op(it.name()), truth("nsw", signed), truth("nuw", unsigned)])
            }
            ExprKind::Cmp(it, _, _) => ("cmp", vec![op(it.name())]),
            ExprKind::Select(..) => ("select", Vec::new()),
            ExprKind::Cast(it, _) => ("cast", vec![op(it.name())]),
            ExprKind::Pure(function, _) => {
                let name = self.kernel.exprs.function_name(function);
                ("pure", vec![("name", quoted(name))])
            }
            // These are defined by what they are of, before they are used.
            ExprKind::Param(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Sym(_) => return self.missing(id),
        };
        attributes.extend(self.names(NAMES, &[Some(id)]));
        let found = self.operation(name, &operands, &[format!("i{width}")], &attributes, None);
        found.into_iter().next().unwrap_or_else(|| self.missing(id))
    }

    /// A value that is used where it is not defined: an operation that the dialect does not have,
    /// so that MLIR refuses the text.
    fn missing(&mut self, id: ExprId) -> Named {
        let value = self.fresh(format!("i{}", self.kernel.exprs.width(id)));
        self.line(&format!("{} = \"heddle.missing\"() : () -> {}", value.name, value.r#type));
        value
    }
}
