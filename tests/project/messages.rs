//! Sources that do not compile: what is shown of clang's messages, and which way out is named.

use crate::Project;

#[test]
fn errors_that_nvcc_does_not_have_hide_no_other() {
    let project = Project::new("messages-escapes");
    let lane = "  asm(\"mov.u32 %0, %laneid;\" : \"=r\"(r));\n";
    let lanes = |count| {
        format!("__device__ unsigned f() {{ unsigned r;\n{}  return r; }}\n", lane.repeat(count))
    };
    let kernel = "__global__ void k(unsigned *p) { p[0] = f() + nowhere; }\n";
    // As many as clang shows, and more.
    for count in [1, 40] {
        let name = format!("lanes{count}.cu");
        project.file(&name, &format!("{}{kernel}", lanes(count)));
        let ran = project.heddle(&["check", &name]);
        assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("clang finds an error in this file"), "{}", ran.out);
        assert!(ran.out.contains("'nowhere'") && !ran.out.contains("% escape"), "{}", ran.out);
    }
    // Where the letter means nothing, the error is the source's own.
    let wrong = lanes(1).replace("%laneid", "%Laneid");
    project.file("letter.cu", &format!("{wrong}{kernel}"));
    let ran = project.heddle(&["check", "letter.cu"]);
    assert!(ran.out.contains("% escape") && ran.out.contains("'nowhere'"), "{}", ran.out);
}

#[test]
fn the_way_out_fits_what_is_missing() {
    let project = Project::new("messages-ways-out");
    project.file(
        "cluster.cu",
        "__global__ void __attribute__((cluster_dims(2, 1, 1))) k(int *p) { *p = 1; }\n",
    );
    let ran = project.heddle(&["check", "cluster.cu"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("`--arch sm_90a`"), "{}", ran.out);
    project.file("sized.cl", "__kernel void k(__global int *p) { p[0] = LOCAL_SIZE; }\n");
    let ran = project.heddle(&["check", "sized.cl"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("`-- -D NAME=VALUE`"), "{}", ran.out);
    let ran = project.heddle(&["check", "sized.cl", "--", "-DLOCAL_SIZE=64"]);
    assert_ne!(ran.code, 2, "{}{}", ran.out, ran.err);
}

#[test]
fn a_host_for_other_processors_is_told_the_option() {
    let project = Project::new("messages-host");
    let text = "typedef float wide __attribute__((vector_size(32)));\n\
                static inline __attribute__((always_inline, target(\"avx\"))) wide twice(wide a) { return a + a; }\n\
                __global__ void k(int *p) { p[threadIdx.x] = 1; }\n\
                int main() { wide a = {}; int *p; cudaMalloc(&p, 4096); k<<<1, 32>>>(p); return twice(a)[0]; }\n";
    project.file("wide.cu", text);
    let ran = project.heddle(&["check", "wide.cu"]);
    if cfg!(target_arch = "x86_64") {
        assert!(ran.err.contains("`-- -Xarch_host -mavx`"), "{}{}", ran.out, ran.err);
        let ran = project.heddle(&["check", "wide.cu", "--", "-Xarch_host", "-mavx"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
}

#[test]
fn what_is_not_modelled_is_told_once_by_its_name() {
    let project = Project::new("messages-unmodelled");
    let call = "  p[threadIdx.x] += other(p[threadIdx.x]);\n";
    let text =
        format!("__device__ int other(int);\n__global__ void k(int *p) {{\n{}}}\n", call.repeat(9));
    project.file("many.cu", &text);
    let ran = project.heddle(&["check", "many.cu"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert_eq!(ran.out.matches("warning[HD0001]").count(), 2, "{}", ran.out);
    assert!(
        ran.out.contains("`other` is not modelled and may touch memory (and at 8 more places)")
    );
}
