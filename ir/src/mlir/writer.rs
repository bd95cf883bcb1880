//! Writes operations of the dialect in MLIR's generic form, and knows which value has which name.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::dialect::fixed_operands;
use super::lex::quoted;
use super::places::location;
use crate::entity::{ExprId, LoopId, ObjectId, OpId, OriginId, VarId};
use crate::kernel::Kernel;
use crate::text::push_line;

/// A value: its name, and its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) r#type: String,
}

/// The state of writing one kernel.
pub(super) struct Writer<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) out: String,
    pub(super) indent: usize,
    values: u32,
    fixed: FxHashMap<&'static str, usize>,
    /// What the open regions define, outermost first.
    scopes: Vec<FxHashMap<ExprId, Named>>,
    /// Where the leaves of expressions are.
    pub(super) objects: FxHashMap<ObjectId, Named>,
    pub(super) vars: FxHashMap<VarId, ExprId>,
    pub(super) results: FxHashMap<OpId, Vec<(u32, ExprId)>>,
    pub(super) exits: FxHashMap<LoopId, Vec<(ExprId, ExprId)>>,
}

/// The type of a wrapped value.
const WRAPPED: &str = "!heddle.value";

impl<'k> Writer<'k> {
    pub(super) fn new(kernel: &'k Kernel) -> Writer<'k> {
        Writer {
            kernel,
            out: String::new(),
            indent: 0,
            values: 0,
            fixed: fixed_operands().into_iter().collect(),
            scopes: Vec::new(),
            objects: FxHashMap::default(),
            vars: FxHashMap::default(),
            results: FxHashMap::default(),
            exits: FxHashMap::default(),
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        push_line(&mut self.out, self.indent, text);
    }

    pub(super) fn open(&mut self) {
        self.indent += 1;
        self.scopes.push(FxHashMap::default());
    }

    pub(super) fn close(&mut self) {
        self.indent -= 1;
        self.scopes.pop();
    }

    pub(super) fn fresh(&mut self, r#type: impl Into<String>) -> Named {
        self.values += 1;
        Named { name: format!("%{}", self.values - 1), r#type: r#type.into() }
    }

    pub(super) fn define(&mut self, id: ExprId, value: Named) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(id, value);
        }
    }

    pub(super) fn known(&self, id: ExprId) -> Option<Named> {
        self.scopes.iter().rev().find_map(|it| it.get(&id)).cloned()
    }

    /// One operation without a region; what it gives, as many as there are `types`.
    pub(super) fn operation(
        &mut self,
        name: &str,
        operands: &[Named],
        types: &[String],
        attributes: &[(&str, String)],
        origin: Option<OriginId>,
    ) -> Vec<Named> {
        let fixed = self.fixed.get(name).copied().unwrap_or_default().min(operands.len());
        let (fixed, rest) = operands.split_at(fixed);
        let operands = &[fixed.to_vec(), self.wrapped(rest)].concat()[..];
        let results = self.results_of(types);
        let list = |values: &[Named], of: fn(&Named) -> &String| {
            values.iter().map(|it| of(it).as_str()).collect::<Vec<_>>().join(", ")
        };
        let mut line = String::new();
        if !results.is_empty() {
            _ = write!(line, "{} = ", list(&results, |it| &it.name));
        }
        _ = write!(line, "\"heddle.{name}\"({})", list(operands, |it| &it.name));
        if !attributes.is_empty() {
            let attributes: Vec<_> =
                attributes.iter().map(|(n, it)| format!("{n} = {it}")).collect();
            _ = write!(line, " {{{}}}", attributes.join(", "));
        }
        _ = write!(line, " : ({}) -> ", list(operands, |it| &it.r#type));
        match &results[..] {
            [one] => line.push_str(&one.r#type),
            all => _ = write!(line, "({})", list(all, |it| &it.r#type)),
        }
        line.push_str(&origin.map(|it| location(self.kernel, it)).unwrap_or_default());
        self.line(&line);
        self.unwrapped(results, types)
    }

    /// The values of a list: as they are where they have one type, else each wrapped.
    pub(super) fn wrapped(&mut self, values: &[Named]) -> Vec<Named> {
        if values.windows(2).all(|it| it[0].r#type == it[1].r#type) {
            return values.to_vec();
        }
        let mut out = Vec::new();
        for value in values {
            let it = self.fresh(WRAPPED);
            let text = format!("\"heddle.wrap\"({}) : ({})", value.name, value.r#type);
            self.line(&format!("{} = {text} -> {WRAPPED}", it.name));
            out.push(it);
        }
        out
    }

    /// Names for results, which are wrapped where they have several types.
    pub(super) fn results_of(&mut self, types: &[String]) -> Vec<Named> {
        let is_one = types.windows(2).all(|it| it[0] == it[1]);
        types.iter().map(|it| self.fresh(if is_one { it } else { WRAPPED })).collect()
    }

    /// Results as what they are.
    pub(super) fn unwrapped(&mut self, results: Vec<Named>, types: &[String]) -> Vec<Named> {
        let mut out = Vec::new();
        for (value, r#type) in results.into_iter().zip(types) {
            if value.r#type == *r#type {
                out.push(value);
                continue;
            }
            let it = self.fresh(r#type.clone());
            let text = format!("\"heddle.unwrap\"({}) : ({WRAPPED})", value.name);
            self.line(&format!("{} = {text} -> {}", it.name, it.r#type));
            out.push(it);
        }
        out
    }

    /// The names that the source has for values, as an attribute, where it has any.
    pub(super) fn names(
        &self,
        attribute: &'static str,
        of: &[Option<ExprId>],
    ) -> Option<(&'static str, String)> {
        let name = |id: &Option<ExprId>| id.and_then(|id| self.kernel.names.get(&id));
        let names: Vec<_> = of.iter().map(name).collect();
        names.iter().any(Option::is_some).then(|| {
            let names = names.iter().map(|it| quoted(it.map_or("", String::as_str)));
            (attribute, format!("[{}]", names.collect::<Vec<_>>().join(", ")))
        })
    }
}

/// The attribute that has the names of what an operation gives; empty where there is none.
pub(super) const NAMES: &str = "heddle.names";

/// The attribute that has the names of a loop's variables as values, which differ from what the
/// variables are called where the source says so.
pub(super) const VARIABLES: &str = "heddle.variables";
