//! From a kernel of a prepared module to native code for the host.
//!
//! ```text
//! Module ── instrument? ──► shared memory placed ──► device functions defined (library) ──► retarget ──► -O2 ──► ORC
//! ```
//!
//! What the device has and the host has not (ids, barriers, shuffles, atomics by name, inline PTX)
//! becomes a function in IR text, made for the signature at hand, that calls the entry points of
//! `heddle_runtime::abi`.
//!
//! **Promises**: a function or an instruction that is not known is [`Unsupported`] by name, before
//! anything runs.
//! **Does not**: run anything; textures and tensor copies.

mod asm;
mod execute;
mod fences;
pub(crate) mod layout;
mod library;
mod mathematics;
pub(crate) mod matrix;
mod nvvm;
mod opencl;
mod order;
mod pointers;
mod rounding;
mod signature;
mod stackless;
mod unsupported;

use std::collections::{BTreeMap, BTreeSet};

use crate::instrument::{Instrumented, Site, Skips, instrument_functions, instrumented};
use heddle_lift::Prepared;
use heddle_lift::prepare::Kernel;
use heddle_llvm::{Function, Module, Native, Opcode};

pub use layout::{Parameter, ParameterKind, SharedVariable};
pub use unsupported::Unsupported;

/// A kernel as native code.
#[derive(Debug)]
pub struct Compiled {
    native: Native,
    code: Code,
    /// Its parameters, and where each lies in the packed arguments.
    pub parameters: Vec<Parameter>,
    /// Bytes of packed arguments.
    pub argument_bytes: usize,
    /// Variables in shared memory by offset; a dynamic one is last and has no bytes.
    pub shared: Vec<SharedVariable>,
    /// Bytes of static shared memory.
    pub shared_bytes: usize,
    /// Variables of the module: name, address, bytes, bytes of an element.
    pub variables: Vec<(String, usize, usize, usize)>,
    /// What the variables hold when a run starts, in their order.
    pub initial: Vec<Vec<u8>>,
    /// Bytes that the kernel's own variables take on the stack, at most.
    pub stack_bytes: usize,
    /// Functions that a call by pointer may lead to, by address.
    functions: Vec<usize>,
    /// Whether all blocks of the grid wait for each other at a barrier: they must all be there.
    pub cooperative: bool,
    /// Whether blocks may communicate: there are atomics, fences, volatile accesses, output, or the
    /// kernel reads the clock.
    pub communicates: bool,
    /// Whether accesses are left out that others see.
    pub partial: bool,
    /// What calls of checks are for, by number; empty without checks.
    pub sites: Vec<Site>,
}

/// Where the code of a kernel is, in memory that `Native` owns.
#[derive(Clone, Copy, Debug)]
enum Code {
    /// A function that takes the address of packed arguments.
    Fibers(usize),
    /// The functions of [`heddle_runtime::Stackless`].
    Stackless([usize; 3]),
}

impl Compiled {
    /// Whether threads have no stacks, so that a run may have to be made again with [`compile`].
    pub fn is_stackless(&self) -> bool {
        match self.code {
            Code::Fibers(_) => false,
            Code::Stackless(_) => true,
        }
    }
}

/// Compiles one kernel, with the checks but for what `skips` names, or without (`None`).
///
/// # Errors
/// It uses what the host cannot do.
pub fn compile(
    prepared: &Prepared,
    kernel: &Kernel,
    skips: Option<&Skips>,
    symbols: &[(&str, usize)],
) -> Result<Compiled, Unsupported> {
    let made = made(prepared, kernel, skips, symbols, false)?;
    made.ok_or_else(|| Unsupported::new("a kernel on fibers is always made".to_owned()))
}

/// The same with threads that have no stacks, where the kernel allows it; else as [`compile`]. For
/// schedules that go by number.
///
/// # Errors
/// As [`compile`].
pub fn compile_stackless(
    prepared: &Prepared,
    kernel: &Kernel,
    skips: Option<&Skips>,
    symbols: &[(&str, usize)],
) -> Result<Compiled, Unsupported> {
    match made(prepared, kernel, skips, symbols, true)? {
        Some(compiled) => Ok(compiled),
        None => compile(prepared, kernel, skips, symbols),
    }
}

