//! The files that findings point into: their names for display, and their text when it can be had.
//!
//! A file is added by its path, or with its text when it exists nowhere on disk (standard input,
//! the built-in device header). Text is read on first use and kept. One map serves a whole run and
//! may be shared between threads.
//!
//! A **guarded** map reads only files that were admitted: what a source calls a file need not be
//! one whose text is anybody's to show.
//!
//! **Promises**: the same path gives the same [`FileId`]; display paths are relative to the base
//! folder where possible, use `/`, and depend on the paths alone. A file that cannot be read has no
//! text, which is not an error. **Does not**: order [`FileId`]s; files that several threads add get
//! their ids in the order of arrival, so sort by [`SourceMap::display_path`].

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use serde::{Deserialize, Serialize};

/// A file of one [`SourceMap`]. Without an order on purpose: see the module head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileId(pub(crate) u32);

/// The files of one run.
#[derive(Debug, Default)]
pub struct SourceMap {
    base: PathBuf,
    files: RwLock<Vec<Arc<SourceFile>>>,
    /// The files that may be read; all of them if there is no list.
    admitted: Option<RwLock<HashSet<PathBuf>>>,
    /// The files that the compiler read.
    read: RwLock<BTreeSet<PathBuf>>,
}

#[derive(Debug)]
struct SourceFile {
    path: PathBuf,
    display: Arc<str>,
    text: OnceLock<Option<Arc<str>>>,
}

impl SourceMap {
    /// An empty map that shows paths relative to `base`, an absolute folder: usually the current
    /// one.
    pub fn new(base: impl Into<PathBuf>) -> SourceMap {
        SourceMap { base: normalise(&base.into()), ..SourceMap::default() }
    }

    /// The same, where a file on disk has no text until it is admitted.
    pub fn guarded(base: impl Into<PathBuf>) -> SourceMap {
        SourceMap { admitted: Some(RwLock::default()), ..SourceMap::new(base) }
    }

    /// Lets the text of this file be read.
    pub fn admit(&self, path: impl AsRef<Path>) {
        if let Some(admitted) = &self.admitted {
            let path = normalise(&self.base.join(path));
            admitted.write().unwrap_or_else(PoisonError::into_inner).insert(path);
        }
    }

    /// Says that a file was read to make what is in the map, whether or not its text may be shown.
    pub fn was_read(&self, path: impl AsRef<Path>) {
        let path = normalise(&self.base.join(path));
        self.read.write().unwrap_or_else(PoisonError::into_inner).insert(path);
    }

    /// The files of which [`SourceMap::was_read`] was said.
    pub fn all_read(&self) -> Vec<PathBuf> {
        self.read.read().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Whether the text of a file on disk may be read.
    pub fn admits(&self, path: &Path) -> bool {
        let path = normalise(&self.base.join(path));
        self.admitted
            .as_ref()
            .is_none_or(|it| it.read().unwrap_or_else(PoisonError::into_inner).contains(&path))
    }

    /// The folder that display paths are relative to.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// The file at `path`, absolute or relative to the base folder; its text is read from disk when
    /// it is first asked for.
    pub fn add(&self, path: impl AsRef<Path>) -> FileId {
        self.insert(path.as_ref(), None)
    }

    /// A file whose text is at hand. The path may be a name in angle brackets, such as `<stdin>`.
    /// A file that was added before keeps the text it has.
    pub fn add_text(&self, path: impl AsRef<Path>, text: impl Into<Arc<str>>) -> FileId {
        self.insert(path.as_ref(), Some(text.into()))
    }

    /// The path as reports show it.
    pub fn display_path(&self, file: FileId) -> Arc<str> {
        self.file(file).display.clone()
    }

    /// The path as reports would show it from this folder, which is absolute.
    pub(crate) fn path_from(&self, folder: &Path, file: FileId) -> String {
        let path = self.file(file).path.clone();
        if is_virtual(&path) {
            display(&path)
        } else {
            display(&relative(&normalise(folder), &path))
        }
    }

    /// A path as reports show it; that of a file that need not be there.
    pub fn display_of(&self, path: &Path) -> String {
        match is_virtual(path) {
            true => display(path),
            false => display(&relative(&self.base, &normalise(&self.base.join(path)))),
        }
    }

    /// The path as it was added, made absolute by the base folder.
    pub fn path(&self, file: FileId) -> PathBuf {
        self.file(file).path.clone()
    }

    /// The text, or `None` if the file cannot be read or is not admitted. Bytes that are not UTF-8
    /// become U+FFFD.
    pub fn text(&self, file: FileId) -> Option<Arc<str>> {
        let file = self.file(file);
        if let Some(text) = file.text.get() {
            return text.clone();
        }
        let is_admitted = self.admitted.as_ref().is_none_or(|it| {
            it.read().unwrap_or_else(PoisonError::into_inner).contains(&file.path)
        });
        if !is_admitted {
            return None;
        }
        file.text
            .get_or_init(|| {
                read_source(&file.path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into())
            })
            .clone()
    }

    /// All files, in the order in which they were added: an order that may differ from run to run.
    pub fn files(&self) -> Vec<FileId> {
        let count = self.files.read().unwrap_or_else(PoisonError::into_inner).len();
        (0..count)
            .map(|index| FileId(u32::try_from(index).expect("fewer than 2^32 files")))
            .collect()
    }

    /// Whether the file is text at hand and not on disk: its path is a name in angle brackets.
    pub(crate) fn is_virtual(&self, file: FileId) -> bool {
        is_virtual(&self.file(file).path)
    }

    /// The text of a line (1-based), without its line break.
    pub fn line(&self, file: FileId, line: u32) -> Option<String> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.text(file)?.lines().nth(index).map(str::to_owned)
    }

