//! What a system needs: the weakest models under which it terminates.
//!
//! The models of [`MODELS`] are ordered by what they guarantee wherever a schedule can go round:
//! there some live thread has started, so
//!
//! ```text
//! unfair < hsa, obe < hsa+obe < lobe-live < lobe < fair
//! ```
//!
//! A system that terminates under one terminates under each above it (`tests/suite/models.rs` holds
//! this over all small tests). Hence a few minimal models say everything, and a requirement of
//! HSA is met by LOBE as well, which is why both are named ([`Requirement::sufficient`]).

use std::fmt;

use crate::model::{Criterion, FAIR, Fairness, HSA, HSA_OBE, LOBE, LOBE_LIVE, MODELS, Model, OBE};
use crate::oracle::Oracle;

/// What a system needs in order to terminate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Nothing: no schedule goes round for ever.
    None,
    /// Weak fairness to the threads of any one of these models, none weaker than another.
    Weak(Vec<Model>),
    /// Weak fairness never suffices (the threads can step in turn and livelock); strong fairness
    /// to the threads of any one of these models does.
    Livelock(Vec<Model>),
    /// Some schedule reaches a state from which the end is out of reach for each thread: a
    /// deadlock, under every model.
    Never,
}

/// Whether `weaker` guarantees no more than `stronger` in each cycle, and is another model.
/// `None` if a model is not one of [`MODELS`].
pub fn is_weaker(weaker: Model, stronger: Model) -> Option<bool> {
    let rank = |model: Model| MODELS.iter().position(|known| *known == model);
    let (low, high) = (rank(weaker)?, rank(stronger)?);
    let incomparable = [weaker, stronger].contains(&HSA) && [weaker, stronger].contains(&OBE);
    Some(low < high && !incomparable)
}

impl Requirement {
    /// The requirement of the system that the oracle has read.
    pub fn of(oracle: &mut Oracle) -> Self {
        if oracle.verdict(MODELS[0].weak()).passes() {
            return Self::None;
        }
        let weak = minimal(oracle, Fairness::Weak);
        if !weak.is_empty() {
            return Self::Weak(weak);
        }
        let strong = minimal(oracle, Fairness::Strong);
        if strong.is_empty() { Self::Never } else { Self::Livelock(strong) }
    }

    /// Each criterion under which the system terminates, weakest first.
    pub fn sufficient(&self) -> Vec<Criterion> {
        let above = |minimal: &[Model], fairness| -> Vec<Criterion> {
            let meets = |model: &Model| {
                minimal
                    .iter()
                    .any(|least| least == model || is_weaker(*least, *model) == Some(true))
            };
            let models = MODELS.iter().copied().filter(meets);
            models.map(|model| Criterion { model, fairness }).collect()
        };
        match self {
            Self::None => Criterion::all(),
            Self::Weak(minimal) => {
                let mut all = above(minimal, Fairness::Weak);
                all.extend(above(minimal, Fairness::Strong));
                all
            }
            Self::Livelock(minimal) => above(minimal, Fairness::Strong),
            Self::Never => Vec::new(),
        }
    }

    /// The criterion whose lasso explains the requirement best: the strongest one, in the order
    /// of [`MODELS`], under which the system does not terminate. Weak where strong is not the
    /// question.
    pub fn telling_failure(&self) -> Option<Criterion> {
        match self {
            Self::None => None,
            Self::Weak(_) => {
                let enough = self.sufficient();
                let fails = |model: &&Model| !enough.contains(&model.weak());
                MODELS.iter().rev().find(fails).map(|model| model.weak())
            }
            Self::Livelock(_) => Some(FAIR.weak()),
            Self::Never => Some(FAIR.strong()),
        }
    }

    /// What a programmer can do so that a kernel needs less, if there is a known way.
    pub fn way_out(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Weak(models) if models.contains(&FAIR) => Some(
                "a cooperative launch makes all blocks resident, which guarantees each of them",
            ),
            Self::Weak(models) if models.contains(&HSA) || models.contains(&HSA_OBE) => Some(
                "a dynamic ticket (an atomic counter instead of the block id) makes each block \
                 wait for blocks that have started only, for which obe is enough",
            ),
            Self::Weak(_) => None,
            Self::Livelock(_) => Some(
                "taking what the blocks contend for in one order removes the livelock, so that \
                 weak fairness is enough",
            ),
            Self::Never => Some(
                "no scheduler helps: take locks in one order, or give back what is held before \
                 waiting",
            ),
        }
    }
}

fn minimal(oracle: &mut Oracle, fairness: Fairness) -> Vec<Model> {
    let candidates = [HSA, OBE, HSA_OBE, LOBE_LIVE, LOBE, FAIR];
    let mut minimal: Vec<Model> = Vec::new();
    for model in candidates {
        let implied = minimal.iter().any(|least| is_weaker(*least, model) == Some(true));
        if !implied && oracle.verdict(Criterion { model, fairness }).passes() {
            minimal.push(model);
        }
    }
    minimal
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |models: &[Model], prefix: &str| {
            let names = models.iter().map(|model| format!("{prefix}{}", model.name));
            names.collect::<Vec<_>>().join(" or ")
        };
        match self {
            Self::None => f.write_str("terminates under every model, unfair included"),
            Self::Weak(models) => write!(f, "needs {}", names(models, "")),
            Self::Livelock(models) => {
                write!(f, "livelocks under weak fairness, needs {}", names(models, "strong "))
            }
            Self::Never => f.write_str("does not terminate under any model"),
        }
    }
}
