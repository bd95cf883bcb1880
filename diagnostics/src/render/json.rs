//! One JSON document per run, for programs.
//!
//! # Schema (version 1)
//! Fields are only ever added; a change that breaks readers raises `schema`. Absent values are
//! `null`, lists may be empty. Paths are display paths, lines and columns 1-based (`column` may be
//! `null`), `ordinal` 0-based.
//!
//! ```text
//! document    { schema: 1, exit_code: 0..4, kernels: [kernel], findings: [finding], gone: [known],
//!               project: project, only with `-p` }
//!             `findings` holds those of no kernel, such as bad input
//! project     { units: [path], host_units, foreign_units: {language: count}, shard: [index, count]|null, identity,
//!               unmet: [option] }
//! known       { file, kernel, code, fingerprint, message }          of the baseline, and found no more
//! kernel      { name, symbol, place: place|null, verdicts: [verdict], findings: [finding] }
//! verdict     { property, verdict: "proved"|"refuted"|"unknown",
//!               assumptions: [string], methods: {name: count},                       proved
//!               refutations: [{ code, witness, confirmation }],                      refuted
//!               reasons: [{ code, text, place: place|null, proved_if?: string }],    unknown
//!               accepted: as of a finding: why what is not proved does not count }
//!             `proved_if`: the condition that `--infer` found, under which the property is proved
//! finding     { code, slug, severity: "error"|"warning"|"note", kernel: string|null, message,
//!               place: place|null, labels: [label], primary: 1.. | null, secondary: [label],
//!               notes: [string], helps: [string], fingerprint: string,
//!               accepted: { by: "source"|"baseline"|"ignored", reason: string|null, place: place|null } | null,
//!               witness: witness|null, confirmation: confirmation|null }
//! label       { number: 1.. | null, place, text }          `number` is null for secondary labels;
//!             `primary` is the number of the label whose place is the finding's `place`
//! place       { kind: "source", path, line, column, function, inlined_at: [{ path, line, column, function }] }
//!           | { kind: "instruction", path, function, ordinal, text }
//! witness     { grid: [x,y,z], block: [x,y,z], threads: [{ block: [x,y,z], thread: [x,y,z] } × 2],
//!               arguments: [{ name, value }], rests_on: [{ name, value }], bytes, iterations: [{ name, of: [number|null × 2] }], interval,
//!               reach: { kind: "open"|"always"|"launched"|"called"|"unless", detail: string|null } }   `detail`: the launch,
//!             or the condition under which the property is proved
//! confirmation { state: "confirmed"|"unconfirmed"|"not-replayed", reason }
//! ```
//!
//! **Promises**: the same report gives the same bytes; two-space indentation, one line break at the
//! end.

use std::collections::BTreeMap;

use serde::Serialize;

use super::escaped;
use crate::acceptance::Acceptance;
use crate::finding::{Finding, Label};
use crate::fingerprint::fingerprints;
use crate::kernel::KernelReport;
use crate::known::Known;
use crate::property::Property;
use crate::reason::Reason;
use crate::report::Report;
use crate::scope::Scope;
use crate::source::SourceMap;
use crate::span::{InstructionPlace, Location, Place};
use crate::standing::{Standing, standing};
use crate::verdict::{Refutation, Verdict};
use crate::witness::{Binding, Confirmation, Dim3, Iteration, ThreadId, Witness};

/// The version in the document's `schema` field.
pub(crate) const SCHEMA: u32 = 1;

/// The document of a report.
pub fn report(report: &Report) -> String {
    let sources = report.sources();
    let mut names = fingerprints(sources, report.findings()).into_iter();
    let mut name = || names.next().unwrap_or_default();
    // In the order of `Report::findings`, in which the fingerprints are.
    let findings = report.loose_findings().iter().map(|it| finding(sources, it, name())).collect();
    let document = Document {
        schema: SCHEMA,
        exit_code: report.exit_code().number(),
        kernels: report.kernels().iter().map(|it| kernel(sources, it, &mut name)).collect(),
        findings,
        gone: report.gone(),
        project: report.scope().map(project),
    };
    escaped(serde_json::to_string_pretty(&document).expect("plain data serialises")) + "\n"
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    exit_code: u8,
    kernels: Vec<KernelJson<'a>>,
    findings: Vec<FindingJson<'a>>,
    gone: &'a [Known],
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<ProjectJson<'a>>,
}

#[derive(Serialize)]
struct ProjectJson<'a> {
    units: &'a [String],
    host_units: usize,
    foreign_units: &'a BTreeMap<String, usize>,
    shard: Option<(u32, u32)>,
    identity: &'a str,
    unmet: &'a [String],
}

#[derive(Serialize)]
struct KernelJson<'a> {
    name: &'a str,
    symbol: &'a str,
    place: Option<PlaceJson<'a>>,
    verdicts: Vec<VerdictJson<'a>>,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
