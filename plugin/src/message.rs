//! A finding as one message of the host: its level, its text, its place.
//!
//! A host's diagnostic has one place and no notes, so the text names the other accesses with their
//! places. It starts with the code, which is what users search for.

use heddle_diagnostics::render::place_text;
use heddle_diagnostics::{FailOn, Family, Finding, KernelReport, Place, Report, Severity, Verdict};

use crate::level::Level;
use crate::options::Options;

/// What kinds of findings are to the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels {
    /// One that refutes a property.
    refuted: Level,
    /// One that says what is not decided.
    unknown: Level,
    /// One that warns of something else.
    warning: Level,
}

impl Levels {
    /// As the options say, and where they do not, as what fails a run says.
    pub(crate) fn of(options: &Options, fail_on: Option<FailOn>) -> Levels {
        let (refuted, unknown, warning) = match fail_on {
            // A compiler at work sees one side of a source: no launch of the host's code.
            Some(FailOn::Never | FailOn::Launched) => {
                (Level::Warning, Level::Remark, Level::Warning)
            }
            None | Some(FailOn::Refuted) => (Level::Error, Level::Remark, Level::Warning),
            Some(FailOn::Unknown) => (Level::Error, Level::Error, Level::Warning),
            Some(FailOn::Warning) => (Level::Error, Level::Error, Level::Error),
        };
        let refuted = options.refuted.unwrap_or(refuted);
        let warning = match refuted {
            Level::Error | Level::Warning => warning,
            less @ (Level::Off | Level::Remark | Level::Passed) => less,
        };
        Levels { refuted, unknown: options.unknown.unwrap_or(unknown), warning }
    }

    /// What a finding is. Faults of ours, and what is wrong with options, never stop a compilation;
    /// what is accepted is not told.
    pub(crate) fn level(self, finding: &Finding) -> Level {
        if finding.accepted.is_some() {
            return Level::Off;
        }
        match (finding.code.family(), finding.severity) {
            // Raised to an error.
            (Family::NotModelled, Severity::Error) if self.refuted == Level::Error => Level::Error,
            (Family::NotModelled, Severity::Warning | Severity::Error) => self.unknown,
            (Family::Tool, Severity::Warning | Severity::Error) => Level::Warning,
            (
                Family::Races
                | Family::Barriers
                | Family::Memory
                | Family::Convergence
                | Family::Assertions
                | Family::Progress,
                Severity::Error,
            ) => self.refuted,
            (
                Family::Races
                | Family::Barriers
                | Family::Memory
                | Family::Convergence
                | Family::Assertions
                | Family::Progress,
                Severity::Warning,
            ) => self.warning,
            (
                Family::NotModelled
                | Family::Races
                | Family::Barriers
                | Family::Memory
                | Family::Convergence
                | Family::Assertions
                | Family::Progress
                | Family::Tool,
                Severity::Note,
            ) => Level::Remark,
        }
    }
}

/// `HD0101: threads race …; (1) write of … at k.cu:5:3; (2) read of …; help: …`.
pub(crate) fn text_of(report: &Report, finding: &Finding) -> String {
    let mut text = format!("{}: {}", finding.code, finding.message);
    let several = finding.labels.len() > 1;
    for (number, label) in (1..).zip(&finding.labels) {
        // The place of a single label is the diagnostic's own.
        if several {
            text.push_str(&format!("; ({number}) {} {}", label.text, at(report, &label.place)));
        }
    }
    for label in &finding.secondary {
        text.push_str(&format!(
            "; {} at {}",
            label.text,
            place_text(report.sources(), &label.place)
        ));
    }
    if let Some(help) = finding.helps.first() {
        text.push_str(&format!("; help: {help}"));
    }
    if finding.labels.iter().any(|label| matches!(label.place, Place::Instruction(_))) {
        text.push_str("; compile with `-gline-tables-only` to see lines");
    }
    text.replace('\n', " ")
}

/// `at k.cu:5:3`, or the instruction where debug info names no line; the module is the one at hand.
fn at(report: &Report, place: &Place) -> String {
    match place {
        Place::Source(_) => format!("at {}", place_text(report.sources(), place)),
        Place::Instruction(at) => format!("at instruction {} of `{}`", at.ordinal, at.function),
    }
}

/// ``barrier-divergence and intra-block-race of `k` are proved``, where something is.
pub(crate) fn proved_text(kernel: &KernelReport) -> Option<String> {
    let proved: Vec<_> = kernel
        .verdicts
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Proved(_)))
        .map(|(property, _)| property.name())
        .collect();
    (!proved.is_empty()).then(|| format!("proved of `{}`: {}", kernel.name, proved.join(", ")))
}
