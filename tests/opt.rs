//! `heddle-opt` from the outside: pipelines, what is written, what is printed, exit codes.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// No kernel of it races for any launch.
const PROVED: &str = "define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t64 = zext i32 %t to i64
  %b64 = zext i32 %b to i64
  %n64 = zext i32 %n to i64
  %first = mul i64 %b64, %n64
  %i = add i64 %first, %t64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %dead = add i32 %t, 1
  store i32 %t, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
";

/// All threads store their number to one place.
const RACE: &str = "define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
";

#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: Vec<u8>,
    err: String,
}

impl Ran {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

fn opt(arguments: &[&str], stdin: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle-opt"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("heddle-opt starts");
    // A command line that is refused reads nothing.
    let _unread = child.stdin.take().expect("it is piped").write_all(stdin);
    let output = child.wait_with_output().expect("heddle-opt ends");
    Ran {
        code: output.status.code(),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn module(body: &str) -> Vec<u8> {
    // The layout that opt would add, on the triple's line: lines count in these tests.
    let layout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";
    format!("target datalayout = \"{layout}\" target triple = \"nvptx64-nvidia-cuda\"\n{body}")
        .into_bytes()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn exit_codes_are_those_of_check() {
    for (body, passes, code) in [
        (PROVED, "heddle", 0),
        (RACE, "heddle", 1),
        (RACE, "races", 1),
        (RACE, "barrier-divergence", 0),
        (RACE, "barrier-divergence,races", 1),
        (RACE, "races<block=1;grid=1>", 0),
        (RACE, "races<block=1,grid=1>,races<block=2,grid=1>", 1),
        (RACE, "", 0),
        ("", "heddle", 2),
        ("define void @f( {", "heddle", 2),
        (PROVED, "no-such-pass", 2),
    ] {
        let ran = opt(&[&format!("-passes={passes}"), "-disable-output"], &module(body));
        assert_eq!(ran.code, Some(code), "{passes}: {}", ran.err);
        assert!(ran.out.is_empty(), "{passes}: {}", ran.text());
        assert_eq!(ran.err.is_empty(), code == 0, "{passes}: {}", ran.err);
    }
    for (arguments, part) in [
        (["-passes=races<rares>"], "the passes are"),
        (["-passes=races<block=64"], "closing bracket"),
        (["-block=0"], "at least 1"),
        (["-colour"], "-colour"),
    ] {
        let ran = opt(&arguments, b"");
        assert!(ran.code == Some(2) && ran.err.contains(part), "{arguments:?}: {ran:?}");
    }
    let ran = opt(&["-passes=heddle", "no/such/file.ll"], b"");
    assert!(ran.code == Some(2) && ran.err.contains("no/such/file.ll"), "{ran:?}");
}

#[test]
fn findings_have_the_lines_of_the_text() {
    let ran = opt(&["-passes=races", "-block=64", "-format=short", "-S"], &module(RACE));
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.starts_with("<stdin>:4:3: error[HD010"), "{}", ran.err);
    assert!(ran.text().contains("store i32 %t, ptr addrspace(1) %out"), "{}", ran.text());
    let ran =
        opt(&["-passes=races", "-block=64", "-format=json", "-disable-output"], &module(RACE));
    assert!(ran.err.contains("\"verdict\": \"refuted\""), "{}", ran.err);
    let ran = opt(&["-passes=races", "-block=64", "-disable-output"], &module(RACE));
    assert!(ran.err.contains("store i32 %t, ptr addrspace(1) %out"), "{}", ran.err);
}

#[test]
fn llvms_passes_run_between_the_checks() {
    let ran = opt(&["-passes=races,dce,races<block=64>", "-verify-each", "-S"], &module(PROVED));
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{ran:?}");
    assert!(!ran.text().contains("%dead") && ran.text().contains("store i32"), "{}", ran.text());
    // A check changes nothing: what is written is what opt writes.
    let (input, ours, theirs) = (file("opt_in.ll"), file("opt_ours.bc"), file("opt_theirs.bc"));
    std::fs::write(&input, module(PROVED)).expect("the folder can be written");
    let path = |it: &PathBuf| it.display().to_string();
    let ran = opt(&["-passes=default<O1>,heddle", &path(&input), "-o", &path(&ours)], b"");
    assert!(ran.code == Some(0) && ran.out.is_empty(), "{ran:?}");
    let made = Command::new("opt-22")
        .args(["-passes=default<O1>", &path(&input), "-o", &path(&theirs)])
        .status()
        .expect("opt-22 is installed (`make install-deps`)");
    assert!(made.success());
    let text = |file: &PathBuf| opt(&[&path(file), "-S"], b"").text();
    let same = |text: String| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(same(text(&ours)), same(text(&theirs)));
    assert!(std::fs::read(&ours).expect("it is written").starts_with(b"BC"));
}

#[test]
fn instrumentation_is_a_pass() {
    let ran = opt(&["-passes=instrument-races<all>", "-verify-each", "-S"], &module(RACE));
    assert!(ran.code == Some(0) && ran.err.is_empty(), "{ran:?}");
    assert!(ran.text().contains("call void @__heddle_access"), "{}", ran.text());
    // What is proved needs no checks.
    let ran = opt(&["-passes=instrument-races", "-S"], &module(PROVED));
    assert!(ran.code == Some(0) && !ran.text().contains("@__heddle_access("), "{}", ran.text());
}

#[test]
fn pipelines_and_times_are_printed() {
    let ran = opt(&["-passes=barrier-divergence,races,sroa,gvn", "-print-pipeline-passes"], b"");
    assert_eq!(
        (ran.code, ran.text().as_str()),
        (Some(0), "heddle<barrier-divergence;races>,sroa,gvn\n")
    );
    let arguments = ["-passes=races,dce", "-time-passes", "-disable-output"];
    let ran = opt(&arguments, &module(PROVED));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for part in
        ["Pass execution timing", ")  read\n", ")  races\n", ")  dce\n", "(100.0%)  total\n"]
    {
        assert!(ran.err.contains(part), "{part} is not in {}", ran.err);
    }
}
