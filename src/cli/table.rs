//! The options of a check on the command line, made from the driver's table, which the compiler
//! plugin reads too.
//!
//! **Promises**: each row under "Launch" and "Method" is an option here, with the table's help and
//! the table's messages for values that do not fit. **Does not**: have options of its own.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use heddle_driver::CheckOptions;
use heddle_driver::table::{Group, OPTIONS, Row, Takes};

/// What was given, as rows of the table with their texts. `SELECT` says whether `--passes` is one
/// of them: in `heddle-opt` it is the pipeline.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableArgs<const SELECT: bool> {
    given: Vec<(&'static Row, String)>,
}

impl<const SELECT: bool> TableArgs<SELECT> {
    /// Whether the option of this name was given.
    pub(super) fn gives(&self, name: &str) -> bool {
        self.given.iter().any(|(row, _)| row.name == name)
    }

    /// The options with what was given.
    pub(crate) fn on_top_of(&self, mut options: CheckOptions) -> CheckOptions {
        for (row, text) in &self.given {
            // The parser below has tried each text on options of its own.
            row.apply(&mut options, text).expect("the text was accepted before");
        }
        options
    }
}

fn rows(select: bool) -> impl Iterator<Item = &'static Row> {
    let wanted = move |row: &&Row| heading(row.group).is_some() && (select || row.name != "passes");
    OPTIONS.iter().filter(wanted)
}

/// The heading in help; none for what the command line declares itself, beside its files.
fn heading(group: Group) -> Option<&'static str> {
    match group {
        Group::Input => None,
        Group::Launch => Some("Launch"),
        Group::Method => Some("Method"),
    }
}

fn argument(row: &'static Row, select: bool) -> Arg {
    let arg = Arg::new(row.name).long(row.name).help(row.help).help_heading(heading(row.group));
    // As in make and ninja; the options of `heddle-opt` have one dash and no letters.
    let arg = if select && row.name == "jobs" { arg.short('j') } else { arg };
    let arg = match row.alias {
        Some(alias) => arg.alias(alias),
        None => arg,
    };
    let accepted = move |text: &str| -> Result<String, String> {
        let tried = row.apply(&mut CheckOptions::default(), text);
        tried.map(|()| text.to_owned()).map_err(|error| error.to_string())
    };
    match row.takes {
        Takes::Nothing => arg.action(ArgAction::SetTrue),
        Takes::One(what) => arg.value_name(what).action(ArgAction::Set).value_parser(accepted),
        Takes::Each(what) => arg.value_name(what).action(ArgAction::Append).value_parser(accepted),
    }
}

impl<const SELECT: bool> Args for TableArgs<SELECT> {
    fn augment_args(command: Command) -> Command {
        command.args(rows(SELECT).map(|row| argument(row, SELECT)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SELECT: bool> FromArgMatches for TableArgs<SELECT> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Vec::new();
        for row in rows(SELECT) {
            match row.takes {
                Takes::Nothing => {
                    given.extend(matches.get_flag(row.name).then(|| (row, String::new())));
                }
                Takes::One(_) | Takes::Each(_) => {
                    let texts = matches.get_many::<String>(row.name).into_iter().flatten();
                    given.extend(texts.map(|text| (row, text.clone())));
                }
            }
        }
        Ok(TableArgs { given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
