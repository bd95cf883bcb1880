//! JUnit XML: a test suite per file, a test case per kernel and property, for the test pages of CI
//! systems.
//!
//! Proved is a success. What counts as refuted is a failure, what counts as unknown an error; each
//! has its findings as people read them. What does not count (accepted, or below the severity that
//! fails) is skipped, with the reason. Findings of no kernel, such as bad input, are errors of a
//! suite called `input`.
//!
//! **Promises**: no times, hosts or random names: the same report gives the same bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::{human, one_line};
use crate::code::Severity;
use crate::kernel::KernelReport;
use crate::property::Property;
use crate::report::Report;
use crate::source::SourceMap;
use crate::span::Place;
use crate::standing::{Standing, standing, told_by};
use crate::verdict::Verdict;

/// The document of a report.
pub fn report(report: &Report) -> String {
    let sources = report.sources();
    let mut document = quick_junit::Report::new("heddle");
    let errors = || report.loose_findings().iter().filter(|it| it.severity == Severity::Error);
    if errors().next().is_some() {
        let mut suite = TestSuite::new("input");
        for finding in errors() {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type(finding.code.number()).set_message(one_line(&finding.message));
            status.set_description(human::finding(sources, finding, human::Options::default()));
            suite.add_test_case(TestCase::new(finding.code.slug(), status));
        }
        document.add_test_suite(suite);
    }
    if let Some(why) = report.nothing_checked() {
        let mut suite = TestSuite::new("input");
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(one_line(&why));
        suite.add_test_case(TestCase::new("nothing-checked", status));
        document.add_test_suite(suite);
    }
    let mut suites = BTreeMap::<Arc<str>, TestSuite>::new();
    for kernel in report.kernels() {
        let file = kernel.place.as_ref().and_then(Place::file);
        let file = file.map_or("kernels".into(), |file| sources.display_path(file));
        let suite = suites.entry(file.clone()).or_insert_with(|| TestSuite::new(one_line(&file)));
        for (&property, verdict) in &kernel.verdicts {
            suite.add_test_case(case(sources, kernel, property, verdict));
        }
    }
    document.add_test_suites(suites.into_values());
    // Writing into memory fails on text that XML cannot hold; the library has taken that out.
    document.to_string().expect("a document in memory")
}

fn case(
    sources: &SourceMap,
    kernel: &KernelReport,
    property: Property,
    verdict: &Verdict,
) -> TestCase {
    let mut case = TestCase::new(property.name(), status(sources, kernel, verdict));
    case.set_classname(one_line(&kernel.name));
    case
}

fn status(sources: &SourceMap, kernel: &KernelReport, verdict: &Verdict) -> TestCaseStatus {
    let kind = match verdict {
        Verdict::Proved(_) => return TestCaseStatus::success(),
        Verdict::Refuted(_) => NonSuccessKind::Failure,
        Verdict::Unknown(_) => NonSuccessKind::Error,
    };
    match (standing(kernel, verdict), verdict) {
        (Standing::Accepted(acceptance), _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(one_line(&format!("{}, {}", verdict.name(), acceptance.words())));
            status
        }
        (Standing::Counts(Severity::Note), _)
        | (Standing::Counts(Severity::Warning), Verdict::Refuted(_)) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("{}, and does not count", verdict.name()));
            status
        }
        (Standing::Counts(_) | Standing::Proved, _) => {
            let told = told_by(kernel, verdict);
            let told: Vec<_> = told.into_iter().filter(|it| it.accepted.is_none()).collect();
            let mut status = TestCaseStatus::non_success(kind);
            if let Some(first) = told.first() {
                status.set_type(first.code.number()).set_message(one_line(&first.message));
            }
            let text = |it| human::finding(sources, it, human::Options::default());
            let texts: Vec<_> = told.into_iter().map(text).collect();
            status.set_description(texts.join("\n\n"));
            status
        }
    }
}
