//! Makes host functions part of those that call them, and variables values.
//!
//! **Promises**: what the program does stays the same, for who calls its functions from outside
//! too, unless the source has `main` ([`super`] says what is assumed then). **Does not**: inline
//! recursive functions, or more than [`MOST`] instructions.

use std::collections::{HashMap, HashSet};

use super::{names, sites};
use crate::compile::headers;
use heddle_llvm::{Function, Inst, Linkage, Module, Opcode, TypeKind, Value};

/// Instructions of the whole module after inlining, at most.
const MOST: usize = 200_000;

/// How clang's names begin of the function that sets the variables of a source before `main`, and
/// of those that it calls for each of them.
const CONSTRUCTOR: &str = "_GLOBAL__sub_I_";
const INITIALISER: &str = "__cxx_global_var_init";

/// What a call of an allocator becomes: the address is a value, not something in memory.
const ALLOCATORS: [(&str, &str); 5] = [
    ("cudaMalloc", "ptr %at, i64 %size"),
    ("cudaMallocManaged", "ptr %at, i64 %size, i32 %flags"),
    ("cudaMallocAsync", "ptr %at, i64 %size, ptr %stream"),
    ("cudaMallocHost", "ptr %at, i64 %size"),
    ("cudaMallocFromPoolAsync", "ptr %at, i64 %size, ptr %pool, ptr %stream"),
];

/// Allocators of rows: parameters, and what loads the sizes from them. The pitch that they give is
/// at least the width of a row in bytes, and one that copies of memory take (`memPitch`, which is
/// 2^31 - 1).
const PITCHED: [(&str, &str, &str); 2] = [
    (
        "cudaMallocPitch",
        "ptr %at, ptr %pitch.at, i64 %width, i64 %height",
        "  %rows = add i64 %height, 0\n",
    ),
    (
        "cudaMalloc3D",
        "ptr %at, ptr byval({ i64, i64, i64 }) align 8 %extent",
        "  %pitch.at = getelementptr i8, ptr %at, i64 8\n  \
         %xsize.at = getelementptr i8, ptr %at, i64 16\n  \
         %ysize.at = getelementptr i8, ptr %at, i64 24\n  \
         %height.at = getelementptr i8, ptr %extent, i64 8\n  \
         %depth.at = getelementptr i8, ptr %extent, i64 16\n  \
         %width = load i64, ptr %extent\n  %height = load i64, ptr %height.at\n  \
         %depth = load i64, ptr %depth.at\n  %rows = mul nuw i64 %height, %depth\n  \
         store i64 %width, ptr %xsize.at\n  store i64 %height, ptr %ysize.at\n",
    ),
];

/// The call that gives the address of an allocation.
pub(super) const ALLOCATED: &str = "heddle.allocated";

/// Functions of the runtime that keep no pointer to the variables of the host that they are given
/// (CUDA runtime API: each of them is done with its arguments when it returns).
const NOT_KEEPING: [&str; 22] = [
    "cudaDeviceGetAttribute",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventElapsedTime",
    "cudaFuncGetAttributes",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceProperties",
    "cudaMemGetInfo",
    "cudaMemcpy",
    "cudaMemcpyFromSymbol",
    "cudaMemcpyToSymbol",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaOccupancyMaxPotentialBlockSize",
    "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
    "cudaOccupancyMaxPotentialBlockSizeWithFlags",
    "cudaStreamCreate",
    "cudaStreamCreateWithFlags",
    "cudaStreamCreateWithPriority",
    "cudaMallocPitch",
    "cudaMalloc3D",
];

/// Functions of the runtime that touch no variable of the host.
const UNSEEN: [&str; 7] = [
    "__cudaPushCallConfiguration",
    "cudaConfigureCall",
    "cudaEventRecord",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "heddle.status",
];

