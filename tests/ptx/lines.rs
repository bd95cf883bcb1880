//! Findings in PTX stand on the lines of the source that `.loc` names, with what was inlined where.

use std::path::Path;
use std::process::Command;

use heddle_frontend::CompileOptions;

use crate::compiled::ptx_of;

const SOURCE: &str = "__device__ __forceinline__ void put(int *to, int what) {
  *to = what;
}
__device__ __forceinline__ void twice(int *to, int what) {
  put(to, what);
}
__global__ void k(int *out) {
  twice(out, threadIdx.x);
}
";

/// What `heddle check` says of a file, as JSON without blanks.
fn said(file: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["check", "--grid", "1", "--block", "64", "--format", "json"])
        .arg(file)
        .output()
        .expect("heddle starts");
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("a report in JSON");
    report.to_string()
}

#[test]
fn a_race_in_ptx_is_shown_at_the_line_of_its_source() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join("ptx_lines.cu");
    std::fs::write(&source, SOURCE).expect("the folder for tests is writable");
    for pipeline in ["default<O0>", "default<O2>"] {
        let text = ptx_of(&source, &CompileOptions::default(), pipeline).expect("compiles");
        let file = folder.join("ptx_lines.ptx");
        std::fs::write(&file, text).expect("the folder for tests is writable");
        let said = said(&file);
        assert!(said.contains("HD0101"), "{pipeline}: {said}");
        let place = r#""kind":"source","line":2,"path":"target/tmp/ptx_lines.cu""#;
        assert!(said.contains(place), "{pipeline}: {said}");
    }
}

/// As compilers write it for line information alone: each call before what was inlined there, and
/// names of functions in a section for debuggers.
const INLINED: &str = r#"
.version 8.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 .ptr .global .align 4 k_param_0)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  .loc 1 7 0
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  .loc 1 8 3
  .loc 1 5 4, function_name $L__info_string1, inlined_at 1 8 3
  .loc 1 2 7, function_name $L__info_string0, inlined_at 1 5 4
  st.global.u32 [%rd1], %r1;
  .loc 1 9 1
  ret;
}
.file 1 "somewhere/else.cu", 0, 0
.section .debug_str
{
$L__info_string0:
.b8 95,90,51,112,117,116,80,105,105
.b8 0
$L__info_string1:
.b8 116,119,105,99,101,0
}
"#;

#[test]
fn what_was_inlined_is_shown_with_its_calls() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptx_inlined.ptx");
    std::fs::write(&file, INLINED).expect("the folder for tests is writable");
    let said = said(&file);
    let parts = [
        r#""function":"put","inlined_at":[{"column":4,"function":"twice","line":5"#,
        r#"{"column":3,"function":"k","line":8"#,
        r#""line":2,"path":"somewhere/else.cu""#,
    ];
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in {said}");
    }
}
