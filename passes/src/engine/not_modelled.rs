//! The reason that an operation leaves open which nothing here models.
//!
//! **Promises**: reasons for operations of one name that may do one thing have one cause, so that
//! they are told together with their places.
//! **Does not**: decide what such an operation may do (`heddle_ir::effects`).

use heddle_diagnostics::{Cause, Code, Place, Reason};

/// That what has this name may do something, in the words of a message, at a place.
pub(crate) fn reason(name: &str, may: &str, place: Place) -> Reason {
    let text = format!("{} is not modelled and may {may}", quoted(name));
    let cause = Cause::NotModelled(text.clone());
    Reason::new(Code::UnmodelledInstruction, text).at(place).because(cause)
}

/// A name, or what stands in inline assembly, in quotes; words as they are.
fn quoted(name: &str) -> String {
    let is_of_words = |c: char| c.is_alphabetic() || [' ', '`'].contains(&c);
    match name.contains(' ') && name.chars().all(is_of_words) {
        true => name.to_owned(),
        false => format!("`{name}`"),
    }
}
