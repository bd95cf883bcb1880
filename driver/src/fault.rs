//! Kernels about which nothing can be said. A fault of ours, a panic or a broken invariant, turns
//! into a finding HD0999, for one kernel or one input, and the rest of the run goes on; a kernel
//! that is in no module is named.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use heddle_diagnostics::{Code, Finding, KernelReport, Reason, Verdict};
use heddle_passes::PASSES;

/// Runs `work`; of a panic the message. What `work` was changing must not be used after a panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| text_of(payload.as_ref()))
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&'static str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

/// The report of a kernel about which nothing can be said: each selected property is unknown.
pub(super) fn unanswered(
    name: &str,
    symbol: &str,
    selected: &[String],
    what: &str,
    detail: &str,
) -> KernelReport {
    let finding = Finding::new(Code::InternalError, what).kernel(name);
    all_unknown(name, symbol, selected, Code::InternalError, what, advised(finding, detail))
}

/// The report of a kernel that the source has and its module lacks.
pub(super) fn missing(name: &str, symbol: &str, selected: &[String]) -> KernelReport {
    let what = format!("the kernel `{name}` is not checked: nothing in this file instantiates it");
    let code = Code::UnmodelledInstruction;
    let finding = Finding::new(code, what.as_str()).kernel(name).help(
        "instantiate the template in the file, as in `template __global__ void k<float>(float *);`, or say `--allow-missing`",
    );
    all_unknown(name, symbol, selected, code, &what, finding)
}

fn all_unknown(
    name: &str,
    symbol: &str,
    selected: &[String],
    code: Code,
    what: &str,
    finding: Finding,
) -> KernelReport {
    let reason = Reason::new(code, what);
    let verdicts: BTreeMap<_, _> = PASSES
        .iter()
        .filter(|pass| pass.is_wanted(selected, &[]))
        .map(|pass| (pass.property(), Verdict::unknown(reason.clone())))
        .collect();
    KernelReport {
        name: name.into(),
        symbol: symbol.into(),
        place: None,
        verdicts,
        findings: vec![finding],
    }
}

/// A fault that happened before there was a kernel.
pub(super) fn of_input(path: &str, detail: &str) -> Finding {
    let message = format!("{path}: reading this input failed inside Heddle");
    advised(Finding::new(Code::InternalError, message), detail)
}

fn advised(finding: Finding, detail: &str) -> Finding {
    finding.note(detail).help(
        "this is not your kernel's fault: please report it, with the input and the command line",
    )
}
