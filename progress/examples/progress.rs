//! The commands of this crate on their own: `cargo run --example progress -- test.axb`.

use std::io::Write;
use std::process::ExitCode;

use heddle_progress::cli::{CheckArguments, Output, check};

fn main() -> ExitCode {
    let mut input = None;
    let mut output = Output::Text;
    let mut explain = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dot" => output = Output::Dot,
            "--svg" => output = Output::Svg,
            "--explain" => explain = arguments.next(),
            _ => input = Some(argument),
        }
    }
    let mut out = std::io::stdout().lock();
    let Some(input) = input else { return ExitCode::from(2) };
    let Ok(text) = std::fs::read_to_string(&input) else { return ExitCode::from(2) };
    let arguments =
        CheckArguments { input, text, explain, assume: None, output, state_limit: 1_000_000 };
    match check(&arguments, &mut out).and_then(|exit| out.flush().map(|()| exit)) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(_) => ExitCode::from(4),
    }
}
