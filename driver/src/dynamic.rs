//! Dynamic runs: a kernel of a source, compiled for this machine, run under race checks; findings
//! as from a check.
//!
//! ```text
//! Source ── load ──► kernel ── compile (checks, but for what the plan skips) ──► run, once per seed ──► Report
//! ```
//!
//! **Promises**: the report depends on the source and the options alone. What cannot be run is bad
//! input, with its name.
//! **Does not**: print, or judge beyond the runs made: no finding is no proof.

#![allow(
    clippy::result_large_err,
    reason = "a finding is made once a run, and is what the caller wants"
)]

mod arguments;
mod arrays;
mod buffer;
mod code;
mod gpu;
mod launch_file;
mod outs;
mod plans;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use heddle_diagnostics::{
    Assumption, Code, FileId, Finding, KernelReport, Report, Severity, SourceMap,
};
use heddle_execute::instrument::Skips;
use heddle_execute::jit::{Parameter, ParameterKind, Unsupported};
use heddle_frontend::compile::Compiler;
use heddle_frontend::{CompileOptions, Prepared, Target};
use heddle_lift::prepare::Kernel;
use heddle_runtime::{Launch, LaunchShape, Limits, Memory, Outcome, Schedule};

use self::code::{in_order, native, threads};
use crate::limits::beyond_sizes;
use crate::load::prepared;
use crate::native::RESIDENT_THREADS;
use crate::sites;
use crate::source::Source;

use self::arrays::check_arrays;
use arguments::{arguments_of, dynamic_shared, known_names, scalar};
pub use buffer::{Buffer, Content, Element};
pub use gpu::{Packed, pack, planned_ptx, ptx};
pub use launch_file::read as read_launch_file;
use outs::{check_outs, write_outs};

pub use heddle_passes::instrument::Plan;
pub use plans::{Checks, Instrumented, instrumented, planned};

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How sources are compiled.
    pub compile: CompileOptions,
    /// The kernel, by source name or symbol; may be left out where there is one.
    pub kernel: Option<String>,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Blocks of a cluster; what the code requires, or none, if not said.
    pub cluster: Option<[u32; 3]>,
    /// What is added to global ids: OpenCL's global offset.
    pub global_offset: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Values of scalar parameters, as text.
    pub args: Vec<(String, String)>,
    /// Conditions of which those on arrays are looked at in the buffers.
    pub assumptions: Vec<String>,
    /// Buffers behind pointer parameters.
    pub buffers: Vec<Buffer>,
    /// Elements of the buffers that are not given; without it, each must be.
    pub fill: Option<Buffer>,
    /// What scalars are that are not given, where buffers are made up.
    pub fill_scalar: String,
    /// Where buffers are written to after the run.
    pub outs: Vec<(String, PathBuf)>,
    /// Files that were read for these options, which no buffer is written over.
    pub inputs: Vec<PathBuf>,
    /// Who runs next.
    pub schedule: Schedule,
    /// The first seed.
    pub seed: u64,
    /// How many seeds, one after the other.
    pub runs: u64,
    /// Blocks that are there at the same time; as many as a few thousand threads make, if not said.
    pub resident: Option<u32>,
    /// Operating system threads; as many as there are cores, where blocks do not communicate, if
    /// not said.
    pub threads: Option<u32>,
    /// Each thread has a stack of its own, also where it could do without.
    pub fibers: bool,
    /// Barriers wait for threads that returned; as the target has it if not said.
    pub strict_barriers: Option<bool>,
    /// Wall-clock time of one run.
    pub timeout: Duration,
    /// What is checked.
    pub checks: Checks,
    /// Where it runs.
    pub device: Device,
}

/// Where a kernel runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Device {
    /// On this machine's cores.
    #[default]
    Cpu,
    /// On the first NVIDIA GPU, through the driver that systems have, or this one.
    Gpu(Option<PathBuf>),
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            compile: CompileOptions::default(),
            kernel: None,
            grid: [1; 3],
            block: [1; 3],
            cluster: None,
            global_offset: [0; 3],
            dynamic_shared: 0,
            args: Vec::new(),
            assumptions: Vec::new(),
            buffers: Vec::new(),
            fill: None,
            fill_scalar: "0".to_owned(),
            outs: Vec::new(),
            inputs: Vec::new(),
            schedule: Schedule::RoundRobin,
            seed: 0,
            runs: 1,
            resident: None,
            threads: None,
            fibers: false,
            strict_barriers: None,
            timeout: Duration::from_secs(60),
            checks: Checks::All,
            device: Device::Cpu,
        }
    }
}

