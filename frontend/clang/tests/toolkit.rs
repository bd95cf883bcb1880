//! A toolkit in a folder: which version it is decides how a launch compiles, whoever compiles.

use std::path::{Path, PathBuf};

use heddle_clang::Embedded;
use heddle_frontend::compile::{ClangProcess, Compiler};
use heddle_frontend::{CompileOptions, Input, Language, Prepared, load_with};
use heddle_lift::prepare::kernels::find;

/// A launch, and the function that CUDA has for it from 9.2 on. No header is needed.
const SOURCE: &str = "
    #define __global__ __attribute__((global))
    struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
    extern \"C\" unsigned __cudaPushCallConfiguration(dim3, dim3, decltype(sizeof(0)) = 0, void * = 0);
    __global__ void k(int *p) { p[0] = __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__; }
    int main() { k<<<2, 64>>>(0); }";

/// A made-up toolkit that has nothing but files that say its version.
fn toolkit(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for part in ["bin", "include"] {
        std::fs::create_dir_all(folder.join(part)).expect("the folder for tests is writable");
    }
    for (path, text) in files {
        std::fs::write(folder.join(path), text).expect("the folder for tests is writable");
    }
    folder
}

fn compiled(toolkit: &Path, compiler: &dyn Compiler) -> Result<Prepared, String> {
    let options = CompileOptions {
        cuda_path: Some(toolkit.to_owned()),
        clang_args: vec!["-nocudainc".into()],
        ..CompileOptions::default()
    };
    let input = Input::memory("k.cu", SOURCE).with_language(Language::Cuda);
    load_with(&input, &options, compiler).map_err(|error| format!("{error}\n{}", error.output))
}

#[test]
fn launches_compile_as_the_version_says() {
    let json = "{ \"cuda\" : { \"name\" : \"CUDA SDK\", \"version\" : \"12.4.1\" } }";
    for (name, files, stored) in [
        ("toolkit_header", &[("include/cuda.h", "#define CUDA_VERSION 12060\n")], "i32 1206"),
        ("toolkit_json", &[("version.json", json)], "i32 1204"),
        // clang knows no version that high, and launches are as before.
        ("toolkit_new", &[("include/cuda.h", "#define CUDA_VERSION 13050\n")], "i32 1305"),
    ] {
        let folder = toolkit(name, files);
        let compilers: [&dyn Compiler; 2] = [&Embedded, &ClangProcess];
        for compiler in compilers {
            let prepared = compiled(&folder, compiler).unwrap_or_else(|error| panic!("{error}"));
            let kernel = prepared.module.function("_Z1kPi").expect("the kernel is there");
            let texts: Vec<String> = kernel.instructions().map(|it| it.text()).collect();
            assert!(texts.iter().any(|it| it.contains(&format!("store {stored}"))), "{texts:?}");
        }
    }
    let old = toolkit("toolkit_old", &[("include/cuda.h", "#define CUDA_VERSION 9000\n")]);
    let error = compiled(&old, &ClangProcess).expect_err("CUDA 9.0 calls another function");
    assert!(error.contains("cudaConfigureCall"), "{error}");
    let without = compiled(&old, &Embedded).unwrap_or_else(|error| panic!("{error}"));
    assert!(without.warnings.contains("cudaConfigureCall"), "{}", without.warnings);
}

#[test]
fn launches_are_read_beside_a_toolkit() {
    let folder = toolkit("toolkit_read", &[("include/cuda.h", "#define CUDA_VERSION 12090\n")]);
    let prepared = compiled(&folder, &Embedded).unwrap_or_else(|error| panic!("{error}"));
    let kernels = find(&prepared.module);
    let launches = &kernels[0].launches;
    assert_eq!(launches.len(), 1, "{launches:?}");
    assert_eq!(launches[0].grid, [Some(2), Some(1), Some(1)]);
    assert_eq!(launches[0].block, [Some(64), Some(1), Some(1)]);
}

#[test]
fn cccl_is_found_where_newer_toolkits_have_it() {
    let folder = toolkit("toolkit_cccl", &[("include/cuda.h", "#define CUDA_VERSION 13000\n")]);
    let headers = folder.join("include/cccl/cub");
    std::fs::create_dir_all(&headers).expect("the folder for tests is writable");
    std::fs::write(headers.join("cub.cuh"), "#define FOUND 1\n").expect("it is");
    let options = CompileOptions {
        cuda_path: Some(folder),
        clang_args: vec!["-nocudainc".into()],
        ..CompileOptions::default()
    };
    let source = "#include <cub/cub.cuh>\n__attribute__((global)) void k(int *p) { p[0] = FOUND; }";
    let input = Input::memory("k.cu", source).with_language(Language::Cuda);
    let compilers: [&dyn Compiler; 2] = [&Embedded, &ClangProcess];
    for compiler in compilers {
        load_with(&input, &options, compiler).unwrap_or_else(|error| panic!("{}", error.output));
    }
}