/// Functions of the built-in headers of PyTorch that stand for what makes a tensor.
const OF_TENSORS: [&str; 4] = [
    "c10::heddle_shape::any",
    "at::Tensor::heddle_is_other",
    "at::Tensor::heddle_new_memory",
    "at::Tensor::heddle_place",
];

/// Functions of the runtime that clang calls for kernels.
const STUBS_CALL: [&str; 11] = [
    "cudaLaunch",
    "cudaLaunchKernel",
    "cudaSetupArgument",
    "__cudaInitModule",
    "__cudaPopCallConfiguration",
    "__cudaPushCallConfiguration",
    "__cudaRegisterFatBinary",
    "__cudaRegisterFatBinaryEnd",
    "__cudaRegisterFunction",
    "__cudaRegisterVar",
    "__cudaUnregisterFatBinary",
];

/// Who calls the functions of a source that has `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callers {
    /// The source alone.
    Seen,
    /// Other sources too, as where it has no `main`.
    Any,
    /// Functions of the source itself, too, that are not in the module: they may call all of its
    /// functions and set all of its variables.
    LeftOut,
}

/// Inlines, and makes values of the variables that allow it. Of the variables of a program those
/// are set by this source alone that are its own.
pub(super) fn inline(
    module: &mut Module,
    callers: Callers,
    is_own: &dyn Fn(&str) -> bool,
) -> Option<()> {
    let main = module.function("main").filter(|it| !it.is_declaration());
    let is_program = main.is_some() && callers == Callers::Seen;
    // What others call is what `main` calls; what these call in turn is followed as ever.
    let about = about_launches(module);
    let called =
        main.into_iter().flat_map(Function::instructions).filter_map(Inst::called_function);
    let kept: HashSet<String> = called
        .filter(|it| callers != Callers::Seen && !it.is_declaration())
        .map(Function::name)
        .filter(|name| about.contains(name) && !sites::is_stub(name))
        .collect();
    module.make_external(&|name| kept.contains(name));
    if callers == Callers::LeftOut {
        module.make_external(&|name| !sites::is_stub(name));
        module.make_variables_external();
    }
    let local: Vec<String> = module
        .functions()
        .filter(|it| callers != Callers::LeftOut && !it.is_interposable())
        .filter(|it| match it.linkage() {
            Linkage::Local => false,
            // Who calls it from another source has it there too, with the launches in it; but for
            // an explicit instance of a template, which others may only declare.
            Linkage::Mergeable => is_program || !it.is_kept_when_unused(),
            Linkage::External => is_program,
        })
        .map(Function::name)
        .filter(|name| name != "main" && !sites::is_stub(name) && !is_called_by_libraries(name))
        .collect();
    module.make_local(&|name| local.iter().any(|it| it == name));
    let mut is_in_order = false;
    if is_program {
        module.make_variables_local(is_own);
        // What variables of the source are set to comes before `main`.
        is_in_order = module.construct_in_main(&|name| name.starts_with(CONSTRUCTOR));
    }
    let chosen = chosen(module)?;
    let is_initialiser =
        |name: &str| is_program && [CONSTRUCTOR, INITIALISER].iter().any(|it| name.starts_with(it));
    module.inline_those(&|name| chosen.iter().any(|it| it == name) || is_initialiser(name));
    // The runtime is a C library. What else begins like it may be the program's own.
    let runtime = headers::functions_of_the_runtime();
    module.mark_not_throwing(&|name| {
        let name = names::plain(name);
        let is_known = runtime.contains(name) || STUBS_CALL.contains(&name);
        is_known || name.starts_with("heddle.")
    });
    // LLVM does not look into the stub of a template, which other files have as well.
    module.mark_defined_not_throwing(&sites::is_stub);
    module.mark_unseen(&|name| UNSEEN.contains(&names::plain(name)) || makes_tensors(name));
    module.mark_not_keeping(&|name| NOT_KEEPING.contains(&names::plain(name)));
    allocate(module)?;
    module
        .run_passes(
            "inferattrs,cgscc(function-attrs),always-inline,globaldce,\
             function(lower-expect,sroa<modify-cfg>,early-cse<memssa>,simplifycfg),globaldce",
        )
        .ok()?;
    if is_in_order {
        // What is set before `main` is set in the order of the source, and a variable that `main`
        // alone uses is one of `main`'s.
        module.run_passes("globalopt,function(sroa<modify-cfg>,early-cse<memssa>)").ok()?;
    }
    if chosen_by_index(module) {
        // The rounds of a short loop become one after the other.
        module.run_passes(UNROLL).ok()?;
    }
    Some(())
}

