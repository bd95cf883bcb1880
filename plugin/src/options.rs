//! What the plugin can be asked: the options of a check (`heddle_driver::table`), and a few that only make sense here.
//!
//! They come as parameters of the pass (`heddle<races;block=256>`, in `opt` with commas too) and as options of the
//! host's command line (`-heddle-block=256`, in clang behind `-mllvm`); what the pass says comes last, and counts.

use std::num::NonZeroUsize;

use heddle_driver::table::{self, Takes};
use heddle_driver::{BadOption, CheckOptions};

use crate::message::Level;

/// All that can be said.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// What is checked, and how.
    pub(crate) check: CheckOptions,
    /// What a finding is to the host that refutes a property.
    pub(crate) refuted: Level,
    /// What it is to the host that a property is not decided.
    pub(crate) unknown: Level,
    /// Put race checks into the module at the end of the pipeline.
    pub(crate) instrument: bool,
    /// For tests: fail on purpose.
    pub(crate) panic: bool,
}

impl Default for Options {
    fn default() -> Options {
        // A build runs many compilers at a time already.
        let check = CheckOptions { jobs: Some(NonZeroUsize::MIN), ..CheckOptions::default() };
        Options {
            check,
            refuted: Level::Error,
            unknown: Level::Remark,
            instrument: false,
            panic: false,
        }
    }
}

/// An option of the plugin alone.
pub(crate) struct Own {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) help: &'static str,
    apply: fn(&mut Options, &str) -> Result<(), String>,
}

/// The options that the plugin has and the command line has not.
pub(crate) const OWN: &[Own] = &[
    Own {
        name: "refuted",
        takes: Takes::One("LEVEL"),
        help: "A refuted property is an `error` that stops the compilation, a `warning`, a `remark`, or `off` [default: error]",
        apply: |options, text| {
            options.refuted = Level::of_name(text)?;
            Ok(())
        },
    },
    Own {
        name: "unknown",
        takes: Takes::One("LEVEL"),
        help: "A property that is not decided is an `error`, a `warning`, a `remark`, or `off` [default: remark]",
        apply: |options, text| {
            options.unknown = Level::of_name(text)?;
            Ok(())
        },
    },
    Own {
        name: "instrument",
        takes: Takes::Nothing,
        help: "Put race checks into the kernels, at the end of the pipeline",
        apply: |options, _| {
            options.instrument = true;
            Ok(())
        },
    },
    Own {
        name: "inject-panic",
        takes: Takes::Nothing,
        help: "Fail on purpose, to see that the compilation goes on",
        apply: |options, _| {
            options.panic = true;
            Ok(())
        },
    },
];

/// Reads parameters on top of what `options` says; they are separated by `;` (or `,`, in values that have none).
///
/// # Errors
/// What is wrong with the first that makes no sense.
pub(crate) fn read(options: &mut Options, text: &str) -> Result<(), String> {
    for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
        read_item(options, item)?;
    }
    Ok(())
}

/// Reads one parameter.
///
/// # Errors
/// It makes no sense; the text says what would.
pub(crate) fn read_item(options: &mut Options, item: &str) -> Result<(), String> {
    let (name, value) = item.split_once('=').unwrap_or((item, ""));
    match OWN.iter().find(|own| own.name == name.trim()) {
        Some(own) if own.takes == Takes::Nothing && !value.is_empty() => {
            Err(format!("`{item}`: `{name}` takes no value"))
        }
        Some(own) => (own.apply)(options, value.trim()).map_err(|why| format!("`{item}`: {why}")),
        None => {
            let read: Result<(), BadOption> = table::apply_item(&mut options.check, item);
            read.map_err(|error| {
                let own: Vec<_> = OWN.iter().map(|own| own.name).collect();
                match table::row(name.trim()) {
                    Some(_) => error.to_string(),
                    None => format!("{error}, {}", own.join(", ")),
                }
            })
        }
    }
}

/// Name, what it takes, and help of each option for the host's command line.
pub(crate) fn for_the_host() -> impl Iterator<Item = (&'static str, Takes, &'static str)> {
    let shared = table::OPTIONS.iter().map(|row| (row.name, row.takes, row.help));
    shared.chain(OWN.iter().map(|own| (own.name, own.takes, own.help)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_in_order() {
        let mut options = Options::default();
        read(&mut options, "races; launch=256 ;refuted=warning;unknown=off;")
            .expect("they make sense");
        assert_eq!(options.check.passes.len(), 3);
        assert_eq!(options.check.launch.block, "256".parse().ok());
        assert_eq!((options.refuted, options.unknown), (Level::Warning, Level::Off));
        read(&mut options, "block=64").expect("it makes sense");
        assert_eq!(options.check.launch.block, "64".parse().ok());
        assert!(!options.instrument);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_way_out() {
        for (text, part) in [
            ("colour=red", "the options"),
            ("refuted=loud", "error, warning"),
            ("instrument=yes", "takes no value"),
            ("block=-1", "one to three numbers"),
        ] {
            let why = read(&mut Options::default(), text).expect_err(text);
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    #[test]
    fn no_option_has_the_name_of_another() {
        let mut names: Vec<_> = for_the_host().map(|(name, _, _)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
