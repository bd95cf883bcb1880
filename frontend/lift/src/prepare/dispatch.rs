//! Calls through pointers become calls of the functions that they may reach.
//!
//! **What**: a call through a pointer that was not made plain by inlining is replaced by
//! comparisons of the pointer with functions, and a call of each.
//! **Method**: where the pointer is chosen from functions in the kernel itself, or read from
//! variables that nothing writes and whose addresses are functions, it is one of these. Elsewhere
//! it is any function that takes and gives the same and whose address the module takes: in a table,
//! as a virtual function, as an argument, in a variable that the host may read.
//! **Sound because**: a call of a function by another type is undefined (C++20 [expr.call]), so
//! that no other function of the module can be meant. The last one of the list is called without a
//! comparison: it stands for all pointers that are none of the others.
//! **Assumes**: where the pointer is not followed, that it leads to a function of this module.
//! Another translation unit may hand one over. Such calls call [`ASSUMED`] first, which the lifter
//! turns into a fact of the kernel, and each proof says so.
//! **Misses**: calls with more than [`MOST_CALLEES`] such functions, those after
//! [`MOST_COMPARISONS`] of them, calls with a variable number of arguments, those that may mean a
//! function of other types ([`Inst::may_mean`]), those that may come back to themselves, or whose
//! callees call what is not known, and those whose callees bring more than [`MOST_INSTRUCTIONS`].
//! They stay calls that nothing is known of.

use std::collections::BTreeSet;

use heddle_llvm::{Function, Global, Inst, Module, Opcode, Spot, Value, ValueKind};
use rustc_hash::FxHashMap;

use super::Kernel;

/// What is called where callees are assumed.
pub(crate) const ASSUMED: &str = "heddle.callees_assumed";
/// More functions than this are not compared with.
const MOST_CALLEES: usize = 32;
/// And no more than this for all calls of a module together, in each round: what follows such a
/// call is looked at for each way through it.
const MOST_COMPARISONS: usize = 96;
/// So many instructions callees may bring to all kernels of a module together, in each round.
const MOST_INSTRUCTIONS: usize = 1 << 16;
/// How often calls are replaced that replaced calls brought.
pub(super) const ROUNDS: usize = 4;

/// A call to replace, by these.
struct Plan {
    call: Spot,
    callees: Vec<String>,
    is_assumed: bool,
}

/// Whether any call of a kernel was replaced. `number` is how often this was called before.
pub(super) fn resolve_calls(module: &mut Module, kernels: &[Kernel], number: usize) -> bool {
    let plans = plans(module, kernels);
    for (index, Plan { call, callees, is_assumed }) in plans.iter().enumerate() {
        let name = format!("heddle.dispatch.{number}.{index}");
        module.dispatch_call(*call, &name, callees, is_assumed.then_some(ASSUMED));
    }
    !plans.is_empty()
}

fn plans(module: &Module, kernels: &[Kernel]) -> Vec<Plan> {
    let is_kernel = |function: Function<'_>| kernels.iter().any(|it| it.name == function.name());
    let in_kernels = module.functions().filter(|it| is_kernel(*it)).flat_map(computed_calls);
    let calls: Vec<Inst<'_>> = in_kernels.collect();
    if calls.is_empty() {
        return Vec::new();
    }
    let taken = module.functions().filter(|it| !is_kernel(*it) && is_address_taken(*it)).collect();
    let is_whole = module.named_metadata("heddle.dropped").is_empty();
    let mut callees = Callees { taken, is_whole, costs: FxHashMap::default() };
    let (mut left, mut comparisons) = (MOST_INSTRUCTIONS, MOST_COMPARISONS);
    let mut plans = Vec::new();
    for call in calls {
        let rest = callees.cost(call).and_then(|cost| left.checked_sub(cost));
        if let (Some(rest), Some((functions, is_assumed))) = (rest, callees.of(call))
            && let Some(more) = comparisons.checked_sub(functions.len())
        {
            (left, comparisons) = (rest, more);
            let callees = functions.into_iter().map(Function::name).collect();
            plans.push(Plan { call: call.spot(), callees, is_assumed });
        }
    }
    plans
}

fn computed_calls(function: Function<'_>) -> impl Iterator<Item = Inst<'_>> {
    function
        .instructions()
        .filter(|it| it.opcode() == Opcode::Call && it.callee().is_some_and(is_computed))
}

/// What calls through pointers may reach.
struct Callees<'m> {
    /// Functions whose address is taken.
    taken: Vec<Function<'m>>,
    /// No variable that held addresses, and that the host may have read, is gone.
    is_whole: bool,
    /// How many instructions a function brings with all that it calls; `None` while this is worked
    /// out, and where it calls itself, or what is not known.
    costs: FxHashMap<Function<'m>, Option<usize>>,
}

