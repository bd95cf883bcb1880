//! What is decided about findings, in the compiler: `heddle.toml` beside the source, options, and
//! comments.

use std::path::{Path, PathBuf};

use crate::hosts::{RACE, device, folder, opt, run};

/// A folder with the source of a race, and this `heddle.toml`.
fn project(name: &str, toml: &str) -> (PathBuf, String) {
    let folder = folder("decisions").join(name);
    std::fs::create_dir_all(&folder).expect("writable");
    let source = folder.join("race.cu");
    std::fs::copy(RACE, &source).expect("writable");
    std::fs::write(folder.join("heddle.toml"), toml).expect("writable");
    (folder, source.display().to_string())
}

#[test]
fn the_nearest_file_of_the_project_decides() {
    for (name, toml, code, part) in [
        ("plain", "", 1, "error: HD0101"),
        ("lowered", "[severity]\nHD0101 = \"warning\"\n", 0, "warning: HD0101"),
        ("ignored", "[severity]\nHD0101 = \"ignore\"\n", 0, ""),
        ("never", "fail-on = \"never\"\n", 0, "warning: HD0101"),
        ("strict", "fail-on = \"warning\"\n[severity]\nHD0101 = \"warning\"\n", 1, "error: HD0101"),
        ("passes", "passes = [\"barrier-divergence\"]\n", 0, ""),
        ("excluded", "exclude = [\"*.cu\"]\n", 0, ""),
        // One thread races with nobody.
        ("launch", "[launch]\nblock = 1\ngrid = 1\n", 0, ""),
        ("kernel", "[[kernel]]\nname = \"neigh*\"\nblock = 1\ngrid = 1\n", 0, ""),
        ("broken", "fail-on = 3\n", 1, "warning: HD0901"),
    ] {
        let (folder, source) = project(name, toml);
        let ran = device(&source, &folder.join("out.s"), &["-g"], &["-heddle-budget=1"]);
        assert_eq!(ran.code, Some(code), "{name}: {}", ran.err);
        assert!(ran.err.contains(part) && part.is_empty() == ran.err.is_empty(), "{name}: {ran:?}");
    }
}

#[test]
fn options_count_more_than_the_file() {
    let (folder, source) =
        project("options", "fail-on = \"never\"\n[launch]\nblock = 1\ngrid = 1\n");
    let out = folder.join("out.s");
    let code = |options: &[&str]| device(&source, &out, &["-g"], options).code;
    assert_eq!(code(&["-heddle-block=64"]), Some(0), "it is a warning");
    assert_eq!(code(&["-heddle-block=64", "-heddle-fail-on=refuted"]), Some(1));
    assert_eq!(code(&["-heddle-block=64", "-heddle-refuted=error"]), Some(1));
    assert_eq!(code(&["-heddle-no-config"]), Some(1));
    let other = folder.join("other.toml");
    std::fs::write(&other, "[severity]\nHD0101 = \"note\"\n").expect("writable");
    let other = format!("-heddle-config={}", other.display());
    assert_eq!(code(&[&other]), Some(0));
    assert_eq!(code(&["-heddle-no-config", "-heddle-severity=HD0101=note"]), Some(0));
    let wrong = device(&source, &out, &[], &["-heddle-fail-on=sometimes"]);
    assert!(wrong.code == Some(1) && wrong.err.contains("`never`"), "{wrong:?}");
}

#[test]
fn a_baseline_leaves_new_findings_only() {
    let (folder, source) = project("baseline", "");
    let baseline = folder.join("known.json").display().to_string();
    // The same module in both, so that the findings are the same.
    let ir = folder.join("race.ll").display().to_string();
    std::fs::copy(crate::hosts::device_ir(RACE, "baseline"), &ir).expect("writable");
    let _by_source = source;
    let written = run(env!("CARGO_BIN_EXE_heddle"), &["baseline", &ir, "-o", &baseline]);
    assert_eq!(written.code, Some(0), "{}", written.err);
    let with = format!("heddle<budget=1;baseline={baseline}>");
    let ran = opt(&ir, &with, &[]);
    assert_eq!((ran.code, ran.err.contains("HD0101")), (Some(0), false), "{}", ran.err);
    assert_ne!(opt(&ir, "heddle<budget=1>", &[]).code, Some(0));
    let gone = opt(&ir, "heddle<budget=1;baseline=none.json>", &[]);
    assert!(gone.err.contains("HD0901") && gone.err.contains("none.json"), "{gone:?}");
}

#[test]
fn comments_in_the_source_allow_findings_in_the_compiler_too() {
    let out = folder("comments").join("out.s");
    let allowed = |source: &str| {
        device(&Path::new("tests/policy").join(source).display().to_string(), &out, &["-g"], &[])
    };
    let ran = allowed("race_allowed.cu");
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{ran:?}");
    let ran = allowed("race_without_reason.cu");
    assert!(ran.code == Some(1) && ran.err.contains("HD0902"), "{ran:?}");
    let ran = allowed("suppression_unused.cu");
    assert!(ran.code == Some(0) && ran.err.contains("warning: HD0902"), "{ran:?}");
    assert!(ran.err.contains("suppression_unused.cu:3:"), "{}", ran.err);
}
