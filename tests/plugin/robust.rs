//! A fault inside Heddle, and other plugins beside it: the build lives on.

use std::path::Path;

use crate::hosts::{PROVED, RACE, clang, device, device_ir, folder, opt, plugin, run};

#[test]
fn a_fault_of_ours_leaves_the_build_alive() {
    let folder = folder("fault");
    let out = folder.join("out.s");
    let plain = folder.join("plain.s");
    let ran =
        clang(&["--cuda-device-only", "-S", "-O2", "-o", &plain.display().to_string(), PROVED]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = device(PROVED, &out, &["-O2"], &["-heddle-inject-panic"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("warning: HD0999: ") && ran.err.contains("[-Wpass-failed=heddle]"),
        "{}",
        ran.err
    );
    let read = |path: &Path| std::fs::read(path).expect("the output is written");
    assert!(read(&plain) == read(&out), "the output is what it would be without Heddle");

    let ir = device_ir(RACE, "fault");
    let ran = opt(&ir, "heddle<inject-panic>", &[]);
    assert!(ran.code == Some(0) && ran.err.contains("HD0999: "), "{ran:?}");
    let load = format!("-load-pass-plugin={}", plugin().display());
    let ran = run("llc-22", &[&load, "-heddle-inject-panic", &ir, "-o", "/dev/null"]);
    assert!(ran.code == Some(0) && ran.err.contains("HD0999: "), "{ran:?}");
}

#[test]
fn a_second_copy_stays_silent() {
    let second = folder("copy").join("libheddle-copy.so");
    std::fs::copy(plugin(), &second).expect("the folder can be written");
    let second_clang = format!("-fpass-plugin={}", second.display());
    let out = folder("copy").join("out.s");
    let ran = device(RACE, &out, &["-g", &second_clang], &["-heddle-refuted=warning"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err.matches("HD0101: ").count(), 1, "{}", ran.err);
    let second_opt = format!("-load-pass-plugin={}", second.display());
    let ran = opt(&device_ir(RACE, "copy"), "heddle<refuted=warning>", &[&second_opt]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err.matches("HD0101: ").count(), 1, "{}", ran.err);
}

/// A plugin of somebody else, with a pass of its own at the same extension point.
const OTHER: &str = r#"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"
using namespace llvm;
struct Other : PassInfoMixin<Other> {
  PreservedAnalyses run(Module &, ModuleAnalysisManager &) { errs() << "other was here\n"; return PreservedAnalyses::all(); }
  static bool isRequired() { return true; }
};
extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "other", "1", [](PassBuilder &PB) {
    PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(Other()); });
  }};
}
"#;

#[test]
fn another_plugin_beside_it_works_as_ever() {
    let folder = folder("other");
    let (source, library) = (folder.join("other.cpp"), folder.join("libother.so"));
    std::fs::write(&source, OTHER).expect("the folder can be written");
    let prefix =
        std::env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    let include = format!("-I{prefix}/include");
    let (source, library) = (source.display().to_string(), library.display().to_string());
    let flags = ["-shared", "-fPIC", "-std=c++17", "-fno-rtti", "-fno-exceptions", "-w"];
    let ran = run("clang-22", &[flags.as_slice(), &[&include, &source, "-o", &library]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let other = format!("-fpass-plugin={library}");
    let out = folder.join("out.s");
    for order in [true, false] {
        let ours = format!("-fpass-plugin={}", plugin().display());
        let both = if order { [other.as_str(), &ours] } else { [ours.as_str(), &other] };
        let out = out.display().to_string();
        let fixed = ["--cuda-device-only", "-S", "-O1", "-g", "-o", &out, RACE];
        let ran =
            clang(&[fixed.as_slice(), &both, &["-mllvm", "-heddle-refuted=warning"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.err.matches("HD0101: ").count(), 1, "{}", ran.err);
        assert_eq!(ran.err.matches("other was here").count(), 1, "{}", ran.err);
    }
}
