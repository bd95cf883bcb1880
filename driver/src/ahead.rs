//! With a cache: the kernels of a source are checked, and kept, as soon as it is read.
//!
//! A run reads all sources before it says anything, for an option must meet a kernel of one of
//! them. Reading is most of the time; if nothing were kept until then, an interruption would lose
//! it all.
//!
//! **Promises**: what is kept is what the rest of the run would keep; answers ahead of the others
//! are told from answers that were known. **Does not**: refuse options: where they do not fit, the
//! source waits for the rest, which says so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use heddle_diagnostics::{KernelReport, SourceMap};
use heddle_frontend::compile::Reads;
use heddle_passes::Places;

use crate::answer::{Asked, answer_or_find};
use crate::cache::Cache;
use crate::kept::{self, KernelEntry, SourceFacts};
use crate::load::{Lifted, Loaded};
use crate::outcome::Timing;
use crate::rules;

/// Answers of one run, by key.
pub(crate) struct Ahead<'a> {
    cache: &'a Cache,
    asked: Asked<'a>,
    map: &'a SourceMap,
    /// `None` while somebody works on it.
    answers: Mutex<BTreeMap<String, Option<(KernelReport, Timing)>>>,
}

impl<'a> Ahead<'a> {
    pub(crate) fn new(cache: &'a Cache, asked: Asked<'a>, map: &'a SourceMap) -> Ahead<'a> {
        Ahead { cache, asked, map, answers: Mutex::default() }
    }

    /// The answer under a key, if it was given ahead.
    pub(crate) fn take(&self, key: &str) -> Option<(KernelReport, Timing)> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).remove(key).flatten()
    }

    /// Checks what is asked for of a source, and keeps what the source has.
    pub(crate) fn finish(&self, source: usize, loaded: &Loaded) {
        let Loaded { kernels, warnings, files, reads, looked_up: _ } = loaded;
        let options = self.asked.options;
        let wanted = |it: &&Lifted| it.is_asked_for(&options.kernels);
        // Fitting the options writes into a kernel, and the rest of the run does it again.
        let mut own: Vec<Lifted> =
            kernels.iter().filter(wanted).map(|it| it.copy(source)).collect();
        let (mut fitted, launched): (Vec<_>, Vec<_>) = own.iter_mut().map(Lifted::parts).unzip();
        let nowhere = BTreeSet::new();
        let Ok(bound) = rules::bind(&mut fitted, &launched, &options.launch, true, &nowhere) else {
            return;
        };
        let mut keys = Vec::new();
        for (lifted, request) in own.iter().zip(&bound.requests) {
            // A kernel without a key is one about which nothing is kept.
            let Some(key) = kept::key(lifted, request, options, self.map) else { return };
            keys.push(key);
        }
        let met = bound.met.into_iter().flatten().collect();
        self.keep(source, kernels, (files, reads.as_ref(), warnings), &own, &keys, met);
        for ((lifted, request), key) in own.iter().zip(&bound.requests).zip(&keys) {
            if !self.claim(key) {
                continue;
            }
            let places = Places::new(self.map, &lifted.kernel, Some(lifted.module));
            let answer = answer_or_find(
                self.asked,
                self.map,
                Some(self.cache),
                (&places, lifted, request),
                Some(key),
            );
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.insert(key.clone(), Some(answer));
        }
    }

    /// Whether nobody else works on this, or has.
    fn claim(&self, key: &str) -> bool {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let free = !answers.contains_key(key);
        if free {
            answers.insert(key.to_owned(), None);
        }
        free
    }

    /// Keeps what a source has, before its kernels are checked: after an interruption, those that
    /// were are found.
    fn keep(
        &self,
        source: usize,
        all: &[Lifted],
        (files, reads, warnings): (&[PathBuf], Option<&Reads>, &str),
        own: &[Lifted],
        keys: &[String],
        met: BTreeSet<String>,
    ) {
        let keys: BTreeMap<&str, &String> =
            own.iter().map(|it| it.kernel.name.as_str()).zip(keys).collect();
        let entry = |it: &Lifted| KernelEntry {
            name: it.kernel.display_name.clone(),
            symbol: it.kernel.name.clone(),
            key: keys.get(it.kernel.name.as_str()).map(|&key| key.clone()),
        };
        let facts = SourceFacts {
            files,
            reads,
            kernels: all.iter().map(entry).collect(),
            met: met.into_iter().collect(),
            warnings,
        };
        let Asked { sources, options, .. } = self.asked;
        kept::keep_source(self.cache, &sources[source], options, self.map, facts);
    }
}
