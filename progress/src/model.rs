//! Forward-progress models: who is guaranteed to run.
//!
//! A model is a function from what the scheduler can see (which threads live, which have ever
//! taken a step) to `F`, the set of threads whose execution is guaranteed at that moment. To add
//! a model, write such a function and put a [`Model`] with it wherever a slice of models is taken;
//! nothing else in this crate knows the models by name.
//!
//! The models and their names are those of Sorensen et al., "Specifying and Testing GPU Workgroup
//! Progress Models" (OOPSLA 2021), and LOBE-live, which is ours. A model becomes a [`Criterion`]
//! with a [`Fairness`]: the paper's eleven are unfair and five models under each fairness.

use std::fmt;

use crate::threads::ThreadSet;

/// What a model may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Threads that have not terminated. A thread lives from the start, before its first step.
    pub live: ThreadSet,
    /// Threads that have taken at least one step, terminated ones included.
    pub started: ThreadSet,
}

/// A forward-progress model.
#[derive(Clone, Copy)]
pub struct Model {
    /// The name users write, in lower case (`hsa+obe`).
    pub name: &'static str,
    /// What it guarantees, in one line.
    pub summary: &'static str,
    /// The threads whose execution is guaranteed. Threads that have terminated do not count,
    /// whether named or not; ask [`Model::at`] for `F` itself.
    pub guaranteed: fn(View) -> ThreadSet,
}

/// How often a guaranteed thread, or its transitions, must be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fairness {
    /// A thread that stays guaranteed takes a step eventually.
    Weak,
    /// A transition of a guaranteed thread that is possible again and again is taken eventually.
    /// This is fairness per transition: AXB threads are always enabled, so strong fairness per
    /// thread would be the weak one.
    Strong,
}

/// A model with a fairness: what a program terminates under, or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// Who is guaranteed.
    pub model: Model,
    /// How.
    pub fairness: Fairness,
}

/// No thread is guaranteed.
pub const UNFAIR: Model =
    Model { name: "unfair", summary: "no thread is guaranteed", guaranteed: |_| ThreadSet::EMPTY };

/// The lowest live thread is guaranteed, started or not.
pub const HSA: Model = Model {
    name: "hsa",
    summary: "the live thread with the lowest id",
    guaranteed: |view| view.live.lowest(),
};

/// Threads that have started are guaranteed (occupancy-bound execution).
pub const OBE: Model = Model {
    name: "obe",
    summary: "live threads that have started",
    guaranteed: |view| view.live.intersection(view.started),
};

/// Both of the above.
pub const HSA_OBE: Model = Model {
    name: "hsa+obe",
    summary: "live threads that have started, and the live one with the lowest id",
    guaranteed: |view| view.live.intersection(view.started).union(view.live.lowest()),
};

/// Linear occupancy-bound execution with a guarantee that ends with the higher thread.
pub const LOBE_LIVE: Model = Model {
    name: "lobe-live",
    summary: "live threads up to the highest id that has started and still lives",
    guaranteed: |view| view.live.intersection(view.live.intersection(view.started).up_to_highest()),
};

/// Linear occupancy-bound execution.
pub const LOBE: Model = Model {
    name: "lobe",
    summary: "live threads up to the highest id that ever started",
    guaranteed: |view| view.live.intersection(view.started.up_to_highest()),
};

/// Each live thread is guaranteed.
pub const FAIR: Model =
    Model { name: "fair", summary: "each live thread", guaranteed: |view| view.live };

/// All models, weakest first: one that is weaker than another comes before it.
pub const MODELS: &[Model] = &[UNFAIR, HSA, OBE, HSA_OBE, LOBE_LIVE, LOBE, FAIR];

impl Model {
    /// The model among [`MODELS`] with this name; `+`, `-` and `_` are the same.
    pub fn named(name: &str) -> Option<Self> {
        let fold = |text: &str| text.to_lowercase().replace(['+', '_'], "-");
        MODELS.iter().copied().find(|model| fold(model.name) == fold(name))
    }

    /// `F`: the live threads whose execution is guaranteed.
    pub fn at(self, view: View) -> ThreadSet {
        (self.guaranteed)(view).intersection(view.live)
    }

    /// This model with weak fairness.
    pub fn weak(self) -> Criterion {
        Criterion { model: self, fairness: Fairness::Weak }
    }

    /// This model with strong fairness.
    pub fn strong(self) -> Criterion {
        Criterion { model: self, fairness: Fairness::Strong }
    }
}

impl Criterion {
    /// Each criterion over [`MODELS`]: unfair once (fairness to nobody is one thing), then the
    /// others weak, then strong. Thirteen: the paper's eleven and LOBE-live twice.
    pub fn all() -> Vec<Self> {
        let others = &MODELS[1..];
        let weak = others.iter().map(|model| model.weak());
        let strong = others.iter().map(|model| model.strong());
        std::iter::once(UNFAIR.weak()).chain(weak).chain(strong).collect()
    }

    /// Reads `lobe`, `weak-lobe` or `strong-lobe`.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if let Some(model) = name.strip_prefix("strong-") {
            return Model::named(model).map(Model::strong);
        }
        Model::named(name.strip_prefix("weak-").unwrap_or(&name)).map(Model::weak)
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Model {}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Weak => "weak",
            Self::Strong => "strong",
        })
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.model == UNFAIR {
            return f.write_str(self.model.name);
        }
        write!(f, "{} {}", self.fairness, self.model.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guaranteed(model: Model, live: u16, started: u16) -> u16 {
        let (live, started) = (ThreadSet::from_bits(live), ThreadSet::from_bits(started));
        (model.guaranteed)(View { live, started }).bits()
    }

    #[test]
    fn each_model_on_one_view() {
        // Four threads: 0 terminated, 1 waits to start, 2 runs, 3 terminated.
        let (live, started) = (0b0110, 0b1101);
        assert_eq!(guaranteed(UNFAIR, live, started), 0);
        assert_eq!(guaranteed(HSA, live, started), 0b0010);
        assert_eq!(guaranteed(OBE, live, started), 0b0100);
        assert_eq!(guaranteed(HSA_OBE, live, started), 0b0110);
        assert_eq!(guaranteed(FAIR, live, started), 0b0110);
        // Thread 3 ran and is gone: LOBE still guarantees what lies below it, LOBE-live does not.
        assert_eq!(guaranteed(LOBE, 0b0110, 0b1001), 0b0110);
        assert_eq!(guaranteed(LOBE_LIVE, 0b0110, 0b1001), 0);
        assert_eq!(guaranteed(LOBE_LIVE, 0b0110, 0b1101), 0b0110);
    }

    #[test]
    fn a_guarantee_is_for_live_threads() {
        for model in MODELS {
            for live in 0..8 {
                for started in 0..8 {
                    assert_eq!(guaranteed(*model, live, started) & !live, 0, "{model:?}");
                }
            }
        }
    }

    #[test]
    fn names_read_back() {
        for criterion in Criterion::all() {
            let written = criterion.to_string().replace(' ', "-");
            assert_eq!(Criterion::named(&written), Some(criterion));
        }
        assert_eq!(Criterion::named("HSA_OBE"), Some(HSA_OBE.weak()));
        assert_eq!(Criterion::named("nothing"), None);
        assert_eq!(Criterion::all().len(), 13);
    }
}
