//! Dynamic runs, through the driver: kernels compute, faults are found and told, and the corpus
//! behaves as the checks say.

mod bulk;
mod corpus;
mod dies;
mod flags;
mod groups;
#[path = "../harness/header.rs"]
mod header;
mod lanes;
mod load;
mod mathematics;
mod matrices;
mod opencl;
mod order;
mod plan;
mod pointers;
mod pruned;
mod ptx;
mod references;
mod refused;
#[path = "../harness/sample.rs"]
mod sample;
mod stackless;
mod uninitialised;

use heddle_clang::Embedded;
use heddle_diagnostics::{Code, SourceMap};
use heddle_driver::dynamic::{
    Buffer, Checks, Instrumented, Plan, RunOptions, RunOutcome, instrumented, planned, run,
};
use heddle_driver::{CheckOptions, Progress, Replay, Source, check};
use heddle_frontend::CompileOptions;
use heddle_runtime::Schedule;

fn source(text: &str) -> Source {
    let language = Some(heddle_frontend::Language::Cuda);
    Source::Text { name: "<kernel>".to_owned(), bytes: text.as_bytes().to_vec(), language }
}

fn options(grid: u32, block: u32) -> RunOptions {
    RunOptions { grid: [grid, 1, 1], block: [block, 1, 1], ..RunOptions::default() }
}

fn buffer(text: &str) -> Buffer {
    text.parse().expect("a buffer in the documented notation")
}

fn ran(text: &str, options: &RunOptions) -> RunOutcome {
    run(&source(text), options, &Embedded).expect("a current folder")
}

/// The module of a source with checks in it, all kernels of it.
fn with_checks(source: &Source, checks: Checks) -> Instrumented {
    let (compile, read) = (CompileOptions::default(), SourceMap::default());
    let made = instrumented(source, &compile, &Embedded, checks, &[], &read);
    made.expect("threads").expect("a module with kernels")
}

/// The plans of all kernels of a source.
fn plans_of(source: &Source, checks: Checks) -> Vec<Plan> {
    let (compile, read) = (CompileOptions::default(), SourceMap::default());
    let made = planned(source, &compile, &Embedded, checks, &[], &read);
    made.expect("threads").expect("kernels")
}

/// The integers of 32 bits that a buffer holds after a run.
fn words(outcome: &RunOutcome, buffer: &str) -> Vec<i32> {
    let bytes = outcome.buffer(buffer).expect("the buffer");
    bytes.chunks(4).map(|it| i32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect()
}

fn codes(outcome: &RunOutcome) -> Vec<Code> {
    outcome.report.findings().map(|it| it.code).collect()
}

#[test]
fn a_kernel_computes_what_it_says() {
    let text = "__global__ void k(int n, float a, const float *x, float *y) {\n\
                int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + 1; }";
    for checks in [Checks::All, Checks::Unproved, Checks::Off] {
        let outcome = ran(
            text,
            &RunOptions {
                args: vec![("n".into(), "1000".into()), ("a".into(), "2.5".into())],
                buffers: vec![buffer("x=f32[1000]:range"), buffer("y=f32[1000]:zeros")],
                checks,
                ..options(4, 256)
            },
        );
        assert_eq!(codes(&outcome), [], "{:?}", outcome.report);
        let y: Vec<f32> = outcome
            .buffer("y")
            .expect("the buffer")
            .chunks(4)
            .map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]]))
            .collect();
        assert!((0..1000).all(|n| y[n] == 2.5 * n as f32 + 1.0), "{:?}", &y[..8]);
    }
}

#[test]
fn barriers_shuffles_votes_and_atomics_run() {
    let text = "__global__ void k(int *out) {\n\
        __shared__ int s[64]; int t = threadIdx.x; s[t] = t; __syncthreads();\n\
        int v = s[63 - t];\n\
        for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);\n\
        unsigned b = __ballot_sync(~0u, t & 1);\n\
        if (t % 32 == 0) atomicAdd(out, v);\n\
        if (t == 0) out[1] = b;\n\
        int c = __syncthreads_count(t < 10);\n\
        if (t == 0) out[2] = c; }";
    for schedule in Schedule::ALL {
        let outcome = ran(
            text,
            &RunOptions {
                buffers: vec![buffer("out=i32[4]")],
                schedule,
                seed: 3,
                ..options(1, 64)
            },
        );
        assert_eq!(codes(&outcome), [], "{schedule}: {:?}", outcome.report);
        let out: Vec<i32> = outcome
            .buffer("out")
            .expect("the buffer")
            .chunks(4)
            .map(|it| i32::from_le_bytes([it[0], it[1], it[2], it[3]]))
            .collect();
        assert_eq!(out, [2016, 0xaaaa_aaaa_u32 as i32, 10, 0], "{schedule}");
    }
}