    fn insert(&self, path: &Path, text: Option<Arc<str>>) -> FileId {
        let path =
            if is_virtual(path) { path.to_owned() } else { normalise(&self.base.join(path)) };
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        let index = files.iter().position(|file| file.path == path).unwrap_or_else(|| {
            let display = display(&relative(&self.base, &path)).into();
            files.push(Arc::new(SourceFile { path, display, text: OnceLock::new() }));
            files.len() - 1
        });
        if let Some(text) = text {
            files[index].text.get_or_init(|| Some(text));
        }
        FileId(u32::try_from(index).expect("fewer than 2^32 files"))
    }

    /// # Panics
    /// If `file` belongs to another map.
    fn file(&self, file: FileId) -> Arc<SourceFile> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        files[file.0 as usize].clone()
    }
}

/// The content of a regular file. A pipe has no end until somebody closes it, and a device may have
/// none: neither is opened. Nor is waited for files of the system that call themselves regular and
/// have more to say later (`/proc/kmsg`).
///
/// # Errors
/// It cannot be read without waiting, or is no regular file ([`ErrorKind::Unsupported`]).
pub fn read_regular(path: &Path) -> std::io::Result<Vec<u8>> {
    read_at_most(path, u64::MAX)
}

/// The content of a regular file of at most [`SOURCE_BYTES`].
///
/// # Errors
/// As [`read_regular`], or it has more ([`ErrorKind::FileTooLarge`]).
pub fn read_source(path: &Path) -> std::io::Result<Vec<u8>> {
    read_at_most(path, SOURCE_BYTES)
}

/// That a source of so many bytes is read.
///
/// # Errors
/// They are more than [`SOURCE_BYTES`] ([`ErrorKind::FileTooLarge`]).
pub fn check_size(bytes: u64) -> std::io::Result<()> {
    at_most(SOURCE_BYTES, bytes)
}

fn at_most(most: u64, bytes: u64) -> std::io::Result<()> {
    if bytes <= most {
        return Ok(());
    }
    let text = format!("it has more than {} MiB", most >> 20);
    Err(std::io::Error::new(ErrorKind::FileTooLarge, text))
}

/// The bytes of a source, in whatever language, at most. Modules of whole kernel libraries have
/// less.
pub const SOURCE_BYTES: u64 = 512 << 20;

fn read_at_most(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let no_file = || std::io::Error::new(ErrorKind::Unsupported, NO_FILE);
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(no_file());
    }
    at_most(most, found.len())?;
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(found.len()).unwrap_or(usize::MAX))?;
    // Files of the system say that they have none.
    match file.take(most.saturating_add(1)).read_to_end(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(no_file()),
        Err(error) => Err(error),
        Ok(size) => at_most(most, size as u64).map(|()| bytes),
    }
}

