//! Dead code: values that end in no address, no stored value, no branch and no call with an effect.
//!
//! A kernel that works on images, say, computes places by the thousand, and hands them to functions
//! of which only the image counts. Such values are found over all functions together: an argument
//! is asked about if the parameter is, what a function returns if a call's result is, what is
//! stored in a variable if the variable is read, or its address goes elsewhere. Calls of functions
//! that only compute go with their result, before variables become values and calls are inlined.
//!
//! **Promises**: no access to memory that two threads can name goes, where one of them could write,
//! no synchronization, no branch, and no call of anything that does more than compute; what is left
//! computes what it did. **Does not**: run where the module is executed afterwards: what functions
//! of images are handed is gone.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Target;
use crate::call::{Role, role};
use crate::mangled::are_builtins;
use heddle_llvm::{Function, Inst, Module, Opcode, Ordering, Spot, TypeKind, Value, ValueKind};

/// Deletes them.
pub(super) fn drop_dead_code(
    module: &mut Module,
    target: Target,
    is_kernel: &dyn Fn(&str) -> bool,
) {
    let dead = Asked::of(module, quiet_spaces(target), is_kernel).dead();
    module.delete_computations(&dead);
}

/// Address spaces of the thread's own memory and of constants.
fn quiet_spaces(target: Target) -> &'static [u32] {
    match target {
        Target::Nvptx => &[4, 5],
        Target::Spirv => &[0, 2],
    }
}

/// What is asked about, in a module whose functions call each other.
struct Asked<'m> {
    functions: Vec<Known<'m>>,
    numbers: FxHashMap<Function<'m>, usize>,
    /// By declared function: what it is.
    roles: FxHashMap<Function<'m>, Role>,
    values: FxHashSet<Value<'m>>,
    /// By variable: what sets it.
    setters: FxHashMap<Value<'m>, Vec<Inst<'m>>>,
    /// Those whose operands are still to be asked about.
    open: Vec<Value<'m>>,
    /// Functions that are called from now on.
    entered: Vec<usize>,
    /// Address spaces in which no thread sees what another one writes.
    quiet: &'static [u32],
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does<'m> {
    /// It makes a value of values, and nobody could tell that it happened. A variable of the
    /// function is a value, its address.
    Value,
    /// It changes this variable of the function.
    Sets(Value<'m>),
    /// More than that.
    More,
}

/// What is known of a function with a body.
struct Known<'m> {
    function: Function<'m>,
    /// Its instructions, each with what it does.
    body: Vec<(Inst<'m>, Does<'m>)>,
    /// It does nothing but compute.
    computes: bool,
    /// A call of it is left.
    is_called: bool,
    calls: Vec<Inst<'m>>,
    /// The numbers of the parameters that are asked about.
    parameters: Vec<u32>,
    returned: Vec<Value<'m>>,
    result_is_asked: bool,
}

/// Whether a function has no loop, or the language says that its loops end. One that may go round
/// for ever does more than compute: what follows a call need not be reached.
fn surely_returns(function: Function<'_>) -> bool {
    if ["mustprogress", "willreturn"].iter().any(|it| function.attribute(it).is_some()) {
        return true;
    }
    let mut before = FxHashSet::default();
    function.blocks().all(|block| {
        before.insert(block);
        block.successors().iter().all(|next| !before.contains(next))
    })
}

