//! `heddle explain`: the page of a finding code, or the list of all.

use std::io::{self, Write};

use clap::Args;
use heddle_diagnostics::Code;
use heddle_diagnostics::render::clean;

use super::codes::USAGE;

#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// A number (`HD0101`) or a name (`intra-block-race`); without one, all codes are listed
    code: Option<String>,
}

/// Prints the page; an unknown code is an error of usage that lists the known ones.
pub(super) fn run(arguments: &ExplainArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let Some(text) = &arguments.code else {
        for code in Code::ALL {
            writeln!(out, "{}  {:28}  {}", code.number(), code.slug(), code.title())?;
        }
        return Ok(0);
    };
    match text.parse::<Code>() {
        Ok(code) => {
            out.write_all(code.page().as_bytes())?;
            Ok(0)
        }
        Err(error) => {
            let _unheard = writeln!(io::stderr(), "error: {}", clean(&error.to_string()));
            Ok(USAGE)
        }
    }
}
