//! Locations of MLIR as debug information of LLVM.
//!
//! LLVM knows a line of a file in a function, and what was inlined where. Of MLIR's locations
//! `name("x")` is what it names, `fused[a, b]` the first with a file, `callsite(a at b)` the line
//! `a` inlined at `b`; an unknown one gives no place. Files other than the function's are kept.
//! A function that has debug information already keeps its own.

use melior::Context;
use melior::ir::attribute::StringAttribute;
use melior::ir::operation::{OperationLike, OperationMutLike, OperationRef, OperationRefMut};
use melior::ir::{Attribute, AttributeLike, Location, Module};
use mlir_sys::{mlirLLVMDIFileAttrGet, mlirLLVMDILexicalBlockFileAttrGet};

use crate::Wrong;
use crate::kernels::{is, modules, under};
use crate::location::{INPUT, file_of, parts};
use crate::lower::give_subprograms;
use crate::parse::Heard;

/// Makes debug information of the locations of all functions; `name` is the input's.
pub(crate) fn give_scopes<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    name: &str,
    heard: &Heard,
) -> Result<(), Wrong> {
    let functions = |module: &Module<'c>| -> Vec<Vec<mlir_sys::MlirOperation>> {
        let all = modules(module).into_iter().flat_map(under).filter(|it| is(*it, "llvm.func"));
        all.map(|it| under(it).into_iter().map(|it| it.to_raw()).collect()).collect()
    };
    let mut found = Vec::new();
    for operations in functions(module) {
        let places: Vec<Location<'c>> = operations
            .iter()
            // SAFETY: they live in the module, which nothing changes meanwhile.
            .map(|it| unsafe { OperationRef::<'c, '_>::from_raw(*it) }.location())
            .map(|it| if scope_of(it).is_some() { it } else { named(context, it, name) })
            .collect();
        if let (Some(function), Some(place)) = (operations.first(), places.first()) {
            // SAFETY: as above.
            unsafe { OperationRefMut::<'c, '_>::from_raw(*function) }.set_location(*place);
        }
        found.push((operations, places));
    }
    give_subprograms(context, module, heard)?;
    for (operations, places) in found {
        let (Some(function), Some(place)) = (operations.first(), places.first()) else { continue };
        // SAFETY: the pass sets locations and moves no operation.
        let function = unsafe { OperationRef::<'c, '_>::from_raw(*function) };
        if scope_of(*place).is_some() {
            continue;
        }
        let Some(scope) = scope_of(function.location()) else { continue };
        let file = file_of(*place);
        for (operation, place) in operations.iter().zip(&places).skip(1) {
            let scoped = scoped(context, *place, scope, file.as_deref())
                .unwrap_or_else(|| Location::unknown(context));
            // SAFETY: as above; no reference to it is held.
            unsafe { OperationRefMut::<'c, '_>::from_raw(*operation) }.set_location(scoped);
        }
    }
    Ok(())
}

/// The scope that a location carries.
fn scope_of(location: Location<'_>) -> Option<Attribute<'_>> {
    if !location.is_fused() {
        return None;
    }
    let metadata = location.fused_metadata();
    (!metadata.to_raw().ptr.is_null() && metadata.to_string().starts_with("#llvm.di_"))
        .then_some(metadata)
}

/// The location with the input called by its name.
fn named<'c>(context: &'c Context, location: Location<'c>, name: &str) -> Location<'c> {
    if location.is_file_line_col_range() {
        let line = location.file_line_col_range_start_line();
        let column = location.file_line_col_range_start_column();
        let is_input = file_of(location).as_deref() == Some(INPUT);
        return if is_input { Location::new(context, name, line, column) } else { location };
    }
    if location.is_call_site() {
        let callee = named(context, location.call_site_callee(), name);
        return Location::call_site(callee, named(context, location.call_site_caller(), name));
    }
    // Of a name, and of several, only the first place counts.
    let placed = parts(location).into_iter().find(|it| file_of(*it).is_some());
    placed.map_or(location, |it| named(context, it, name))
}

/// The location in a scope, and in a scope of its own where its file is not `file`.
fn scoped<'c>(
    context: &'c Context,
    location: Location<'c>,
    scope: Attribute<'c>,
    file: Option<&str>,
) -> Option<Location<'c>> {
    if location.is_file_line_col_range() {
        let own = file_of(location)?;
        if Some(own.as_str()) == file {
            return Some(location);
        }
        let scope = in_file(context, scope, &own);
        return Some(Location::fused(context, &[location], scope));
    }
    if location.is_call_site() {
        let callee = scoped(context, location.call_site_callee(), scope, file);
        let caller = scoped(context, location.call_site_caller(), scope, file);
        return match (callee, caller) {
            // What is inlined needs a scope of its own kind, even if it is of the same file.
            (Some(callee), Some(caller)) => {
                let callee = if callee.is_file_line_col_range() {
                    let own = in_file(context, scope, &file_of(callee)?);
                    Location::fused(context, &[callee], own)
                } else {
                    callee
                };
                Some(Location::call_site(callee, caller))
            }
            (one, other) => one.or(other),
        };
    }
    parts(location).into_iter().find_map(|it| scoped(context, it, scope, file))
}

/// `scope`, for lines of another file.
fn in_file<'c>(context: &'c Context, scope: Attribute<'c>, file: &str) -> Attribute<'c> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let text = |it: &str| StringAttribute::new(context, it).to_raw();
    // SAFETY: the attributes are of this context, and of the kinds that are asked for.
    unsafe {
        let file = mlirLLVMDIFileAttrGet(context.to_raw(), text(name), text(folder));
        let block = mlirLLVMDILexicalBlockFileAttrGet(context.to_raw(), scope.to_raw(), file, 0);
        Attribute::from_raw(block)
    }
}
