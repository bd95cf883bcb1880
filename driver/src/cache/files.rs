//! Whether a compilation would read the same text as last time, without compiling.
//!
//! The compiler records what it asks of the file system: the files that it opens, the names that it
//! looks up, the folders that it lists, what is there and what is not ([`Reads`]). The same
//! compilation gives the same code again if each of these questions has the same answer, so the
//! answers are kept and the questions asked again.
//!
//! **Sound because**: a compilation is a function of its arguments, its environment (both in the
//! key) and the answers of the file system. The last kind of dependence, the clock, plugins and
//! module caches, is noticed by the compiler's side ([`Reads::past`]), and nothing is kept.
//!
//! Which of the names are one file is among the answers, since `#pragma once` depends on it: hard
//! links are compared by device and number, and links by where they lead.
//!
//! **Promises**: each file is read, and each name looked up, once in a run. What is no regular file
//! is not opened.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use heddle_frontend::compile::Reads;
use serde::{Deserialize, Serialize};

/// What a compilation asked, with the answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Inputs {
    /// Files by the hash of their place and content.
    content: Vec<(PathBuf, String)>,
    /// Folders by the hash of their entries' names.
    entries: Vec<(PathBuf, String)>,
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    absent: Vec<PathBuf>,
    /// Of the files, the names that are one file.
    same: Vec<Vec<PathBuf>>,
}

impl Inputs {
    /// The names that were looked up, each with whether there was something.
    pub(crate) fn looked_up(&self) -> impl Iterator<Item = (&PathBuf, bool)> {
        let Inputs { content, entries, files, folders, absent, same: _ } = self;
        let there = content.iter().chain(entries).map(|(path, _)| path);
        let there = there.chain(files).chain(folders).map(|it| (it, true));
        there.chain(absent.iter().map(|it| (it, false)))
    }
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Absent,
    Folder,
    /// A file, or what can be opened like one.
    File,
    /// A file without content.
    Empty,
}

/// Answers of the file system in this run.
#[derive(Debug, Default)]
pub(super) struct Files {
    content: Mutex<HashMap<PathBuf, Option<String>>>,
    entries: Mutex<HashMap<PathBuf, Option<String>>>,
    kinds: Mutex<HashMap<PathBuf, Kind>>,
    numbers: Mutex<HashMap<PathBuf, Option<(u64, u64)>>>,
}

impl Files {
    /// The answers that a compilation got. `None` if one of them may have been another while it
    /// ran, which began after `opened`.
    pub(super) fn inputs(&self, reads: &Reads, opened: SystemTime) -> Option<Inputs> {
        let Reads { files, seen, folders, listed, absent, past: _ } = reads;
        if !files.iter().chain(seen).chain(listed).all(|path| is_settled(path, opened)) {
            return None;
        }
        let hashed = |paths: &[PathBuf], hash: &dyn Fn(&Path) -> Option<String>| {
            let one = |path: &PathBuf| Some((path.clone(), hash(path)?));
            paths.iter().map(one).collect::<Option<Vec<_>>>()
        };
        Some(Inputs {
            content: hashed(files, &|path| self.content(path))?,
            entries: hashed(listed, &|path| self.entries(path))?,
            files: seen.clone(),
            folders: folders.clone(),
            absent: absent.clone(),
            same: self.same(files.iter().chain(seen)),
        })
    }

    /// Whether the compilation would get the same answers.
    pub(super) fn unchanged(&self, inputs: &Inputs) -> bool {
        let Inputs { content, entries, files, folders, absent, same } = inputs;
        let are = |paths: &[PathBuf], kind| paths.iter().all(|path| self.kind(path) == kind);
        are(absent, Kind::Absent)
            && are(folders, Kind::Folder)
            && are(files, Kind::File)
            && entries.iter().all(|(path, hash)| self.entries(path).as_ref() == Some(hash))
            && content.iter().all(|(path, hash)| self.content(path).as_ref() == Some(hash))
            && self.same(content.iter().map(|(path, _)| path).chain(files)) == *same
    }

    /// The hash of a file's content, and of where its links lead; `None` if it is no regular file
    /// or cannot be read.
    fn content(&self, path: &Path) -> Option<String> {
        once(&self.content, path, || {
            // Opening a pipe waits for its other end, and a device may have no end.
            if !std::fs::metadata(path).ok()?.is_file() {
                return None;
            }
            let mut hasher = blake3::Hasher::new();
            // Which names mean one file decides what `#pragma once` leaves out.
            hasher.update(std::fs::canonicalize(path).ok()?.as_os_str().as_encoded_bytes());
            hasher.update(&[0]);
            hasher.update(&std::fs::read(path).ok()?);
            Some(hasher.finalize().to_hex().to_string())
        })
    }

