//! A run on a GPU: the same launch, buffers and report as on the CPU.
//!
//! **Promises**: without a driver, or with one that refuses, nothing ran and the finding says why;
//! what the run could not look at is among the warnings. **Does not**: repeat runs, for a GPU
//! schedules as it likes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use heddle_diagnostics::{FileId, Finding, KernelReport, Report, SourceMap};
use heddle_execute::gpu::DeviceCode;
use heddle_execute::instrument::Skips;
use heddle_execute::jit::{Parameter, ParameterKind};
use heddle_frontend::Prepared;
use heddle_frontend::compile::Compiler;
use heddle_runtime::gpu::driver::Driver;
use heddle_runtime::gpu::launch::{self, Argument, Done, Fault, Job};
use heddle_runtime::gpu::{Names, events, gaps};
use heddle_runtime::{Variable, findings_of};

use super::super::{
    Buffer, Checks, RunOptions, RunOutcome, arrays::check_arrays, bad, check_outs, contents,
    dynamic_shared, known_names, memory, scalar, select, write_outs,
};
use super::device_code;
use crate::sites;
use crate::source::Source;

/// A run whose source was loaded.
pub(in super::super) struct Started<'a> {
    /// What is run.
    pub(in super::super) source: &'a Source,
    /// How.
    pub(in super::super) options: &'a RunOptions,
    /// What compiles.
    pub(in super::super) compiler: &'a dyn Compiler,
    /// Its module.
    pub(in super::super) prepared: &'a Prepared,
    /// What need not be checked.
    pub(in super::super) skips: &'a Skips,
}

