//! A finding as a SARIF result.

use serde_json::{Value, json};
use serde_sarif::sarif::{Location, Result, ResultKind, ResultLevel, Suppression};

use super::{bag, flow, place, rules};
use crate::acceptance::Acceptance;
use crate::code::{Family, Severity};
use crate::finding::Finding;
use crate::fingerprint::KEY;
use crate::kernel::KernelReport;
use crate::source::SourceMap;
use crate::span::Place;
use crate::witness::Confirmation;

/// The result of one finding.
pub(super) fn result(
    sources: &SourceMap,
    finding: &Finding,
    kernel: Option<&KernelReport>,
    fingerprint: String,
) -> Result {
    let (kind, level) = kind(finding);
    let mut result = Result::builder()
        .rule_id(finding.code.number())
        .rule_index(rules::index(finding.code))
        .kind(kind)
        .level(level)
        .message(&text(finding))
        .locations(vec![main_location(sources, finding, kernel)])
        .partial_fingerprints([(KEY.to_owned(), fingerprint)])
        .properties(bag([
            ("severity", json!(finding.severity.name())),
            ("kernel", json!(finding.kernel.as_deref())),
            ("replay", replay(finding)),
            ("reach", reach(finding)),
        ]))
        .build();
    let related = related(sources, finding);
    result.related_locations = (!related.is_empty()).then_some(related);
    result.code_flows = flow::of(sources, finding, kernel).map(|flow| vec![flow]);
    // An empty list says that suppressions were looked for and none was found (3.27.23).
    result.baseline_state = match finding.accepted {
        Some(Acceptance::Baseline) => Some(json!("unchanged")),
        Some(Acceptance::Source { .. } | Acceptance::Ignored) | None => None,
    };
    result.suppressions =
        Some(finding.accepted.iter().map(|it| suppression(sources, it)).collect());
    result
}

/// The message, the accesses after the first one in words, then notes and what would help.
pub(super) fn text(finding: &Finding) -> String {
    let notes = finding.notes.iter().map(|note| format!("\nnote: {note}"));
    let helps = finding.helps.iter().map(|help| format!("\nhelp: {help}"));
    notes.chain(helps).fold(finding.message.clone(), |text, more| text + &more)
}

fn kind(finding: &Finding) -> (ResultKind, ResultLevel) {
    match (finding.code.family(), finding.severity) {
        // Of any kind but `fail`, the level is `none` (3.27.10).
        (Family::NotModelled, _) => (ResultKind::Open, ResultLevel::None),
        (_, Severity::Error) => (ResultKind::Fail, ResultLevel::Error),
        (_, Severity::Warning) => (ResultKind::Fail, ResultLevel::Warning),
        (_, Severity::Note) => (ResultKind::Fail, ResultLevel::Note),
    }
}

fn main_location(
    sources: &SourceMap,
    finding: &Finding,
    kernel: Option<&KernelReport>,
) -> Location {
    let message = finding.labels.get(finding.primary).map(|label| label.text.as_str());
    let at = finding.place().or_else(|| kernel.and_then(|it| it.place.as_ref()));
    let mut location = match at {
        Some(at) => place::location(sources, at, message),
        None => Location::builder().build(),
    };
    if location.logical_locations.is_none()
        && let Some(name) = &finding.kernel
    {
        location.logical_locations = Some(vec![place::function(name)]);
    }
    location
}

/// The other accesses, other places, and the calls that all were inlined through. Their ids are
/// those of the labels.
fn related(sources: &SourceMap, finding: &Finding) -> Vec<Location> {
    let mut related = Vec::new();
    let mut add = |place: &Place, text: &str| {
        let mut location = place::location(sources, place, Some(text));
        location.id = i64::try_from(related.len() + 1).ok();
        related.push(location);
    };
    for (index, label) in finding.labels.iter().enumerate() {
        if index != finding.primary {
            add(&label.place, &label.text);
        }
    }
    for label in &finding.secondary {
        add(&label.place, &label.text);
    }
    for label in &finding.labels {
        for call in label.place.inlined_at() {
            add(&Place::Source(call.clone()), &format!("inlined here: {}", label.text));
        }
    }
    related
}

/// For which launches there is the run, and the launch or the condition.
fn reach(finding: &Finding) -> Value {
    let reach = finding.witness.as_ref().map(|it| &it.reach);
    reach.map_or(Value::Null, |it| json!({ "kind": it.name(), "detail": it.detail() }))
}

fn replay(finding: &Finding) -> Value {
    match &finding.confirmation {
        Some(confirmation @ Confirmation::Confirmed) => json!(confirmation.name()),
        Some(
            confirmation @ (Confirmation::Unconfirmed(reason)
            | Confirmation::NotReplayed(_, reason)),
        ) => json!(format!("{}: {reason}", confirmation.name())),
        None => Value::Null,
    }
}

fn suppression(sources: &SourceMap, acceptance: &Acceptance) -> Suppression {
    let mut suppression = Suppression::builder()
        .kind(json!("external"))
        .status(json!("accepted"))
        .justification(acceptance.words())
        .build();
    match acceptance {
        Acceptance::Source { reason, place: at } => {
            suppression.kind = json!("inSource");
            suppression.justification = Some(reason.clone());
            suppression.location = Some(place::location(sources, at, None));
        }
        Acceptance::Baseline | Acceptance::Ignored => {}
    }
    suppression
}
