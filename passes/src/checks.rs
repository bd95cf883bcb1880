//! The checks, and the one function that runs them over a kernel.
//!
//! A check states its violation, words what it found, and has a row in [`PASSES`].

mod assertions;
mod async_copies;
mod bounds;
pub(crate) mod divergence;
mod exchanges;
pub mod named_barriers;
pub(crate) mod pass;
pub mod progress;
pub(crate) mod races;
mod uninitialised;
mod vacuity;

use std::collections::BTreeMap;
use std::time::Instant;

use heddle_diagnostics::{Assumption, Findings, KernelReport, Property, Reason, Verdict};
use heddle_ir::Kernel;

use self::assertions::Assertions;
use self::async_copies::AsyncCopies;
use self::bounds::Bounds;
use self::divergence::BarrierDivergence;
use self::named_barriers::NamedBarriers;
use self::pass::Pass;
use self::progress::ForwardProgress;
use self::races::{InterBlockRace, IntraBlockRace, IntraWarpRace};
use self::uninitialised::UninitialisedShared;
use crate::engine::cx::Cx;
use crate::engine::explain::explain;
use crate::engine::nests::flattened;
use crate::engine::options::Options;
use crate::engine::place::Places;
use crate::engine::profile::Spent;
use crate::facts::launch::Launch;

/// All passes, in the order in which they run.
pub static PASSES: &[&dyn Pass] = &[
    &BarrierDivergence,
    &NamedBarriers,
    &IntraWarpRace,
    &IntraBlockRace,
    &InterBlockRace,
    &AsyncCopies,
    &Bounds,
    &UninitialisedShared,
    &Assertions,
    &ForwardProgress,
];

/// What the proof of a property shows of what the others take for granted.
const SHOWN: [(Property, Assumption); 2] = [
    (Property::Bounds, Assumption::InBounds),
    (Property::BarrierDivergence, Assumption::UniformBarriers),
];

/// The verdicts where what some take for granted is shown by others. Each of these proofs is about
/// runs up to their first violation, whatever that violates: up to there accesses have stayed in
/// their objects, and each barrier that threads have passed was passed by all of them. The first
/// violation of a run is one of some property, whose proof excludes it.
///
/// Forward progress speaks of barriers of parts of a block, too, which `barrier-divergence` does
/// not: in a kernel that has any it goes on to name that barriers are uniform.
fn discharged(
    kernel: &Kernel,
    verdicts: BTreeMap<Property, Verdict>,
) -> BTreeMap<Property, Verdict> {
    let mut shown = Vec::new();
    for (property, assumption) in SHOWN {
        if let Some(Verdict::Proved(proof)) = verdicts.get(&property) {
            shown.push((assumption, proof.clone()));
        }
    }
    let meets_in_part = kernel.ops.values().any(|op| progress::meets_in_part(&op.kind));
    let answer = |(property, verdict): (Property, Verdict)| {
        let answer = match meets_in_part && property == Property::Progress {
            true => verdict,
            false => verdict.shown_by(&shown),
        };
        (property, answer)
    };
    verdicts.into_iter().map(answer).collect()
}

/// Whether some launch fits all that is said of it.
pub fn is_possible(kernel: &Kernel, options: &Options, places: &Places) -> bool {
    let launch = Launch::resolve(kernel, &options.request);
    !vacuity::is_excluded(&Cx::new(kernel, &launch, options, places))
}

/// Runs a pass. What it takes besides questions (facts, traces, replays) is written down as one
/// thing.
fn measured(cx: &Cx<'_>, pass: &dyn Pass, findings: &mut Findings) -> Verdict {
    let kernel = cx.kernel.display_name.as_str();
    let _span = tracing::info_span!("pass", kernel, name = pass.name()).entered();
    let Some(profile) = &cx.options.profile else { return pass.run(cx, findings) };
    let (since, before) = (Instant::now(), profile.of_kernel(&cx.kernel.display_name));
    let verdict = pass.run(cx, findings);
    let questions = profile.of_kernel(&cx.kernel.display_name).saturating_sub(before);
    let took = since.elapsed().saturating_sub(questions);
    let what = format!("the rest of `{}`", pass.name());
    profile.add(Spent { took, ..cx.spent(&what, Vec::new()) });
    verdict
}

/// Runs the selected passes over a kernel.
pub fn check(kernel: &Kernel, options: &Options, places: &Places) -> KernelReport {
    let launch = Launch::resolve(kernel, &options.request);
    let cx = Cx::new(kernel, &launch, options, places);
    let flat = flattened(&cx.analysis);
    let cx = cx.with_flat(flat.as_ref());
    let wanted = |pass: &&&dyn Pass| pass.is_wanted(&options.selected, &options.extra);
    let mut findings = Findings::new();
    let contradiction = vacuity::contradiction(&cx);
    let mut verdict = |pass: &&dyn Pass| match &contradiction {
        Some(finding) => {
            let reason = Reason::new(finding.code, finding.message.as_str());
            Verdict::unknown(Reason { place: finding.place().cloned(), ..reason })
        }
        None => measured(&cx, *pass, &mut findings),
    };
    let verdicts: BTreeMap<_, _> = PASSES
        .iter()
        .filter(wanted)
        .filter(|pass| pass.concerns(kernel))
        .map(|pass| (pass.property(), verdict(pass)))
        .collect();
    let verdicts = discharged(kernel, verdicts);
    if let Some(why) = &options.why {
        explain(why, &cx, &verdicts);
    }
    findings.extend(contradiction);
    KernelReport {
        name: kernel.display_name.as_str().into(),
        symbol: kernel.name.as_str().into(),
        place: places.kernel(kernel),
        verdicts,
        findings: findings.into_vec(),
    }
}
