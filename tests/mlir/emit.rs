//! `heddle lift --emit=mlir`, and the dialect that is shipped. That MLIR's parser and verifier take
//! each kernel of the corpus is a test of `tests/kernels.rs`, which has them lifted.

use std::path::Path;
use std::process::Command;

use crate::{file, heddle, text};

const SHIPPED: &str = "docs/heddle.irdl";

/// `HEDDLE_WRITE_IRDL=1 cargo test --test mlir shipped` writes it anew.
#[test]
fn the_dialect_that_is_shipped_is_the_one_that_is_written() {
    let written = heddle_ir::dialect();
    if std::env::var_os("HEDDLE_WRITE_IRDL").is_some() {
        std::fs::write(SHIPPED, &written).expect("docs is writable");
    }
    let shipped = std::fs::read_to_string(SHIPPED).expect("docs/heddle.irdl");
    assert_eq!(shipped, written, "HEDDLE_WRITE_IRDL=1 cargo test --test mlir shipped");
}

/// What `mlir-opt` says of a text, and how it ends.
fn mlir_opt(path: &Path) -> (bool, String) {
    let output = Command::new("mlir-opt-22")
        .arg(format!("--irdl-file={SHIPPED}"))
        .args(["-o", "-"])
        .arg(path)
        .output()
        .expect("mlir-opt-22: `tools/install-deps --tests`");
    let said = if output.status.success() { &output.stdout } else { &output.stderr };
    (output.status.success(), String::from_utf8_lossy(said).into_owned())
}

#[test]
fn the_dialect_refuses_what_is_not_in_it() {
    for (number, (wrong, message)) in [
        (r#"%0 = "heddle.missing"() : () -> i32"#, "unregistered operation"),
        (
            r#"%0 = "heddle.const"() {of = 1 : i32} : () -> i32
            %1 = "heddle.unary"(%0) {op = "square"} : (i32) -> i32"#,
            "does not satisfy",
        ),
        (r#"%0 = "heddle.special"() {name = "tid.x"} : () -> i64"#, "expected 'i32' but got 'i64'"),
    ]
    .iter()
    .enumerate()
    {
        let path = file(&format!("refused_{number}.mlir"), wrong.as_bytes());
        let (is_valid, said) = mlir_opt(&path);
        assert!(!is_valid && said.contains(message), "{wrong}: {said}");
    }
}

#[test]
fn the_command_writes_it() {
    let kernel = "tests/kernels/mlir/proved_reduction_with_barriers.mlir";
    let output = heddle(&["lift", "--emit=mlir", kernel]);
    let said = text(&output);
    for part in [
        r#""heddle.kernel"() ({"#,
        r#""heddle.loop"("#,
        r#"sym_name = "k""#,
        &format!(r#"["{kernel}":23:7])"#),
    ] {
        assert!(said.contains(part), "`{part}` is not in {said}");
    }
}
