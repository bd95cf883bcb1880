//! The tests of the crate that need more than one module, as one program.

#![expect(clippy::print_stdout, reason = "a test that skips or counts says so")]

mod idioms;
mod lassos;
mod models;
mod mutants;
mod published;
mod published_data;
mod synthesis;
mod text_form;
