//! The built-in headers compile: each declaration, in either order, and what programs make of
//! templates.

use heddle_frontend::compile::{ClangProcess, headers, to_ir};
use heddle_frontend::{CompileOptions, Input, Language};

/// What clang says of a text: nothing, if all is well.
fn compiled(name: &str, text: &str, arch: &str, arguments: &[&str]) -> String {
    let options = CompileOptions {
        arch: arch.to_owned(),
        clang_args: arguments.iter().map(Into::into).collect(),
        ..CompileOptions::default()
    };
    let input = Input::memory(name, text).with_language(Language::Cuda);
    match to_ir(&input, &options, &ClangProcess) {
        Ok(compiled) => compiled.warnings,
        Err(error) => format!("{error}\n{}", error.output),
    }
}

/// All headers that a program may name, in the order of their names.
fn included() -> Vec<String> {
    let named = headers::ALL.iter().map(|(name, _)| *name);
    let mut named: Vec<_> = named.filter(|it| !it.starts_with("heddle/")).collect();
    named.sort_unstable();
    named.into_iter().map(|name| format!("#include <{name}>\n")).collect()
}

#[test]
fn every_declaration_compiles_in_either_order() {
    let forwards = included();
    let backwards: Vec<_> = forwards.iter().rev().cloned().collect();
    for (order, standard) in [(forwards, "-std=c++17"), (backwards, "-std=c++20")] {
        for arch in ["sm_80", "sm_90a"] {
            let text = order.concat();
            let said = compiled("all.cu", &text, arch, &["-femit-all-decls", standard]);
            assert_eq!(said, "", "{arch} {standard}");
        }
    }
}

#[test]
fn programs_compile_against_the_headers() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for arch in ["sm_80", "sm_90"] {
            let said = compiled("uses.cu", &text, arch, &["-femit-all-decls"]);
            assert_eq!(said, "", "{} for {arch}", path.display());
        }
    }
}

#[test]
fn kernels_that_start_kernels_compile_without_a_flag() {
    let text = "__global__ void child(int *p) { p[threadIdx.x] = 1; }
                __global__ void parent(int *p) { child<<<1, 64>>>(p); }";
    assert_eq!(compiled("parent.cu", text, "sm_80", &[]), "");
    let other =
        compiled("parent.cu", "__global__ void k() { k<<<1, 1>>>(); nowhere(); }", "sm_80", &[]);
    assert!(other.contains("nowhere"), "{other}");
}
