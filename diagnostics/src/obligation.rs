//! The count of what must be shown before a property may be called proved.
//!
//! A pass opens one [`Obligation`] per thing to show (a pair of accesses, a barrier) and closes
//! each by discharging, refuting or giving it up. An obligation is a value that cannot be copied or
//! made elsewhere: one that is dropped, in an early return or a panic that was caught, stays open,
//! and an open obligation makes the verdict unknown. The pass must also say that it has listed
//! everything there is to show.
//!
//! **Misses**: a pass that lists too little and says it listed all. Tests of the pass hold that.
//!
//! ```
//! use heddle_diagnostics::{Assumption, Evidence, Method, Obligations, Property, Verdict};
//!
//! let mut obligations = Obligations::new(Property::IntraBlockRace, []);
//! let pair = obligations.open();
//! obligations.all_listed();
//! obligations.discharge(pair, Evidence::new(Method::Bits, [Assumption::DistinctPointers]));
//! let Verdict::Proved(proof) = obligations.conclude() else { panic!("all is discharged") };
//! assert_eq!(proof.assumptions(), [Assumption::DistinctPointers]);
//! ```
//!
//! An obligation closes once:
//!
//! ```compile_fail,E0382
//! # use heddle_diagnostics::{Evidence, Method, Obligations, Property};
//! # let mut obligations = Obligations::new(Property::IntraBlockRace, []);
//! let pair = obligations.open();
//! obligations.discharge(pair, Evidence::unconditional(Method::Bits));
//! obligations.discharge(pair, Evidence::unconditional(Method::Bits));
//! ```
//!
//! A method is no evidence, as it does not say what the answer relies on:
//!
//! ```compile_fail,E0308
//! # use heddle_diagnostics::{Method, Obligations, Property};
//! # let mut obligations = Obligations::new(Property::IntraBlockRace, []);
//! let pair = obligations.open();
//! obligations.discharge(pair, Method::Bits);
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::code::Code;
use crate::property::Property;
use crate::reason::Reason;
use crate::verdict::{Assumption, Method, Proof, Refutation, Verdict};

/// Why an obligation holds: a method, and everything that its answer relies on.
///
/// The engine that settles a question makes one and puts in whatever it took for granted, so that a
/// pass which discharges an obligation cannot leave an assumption out: it has nothing else to
/// discharge it with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an obligation is discharged with it"]
pub struct Evidence {
    by: Method,
    relies: BTreeSet<Assumption>,
}

impl Evidence {
    /// Shown by a method that relies on these.
    pub fn new(by: Method, relies: impl IntoIterator<Item = Assumption>) -> Evidence {
        Evidence { by, relies: relies.into_iter().collect() }
    }

    /// Shown by a method that takes nothing for granted beyond what holds for the whole property.
    pub fn unconditional(by: Method) -> Evidence {
        Evidence::new(by, [])
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.by
    }

    /// What it relies on.
    pub fn relies(&self) -> &BTreeSet<Assumption> {
        &self.relies
    }

    /// Both together, when one thing took two answers; the method is that of `self`.
    pub fn and(mut self, other: &Evidence) -> Evidence {
        self.relies.extend(other.relies.iter().cloned());
        self
    }
}

/// One thing that must be shown. Close it with the tracker that opened it.
#[derive(Debug)]
#[must_use = "an obligation that is dropped stays open and makes the verdict unknown"]
pub struct Obligation {
    property: Property,
}

/// The obligations of one property of one kernel.
#[derive(Debug)]
pub struct Obligations {
    property: Property,
    listed: bool,
    opened: usize,
    closed: usize,
    discharged: BTreeMap<Method, usize>,
    refutations: Vec<Refutation>,
    reasons: Vec<Reason>,
    assumptions: BTreeSet<Assumption>,
}

impl Obligations {
    /// Nothing listed, nothing shown: concluding now gives unknown. A proof names the premises,
    /// which whatever discharges the obligations takes for granted.
    pub fn new(property: Property, premises: impl IntoIterator<Item = Assumption>) -> Obligations {
        Obligations {
            property,
            listed: false,
            opened: 0,
            closed: 0,
            discharged: BTreeMap::new(),
            refutations: Vec::new(),
            reasons: Vec::new(),
            assumptions: premises.into_iter().collect(),
        }
    }

