//! What the plugin leaves alone: host code, other targets, and the module that it checks.

use std::path::Path;

use crate::hosts::{PROVED, RACE, clang, device_ir, folder, plugin, run};

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compiles to the same path without and with the plugin; both outputs.
fn twice(out: &Path, compile: &dyn Fn(&[&str])) -> (Vec<u8>, Vec<u8>) {
    compile(&[]);
    let without = bytes(out);
    let plugin = format!("-fpass-plugin={}", plugin().display());
    compile(&[&plugin]);
    (without, bytes(out))
}

#[test]
fn host_objects_are_the_same_bytes() {
    let folder = folder("host");
    let out = folder.join("host.o");
    for level in ["-O0", "-O2"] {
        for debug in [&[][..], &["-g"]] {
            let (without, with) = twice(&out, &|plugin| {
                let out = out.display().to_string();
                let fixed = ["--cuda-host-only", "-c", level, "-o", &out];
                // The file has a race: only the device side may say so.
                let ran = clang(&[fixed.as_slice(), debug, plugin, &[RACE]].concat());
                assert!(ran.code == Some(0) && ran.err.is_empty() && ran.out.is_empty(), "{ran:?}");
            });
            assert!(without == with, "{level} {debug:?}: the plugin changed a host object");
        }
    }
}

#[test]
fn c_and_cpp_for_the_cpu_are_the_same_bytes() {
    let folder = folder("cpu");
    let source = folder.join("sum.cpp").display().to_string();
    std::fs::write(&source, "int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }\n")
        .expect("the folder can be written");
    let out = folder.join("sum.o");
    for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "amdgcn-amd-amdhsa"] {
        let (without, with) = twice(&out, &|plugin| {
            let out = out.display().to_string();
            let fixed = ["-c", "-O2", "-target", target, "-o", &out, &source];
            let ran = run("clang-22", &[fixed.as_slice(), plugin].concat());
            assert!(
                ran.code == Some(0) && ran.err.is_empty() && ran.out.is_empty(),
                "{target}: {ran:?}"
            );
        });
        assert!(without == with, "{target}: the plugin changed an object");
    }
}

#[test]
fn device_code_is_the_same_bytes() {
    let folder = folder("device");
    let out = folder.join("device.out");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        for form in [&["-S"][..], &["-S", "-g"], &["-emit-llvm", "-c"], &["-emit-llvm", "-c", "-g"]]
        {
            let (without, with) = twice(&out, &|plugin| {
                let out = out.display().to_string();
                let fixed = ["--cuda-device-only", level, "-o", &out];
                let ran = clang(&[fixed.as_slice(), form, plugin, &[PROVED]].concat());
                assert!(ran.code == Some(0) && ran.err.is_empty() && ran.out.is_empty(), "{ran:?}");
            });
            assert!(without == with, "{level} {form:?}: the plugin changed device code");
        }
    }
}

#[test]
fn opt_writes_the_module_as_it_was() {
    let ir = device_ir(RACE, "as_it_was");
    let out = |name: &str| folder("as_it_was").join(name);
    let (plain, checked) = (out("plain.bc"), out("checked.bc"));
    let ran = run("opt-22", &["-passes=", &ir, "-o", &plain.display().to_string()]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let load = format!("-load-pass-plugin={}", plugin().display());
    let checked_path = checked.display().to_string();
    let ran = run("opt-22", &[&load, "-passes=heddle<refuted=warning>", &ir, "-o", &checked_path]);
    assert!(ran.code == Some(0) && ran.err.contains("HD0101: "), "{ran:?}");
    assert!(bytes(&plain) == bytes(&checked), "the plugin changed the module");
}