impl<'m> Callees<'m> {
    /// The functions that a call may reach, and whether that is taken for granted. `None` for none
    /// and for too many.
    fn of(&self, call: Inst<'m>) -> Option<(Vec<Function<'m>>, bool)> {
        let followed = call.callee().and_then(chosen_from);
        let is_assumed = followed.is_none();
        if is_assumed && !self.is_whole {
            return None;
        }
        let mut functions = followed.unwrap_or_else(|| self.taken.clone());
        // Types of PTX are those that its text shows: what one side shows as a pointer may be bits
        // to the other.
        if functions.iter().any(|it| !call.may_call(*it) && call.may_mean(*it)) {
            return None;
        }
        functions.retain(|it| call.may_call(*it));
        let fits = !functions.is_empty() && functions.len() <= MOST_CALLEES;
        fits.then_some((functions, is_assumed))
    }

    /// How many instructions its callees bring.
    fn cost(&mut self, call: Inst<'m>) -> Option<usize> {
        let (functions, _) = self.of(call)?;
        functions.into_iter().try_fold(0, |sum: usize, it| sum.checked_add(self.cost_of(it)?))
    }

    fn cost_of(&mut self, function: Function<'m>) -> Option<usize> {
        if let Some(known) = self.costs.get(&function) {
            return *known;
        }
        self.costs.insert(function, None);
        let own = function.instructions().count();
        let cost =
            computed_calls(function).try_fold(own, |sum, call| sum.checked_add(self.cost(call)?));
        self.costs.insert(function, cost);
        cost
    }
}

/// Whether a callee is a pointer that the program computes.
fn is_computed(callee: Value<'_>) -> bool {
    matches!(callee.kind(), ValueKind::Instruction | ValueKind::Argument)
}

/// Whether a function is used other than to be called. What LLVM itself lists does not count.
fn is_address_taken(function: Function<'_>) -> bool {
    let as_value = function.as_value();
    let mut work = vec![(as_value, as_value.users())];
    let mut seen = BTreeSet::new();
    while let Some((used, users)) = work.pop() {
        for user in users {
            match user.kind() {
                ValueKind::Instruction => {
                    let calls_it = user.as_inst().is_some_and(|call| {
                        call.callee() == Some(used) && !call.arguments().contains(&used)
                    });
                    if !calls_it {
                        return true;
                    }
                }
                ValueKind::Global => {
                    if !user.name().starts_with("llvm.") {
                        return true;
                    }
                }
                ValueKind::ConstExpr | ValueKind::ConstAggregate | ValueKind::Alias => {
                    if seen.insert(user.spot()) {
                        work.push((user, user.users()));
                    }
                }
                _ => return true,
            }
        }
    }
    false
}

/// The functions among which a pointer is chosen, in text order of the first way to each; `None`
/// where it may come from elsewhere.
fn chosen_from(pointer: Value<'_>) -> Option<Vec<Function<'_>>> {
    let mut found: Vec<Function<'_>> = Vec::new();
    let mut work = vec![pointer];
    let mut seen = BTreeSet::new();
    while let Some(at) = work.pop() {
        if !seen.insert(at.spot()) {
            continue;
        }
        match at.kind() {
            ValueKind::Function => {
                let function = at.as_function()?;
                if !found.contains(&function) {
                    found.push(function);
                }
            }
            // A call of any of these is undefined.
            ValueKind::Null | ValueKind::Undef | ValueKind::Poison => {}
            ValueKind::Instruction => {
                let inst = at.as_inst()?;
                match inst.opcode() {
                    Opcode::Phi => work.extend(inst.operands()),
                    Opcode::Select => work.extend([inst.operand(1)?, inst.operand(2)?]),
                    Opcode::Freeze => work.push(inst.operand(0)?),
                    Opcode::Load => work.extend(functions_in(variable_of(inst.operand(0)?)?)?),
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The variable that an address lies in.
fn variable_of(address: Value<'_>) -> Option<Global<'_>> {
    let mut at = address;
    loop {
        if let Some(global) = at.as_global() {
            return Some(global);
        }
        let opcode = at.const_opcode().or_else(|| Some(at.as_inst()?.opcode()))?;
        match opcode {
            Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                at = at.operand(0)?
            }
            _ => return None,
        }
    }
}

/// The functions in a variable that nothing writes.
fn functions_in(global: Global<'_>) -> Option<Vec<Value<'_>>> {
    if !global.is_constant() || global.is_externally_initialized() || global.is_interposable() {
        return None;
    }
    let mut found = Vec::new();
    let mut work = vec![global.initializer()?];
    while let Some(at) = work.pop() {
        match at.kind() {
            ValueKind::Function => found.push(at),
            ValueKind::ConstAggregate => {
                let mut elements: Vec<_> = (0..).map_while(|n| at.element(n)).collect();
                elements.reverse();
                work.extend(elements);
            }
            ValueKind::ConstInt
            | ValueKind::ConstFloat
            | ValueKind::Null
            | ValueKind::ZeroAggregate
            | ValueKind::Undef
            | ValueKind::Poison => {}
            _ => return None,
        }
    }
    Some(found)
}
