//! Work grows with the code and not with its square: counted as fuel, not as time.
//!
//! With what a build allows a kernel, which grows with the kernel's size, all of these are proved.
//! `make bench` measures the same forms with the clock. And a source costs no more than two of its
//! kernels may, however many it has.

use heddle_driver::{CheckOptions, Progress, ResourceLimit, Source, check};
use heddle_frontend::compile::ClangProcess;

/// The properties that are proved, and all, with what a build allows.
fn proved(text: &str) -> (usize, usize) {
    proved_with(text, CheckOptions { limit: ResourceLimit::Build, ..CheckOptions::default() })
}

fn proved_with(text: &str, mut options: CheckOptions) -> (usize, usize) {
    let language = Some(heddle_frontend::Language::Cuda);
    let bytes = text.as_bytes().to_vec();
    let source = Source::Text { name: "<kernel>".to_owned(), bytes, language };
    options.launch.block = Some("64".parse().expect("a size"));
    options.launch.grid = Some("any".parse().expect("a size"));
    let outcome = check(&[source], &options, &ClangProcess, &Progress::default());
    let report = outcome.expect("threads and a current folder").report;
    let all: Vec<_> = report.kernels().iter().flat_map(|it| it.verdicts.values()).collect();
    let proved =
        |it: &&&heddle_diagnostics::Verdict| matches!(**it, heddle_diagnostics::Verdict::Proved(_));
    (all.iter().filter(proved).count(), all.len())
}

const HEAD: &str = "__global__ void k(int *x, const int *y) {\n\
    int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0, v = y[i];\n";

#[test]
fn a_chain_of_branches_is_proved_however_long() {
    for count in [10, 60, 360] {
        let branch = |n| format!("if (v < {}) x[i] = {n};\nelse ", n * 7);
        let branches: String = (0..count).map(branch).collect();
        let text = format!("{HEAD}{branches} x[i] = s;\n}}\n");
        assert_eq!(proved(&text), (4, 4), "{count} branches");
    }
}

/// Each branch has a place of its own, so that no two pairs are alike.
#[test]
fn branches_on_an_argument_are_proved_however_many() {
    for count in [10, 60, 240] {
        let branch = |n| format!("if (mode == {n}) x[i * {} + {n}] = {n};\nelse ", n % 7 + 1);
        let branches: String = (0..count).map(branch).collect();
        let text = format!(
            "__global__ void k(int *x, int mode) {{\n\
             int i = blockIdx.x * blockDim.x + threadIdx.x;\n{branches} x[i] = 0;\n}}\n"
        );
        assert_eq!(proved(&text), (4, 4), "{count} branches");
    }
}

#[test]
fn a_sum_is_proved_however_long() {
    for (count, place) in [(10, "i + "), (1000, "i + "), (1000, "")] {
        let terms: String = (0..count).map(|n| format!("s += y[{place}{n}];\n")).collect();
        let text = format!("{HEAD}{terms} x[i] = s + v;\n}}\n");
        assert_eq!(proved(&text), (4, 4), "{count} terms at `{place}`");
    }
}

#[test]
fn a_file_of_many_kernels_is_proved() {
    let kernel = |n| {
        format!(
            "__global__ void k{n}(int *x) {{ x[blockIdx.x * blockDim.x + threadIdx.x] = {n}; }}\n"
        )
    };
    assert_eq!(proved(&(0..300).map(kernel).collect::<String>()), (1200, 1200));
}

/// Each of these takes some work; what is enough for one of them alone, and for one that is asked
/// for by name, is not enough for each of sixteen.
#[test]
fn kernels_of_one_source_share_the_work() {
    let kernel = |n| {
        format!(
            "__global__ void k{n}(int *x, int pitch) {{\n\
             int row = blockIdx.y * blockDim.y + threadIdx.y;\n\
             int column = blockIdx.x * blockDim.x + threadIdx.x;\n\
             if (column < pitch) x[row * pitch + column] = row + {n};\n}}\n"
        )
    };
    let many: String = (0..16).map(kernel).collect();
    let asked = |kernels: &[&str]| {
        let mut options = CheckOptions::default();
        options.budget.units = 40_000;
        options.kernels = kernels.iter().map(|&it| it.to_owned()).collect();
        options
    };
    assert_eq!(proved_with(&kernel(0), asked(&[])), (4, 4));
    assert_eq!(proved_with(&many, asked(&["k3"])), (4, 4));
    assert_eq!(proved_with(&many, asked(&[])), (48, 64), "all but what two blocks touch");
}
