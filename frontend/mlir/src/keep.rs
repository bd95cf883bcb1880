//! Keeps each access and each barrier where it was written.
//!
//! MLIR's conversions rewrite greedily. On the way they fold values (`x * 0`), drop what only reads
//! and has no use left, and merge blocks that do the same: a load that races is gone, and two
//! barriers are one. So each operation that is not known to be pure gets a mark directly after it:
//! a call of a function that nobody defines, one function per mark, with the operation's results as
//! arguments.
//!
//! **Sound**: a call may do anything, so no rewriting drops it, and what it takes stays, however
//! the other uses fold. Two marks differ in the name that they call, which is no operand, so blocks
//! with marks are never the same block twice. Operations are marked unless they are *known* to
//! neither access memory nor wait for another thread ([`is_pure`]); one that nobody has heard of is
//! marked. What is promised is also looked at: the operation has its number in its location, which
//! what it is lowered to has too, and after the lowering each number must have its mark, something
//! that is not pure, and as many barriers as it makes. Else the file is refused.
//!
//! **Does not**: mark inside regions that take no call. What is in them has no effects by MLIR's
//! rules, or its results are those of the operation around them ([`CLOSED`]).

use std::collections::BTreeMap;

use melior::Context;
use melior::ir::attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationMutLike};
use melior::ir::operation::{OperationRef, OperationRefMut};
use melior::ir::r#type::FunctionType;
use melior::ir::{Identifier, Location, Module, Region, RegionLike, Type, Value, ValueLike};
use mlir_sys::mlirOperationDestroy;

use crate::Wrong;
use crate::kernels::{name_of, symbol, under};
use crate::location::{first_in, parts};
use crate::pure::is_pure;

/// What marks, and the locations of what is marked, are called, with a number after it.
const MARK: &str = "heddle.keep.";

/// Operations whose regions take no call: the body of one has no effects (MLIR verifies it), the
/// other gives what the one operation in it gives, the third is repeated by its lowering.
const CLOSED: [&str; 3] = ["memref.generic_atomic_rmw", "vector.mask", "gpu.all_reduce"];

/// What is marked, by its number.
pub(crate) struct Kept(Vec<Marked>);

struct Marked {
    name: String,
    place: Option<(usize, usize)>,
}

impl Marked {
    fn wrong(&self, message: String) -> Wrong {
        let (line, column) = self.place.unwrap_or_default();
        Wrong { line, column, message }
    }
}

/// Marks all operations of `gpu.module`s that may access memory or wait.
///
/// # Errors
/// The input has names of marks itself, or something without a mark may do what marks are for.
pub(crate) fn mark<'c>(context: &'c Context, module: &Module<'c>) -> Result<Kept, Wrong> {
    // What the marks are made of.
    let _ = context.get_or_load_dialect("func");
    let mut kept = Kept(Vec::new());
    let all = under(module.as_operation());
    for it in &all {
        let is_taken = |it: &String| it.contains(MARK);
        if symbol(*it).iter().any(is_taken) || marks_of(it.location()).next().is_some() {
            let wrong = Marked { name: name_of(*it), place: first_in(it.location()) };
            return Err(wrong.wrong(format!("names with `{MARK}` in them are Heddle's own")));
        }
    }
    // The passes go to the modules at the top alone.
    let is_lowered = |it: &OperationRef<'c, '_>| {
        let top = module.as_operation().to_raw().ptr;
        name_of(*it) == "gpu.module"
            && it.parent_operation().is_some_and(|it| it.to_raw().ptr == top)
    };
    for gpu in all.into_iter().filter(is_lowered) {
        for it in under(gpu) {
            if is_pure(it) || it.next_in_block().is_none() || !is_in_function(it) {
                continue;
            }
            let name = name_of(it);
            let marked = Marked { place: first_in(it.location()), name };
            let parent = it.parent_operation().map(name_of).unwrap_or_default();
            if parent == "gpu.all_reduce" {
                let what = format!("`{}` in a reduction's own code may access memory", marked.name);
                return Err(marked.wrong(format!("{what}; do it outside")));
            }
            if CLOSED.contains(&&*parent) {
                continue;
            }
            if call(context, gpu, it, kept.0.len()).is_none() {
                let what = format!("`{}` gives what MLIR passes to no function", marked.name);
                return Err(marked.wrong(what));
            }
            kept.0.push(marked);
        }
    }
    Ok(kept)
}

fn is_in_function(operation: OperationRef<'_, '_>) -> bool {
    let mut around = operation.parent_operation();
    while let Some(it) = around {
        if name_of(it).ends_with(".func") {
            return true;
        }
        around = it.parent_operation();
    }
    false
}

