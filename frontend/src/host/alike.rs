//! Addresses of the host that are not followed and may be one and the same.
//!
//! **What**: parameters that some call in the module gives one address or bytes beyond it, as a
//! recursive function gives itself; results of a function of another source that is asked twice for
//! the same, as a member function of a buffer is; what two variables of the program hold between
//! which some function copies addresses. And launches that give memory twice.
//! **Method**: by the values of LLVM, through steps from an address.
//! **Sound because** it says only that two may be one: no proof rests on it, and it takes away what
//! rests on their being two.
//! **Misses**: functions that are asked by other ways than one pointer; two functions that are
//! asked for the memory of one object; calls through pointers and of constructors; what structures
//! carry; addresses that come to two variables by a third, by memory or in different blocks.

use std::collections::BTreeSet;

use heddle_ir::{ExprId, ExprKind};

use super::inlining::ALLOCATED;
use super::{HostLaunch, names};
use heddle_llvm::{Function, Inst, Module, Opcode, TypeKind, Value, ValueKind};

/// Steps from an address to what it is beyond, at most.
const MOST_STEPS: usize = 64;

/// The groups of addresses of one function that may be one.
pub(super) struct Alike<'m> {
    groups: Vec<Vec<Value<'m>>>,
}

impl<'m> Alike<'m> {
    pub(super) fn of(function: Function<'m>, copied: &Copied<'m>) -> Alike<'m> {
        let mut asked: Vec<(Function<'m>, Value<'m>, Vec<Vec<Value<'m>>>)> = Vec::new();
        for call in function.instructions().filter(|it| is_question(*it)) {
            let (Some(callee), [of]) = (call.called_function(), &call.arguments()[..]) else {
                continue;
            };
            let known = asked.iter_mut().find(|it| (it.0, it.1) == (callee, *of));
            match known {
                Some((.., results)) => results.push(addresses_of(call)),
                None => asked.push((callee, *of, vec![addresses_of(call)])),
            }
        }
        let mut groups: Vec<Vec<Value<'m>>> = asked
            .into_iter()
            .map(|it| it.2)
            .filter(|it| it.len() > 1)
            .map(|it| it.concat())
            .collect();
        groups.extend(copied.pairs.iter().map(|pair| {
            let reads = function.instructions().filter(|it| it.opcode() == Opcode::Load);
            let of_pair =
                reads.filter(|it| it.pointer_operand().is_some_and(|at| pair.contains(&at)));
            of_pair.map(Inst::as_value).collect()
        }));
        let mut alike = Alike { groups };
        let calls = function.users().into_iter().filter_map(Value::as_inst);
        let calls: Vec<Inst<'m>> =
            calls.filter(|it| it.called_function() == Some(function)).collect();
        // What a call gives twice that its own caller was given twice takes another turn to see.
        while calls.iter().any(|call| alike.add_given_twice(function, *call)) {}
        alike
    }

    /// Adds the parameters that a call gives what may be one address. Whether there is a new pair.
    fn add_given_twice(&mut self, function: Function<'m>, call: Inst<'m>) -> bool {
        let given = call.arguments();
        let parameters = function.arguments();
        let starts: Vec<Vec<Value<'m>>> = given
            .iter()
            .map(|it| if is_pointer(*it) { starts_of(*it) } else { Vec::new() })
            .collect();
        for (n, other) in parameters.iter().enumerate() {
            for (m, one) in parameters.iter().enumerate().take(n) {
                let (one, other) = (one.as_value(), other.as_value());
                let (Some(ones), Some(others)) = (starts.get(m), starts.get(n)) else { continue };
                let may_be = |a: &Value<'m>| others.iter().any(|b| self.may_be_one(*a, *b));
                if !self.may_be_one(one, other) && ones.iter().any(may_be) {
                    self.groups.push(vec![one, other]);
                    return true;
                }
            }
        }
        false
    }

    fn may_be_one(&self, one: Value<'m>, other: Value<'m>) -> bool {
        one == other || self.groups.iter().any(|it| it.contains(&one) && it.contains(&other))
    }

    /// The groups that a value is in.
    pub(super) fn groups_of(&self, value: Value<'m>) -> Vec<u32> {
        let groups = (0..).zip(&self.groups);
        groups.filter(|(_, it)| it.contains(&value)).map(|(n, _)| n).collect()
    }
}

/// Pairs of variables of the program that may hold one address: some function copies it from one to
/// the other, or stores it in both.
pub(super) struct Copied<'m> {
    pairs: Vec<[Value<'m>; 2]>,
}

