//! Symbols as the source names them: the one place that reads the mangling of the Itanium C++ ABI.
//!
//! **Promises**: a symbol that is not mangled, or not understood, is its own name. **Does not**:
//! read the types of parameters as values; those of OpenCL's built-ins are in
//! [`mangled`](crate::mangled).

use cpp_demangle::{DemangleOptions, Symbol};

/// The source name of a mangled one; any other name unchanged. A name of one letter is no type,
/// though the grammar of mangled names would read `a` as `signed char`.
pub fn demangled(name: &str) -> String {
    if !name.starts_with("_Z") {
        return name.to_owned();
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let symbol = Symbol::new(of_one_file(name)).ok();
    symbol.and_then(|it| it.demangle_with_options(&options).ok()).unwrap_or_else(|| name.to_owned())
}

/// A mangled name with its return type, template arguments and parameters.
pub fn signature(symbol: &str) -> Option<String> {
    Symbol::new(symbol).ok()?.demangle().ok()
}

/// The name of a function that is in no namespace, and what comes after it: `max` and `Dv4_iS_` of
/// `_Z3maxDv4_iS_`.
pub fn name_and_rest(symbol: &str) -> Option<(&str, &str)> {
    source_name(symbol.strip_prefix("_Z")?)
}

/// `3max…` as `max` and the rest.
pub(crate) fn source_name(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let length = text[..digits].parse().ok()?;
    text[digits..].split_at_checked(length)
}

/// A kernel's name without what clang adds for code of several files to that of a kernel of one
/// file: `_ZL1kPi__intern__7c39e242`.
pub fn of_one_file(symbol: &str) -> &str {
    let (name, unit) = symbol.rsplit_once("__").unwrap_or((symbol, ""));
    let is_unit = !unit.is_empty() && unit.bytes().all(|it| it.is_ascii_hexdigit());
    let own = name.strip_suffix("__intern").or_else(|| name.strip_suffix("__static"));
    own.filter(|it| is_unit && it.starts_with("_Z")).unwrap_or(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_have_the_names_of_the_source() {
        for (symbol, name) in [
            ("_Z6reduceIfEvPT_", "reduce<float>"),
            ("_ZL1kPi__intern__7c39e242", "k"),
            ("_ZN5outer5innerEi", "outer::inner"),
            ("a", "a"),
            ("_Zx", "_Zx"),
        ] {
            assert_eq!(demangled(symbol), name);
        }
        assert_eq!(signature("_Z1fi").as_deref(), Some("f(int)"));
        assert_eq!(name_and_rest("_Z3maxDv4_iS_"), Some(("max", "Dv4_iS_")));
        for none in ["max", "_Z99x", "_ZN1a1bEv", "_Z3"] {
            assert_eq!(name_and_rest(none), None, "{none}");
        }
    }
}
