//! Threads without stacks say and compute what threads on fibers do, over the kernels of
//! `tests/kernels`.

use std::path::Path;

use heddle_clang::Embedded;
use heddle_diagnostics::Code;
use heddle_driver::Source;
use heddle_driver::dynamic::{RunOptions, RunOutcome, run};
use heddle_frontend::CompileOptions;
use heddle_runtime::Schedule;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::corpus::{REFUSED, excused, kernels, options_of};
use crate::{buffer, codes, options, ran};

/// Kernels that wait for each other, which run on fibers in any case, and one that goes round a
/// list without end.
const ENDLESS: [&str; 4] = ["progress/", "locks/", "fences/", "loops/proved_list.cu"];

/// What a run says, and what its buffers hold then.
fn told(outcome: &RunOutcome) -> (Vec<String>, Vec<Vec<u8>>, u64) {
    let findings = outcome.report.findings().map(|it| format!("{it:?}")).collect();
    let memory = outcome.memory.as_ref();
    let bytes = memory.map(|it| (0..it.buffers().len()).map(|n| it.bytes(n).to_vec()).collect());
    (findings, bytes.unwrap_or_default(), outcome.accesses)
}

/// Whether a run's time was over first: how far it came by then is chance.
fn cut(outcome: &RunOutcome) -> bool {
    outcome.report.findings().any(|it| it.code == Code::BudgetSpent)
}

/// How many runs went without stacks to their end.
fn compared(path: &Path, schedules: &[Schedule]) -> Result<usize, String> {
    let input = heddle_frontend::Input::file(path);
    let prepared = heddle_frontend::load_with(&input, &CompileOptions::default(), &Embedded)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let mut without = 0;
    for kernel in prepared.kernels {
        for &schedule in schedules {
            let options = RunOptions { runs: 1, ..options_of(path, &kernel.name, schedule)? };
            let with = |fibers| {
                run(
                    &Source::File(path.to_owned()),
                    &RunOptions { fibers, ..options.clone() },
                    &Embedded,
                )
                .map_err(|error| error.to_string())
            };
            let (some, all) = (with(false)?, with(true)?);
            if cut(&some) && cut(&all) {
                continue;
            }
            if told(&some) != told(&all) {
                let (some, all) = (told(&some).0, told(&all).0);
                return Err(format!(
                    "{}: `{}` with {schedule}: {some:?}, on fibers {all:?}",
                    path.display(),
                    kernel.name
                ));
            }
            without += usize::from(some.stackless);
        }
    }
    Ok(without)
}

#[test]
fn threads_without_stacks_say_and_compute_what_fibers_do() {
    let endless = |path: &Path| ENDLESS.iter().any(|it| path.to_string_lossy().contains(it));
    let mut files = kernels("proved_");
    files.extend(kernels("refuted_"));
    files.retain(|it| !endless(it) && excused(REFUSED, it).is_none());
    let both = [Schedule::RoundRobin, Schedule::Reverse];
    let all_kernels = std::env::var("HEDDLE_DYNAMIC").is_ok();
    let schedules = |n: usize| if all_kernels { &both[..] } else { &both[n % 2..][..1] };
    let all: Vec<_> =
        files.par_iter().enumerate().map(|(n, path)| compared(path, schedules(n))).collect();
    let wrong: Vec<_> = all.iter().filter_map(|it| it.as_ref().err()).collect();
    assert!(wrong.is_empty(), "not the same: {wrong:#?}");
    let without: usize = all.iter().flatten().sum();
    let some = std::env::var("HEDDLE_DYNAMIC").is_ok_and(|it| it != "all");
    assert!(some || without >= files.len() / 4, "{without} runs went without stacks");
}

#[test]
fn barriers_give_their_counts_without_stacks() {
    let text = "__global__ void k(int *out) { int t = threadIdx.x, i = blockIdx.x * 64 + t;\n\
        int c = __syncthreads_count(t < 10); int a = __syncthreads_and(t < 64); int o = __syncthreads_or(t == 70);\n\
        for (int n = 0; n < 3; n++) c += __syncthreads_count(t % 2 == n);\n\
        out[i] = c * 100 + a * 10 + o; }";
    for schedule in [Schedule::RoundRobin, Schedule::Reverse] {
        let options =
            RunOptions { buffers: vec![buffer("out=i32[128]")], schedule, ..options(2, 64) };
        let outcome = ran(text, &options);
        assert_eq!((codes(&outcome), outcome.stackless), (vec![], true), "{schedule}");
        let out = outcome.buffer("out").expect("the buffer");
        let expected = ((10 + 32 + 32) * 100 + 10_i32).to_le_bytes();
        assert!(out.chunks(4).all(|it| it == expected), "{schedule}: {:?}", &out[..8]);
    }
}

#[test]
fn what_takes_stacks_is_run_on_fibers() {
    let waits = "__global__ void k(int *out) { __shared__ volatile int s; if (threadIdx.x == 1) s = 5;\n\
        if (threadIdx.x == 0) { while (s != 5) {} out[0] = 1; } }";
    let lanes =
        "__global__ void k(int *out) { out[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1); }";
    let early = "__global__ void k(int *out) { if (threadIdx.x > 40) return; __syncthreads(); out[threadIdx.x] = 1; }";
    for text in [waits, lanes, early] {
        let of = |fibers| {
            let buffers = vec![buffer("out=i32[64]")];
            ran(text, &RunOptions { buffers, fibers, ..options(1, 64) })
        };
        let (some, all) = (of(false), of(true));
        assert!(!some.stackless, "{text}");
        assert_eq!(told(&some), told(&all), "{text}");
    }
}