impl<'m> Copied<'m> {
    pub(super) fn of(module: &'m Module) -> Copied<'m> {
        let mut pairs = Vec::new();
        for function in module.functions() {
            for block in function.blocks() {
                add_copied(&block.instructions().collect::<Vec<_>>(), &mut pairs);
            }
        }
        Copied { pairs }
    }
}

/// The pairs that the stores of one block make. Two variables that are swapped there hold two
/// addresses after it if they did before: both were read before the first of the two stores.
fn add_copied<'m>(block: &[Inst<'m>], pairs: &mut Vec<[Value<'m>; 2]>) {
    let at = |of: Inst<'m>| block.iter().position(|it| *it == of);
    let stores: Vec<(usize, Value<'m>, Vec<Value<'m>>)> = (0..)
        .zip(block)
        .filter(|(_, it)| it.opcode() == Opcode::Store)
        .filter_map(|(n, it)| {
            let (value, variable) = (it.operand(0)?, it.pointer_operand()?);
            let is_variable = is_pointer(value) && variable.as_global().is_some();
            // Parts of one buffer are not one address.
            let is_part = |it: Inst<'_>| it.opcode() == Opcode::GetElementPtr;
            (is_variable && !value.as_inst().is_some_and(is_part))
                .then(|| (n, variable, starts_of(value)))
        })
        .collect();
    // The read, and the variable.
    let read = |start: &Value<'m>| {
        let inst = start.as_inst().filter(|it| it.opcode() == Opcode::Load)?;
        let from = inst.pointer_operand().filter(|it| it.as_global().is_some())?;
        Some((inst, from))
    };
    for (n, to, starts) in &stores {
        for (inst, from) in starts.iter().filter_map(read).filter(|(_, from)| from != to) {
            let swapped = stores.iter().any(|(m, back, others)| {
                let first = *n.min(m);
                let before = |it: Inst<'m>| at(it).is_some_and(|at| at < first);
                let comes_back = |(it, of): (Inst<'m>, Value<'m>)| of == *to && before(it);
                *back == from && before(inst) && others.iter().filter_map(read).any(comes_back)
            });
            if !swapped {
                add_pair([from, *to], pairs);
            }
        }
        let same = |other: &&(usize, Value<'m>, Vec<Value<'m>>)| {
            other.0 < *n && other.1 != *to && other.2.iter().any(|it| starts.contains(it))
        };
        for other in stores.iter().filter(same) {
            add_pair([other.1, *to], pairs);
        }
    }
}

fn add_pair<'m>([one, other]: [Value<'m>; 2], pairs: &mut Vec<[Value<'m>; 2]>) {
    if !pairs.contains(&[one, other]) && !pairs.contains(&[other, one]) {
        pairs.push([one, other]);
    }
}

/// The addresses that a call gives: one, or those in a structure.
fn addresses_of(call: Inst<'_>) -> Vec<Value<'_>> {
    let is_part = |it: &Inst<'_>| it.opcode() == Opcode::ExtractValue;
    let users = call.as_value().users().into_iter().filter_map(Value::as_inst).filter(is_part);
    let parts = users.map(Inst::as_value);
    parts.chain([call.as_value()]).filter(|it| is_pointer(*it)).collect()
}

/// Whether a call asks a function that is not seen for an address, by one pointer.
fn is_question(call: Inst<'_>) -> bool {
    let is_unseen = |it: Function<'_>| it.is_declaration() && !gives_new_memory(it);
    call.is_call()
        && matches!(call.ty().kind(), TypeKind::Pointer(_) | TypeKind::Struct { .. })
        && call.called_function().is_some_and(is_unseen)
        && matches!(&call.arguments()[..], [one] if is_pointer(*one))
}

/// Whether what a function gives is other memory each time: it is declared so (`malloc`, of which
/// LLVM makes `noalias`).
fn gives_new_memory(function: Function<'_>) -> bool {
    function.name() == ALLOCATED || function.return_attribute("noalias").is_some()
}

fn is_pointer(value: Value<'_>) -> bool {
    matches!(value.ty().kind(), TypeKind::Pointer(_))
}

/// What an address is bytes beyond, by each way that it may come; null is nothing.
fn starts_of(value: Value<'_>) -> Vec<Value<'_>> {
    let (mut starts, mut seen, mut work) = (Vec::new(), Vec::new(), vec![value]);
    while let Some(at) = work.pop() {
        if seen.contains(&at) || seen.len() > MOST_STEPS || at.kind() == ValueKind::Null {
            continue;
        }
        seen.push(at);
        let inst = at.as_inst();
        match inst.map(|it| (it, it.opcode())) {
            Some((inst, Opcode::GetElementPtr)) => work.extend(inst.operand(0)),
            Some((inst, Opcode::Select)) => {
                work.extend([1, 2].iter().filter_map(|n| inst.operand(*n)))
            }
            Some((inst, Opcode::Phi)) => work.extend(inst.incoming().into_iter().map(|it| it.0)),
            Some(_) | None => starts.push(at),
        }
    }
    starts
}

/// Whether the program takes the address of a variable of the device.
pub(super) fn takes_symbols(module: &Module) -> bool {
    module.functions().any(|it| names::plain(&it.name()) == "cudaGetSymbolAddress")
}

/// Whether two addresses that a launch gives may lead to one allocation, as far as their roots and
/// the groups of these say.
pub(super) fn gives_twice(launch: &HostLaunch) -> bool {
    let given = launch.args.iter().flatten().copied();
    let given = given.chain(launch.members.iter().map(|(_, value)| *value));
    let (mut seen, mut groups) = (BTreeSet::new(), BTreeSet::new());
    for value in given {
        let roots = roots(launch, value);
        let alike = |it: &u32| launch.unknowns[*it as usize].alike.iter().copied();
        let own: BTreeSet<u32> = roots.iter().flat_map(alike).collect();
        if !roots.is_disjoint(&seen) || !own.is_disjoint(&groups) {
            return true;
        }
        seen.extend(roots);
        groups.extend(own);
    }
    false
}

/// The addresses that are not followed and that a value is made of.
fn roots(launch: &HostLaunch, value: ExprId) -> BTreeSet<u32> {
    let (mut roots, mut work) = (BTreeSet::new(), vec![value]);
    while let Some(at) = work.pop() {
        let mut found = Vec::new();
        launch.pool.for_each_below(at, |it| {
            if let ExprKind::Param(unknown) = launch.pool[it].kind {
                found.push(unknown);
            }
        });
        for unknown in found {
            let it = &launch.unknowns[unknown as usize];
            if (it.is_address || it.read_from.is_some()) && roots.insert(unknown) {
                work.extend(it.may_be.iter().copied());
                work.extend(it.held.by.iter().map(|stored| stored.value));
            }
        }
    }
    roots
}
