//! Where a project begins, and which folders are a build's own.
//!
//! **Does not**: say which files of these folders are shown; [`crate::visible`] does.

use std::path::{Path, PathBuf};

/// The name of the file that says how a project is checked.
pub(crate) const SETTINGS: &str = "heddle.toml";

/// What marks the top folder of a project.
const TOPS: [&str; 2] = [".git", SETTINGS];

/// The folders of whose files the words of a build may be: the project of its compilation
/// database, links followed or not, and that of the current folder.
pub(crate) fn of_build(database: &Path) -> Vec<PathBuf> {
    let current = std::env::current_dir().unwrap_or_default();
    let linked = current.join(database);
    let of_file = linked.canonicalize();
    let folders = [linked.parent(), of_file.as_deref().ok().and_then(Path::parent), Some(&current)];
    let real_of = |it: &Path| it.canonicalize().ok();
    real(folders.into_iter().flatten().filter_map(real_of).map(|it| top(&it)).collect())
}

/// The folder that the project of this folder begins at; the folder itself if nothing marks one.
pub(crate) fn top(folder: &Path) -> PathBuf {
    let marked = |it: &&Path| TOPS.iter().any(|mark| it.join(mark).exists());
    folder.ancestors().find(marked).unwrap_or(folder).to_owned()
}

/// The folders that are there, without links; the whole machine is nobody's project.
pub(crate) fn real(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let found = folders.into_iter().filter_map(|it| it.canonicalize().ok());
    found.filter(|it| it.parent().is_some()).collect()
}
