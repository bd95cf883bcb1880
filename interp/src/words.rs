//! Operations and functions in the words of messages: what a line of the source does.
//!
//! **Promises**: no text of the IR gets into a message; where the source's line is known, the words
//! name it.
//! **Does not**: tell apart operations of one kind in one line.

use heddle_ir::{Access, AccessKind, Ending, Kernel, LoopId, OpId, OpKind, OriginId};

/// What an operation is, and its line.
pub(crate) fn of_op(kernel: &Kernel, op: OpId) -> String {
    let named =
        |what: &str, access: &Access| format!("{what} `{}`", kernel[access.address.object].name);
    let what = match &kernel[op].kind {
        OpKind::Access(access) => match access.kind {
            AccessKind::Load => named("the load of", access),
            AccessKind::Store(_) => named("the store to", access),
            AccessKind::Atomic(..) => named("the atomic on", access),
        },
        OpKind::Barrier(_) => "the barrier".to_owned(),
        OpKind::Fence { .. } => "the fence".to_owned(),
        OpKind::AsyncCopy(_) => "the asynchronous copy".to_owned(),
        OpKind::AsyncCommit(_) => "the commit of asynchronous copies".to_owned(),
        OpKind::AsyncWait { .. } | OpKind::EventWait(_) => {
            "the wait for asynchronous copies".to_owned()
        }
        OpKind::CrossLane(_) => "the exchange among lanes".to_owned(),
        OpKind::Assume(_) => "the assumption".to_owned(),
        OpKind::Assert { .. } => "the assertion".to_owned(),
        OpKind::Claim(_) => "the contract".to_owned(),
        OpKind::Exit(Ending::Return) => "the return".to_owned(),
        OpKind::Exit(Ending::Trap) => "the trap".to_owned(),
        OpKind::Registers(_) => "the move of registers".to_owned(),
        OpKind::Opaque(opaque) => heddle_ir::in_quotes(&opaque.name),
    };
    at_line(kernel, kernel[op].origin, what)
}

/// A loop, by its line.
pub(crate) fn of_loop(kernel: &Kernel, of: LoopId) -> String {
    at_line(kernel, kernel[of].origin, "the loop".to_owned())
}

/// With the line of the source that has it.
fn at_line(kernel: &Kernel, origin: OriginId, what: String) -> String {
    match kernel.origins.get(origin).and_then(|it| it.span) {
        Some(span) => format!("{what} at line {}", span.line),
        None => what,
    }
}

/// What a function of values computes; one that the source names by its name.
pub(crate) fn of_function(name: &str) -> String {
    let kind = match name {
        "fadd" => "sum",
        "fsub" => "difference",
        "fmul" => "product",
        "fdiv" => "quotient",
        "frem" => "remainder",
        _ if name.starts_with("fcmp.") => "comparison",
        "sitofp" | "uitofp" | "fptosi" | "fptoui" | "fpext" | "fptrunc" => "conversion",
        "fneg" => "negation",
        _ if name.contains("heddle_near") => "rounding",
        // Functions of the device's library have the name of the source after this.
        _ => return heddle_ir::in_quotes(name.strip_prefix("__nv_").unwrap_or(name)),
    };
    format!("a floating-point {kind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_said_as_the_source_has_them() {
        assert_eq!(of_function("fadd"), "a floating-point sum");
        assert_eq!(of_function("fcmp.olt"), "a floating-point comparison");
        assert_eq!(of_function("__nv_sinf"), "`sinf`");
        assert_eq!(of_function("__nv_heddle_nearf"), "a floating-point rounding");
    }
}