/// Puts the mark of this number after an operation, and the number in its location.
fn call<'c>(
    context: &'c Context,
    gpu: OperationRef<'c, '_>,
    operation: OperationRef<'c, '_>,
    number: usize,
) -> Option<()> {
    let name = format!("{MARK}{number}");
    let location = operation.location();
    let results: Vec<Value<'c, '_>> = operation.results().map(Value::from).collect();
    let results: Vec<_> = results.into_iter().filter(|it| !is_token(it.r#type())).collect();
    let types: Vec<Type<'c>> = results.iter().map(|it| it.r#type()).collect();
    let attribute = |name: &str| Identifier::new(context, name);
    let declaration = OperationBuilder::new("func.func", Location::unknown(context))
        .add_attributes(&[
            (attribute("sym_name"), StringAttribute::new(context, &name).into()),
            (
                attribute("function_type"),
                TypeAttribute::new(FunctionType::new(context, &types, &[]).into()).into(),
            ),
            (attribute("sym_visibility"), StringAttribute::new(context, "private").into()),
        ])
        .add_regions([Region::new()])
        .build()
        .ok()?;
    let call = OperationBuilder::new("func.call", location)
        .add_operands(&results)
        .add_attributes(&[(
            attribute("callee"),
            FlatSymbolRefAttribute::new(context, &name).into(),
        )])
        .build()
        .ok()?;
    gpu.first_region()?.first_block()?.insert_operation(0, declaration);
    operation.block()?.insert_operation_after(operation, call);
    // SAFETY: no other reference to it is used while this one is.
    let mut changed = unsafe { OperationRefMut::from_raw(operation.to_raw()) };
    changed.set_location(Location::name(context, &name, location));
    Some(())
}

/// What is waited for: it comes from operations that write, which stay.
fn is_token(r#type: Type<'_>) -> bool {
    r#type.to_string().ends_with("token")
}

/// The numbers in a location.
fn marks_of(location: Location<'_>) -> impl Iterator<Item = String> {
    let (mut found, mut left) = (Vec::new(), vec![location]);
    while let Some(it) = left.pop() {
        if it.is_name() {
            let value = it.name_value();
            let name = value.as_string_ref().as_str().unwrap_or_default();
            found.extend(name.starts_with(MARK).then(|| name.to_owned()));
        }
        left.extend(parts(it));
    }
    found.into_iter()
}

/// What is left of a mark.
#[derive(Default)]
struct Left {
    marks: usize,
    effects: usize,
    barriers: usize,
}

/// Takes the marks away, and looks for all that was marked.
///
/// # Errors
/// Something that was marked is not there any more.
pub(crate) fn unmark(module: &Module<'_>, kept: &Kept) -> Result<(), Wrong> {
    let mut left: BTreeMap<String, Left> = BTreeMap::new();
    let mut ends = Vec::new();
    for it in under(module.as_operation()) {
        if let Some(mark) = mark_of(it) {
            if name_of(it) == "llvm.call" {
                left.entry(mark).or_default().marks += 1;
            }
            ends.push(it.to_raw());
            continue;
        }
        let location = it.location();
        if !is_pure(it) {
            for mark in marks_of(location) {
                let left = left.entry(mark).or_default();
                left.effects += 1;
                left.barriers += usize::from(is_barrier(it));
            }
        }
        if location.is_name() && marks_of(location).next().is_some() {
            // SAFETY: no other reference to it is used while this one is.
            let mut changed = unsafe { OperationRefMut::from_raw(it.to_raw()) };
            changed.set_location(location.name_child_location());
        }
    }
    for it in ends.into_iter().rev() {
        // SAFETY: a call without results, or the declaration that it calls, which stands before it;
        // no reference to it is used after.
        unsafe { mlirOperationDestroy(it) };
    }
    for (number, marked) in kept.0.iter().enumerate() {
        let Left { marks, effects, barriers } =
            left.remove(&format!("{MARK}{number}")).unwrap_or_default();
        let name = &marked.name;
        // Its lowering has one before its results are combined, and one after.
        let expected = if name == "gpu.all_reduce" { 2 } else { 0 };
        if marks == 0 || effects == 0 || barriers < expected {
            let what = format!("MLIR drops this `{name}` or merges it with another");
            let why = "nothing gets here, nothing is accessed, or it reads a constant";
            return Err(marked.wrong(format!("{what}: {why}; write it otherwise")));
        }
    }
    Ok(())
}

/// The mark that an operation is or declares.
fn mark_of(operation: OperationRef<'_, '_>) -> Option<String> {
    let name = match &*name_of(operation) {
        "llvm.call" | "func.call" => {
            let callee = operation.attribute("callee").ok()?;
            FlatSymbolRefAttribute::try_from(callee).ok()?.value().to_owned()
        }
        "llvm.func" | "func.func" => symbol(operation)?,
        _ => return None,
    };
    // MLIR has a function of C, too, for each one that is declared.
    name.strip_prefix("_mlir_ciface_").unwrap_or(&name).starts_with(MARK).then_some(name)
}

fn is_barrier(operation: OperationRef<'_, '_>) -> bool {
    name_of(operation).starts_with("nvvm.barrier")
}
