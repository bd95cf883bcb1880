//! `heddle gpu-check`: whether runs on this machine's GPU work, and which of their checks do.
//!
//! It says what driver and device there are, and runs small kernels of which it is known what must
//! be found. A kernel that does not do what it must is named, with what it did.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use heddle_diagnostics::Code;
use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, Device, RunOptions, RunOutcome, run as run_kernel};
use heddle_frontend::compile::Compiler;
use heddle_frontend::{CompileOptions, Language};
use heddle_runtime::gpu::driver::{Driver, Machine};

use super::codes::USAGE;

#[derive(Args, Debug)]
#[command(after_help = "\
`heddle run --device gpu` and instrumented code of `heddle instrument --ptx` need an NVIDIA GPU of compute capability 7.0 \
or later and its driver, of CUDA 12.0 or later; neither CUDA's toolkit nor root. `heddle check` and `heddle run` without \
`--device gpu` need neither.\n\n\
Exit codes: 0 all checks work here, 1 one does not, 2 there is no driver or device that can be used, 4 internal error.")]
pub(super) struct GpuCheckArgs {
    /// Load this CUDA driver, instead of the one that the system has
    #[arg(long, value_name = "FILE")]
    cuda_driver: Option<PathBuf>,
}

/// What a kernel must do on a device.
struct Probe {
    /// What works where it does.
    what: &'static str,
    kernel: &'static str,
    blocks: u32,
    /// The one finding that must be there.
    finds: Option<Code>,
    seconds: f64,
}

/// All have 64 threads, a variable `s` in shared memory, and `n` to store.
const PROBES: &[Probe] = &[
    Probe {
        what: "kernels compute what they do on the CPU",
        kernel: "heddle_probe_quiet",
        blocks: 1,
        finds: None,
        seconds: 10.0,
    },
    Probe {
        what: "races of a block are found",
        kernel: "heddle_probe_race",
        blocks: 1,
        finds: Some(Code::IntraBlockRace),
        seconds: 10.0,
    },
    Probe {
        what: "races between blocks are found",
        kernel: "heddle_probe_blocks",
        blocks: 2,
        finds: Some(Code::InterBlockRace),
        seconds: 10.0,
    },
    Probe {
        what: "accesses outside of buffers are found",
        kernel: "heddle_probe_outside",
        blocks: 1,
        finds: Some(Code::OutOfBounds),
        seconds: 10.0,
    },
    Probe {
        what: "kernels that do not end are ended",
        kernel: "heddle_probe_endless",
        blocks: 1,
        finds: Some(Code::BudgetSpent),
        seconds: 0.5,
    },
];

/// As LLVM IR: no compiler need be there.
const KERNELS: &str = include_str!("probes.ll");

/// What is stored, and how far beyond its place the probe goes that leaves its buffer.
const N: u8 = 7;

/// The oldest device whose code we make, and the oldest driver that loads it.
const CAPABILITY: (u32, u32) = (7, 0);
const CUDA: (u32, u32) = (12, 0);

/// Looks, prints, and gives the exit code.
pub(super) fn run(
    arguments: &GpuCheckArgs,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let machine = match found(arguments) {
        Ok(machine) => machine,
        Err((why, ways_out)) => {
            let mut errors = io::stderr();
            writeln!(errors, "error: {why}")?;
            for way_out in ways_out {
                writeln!(errors, "  = help: {way_out}")?;
            }
            return Ok(USAGE);
        }
    };
    writeln!(out, "driver: CUDA {}.{}", machine.driver.0, machine.driver.1)?;
    writeln!(
        out,
        "device: {}, compute capability {}.{}, {} multiprocessors, {} MiB",
        machine.device,
        machine.capability.0,
        machine.capability.1,
        machine.processors,
        machine.memory >> 20
    )?;
    let mut code = 0;
    for probe in PROBES {
        let outcome = run_kernel(&source(), &options(probe, arguments), compiler)?;
        match wrong(probe, &outcome) {
            None => writeln!(out, "works: {}", probe.what)?,
            Some(why) => {
                code = 1;
                writeln!(out, "DOES NOT WORK: {}: {why}", probe.what)?;
            }
        }
    }
    if code != 0 {
        writeln!(
            io::stderr(),
            "  = help: what does not work here works on the CPU: `heddle run` without `--device gpu`; please report what is \
             printed above"
        )?;
    }
    Ok(code)
}

/// The machine, or why it cannot be used and what to do.
fn found(arguments: &GpuCheckArgs) -> Result<Machine, (String, Vec<&'static str>)> {
    const CPU: &str = "`heddle run` without `--device gpu` makes the same checks on the CPU; `heddle check` needs no device";
    let driver = Driver::open(arguments.cuda_driver.as_deref()).map_err(|why| {
        let ways_out = vec![
            "install NVIDIA's driver (`nvidia-smi` shows it), or name its library with `--cuda-driver libcuda.so`",
            "in a container, the driver of the host is there if it is started so (`docker run --gpus all`)",
            CPU,
        ];
        (format!("no CUDA driver found: {why}"), ways_out)
    })?;
    let machine = driver.machine().map_err(|error| {
        let ways_out = vec![
            "`nvidia-smi -L` lists the devices that the driver has; `CUDA_VISIBLE_DEVICES` hides those that it does not name",
            CPU,
        ];
        (format!("the CUDA driver has no device that can be used: {error}"), ways_out)
    })?;
    if machine.capability < CAPABILITY {
        let (major, minor) = machine.capability;
        let why = format!(
            "{} has compute capability {major}.{minor}, and checks on a device need 7.0 or later",
            machine.device
        );
        return Err((why, vec![CPU]));
    }
    if machine.driver < CUDA {
        let (major, minor) = machine.driver;
        let why = format!(
            "the driver is for CUDA {major}.{minor}, and the code of checks needs 12.0 or later"
        );
        return Err((
            why,
            vec!["install a newer driver of NVIDIA's; the toolkit need not be there", CPU],
        ));
    }
    Ok(machine)
}

fn source() -> Source {
    Source::Text {
        name: "<probe>".to_owned(),
        bytes: KERNELS.as_bytes().to_vec(),
        language: Some(Language::Ir),
    }
}

fn options(probe: &Probe, arguments: &GpuCheckArgs) -> RunOptions {
    RunOptions {
        compile: CompileOptions { arch: "sm_70".to_owned(), ..CompileOptions::default() },
        kernel: Some(probe.kernel.to_owned()),
        grid: [probe.blocks, 1, 1],
        block: [64, 1, 1],
        args: vec![("n".to_owned(), N.to_string())],
        buffers: "out=i32[64]".parse::<Buffer>().into_iter().collect(),
        timeout: Duration::from_secs_f64(probe.seconds),
        device: Device::Gpu(arguments.cuda_driver.clone()),
        ..RunOptions::default()
    }
}

/// What a probe did instead.
fn wrong(probe: &Probe, outcome: &RunOutcome) -> Option<String> {
    let met: Vec<_> = outcome.report.findings().collect();
    let other = met.iter().find(|it| Some(it.code) != probe.finds);
    if let Some(other) = other {
        let notes: String = other.notes.iter().map(|it| format!("; {it}")).collect();
        return Some(format!("{}: {}{notes}", other.code, other.message));
    }
    if probe.finds.is_some() && met.is_empty() {
        return Some("nothing is found".to_owned());
    }
    let computed = outcome.buffer("out").unwrap_or_default();
    let expected: Vec<u8> = [N, 0, 0, 0].repeat(64);
    (probe.finds.is_none() && computed != expected).then(|| "it computes something else".to_owned())
}
