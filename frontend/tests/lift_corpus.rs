//! Kernels of the corpus lift, verify, and print to text that parses back to the same text.
//!
//! All that are LLVM IR, and one in eight of those that clang has to compile first: the harness of
//! the whole tool goes through the rest.

use std::path::{Path, PathBuf};

use heddle_frontend::{CompileOptions, Input, load};
use heddle_lift::lift;

fn kernels(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            kernels(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| ["cu", "cl", "ll"].iter().any(|known| e == *known))
        {
            found.push(path);
        }
    }
}

/// What is wrong with a file, empty where nothing is.
fn complaints(path: &Path) -> Vec<String> {
    let name = path.display();
    let prepared = match load(&Input::file(path), &CompileOptions::default()) {
        Ok(prepared) => prepared,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mut found = Vec::new();
    for kernel in &prepared.kernels {
        let Some(function) = prepared.module.function(&kernel.name) else {
            found.push(format!("{name}: {} is gone", kernel.name));
            continue;
        };
        let lifted = match lift(&prepared.module, function) {
            Ok(lifted) => lifted,
            Err(error) => {
                found.push(format!("{name}: {error}"));
                continue;
            }
        };
        if let Err(errors) = heddle_ir::verify(&lifted) {
            found.extend(errors.iter().map(|e| format!("{name}: {}: {e}", kernel.display)));
        }
        let text = heddle_ir::print_kernel(&lifted);
        match heddle_ir::parse_kernel(&text) {
            Ok(again) if heddle_ir::print_kernel(&again) == text => {}
            Ok(_) => {
                found.push(format!("{name}: {} changes when printed and parsed", kernel.display))
            }
            Err(error) => found.push(format!("{name}: {}: {error}", kernel.display)),
        }
    }
    found
}

#[test]
fn kernels_of_the_corpus_lift() {
    let mut files = Vec::new();
    kernels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels"), &mut files);
    files.sort();
    assert!(!files.is_empty(), "the corpus is gone");
    let is_ir = |path: &PathBuf| path.extension().is_some_and(|e| e == "ll");
    let (text, source): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(is_ir);
    let files: Vec<PathBuf> = text.into_iter().chain(source.into_iter().step_by(8)).collect();
    let (first, second) = files.split_at(files.len() / 2);
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let work = |part: &[PathBuf]| part.iter().flat_map(|f| complaints(f)).collect::<Vec<_>>();
        let other = scope.spawn(move || work(second));
        let mut all = work(first);
        all.extend(other.join().expect("no lift panics"));
        all
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
