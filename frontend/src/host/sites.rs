//! Finds the launches of a host module, and marks each by calls that name what it gets.
//!
//! clang makes of `kernel<<<grid, block, shared, stream>>>(…)` a call that takes the sizes, and
//! then one of a stub of the kernel with the arguments. `cudaLaunchKernel` takes the stub's
//! address, the sizes and a table of addresses of the arguments. A stub that is called through a
//! pointer is each of those that the pointer may be, where all of them are seen: choices and joins
//! of stubs, and nothing that went through memory. A function may give a stub to callers in other
//! sources: what these launch is not seen, unless something here is launched through a pointer
//! that may have come back from them.
//!
//! **Promises**: a kernel of which a launch is not understood, or whose stub is used in another
//! way, is listed. So are all where a function is used that starts kernels by name or changes
//! recorded launches. **Does not**: see launches from other sources and from the device.

use std::collections::{HashMap, HashSet};

use super::elsewhere::starts_elsewhere;
use super::launchers::By;
use super::names::plain;
use super::paths::Paths;
use super::stubs::{Piece, Taken, taken};
use super::{Shape, Wanted};
use crate::compile::headers;
use heddle_lift::symbol::of_one_file;
use heddle_llvm::{
    Arg, Block, Function, Inst, Location, Module, NewCall, Opcode, Side, Spot, TypeKind, Value,
    ValueKind,
};

/// The call that names the sizes of a launch: its number, `x` and `y` in one number and `z` of the
/// grid, the same of the block, the bytes of shared memory.
pub(super) const LAUNCH: &str = "heddle.launch";
/// The call that names an argument: the launch, the kernel's parameter, its bits.
pub(super) const ARGUMENT: &str = "heddle.argument";

/// What a stub is called.
const STUB: &str = "__device_stub__";

/// The launches that were marked.
pub(super) struct Sites {
    pub(super) all: Vec<Site>,
    /// Kernels that may be started where no launch is seen, by index.
    pub(super) anywhere: HashSet<usize>,
    /// Kernels with a `<<<…>>>` whose arguments are not understood, by index.
    pub(super) unread: HashSet<usize>,
}

/// A launch, by its number.
pub(super) struct Site {
    /// The kernel, by index.
    pub(super) kernel: usize,
    /// Where it is.
    pub(super) at: Location,
    /// The kernel is one of several that a pointer may lead to there.
    pub(super) is_chosen: bool,
    /// All its blocks are on the device at once, or it does not happen.
    pub(super) is_cooperative: bool,
}

/// Whether a function is a kernel's stub.
pub(super) fn is_stub(symbol: &str) -> bool {
    kernels_of(symbol).next().is_some()
}

/// The kernel that a stub is of: `_Z16__device_stub__kPi` is that of `_Z1kPi`. Where a name before
/// it ends in digits, as that of an anonymous namespace does (`_GLOBAL__N_1`), these stand before
/// the length, and only one of the kernels that come of it is one.
fn kernels_of(stub: &str) -> impl Iterator<Item = String> {
    let (before, rest) = stub.split_once(STUB).unwrap_or_default();
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    // With C's linkage. Else it is in the middle of a name of the program's own.
    let plain = (before.is_empty() && !rest.is_empty()).then(|| rest.to_owned());
    let mangled = (before.len() - digits..before.len()).filter_map(move |at| {
        let (head, length) = before.split_at(at);
        let length = length.parse::<usize>().ok()?.checked_sub(STUB.len())?;
        let fits = length <= rest.len() && !before[at..].starts_with('0');
        fits.then(|| format!("{head}{length}{rest}"))
    });
    plain.into_iter().chain(mangled)
}

/// Whether a value is what clang keeps of a kernel for code of several files: by it the kernel is
/// registered, as by the calls that there are otherwise.
fn registers(user: Value<'_>) -> bool {
    let is_entry = |it: Value<'_>| {
        it.as_global().is_some_and(|it| it.name().starts_with(".offloading.entry."))
    };
    user.kind() == ValueKind::ConstAggregate && user.users().into_iter().all(is_entry)
}