#[test]
fn a_race_names_both_accesses_and_merges_duplicates() {
    let text = "__global__ void k(int *out) {\n__shared__ int s[64];\ns[threadIdx.x] = threadIdx.x;\n\
                out[threadIdx.x] = s[threadIdx.x ^ 32];\n}";
    let outcome = ran(text, &RunOptions { buffers: vec![buffer("out=i32[64]")], ..options(1, 64) });
    let race =
        outcome.report.findings().find(|it| it.code == Code::IntraBlockRace).expect("a race");
    let lines: Vec<_> = race.labels.iter().filter_map(|it| it.place.line()).collect();
    assert_eq!((lines.len(), outcome.exit_code()), (2, 1), "{race:?}");
    assert!(lines.contains(&3) && lines.contains(&4), "{lines:?}");
    assert!(race.message.contains("`s["), "{}", race.message);
    assert!(
        race.notes.iter().any(|it| it.contains("times") && it.contains("--seed=0")),
        "{:?}",
        race.notes
    );
}

#[test]
fn a_seed_repeats_a_run_exactly() {
    let text =
        "__global__ void k(int *out) { int old = atomicAdd(out, 1); out[1 + old] = threadIdx.x; }";
    let once = |seed| {
        let options = RunOptions {
            buffers: vec![buffer("out=i32[100]")],
            schedule: Schedule::Random,
            seed,
            ..options(1, 64)
        };
        ran(text, &options).buffer("out").map(<[u8]>::to_vec)
    };
    assert_eq!(once(7), once(7));
    assert_ne!(once(7), once(8));
}

#[test]
fn a_failing_seed_repeats_the_failure_under_each_schedule() {
    // Wrong only if the thread that comes last to the counter is of the second warp, and the first
    // thread of all is 0.
    let text = "__global__ void k(int *out) {\n\
        __shared__ int first, last; int t = threadIdx.x; if (t == 0) { first = -1; out[64] = 0; } __syncthreads();\n\
        atomicCAS(&first, -1, t); int n = atomicAdd(&out[64], 1); if (n == 63) last = t;\n\
        __syncthreads(); if (t == 0 && first % 2 == 0) out[last] = 1; else out[t / 2] = t; }";
    for schedule in Schedule::ALL {
        let with = |seed, runs| {
            let options = RunOptions {
                buffers: vec![buffer("out=i32[65]")],
                schedule,
                seed,
                runs,
                ..options(1, 64)
            };
            let outcome = ran(text, &options);
            let findings: Vec<_> = outcome.report.findings().cloned().collect();
            (findings, outcome.buffer("out").map(<[u8]>::to_vec))
        };
        let (many, bytes) = with(100, 30);
        let note = many.iter().flat_map(|it| &it.notes).find_map(|it| it.split("--seed=").nth(1));
        let digits = note.expect("some seed fails").trim_end_matches('`').to_owned();
        let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
        let seed: u64 = digits.parse().expect("a number");
        assert!((100..130).contains(&seed), "{schedule}: {seed}");
        assert_eq!(with(seed, 1), (many, bytes), "{schedule} {seed}");
    }
}

#[test]
fn an_instrumented_module_is_valid_and_its_plan_says_what_is_skipped() {
    let text = "__global__ void k(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n\
                __global__ void r(int *out) { out[0] = threadIdx.x; }";
    let made = with_checks(&source(text), Checks::All);
    assert_eq!(made.text.matches("call void @__heddle_access").count(), 2, "{}", made.text);
    assert!(made.text.contains("target triple = \"nvptx64"), "still a module for the device");
    let plans: String = made.plans.iter().map(ToString::to_string).collect();
    assert_eq!(plans.matches("store").count(), 2, "{plans}");
    assert_eq!(plans.matches("check\n").count(), 2, "{plans}");
}

