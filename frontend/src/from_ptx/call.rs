//! Calls: of functions of the file, of those that others define, and by pointer.
//!
//! Arguments come through variables of `.param` space, as the ABI has it, or in registers.

use super::function::Writer;
use super::signature::result;
use super::variable::Variable;
use super::{Wrong, outside};
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Instruction, Operand};

impl Writer<'_> {
    /// `call (results), function, (arguments), prototype`
    pub(super) fn call(&mut self, it: &Instruction) -> Result<(), Wrong> {
        let operands: Vec<&Operand> = it.operands.iter().map(|(_, it)| it).collect();
        let (results, rest) = match &operands[..] {
            [Operand::Vector(results), rest @ ..] => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let (callee, given, proto) = match rest {
            [callee, Operand::Vector(given), proto @ ..] => (*callee, &given[..], proto),
            [callee, proto @ ..] => (*callee, &[][..], proto),
            [] => return self.wrong("expected the name of a function"),
        };
        let (mut result_types, params, target);
        let mut fixed = None;
        let mut types = None;
        match callee {
            Operand::Symbol(name) => {
                let Some(function) = self.file.function(name) else {
                    return self.wrong(format!("no function is called `{name}`"));
                };
                fixed = outside::types(function);
                types = self.file.passed.get(&function.name).cloned();
                target = format!("@\"{}\"", function.name);
                (result_types, params) = (function.results.clone(), function.params.clone());
            }
            pointer => {
                let [Operand::Symbol(name)] = proto else {
                    return self.wrong("expected the name of a prototype");
                };
                let label = self.body.label(&self.step.blocks, name);
                let known = label.and_then(|it| self.body.prototypes.get(&it)).cloned();
                let known = known.or_else(|| {
                    // `.calltargets`: all of its functions have the type of the first.
                    let first = self.body.targets.get(&label?)?.names.first()?;
                    let function = self.file.function(first)?;
                    Some((function.results.clone(), function.params.clone()))
                });
                let Some(known) = known else {
                    return self.wrong(format!("no prototype is called `{name}`"));
                };
                (result_types, params) = known;
                let Some(value) = self.operand(pointer, 64) else {
                    return self.wrong("expected a function, or a register with its address");
                };
                target = self.value(&format!("inttoptr i64 {value} to ptr"));
            }
        }
        if given.len() != params.len() || results.len() != result_types.len() {
            return self.wrong(format!(
                "{} arguments and {} results, where the function has {} and {}",
                given.len(),
                results.len(),
                params.len(),
                result_types.len()
            ));
        }
        let mut arguments = Vec::new();
        for (n, (value, parameter)) in given.iter().zip(&params).enumerate() {
            if types.as_ref().is_some_and(|it| it.contains(&n)) {
                let Some(pointer) = self.given_pointer(value) else {
                    return self.wrong(format!("argument {} is no pointer", n + 1));
                };
                arguments.push(format!("ptr {pointer}"));
                continue;
            }
            let Some(value) = self.given(value, parameter) else {
                return self.wrong(format!("argument {} is no value for its parameter", n + 1));
            };
            arguments.push(match fixed.as_ref().map(|it| it.1[n].as_str()) {
                Some(ty @ "ptr") => {
                    let value = self.value(&format!("inttoptr {value} to ptr"));
                    format!("{ty} {value}")
                }
                Some(ty @ ("float" | "double")) => {
                    let value = self.value(&format!("bitcast {value} to {ty}"));
                    format!("{ty} {value}")
                }
                Some(_) | None => value,
            });
        }
        if fixed.as_ref().is_some_and(|it| it.0 == "void") {
            result_types.clear();
        }
        let (ty, arguments) = (result(&result_types), arguments.join(", "));
        if result_types.is_empty() {
            self.line(&format!("call void {target}({arguments}) #0"));
            return Ok(());
        }
        let value = match fixed.as_ref().map(|it| it.0.as_str()) {
            Some("ptr") => {
                let value = self.value(&format!("call ptr {target}({arguments}) #0"));
                self.value(&format!("ptrtoint ptr {value} to i64"))
            }
            Some(given @ ("float" | "double")) => {
                let value = self.value(&format!("call {given} {target}({arguments}) #0"));
                self.value(&format!("bitcast {given} {value} to {ty}"))
            }
            _ => self.value(&format!("call {ty} {target}({arguments}) #0")),
        };
        for (n, (to, of)) in results.iter().zip(&result_types).enumerate() {
            let own = of.ir_type();
            let part = match result_types.len() {
                1 => value.clone(),
                _ => self.value(&format!("extractvalue {ty} {value}, {n}")),
            };
            let done = match to {
                Operand::Symbol(name) => self.symbol(name).map(|it| {
                    self.line(&format!("store {own} {part}, {}, align 1", it.pointer));
                }),
                _ if of.is_array => None,
                other => self.set(other, of.bits(), &part),
            };
            if done.is_none() {
                return self.wrong(format!("result {} has no place to go", n + 1));
            }
        }
        Ok(())
    }

    /// An argument that is a pointer.
    fn given_pointer(&mut self, value: &Operand) -> Option<String> {
        if let Operand::Symbol(name) = value
            && let Some(local) = self.body.local(self.step, name)
            && local.variable.space == Some(heddle_ptx::Space::Parameter)
        {
            let place = local.ir_name.clone();
            let fits = local.variable.bytes >= Some(8);
            return fits.then(|| self.value(&format!("load ptr, ptr {place}, align 1")));
        }
        if let Some(pointer) = self.pointer(value) {
            return Some(pointer);
        }
        let value = self.operand(value, 64)?;
        Some(self.value(&format!("inttoptr i64 {value} to ptr")))
    }

    /// An argument with its type.
    fn given(&mut self, value: &Operand, parameter: &Variable) -> Option<String> {
        let ty = parameter.ir_type();
        if let Operand::Symbol(name) = value
            && let Some(local) = self.body.local(self.step, name)
            && local.variable.space == Some(heddle_ptx::Space::Parameter)
        {
            let place = local.ir_name.clone();
            if local.variable.bytes < parameter.bytes {
                return None;
            }
            if parameter.is_array {
                return Some(format!("ptr byval({ty}) align {} {place}", parameter.align));
            }
            let value = self.value(&format!("load {ty}, ptr {place}, align 1"));
            return Some(format!("{ty} {value}"));
        }
        if parameter.is_array {
            return None;
        }
        let value = self.operand(value, parameter.bits())?;
        Some(format!("{ty} {value}"))
    }
}
