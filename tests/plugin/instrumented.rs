//! Race checks in the module, where they are asked for, and nowhere else.

use crate::hosts::{PROVED, RACE, clang, device_ir, folder, plugin, run};

#[test]
fn clang_puts_checks_into_device_code_when_asked() {
    let out = folder("instrumented").join("out.ll");
    let path = out.display().to_string();
    let load = format!("-fpass-plugin={}", plugin().display());
    let text = |level: &str, options: &[&str]| {
        let fixed = ["--cuda-device-only", "-emit-llvm", "-S", level, "-o", &path, &load];
        let ran = clang(&[fixed.as_slice(), options, &[PROVED]].concat());
        assert!(ran.code == Some(0) && ran.err.is_empty(), "{level}: {ran:?}");
        std::fs::read_to_string(&out).expect("the output is written")
    };
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let checked = text(level, &["-mllvm", "-heddle-instrument"]);
        assert!(checked.contains("call void @__heddle_access("), "{level}: no access is checked");
        assert!(checked.contains("call void @__heddle_site("), "{level}: no barrier is followed");
        assert!(!text(level, &[]).contains("__heddle"), "{level}: checks that nobody asked for");
    }
    // The CPU's side of the same file stays what it is.
    let host = ["--cuda-host-only", "-emit-llvm", "-S", "-O1", "-o", &path, &load];
    let ran = clang(&[host.as_slice(), &["-mllvm", "-heddle-instrument", PROVED]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!std::fs::read_to_string(&out).expect("it is written").contains("__heddle"));
}

#[test]
fn opt_instruments_by_name_and_the_module_stays_valid() {
    let ir = device_ir(RACE, "instrument");
    let load = format!("-load-pass-plugin={}", plugin().display());
    let ran = run("opt-22", &[&load, "-passes=heddle-instrument,verify", &ir, "-S", "-o", "-"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("call void @__heddle_access("), "{}", ran.out);
    // Each check has the place of its access.
    let line = ran.out.lines().find(|line| line.contains("call void @__heddle_access("));
    assert!(line.is_some_and(|line| line.contains("!dbg")), "{}", ran.out);
}