/// The text of a source, or of a file that is read as one.
///
/// # Errors
/// As [`read_source`], or it is not UTF-8.
pub fn read_text(path: &Path) -> std::io::Result<String> {
    let invalid = |error| std::io::Error::new(ErrorKind::InvalidData, error);
    String::from_utf8(read_source(path)?).map_err(invalid)
}

/// What is said of a pipe or a device.
pub const NO_FILE: &str = "this is a pipe or a device, not a file";

/// A name in angle brackets stands for text that is in no file.
fn is_virtual(path: &Path) -> bool {
    path.to_string_lossy().starts_with('<')
}

/// Drops `.` and resolves `..` by name alone: the disk is not asked, so that display paths depend
/// on nothing but the paths.
pub fn normalise(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            Component::ParentDir
            | Component::Normal(_)
            | Component::RootDir
            | Component::Prefix(_) => out.push(part),
        }
    }
    out
}

/// The path from the base folder: downwards, or upwards to a folder that is above it and below the
/// top of the machine. Other paths stay absolute.
fn relative(base: &Path, path: &Path) -> PathBuf {
    if let Ok(below) = path.strip_prefix(base) {
        return below.to_owned();
    }
    let common = base.ancestors().skip(1).enumerate().find(|(_, above)| path.starts_with(above));
    match common {
        // What is common to all of a machine is nothing; `/home` is common to all of its people.
        Some((steps, above)) if steps < MOST_STEPS && above.components().count() > 2 => {
            let up: PathBuf = std::iter::repeat_n("..", steps + 1).collect();
            up.join(path.strip_prefix(above).unwrap_or(path))
        }
        Some(_) | None => path.to_owned(),
    }
}

/// Folders that a shown path goes upwards at most, less one.
const MOST_STEPS: usize = 3;

/// A backslash is part of a name, but where it parts folders.
fn display(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_relative_to_the_base() {
        let map = SourceMap::new("/home/me/project");
        let shown = |path: &str| map.display_path(map.add(path)).to_string();
        assert_eq!(shown("src/./k.cu"), "src/k.cu");
        assert_eq!(shown("/home/me/project/src/k.cu"), "src/k.cu");
        assert_eq!(shown("src/../inc/k.h"), "inc/k.h");
        assert_eq!(shown("/usr/include/k.h"), "/usr/include/k.h");
        assert_eq!(shown("../other/k.cu"), "../other/k.cu");
        assert_eq!(shown("/home/me/k.cu"), "../k.cu");
        assert_eq!(shown("../../you/k.cu"), "/home/you/k.cu");
        assert_eq!(shown("a\\b.cu"), "a\\b.cu");
    }

    #[test]
    fn one_path_is_one_file() {
        let map = SourceMap::new("/p");
        assert_eq!(map.add("a.cu"), map.add("./b/../a.cu"));
        assert_ne!(map.add("a.cu"), map.add("b.cu"));
    }

    #[test]
    fn a_guarded_map_reads_what_is_admitted() {
        let map = SourceMap::guarded(env!("CARGO_MANIFEST_DIR"));
        let file = map.add("src/../Cargo.toml");
        assert_eq!((map.text(file), map.line(file, 1)), (None, None));
        assert!(map.text(map.add_text("<stdin>", "x")).is_some());
        map.admit("Cargo.toml");
        assert!(map.text(file).is_some());
    }

    #[test]
    fn text_comes_from_memory_or_disk_or_not_at_all() {
        let map = SourceMap::new(env!("CARGO_MANIFEST_DIR"));
        let stdin = map.add_text("<stdin>", "one\ntwo\n");
        assert_eq!(&*map.display_path(stdin), "<stdin>");
        assert_eq!(map.line(stdin, 2).as_deref(), Some("two"));
        assert_eq!(map.line(stdin, 0), None);
        assert_eq!(map.line(stdin, 3), None);
        assert!(
            map.text(map.add("Cargo.toml")).is_some_and(|text| text.contains("heddle-diagnostics"))
        );
        assert_eq!(map.text(map.add("no/such/file.cu")), None);
    }
}
