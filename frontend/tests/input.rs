//! Bad input: each kind has one message and a way out, and nothing panics.

use std::path::PathBuf;

use heddle_frontend::{CompileOptions, Input, InputError, InputErrorKind, Language, load};
use heddle_llvm::Module;

fn refused(input: Input) -> InputError {
    let error = load(&input, &CompileOptions::default()).expect_err("this input must be refused");
    assert!(!error.message.is_empty() && !error.help.is_empty(), "{error:?}");
    assert!(!error.message.contains('\n') && !error.message.ends_with('.'), "{error}");
    assert!(!error.message.starts_with(|c: char| c.is_ascii_uppercase() && c != 'L'), "{error}");
    error
}

fn kind(input: Input) -> InputErrorKind {
    refused(input).kind
}

const KERNEL: &str = r#"target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
"#;

#[test]
fn files_that_cannot_be_read() {
    assert_eq!(kind(Input::file("/nowhere/k.cu")), InputErrorKind::Missing);
    assert_eq!(kind(Input::file("/nowhere/k.ll")), InputErrorKind::Missing);
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(kind(Input::file(&folder)), InputErrorKind::Unreadable);
    assert_eq!(kind(Input::memory("k.ll", " \n")), InputErrorKind::Empty);
    assert_eq!(kind(Input::memory("-", "hello")), InputErrorKind::UnknownLanguage);
}

#[test]
fn text_that_is_not_ir_says_where() {
    let error = refused(Input::memory(
        "k.ll",
        "target triple = \"nvptx64\"\ndefine ptx_kernel void @k() {\n  bogus i32\n}\n",
    ));
    assert_eq!(error.kind, InputErrorKind::NotIr);
    assert!(error.message.starts_with("this is not LLVM IR: 3:3: error: "), "{error}");
    assert_eq!(kind(Input::memory("k.ll", vec![0xff, 0xfe, 0, 1, 2])), InputErrorKind::NotIr);
    assert_eq!(kind(Input::memory("k.ll", "int main() {}")), InputErrorKind::NotIr);
}

#[test]
fn bitcode_cut_short_anywhere_is_an_error() {
    let bitcode = Module::parse(KERNEL.as_bytes(), "k.ll").unwrap().to_bitcode();
    assert!(load(&Input::memory("k.bc", bitcode.clone()), &CompileOptions::default()).is_ok());
    for len in (4..bitcode.len() - 4).step_by(37) {
        let error = refused(Input::memory("k.bc", &bitcode[..len]));
        assert_eq!(error.kind, InputErrorKind::BadBitcode, "{len}: {error}");
    }
}

#[test]
fn damaged_bitcode_never_brings_us_down() {
    let bitcode = Module::parse(KERNEL.as_bytes(), "k.ll").unwrap().to_bitcode();
    for at in (4..bitcode.len()).step_by(11) {
        let mut damaged = bitcode.clone();
        damaged[at] ^= 0x55;
        // Some bytes do not matter; what counts is that there is an answer.
        let _answer = load(&Input::memory("k.bc", damaged), &CompileOptions::default());
    }
}

#[test]
fn other_targets_are_refused_by_name() {
    let with = |triple: &str| {
        refused(Input::memory("k.ll", KERNEL.replace("nvptx64-nvidia-cuda", triple)))
    };
    assert_eq!(with("x86_64-pc-linux-gnu").kind, InputErrorKind::HostModule);
    assert_eq!(with("aarch64-linux-gnu").kind, InputErrorKind::HostModule);
    let amd = with("amdgcn-amd-amdhsa");
    assert_eq!(amd.kind, InputErrorKind::OtherTarget);
    assert!(amd.message.contains("amdgcn-amd-amdhsa"), "{amd}");
    assert_eq!(with("bpf").kind, InputErrorKind::OtherTarget);
    assert_eq!(
        kind(Input::memory("k.ll", "define void @f() { ret void }")),
        InputErrorKind::OtherTarget
    );
}

#[test]
fn modules_without_kernels_are_refused() {
    let none = refused(Input::memory("k.ll", KERNEL.replace("ptx_kernel ", "")));
    assert_eq!(none.kind, InputErrorKind::NoKernels);
    let text = "template <class T> __global__ void k(T *p) { *p = 1; }";
    let template = refused(Input::memory("k.cu", text).with_language(Language::Cuda));
    assert_eq!(template.kind, InputErrorKind::NoKernels);
    assert!(template.help.contains("instantiated"));
}

#[test]
fn broken_modules_are_refused() {
    let text = KERNEL.replace("ret void", "%x = load i32, ptr %p, align 4\n  br label %l\nl:\n  %y = add i32 %z, 1\n  %z = add i32 %x, 1\n  ret void");
    assert_eq!(kind(Input::memory("k.ll", text)), InputErrorKind::BrokenModule);
}

#[test]
fn clang_errors_are_passed_through() {
    let error = refused(Input::memory("k.cu", "__global__ void k(int *p) { *p = missing; }"));
    assert_eq!(error.kind, InputErrorKind::Compile);
    assert!(error.output.contains("use of undeclared identifier 'missing'"), "{}", error.output);
    assert_eq!(error.message, "clang finds an error in this file");
    let header = refused(Input::memory("k.cu", "#include \"nowhere.h\"\n__global__ void k() {}"));
    assert!(header.help.contains("-I"), "{}", header.help);
}

#[test]
fn options_that_make_no_sense() {
    let input = Input::memory("k.cu", "__global__ void k(int *p) { *p = 1; }");
    for arch in ["80", "sm_", "sm_1000", "sm_80x", "gfx90a", "sm_80aa"] {
        let options = CompileOptions { arch: arch.to_owned(), ..CompileOptions::default() };
        assert_eq!(load(&input, &options).unwrap_err().kind, InputErrorKind::Option, "{arch}");
    }
    let options = CompileOptions { arch: "sm_11".to_owned(), ..CompileOptions::default() };
    let error = load(&input, &options).unwrap_err();
    assert_eq!(error.kind, InputErrorKind::Compile);
    assert!(error.help.contains("--arch"), "{error}: {}", error.help);
}

#[test]
fn standard_input_is_sniffed() {
    assert_eq!(Language::of_bytes(KERNEL.as_bytes()), Some(Language::Ir));
    assert_eq!(Language::of_bytes(b"BC\xC0\xDE rest"), Some(Language::Ir));
    assert_eq!(Language::of_bytes(b"; ModuleID = 'x'\n"), Some(Language::Ir));
    assert_eq!(Language::of_bytes(b"// a\n__global__ void k() {}"), Some(Language::Cuda));
    assert_eq!(Language::of_bytes(b"__kernel void k() {}"), Some(Language::OpenCl));
    assert_eq!(Language::of_bytes(b"hello"), None);
}