    /// The property whose obligations these are.
    pub fn property(&self) -> Property {
        self.property
    }

    /// One more thing to show.
    pub fn open(&mut self) -> Obligation {
        self.opened += 1;
        Obligation { property: self.property }
    }

    /// States that everything there is to show has been opened. Opening more afterwards is allowed.
    pub fn all_listed(&mut self) {
        self.listed = true;
    }

    /// Closes an obligation that holds. What the evidence relies on is named by the proof.
    pub fn discharge(&mut self, obligation: Obligation, evidence: Evidence) {
        let Evidence { by, relies } = evidence;
        if self.close(obligation) {
            *self.discharged.entry(by).or_default() += 1;
            self.assumptions.extend(relies);
        }
    }

    /// Closes an obligation that fails.
    pub fn refute(&mut self, obligation: Obligation, refutation: Refutation) {
        self.close(obligation);
        self.refutations.push(refutation);
    }

    /// Closes an obligation that could not be decided.
    pub fn give_up(&mut self, obligation: Obligation, reason: Reason) {
        self.close(obligation);
        self.leave_open(reason);
    }

    /// Records that something, not tied to one obligation, keeps the property from being proved. A
    /// reason that is there already is not repeated.
    pub fn leave_open(&mut self, reason: Reason) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// Names something that discharging relies on.
    pub fn assume(&mut self, assumption: Assumption) {
        self.assumptions.insert(assumption);
    }

    /// Takes over the obligations of a tracker for a part of the same kernel, such as one of
    /// several that ran in parallel. The whole is listed when both are.
    pub fn absorb(&mut self, part: Obligations) {
        let Obligations {
            property,
            listed,
            opened,
            closed,
            discharged,
            refutations,
            reasons,
            assumptions,
        } = part;
        self.listed &= listed;
        self.opened += opened;
        self.closed += closed;
        for (by, count) in discharged {
            *self.discharged.entry(by).or_default() += count;
        }
        self.refutations.extend(refutations);
        self.assumptions.extend(assumptions);
        reasons.into_iter().for_each(|reason| self.leave_open(reason));
        if property != self.property {
            self.leave_open(foreign(property, self.property));
        }
    }

    /// Whether the verdict is refuted or unknown already, whatever else is shown.
    pub fn cannot_be_proved(&self) -> bool {
        !self.refutations.is_empty() || !self.reasons.is_empty()
    }

    /// The verdict: refuted if anything was refuted, else proved if all was listed and discharged,
    /// else unknown. The one place where a [`Proof`] is made.
    pub fn conclude(mut self) -> Verdict {
        if !self.refutations.is_empty() {
            return Verdict::Refuted(self.refutations);
        }
        if self.reasons.is_empty() {
            self.reasons.extend(self.unfinished());
        }
        if !self.reasons.is_empty() {
            return Verdict::Unknown(self.reasons);
        }
        Verdict::Proved(Proof {
            assumptions: self.assumptions.into_iter().collect(),
            methods: self.discharged,
        })
    }

    /// Why these obligations cannot be a proof, where no other reason was given (a pass that stops
    /// early for a reason of its own, such as a spent budget, need not close the rest).
    fn unfinished(&self) -> Option<Reason> {
        let text = if self.opened != self.closed {
            let left = self.opened.abs_diff(self.closed);
            format!("{left} of {} obligations of {} were left open", self.opened, self.property)
        } else if !self.listed {
            format!("the obligations of {} were not all listed", self.property)
        } else {
            return None;
        };
        Some(Reason::new(Code::InternalError, text))
    }

    /// Whether the obligation is one of this property; one of another leaves a reason instead.
    fn close(&mut self, Obligation { property }: Obligation) -> bool {
        if property != self.property {
            self.leave_open(foreign(property, self.property));
            return false;
        }
        self.closed += 1;
        true
    }
}

fn foreign(of: Property, among: Property) -> Reason {
    Reason::new(Code::InternalError, format!("an obligation of {of} was closed as one of {among}"))
}
