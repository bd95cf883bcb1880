//! What the plugin can be asked: the options of a check (`heddle_driver::table`), what is decided
//! about findings (`heddle_driver::Decisions`), and a few that only make sense here.
//!
//! They come as parameters of the pass (`heddle<races;block=256>`, in `opt` with commas too) and as
//! options of the host's command line (`-heddle-block=256`, in clang after `-mllvm`); what the pass
//! says comes last, and counts.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use heddle_driver::table::{self, Takes};
use heddle_driver::{CheckOptions, Decisions, ResourceLimit};

use crate::level::Level;

/// All that can be said.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// What is checked, and how.
    pub(crate) check: CheckOptions,
    /// The names of options that were given.
    pub(crate) given: BTreeSet<String>,
    /// What is decided about findings.
    pub(crate) decisions: Decisions,
    /// Where the project's file is looked for.
    pub(crate) config: ConfigPlace,
    /// What a finding is to the host that refutes a property, where that is said.
    pub(crate) refuted: Option<Level>,
    /// What it is to the host that a property is not decided, where that is said.
    pub(crate) unknown: Option<Level>,
    /// Put race checks into the module at the end of the pipeline.
    pub(crate) instrument: bool,
    /// For tests: fail on purpose.
    pub(crate) panic: bool,
}

impl Default for Options {
    fn default() -> Options {
        // A build runs many compilers at a time already, and waits for each.
        let check = CheckOptions {
            jobs: Some(NonZeroUsize::MIN),
            limit: ResourceLimit::Build,
            ..CheckOptions::default()
        };
        Options {
            check,
            given: BTreeSet::new(),
            decisions: Decisions::default(),
            config: ConfigPlace::Nearest,
            refuted: None,
            unknown: None,
            instrument: false,
            panic: false,
        }
    }
}

/// Where `heddle.toml` is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConfigPlace {
    /// The first one on the way up from the source file.
    Nearest,
    /// It is this file.
    At(PathBuf),
    /// Nowhere.
    Nowhere,
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
        help: "A refuted property is an `error` that stops the compilation, a `warning`, a `remark`, or `off` [default: error; with `fail-on=never` warning]",
        apply: |options, text| {
            options.refuted = Some(Level::of_name(text)?);
            Ok(())
        },
    },
    Own {
        name: "unknown",
        takes: Takes::One("LEVEL"),
        help: "A property that is not decided is an `error`, a `warning`, a `remark`, or `off` [default: remark; with `fail-on=unknown` error]",
        apply: |options, text| {
            options.unknown = Some(Level::of_name(text)?);
            Ok(())
        },
    },
    Own {
        name: "severity",
        takes: Takes::Each("CODE=LEVEL"),
        help: "How serious findings of a code are, as `-W` of `heddle check`: `HD0103=error`, `unknown=ignore` (repeatable)",
        apply: |options, text| options.decisions.levels.read(text).map_err(|why| why.to_string()),
    },
    Own {
        name: "fail-on",
        takes: Takes::One("WHEN"),
        help: "What fails the compilation: `never`, `refuted`, `unknown` or `warning`, each with those before it [default: refuted]",
        apply: |options, text| {
            options.decisions.fail_on = Some(text.parse()?);
            Ok(())
        },
    },
    Own {
        name: "baseline",
        takes: Takes::One("FILE"),
        help: "Only findings that are not in this file are told; `heddle baseline` writes it",
        apply: |options, text| {
            options.decisions.baseline = Some(text.into());
            Ok(())
        },
    },
    Own {
        name: "config",
        takes: Takes::One("FILE"),
        help: "Read this file [default: the first `heddle.toml` on the way up from the source file]",
        apply: |options, text| {
            options.config = ConfigPlace::At(text.into());
            Ok(())
        },
    },
    Own {
        name: "no-config",
        takes: Takes::Nothing,
        help: "Read no `heddle.toml`",
        apply: |options, _| {
            options.config = ConfigPlace::Nowhere;
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

/// Reads parameters on top of what `options` says; they are separated by `;` (or `,`, in values
/// that have none).
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
            // What is no option is the name of a pass, or refused.
            let row = table::row(name.trim());
            if row.is_none() && table::passes_of(name.trim()).is_empty() {
                let own: Vec<_> = OWN.iter().map(|own| own.name).collect();
                return Err(table::no_option(name.trim(), &own).to_string());
            }
            options.given.insert(row.map_or("passes", |row| row.name).to_owned());
            table::apply_item(&mut options.check, item).map_err(|error| error.to_string())
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
        assert_eq!((options.refuted, options.unknown), (Some(Level::Warning), Some(Level::Off)));
        read(&mut options, "block=64").expect("it makes sense");
        assert_eq!(options.check.launch.block, "64".parse().ok());
        assert!(!options.instrument);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_way_out() {
        for (text, part) in [
            ("colour=red", "the options"),
            ("racez", "did you mean `races`?"),
            ("refutd=warning", "did you mean `refuted`?"),
            ("blok=3", "did you mean `block`?"),
            ("refuted=loud", "error, warning"),
            ("instrument=yes", "takes no value"),
            ("severity=HD0103=loud", "no level"),
            ("fail-on=sometimes", "`never`"),
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
