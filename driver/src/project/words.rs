//! A command as words: a shell's quotes, response files, programs that start the compiler.
//!
//! **Does not**: expand variables or patterns. Build systems write commands that are complete.

use std::path::{Path, PathBuf};

/// Splits as a POSIX shell does; `None` if a quote is not closed.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

/// Programs that run the compiler named after them.
const LAUNCHERS: [&str; 7] = ["ccache", "sccache", "distcc", "icecc", "buildcache", "env", "time"];

/// The command of a line for the shell, and the folder it runs in: of `cd DIR && COMPILER … && …`,
/// as Make and Ninja write lines, what follows the changes of folder. Ninja's `:` does nothing.
pub(super) fn of_line(mut directory: PathBuf, words: Vec<String>) -> (PathBuf, Vec<String>) {
    for command in words.split(|word| word == "&&" || word == ";") {
        match command {
            [] => {}
            [nothing] if nothing == ":" => {}
            [cd, folder] if cd == "cd" => directory = directory.join(folder),
            command => return (directory, command.to_vec()),
        }
    }
    (directory, Vec::new())
}

/// The name of a program without its folder and without `.exe`.
pub(super) fn program_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// The command from the compiler on: launchers go, with their options and settings (`ccache`, `env
/// CC=1`, `cmake -E env CC=1`).
pub(super) fn without_launchers(words: &[String]) -> &[String] {
    let mut rest = words;
    while let [first, behind @ ..] = rest {
        if let [option, tool, behind @ ..] = behind
            && program_name(first) == "cmake"
            && option == "-E"
            && ["env", "time"].contains(&tool.as_str())
        {
            let own = |word: &&String| word.starts_with('-') || word.contains('=');
            rest = &behind[behind.iter().take_while(own).count()..];
            continue;
        }
        if behind.is_empty() || !LAUNCHERS.contains(&program_name(first)) {
            break;
        }
        let own = |word: &&String| word.starts_with('-') || word.contains('=');
        rest = &behind[behind.iter().take_while(own).count()..];
    }
    rest
}

/// Response files in response files end here: deeper is a cycle.
const DEEPEST: usize = 16;

/// The words with each `@file` replaced by the words in that file, which is in one of the folders.
///
/// # Errors
/// The file that cannot be read, in words.
pub(super) fn with_response_files(
    words: &[String],
    directory: &Path,
    folders: &[PathBuf],
) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    expand(words, (directory, folders), 0, &mut out)?;
    Ok(out)
}

fn expand(
    words: &[String],
    (directory, folders): (&Path, &[PathBuf]),
    depth: usize,
    out: &mut Vec<String>,
) -> Result<(), String> {
    for word in words {
        match word.strip_prefix('@').filter(|path| !path.is_empty()) {
            Some(_) if depth == DEEPEST => {
                return Err(format!("the response file `{word}` leads to itself"));
            }
            Some(path) => {
                let words = of_file(&directory.join(path), folders)?;
                expand(&words, (directory, folders), depth + 1, out)?;
            }
            None => out.push(word.clone()),
        }
    }
    Ok(())
}

/// The words of a response file. One that is in none of the folders is not read, links followed: a
/// command could name any file of the machine, and its words would be shown as options.
///
/// # Errors
/// The file cannot be read, in words.
pub(super) fn of_file(path: &Path, folders: &[PathBuf]) -> Result<Vec<String>, String> {
    let shown = path.display();
    let is_outside = |it: PathBuf| !folders.iter().any(|folder| it.starts_with(folder));
    if path.canonicalize().is_ok_and(is_outside) {
        return Err(format!(
            "its response file `{shown}` is neither in the project nor beside its compilation database, and is not read"
        ));
    }
    let text = heddle_diagnostics::source::read_text(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!(
                "its response file `{shown}` is not there; configure or build the project first"
            )
        }
        _ => format!("its response file `{shown}` cannot be read: {error}"),
    })?;
    split(&text).ok_or_else(|| format!("a quote is not closed in the response file `{shown}`"))
}

/// The parts of a list option: separated by commas, `\,` is a comma (nvcc's manual, "Command Option
/// Types and Notation").
pub(super) fn list(value: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let last = parts.last_mut().expect("one at least");
        match c {
            '\\' if chars.peek() == Some(&',') => last.extend(chars.next()),
            ',' => parts.push(String::new()),
            _ => last.push(c),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split(text).expect("words")
    }

    #[test]
    fn launchers_go() {
        for text in [
            "nvcc -c k.cu",
            "ccache nvcc -c k.cu",
            "/bin/env A=1 sccache.exe nvcc -c k.cu",
            "time -p nvcc -c k.cu",
            "/usr/bin/cmake -E env --unset=B A=1 -- ccache nvcc -c k.cu",
            "cmake -E time nvcc -c k.cu",
        ] {
            assert_eq!(without_launchers(&words(text)), words("nvcc -c k.cu"), "{text}");
        }
        assert_eq!(without_launchers(&words("ccache")), words("ccache"));
        assert_eq!(program_name("C:\\cuda\\bin\\nvcc.exe"), "nvcc");
    }

    #[test]
    fn lines_for_the_shell_are_their_command() {
        for (line, folder, command) in [
            ("nvcc -c k.cu", "/p", "nvcc -c k.cu"),
            ("cd sub && nvcc -c k.cu", "/p/sub", "nvcc -c k.cu"),
            ("cd /x && cd y && nvcc -c k.cu && touch k", "/x/y", "nvcc -c k.cu"),
            (": && nvcc k.o -o k && :", "/p", "nvcc k.o -o k"),
            ("cd sub", "/p/sub", ""),
        ] {
            let found = of_line("/p".into(), words(line));
            assert_eq!(found, (PathBuf::from(folder), words(command)), "{line}");
        }
    }

    #[test]
    fn lists_split_at_commas() {
        assert_eq!(list("a,b"), ["a", "b"]);
        assert_eq!(list("F(x\\,y),z"), ["F(x,y)", "z"]);
        assert_eq!(list(""), Vec::<String>::new());
    }

    #[test]
    fn response_files_are_read_from_the_commands_folder() {
        let folder = std::env::temp_dir().join(format!("heddle-words-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.rsp"), "-I\"x y\"\n@b.rsp").unwrap();
        std::fs::write(folder.join("b.rsp"), "-DB -DC").unwrap();
        std::fs::write(folder.join("loop.rsp"), "@loop.rsp").unwrap();
        let folders = [folder.canonicalize().unwrap()];
        let read = |text| with_response_files(&words(text), &folder, &folders);
        assert_eq!(read("cc @a.rsp k.cu").unwrap(), ["cc", "-Ix y", "-DB", "-DC", "k.cu"]);
        assert!(read("@none.rsp").unwrap_err().contains("none.rsp"));
        assert!(read("@loop.rsp").unwrap_err().contains("itself"));
        std::os::unix::fs::symlink("/proc/version", folder.join("link.rsp")).unwrap();
        for outside in ["@/proc/version", "@link.rsp"] {
            assert!(read(outside).unwrap_err().contains("is not read"), "{outside}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
