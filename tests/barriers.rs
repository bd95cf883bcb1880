//! `heddle barriers` as a user meets it: the chart as text and as a picture.

use std::path::PathBuf;
use std::process::{Command, Output};

const REUSED: &str = "tests/kernels/named/refuted_turns_both.cu";
const RACY: &str = "tests/kernels/named/refuted_argument_rounds_race.cu";
const RIGHT: &str = "tests/kernels/named/proved_pipeline_state.cu";
/// The picture that `docs/named-barriers.md` shows.
const PICTURE: &str = "docs/named-barriers.svg";

fn barriers(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    let done = command.arg("barriers").args(arguments).env_remove("RUST_BACKTRACE").output();
    done.expect("the binary starts and ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("output is UTF-8")
}

#[test]
fn the_chart_shows_who_takes_part_and_what_is_at_odds() {
    let done = barriers(&["--block", "128", REUSED]);
    let lines: Vec<&str> = text(&done.stdout).lines().collect();
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(
        lines[0],
        "kernel `k`: HD0204: barrier 2 can be used again before its last use is over"
    );
    assert_eq!(
        lines[1].split_whitespace().collect::<Vec<_>>().join(" "),
        "warp 0 warp 1 warp 2 warp 3"
    );
    let row =
        |title: &str| lines.iter().find(|it| it.starts_with(title)).copied().unwrap_or_default();
    assert!(row("barrier 2, generation 0 ").contains("! arrives for this use"), "{lines:#?}");
    assert!(row("barrier 2, generation 1 ").contains("! may take its place"), "{lines:#?}");
    assert!(row("barrier 2, generation 4 (open)").contains("arrive 16"), "{lines:#?}");
    assert!(text(&done.stderr).contains("error[HD0204]"));
}

#[test]
fn a_race_is_marked_at_the_barriers_before_it() {
    let done = barriers(&["--block", "64", RACY]);
    let shown = text(&done.stdout);
    assert!(shown.contains("! (1) after this: line 11"), "{shown}");
    assert!(shown.contains("! (2) after this: line 19"), "{shown}");
}

#[test]
fn what_is_right_has_no_mark() {
    let done = barriers(&["--block", "96", "--grid", "1", RIGHT]);
    let shown = text(&done.stdout);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(shown.starts_with("kernel `k`: all uses are in order, and nothing races\n"), "{shown}");
    assert!(!shown.contains('!') && shown.contains("`full[2]`, phase 1"), "{shown}");
}

#[test]
fn the_picture_is_the_one_in_the_documentation() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("barriers.svg");
    let file = path.to_str().expect("a path in UTF-8");
    let done = barriers(&["--block", "128", REUSED, "--svg", file]);
    assert_eq!((done.status.code(), done.stdout.len()), (Some(1), 0));
    let drawn = std::fs::read_to_string(&path).expect("the picture is there");
    let kept = std::fs::read_to_string(PICTURE).expect("the picture in the documentation");
    assert_eq!(drawn, kept, "`heddle barriers --block 128 {REUSED} --svg {PICTURE}` draws it anew");
    // Each element that is opened is closed, and red is there.
    let count = |what: &str| drawn.matches(what).count();
    assert_eq!(count("<text"), count("</text>"));
    assert_eq!(count("<circle") + count("<rect x"), count("<title>"));
    assert!(count("#c33") > 2);
}

#[test]
fn a_kernel_without_such_barriers_has_no_chart() {
    let done =
        barriers(&["--block", "64", "tests/kernels/exchange/proved_neighbour_after_barrier.cu"]);
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(0), ""));
    assert!(text(&done.stderr).contains("no kernel here has named barriers or barrier objects"));
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error_with_the_way_out() {
    let done = barriers(&["--block", "128", REUSED, "--svg", "no/such/folder/x.svg"]);
    assert_eq!(done.status.code(), Some(2));
    let said = text(&done.stderr);
    let refused = "`no/such/folder/x.svg` cannot be written: its folder does not exist";
    assert!(said.contains(refused), "{said}");
}
