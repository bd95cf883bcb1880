//! Keeps what nobody reads.
//!
//! MLIR's conversions rewrite greedily, and on the way drop operations that only read and whose
//! results have no use: a load among them, which may race. So that no access of the input is lost,
//! a value without a use is stored to a variable of the thread; that store has an effect, and keeps
//! the value and all that it is made of.
//!
//! **Promises**: a value that no variable can have, such as a matrix fragment, is an error.

use melior::Context;
use melior::ir::attribute::{DenseI32ArrayAttribute, IntegerAttribute, TypeAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{
    Attribute, Identifier, Location, Module, Operation, Type, TypeLike, Value, ValueLike,
};
use mlir_sys::{mlirOpOperandIsNull, mlirValueGetFirstUse};

use crate::Wrong;
use crate::kernels::{entry, modules, name_of, under};
use crate::location::first_in;

/// Stores each value without a use in functions of `gpu.module`s.
///
/// # Errors
/// There is one that cannot be stored.
pub(crate) fn keep_what_is_read<'c>(
    context: &'c Context,
    module: &Module<'c>,
) -> Result<(), Wrong> {
    for it in modules(module).into_iter().flat_map(under) {
        // Without operands and regions there is nothing that was read.
        if it.operand_count() == 0 && it.region_count() == 0 {
            continue;
        }
        for result in it.results() {
            let value: Value<'_, '_> = result.into();
            if is_unused(value) && !is_token(value.r#type()) && store(context, it, value).is_none()
            {
                let (line, column) = first_in(it.location()).unwrap_or_default();
                let what = format!("nothing uses what `{}` gives here", name_of(it));
                let message =
                    format!("{what}, and MLIR would drop what it reads; store it or delete it");
                return Err(Wrong { line, column, message });
            }
        }
    }
    Ok(())
}

fn is_unused(value: Value<'_, '_>) -> bool {
    // SAFETY: the value belongs to a module that is alive.
    unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// What is waited for: it comes from operations that write, which stay.
fn is_token(r#type: Type<'_>) -> bool {
    r#type.to_string().ends_with("token")
}

/// Types that a variable in a `memref` may have.
fn is_element(r#type: Type<'_>) -> bool {
    r#type.is_integer()
        || r#type.is_float()
        || r#type.is_complex()
        || r#type.is_index()
        || r#type.is_vector()
        || r#type.is_mem_ref()
        || r#type.is_llvm_pointer_type()
}

/// A variable at the start of the function, and a store to it after the value; none where there is
/// no variable of its type.
fn store<'c>(
    context: &'c Context,
    operation: OperationRef<'c, '_>,
    value: Value<'c, '_>,
) -> Option<()> {
    let mut function = operation.parent_operation();
    while let Some(it) = function
        && !name_of(it).ends_with(".func")
    {
        function = it.parent_operation();
    }
    let function = function?;
    let (start, block) = (entry(function)?, operation.block()?);
    let location = operation.location();
    let is_of_llvm = |name: String| name.starts_with("llvm.") || name.starts_with("nvvm.");
    let r#type = value.r#type();
    let made = if is_of_llvm(name_of(operation)) {
        of_llvm(context, location, value)
    } else if !is_element(r#type) {
        None
    } else if name_of(function) != "llvm.func" {
        of_memref(context, location, value)
    } else if r#type.is_mem_ref() || r#type.is_complex() {
        None
    } else {
        of_llvm(context, location, value)
    };
    let Variable { before, variable, after, store } = made?;
    for (at, it) in before.into_iter().chain([variable]).enumerate() {
        start.insert_operation(at, it);
    }
    let mut last = operation;
    for it in after.into_iter().chain([store]) {
        last = block.insert_operation_after(last, it);
    }
    Some(())
}

/// Operations in the order in which they are inserted.
struct Variable<'c> {
    before: Option<Operation<'c>>,
    variable: Operation<'c>,
    after: Option<Operation<'c>>,
    store: Operation<'c>,
}

fn of_memref<'c>(
    context: &'c Context,
    location: Location<'c>,
    value: Value<'c, '_>,
) -> Option<Variable<'c>> {
    let r#type = MemRefType::new(value.r#type(), &[], None, None);
    let sizes = DenseI32ArrayAttribute::new(context, &[0, 0]).into();
    let variable = OperationBuilder::new("memref.alloca", location)
        .add_results(&[r#type.into()])
        .add_attributes(&[(Identifier::new(context, "operandSegmentSizes"), sizes)])
        .build()
        .ok()?;
    let store = OperationBuilder::new("memref.store", location)
        .add_operands(&[value, variable.result(0).ok()?.into()])
        .build()
        .ok()?;
    Some(Variable { before: None, variable, after: None, store })
}

/// In a function of the `llvm` dialect.
fn of_llvm<'c>(
    context: &'c Context,
    location: Location<'c>,
    value: Value<'c, '_>,
) -> Option<Variable<'c>> {
    let word: Type<'c> = IntegerType::new(context, 64).into();
    let attribute = |name: &str, it: Attribute<'c>| (Identifier::new(context, name), it);
    let one = OperationBuilder::new("llvm.mlir.constant", location)
        .add_results(&[word])
        .add_attributes(&[attribute("value", IntegerAttribute::new(word, 1).into())])
        .build()
        .ok()?;
    let cast = match value.r#type().is_index() {
        true => {
            let cast = OperationBuilder::new("arith.index_cast", location);
            Some(cast.add_results(&[word]).add_operands(&[value]).build().ok()?)
        }
        false => None,
    };
    let r#type = if cast.is_some() { word } else { value.r#type() };
    let variable = OperationBuilder::new("llvm.alloca", location)
        .add_results(&[Type::parse(context, "!llvm.ptr")?])
        .add_operands(&[one.result(0).ok()?.into()])
        .add_attributes(&[attribute("elem_type", TypeAttribute::new(r#type).into())])
        .build()
        .ok()?;
    let stored = match &cast {
        Some(cast) => cast.result(0).ok()?.into(),
        None => value,
    };
    let store = OperationBuilder::new("llvm.store", location)
        .add_operands(&[stored, variable.result(0).ok()?.into()])
        .build()
        .ok()?;
    Some(Variable { before: Some(one), variable, after: cast, store })
}
