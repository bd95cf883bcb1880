//! What is written to under a name, whatever the name is: two links to one file are one place.
//!
//! **Does not**: open or make anything; what others change meanwhile is not noticed.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where a name leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// A file, a device or a pipe that is there, links followed: its device and number.
    There(u64, u64),
    /// A file to be made, in a folder without links.
    New(PathBuf),
}

/// Links that are followed one after the other at most.
const MOST_LINKS: usize = 40;

impl Destination {
    /// None where there is no folder for it.
    pub fn of(path: &Path) -> Option<Destination> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            if let Ok(found) = std::fs::metadata(&path) {
                return Some(Destination::There(found.dev(), found.ino()));
            }
            let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            // A link to what is not there: writing makes what it names.
            match std::fs::read_link(&path) {
                Ok(next) => path = folder.join(next),
                Err(_) => return Some(Destination::New(folder.join(path.file_name()?))),
            }
        }
        None
    }
}
