//! `heddle run`: a kernel on this machine's cores, or on a GPU, under race checks.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{ArgGroup, Args, ValueEnum};
use heddle_diagnostics::render::{clean, human, one_line};
use heddle_diagnostics::source::read_text;
use heddle_frontend::compile::Compiler;
use heddle_runtime::Schedule;

use super::codes::USAGE;
use super::output::{ColourChoice, colour};
use super::sources::{SourceArgs, pass_on, sources};
use heddle_driver::dynamic::{self, Buffer, Checks, Device, RunOptions, RunOutcome};
use heddle_driver::{Size, known_offset};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  heddle run k.cu --block 64 --buffer 'x=i32[64]:range' --arg n=64\n  \
    heddle run k.cu --block 64 --fill i32[65536]:zeros\n  \
    heddle run k.cu --launch launch.toml --schedule random --seeds 50\n  \
    heddle run k.cu --launch launch.toml --device gpu --arch sm_90\n\n\
    Exit codes: 0 nothing found (which proves nothing), 1 a race or another error, 2 bad input, 3 the run was \
    given up (time limit, livelock), 4 internal error.",
    group(ArgGroup::new("input").arg("files").required(true))
)]
pub(super) struct RunArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// A launch as JSON or TOML; options given here count more
    #[arg(long, value_name = "FILE")]
    launch: Option<PathBuf>,
    /// Blocks in the grid
    #[arg(long, value_name = "SIZE")]
    grid: Option<Size>,
    /// Threads in a block
    #[arg(long, value_name = "SIZE")]
    block: Option<Size>,
    /// Blocks in a cluster, where the code does not say: `2` or `2,1`
    #[arg(long, value_name = "SIZE")]
    cluster: Option<Size>,
    /// What OpenCL adds to global ids: `464`, `8,8` or `8x8` [default: 0]
    #[arg(long, value_name = "OFFSET", value_parser = known_offset)]
    global_offset: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES")]
    dynamic_shared: Option<u32>,
    /// The value of a scalar parameter: `n=1000`, `a=2.5` (repeatable)
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = pair)]
    args: Vec<(String, String)>,
    /// What arrays hold, as in `injective(perm, n)`: looked at in the buffers before the run
    /// (repeatable)
    #[arg(long = "assume", value_name = "CONDITION")]
    assumptions: Vec<String>,
    /// A buffer: `x=f32[1000]:random(1)`, `x=i32[64]`, `x=file:x.npy` (repeatable)
    #[arg(long = "buffer", value_name = "NAME=CONTENT")]
    buffers: Vec<Buffer>,
    /// What is in buffers that are not named, as in `i32[65536]:zeros`; scalars not named are then
    /// 0
    #[arg(long, value_name = "CONTENT", value_parser = Buffer::unnamed)]
    fill: Option<Buffer>,
    /// Write a buffer to a file afterwards, `.npy` or raw (repeatable)
    #[arg(long = "out", value_name = "NAME=FILE", value_parser = pair)]
    outs: Vec<(String, String)>,
    /// Which thread runs next: round-robin, reverse, random, priorities
    #[arg(long, value_name = "ORDER")]
    schedule: Option<Schedule>,
    /// The number that a run's choices come from: the same seed, the same run
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run with so many seeds, until one finds something
    #[arg(long = "seeds", alias = "runs", value_name = "N", default_value_t = 1)]
    seeds: u64,
    /// Blocks that run at the same time; the others wait until one ends
    #[arg(long, value_name = "N")]
    resident: Option<u32>,
    /// Operating system threads, where blocks do not communicate; one otherwise [default: as many
    /// as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// Seconds until a run is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// Where it runs: on this machine's cores, or on the first NVIDIA GPU
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    device: DeviceChoice,
    /// Load this CUDA driver, instead of the one that the system has
    #[arg(long, value_name = "FILE")]
    cuda_driver: Option<PathBuf>,
    /// Run without any check
    #[arg(long, conflicts_with = "prune")]
    no_checks: bool,
    /// Check statically first, and check in the run only what was not proved
    #[arg(long)]
    prune: bool,
    /// Say on standard error how many accesses were checked, and how long it took
    #[arg(long)]
    stats: bool,
    /// Colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColourChoice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DeviceChoice {
    Cpu,
    Gpu,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write `name=value`")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Runs, prints, and gives the exit code.
pub(super) fn run(
    arguments: RunArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let sources = sources(&arguments.sources)?;
    let [source] = &sources[..] else {
        let _unheard = writeln!(io::stderr(), "error: one file is run at a time");
        return Ok(USAGE);
    };
    let options = match options(&arguments) {
        Ok(options) => options,
        Err(error) => {
            let _unheard = writeln!(io::stderr(), "error: {}", clean(&format!("{error:#}")));
            return Ok(USAGE);
        }
    };
    let outcome = dynamic::run(source, &options, compiler)?;
    if !outcome.warnings.is_empty() {
        pass_on(std::slice::from_ref(&outcome.warnings));
    }
    // Tabs are a program's to print.
    let printed: Vec<_> = outcome.printed.split('\t').map(clean).collect();
    out.write_all(printed.join("\t").as_bytes())?;
    let shown = human::Options { colour: colour(arguments.color), ..human::Options::default() };
    out.write_all(human::report(&outcome.report, shown).as_bytes())?;
    if let Some(text) = nothing_found(&outcome, &options) {
        let _unheard = writeln!(io::stderr(), "{}", one_line(&text));
    }
    if arguments.stats {
        let _unheard = writeln!(
            io::stderr(),
            "{} accesses checked, {} switches, {:.3} s, shadow of at most {} bytes",
            outcome.accesses,
            outcome.switches,
            outcome.elapsed.as_secs_f64(),
            outcome.shadow_bytes
        );
    }
    Ok(outcome.exit_code())
}

