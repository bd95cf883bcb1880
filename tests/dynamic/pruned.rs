//! What a run leaves out as proved rests on what the run has, or looks at.

use heddle_clang::Embedded;
use heddle_diagnostics::Assumption;
use heddle_driver::Source;
use heddle_driver::dynamic::{Checks, RunOptions, RunOutcome, run};
use heddle_frontend::Language;
use heddle_runtime::Schedule;

use crate::{buffer, codes, options, plans_of, ran, source};

/// Whether a run finds anything, which must be the same with the proved accesses left out, and how
/// many accesses that one looks at.
fn pruned(with: &RunOptions, run: impl Fn(&RunOptions) -> RunOutcome) -> (bool, u64) {
    let all = run(with);
    let some = run(&RunOptions { checks: Checks::Unproved, ..with.clone() });
    assert_eq!(codes(&all), codes(&some), "{:?}", some.report);
    (!codes(&all).is_empty(), some.accesses)
}

#[test]
fn a_global_offset_is_told_to_the_proofs() {
    let opencl = |body: &str| {
        Source::Text {
        name: "<kernel>".to_owned(),
        bytes: format!("__kernel void k(__global int *x) {{ uint l = get_local_id(0) + 1024 * get_group_id(0); {body} }}").into(),
        language: Some(Language::OpenCl),
    }
    };
    let grows = "for (uint j = 0; j < (uint)get_global_offset(0) % 7; j++) x[l + j] = l;";
    let own = "x[get_global_id(0)] = l;";
    for (body, offset, found) in [(grows, 6, true), (grows, 1, false), (own, 6, false)] {
        let buffers = vec![buffer("x=i32[4096]:zeros")];
        let with = RunOptions { buffers, global_offset: [offset, 0, 0], ..options(2, 64) };
        let of = |with: &RunOptions| run(&opencl(body), with, &Embedded).expect("a current folder");
        let (is_found, accesses) = pruned(&with, of);
        assert_eq!((is_found, accesses == 0), (found, !found), "{body} {offset}");
    }
    // Ids that are not in the range that proofs are about.
    let buffers = vec![buffer("x=i32[4096]:zeros")];
    let with = RunOptions { buffers, global_offset: [1 << 31, 0, 0], ..options(1, 64) };
    let wraps = opencl("x[(uint)get_global_id(0) * 2] = l;");
    let (_, accesses) = pruned(&with, |it| run(&wraps, it, &Embedded).expect("a current folder"));
    assert!(accesses > 0);
}

/// The second block waits for what the first says, unless it was said before.
const FLAG: &str = "__global__ void k(int *d, int *f) {\n\
    if (blockIdx.x == 0) { d[0] = 1; __threadfence(); atomicExch(f, 1); }\n\
    if (blockIdx.x == 1) { while (atomicAdd(f, 0) == 0) { } __threadfence(); d[0] = 2; } }";

#[test]
fn what_memory_holds_is_not_taken_for_granted() {
    for (start, found) in [("ones", true), ("zeros", false)] {
        let buffers = vec![buffer("d=i32[4]:zeros"), buffer(&format!("f=i32[4]:{start}"))];
        let with = RunOptions { buffers, schedule: Schedule::Random, runs: 20, ..options(2, 1) };
        assert_eq!(pruned(&with, |it| ran(FLAG, it)).0, found, "{start}");
    }
    let plans = plans_of(&source(FLAG), Checks::Unproved);
    assert!(plans[0].skipped().is_empty(), "{}", plans[0]);
}

const SAXPY: &str = "__global__ void k(int n, float a, const float *x, float *y) {\n\
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }";

#[test]
fn what_is_left_out_says_what_it_rests_on() {
    let text = |it: &str| it.to_owned();
    let with = RunOptions {
        args: vec![(text("n"), text("100")), (text("a"), text("2"))],
        buffers: vec![buffer("x=f32[100]:ones"), buffer("y=f32[100]")],
        checks: Checks::Unproved,
        ..options(2, 64)
    };
    let outcome = ran(SAXPY, &with);
    assert_eq!((codes(&outcome), outcome.accesses), (vec![], 0));
    assert_eq!(outcome.rests_on, [Assumption::InBounds]);
    let of = |checks| plans_of(&source(SAXPY), checks).remove(0);
    let plan = of(Checks::Unproved);
    assert!(plan.rests_on.contains(&Assumption::DistinctPointers), "{plan}");
    assert!(plan.to_string().contains("rests on: pointer arguments do not overlap"), "{plan}");
    assert_eq!(of(Checks::All).rests_on, []);
}

#[test]
fn a_source_with_contracts_is_checked_whole() {
    let with = RunOptions {
        args: vec![("n".to_owned(), "1".to_owned())],
        buffers: vec![buffer("at=i32[64]:range"), buffer("x=i32[64]:zeros")],
        ..options(1, 64)
    };
    let kernel = |says: &str, index: &str| {
        format!(
            "#include <heddle.h>\n__global__ void k(const int *at, int *x, int n) {{ \
             {says}; x[{index}] = threadIdx.x; }}"
        )
    };
    let injective = kernel("heddle_injective(at, 64)", "at[threadIdx.x]");
    assert_eq!(pruned(&with, |it| ran(&injective, it)), (false, 128));
    let text = kernel("heddle_requires(n > 3)", "n > 3 ? threadIdx.x : 0");
    assert!(pruned(&with, |it| ran(&text, it)).0, "the run breaks what is said");
}

#[test]
fn the_number_for_a_float_is_not_its_bits() {
    let told = |argument: &str| RunOptions {
        args: vec![("f".to_owned(), argument.to_owned())],
        buffers: vec![buffer("x=i32[64]:zeros")],
        ..options(1, 64)
    };
    let kernel = |ty: &str, bits: &str| {
        format!(
            "__global__ void k(int *x, {ty} f) {{ x[{bits} == 2 ? threadIdx.x : 0] = threadIdx.x; }}"
        )
    };
    let of_float = kernel("float", "__float_as_int(f)");
    assert!(pruned(&told("2"), |it| ran(&of_float, it)).0, "2.0f has other bits than 2");
    assert_eq!(pruned(&told("2"), |it| ran(&kernel("int", "f"), it)), (false, 0));
}
