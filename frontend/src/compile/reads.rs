//! What a compilation asked of the file system: the names that it read, looked up or listed, found
//! or not.
//!
//! The same compilation gives the same IR as long as each of these questions has the same answer.
//!
//! **Does not**: ask again; `heddle_driver` does, where it keeps answers.

use std::path::{Path, PathBuf};

/// All questions of one compilation. The names are absolute, and each list is sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Files whose content was read.
    pub files: Vec<PathBuf>,
    /// Files that were looked up and not read, as `__has_include` does.
    pub seen: Vec<PathBuf>,
    /// Folders that were looked up.
    pub folders: Vec<PathBuf>,
    /// Folders whose entries were listed.
    pub listed: Vec<PathBuf>,
    /// Names under which there was nothing.
    pub absent: Vec<PathBuf>,
    /// What else the compilation depends on, in words, where these lists are not all.
    pub past: Option<String>,
}

impl Reads {
    /// Of one file, and nothing else.
    pub fn of_file(path: &Path) -> Reads {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Reads { files: vec![path], ..Reads::default() }
    }

    /// The questions of both.
    #[must_use]
    pub fn and(mut self, other: Reads) -> Reads {
        let Reads { files, seen, folders, listed, absent, past } = other;
        for (own, more) in [
            (&mut self.files, files),
            (&mut self.seen, seen),
            (&mut self.folders, folders),
            (&mut self.listed, listed),
            (&mut self.absent, absent),
        ] {
            own.extend(more);
            own.sort();
            own.dedup();
        }
        self.past = self.past.or(past);
        self
    }

    /// The names that were looked up, each with whether there was something.
    pub fn looked_up(&self) -> impl Iterator<Item = (&PathBuf, bool)> {
        let Reads { files, seen, folders, listed, absent, past: _ } = self;
        let there = [files, seen, folders, listed].into_iter().flatten();
        there.map(|it| (it, true)).chain(absent.iter().map(|it| (it, false)))
    }

    /// Adds a question about a name that is asked by content.
    pub fn ask_content(&mut self, path: PathBuf) {
        if path.is_file() { &mut self.files } else { &mut self.absent }.push(path);
    }

    /// Adds a question about a folder's entries.
    pub fn ask_entries(&mut self, path: PathBuf) {
        if path.is_dir() { &mut self.listed } else { &mut self.absent }.push(path);
    }
}