/// That a run has found nothing, and what it has looked at: one that checks no access would say as
/// little.
fn nothing_found(outcome: &RunOutcome, options: &RunOptions) -> Option<String> {
    if outcome.report.findings().next().is_some() || options.device != Device::Cpu {
        return None;
    }
    let product = |it: [u32; 3]| it.iter().map(|it| u64::from(*it)).product::<u64>();
    let (blocks, threads) = (product(options.grid), product(options.block));
    let counted = |count: u64, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}{more}"),
    };
    let launch =
        format!("{} of {}", counted(blocks, "block", "s"), counted(threads, "thread", "s"));
    let runs = if options.runs > 1 { format!(", {} runs", options.runs) } else { String::new() };
    let rests = match &outcome.rests_on[..] {
        [] => String::new(),
        all => format!(
            "; taken for granted: {}",
            all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        ),
    };
    Some(match (options.checks, outcome.accesses) {
        (Checks::Off, _) => format!("ran without checks: {launch}{runs}"),
        (Checks::Unproved, 0) => {
            format!("nothing found: {launch}{runs}; every access that ran is proved{rests}")
        }
        (Checks::All, 0) => format!(
            "nothing found, but no access was checked: {launch}{runs}; `--arg` gives scalars values other than 0"
        ),
        (Checks::All | Checks::Unproved, accesses) => {
            let checked = counted(accesses, "access", "es");
            format!("nothing found: {launch}{runs}, {checked} checked{rests}")
        }
    })
}

fn options(arguments: &RunArgs) -> anyhow::Result<RunOptions> {
    let mut options =
        RunOptions { compile: arguments.sources.compile_options(), ..RunOptions::default() };
    options.kernel = arguments.sources.kernels.first().cloned();
    if let Some(path) = &arguments.launch {
        let text =
            read_text(path).with_context(|| format!("`{}` cannot be read", path.display()))?;
        dynamic::read_launch_file(&text, &mut options)
            .map_err(|why| anyhow::anyhow!("the launch file `{}`: {why}", path.display()))?;
        options.inputs.push(path.clone());
    }
    let known = |size: Option<Size>| match size {
        Some(Size::Known(size)) => Ok(Some(size)),
        Some(Size::Any) => Err(anyhow::anyhow!("a run needs a size, not `any`")),
        None => Ok(None),
    };
    options.grid = known(arguments.grid)?.unwrap_or(options.grid);
    options.block = known(arguments.block)?.unwrap_or(options.block);
    options.cluster = known(arguments.cluster)?.or(options.cluster);
    options.global_offset = arguments.global_offset.unwrap_or(options.global_offset);
    options.dynamic_shared = arguments.dynamic_shared.unwrap_or(options.dynamic_shared);
    options.args.splice(0..0, arguments.args.iter().cloned());
    options.assumptions.extend(arguments.assumptions.iter().cloned());
    options.buffers.splice(0..0, arguments.buffers.iter().cloned());
    options.fill.clone_from(&arguments.fill);
    options.outs.extend(arguments.outs.iter().map(|(name, path)| (name.clone(), path.into())));
    options.schedule = arguments.schedule.unwrap_or(options.schedule);
    options.seed = arguments.seed.unwrap_or(options.seed);
    options.runs = arguments.seeds;
    options.resident = arguments.resident.or(options.resident);
    options.threads = arguments.threads.or(options.threads);
    options.timeout = Duration::from_secs_f64(arguments.timeout.clamp(0.01, 1e6));
    options.device = device(arguments)?;
    options.checks = match (arguments.no_checks, arguments.prune) {
        (true, _) => Checks::Off,
        (false, true) => Checks::Unproved,
        (false, false) => Checks::All,
    };
    Ok(options)
}

/// What only one of the two has is no option of the other.
fn device(arguments: &RunArgs) -> anyhow::Result<Device> {
    let of_the_cpu = [
        ("--schedule", arguments.schedule.is_some()),
        ("--seed", arguments.seed.is_some()),
        ("--seeds", arguments.seeds != 1),
        ("--resident", arguments.resident.is_some()),
        ("--threads", arguments.threads.is_some()),
    ];
    if arguments.device == DeviceChoice::Gpu && arguments.cluster.is_some() {
        anyhow::bail!(
            "`--cluster` is for runs on the CPU: for a GPU, the code says it (`__cluster_dims__`)"
        );
    }
    match (arguments.device, of_the_cpu.iter().find(|(_, given)| *given)) {
        (DeviceChoice::Gpu, Some((option, _))) => {
            anyhow::bail!("`{option}` is for runs on the CPU: a GPU schedules by itself")
        }
        (DeviceChoice::Gpu, None) => Ok(Device::Gpu(arguments.cuda_driver.clone())),
        (DeviceChoice::Cpu, _) if arguments.cuda_driver.is_some() => {
            anyhow::bail!("`--cuda-driver` is for `--device gpu`")
        }
        (DeviceChoice::Cpu, _) => Ok(Device::Cpu),
    }
}
