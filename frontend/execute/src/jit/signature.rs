//! What a function to define is given and gives, in LLVM's words.
//!
//! **Does not**: know what the function does; `library` asks who knows.

use heddle_llvm::{Function, Module, Type, TypeKind};

/// A function to define: what it is given and gives, in LLVM's words.
pub(super) struct Signature {
    /// The result's type.
    pub(super) result: String,
    /// The bits of an integer result, of a float, or zero.
    pub(super) bits: u32,
    /// The parameters' types; they are `%0`, `%1` and so on.
    pub(super) params: Vec<String>,
    /// The result's bytes.
    pub(super) bytes: u64,
    /// Whether bodies call the checks.
    pub(super) checked: bool,
}

impl Signature {
    pub(super) fn of(module: &Module, function: Function<'_>, checked: bool) -> Signature {
        let result = function.return_type();
        Signature {
            result: result.text(),
            bits: bits(result),
            params: function.arguments().iter().map(|it| it.ty().text()).collect(),
            bytes: result.store_size(module).unwrap_or(0),
            checked,
        }
    }

    /// The whole function.
    pub(super) fn define(&self, name: &str, body: &str) -> String {
        let params: Vec<_> =
            self.params.iter().enumerate().map(|(n, ty)| format!("{ty} %a{n}")).collect();
        format!(
            "define {} @\"{name}\"({}) alwaysinline {{\n{body}}}\n",
            self.result,
            params.join(", ")
        )
    }

    /// The n-th parameter with its type.
    pub(super) fn arg(&self, n: usize) -> String {
        format!("{} %a{n}", self.params.get(n).map_or("i32", String::as_str))
    }

    /// Lines that give a pointer parameter as a generic pointer, and its name.
    pub(super) fn generic(&self, n: usize) -> (String, String) {
        match self.params.get(n).map(String::as_str) {
            Some("ptr") | None => (String::new(), format!("%a{n}")),
            Some(ty) => (format!("  %g{n} = addrspacecast {ty} %a{n} to ptr\n"), format!("%g{n}")),
        }
    }
}

/// Bits of an integer or a float, or zero.
pub(super) fn bits(ty: Type<'_>) -> u32 {
    match ty.kind() {
        TypeKind::Int(bits) | TypeKind::Float(bits) => bits,
        TypeKind::BFloat => 16,
        TypeKind::Void
        | TypeKind::Pointer(_)
        | TypeKind::Array(..)
        | TypeKind::Vector(..)
        | TypeKind::Struct { .. }
        | TypeKind::Function
        | TypeKind::Event
        | TypeKind::Other => 0,
    }
}
