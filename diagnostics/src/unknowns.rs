//! Findings for what could not be decided: one for each reason of an unknown verdict that no pass
//! has told.
//!
//! **Promises**: reasons of a kernel with one code and one cause are one finding, at the first of
//! their places, with some of the others beside it and the number of all; to tell them twice is to
//! tell them once. **Does not**: change verdicts, which keep each reason.

use crate::code::Code;
use crate::finding::Finding;
use crate::kernel::KernelReport;
use crate::place_order::key_of_place;
use crate::property::Property;
use crate::reason::{Cause, Reason};
use crate::source::SourceMap;
use crate::span::Place;
use crate::verdict::Verdict;

/// Places that are shown beside the first.
const SHOWN: usize = 5;

/// Adds the findings that are missing.
pub(crate) fn tell(sources: &SourceMap, kernel: &mut KernelReport) {
    let KernelReport { name, symbol: _, place, verdicts, findings } = kernel;
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (&property, verdict) in verdicts.iter() {
        let Verdict::Unknown(reasons) = verdict else { continue };
        for reason in reasons {
            match groups.iter_mut().find(|group| group.has_room_for(reason)) {
                Some(group) => group.add(reason, property),
                None => groups.push(Group { reasons: vec![reason], properties: vec![property] }),
            }
        }
    }
    let added: Vec<_> = groups
        .into_iter()
        .filter_map(|mut group| {
            group.reasons.sort_by_cached_key(|it| {
                let at = it.place.as_ref().or(place.as_ref());
                (at.map(|at| key_of_place(sources, at)), it.text.clone())
            });
            let finding = group.finding(sources, place.as_ref()).kernel(name.clone());
            let is_told = findings.iter().any(|it| group.is_told_by(it, &finding));
            (!is_told).then_some(finding)
        })
        .collect();
    findings.extend(added);
}

/// Reasons that are told together.
struct Group<'a> {
    /// At least one.
    reasons: Vec<&'a Reason>,
    properties: Vec<Property>,
}

impl<'a> Group<'a> {
    fn has_room_for(&self, reason: &Reason) -> bool {
        let first = self.reasons[0];
        let shared = !reason.cause.is_own() && reason.cause == first.cause;
        first == reason || (shared && first.code == reason.code)
    }

    fn add(&mut self, reason: &'a Reason, property: Property) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
        if !self.properties.contains(&property) {
            self.properties.push(property);
        }
    }

    /// Whether a finding that is there says it: this one, or for a single reason any of its code at
    /// its place.
    fn is_told_by(&self, there: &Finding, this: &Finding) -> bool {
        let same_place = there.code == this.code && there.place() == this.place();
        same_place && (self.reasons.len() == 1 || there.message == this.message)
    }

    fn finding(&self, sources: &SourceMap, kernel: Option<&Place>) -> Finding {
        let Reason { code, text, place: at, cause, proved_if: _ } = self.reasons[0];
        let mut others: Vec<&Place> = Vec::new();
        for place in self.reasons.iter().filter_map(|it| it.place.as_ref()) {
            let key = |it: &Place| key_of_place(sources, it);
            let is_new = |it: &&Place| key(it) != key(place);
            if at.as_ref().is_some_and(|at| is_new(&at)) && others.iter().all(is_new) {
                others.push(place);
            }
        }
        let more = match others.len() {
            0 => String::new(),
            1 => " (and at 1 more place)".to_owned(),
            count => format!(" (and at {count} more places)"),
        };
        let names: Vec<_> = self.properties.iter().map(|property| property.name()).collect();
        let mut finding = Finding::new(*code, format!("{text}{more}"))
            .note(format!("this leaves unknown: {}", names.join(", ")));
        finding = match (at, kernel) {
            (Some(at), _) => finding.label(at.clone(), "here"),
            (None, Some(kernel)) => finding.label(kernel.clone(), "in this kernel"),
            (None, None) => finding,
        };
        for place in others.iter().take(SHOWN) {
            finding = finding.secondary((*place).clone(), "and here");
        }
        let mut conditions: Vec<&str> =
            self.reasons.iter().filter_map(|it| it.proved_if.as_deref()).collect();
        conditions.dedup();
        for condition in &conditions {
            finding = finding.note(format!("with `--assume '{condition}'` it is proved"));
        }
        match way_out(*code, cause) {
            Some(help) if conditions.is_empty() => finding.help(help),
            Some(_) | None => finding,
        }
    }
}

/// What a user can do about a spent budget.
fn way_out(code: Code, cause: &Cause) -> Option<&'static str> {
    if code != Code::BudgetSpent {
        return None;
    }
    Some(match cause {
        Cause::KernelWork => {
            "`heddle check --budget 8` looks further, and in a build `-heddle-budget=1`; or say more of the launch"
        }
        Cause::KernelTime => "a larger `--max-time` looks further; or say more of the launch",
        Cause::Own | Cause::Question(_) | Cause::NotModelled(_) | Cause::Other(_) => {
            "say more of the launch, with `--block`, `--grid`, `--arg` or `--assume`, or give `--budget 8`"
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::span::Location;

    fn told(reasons: Vec<Reason>) -> Vec<Finding> {
        let sources = SourceMap::new("/p");
        // The first file of a map, as that of `spent` is.
        sources.add("k.cu");
        let verdicts = BTreeMap::from([
            (Property::IntraWarpRace, Verdict::Unknown(reasons.clone())),
            (Property::IntraBlockRace, Verdict::Unknown(reasons)),
        ]);
        let mut kernel = KernelReport {
            name: "k".into(),
            symbol: "k".into(),
            place: None,
            verdicts,
            findings: Vec::new(),
        };
        tell(&sources, &mut kernel);
        let first = kernel.findings.clone();
        tell(&sources, &mut kernel);
        assert_eq!(kernel.findings, first, "telling twice");
        first
    }

    fn spent(line: u32, cause: &str) -> Reason {
        let sources = SourceMap::new("/p");
        let at = Location::new(sources.add("k.cu"), line, 1);
        Reason::new(Code::BudgetSpent, format!("line {line}: {cause}"))
            .at(at)
            .because(Cause::Other(cause.to_owned()))
    }

    #[test]
    fn one_cause_is_told_once_with_its_places() {
        let findings = told((1..20).rev().map(|line| spent(line, "spent")).collect());
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].message, "line 1: spent (and at 18 more places)");
        assert_eq!(findings[0].secondary.len(), SHOWN);
        assert_eq!(findings[0].notes.len(), 1);
    }

    #[test]
    fn other_causes_and_reasons_without_one_stand_alone() {
        let alone = |line| Reason { cause: Cause::Own, ..spent(line, "x") };
        let findings = told(vec![spent(1, "a"), spent(2, "b"), spent(3, "a"), alone(4), alone(5)]);
        let messages: Vec<_> = findings.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(
            messages,
            ["line 1: a (and at 1 more place)", "line 2: b", "line 4: x", "line 5: x"]
        );
    }
}