/// What a run gave.
#[derive(Debug)]
pub struct RunOutcome {
    /// Findings; without verdicts, for a run proves nothing.
    pub report: Report,
    /// What the compiler warned about.
    pub warnings: String,
    /// What the kernel printed, in the first run.
    pub printed: String,
    /// Accesses that were checked, and resumptions, of all runs.
    pub accesses: u64,
    /// Times a thread was resumed.
    pub switches: u64,
    /// Whether threads ran without stacks, to the end of the last run.
    pub stackless: bool,
    /// Bytes that shadows may take.
    pub shadow_bytes: usize,
    /// Wall-clock time of the runs, without compiling.
    pub elapsed: Duration,
    /// Processor time of all threads in them, where the system tells it; else zero.
    pub processor: Duration,
    /// What is taken for granted where accesses were left out as proved.
    pub rests_on: Vec<Assumption>,
    /// The memory after the last run; none where nothing was run.
    pub memory: Option<Memory>,
}

impl RunOutcome {
    /// Nothing was run, and why.
    fn refused(map: &Arc<SourceMap>, finding: Finding) -> RunOutcome {
        RunOutcome {
            report: Report::new(map.clone(), Vec::new(), vec![finding]),
            warnings: String::new(),
            printed: String::new(),
            accesses: 0,
            switches: 0,
            stackless: false,
            shadow_bytes: 0,
            elapsed: Duration::ZERO,
            processor: Duration::ZERO,
            rests_on: Vec::new(),
            memory: None,
        }
    }

    /// What a buffer holds after the last run.
    pub fn buffer(&self, name: &str) -> Option<&[u8]> {
        let memory = self.memory.as_ref()?;
        let index = memory.buffers().iter().position(|it| it.name == name)?;
        Some(memory.bytes(index))
    }

    /// 0 without findings of weight, 1 with an error among them, 2 for bad input, 3 where a run was
    /// given up.
    pub fn exit_code(&self) -> u8 {
        let has = |code: Code| self.report.findings().any(|it| it.code == code);
        let error = self.report.findings().any(|it| it.severity == Severity::Error);
        match () {
            () if has(Code::InternalError) => 4,
            () if has(Code::BadInput) => 2,
            () if error => 1,
            () if has(Code::BudgetSpent) => 3,
            () => 0,
        }
    }
}

