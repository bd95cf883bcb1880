//! `heddle header`: `heddle.h`, with which kernels say their launch.

use std::io::Write;

use heddle_frontend::compile::headers;

/// Prints the header with annotations, for other builds.
pub(super) fn run(out: &mut dyn Write) -> anyhow::Result<u8> {
    let text = headers::text(headers::ANNOTATIONS).unwrap_or_default();
    out.write_all(text.as_bytes())?;
    Ok(0)
}
