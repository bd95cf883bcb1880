//! The summary of a project: one line per file, then what was and was not looked at.
//!
//! A kernel counts in the file in which it is defined, which for those of headers is the header:
//! each once, however many units include it. **Does not** name kernels; the other formats do.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::one_line;
use crate::kernel::KernelReport;
use crate::report::Report;
use crate::scope::Scope;
use crate::span::Place;
use crate::verdict::Verdict;

const HEADS: [&str; 5] = ["file", "kernels", "proved", "refuted", "unknown"];

/// The table of a report about `scope`.
pub fn report(report: &Report, scope: &Scope) -> String {
    let mut files: BTreeMap<Arc<str>, [usize; 4]> = BTreeMap::new();
    for kernel in report.kernels() {
        let file = kernel.place.as_ref().and_then(Place::file);
        let file = file.map_or("(no file)".into(), |file| report.sources().display_path(file));
        let sums = files.entry(file).or_default();
        for (sum, more) in sums.iter_mut().zip(counts(kernel)) {
            *sum += more;
        }
    }
    let total = files.values().fold([0; 4], |mut total, counts| {
        total.iter_mut().zip(counts).for_each(|(sum, more)| *sum += more);
        total
    });
    let mut rows: Vec<[String; 5]> = vec![HEADS.map(str::to_owned)];
    rows.extend(files.iter().map(|(file, counts)| row(file, *counts)));
    rows.push(row("total", total));
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3), width(4)];
    let mut out = String::new();
    if !files.is_empty() {
        for [file, numbers @ ..] in &rows {
            out += &format!("{file:0$}", widths[0]);
            for (number, width) in numbers.iter().zip(&widths[1..]) {
                out += &format!("  {number:>width$}");
            }
            out += "\n";
        }
    }
    out + &looked_at(scope) + "\n"
}

/// Kernels, and properties proved, refuted and unknown.
fn counts(kernel: &KernelReport) -> [usize; 4] {
    let mut counts = [1, 0, 0, 0];
    for verdict in kernel.verdicts.values() {
        counts[match verdict {
            Verdict::Proved(_) => 1,
            Verdict::Refuted(_) => 2,
            Verdict::Unknown(_) => 3,
        }] += 1;
    }
    counts
}

fn row(file: &str, counts: [usize; 4]) -> [String; 5] {
    let [kernels, proved, refuted, unknown] = counts.map(|count| count.to_string());
    [one_line(file), kernels, proved, refuted, unknown]
}

/// `3 device units checked, part 1 of 2; skipped: 2 units of host code, 1 of HIP`.
fn looked_at(scope: &Scope) -> String {
    let Scope {
        units,
        host_units,
        foreign_units,
        shard,
        identity: _,
        unmet: _,
        files: _,
        looked_up: _,
    } = scope;
    let plural = |count: usize| if count == 1 { "unit" } else { "units" };
    let mut text = format!("{} device {} checked", units.len(), plural(units.len()));
    if let Some((index, count)) = shard {
        text += &format!(", part {index} of {count}");
    }
    let mut skipped = Vec::new();
    if *host_units > 0 {
        skipped.push(format!("{host_units} {} of host code", plural(*host_units)));
    }
    for (language, count) in foreign_units {
        skipped.push(format!("{count} {} of {language}, which is not read", plural(*count)));
    }
    if skipped.is_empty() { text } else { format!("{text}; skipped: {}", skipped.join(", ")) }
}