/// Whether a function is one by which the built-in headers make a tensor.
fn makes_tensors(symbol: &str) -> bool {
    symbol.starts_with("_ZN") && OF_TENSORS.contains(&names::qualified(symbol).as_str())
}

/// Makes up to eight rounds of a loop that are known in number into as many copies.
const UNROLL: &str = "function(loop-simplify,lcssa,loop(loop-rotate),\
     loop-unroll<O2;full-unroll-max=8;no-partial;no-runtime;no-peeling;no-upperbound>,\
     sroa<modify-cfg>,early-cse<memssa>,simplifycfg),globaldce";

/// Whether the sizes of a launch, or the kernel, come from an array of the host's function by an
/// index that is no constant, or by a pointer that goes through it.
fn chosen_by_index(module: &Module) -> bool {
    let calls = module.functions().flat_map(Function::instructions).filter(|it| it.is_call());
    let mut given = calls.flat_map(|call| {
        let callee = call.called_function().map(Function::name);
        let sizes = ["cudaConfigureCall", "__cudaPushCallConfiguration"];
        match callee {
            Some(name) if sizes.contains(&names::plain(&name)) => call.arguments(),
            Some(_) => Vec::new(),
            None => call.callee().into_iter().collect(),
        }
    });
    given.any(is_element)
}

/// Whether a value is made of an element of an array that an index chooses.
fn is_element(value: Value<'_>) -> bool {
    const MOST_STEPS: usize = 64;
    let (mut seen, mut next) = (vec![value], 0);
    while let Some(inst) = seen.get(next).map(|it| it.as_inst()) {
        next += 1;
        let Some(inst) = inst.filter(|_| seen.len() < MOST_STEPS) else { continue };
        match inst.opcode() {
            Opcode::Load => {
                let place = inst.pointer_operand().and_then(Value::as_inst);
                // One that a loop goes to by a pointer.
                if place.is_some_and(|it| it.opcode() == Opcode::Phi) {
                    return true;
                }
                let step = place.filter(|it| it.opcode() == Opcode::GetElementPtr);
                let is_chosen = |it: Inst<'_>| it.operands().skip(1).any(|n| n.as_inst().is_some());
                if step.is_some_and(is_chosen) {
                    return true;
                }
                // A member of an element.
                seen.extend(step.and_then(|it| it.operand(0)));
            }
            Opcode::Call | Opcode::Invoke | Opcode::Alloca => {}
            Opcode::GetElementPtr if inst.operands().skip(1).any(|n| n.as_inst().is_some()) => {
                return true;
            }
            _ => seen.extend(inst.operands().filter(|it| !seen.contains(it)).collect::<Vec<_>>()),
        }
    }
    false
}

/// Whether libraries call a function of this name, where a program has one: it replaces theirs (C++
/// [replacement.functions]; C's allocators).
fn is_called_by_libraries(symbol: &str) -> bool {
    const OPERATORS: [&str; 4] = ["_Znw", "_Zna", "_Zdl", "_Zda"];
    const ALLOCATORS: [&str; 9] = [
        "aligned_alloc",
        "calloc",
        "free",
        "malloc",
        "memalign",
        "posix_memalign",
        "pvalloc",
        "realloc",
        "valloc",
    ];
    OPERATORS.iter().any(|it| symbol.starts_with(it)) || ALLOCATORS.contains(&symbol)
}

