//! What a finding is to the build: error, warning, remark or nothing, by the plugin's options and
//! by clang's own.

use crate::hosts::{PROVED, RACE, device, folder};

/// A kernel with an instruction that has no model.
const UNKNOWN: &str = "tests/kernels/calls/unknown_inline_assembly.cu";

#[test]
fn a_refutation_can_be_a_warning_that_clang_controls() {
    let out = folder("warning").join("out.s");
    let warn = ["-heddle-refuted=warning"];
    let ran = device(RACE, &out, &["-g"], &warn);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("neighbour.cu:8:11: warning: HD0101: "), "{}", ran.err);
    assert!(ran.err.contains("[-Wpass-failed=heddle]"), "{}", ran.err);
    let ran = device(RACE, &out, &["-g", "-Werror=pass-failed"], &warn);
    assert!(ran.code == Some(1) && ran.err.contains("error: HD0101: "), "{ran:?}");
    for silent in ["-Wno-pass-failed", "-w"] {
        let ran = device(RACE, &out, &["-g", silent], &warn);
        assert!(ran.code == Some(0) && ran.err.is_empty(), "{silent}: {ran:?}");
    }
}

#[test]
fn a_refutation_can_be_a_remark_or_nothing() {
    let out = folder("remark").join("out.s");
    let ran = device(RACE, &out, &["-g"], &["-heddle-refuted=remark"]);
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{ran:?}");
    let ran = device(RACE, &out, &["-Rpass-analysis=heddle"], &["-heddle-refuted=remark"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("neighbour.cu:8:11: remark: HD0101: "), "{}", ran.err);
    assert!(ran.err.contains("[-Rpass-analysis=heddle]"), "{}", ran.err);
    let ran = device(RACE, &out, &["-Rpass-analysis=heddle"], &["-heddle-refuted=off"]);
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{ran:?}");
}

#[test]
fn what_is_not_decided_is_a_remark_unless_asked_for() {
    let out = folder("unknown").join("out.s");
    let ran = device(UNKNOWN, &out, &["-O2"], &[]);
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{ran:?}");
    let ran = device(UNKNOWN, &out, &["-O2", "-Rpass-analysis=heddle"], &[]);
    assert!(ran.code == Some(0) && ran.err.contains("remark: HD000"), "{ran:?}");
    let ran = device(UNKNOWN, &out, &["-O2"], &["-heddle-unknown=warning"]);
    assert!(ran.code == Some(0) && ran.err.contains("warning: HD000"), "{ran:?}");
    let ran = device(UNKNOWN, &out, &["-O2"], &["-heddle-unknown=error"]);
    assert!(ran.code == Some(1) && ran.err.contains("error: HD000"), "{ran:?}");
}

#[test]
fn what_is_proved_is_a_remark() {
    let out = folder("passed").join("out.s");
    let ran = device(PROVED, &out, &["-O2", "-Rpass=heddle"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("remark: proved of `k`: "), "{}", ran.err);
    assert!(ran.err.contains("intra-block-race"), "{}", ran.err);
}

#[test]
fn the_record_has_errors_warnings_and_remarks() {
    let folder = folder("record");
    let record = folder.join("out.opt.yaml");
    let file = format!("-foptimization-record-file={}", record.display());
    let arguments =
        ["-g", "-fsave-optimization-record", "-foptimization-record-passes=heddle", &file];
    for (options, code) in
        [(&[][..], 1), (&["-heddle-refuted=warning"], 0), (&["-heddle-refuted=remark"], 0)]
    {
        let _old = std::fs::remove_file(&record);
        let ran = device(RACE, &folder.join("out.s"), &arguments, options);
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        // A compilation that fails keeps no files; the other two have their record.
        if code == 0 {
            let text = std::fs::read_to_string(&record).expect("the record is written");
            for part in [
                "Pass:            heddle",
                "Name:            HD0101",
                "Line: 8, Column: 11",
                "_Z9neighbourPii",
            ] {
                assert!(text.contains(part), "{options:?}: {part} is not in\n{text}");
            }
        }
    }
}
