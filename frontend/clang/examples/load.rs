//! Loads kernel files with the embedded compiler and prints how long each took: `load k.cu …`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it found")]

use heddle_clang::Embedded;
use heddle_frontend::{CompileOptions, Input, load_with};

fn main() -> std::process::ExitCode {
    let mut failed = false;
    for file in std::env::args().skip(1) {
        let start = std::time::Instant::now();
        match load_with(&Input::file(&file), &CompileOptions::default(), &Embedded) {
            Ok(prepared) => {
                println!("{file}: {} kernels in {:.1?}", prepared.kernels.len(), start.elapsed())
            }
            Err(error) => {
                eprint!("{}", error.output);
                eprintln!("error: {error}\n  help: {}", error.help);
                failed = true;
            }
        }
    }
    if failed { std::process::ExitCode::from(2) } else { std::process::ExitCode::SUCCESS }
}
