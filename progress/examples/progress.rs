//! The commands of this crate on their own, for those who work on it:
//! `cargo run --example progress -- test.axb [--dot|--svg] [--explain MODEL]` and
//! `cargo run --example progress -- synth T I [archived] [rename] [irredundant] [list] [table]
//! [--distinguish MODEL] [--conformance MODEL] [--shard i/n] [--workers N]`.

#![expect(clippy::print_stderr, reason = "the progress of a long run goes to the terminal")]

use std::io::{self, Write};
use std::process::ExitCode;

use heddle_progress::cli::{CheckArguments, Exit, Output, SynthArguments, check, synth};
use heddle_progress::synth::Constraints;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    let exit = match arguments.first().map(String::as_str) {
        Some("synth") => run_synth(&arguments[1..], &mut out),
        Some(_) => run_check(&arguments, &mut out),
        None => Ok(Exit::Usage),
    };
    match exit.and_then(|exit| out.flush().map(|()| exit)) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(_) => ExitCode::from(4),
    }
}

fn run_check(arguments: &[String], out: &mut dyn Write) -> io::Result<Exit> {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let output = match (has("--dot"), has("--svg")) {
        (true, _) => Output::Dot,
        (false, true) => Output::Svg,
        (false, false) => Output::Text,
    };
    let input = arguments[0].clone();
    let text = std::fs::read_to_string(&input)?;
    let explain = value(arguments, "--explain");
    let assume = value(arguments, "--assume");
    check(&CheckArguments { input, text, explain, assume, output, state_limit: 1_000_000 }, out)
}

fn run_synth(arguments: &[String], out: &mut dyn Write) -> io::Result<Exit> {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(0);
    let constraints = if has("archived") { Constraints::Archived } else { Constraints::Paper };
    let workers = value(arguments, "--workers").and_then(|text| text.parse().ok()).unwrap_or(1);
    let arguments = SynthArguments {
        threads: number(0),
        instructions: number(1),
        constraints,
        rename_threads: has("rename"),
        irredundant: has("irredundant"),
        distinguish: value(arguments, "--distinguish"),
        conformance: value(arguments, "--conformance"),
        table: has("table"),
        list: has("list"),
        shard: value(arguments, "--shard"),
        workers,
    };
    synth(&arguments, out, &mut |progress| {
        if progress.done % 1000 == 0 {
            eprintln!("{}/{} units, {} tests", progress.done, progress.units, progress.tests);
        }
    })
}

fn value(arguments: &[String], flag: &str) -> Option<String> {
    let at = arguments.iter().position(|argument| argument == flag)?;
    arguments.get(at + 1).cloned()
}
