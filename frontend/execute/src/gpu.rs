//! From a kernel file to PTX with the checks in it: the device library linked in, nothing of CUDA
//! needed.
//!
//! ```text
//! Prepared ── instrument? ──► what synchronizes announced ──► each thread's state ──► library linked ──► -O2 ──► PTX
//! ```
//!
//! The kernels keep their names and parameters. What the library needs of a launch stands in one
//! constant, `__heddle_launch`, that the host fills before it (`heddle_runtime::gpu`).
//!
//! **Promises**: the module that goes to LLVM's code generator has passed LLVM's verifier; what the
//! architecture lacks, and a function that nothing defines, is [`Unsupported`] by name. **Does
//! not**: assemble PTX (the CUDA driver does), check accesses of inline PTX whose template has more
//! than the one, or instrument functions that could not be inlined.

mod announce;
mod math;
mod needs;

use std::path::PathBuf;

use heddle_runtime::{abi, gpu};

use crate::instrument::{Instrumented, Site, Skips, instrument, instrumented};
use crate::jit::{Parameter, SharedVariable, Unsupported, layout};
use heddle_lift::prepare::Kernel;
use heddle_lift::{Prepared, Target};
use heddle_llvm::{Machine, Module, Opcode, Spot};
use heddle_ptx::{Class, Intrinsic};

/// What PTX is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuOptions {
    /// The architecture, `sm_70` or later.
    pub arch: String,
    /// A CUDA toolkit whose `libdevice` defines mathematical functions.
    pub toolkit: Option<PathBuf>,
    /// This kernel alone; its variables in shared memory then have a known place.
    pub kernel: Option<String>,
}

/// A module for a GPU.
#[derive(Clone, Debug)]
pub struct DeviceCode {
    /// PTX text.
    pub ptx: String,
    /// What calls of checks are for, by number; empty without checks.
    pub sites: Vec<Site>,
    /// Each kernel.
    pub kernels: Vec<DeviceKernel>,
    /// Variables in shared memory by offset, of a kernel that was made alone.
    pub shared: Vec<SharedVariable>,
    /// Variables in global memory: name in PTX, bytes of an element.
    pub variables: Vec<(String, usize)>,
    /// Bytes that one cell of the shadow stands for, as a power of two: those of the smallest
    /// access.
    pub shift: u32,
    /// Whether an address outside of all buffers and variables is an error: nothing else can be
    /// reached.
    pub bounds: bool,
}

/// A kernel of it.
#[derive(Clone, Debug)]
pub struct DeviceKernel {
    /// Its symbol.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Bytes of packed arguments.
    pub argument_bytes: usize,
}

/// Makes PTX, with the checks but for what `skips` names, or without (`None`).
///
/// # Errors
/// It uses what the architecture, or the library, has not.
pub fn compile(
    prepared: &Prepared,
    skips: Option<&Skips>,
    options: &GpuOptions,
) -> Result<DeviceCode, Unsupported> {
    let fault = |what: &str| {
        let what = what.to_owned();
        move |why: String| Unsupported::new(format!("{what}: {why}"))
    };
    match prepared.target {
        Target::Nvptx => {}
        Target::Spirv => {
            return Err(Unsupported::new(
                "it is made for SPIR-V, and PTX is made of NVPTX modules alone: compile OpenCL with `--target nvptx64`"
                    .to_owned(),
            ));
        }
    }
    let arch = needs::known(&options.arch)?;
    let mut module = prepared.module.copy().map_err(fault("the module cannot be copied"))?;
    let chosen: Vec<Kernel> = prepared
        .kernels
        .iter()
        .filter(|it| options.kernel.as_ref().is_none_or(|name| *name == it.name))
        .cloned()
        .collect();
    let is_entry = |name: &str| chosen.iter().any(|it| it.name == name);
    if options.kernel.is_some() {
        module.hide_functions(&is_entry);
        module.run_passes("globaldce").map_err(fault("LLVM refuses to tidy up"))?;
    }
    let sites = match (instrumented(&module), skips) {
        (Instrumented::OtherVersion(version), _) => {
            return Err(Unsupported::new(format!(
                "its checks are of version {version} of the ABI, and the device library is of version {}: instrument it \
                 anew",
                abi::VERSION
            )));
        }
        (Instrumented::Yes(sites), _) => sites,
        (Instrumented::No, Some(skips)) => instrument(&mut module, prepared.target, &chosen, skips),
        (Instrumented::No, None) => Vec::new(),
    };
    let bounds = is_closed(&module);
    let mut kernels = Vec::new();
    for kernel in &chosen {
        let (_text, parameters, argument_bytes) = layout::entry(&module, kernel, false)?;
        kernels.push(DeviceKernel { name: kernel.name.clone(), parameters, argument_bytes });
    }
    let (mut shared, mut whole) = (Vec::new(), None);
    if !sites.is_empty() {
        if options.kernel.is_some() {
            (shared, whole) = place_shared(&mut module);
        }
        for kernel in &chosen {
            announce::announce(&mut module, &kernel.name, whole);
        }
    }
    // Accesses of inline PTX are among the announced.
    let shift = smallest_access(&module);
    if !sites.is_empty() {
        for kernel in &chosen {
            module.give_state(&kernel.name, gpu::THREAD_BYTES, &|name| {
                Some(format!("__heddle_gpu_{}", name.strip_prefix("__heddle_")?))
            });
        }
        loosen_barriers(&mut module);
        module.link(gpu::LIBRARY).map_err(fault("the device library does not fit the module"))?;
    }
    math::define(&mut module, options.toolkit.as_deref())?;
    module.forget_lines();
    module.forget_processors();
    module.hide_functions(&is_entry);
    let variables = publish(&mut module);
    module.verify().map_err(fault("the module with the device library is not valid"))?;
    let features = needs::features(&module, arch);
    let machine = Machine::nvptx(&options.arch, &features).map_err(fault("LLVM makes no PTX"))?;
    module
        .run_passes_for(&machine, "globaldce,default<O2>")
        .map_err(fault("LLVM refuses to optimise"))?;
    module.verify().map_err(fault("the optimised module is not valid"))?;
    needs::refuse_unknown(&module)?;
    needs::refuse_newer(&module, arch)?;
    let ptx = module.assembly(&machine).map_err(fault("LLVM makes no PTX of it"))?;
    Ok(DeviceCode { ptx, sites, kernels, shared, variables, shift, bounds })
}

