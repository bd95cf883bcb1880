//! Conditions of contracts (`heddle.h`), before anything else is done to a module.
//!
//! No program evaluates them, so they may change nothing, and nothing may be concluded from their
//! having been evaluated.
//!
//! **What**: a condition that does more than compute is refused. Of the others, the promises not to
//! overflow go: a sum in a condition is the one that the machine computes, and a proof of the
//! condition leaves no run out in which the sum overflows.
//! **Method**: over the code of each condition, and over all functions that it calls. A function
//! loses its promises wherever it is called.
//! **Sound because** a program without such a promise has more runs, never fewer.
//! **Misses**: loops, and functions without a body, which are refused.

use rustc_hash::FxHashSet;

use crate::call::{Role, role};
use crate::contract::{ARRAY, OPENS, are_in, condition, text};
use crate::{InputError, InputErrorKind};
use heddle_llvm::{Function, Inst, Module, Opcode, Ordering, Spot, Value};

/// Refuses conditions that change something, and takes the promises from the others.
///
/// # Errors
/// [`InputErrorKind::Contract`].
pub(super) fn settle(name: &str, module: &mut Module) -> Result<(), InputError> {
    if !are_in(module) {
        return Ok(());
    }
    let mut code = FxHashSet::default();
    for opens in calls_of(module, OPENS) {
        let known = condition(opens);
        let wrong = match &known {
            None => Some("it has a loop, or does not come to its end".to_owned()),
            Some(condition) => {
                let own: FxHashSet<_> = condition.code.iter().copied().collect();
                let mut called = FxHashSet::default();
                let mut all = condition.code.iter();
                let wrong = all.find_map(|it| more_than_computes(*it, Some(&own), &mut called));
                code.extend(own.iter().map(|it| it.as_value()));
                code.extend(called.iter().flat_map(|it| it.instructions()).map(Inst::as_value));
                wrong
            }
        };
        if let Some(why) = wrong {
            let line = opens.outermost_position(module).map(|(line, _)| format!(" at line {line}"));
            let said = known.map(|it| format!(" `{}`", text(it.claim))).unwrap_or_default();
            return Err(InputError::new(
                InputErrorKind::Contract,
                name,
                format!(
                    "the condition{said} of a contract{} does more than compute a value: {why}",
                    line.unwrap_or_default()
                ),
                "no other build evaluates it: compute what it needs in a variable of its own before it",
            ));
        }
    }
    let code: Vec<Spot> = code.into_iter().filter_map(|it| it.as_inst()).map(Inst::spot).collect();
    module.forget_overflow(&code);
    Ok(())
}

fn calls_of<'m>(module: &'m Module, name: &str) -> Vec<Inst<'m>> {
    let all = module.functions().flat_map(Function::instructions);
    all.filter(|it| it.called_function().is_some_and(|f| f.name() == name)).collect()
}

