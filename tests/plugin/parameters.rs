//! Parameters of the pass and options of the command line: accepted, refused, printed.

use crate::hosts::{PROVED, RACE, device, device_ir, folder, opt};

#[test]
fn a_launch_from_the_parameters_is_used() {
    // The neighbour is another thread only where a block has two.
    let ir = device_ir(RACE, "launch");
    for (pipeline, code) in [
        ("heddle<races,launch=1>", 0),
        ("heddle<races;block=1x1>", 0),
        ("heddle<block=64;grid=2;arg=arg1=128>", 1),
        ("heddle<barrier-divergence>", 0),
        ("heddle<races;kernel=other>", 0),
        ("heddle<races;kernel=neigh*>", 1),
        ("heddle<races,refuted=off>", 0),
    ] {
        let ran = opt(&ir, pipeline, &[]);
        assert_eq!(ran.code, Some(code), "{pipeline}: {}", ran.err);
    }
    // The command line's options are there first, the pass's parameters count.
    let ran = opt(&ir, "heddle<block=1>", &["-heddle-block=64"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = opt(&ir, "heddle", &["-heddle-block=1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let out = folder("launch").join("out.s");
    let ran = device(RACE, &out, &[], &["-heddle-block=1", "-heddle-assume=n > 0"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn parameters_that_make_no_sense_are_refused_with_a_way_out() {
    let ir = device_ir(PROVED, "refused");
    for (pipeline, part) in [
        ("heddle<rares>", "the passes are barrier-divergence"),
        ("heddle<races,rares>", "`rares` is no option; did you mean `races`?"),
        ("heddle<block=0>", "at least 1"),
        ("heddle<refuted=loud>", "error, warning, remark"),
        ("heddle<races,block=64", "the closing `>` is missing"),
    ] {
        let ran = opt(&ir, pipeline, &[]);
        assert_eq!(ran.code, Some(1), "{pipeline}: {}", ran.err);
        assert!(ran.err.contains(part), "{pipeline}: {}", ran.err);
    }
    let ran = opt(&ir, "heddle", &["-heddle-block=x"]);
    assert!(ran.code == Some(1) && ran.err.contains("one to three numbers"), "{ran:?}");
    // LLVM would take a name that it does not know for `-h`, print its help and end well.
    for name in ["-heddle-refutd=warning", "-heddle-blok=3"] {
        let ran = opt(&ir, "heddle", &[name]);
        assert!(ran.code == Some(1) && ran.err.contains("; did you mean `"), "{name}: {ran:?}");
    }
    let out = folder("refused").join("out.s");
    let ran = device(PROVED, &out, &[], &["-heddle-refutd=warning"]);
    assert!(ran.code == Some(1) && ran.err.contains("did you mean `refuted`?"), "{ran:?}");
    let ran = device(PROVED, &out, &[], &["-heddle-barrier-model=lax"]);
    assert!(ran.code == Some(1) && ran.err.contains("`strict` and `exited-ok`"), "{ran:?}");
    // What fits no kernel is the user's to repair, and stops nothing.
    let ran = device(PROVED, &out, &[], &["-heddle-arg=nobody=1"]);
    assert!(ran.code == Some(0) && ran.err.contains("warning: HD0901: "), "{ran:?}");
}

#[test]
fn the_pipeline_prints_as_it_would_be_read() {
    let ir = device_ir(PROVED, "printed");
    let ran = opt(&ir, "heddle<races,block=64>,function(sroa)", &["-print-pipeline-passes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("heddle<races;block=64>,function(sroa"), "{}", ran.out);
    let ran = opt(&ir, ran.out.trim(), &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_pipeline_that_names_the_pass_runs_it_once() {
    let ir = device_ir(RACE, "once");
    for pipeline in ["default<O1>", "heddle,default<O1>", "default<O1>,heddle<races>"] {
        // The optimised kernel is a harder question.
        let ran = opt(&ir, pipeline, &["-heddle-refuted=warning", "-heddle-budget=1"]);
        assert_eq!(ran.code, Some(0), "{pipeline}: {}", ran.err);
        assert_eq!(ran.err.matches("HD0101: ").count(), 1, "{pipeline}: {}", ran.err);
    }
}
