//! Errors of clang that are none for `nvcc`, left out of the list of errors that a user sees.
//!
//! Where a source has other errors as well, it is shown as it is written, and clang refuses each
//! `%laneid` of inline PTX in it. `nvcc` takes these, so that they would only hide what is wrong.
//!
//! **Promises**: an error is left out only where the rule for it has a text that clang takes, and
//! only if another error is left; all other messages stay as they are, in their order.
//! **Does not**: say what is wrong with a source that has no other error.

use super::rules::Rule;
use super::{At, Texts, error_in, position};
use crate::InputError;
use crate::compile::{Compiler, Request, compile_error};

/// What clang says where it has seen enough.
const TOO_MANY: &str = "too many errors emitted, stopping now";

/// The error without those that are none for `nvcc`.
pub(super) fn left_out(
    error: InputError,
    request: &Request<'_>,
    compiler: &dyn Compiler,
) -> InputError {
    if without(&error.output, request).dropped == 0 {
        return error;
    }
    let mut whole = error;
    if whole.output.contains(TOO_MANY) {
        let mut options = request.options.clone();
        options.clang_args.push("-ferror-limit=0".into());
        let all = compiler.compile(&Request { options: &options, ..*request });
        if let Err(all) = all {
            whole = all;
        }
    }
    let rest = without(&whole.output, request);
    if rest.errors == 0 {
        return whole;
    }
    compile_error(request, rest.text, Some(1))
}

/// Messages of clang without some of the errors.
struct Rest {
    text: String,
    /// How many errors are left, and how many are left out.
    errors: usize,
    dropped: usize,
}

/// The messages without the errors that a rule repairs.
fn without(output: &str, request: &Request<'_>) -> Rest {
    let mut rest = Rest { text: String::new(), errors: 0, dropped: 0 };
    // How a file came to be read stands before what is said of it.
    let mut includes = String::new();
    let mut is_dropped = false;
    for line in output.split_inclusive('\n') {
        if line.starts_with("In file included from ") {
            includes.push_str(line);
            continue;
        }
        if line.contains(" generated when compiling ") || line.contains(TOO_MANY) {
            // The summary of the result says how many errors there are.
            continue;
        }
        if let Some((place, message)) = error_in(line) {
            is_dropped = Rule::of(message) == Some(Rule::Register) && is_repaired(place, request);
            rest.errors += usize::from(!is_dropped);
            rest.dropped += usize::from(is_dropped);
        } else if line.contains(": warning: ") {
            is_dropped = false;
        }
        let included = std::mem::take(&mut includes);
        if !is_dropped {
            rest.text.push_str(&included);
            rest.text.push_str(line);
        }
    }
    rest
}

/// Whether the rule has a text for this place.
fn is_repaired(place: &str, request: &Request<'_>) -> bool {
    let Some((path, line, column)) = position(place) else { return false };
    let at = At { path: path.to_owned(), line, column, rule: Rule::Register };
    Texts::default().write(&[at], request) == Some(true)
}
