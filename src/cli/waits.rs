//! `heddle progress k.cu`: which forward-progress guarantee each kernel of a file needs, for one
//! launch.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use heddle_diagnostics::Assumption;
use heddle_diagnostics::render::{Colour, human, one_line};
use heddle_driver::{self as driver, Argument, CheckOptions, Size, Source};
use heddle_frontend::compile::Compiler;
use heddle_ir::{Kernel, OpKind, ParamKind, mask};
use heddle_passes::launch::reads_offset;
use heddle_progress::cli::{self, Exit, KernelArguments, Output};
use heddle_progress::kernel::{KernelLaunch, LaunchShape};
use heddle_progress::model::Criterion;

use super::sources::pass_on;
use super::watch;

/// What is asked of a file of kernels.
pub(super) struct Asked<'a> {
    pub(super) file: &'a PathBuf,
    pub(super) blocks: Option<u32>,
    pub(super) block: Option<Size>,
    pub(super) args: Vec<Argument>,
    pub(super) explain: Option<String>,
    pub(super) assume: Option<String>,
    pub(super) output: Output,
    pub(super) state_limit: usize,
}

/// Threads of a block where nothing says how many.
const THREADS: u32 = 64;

/// Answers for each kernel, and gives the worst exit.
pub(super) fn run(
    asked: Asked<'_>,
    compiler: &dyn Compiler,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let (explain, assume) = match (named(asked.explain.as_deref()), named(asked.assume.as_deref()))
    {
        (Ok(explain), Ok(assume)) => (explain, assume),
        (Err(message), _) | (_, Err(message)) => {
            writeln!(out, "error: {message}")?;
            return Ok(Exit::Usage);
        }
    };
    let sources = [Source::File(asked.file.clone())];
    let options = CheckOptions::default();
    let lifted =
        watch::watched(true, |progress| driver::lift(&sources, &options, compiler, progress))?;
    pass_on(&lifted.warnings);
    if lifted.report.findings().next().is_some() {
        let options = human::Options { colour: Colour::Never, ..human::Options::default() };
        write!(out, "{}", human::report(&lifted.report, options))?;
        return Ok(Exit::Usage);
    }
    let known = |name: &str| {
        lifted.kernels.iter().any(|kernel| kernel.params.iter().any(|param| param.name == name))
    };
    if let Some(unknown) = asked.args.iter().find(|it| !known(&it.name)) {
        writeln!(out, "error: `--arg {}=…`: no kernel has a parameter of this name", unknown.name)?;
        return Ok(Exit::Usage);
    }
    let mut worst = Exit::Proved;
    for (index, kernel) in lifted.kernels.iter().map(with_names_of_one_line).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let arguments = KernelArguments {
            kernel: &kernel,
            launch: launch(&kernel, &asked),
            explain,
            assume,
            granted: granted(&kernel),
            output: asked.output,
            state_limit: asked.state_limit,
        };
        let exit = cli::kernel(&arguments, out).context("the answer could not be written")?;
        // A refutation outlives an unknown elsewhere, as in the exit codes of `check`.
        worst = match (worst, exit) {
            (Exit::Usage, _) | (_, Exit::Usage) => Exit::Usage,
            (Exit::Refuted, _) | (_, Exit::Refuted) => Exit::Refuted,
            (Exit::Unknown, _) | (_, Exit::Unknown) => Exit::Unknown,
            (Exit::Proved, Exit::Proved) => Exit::Proved,
        };
    }
    Ok(worst)
}

/// The kernel with names that can be part of a line.
fn with_names_of_one_line(kernel: &Kernel) -> Kernel {
    let mut kernel = kernel.clone();
    kernel.display_name = one_line(&kernel.display_name);
    for param in &mut kernel.params {
        param.name = one_line(&param.name);
    }
    kernel
}

fn named(name: Option<&str>) -> Result<Option<Criterion>, String> {
    name.map(heddle_passes::progress::criterion).transpose()
}

/// What the launch that is followed takes for granted of a kernel, as `heddle check` names it.
fn granted(kernel: &Kernel) -> Vec<String> {
    let pointers = kernel.params.iter().filter(|it| matches!(it.kind, ParamKind::Pointer(_)));
    let has_barrier = kernel.ops.values().any(|op| matches!(op.kind, OpKind::Barrier(_)));
    [
        (pointers.count() > 1).then_some(Assumption::DistinctPointers),
        has_barrier.then_some(Assumption::UniformBarriers),
        reads_offset(kernel).then_some(Assumption::NoGlobalOffset),
    ]
    .into_iter()
    .flatten()
    .map(|it| it.to_string())
    .collect()
}

fn launch(kernel: &Kernel, asked: &Asked<'_>) -> KernelLaunch {
    let open = [kernel.launch.max_threads.map_or(THREADS, |most| most.min(THREADS)), 1, 1];
    let block = match asked.block {
        Some(Size::Known(size)) => size,
        Some(Size::Any) | None => kernel.launch.required_block.unwrap_or(open),
    };
    let value = |name: &str, width: u8| {
        let given = asked.args.iter().rev().find(|it| it.name == name)?;
        Some(mask(given.value as u128, width))
    };
    let args = kernel.params.iter().map(|param| match param.kind {
        ParamKind::Scalar { width } | ParamKind::Field { width, .. } => value(&param.name, width),
        ParamKind::Pointer(_) => None,
    });
    let warp_size = (kernel.target.warp_size != 0).then_some(kernel.target.warp_size);
    KernelLaunch {
        shape: LaunchShape::new([asked.blocks.unwrap_or(3), 1, 1], block, warp_size),
        global_offset: Some([0; 3]),
        args: args.collect(),
    }
}