#[test]
fn faults_of_a_kernel_end_the_run_and_not_the_process() {
    let out = || vec![buffer("out=i32[64]")];
    let cases: &[(&str, Code, u8)] = &[
        ("__global__ void k(int *out) { out[threadIdx.x + 60] = 1; }", Code::OutOfBounds, 1),
        ("__global__ void k(int *out) { out[1 << 28] = 1; }", Code::OutOfBounds, 1),
        ("__global__ void k(volatile int *out) { while (out[1] == 0) {} }", Code::Deadlock, 1),
        ("__global__ void k(int *out) { while (out[1] == 0) {} }", Code::BudgetSpent, 3),
        (
            "__global__ void k(int *out) { if (threadIdx.x < 32) __syncthreads(); else __syncwarp(1); }",
            Code::EarlyReturnBeforeBarrier,
            0,
        ),
        (
            "__global__ void k(int *out) { __shared__ int s[64]; out[threadIdx.x] = s[threadIdx.x]; }",
            Code::UninitialisedShared,
            0,
        ),
    ];
    for (text, code, exit) in cases {
        let timeout = std::time::Duration::from_secs(1);
        let outcome = ran(text, &RunOptions { buffers: out(), timeout, ..options(1, 64) });
        assert!(codes(&outcome).contains(code), "{text}: {:?}", outcome.report);
        assert_eq!(outcome.exit_code(), *exit, "{text}: {:?}", codes(&outcome));
    }
}

#[test]
fn a_livelock_that_changes_memory_says_who_is_where() {
    let text = "__global__ void k(int *out) {\n\
        if (threadIdx.x == 0) {\n\
        while (atomicCAS(out, 0, 1) != 2) {}\n\
        } else {\n\
        while (atomicCAS(out, 1, 0) != 2) {}\n\
        } }";
    let timeout = std::time::Duration::from_secs(1);
    for schedule in Schedule::ALL {
        let with =
            RunOptions { buffers: vec![buffer("out=i32[1]")], timeout, schedule, ..options(1, 2) };
        let outcome = ran(text, &with);
        let found: Vec<_> = outcome.report.findings().collect();
        assert_eq!((found.len(), outcome.exit_code()), (1, 3), "{schedule}: {found:?}");
        assert_eq!(found[0].code, Code::BudgetSpent, "{schedule}: {found:?}");
        let mut lines: Vec<_> = found[0].labels.iter().filter_map(|it| it.place.line()).collect();
        lines.sort_unstable();
        assert_eq!(lines, [3, 5], "{schedule}: {found:?}");
        for said in ["threads 0 run near line 3", "threads 1 run near line 5", "a livelock"] {
            assert!(found[0].notes.iter().any(|it| it.contains(said)), "{schedule}: {found:?}");
        }
    }
}

#[test]
fn what_cannot_be_run_is_refused_by_name() {
    let cases = [
        (
            "__device__ void elsewhere(int *); __global__ void k(int *out) {\n elsewhere(out); }",
            "`elsewhere`",
        ),
        (
            "__device__ void g(unsigned *p) {\n asm volatile(\"addc.u32 %0, %0, 1;\" : \"+r\"(*p)); }\n\
             __global__ void k(unsigned *out) { g(out); }",
            "`addc.u32`",
        ),
        (
            "__global__ void k(float *out) {\n out[0] = __nvvm_add_rz_f(out[1], out[2]); }",
            "`llvm.nvvm.add.rz.f`",
        ),
        (
            "__global__ void k(int *out) {\n asm volatile(\"tcgen05.wait::ld.sync.aligned;\"); out[0] = 1; }",
            "`tcgen05.wait::ld.sync.aligned`",
        ),
    ];
    for (text, name) in cases {
        let buffers = vec![buffer("out=i32[64]")];
        let outcome = ran(text, &RunOptions { buffers, ..options(1, 64) });
        assert_eq!(outcome.exit_code(), 2);
        let found: Vec<_> = outcome.report.findings().collect();
        assert!(found.len() == 1 && found[0].message.contains(name), "{found:?}");
        assert_eq!(found[0].labels.first().and_then(|it| it.place.line()), Some(2), "{found:?}");
        assert!(!found[0].helps.is_empty(), "{found:?}");
    }
    let none = ran("__global__ void k(int *out) { *out = 1; }", &options(1, 1));
    assert_eq!(none.exit_code(), 2);
}

#[test]
fn a_run_shows_what_the_page_of_uninitialised_memory_shows() {
    for code in [Code::UninitialisedShared] {
        for example in heddle_diagnostics::examples(code.page()) {
            let block = if example.code.contains("block=128") { 128 } else { 64 };
            let outcome = ran(
                &example.code,
                &RunOptions { buffers: vec![buffer("out=i32[100]")], ..options(1, block) },
            );
            assert_eq!(
                codes(&outcome).contains(&code),
                example.expects_finding,
                "{code}: {:?}",
                outcome.report
            );
        }
    }
}

