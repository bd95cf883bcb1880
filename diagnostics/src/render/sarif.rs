//! SARIF 2.1.0 (OASIS), the form that code-scanning services and editors read.
//!
//! | In Heddle | In SARIF |
//! |---|---|
//! | a code and its page | a rule with `help` (section 3.49) |
//! | a finding that refutes, warns or notes | a result of kind `fail` with its severity as level |
//! | a finding that says what could not be decided | a result of kind `open`, level `none` (3.27.9) |
//! | the accesses of a finding | `locations` for the primary one, `relatedLocations` for the others |
//! | its witness | a code flow with a thread flow for each of the two threads |
//! | an accepted finding | the same, with `suppressions` |
//! | bad input, a fault of ours | notifications of the invocation |
//! | verdicts | the property `verdicts` of the run |
//!
//! Verdicts are no results of kind `pass`, because services show each result as a problem. Paths
//! are relative to `%SRCROOT%`, the folder in which Heddle ran, where they can be; columns count
//! Unicode code points.
//!
//! **Promises**: valid under the official schema (a test holds that); the same report gives the
//! same bytes, without times.
//! **Does not**: name the machine, the user or the command line.

mod flow;
mod place;
mod result;
mod rules;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use serde_sarif::sarif::{
    Invocation, Notification, PropertyBag, ReportingDescriptorReference, Run, Sarif, ToolComponent,
};

use super::escaped;
use super::json as document;
use crate::acceptance::may_be_accepted;
use crate::code::Code;
use crate::exit::ExitCode;
use crate::finding::Finding;
use crate::fingerprint::fingerprints;
use crate::record::VERSION;
use crate::report::Report;
use crate::source::SourceMap;

const SCHEMA: &str = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json";

/// The document of a report.
pub fn report(report: &Report) -> String {
    let driver = ToolComponent::builder()
        .name("Heddle")
        .full_name("Heddle, a verifier for GPU kernels")
        .version(VERSION)
        .semantic_version(VERSION)
        .rules(rules::rules())
        .build();
    let run = Run::builder()
        .tool(driver)
        .invocations(vec![invocation(report)])
        .original_uri_base_ids(place::bases())
        .column_kind(json!("unicodeCodePoints"))
        .results(results(report))
        .properties(bag([("verdicts", verdicts(report))]))
        .build();
    let log = Sarif::builder().version(json!("2.1.0")).schema(SCHEMA).runs(vec![run]).build();
    escaped(serde_json::to_string_pretty(&log).expect("plain data serialises")) + "\n"
}

fn results(report: &Report) -> Vec<serde_sarif::sarif::Result> {
    let sources = report.sources();
    let mut names = fingerprints(sources, report.findings()).into_iter();
    let mut name = || names.next().unwrap_or_default();
    let mut results = Vec::new();
    for finding in report.loose_findings() {
        let name = name();
        if !is_notification(finding) {
            results.push(result::result(sources, finding, None, name));
        }
    }
    for kernel in report.kernels() {
        for finding in &kernel.findings {
            let name = name();
            if !is_notification(finding) {
                results.push(result::result(sources, finding, Some(kernel), name));
            }
        }
    }
    results
}

/// Whether a finding is about the run and not about the code.
fn is_notification(finding: &Finding) -> bool {
    !may_be_accepted(finding.code)
}

fn invocation(report: &Report) -> Invocation {
    let told = |wanted: fn(&Finding) -> bool| -> Vec<Notification> {
        let findings = report.findings().filter(|it| is_notification(it) && wanted(it));
        findings.map(|it| notification(report.sources(), it)).collect()
    };
    let code = report.exit_code();
    Invocation::builder()
        .execution_successful(!matches!(code, ExitCode::Input | ExitCode::Fault))
        .exit_code(i64::from(code.number()))
        .tool_configuration_notifications(told(|it| it.code != Code::InternalError))
        .tool_execution_notifications(told(|it| it.code == Code::InternalError))
        .build()
}

fn notification(sources: &SourceMap, finding: &Finding) -> Notification {
    let at = finding.place().map(|at| place::location(sources, at, None));
    let rule = ReportingDescriptorReference::builder()
        .id(finding.code.number())
        .index(rules::index(finding.code));
    let level = json!(finding.severity.name());
    let text = result::text(finding);
    let notification = Notification::builder().message(&text).level(level).descriptor(rule.build());
    match at {
        Some(at) => notification.locations(vec![at]).build(),
        None => notification.build(),
    }
}

fn verdicts(report: &Report) -> Value {
    let mut all = Vec::new();
    for kernel in report.kernels() {
        for (&property, verdict) in &kernel.verdicts {
            let verdict = document::verdict(report.sources(), kernel, property, verdict);
            let mut value = serde_json::to_value(verdict).expect("plain data serialises");
            value["kernel"] = json!(&*kernel.name);
            value["symbol"] = json!(&*kernel.symbol);
            all.push(value);
        }
    }
    Value::Array(all)
}

fn bag<const N: usize>(entries: [(&str, Value); N]) -> PropertyBag {
    let entries: BTreeMap<_, _> =
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    PropertyBag::builder().additional_properties(entries).build()
}
