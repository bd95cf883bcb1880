//! A folder of texts that are kept between runs, with what one run finds and misses in it.
//!
//! **Promises**: a damaged entry, and a folder that cannot be written, is a warning and stops
//! nothing. What a compilation asked of the file system can be asked again (`Inputs`) without
//! compiling.
//!
//! **Does not**: know what the texts say or what they depend on; `crate::kept` does. Limit its
//! size, or remove what is old.

mod files;
mod store;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Context;
use heddle_frontend::compile::Reads;

use files::Files;
pub(crate) use files::Inputs;
use store::{Entry, Store};

/// The folder, for one run.
#[derive(Debug)]
pub struct Cache {
    store: Store,
    files: Files,
    opened: SystemTime,
    counts: [AtomicUsize; 4],
    warnings: Mutex<BTreeSet<String>>,
}

/// How much was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Sources that were not compiled.
    pub sources_found: usize,
    /// Sources that were.
    pub sources_read: usize,
    /// Kernels of sources that were compiled, and that were not checked all the same.
    pub kernels_found: usize,
    /// Kernels that were checked.
    pub kernels_checked: usize,
}

/// What is counted, in the order of the counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A source is not compiled.
    SourceFound,
    /// A source is.
    SourceRead,
    /// A kernel of a source that was compiled is not checked all the same.
    KernelFound,
    /// A kernel is checked.
    KernelChecked,
}

impl Cache {
    /// Opens the folder, and makes it if it is not there.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(folder: &Path) -> anyhow::Result<Cache> {
        let store = Store::open(folder).with_context(|| {
            format!("the cache folder `{}` cannot be made; name another one", folder.display())
        })?;
        Ok(Cache {
            store,
            files: Files::default(),
            opened: SystemTime::now(),
            counts: Default::default(),
            warnings: Mutex::default(),
        })
    }

    /// How much was found so far.
    pub fn tally(&self) -> Tally {
        let [sources_found, sources_read, kernels_found, kernels_checked] =
            [0, 1, 2, 3].map(|index: usize| self.counts[index].load(Ordering::Relaxed));
        Tally { sources_found, sources_read, kernels_found, kernels_checked }
    }

    /// What went wrong with the folder, each once, sorted.
    pub fn warnings(&self) -> Vec<String> {
        let warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.iter().cloned().collect()
    }

    /// The text under a key, if it is there.
    pub(crate) fn get(&self, kind: &str, key: &str) -> Option<String> {
        match self.store.get(kind, key) {
            Entry::Found(text) => Some(text),
            Entry::Absent => None,
            Entry::Damaged(path) => {
                self.warn(format!("`{}` is damaged and is computed again", path.display()));
                None
            }
        }
    }

    /// Keeps a text under its key.
    pub(crate) fn put(&self, kind: &str, key: &str, text: &str) {
        if let Err(error) = self.store.put(kind, key, text) {
            self.warn(format!("the cache cannot be written: {error}"));
        }
    }

    /// What a compilation asked of the file system, with the answers. `None` if one of them may
    /// have been another while it ran, which began after the folder was opened.
    pub(crate) fn inputs(&self, reads: &Reads) -> Option<Inputs> {
        self.files.inputs(reads, self.opened)
    }

    /// Whether the file system gives the same answers.
    pub(crate) fn unchanged(&self, inputs: &Inputs) -> bool {
        self.files.unchanged(inputs)
    }

    /// Adds to what went wrong.
    pub(crate) fn warn(&self, text: String) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).insert(text);
    }

    /// Counts one more.
    pub(crate) fn count(&self, event: Event) {
        self.counts[event as usize].fetch_add(1, Ordering::Relaxed);
    }
}
