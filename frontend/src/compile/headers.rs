//! The built-in CUDA headers: what a kernel file needs in place of a toolkit.
//!
//! They live in `frontend/include` and are part of the binary. A compiler either overlays them in
//! memory or writes them to a temporary folder for as long as it runs ([`OnDisk`]).
//!
//! The first one is included before each file, as `nvcc` does with `cuda_runtime.h`; the others are
//! found by name, after everything that the user's own include path has.

mod all;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub use all::ALL;

/// Where messages and debug info say the headers are, whoever compiled: a temporary folder has
/// another name on each run.
pub const SHOWN_AT: &str = "/heddle-include";

/// What stands before each CUDA file.
pub const PRELUDE: &str = "heddle/device.h";

/// What stands before each CUDA file that is compiled against a toolkit.
pub const SUPPLEMENT: &str = "heddle/toolkit.h";

/// How macros begin that leave the name after them to the source: `HEDDLE_OWN_uint64_t`.
pub const OWN_INTEGER: &str = "HEDDLE_OWN_";

/// The header with annotations for Heddle, by its name. It is for OpenCL too, and beside a
/// toolkit's headers.
pub const ANNOTATIONS: &str = "heddle.h";

/// How names begin of what stands in for PyTorch and for OpenCV, under all the names by which their
/// headers are included, and of other libraries of the host.
const LIBRARIES: [&str; 4] = ["heddle/opencv", "heddle/torch", "mpi.h", "stb_image"];

/// Whether a header is there for OpenCL, or beside a toolkit's: what no toolkit has.
pub fn is_beside_others(name: &str) -> bool {
    const FOLDERS: [&str; 6] = ["ATen", "THC", "c10", "opencv2", "pybind11", "torch"];
    let folder = name.split('/').next().unwrap_or_default();
    let is_library = LIBRARIES.iter().any(|it| name.starts_with(it));
    is_library || [ANNOTATIONS, SUPPLEMENT].contains(&name) || FOLDERS.contains(&folder)
}

/// The functions of CUDA's runtime that the built-in headers declare.
pub fn functions_of_the_runtime() -> std::collections::HashSet<&'static str> {
    let texts = ALL.iter().map(|(_, text)| *text);
    let called = texts.flat_map(|text| text.split('(').map(str::trim_end));
    let name = |text: &'static str| {
        let start = text.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
        &text[start.map_or(0, |at| at + 1)..]
    };
    called.map(name).filter(|name| name.starts_with("cuda")).collect()
}

/// The text of a header.
pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The headers in a temporary folder, which goes when this value does.
#[derive(Debug)]
pub struct OnDisk {
    root: PathBuf,
}

impl OnDisk {
    /// Writes all of them.
    ///
    /// # Errors
    /// The temporary directory cannot be written.
    pub fn write() -> std::io::Result<OnDisk> {
        OnDisk::write_some(|_| true)
    }

    /// Writes those that stand beside other headers ([`is_beside_others`]).
    ///
    /// # Errors
    /// As [`OnDisk::write`].
    pub fn write_beside_others() -> std::io::Result<OnDisk> {
        OnDisk::write_some(is_beside_others)
    }

    fn write_some(wanted: impl Fn(&str) -> bool) -> std::io::Result<OnDisk> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let unique = COUNT.fetch_add(1, Ordering::Relaxed);
        let root =
            std::env::temp_dir().join(format!("heddle-include-{}-{unique}", std::process::id()));
        // `create_dir`, not `create_dir_all`: a folder that somebody else has put there is not ours
        // to fill.
        std::fs::create_dir(&root)?;
        let on_disk = OnDisk { root };
        for (name, text) in ALL.iter().filter(|(name, _)| wanted(name)) {
            let path = on_disk.root.join(name);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, text)?;
        }
        Ok(on_disk)
    }

    /// Where they are.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        // What cannot be removed from the temporary directory now, the system removes later.
        let _left_behind = std::fs::remove_dir_all(&self.root);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_file_is_listed() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
        let mut folders = vec![root.clone()];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        let mut listed: Vec<_> = ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
        listed.sort();
        assert_eq!(found, listed, "list each file of frontend/include in headers/all.rs");
    }

    #[test]
    fn the_temporary_folder_goes_away() {
        let on_disk = OnDisk::write().unwrap();
        let root = on_disk.root().to_owned();
        assert!(root.join(PRELUDE).is_file());
        drop(on_disk);
        assert!(!root.exists());
    }
}
