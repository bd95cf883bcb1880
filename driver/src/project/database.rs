//! Reads a compilation database: `compile_commands.json`, as CMake, Ninja (`-t compdb`), Bear and
//! Bazel's extractors write it (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).
//!
//! **Promises**: an error names the file, the line and the way out; paths come out absolute, as the
//! command's folder makes them. **Does not**: understand a command; [`super::command`] does.

use std::path::{Path, PathBuf};

use heddle_diagnostics::{Code, Finding};
use serde::Deserialize;

use super::words;

/// What the file is called where a folder is given.
const NAME: &str = "compile_commands.json";

/// One command of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The folder the command runs in.
    pub(super) directory: PathBuf,
    /// The file that it compiles, absolute.
    pub(super) file: PathBuf,
    /// The command, word by word, the compiler first.
    pub(super) words: Vec<String>,
}

#[derive(Deserialize)]
struct Record {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The file that `-p` means: itself, or the one in this folder.
pub(super) fn locate(given: &Path) -> PathBuf {
    if given.is_dir() { given.join(NAME) } else { given.to_owned() }
}

/// All commands, in the order of the file; what is wrong with one of them stands in its place.
///
/// # Errors
/// The finding that says what is wrong with the file.
pub(super) fn read(path: &Path) -> Result<Vec<Result<Entry, Box<Finding>>>, Box<Finding>> {
    let shown = path.display();
    let text = heddle_diagnostics::source::read_text(path).map_err(|error| {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("{shown}: there is no such compilation database")
            }
            _ => format!("{shown}: the compilation database cannot be read: {error}"),
        };
        Box::new(Finding::new(Code::BadInput, message).help(
            "let the build write one: `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `ninja -t compdb > compile_commands.json` \
             or `bear -- make`",
        ))
    })?;
    let records: Vec<Record> = serde_json::from_str(&text).map_err(|error| {
        // serde_json ends its message with the position, which stands in front here.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        refused(format!(
            "{shown}:{}:{}: not a compilation database: {what}",
            error.line(),
            error.column()
        ))
    })?;
    let folder = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = folder.parent().map(Path::to_owned).unwrap_or_default();
    let entries = records.into_iter().enumerate().map(|(index, record)| {
        entry(&folder, record)
            .map_err(|why| refused(format!("{shown}: command {}: {why}", index + 1)))
    });
    Ok(entries.collect())
}

fn refused(message: String) -> Box<Finding> {
    Box::new(Finding::new(Code::BadInput, message).help(
        "the file is a JSON list of objects with `directory`, `file`, and `command` or `arguments`; let the build write it again",
    ))
}

fn entry(folder: &Path, record: Record) -> Result<Entry, String> {
    let Record { directory, file, command, arguments } = record;
    let directory = folder.join(directory);
    let file = directory.join(file);
    let (directory, words) = match (arguments, command) {
        (Some(arguments), _) => (directory, arguments),
        (None, Some(command)) => words::split(&command)
            .map(|words| words::of_line(directory, words))
            .ok_or_else(|| format!("a quote is not closed in `{command}`"))?,
        (None, None) => return Err("there is neither `command` nor `arguments`".to_owned()),
    };
    if words.is_empty() {
        return Err("the command is empty".to_owned());
    }
    Ok(Entry { directory, file, words })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(command: Option<&str>, arguments: Option<&[&str]>) -> Record {
        Record {
            directory: "sub".into(),
            file: "../k.cu".into(),
            command: command.map(str::to_owned),
            arguments: arguments.map(|it| it.iter().map(|&word| word.to_owned()).collect()),
        }
    }

    #[test]
    fn commands_come_as_text_or_as_words() {
        let folder = Path::new("/p/build");
        let text = entry(folder, record(Some(r#"cc -DA="b c" 'k 1.cu' -DQ=\"x\""#), None)).unwrap();
        assert_eq!(text.words, ["cc", "-DA=b c", "k 1.cu", "-DQ=\"x\""]);
        assert_eq!(text.directory, Path::new("/p/build/sub"));
        assert_eq!(text.file, Path::new("/p/build/sub/../k.cu"));
        let words = entry(folder, record(None, Some(&["cc", "-DA=b c"]))).unwrap();
        assert_eq!(words.words, ["cc", "-DA=b c"]);
        let line = entry(folder, record(Some("cd ../x && nvcc k.cu"), None)).unwrap();
        assert_eq!(line.words, ["nvcc", "k.cu"]);
        assert_eq!(line.directory, Path::new("/p/build/sub/../x"));
        assert_eq!(line.file, Path::new("/p/build/sub/../k.cu"));
        for (command, arguments, part) in
            [(None, None, "neither"), (Some("cc 'k"), None, "quote"), (Some(" "), None, "empty")]
        {
            let why = entry(folder, record(command, arguments)).unwrap_err();
            assert!(why.contains(part), "{why}");
        }
    }
}
