//! A file of a project that is checked by itself: folders of headers and macros that its build
//! names are found, and said.

use crate::Project;

const KERNEL: &str = "__global__ void k(int *p) { p[blockIdx.x * WIDTH + threadIdx.x] = 1; }\n\
                      void host(int *p) { k<<<2, WIDTH>>>(p); }\n";

fn project(name: &str) -> Project {
    let project = Project::new(&format!("supplied-{name}"));
    project.file(".git/HEAD", "");
    project
}

#[test]
fn a_header_is_found_in_a_folder_that_no_option_names() {
    let project = project("header");
    project.file("src/k.cu", &format!("#include <deep/size.h>\n{KERNEL}"));
    project.file("lib/inc/deep/size.h", "#include \"more.h\"\n");
    project.file("lib/other/more.h", "#define WIDTH 64\n");
    // A folder that has a header has others, which are not the ones that a source means.
    project.file("lib/other/stdint.h", "#error not this one\n");
    project
        .file("src/with.cu", "#include <cstdint>\n#include \"more.h\"\n__global__ void w() {}\n");
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for said in [
        "k.cu: warning: `deep/size.h` is taken from `lib/inc`, a folder that no option names (`-- -I lib/inc`)",
        "k.cu: warning: `more.h` is taken from `lib/other`",
    ] {
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    // The host's part is read with the same folders.
    assert!(ran.out.contains("block=64; launched as in"), "{}", ran.out);
    let ran = project.heddle(&["check", "src/with.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    // Who names the folders hears nothing of it.
    let ran = project.heddle(&["check", "src/k.cu", "--", "-Ilib/inc", "-Ilib/other"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
fn a_header_is_found_whatever_its_case_and_its_slashes() {
    let project = project("case");
    let includes = "#include \"inc\\Size.h\"\n#include <Cuda_Runtime.H>\n";
    project.file("src/k.cu", &format!("{includes}{KERNEL}"));
    project.file("src/Inc/size.h", "#define WIDTH 64\n");
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let said = "k.cu:1: warning: read as nvcc does: the name of a file is taken whatever its case";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(ran.out.contains("block=64; launched as in"), "{}", ran.out);
    // Two that differ in case alone are a choice.
    project.file("src/inC/Size.h", "#define WIDTH 32\n");
    assert_eq!(project.heddle(&["check", "src/k.cu"]).code, 2);
}

#[test]
fn a_name_with_backslashes_is_looked_for_in_the_project() {
    let project = project("backslashes");
    project.file("Lib/Tests/k.cu", &format!("#include \"Lib\\Size.cuh\"\n{KERNEL}"));
    project.file("Lib/Size.cuh", "#define WIDTH 64\n");
    let ran = project.heddle(&["check", "Lib/Tests/k.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for said in ["k.cu: warning: `Lib/Size.cuh` is taken from `.`", "k.cu:1: warning: read as nvcc"]
    {
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    assert!(ran.out.contains("block=64; launched as in"), "{}", ran.out);
    // From a folder beside.
    project.file("Lib/Tests/k.cu", &format!("#include \"..\\common\\size.h\"\n{KERNEL}"));
    project.file("common/size.h", "#define WIDTH 32\n");
    let ran = project.heddle(&["check", "Lib/Tests/k.cu"]);
    assert!(ran.out.contains("block=32; launched as in"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_name_with_dots_is_looked_up_from_the_folders_around() {
    let project = project("dots");
    project.file("lib/cuda/combine/k.cu", &format!("#include \"../common/size.h\"\n{KERNEL}"));
    project.file("lib/common/size.h", "#define WIDTH 64\n");
    let ran = project.heddle(&["check", "lib/cuda/combine/k.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let said = "`../common/size.h` is taken from `lib/cuda`, a folder that no option names";
    assert!(ran.err.contains(said), "{}", ran.err);
}

#[test]
fn no_choice_is_made_between_two_headers() {
    let project = project("two");
    project.file("src/k.cu", &format!("#include \"size.h\"\n{KERNEL}"));
    project.file("a/size.h", "#define WIDTH 64\n");
    project.file("b/size.h", "#define WIDTH 32\n");
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("'size.h' file not found"), "{}", ran.out);
    let said =
        "`size.h` stands in `a`, `b`, each time with another text: `-- -I <folder>` says which";
    assert!(ran.out.contains(said), "{}", ran.out);
    let short = project.heddle(&["check", "--format", "short", "src/k.cu"]);
    assert!(short.out.contains("fatal error: 'size.h' file not found"), "{}", short.out);
    // The one nearest to the source is no choice; two files of one text are one.
    project.file("src/inc/size.h", "#define WIDTH 64\n");
    assert_eq!(project.heddle(&["check", "src/k.cu"]).code, 0);
    project.file("src/inc/size.h", "#define WIDTH 16\n");
    project.file("src/again/size.h", "#define WIDTH 16\n");
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert!(ran.out.contains("block=16"), "{}", ran.out);
}

#[test]
fn the_projects_own_folder_of_headers_is_taken_before_deeper_ones() {
    let project = project("own");
    project.file("source/cuda/k.cu", &format!("#include <P/size.h>\n{KERNEL}"));
    project.file("include/P/size.h", "#define WIDTH 64\n");
    project.file("demo/app/includes/P/size.h", "#define WIDTH 32\n");
    let ran = project.heddle(&["check", "source/cuda/k.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("`P/size.h` is taken from `include`"), "{}", ran.err);
    assert!(ran.out.contains("block=64; launched as in"), "{}", ran.out);
    // Two such folders are a choice.
    project.file("inc/P/size.h", "#define WIDTH 16\n");
    assert_eq!(project.heddle(&["check", "source/cuda/k.cu"]).code, 2);
}

#[test]
fn a_header_outside_of_the_project_is_not_found() {
    let project = project("outside");
    project.file("inner/.git/HEAD", "");
    project.file("inner/k.cu", &format!("#include \"size.h\"\n{KERNEL}"));
    project.file("size.h", "#define WIDTH 64\n");
    assert_eq!(project.heddle(&["check", "inner/k.cu"]).code, 2);
    std::os::unix::fs::symlink("..", project.root.join("inner/up")).expect("writable");
    assert_eq!(project.heddle(&["check", "inner/k.cu"]).code, 2);
}

#[test]
fn a_macro_that_the_build_defines_is_found() {
    let project = project("macro");
    project.file("src/k.cu", &format!("#include \"size.h\"\n{KERNEL}"));
    project.file(
        "src/size.h",
        "#if defined(__HIP__)\n#define WIDTH 48\n#elif defined(USE_CUDA) && 1\n#define WIDTH 64\n#endif\n",
    );
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let said = "k.cu: warning: `USE_CUDA` is taken as defined: `WIDTH` stands under it, and nothing defines it (`-- -DUSE_CUDA`)";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(ran.out.contains("block=64; launched as in"), "{}", ran.out);
    // A macro that does not help is not taken.
    project.file("src/size.h", "#ifdef USE_CUDA\n// WIDTH\nint width = WIDTH;\n#endif\n");
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("USE_CUDA"), "{}", ran.out);
}

#[test]
fn kernels_that_all_stand_under_a_macro_are_checked() {
    let project = project("guard");
    let kernel = KERNEL.replace("WIDTH", "64");
    let guarded = |kernel: &str| format!("#ifdef WITH_GPU\n#include \"gpu.h\"\n{kernel}#endif\n");
    project.file("src/k.cu", &guarded(&kernel));
    project.file("include/gpu.h", "#pragma once\n");
    let ran = project.heddle(&["check", "src/k.cu"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for said in ["`WITH_GPU` is taken as defined: each kernel of the file stands", "`gpu.h` is"] {
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    // What is wrong under it is shown.
    project.file("src/wrong.cu", &guarded("__global__ void k() { nowhere(); }\n"));
    let ran = project.heddle(&["check", "src/wrong.cu"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("nowhere") && ran.out.contains("-DWITH_GPU"), "{}", ran.out);
    // A file with a kernel beside it is complete as it stands.
    project.file("src/other.cu", &format!("__global__ void own() {{}}\n{}", guarded(&kernel)));
    let ran = project.heddle(&["check", "src/other.cu"]);
    assert!(ran.err.is_empty() && !ran.out.contains("kernel `k`"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_unit_of_a_build_is_compiled_as_its_command_says() {
    let project = project("unit");
    project.file("src/k.cu", &format!("#include \"size.h\"\n{KERNEL}"));
    project.file("inc/size.h", "#define WIDTH 64\n");
    project.database(&[("../src/k.cu", "clang++ -x cuda -c ../src/k.cu")]);
    let ran = project.heddle(&["check", "-p", "build"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("'size.h' file not found"), "{}", ran.out);
}

#[test]
fn another_file_of_an_opencl_program_is_read_before_the_source() {
    let project = project("siblings");
    let kernel =
        "__kernel void k(__global uint *p) {\n  p[get_global_id(0)] = mixed(1u, WIDTH);\n}\n";
    project.file("cl/k.cl", kernel);
    project.file("cl/mixed.cl", "inline uint mixed(word a, word b) {\n  return a ^ b;\n}\n");
    project.file("cl/sizes.h", "#define WIDTH 64u\ntypedef uint word;\n");
    // One with a kernel of its own is another program.
    project.file("cl/other.cl", "#define WIDTH 32u\n__kernel void other() {}\n");
    let ran = project.heddle(&["check", "cl/k.cl"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for said in [
        "k.cl: warning: `cl/mixed.cl` is read before it, which has names that it misses (`-- -include cl/mixed.cl`)",
        "k.cl: warning: `cl/sizes.h` is read before it",
    ] {
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    // Two that differ are a choice, which is the host's.
    project.file("cl/more.h", "#define WIDTH 128u\ntypedef uint word;\n");
    let ran = project.heddle(&["check", "cl/k.cl"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("undeclared identifier 'mixed'"), "{}", ran.out);
    // Options say which.
    let ran = project.heddle(&[
        "check",
        "cl/k.cl",
        "--",
        "-include",
        "cl/sizes.h",
        "-include",
        "cl/mixed.cl",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
}
