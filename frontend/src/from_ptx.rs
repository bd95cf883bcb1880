//! From a file of PTX to LLVM IR that means the same.
//!
//! ```text
//! text ── heddle_ptx::lexer ──► tokens ── file ──► File ── body (heddle_ptx::parser) ──► statements ── heddle_ptx::table ──► IR text
//! ```
//!
//! A register becomes a variable of the thread (an `alloca`, which preparation turns into values),
//! a label a block, a predicate a branch, a parameter of an entry an argument. What the table of
//! PTX says of an instruction decides what it becomes:
//!
//! 1. loads, stores, atomics, control flow, calls, functions of integers, and of floats where IEEE
//!    754 says each bit: the instructions of LLVM that mean the same;
//! 2. all else, known to the table or not: a call of inline assembly with the instruction in it,
//!    so that the readers of inline PTX say what it does.
//!
//! **Addresses.** PTX has numbers. A parameter that the file calls a pointer (`.ptr`), and one
//! from which addresses are made (`pointers`), is an argument of pointer type, and what is loaded
//! likewise; numbers made of them are followed by the lift as those of any other input, and where
//! it cannot, an address is one to anything.
//!
//! **Lines** are those of `.loc`, with what was inlined where; without, lines of the file itself.
//!
//! **Promises**: no instruction is dropped; text that is not PTX is an [`InputError`] with line and
//! column; nothing panics. **Does not**: check types, or that the target has an instruction
//! (`ptxas` does both); read vector registers (`.reg .v4`), 32-bit addresses, or what tells a
//! debugger about variables.

mod body;
mod call;
mod cursor;
mod file;
mod function;
mod initial;
mod inline;
mod lines;
mod matrix;
mod memory;
mod outside;
mod pointers;
mod registers;
mod signature;
mod unwritten;
mod variable;

use crate::{InputError, InputErrorKind};
use heddle_ptx::lexer::lex_file;

/// What is wrong, and where: the character of the text, from 1.
pub(crate) type Wrong = (usize, String);

/// How the text starts that is made of PTX.
pub(crate) const HEAD: &str = "; from PTX\n";

/// IR text of a file of PTX; `name` is the input's in messages and in locations.
///
/// # Errors
/// [`InputErrorKind::BadPtx`].
pub(crate) fn translate(name: &str, bytes: &[u8]) -> Result<String, InputError> {
    let help = "`ptxas` says more of PTX that is not valid; `.version` up to 9 is read";
    let bad = |message: String| InputError::new(InputErrorKind::BadPtx, name, message, help);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let (line, column) = position(&text, text.chars().count() + 1);
        bad(format!("line {line}, column {column}: this is no text"))
    })?;
    in_text(name, text).map_err(|(at, message)| {
        let (line, column) = position(text, at);
        bad(format!("line {line}, column {column}: {message}"))
    })
}

fn in_text(name: &str, text: &str) -> Result<String, Wrong> {
    let tokens = lex_file(text).map_err(|(at, kind)| (at, kind.to_string()))?;
    let end = text.chars().count() + 1;
    let mut file = file::read(&tokens, end)?;
    let mut bodies = Vec::new();
    for it in &file.functions {
        bodies.push(body::read(&file, &tokens, it)?);
    }
    let by_pointer = bodies.iter().flatten().any(|it| !it.prototypes.is_empty());
    let mut pointers = Vec::new();
    for (n, body) in bodies.iter().enumerate() {
        let Some(body) = body else {
            pointers.push(pointers::Pointers::default());
            continue;
        };
        let found = pointers::of(&file, &file.functions[n], body);
        if !by_pointer && !file.functions[n].is_entry {
            file.passed.insert(file.functions[n].name.clone(), found.parameters.clone());
        }
        pointers.push(found);
    }
    let starts = lines::starts(text);
    let mut lines = lines::Lines::new(name, &starts, &file);
    let mut out = String::from(HEAD);
    out.push_str(
        "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n\
         target triple = \"nvptx64-nvidia-cuda\"\n",
    );
    let mut functions = String::new();
    let mut shared = Vec::new();
    for (it, (body, pointers)) in file.functions.iter().zip(bodies.iter().zip(&pointers)) {
        functions.push_str(&function::text(&file, it, body.as_ref(), pointers, &mut lines)?);
        shared.extend(body.iter().flat_map(|it| it.outer.iter().cloned()));
    }
    for it in file.variables.iter().chain(&shared) {
        out.push_str(&initial::definition(&file, &tokens, it)?);
    }
    out.push_str(&functions);
    out.push_str(
        "attributes #0 = { convergent nounwind }\nattributes #1 = { nounwind memory(none) }\n",
    );
    out.push_str(&lines.finish());
    Ok(out)
}

/// Line and column of a character, both from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let (mut line, mut column) = (1, 1);
    for c in text.chars().take(at.saturating_sub(1)) {
        if c == '\n' {
            (line, column) = (line + 1, 1);
        } else {
            column += 1;
        }
    }
    (line, column)
}
