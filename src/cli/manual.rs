//! `heddle manual` and `heddle completions`: what a package installs beside the binary, from the
//! declaration of the command line.
//!
//! **Promises**: the same text on each run: no date is in the page. **Does not**: install anything.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use super::codes::USAGE;

#[derive(Args, Debug)]
pub(super) struct ManualArgs {
    /// The page of this command; without one, the page of `heddle` with all commands
    command: Option<String>,
}

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell: bash, zsh, fish, elvish or powershell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints a page in roff, for `man -l -`. `all` is the declaration.
pub(super) fn manual(
    arguments: &ManualArgs,
    mut all: Command,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    all.build();
    let Some(name) = &arguments.command else {
        let mut page = Vec::new();
        clap_mangen::Man::new(all.clone()).render(&mut page)?;
        // The overview names the commands; what each does stands after it.
        for command in all.get_subcommands() {
            let man = clap_mangen::Man::new(command.clone());
            writeln!(page, ".SH \"{}\"", command.get_name().to_uppercase())?;
            man.render_synopsis_section(&mut page)?;
            man.render_description_section(&mut page)?;
            man.render_options_section(&mut page)?;
        }
        out.write_all(&page)?;
        return Ok(0);
    };
    match all.find_subcommand(name) {
        Some(command) => {
            clap_mangen::Man::new(command.clone()).render(&mut &mut *out)?;
            Ok(0)
        }
        None => {
            let names: Vec<_> = all.get_subcommands().map(|it| it.get_name()).collect();
            let _unheard = writeln!(
                std::io::stderr(),
                "error: no command is called `{name}`; the commands are {}",
                names.join(", ")
            );
            Ok(USAGE)
        }
    }
}

/// Prints the completions of a shell.
pub(super) fn completions(
    arguments: &CompletionsArgs,
    mut all: Command,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut all, "heddle", &mut text);
    out.write_all(&text)?;
    Ok(0)
}
