//! Where parameters and shared variables lie on the host.
//!
//! Parameters are packed one after the other, each at a multiple of its alignment; an entry
//! function unpacks them. Shared variables follow each other with four bytes between them that
//! belong to nothing.

use super::Unsupported;
use heddle_lift::prepare::Kernel;
use heddle_llvm::{DebugVariable, Module, Spot, Type, TypeKind};

/// The name of the function that unpacks arguments and calls the kernel.
pub(super) const ENTRY: &str = "__heddle_kernel_entry";
/// The function that gives what the runtime has of the thread; the second argument of an entry for
/// threads without stacks.
pub(super) const FACTS: &str = "__heddle_facts";

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the source, or in the IR.
    pub name: String,
    /// What it is.
    pub kind: ParameterKind,
    /// Its first byte in the packed arguments.
    pub offset: usize,
    /// Bytes.
    pub bytes: usize,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// An integer.
    Int,
    /// A float of 32 or 64 bits.
    Float,
    /// A pointer to a buffer.
    Pointer,
    /// A pointer to the block's dynamic shared memory (OpenCL's `__local`).
    SharedPointer,
    /// A structure or vector, as bytes.
    Bytes,
}

/// A variable in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedVariable {
    /// Its name in the source, or in the IR.
    pub name: String,
    /// From the start of the block's shared memory.
    pub offset: usize,
    /// Bytes; zero for dynamic shared memory.
    pub bytes: usize,
    /// Bytes of an element.
    pub element: usize,
}

/// Bytes of the scalars that an array is of, and of anything else all of it.
pub(crate) fn element(module: &Module, ty: Type<'_>) -> usize {
    match ty.kind() {
        TypeKind::Array(_, inner) => element(module, inner),
        TypeKind::Void
        | TypeKind::Int(_)
        | TypeKind::Float(_)
        | TypeKind::BFloat
        | TypeKind::Pointer(_)
        | TypeKind::Vector(..)
        | TypeKind::Struct { .. }
        | TypeKind::Function
        | TypeKind::Event
        | TypeKind::Other => size_of_type(module, ty),
    }
}

fn size_of_type(module: &Module, ty: Type<'_>) -> usize {
    // The layout is that of the device; for the types that kernels share with their host the two
    // agree.
    let bytes = match ty.kind() {
        TypeKind::Void | TypeKind::Function | TypeKind::Event | TypeKind::Other => None,
        TypeKind::Int(_)
        | TypeKind::Float(_)
        | TypeKind::BFloat
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Vector(..)
        | TypeKind::Struct { .. } => ty.alloc_size(module),
    };
    bytes.unwrap_or(1) as usize
}

/// The shared variables with their offsets, and the bytes of all.
pub(crate) fn shared(module: &Module) -> (Vec<(Spot, u64)>, Vec<SharedVariable>, usize) {
    let all: Vec<_> = module.globals().filter(|it| it.address_space() == 3).collect();
    let (dynamic, fixed): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|it| it.is_declaration() || size_of_type(module, it.value_type()) == 0);
    let (mut offsets, mut variables, mut at) = (Vec::new(), Vec::new(), 0);
    for global in fixed.into_iter().chain(dynamic) {
        let is_dynamic = global.is_declaration() || size_of_type(module, global.value_type()) == 0;
        let bytes = if is_dynamic { 0 } else { size_of_type(module, global.value_type()) };
        let name =
            DebugVariable::of_global(module, global).map_or_else(|| global.name(), |it| it.name);
        if bytes > 0 || variables.last().is_none_or(|it: &SharedVariable| it.bytes != 0) {
            at = usize::next_multiple_of(
                at,
                if bytes == 0 { 128 } else { 16.max(global.alignment() as usize) },
            );
            variables.push(SharedVariable {
                name,
                offset: at,
                bytes,
                element: element(module, global.value_type()),
            });
        }
        offsets.push((global.as_value().spot(), at as u64));
        if bytes > 0 {
            at = (at + bytes).next_multiple_of(4) + 4;
        }
    }
    let has_dynamic = variables.last().is_some_and(|it| it.bytes == 0);
    let end = if has_dynamic { at } else { at.next_multiple_of(128) };
    (offsets, variables, end)
}

