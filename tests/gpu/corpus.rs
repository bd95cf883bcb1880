//! The kernels of `tests/kernels` as PTX with the device library in it.
//!
//! By default one kernel in sixteen; `HEDDLE_GPU=all` takes all, `HEDDLE_GPU=race` the paths with
//! that text. **Does not**: assemble the PTX ([`crate::assembled`]).

use std::path::{Path, PathBuf};

use crate::nvidia::kernels_for_nvidia;
use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{Checks, ptx};
use heddle_execute::gpu::{GpuOptions, compile};
use heddle_execute::instrument::Skips;
use heddle_frontend::CompileOptions;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// Functions without a body that no PTX is made of kernels with: the device runtime's barrier of
/// the grid, what CUDA's libdevice defines, and what kernels of the corpus leave open on purpose.
const UNDEFINED: &[&str] = &[
    "cudaCGSynchronizeGrid",
    "cosf",
    "erfc",
    "exp",
    "log",
    "sinf",
    "ldexpf",
    "lgammaf",
    "elsewhere",
    "other",
    "swap",
    "who",
];

/// How others start: libdevice's, those by which our headers say that they do not know, textures
/// and surfaces.
const UNDEFINED_BY_START: &[&str] = &["__nv_", "heddle_", "tex", "surf"];

/// What PTX may leave to the driver.
const EXTERNAL: &[&str] = &["vprintf", "malloc", "free", "__assertfail"];

fn kernels() -> Vec<PathBuf> {
    kernels_for_nvidia("HEDDLE_GPU", 16)
}

/// The architectures that are tried, in order: the first that has what the kernel needs.
const ARCHS: &[&str] = &["sm_70", "sm_80", "sm_90a", "sm_100a"];

/// What is wrong with a kernel's PTX.
fn wrong_with(path: &Path) -> Option<String> {
    let mut why = String::new();
    for arch in ARCHS {
        let options = CompileOptions { arch: (*arch).to_owned(), ..CompileOptions::default() };
        let code =
            ptx(&Source::File(path.to_owned()), &options, &Embedded, Checks::All).expect("threads");
        why = match code {
            Ok(code) => wrong_in(path, &options, &code.ptx)?,
            Err(finding) => finding.message,
        };
        if !why.contains("needs sm_") {
            break;
        }
    }
    (!refused_by_name(&why)).then_some(why)
}

/// Whether a refusal names functions of [`UNDEFINED`] and of libdevice, and no other.
pub(crate) fn refused_by_name(why: &str) -> bool {
    let list = why.split_once("it calls ").and_then(|(_, it)| it.split_once(", which nothing"));
    let names = list.map(|(list, _)| list.split(", ").map(|it| it.trim_matches('`')));
    let is_known = |name: &str| {
        UNDEFINED.contains(&name) || UNDEFINED_BY_START.iter().any(|it| name.starts_with(it))
    };
    names.is_some_and(|mut it| it.all(is_known))
}

#[test]
fn a_kernel_without_the_library_of_its_functions_is_refused_by_their_names() {
    for (file, names) in [
        ("calls/proved_two_results.cu", "`cosf`, `ldexpf`, `lgammaf`, `sinf`"),
        ("progress/proved_grid_group_sync.cu", "`cudaCGSynchronizeGrid`"),
        ("calls/unknown_external.cu", "`elsewhere`"),
    ] {
        let source = Source::File(Path::new("tests/kernels").join(file));
        let code =
            ptx(&source, &CompileOptions::default(), &Embedded, Checks::All).expect("threads");
        let why = code.map(|it| it.ptx).expect_err(file).message;
        assert!(why.contains(&format!("it calls {names}, which nothing defines")), "{why}");
        assert!(refused_by_name(&why) && !refused_by_name("it calls `f`, which nothing"));
    }
}

