//! The registry of codes as SARIF rules: all of them, so that a rule's index does not depend on
//! what was found.
//!
//! A rule carries its whole page (`help.markdown`). There is no `helpUri`: a page has no address
//! that a viewer could open, and nothing in it links to one.

use serde_json::json;
use serde_sarif::sarif::{MultiformatMessageString, ReportingConfiguration, ReportingDescriptor};

use super::bag;
use crate::code::{Code, Family};

/// All rules, in the order of the codes.
pub(super) fn rules() -> Vec<ReportingDescriptor> {
    Code::ALL.iter().map(|&code| rule(code)).collect()
}

/// Where a code's rule stands in [`rules`].
pub(super) fn index(code: Code) -> i64 {
    let index = Code::ALL.iter().position(|it| *it == code).unwrap_or_default();
    i64::try_from(index).unwrap_or_default()
}

fn rule(code: Code) -> ReportingDescriptor {
    let page = code.page();
    let level = json!(code.severity().name());
    let precision = match code.family() {
        Family::NotModelled => "low",
        Family::Races
        | Family::Barriers
        | Family::Memory
        | Family::Convergence
        | Family::Progress
        | Family::Assertions
        | Family::Tool => "very-high",
    };
    let properties = bag([
        ("tags", json!([code.family().title()])),
        ("precision", json!(precision)),
        (
            "problem.severity",
            json!(if level == "note" { json!("recommendation") } else { level.clone() }),
        ),
    ]);
    ReportingDescriptor::builder()
        .id(code.number())
        .name(pascal(code.slug()))
        .short_description(plain(code.title()))
        .full_description(plain(&summary(page)))
        .help(MultiformatMessageString::builder().text(page).markdown(page).build())
        .default_configuration(ReportingConfiguration::builder().level(level).build())
        .properties(properties)
        .build()
}

fn plain(text: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(text).build()
}

/// The first paragraph after the page's heading, on one line.
fn summary(page: &str) -> String {
    let lines = page.lines().skip(1).skip_while(|line| line.trim().is_empty());
    let paragraph: Vec<_> = lines.take_while(|line| !line.trim().is_empty()).collect();
    paragraph.join(" ")
}

/// `intra-block-race` as `IntraBlockRace`, the form in which rules are named.
fn pascal(slug: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    slug.split('-').map(word).collect()
}
