//! The files that commands write: which of them are refused before the work, and how each is
//! written, whole or not at all, through a new file beside it that is then renamed.
//!
//! **Promises**: the file beside is made new, under a name that nobody can know, so a link that
//! somebody planted is not followed; it is gone if anything fails, a full disk too. A link to a
//! file stays, and the file that it leads to is replaced; a link that leads nowhere is refused. A
//! file that was there keeps its mode. A file that the command reads is not written over, under
//! whichever of its names.
//!
//! **Does not**: keep the owner or a second hard link; replace what is no file, such as
//! `/dev/stdout` or a pipe, which is written to as it is.

use std::fs::{File, OpenOptions, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::destination::Destination;

/// Names that are tried for the file beside.
const TRIES: u32 = 16;

/// Where a file will be written to, before any work is done for it.
///
/// # Errors
/// Why it cannot be: there is no folder for it, it is a folder itself or a link that leads nowhere,
/// or it is one of the files that the command reads.
pub fn place<'a>(
    path: &Path,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<Destination, String> {
    let shown = path.display();
    let refused = |why: &str| Err(format!("`{shown}` cannot be written: {why}"));
    let Some(place) = Destination::of(path) else {
        return refused("its folder does not exist; give a file in a folder that exists");
    };
    match target(path) {
        Err(error) => return refused(&error.to_string()),
        Ok(_) if path.is_dir() => return refused("this is a folder; name a file in it"),
        Ok(_) => {}
    }
    if path.is_file() && inputs.into_iter().any(|it| Destination::of(it).as_ref() == Some(&place)) {
        return Err(format!("`{shown}` is one of the inputs; give another file"));
    }
    Ok(place)
}

/// Replaces a file by these bytes.
///
/// # Errors
/// It cannot be written; what was there is there still.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    target(path).and_then(|(target, mode)| match mode {
        Mode::Special => special(path, bytes),
        Mode::New => through(&target, None, bytes),
        Mode::Of(mode) => through(&target, Some(mode), bytes),
    })
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

/// Writes what is no regular file, as it is: a device, or a pipe that somebody reads. One that
/// nobody reads would be waited for without end.
fn special(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let open = |flags| OpenOptions::new().write(true).custom_flags(flags).open(path);
    let nobody = |error: io::Error| match error.raw_os_error() {
        Some(libc::ENXIO) => io::Error::other("this is a pipe that nobody reads"),
        _ => error,
    };
    // Held until the other is open, so that the reader does not see an end between the two.
    let _held = open(libc::O_NONBLOCK).map_err(nobody)?;
    open(0)?.write_all(bytes)
}

fn through(target: &Path, mode: Option<Permissions>, bytes: &[u8]) -> io::Result<()> {
    let (mut file, beside) = new_beside(target)?;
    let done = file
        .write_all(bytes)
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