pub(super) struct VerdictJson<'a> {
    property: &'static str,
    verdict: &'static str,
    assumptions: Vec<String>,
    methods: BTreeMap<&'a str, usize>,
    refutations: Vec<RefutationJson<'a>>,
    reasons: Vec<ReasonJson<'a>>,
    accepted: Option<AcceptedJson<'a>>,
}

#[derive(Serialize)]
struct RefutationJson<'a> {
    code: &'static str,
    witness: WitnessJson<'a>,
    confirmation: ConfirmationJson<'a>,
}

#[derive(Serialize)]
struct ReasonJson<'a> {
    code: &'static str,
    text: &'a str,
    place: Option<PlaceJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_if: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct FindingJson<'a> {
    code: &'static str,
    slug: &'static str,
    severity: &'static str,
    kernel: Option<&'a str>,
    message: &'a str,
    place: Option<PlaceJson<'a>>,
    labels: Vec<LabelJson<'a>>,
    primary: Option<usize>,
    secondary: Vec<LabelJson<'a>>,
    notes: &'a [String],
    helps: &'a [String],
    fingerprint: String,
    accepted: Option<AcceptedJson<'a>>,
    witness: Option<WitnessJson<'a>>,
    confirmation: Option<ConfirmationJson<'a>>,
}

#[derive(Serialize)]
struct AcceptedJson<'a> {
    by: &'static str,
    reason: Option<&'a str>,
    place: Option<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct LabelJson<'a> {
    number: Option<usize>,
    place: PlaceJson<'a>,
    text: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum PlaceJson<'a> {
    Source {
        #[serde(flatten)]
        at: PointJson<'a>,
        inlined_at: Vec<PointJson<'a>>,
    },
    Instruction {
        path: Option<String>,
        function: &'a str,
        ordinal: u32,
        text: Option<&'a str>,
    },
}

#[derive(Serialize)]
pub(super) struct PointJson<'a> {
    path: String,
    line: u32,
    column: Option<u32>,
    function: Option<&'a str>,
}

#[derive(Serialize)]
struct WitnessJson<'a> {
    grid: [u32; 3],
    block: [u32; 3],
    threads: [ThreadJson; 2],
    arguments: Vec<BindingJson<'a>>,
    rests_on: Vec<BindingJson<'a>>,
    bytes: Option<&'a str>,
    iterations: Vec<IterationJson<'a>>,
    interval: Option<&'a str>,
    reach: ReachJson<'a>,
}

#[derive(Serialize)]
struct ReachJson<'a> {
    kind: &'static str,
    detail: Option<&'a str>,
}

#[derive(Serialize)]
struct ThreadJson {
    block: [u32; 3],
    thread: [u32; 3],
}

#[derive(Serialize)]
struct BindingJson<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct IterationJson<'a> {
    name: &'a str,
    of: [Option<u64>; 2],
}

#[derive(Serialize)]
struct ConfirmationJson<'a> {
    state: &'static str,
    reason: Option<&'a str>,
}

fn kernel<'a>(
    sources: &SourceMap,
    kernel: &'a KernelReport,
    fingerprint: &mut dyn FnMut() -> String,
) -> KernelJson<'a> {
    let KernelReport { name, symbol, place: at, verdicts, findings } = kernel;
    KernelJson {
        name,
        symbol,
        place: at.as_ref().map(|at| place(sources, at)),
        verdicts: verdicts.iter().map(|(&of, it)| verdict(sources, kernel, of, it)).collect(),
        findings: findings.iter().map(|it| finding(sources, it, fingerprint())).collect(),
    }
}

fn project(scope: &Scope) -> ProjectJson<'_> {
    let Scope { units, host_units, foreign_units, shard, identity, unmet, files: _, looked_up: _ } =
        scope;
    ProjectJson { units, host_units: *host_units, foreign_units, shard: *shard, identity, unmet }
}

pub(super) fn verdict<'a>(
    sources: &SourceMap,
    kernel: &'a KernelReport,
    property: Property,
    verdict: &'a Verdict,
) -> VerdictJson<'a> {
    let acceptance = match standing(kernel, verdict) {
        Standing::Accepted(acceptance) => Some(acceptance),
        Standing::Proved | Standing::Counts(_) => None,
    };
    let mut out = VerdictJson {
        property: property.name(),
        verdict: verdict.name(),
        assumptions: Vec::new(),
        methods: BTreeMap::new(),
        refutations: Vec::new(),
        reasons: Vec::new(),
        accepted: acceptance.map(|it| accepted(sources, it)),
    };
    match verdict {
        Verdict::Proved(proof) => {
            out.assumptions = proof.assumptions().iter().map(|it| it.to_string()).collect();
            out.methods = proof.methods().iter().map(|(by, count)| (by.name(), *count)).collect();
        }
        Verdict::Refuted(refutations) => {
            out.refutations = refutations.iter().map(refutation).collect();
        }
        Verdict::Unknown(reasons) => {
            out.reasons = reasons.iter().map(|it| reason(sources, it)).collect();
        }
    }
    out
}