/// Compiles and runs a kernel.
///
/// # Errors
/// There is no current folder. Bad input and outputs that cannot be written are findings of the
/// report.
pub fn run(
    source: &Source,
    options: &RunOptions,
    compiler: &dyn Compiler,
) -> anyhow::Result<RunOutcome> {
    let base =
        std::env::current_dir().context("the current folder is gone; change to one that exists")?;
    let map = Arc::new(SourceMap::guarded(base));
    let module = source.add_to(&map);
    let refused = |finding: Finding| RunOutcome::refused(&map, finding);
    let prepared = match prepared(source, &options.compile, compiler, &map) {
        Ok(prepared) => prepared,
        Err(finding) => return Ok(refused(*finding)),
    };
    if let (Target::Nvptx, [(message, help), ..]) =
        (prepared.target, &beyond_sizes(Some(options.block), Some(options.grid))[..])
    {
        return Ok(refused(bad(message).help(help.as_str())));
    }
    let plans = match options.checks {
        Checks::Off | Checks::All => Vec::new(),
        Checks::Unproved => plans::plans(
            source,
            (&options.compile, compiler),
            plans::known_launch(options, &prepared),
            options.checks,
        )?,
    };
    let skips = plans::skips(&plans, &prepared);
    if let Device::Gpu(driver) = &options.device {
        let started =
            gpu::Started { source, options, compiler, prepared: &prepared, skips: &skips };
        let mut outcome = started.run(driver.as_deref(), map, module)?;
        if let Ok(kernel) = select(&prepared, options) {
            outcome.rests_on = plans::resting(plans, &kernel.name);
        }
        return Ok(outcome);
    }
    let ready = select(&prepared, options).and_then(|kernel| {
        let skips = match options.checks {
            Checks::Off => None,
            Checks::All => Some(Skips::new()),
            Checks::Unproved => Some(skips.clone()),
        };
        let stackless = in_order(options) && !options.fibers && options.cluster.is_none();
        let compiled = native(&prepared, &kernel, skips.as_ref(), stackless)
            .map_err(|error| refusal(&kernel, &error, (&map, module, source)))?;
        let contents = contents(&compiled.parameters, options)?;
        check_outs((source, &map), &contents, options)?;
        known_names(&compiled.parameters, options)?;
        let given = (&compiled.parameters[..], &contents[..]);
        let how = (options, compiler);
        check_arrays(source, how, prepared.has_contracts, &kernel.name, given)?;
        fits_shared(compiled.shared_bytes, options, prepared.target)?;
        Ok((kernel, skips, compiled, contents))
    });
    let (kernel, skips, mut compiled, contents) = match ready {
        Ok(ready) => ready,
        Err(finding) => return Ok(refused(finding)),
    };
    let sites = sites::places(&compiled.sites, &map, module, source);
    let mut launch = launch(options, prepared.target);
    launch.shape.cluster = match cluster(options, &kernel) {
        Ok(cluster) => cluster,
        Err(finding) => return Ok(refused(finding)),
    };
    if compiled.cooperative && options.resident.is_none() {
        // A cooperative launch has all of its blocks there at the same time.
        launch.resident = options.grid.iter().product::<u32>().max(1);
    }
    let mut total = Outcome { finished: true, ..Outcome::default() };
    let mut processor = Duration::ZERO;
    let (mut elapsed, mut shadow_bytes, mut last) = (Duration::ZERO, 0, None);
    for seed in options.seed..options.seed + options.runs.max(1) {
        launch.seed = seed;
        drop(last.take());
        let made = memory(&contents).and_then(|mut memory| {
            let arguments = arguments_of(&compiled, &memory, &contents, options)?;
            shadow_bytes = memory.shadow_bytes();
            let start = std::time::Instant::now();
            let spread = Launch { threads: threads(options, &compiled), ..launch.clone() };
            let mut outcome = compiled.run(sites.clone(), &spread, &mut memory, &arguments);
            elapsed += start.elapsed();
            if outcome.as_ref().is_ok_and(|it| it.again) {
                drop(memory);
                if compiled.is_stackless() {
                    compiled = native(&prepared, &kernel, skips.as_ref(), false)
                        .map_err(|error| refusal(&kernel, &error, (&map, module, source)))?;
                }
                memory = self::memory(&contents)?;
                let arguments = arguments_of(&compiled, &memory, &contents, options)?;
                let start = std::time::Instant::now();
                outcome = compiled.run(sites.clone(), &launch, &mut memory, &arguments);
                elapsed += start.elapsed();
            }
            Ok((outcome.map_err(|error| bad(&error.to_string()))?, memory))
        });
        let (outcome, memory) = match made {
            Ok(made) => made,
            Err(finding) => return Ok(refused(finding)),
        };
        total.accesses += outcome.accesses;
        total.switches += outcome.switches;
        processor += outcome.processor;
        total.finished &= outcome.finished;
        if total.printed.is_empty() {
            total.printed = outcome.printed;
        }
        let found = outcome.events.0.keys().any(|it| it.is_error());
        total.events.join_seed(outcome.events, seed);
        last = Some(memory);
        if found && options.runs > 1 {
            break;
        }
    }
    let written = last.as_ref().map(|memory| write_outs(&contents, memory, &options.outs));
    let findings = heddle_runtime::findings(&kernel.display, &sites, &launch, &total);
    let report = KernelReport {
        name: kernel.display.as_str().into(),
        symbol: kernel.name.as_str().into(),
        place: None,
        verdicts: Default::default(),
        findings,
    };
    Ok(RunOutcome {
        report: Report::new(map, vec![report], written.unwrap_or_default()),
        warnings: prepared.warnings,
        printed: total.printed,
        accesses: total.accesses,
        switches: total.switches,
        stackless: compiled.is_stackless(),
        shadow_bytes,
        elapsed,
        processor,
        rests_on: plans::resting(plans, &kernel.name),
        memory: last,
    })
}

/// Bytes of shared memory that a block can have at most, on any device so far (CUDA C++ Programming
/// Guide, compute capabilities 9.0 and later).
const MOST_SHARED: usize = 227 << 10;

/// Static and dynamic shared memory are what a block can have. OpenCL's devices have no common
/// limit.
fn fits_shared(fixed: usize, options: &RunOptions, target: Target) -> Result<(), Finding> {
    let bytes = fixed + dynamic_shared(options) as usize;
    match target {
        Target::Nvptx if bytes > MOST_SHARED => {
            let help = match options.dynamic_shared {
                0 => "declare less of it, or give another `--kernel`",
                _ => "lower `--dynamic-shared`",
            };
            let message = format!(
                "{bytes} bytes of shared memory are more than a block can have: {MOST_SHARED} bytes"
            );
            Err(bad(&message).help(help))
        }
        Target::Nvptx | Target::Spirv => Ok(()),
    }
}

fn bad(message: &str) -> Finding {
    Finding::new(Code::BadInput, message)
}

