//! Compares what the checker says with what runs show.
//!
//! *Proved* is wrong if a run that keeps all named assumptions violates the property, and violates
//! nothing besides that is not proved (a kernel with another race has no claim on what follows it).
//! *Refuted* is wrong if neither the run that it describes nor any other that is tried violates the
//! property.
//!
//! **Promises**: an assumption that is not known here is a failure of its own, never an excuse.
//! **Does not**: find all wrong verdicts: runs are samples.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::ask::{Answer, Claim, Said, ask, processor_time};
use crate::case::Case;
use crate::code::Code;
use crate::lower::lower;
use crate::machine::{End, Outcome, Setup, run};
use crate::meet::UNFIT;
use crate::memory::OUTSIDE;
use crate::races::{Certainty, Placement};
use crate::setups::{Effort, described, setups};

/// Why a run is undefined that breaks `__builtin_assume`.
pub(crate) const BROKEN_ASSUMPTION: &str = "a broken assumption of the program";

/// A kernel that takes longer is a failure.
const SLOW: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) enum Kind {
    WrongProved(Claim),
    WrongRefuted(Claim),
    /// All runs that the refutation describes are undefined.
    RefutedByUndefined(Claim),
    UnknownAssumption,
    Fault,
    Slow,
}

impl Kind {
    pub(crate) fn text(self) -> String {
        match self {
            Kind::WrongProved(claim) => format!("{} proved, but a run violates it", claim.name()),
            Kind::WrongRefuted(claim) => format!("{} refuted, but no run does", claim.name()),
            Kind::RefutedByUndefined(claim) => {
                format!("{} refuted by a run that is undefined", claim.name())
            }
            Kind::UnknownAssumption => "an assumption that the evaluator does not know".to_owned(),
            Kind::Fault => "a fault of the checker".to_owned(),
            Kind::Slow => "took longer than 20 s".to_owned(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    /// What the run was, or the message.
    pub(crate) detail: String,
}

/// All that is known of a case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) rejected: Option<String>,
    pub(crate) said: BTreeMap<Claim, &'static str>,
    /// Properties that some run violated.
    pub(crate) violated: BTreeSet<Claim>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) runs: usize,
    pub(crate) undefined_runs: usize,
    /// Refutations whose run is too large to try.
    pub(crate) too_large: usize,
    /// Refutations whose runs rest on memory that nobody wrote, or leave an object.
    pub(crate) not_judged: usize,
    pub(crate) unconfirmed: usize,
    /// What the check took, and what the runs took after it.
    pub(crate) took: Duration,
    pub(crate) ran: Duration,
}

/// Checks and runs a case.
pub(crate) fn judge(case: &Case, effort: Effort, seed: u64) -> Judgement {
    let mut out = Judgement::default();
    let code = match lower(&case.program) {
        Ok(code) => code,
        Err(error) => {
            out.rejected = Some(format!("not lowered: {error}"));
            return out;
        }
    };
    let (said, took) = match ask(case, effort.full) {
        Answer::Verdicts { said, took } => (said, took),
        Answer::Rejected(error) => {
            out.rejected = Some(format!("not compiled: {error}"));
            return out;
        }
        Answer::Fault(message) => {
            out.failures.push(Failure { kind: Kind::Fault, detail: message });
            return out;
        }
    };
    out.took = took;
    if took > SLOW {
        let detail = format!("{} s", took.as_secs());
        out.failures.push(Failure { kind: Kind::Slow, detail });
    }
    for (claim, said) in &said {
        out.said.insert(
            *claim,
            match said {
                Said::Proved(_) => "proved",
                Said::Refuted(_) => "refuted",
                Said::Unknown => "unknown",
            },
        );
    }
    let start = processor_time();
    let tried = setups(case, &code, effort, seed, false);
    let mut outcomes: Vec<(Setup, Outcome, bool)> = Vec::new();
    for setup in tried {
        let outcome = run(&code, &setup);
        outcomes.push((setup, outcome, false));
    }
    let pointers_may_meet = said.values().any(|it| match it {
        Said::Proved(assumed) => !assumed.iter().any(|it| it.contains("do not overlap")),
        Said::Refuted(_) | Said::Unknown => false,
    });
    let pointers = outcomes.first().is_some_and(|(setup, ..)| {
        let is_pointer =
            |it: &&crate::machine::Argument| matches!(it, crate::machine::Argument::Pointer { .. });
        setup.arguments.iter().filter(is_pointer).count() > 1
    });
    if pointers_may_meet && pointers {
        let few = Effort { runs: 3, ..effort };
        for setup in setups(case, &code, few, seed, true) {
            let outcome = run(&code, &setup);
            outcomes.push((setup, outcome, true));
        }
    }
    out.runs = outcomes.len();
    for (_, outcome, aliased) in &outcomes {
        out.undefined_runs += usize::from(matches!(outcome.end, End::Undefined(_)));
        if !aliased {
            out.violated.extend(violations(outcome, Certainty::Sure).iter());
        }
    }
    for (claim, said_of) in &said {
        match said_of {
            Said::Proved(assumed) => {
                check_proof(*claim, assumed, &said, &outcomes, &mut out);
            }
            Said::Refuted(runs) => {
                check_refutation(case, &code, *claim, runs, effort, &outcomes, &mut out);
            }
            Said::Unknown => {}
        }
    }
    out.ran = processor_time().saturating_sub(start);
    out
}

/// Properties that some run of a case violates which keeps these assumptions, without asking the
/// checker.
pub(crate) fn seen_violations(
    case: &Case,
    code: &Code,
    assumed: &[String],
    effort: Effort,
    seed: u64,
) -> BTreeSet<Claim> {
    let setups = setups(case, code, effort, seed, false);
    let runs = setups.iter().map(|setup| run(code, setup));
    let runs = runs.filter(|outcome| !is_excluded(assumed, outcome, false));
    runs.flat_map(|outcome| violations(&outcome, Certainty::Sure)).collect()
}

/// Whether a run breaks one of the assumptions.
fn is_excluded(assumed: &[String], outcome: &Outcome, aliased: bool) -> bool {
    let has = |part: &str| assumed.iter().any(|it| it.contains(part));
    has("stays in the signed range of its width") && outcome.wrapped != [false; 2]
        || has("cut to 32 stays in the signed range of 32") && outcome.cut == [true; 2]
        || has("sizes compared as such, are below")
            && (outcome.large_unsigned || outcome.negative && outcome.compared_large)
        || has("counters start at zero") && outcome.odd_counter
        || has("waits for is zero at the start") && outcome.odd_start
        // What a pointer in memory leads to is nothing that the evaluator knows.
        || has("pointers that lie in memory")
        // The evaluator takes volatile accesses for plain ones.
        || has("volatile accesses are relaxed")
        || has("do not overlap") && aliased
        || has("start where pointer arguments point") && outcome.below
        || has("indices stay in the arrays") && (outcome.left_row || outcome.left_array)
        || has("accesses stay in their objects") && outcome.left_array
        || has("barriers do not wait for exited threads") && outcome.ended_behind
        || has("barriers are uniform")
            && matches!(outcome.end, End::Divergence | End::PerhapsDivergence)
}

/// Properties that a run violates.
fn violations(outcome: &Outcome, least: Certainty) -> BTreeSet<Claim> {
    let mut found = BTreeSet::new();
    match (outcome.end, least) {
        (End::Divergence, _) | (End::PerhapsDivergence, Certainty::Maybe) => {
            found.insert(Claim::Divergence);
        }
        (End::Deadlock, Certainty::Sure) => {
            found.insert(Claim::Named);
        }
        (End::Deadlock, Certainty::Maybe) => found.extend([Claim::Named, Claim::Divergence]),
        (End::PerhapsDivergence | End::Undefined(_) | End::Exhausted, Certainty::Sure) => {
            return found;
        }
        (End::Undefined(_) | End::Exhausted, Certainty::Maybe) | (End::Done, _) => {}
    }
    for race in outcome.races.iter().filter(|it| it.certainty >= least) {
        found.insert(match race.placement {
            Placement::Warp => Claim::Warp,
            Placement::Block => Claim::Block,
            Placement::Grid => Claim::Grid,
        });
    }
    found
}

fn check_proof(
    claim: Claim,
    assumed: &[String],
    said: &BTreeMap<Claim, Said>,
    outcomes: &[(Setup, Outcome, bool)],
    out: &mut Judgement,
) {
    for text in assumed {
        if !KNOWN.iter().any(|known| text.contains(known)) && !text.starts_with('`') {
            let detail = text.clone();
            out.failures.push(Failure { kind: Kind::UnknownAssumption, detail });
        }
    }
    for (setup, outcome, aliased) in outcomes {
        if is_excluded(assumed, outcome, *aliased) {
            continue;
        }
        let violated = violations(outcome, Certainty::Sure);
        let all = violations(outcome, Certainty::Maybe);
        let proved = |it: &Claim| matches!(said.get(it), Some(Said::Proved(_)));
        // Who is not asked for has no say: named barriers of a kernel without any.
        let others = all.iter().filter(|it| said.contains_key(it));
        if violated.contains(&claim) && others.clone().all(proved) {
            let detail = described_run(setup, outcome, *aliased);
            out.failures.push(Failure { kind: Kind::WrongProved(claim), detail });
            return;
        }
    }
}

/// Assumptions whose meaning is known here, by a part of their text.
const KNOWN: [&str; 31] = [
    "any launch",
    "grid=",
    "global ids are below 2^31",
    // The evaluator's launches have none.
    "the global offset is zero",
    "the grid has fewer than 2^31 threads",
    "stays in the signed range of its width",
    "cut to 32 stays in the signed range of 32",
    "sizes compared as such, are below 2^31",
    "loops run fewer than 2^31 iterations",
    // The properties about races say whether one does, and a run that races counts only where they
    // are all proved.
    "stores race with no load",
    "before it returned",
    // The evaluator reads such memory like any other: what races there counts.
    "memory that is read as read-only",
    "all work-groups have one size",
    "all blocks are resident together",
    "launched as in its source",
    "launched as at ",
    "atomic counters start at zero",
    "memory that the kernel writes and waits for is zero at the start",
    "volatile accesses are relaxed atomics",
    "dimensions that the kernel never reads are 1",
    "pointer arguments do not overlap",
    "pointers that lie in memory lead to buffers of their own",
    "accesses stay in their objects",
    "addresses are aligned as the types that are accessed there",
    "indices stay in the arrays that they are of",
    "blocks of a cluster run while others access their shared memory",
    "shared arrays start at multiples of what addresses in them are rounded to",
    "barriers are uniform",
    "work-groups copy, and wait for copies, together",
    "threads and bulk copies are fenced from each other",
    "barriers do not wait for exited threads",
];

fn described_run(setup: &Setup, outcome: &Outcome, aliased: bool) -> String {
    let Setup { grid, block, arguments, schedule, .. } = setup;
    let mut arguments: Vec<String> = arguments
        .iter()
        .map(|it| match it {
            crate::machine::Argument::Scalar(bits) => format!("{}", *bits as i64),
            crate::machine::Argument::Pointer { fill, .. } => format!("{fill:?}"),
        })
        .collect();
    if aliased {
        arguments.push("all pointers into one buffer".to_owned());
    }
    let races: Vec<String> = outcome
        .races
        .iter()
        .filter(|it| it.certainty == Certainty::Sure)
        .map(|it| {
            let [a, b] = it.threads;
            format!(
                "{:?}: threads {a} and {b} at {:#x}+{}",
                it.placement, it.at.object, it.at.offset
            )
        })
        .collect();
    format!(
        "grid {grid:?} block {block:?} arguments ({}) {schedule:?}: {:?}; {}",
        arguments.join(", "),
        outcome.end,
        races.join("; ")
    )
}

fn check_refutation(
    case: &Case,
    code: &Code,
    claim: Claim,
    runs: &[crate::ask::Run],
    effort: Effort,
    outcomes: &[(Setup, Outcome, bool)],
    out: &mut Judgement,
) {
    out.unconfirmed += runs.iter().filter(|it| !it.confirmed).count();
    let violates = |outcome: &Outcome| {
        violations(outcome, Certainty::Maybe).contains(&claim)
            || outcome.exited_early && claim != Claim::Divergence
            // `bar.sync` is for whole warps at one place; whether a lane that ends was one of them
            // is a matter of time.
            || outcome.unaligned && claim == Claim::Named
    };
    if outcomes.iter().any(|(_, outcome, aliased)| !aliased && violates(outcome)) {
        return;
    }
    let mut defined = 0;
    let mut undefined = "";
    let mut last = None;
    for it in runs.iter().take(3) {
        let setups = described(case, code, it, effort);
        // A counter tells how many blocks there are.
        let blocks = it.grid.iter().fold(1u64, |all, size| all.saturating_mul(u64::from(*size)));
        let in_part = code.has_atomics
            && setups.first().is_some_and(|it| (it.resident.len() as u64) < blocks);
        if setups.is_empty() || in_part {
            out.too_large += 1;
            return;
        }
        for setup in setups {
            let outcome = run(code, &setup);
            // What follows a divergence, nobody can say.
            let parted =
                matches!(outcome.end, End::Divergence | End::PerhapsDivergence | End::Deadlock);
            // Nor what others read after a race.
            let raced = !outcome.races.is_empty();
            if violates(&outcome) || outcome.end == End::Exhausted || parted || raced {
                return;
            }
            match outcome.end {
                End::Undefined(why) => undefined = why,
                End::Done
                | End::Divergence
                | End::PerhapsDivergence
                | End::Deadlock
                | End::Exhausted => defined += 1,
            }
            last = Some((setup, outcome));
        }
    }
    let Some((setup, outcome)) = last else { return };
    let confirmed = if runs.iter().all(|it| it.confirmed) { "confirmed" } else { "unconfirmed" };
    let detail = format!(
        "{confirmed}; its run: {} {:?}",
        described_run(&setup, &outcome, false),
        setup.patches
    );
    // Where memory that nobody wrote decides, the run may be one of those that are not tried here;
    // and what is undefined in C may have a meaning in LLVM's IR, which is what is checked. Under
    // another schedule another thread may leave an object, or arrive where it does not fit.
    let is_left = [OUTSIDE, UNFIT].contains(&undefined);
    if defined == 0 && undefined != BROKEN_ASSUMPTION || is_left {
        out.not_judged += 1;
        return;
    }
    let kind =
        if defined > 0 { Kind::WrongRefuted(claim) } else { Kind::RefutedByUndefined(claim) };
    let detail = if defined > 0 { detail } else { format!("{undefined}: {detail}") };
    out.failures.push(Failure { kind, detail });
}
