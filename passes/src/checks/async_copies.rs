//! Asynchronous copies, as far as one thread is concerned: what is under way is left alone until
//! the thread has waited for it. Copies of a whole work-group: that is done by all of it alike
//! (`collective`), and waited for before the kernel ends (`ends`).
//!
//! **Misses**: `cp.async` that are not waited for at all and that nothing meets: these are a
//! warning.
//! **False alarms**: none; what a run does not show is `unknown`.
//! **Relies on**: accesses stay in their objects; distinct pointer arguments do not overlap.
//!
//! Method: each copy and each later access, or copy, of the same thread is one question to the
//! engine ([`crate::engine::pending`]). What other threads do belongs to the race properties.

mod collective;
mod ends;

use heddle_diagnostics::{
    Assumption, Code, Evidence, Findings, Method, Obligations, Property, Reason, Verdict,
};
use heddle_ir::{Kernel, OpId, OpKind};

use super::named_barriers::{Named, report_races, report_samples};
use super::pass::Pass;
use super::races::{
    by_the_issuer, collectives, grouped_sites, is_compared, is_followed, not_followed,
    one_per_lines, record, relied_on,
};
use crate::engine::answer::Held;
use crate::engine::cx::Cx;
use crate::engine::not_modelled;
use crate::engine::premises::Premises;

/// Own copies.
#[derive(Debug)]
pub(crate) struct AsyncCopies;

impl Pass for AsyncCopies {
    fn property(&self) -> Property {
        Property::AsyncCopies
    }

    fn summary(&self) -> &'static str {
        "no thread touches what an asynchronous copy of its own has under way"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::CopyUnderWay, Code::CollectiveCopy, Code::CopyNotWaitedFor, Code::CopyAbandoned]
    }

    fn concerns(&self, kernel: &Kernel) -> bool {
        let is_copy = |kind: &OpKind| matches!(kind, OpKind::AsyncCopy(_) | OpKind::EventWait(_));
        kernel.ops.values().any(|op| is_copy(&op.kind))
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        let mut obligations = Obligations::new(self.property(), Premises::of_memory(cx));
        let named = cx.shared::<Named>();
        if let Some(wrong) = named.wrong(cx) {
            obligations.leave_open(wrong);
        }
        let traced =
            if named.orders() { report_races(cx, &named, &mut obligations) } else { vec![] };
        let sampled = report_samples(cx, &named, &mut obligations);
        traced.into_iter().chain(sampled).for_each(|(_, finding)| out.push(finding));
        cx.kernel.for_each_op(|op, _| {
            let effects = cx.kernel[op].kind.effects();
            if let OpKind::AsyncCopy(_) = &cx.kernel[op].kind {
                let obligation = obligations.open();
                if is_compared(cx, op) {
                    // The trace has compared it with all that it meets.
                    obligations.discharge(obligation, Evidence::unconditional(Method::Trace));
                } else if is_followed(cx, op) {
                    // Its pairs are obligations of their own.
                    obligations.discharge(obligation, Held::at_once().evidence());
                } else {
                    obligations.give_up(obligation, unmodelled(cx, op, not_followed(cx, op)));
                }
            } else if let Some(name) = effects.not_modelled
                && !effects.touches.is_empty()
            {
                let at = cx.places.op(cx.kernel, op);
                obligations.leave_open(not_modelled::reason(name, "touch memory", at));
            }
        });
        let (mut findings, mut met) = (Vec::new(), Vec::new());
        by_the_issuer(cx, &grouped_sites(cx.kernel), |pair, answer| {
            let told = record(cx, &mut obligations, pair, answer);
            met.extend(told.as_ref().map(|_| pair.part.flight.copy));
            findings.extend(told.map(|finding| (self.property(), finding)));
        });
        one_per_lines(findings).into_iter().for_each(|(_, finding)| out.push(finding));
        // That copies are collective is shown below.
        let relied = relied_on(cx).into_iter();
        relied
            .filter(|it| *it != Assumption::CollectiveCopies)
            .for_each(|assumption| obligations.assume(assumption));
        let collectives = collectives(cx.kernel);
        collective::check(cx, &collectives, &mut obligations)
            .into_iter()
            .for_each(|finding| out.push(finding));
        ends::check(cx, &met, &mut obligations).into_iter().for_each(|finding| out.push(finding));
        obligations.all_listed();
        obligations.conclude()
    }
}

fn unmodelled(cx: &Cx<'_>, op: OpId, text: String) -> Reason {
    Reason::new(Code::UnmodelledInstruction, text).at(cx.places.op(cx.kernel, op))
}
