//! Findings as rustc shows its own, through the `annotate-snippets` crate.
//!
//! The title; the source lines of all labels, numbered; the calls they were inlined through; then
//! the witness and the replay, notes, and what would help. The arrow names the place of the primary
//! label. A label without source text becomes a note that names its place and shows the
//! instruction.
//!
//! **Promises**: each label, note and help of the finding is in the text, with or without source.

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

use super::{Colour, clean, number, one_line, place_text, visible};
use crate::code::Severity;
use crate::finding::Finding;
use crate::render::snippet::Excerpt;
use crate::report::Report;
use crate::source::{FileId, SourceMap};
use crate::span::{Location, Place};
use crate::witness::{Binding, Confirmation, Reach, Witness};

/// Places in memory that a witness names.
const MOST_PLACES: usize = 4;

/// How to render for people.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Colours or none.
    pub colour: Colour,
    /// Source lines longer than this many columns are cut.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { colour: Colour::Never, width: 140 }
    }
}

/// All open findings of a report, each followed by an empty line.
pub fn report(report: &Report, options: Options) -> String {
    let findings = report.open_findings();
    findings.map(|it| finding(report.sources(), it, options) + "\n\n").collect()
}

/// One finding, without a line break at the end.
pub fn finding(sources: &SourceMap, finding: &Finding, options: Options) -> String {
    let level = match finding.severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let points = points(finding);
    let excerpts = excerpts(sources, &points);
    let title = level.primary_title(one_line(&finding.message)).id(finding.code.number());
    let mut group = Group::with_title(title);
    if let Some(place) = finding.place()
        && !points.iter().any(|point| point.primary && shown(&excerpts, point.at))
    {
        group = group.element(origin(sources, place));
    }
    for excerpt in &excerpts {
        group = group.element(excerpt.snippet(&points));
    }
    let group = group.elements(remarks(sources, finding, &points, &excerpts));
    let renderer = match options.colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    visible(renderer.term_width(options.width).render(&[group]))
}

/// A point to underline, and what to write there.
struct Point<'a> {
    at: &'a Location,
    text: String,
    primary: bool,
}

/// The points of a finding: its labels in order, other places, then calls.
fn points(finding: &Finding) -> Vec<Point<'_>> {
    let mut points = Vec::new();
    let mut calls: Vec<(&Location, Vec<String>)> = Vec::new();
    for (index, label) in finding.labels.iter().enumerate() {
        let Place::Source(at) = &label.place else { continue };
        let primary = index == finding.primary;
        points.push(Point { at, text: numbered(finding, index), primary });
        for call in &at.inlined_at {
            let number = number(finding, index);
            match calls.iter_mut().find(|(at, _)| *at == call) {
                Some((_, numbers)) => numbers.push(number),
                None => calls.push((call, vec![number])),
            }
        }
    }
    for label in &finding.secondary {
        let Place::Source(at) = &label.place else { continue };
        points.push(Point { at, text: one_line(&label.text), primary: false });
    }
    for (at, numbers) in calls {
        let text = match numbers.as_slice() {
            // Places that are not counted, however many.
            all if all.iter().any(|it| it.is_empty()) => "reached through this call".to_owned(),
            [one] => format!("{one} is reached through this call"),
            several => format!("{} are reached through this call", several.join(" and ")),
        };
        points.push(Point { at, text, primary: false });
    }
    points
}

fn numbered(finding: &Finding, index: usize) -> String {
    let number = number(finding, index);
    let text = one_line(&finding.labels[index].text);
    if number.is_empty() { text } else { format!("{number} {text}") }
}

/// A file whose text is at hand, with all of the finding's points in it.
struct FileExcerpt {
    file: FileId,
    path: String,
    text: String,
    first_line: usize,
}

impl FileExcerpt {
    fn snippet<'a>(&'a self, points: &'a [Point<'_>]) -> Snippet<'a, Annotation<'a>> {
        let excerpt = Excerpt { text: &self.text, first_line: self.first_line };
        let annotations = points.iter().filter(|point| point.at.file == self.file).map(|point| {
            let kind =
                if point.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(excerpt.span(point.at)).label(point.text.as_str())
        });
        Snippet::source(self.text.as_str())
            .path(self.path.as_str())
            .line_start(self.first_line)
            .annotations(annotations)
    }
}

/// One excerpt per file, the file of the primary label first. Files without text have none.
fn excerpts(sources: &SourceMap, points: &[Point<'_>]) -> Vec<FileExcerpt> {
    let mut out: Vec<FileExcerpt> = Vec::new();
    let (primary, others): (Vec<_>, Vec<_>) = points.iter().partition(|point| point.primary);
    for file in primary.iter().chain(&others).map(|point| point.at.file) {
        if out.iter().any(|excerpt| excerpt.file == file) {
            continue;
        }
        let Some(text) = sources.text(file) else { continue };
        let inside = points.iter().map(|point| point.at).filter(|at| at.file == file);
        if let Some(Excerpt { text, first_line }) = Excerpt::around(&text, inside) {
            let path = one_line(&sources.display_path(file));
            out.push(FileExcerpt { file, path, text: text.to_owned(), first_line });
        }
    }
    out
}

fn shown(excerpts: &[FileExcerpt], at: &Location) -> bool {
    excerpts.iter().any(|excerpt| excerpt.file == at.file)
}

fn origin(sources: &SourceMap, place: &Place) -> Origin<'static> {
    match place {
        Place::Source(at) => {
            let origin =
                Origin::path(one_line(&sources.display_path(at.file))).line(at.line as usize);
            if at.column == 0 { origin } else { origin.char_column(at.column as usize) }
        }
        Place::Instruction(_) => Origin::path(one_line(&place_text(sources, place))),
    }
}

