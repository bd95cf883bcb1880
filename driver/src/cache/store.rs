//! Entries on disk: a text under a key, in a file of its own.
//!
//! **Promises**: an entry is there whole or not at all (it is written beside its place and
//! renamed), so that several runs may share a folder and one that is interrupted leaves nothing
//! broken. A damaged entry is told from a good one by the hash in its first line. An entry that is
//! a link, a pipe or a device is damaged, and is not opened. **Does not**: remove old entries; the
//! folder can be deleted at any time.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that tells backup programs to leave the folder out (<https://bford.info/cachedir/>).
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of Heddle. It can be deleted at any time.\n",
);

/// What an entry's first line starts with; the number goes up when the form changes.
const HEAD: &str = "heddle-cache 1 ";

/// A folder of entries.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
}

/// What is under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// This text.
    Found(String),
    /// Nothing.
    Absent,
    /// Something that was not written so; the file.
    Damaged(PathBuf),
}

impl Store {
    /// Opens the folder, and makes it if it is not there.
    pub(super) fn open(folder: &Path) -> io::Result<Store> {
        fs::create_dir_all(folder)?;
        let tag = folder.join(TAG.0);
        match fs::OpenOptions::new().write(true).create_new(true).open(&tag) {
            Ok(mut file) => {
                // On a full disk nothing is kept, and each answer that is not says so.
                if file.write_all(TAG.1.as_bytes()).is_err() {
                    let _stays_empty = fs::remove_file(&tag);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        Ok(Store { folder: folder.to_owned() })
    }

    pub(super) fn get(&self, kind: &str, key: &str) -> Entry {
        let path = self.path(kind, key);
        let read = fs::symlink_metadata(&path).and_then(|it| match it.is_file() {
            true => fs::read(&path),
            false => Err(io::Error::other("no regular file")),
        });
        match read {
            Ok(bytes) => text_of(bytes).map_or(Entry::Damaged(path), Entry::Found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Entry::Absent,
            Err(_) => Entry::Damaged(path),
        }
    }

    pub(super) fn put(&self, kind: &str, key: &str, text: &str) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let path = self.path(kind, key);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let unique = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = folder.join(format!(".{}-{unique}.new", std::process::id()));
        // A file that is there already is somebody else's, or a link.
        let new = fs::OpenOptions::new().write(true).create_new(true).open(&beside);
        let whole = format!("{HEAD}{}\n{text}", blake3::hash(text.as_bytes()));
        let written = new
            .and_then(|mut file| file.write_all(whole.as_bytes()))
            .and_then(|()| fs::rename(&beside, &path));
        if written.is_err() {
            let _already_gone = fs::remove_file(&beside);
        }
        written
    }

    fn path(&self, kind: &str, key: &str) -> PathBuf {
        self.folder.join(kind).join(&key[..2]).join(&key[2..])
    }
}

fn text_of(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let (head, rest) = text.split_once('\n')?;
    let hash = head.strip_prefix(HEAD)?;
    (blake3::hash(rest.as_bytes()).to_hex().as_str() == hash).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_and_what_is_damaged_is_known() {
        let folder = std::env::temp_dir().join(format!("heddle-store-{}", std::process::id()));
        let store = Store::open(&folder).expect("the temporary folder is writable");
        assert_eq!(store.get("kernel", "abcd"), Entry::Absent);
        store.put("kernel", "abcd", "one\ntwo").expect("writable");
        assert_eq!(store.get("kernel", "abcd"), Entry::Found("one\ntwo".to_owned()));
        let path = folder.join("kernel/ab/cd");
        for damage in ["", "heddle-cache 1 00\none\ntwo", "heddle-cache 0 x\n"] {
            fs::write(&path, damage).expect("writable");
            assert_eq!(store.get("kernel", "abcd"), Entry::Damaged(path.clone()), "{damage}");
        }
        fs::write(&path, [0xff, 0xfe]).expect("writable");
        assert_eq!(store.get("kernel", "abcd"), Entry::Damaged(path.clone()));
        let elsewhere = folder.join("elsewhere");
        store.put("kernel", "abcd", "one").expect("writable");
        fs::rename(&path, &elsewhere).expect("writable");
        std::os::unix::fs::symlink(&elsewhere, &path).expect("writable");
        assert_eq!(store.get("kernel", "abcd"), Entry::Damaged(path.clone()));
        store.put("kernel", "abcd", "two").expect("the link is replaced");
        assert_eq!(store.get("kernel", "abcd"), Entry::Found("two".to_owned()));
        assert!(fs::read_to_string(elsewhere).expect("there").ends_with("\none"));
        assert_eq!(fs::read_dir(folder.join("kernel/ab")).expect("there").count(), 1);
        fs::remove_dir_all(&folder).expect("it is ours");
    }
}
