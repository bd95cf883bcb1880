//! Which kernels a `--kernel` pattern means, and which name was meant by one that does not exist.

/// Whether a kernel is meant: the pattern fits its symbol, its readable name, or that name up to
/// its template arguments or parameters.
pub(super) fn means(pattern: &str, symbol: &str, readable: &str) -> bool {
    let bare = readable.split(['<', '(']).next().unwrap_or(readable).trim();
    [symbol, readable, bare].into_iter().any(|name| fits(pattern, name))
}

/// `; did you mean …?` where one of the names is a slip away, else nothing.
pub(super) fn suggestion<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let apart =
        |name: &str| strsim::damerau_levenshtein(&given.to_lowercase(), &name.to_lowercase());
    let near = names.into_iter().map(|name| (apart(name), name)).min();
    match near {
        Some((apart, name)) if apart <= given.len().div_ceil(4) => {
            format!("; did you mean `{name}`?")
        }
        Some(_) | None => String::new(),
    }
}

/// `*` stands for any characters, `?` for one.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where the last star was, and how much of the name it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|c| *c == '?' || *c == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            p = at + 1;
            n = taken + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::{fits, suggestion};

    #[test]
    fn a_slip_is_told_from_another_word() {
        let names = ["races", "progress", "named-barriers"];
        for (given, wanted) in
            [("racez", "races"), ("Progres", "progress"), ("named_barriers", "named-barriers")]
        {
            assert_eq!(suggestion(given, names), format!("; did you mean `{wanted}`?"));
        }
        for given in ["x", "memory", "barriers"] {
            assert_eq!(suggestion(given, names), "", "{given}");
        }
    }

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name) in [
            ("k", "k"),
            ("*", ""),
            ("*", "k"),
            ("re*", "reduce"),
            ("*ce", "reduce"),
            ("r*c?", "reduce"),
            ("**", "k"),
            ("a*b*c", "axbxbxc"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("k", "kk"),
            ("?", ""),
            ("re", "reduce"),
            ("*x", "reduce"),
            ("r*d", "reduce"),
            ("", "k"),
        ] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