/// Gives the variables in shared memory one place: their names by offset, and the variable that
/// they are in now. Dynamic shared memory lies after it.
fn place_shared(module: &mut Module) -> (Vec<SharedVariable>, Option<Spot>) {
    let (offsets, variables, bytes) = layout::shared(module);
    let fixed: Vec<(Spot, u64)> = offsets
        .into_iter()
        .filter(|(spot, _)| {
            let of = module.globals().find(|it| it.as_value().spot() == *spot);
            of.is_some_and(|it| {
                !it.is_declaration() && it.value_type().alloc_size(module) != Some(0)
            })
        })
        .collect();
    if fixed.is_empty() {
        return (Vec::new(), None);
    }
    let whole = module.join_shared("__heddle_shared", &fixed, bytes as u64);
    (variables, Some(whole))
}

/// Makes barriers that all threads of a warp must execute together such that each thread comes by
/// itself (PTX ISA 9.7.13.1): the checks before one may take the threads of a warp apart.
fn loosen_barriers(module: &mut Module) {
    let aligned = |name: &String| {
        let it = name.strip_prefix("llvm.nvvm.").and_then(heddle_ptx::intrinsic);
        matches!(it, Some(Intrinsic { class: Class::Barrier { aligned: true, .. }, .. }))
    };
    let found: Vec<String> =
        module.functions().map(heddle_llvm::Function::name).filter(aligned).collect();
    found.iter().for_each(|name| module.rename(name, &name.replace(".aligned", "")));
}

/// The bytes of the smallest access that is checked, or of the least aligned, as a power of two;
/// four at most.
fn smallest_access(module: &Module) -> u32 {
    let calls = module.functions().flat_map(heddle_llvm::Function::instructions);
    let sizes = calls.filter(|it| it.is_call()).filter_map(|call| {
        let name = call.called_function()?.name();
        let number = |at: usize| call.arguments().get(at).and_then(|it| it.const_int());
        let size = number(1);
        // One that need not be aligned may begin at any byte.
        let beginning = || 1 << number(3).map_or(0, |it| it >> abi::ALIGNMENT_AT & 15);
        match name.as_str() {
            "__heddle_access" => size.map(|it| it | beginning()),
            // The copy of an unknown number of bytes may end anywhere.
            "__heddle_range" => Some(size.unwrap_or(1) | beginning()),
            _ => None,
        }
    });
    sizes.map(|size| size.trailing_zeros().min(2)).min().unwrap_or(2)
}

/// Whether kernels reach no memory but their buffers, shared memory and variables with a plain
/// name.
fn is_closed(module: &Module) -> bool {
    let hidden = module.globals().any(|it| {
        let text = it.name().starts_with(".str");
        !it.is_declaration()
            && [0, 1].contains(&it.address_space())
            && !text
            && !is_plain(&it.name())
    });
    let allocates = ["malloc", "_Znwm", "_Znam"].iter().any(|name| module.function(name).is_some());
    let by_value = module
        .functions()
        .filter(|it| !it.is_declaration())
        .any(|it| it.arguments().iter().any(|argument| argument.byval_type().is_some()));
    !hidden && !allocates && !by_value
}

/// Whether PTX has the name as it is.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'$')
}

/// Makes variables in global memory visible to the host.
fn publish(module: &mut Module) -> Vec<(String, usize)> {
    let found: Vec<(String, usize)> = module
        .globals()
        .filter(|it| !it.is_declaration() && [0, 1].contains(&it.address_space()))
        .filter(|it| is_plain(&it.name()) && !it.name().starts_with("__heddle_"))
        .map(|it| (it.name(), layout::element(module, it.value_type())))
        .collect();
    found.iter().for_each(|(name, _)| module.publish_global(name));
    found
}

/// Whether an instruction is a call of a check.
fn is_check(inst: heddle_llvm::Inst<'_>) -> bool {
    inst.opcode() == Opcode::Call
        && inst.called_function().is_some_and(|it| it.name().starts_with("__heddle_"))
}
