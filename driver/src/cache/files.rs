//! Whether a compilation would read the same text as last time, without compiling.
//!
//! The compiler lists the files that it read. The same compilation reads the same text again if
//! each of them has its content still, and if no include would now find another file: one that was
//! not there, in a folder that is searched before. So a fingerprint of the search is kept beside
//! the hashes: which of the names that were included exist in which of the folders that are
//! searched.
//!
//! **Misses**: what only `__has_include` asks for and is not there, when it comes to be there; new
//! files in the system's own include folders in front of others there; the time of day
//! (`__TIME__`).
//!
//! **Promises**: each file is read, and each folder listed, once in a run.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use heddle_frontend::CompileOptions;
use serde::{Deserialize, Serialize};

/// What a compilation read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// Each file with the hash of its content, sorted.
    files: Vec<(PathBuf, String)>,
    /// The fingerprint of the search.
    search: String,
}

/// Hashes and listings of this run.
#[derive(Debug, Default)]
pub(super) struct Files {
    hashes: Mutex<HashMap<PathBuf, Option<String>>>,
    listings: Mutex<HashMap<PathBuf, Arc<HashSet<OsString>>>>,
}

impl Files {
    /// The inputs of a compilation that read `files`; `None` if one of them is gone already.
    pub(super) fn inputs(&self, files: &[PathBuf], options: &CompileOptions) -> Option<Inputs> {
        let files: BTreeSet<_> = files.iter().cloned().collect();
        let hashed = files.into_iter().map(|path| Some((path.clone(), self.hash(&path)?)));
        let files = hashed.collect::<Option<Vec<_>>>()?;
        let search = self.search(&files, options);
        Some(Inputs { files, search })
    }

    /// Whether the compilation would read the same.
    pub(super) fn unchanged(&self, inputs: &Inputs, options: &CompileOptions) -> bool {
        let Inputs { files, search } = inputs;
        files.iter().all(|(path, hash)| self.hash(path).as_ref() == Some(hash))
            && self.search(files, options) == *search
    }

    /// The hash of a file's content; `None` if it cannot be read.
    pub(super) fn hash(&self, path: &Path) -> Option<String> {
        let known = self.hashes.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        known.unwrap_or_else(|| {
            let bytes = std::fs::read(path).ok();
            let hash = bytes.map(|bytes| blake3::hash(&bytes).to_hex().to_string());
            let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
            hashes.entry(path.to_owned()).or_insert(hash).clone()
        })
    }

    fn search(&self, files: &[(PathBuf, String)], options: &CompileOptions) -> String {
        let searched = searched(files, options);
        let mut names: BTreeSet<&Path> = BTreeSet::new();
        for (file, _) in files {
            names.extend(file.file_name().map(Path::new));
            // Under a folder that is not searched, the ancestors could be names as well:
            // `bits/move.h`.
            names.extend(searched.iter().filter_map(|folder| file.strip_prefix(folder).ok()));
            names.extend(tails(file));
        }
        let mut hasher = blake3::Hasher::new();
        for folder in &searched {
            for name in &names {
                let (Some(parent), Some(last)) = (name.parent(), name.file_name()) else {
                    continue;
                };
                if self.has(&folder.join(parent), last) {
                    hasher.update(folder.as_os_str().as_encoded_bytes());
                    hasher.update(&[0]);
                    hasher.update(name.as_os_str().as_encoded_bytes());
                    hasher.update(&[0]);
                }
            }
        }
        hasher.finalize().to_hex().to_string()
    }

    fn has(&self, folder: &Path, name: &OsStr) -> bool {
        let known =
            self.listings.lock().unwrap_or_else(PoisonError::into_inner).get(folder).cloned();
        let listing = known.unwrap_or_else(|| {
            let names = std::fs::read_dir(folder).into_iter().flatten();
            let names = Arc::new(names.filter_map(|it| Some(it.ok()?.file_name())).collect());
            let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
            listings.entry(folder.to_owned()).or_insert(names).clone()
        });
        listing.contains(name)
    }
}

/// The folders of the project in which an include is looked for: those that the arguments name, and
/// those of the files that include others, the system's left out.
fn searched(files: &[(PathBuf, String)], options: &CompileOptions) -> BTreeSet<PathBuf> {
    let here = options.directory.clone().unwrap_or_default();
    let mut folders = BTreeSet::new();
    let mut arguments = options.clang_args.iter().filter_map(|it| it.to_str());
    while let Some(argument) = arguments.next() {
        let names = ["-isystem", "-iquote", "-idirafter", "-I"];
        if let Some(name) = names.into_iter().find(|name| argument.starts_with(name)) {
            let joined = &argument[name.len()..];
            let folder = if joined.is_empty() { arguments.next() } else { Some(joined) };
            folders.extend(folder.map(|folder| here.join(folder)));
        }
    }
    let of_system = |folder: &&Path| folder.starts_with("/usr");
    let parents = files.iter().filter_map(|(file, _)| file.parent());
    folders.extend(parents.filter(|it| !of_system(it)).map(Path::to_owned));
    folders
}

/// Names of two and three parts by which an include may have meant the file: `bits/move.h`.
fn tails(file: &Path) -> impl Iterator<Item = &Path> {
    let up = |count: usize| file.ancestors().nth(count).and_then(|it| file.strip_prefix(it).ok());
    [up(2), up(3)].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_and_a_file_in_front_are_noticed() {
        let root = std::env::temp_dir().join(format!("heddle-files-{}", std::process::id()));
        let file = |name: &str, text: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            std::fs::write(&path, text).expect("writable");
            path
        };
        let read = [file("src/k.cu", "k"), file("late/sub/h.h", "h")];
        file("early/other.h", "other");
        let options = CompileOptions {
            directory: Some(root.clone()),
            clang_args: ["-Iearly", "-I", "late"].map(Into::into).to_vec(),
            ..CompileOptions::default()
        };
        let inputs = Files::default().inputs(&read, &options).expect("all are there");
        let same = || Files::default().unchanged(&inputs, &options);
        assert!(same());
        file("early/third.h", "nobody includes it");
        file("src/k.o", "nor that");
        assert!(same());
        let shadow = file("early/sub/h.h", "another");
        assert!(!same(), "`sub/h.h` is found earlier now");
        std::fs::remove_file(shadow).expect("ours");
        assert!(same());
        file("late/sub/h.h", "changed");
        assert!(!same());
        std::fs::remove_dir_all(&root).expect("ours");
    }
}
