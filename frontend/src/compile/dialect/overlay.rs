//! Files that clang reads in place of others.
//!
//! **Promises**: the files themselves are not touched; what is written goes with the value.
//! **Does not**: know what is written in them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The new texts in a temporary folder, which goes when this value does.
pub(super) struct Overlay {
    pub(super) folder: PathBuf,
    is_empty: bool,
}

impl Overlay {
    pub(super) fn write(files: &BTreeMap<PathBuf, Vec<u8>>) -> std::io::Result<Overlay> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let unique = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("heddle-dialect-{}-{unique}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder)?;
        let overlay = Overlay { folder, is_empty: files.is_empty() };
        let mut roots = Vec::new();
        for (n, (path, text)) in files.iter().enumerate() {
            let at = overlay.folder.join(n.to_string());
            std::fs::write(&at, text)?;
            roots.push(format!(
                "{{\"type\":\"file\",\"name\":{},\"external-contents\":{}}}",
                quoted(path),
                quoted(&at)
            ));
        }
        let map = format!(
            "{{\"version\":0,\"case-sensitive\":\"true\",\"use-external-names\":\"false\",\"roots\":[{}]}}",
            roots.join(",")
        );
        std::fs::write(overlay.folder.join("map.yaml"), map)?;
        Ok(overlay)
    }

    pub(super) fn arguments(&self) -> Vec<OsString> {
        if self.is_empty {
            return Vec::new();
        }
        vec!["-ivfsoverlay".into(), self.folder.join("map.yaml").into()]
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        // What cannot be removed from the temporary directory now, the system removes later.
        let _left_behind = std::fs::remove_dir_all(&self.folder);
    }
}

/// A path as a string of YAML.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
