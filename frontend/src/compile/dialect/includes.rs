//! Includes whose name differs from that of the file in case, or has backslashes, as they are
//! written where the file system knows no difference.
//!
//! **Sound because** a name is replaced by that of the one file that the folders of the build hold
//! under it, whatever its case; where there are several, or the exact one, nothing is replaced.
//!
//! **Does not**: look into folders that no option names, other than that of the including file.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::super::{CompileOptions, Request, headers};

/// Whether a message of clang says that a file is not there.
pub(super) fn is_missing(message: &str) -> bool {
    message.starts_with('\'') && message.ends_with("' file not found")
}

/// The line of an include in the file at `path`, with the name of the file that is meant.
pub(super) fn as_named(line: &str, path: &str, request: &Request<'_>) -> Option<String> {
    let (start, name, end) = name_in(line)?;
    let wanted = name.replace('\\', "/");
    let own = absolute(path, request.options)?;
    let named = folders(request).filter_map(|it| absolute(it.to_str()?, request.options));
    let folders = own.parent().map(Path::to_owned).into_iter().chain(named);
    let found = folders.filter_map(|folder| in_folder(&folder, &wanted)).next();
    let found = found.or_else(|| built_in(&wanted))?;
    (found != name).then(|| format!("{start}{found}{end}"))
}

/// What stands before the name of an include, the name, and what stands after it.
fn name_in(line: &str) -> Option<(&str, &str, &str)> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = directive.strip_prefix("include")?.trim_start();
    let close = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    let at = line.len() - rest.len() + 1;
    let end = at + line.get(at..)?.find(close)?;
    Some((line.get(..at)?, line.get(at..end)?, line.get(end..)?))
}

/// The folders of headers that options name.
fn folders<'a>(request: &Request<'a>) -> impl Iterator<Item = PathBuf> + use<'a> {
    const NAMES: [&str; 4] = ["-isystem", "-iquote", "-idirafter", "-I"];
    let mut words = request.options.clang_args.iter().filter_map(|it| it.to_str());
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            let Some(rest) = NAMES.iter().find_map(|name| word.strip_prefix(name)) else {
                continue;
            };
            return if rest.is_empty() { words.next() } else { Some(rest) }.map(PathBuf::from);
        }
    })
}

/// The name of the one file below the folder that differs in case alone.
fn in_folder(folder: &Path, wanted: &str) -> Option<String> {
    let mut at = folder.to_owned();
    let mut parts = Vec::new();
    for part in wanted.split('/') {
        let name = match part {
            "" => return None,
            "." | ".." => part.to_owned(),
            part if at.join(part).exists() => part.to_owned(),
            part => {
                let entries = std::fs::read_dir(&at).ok()?;
                let names = entries.flatten().filter_map(|it| it.file_name().into_string().ok());
                let mut alike = names.filter(|it| it.eq_ignore_ascii_case(part));
                alike.next().filter(|_| alike.next().is_none())?
            }
        };
        at.push(OsStr::new(&name));
        parts.push(name);
    }
    at.is_file().then(|| parts.join("/"))
}

/// The name of a built-in header that differs in case alone.
fn built_in(wanted: &str) -> Option<String> {
    let mut names = headers::ALL.iter().map(|(name, _)| *name);
    names.find(|it| it.eq_ignore_ascii_case(wanted)).map(str::to_owned)
}

/// A path of a message, from the root and without dots.
pub(super) fn absolute(path: &str, options: &CompileOptions) -> Option<PathBuf> {
    let base = match &options.directory {
        Some(directory) => directory.clone(),
        None => std::env::current_dir().ok()?,
    };
    let mut plain = PathBuf::new();
    for part in base.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_include_is_found_with_its_quotes() {
        let line = "  # include <A\\b.h> // x";
        assert_eq!(name_in(line), Some(("  # include <", "A\\b.h", "> // x")));
        assert_eq!(name_in("#include HEADER"), None);
        assert_eq!(name_in("#define A \"b.h\""), None);
    }

    #[test]
    fn built_in_headers_are_known_whatever_their_case() {
        let name = built_in("DEVICE_LAUNCH_PARAMETERS.H");
        assert_eq!(name.as_deref(), Some("device_launch_parameters.h"));
        assert_eq!(built_in("no_such_header.h"), None);
    }
}
