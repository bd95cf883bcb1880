//! Which kernels a `--kernel` pattern means.

/// Whether a kernel is meant: the pattern fits its symbol, its readable name, or that name up to its template arguments
/// or parameters.
pub(super) fn means(pattern: &str, symbol: &str, readable: &str) -> bool {
    let bare = readable.split(['<', '(']).next().unwrap_or(readable).trim();
    [symbol, readable, bare].into_iter().any(|name| fits(pattern, name))
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
    use super::fits;

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
