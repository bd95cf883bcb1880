//! Kernels whose results are public (`tests/dynamic/references`): standards, known answers of
//! generators, sequences. A run gives them, bit by bit.

use std::path::PathBuf;

use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{RunOptions, run};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::{buffer, codes, options};

/// The numbers that stand after a word of a file's second line.
fn said<'t>(line: &'t str, word: &str) -> &'t str {
    line.split_once(word).unwrap_or_else(|| panic!("no `{word}` in {line}")).1
}

#[test]
fn public_results_come_out() {
    let entries = std::fs::read_dir("tests/dynamic/references").expect("the folder").flatten();
    let mut paths: Vec<_> = entries.map(|it| it.path()).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "cu"));
    paths.sort();
    assert!(paths.len() >= 35, "{paths:?}");
    let compared = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a file");
        let line = text.lines().nth(1).unwrap_or_default();
        let words = said(line, "gives ").split_whitespace();
        let expected: Vec<u32> =
            words.map(|it| u32::from_str_radix(it, 16).expect("a number")).collect();
        let number = |word: &str| {
            said(line, word).split_whitespace().next().and_then(|it| it.parse::<u32>().ok())
        };
        let size = (number("grid="), number("block="));
        let (Some(grid), Some(block)) = size else { panic!("no launch: {line}") };
        let out = vec![buffer(&format!("out=u32[{}]:zeros", expected.len()))];
        let outcome = run(
            &Source::File(path.clone()),
            &RunOptions { buffers: out, ..options(grid, block) },
            &Embedded,
        )
        .expect("a current folder");
        let bytes = outcome.buffer("out").unwrap_or_default();
        let got: Vec<u32> =
            bytes.chunks(4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect();
        if got != expected || !codes(&outcome).is_empty() {
            return Some(format!(
                "{}: {got:x?}, and not {expected:x?}; {:?}",
                path.display(),
                codes(&outcome)
            ));
        }
        None
    };
    let wrong: Vec<String> = paths.par_iter().filter_map(compared).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