/// Marks all launches of these kernels; `None` where the module cannot be changed so.
pub(super) fn mark(module: &mut Module, wanted: &[Wanted]) -> Option<Sites> {
    let mut found = Found::of(wanted);
    for function in module.functions() {
        if starts_elsewhere(&function.name()) && !function.users().is_empty() {
            found.sites.anywhere.extend(0..wanted.len());
        }
        found.look(module, function);
    }
    for function in module.functions().filter(|it| is_stub(&it.name())) {
        found.other_uses(function);
    }
    if found.launches_unseen {
        found.sites.anywhere.extend(&found.returned);
    }
    let Found { sites, calls, delete, forget, .. } = found;
    module.insert_calls(&calls);
    forget.into_iter().for_each(|(call, index)| module.forget_argument(call, index));
    module.delete_computations(&delete);
    module.verify().ok()?;
    Some(sites)
}

/// The arguments of a call of a stub: each by the index of its parameter, and from which bit on.
/// `taken` is how the stub takes each parameter.
fn given(
    module: &Module,
    call: Inst<'_>,
    shapes: &[Shape],
    taken: &[Taken],
) -> Option<Vec<(u32, Arg, u64)>> {
    (shapes.len() == taken.len()).then_some(())?;
    let given = call.arguments();
    let mut arguments = Vec::new();
    for (shape, taken) in shapes.iter().zip(taken) {
        match (shape, taken) {
            (Shape::Whole(param, width), Taken::In(pieces)) => {
                let value = whole(&given, pieces)?;
                let fits = match value.ty().kind() {
                    TypeKind::Int(bits) | TypeKind::Float(bits) => bits == u32::from(*width),
                    TypeKind::BFloat => *width == 16,
                    TypeKind::Pointer(_) => *width == 64,
                    _ => false,
                };
                // A `bool` is a byte in memory and a bit in a register.
                let is_bit = value.ty().kind() == TypeKind::Int(1) && *width == 8;
                (fits || is_bit).then_some(())?;
                arguments.push((*param, Arg::Bits(value.spot()), 0));
            }
            (Shape::Whole(..), Taken::At(_)) => return None,
            (Shape::Parts(parts), Taken::At(argument)) => {
                let address = given.get(*argument as usize)?;
                for (param, offset, width) in parts {
                    let arg = Arg::Loaded(address.spot(), *offset, u32::from(*width));
                    arguments.push((*param, arg, 0));
                }
            }
            (Shape::Parts(parts), Taken::In(pieces)) => {
                for (param, offset, width) in parts {
                    let end = *offset + u64::from(*width) / 8;
                    let holds = |it: &&Piece| it.offset <= *offset && end <= it.offset + it.bytes;
                    let piece = pieces.iter().find(holds)?;
                    let register = given.get(piece.argument as usize)?;
                    (register.ty().store_size(module)? <= 8).then_some(())?;
                    let shift = 8 * (offset - piece.offset);
                    arguments.push((*param, Arg::Bits(register.spot()), shift));
                }
            }
        }
    }
    Some(arguments)
}

/// The argument that is all of a parameter.
fn whole<'m>(given: &[Value<'m>], pieces: &[Piece]) -> Option<Value<'m>> {
    let [Piece { argument, offset: 0, .. }] = pieces else { return None };
    given.get(*argument as usize).copied()
}

/// What is found of launches.
struct Found<'a> {
    wanted: &'a [Wanted],
    /// Kernels by symbol.
    index: HashMap<&'a str, usize>,
    /// Functions of the runtime. What else is called like one is the program's own.
    runtime: HashSet<&'static str>,
    sites: Sites,
    /// Kernels that functions give to callers in other sources.
    returned: HashSet<usize>,
    /// Something is launched through a pointer that is not followed.
    launches_unseen: bool,
    calls: Vec<NewCall>,
    delete: Vec<Spot>,
    forget: Vec<(Spot, u32)>,
}

