//! Under which condition a property is proved that is unknown.
//!
//! **What**: a condition of few parts, in the language of `--assume`.
//! **Method**: there is no run that says which condition is missing. So everything that an engineer
//! would say of a launch is assumed at once: one block size, numbers that are positive, no larger
//! than what is common, multiples of 32. If that does not help, no part of it does, and the search
//! is over. Else one part after the other is left out, those first that say most; what the
//! proof does without stays out.
//! **Sound because** what is told is what the last proof assumed, by the same check that `--assume`
//! asks for.
//! **Misses**: relations between numbers that are not listed; values of arrays; a weaker condition
//! that needs two parts exchanged for a third.
//! **Assumes**: what the proof names.

use heddle_diagnostics::{Code, Property, Reason, Verdict};

use super::Search;
use super::candidates::{self, Candidate};

impl Search<'_> {
    /// The condition under which the property is proved, if one is found. What helped another
    /// property is tried first.
    pub(super) fn settle(
        &mut self,
        property: Property,
        reasons: &[Reason],
        known: &[String],
    ) -> Option<String> {
        // No number says what an instruction does that is not modelled.
        let may_help = |it: &Reason| matches!(it.code, Code::Undecided | Code::BudgetSpent);
        if !reasons.iter().any(may_help) {
            return None;
        }
        for text in known {
            let parts: Vec<Candidate> = Candidate::of(self.kernel, text).into_iter().collect();
            if self.is_proved(property, &parts) {
                return Some(text.clone());
            }
        }
        let all = candidates::common(self.kernel);
        let mut parts = self.possible(&all);
        if parts.is_empty() || !self.is_proved(property, &parts) {
            return None;
        }
        for part in all.iter().rev() {
            let rest: Vec<Candidate> =
                parts.iter().filter(|it| it.text != part.text).cloned().collect();
            if rest.len() < parts.len() && !rest.is_empty() && self.is_proved(property, &rest) {
                parts = rest;
            }
        }
        let texts: Vec<_> = parts.iter().map(|it| it.text.as_str()).collect();
        Some(texts.join(" && "))
    }

    /// Those that can hold together with what is said of the launch, in their order.
    fn possible(&mut self, all: &[Candidate]) -> Vec<Candidate> {
        let mut parts: Vec<Candidate> = Vec::new();
        for part in all {
            parts.push(part.clone());
            if !self.can_hold(&parts) {
                parts.pop();
            }
        }
        parts
    }

    fn is_proved(&mut self, property: Property, parts: &[Candidate]) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        matches!(self.answer(property, parts), Some(Verdict::Proved(_)))
    }
}
