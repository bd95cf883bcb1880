//! `heddle-check` inside `mlir-opt`: what the plugin that `make mlir` builds says, and where.

use std::path::Path;
use std::process::{Command, Output};

use crate::{file, text};

/// `mlir-opt-22` with the plugin, and what of it ends.
fn mlir_opt(pipeline: &str, input: &Path) -> Output {
    let heddle = Path::new(env!("CARGO_BIN_EXE_heddle"));
    let plugin = heddle.with_file_name("libheddle-mlir.so");
    assert!(plugin.is_file(), "`make mlir` builds {}", plugin.display());
    Command::new("mlir-opt-22")
        .arg(format!("--load-pass-plugin={}", plugin.display()))
        .arg(format!("--pass-pipeline={pipeline}"))
        .arg(input)
        .env("HEDDLE", heddle)
        .output()
        .expect("mlir-opt-22: `tools/install-deps --tests`")
}

/// Pairs of threads write one element, unless `%c` is 1.
fn halves(name: &str, c: u32) -> std::path::PathBuf {
    let text = format!(
        r#"gpu.module @m {{
  gpu.func @k(%out: memref<?xindex> loc("out"), %n: index loc("n")) kernel {{
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c = arith.constant {c} : index
    %h = arith.divui %t, %c : index
    %o = arith.muli %b, %n : index
    %i = arith.addi %h, %o : index
    memref.store %t, %out[%i] : memref<?xindex> loc(callsite("k.py":7:5 at "main.py":9:1))
    gpu.return
  }}
}}
"#
    );
    file(name, text.as_bytes())
}

#[test]
fn a_finding_is_a_diagnostic_at_the_location_of_its_operation() {
    let input = halves("pipeline_race.mlir", 2);
    let output = mlir_opt("builtin.module(heddle-check{grid=1 block=64})", &input);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in [
        "k.py:7:5: error: threads of one block race on `out`",
        "main.py:9:1: note: called from",
        "k.py:7:5: note: (2) write of `out+0` by thread (1,0,0)",
        "[HD0101]",
    ] {
        assert!(said.contains(part), "`{part}` is not in {said}");
    }
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
}

#[test]
fn without_a_finding_the_module_goes_on_as_it_was() {
    let input = halves("pipeline_fine.mlir", 1);
    let checked = mlir_opt("builtin.module(heddle-check{grid=1 block=64})", &input);
    let plain = Command::new("mlir-opt-22").arg(&input).output().expect("mlir-opt-22");
    assert!(checked.status.success() && checked.stderr.is_empty(), "{}", text(&checked));
    assert_eq!(text(&checked), text(&plain));
}

#[test]
fn launch_arguments_and_assumptions_are_those_of_the_pass() {
    let input = halves("pipeline_launch.mlir", 1);
    for (options, is_fine) in [
        ("grid=2 block=64 arg=n=64", true),
        ("grid=2 block=64 arg=n=32", false),
        ("grid=2 block=64 assume={n >= 64,n <= 64}", true),
        ("grid=2,1 block=64,1,1 options=--arg,n=64", true),
    ] {
        let pipeline = format!("builtin.module(heddle-check{{{options}}})");
        let output = mlir_opt(&pipeline, &input);
        assert_eq!(output.status.success(), is_fine, "{options}: {}", text(&output));
        let races = text(&output).matches("race on `out`").count();
        assert_eq!(races, usize::from(!is_fine), "{options}: {}", text(&output));
    }
}

#[test]
fn it_stands_anywhere_in_a_pipeline() {
    let input = halves("pipeline_lowered.mlir", 2);
    let lowered = "gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts)";
    for pipeline in [
        format!("builtin.module({lowered},heddle-check{{grid=1 block=64}})"),
        "builtin.module(gpu.module(heddle-check{grid=1 block=64}))".to_owned(),
    ] {
        let output = mlir_opt(&pipeline, &input);
        let said = text(&output);
        assert!(!output.status.success(), "{pipeline}: {said}");
        assert!(said.contains("k.py:7:5: error: threads of one block race"), "{pipeline}: {said}");
    }
}

#[test]
fn what_cannot_be_checked_is_an_error_at_its_place() {
    let kernel =
        "gpu.module @m {\n  gpu.func @k() kernel {\n    rocdl.barrier\n    gpu.return\n  }\n}\n";
    let host = "func.func @main() {\n  return\n}\n";
    for (name, input, message) in [
        ("pipeline_amd.mlir", kernel, ":3:5: error: MLIR does not lower `rocdl.barrier`"),
        ("pipeline_host.mlir", host, ":1:1: error: there is no `gpu.module` in it"),
    ] {
        let path = file(name, input.as_bytes());
        let output = mlir_opt("builtin.module(heddle-check{block=64})", &path);
        let said = text(&output);
        assert!(!output.status.success() && said.contains(&format!("{name}{message}")), "{said}");
    }
    let input = halves("pipeline_program.mlir", 1);
    let output = mlir_opt("builtin.module(heddle-check{program=no/such/heddle})", &input);
    assert!(text(&output).contains("`no/such/heddle` is not there"), "{}", text(&output));
    let output = mlir_opt("builtin.module(heddle-check{options=--no-such-option})", &input);
    let said = text(&output);
    assert!(!output.status.success() && said.contains("`heddle` gave no report: "), "{said}");
}

#[test]
fn what_is_unknown_is_a_warning() {
    let input = file(
        "pipeline_unknown.mlir",
        br#"gpu.module @m {
  llvm.func @somewhere()
  llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, gpu.kernel} {
    llvm.call @somewhere() : () -> ()
    llvm.return
  }
}
"#,
    );
    let output = mlir_opt("builtin.module(heddle-check{grid=1 block=64})", &input);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains(":4:5: warning: ") && said.contains("`somewhere`"), "{said}");
}
