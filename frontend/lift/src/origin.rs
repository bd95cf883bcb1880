//! Where operations come from, and what values are called in the source.

use heddle_ir::{ExprKind, KernelBuilder, Origin, OriginId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lifter;
use super::value::Val;
use heddle_llvm::{Block, DebugVariable, Function, Inst, Location, Module, Opcode, Value};

/// Origins made so far, and names.
pub(super) struct Origins<'m> {
    module: &'m Module,
    function: String,
    by_inst: FxHashMap<Inst<'m>, OriginId>,
    by_call: FxHashMap<Location, OriginId>,
    variables: FxHashMap<Value<'m>, DebugVariable>,
    /// The names of all variables.
    spellings: FxHashSet<String>,
}

impl<'m> Origins<'m> {
    pub(super) fn new(module: &'m Module, function: Function<'m>) -> Self {
        let (mut variables, mut spellings) = (FxHashMap::default(), FxHashSet::default());
        for inst in function.instructions() {
            for (variable, value) in inst.debug_variables(module) {
                // The first name a value gets is that of the outermost function; inlined ones come
                // later.
                spellings.insert(variable.name.clone());
                variables.entry(value).or_insert(variable);
            }
        }
        Origins {
            module,
            function: function.name(),
            by_inst: FxHashMap::default(),
            by_call: FxHashMap::default(),
            variables,
            spellings,
        }
    }

    /// The origin of what the front end made itself.
    pub(super) fn none(&self, out: &mut KernelBuilder, function: &str) -> OriginId {
        out.origin(Origin {
            function: function.to_owned(),
            source_function: None,
            ordinal: None,
            span: None,
            inlined_at: None,
        })
    }

    /// Notes where the kernel stands: at the first line of its own that does something.
    pub(super) fn of_kernel(&mut self, out: &mut KernelBuilder, function: Function<'m>) {
        let module = self.module;
        let placed =
            function.instructions().filter_map(|it| Some((it.outermost_position(module)?, it)));
        let first = placed.min_by_key(|(position, _)| *position).map(|(_, inst)| inst);
        // Without debug information the instruction's number says more, and those of the entry are
        // enough.
        let numbered = || {
            let entry = function.blocks().next()?.instructions();
            let numbered = entry.filter_map(|inst| Some((inst.ordinal(module)?.0, inst)));
            numbered.min_by_key(|(number, _)| *number).map(|(_, inst)| inst)
        };
        if let Some(inst) = first.or_else(numbered) {
            self.of(out, inst);
        }
    }

    /// The origin of an instruction.
    pub(super) fn of(&mut self, out: &mut KernelBuilder, inst: Inst<'m>) -> OriginId {
        if let Some(&known) = self.by_inst.get(&inst) {
            return known;
        }
        let location = inst.location(self.module);
        let id = self.at(out, location.as_ref(), inst.ordinal(self.module));
        self.by_inst.insert(inst, id);
        id
    }

    /// The origin of a loop: the first place in its header that the source has.
    pub(super) fn of_loop(&mut self, out: &mut KernelBuilder, header: Block<'m>) -> OriginId {
        // A variable that the loop changes may say where it was declared.
        let (phis, rest): (Vec<_>, Vec<_>) =
            header.instructions().partition(|inst| inst.opcode() == Opcode::Phi);
        let is_located = |i: &Inst<'_>| i.location(self.module).is_some_and(|l| l.line > 0);
        let located = rest.into_iter().chain(phis).find(is_located);
        match located.or_else(|| header.terminator()) {
            Some(inst) => self.of(out, inst),
            None => {
                let function = self.function.clone();
                self.none(out, &function)
            }
        }
    }

    fn at(
        &mut self,
        out: &mut KernelBuilder,
        location: Option<&Location>,
        ordinal: Option<(u32, String)>,
    ) -> OriginId {
        let inlined_at = location.and_then(|l| l.inlined_at.as_deref()).map(|outer| {
            match self.by_call.get(outer) {
                Some(&known) => known,
                None => {
                    let id = self.at(out, Some(outer), None);
                    self.by_call.insert(outer.clone(), id);
                    id
                }
            }
        });
        let span = location.filter(|l| l.line > 0).map(|l| Span {
            file: out.file(&l.path()),
            line: l.line,
            column: l.column,
        });
        let source_function = location.map(|l| l.function.clone()).filter(|f| !f.is_empty());
        let (ordinal, written_in) = ordinal.unzip();
        // Without debug information: the function of the text, where inlining took it out of that.
        let source_function = source_function.or(written_in.filter(|f| *f != self.function));
        out.origin(Origin {
            function: self.function.clone(),
            source_function,
            ordinal,
            span,
            inlined_at,
        })
    }

    /// The source variable that a value holds.
    pub(super) fn variable(&self, value: Value<'m>) -> Option<&DebugVariable> {
        self.variables.get(&value)
    }

    /// What a value is called in the source, else in the IR without the suffix that LLVM adds.
    pub(super) fn name_of(&self, value: Value<'m>) -> Option<String> {
        if let Some(variable) = self.variables.get(&value) {
            return Some(variable.name.clone()).filter(|n| !n.is_empty());
        }
        source_name(&value.name())
    }
}

/// `i.0` is what LLVM makes of `i`, and `out.coerce` of `out`.
pub(super) fn source_name(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or_default();
    let named = !stem.is_empty() && !stem.starts_with(|c: char| c.is_ascii_digit());
    named.then(|| stem.to_owned())
}

impl<'m> Lifter<'m> {
    /// Remembers what the source calls a number, for messages.
    pub(super) fn name_value(&mut self, value: &Val, name: &str) {
        let Val::Scalar(e) = value else { return };
        // What has a name of its own keeps it.
        if matches!(
            self.out.exprs()[*e].kind,
            ExprKind::Const(_) | ExprKind::Special(_) | ExprKind::Param(_) | ExprKind::Var(_)
        ) {
            return;
        }
        // LLVM's own temporaries (`add`, `cmp5`) say nothing; a variable of the source has a debug
        // record.
        let Some(name) = self.origins.spelled(name) else { return };
        self.out.kernel_mut().names.entry(*e).or_insert(name);
    }
}

impl<'m> Origins<'m> {
    fn spelled(&self, name: &str) -> Option<String> {
        let stem = source_name(name)?;
        if self.variables.is_empty() {
            // Without debug information the names of the IR are the best there are.
            return Some(stem);
        }
        self.spellings.contains(&stem).then_some(stem)
    }
}
