//! The embedded compiler against the process: same kernels, same errors.

use std::path::PathBuf;
use std::sync::RwLock;

use heddle_clang::Embedded;
use heddle_frontend::compile::{ClangProcess, Compiler, OpenClTarget};
use heddle_frontend::{CompileOptions, Input, InputErrorKind, Language, load_with};
use heddle_llvm::Module;

/// A source that brings clang down is compiled beside no other.
static CRASHES: RwLock<()> = RwLock::new(());

/// Each instruction of each function with its place, without the numbers that LLVM gives to
/// metadata.
fn instructions(module: &Module) -> Vec<String> {
    module
        .functions()
        .flat_map(|f| f.instructions().map(move |i| (f, i)))
        .map(|(f, i)| {
            let text = i.text();
            let bare = text
                .split(", !")
                .next()
                .unwrap_or_default()
                .split(" #")
                .next()
                .unwrap_or_default()
                .to_owned();
            // The text itself is a file for one compiler and standard input for the other.
            let of_header = |file: String| file.starts_with('/').then_some(file);
            let place =
                i.location(module).map(|l| (of_header(l.file), l.line, l.column, l.function));
            format!("{}: {bare} {place:?}", f.name())
        })
        .collect()
}

fn both(input: &Input, options: &CompileOptions) -> [Vec<String>; 2] {
    let compilers: [&dyn Compiler; 2] = [&Embedded, &ClangProcess];
    compilers.map(|compiler| {
        let prepared =
            load_with(input, options, compiler).unwrap_or_else(|e| panic!("{e}\n{}", e.output));
        instructions(&prepared.module)
    })
}

const KERNEL: &str = "
    #include <cmath>
    #include <vector>
    #include <cooperative_groups.h>
    #include \"cuda_runtime.h\"
    namespace cg = cooperative_groups;
    struct Params { int n; float scale; };
    template <class T> __device__ T *at(T *p, int i) { return p + i; }
    __global__ void k(float *out, Params p, const int *in) {
      __shared__ float s[128];
      extern __shared__ int dynamic[];
      int t = threadIdx.x + blockIdx.x * blockDim.x;
      s[threadIdx.x] = sinf((float)in[t]) * p.scale + std::abs((float)t);
      cg::this_thread_block().sync();
      if (t < p.n) atomicAdd(at(out, t), s[threadIdx.x ^ 1]);
      dynamic[t] = __shfl_xor_sync(~0u, t, 1) + max(t, 3) + __CUDA_ARCH__;
    }
    int main() { std::vector<float> v(3); k<<<1, 128, 64>>>(v.data(), {}, nullptr); }";

#[test]
fn cuda_gives_the_same_module() {
    let _no_crash = CRASHES.read().expect("no crash test panicked");
    let input = Input::memory("k.cu", KERNEL).with_language(Language::Cuda);
    // With a precompiled header, and without one.
    for arch in ["sm_80", "sm_90", "sm_89"] {
        let options = CompileOptions { arch: arch.to_owned(), ..CompileOptions::default() };
        let [embedded, process] = both(&input, &options);
        assert!(embedded.len() > 30);
        assert_eq!(embedded, process, "{arch}");
    }
}

#[test]
fn opencl_gives_the_same_module() {
    let _no_crash = CRASHES.read().expect("no crash test panicked");
    let text = "__kernel void k(__global int *o, __local float4 *s) {
        s[get_local_id(0)] = (float4)(sin(1.0f)); barrier(CLK_LOCAL_MEM_FENCE);
        o[get_global_id(0)] = convert_int(s[get_local_id(0) ^ 1].x); atomic_inc(o); }";
    for opencl_target in [OpenClTarget::Spirv64, OpenClTarget::Nvptx64] {
        let options = CompileOptions { opencl_target, ..CompileOptions::default() };
        let [embedded, process] = both(&Input::memory("k.cl", text), &options);
        assert_eq!(embedded, process);
    }
}

#[test]
fn arguments_reach_it() {
    let _no_crash = CRASHES.read().expect("no crash test panicked");
    let text = "__global__ void k(int *p) { *p = VALUE; }";
    let input = Input::memory("k.cu", text).with_language(Language::Cuda);
    // The first two go to the compiler proper, the others to clang's driver.
    for arguments in [
        vec!["-DVALUE=7", "-I", "/nowhere"],
        vec!["-DVALUE=7", "-std=c++20"],
        vec!["-DVALUE=7", "-w"],
        vec!["-DVALUE=7", "-Wno-everything", "-O2", "-ffast-math"],
    ] {
        let clang_args = arguments.into_iter().map(Into::into).collect();
        let options = CompileOptions { clang_args, ..CompileOptions::default() };
        let [embedded, process] = both(&input, &options);
        assert!(embedded.iter().any(|i| i.contains("store i32 7")));
        assert_eq!(embedded, process);
    }
}

