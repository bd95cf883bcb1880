//! Places in the source: written as MLIR's locations, and read from them.
//!
//! Line and column are a location of MLIR; what was inlined is at its call (`callsite`); what MLIR
//! has no words for, the function and the number of the instruction, goes along as data:
//! `fused<{ordinal = 3 : i32}>["k.cu":3:4]`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::lex::quoted;
use super::operands::{number_of, text_of};
use super::tree::{Attribute, Place};
use crate::builder::KernelBuilder;
use crate::entity::OriginId;
use crate::kernel::{Kernel, Origin, Span};

/// Calls around a place, at most: a chain without end is a fault of the kernel.
const MOST_CALLS: usize = 64;

/// ` loc(…)`, also where nothing is known: MLIR would have the place in the text that it reads.
pub(super) fn location(kernel: &Kernel, id: OriginId) -> String {
    let mut calls = Vec::new();
    let mut at = kernel.origins.get(id);
    while let Some(origin) = at.filter(|_| calls.len() < MOST_CALLS) {
        calls.push(one(kernel, origin));
        at = origin.inlined_at.and_then(|it| kernel.origins.get(it));
    }
    let Some(outermost) = calls.pop() else { return format!(" loc({UNKNOWN})") };
    let place = calls.iter().rev().fold(outermost, |at, it| format!("callsite({it} at {at})"));
    format!(" loc({place})")
}

const UNKNOWN: &str = "unknown";

fn one(kernel: &Kernel, origin: &Origin) -> String {
    let Origin { function, source_function, ordinal, span, inlined_at: _ } = origin;
    let span = span.and_then(|it| Some((kernel.files.get(it.file as usize)?, it)));
    let place = span.map_or_else(
        || UNKNOWN.to_owned(),
        |(file, it)| format!("{}:{}:{}", quoted(file), it.line, it.column),
    );
    let mut data = Vec::new();
    data.extend((*function != kernel.name).then(|| format!("function = {}", quoted(function))));
    data.extend(source_function.as_ref().map(|it| format!("from = {}", quoted(it))));
    data.extend(ordinal.map(|it| format!("ordinal = {it} : i32")));
    match data.is_empty() {
        true => place,
        false => format!("fused<{{{}}}>[{place}]", data.join(", ")),
    }
}

/// Locations of one text, as places of a kernel.
pub(super) struct Places<'t> {
    named: &'t FxHashMap<String, Place>,
    known: FxHashMap<Origin, OriginId>,
}

impl<'t> Places<'t> {
    pub(super) fn new(named: &'t FxHashMap<String, Place>) -> Places<'t> {
        Places { named, known: FxHashMap::default() }
    }

    /// A location that is not a name for one.
    pub(super) fn resolved<'p>(&self, place: &'p Place) -> &'p Place
    where
        't: 'p,
    {
        let mut at = place;
        for _ in 0..MOST_CALLS {
            match at {
                Place::Alias(name) => at = self.named.get(name).unwrap_or(&Place::Unknown),
                Place::Unknown
                | Place::Line { .. }
                | Place::Name(_)
                | Place::Call { .. }
                | Place::Fused { .. } => return at,
            }
        }
        &Place::Unknown
    }

    pub(super) fn origin(&mut self, builder: &mut KernelBuilder, place: &Place) -> OriginId {
        // Outermost last.
        let mut calls = vec![self.resolved(place).clone()];
        while let Some(Place::Call { callee, caller }) = calls.last().cloned() {
            calls.pop();
            calls.push(self.resolved(&callee).clone());
            calls.push(self.resolved(&caller).clone());
            if calls.len() > MOST_CALLS {
                break;
            }
        }
        let mut at = None;
        for place in calls.iter().rev() {
            let mut origin = self.one(builder, place);
            origin.inlined_at = at;
            let id = match self.known.get(&origin) {
                Some(id) => *id,
                None => {
                    let id = builder.origin(origin.clone());
                    self.known.insert(origin, id);
                    id
                }
            };
            at = Some(id);
        }
        at.unwrap_or_else(|| {
            let origin = self.one(builder, &Place::Unknown);
            builder.origin(origin)
        })
    }

    fn one(&self, builder: &mut KernelBuilder, place: &Place) -> Origin {
        let mut origin = Origin {
            function: builder.kernel().name.clone(),
            source_function: None,
            ordinal: None,
            span: None,
            inlined_at: None,
        };
        // Of several, the first that has a line.
        let mut open = vec![place];
        let mut seen = 0;
        while let Some(place) = open.pop().filter(|_| seen < 1000 && origin.span.is_none()) {
            seen += 1;
            match self.resolved(place) {
                Place::Line { file, line, column } => {
                    let file = builder.file(file);
                    origin.span = Some(Span { file, line: *line, column: *column });
                }
                Place::Fused { data, places } => {
                    if let Some(Attribute::Dictionary(data)) = data {
                        annotate(&mut origin, data);
                    }
                    open.extend(places.iter().rev());
                }
                Place::Call { callee, caller: _ } => open.push(callee),
                Place::Unknown | Place::Name(_) | Place::Alias(_) => {}
            }
        }
        origin
    }
}

fn annotate(origin: &mut Origin, data: &BTreeMap<String, Attribute>) {
    if let Some(function) = data.get("function").and_then(text_of) {
        function.clone_into(&mut origin.function);
    }
    if let Some(name) = data.get("from").and_then(text_of) {
        origin.source_function = Some(name.to_owned());
    }
    origin.ordinal = data.get("ordinal").and_then(number_of).or(origin.ordinal);
}
