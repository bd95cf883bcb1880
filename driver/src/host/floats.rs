//! Floats that the host passes.

use heddle_frontend::host::HostLaunch;
use heddle_ir::{ExprId, Kernel};

/// Whether an argument is, or may be, a float that is no number: which bits that has is the
/// compiler's choice, and that of the host's program may be another one.
pub(super) fn holds_nan(kernel: &Kernel, launch: &HostLaunch, index: u32, value: ExprId) -> bool {
    let param = &kernel.params[index as usize];
    let mut found = false;
    launch.pool.for_each_below(value, |it| {
        let bits = launch.pool.as_const(it);
        found |= bits.is_some_and(|bits| param.is_nan(bits, launch.pool.width(it)));
    });
    found
}

/// The parameters that are given such a float.
pub(super) fn not_numbers(kernel: &Kernel, launch: &HostLaunch) -> Vec<String> {
    let args = (0..).zip(&launch.args);
    let given =
        args.filter(|(index, it)| it.is_some_and(|it| holds_nan(kernel, launch, *index, it)));
    given.map(|(index, _)| kernel.params[index as usize].name.clone()).collect()
}