/// A kernel compiled; `None` if threads are to have no stacks, and need them.
fn made(
    prepared: &Prepared,
    kernel: &Kernel,
    skips: Option<&Skips>,
    symbols: &[(&str, usize)],
    stackless: bool,
) -> Result<Option<Compiled>, Unsupported> {
    let fault = |what: &str| {
        let what = what.to_owned();
        move |why: String| Unsupported::new(format!("{what}: {why}"))
    };
    let copy = opencl::without_event_type(&prepared.module).unwrap_or(prepared.module.copy());
    let mut module = copy.map_err(fault("the module cannot be copied"))?;
    module.forget_annotations();
    let is_kernel = |name: &str| prepared.kernels.iter().any(|it| it.name == name);
    let callees = pointers::callees(&module, &is_kernel);
    if stackless && !callees.is_empty() {
        return Ok(None);
    }
    let names: Vec<&str> =
        std::iter::once(&kernel.name).chain(&callees).map(String::as_str).collect();
    let uses = unsupported::first_uses(&module);
    let sites = match (instrumented(&module), skips) {
        (Instrumented::OtherVersion(version), _) => {
            return Err(Unsupported::new(format!(
                "its checks are of version {version} of the ABI, and this is built for version {}: instrument it anew",
                heddle_runtime::abi::VERSION
            )));
        }
        (Instrumented::Yes(sites), _) => sites,
        (Instrumented::No, Some(skips)) => {
            instrument_functions(&mut module, prepared.target, &names, skips, true)
        }
        (Instrumented::No, None) => Vec::new(),
    };
    fences::announce(&mut module, prepared.target, &names);
    let checked = !sites.is_empty();
    let partial = module.stated_number(heddle_runtime::abi::PARTIAL_FLAG).is_some();
    let native = Native::new(symbols).map_err(fault("no native code can be made here"))?;
    let (triple, host_layout) = native.host();
    let shared = layout::shared(&module);
    let (offsets, shared, shared_bytes) = shared;
    for function in &names {
        module.place_globals(function, "__heddle_shared", &offsets).map_err(Unsupported::new)?;
    }
    let frames = module.function(&kernel.name).map_or(0, |it| stack(&module, it));
    let stack_bytes = frames + if callees.is_empty() { 0 } else { CALLEES_STACK };
    let (entry_text, parameters, argument_bytes) = layout::entry(&module, kernel, stackless)?;
    let functions = pointers::guard(&mut module, &callees);
    let text = library::define(&mut module, &kernel.name, &callees, (checked, stackless))?;
    module.retarget(&triple, &host_layout);
    let unfit = "a definition for the host does not fit the kernel";
    module.link_text(&(text + &entry_text)).map_err(fault(unfit))?;
    if stackless {
        module.link_text(&stackless::before()).map_err(fault(unfit))?;
    }
    module.guard_divisions();
    module.saturate_conversions();
    module.forget_large_steps();
    module.retarget(&triple, &host_layout);
    module.mark_for_inlining(&|name| name == layout::ENTRY, &|_| true);
    module.verify().map_err(fault("the kernel as rewritten for the host is not valid"))?;
    let refuses = "LLVM refuses to optimise";
    module.run_passes("always-inline,globaldce").map_err(fault(refuses))?;
    if stackless {
        if !stackless::may_fit(&module) {
            return Ok(None);
        }
        module.argument_instead(layout::ENTRY, 1, layout::FACTS);
        module.own_argument(layout::ENTRY, 1);
    }
    module.run_passes("default<O2>").map_err(fault(refuses))?;
    refuse_unknown(&module, symbols, &uses)?;
    let communicates = order::communicates(&module);
    if stackless {
        if communicates || !stackless::may_fit(&module) {
            return Ok(None);
        }
        stackless::split(&mut module).map_err(fault("the kernel cannot be made a coroutine"))?;
    }
    let cooperative =
        module.function("__heddle_grid_barrier").is_some_and(|it| !it.users().is_empty());
    let variables = publish(&mut module);
    native.add(&module).map_err(fault("no native code can be made of the kernel"))?;
    let address = |name: &str| native.address(name).map_err(fault("the kernel cannot be linked"));
    let code = if stackless {
        let [frame, start, resume] = stackless::ENTRIES;
        Code::Stackless([address(frame)?, address(start)?, address(resume)?])
    } else {
        Code::Fibers(address(layout::ENTRY)?)
    };
    let table = if functions > 0 { native.address(pointers::TABLE).ok() } else { None };
    let mut placed = Vec::new();
    for (name, bytes, element) in variables {
        if let Ok(address) = native.address(&name) {
            placed.push((name, address, bytes, element));
        }
    }
    Ok(Some(Compiled {
        native,
        code,
        parameters,
        argument_bytes,
        shared,
        shared_bytes,
        initial: execute::contents(&placed),
        variables: placed,
        stack_bytes,
        communicates,
        cooperative,
        functions: table.map_or(Vec::new(), |at| execute::addresses(at, functions)),
        partial,
        sites,
    }))
}

/// Bytes of stack for functions that stay functions: CUDA's default is 1 KiB a thread, and frames
/// of the host are larger.
const CALLEES_STACK: usize = 256 << 10;