fn wrong_in(path: &Path, options: &CompileOptions, text: &str) -> Option<String> {
    let input = heddle_frontend::Input::file(path);
    let prepared =
        heddle_frontend::load_with(&input, options, &Embedded).expect("it was made into PTX");
    for kernel in &prepared.kernels {
        if !text.contains(&format!(".visible .entry {}(", kernel.name)) {
            return Some(format!("the entry `{}` is gone", kernel.name));
        }
    }
    let size = size_of::<heddle_runtime::gpu::Launch>();
    for needed in [
        format!(".visible .const .align 8 .b8 __heddle_launch[{size}]"),
        "__heddle_abi_2".to_owned(),
        "__heddle_gpu_enter".to_owned(),
    ] {
        if !text.contains(&needed) {
            return Some(format!("there is no `{needed}`"));
        }
    }
    for line in text.lines().filter(|it| it.contains(".extern .func")) {
        let name = line.trim_end_matches([' ', '(', ')', ';']).rsplit([' ', ')']).next();
        if !name.is_some_and(|it| EXTERNAL.contains(&it)) {
            return Some(format!("nothing defines `{line}`"));
        }
    }
    let kernel = prepared.kernels.first().map(|it| it.name.clone());
    let for_one = GpuOptions { arch: options.arch.clone(), toolkit: None, kernel };
    let one = match compile(&prepared, Some(&Skips::new()), &for_one) {
        Ok(one) => one,
        Err(why) => return Some(format!("alone: {why}")),
    };
    let fixed = one.shared.iter().filter(|it| it.bytes > 0).count();
    let variables =
        one.ptx.lines().filter(|it| it.trim_start().starts_with(".shared .align")).count();
    let differ = variables != fixed.min(1);
    differ.then(|| format!("{fixed} variables in shared memory are {variables} in PTX"))
}