/// All that is not underlined in the source: labels without text first, then the run, notes, helps.
fn remarks(
    sources: &SourceMap,
    finding: &Finding,
    points: &[Point<'_>],
    excerpts: &[FileExcerpt],
) -> Vec<Element<'static>> {
    let mut out: Vec<Element<'static>> = Vec::new();
    let mut note = |text: String| out.push(Level::NOTE.message(clean(&text)).into());
    for point in points.iter().filter(|point| !shown(excerpts, point.at)) {
        note(format!(
            "{} at {}",
            point.text,
            place_text(sources, &Place::Source(point.at.clone()))
        ));
    }
    let labels = finding.labels.iter().enumerate();
    let labels = labels.map(|(index, label)| (label, numbered(finding, index)));
    let secondary = finding.secondary.iter().map(|label| (label, one_line(&label.text)));
    for (label, text) in labels.chain(secondary) {
        let Place::Instruction(instruction) = &label.place else { continue };
        let shown =
            instruction.text.as_ref().map_or(String::new(), |text| format!("\n`{}`", text.trim()));
        note(format!("{text}, at {}{shown}", place_text(sources, &label.place)));
    }
    match (&finding.witness, &finding.kernel) {
        (Some(witness), kernel) => note(run(witness, kernel.as_deref(), finding.labels.len() > 1)),
        (None, Some(kernel)) => note(format!("in kernel `{kernel}`")),
        (None, None) => {}
    }
    if let Some(confirmation) = &finding.confirmation {
        note(match confirmation {
            Confirmation::Confirmed => "confirmed: replaying this run shows the same".to_owned(),
            Confirmation::Unconfirmed(reason) => format!("unconfirmed: {reason}"),
            Confirmation::NotReplayed(_, reason) => format!("not replayed: {reason}"),
        });
    }
    match finding.witness.as_ref().map(|it| &it.reach) {
        Some(Reach::Launched(at)) => note(format!(
            "the program does this launch, at {at}: nothing that the host's code says excludes the run"
        )),
        Some(reach @ Reach::Called { at, values: _ }) => {
            note(format!(
                "the program has this launch, at {at}; whether with such values is open: what callers or memory give decides {}, and was not followed",
                reach.open_values()
            ));
            note(
                "`--infer` looks for the condition that is missing, `--assume` takes one"
                    .to_owned(),
            );
        }
        Some(Reach::Unless(condition)) => note(format!(
            "this is so for some arguments: with `--assume '{condition}'` the property is proved"
        )),
        Some(Reach::Open | Reach::Always) | None => {}
    }
    finding.notes.iter().for_each(|text| note(text.clone()));
    let helps = finding.helps.iter().map(|text| Level::HELP.message(clean(text)).into());
    out.extend(helps);
    out
}

/// The witness in words: launch and arguments as a `launch:` line has them, then the two threads,
/// which are those of the labels (1) and (2) if the labels are numbered; or the one thread, where
/// that is all there is to it.
fn run(witness: &Witness, kernel: Option<&str>, numbered: bool) -> String {
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
        reach: _,
    } = witness;
    let kernel = kernel.map_or(String::new(), |name| format!(" of `{name}`"));
    let mut text = format!("in a run{kernel} with grid={} block={}", grid.size(), block.size());
    for argument in arguments {
        text += &format!(" {}={}", argument.name, argument.value);
    }
    if let Some(held) = held(rests_on) {
        text += &format!("\nwhere memory starts with {held}");
    }
    let alone = threads[0] == threads[1] && !numbered;
    let names = match (alone, numbered) {
        (true, _) => ["by", "by"],
        (false, true) => ["(1) is", "(2) is"],
        (false, false) => ["first", "second"],
    };
    for (index, thread) in threads.iter().enumerate().take(if alone { 1 } else { 2 }) {
        text += &format!("\n{} {thread}", names[index]);
        for iteration in iterations {
            if let Some(count) = iteration.of[index] {
                text += &format!(", iteration {count} of {}", iteration.name);
            }
        }
    }
    match (bytes, interval) {
        (Some(bytes), _) if alone => text += &format!("\nit touches `{bytes}`"),
        (None, _) if alone => {}
        (Some(bytes), Some(interval)) => text += &format!("\nboth touch `{bytes}`, {interval}"),
        (Some(bytes), None) => text += &format!("\nboth touch `{bytes}`"),
        (None, Some(interval)) => text += &format!("\nboth are {interval}"),
        (None, None) => {}
    }
    text
}

/// What memory holds, in words; of many places the first few.
fn held(memory: &[Binding]) -> Option<String> {
    let shown: Vec<_> = memory
        .iter()
        .take(MOST_PLACES)
        .map(|Binding { name, value }| format!("`{name}` = {value}"))
        .collect();
    let more = memory.len().saturating_sub(MOST_PLACES);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!shown.is_empty()).then(|| shown.join(", ") + &rest)
}
