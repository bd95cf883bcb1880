//! What becomes of a fault of ours: a panic or a broken invariant turns into a finding HD0999, for one kernel or one
//! input, and the rest of the run goes on.

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
    let reason = Reason::new(Code::InternalError, what);
    let verdicts: BTreeMap<_, _> = PASSES
        .iter()
        .filter(|pass| selected.is_empty() || selected.iter().any(|it| it == pass.name()))
        .map(|pass| (pass.property(), Verdict::unknown(reason.clone())))
        .collect();
    let finding = Finding::new(Code::InternalError, what).kernel(name);
    KernelReport {
        name: name.into(),
        symbol: symbol.into(),
        place: None,
        verdicts,
        findings: vec![advised(finding, detail)],
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