impl<'a> Found<'a> {
    fn of(wanted: &'a [Wanted]) -> Found<'a> {
        let index = wanted.iter().enumerate();
        let index = index.map(|(n, it)| (of_one_file(&it.symbol), n)).collect();
        Found {
            wanted,
            index,
            runtime: headers::functions_of_the_runtime(),
            sites: Sites { all: Vec::new(), anywhere: HashSet::new(), unread: HashSet::new() },
            returned: HashSet::new(),
            launches_unseen: false,
            calls: Vec::new(),
            delete: Vec::new(),
            forget: Vec::new(),
        }
    }

    fn kernel(&self, stub: &str) -> Option<usize> {
        kernels_of(stub).find_map(|it| self.index.get(it.as_str()).copied())
    }

    fn look(&mut self, module: &Module, function: Function<'_>) {
        if is_stub(&function.name()) {
            return;
        }
        for inst in function.instructions().filter(|it| it.is_call()) {
            let Some(callee) = inst.called_function().map(Function::name) else {
                self.chosen(module, inst);
                continue;
            };
            if is_stub(&callee) {
                let Some(kernel) = self.kernel(&callee) else { continue };
                match self.started(module, inst, &callee, kernel).filter(|()| !may_throw(inst)) {
                    Some(()) => self.delete.push(inst.spot()),
                    None => {
                        self.sites.unread.insert(kernel);
                    }
                }
            } else if let Some(by) = By::of(plain(&callee)) {
                let stub = inst.arguments().get(by.kernel()).and_then(|it| it.as_function());
                self.launches_unseen |= stub.is_none();
                let Some(kernel) = stub.and_then(|it| self.kernel(&it.name())) else { continue };
                if by.may_set_cluster(&self.wanted[kernel])
                    || self.called(module, inst, by, kernel).is_none()
                {
                    self.sites.anywhere.insert(kernel);
                } else if let Some(site) = self.sites.all.last_mut() {
                    site.is_cooperative = by == By::Cooperative;
                }
            }
        }
    }

    /// `pointer<<<…>>>(…)`: a launch of each kernel that the pointer may be.
    fn chosen(&mut self, module: &Module, call: Inst<'_>) {
        let Some(pointer) = call.callee().filter(|_| is_launch(call)) else { return };
        let Some(stubs) = stubs(pointer) else {
            self.launches_unseen = true;
            return;
        };
        let before = self.sites.all.len();
        for stub in &stubs {
            let Some(kernel) = self.kernel(stub) else { continue };
            if self.started(module, call, stub, kernel).is_none() || may_throw(call) {
                self.sites.anywhere.insert(kernel);
            }
        }
        self.sites.all[before..].iter_mut().for_each(|it| it.is_chosen = stubs.len() > 1);
        if !may_throw(call) {
            self.delete.push(call.spot());
        }
    }

    /// Whether a function of the runtime asks about a kernel, or sets how it runs, and starts none.
    fn asks(&self, name: &str) -> bool {
        let begins = ["cudaFuncSet", "cudaFuncGet", "cudaOccupancy"];
        begins.iter().any(|it| name.starts_with(it)) && self.runtime.contains(name)
    }

    /// A stub that something else takes the address of may be started anywhere.
    fn other_uses(&mut self, stub: Function<'_>) {
        let Some(kernel) = self.kernel(&stub.name()) else { return };
        for user in stub.users() {
            let Some(inst) = user.as_inst() else {
                if !registers(user) {
                    self.sites.anywhere.insert(kernel);
                }
                continue;
            };
            let caller = inst.block().function().name();
            let callee = callee(&inst);
            let name = plain(&callee);
            let harmless = callee == stub.name()
                || inst.opcode() == Opcode::ICmp
                || is_stub(&caller)
                || caller.starts_with("__cuda_register")
                || self.asks(name)
                || name.starts_with("__cudaRegister")
                || By::of(name).is_some()
                || (joins(inst) && is_only_launched(inst, &mut Vec::new()))
                || returns_to_others(inst);
            if !harmless {
                self.sites.anywhere.insert(kernel);
            } else if joins(inst) || returns_to_others(inst) {
                self.returned.insert(kernel);
            }
        }
    }

    /// `kernel<<<…>>>(…)`: a call of the stub, after one that takes the sizes.
    fn started(
        &mut self,
        module: &Module,
        call: Inst<'_>,
        stub: &str,
        kernel: usize,
    ) -> Option<()> {
        let config = configuration(call)?;
        let taken = taken(module, module.function(stub)?)?;
        let arguments = given(module, call, &self.wanted[kernel].shapes, &taken)?;
        let [grid, grid_z, block, block_z, shared] = *config.arguments().first_chunk()?;
        let sizes = [grid, grid_z, block, block_z, shared].map(|it| Arg::Bits(it.spot()));
        self.put(module, call, kernel, sizes, &arguments)
    }

    /// `cudaLaunchKernel(kernel, grid, block, arguments, …)`, or
    /// `cudaLaunchKernelExC(configuration, kernel, arguments)`.
    fn called(&mut self, module: &Module, call: Inst<'_>, by: By, kernel: usize) -> Option<()> {
        let given = call.arguments();
        let (sizes, table, forgotten) = match by {
            By::Sizes | By::Cooperative => {
                // The structures of sizes are two registers each.
                let kinds: Vec<_> = given.iter().map(|it| it.ty().kind()).collect();
                let sizes = [64, 32, 64, 32].map(TypeKind::Int);
                let fits =
                    given.len() == 8 && kinds[1..5] == sizes && kinds[6] == TypeKind::Int(64);
                fits.then_some(())?;
                let sizes = [1, 2, 3, 4, 6].map(|n: usize| Arg::Bits(given[n].spot()));
                (sizes, given[5].spot(), vec![5])
            }
            By::Configuration => {
                (given.len() == 3).then_some(())?;
                // `gridDim`, `blockDim` and `dynamicSmemBytes` come first, in this order.
                let from = given[0].spot();
                let sizes = [(0, 64), (8, 32), (12, 64), (20, 32), (24, 64)];
                let sizes = sizes.map(|(offset, bits)| Arg::Loaded(from, offset, bits));
                (sizes, given[2].spot(), vec![0, 2])
            }
        };
        let mut arguments = Vec::new();
        for (index, shape) in (0..).zip(&self.wanted[kernel].shapes) {
            match shape {
                Shape::Whole(param, width) => {
                    let arg = Arg::LoadedFrom(table, index, 0, u32::from(*width));
                    arguments.push((*param, arg, 0));
                }
                Shape::Parts(parts) => {
                    for (param, offset, width) in parts {
                        let arg = Arg::LoadedFrom(table, index, *offset, u32::from(*width));
                        arguments.push((*param, arg, 0));
                    }
                }
            }
        }
        self.put(module, call, kernel, sizes, &arguments)?;
        self.forget.extend(forgotten.into_iter().map(|index| (call.spot(), index)));
        Some(())
    }

    /// Marks a launch before an instruction.
    fn put(
        &mut self,
        module: &Module,
        at: Inst<'_>,
        kernel: usize,
        sizes: [Arg; 5],
        arguments: &[(u32, Arg, u64)],
    ) -> Option<()> {
        let number = self.sites.all.len() as u32;
        let mut call = |callee, args| {
            self.calls.push(NewCall { at: at.spot(), side: Side::Before, callee, args });
        };
        call(LAUNCH, [Arg::I32(number)].into_iter().chain(sizes).collect());
        for (param, value, shift) in arguments {
            let shift = Arg::I32(*shift as u32);
            call(ARGUMENT, vec![Arg::I32(number), Arg::I32(*param), *value, shift]);
        }
        let at = at.location(module)?;
        self.sites.all.push(Site { kernel, at, is_chosen: false, is_cooperative: false });
        Some(())
    }
}

/// Whether an instruction gives one of its operands.
fn joins(inst: Inst<'_>) -> bool {
    matches!(inst.opcode(), Opcode::Phi | Opcode::Select)
}

/// What a call goes through that names no function, and may be a stub: these give nothing.
fn pointer_called(call: Inst<'_>) -> Option<Value<'_>> {
    (call.as_value().ty().kind() == TypeKind::Void).then_some(())?;
    let callee = call.callee().filter(|it| it.as_inline_asm().is_none())?;
    callee.as_function().is_none().then_some(callee)
}

/// Whether a call through a pointer starts what it calls with the sizes of a launch.
fn is_launch(call: Inst<'_>) -> bool {
    pointer_called(call).is_some() && configuration(call).is_some()
}

/// Whether a call ends its block, with a way for what it throws: it cannot be taken out.
fn may_throw(call: Inst<'_>) -> bool {
    call.opcode() == Opcode::Invoke
}

/// The stubs that a pointer may be; `None` where one of them is not seen. No call goes through a
/// pointer without a value.
fn stubs(pointer: Value<'_>) -> Option<Vec<String>> {
    let (mut all, mut names, mut next) = (vec![pointer], Vec::new(), 0);
    while let Some(&value) = all.get(next) {
        next += 1;
        if let Some(inst) = value.as_inst().filter(|it| joins(*it)) {
            let from: Vec<_> = match inst.opcode() {
                Opcode::Phi => inst.incoming().into_iter().map(|(value, _)| value).collect(),
                _ => inst.operands().skip(1).collect(),
            };
            let new: Vec<_> = from.into_iter().filter(|it| !all.contains(it)).collect();
            all.extend(new);
        } else if let Some(function) = value.as_function() {
            let name = Some(function.name()).filter(|it| is_stub(it))?;
            if !names.contains(&name) {
                names.push(name);
            }
        } else {
            let kind = value.kind();
            matches!(kind, ValueKind::Undef | ValueKind::Poison | ValueKind::Null).then_some(())?;
        }
    }
    Some(names)
}

/// Whether an instruction gives what it has to functions of other sources alone, which may launch
/// kernels of this one as they please: in this source all calls of its function became part of
/// their callers.
fn returns_to_others(inst: Inst<'_>) -> bool {
    inst.opcode() == Opcode::Ret && inst.block().function().users().is_empty()
}

/// Whether nothing is done with a choice of stubs but launches and comparisons.
fn is_only_launched<'m>(choice: Inst<'m>, seen: &mut Vec<Inst<'m>>) -> bool {
    if seen.contains(&choice) {
        return true;
    }
    seen.push(choice);
    choice.as_value().users().into_iter().all(|user| {
        let Some(inst) = user.as_inst() else { return false };
        match inst.opcode() {
            Opcode::ICmp => true,
            Opcode::Ret => returns_to_others(inst),
            Opcode::Call => {
                let is_called = inst.callee() == Some(choice.as_value());
                let is_given = inst.arguments().contains(&choice.as_value());
                let is_followed = is_launch(inst) && stubs(choice.as_value()).is_some();
                is_called && !is_given && is_followed
            }
            _ => joins(inst) && is_only_launched(inst, seen),
        }
    })
}

/// The call that takes the sizes of a launch, before the call of the stub. An argument may launch
/// another kernel in between.
fn configuration(call: Inst<'_>) -> Option<Inst<'_>> {
    let (mut block, mut limit, mut others) = (call.block(), Some(call), 0);
    for _ in 0..64 {
        let before: Vec<_> = block.instructions().take_while(|it| Some(*it) != limit).collect();
        for inst in before.into_iter().rev().filter(|it| it.is_call()) {
            if is_stub(&callee(&inst)) {
                others += 1;
            } else if let Some(pointer) = pointer_called(inst) {
                // One that may be a kernel or not: whose sizes come first is not known.
                stubs(pointer)?;
                others += 1;
            } else if takes_sizes(&inst) && others == 0 {
                return Some(inst);
            } else if takes_sizes(&inst) {
                others -= 1;
            }
        }
        limit = None;
        block = comes_from(block)?;
    }
    None
}

fn callee(call: &Inst<'_>) -> String {
    call.called_function().map(Function::name).unwrap_or_default()
}

fn takes_sizes(call: &Inst<'_>) -> bool {
    let names = ["cudaConfigureCall", "__cudaPushCallConfiguration"];
    names.contains(&plain(&callee(call))) && has_sizes(*call)
}

/// A block that every path to this one comes through, with no part of a launch in between: an
/// argument may be computed by a loop, or by one of two branches.
fn comes_from(block: Block<'_>) -> Option<Block<'_>> {
    if let Some(only) = only_predecessor(block) {
        return Some(only);
    }
    let paths = Paths::of(block.function())?;
    let above = paths.immediate(block)?;
    let is_quiet = |inst: Inst<'_>| {
        !inst.is_call()
            || !(is_stub(&callee(&inst)) || takes_sizes(&inst) || pointer_called(inst).is_some())
    };
    let mut between = paths.between(above, block).into_iter();
    between.all(|it| it.instructions().all(is_quiet)).then_some(above)
}

/// Two sizes in two registers each, and the bytes of shared memory.
fn has_sizes(call: Inst<'_>) -> bool {
    let given = call.arguments();
    let bits = |n: usize| given.get(n).map(|it| it.ty().kind());
    let expected = [64, 32, 64, 32, 64].map(|bits| Some(TypeKind::Int(bits)));
    given.len() == 6 && (0..5).all(|n| bits(n) == expected[n])
}

/// The block that every path to this one comes from last.
fn only_predecessor(block: Block<'_>) -> Option<Block<'_>> {
    let mut before = block.function().blocks().filter(|it| it.successors().contains(&block));
    let first = before.next()?;
    before.next().is_none().then_some(first)
}
