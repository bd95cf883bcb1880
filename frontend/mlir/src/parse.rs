//! From text or bytecode to a module of MLIR, and what MLIR says on the way.

use std::cell::RefCell;
use std::rc::Rc;

use melior::Context;
use melior::diagnostic::DiagnosticSeverity;
use melior::ir::Module;
use mlir_sys::{MlirStringRef, mlirModuleCreateParse};

use crate::Wrong;
use crate::location::first_in;

/// The errors that MLIR reported, in order.
#[derive(Clone, Default)]
pub(crate) struct Heard(Rc<RefCell<Vec<Wrong>>>);

impl Heard {
    /// The first error; the others mostly follow from it.
    pub(crate) fn first(&self) -> Option<Wrong> {
        self.0.borrow().first().cloned()
    }

    /// The first error, or these words where MLIR had none.
    pub(crate) fn or(&self, message: &str) -> Wrong {
        self.first().unwrap_or_else(|| Wrong::nowhere(message))
    }
}

/// What one conversion says of types that a later one knows.
const OTHER_SPACE: &str = "Consider adding memory space conversions";

/// Collects the errors of this context.
pub(crate) fn listen(context: &Context) -> Heard {
    let heard = Heard::default();
    let errors = heard.clone();
    context.attach_diagnostic_handler(move |it| {
        let is_left_to_another = it.to_string().contains(OTHER_SPACE);
        if matches!(it.severity(), DiagnosticSeverity::Error) && !is_left_to_another {
            let (line, column) = first_in(it.location()).unwrap_or_default();
            let message = reworded(it.to_string());
            errors.0.borrow_mut().push(Wrong { line, column, message });
        }
        true
    });
    heard
}

/// MLIR's words for what a reader of the kernel knows by other names.
fn reworded(message: String) -> String {
    let operation = message.strip_prefix("failed to legalize operation '");
    match operation.and_then(|it| it.split_once('\'')) {
        Some((operation, _)) => not_lowered(operation),
        None => message.trim().to_owned(),
    }
}

/// That an operation is left over.
pub(crate) fn not_lowered(operation: &str) -> String {
    format!("MLIR does not lower `{operation}` to LLVM IR for NVIDIA GPUs; lower it before")
}

/// Parses a file: one operation or several, with locations in
/// [`INPUT`](crate::location::INPUT).
pub(crate) fn parse<'c>(
    context: &'c Context,
    bytes: &[u8],
    heard: &Heard,
) -> Result<Module<'c>, Wrong> {
    let is_bytecode = bytes.starts_with(b"ML\xefR");
    if !is_bytecode && bytes.contains(&0) {
        return Err(Wrong { line: 1, column: 1, message: "this is no text".to_owned() });
    }
    // The parser wants a zero byte behind the text.
    let mut terminated = bytes.to_vec();
    terminated.push(0);
    let source = MlirStringRef { data: terminated.as_ptr().cast(), length: bytes.len() };
    // SAFETY: the text outlives the call, which copies what it keeps.
    let module =
        unsafe { Module::from_option_raw(mlirModuleCreateParse(context.to_raw(), source)) };
    module.ok_or_else(|| heard.or("this is not MLIR"))
}
