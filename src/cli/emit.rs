//! Where reports go: each `--format` to standard output or to its file.
//!
//! **Promises**: files are written whole or not at all ([`written`]), so that a job that is stopped
//! leaves no half of a document; nothing is written beside a document to standard output.
//! **Does not**: create folders.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use heddle_diagnostics::destination::Destination;
use heddle_diagnostics::render::{
    Colour, github, human, json, jsonl, junit, one_line, sarif, short, summary, table,
};
use heddle_diagnostics::written::place;
use heddle_diagnostics::{Report, part};

use super::codes::USAGE;
use super::output::{ColourChoice, Format, Output, OutputArgs, colour};
use super::written;

/// Writes a report in all forms that were asked for, and gives the exit code: the report's, unless
/// a file cannot be written.
pub(super) fn emit(
    report: &Report,
    arguments: &OutputArgs,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut code = report.exit_code().number();
    let mut file_of_output = String::new();
    let mut put = |path: &Path, text: &str| {
        if !written::put(path, text.as_bytes(), report.sources()) {
            code = USAGE;
        }
    };
    let human = [Output { format: Format::Human, file: None }];
    let formats = if arguments.formats.is_empty() { &human[..] } else { &arguments.formats };
    for Output { format, file } in formats {
        // A file has no colours unless they are asked for.
        let colour = match (file.as_ref().or(arguments.output.as_ref()), arguments.color) {
            (Some(_), ColourChoice::Auto) => Colour::Never,
            (_, choice) => colour(choice),
        };
        let text = rendered(report, *format, colour, arguments.quiet);
        match (file, &arguments.output) {
            (Some(path), _) => put(path, &text),
            (None, Some(_)) => file_of_output += &text,
            (None, None) => out.write_all(text.as_bytes())?,
        }
    }
    if let Some(path) = &arguments.output {
        put(path, &file_of_output);
    }
    Ok(code)
}

/// What is wrong with the files that are to be written, before any work is done for them: a folder
/// that is not there, two reports for one file, or one of the inputs.
fn fault(arguments: &OutputArgs, inputs: &[PathBuf]) -> Option<String> {
    let on_output: Vec<_> =
        arguments.formats.iter().filter(|it| it.file.is_none()).map(|it| it.format).collect();
    if on_output.len() > 1 && on_output.iter().any(|it| is_document(*it)) {
        let place = match &arguments.output {
            Some(path) => format!("`{}`", path.display()),
            None => "standard output".to_owned(),
        };
        return Some(format!(
            "two reports go to {place}; give each but one a file, as in `--format json=heddle.json`"
        ));
    }
    let has_document = on_output.iter().any(|it| is_document(*it));
    let mut places: Vec<(Destination, bool)> = Vec::new();
    if let (false, None, Some(place)) =
        (on_output.is_empty(), &arguments.output, Destination::of(Path::new("/proc/self/fd/1")))
    {
        places.push((place, has_document));
    }
    let of_formats = arguments.formats.iter();
    let of_formats = of_formats.filter_map(|it| Some((it.file.as_ref()?, is_document(it.format))));
    for (path, is_document) in
        of_formats.chain(arguments.output.iter().map(|it| (it, has_document)))
    {
        let shown = path.display();
        let place = match place(path, inputs.iter().map(PathBuf::as_path)) {
            Ok(place) => place,
            Err(why) => return Some(why),
        };
        let clash = places.iter().any(|(other, document)| {
            *other == place && (path.is_file() || is_document || *document)
        });
        if clash && Some(&place) != Destination::of(Path::new("/dev/null")).as_ref() {
            return Some(format!("two reports go to `{shown}`; give each a file of its own"));
        }
        places.push((place, is_document));
    }
    None
}

/// Whether a form is one whole, to which nothing can be added; the others are lines.
fn is_document(format: Format) -> bool {
    match format {
        Format::Human | Format::Short | Format::Github => false,
        Format::Json | Format::Jsonl | Format::Sarif | Format::Junit | Format::Record => true,
    }
}

/// Whether the outputs can be what they are asked to be; if not, it is said.
pub(super) fn are_sound(arguments: &OutputArgs, inputs: &[PathBuf]) -> bool {
    let fault = fault(arguments, inputs);
    if let Some(message) = &fault {
        let _unheard = writeln!(io::stderr(), "error: {}", one_line(message));
    }
    fault.is_none()
}

/// A report in one form.
pub(crate) fn rendered(report: &Report, format: Format, colour: Colour, quiet: bool) -> String {
    match format {
        Format::Human => {
            let findings =
                human::report(report, human::Options { colour, ..human::Options::default() });
            match (quiet, report.scope()) {
                (true, _) => findings,
                (false, Some(scope)) => findings + &table::report(report, scope),
                (false, None) => findings + &summary::report(report, colour),
            }
        }
        Format::Short => short::report(report),
        Format::Json => json::report(report),
        Format::Jsonl => jsonl::report(report),
        Format::Sarif => sarif::report(report),
        Format::Github => github::report(report),
        Format::Junit => junit::report(report),
        Format::Record => part::write(report),
    }
}
