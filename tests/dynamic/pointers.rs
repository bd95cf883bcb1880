//! Functions that stay functions: called by pointer, virtual, recursive; and pointers that lead to
//! none.

use heddle_diagnostics::Code;
use heddle_driver::dynamic::RunOptions;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, ran, words};

const CALLS: &str = "typedef int (*F)(int);\n\
    __device__ int twice(int x) { return 2 * x; }\n\
    __device__ int next(int x) { return x + 1; }\n\
    __device__ F table[2] = {twice, next};\n\
    struct Shape { __device__ virtual int area(int *s) const = 0; };\n\
    struct Square : Shape { int a; __device__ Square(int a) : a(a) {}\n\
      __device__ int area(int *s) const override { s[threadIdx.x] = a; __syncthreads(); return a * a; } };\n\
    struct Line : Shape { int a; __device__ Line(int a) : a(a) {}\n\
      __device__ int area(int *s) const override { __syncthreads(); return a + threadIdx.x; } };\n\
    __device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }\n\
    __global__ void k(int *out, const int *which) {\n\
      __shared__ int s[64];\n\
      int t = threadIdx.x; Square square(3); Line line(4);\n\
      const Shape *shape = which[0] ? (const Shape *)&line : &square;\n\
      s[t] = 0; __syncthreads();\n\
      out[t] = table[which[t] % 2](t) + 1000 * shape->area(s) + 100000 * factorial(which[t] % 2 + 4); }";

#[test]
fn tables_virtual_functions_and_recursion_run() {
    for schedule in Schedule::ALL {
        for (content, first) in [("zeros", 0), ("ones", 1), ("range", 0)] {
            let buffers = vec![buffer("out=i32[64]"), buffer(&format!("which=i32[64]:{content}"))];
            let outcome = ran(CALLS, &RunOptions { buffers, schedule, ..options(1, 64) });
            assert_eq!(codes(&outcome), [], "{content}: {:?}", outcome.report);
            let expected = (0..64).map(|t| {
                let which = if content == "range" { t % 2 } else { first };
                let area = if first == 1 { 4 + t } else { 9 };
                let (called, product) = if which == 1 { (t + 1, 120) } else { (2 * t, 24) };
                called + 1000 * area + 100_000 * product
            });
            assert_eq!(words(&outcome, "out"), expected.collect::<Vec<_>>(), "{content}");
        }
    }
}

#[test]
fn accesses_behind_a_pointer_are_checked() {
    let text = "typedef void (*F)(int *);\n\
        __device__ void one(int *p) { *p = threadIdx.x; }\n\
        __device__ void two(int *p) { p[1] = threadIdx.x; }\n\
        __device__ F table[2] = {one, two};\n\
        __global__ void k(int *out, const int *which) { table[which[threadIdx.x] % 2](out); }";
    let buffers = vec![buffer("out=i32[2]"), buffer("which=i32[64]:range")];
    let outcome = ran(text, &RunOptions { buffers, ..options(1, 64) });
    let found = codes(&outcome);
    assert!(
        found.iter().all(|it| matches!(it, Code::IntraWarpRace | Code::IntraBlockRace)),
        "{found:?}"
    );
    let lines: Vec<_> = outcome
        .report
        .findings()
        .flat_map(|it| it.labels.iter().filter_map(|it| it.place.line()))
        .collect();
    assert!(lines.contains(&2) && lines.contains(&3), "{lines:?}");
}

#[test]
fn a_pointer_to_no_function_and_a_recursion_without_end_are_caught() {
    let call = "typedef void (*F)(int *); __device__ void f(int *p) { p[1] = 1; } __device__ F known = f;\n\
        __global__ void k(int *out, F *f) {\n\
        f[threadIdx.x](out); }";
    let down = "__device__ int down(int *p, int n) { int a[16]; for (int i = 0; i < 16; i++) a[i] = p[i];\n\
        return down(p, n + 1) + a[n & 15]; }\n\
        __global__ void k(int *out) { out[threadIdx.x + 16] = down(out, threadIdx.x); }";
    let cases = [
        (
            call,
            vec![buffer("out=i32[64]"), buffer("f=i64[64]:value(4096)")],
            "leads to no function",
            3,
        ),
        (call, vec![buffer("out=i32[64]"), buffer("f=i64[64]")], "it is null", 3),
        (down, vec![buffer("out=i32[64]")], "is used up", 2),
    ];
    for (text, buffers, what, line) in cases {
        let outcome = ran(text, &RunOptions { buffers, ..options(1, 4) });
        let found: Vec<_> = outcome.report.findings().collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].code, outcome.exit_code()), (Code::OutOfBounds, 1), "{found:?}");
        assert!(found[0].message.contains(what), "{found:?}");
        assert_eq!(found[0].labels[0].place.line(), Some(line), "{found:?}");
    }
}
