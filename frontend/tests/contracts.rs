//! Conditions of contracts (`heddle.h`): those that change something are refused.

#![allow(missing_docs, unused_crate_dependencies, reason = "a test of its own crate")]

use heddle_frontend::compile::Compiled;
use heddle_frontend::{InputErrorKind, for_lifting};

/// What is said of a kernel whose condition has this code; none where it is taken. Its value is
/// `%c`.
fn refused(condition: &str) -> Option<String> {
    let text = format!(
        r#"
target triple = "nvptx64-nvidia-cuda"
@t = private constant [2 x i8] c"c\00"
@shared = addrspace(3) global i32 0
declare void @__heddle_contract()
declare void @__heddle_claim(i32, i1, ptr)
declare i32 @unknown(i32)
define internal i32 @plus(i32 %a) {{
  %x = alloca i32
  store i32 %a, ptr %x
  %v = load i32, ptr %x
  %s = add nsw i32 %v, 1
  ret i32 %s
}}
define internal i32 @keeps(ptr %p) {{
  store i32 1, ptr %p
  ret i32 1
}}
define internal i32 @rounds(i32 %n) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %out
out:
  ret i32 %j
}}
define ptx_kernel void @k(ptr %out, i32 %n) {{
entry:
  %own = alloca i32
  %passing = alloca i32
  store i32 %n, ptr %own
  call void @__heddle_contract()
  {condition}
  call void @__heddle_claim(i32 1, i1 %c, ptr @t)
  %left = load i32, ptr %own
  store i32 %left, ptr %out
  ret void
}}
"#
    );
    let compiled = Compiled {
        bytes: text.into_bytes(),
        warnings: String::new(),
        files: Vec::new(),
        reads: None,
        supplied: Vec::new(),
        left_out: Vec::new(),
        is_own: false,
    };
    match for_lifting("k.ll", compiled) {
        Ok(_) => None,
        Err(error) => {
            assert_eq!(error.kind, InputErrorKind::Contract, "{error}");
            Some(error.message)
        }
    }
}

#[test]
fn conditions_that_compute_are_taken() {
    for code in [
        "%c = icmp slt i32 %n, 3",
        "%v = load i32, ptr %own\n %c = icmp slt i32 %v, 3",
        "store i32 %n, ptr %passing\n %v = load i32, ptr %passing\n %c = icmp slt i32 %v, 3",
        "%v = call i32 @plus(i32 %n)\n %c = icmp slt i32 %v, 3",
        "%a = icmp slt i32 %n, 3\n br i1 %a, label %more, label %end\nmore:\n %b = icmp sgt i32 %n, 1\n br label %end\nend:\n %c = phi i1 [ false, %entry ], [ %b, %more ]",
    ] {
        assert_eq!(refused(code), None, "{code}");
    }
}

#[test]
fn conditions_that_do_more_are_refused() {
    for (code, why) in [
        ("store i32 5, ptr %own\n %c = icmp slt i32 %n, 3", "it stores something"),
        ("store i32 5, ptr addrspace(3) @shared\n %c = icmp slt i32 %n, 3", "it stores something"),
        ("%v = call i32 @keeps(ptr %own)\n %c = icmp slt i32 %v, 3", "it stores something"),
        (
            "%v = atomicrmw add ptr addrspace(3) @shared, i32 1 monotonic\n %c = icmp slt i32 %v, 3",
            "atomicrmw",
        ),
        ("%v = load volatile i32, ptr %own\n %c = icmp slt i32 %v, 3", "volatile"),
        ("%v = call i32 @unknown(i32 %n)\n %c = icmp slt i32 %v, 3", "it calls `unknown`"),
        ("%v = call i32 @rounds(i32 %n)\n %c = icmp slt i32 %v, 3", "has a loop"),
        (
            "br label %loop\nloop:\n %c = icmp slt i32 %n, 3\n br i1 %c, label %loop, label %end\nend:",
            "it has a loop",
        ),
        (
            "%a = icmp slt i32 %n, 3\n br i1 %a, label %gone, label %end\ngone:\n ret void\nend:\n %c = icmp slt i32 %n, 2",
            "does not come to its end",
        ),
    ] {
        let message = refused(code).unwrap_or_else(|| panic!("taken: {code}"));
        assert!(message.contains(why), "{message}");
    }
}
