//! Types of functions.

use super::file::{File, Function};
use super::outside;
use super::variable::Variable;

/// The type that a parameter of a function has.
fn passed(it: &Variable) -> String {
    match it.is_array {
        true => format!("ptr byval({}) align {}", it.ir_type(), it.align),
        false => it.ir_type(),
    }
}

/// The type that a function gives back, and those of its parameters.
pub(super) fn signature(file: &File, function: &Function) -> (String, Vec<String>) {
    if let Some(known) = outside::types(function) {
        return known;
    }
    let types =
        function.params.iter().enumerate().map(|(n, it)| match file.is_pointer(function, n) {
            true => "ptr".to_owned(),
            false => passed(it),
        });
    (result(&function.results), types.collect())
}

/// The type of what is given back.
pub(super) fn result(results: &[Variable]) -> String {
    let types: Vec<String> = results.iter().map(Variable::ir_type).collect();
    match &types[..] {
        [] => "void".to_owned(),
        [one] => one.clone(),
        many => format!("{{ {} }}", many.join(", ")),
    }
}
