//! Where a run's buffers go: looked at before anything runs, written when it is over.
//!
//! **Promises**: what cannot be written, and what would overwrite a file that the run reads or
//! another output, is bad input before the kernel runs. **Does not**: create folders.

use std::path::PathBuf;

use heddle_diagnostics::destination::Destination;
use heddle_diagnostics::{Finding, SourceMap, written};
use heddle_runtime::Memory;

use super::buffer::{self, Buffer, Content};
use super::{RunOptions, bad};
use crate::source::Source;

/// Each `--out` names a buffer, a folder that exists, and a file of its own.
pub(super) fn check_outs(
    (source, sources): (&Source, &SourceMap),
    contents: &[Buffer],
    options: &RunOptions,
) -> Result<(), Finding> {
    let mut taken: Vec<Destination> = Vec::new();
    let mut inputs = sources.all_read();
    inputs.extend_from_slice(&options.inputs);
    if let Source::File(path) = source {
        inputs.push(path.clone());
    }
    inputs.extend(contents.iter().filter_map(|it| match &it.content {
        Content::File(path) => Some(path.clone()),
        Content::Zeros | Content::Value(_) | Content::Range | Content::Random(_) => None,
    }));
    for (name, path) in &options.outs {
        let shown = path.display();
        if !contents.iter().any(|it| it.name == *name) {
            let names: Vec<_> = contents.iter().map(|it| format!("`{}`", it.name)).collect();
            return Err(bad(&format!("`--out {name}`: no buffer has this name"))
                .help(format!("the buffers are {}", names.join(", "))));
        }
        let place = written::place(path, inputs.iter().map(PathBuf::as_path))
            .map_err(|why| bad(&format!("`--out {name}`: {why}")))?;
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
        if let Err(error) = written::replace(path, &bytes) {
            let shown = path.display();
            let finding = bad(&format!("`--out {name}={shown}` cannot be written: {error}"));
            failed.push(finding.help("name another file"));
        }
    }
    failed
}