/// The entry function's text, the parameters, and the bytes of their arguments.
pub(crate) fn entry(
    module: &Module,
    kernel: &Kernel,
    stackless: bool,
) -> Result<(String, Vec<Parameter>, usize), Unsupported> {
    let Some(function) = module.function(&kernel.name) else {
        return Err(Unsupported::new("the module lost the kernel".to_owned()));
    };
    let first = function.instructions().next();
    let mut names = vec![None; function.arguments().len()];
    for inst in first.into_iter().chain(function.instructions()) {
        for (variable, value) in inst.debug_variables(module) {
            if let Some(argument) = value.as_argument() {
                names[argument.index() as usize].get_or_insert(variable.name);
            }
        }
    }
    let (mut parameters, mut at) = (Vec::new(), 0usize);
    let (mut body, mut passed, mut types) = (String::new(), Vec::new(), Vec::new());
    for argument in function.arguments() {
        let index = argument.index();
        let by_value = argument.byval_type();
        let ty = by_value.unwrap_or(argument.ty());
        let bytes = size_of_type(module, ty);
        let align = if by_value.is_some() { 16 } else { bytes.next_power_of_two().clamp(1, 16) };
        at = at.next_multiple_of(align);
        let name = names[index as usize].clone().unwrap_or_else(|| argument.name());
        let name = if name.is_empty() { format!("arg{index}") } else { name };
        let kind = match (by_value.is_some(), ty.kind()) {
            (true, _) => ParameterKind::Bytes,
            (false, TypeKind::Int(_)) => ParameterKind::Int,
            (false, TypeKind::Float(32 | 64)) => ParameterKind::Float,
            (false, TypeKind::Pointer(3)) => ParameterKind::SharedPointer,
            (false, TypeKind::Pointer(_)) => ParameterKind::Pointer,
            (false, _) => ParameterKind::Bytes,
        };
        let text = argument.ty().text();
        body.push_str(&format!("  %p{index} = getelementptr i8, ptr %arguments, i64 {at}\n"));
        if by_value.is_some() {
            body.push_str(&match argument.ty().kind() {
                TypeKind::Pointer(space) if space != 0 => {
                    format!("  %a{index} = addrspacecast ptr %p{index} to {text}\n")
                }
                _ => format!("  %a{index} = bitcast ptr %p{index} to ptr\n"),
            });
        } else {
            body.push_str(&match kind {
                // What is passed is the distance from the start of the block's shared memory.
                ParameterKind::SharedPointer => format!(
                    "  %d{index} = load i64, ptr %p{index}, align 1\n  %s{index} = call ptr @__heddle_shared()\n  \
                     %q{index} = getelementptr i8, ptr %s{index}, i64 %d{index}\n  \
                     %a{index} = addrspacecast ptr %q{index} to {text}\n"
                ),
                ParameterKind::Int | ParameterKind::Float | ParameterKind::Pointer | ParameterKind::Bytes => {
                    format!("  %a{index} = load {text}, ptr %p{index}, align 1\n")
                }
            });
        }
        if text.contains('%') {
            return Err(Unsupported::new(format!(
                "its parameter `{name}` is of the named type `{text}`, passed as a value"
            )));
        }
        passed.push(format!("{text} %a{index}"));
        types.push(text);
        parameters.push(Parameter { name, kind, offset: at, bytes });
        at += bytes;
    }
    let callee = &kernel.name;
    let (passed, types) = (passed.join(", "), types.join(", "));
    let facts = if stackless { ", ptr %facts" } else { "" };
    let text = format!(
        "declare void @\"{callee}\"({types})\n\
         define void @{ENTRY}(ptr %arguments{facts}) {{\n{body}  call void @\"{callee}\"({passed})\n  ret void\n}}\n"
    );
    Ok((text, parameters, at.next_multiple_of(16)))
}