fn refutation(
    Refutation { code, witness: run, confirmation: state }: &Refutation,
) -> RefutationJson<'_> {
    RefutationJson { code: code.number(), witness: witness(run), confirmation: confirmation(state) }
}

fn reason<'a>(
    sources: &SourceMap,
    Reason { code, text, place: at, cause: _, proved_if }: &'a Reason,
) -> ReasonJson<'a> {
    let place = at.as_ref().map(|at| place(sources, at));
    ReasonJson { code: code.number(), text, place, proved_if: proved_if.as_deref() }
}

pub(super) fn finding<'a>(
    sources: &SourceMap,
    it: &'a Finding,
    fingerprint: String,
) -> FindingJson<'a> {
    let Finding {
        code,
        severity,
        kernel,
        message,
        labels,
        primary,
        secondary,
        notes,
        helps,
        witness: run,
        confirmation: state,
        accepted: acceptance,
    } = it;
    let number = |(index, it)| label(sources, it, Some(index + 1));
    FindingJson {
        code: code.number(),
        slug: code.slug(),
        severity: severity.name(),
        kernel: kernel.as_deref(),
        message,
        place: it.place().map(|at| place(sources, at)),
        labels: labels.iter().enumerate().map(number).collect(),
        primary: (*primary < labels.len()).then_some(*primary + 1),
        secondary: secondary.iter().map(|it| label(sources, it, None)).collect(),
        notes,
        helps,
        fingerprint,
        accepted: acceptance.as_ref().map(|it| accepted(sources, it)),
        witness: run.as_ref().map(witness),
        confirmation: state.as_ref().map(confirmation),
    }
}

fn accepted<'a>(sources: &SourceMap, acceptance: &'a Acceptance) -> AcceptedJson<'a> {
    match acceptance {
        Acceptance::Source { reason, place: at } => {
            AcceptedJson { by: "source", reason: Some(reason), place: Some(place(sources, at)) }
        }
        Acceptance::Baseline => AcceptedJson { by: "baseline", reason: None, place: None },
        Acceptance::Ignored => AcceptedJson { by: "ignored", reason: None, place: None },
    }
}

fn label<'a>(sources: &SourceMap, label: &'a Label, number: Option<usize>) -> LabelJson<'a> {
    LabelJson { number, place: place(sources, &label.place), text: &label.text }
}

pub(super) fn place<'a>(sources: &SourceMap, place: &'a Place) -> PlaceJson<'a> {
    match place {
        Place::Source(at) => PlaceJson::Source {
            at: point(sources, at),
            inlined_at: at.inlined_at.iter().map(|call| point(sources, call)).collect(),
        },
        Place::Instruction(InstructionPlace { file, function, ordinal, text }) => {
            PlaceJson::Instruction {
                path: file.map(|file| sources.display_path(file).to_string()),
                function,
                ordinal: *ordinal,
                text: text.as_deref(),
            }
        }
    }
}

fn point<'a>(sources: &SourceMap, at: &'a Location) -> PointJson<'a> {
    PointJson {
        path: sources.display_path(at.file).to_string(),
        line: at.line,
        column: (at.column != 0).then_some(at.column),
        function: at.function.as_deref(),
    }
}

fn witness(witness: &Witness) -> WitnessJson<'_> {
    let Witness {
        grid,
        block,
        threads,
        arguments,
        memory: _,
        rests_on,
        bytes,
        iterations,
        interval,
        reach,
    } = witness;
    WitnessJson {
        grid: triple(*grid),
        block: triple(*block),
        threads: threads.map(|ThreadId { block, thread }| ThreadJson {
            block: triple(block),
            thread: triple(thread),
        }),
        arguments: arguments.iter().map(binding).collect(),
        rests_on: rests_on.iter().map(binding).collect(),
        bytes: bytes.as_deref(),
        iterations: iterations.iter().map(iteration).collect(),
        interval: interval.as_deref(),
        reach: ReachJson { kind: reach.name(), detail: reach.detail() },
    }
}

fn binding(Binding { name, value }: &Binding) -> BindingJson<'_> {
    BindingJson { name, value }
}

fn iteration(Iteration { name, of }: &Iteration) -> IterationJson<'_> {
    IterationJson { name, of: *of }
}

fn confirmation(confirmation: &Confirmation) -> ConfirmationJson<'_> {
    ConfirmationJson { state: confirmation.name(), reason: confirmation.reason() }
}

fn triple(Dim3 { x, y, z }: Dim3) -> [u32; 3] {
    [x, y, z]
}
