//! `make bench`: what race checks cost a run, beside the same code without them and beside
//! Oclgrind.
//!
//! Kernels are those of `benches/dynamic`. Each runs on one thread without checks, with all of
//! them, and with those that are left when what is proved is not checked; then `oclgrind-kernel
//! --data-races` (Debian's `oclgrind`) runs the same source with the same launch, as a whole
//! process. Times are processor time; of ours that of the runs alone, without compiling and
//! checking, the shortest of five; `whole` is our time on the clock from the source to the report,
//! with clang, LLVM and the static check where it prunes. After that: growth with accesses and
//! threads (time on the clock), and the memory of the shadow. It takes about a minute. In `cargo
//! test` it takes each kernel once, without Oclgrind, and the least of each growth.
//!
//! **Does not**: fail when something is slow; other work on the machine disturbs the figures, those
//! on the clock most.

mod form;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, Checks, RunOptions, RunOutcome, run};
use wait4::Wait4;

/// Each of our measurements is the best of so many.
const RUNS: usize = 5;

/// A kernel with a launch.
struct Subject {
    name: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    /// The value of `n`.
    n: u32,
    /// Buffers, in the order of the parameters: name, element type of C, elements.
    buffers: &'static [(&'static str, &'static str, usize)],
}

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "matmul",
        grid: [8, 8, 1],
        block: [16, 16, 1],
        n: 128,
        buffers: &[("a", "float", 1 << 14), ("b", "float", 1 << 14), ("c", "float", 1 << 14)],
    },
    Subject {
        name: "reduction",
        grid: [256, 1, 1],
        block: [256, 1, 1],
        n: 1 << 16,
        buffers: &[("in", "float", 1 << 16), ("out", "float", 256)],
    },
    Subject {
        name: "scan",
        grid: [64, 1, 1],
        block: [256, 1, 1],
        n: 1 << 14,
        buffers: &[("in", "int", 1 << 14), ("out", "int", 1 << 14)],
    },
    Subject {
        name: "histogram",
        grid: [16, 1, 1],
        block: [256, 1, 1],
        n: 1 << 16,
        buffers: &[("in", "int", 1 << 16), ("out", "int", 256)],
    },
    Subject {
        name: "stencil",
        grid: [16, 16, 1],
        block: [16, 16, 1],
        n: 256,
        buffers: &[("in", "float", 1 << 16), ("out", "float", 1 << 16)],
    },
];