#[test]
fn a_refutation_says_whether_a_native_run_shows_it() {
    let told = |text: &str, launch: &str| {
        let launch = header::launch_options(launch).expect("a launch");
        let options = CheckOptions { replay: Replay::Jit, launch, ..CheckOptions::default() };
        let outcome = check(&[source(text)], &options, &Embedded, &Progress::default())
            .expect("threads and a current folder");
        let notes = outcome.report.findings().flat_map(|it| it.notes.clone());
        notes.filter(|it| it.contains("native code")).collect::<Vec<_>>()
    };
    let race = "__global__ void k(int *out, int n, const int *at) {\n\
                if (n == 37 && at[5] == 77) out[0] = threadIdx.x; }";
    let notes = told(race, "grid=any block=any");
    assert!(!notes.is_empty() && notes.iter().all(|it| it.starts_with("seen: ")), "{notes:?}");
    let huge = include_str!("../kernels/interblock/refuted_index_wraps.cu");
    let notes = told(huge, "grid=4194305 block=1024");
    assert!(!notes.is_empty(), "the kernel is refuted");
    assert!(notes.iter().all(|it| it.contains("not run as native code: ")), "{notes:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let quiet = "__global__ void k(int *out) { __shared__ int s[64]; int t = threadIdx.x, i = blockIdx.x * 64 + t;\n\
                 s[t] = out[i]; __syncthreads(); out[i] = s[63 - t] + blockIdx.x; }";
    let races = "__global__ void k(int *out) { out[threadIdx.x] = blockIdx.x; }";
    let bytes = "__global__ void k(char *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
    let tally = "__global__ void k(int *out) { __shared__ int s[64]; int t = threadIdx.x;\n\
                 s[t] = 0; __syncthreads(); atomicAdd(&s[t / 2], 1); __syncthreads(); atomicAdd(&out[t], s[t]); }";
    for (text, found) in [(quiet, false), (races, true), (bytes, false), (tally, false)] {
        let with = |threads| {
            let options = RunOptions {
                buffers: vec![buffer("out=i32[4096]:range")],
                threads: Some(threads),
                ..options(64, 64)
            };
            let outcome = ran(text, &options);
            let findings: Vec<_> = outcome.report.findings().cloned().collect();
            (
                findings,
                outcome.buffer("out").map(<[u8]>::to_vec),
                outcome.accesses,
                outcome.switches,
            )
        };
        let one = with(1);
        assert_eq!(one.0.is_empty(), !found, "{:?}", one.0);
        assert!(with(3) == one, "{text}");
    }
}

#[test]
fn what_is_left_out_is_not_taken_for_never_written() {
    let text = "__global__ void k(int *out) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 0; __syncthreads();\n\
                atomicAdd(&s[t ^ 1], 1); __syncthreads(); out[blockIdx.x * 64 + t] = s[t]; }";
    let with = |checks| {
        let buffers = vec![buffer("out=i32[128]")];
        ran(text, &RunOptions { buffers, checks, ..options(2, 64) })
    };
    let (all, some) = (with(Checks::All), with(Checks::Unproved));
    assert_eq!((codes(&all), codes(&some)), (vec![], vec![]));
    assert!(some.accesses < all.accesses, "the stores and loads are proved");
    assert_eq!(some.buffer("out").map(|it| it[4]), Some(1));
}

#[test]
fn an_instrumented_module_runs_as_it_is_and_finds_the_same() {
    let text = "__global__ void k(int *out, const int *in) {\n__shared__ int s[64];\ns[threadIdx.x] = in[threadIdx.x];\n\
                out[threadIdx.x] = s[threadIdx.x ^ 32];\n}";
    let made = with_checks(&source(text), Checks::All);
    let options = RunOptions { fill: Buffer::unnamed("i32[64]:range").ok(), ..options(1, 64) };
    let told = |outcome: &RunOutcome| {
        let findings = outcome.report.findings();
        findings
            .map(|it| {
                let lines: Vec<_> = it.labels.iter().map(|it| it.place.line()).collect();
                (it.code, it.message.clone(), lines)
            })
            .collect::<Vec<_>>()
    };
    let ir = |text: &str| Source::Text {
        name: "<checked>".to_owned(),
        bytes: text.as_bytes().to_vec(),
        language: Some(heddle_frontend::Language::Ir),
    };
    let again = run(&ir(&made.text), &options, &Embedded).expect("a current folder");
    let direct = ran(text, &options);
    assert_eq!((told(&again), again.accesses), (told(&direct), direct.accesses));
    let version = format!("!\"heddle.abi\", i32 {}", heddle_runtime::abi::VERSION);
    let other = made.text.replace(&version, "!\"heddle.abi\", i32 7");
    let refused = run(&ir(&other), &options, &Embedded).expect("a current folder");
    let message = refused.report.findings().map(|it| it.message.clone()).collect::<String>();
    assert!(message.contains("version 7") && refused.exit_code() == 2, "{message}");
}
