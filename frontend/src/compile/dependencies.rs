//! The list of files that clang read, as its driver writes it for `make` (`-MD`).
//!
//! **Does not**: read rules of other tools; clang writes one target, and escapes spaces, `#` and
//! `$`.

use std::path::{Path, PathBuf};

/// The files after the colon, in clang's order, made absolute by `directory`; without those in
/// `except`.
pub(super) fn read(text: &str, directory: &Path, except: &Path) -> Vec<PathBuf> {
    let files = text.split_once(": ").map_or("", |(_, files)| files);
    let mut names = vec![String::new()];
    let mut chars = files.chars().peekable();
    while let Some(c) = chars.next() {
        let last = names.last_mut().expect("one at least");
        match (c, chars.peek()) {
            ('\\', Some('\n')) => names.push(String::new()),
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => last.extend(chars.next()),
            (' ' | '\n', _) => names.push(String::new()),
            _ => last.push(c),
        }
    }
    let names = names.iter().filter(|name| !name.is_empty());
    names.map(|name| directory.join(name)).filter(|path| !path.starts_with(except)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_clang_writes_them() {
        let text = "k.o: /p/k.cu inc/a\\ b.h \\\n  ../x$$y.h \\\n  /tmp/built-in/c.h\n";
        let files = read(text, Path::new("/p"), Path::new("/tmp/built-in"));
        let wanted = ["/p/k.cu", "/p/inc/a b.h", "/p/../x$y.h"].map(PathBuf::from);
        assert_eq!(files, wanted);
        assert!(read("", Path::new("/p"), Path::new("/q")).is_empty());
    }
}