#[test]
fn each_kernel_becomes_ptx_with_the_library_in_it() {
    let files = kernels();
    let wrong: Vec<String> = files
        .par_iter()
        .filter_map(|path| Some(format!("{}: {}", path.display(), wrong_with(path)?)))
        .collect();
    assert!(!files.is_empty(), "no kernel was looked at");
    assert!(
        wrong.is_empty(),
        "{} of {} files wrong:\n{}",
        wrong.len(),
        files.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_library_puts_no_fence_beside_an_access_and_barriers_take_threads_one_by_one() {
    let kernel = "__global__ void k(int *out) { out[threadIdx.x] = 1; __syncthreads(); }";
    let source = Source::Text {
        name: "<kernel>".to_owned(),
        bytes: kernel.as_bytes().to_vec(),
        language: Some(heddle_frontend::Language::Cuda),
    };
    let code = ptx(&source, &CompileOptions::default(), &Embedded, Checks::All)
        .expect("threads")
        .expect("PTX");
    assert!(code.ptx.contains("atom.global.exch.b64"), "{}", code.ptx);
    assert!(code.ptx.contains("barrier.sync") && !code.ptx.contains("bar.sync"), "{}", code.ptx);
    let fence = code.ptx.lines().find(|it| it.trim().starts_with("fence") || it.contains("membar"));
    assert_eq!(fence, None);
}

#[test]
fn accesses_of_inline_ptx_are_checked_where_they_stand_alone() {
    let checks = |asm: &str| {
        let kernel = format!(
            "__global__ void k(int *out, const int *in) {{ __shared__ int s[64]; int v = 0;\n\
             unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]); {asm} }}"
        );
        let language = Some(heddle_frontend::Language::Cuda);
        let name = "<kernel>".to_owned();
        let source = Source::Text { name, bytes: kernel.into_bytes(), language };
        let code = ptx(&source, &CompileOptions::default(), &Embedded, Checks::All)
            .expect("threads")
            .expect("PTX");
        // The checks of an access end in a compare and swap of its shadow; how often it stands
        // there counts them.
        code.ptx.matches("atom.global.exch.b64").count()
    };
    let none = checks("asm volatile(\"mov.u32 %0, 5;\" : \"=r\"(v) : \"r\"(at));");
    let alone = [
        "asm volatile(\"st.shared.u32 [%0], %1;\" :: \"r\"(at), \"r\"(v) : \"memory\");",
        "asm volatile(\"ld.shared.v2.u32 {%0, %1}, [%2+8];\" : \"=r\"(v), \"=r\"(v) : \"r\"(at) : \"memory\");",
        "asm volatile(\"ld.global.nc.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(in) : \"memory\");",
        "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(at), \"l\"(in) : \"memory\");",
    ];
    for asm in alone {
        assert!(checks(asm) > none, "{asm}");
    }
    // Atomics, and accesses with an order and a scope.
    let strong = [
        "asm volatile(\"st.release.gpu.global.u32 [%0], %1;\" :: \"l\"(out), \"r\"(v) : \"memory\");",
        "asm volatile(\"ld.acquire.sys.global.u32 %0, [%1];\" : \"=r\"(v) : \"l\"(out) : \"memory\");",
        "asm volatile(\"atom.relaxed.gpu.global.add.u32 %0, [%1], 1;\" : \"=r\"(v) : \"l\"(out) : \"memory\");",
        "asm volatile(\"red.shared.add.u32 [%0], 1;\" :: \"r\"(at) : \"memory\");",
    ];
    for asm in strong {
        assert!(checks(asm) > none, "{asm}");
    }
    // An order between two that the library could not be told of; a place in another block; one
    // that may not be executed.
    let left = [
        "asm volatile(\"bar.sync 0;\\n st.shared.u32 [%0], %1;\" :: \"r\"(at), \"r\"(v) : \"memory\");",
        "asm volatile(\"{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.shared.u32 [%0], %1; }\" :: \"r\"(at), \"r\"(v) : \"memory\");",
    ];
    for asm in left {
        assert_eq!(checks(asm), none, "{asm}");
    }
}

#[test]
fn single_bytes_that_inline_ptx_accesses_have_cells_of_their_own() {
    let shift = |width: &str| {
        let asm = format!("st.shared.{width} [%0], %1;");
        let kernel = format!(
            "__global__ void k(int *out) {{ __shared__ int s[64]; s[threadIdx.x] = 0; __syncthreads();\n\
             unsigned at = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x;\n\
             asm volatile(\"{asm}\" :: \"r\"(at), \"r\"(1) : \"memory\"); }}"
        );
        let language = Some(heddle_frontend::Language::Cuda);
        let name = "<kernel>".to_owned();
        let source = Source::Text { name, bytes: kernel.into_bytes(), language };
        ptx(&source, &CompileOptions::default(), &Embedded, Checks::All)
            .expect("threads")
            .expect("PTX")
            .shift
    };
    // Else neighbours would share a cell, and race there.
    assert_eq!((shift("u8"), shift("u32")), (0, 2));
}

#[test]
fn mathematics_comes_from_a_toolkit_or_is_refused_by_name() {
    let kernel = "target triple = \"nvptx64-nvidia-cuda\"\n\
        declare float @expf(float)\ndeclare float @llvm.sin.f32(float)\ndeclare float @sqrtf(float)\n\
        define ptx_kernel void @k(ptr %out) {\n  %v = load float, ptr %out\n  %e = call float @expf(float %v)\n  \
        %s = call float @llvm.sin.f32(float %e)\n  %r = call float @sqrtf(float %s)\n  store float %r, ptr %out\n  ret void\n}\n";
    let source = Source::Text {
        name: "<kernel>".to_owned(),
        bytes: kernel.as_bytes().to_vec(),
        language: Some(heddle_frontend::Language::Ir),
    };
    let with = |toolkit| {
        let options = CompileOptions { cuda_path: toolkit, ..CompileOptions::default() };
        ptx(&source, &options, &Embedded, Checks::All).expect("threads").map_err(|it| it.message)
    };
    let why = with(None).expect_err("nothing defines expf");
    assert!(why.contains("`expf`") && why.contains("--cuda-path"), "{why}");
    // A toolkit whose functions are made up.
    let toolkit =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("toolkit_{}", std::process::id()));
    let library = toolkit.join("nvvm/libdevice");
    std::fs::create_dir_all(&library).expect("the folder is cargo's for tests");
    let text = "target triple = \"nvptx64-nvidia-cuda\"\n\
        define float @__nv_expf(float %x) {\n  %r = fmul float %x, 3.0\n  ret float %r\n}\n\
        define float @__nv_sinf(float %x) {\n  %r = fmul float %x, 5.0\n  ret float %r\n}\n";
    std::fs::write(library.join("libdevice.10.bc"), text).expect("the folder is ours");
    let code = with(Some(toolkit.clone())).expect("both are defined");
    assert!(code.ptx.contains("sqrt.") && !code.ptx.contains(".extern"), "{}", code.ptx);
    std::fs::remove_dir_all(&library).expect("it is ours");
    let why = with(Some(toolkit)).expect_err("there is no libdevice");
    assert!(why.contains("libdevice.10.bc"), "{why}");
}

#[test]
fn what_an_architecture_lacks_is_refused_by_name() {
    let kernel = "target triple = \"nvptx64-nvidia-cuda\"\n\
        declare i32 @llvm.nvvm.redux.sync.add(i32, i32)\n\
        define ptx_kernel void @k(ptr %out) {\n  %v = load i32, ptr %out\n  \
        %r = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 -1)\n  store i32 %r, ptr %out\n  ret void\n}\n";
    let with = |arch: &str| {
        let source = Source::Text {
            name: "<kernel>".to_owned(),
            bytes: kernel.as_bytes().to_vec(),
            language: Some(heddle_frontend::Language::Ir),
        };
        let options = CompileOptions { arch: arch.to_owned(), ..CompileOptions::default() };
        ptx(&source, &options, &Embedded, Checks::All).expect("threads").map_err(|it| it.message)
    };
    for arch in ["sm_80", "sm_90"] {
        assert!(with(arch).is_ok_and(|it| it.ptx.contains(&format!(".target {arch}"))), "{arch}");
    }
    let why = with("sm_60").expect_err("too old");
    assert!(why.contains("sm_70 or later"), "{why}");
    let why = with("sm_75").expect_err("it has no such instruction");
    assert!(why.contains("`llvm.nvvm.redux.sync.add`, which needs sm_80"), "{why}");
    for (file, arch, needs) in [
        ("named/refuted_scoped_bytes.ll", "sm_80", "needs sm_90"),
        ("named/proved_set_registers_intrinsic.ll", "sm_80", "needs sm_90a or sm_100f"),
        ("named/proved_set_registers_intrinsic.ll", "sm_90", "needs sm_90a or sm_100f"),
        ("named/proved_set_registers_intrinsic.ll", "sm_120", "or sm_120f: features of one"),
        ("warp/proved_matrix_intrinsics.ll", "sm_90", "needs sm_90a: features of one"),
        ("warp/proved_matrix_intrinsics.ll", "sm_100a", "needs sm_90a: features of one"),
        ("warp/proved_matrix_intrinsics.ll", "sm_110", "and `sm_110` is not"),
        ("warp/proved_matrix_intrinsics.ll", "sm_80a", "and `sm_80a` is not"),
    ] {
        let source = Source::File(Path::new("tests/kernels").join(file));
        let options = CompileOptions { arch: arch.to_owned(), ..CompileOptions::default() };
        let why = ptx(&source, &options, &Embedded, Checks::All)
            .expect("threads")
            .expect_err(file)
            .message;
        assert!(why.contains(needs), "{why}");
    }
    for (file, arch, version) in [
        ("named/proved_set_registers_intrinsic.ll", "sm_90a", "8.0"),
        ("named/proved_set_registers_intrinsic.ll", "sm_103f", "8.8"),
        ("named/proved_set_registers_intrinsic.ll", "sm_121a", "8.8"),
        ("warp/proved_matrix_intrinsics.ll", "sm_90a", "8.0"),
        // A later version where the kernel needs it, and only there.
        ("named/unknown_scoped_relaxed.ll", "sm_90", "8.6"),
    ] {
        let source = Source::File(Path::new("tests/kernels").join(file));
        let options = CompileOptions { arch: arch.to_owned(), ..CompileOptions::default() };
        let text =
            ptx(&source, &options, &Embedded, Checks::All).expect("threads").expect(file).ptx;
        let head = format!(".version {version}\n.target {arch}\n");
        assert!(text.contains(&head), "{file} {arch}: {}", text.get(..400).unwrap_or(&text));
    }
}
