//! Kernels of `tests/kernels` as tasks: proved ones compute what the executor on the CPU computes
//! and are never reported, refuted ones are reported under the launch of their witness.
//!
//! What the executor itself does not run, or sees otherwise, is left out with the reason: it is the
//! model that a device is compared with.

use std::path::{Path, PathBuf};

use heddle_clang::Embedded;
use heddle_diagnostics::{Code, Family, Finding, Severity, Witness};
use heddle_driver::dynamic::{Buffer, Checks, Packed, RunOptions, RunOutcome, pack, run};
use heddle_driver::{CheckOptions, Progress, Replay, Size, Source, check};
use heddle_frontend::CompileOptions;
use heddle_ir::{Barrier, Kernel, MemoryOrder, Op, OpId, Orders};
use heddle_runtime::Schedule;
use heddle_runtime::gpu::kit::{Step, Task, Writer, hash};

use super::{Contents, Expects, Kind, Prepared, Seen};
use crate::header::{check_options, comment, launch_options};

/// Seeds of block order and delays.
const SEEDS: u32 = 20;
/// Bytes behind each pointer of a witness, and at most.
const WITNESS_BYTES: usize = 1 << 20;
/// Threads of a launch, at most.
const MOST_THREADS: u64 = 1 << 18;
/// Kernels that wait for others start from zeros.
const ZEROS: [&str; 3] = ["progress", "locks", "flags"];

/// All kernels for NVIDIA.
pub(crate) fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for topic in std::fs::read_dir("tests/kernels").expect("tests/kernels").flatten() {
        if let Ok(files) = std::fs::read_dir(topic.path()) {
            found.extend(files.flatten().map(|it| it.path()));
        }
    }
    found.sort();
    found.retain(|path| match path.extension().and_then(|it| it.to_str()) {
        Some("cu") => true,
        Some("ll") => std::fs::read_to_string(path).is_ok_and(|text| text.contains("nvptx64")),
        Some(_) | None => false,
    });
    found
}

/// The tasks of a file.
pub(crate) fn tasks(kit: &Writer, path: &Path) -> Contents {
    let name = path.strip_prefix("tests/kernels").unwrap_or(path).display().to_string();
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let verdict = file.split('_').next().unwrap_or_default();
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    let made = match verdict {
        "proved" => proved(kit, path, &name, &mut all),
        "refuted" => refuted(kit, path, &name, &mut all),
        // Nothing is claimed of the others.
        _ => Ok(()),
    };
    if let Err(why) = made {
        all.left_out.push(format!("{name}: {why}"));
    }
    all
}

fn launch_line(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let line = text.lines().nth(1).and_then(comment).and_then(|it| it.strip_prefix("launch:"));
    line.map(str::to_owned).ok_or_else(|| "no launch line".to_owned())
}

fn of(path: &Path) -> String {
    hash(&std::fs::read(path).unwrap_or_default())
}

/// Products are not fused with sums, which rounds otherwise: the executor fuses none either.
fn unfused(path: &Path) -> CompileOptions {
    let is_cuda = path.extension().is_some_and(|it| it == "cu");
    let clang_args = is_cuda.then(|| "-ffp-contract=off".into()).into_iter().collect();
    CompileOptions { clang_args, ..CompileOptions::default() }
}

/// Architectures of a kit, from old to new; the last is one device's alone.
const ARCHS: [&str; 4] = ["sm_70", "sm_80", "sm_90", "sm_90a"];

/// The packed launch, for the oldest architecture that has what the kernel needs.
fn packed(
    source: &Source,
    options: &RunOptions,
    checks: Checks,
) -> Result<(Packed, String), String> {
    let mut why = String::new();
    for arch in ARCHS {
        let compile = CompileOptions { arch: arch.to_owned(), ..options.compile.clone() };
        let options = RunOptions { compile, checks, ..options.clone() };
        let found = pack(source, &options, &Embedded).map_err(|error| error.to_string())?;
        match found {
            Ok(packed) if needs_newer(&packed.ptx, arch) => {}
            Ok(packed) => return Ok((packed, arch.replace("sm_", ""))),
            Err(finding) if finding.message.contains("needs sm_") => why = finding.message,
            Err(finding) => return Err(finding.message),
        }
    }
    Err(if why.is_empty() { "it needs more than sm_90a".to_owned() } else { why })
}

