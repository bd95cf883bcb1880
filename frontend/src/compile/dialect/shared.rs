//! An object in shared memory whose type has a constructor, which no thread runs: as bytes of that
//! size and a reference to them, where nothing in the text tells the reference from the object.

/// Whether a text may copy what a reference of this name refers to, or ask for its type, where a
/// variable in shared memory would neither be captured nor be of another type.
pub(super) fn tells_reference(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_alone =
        |at: usize| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word);
    let lists = |list: &str| list.trim_start().starts_with('=');
    text.split('[').skip(1).any(lists)
        || text.match_indices(name).filter(|(at, _)| is_alone(*at)).any(|(at, _)| {
            let (before, after) = (text[..at].trim_end(), text[at + name.len()..].trim_start());
            let is_listed = before.ends_with(['[', ',']) && after.starts_with([']', ',']);
            let outer = before.trim_end_matches(['(', ' ']);
            is_listed && is_in_brackets(before)
                || ["decltype", "typeof", "typeof__"].iter().any(|it| outer.ends_with(it))
        })
}

/// Whether a text ends within square brackets.
fn is_in_brackets(text: &str) -> bool {
    let mut closed = 0;
    for c in text.chars().rev() {
        match c {
            ')' | ']' => closed += 1,
            '(' | '[' if closed > 0 => closed -= 1,
            '[' => return true,
            '(' | '{' | '}' | ';' => return false,
            _ => {}
        }
    }
    false
}

/// `__shared__ T name[2];` as bytes that are as large, and a reference to a `T[2]` in them.
pub(super) fn shared_object(before: &str, after: &str) -> Option<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = after.find(|c: char| !is_word(c)).filter(|end| *end > 0)?;
    let (name, rest) = after.split_at(end);
    let semicolon = rest.find(';')?;
    let (dimensions, rest) = rest.split_at(semicolon);
    let is_array = dimensions.trim().starts_with('[') && dimensions.trim().ends_with(']');
    if !(dimensions.trim().is_empty() || is_array) || dimensions.contains([',', '=', '{']) {
        return None;
    }
    let (start, ty) = before.rsplit_once("__shared__")?;
    let start = start.trim_end().strip_suffix("static").unwrap_or(start);
    if ty.trim().is_empty() || ty.contains([';', ',', '=', '*', '&']) && !ty.contains('<') {
        return None;
    }
    let (of, bytes) = (format!("heddle_{name}_type"), format!("heddle_{name}"));
    let ty = ty.trim();
    Some(format!(
        "{start}typedef {ty} {of}{dimensions}; \
         __shared__ alignas({of}) unsigned char {bytes}[sizeof({of})]; \
         {of} &{name} = reinterpret_cast<{of} &>({bytes}){rest}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variable in shared memory is not captured, and `decltype` of it is no reference.
    #[test]
    fn what_tells_a_reference_from_a_variable_keeps_it() {
        for told in [
            "auto get = [=](int i) { return s.v[i]; };",
            "auto put = [ = ]() mutable { s.v[0] = 1; };",
            "auto get = [s] { return s.v[0]; };",
            "auto get = [n, s, &t] { return s.v[0]; };",
            "auto get = [n = f(1), s] { return s.v[0]; };",
            "decltype(s) own;",
            "decltype((s)) own = s;",
            "f<__typeof__( s )>(s);",
        ] {
            assert!(tells_reference(told, "s"), "{told}");
        }
        for same in [
            "auto get = [&](int i) { return s.v[i]; };",
            "f(a, s, b); s.v[i] = a[i];",
            "int v[] = {1, 2}; is = s.v[0]; g(n[0], s, 1);",
            "decltype(s2) other; auto get = [&s] { return s; };",
        ] {
            assert!(!tells_reference(same, "s"), "{same}");
        }
    }
}
