//! `tools/ecosystem` on a checkout of two files: what it prints for builds that agree, and for one
//! that no longer answers.

use std::path::{Path, PathBuf};
use std::process::Command;

fn checkout(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ecosystem").join(name);
    std::fs::create_dir_all(root.join("deeper")).unwrap();
    let kernel = "__global__ void __launch_bounds__(64) k(int *p) { p[blockIdx.x * 64 + threadIdx.x] = 1; }\n";
    std::fs::write(root.join("good.cu"), kernel).unwrap();
    std::fs::write(root.join("deeper/bad.cu"), "__global__ void k() { nowhere(); }\n").unwrap();
    root
}

/// What the script prints, and its status.
fn compared(before: &str, after: &str, root: &Path) -> (String, i32) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/ecosystem");
    let answers = root.with_extension("answers");
    let mut command = Command::new(script);
    command.args(["-s", "60", "-o"]).arg(answers).args([before, after]).arg(root);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code().unwrap_or(-1))
}

#[test]
fn builds_that_agree_change_nothing() {
    let root = checkout("same");
    let heddle = env!("CARGO_BIN_EXE_heddle");
    let (text, status) = compared(heddle, heddle, &root);
    assert_eq!(status, 0, "{text}");
    let rows: Vec<Vec<&str>> =
        text.lines().skip(1).take(2).map(|it| it.split_whitespace().collect()).collect();
    for (row, build) in rows.iter().zip(["before", "after"]) {
        assert_eq!(row[..10], ["same", build, "2", "1", "0", "1", "4", "4", "0", "0"], "{text}");
    }
    assert!(!text.contains(", now "), "{text}");
}

#[test]
fn answers_that_are_lost_are_named() {
    let root = checkout("lost");
    let (text, status) = compared(env!("CARGO_BIN_EXE_heddle"), "false", &root);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("lost/good.cu: "), "{text}");
}