impl<'m> Asked<'m> {
    fn of(
        module: &'m Module,
        quiet: &'static [u32],
        is_kernel: &dyn Fn(&str) -> bool,
    ) -> Asked<'m> {
        let mut asked = Asked {
            functions: Vec::new(),
            numbers: FxHashMap::default(),
            roles: FxHashMap::default(),
            values: FxHashSet::default(),
            setters: FxHashMap::default(),
            open: Vec::new(),
            entered: Vec::new(),
            quiet,
        };
        let has_builtins = are_builtins(module);
        for function in module.functions() {
            if function.is_declaration() {
                asked.roles.insert(function, role(&function.name(), has_builtins));
            } else {
                asked.numbers.insert(function, asked.functions.len());
                asked.functions.push(Known {
                    function,
                    body: Vec::new(),
                    computes: false,
                    is_called: false,
                    calls: Vec::new(),
                    parameters: Vec::new(),
                    returned: Vec::new(),
                    result_is_asked: false,
                });
            }
        }
        let mut seen = vec![false; asked.functions.len()];
        for number in 0..asked.functions.len() {
            asked.look_at(number, &mut seen);
        }
        for number in 0..asked.functions.len() {
            let function = asked.functions[number].function;
            if is_kernel(&function.name()) || is_named_elsewhere(function) {
                asked.enter(number);
                asked.ask_result(number);
            }
        }
        asked.follow();
        asked
    }

    /// Finds out what a function does, and before it those that it calls. One that calls itself
    /// counts as doing more than computing.
    fn look_at(&mut self, number: usize, seen: &mut [bool]) {
        if std::mem::replace(&mut seen[number], true) {
            return;
        }
        let function = self.functions[number].function;
        let mut body = Vec::new();
        let mut computes = surely_returns(function);
        for inst in function.instructions() {
            let does = self.does(inst, seen);
            if let Does::Sets(variable) = does {
                self.setters.entry(variable).or_default().push(inst);
            }
            let goes = matches!(inst.opcode(), Opcode::Ret | Opcode::Br | Opcode::Switch);
            computes &= goes || does != Does::More;
            body.push((inst, does));
        }
        let known = &mut self.functions[number];
        (known.body, known.computes) = (body, computes);
    }

    fn does(&mut self, inst: Inst<'m>, seen: &mut [bool]) -> Does<'m> {
        let opcode = inst.opcode();
        let plain = |inst: Inst<'_>| inst.ordering() == Ordering::NotAtomic && !inst.is_volatile();
        let does = match opcode {
            Opcode::Alloca => Some(Does::Value),
            Opcode::Load => {
                let quiet = inst.pointer_operand().is_some_and(|it| self.is_quiet(it));
                (quiet && plain(inst)).then_some(Does::Value)
            }
            Opcode::Store => {
                let variable = inst.pointer_operand().and_then(own_variable);
                variable.filter(|_| plain(inst)).map(Does::Sets)
            }
            Opcode::Call => self.call_does(inst, seen),
            _ => opcode.computes().then_some(Does::Value),
        };
        does.unwrap_or(Does::More)
    }

    fn call_does(&mut self, call: Inst<'m>, seen: &mut [bool]) -> Option<Does<'m>> {
        let function = call.called_function()?;
        if let Some(&number) = self.numbers.get(&function) {
            self.look_at(number, seen);
            return self.functions[number].computes.then_some(Does::Value);
        }
        let operand = |n: u32| call.operand(n);
        let plain = || operand(3).and_then(Value::const_int) == Some(0);
        match self.roles.get(&function)? {
            Role::Computes => Some(Does::Value),
            Role::MarksVariable => own_variable(operand(0)?).map(Does::Sets),
            Role::Fills if plain() => own_variable(operand(0)?).map(Does::Sets),
            Role::Copies if plain() && self.is_quiet(operand(1)?) => {
                own_variable(operand(0)?).map(Does::Sets)
            }
            Role::Fills | Role::Copies | Role::FirstOnly | Role::Other => None,
        }
    }

    /// Whether a pointer points to where no thread sees what another one writes.
    fn is_quiet(&self, pointer: Value<'m>) -> bool {
        let space = match pointer.ty().kind() {
            TypeKind::Pointer(space) => space,
            _ => return false,
        };
        self.quiet.contains(&space) || own_variable(pointer).is_some()
    }

    /// Asks about what the instructions of a function need that do more than compute.
    fn enter(&mut self, number: usize) {
        if !std::mem::replace(&mut self.functions[number].is_called, true) {
            self.entered.push(number);
        }
    }

    fn follow(&mut self) {
        loop {
            if let Some(number) = self.entered.pop() {
                let body = std::mem::take(&mut self.functions[number].body);
                for &(inst, _) in body.iter().filter(|(_, does)| *does == Does::More) {
                    self.root(number, inst);
                }
                self.functions[number].body = body;
            } else if let Some(value) = self.open.pop() {
                match value.as_inst() {
                    Some(inst) => self.computed(inst),
                    None => self.parameter(value),
                }
            } else {
                return;
            }
        }
    }

    fn root(&mut self, number: usize, inst: Inst<'m>) {
        if inst.opcode() == Opcode::Ret {
            let value = inst.operand(0);
            self.functions[number].returned.extend(value);
            if self.functions[number].result_is_asked {
                value.into_iter().for_each(|it| self.ask(it));
            }
            return;
        }
        let callee = inst.called_function();
        match callee.and_then(|it| self.numbers.get(&it).copied()) {
            Some(callee) => self.call(callee, inst),
            None if self.says_its_first(inst) => {
                inst.operand(0).into_iter().for_each(|it| self.ask(it));
            }
            None => inst.for_each_value(&mut |it| self.ask(it)),
        }
    }

    /// Whether an instruction is a call of which only the first argument counts.
    fn says_its_first(&self, inst: Inst<'m>) -> bool {
        inst.called_function().and_then(|it| self.roles.get(&it)) == Some(&Role::FirstOnly)
    }

    /// A call that stays.
    fn call(&mut self, callee: usize, call: Inst<'m>) {
        self.enter(callee);
        let arguments = call.arguments();
        let known = &mut self.functions[callee];
        known.calls.push(call);
        let parameters = known.parameters.clone();
        if arguments.len() == known.function.arguments().len() {
            let asked = parameters.iter().filter_map(|&it| arguments.get(it as usize).copied());
            asked.for_each(|it| self.ask(it));
            // The call copies what a `byval` argument points to, whether or not the callee looks at
            // it.
            let copied = (0..).zip(&arguments).filter(|(n, _)| call.copies_argument(*n));
            copied.for_each(|(_, &it)| self.ask(it));
        } else {
            arguments.into_iter().for_each(|it| self.ask(it));
        }
    }

    fn ask(&mut self, value: Value<'m>) {
        let is_open = matches!(value.kind(), ValueKind::Instruction | ValueKind::Argument);
        if is_open && self.values.insert(value) {
            self.open.push(value);
        }
    }

    fn ask_result(&mut self, number: usize) {
        if !std::mem::replace(&mut self.functions[number].result_is_asked, true) {
            let returned = self.functions[number].returned.clone();
            returned.into_iter().for_each(|it| self.ask(it));
        }
    }

    /// What the value of an instruction is made of.
    fn computed(&mut self, inst: Inst<'m>) {
        match inst.called_function().and_then(|it| self.numbers.get(&it).copied()) {
            Some(callee) => {
                if self.functions[callee].computes {
                    self.call(callee, inst);
                }
                self.ask_result(callee);
            }
            None if self.says_its_first(inst) => {
                inst.operand(0).into_iter().for_each(|it| self.ask(it));
            }
            None => {
                inst.for_each_value(&mut |it| self.ask(it));
                for setter in self.setters.remove(&inst.as_value()).unwrap_or_default() {
                    setter.for_each_value(&mut |it| self.ask(it));
                }
            }
        }
    }

    /// What the calls hand over for a parameter.
    fn parameter(&mut self, value: Value<'m>) {
        let Some(parameter) = value.as_argument() else { return };
        let Some(&number) = self.numbers.get(&parameter.function()) else { return };
        self.functions[number].parameters.push(parameter.index());
        for call in self.functions[number].calls.clone() {
            let handed = call.arguments().get(parameter.index() as usize).copied();
            handed.into_iter().for_each(|it| self.ask(it));
        }
    }

    /// What only makes values, or sets variables, that are not asked about.
    fn dead(&self) -> Vec<Spot> {
        let called = self.functions.iter().filter(|it| it.is_called);
        let dead = called.flat_map(|it| &it.body).filter(|(inst, does)| match does {
            Does::Value => !self.values.contains(&inst.as_value()),
            Does::Sets(variable) => !self.values.contains(variable),
            Does::More => false,
        });
        dead.map(|(inst, _)| inst.spot()).collect()
    }
}

/// The variable of the function that a pointer points into.
fn own_variable(mut pointer: Value<'_>) -> Option<Value<'_>> {
    loop {
        let inst = pointer.as_inst()?;
        match inst.opcode() {
            Opcode::Alloca => return Some(pointer),
            Opcode::GetElementPtr | Opcode::AddrSpaceCast => pointer = inst.operand(0)?,
            _ => return None,
        }
    }
}

/// Whether anything but a direct call names a function.
fn is_named_elsewhere(function: Function<'_>) -> bool {
    let calls = |user: Value<'_>| user.as_inst().and_then(Inst::called_function) == Some(function);
    function.users().into_iter().any(|user| {
        // One that is handed to itself, too.
        !calls(user)
            || user.as_inst().is_some_and(|call| {
                call.arguments().iter().any(|it| it.as_function() == Some(function))
            })
    })
}
