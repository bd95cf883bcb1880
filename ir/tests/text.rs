//! The textual form: what is printed parses back to the same kernel, and no text makes the parser
//! panic.

mod common;
mod same;

use common::{Random, random_kernel};
use heddle_ir::{Kernel, parse_kernel, parse_kernels, print_kernel, renumber, verify};
use same::assert_same;

const NEIGHBOUR: &str = r#"
kernel _Z9neighbourPi as neighbour
target nvptx sm 80 warp 32
launch block 64 1 1
param out: pointer out
param n: i32
object out: global param 0
object s: shared variable size 256 shape [64, stride 4] scalar 4
{
  ; A thread publishes its number, and reads its neighbour's after the barrier.
  %at = mul.nsw.nuw(zext.i64(tid.x), 4)
  store s[%at +: 4] (tid.x) @here
  barrier.block.aligned(3)
  [ult(tid.x, param(n))] %v: i32 = load s[xor(%at, 4) +: 4]
  loop @l if ult(tid.x, param(n)) {
    var %i: i32 = 0
    var %sum "running sum": i32 = %v
    next %sum = add(%sum, %i)
    %up = add.nsw(%i, 1)
    next %i = %up
    while slt(%up, 10)
  }
  [ult(tid.x, param(n))] store out[%at +: 4] (exit(@l, add(%sum, %i)))
}
file "k.cu"
here in k span 0 5 3
"#;

/// The kernels of the page on the IR, as they stand there.
#[test]
fn the_page_shows_what_is_printed() {
    let page = include_str!("../../docs/ir.md");
    let mut shown = 0;
    for block in page.split("```heddle\n").skip(1) {
        let text = block.split("```").next().unwrap();
        let kernel =
            parse_kernel(text).unwrap_or_else(|error| panic!("docs/ir.md: {error}\n{text}"));
        assert_eq!(verify(&kernel), Ok(()));
        assert_eq!(print_kernel(&kernel), text, "docs/ir.md shows another form than is printed");
        shown += 1;
    }
    assert!(shown > 0, "docs/ir.md has no kernel");
}

fn round_trip(kernel: &Kernel) -> String {
    let text = print_kernel(kernel);
    let parsed = match parse_kernel(&text) {
        Ok(parsed) => parsed,
        Err(error) => panic!("{error}\n{text}"),
    };
    assert_eq!(print_kernel(&parsed), text);
    assert_same(&renumber(&parsed), &renumber(kernel), &text);
    text
}

#[test]
fn a_hand_written_kernel_parses_verifies_and_prints() {
    let kernel = parse_kernel(NEIGHBOUR).unwrap();
    assert_eq!(verify(&kernel), Ok(()));
    assert_eq!((kernel.ops.len(), kernel.loops.len(), kernel.vars.len()), (4, 1, 2));
    let text = round_trip(&kernel);
    let body = text.split_once("{\n").unwrap().1.split_once("}\nfile").unwrap().0;
    assert_eq!(
        body,
        r#"  %at.0 = mul.nsw.nuw(zext.i64(tid.x), 4)
  store s[%at.0 +: 4] (tid.x) @at0 ; k.cu:5:3
  barrier.block.aligned(3) @at1
  %1 = ult(tid.x, param(n))
  [%1] %v.2: i32 = load s[xor(%at.0, 4) +: 4] @at1
  loop @loop0 if %1 { @at1
    var %i.3: i32 = 0
    var %4 "running sum": i32 = %v.2
    %5 = add(%4, %i.3)
    %up.6 = add.nsw(%i.3, 1)
    next %i.3 = %up.6
    next %4 = %5
    while slt(%up.6, 10)
  }
  [%1] store out[%at.0 +: 4] (exit(@loop0, %5)) @at1
"#
    );
}

#[test]
fn random_kernels_survive_the_round_trip_and_the_verifier() {
    for seed in 0..200 {
        let kernel = random_kernel(seed);
        assert_eq!(verify(&kernel), Ok(()), "seed {seed}\n{kernel}");
        round_trip(&kernel);
        let small = renumber(&kernel);
        assert_eq!(verify(&small), Ok(()), "seed {seed}, renumbered");
        assert_same(&renumber(&small), &small, "renumbering twice");
    }
}

