//! The last thing a user reads: per kernel one line per property, then the count.
//!
//! A proved line names the assumptions, a refuted one the codes and whether a replay confirmed
//! them, an unknown one its first reason with its place. **Does not** repeat findings.

use std::collections::BTreeSet;

use annotate_snippets::renderer::{AnsiColor, Effects, Style};

use super::{Colour, one_line, place_text};
use crate::kernel::KernelReport;
use crate::known::Known;
use crate::property::Property;
use crate::reason::Reason;
use crate::report::Report;
use crate::source::SourceMap;
use crate::standing::{Standing, standing};
use crate::verdict::{Refutation, Verdict};
use crate::witness::Confirmation;

/// The summary of a report; empty if it has no kernel.
pub fn report(report: &Report, colour: Colour) -> String {
    if report.kernels().is_empty() {
        return String::new();
    }
    let mut out = String::new();
    for it in report.kernels() {
        out += &kernel(report.sources(), it, colour);
    }
    for Known { file, kernel, code, fingerprint: _, message } in report.gone() {
        out += &one_line(&format!(
            "gone since the baseline: {code} in `{kernel}` of {file}: {message}"
        ));
        out += "\n";
    }
    out + &totals(report.kernels()) + "\n"
}

/// The lines of one kernel.
pub fn kernel(sources: &SourceMap, kernel: &KernelReport, colour: Colour) -> String {
    let place = kernel.place.as_ref();
    let place = place.map_or(String::new(), |place| format!(" at {}", place_text(sources, place)));
    let mut out = one_line(&format!("kernel `{}`{place}", kernel.name)) + "\n";
    if kernel.verdicts.is_empty() {
        out += "  nothing was checked\n";
    }
    // The column of the properties that are checked unasked; a longer name moves its own line.
    let width = Property::BarrierDivergence.name().len();
    for (property, verdict) in &kernel.verdicts {
        let word = paint(verdict, colour);
        let line = format!(
            "  {property:width$}  {word}  {}",
            one_line(&(detail(sources, verdict) + &accepted(kernel, verdict)))
        );
        out += line.trim_end();
        out += "\n";
    }
    out
}

fn paint(verdict: &Verdict, colour: Colour) -> String {
    let shade = match verdict {
        Verdict::Proved(_) => AnsiColor::Green,
        Verdict::Refuted(_) => AnsiColor::Red,
        Verdict::Unknown(_) => AnsiColor::Yellow,
    };
    let word = format!("{:7}", verdict.name());
    match colour {
        Colour::Never => word,
        Colour::Always => {
            let style = Style::new().fg_color(Some(shade.into())).effects(Effects::BOLD);
            format!("{style}{word}{style:#}")
        }
    }
}

fn detail(sources: &SourceMap, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proved(proof) => {
            let assumptions: Vec<_> = proof.assumptions().iter().map(|it| it.to_string()).collect();
            assumptions.join("; ")
        }
        Verdict::Refuted(refutations) => refuted(refutations),
        Verdict::Unknown(reasons) => unknown(sources, reasons),
    }
}

/// Why what is not proved does not count.
fn accepted(kernel: &KernelReport, verdict: &Verdict) -> String {
    match standing(kernel, verdict) {
        Standing::Accepted(acceptance) => format!("; {}", acceptance.words()),
        Standing::Proved | Standing::Counts(_) => String::new(),
    }
}

fn refuted(refutations: &[Refutation]) -> String {
    let codes: BTreeSet<_> = refutations.iter().map(|it| it.code.number()).collect();
    let codes: Vec<_> = codes.into_iter().collect();
    let confirmed =
        refutations.iter().filter(|it| it.confirmation == Confirmation::Confirmed).count();
    let confirmed = match (confirmed, refutations.len()) {
        (0, _) => "unconfirmed".to_owned(),
        (some, all) if some < all => format!("{some} of {all} confirmed"),
        _ => "confirmed".to_owned(),
    };
    // What a program does counts most.
    let mut reaches: Vec<_> = refutations.iter().map(|it| &it.witness.reach).collect();
    reaches.sort_by_key(|it| (!it.is_certain(), !it.is_launched()));
    let reach = reaches.first().and_then(|it| it.words());
    let reach = reach.map_or(String::new(), |words| format!(", {words}"));
    format!("{}, {confirmed}{reach}", codes.join(", "))
}

fn unknown(sources: &SourceMap, reasons: &[Reason]) -> String {
    let Some(Reason { code, text, place, cause: _, proved_if }) = reasons.first() else {
        return String::new();
    };
    let place = place.as_ref();
    let place = place.map_or(String::new(), |place| format!(" at {}", place_text(sources, place)));
    let proved = proved_if.as_ref().map_or(String::new(), |text| format!("; proved if `{text}`"));
    match reasons.len() - 1 {
        0 => format!("{code}: {text}{place}{proved}"),
        more => format!("{code}: {text}{place}, and {more} more{proved}"),
    }
}

/// `2 kernels: 6 properties proved, 1 refuted, 1 unknown`.
fn totals(kernels: &[KernelReport]) -> String {
    let verdicts = || kernels.iter().flat_map(|kernel| kernel.verdicts.values());
    let accepted = kernels
        .iter()
        .flat_map(|kernel| kernel.verdicts.values().map(move |it| standing(kernel, it)))
        .filter(|it| matches!(it, Standing::Accepted(_)))
        .count();
    let accepted = if accepted == 0 { String::new() } else { format!(", {accepted} accepted") };
    let proved = verdicts().filter(|it| matches!(it, Verdict::Proved(_))).count();
    let refuted = verdicts().filter(|it| matches!(it, Verdict::Refuted(_))).count();
    let unknown = verdicts().filter(|it| matches!(it, Verdict::Unknown(_))).count();
    let plural = |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    format!(
        "{}: {} proved, {refuted} refuted, {unknown} unknown{accepted}",
        plural(kernels.len(), "kernel", "kernels"),
        plural(proved, "property", "properties"),
    )
}
