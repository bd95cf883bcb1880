//! A launch on a GPU as data: PTX, arguments and buffers, for a machine that has no front end.
//!
//! **Promises**: what is packed is what [`super::Started`] would launch. **Does not**: run it
//! (`heddle_runtime::gpu::worker` does).

use heddle_diagnostics::{Finding, SourceMap};
use heddle_frontend::compile::Compiler;
use heddle_runtime::gpu::kit::{Given, Step, Task, Writer};
use heddle_runtime::gpu::launch::Argument;

use super::super::{Checks, RunOptions, bad, contents, plans, select};
use super::{Started, device_code};
use crate::load::prepared;
use crate::source::Source;

/// A launch, packed.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The module.
    pub ptx: String,
    /// The kernel's symbol.
    pub kernel: String,
    /// Blocks, threads of a block, bytes of dynamic shared memory.
    pub size: ([u32; 3], [u32; 3], u32),
    /// Names and contents of the buffers.
    pub buffers: Vec<(String, Vec<u8>)>,
    /// The arguments, in order.
    pub arguments: Vec<Given>,
    /// Variables of the module that have a shadow.
    pub variables: Vec<String>,
    /// See [`Task::shift`].
    pub shift: u32,
    /// See [`Task::bounds`].
    pub bounds: bool,
    /// Sites of checks.
    pub sites: u32,
}

impl Packed {
    /// Puts it into a kit, as a task that can be changed before it is added.
    ///
    /// # Errors
    /// The kit cannot be written.
    pub fn into_task(
        self,
        kit: &Writer,
        step: Step,
        name: String,
        of: String,
    ) -> std::io::Result<Task> {
        let (grid, block, dynamic_shared) = self.size;
        let buffers =
            self.buffers.iter().map(|(_, bytes)| kit.blob(bytes)).collect::<Result<_, _>>();
        Ok(Task {
            step,
            name,
            of,
            ptx: kit.blob(self.ptx.as_bytes())?,
            kernel: self.kernel,
            grid,
            block,
            dynamic_shared,
            buffers: buffers?,
            arguments: self.arguments,
            variables: self.variables,
            shift: self.shift,
            bounds: self.bounds,
            sites: self.sites,
            timeout: 2_000,
            runs: 1,
            delays: false,
            until_found: false,
            tally: None,
            memory: None,
        })
    }
}

/// Packs the launch that the options name. The inner error says what is wrong with the input.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn pack(
    source: &Source,
    options: &RunOptions,
    compiler: &dyn Compiler,
) -> anyhow::Result<Result<Packed, Finding>> {
    let prepared = match prepared(source, &options.compile, compiler, &SourceMap::default()) {
        Ok(prepared) => prepared,
        Err(finding) => return Ok(Err(*finding)),
    };
    let skips = match options.checks {
        Checks::Off | Checks::All => heddle_execute::instrument::Skips::new(),
        Checks::Unproved => {
            let launch = plans::known_launch(options, &prepared);
            let how = (&options.compile, compiler);
            plans::skips(&plans::plans(source, how, launch, options.checks)?, &prepared)
        }
    };
    let ready = || -> Result<Packed, Finding> {
        let kernel = select(&prepared, options)?;
        let needed = options.cluster.is_some_and(|it| Some(it) != kernel.cluster);
        if needed && options.cluster != Some([1; 3]) {
            return Err(bad("a cluster that the code does not name cannot be launched"));
        }
        let checks = (options.checks != Checks::Off).then_some(&skips);
        let code = device_code(&prepared, checks, &options.compile, Some(&kernel.name))?;
        let of = code.kernels.iter().find(|it| it.name == kernel.name);
        let parameters = of.map(|it| it.parameters.clone()).unwrap_or_default();
        let contents = contents(&parameters, options)?;
        let started = Started { source, options, compiler, prepared: &prepared, skips: &skips };
        let (job, _) = started.job(&code, &kernel.name, &parameters, &contents)?;
        let given = |it: Argument| match it {
            Argument::Buffer(n) => Given::Buffer(n),
            Argument::Bytes(bytes) => Given::Bytes(bytes),
        };
        Ok(Packed {
            kernel: kernel.name.clone(),
            size: (job.grid, job.block, job.dynamic_shared),
            buffers: contents.iter().map(|it| it.name.clone()).zip(job.buffers).collect(),
            arguments: job.arguments.into_iter().map(given).collect(),
            variables: job.variables,
            shift: job.shift,
            bounds: job.bounds,
            sites: code.sites.len() as u32,
            ptx: code.ptx,
        })
    };
    Ok(ready())
}
