//! The command lines of README and of `docs` run as they stand there: none of them is a wrong
//! command line.

use std::path::Path;

use crate::Project;

/// Where lines are taken from. Those of `docs/dynamic.md` are the runs of `tests/dynamic`.
const PAGES: [&str; 5] = [
    "README.md",
    "docs/outputs.md",
    "docs/testing.md",
    "docs/integration/cmake.md",
    "docs/integration/plugin.md",
];

const CUDA: &str = "__global__ void k(int *out, int n) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
";
const OPENCL: &str = "kernel void k(global int *out, int n) { out[get_global_id(0)] = n; }\n";
const IR: &str = "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
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
        for line in text.expect("the page is there").lines() {
            if !(line.starts_with("heddle ") || line.starts_with("heddle-opt ")) {
                continue;
            }
            let done = project.shell("", &format!("set -o pipefail\n{line}"));
            let ran = matches!(done.status.code(), Some(0 | 1 | 3));
            assert!(ran, "{page}: {line}\n{}", String::from_utf8_lossy(&done.stderr));
            count += 1;
        }
    }
    assert!(count >= 25, "{count} lines were found");
}
