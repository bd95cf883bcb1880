//! Where in a project a header is that clang does not find.
//!
//! The project is what its top folder holds: the nearest folder above the source with `.git` or
//! `heddle.toml`; else the outermost of a few folders above that has a build's file or a licence;
//! else the source's own folder. The header is the one file of that name in the smallest folder
//! around the source that has one. Of several with other contents it is the one that this smallest
//! folder has itself or in its own folder of headers ([`HEADERS`]), where projects keep what they
//! include; a name with `..` is looked up from the folders around the source, the nearest first.
//!
//! **Does not**: follow links, enter hidden folders, walk more than [`ENTRIES`] entries.

use std::path::{Component, Path, PathBuf};

/// How many entries of folders are looked at.
const ENTRIES: usize = 100_000;

/// What marks the top folder of a project.
const TOPS: [&str; 2] = [".git", "heddle.toml"];

/// How names of files begin that stand in the top folder of a project, which may have come without
/// its history.
const BUILDS: [&str; 9] = [
    "CMakeLists",
    "Makefile",
    "makefile",
    "configure",
    "setup.py",
    "pyproject",
    "meson.build",
    "LICENSE",
    "COPYING",
];

/// How folders are called that hold the headers of the folder that they are in.
const HEADERS: [&str; 4] = ["include", "includes", "inc", "headers"];

/// How far above the source such a folder may be.
const ABOVE: usize = 6;

/// The name that clang's first error says is not there.
pub(super) fn missing(output: &str) -> Option<&str> {
    let error = output.lines().find_map(|line| line.split_once(" error: ").map(|it| it.1))?;
    let mut ends =
        ["' file not found", "' file not found with <angled> include; use \"quotes\" instead"]
            .into_iter();
    let error = error.strip_prefix('\'')?;
    let name = ends.find_map(|end| error.strip_suffix(end))?;
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    (!name.is_empty() && Path::new(name).components().all(plain)).then_some(name)
}

/// Where a header is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// In this folder.
    One(PathBuf),
    /// In each of these, with other contents, and none is the obvious.
    Several(Vec<PathBuf>),
    /// Nowhere.
    None,
}

/// The files of a project.
pub(super) struct Files {
    /// The folders around the source, from its own to the top.
    around: Vec<PathBuf>,
    /// All files, as the walk met them.
    paths: Vec<PathBuf>,
}

impl Files {
    /// Those of the source's project; none where the source is a link.
    pub(super) fn around(source: &Path) -> Files {
        // A build that gives its files by links gives all that it declares: no other is looked
        // for.
        let is_file = source.symlink_metadata().is_ok_and(|it| it.is_file());
        let folder = is_file.then(|| source.canonicalize().ok()).flatten();
        let folder = folder.and_then(|it| it.parent().map(Path::to_owned));
        let Some(folder) = folder else { return Files { around: Vec::new(), paths: Vec::new() } };
        let top = top(&folder);
        let around = folder.ancestors().take_while(|it| it.starts_with(&top));
        Files { around: around.map(Path::to_owned).collect(), paths: walk(&top) }
    }

    /// All files of the project, as the walk met them.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The folder in which the header has this name, if one is the obvious.
    pub(super) fn folder_of(&self, name: &str) -> Found {
        if Path::new(name).components().any(|part| part == Component::ParentDir) {
            // Such a name says where the header is from a folder that the build names.
            let has = |folder: &&PathBuf| self.is_within(&folder.join(name));
            return self.around.iter().find(has).cloned().map_or(Found::None, Found::One);
        }
        let all: Vec<_> = self.paths.iter().filter(|it| it.ends_with(name)).collect();
        let within = |folder: &PathBuf| -> Vec<&PathBuf> {
            all.iter().filter(|it| it.starts_with(folder)).copied().collect()
        };
        let nearest = self.around.iter().map(|it| (it, within(it)));
        let Some((around, found)) = nearest.into_iter().find(|(_, it)| !it.is_empty()) else {
            return Found::None;
        };
        let depth = Path::new(name).components().count();
        let folder = |path: &Path| path.ancestors().nth(depth).unwrap_or(path).to_owned();
        let is_obvious = |path: &&PathBuf| {
            let folder = folder(path);
            let is_own =
                folder.parent() == Some(around) && HEADERS.iter().any(|it| folder.ends_with(it));
            folder == *around || is_own
        };
        let obvious: Vec<_> = found.iter().copied().filter(is_obvious).collect();
        match one_text(&found).or_else(|| one_text(&obvious)) {
            Some(nearest) => Found::One(folder(nearest)),
            None => Found::Several(found.iter().map(|it| folder(it)).collect()),
        }
    }
}

