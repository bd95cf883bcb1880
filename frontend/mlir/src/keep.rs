//! Keeps what nobody reads.
//!
//! MLIR's conversions rewrite greedily, and on the way drop operations that only read and whose
//! results have no use: a load among them, which may race. So that no access of the input is lost,
//! a value without a use is stored to a variable of the thread; that store has an effect, and keeps
//! the value and all that it is made of.
//!
//! **Does not**: keep an unused value that is no number, vector or pointer, such as a matrix
//! fragment.

use melior::Context;
use melior::ir::attribute::{DenseI32ArrayAttribute, IntegerAttribute, TypeAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{
    Attribute, Identifier, Location, Module, Operation, Type, TypeLike, Value, ValueLike,
};
use mlir_sys::{mlirOpOperandIsNull, mlirValueGetFirstUse};

use crate::kernels::{entry, modules, name_of, under};

/// Stores each value without a use in functions of `gpu.module`s.
pub(crate) fn keep_what_is_read<'c>(context: &'c Context, module: &Module<'c>) {
    for it in modules(module).into_iter().flat_map(under) {
        // Without operands and regions there is nothing that was read.
        if it.operand_count() == 0 && it.region_count() == 0 {
            continue;
        }
        for result in it.results() {
            let value: Value<'_, '_> = result.into();
            if is_unused(value) && is_storable(value.r#type()) {
                store(context, it, value);
            }
        }
    }
}

fn is_unused(value: Value<'_, '_>) -> bool {
    // SAFETY: the value belongs to a module that is alive.
    unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// Types that any variable may have and that each lowering knows.
fn is_storable(r#type: Type<'_>) -> bool {
    r#type.is_integer()
        || r#type.is_float()
        || r#type.is_index()
        || r#type.is_vector()
        || r#type.is_llvm_pointer_type()
}

/// A variable at the start of the function, and a store to it after the value.
fn store<'c>(context: &'c Context, operation: OperationRef<'c, '_>, value: Value<'c, '_>) {
    let mut function = operation.parent_operation();
    while let Some(it) = function
        && !name_of(it).ends_with(".func")
    {
        function = it.parent_operation();
    }
    let Some(function) = function else { return };
    let (Some(start), Some(block)) = (entry(function), operation.block()) else { return };
    let location = operation.location();
    let made = match name_of(function).as_str() {
        "llvm.func" => of_llvm(context, location, value),
        _ => of_memref(context, location, value),
    };
    let Some(Variable { before, variable, after, store }) = made else { return };
    for (at, it) in before.into_iter().chain([variable]).enumerate() {
        start.insert_operation(at, it);
    }
    let mut last = operation;
    for it in after.into_iter().chain([store]) {
        last = block.insert_operation_after(last, it);
    }
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