/// Bytes of all variables of a function.
fn stack(module: &Module, function: Function<'_>) -> usize {
    let allocas = function.instructions().filter(|it| it.opcode() == Opcode::Alloca);
    let bytes = allocas.filter_map(|it| {
        let count = it.operand(0).and_then(|it| it.const_int()).unwrap_or(1) as u64;
        Some(it.allocated_type()?.alloc_size(module)? * count)
    });
    bytes.sum::<u64>() as usize
}

/// Refuses functions that neither the host nor the runtime has.
fn refuse_unknown(
    module: &Module,
    symbols: &[(&str, usize)],
    uses: &BTreeMap<String, Site>,
) -> Result<(), Unsupported> {
    let mut unknown = BTreeSet::new();
    for function in module.functions().filter(|it| it.is_declaration() && !it.users().is_empty()) {
        let name = function.name();
        let known = name == stackless::WAIT
            || symbols.iter().any(|(symbol, _)| *symbol == name)
            || (name.starts_with("llvm.") && !name.starts_with("llvm.nvvm."))
            || heddle_ptx::mathematics::is_host_function(&name);
        if !known {
            unknown.insert(name);
        }
    }
    let Some(first) = unknown.first() else { return Ok(()) };
    let shown = |name: &String| format!("`{}`", heddle_lift::symbol::demangled(name));
    let names: Vec<_> = unknown.iter().map(shown).collect();
    let why = format!("it calls {}, which the executor does not know", names.join(", "));
    let found = Unsupported::new(why).at(uses.get(first).cloned());
    Err(found.instead(unsupported::way_out(first)))
}

/// Makes the module's variables visible; their names, bytes, and bytes of an element.
fn publish(module: &mut Module) -> Vec<(String, usize, usize)> {
    let found: Vec<(String, usize, usize)> = module
        .globals()
        .filter(|it| !it.is_declaration() && !it.name().starts_with("llvm."))
        .filter(|it| it.name() != pointers::TABLE)
        .filter_map(|it| {
            let bytes = it.value_type().alloc_size(module)? as usize;
            Some((it.name(), bytes, layout::element(module, it.value_type())))
        })
        .filter(|(name, ..)| !name.is_empty())
        .collect();
    found.iter().for_each(|(name, ..)| module.publish_global(name));
    // A run starts from what the host would have put there.
    module.make_writable(&|it| it.is_externally_initialized());
    found
}

/// A site number that stands for the one last passed: `heddle_runtime` takes all ones so.
pub(crate) const CURRENT_SITE: u32 = heddle_runtime::shadow::SITE;

/// The number by which compiled code asks for a special register, for those that are ids and sizes.
pub(crate) fn id_of(register: heddle_ptx::Special) -> Option<u32> {
    use heddle_ptx::Special as Register;
    use heddle_runtime::abi::Special as Id;
    let along = |first: Id, axis: heddle_ptx::Axis| match axis {
        heddle_ptx::Axis::X => first.number(),
        heddle_ptx::Axis::Y => first.number() + 1,
        heddle_ptx::Axis::Z => first.number() + 2,
    };
    Some(match register {
        Register::Tid(axis) => along(Id::ThreadX, axis),
        Register::Ntid(axis) => along(Id::BlockDimX, axis),
        Register::Ctaid(axis) => along(Id::BlockX, axis),
        Register::Nctaid(axis) => along(Id::GridDimX, axis),
        Register::Clusterid(axis) => along(Id::ClusterX, axis),
        Register::Nclusterid(axis) => along(Id::ClustersX, axis),
        Register::ClusterCtaid(axis) => along(Id::InClusterX, axis),
        Register::ClusterNctaid(axis) => along(Id::ClusterDimX, axis),
        Register::ClusterCtarank => Id::ClusterRank.number(),
        Register::LaneId => Id::Lane.number(),
        Register::WarpId => Id::Warp.number(),
        Register::WarpSize => Id::WarpSize.number(),
        Register::DynamicSmemSize => Id::DynamicShared.number(),
        Register::NwarpId
        | Register::SmId
        | Register::NsmId
        | Register::GridId
        | Register::ClusterNctarank
        | Register::IsExplicitCluster
        | Register::LanemaskEq
        | Register::LanemaskLe
        | Register::LanemaskLt
        | Register::LanemaskGe
        | Register::LanemaskGt
        | Register::Clock
        | Register::ClockHi
        | Register::Clock64
        | Register::GlobalTimer
        | Register::GlobalTimerLo
        | Register::GlobalTimerHi
        | Register::TotalSmemSize
        | Register::AggrSmemSize
        | Register::CurrentGraphExec
        | Register::ReservedSmemBegin
        | Register::ReservedSmemEnd
        | Register::ReservedSmemCap
        | Register::ReservedSmem(_)
        | Register::EnvReg(_)
        | Register::Pm(_) => return None,
    })
}
