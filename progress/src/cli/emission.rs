//! `heddle progress test.axb --emit=LANGUAGE`: a test as a program.

use std::io::{self, Write};

use super::Exit;
use crate::axb::parse;
use crate::emit::{Language, Layout, emit};

/// The arguments of [`emission`].
#[derive(Clone, Debug)]
pub struct EmissionArguments {
    /// What to call the input in messages, such as its path.
    pub input: String,
    /// The text of the test.
    pub text: String,
    /// A name of [`Language::EACH`].
    pub language: String,
    /// How instances are laid out.
    pub layout: Layout,
}

/// Writes a test in a language.
///
/// # Errors
/// When `out` cannot be written to.
pub fn emission(arguments: &EmissionArguments, out: &mut dyn Write) -> io::Result<Exit> {
    let EmissionArguments { input, text, language, layout } = arguments;
    let known = Language::EACH.into_iter().find(|known| known.name() == language);
    let Some(known) = known else {
        let names: Vec<_> = Language::EACH.iter().map(|language| language.name()).collect();
        let names = names.join(", ");
        writeln!(out, "error: `{language}` is not a language; write one of {names}")?;
        return Ok(Exit::Usage);
    };
    let test = match parse(text) {
        Ok(test) => test,
        Err(error) => {
            writeln!(out, "error: {input}:{error}")?;
            return Ok(Exit::Usage);
        }
    };
    match emit(&test, known, *layout) {
        Ok(program) => {
            write!(out, "{program}")?;
            Ok(Exit::Proved)
        }
        Err(refused) => {
            writeln!(out, "error: {refused}")?;
            Ok(Exit::Usage)
        }
    }
}
