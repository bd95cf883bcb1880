//! The `gpu.module`s of a module: what is in them, what is left that LLVM IR cannot say, and their
//! LLVM IR.

use std::ffi::CStr;

use melior::ir::attribute::StringAttribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef, WalkOrder, WalkResult};
use melior::ir::{Module, RegionLike};
use mlir_sys::{MlirOperation, mlirTranslateModuleToLLVMIRToString};

use crate::Wrong;
use crate::location::first_in;
use crate::parse::{Heard, not_lowered};

/// The modules to translate: each `gpu.module`, or the module itself where its functions are in the
/// `llvm` dialect and one of them is a kernel, as compilers write it that lower all at once.
pub(crate) fn modules<'c, 'a>(module: &'a Module<'c>) -> Vec<OperationRef<'c, 'a>> {
    let all = under(module.as_operation());
    let found: Vec<_> = all.iter().copied().filter(|it| is(*it, "gpu.module")).collect();
    if !found.is_empty() {
        return found;
    }
    if all.iter().any(|it| is_kernel(*it)) { vec![module.as_operation()] } else { Vec::new() }
}

/// An operation and all operations inside it.
pub(crate) fn under<'c, 'a>(operation: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut raw: Vec<MlirOperation> = Vec::new();
    operation.walk(WalkOrder::PreOrder, |it| {
        raw.push(it.to_raw());
        WalkResult::Advance
    });
    // SAFETY: each lives in `operation`, and as long.
    raw.into_iter().map(|it| unsafe { OperationRef::from_raw(it) }).collect()
}

/// Whether the operation has this name.
pub(crate) fn is(operation: OperationRef<'_, '_>, name: &str) -> bool {
    operation.name().as_string_ref().as_str() == Ok(name)
}

/// The name of an operation.
pub(crate) fn name_of(operation: OperationRef<'_, '_>) -> String {
    operation.name().as_string_ref().as_str().unwrap_or_default().to_owned()
}

/// The symbol that an operation defines.
pub(crate) fn symbol(operation: OperationRef<'_, '_>) -> Option<String> {
    let attribute = operation.attribute("sym_name").ok()?;
    StringAttribute::try_from(attribute).ok().map(|it| it.value().to_owned())
}

/// That there is something to check, and nothing beside it that would not be.
pub(crate) fn check(module: &Module<'_>) -> Result<(), Wrong> {
    let modules = modules(module);
    let refused = |it: OperationRef<'_, '_>, message: String| {
        let (line, column) = first_in(it.location()).unwrap_or_default();
        Err(Wrong { line, column, message })
    };
    let all = under(module.as_operation());
    if let Some(first) = modules.first() {
        let mut kernels = all.iter().copied().filter(|it| is_kernel(*it)).peekable();
        if kernels.peek().is_none() {
            let message =
                "this `gpu.module` has no kernel (a `gpu.func` with `kernel`, or `nvvm.kernel`)";
            return refused(*first, message.to_owned());
        }
        for it in kernels {
            let is_read = it.parent_operation().is_some_and(|around| {
                modules.iter().any(|it| it.to_raw().ptr == around.to_raw().ptr)
            });
            if !is_read {
                let name = symbol(it).unwrap_or_default();
                let what = format!("the kernel `@{name}` stands outside the `gpu.module`s");
                let why = "of this file, which alone are read; put it into one, or into a file";
                return refused(it, format!("{what} {why} of its own"));
            }
        }
        if let Some(it) = all.iter().find(|it| OTHER_CODE.contains(&&*name_of(**it))) {
            let what = format!("`{}` has code for GPUs that Heddle does not read", name_of(*it));
            return refused(*it, format!("{what}; leave it out"));
        }
        return Ok(());
    }
    let function = all.into_iter().find(|it| name_of(*it).ends_with(".func"));
    let Some(function) = function else {
        return Err(Wrong::nowhere("there is no `gpu.module` in it, and no function"));
    };
    let (line, column) = first_in(function.location()).unwrap_or_default();
    let what = symbol(function).unwrap_or_default();
    let message = format!("there is no `gpu.module` in it: `@{what}` is for the host");
    Err(Wrong { line, column, message })
}

/// Code that is compiled, or for other devices.
const OTHER_CODE: [&str; 2] = ["gpu.binary", "spirv.module"];

/// `gpu.func … kernel` (the word is an attribute of its own), what it becomes on the way, and
/// functions that LLVM calls like a kernel.
fn is_kernel(operation: OperationRef<'_, '_>) -> bool {
    let convention = operation.attribute("CConv").map(|it| it.to_string()).unwrap_or_default();
    ["gpu.kernel", "nvvm.kernel", "rocdl.kernel"].iter().any(|it| operation.has_attribute(it))
        || is(operation, "gpu.func") && operation.has_attribute("kernel")
        || ["ptx_kernel", "spir_kernel", "amdgpu_kernel"].iter().any(|it| convention.contains(it))
}

/// That nothing is left but what translates. An operation that is left says more than the casts
/// around it.
pub(crate) fn check_lowered(module: &Module<'_>) -> Result<(), Wrong> {
    let left: Vec<_> = modules(module).into_iter().flat_map(under).filter(is_left).collect();
    let is_cast = |it: &OperationRef<'_, '_>| is(*it, "builtin.unrealized_conversion_cast");
    let Some(it) = left.iter().find(|it| !is_cast(it)).or(left.first()).copied() else {
        return Ok(());
    };
    let (line, column) = first_in(it.location()).unwrap_or_default();
    let message = match is_cast(&it) {
        true => "a value here has a type that MLIR does not lower to LLVM IR".to_owned(),
        false => not_lowered(&name_of(it)),
    };
    Err(Wrong { line, column, message })
}

/// Whether it is of a dialect that has no translation.
fn is_left(operation: &OperationRef<'_, '_>) -> bool {
    let name = name_of(*operation);
    let is_of = |dialect: &str| name.strip_prefix(dialect).is_some_and(|it| it.starts_with('.'));
    !(is_of("llvm") || is_of("nvvm") || ["gpu.module", "builtin.module"].contains(&&*name))
}

/// The LLVM IR, each module after a line with its name.
pub(crate) fn translate(module: &Module<'_>, heard: &Heard) -> Result<String, Wrong> {
    let mut out = String::new();
    for it in modules(module) {
        // SAFETY: the operation is alive; the text is ours to free, which the end of this process
        // does.
        let text = unsafe {
            let raw = mlirTranslateModuleToLLVMIRToString(it.to_raw());
            (!raw.is_null()).then(|| CStr::from_ptr(raw).to_string_lossy().into_owned())
        };
        let text = text
            .filter(|it| !it.is_empty())
            .ok_or_else(|| heard.or("MLIR cannot translate this to LLVM IR"))?;
        let name = symbol(it).unwrap_or_default().replace('\n', " ");
        out.push_str(&format!("; gpu.module {name}\n{text}"));
    }
    Ok(out)
}

/// The blocks' first: where a function's own variables stand.
pub(crate) fn entry<'c, 'a>(
    function: OperationRef<'c, 'a>,
) -> Option<melior::ir::BlockRef<'c, 'a>> {
    let block = function.first_region()?.first_block()?;
    block.first_operation().is_some().then_some(block)
}