/// What an instruction of a condition does beyond computing, if anything. `own` is the code of the
/// condition itself; none in a function that it calls, whose variables are its own.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed is refused")]
fn more_than_computes<'m>(
    inst: Inst<'m>,
    own: Option<&FxHashSet<Inst<'m>>>,
    called: &mut FxHashSet<Function<'m>>,
) -> Option<String> {
    match inst.opcode() {
        Opcode::Load if inst.is_volatile() || inst.ordering() != Ordering::NotAtomic => {
            Some("it reads volatile or atomic memory".to_owned())
        }
        Opcode::Store => {
            let temporary = inst.pointer_operand().and_then(variable).filter(|it| match own {
                Some(own) => used_only_in(*it, own),
                None => true,
            });
            temporary.is_none().then(|| "it stores something".to_owned())
        }
        Opcode::Call => {
            let Some(function) = inst.called_function() else {
                return Some("it calls a function that is not known".to_owned());
            };
            if !function.is_declaration() {
                return body_does_more(function, called);
            }
            let name = function.name();
            let touches_nothing =
                function.attribute("memory").is_some_and(|it| it.int_value() == Some(0));
            let quiet = name == ARRAY
                || crate::call::says_nothing(&name)
                || name.starts_with("llvm.expect")
                || name.starts_with("llvm.nvvm.read.ptx.sreg.")
                || touches_nothing && function.attribute("convergent").is_none();
            let temporary = |n: usize| {
                let at = inst.arguments().get(n).copied().and_then(variable);
                at.is_some_and(|it| own.is_none_or(|own| used_only_in(it, own)))
            };
            // A call that does more than its name says is lifted as one.
            let fine = match role(&name, true) {
                Role::Computes | Role::MarksVariable | Role::FirstOnly => true,
                Role::Fills | Role::Copies => temporary(0),
                Role::Other => quiet,
            };
            (!fine).then(|| format!("it calls `{name}`"))
        }
        Opcode::Br
        | Opcode::Switch
        | Opcode::FNeg
        | Opcode::Add
        | Opcode::FAdd
        | Opcode::Sub
        | Opcode::FSub
        | Opcode::Mul
        | Opcode::FMul
        | Opcode::UDiv
        | Opcode::SDiv
        | Opcode::FDiv
        | Opcode::URem
        | Opcode::SRem
        | Opcode::FRem
        | Opcode::Shl
        | Opcode::LShr
        | Opcode::AShr
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::Alloca
        | Opcode::Load
        | Opcode::GetElementPtr
        | Opcode::Trunc
        | Opcode::ZExt
        | Opcode::SExt
        | Opcode::FPToUI
        | Opcode::FPToSI
        | Opcode::UIToFP
        | Opcode::SIToFP
        | Opcode::FPTrunc
        | Opcode::FPExt
        | Opcode::PtrToInt
        | Opcode::PtrToAddr
        | Opcode::BitCast
        | Opcode::AddrSpaceCast
        | Opcode::ICmp
        | Opcode::FCmp
        | Opcode::Phi
        | Opcode::Select
        | Opcode::ExtractElement
        | Opcode::InsertElement
        | Opcode::ShuffleVector
        | Opcode::ExtractValue
        | Opcode::InsertValue
        | Opcode::Freeze => None,
        Opcode::Ret if own.is_none() => None,
        other => Some(format!("it has an instruction `{other}`")),
    }
}

fn body_does_more<'m>(
    function: Function<'m>,
    called: &mut FxHashSet<Function<'m>>,
) -> Option<String> {
    if !called.insert(function) {
        return None;
    }
    let mut before = FxHashSet::default();
    for block in function.blocks() {
        before.insert(block);
        if block.successors().iter().any(|next| before.contains(next)) {
            return Some(format!("`{}`, which it calls, has a loop", function.name()));
        }
    }
    function.instructions().find_map(|it| {
        let why = more_than_computes(it, None, called)?;
        Some(format!("in `{}`, {why}", function.name()))
    })
}

/// The variable of a function that an address is in.
fn variable(mut at: Value<'_>) -> Option<Inst<'_>> {
    loop {
        let inst = at.as_inst()?;
        match inst.opcode() {
            Opcode::Alloca => return Some(inst),
            Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast => {
                at = inst.operand(0)?;
            }
            _ => return None,
        }
    }
}

/// Whether nothing but this code, and marks of its lifetime, uses a variable.
fn used_only_in<'m>(variable: Inst<'m>, code: &FxHashSet<Inst<'m>>) -> bool {
    let mut work = vec![variable.as_value()];
    while let Some(at) = work.pop() {
        for user in at.users() {
            let Some(inst) = user.as_inst() else { return false };
            if matches!(
                inst.opcode(),
                Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast
            ) {
                work.push(user);
                continue;
            }
            let marks = inst.called_function().is_some_and(|it| {
                role(&it.name(), true) == Role::MarksVariable || it.name().starts_with("llvm.dbg.")
            });
            if !code.contains(&inst) && !marks {
                return false;
            }
        }
    }
    true
}
