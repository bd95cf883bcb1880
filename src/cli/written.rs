//! Files that are written whole or not at all: through a new file beside them, then renamed.
//!
//! **Promises**: the file beside is made new, under a name that nobody can know, so a link that
//! somebody planted is not followed; it is gone if anything fails, a full disk too. A link to a
//! file stays, and the file that it leads to is replaced; a link that leads nowhere is refused. A
//! file that was there keeps its mode.
//!
//! **Does not**: keep the owner or a second hard link; replace what is no file, such as
//! `/dev/stdout` or a pipe, which is written to as it is.

use std::fs::{File, OpenOptions, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use heddle_diagnostics::source::write_special;

/// Names that are tried for the file beside.
const TRIES: u32 = 16;

/// Replaces a file by this text.
pub(super) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let done = target(path).and_then(|(target, mode)| match mode {
        Mode::Special => write_special(path, text.as_bytes()),
        Mode::New => through(&target, None, text),
        Mode::Of(mode) => through(&target, Some(mode), text),
    });
    done.with_context(|| format!("`{}` cannot be written", path.display()))
}

/// What is under a name now.
enum Mode {
    /// Nothing.
    New,
    /// A file with this mode.
    Of(Permissions),
    /// What cannot be replaced.
    Special,
}

/// The file that a name leads to, and what is there.
fn target(path: &Path) -> io::Result<(PathBuf, Mode)> {
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => Ok((path.canonicalize()?, Mode::Of(found.permissions()))),
        Ok(_) => Ok((path.to_owned(), Mode::Special)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Err(_) if is_link => Err(io::Error::other("it is a link that leads nowhere")),
        Err(_) => Ok((path.to_owned(), Mode::New)),
    }
}

fn through(target: &Path, mode: Option<Permissions>, text: &str) -> io::Result<()> {
    let (mut file, beside) = new_beside(target)?;
    let done = file
        .write_all(text.as_bytes())
        .and_then(|()| mode.map_or(Ok(()), |mode| file.set_permissions(mode)))
        .and_then(|()| std::fs::rename(&beside, target));
    if done.is_err() {
        let _gone_already = std::fs::remove_file(&beside);
    }
    done
}

/// A new file in the folder of `target`.
fn new_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let folder = target.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut tries = 0;
    loop {
        // The keys of a hasher are drawn by the system.
        let drawn = RandomState::new().build_hasher().finish();
        let beside = folder.join(format!(".heddle-{drawn:016x}.part"));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((file, beside)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => {
                tries += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beside_has_a_name_that_nobody_can_plant_a_link_under() {
        let folder = std::env::temp_dir().join(format!("heddle-beside-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for tests");
        let target = folder.join("out.json");
        let (first, second) =
            (new_beside(&target).expect("made"), new_beside(&target).expect("made"));
        assert_ne!(first.1, second.1, "each name is drawn");
        assert!([first, second].iter().all(|(_, path)| path.is_file() && !path.is_symlink()));
        assert!(!target.exists(), "it is there once all of it is written");
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }
}
