//! What a check is.

use heddle_diagnostics::{Code, Findings, Property, Verdict};
use heddle_ir::Kernel;

use crate::engine::cx::Cx;

/// A check: decides one property.
pub trait Pass: Sync {
    /// What it decides.
    fn property(&self) -> Property;
    /// One line for `heddle passes`.
    fn summary(&self) -> &'static str;
    /// What it may report.
    fn codes(&self) -> &'static [Code];
    /// Whether the kernel has anything that it is about; if not, nothing is said of the property.
    fn concerns(&self, kernel: &Kernel) -> bool {
        let _ = kernel;
        true
    }
    /// Whether it runs only where it is asked for, by its name or by what concerns it alone.
    fn is_extra(&self) -> bool {
        false
    }
    /// Whether it runs where these are selected (all but the extra ones, if none are) and these
    /// asked for besides.
    fn is_wanted(&self, selected: &[String], extra: &[String]) -> bool {
        let names = |list: &[String]| list.iter().any(|name| name == self.name());
        let all = selected.is_empty() && !self.is_extra();
        all || names(selected) || names(extra)
    }
    /// Decides it; findings go to `out`.
    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict;
    /// Its name, which is that of its property.
    fn name(&self) -> &'static str {
        self.property().name()
    }
}
