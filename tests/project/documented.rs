//! The command lines of README and of `docs` run as they stand there: none of them is a wrong
//! command line.

use std::path::Path;

use crate::Project;

/// Where lines are taken from.
const PAGES: [&str; 8] = [
    "README.md",
    "docs/dynamic.md",
    "docs/inputs.md",
    "docs/named-barriers.md",
    "docs/outputs.md",
    "docs/testing.md",
    "docs/integration/cmake.md",
    "docs/integration/plugin.md",
];

const CUDA: &str = "__global__ void k(int *out, int n) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
";
const SAXPY: &str = "__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
";
const OPENCL: &str = "kernel void k(global int *out, int n) { out[get_global_id(0)] = n; }\n";
const IR: &str = "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
";

const PTX: &str = ".version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<3>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u32 %r1, [k_param_1];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd3, %rd2, %rd3;
  st.global.u32 [%rd3], %r2;
DONE:
  ret;
}
";

/// The folder that the lines speak of.
fn folder() -> Project {
    let project = Project::new("documented");
    for name in ["reduce.cu", "matmul.cu", "k.cu", "a.cu", "src/k.cu"] {
        project.file(name, CUDA);
    }
    for name in ["matmul.cl", "b.cl"] {
        project.file(name, OPENCL);
    }
    for name in ["k.ll", "c.ll", "in.ll"] {
        project.file(name, IR);
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, of) in [
        ("lock.axb", "tests/progress/spin_lock.axb"),
        ("kernel.mlir", "tests/kernels/mlir/proved_vector_stores_apart.mlir"),
        ("look_back.cu", "tests/kernels/progress/proved_look_back_with_ticket.cu"),
        (
            "tests/kernels/exchange/refuted_xor_partner.cu",
            "tests/kernels/exchange/refuted_xor_partner.cu",
        ),
    ] {
        let text =
            std::fs::read_to_string(here.join(of)).unwrap_or_else(|error| panic!("{of}: {error}"));
        project.file(name, &text);
    }
    project.file("saxpy.cu", SAXPY);
    project.file("kernel.ptx", PTX);
    project.file("launch.toml", "block = 64\n[args]\nn = 3\n[buffers]\nout = \"i32[64]\"\n");
    project.database(&[("../k.cu", "nvcc -c ../k.cu")]);
    for part in ["1", "2"] {
        let (shard, record) = (format!("{part}/2"), format!("record={part}.json"));
        let ran = project.heddle(&["check", "-p", "build", "--shard", &shard, "--format", &record]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }
    project
}

#[test]
fn lines_of_the_documentation_run() {
    let project = folder();
    let mut count = 0;
    for page in PAGES {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page));
        // A backslash goes on in the next line.
        let text = text.expect("the page is there").replace("\\\n", "");
        for line in text.lines() {
            if !(line.starts_with("heddle ") || line.starts_with("heddle-opt ")) {
                continue;
            }
            let done = project.shell("", &format!("set -o pipefail\n{line}"));
            // Where no driver is, that is what it says.
            let no_device = line.starts_with("heddle gpu-check") && done.status.code() == Some(2);
            let ran = no_device || matches!(done.status.code(), Some(0 | 1 | 3));
            assert!(ran, "{page}: {line}\n{}", String::from_utf8_lossy(&done.stderr));
            count += 1;
        }
    }
    assert!(count >= 25, "{count} lines were found");
}

/// The blocks of a page in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page));
    let text = text.expect("the page is there");
    let start = format!("\n```{language}\n");
    let parts = text.split(&start).skip(1);
    parts.filter_map(|it| it.split("\n```").next().map(str::to_owned)).collect()
}

#[test]
fn what_the_readme_shows_is_what_is_printed() {
    let shown = blocks("README.md", "console");
    let [shown] = &shown[..] else { panic!("one block: {shown:?}") };
    let (command, lines) = shown.split_once('\n').expect("a command and what it prints");
    let words = command.strip_prefix("$ heddle ").expect("a command of ours");
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(words.split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("it starts");
    let printed = String::from_utf8(done.stdout).expect("text");
    let mut rest = printed.lines();
    for line in lines.lines().filter(|it| it.trim() != "…") {
        assert!(
            rest.any(|it| it == line),
            "README.md shows `{line}`, which is not printed:\n{printed}"
        );
    }
}

#[test]
fn the_policy_of_the_page_is_read() {
    let project = Project::new("documented-policy");
    let matmul = CUDA.replace("void k(", "void matmul(");
    project.file("matmul.cu", &matmul);
    project.file("include/empty.h", "");
    assert_eq!(project.heddle(&["baseline", "matmul.cu", "--grid", "1"]).code, 0);
    assert!(project.root.join("heddle-baseline.json").exists(), "the baseline of the page");
    let tables = blocks("docs/policy.md", "toml");
    let [policy] = &tables[..] else { panic!("one block: {tables:?}") };
    project.file("heddle.toml", policy);
    let ran = project.heddle(&["check", "matmul.cu"]);
    assert!([0, 1, 3].contains(&ran.code), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("grid=64 block=16,16"), "its launch is taken: {}{}", ran.out, ran.err);
    let annotated = blocks("docs/policy.md", "cuda");
    project.file("annotated.cu", annotated.last().expect("the annotations"));
    let ran = project.heddle(&["check", "annotated.cu", "--no-config"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("grid=64 block=16,16"), "{}{}", ran.out, ran.err);
}
