//! The kernels of `tests/kernels` that are for NVIDIA.

use std::path::PathBuf;

use crate::sample::is_sampled;

/// Those that the variable asks for: by default one in `one_in`, `all` of them, or paths with its
/// text.
pub(crate) fn kernels_for_nvidia(variable: &str, one_in: u64) -> Vec<PathBuf> {
    let filter = std::env::var(variable).unwrap_or_default();
    let mut found = Vec::new();
    for topic in std::fs::read_dir("tests/kernels").expect("tests/kernels").flatten() {
        if topic.path().is_dir() {
            let files = std::fs::read_dir(topic.path()).expect("a folder").flatten();
            found.extend(files.map(|it| it.path()));
        }
    }
    found.sort();
    found.retain(|path| match path.extension().and_then(|it| it.to_str()) {
        Some("cu") => true,
        Some("ll") => std::fs::read_to_string(path).is_ok_and(|text| text.contains("nvptx64")),
        Some(_) | None => false,
    });
    found.retain(|path| match filter.as_str() {
        "" | "sample" => is_sampled(path, one_in),
        "all" => true,
        text => path.to_string_lossy().contains(text),
    });
    found
}
