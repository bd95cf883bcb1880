//! Names of functions, by their symbols.
//!
//! **Does not**: look into namespaces or at what a function takes.

/// The name of a function of the runtime: that of a template of that name, too. An overload that is
/// no template is a function of the program's own.
pub(super) fn plain(symbol: &str) -> &str {
    match mangled(symbol) {
        Some((name, arguments)) if arguments.starts_with('I') => name,
        Some(_) | None => symbol,
    }
}

/// The name of a function that is in no namespace, whatever it takes.
pub(super) fn name_of(symbol: &str) -> &str {
    mangled(symbol).map_or(symbol, |(name, _)| name)
}

/// The name of a symbol, and what comes after it.
fn mangled(symbol: &str) -> Option<(&str, &str)> {
    let name = symbol.strip_prefix("_Z")?;
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let length = name[..name.len() - rest.len()].parse().ok()?;
    rest.split_at_checked(length)
}
