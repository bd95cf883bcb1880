//! What the lowering forgets of kernel arguments: their names, and that an array without a layout
//! is contiguous.
//!
//! A `memref` argument becomes a pointer as allocated, one as aligned (the one that accesses use),
//! an offset, and a size and a stride for each dimension. Without a layout in its type the offset
//! is 0 and the strides follow from the sizes, by the definition of the type; the lowered code has
//! arguments for them all the same, which could be anything. They are replaced here by what they
//! are.

use melior::Context;
use melior::ir::attribute::{
    ArrayAttribute, DenseI32ArrayAttribute, IntegerAttribute, StringAttribute,
};
use melior::ir::block::BlockLike;
use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationMutLike, OperationRef, OperationRefMut,
};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{
    BlockRef, Identifier, Location, Module, ShapedTypeLike, Type, TypeLike, Value, ValueLike,
};
use mlir_sys::{mlirAffineMapIsIdentity, mlirValueReplaceAllUsesOfWith};

use crate::kernels::{entry, is, modules, symbol, under};

/// A kernel's arguments, as they were written.
pub(crate) struct Kernel {
    module: Option<String>,
    name: String,
    arguments: Vec<Argument>,
    block_size: Option<Vec<i32>>,
    grid_size: Option<Vec<i32>>,
    cluster_size: Option<Vec<i32>>,
    chip: Option<String>,
}

struct Argument {
    name: String,
    kind: Kind,
}

enum Kind {
    /// One argument after the lowering too.
    Value,
    /// An array, contiguous or not.
    Array { rank: usize, is_contiguous: bool },
    /// A rank and a pointer to the rest.
    Unranked,
}

/// The kernels of all `gpu.module`s, before they are lowered. `text` is the input, from which the
/// names of arguments are read where they stand.
pub(crate) fn of_kernels(module: &Module<'_>, text: &str) -> Vec<Kernel> {
    let mut found = Vec::new();
    for gpu in modules(module) {
        let chip = chip(gpu);
        for function in
            under(gpu).into_iter().filter(|it| is(*it, "gpu.func") || is(*it, "llvm.func"))
        {
            let (Some(own), Some(block)) = (symbol(function), entry(function)) else { continue };
            let count = argument_count(function, block);
            let arguments =
                (0..count).filter_map(|n| Some(block.argument(n).ok()?.into())).enumerate();
            let arguments = arguments.map(|(n, it)| argument(n, it, text)).collect();
            found.push(Kernel {
                module: symbol(gpu),
                name: own,
                arguments,
                block_size: known(function, "known_block_size"),
                grid_size: known(function, "known_grid_size"),
                cluster_size: known(function, "known_cluster_size"),
                chip: chip.clone(),
            });
        }
    }
    found
}

/// A size that is known: `known_grid_size` of a `gpu.func`, `gpu.known_grid_size` of a function of
/// another dialect, which a `gpu.func` becomes on the way.
fn known(function: OperationRef<'_, '_>, name: &str) -> Option<Vec<i32>> {
    let size = function.attribute(name).or_else(|_| function.attribute(&format!("gpu.{name}")));
    let size = DenseI32ArrayAttribute::try_from(size.ok()?).ok()?;
    Some((0..size.len()).filter_map(|n| size.element(n).ok()).collect())
}

/// The architecture that a `gpu.module` is for: `[#nvvm.target<chip = "sm_90">]`.
fn chip(gpu: OperationRef<'_, '_>) -> Option<String> {
    let targets = gpu.attribute("targets").ok()?.to_string();
    let (_, rest) = targets.split_once("#nvvm.target<")?;
    let (_, rest) = rest[..rest.find('>')?].split_once("chip = \"")?;
    Some(rest.split('"').next()?.to_owned())
}

/// Without the memory that `gpu.func` declares as further arguments of its body.
fn argument_count(function: OperationRef<'_, '_>, block: BlockRef<'_, '_>) -> usize {
    let all = block.argument_count();
    let Ok(r#type) = function.attribute("function_type") else { return all };
    let text = r#type.to_string();
    let known = melior::ir::attribute::TypeAttribute::try_from(r#type)
        .ok()
        .and_then(|it| melior::ir::r#type::FunctionType::try_from(it.value()).ok());
    match known {
        Some(known) => known.input_count().min(all),
        None if text.is_empty() => 0,
        None => all,
    }
}

fn argument(number: usize, value: Value<'_, '_>, text: &str) -> Argument {
    let location = value.location();
    let named = location
        .is_name()
        .then(|| location.name_value().as_string_ref().as_str().unwrap_or_default().to_owned());
    let name = named
        .or_else(|| written(location, text))
        .filter(|it| is_plain(it))
        .unwrap_or_else(|| format!("arg{number}"));
    let r#type = value.r#type();
    let kind = if let Ok(array) = MemRefType::try_from(r#type) {
        // SAFETY: the map belongs to the context of the type.
        let is_contiguous = unsafe { mlirAffineMapIsIdentity(array.affine_map().to_raw()) };
        Kind::Array { rank: array.rank(), is_contiguous }
    } else if r#type.is_unranked_mem_ref() {
        Kind::Unranked
    } else {
        Kind::Value
    };
    Argument { name, kind }
}

/// `n` where the text has `%n` at this place.
fn written(location: Location<'_>, text: &str) -> Option<String> {
    let (line, column) = crate::location::first_in(location)?;
    let line = text.lines().nth(line.checked_sub(1)?)?;
    let rest = line.get(column.checked_sub(1)?..)?.strip_prefix('%')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c)));
    Some(rest[..end.unwrap_or(rest.len())].to_owned())
}

