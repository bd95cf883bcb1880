//! Litmus tests: what each file of this folder expects holds under the PTX memory model, and the
//! text form says where it is wrong.

mod families;
mod generated;
mod kernels;

use std::path::PathBuf;

use heddle_litmus::cli::{Exit, check};
use heddle_litmus::{Limits, answer, parse};

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/litmus")
        .expect("the tests")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "litmus"))
        .collect();
    files.sort();
    assert!(files.len() > 80, "the walk must find the tests");
    files
}

#[test]
fn what_each_test_expects_holds() {
    let mut wrong = Vec::new();
    for file in files() {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(&file).expect("a test");
        let test = match parse(&text) {
            Ok(test) => test,
            Err(error) => {
                wrong.push(format!("{name}:{error}"));
                continue;
            }
        };
        if !text.starts_with("// ") {
            wrong.push(format!("{name}: the first line says what the test shows"));
        }
        if test.expectations.is_empty() {
            wrong.push(format!("{name}: the test expects nothing"));
        }
        let mut out = Vec::new();
        let exit = check(&name, &text, Limits::default(), &mut out).expect("memory takes all");
        if exit != Exit::Holds {
            wrong.push(format!("{name}: {}", String::from_utf8_lossy(&out)));
        }
        let found = answer(&test, Limits::default()).expect("small enough");
        if found.executions == 0 {
            wrong.push(format!("{name}: no execution ends"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_test_reads_back_as_it_prints() {
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a test");
        let printed = parse(&text).expect("a test").to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{printed}\n{error}"));
        assert_eq!(printed, again.to_string(), "{}", file.display());
    }
}

#[test]
fn what_is_wrong_with_a_text_has_line_and_column() {
    let cases = [
        ("thread 0 block 0", "1:1: expected `litmus` and the name of the test, found `thread`"),
        (
            "litmus a\nthread 1 block 0",
            "2:8: expected thread 0, as threads are numbered, found `1`",
        ),
        (
            "litmus a\nthread 0 block 0\n  ld.relaxed r, [x]",
            "3:3: a strong operation names its scope: cta, cluster, gpu or sys",
        ),
        ("litmus a\nthread 0 block 0\n  st.acquire.gpu [x], 1", "3:3: a write cannot acquire"),
        ("litmus a\nthread 0 block 0\n  st.weak x, 1", "3:11: expected `[`, found `x`"),
        (
            "litmus a\nthread 0 block 0\n  st.weak [x], 1 2",
            "3:18: expected the end of the line, found `2`",
        ),
        (
            "litmus a\nthread 0 block 0\n  if r == 1\nrace none",
            "4:1: the `if` of line 3 has no `end`",
        ),
        (
            "litmus a\nthread 0 block 0\n  st.weak [x], 1\nrace y",
            "4:1: no thread before this line has `y`",
        ),
        (
            "litmus a\nthread 0 block 0\n  fence.gpu",
            "3:3: a fence is `fence.acq_rel.SCOPE` or `fence.sc.SCOPE`",
        ),
        (
            "litmus a\nthread 0 block 0\n  ld.weak é, [x]\nallowed 0:é == x",
            "4:16: expected a number, found `x`",
        ),
        (
            "litmus a\nthread 0 block 0\n  st.weak [x], 1\nforbidden x == 1 by magic",
            "4:21: expected one of coherence, fence-sc, atomicity, no-thin-air, sc-per-location, causality, found `magic`",
        ),
        ("litmus a", "1:1: the test has no threads"),
    ];
    for (text, expected) in cases {
        let error = parse(text).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn a_test_that_is_too_large_is_unknown() {
    let mut text = "litmus large\n".to_owned();
    for thread in 0..4 {
        text += &format!("thread {thread} block {thread}\n");
        for access in 0..6 {
            text += &format!("  ld.relaxed.gpu r{access}, [x]\n  st.relaxed.gpu [x], {access}\n");
        }
    }
    let mut out = Vec::new();
    let limits = Limits { runs: 1000, candidates: 1000 };
    let exit = check("large", &text, limits, &mut out).expect("memory takes all");
    assert_eq!(exit, Exit::Unknown, "{}", String::from_utf8_lossy(&out));
}

#[test]
fn a_test_whose_expectation_fails_says_what_is() {
    let text = "litmus a\nthread 0 block 0\n  st.weak [x], 1\nthread 1 block 1\n  ld.weak r, [x]\nrace none";
    let mut out = Vec::new();
    let exit = check("a", text, Limits::default(), &mut out).expect("memory takes all");
    assert_eq!(exit, Exit::Fails);
    let expected = "\
a: 2 threads, 2 executions, 2 outcomes
  1:r = 0  x = 1
  1:r = 1  x = 1
data race on x: `st.weak [x], 1` of thread 0 (line 3) and `ld.weak r, [x]` of thread 1 (line 5)
line 6: race none: FAILS: race x
";
    assert_eq!(String::from_utf8_lossy(&out), expected);
}

#[test]
fn a_loop_whose_rounds_change_what_they_read_is_no_test() {
    let test = |loops: &str| {
        let text = format!(
            "litmus t\nthread 0 block 0\n  st.relaxed.gpu [f], 1\nthread 1 block 1\n  {loops}\nrace none\n"
        );
        parse(&text).map_err(|error| (error.line, error.message))
    };
    for (loops, is_one) in [
        ("ld.acquire.gpu r, [f]\n  until r == 1", true),
        ("atom.relaxed.gpu.add r, [f], 1\n  until r == 1", false),
        ("atom.relaxed.gpu.add r, [f], 0\n  until r == 1", true),
        ("atom.relaxed.gpu.cas r, [f], 1, 2\n  until r == 1", true),
        ("atom.relaxed.gpu.cas r, [f], 0, 2\n  until r == 1", false),
        ("atom.relaxed.gpu.cas r, [f], 0, 2\n  until r < 1", true),
        ("atom.relaxed.gpu.exch r, [f], 0\n  until r == 1", true),
        ("atom.relaxed.gpu.exch r, [f], 2\n  until r == 1", false),
        ("if q == 0\n  atom.relaxed.gpu.exch r, [f], 2\n  until r == 1\n  end", false),
        // What is asked of another register stands for no loop.
        ("atom.relaxed.gpu.add r, [f], 1\n  until q == 0", true),
    ] {
        let made = test(loops);
        assert_eq!(made.is_ok(), is_one, "{loops}: {made:?}");
        if let Err((line, why)) = made {
            assert!((6..=7).contains(&line) && why.contains("atom.cas"), "{line}: {why}");
        }
    }
}
