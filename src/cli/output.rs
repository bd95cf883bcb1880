//! How reports are shown and where they go, as the command line says it. **Does not**: write them;
//! `emit` does.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use heddle_diagnostics::render::Colour;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// How findings are shown: human, short, json, jsonl, sarif, github, junit or record; with
    /// `=FILE`, written to this file (repeatable: `--format sarif=heddle.sarif --format github`)
    /// [default: human]
    #[arg(long = "format", value_name = "FORMAT[=FILE]")]
    pub(super) formats: Vec<Output>,
    /// Write what would go to standard output to this file
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColourChoice,
    /// Findings only: no summary, no progress, no warnings of clang
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl OutputArgs {
    /// The files that are written.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let of_formats = self.formats.iter().filter_map(|it| it.file.as_ref());
        of_formats.chain(&self.output).cloned().collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Like rustc's, with the source, and a summary
    Human,
    /// One line per finding, for editors
    Short,
    /// One JSON document, for programs
    Json,
    /// A JSON object per line, finding and verdict
    Jsonl,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// JUnit XML: a test case per kernel and property
    Junit,
    /// Everything, for `heddle merge`
    Record,
}

/// One `--format`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) format: Format,
    /// Standard output where there is none.
    pub(super) file: Option<PathBuf>,
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Output, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("there is no file after `=`".to_owned()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let format = Format::from_str(name, false).map_err(|_| {
            let names: Vec<_> = Format::value_variants()
                .iter()
                .filter_map(|it| Some(it.to_possible_value()?.get_name().to_owned()))
                .collect();
            format!("the formats are {}, each with or without `=FILE`", names.join(", "))
        })?;
        Ok(Output { format, file })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColourChoice {
    Auto,
    Always,
    Never,
}

/// Colours as asked for; by default on a terminal, unless `NO_COLOR` is set (no-color.org).
pub(super) fn colour(choice: ColourChoice) -> Colour {
    let wanted = match choice {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto => {
            io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
        }
    };
    if wanted { Colour::Always } else { Colour::Never }
}
