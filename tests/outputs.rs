//! What `heddle check` writes for other programs, through the binary. `tests/kernels.rs` does the same for the whole corpus.

mod schema;

use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use schema::{errors, validator};
use serde_json::Value;

const RACE: &str = "demo/neighbour.cu";
const UNKNOWN: &str = "tests/kernels/llvm/unknown_indirect_call.ll";

/// Runs the binary; the exit code and standard output.
fn heddle(arguments: &[&str]) -> (i32, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(arguments)
        .output()
        .expect("the binary starts");
    (done.status.code().unwrap_or(-1), String::from_utf8(done.stdout).expect("UTF-8"))
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn each_format_through_the_binary() {
    let validator = validator();
    for (arguments, code) in [
        (["check", RACE].as_slice(), 1),
        (&["check", UNKNOWN, "--block", "64"], 3),
        (&["check", RACE, "no/such/file.cu"], 2),
    ] {
        let run = |format: &str| {
            let (ended, out) = heddle(&[arguments, &["--format", format]].concat());
            assert_eq!(ended, code, "{arguments:?} {format}: {out}");
            assert_eq!(
                heddle(&[arguments, &["--format", format]].concat()).1,
                out,
                "the same bytes"
            );
            let here = env!("CARGO_MANIFEST_DIR");
            assert!(!out.contains(here), "{format} names a folder of this machine: {out}");
            out
        };
        assert_eq!(errors(&validator, &run("sarif")), Vec::<String>::new());
        let last = run("jsonl");
        let last: Value = serde_json::from_str(last.lines().last().expect("lines")).expect("JSON");
        assert_eq!(last["exit_code"], code);
        assert!(run("junit").starts_with("<?xml"));
        assert!(run("github").lines().all(|line| line.starts_with("::")));
    }
}

#[test]
fn a_race_as_annotation_and_as_test_case() {
    assert_snapshot!(heddle(&["check", RACE, "--format", "github"]).1);
    assert_snapshot!(heddle(&["check", RACE, "--format", "junit"]).1);
}

#[test]
fn the_sarif_of_a_race_has_both_accesses_and_the_run_of_each_thread() {
    let (_, text) = heddle(&["check", RACE, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"HD0101".into(), &"error".into()));
    let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!(line(&result["locations"][0]), Some(8));
    assert_eq!(line(&result["relatedLocations"][0]), Some(10));
    let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("two threads");
    assert_eq!(flows.len(), 2);
    for (flow, at) in flows.iter().zip([8, 10]) {
        let last = flow["locations"].as_array().and_then(|it| it.last()).expect("steps");
        assert_eq!(line(&last["location"]), Some(at));
        assert!(flow["immutableState"]["blockDim"].is_object(), "{flow}");
    }
    let rule = &log["runs"][0]["tool"]["driver"]["rules"]
        [usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small")];
    assert_eq!(rule["id"], "HD0101");
    assert!(rule["help"]["markdown"].as_str().is_some_and(|it| it.contains("## How to fix it")));
}

#[test]
fn fingerprints_survive_edits_elsewhere() {
    let text = std::fs::read_to_string(RACE).expect("the demo");
    let folder = temporary("fingerprints");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("k.cu").display().to_string();
    let names = |text: &str| -> Vec<String> {
        std::fs::write(&path, text).expect("writable");
        let (_, out) = heddle(&["check", &path, "--format", "json"]);
        let document: Value = serde_json::from_str(&out).expect("JSON");
        let kernels = document["kernels"].as_array().expect("kernels").iter();
        let findings = kernels.flat_map(|it| it["findings"].as_array().expect("findings"));
        findings.map(|it| it["fingerprint"].as_str().expect("one").to_owned()).collect()
    };
    let before = names(&text);
    assert!(!before.is_empty());
    let edited =
        format!("// A remark.\n__global__ void other() {{}}\n\n{}", text.replace("  ", "      "));
    assert_eq!(names(&edited), before, "lines above and blanks change nothing");
    let fixed = text.replace("// __syncthreads();", "__syncthreads();");
    assert_ne!(names(&fixed), before);
}

#[test]
fn several_forms_go_to_several_files() {
    let [sarif, junit, text] = ["several.sarif", "several.xml", "several.txt"].map(temporary);
    let (code, out) = heddle(&[
        "check",
        RACE,
        "--format",
        &format!("sarif={}", sarif.display()),
        "--format",
        &format!("junit={}", junit.display()),
        "--format",
        "short",
        "--format",
        "human",
        "-o",
        &text.display().to_string(),
    ]);
    assert_eq!((code, out.as_str()), (1, ""));
    let read = |path: &Path| std::fs::read_to_string(path).expect("it was written");
    assert_eq!(read(&sarif), heddle(&["check", RACE, "--format", "sarif"]).1);
    assert_eq!(read(&junit), heddle(&["check", RACE, "--format", "junit"]).1);
    let both = heddle(&["check", RACE, "--format", "short"]).1 + &heddle(&["check", RACE]).1;
    assert_eq!(read(&text), both);
    for arguments in [
        ["check", RACE, "--format", "xml"].as_slice(),
        &["check", RACE, "--format", "sarif="],
        &["check", RACE, "--format", "sarif=no/such/folder/x.sarif"],
    ] {
        assert_eq!(heddle(arguments).0, 2, "{arguments:?}");
    }
}
