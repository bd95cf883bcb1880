//! What was found of one kernel, as a value. A report has those of one run, in order.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::finding::Finding;
use crate::property::Property;
use crate::span::Place;
use crate::verdict::Verdict;

/// What was found of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelReport {
    /// The readable name, as in findings.
    pub name: Arc<str>,
    /// The name in the module (mangled).
    pub symbol: Arc<str>,
    /// Where the kernel is defined.
    pub place: Option<Place>,
    /// The answer for each property that was asked for.
    pub verdicts: BTreeMap<Property, Verdict>,
    /// Findings about it.
    pub findings: Vec<Finding>,
}