/// After the launches were marked.
pub(super) fn to_registers(module: &mut Module) -> Option<()> {
    module.mark_unseen(&|name| [sites::LAUNCH, sites::ARGUMENT].contains(&name));
    module
        .run_passes(
            "function(sroa<modify-cfg>,early-cse<memssa>),ipsccp,globaldce,\
             function(simplifycfg,jump-threading,gvn,sroa<modify-cfg>,early-cse<memssa>,simplifycfg),\
             globaldce",
        )
        .ok()
}

/// The functions that are inlined: all that launches are in or called by, and what these call, but
/// kernels' stubs, where that does not make too much of it.
fn chosen(module: &Module) -> Option<Vec<String>> {
    let mut sizes = Sizes { known: HashMap::new() };
    let mut all = 0usize;
    let mut chosen = Vec::new();
    let about = about_launches(module);
    let is_about = |it: &Function<'_>| !it.is_declaration() && about.contains(&it.name());
    for function in module.functions().filter(is_about) {
        all = all.saturating_add(sizes.of(function)?);
        let name = function.name();
        // What another definition may replace is called, whatever stands here.
        if !sites::is_stub(&name) && name != "main" && !function.is_interposable() {
            chosen.push(name);
        }
    }
    (all <= MOST).then_some(chosen)
}

/// The functions in which something is launched, those that call one of them, and all that they
/// call. A launch through a pointer has a call that takes its sizes, as others have.
fn about_launches(module: &Module) -> HashSet<String> {
    let mut calls: HashMap<String, Vec<String>> = HashMap::new();
    for function in module.functions().filter(|it| !it.is_declaration()) {
        // What is called, and what is given away to be called.
        let named = function.instructions().flat_map(|inst| inst.operands().collect::<Vec<_>>());
        let named = named.filter_map(|it| it.as_function()).map(Function::name);
        calls.insert(function.name(), named.collect());
    }
    let launches = |name: &String| {
        let plain = names::plain(name);
        sites::is_stub(name)
            || plain.starts_with("cudaLaunch")
            || matches!(plain, "cudaConfigureCall" | "__cudaPushCallConfiguration")
    };
    let mut about: HashSet<String> = HashSet::new();
    loop {
        let calls_one =
            |named: &Vec<String>| named.iter().any(|it| about.contains(it) || launches(it));
        let more = calls.iter().filter(|(name, named)| !about.contains(*name) && calls_one(named));
        let more: Vec<_> = more.map(|(name, _)| name.clone()).collect();
        if more.is_empty() {
            break;
        }
        about.extend(more);
    }
    let mut work: Vec<_> = about.iter().cloned().collect();
    while let Some(name) = work.pop() {
        let new = calls.get(&name).into_iter().flatten().filter(|it| !about.contains(*it)).cloned();
        let new: Vec<_> = new.collect();
        about.extend(new.iter().cloned());
        work.extend(new);
    }
    about
}

/// Instructions by function, with those of what it calls; `None` while it is looked at.
struct Sizes {
    known: HashMap<String, Option<usize>>,
}

impl Sizes {
    fn of(&mut self, function: Function<'_>) -> Option<usize> {
        let name = function.name();
        match self.known.get(&name) {
            Some(Some(size)) => return Some(*size),
            // A call in a circle is not inlined.
            Some(None) => return Some(1),
            None => {}
        }
        if self.known.values().filter(|it| it.is_none()).count() > 200 {
            return None;
        }
        self.known.insert(name.clone(), None);
        let mut size = 0usize;
        for inst in function.instructions() {
            size = size.saturating_add(1);
            let callee = inst.called_function().filter(|it| !it.is_declaration());
            if let Some(callee) = callee.filter(|it| !sites::is_stub(&it.name())) {
                size = size.saturating_add(self.of(callee)?);
            }
        }
        self.known.insert(name, Some(size));
        Some(size)
    }
}

