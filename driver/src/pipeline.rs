//! Pass pipelines in `opt`'s notation:
//! `barrier-divergence,races<block=256>,default<O1>,instrument-races`.
//!
//! An element is a check of ours (a pass, a group such as `races`, or `heddle` for all),
//! `instrument-races`, or whatever LLVM's own pass builder makes of it. Parameters stand between
//! `<` and `>`, separated by `;` or `,`. Checks that follow each other with the same parameters are
//! one check.
//!
//! **Promises**: what is printed reads back to the same steps. **Does not**: know LLVM's passes;
//! LLVM refuses a name that it does not know when its turn comes, before it changes anything.

use std::fmt;
use std::str::FromStr;

use crate::dynamic::Checks;
use crate::options::{BadOption, CheckOptions};
use crate::table::{apply_item, pass_names, passes_of};

/// What is done to a module, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline(pub Vec<Step>);

/// One thing that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Some checks, in one go.
    Check {
        /// Names of passes and groups, as given; empty for all.
        passes: Vec<String>,
        /// Further parameters, each as [`apply_item`] reads it.
        parameters: Vec<String>,
    },
    /// Race checks are put into the module.
    Instrument(Checks),
    /// LLVM's own passes.
    Llvm(String),
}

/// The name of the element that checks everything.
const ALL: &str = "heddle";
/// The name of the element that instruments.
const INSTRUMENT: &str = "instrument-races";

impl Step {
    /// The options of a check, on top of what is given for all.
    ///
    /// # Errors
    /// A parameter makes no sense; the pipeline was not read by [`Pipeline::from_str`].
    pub fn options(&self, base: &CheckOptions) -> Result<CheckOptions, BadOption> {
        let mut options = base.clone();
        match self {
            Step::Check { passes, parameters } => {
                if !passes.is_empty() {
                    options.passes.clear();
                }
                for item in passes.iter().chain(parameters) {
                    apply_item(&mut options, item)?;
                }
            }
            Step::Instrument(_) | Step::Llvm(_) => {}
        }
        Ok(options)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Check { passes, parameters } => {
                let items: Vec<_> = passes.iter().chain(parameters).map(String::as_str).collect();
                match (items.as_slice(), passes.as_slice()) {
                    ([], _) => f.write_str(ALL),
                    ([one], [_]) => f.write_str(one),
                    (items, _) => write!(f, "{ALL}<{}>", items.join(";")),
                }
            }
            Step::Instrument(Checks::All) => write!(f, "{INSTRUMENT}<all>"),
            Step::Instrument(Checks::Unproved | Checks::Off) => f.write_str(INSTRUMENT),
            Step::Llvm(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&steps.join(","))
    }
}

impl FromStr for Pipeline {
    type Err = BadOption;

    fn from_str(text: &str) -> Result<Pipeline, BadOption> {
        let mut steps: Vec<Step> = Vec::new();
        for element in elements(text)? {
            let step = step(element)?;
            match (steps.last_mut(), step) {
                (Some(Step::Llvm(before)), Step::Llvm(text)) => {
                    before.push(',');
                    before.push_str(&text);
                }
                (
                    Some(Step::Check { passes: before, parameters: of_before }),
                    Step::Check { passes, parameters },
                ) if *of_before == parameters && !before.is_empty() && !passes.is_empty() => {
                    before.extend(passes);
                }
                (_, step) => steps.push(step),
            }
        }
        Ok(Pipeline(steps))
    }
}

/// Cuts at the commas that stand in no brackets.
fn elements(text: &str) -> Result<Vec<&str>, BadOption> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            // `a>b` in a condition closes nothing that is open outside of it: only the last one
            // counts.
            '>' | ')' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth != 0 {
        return Err(BadOption(format!("`{}`: a closing bracket is missing", &text[start..])));
    }
    found.push(text[start..].trim());
    found.retain(|element| !element.is_empty());
    Ok(found)
}

fn step(element: &str) -> Result<Step, BadOption> {
    let (name, inside) = match element.split_once('<') {
        Some((name, rest)) => (name, rest.strip_suffix('>').unwrap_or(rest)),
        None => (element, ""),
    };
    let items: Vec<String> = inside
        .split([';', ','])
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect();
    if name == INSTRUMENT {
        return match items.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => Ok(Step::Instrument(Checks::Unproved)),
            ["all"] => Ok(Step::Instrument(Checks::All)),
            _ => Err(BadOption(format!(
                "`{element}`: `{INSTRUMENT}` takes `all`, for the accesses that are proved too, or nothing"
            ))),
        };
    }
    let is_check = pass_names().contains(&name);
    if name != ALL && !is_check {
        return Ok(Step::Llvm(element.to_owned()));
    }
    let mut tried = CheckOptions::default();
    for item in &items {
        apply_item(&mut tried, item).map_err(|error| BadOption(format!("`{element}`: {error}")))?;
    }
    let (mut passes, parameters): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|item| !passes_of(item).is_empty());
    if is_check {
        passes.insert(0, name.to_owned());
    }
    Ok(Step::Check { passes, parameters })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        text.parse::<Pipeline>().expect(text).to_string()
    }

    #[test]
    fn pipelines_print_as_they_are_read() {
        for (text, form) in [
            ("heddle", "heddle"),
            ("races", "races"),
            ("barrier-divergence, races", "heddle<barrier-divergence;races>"),
            ("heddle<races,launch=256>", "heddle<races;launch=256>"),
            ("races<block=16x16;grid=2>", "heddle<races;block=16x16;grid=2>"),
            ("races<block=1>,races<block=2>", "heddle<races;block=1>,heddle<races;block=2>"),
            (
                "sroa,function(gvn,dce),races,default<O1>",
                "sroa,function(gvn,dce),races,default<O1>",
            ),
            ("instrument-races,instrument-races<all>", "instrument-races,instrument-races<all>"),
            ("", ""),
        ] {
            assert_eq!(printed(text), form, "{text}");
            assert_eq!(printed(form), form, "{form} does not read back");
        }
    }

    #[test]
    fn neighbours_are_joined() {
        let steps = |text: &str| text.parse::<Pipeline>().expect(text).0.len();
        assert_eq!(steps("barrier-divergence,races"), 1);
        assert_eq!(steps("sroa,gvn,races,gvn"), 3);
        assert_eq!(steps("heddle,races"), 2);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (text, part) in [
            ("races<rares>", "the passes are"),
            ("heddle<block=0>", "at least 1"),
            ("races<block=1", "closing bracket"),
            ("instrument-races<some>", "takes `all`"),
        ] {
            let why = text.parse::<Pipeline>().expect_err(text).to_string();
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    #[test]
    fn a_step_selects_its_passes() {
        let base =
            CheckOptions { passes: vec!["named-barriers".to_owned()], ..CheckOptions::default() };
        let options =
            |text: &str| text.parse::<Pipeline>().expect(text).0[0].options(&base).expect(text);
        assert_eq!(options("races<block=7>").passes.len(), 3);
        assert_eq!(options("races<block=7>").launch.block, "7".parse().ok());
        assert_eq!(options("heddle").passes, ["named-barriers"]);
    }
}
