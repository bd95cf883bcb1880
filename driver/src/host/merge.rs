//! The reports of one kernel under each launch of the host, as one report.
//!
//! **What**: a property is proved if it is under each launch, and refuted if it is under one.
//! **Sound because** a proof names its launch ([`heddle_diagnostics::Verdict::or_launched`]). That
//! pointers do not overlap is no assumption where the host gives them memory of their own, and is
//! none to rely on where it gives two of them the same.
//! **Misses**: memory that two parameters share and that a proof does not need apart.

use heddle_diagnostics::{Assumption, Code, KernelReport, Reach, Reason, Verdict, Witness};
use heddle_ir::{Kernel, ObjectId};
use heddle_passes::launch::{HostFacts, SharedMemory};

use super::shared;

/// One report of those under each launch, at least one.
pub(crate) fn merged(
    kernel: &Kernel,
    reports: Vec<(KernelReport, Option<&HostFacts>)>,
) -> Option<KernelReport> {
    let known = |(mut report, host): (KernelReport, Option<&HostFacts>)| {
        if let Some(host) = host {
            for verdict in report.verdicts.values_mut() {
                let own = std::mem::replace(verdict, Verdict::Unknown(Vec::new()));
                *verdict = launched(knowing(kernel, own, host), host);
            }
            let runs = report.findings.iter_mut().filter_map(|it| it.witness.as_mut());
            runs.for_each(|it| reaches(it, host));
        }
        report
    };
    reports.into_iter().map(known).reduce(|mut one, other| {
        let KernelReport { name: _, symbol: _, place: _, verdicts, findings } = other;
        for (property, verdict) in verdicts {
            let both = match one.verdicts.remove(&property) {
                Some(own) => own.or_launched(verdict),
                None => verdict,
            };
            one.verdicts.insert(property, both);
        }
        one.findings.extend(findings);
        one
    })
}

/// A report of any launch, where what is said excludes those of the host: what they share is shared
/// memory still, so that pointers do not overlap is none to rely on.
pub(crate) fn beside(
    kernel: &Kernel,
    mut report: KernelReport,
    excluded: &[&HostFacts],
) -> KernelReport {
    for verdict in report.verdicts.values_mut() {
        let own = std::mem::replace(verdict, Verdict::Unknown(Vec::new()));
        *verdict = excluded.iter().fold(own, |own, host| sharing(kernel, own, host));
    }
    report
}

/// Says that what is refuted is refuted at a launch of the host.
fn launched(verdict: Verdict, host: &HostFacts) -> Verdict {
    match verdict {
        Verdict::Refuted(mut all) => {
            all.iter_mut().for_each(|it| reaches(&mut it.witness, host));
            Verdict::Refuted(all)
        }
        other @ (Verdict::Proved(_) | Verdict::Unknown(_)) => other,
    }
}

/// Says for which launches there is a run that was found at this one of the host.
///
/// That the program does it is said where no caller that was not read has a say in it, and the run
/// does not rest on what memory holds.
fn reaches(witness: &mut Witness, host: &HostFacts) {
    let at = host.at.clone();
    let mut values = host.open.clone();
    for held in &witness.rests_on {
        if !values.contains(&held.name) {
            values.push(held.name.clone());
        }
    }
    let reach = &mut witness.reach;
    match reach {
        // A condition that was looked for says more.
        Reach::Unless(_) => {}
        Reach::Open | Reach::Always | Reach::Launched(_) | Reach::Called { .. } => {
            *reach = match values.is_empty() {
                true => Reach::Launched(at),
                false => Reach::Called { at, values },
            };
        }
    }
}

/// Takes from a report what rests on two pointers being two that some launch gives twice.
pub(crate) fn lacking(kernel: &Kernel, report: &mut KernelReport, host: &HostFacts) {
    for verdict in report.verdicts.values_mut() {
        let own = std::mem::replace(verdict, Verdict::Unknown(Vec::new()));
        *verdict = sharing(kernel, own, host);
    }
}

/// What an answer is worth where the host says what memory the pointers lead to.
fn knowing(kernel: &Kernel, verdict: Verdict, host: &HostFacts) -> Verdict {
    match sharing(kernel, verdict, host) {
        it if host.pointers.apart => it.given(&Assumption::DistinctPointers),
        it => it,
    }
}

/// What is left of a proof where the host may give two pointers the same memory: nothing, if it
/// takes for granted that pointers do not overlap.
fn sharing(kernel: &Kernel, verdict: Verdict, host: &HostFacts) -> Verdict {
    let left = shared::left(kernel, host);
    let matters = |it: &&SharedMemory| {
        [it.one, it.other].iter().any(|object| shared::is_written(kernel, *object))
    };
    match (left.iter().find(matters), &verdict) {
        (Some(SharedMemory { one, other, by: _ }), Verdict::Proved(proof))
            if proof.assumptions().contains(&Assumption::DistinctPointers) =>
        {
            let name = |object: ObjectId| &kernel[object].name;
            let text = format!(
                "the launch at {} may give `{}` and `{}` the same memory, and the proof takes it for granted that pointers do not overlap",
                host.at,
                name(*one),
                name(*other)
            );
            Verdict::unknown(Reason::new(Code::Undecided, text))
        }
        _ => verdict,
    }
}

/// Whether a property is unknown.
pub(crate) fn is_open(report: &KernelReport) -> bool {
    report.verdicts.values().any(|it| matches!(it, Verdict::Unknown(_)))
}

/// The names of the properties that are unknown.
pub(crate) fn open(report: &KernelReport) -> Vec<String> {
    let unknown = report.verdicts.iter().filter(|(_, it)| matches!(it, Verdict::Unknown(_)));
    unknown.map(|(property, _)| property.name().to_owned()).collect()
}

/// Takes over what is proved under weaker facts.
pub(crate) fn decide(report: &mut KernelReport, weaker: KernelReport) {
    for (property, verdict) in weaker.verdicts {
        if matches!(verdict, Verdict::Proved(_)) {
            report.verdicts.insert(property, verdict);
        }
    }
    if !is_open(report) {
        // Nothing is left that these are about.
        report.findings.retain(|it| !matches!(it.code, Code::Undecided | Code::BudgetSpent));
    }
}