fn main() -> anyhow::Result<()> {
    if !form::is_asked_for("dynamic") {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let filter = std::env::var("HEDDLE_BENCH").unwrap_or_default();
    writeln!(
        out,
        "runs on one thread; all checks and pruned ones beside none, Oclgrind beside all checks"
    )?;
    writeln!(
        out,
        "  kernel         none       all  ratio    pruned  ratio     ns each   oclgrind   ratio     whole   ratio"
    )?;
    let (mut all, mut pruned) = (Vec::new(), Vec::new());
    for subject in SUBJECTS.iter().filter(|it| it.name.contains(&filter)) {
        let (none, ..) = ours(subject, Checks::Off, 1)?;
        let (full, outcome, whole) = ours(subject, Checks::All, 1)?;
        let (left, ..) = ours(subject, Checks::Unproved, 1)?;
        let ratio = |it: Duration| it.as_secs_f64() / none.as_secs_f64();
        all.push(ratio(full));
        pruned.push(ratio(left));
        let beside = if form::is_short() { None } else { oclgrind(subject)? };
        let beside = match beside {
            Some(time) => {
                let over = |ours: Duration| time.as_secs_f64() / ours.as_secs_f64();
                format!(
                    "{:>9} {:7.0} {:>9} {:7.1}",
                    format!("{time:.1?}"),
                    over(full),
                    format!("{whole:.1?}"),
                    over(whole)
                )
            }
            None if form::is_short() => "not run".to_owned(),
            None => "not installed".to_owned(),
        };
        writeln!(
            out,
            "  {:10} {:>8} {:>9} {:6.2} {:>9} {:6.2} {:11.1} {beside}",
            subject.name,
            format!("{none:.1?}"),
            format!("{full:.1?}"),
            ratio(full),
            format!("{left:.1?}"),
            ratio(left),
            full.saturating_sub(none).as_secs_f64() * 1e9 / outcome.accesses.max(1) as f64,
        )?;
    }
    for (what, ratios) in [("all checks", &mut all), ("pruned", &mut pruned)] {
        ratios.sort_by(f64::total_cmp);
        if let Some(median) = ratios.get(ratios.len() / 2) {
            writeln!(out, "  median ratio, {what}: {median:.2}")?;
        }
    }
    growth(&mut out)
}

/// The shortest time of a run, and of all from the source to the report.
fn ours(
    subject: &Subject,
    checks: Checks,
    threads: u32,
) -> anyhow::Result<(Duration, RunOutcome, Duration)> {
    let Subject { name, grid, block, n, buffers } = *subject;
    let buffer = |&(name, ty, count): &(&str, &str, usize)| {
        let ty = if ty == "int" { "i32" } else { "f32" };
        format!("{name}={ty}[{count}]:random(1)").parse().map_err(anyhow::Error::msg)
    };
    let options = RunOptions {
        grid,
        block,
        args: vec![("n".to_owned(), n.to_string())],
        buffers: buffers.iter().map(buffer).collect::<anyhow::Result<Vec<Buffer>>>()?,
        threads: Some(threads),
        checks,
        ..RunOptions::default()
    };
    best(&Source::File(source(name)), &options, |it| it.processor)
}

fn best(
    source: &Source,
    options: &RunOptions,
    time: impl Fn(&RunOutcome) -> Duration,
) -> anyhow::Result<(Duration, RunOutcome, Duration)> {
    let mut best: Option<(Duration, RunOutcome)> = None;
    let mut whole = Duration::MAX;
    for _ in 0..if form::is_short() { 1 } else { RUNS } {
        let start = std::time::Instant::now();
        let outcome = run(source, options, &heddle_clang::Embedded)?;
        whole = whole.min(start.elapsed());
        let found: Vec<_> = outcome.report.findings().map(|it| it.message.clone()).collect();
        anyhow::ensure!(found.is_empty(), "{}: {}", source.name(), found.join("; "));
        let took = time(&outcome);
        if best.as_ref().is_none_or(|(shortest, _)| took < *shortest) {
            best = Some((took, outcome));
        }
    }
    let (time, outcome) = best.ok_or_else(|| anyhow::anyhow!("nothing was run"))?;
    Ok((time, outcome, whole))
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/dynamic").join(format!("{name}.cl"))
}

/// The time of `oclgrind-kernel`, where it is installed.
fn oclgrind(subject: &Subject) -> anyhow::Result<Option<Duration>> {
    let Subject { name, grid, block, n, buffers } = subject;
    let total: Vec<_> = (0..3).map(|d| (grid[d] * block[d]).to_string()).collect();
    let group: Vec<_> = block.iter().map(ToString::to_string).collect();
    let mut text =
        format!("{}\n{name}\n{}\n{}\n", source(name).display(), total.join(" "), group.join(" "));
    for (_, ty, count) in *buffers {
        text += &format!("<size={} {ty} fill=1>\n", count * 4);
    }
    text += &format!("<size=4 int>\n{n}\n");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.sim"));
    std::fs::write(&path, text)?;
    let mut command = Command::new("oclgrind-kernel");
    command.arg("--data-races").arg(&path).stdin(Stdio::null()).stdout(Stdio::null());
    let child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let used = child.wait4()?;
    anyhow::ensure!(used.status.success(), "oclgrind, {name}: {:?}", used.status);
    Ok(Some(used.rusage.utime + used.rusage.stime))
}

/// How time and memory grow.
fn growth(out: &mut dyn Write) -> anyhow::Result<()> {
    let text = "__global__ void saxpy(int n, float a, const float *x, float *y) {\n\
        int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i]; }";
    let source = Source::Text {
        name: "<saxpy>".to_owned(),
        bytes: text.into(),
        language: Some(heddle_frontend::Language::Cuda),
    };
    let options = |blocks: u32, threads: u32| -> anyhow::Result<RunOptions> {
        let elements = blocks * 1024;
        let buffer =
            |name: &str| format!("{name}=f32[{elements}]").parse().map_err(anyhow::Error::msg);
        Ok(RunOptions {
            grid: [blocks, 1, 1],
            block: [1024, 1, 1],
            args: vec![("n".into(), elements.to_string()), ("a".into(), "2".into())],
            buffers: vec![buffer("x")?, buffer("y")?],
            threads: Some(threads),
            ..RunOptions::default()
        })
    };
    writeln!(
        out,
        "growth with the launch (saxpy, blocks of 1024 threads, one thread of the machine):"
    )?;
    let sizes = [64, 256, 1024, 4096];
    for &blocks in if form::is_short() { &sizes[..1] } else { &sizes } {
        let (time, outcome, _) = best(&source, &options(blocks, 1)?, |it| it.processor)?;
        let each = time.as_secs_f64() * 1e9 / outcome.accesses as f64;
        writeln!(
            out,
            "  {blocks:5} blocks {:>10} accesses {:>9} {each:6.0} ns each",
            outcome.accesses,
            format!("{time:.1?}")
        )?;
    }
    let cores = std::thread::available_parallelism().map_or(1, |it| it.get() as u32);
    let blocks = if form::is_short() { 64 } else { 1024 };
    writeln!(out, "growth with threads of the machine (saxpy, {blocks} blocks; {cores} cores):")?;
    for threads in [1, 2, 4, 8].into_iter().filter(|it| *it <= cores) {
        let (time, ..) = best(&source, &options(blocks, threads)?, |it| it.elapsed)?;
        writeln!(out, "  {threads} threads {:>9}", format!("{time:.1?}"))?;
    }
    let cell = size_of::<heddle_runtime::shadow::Cell>();
    let bytes = heddle_runtime::shadow::GRANULE;
    writeln!(out, "shadow: {} bytes for each byte of data that is touched", cell / bytes)?;
    Ok(())
}
