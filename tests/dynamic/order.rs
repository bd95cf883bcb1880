//! What a run takes for ordered, and what for atomic, as the memory model of PTX has it: blocks of
//! one thread, each with a body, in ten orders.

use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, RunOptions, run};
use heddle_runtime::Schedule;

use crate::{codes, options};

/// Whether what the first block writes before a fence and an exchange races with what the second
/// reads after a wait and a fence.
fn fenced(release: &str, acquire: &str) -> bool {
    let fence = |it: &str| if it.is_empty() { String::new() } else { format!("fence {it}") };
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
         define ptx_kernel void @k(ptr %f, ptr %d, ptr %out) {{\n\
         %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
         %is.first = icmp eq i32 %b, 0\n br i1 %is.first, label %first, label %wait\n\
         first:\n store i32 7, ptr %d\n {}\n\
         %was = atomicrmw xchg ptr %f, i32 1 syncscope(\"device\") monotonic\n ret void\n\
         wait:\n %is = atomicrmw add ptr %f, i32 0 syncscope(\"device\") monotonic\n\
         %set = icmp eq i32 %is, 1\n br i1 %set, label %read, label %wait\n\
         read:\n {}\n %v = load i32, ptr %d\n store i32 %v, ptr %out\n ret void\n}}\n",
        fence(release),
        fence(acquire),
    );
    let bytes = text.into_bytes();
    let language = Some(heddle_frontend::Language::Ir);
    let source = Source::Text { name: "<kernel>".to_owned(), bytes, language };
    let fill = Some(Buffer::unnamed("i32[8]:zeros").expect("documented"));
    let with = RunOptions { fill, schedule: Schedule::Random, runs: 10, ..options(2, 1) };
    let outcome = run(&source, &with, &Embedded).expect("a current folder");
    assert!(outcome.memory.is_some(), "{:?}", outcome.report);
    !codes(&outcome).is_empty()
}

#[test]
fn a_fence_of_llvm_orders_as_its_order_and_scope_say() {
    for (release, acquire) in [
        ("seq_cst", "seq_cst"),
        ("release", "acquire"),
        ("syncscope(\"device\") acq_rel", "seq_cst"),
        ("syncscope(\"cluster\") release", "syncscope(\"device\") acquire"),
    ] {
        assert!(!fenced(release, acquire), "{release}; {acquire}");
    }
    for (release, acquire) in [
        ("", "seq_cst"),
        ("seq_cst", ""),
        ("acquire", "acquire"),
        ("release", "release"),
        ("syncscope(\"block\") seq_cst", "seq_cst"),
        ("seq_cst", "syncscope(\"block\") seq_cst"),
        ("syncscope(\"singlethread\") seq_cst", "seq_cst"),
    ] {
        assert!(fenced(release, acquire), "{release}; {acquire}");
    }
}
