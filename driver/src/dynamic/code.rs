//! How a kernel is compiled for a run: threads with stacks or without, and on how many cores.

use heddle_execute::instrument::Skips;
use heddle_execute::jit::{Compiled, Unsupported, compile, compile_stackless};
use heddle_frontend::Prepared;
use heddle_lift::prepare::Kernel;
use heddle_runtime::Schedule;

use super::{Checks, RunOptions};

/// Whether threads run by number, so that those which do not communicate need no stacks.
pub(super) fn in_order(options: &RunOptions) -> bool {
    match options.schedule {
        Schedule::RoundRobin | Schedule::Reverse => true,
        Schedule::Random | Schedule::Priorities => false,
    }
}

/// The kernel as native code, with threads that have no stacks if that is asked for and can be.
pub(super) fn native(
    prepared: &Prepared,
    kernel: &Kernel,
    skips: Option<&Skips>,
    stackless: bool,
) -> Result<Compiled, Unsupported> {
    let clusters = kernel.cluster.is_some_and(|it| it != [1; 3]);
    let how = if stackless && !clusters { compile_stackless } else { compile };
    how(prepared, kernel, skips, &heddle_runtime::symbols())
}

/// Operating system threads for a run. Several where the outcome is then the same as with one:
/// blocks do not communicate, and each runs in the order of its threads.
pub(super) fn threads(options: &RunOptions, compiled: &Compiled) -> u32 {
    let checked = options.checks != Checks::Off;
    if compiled.communicates || !in_order(options) || !checked {
        return 1;
    }
    let cores = || std::thread::available_parallelism().map_or(1, |it| it.get() as u32);
    let blocks: u64 = options.grid.iter().map(|it| u64::from(*it)).product();
    options.threads.unwrap_or_else(cores).clamp(1, blocks.clamp(1, 256) as u32)
}