fn select(prepared: &Prepared, options: &RunOptions) -> Result<Kernel, Finding> {
    let names: Vec<_> = prepared.kernels.iter().map(|it| format!("`{}`", it.display)).collect();
    let known = format!("the kernels are {}", names.join(", "));
    match (&options.kernel, &prepared.kernels[..]) {
        (None, [one]) => Ok(one.clone()),
        (None, _) => Err(bad("there are several kernels; say which with `--kernel`").help(known)),
        (Some(name), all) => {
            let bare = |it: &&Kernel| {
                let short = it.display.split(['<', '(']).next().unwrap_or_default();
                it.name == *name || it.display == *name || short == name
            };
            let found = all.iter().find(bare);
            found.cloned().ok_or_else(|| {
                bad(&format!("`--kernel {name}`: no kernel has this name")).help(known)
            })
        }
    }
}

/// What cannot be run: by name, with its place, and with the way out.
fn refusal(
    kernel: &Kernel,
    error: &Unsupported,
    (map, module, source): (&SourceMap, FileId, &Source),
) -> Finding {
    let finding = bad(&format!("the kernel `{}` cannot be run: {error}", kernel.display));
    let finding = match &error.at {
        Some(site) => {
            let of = std::slice::from_ref(&**site);
            let places = sites::places(of, map, module, source).into_iter().map(|it| it.place);
            places.fold(finding, |finding, place| finding.label(place, "asked for here".to_owned()))
        }
        None => finding,
    };
    error.way_out.iter().fold(finding, |finding, way_out| finding.help(way_out.as_str()))
}

/// The cluster of a launch: what is said, and what the code requires.
fn cluster(options: &RunOptions, kernel: &Kernel) -> Result<[u32; 3], Finding> {
    match (options.cluster, kernel.cluster) {
        (Some(said), Some(required)) if said != required => {
            let [x, y, z] = required;
            Err(bad(&format!("`{}` requires clusters of {x},{y},{z} blocks", kernel.display))
                .help("leave out `--cluster`; what the code requires is then used"))
        }
        (said, required) => Ok(said.or(required).unwrap_or([1; 3])),
    }
}

fn launch(options: &RunOptions, target: Target) -> Launch {
    let threads = options.block.iter().fold(1u32, |all, it| all.saturating_mul(*it)).max(1);
    let nvptx = match target {
        Target::Nvptx => true,
        Target::Spirv => false,
    };
    Launch {
        shape: LaunchShape::new(options.grid, options.block, nvptx.then_some(32)),
        offset: options.global_offset,
        dynamic_shared: dynamic_shared(options),
        strict_barriers: options.strict_barriers.unwrap_or(!nvptx),
        schedule: options.schedule,
        seed: options.seed,
        blocks: None,
        threads: 1,
        resident: options.resident.unwrap_or(RESIDENT_THREADS / threads).max(1),
        limits: Limits { time: options.timeout, ..Limits::default() },
    }
}

/// The buffer of each pointer parameter, in the order of the parameters.
fn contents(parameters: &[Parameter], options: &RunOptions) -> Result<Vec<Buffer>, Finding> {
    let pointers = || parameters.iter().filter(|it| it.kind == ParameterKind::Pointer);
    for buffer in &options.buffers {
        if !pointers().any(|it| it.name == buffer.name) {
            let names: Vec<_> = pointers().map(|it| format!("`{}`", it.name)).collect();
            let message = format!("`--buffer {}`: no pointer parameter has this name", buffer.name);
            return Err(
                bad(&message).help(format!("the pointer parameters are {}", names.join(", ")))
            );
        }
    }
    let of = |parameter: &Parameter| {
        let given = options.buffers.iter().find(|it| it.name == parameter.name).cloned();
        let filled = || options.fill.clone().map(|it| it.named(&parameter.name));
        given.or_else(filled).ok_or_else(|| {
            let name = &parameter.name;
            bad(&format!("nothing is said of the buffer `{name}`"))
                .help(format!("give it, as in `--buffer {name}=f32[1000]:random(1)`, or all with `--fill i32[65536]:zeros`"))
        })
    };
    let mut all = pointers().map(of).collect::<Result<Vec<_>, _>>()?;
    for buffer in &mut all {
        buffer.settle().map_err(|why| bad(&why))?;
    }
    Ok(all)
}

fn memory(contents: &[Buffer]) -> Result<Memory, Finding> {
    let layout: Vec<_> =
        contents.iter().map(|it| (it.name.clone(), it.bytes(), it.element.bytes())).collect();
    let mut memory = Memory::new(&layout).map_err(|error| bad(&error.to_string()))?;
    for (n, buffer) in contents.iter().enumerate() {
        buffer.write_to(memory.bytes_mut(n));
    }
    Ok(memory)
}