/// Makes each call of an allocator one that stores what [`ALLOCATED`] gives. A call that fails
/// leaves what was there, which is then used no more if it is null. A variable holds nothing that
/// may be used where its lifetime begins, as in each turn of a loop that it is declared in: null.
fn allocate(module: &mut Module) -> Option<()> {
    let (mut calls, mut given) = (Vec::new(), Vec::new());
    for inst in module.functions().flat_map(Function::instructions) {
        let callee = inst.called_function().map(Function::name).unwrap_or_default();
        let pitched = PITCHED.iter().map(|(name, parameters, _)| (*name, *parameters));
        let mut all = ALLOCATORS.iter().copied().chain(pitched);
        let known = all.find(|(name, _)| *name == names::plain(&callee));
        let Some((name, parameters)) = known else { continue };
        if inst.arguments().len() == parameters.matches('%').count() {
            calls.push((inst.spot(), name));
            given.extend(inst.arguments().first().copied());
        }
    }
    let is_pointer = |it: &Value<'_>| {
        let allocated = it.as_inst().and_then(Inst::allocated_type);
        given.contains(it) && allocated.is_some_and(|it| matches!(it.kind(), TypeKind::Pointer(_)))
    };
    for inst in module.functions().flat_map(Function::instructions) {
        let callee = inst.called_function().map(Function::name).unwrap_or_default();
        if callee.starts_with("llvm.lifetime.start") && inst.arguments().iter().any(is_pointer) {
            calls.push((inst.spot(), "begins"));
        }
    }
    let mut text = format!(
        "target triple = \"{}\"\ndeclare ptr @{ALLOCATED}(i64)\ndeclare i32 @heddle.status()\n\
         declare i64 @heddle.pitch()\ndeclare void @heddle.never() noreturn nounwind\n\
         define void @heddle.begins(ptr %at) alwaysinline {{\n  store ptr null, ptr %at\n  ret void\n}}\n",
        module.triple()
    );
    for (name, parameters, sizes) in PITCHED {
        // A pitch that cannot be leads where nothing goes on, so that the branch is a fact.
        text += &format!(
            "define i32 @heddle.{name}({parameters}) alwaysinline {{\n  \
             %status = call i32 @heddle.status()\n  %works = icmp eq i32 %status, 0\n  \
             %old = load ptr, ptr %at\n  %none = icmp eq ptr %old, null\n  \
             %stores = or i1 %works, %none\n  br i1 %stores, label %new, label %out\n\
             new:\n{sizes}  %pitch = call i64 @heddle.pitch()\n  \
             %wide = icmp uge i64 %pitch, %width\n  br i1 %wide, label %small, label %never\n\
             small:\n  %fits = icmp ult i64 %pitch, 2147483648\n  \
             br i1 %fits, label %is, label %never\n\
             never:\n  call void @heddle.never()\n  unreachable\n\
             is:\n  %size = mul nuw i64 %pitch, %rows\n  \
             %memory = call ptr @{ALLOCATED}(i64 %size)\n  \
             store i64 %pitch, ptr %pitch.at\n  store ptr %memory, ptr %at\n  br label %out\n\
             out:\n  ret i32 %status\n}}\n"
        );
    }
    for (name, parameters) in ALLOCATORS {
        text += &format!(
            "define i32 @heddle.{name}({parameters}) alwaysinline {{\n  \
             %status = call i32 @heddle.status()\n  %works = icmp eq i32 %status, 0\n  \
             %old = load ptr, ptr %at\n  %none = icmp eq ptr %old, null\n  \
             %stores = or i1 %works, %none\n  br i1 %stores, label %new, label %out\n\
             new:\n  %memory = call ptr @{ALLOCATED}(i64 %size)\n  \
             store ptr %memory, ptr %at\n  br label %out\n\
             out:\n  ret i32 %status\n}}\n"
        );
    }
    if calls.is_empty() {
        return Some(());
    }
    for (spot, name) in calls {
        module.call_instead(spot, &format!("heddle.{name}"));
    }
    module.link_text(&text).ok()
}
