//! The files that commands write: looked at before the work and again once it is known what was
//! read, and what is wrong with one is said on standard error.
//!
//! **Promises**: a file that the command reads is not written over: one that is named is refused
//! before any work, a header before anything is written. **Does not**: create folders.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use heddle_diagnostics::render::one_line;
use heddle_diagnostics::{SourceMap, written};

/// Whether all of these can be written to, where these are the inputs; if not, it is said.
pub(super) fn can_be<'a>(
    outputs: impl IntoIterator<Item = &'a PathBuf>,
    inputs: &[PathBuf],
) -> bool {
    let place = |it: &PathBuf| written::place(it, inputs.iter().map(PathBuf::as_path));
    let fault = outputs.into_iter().find_map(|it| place(it).err());
    if let Some(message) = &fault {
        say(message);
    }
    fault.is_none()
}

/// Writes a file, unless it is one that was read for this map; whether it is written. If not, it is
/// said.
pub(super) fn put(path: &Path, bytes: &[u8], sources: &SourceMap) -> bool {
    let read = sources.all_read();
    let done = written::place(path, read.iter().map(PathBuf::as_path)).and_then(|_| {
        let failed = |error: io::Error| format!("`{}` cannot be written: {error}", path.display());
        written::replace(path, bytes).map_err(failed)
    });
    if let Err(message) = &done {
        say(message);
    }
    done.is_ok()
}

fn say(message: &str) {
    let _unheard = writeln!(io::stderr(), "error: {}", one_line(message));
}