impl Started<'_> {
    /// Runs on the first GPU of the driver.
    pub(in super::super) fn run(
        &self,
        driver: Option<&Path>,
        map: Arc<SourceMap>,
        module: FileId,
    ) -> anyhow::Result<RunOutcome> {
        let Started { source, options, compiler, prepared, skips } = self;
        let ready = || -> Result<_, Finding> {
            let kernel = select(prepared, options)?;
            let skips = (options.checks != Checks::Off).then_some(*skips);
            let code = device_code(prepared, skips, &options.compile, Some(&kernel.name))?;
            let of = code.kernels.iter().find(|it| it.name == kernel.name);
            let parameters = of.map(|it| it.parameters.clone()).unwrap_or_default();
            let contents = contents(&parameters, options)?;
            check_outs((source, &map), &contents, options)?;
            let given = (&parameters[..], &contents[..]);
            check_arrays(
                source,
                (options, *compiler),
                prepared.has_contracts,
                &kernel.name,
                given,
            )?;
            let driver = Driver::open(driver).map_err(no_driver)?;
            let (job, names) = self.job(&code, &kernel.name, &parameters, &contents)?;
            let done =
                launch::run(&driver, &job).map_err(|fault| refusal(&fault, &kernel.display))?;
            let sites = sites::places(&code.sites, &map, module, source);
            let events = events(&done, &job, &sites, &names);
            let how = format!("on a GPU ({})", done.device);
            let sizes = super::super::launch(options, prepared.target);
            let findings = findings_of(&kernel.display, &sites, &sizes, &events, &how);
            Ok((kernel, contents, done, findings))
        };
        let (kernel, contents, done, findings) = match ready() {
            Ok(ready) => ready,
            Err(finding) => return Ok(RunOutcome::refused(&map, finding)),
        };
        let brought = brought(&done, &contents);
        let written = brought.as_ref().map(|memory| write_outs(&contents, memory, &options.outs));
        let report = KernelReport {
            name: kernel.display.as_str().into(),
            symbol: kernel.name.as_str().into(),
            place: None,
            verdicts: Default::default(),
            findings,
        };
        let told = gaps(&done).into_iter().map(|it| format!("warning: {it}\n"));
        Ok(RunOutcome {
            report: Report::new(map, vec![report], written.unwrap_or_default()),
            warnings: prepared.warnings.clone() + &told.collect::<String>(),
            printed: String::new(),
            accesses: done.counters.map_or(0, |it| it.accesses),
            switches: 0,
            stackless: false,
            shadow_bytes: done.shadow_bytes,
            elapsed: done.elapsed,
            processor: Duration::ZERO,
            rests_on: Vec::new(),
            memory: brought,
        })
    }

    /// The launch, and the names of its memory.
    pub(super) fn job<'j>(
        &self,
        code: &'j DeviceCode,
        kernel: &'j str,
        parameters: &[Parameter],
        contents: &[Buffer],
    ) -> Result<(Job<'j>, Names), Finding> {
        let options = self.options;
        known_names(parameters, options)?;
        let mut arguments = Vec::new();
        for parameter in parameters {
            let Parameter { name, kind, offset: _, bytes } = parameter;
            arguments.push(match kind {
                ParameterKind::Pointer => {
                    let index = contents.iter().position(|it| it.name == *name);
                    Argument::Buffer(index.unwrap_or(0))
                }
                ParameterKind::SharedPointer => {
                    let why =
                        format!("`{name}` points to shared memory, which no CUDA kernel is given");
                    return Err(bad(&why).help("run without `--device=gpu` to use the CPU"));
                }
                ParameterKind::Int | ParameterKind::Float | ParameterKind::Bytes => {
                    let mut value = scalar(parameter, options)?.unwrap_or_default();
                    value.resize(*bytes, 0);
                    Argument::Bytes(value)
                }
            });
        }
        let before = memory(contents)?;
        let named =
            |name: &str, len, element| Variable { name: name.to_owned(), address: 0, len, element };
        let mut names: Vec<_> =
            contents.iter().map(|it| named(&it.name, it.bytes(), it.element.bytes())).collect();
        names
            .extend(code.variables.iter().map(|(name, element)| named(name, usize::MAX, *element)));
        let job = Job {
            ptx: &code.ptx,
            kernel,
            grid: options.grid,
            block: options.block,
            dynamic_shared: dynamic_shared(options),
            buffers: (0..contents.len()).map(|n| before.bytes(n).to_vec()).collect(),
            arguments,
            variables: code.variables.iter().map(|(name, _)| name.clone()).collect(),
            shift: code.shift,
            bounds: code.bounds,
            checked: !code.sites.is_empty(),
            timeout: options.timeout,
            delays: 0,
        };
        let shared = code.shared.iter().map(|it| Variable {
            name: it.name.clone(),
            address: it.offset,
            len: it.bytes,
            element: it.element,
        });
        Ok((job, Names { global: names, shared: shared.collect() }))
    }
}

/// The buffers as the device left them.
fn brought(done: &Done, contents: &[Buffer]) -> Option<heddle_runtime::Memory> {
    if done.buffers.len() != contents.len() {
        return None;
    }
    let mut memory = memory(contents).ok()?;
    for (n, bytes) in done.buffers.iter().enumerate() {
        memory.bytes_mut(n).copy_from_slice(bytes);
    }
    Some(memory)
}

fn no_driver(why: String) -> Finding {
    bad(&format!("no CUDA driver found: {why}")).help("run without `--device=gpu` to use the CPU")
}

fn refusal(fault: &Fault, kernel: &str) -> Finding {
    match fault {
        Fault::Driver(error) => bad(&format!("the CUDA driver refuses to run `{kernel}`: {error}"))
            .help("run without `--device=gpu` to use the CPU"),
        Fault::Module(error, log) => {
            let finding =
                bad(&format!("the CUDA driver does not load the PTX of `{kernel}`: {error}"));
            let finding = log.lines().take(20).fold(finding, |finding, line| finding.note(line));
            finding.help("choose the architecture of the device with `--arch`")
        }
        Fault::Version(why) => bad(&format!("`{kernel}` cannot be run: {why}"))
            .help("instrument it anew with this version"),
        Fault::TooLarge(why) => {
            bad(&format!("`{kernel}` cannot be run: {why}")).help("run it with a smaller launch")
        }
    }
}
