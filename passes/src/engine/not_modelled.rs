//! The reason that an operation leaves open which nothing here models.
//!
//! **Promises**: reasons for operations of one name that may do one thing have one cause, so that
//! they are told together with their places.
//! **Does not**: decide what such an operation may do (`heddle_ir::effects`).

use heddle_diagnostics::{Cause, Code, Place, Reason};
use heddle_ir::in_quotes;

/// That what has this name may do something, in the words of a message, at a place.
pub(crate) fn reason(name: &str, may: &str, place: Place) -> Reason {
    let text = format!("{} is not modelled and may {may}", in_quotes(name));
    let cause = Cause::NotModelled(text.clone());
    Reason::new(Code::UnmodelledInstruction, text).at(place).because(cause)
}