/// What inline PTX needs, which the assembler alone knows, by the words of it.
fn needs_newer(ptx: &str, arch: &str) -> bool {
    let since_80 = ["cp.async", "mbarrier.", "redux.sync", "ldmatrix", "mma.sync", ".bf16"];
    let since_90 = [
        ".cluster",
        "mapa",
        "cp.async.bulk",
        "try_wait",
        "expect_tx",
        "elect.sync",
        "griddepcontrol",
        "stmatrix",
    ];
    let of_90a = ["setmaxnreg", "wgmma"];
    let has = |words: &[&str]| words.iter().any(|it| ptx.contains(it));
    arch < "sm_80" && has(&since_80)
        || arch < "sm_90" && has(&since_90)
        || arch < "sm_90a" && has(&of_90a)
}

/// Adds the task of a packed launch; its PTX begins with its name.
fn task(
    kit: &Writer,
    (mut packed, needs): (Packed, String),
    step: Step,
    name: &str,
    path: &Path,
) -> Result<Task, String> {
    let name = format!("{name} {}, needs sm_{needs}", packed.kernel);
    packed.ptx =
        format!("// kit {}\n{}", hash(format!("{} {name}", step.name()).as_bytes()), packed.ptx);
    if packed.ptx.contains("brkpt") {
        return Err("a breakpoint ends a launch that no debugger looks at".to_owned());
    }
    let threads = |it: [u32; 3]| it.iter().map(|n| u64::from(*n)).product::<u64>();
    if threads(packed.size.0) * threads(packed.size.1) > MOST_THREADS {
        return Err("its launch is too large".to_owned());
    }
    packed.into_task(kit, step, name, of(path)).map_err(|error| error.to_string())
}

fn proved(kit: &Writer, path: &Path, name: &str, all: &mut Contents) -> Result<(), String> {
    let launch = launch_options(&launch_line(path)?)?;
    if !launch.assumptions.is_empty() {
        return Err("it is proved under a condition on its arguments".to_owned());
    }
    let input = heddle_frontend::Input::file(path);
    let prepared = heddle_frontend::load_with(&input, &CompileOptions::default(), &Embedded);
    let kernels = prepared.map_err(|error| error.to_string())?.kernels;
    let size = |size: Option<Size>, open: u32| match size {
        Some(Size::Known(size)) => size,
        Some(Size::Any) | None => [open, 1, 1],
    };
    let zeros = path.parent().is_some_and(|it| ZEROS.iter().any(|of| it.ends_with(of)));
    let fill = if zeros { "i32[65536]:zeros" } else { "i32[65536]:random(1)" };
    let source = Source::File(path.to_owned());
    for kernel in kernels {
        let options = RunOptions {
            compile: unfused(path),
            kernel: Some(kernel.name.clone()),
            grid: size(launch.grid, 4),
            block: size(launch.block, 64),
            cluster: match launch.cluster {
                Some(Size::Known(size)) => Some(size),
                Some(Size::Any) | None => None,
            },
            args: launch.args.iter().map(|it| (it.name.clone(), it.value.to_string())).collect(),
            fill: Buffer::unnamed(fill).ok(),
            fill_scalar: "64".to_owned(),
            timeout: std::time::Duration::from_secs(10),
            ..RunOptions::default()
        };
        match one_proved(kit, &source, path, name, &options) {
            Ok(two) => all.tasks.extend(two),
            Err(why) => all.left_out.push(format!("{name} {}: {why}", kernel.name)),
        }
    }
    Ok(())
}

fn one_proved(
    kit: &Writer,
    source: &Source,
    path: &Path,
    name: &str,
    options: &RunOptions,
) -> Result<[Prepared; 2], String> {
    let outcome = run(source, options, &Embedded).map_err(|error| error.to_string())?;
    if let Some(finding) = outcome.report.findings().find(|it| is_of_weight(it)) {
        return Err(format!("the executor: {}", finding.message));
    }
    let left = |outcome: &RunOutcome| {
        let memory = outcome.memory.as_ref().ok_or("the executor left no memory")?;
        Ok::<_, String>((0..memory.buffers().len()).map(|n| memory.bytes(n).to_vec()).collect())
    };
    let buffers: Vec<Vec<u8>> = left(&outcome)?;
    // Tickets, locks and the like leave what the order of threads makes of it.
    let other = RunOptions { schedule: Schedule::Reverse, ..options.clone() };
    let other = run(source, &other, &Embedded).map_err(|error| error.to_string())?;
    let expects = match left(&other)? == buffers {
        true => Expects::Same(buffers),
        false => Expects::Quiet,
    };
    let plain = task(kit, packed(source, options, Checks::Off)?, Step::Plain, name, path)?;
    let checked = task(kit, packed(source, options, Checks::All)?, Step::Checked, name, path)?;
    let checked = Task { runs: SEEDS, delays: true, ..checked };
    Ok([plain, checked].map(|task| Prepared { task, expects: expects.clone() }))
}

