//! Where a run's buffers go: looked at before anything runs, written when it is over.
//!
//! **Promises**: what cannot be written, and what would overwrite the source or another output, is
//! bad input before the kernel runs. **Does not**: create folders.

use std::path::PathBuf;

use heddle_diagnostics::Finding;
use heddle_diagnostics::destination::Destination;
use heddle_runtime::Memory;

use super::bad;
use super::buffer::{self, Buffer};
use crate::source::Source;

/// Each `--out` names a buffer, a folder that exists, and a file of its own.
pub(super) fn check_outs(
    source: &Source,
    contents: &[Buffer],
    outs: &[(String, PathBuf)],
) -> Result<(), Finding> {
    let mut taken: Vec<Destination> = Vec::new();
    for (name, path) in outs {
        let shown = path.display();
        if !contents.iter().any(|it| it.name == *name) {
            let names: Vec<_> = contents.iter().map(|it| format!("`{}`", it.name)).collect();
            return Err(bad(&format!("`--out {name}`: no buffer has this name"))
                .help(format!("the buffers are {}", names.join(", "))));
        }
        let Some(place) = Destination::of(path) else {
            return Err(bad(&format!("`--out {name}={shown}`: its folder does not exist"))
                .help("create the folder first"));
        };
        if path.is_dir() {
            return Err(
                bad(&format!("`--out {name}={shown}`: this is a folder")).help("name a file in it")
            );
        }
        let input = if let Source::File(path) = source { Destination::of(path) } else { None };
        if input.is_some_and(|it| it == place) {
            return Err(bad(&format!("`--out {name}={shown}` would overwrite the source"))
                .help("name another file"));
        }
        if taken.contains(&place) {
            return Err(bad(&format!("`--out {name}={shown}`: another `--out` writes this file"))
                .help("give each buffer a file of its own"));
        }
        taken.push(place);
    }
    Ok(())
}

/// Writes buffers to files; what cannot be written is a finding.
pub(super) fn write_outs(
    contents: &[Buffer],
    memory: &Memory,
    outs: &[(String, PathBuf)],
) -> Vec<Finding> {
    let mut failed = Vec::new();
    for (name, path) in outs {
        let found = contents.iter().enumerate().find(|(_, it)| it.name == *name);
        let Some((index, buffer)) = found else { continue };
        let bytes = memory.bytes(index);
        let npy = path.extension().is_some_and(|it| it == "npy");
        let bytes = if npy { buffer::to_npy(buffer.element, bytes) } else { bytes.to_vec() };
        if let Err(error) = heddle_diagnostics::source::write(path, &bytes) {
            let shown = path.display();
            let finding = bad(&format!("`--out {name}={shown}` cannot be written: {error}"));
            failed.push(finding.help("name another file"));
        }
    }
    failed
}
