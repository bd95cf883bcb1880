//! Prints the module that the lifter gets to see, or what is wrong with the input:
//! `cargo run -p heddle-frontend --example prepared -- k.cu [--text]`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it found")]

use heddle_frontend::{CompileOptions, Input, load};

fn main() -> std::process::ExitCode {
    let (options, files): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|a| a == "--text");
    let mut failed = false;
    for file in files {
        match load(&Input::file(&file), &CompileOptions::default()) {
            Ok(prepared) => {
                for kernel in &prepared.kernels {
                    println!("{file}: {} ({:?})", kernel.display, kernel);
                }
                if !options.is_empty() {
                    println!("{}", prepared.module.text());
                }
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