#[test]
fn several_kernels_in_one_text() {
    let text = format!("{}\n{NEIGHBOUR}", random_kernel(1));
    let kernels = parse_kernels(&text).unwrap();
    assert_eq!(kernels.len(), 2);
    assert_eq!(kernels[1].display_name, "neighbour");
    assert_eq!(parse_kernel(&text).unwrap_err().expected, "the end of the text");
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let cases = [
        (
            "param(n))] %v",
            "param(m))] %v",
            "14:21: expected a parameter that is a number, found `m`",
        ),
        ("load s[", "load t[", "14:41: expected an object of the header, found `t`"),
        ("(tid.x) @here", "(tid.w) @here", "12:22: expected a term, found `tid.w`"),
        (
            "(tid.x) @here",
            "(7) @here",
            "12:23: expected `:` and a width, as nothing here says it, found `)`",
        ),
        (
            "@here",
            "@there",
            "12:29: expected a source place of the table at the end, found `@there`",
        ),
        (
            "barrier.block",
            "barrier.blok",
            "13:3: expected an operation, found `barrier.blok.aligned`",
        ),
        (
            "i32 = 0",
            "i32 = -9000000000",
            "16:19: expected a number of 32 bits, found `-9000000000`",
        ),
        ("next %i", "next %at", "20:10: expected a variable of this loop, found `%at`"),
        ("exit(@l", "exit(@m", "23:52: expected a loop that stands above, found `@m`"),
        ("param n: i32", "param n: i0", "6:10: expected `pointer`, `field` or a width, found `i0`"),
        (
            "scalar 4",
            "scalar \"",
            "8:64: expected a string that ends on its line, found no closing `\"`",
        ),
        ("kernel", "colonel", "2:1: expected `kernel`, found `colonel`"),
    ];
    for (from, to, message) in cases {
        let text = NEIGHBOUR.replacen(from, to, 1);
        let error =
            parse_kernel(&text).map(|_| "no error").unwrap_or_else(|it| it.to_string().leak());
        assert_eq!(error, message, "{from} -> {to}");
    }
}

#[test]
fn deep_nesting_is_refused_not_overflowed() {
    let deep = "not(".repeat(100_000);
    let text = NEIGHBOUR.replacen("%up = ", &format!("%up = {deep}"), 1);
    let error = parse_kernel(&text).unwrap_err();
    assert_eq!(error.expected, "no more than 200 levels of nesting");
    let shapes = "[1, stride 1] ".repeat(100_000);
    let text = NEIGHBOUR.replacen("scalar 4", &format!("{shapes}scalar 4"), 1);
    assert_eq!(parse_kernel(&text).unwrap_err().expected, "no more than 200 levels of nesting");
    let loops = "loop @x {".repeat(300);
    let text = NEIGHBOUR.replacen("barrier", &format!("{loops}\nbarrier"), 1);
    assert!(parse_kernel(&text).is_err());
}

/// Also what mutation makes of a kernel must print, verify and parse again without a panic.
#[test]
fn mutated_texts_never_panic() {
    let mut random = Random::new(7);
    let seeds: Vec<String> =
        (0..12).map(|seed| random_kernel(seed).to_string()).chain([NEIGHBOUR.to_owned()]).collect();
    let pieces: Vec<String> =
        seeds.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    let (mut parsed, mut refused) = (0, 0);
    for round in 0..3000 {
        let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            let end = (at + random.below(12)).min(text.len());
            let piece: Vec<char> = match random.below(4) {
                0 => vec![],
                1 => {
                    vec![random.pick(&['0', '9', '%', '@', '(', ']', '"', '.', ':', 'é', '\u{0}'])]
                }
                2 => text[at..end].to_vec(),
                _ => pieces[random.below(pieces.len())].chars().collect(),
            };
            let keep = if random.below(2) == 0 { at } else { end };
            text.splice(at..keep, piece);
        }
        let text: String = text.into_iter().collect();
        match parse_kernel(&text) {
            Ok(kernel) => {
                parsed += 1;
                let good = verify(&kernel).is_ok();
                let again = print_kernel(&kernel);
                if good {
                    round_trip(&kernel);
                }
                drop(again);
            }
            Err(error) => {
                refused += 1;
                assert!(error.line >= 1 && error.column >= 1 && !error.expected.is_empty());
            }
        }
    }
    assert!(parsed > 100 && refused > 100, "{parsed} parsed, {refused} refused");
}