/// An early return is no violation on a device, and none reports it.
fn is_of_weight(finding: &Finding) -> bool {
    finding.severity >= Severity::Warning && finding.code != Code::EarlyReturnBeforeBarrier
}

fn refuted(kit: &Writer, path: &Path, name: &str, all: &mut Contents) -> Result<(), String> {
    let mut options = CheckOptions {
        replay: Replay::Interpreter,
        jobs: std::num::NonZeroUsize::new(1),
        ..CheckOptions::default()
    };
    let line = launch_line(path)?;
    options.launch = launch_options(&line)?;
    check_options(&line, &mut options)?;
    let source = Source::File(path.to_owned());
    let outcome = check(std::slice::from_ref(&source), &options, &Embedded, &Progress::default())
        .map_err(|error| error.to_string())?;
    for kernel in outcome.report.kernels() {
        let found = kernel.findings.iter().find_map(|it| Some((kind(it)?, it.witness.as_ref()?)));
        let Some((kind, witness)) = found else {
            let of_copy = |it: &Finding| it.message.contains("under way");
            if kernel.findings.iter().any(|it| it.code == Code::CopyUnderWay || of_copy(it)) {
                all.left_out.push(format!("{name} {}: {UNSEEN}", kernel.symbol));
            }
            continue;
        };
        let launch = (&*kernel.symbol, options.launch.dynamic_shared);
        match one_refuted(kit, &source, path, name, launch, witness, kind) {
            Ok(one) => all.tasks.push(one),
            Err(why) => all.left_out.push(format!("{name} {}: {why}", kernel.symbol)),
        }
    }
    Ok(())
}

/// What the device library does not look for (docs/gpu.md, "What is left").
const UNSEEN: &str = "a copy that nobody waits for is not seen on a GPU";

fn kind(finding: &Finding) -> Option<Kind> {
    let of_copy = finding.code == Code::CopyUnderWay || finding.message.contains("under way");
    if finding.severity < Severity::Error || of_copy {
        return None;
    }
    match finding.code.family() {
        Family::Races => Some(Kind::Race),
        Family::Barriers => Some(Kind::Barrier),
        Family::NotModelled
        | Family::Memory
        | Family::Convergence
        | Family::Progress
        | Family::Assertions
        | Family::Tool => None,
    }
}