/// The nearest of files with one text, if that is what they are.
fn one_text<'a>(files: &[&'a PathBuf]) -> Option<&'a PathBuf> {
    let nearest = files.iter().min_by_key(|it| (it.components().count(), (**it).clone()))?;
    if files.len() > 1 {
        let text = |path: &Path| heddle_diagnostics::source::read_regular(path).ok();
        let first = text(nearest)?;
        if files.iter().any(|it| text(it).as_ref() != Some(&first)) {
            return None;
        }
    }
    Some(nearest)
}

impl Files {
    /// Whether a path, whose dots lead upwards, is that of a file of the project.
    fn is_within(&self, path: &Path) -> bool {
        let mut plain = PathBuf::new();
        for part in path.components() {
            if part != Component::ParentDir {
                plain.push(part);
            } else if !plain.pop() {
                return false;
            }
        }
        self.paths.contains(&plain)
    }
}

fn top(folder: &Path) -> PathBuf {
    let above = || folder.ancestors().filter(|it| it.parent().is_some());
    let marked = above().find(|it| TOPS.iter().any(|mark| it.join(mark).exists()));
    let built = || above().take(ABOVE).filter(|it| is_built(it)).last();
    marked.or_else(built).unwrap_or(folder).to_owned()
}

fn is_built(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().take(ENTRIES).any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        BUILDS.iter().any(|start| name.starts_with(start))
    })
}

fn walk(top: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = std::collections::VecDeque::from([top.to_owned()]);
    let mut left = ENTRIES;
    while let Some(folder) = folders.pop_front() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut entries: Vec<_> = entries.flatten().take(left).collect();
        left -= entries.len();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => folders.push_back(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                Ok(_) | Err(_) => {}
            }
        }
    }
    files
}

/// A folder as the reader may write it: from the current one if it is in it.
pub(super) fn shown(folder: &Path) -> String {
    let here = std::env::current_dir().ok().and_then(|it| it.canonicalize().ok());
    let near = here.as_ref().and_then(|here| folder.strip_prefix(here).ok());
    match near {
        Some(near) if near.as_os_str().is_empty() => ".".to_owned(),
        Some(near) => near.display().to_string(),
        None => folder.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_missing_name_is_that_of_the_first_error() {
        let output = "a/k.cu:1:10: fatal error: 'x/y.h' file not found\n 1 | #include \"x/y.h\"\n";
        assert_eq!(missing(output), Some("x/y.h"));
        let angled = "k.cl:1:1: error: 'y.h' file not found with <angled> include; use \"quotes\" \
                      instead\n";
        assert_eq!(missing(angled), Some("y.h"));
        assert_eq!(missing("k.cu:1:1: error: '../y.h' file not found\n"), Some("../y.h"));
        assert_eq!(missing("k.cu:1:1: error: '/y.h' file not found\n"), None);
        assert_eq!(missing("k.cu:1:1: error: unknown type name 'x'\n"), None);
    }

    #[test]
    fn the_nearest_file_is_taken_and_no_choice_is_made() {
        let at = |names: &[&str]| Files {
            around: ["/p/a/src", "/p/a", "/p"].map(PathBuf::from).to_vec(),
            paths: names.iter().map(PathBuf::from).collect(),
        };
        let found = |folder: &str| Found::One(folder.into());
        let one = at(&["/p/a/inc/x/y.h", "/p/b/x/y.h", "/p/a/xx/y.h"]);
        assert_eq!(one.folder_of("x/y.h"), found("/p/a/inc"));
        // Two of other contents, or of none.
        let two = ["/p/a/inc/x", "/p/a/xx"].map(PathBuf::from).to_vec();
        assert_eq!(one.folder_of("y.h"), Found::Several(two));
        assert_eq!(one.folder_of("z.h"), Found::None);
        assert_eq!(one.folder_of("../b/x/y.h"), found("/p/a"));
        assert_eq!(one.folder_of("../../../p/b/x/y.h"), found("/p/a/src"));
        assert_eq!(one.folder_of("../y.h"), Found::None);
        // The project's own folder of headers is the obvious one.
        let own = at(&["/p/b/include/x/y.h", "/p/include/x/y.h", "/p/old/include/x/y.h"]);
        assert_eq!(own.folder_of("x/y.h"), found("/p/include"));
    }
}
