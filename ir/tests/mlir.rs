//! Kernels as MLIR: what is written reads back as the same kernel, and no text makes the reader
//! panic. That MLIR itself takes what is written, and that what MLIR prints reads back, is a test
//! of `tests/kernels.rs`.

mod common;
mod same;

use common::{Random, random_kernel};
use heddle_ir::{Kernel, parse_mlir, print_mlir, renumber, verify};
use same::assert_same;

fn written(kernel: &Kernel) -> String {
    print_mlir(std::slice::from_ref(kernel))
}

fn read(text: &str) -> Kernel {
    let mut kernels = parse_mlir(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(kernels.len(), 1, "{text}");
    kernels.remove(0)
}

#[test]
fn random_kernels_read_back_as_the_same_kernels() {
    for seed in 0..300 {
        let kernel = random_kernel(seed);
        let text = written(&kernel);
        let again = read(&text);
        assert_eq!(verify(&again), Ok(()), "seed {seed}\n{text}");
        assert_same(&renumber(&again), &renumber(&kernel), &text);
    }
}

#[test]
fn several_kernels_in_modules_in_modules() {
    let all: Vec<Kernel> = (0..3).map(random_kernel).collect();
    let text = format!("module {{\n{}{}}}\n", print_mlir(&all[..2]), written(&all[2]));
    let read = parse_mlir(&text).unwrap();
    assert_eq!(read.len(), 3);
    for (one, other) in read.iter().zip(&all) {
        assert_same(&renumber(one), &renumber(other), &text);
    }
}

/// One operation in a kernel, and what is wrong with it.
#[test]
fn errors_say_where_and_what_was_expected() {
    let kernel = |inside: &str| {
        format!(
            "\"heddle.kernel\"() ({{\n{inside}\n\"llvm.return\"() : () -> ()\n}}) {{sym_name = \"k\", \
             display_name = \"k\", family = \"nvptx\", sm = 80 : i32, warp_size = 32 : i32, \
             opencl = false, flushes = false, fetches = false, callees_assumed = false, shared_aligned = false, \
             returns_written = false, files = [], launch = {{}}}} : () -> ()"
        )
    };
    assert_eq!(parse_mlir(&kernel("")).map(|it| it.len()), Ok(1));
    let truth = "%0 = \"heddle.const\"() {of = true} : () -> i1\n";
    for (inside, expected) in [
        ("%0 = arith.constant 1 : i32", "2:6: expected an operation in the generic form"),
        ("\"test.op\"() : () -> ()", "2:1: expected an operation of the dialect `heddle`"),
        ("\"heddle.exit\"(%0) {ending = \"return\"} : (i1) -> ()", "a value `%0` that is defined"),
        ("%0 = \"heddle.const\"() : () -> i1", "an attribute `of`, a number"),
        ("%0 = \"heddle.const\"() {of = 1 : i32} : () -> f32", "an unwrapped number as `%0`"),
        (
            &format!("{truth}\"heddle.exit\"(%0) {{ending = \"leave\"}} : (i1) -> ()"),
            "3:1: expected an attribute `ending`, one of the words that the dialect has",
        ),
        (
            &format!("{truth}\"heddle.exit\"(%0, %0) {{ending = \"trap\"}} : (i1, i1) -> ()"),
            "3:1: expected 1 operands less",
        ),
        (&format!("{truth}\"heddle.next\"(%0) : (i1) -> ()"), "an operation that is not for loops"),
        (&format!("{truth}\"heddle.loop\"(%0) ({{\n}}) : (i1) -> ()"), "`heddle.next` at its end"),
    ] {
        let error = parse_mlir(&kernel(inside)).expect_err(inside).to_string();
        assert!(error.contains(expected), "{inside}: {error}");
    }
    let deep = "module {".repeat(100_000);
    assert!(parse_mlir(&deep).expect_err("deep").to_string().contains("levels of nesting"));
    let places = format!("\"a\"() : () -> () loc({}", "callsite(".repeat(100_000));
    assert!(parse_mlir(&places).expect_err("deep").to_string().contains("levels of nesting"));
}

/// Also what mutation makes of a kernel must be written and verified without a panic.
#[test]
fn mutated_texts_never_panic() {
    let mut random = Random::new(11);
    let seeds: Vec<String> = (0..12).map(|seed| written(&random_kernel(seed))).collect();
    let pieces: Vec<&str> = seeds.iter().flat_map(|text| text.split_whitespace()).collect();
    let (mut parsed, mut refused) = (0, 0);
    for round in 0..1200 {
        let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
        for _ in 0..1 + random.below(2) {
            let at = random.below(text.len());
            let end = (at + random.below(12)).min(text.len());
            let piece: Vec<char> = match random.below(4) {
                0 => vec![],
                1 => {
                    vec![random.pick(&['0', '9', '%', '#', '(', '>', '"', '-', ':', 'é', '\u{0}'])]
                }
                2 => text[at..end].to_vec(),
                _ => pieces[random.below(pieces.len())].chars().collect(),
            };
            let keep = if random.below(2) == 0 { at } else { end };
            text.splice(at..keep, piece);
        }
        let text: String = text.into_iter().collect();
        match parse_mlir(&text) {
            Ok(kernels) => {
                parsed += 1;
                for it in kernels {
                    if verify(&it).is_ok() {
                        assert_same(&renumber(&read(&written(&it))), &renumber(&it), &text);
                    }
                }
            }
            Err(error) => {
                refused += 1;
                assert!(error.line >= 1 && error.column >= 1 && !error.expected.is_empty());
            }
        }
    }
    assert!(parsed > 100 && refused > 100, "{parsed} parsed, {refused} refused");
}
