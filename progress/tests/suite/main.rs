//! The tests of the crate that need more than one module, as one program.

#![expect(clippy::print_stdout, reason = "a test that skips or counts says so")]

mod commands;
mod emission;
mod idioms;
mod lassos;
mod llvm_text;
mod models;
mod mutants;
mod published;
mod published_data;
mod synthesis;
mod text_form;
