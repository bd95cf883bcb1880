//! Floats that the host passes.

use heddle_frontend::host::HostLaunch;
use heddle_ir::{ExprId, ExprKind, Kernel, ParamKind};

/// Whether an argument is, or may be, a float that is no number (NaN): the compiler of the host's
/// program may choose other bits for it. What is computed of floats is not followed, so that a
/// constant is the argument itself, or one of those that it is chosen from.
pub(super) fn holds_nan(kernel: &Kernel, launch: &HostLaunch, index: u32, value: ExprId) -> bool {
    let (param, pool) = (&kernel.params[index as usize], &launch.pool);
    if matches!(param.kind, ParamKind::Pointer(_)) {
        return false;
    }
    let mut work = vec![value];
    while let Some(at) = work.pop() {
        match pool[at].kind {
            ExprKind::Const(bits) if param.may_be_nan(bits, pool.width(at)) => return true,
            ExprKind::Select(_, a, b) => work.extend([a, b]),
            _ => {}
        }
    }
    false
}

/// The parameters that are given such a float.
pub(super) fn not_numbers(kernel: &Kernel, launch: &HostLaunch) -> Vec<String> {
    let args = (0..).zip(&launch.args);
    let given =
        args.filter(|(index, it)| it.is_some_and(|it| holds_nan(kernel, launch, *index, it)));
    given.map(|(index, _)| kernel.params[index as usize].name.clone()).collect()
}
