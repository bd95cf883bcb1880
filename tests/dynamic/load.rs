//! Runs that are large: many threads, much memory, many races.

use std::time::Duration;

use heddle_diagnostics::Code;
use heddle_driver::dynamic::RunOptions;

use crate::{buffer, codes, options, ran};

#[test]
fn four_million_threads_are_run_under_checks() {
    let text = "__global__ void saxpy(int n, float a, const float *x, float *y) {\n\
                int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i]; }";
    let outcome = ran(
        text,
        &RunOptions {
            args: vec![("n".into(), (4096 * 1024).to_string()), ("a".into(), "2".into())],
            buffers: vec![buffer("x=f32[4194304]"), buffer("y=f32[4194304]")],
            timeout: Duration::from_secs(300),
            ..options(4096, 1024)
        },
    );
    assert_eq!((codes(&outcome), outcome.accesses), (vec![], 3 * 4096 * 1024));
}

#[test]
fn a_gibibyte_costs_what_is_touched() {
    let text =
        "__global__ void k(int *out) { out[(blockIdx.x * 256ull + threadIdx.x) * 16384] += 1; }";
    let outcome =
        ran(text, &RunOptions { buffers: vec![buffer("out=i32[268435456]")], ..options(64, 256) });
    assert_eq!((codes(&outcome), outcome.accesses), (vec![], 2 * 64 * 256));
    let out = outcome.buffer("out").expect("the buffer");
    assert_eq!((out.len(), out[16384 * 4 * 99]), (1 << 30, 1));
}

#[test]
fn a_race_storm_is_one_finding_with_a_count() {
    let text = "__global__ void k(int *out) { for (int i = 0; i < 64; i++) out[i] = threadIdx.x + blockIdx.x; }";
    let outcome =
        ran(text, &RunOptions { buffers: vec![buffer("out=i32[64]")], ..options(64, 256) });
    assert!(outcome.report.findings().count() <= 3, "{:?}", codes(&outcome));
    let times = |it: &heddle_diagnostics::Finding| {
        let note = it.notes.iter().find_map(|it| it.split("met ").nth(1))?;
        note.split(' ').next()?.parse::<u64>().ok()
    };
    let met: u64 = outcome.report.findings().filter_map(times).sum();
    assert!(met >= 1_000_000, "{met} of a million races were counted");
}

#[test]
fn what_is_kept_of_a_race_storm_does_not_grow_with_it() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("storm.cu");
    let text = "__global__ void k(int n, int *out) { for (int i = 0; i < n; i++) out[i % 64] = threadIdx.x + blockIdx.x; }";
    std::fs::write(&path, text).expect("a folder of tests");
    // The most memory that a run takes, in KiB, of that many accesses of each thread. The system
    // keeps it while the process lives; what it tells afterwards counts the memory of whoever
    // started it as well.
    let peak = |each: &str| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_heddle"))
            .arg("run")
            .arg(&path)
            .args(["--grid", "64", "--block", "256", "--buffer", "out=i32[64]", "--arg"])
            .arg(format!("n={each}"))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut most = 0;
        let status = loop {
            most = high_water(child.id()).max(most);
            // The run is a process of its own.
            let of = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id()));
            for run in of.iter().flat_map(|it| it.split_whitespace()) {
                most = run.parse().map_or(0, high_water).max(most);
            }
            if let Some(status) = child.try_wait().expect("it is our child") {
                break status;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        assert_eq!(status.code(), Some(1), "races are found");
        assert!(most > 1 << 10, "{most} KiB cannot be");
        most
    };
    let (few, many) = (peak("4"), peak("256"));
    assert!(many < few + (16 << 10), "{few} KiB for 65,000 races, {many} KiB for 4 million");
}

/// The most memory that a process has had, in KiB.
fn high_water(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"));
    let line = text.iter().flat_map(|it| it.lines()).find_map(|it| it.strip_prefix("VmHWM:"));
    line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

#[test]
fn a_kernel_that_never_ends_is_given_up_with_a_report() {
    for (text, told) in [
        (
            "__global__ void k(volatile int *out) { while (out[1] == 0) {} }",
            (vec![Code::Deadlock], 1),
        ),
        (
            "__global__ void k(int *out) { for (unsigned i = 1; i; i += 2) out[blockIdx.x * 64 + threadIdx.x] = i; }",
            (vec![Code::BudgetSpent], 3),
        ),
    ] {
        let options = RunOptions {
            buffers: vec![buffer("out=i32[256]")],
            timeout: Duration::from_secs(1),
            ..options(4, 64)
        };
        let outcome = ran(text, &options);
        assert_eq!((codes(&outcome), outcome.exit_code()), told, "{text}");
        let finding = outcome.report.findings().next().expect("a finding");
        assert!(finding.notes.iter().any(|it| it.contains("threads ")), "{:?}", finding.notes);
    }
}