#[test]
fn relative_paths_belong_to_the_folder_that_is_given() {
    let _no_crash = CRASHES.read().expect("no crash test panicked");
    let folder = std::env::temp_dir().join(format!("heddle-embedded-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("inc")).expect("the temporary folder is writable");
    std::fs::write(folder.join("inc/value.h"), "#define VALUE 7\n").expect("writable");
    let text = "#include \"value.h\"\n__global__ void k(int *p) { *p = VALUE; }";
    let input = Input::memory("k.cu", text).with_language(Language::Cuda);
    let clang_args = vec!["-isystem".into(), "inc".into()];
    let options =
        CompileOptions { clang_args, directory: Some(folder.clone()), ..CompileOptions::default() };
    let [embedded, process] = both(&input, &options);
    assert!(embedded.iter().any(|i| i.contains("store i32 7")), "{embedded:?}");
    assert_eq!(embedded, process);
    // And the same files are listed, the built-in headers not among them.
    std::fs::write(folder.join("k.cu"), text).expect("writable");
    let input = Input::file(folder.join("k.cu"));
    let compilers: [&dyn Compiler; 2] = [&Embedded, &ClangProcess];
    let [embedded, process] = compilers.map(|compiler| {
        let compiled =
            heddle_frontend::compile::to_ir(&input, &options, compiler).expect("compiles");
        compiled.files
    });
    let ours = |files: &[PathBuf]| {
        files.iter().filter(|it| it.starts_with(&folder)).cloned().collect::<Vec<_>>()
    };
    assert_eq!(ours(&embedded), [folder.join("k.cu"), folder.join("inc/value.h")]);
    assert_eq!(ours(&process), ours(&embedded));
    assert!(embedded.iter().chain(&process).all(|it| it.is_file()), "{embedded:?} {process:?}");
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn errors_are_clangs_own() {
    let _no_crash = CRASHES.read().expect("no crash test panicked");
    let input = Input::memory("k.cu", "__global__ void k(int *p) { *p = missing; }")
        .with_language(Language::Cuda);
    let error = load_with(&input, &CompileOptions::default(), &Embedded).unwrap_err();
    assert_eq!(error.kind, InputErrorKind::Compile);
    assert!(
        error.output.starts_with("k.cu:1:34: error: use of undeclared identifier 'missing'"),
        "{}",
        error.output
    );
}

#[test]
fn a_crash_of_clang_is_an_error() {
    let _alone = CRASHES.write().expect("no test panicked with it");
    for how in ["crash", "parser_crash", "llvm_fatal_error"] {
        let text = format!("#pragma clang __debug {how}\n__global__ void k(int *p) {{ *p = 1; }}");
        let input = Input::memory("k.cu", text).with_language(Language::Cuda);
        let error = load_with(&input, &CompileOptions::default(), &Embedded).unwrap_err();
        assert_eq!(error.kind, InputErrorKind::Compile, "{how}");
        assert!(error.output.contains("error"), "{how}: {}", error.output);
    }
    let sound = Input::memory("k.cu", "__global__ void k(int *p) { *p = 1; }")
        .with_language(Language::Cuda);
    assert!(
        load_with(&sound, &CompileOptions::default(), &Embedded).is_ok(),
        "and the next file compiles"
    );
}

#[test]
fn compilations_side_by_side_do_not_meet() {
    let _no_crash = CRASHES.read().expect("no crash test panicked");
    let options = CompileOptions::default();
    let compiled = |text: String| {
        let input = Input::memory("k.cu", text).with_language(Language::Cuda);
        match load_with(&input, &options, &Embedded) {
            Ok(prepared) => instructions(&prepared.module),
            Err(error) => vec![error.output],
        }
    };
    // What compiles and what does not, each with a number of its own in what it says. What brings
    // clang down has a process of its own where others run beside it (`worker.rs`).
    let texts: Vec<String> = (0..24)
        .map(|n| match n % 2 {
            0 => KERNEL.replace("s[128]", &format!("s[{}]", 128 + n)),
            _ => format!("__global__ void k(int *p) {{ *p = missing{n}; }}"),
        })
        .collect();
    let alone: Vec<_> = texts.iter().cloned().map(compiled).collect();
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            texts.iter().map(|text| scope.spawn(|| compiled(text.clone()))).collect();
        threads.into_iter().map(|it| it.join().expect("no panic")).collect()
    });
    for (n, (alone, together)) in alone.iter().zip(&together).enumerate() {
        assert_eq!(alone, together, "compilation {n}");
        let undeclared = alone[0].contains(&format!("undeclared identifier 'missing{n}'"));
        assert_eq!(undeclared, n % 2 == 1, "{alone:?}");
    }
}