fn one_refuted(
    kit: &Writer,
    source: &Source,
    path: &Path,
    name: &str,
    (symbol, shared): (&str, Option<u64>),
    witness: &Witness,
    kind: Kind,
) -> Result<Prepared, String> {
    let size = |it: heddle_diagnostics::Dim3| [it.x, it.y, it.z];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("witnesses");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut buffers = Vec::new();
    let mut objects: Vec<&str> = witness.memory.iter().map(|it| it.object.as_str()).collect();
    objects.sort_unstable();
    objects.dedup();
    for object in objects {
        let bytes = contents_of(witness, object)?;
        let file = folder.join(hash(&bytes));
        std::fs::write(&file, &bytes).map_err(|error| error.to_string())?;
        buffers.push(format!("{object}=u8:file:{}", file.display()).parse::<Buffer>()?);
    }
    let threads = |it: [u32; 3]| it.iter().map(|n| u64::from(*n)).product::<u64>();
    if threads(size(witness.grid)) * threads(size(witness.block)) > MOST_THREADS {
        return Err("the launch of its witness is too large".to_owned());
    }
    let options = RunOptions {
        compile: unfused(path),
        kernel: Some(symbol.to_owned()),
        grid: size(witness.grid),
        block: size(witness.block),
        dynamic_shared: shared.unwrap_or(0) as u32,
        args: witness.arguments.iter().map(|it| (it.name.clone(), it.value.clone())).collect(),
        buffers,
        fill: Buffer::unnamed(&format!("u8[{WITNESS_BYTES}]:zeros")).ok(),
        schedule: Schedule::Random,
        runs: 4,
        timeout: std::time::Duration::from_secs(10),
        ..RunOptions::default()
    };
    let outcome = run(source, &options, &Embedded).map_err(|error| error.to_string())?;
    if !outcome.report.findings().any(|it| self::kind(it) == Some(kind)) {
        let met: Vec<_> = outcome.report.findings().map(|it| it.message.clone()).collect();
        return Err(format!(
            "the executor does not see it in a run of its witness: {}",
            met.join("; ")
        ));
    }
    let seen = match kind {
        Kind::Barrier => Seen::Unless(MEET),
        Kind::Race | Kind::Outside => seen(&lifted(path, symbol)?),
    };
    let task = task(kit, packed(source, &options, Checks::All)?, Step::Checked, name, path)?;
    let (runs, timeout) = match kind {
        Kind::Race | Kind::Outside => (SEEDS, task.timeout),
        // A kernel that hangs takes its time, and its process.
        Kind::Barrier => (1, 500),
    };
    let task = Task { runs, timeout, delays: true, until_found: true, ..task };
    Ok(Prepared { task, expects: Expects::Found(kind, seen) })
}

/// Why a device may not show a barrier that threads do not reach alike.
const MEET: &str = "a device lets threads meet that wait at different places, and goes on without those that ended";

/// Whether a race of this kernel must be seen. The library leaves a pair out where the one side has
/// released anything and the other has acquired anything since, and does not look into what copies
/// and fragments of matrices touch (`runtime/device/access.c`).
fn seen(kernel: &Kernel) -> Seen {
    let all_lanes = |mask| kernel.exprs.as_const(mask) == Some(u128::from(u32::MAX));
    let is_left_out = |(id, op): (OpId, &Op)| {
        let effects = op.kind.effects();
        // Rows that a warp moves together.
        let by_warp = kernel.access(id).is_some_and(|it| it.by_warp);
        let orders = match effects.orders {
            None | Some(Orders::Barrier(Barrier::Block { .. })) => false,
            Some(Orders::Barrier(Barrier::Warp { mask, .. })) => !all_lanes(*mask),
            // An atomic by itself releases and acquires nothing.
            Some(Orders::Access(order, _)) => order != MemoryOrder::Relaxed,
            Some(
                Orders::Barrier(
                    Barrier::Named { .. }
                    | Barrier::Cluster { .. }
                    | Barrier::Grid
                    | Barrier::Mbarrier { .. },
                )
                | Orders::Fence(..)
                | Orders::Copies
                | Orders::NotModelled,
            ) => true,
        };
        orders || by_warp || effects.not_modelled.is_some()
    };
    match kernel.ops.iter().any(is_left_out) {
        true => {
            Seen::Unless("its threads do more than access memory and meet at barriers of the block")
        }
        false => Seen::Always,
    }
}

/// The kernel of a file with this symbol.
fn lifted(path: &Path, symbol: &str) -> Result<Kernel, String> {
    let prepared =
        heddle_frontend::load_with(&heddle_frontend::Input::file(path), &unfused(path), &Embedded);
    let module = prepared.map_err(|error| error.to_string())?.module;
    let function = module.function(symbol).ok_or("it has no such kernel")?;
    heddle_lift::lift(&module, function).map_err(|error| error.to_string())
}

/// What a witness says of a buffer.
fn contents_of(witness: &Witness, object: &str) -> Result<Vec<u8>, String> {
    let stored = || witness.memory.iter().filter(|it| it.object == object);
    let end = stored().map(|it| it.offset.saturating_add(64)).max().unwrap_or(0) as usize;
    if end > 64 * WITNESS_BYTES {
        return Err("its witness has memory that is far apart".to_owned());
    }
    let mut bytes = vec![0; WITNESS_BYTES.max(end.next_multiple_of(4096))];
    for it in stored() {
        let (at, len) = (it.offset as usize, usize::from(it.bits).div_ceil(8));
        bytes[at..at + len].copy_from_slice(&it.value.to_le_bytes()[..len]);
    }
    Ok(bytes)
}
