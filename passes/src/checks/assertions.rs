//! Assertions: no thread comes to a failing one.
//!
//! **What**: `assert` of device code, `__trap()` and `trap`: ends that fail the launch. Claims of
//! `heddle.h` (`heddle_assert`, `heddle_invariant`): conditions at a place.
//! **Method**: one question per end about one thread ([`crate::engine::alone`]): does some thread
//! come there? Of a claim: where its condition does not hold? An invariant that was shown by
//! induction ([`crate::engine::invariants`]) is not asked about again.
//! **Sound because**: the predicate of an end holds only for a thread that came past the assertions
//! before it. A claim ends nobody, and nothing is concluded from one that is not proved.
//! **Misses**: kernels whose only assertions stand in functions that are not followed, of which
//! nothing is said; an assertion that the compiler was told to drop (`NDEBUG`) is none.
//! **False alarms**: arguments, sizes and data that nobody passes; the finding says what its run
//! rests on.
//! **Assumes**: accesses stay in their objects; what the answer names.

use heddle_diagnostics::{Code, Finding, Findings, Obligations, Property, Reason, Verdict};
use heddle_ir::{Claim, ClaimKind, Ending, Kernel, LoopId, OpId, OpKind, Waits};

use super::pass::Pass;
use crate::engine::alone::settle_alone;
use crate::engine::cx::Cx;
use crate::engine::instance::{FrameId, Instance};
use crate::engine::invariants::shown;
use crate::engine::not_modelled;
use crate::engine::premises::Premises;
use crate::engine::replay::Want;
use crate::engine::settle::{Excuse, Failing, Settled};
use crate::engine::shown::{Shown, show};
use crate::engine::witness::iterations;
use crate::facts::invariants::claim;
use crate::facts::loads::relies_for;

/// The pass.
#[derive(Debug)]
pub(crate) struct Assertions;

impl Pass for Assertions {
    fn property(&self) -> Property {
        Property::Assertions
    }

    fn summary(&self) -> &'static str {
        "no assertion fails, and no thread traps"
    }

    fn codes(&self) -> &'static [Code] {
        &[Code::AssertionFails]
    }

    fn concerns(&self, kernel: &Kernel) -> bool {
        kernel.ops.keys().any(|op| is_checked(kernel, op))
    }

    fn run(&self, cx: &Cx<'_>, out: &mut Findings) -> Verdict {
        let mut obligations = Obligations::new(self.property(), Premises::of_memory(cx));
        let mut ends = Vec::new();
        cx.kernel.for_each_op(|op, _| {
            if is_checked(cx.kernel, op) {
                ends.push(op);
            }
            // A function that is not followed may assert.
            let effects = cx.kernel[op].kind.effects();
            if let (Some(Waits::NotModelled), Some(name)) = (effects.waits, effects.not_modelled) {
                let at = cx.places.op(cx.kernel, op);
                obligations.leave_open(not_modelled::reason(name, "end the launch", at));
            }
        });
        let answers = cx.answers(
            "assertions",
            &ends,
            |op| vec![*op],
            |op| match shown(&cx.analysis, *op) {
                Some(held) => Settled::Holds(held),
                None => settle_alone(cx, *op, Excuse::Nothing, |instance, frame| {
                    if let Some(claim) = claim(cx.kernel, *op) {
                        let holds = instance.at(frame, claim.condition);
                        let fails = instance.pool.not(holds);
                        instance.state(fails);
                    }
                }),
            },
        );
        for (op, answer) in ends.into_iter().zip(answers) {
            if let Some(finding) = record(cx, &mut obligations, op, answer) {
                out.push(finding);
            }
        }
        obligations.all_listed();
        obligations.conclude()
    }
}

/// Whether this is a place at which something may fail.
fn is_checked(kernel: &Kernel, op: OpId) -> bool {
    match claim(kernel, op).map(|it| it.kind) {
        Some(ClaimKind::Asserted | ClaimKind::Invariant) => true,
        Some(ClaimKind::Required | ClaimKind::Subscript) => false,
        None => kernel[op].kind == OpKind::Exit(Ending::Trap),
    }
}

/// The place in words.
fn named(kernel: &Kernel, op: OpId) -> String {
    match claim(kernel, op) {
        Some(Claim { kind: ClaimKind::Invariant, text, .. }) => format!("the invariant `{text}`"),
        Some(Claim { text, .. }) => format!("the assertion `{text}`"),
        None => "this assertion".to_owned(),
    }
}

fn record(
    cx: &Cx<'_>,
    obligations: &mut Obligations,
    op: OpId,
    answer: Settled<'_, FrameId>,
) -> Option<Finding> {
    let obligation = obligations.open();
    let place = cx.places.op(cx.kernel, op);
    match answer {
        Settled::Holds(held) => {
            let condition = claim(cx.kernel, op).map(|it| it.condition);
            let loads = relies_for(&cx.analysis, op, condition);
            obligations.discharge(obligation, held.given(loads).evidence());
            None
        }
        Settled::Open(why) => {
            let text =
                format!("could not tell whether {} fails: {}", named(cx.kernel, op), why.why);
            obligations.give_up(obligation, why.as_cause_of(Reason::new(why.code, text).at(place)));
            None
        }
        Settled::Fails(failing) => {
            let Failing { mut instance, model, made: frame } = *failing;
            let shown = show(cx, &mut instance, model, Want::End(op));
            let told = told(cx, op, &instance, frame, &shown);
            shown.close(obligations, obligation, told, |why, through| {
                let text = format!(
                    "{} may fail{through}; the run that was tried does not show it ({why})",
                    named(cx.kernel, op)
                );
                Reason::new(Code::Undecided, text).at(place)
            })
        }
    }
}

fn told(cx: &Cx<'_>, op: OpId, instance: &Instance<'_>, frame: FrameId, shown: &Shown) -> Finding {
    let kernel = cx.kernel;
    let mut witness = shown.run.witness(instance);
    let chain: &[LoopId] = cx.analysis.order.chain(op);
    witness.iterations = iterations(instance, &shown.model, [chain, chain], [frame, frame]);
    let (message, label) = match claim(kernel, op) {
        Some(claim) => (
            format!("{} does not hold", named(kernel, op)),
            format!("`{}` is false for {}", claim.text, witness.threads[0]),
        ),
        None => (
            "an assertion fails, or a thread traps".to_owned(),
            format!("here comes {}", witness.threads[0]),
        ),
    };
    Finding::new(Code::AssertionFails, message)
        .kernel(kernel.display_name.as_str())
        .label(cx.places.op(kernel, op), label)
        .help("mend the condition, or say what each launch satisfies (`--block`, `--arg`, `--assume`)")
        .witness(witness, shown.confirmation.clone())
}
