//! From bytes to a module that a GPU would run.
//!
//! Accepted are modules for NVPTX (`nvptx*`) and SPIR-V (`spir*`), with at least one kernel, and
//! those without a triple whose kernels show which of the two they are for. All else is refused by
//! name, here, so that nothing behind this file needs to ask which target it is looking at twice.

use crate::from_ptx::HEAD;
use crate::input::is_bitcode;
use crate::{InputError, InputErrorKind, Target};
use heddle_llvm::Module;

/// Reads IR text or bitcode and checks that it is for a GPU. Its instructions are numbered, so that
/// each can be told where it stood when it has moved.
///
/// # Errors
/// [`InputErrorKind::NotIr`], [`InputErrorKind::BadBitcode`], [`InputErrorKind::BrokenModule`],
/// [`InputErrorKind::HostModule`], [`InputErrorKind::OtherTarget`].
pub fn read(name: &str, bytes: &[u8]) -> Result<(Module, Target), InputError> {
    // The target first: what is wrong with a module that would be refused anyway does not matter.
    let (mut module, target) = parsed(name, bytes)?;
    module.verify().map_err(|message| {
        if bytes.starts_with(HEAD.as_bytes()) {
            return no_ptx(name, &message);
        }
        InputError::new(
            InputErrorKind::BrokenModule,
            name,
            format!(
                "LLVM's verifier rejects the module: {}",
                message.lines().next().unwrap_or_default()
            ),
            "report it to whoever made the module; `opt-22 -passes=verify` shows it too",
        )
    })?;
    module.number_instructions();
    Ok((module, target))
}

/// The same, of bytes that a compiler at work wrote of its own module: it would fail itself if that
/// were broken, so LLVM's verifier is not asked.
///
/// # Errors
/// As [`read`], but for [`InputErrorKind::BrokenModule`].
pub fn read_own(name: &str, bytes: &[u8]) -> Result<(Module, Target), InputError> {
    let (mut module, target) = parsed(name, bytes)?;
    module.number_instructions();
    Ok((module, target))
}

fn parsed(name: &str, bytes: &[u8]) -> Result<(Module, Target), InputError> {
    let mut module =
        Module::parse(bytes, name).map_err(|message| unreadable(name, bytes, &message))?;
    if let (true, Some(target)) = (module.triple().is_empty(), inferred(&module)) {
        let (triple, layout) = target.defaults();
        module.set_target(triple, layout);
    }
    let target = Target::named(name, &module.triple())?;
    Ok((module, target))
}

/// Whether a kernel is in a module that clang made of CUDA or OpenCL; what cannot be read is said
/// by [`read`].
pub(crate) fn has_kernel(name: &str, bytes: &[u8]) -> bool {
    let Ok(module) = Module::parse(bytes, name) else { return true };
    module.functions().any(|it| [PTX_KERNEL, SPIR_KERNEL].contains(&it.calling_convention()))
}

/// The target of a module that names none, as generators of kernels leave it: its kernels and
/// intrinsics are those of one.
fn inferred(module: &Module) -> Option<Target> {
    let any = |of: &dyn Fn(u32, &str) -> bool| {
        module.functions().any(|it| of(it.calling_convention(), &it.name()))
    };
    let nvptx = any(&|convention, name| convention == PTX_KERNEL || name.starts_with("llvm.nvvm."));
    let spirv = any(&|convention, name| {
        [SPIR_FUNC, SPIR_KERNEL].contains(&convention) || name.starts_with("llvm.spv.")
    });
    match (nvptx, spirv) {
        (true, false) => Some(Target::Nvptx),
        (false, true) => Some(Target::Spirv),
        (true, true) | (false, false) => None,
    }
}

/// Calling conventions (`llvm/IR/CallingConv.h`).
const PTX_KERNEL: u32 = 71;
const SPIR_FUNC: u32 = 75;
const SPIR_KERNEL: u32 = 76;

fn unreadable(name: &str, bytes: &[u8], message: &str) -> InputError {
    if bytes.starts_with(HEAD.as_bytes()) {
        return no_ptx(name, message);
    }
    let line = message.lines().next().unwrap_or_default();
    if is_bitcode(bytes) {
        return InputError::new(
            InputErrorKind::BadBitcode,
            name,
            format!("the bitcode is damaged or cut short: {line}"),
            "write it again; bitcode of an LLVM newer than 22 is not read",
        );
    }
    // LLVM says `name:3:1: error: …` and then shows the line.
    let at = line.strip_prefix(name).and_then(|l| l.strip_prefix(':')).unwrap_or(line);
    InputError::new(
        InputErrorKind::NotIr,
        name,
        format!("this is not LLVM IR: {at}"),
        "for CUDA or OpenCL source use `.cu` or `.cl`",
    )
}

/// PTX whose operands are not those of its instructions, as LLVM says of what was made of it.
fn no_ptx(name: &str, message: &str) -> InputError {
    let line = message.lines().next().unwrap_or_default();
    InputError::new(
        InputErrorKind::BadPtx,
        name,
        format!("an instruction has operands that it cannot have: {line}"),
        "`ptxas` says which; if it takes the file, please report it",
    )
}