/// What an option of `heddle` can name: no number, no blanks.
fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Gives the lowered kernels back what they had.
pub(crate) fn apply<'c>(context: &'c Context, module: &Module<'c>, kernels: &[Kernel]) {
    for gpu in modules(module) {
        for function in under(gpu).into_iter().filter(|it| is(*it, "llvm.func")) {
            let of = (symbol(gpu), symbol(function));
            let known =
                kernels.iter().find(|it| (&it.module, Some(&it.name)) == (&of.0, of.1.as_ref()));
            if let (Some(known), Some(block)) = (known, entry(function))
                && function.has_attribute("nvvm.kernel")
            {
                give(context, function, block, known);
            }
        }
    }
}

fn give<'c>(
    context: &'c Context,
    function: OperationRef<'c, '_>,
    block: BlockRef<'c, '_>,
    known: &Kernel,
) {
    let Kernel { module: _, name: _, arguments, block_size, grid_size, cluster_size, chip } = known;
    // SAFETY: no other reference to it is used while this one is.
    let mut changed = unsafe { OperationRefMut::from_raw(function.to_raw()) };
    if let Some(chip) = chip {
        changed.set_attribute("target_cpu", StringAttribute::new(context, chip).into());
    }
    if let Some(size) = block_size {
        // What the block is, and not only the most that it may be.
        let size = DenseI32ArrayAttribute::new(context, size).into();
        changed.set_attribute("nvvm.reqntid", size);
    }
    if let Some(size) = cluster_size {
        let size = DenseI32ArrayAttribute::new(context, size).into();
        changed.set_attribute("nvvm.cluster_dim", size);
    }
    let mut passed: Vec<(&str, String)> = Vec::new();
    if let Some(size) = grid_size {
        // LLVM has no attribute for it.
        let size: Vec<String> = size.iter().map(i32::to_string).collect();
        passed.push((GRID, size.join(",")));
    }
    let mut names = Vec::new();
    for Argument { name, kind } in arguments {
        match kind {
            Kind::Value => names.push(name.clone()),
            Kind::Unranked => names.extend([format!("{name}_rank"), name.clone()]),
            Kind::Array { rank, is_contiguous } => {
                let first = names.len();
                names.extend([format!("{name}_allocated"), name.clone(), format!("{name}_offset")]);
                names.extend((0..*rank).map(|n| format!("{name}_size{n}")));
                names.extend((0..*rank).map(|n| format!("{name}_stride{n}")));
                if *is_contiguous && block.argument_count() >= names.len() {
                    replace_layout(context, function, block, first, *rank);
                }
            }
        }
    }
    if names.len() == block.argument_count() {
        passed.push((ARGUMENTS, names.join(" ")));
    }
    let mut all = Vec::new();
    let old = function.attribute("passthrough").ok();
    if let Some(old) = old.and_then(|it| ArrayAttribute::try_from(it).ok()) {
        all.extend((0..old.len()).filter_map(|n| old.element(n).ok()));
    }
    for (name, value) in passed {
        let words = [name, &value].map(|it| StringAttribute::new(context, it).into());
        all.push(ArrayAttribute::new(context, &words).into());
    }
    changed.set_attribute("passthrough", ArrayAttribute::new(context, &all).into());
}

/// The attribute that tells `heddle` the names.
const ARGUMENTS: &str = "heddle.arguments";

/// The attribute that tells `heddle` the grid.
const GRID: &str = "heddle.grid";

/// Offset and strides of a contiguous array become what they are.
fn replace_layout<'c>(
    context: &'c Context,
    function: OperationRef<'c, '_>,
    block: BlockRef<'c, '_>,
    first: usize,
    rank: usize,
) {
    let word: Type<'c> = IntegerType::new(context, 64).into();
    let location = function.location();
    let argument = |n: usize| block.argument(first + n).ok().map(Value::from);
    let insert = |at: usize, name: &str, operands: &[Value<'c, '_>], value: Option<i64>| {
        let mut made =
            OperationBuilder::new(name, location).add_results(&[word]).add_operands(operands);
        if let Some(value) = value {
            let value = IntegerAttribute::new(word, value).into();
            made = made.add_attributes(&[(Identifier::new(context, "value"), value)]);
        }
        let made = block.insert_operation(at, made.build().ok()?);
        Some(Value::from(made.result(0).ok()?))
    };
    let replace = |old: Option<Value<'_, '_>>, new: Option<Value<'_, '_>>| {
        if let (Some(old), Some(new)) = (old, new) {
            // SAFETY: both belong to the function, and the new one stands before all uses.
            unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
        }
    };
    replace(argument(2), insert(0, "llvm.mlir.constant", &[], Some(0)));
    let mut stride = insert(0, "llvm.mlir.constant", &[], Some(1));
    let mut at = 2;
    for n in (0..rank).rev() {
        replace(argument(3 + rank + n), stride);
        if n > 0 {
            let (Some(inner), Some(size)) = (stride, argument(3 + n)) else { return };
            stride = insert(at, "llvm.mul", &[inner, size], None);
            at += 1;
        }
    }
}