    fn entries(&self, folder: &Path) -> Option<String> {
        once(&self.entries, folder, || {
            let entries = std::fs::read_dir(folder).ok()?;
            let mut names = entries.map(|it| Ok(it?.file_name())).collect::<Result<Vec<_>, _>>();
            let names = names.as_mut().map_err(|_: &mut std::io::Error| ()).ok()?;
            names.sort();
            let mut hasher = blake3::Hasher::new();
            for name in names {
                hasher.update(name.as_encoded_bytes());
                hasher.update(&[0]);
            }
            Some(hasher.finalize().to_hex().to_string())
        })
    }

    /// The names that are one file, each group in order.
    fn same<'a>(&self, names: impl Iterator<Item = &'a PathBuf>) -> Vec<Vec<PathBuf>> {
        let mut groups: BTreeMap<(u64, u64), BTreeSet<&PathBuf>> = BTreeMap::new();
        for path in names {
            let number = once(&self.numbers, path, || {
                std::fs::metadata(path).ok().map(|it| (it.dev(), it.ino()))
            });
            if let Some(number) = number {
                groups.entry(number).or_default().insert(path);
            }
        }
        let several = groups.into_values().filter(|it| it.len() > 1);
        let mut same: Vec<Vec<_>> = several.map(|it| it.into_iter().cloned().collect()).collect();
        same.sort();
        same
    }

    fn kind(&self, path: &Path) -> Kind {
        once(&self.kinds, path, || match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Kind::Folder,
            Ok(found) if found.is_file() && found.len() == 0 => Kind::Empty,
            Ok(_) => Kind::File,
            Err(_) => Kind::Absent,
        })
    }
}

/// What is known under a key, or is found out now.
fn once<V: Clone>(known: &Mutex<HashMap<PathBuf, V>>, path: &Path, find: impl Fn() -> V) -> V {
    let found = known.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
    found.unwrap_or_else(|| {
        let found = find();
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(path.to_owned()).or_insert(found).clone()
    })
}

/// Whether nothing about this changed since `opened`: else it may have been read before or after.
/// The time of a change of state counts, which no program can set back.
fn is_settled(path: &Path, opened: SystemTime) -> bool {
    let changed = |it: std::fs::Metadata| {
        let since = u64::try_from(it.ctime()).ok()?;
        let part = u32::try_from(it.ctime_nsec()).ok()?;
        Some(SystemTime::UNIX_EPOCH + Duration::new(since, part))
    };
    std::fs::metadata(path).ok().and_then(changed).is_some_and(|changed| changed < opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_counts() {
        let root = std::env::temp_dir().join(format!("heddle-files-{}", std::process::id()));
        let at = |name: &str| root.join(name);
        std::fs::create_dir_all(at("folder/in")).expect("writable");
        std::fs::write(at("read.h"), "text").expect("writable");
        std::fs::write(at("seen.h"), "any").expect("writable");
        let reads = Reads {
            files: vec![at("read.h")],
            seen: vec![at("seen.h")],
            folders: vec![at("folder")],
            listed: vec![at("folder/in")],
            absent: vec![at("folder/late.h"), at("none/late.h")],
            past: None,
        };
        let later = SystemTime::now() + Duration::from_secs(1);
        let inputs = Files::default().inputs(&reads, later).expect("all are there");
        assert_eq!(Files::default().inputs(&reads, SystemTime::UNIX_EPOCH), None, "not settled");
        let same = || Files::default().unchanged(&inputs);
        assert!(same());
        std::fs::write(at("seen.h"), "its content was not read").expect("writable");
        std::fs::write(at("other.h"), "nobody asked for it").expect("writable");
        assert!(same());
        // But for whether there is any.
        std::fs::write(at("seen.h"), "").expect("writable");
        assert!(!same());
        std::fs::write(at("seen.h"), "any other").expect("writable");
        let appears = |name: &str| {
            std::fs::create_dir_all(at(name).parent().expect("a folder")).expect("writable");
            std::fs::write(at(name), "").expect("writable");
            assert!(!same(), "{name} appeared");
            std::fs::remove_file(at(name)).expect("it is ours");
            assert!(same(), "{name} is gone");
        };
        ["folder/late.h", "none/late.h", "folder/in/more"].into_iter().for_each(appears);
        // Two names that are one file, and are two.
        std::fs::remove_file(at("seen.h")).expect("it is ours");
        std::fs::hard_link(at("read.h"), at("seen.h")).expect("writable");
        assert!(!same(), "they are one now");
        std::fs::remove_file(at("seen.h")).expect("it is ours");
        std::fs::write(at("seen.h"), "any").expect("writable");
        assert!(same());
        std::fs::write(at("read.h"), "changed").expect("writable");
        assert!(!same());
        std::fs::remove_file(at("read.h")).expect("it is ours");
        std::fs::write(at("elsewhere.h"), "text").expect("writable");
        std::os::unix::fs::symlink(at("elsewhere.h"), at("read.h")).expect("writable");
        assert!(!same(), "the same text in another place");
        std::fs::remove_dir_all(&root).expect("ours");
    }
}
