//! The condition that is missing: under which a property that is refuted for some arguments, or
//! that is unknown, is proved.
//!
//! **What**: a condition in the language of `--assume` ([`heddle_passes::condition`]) of one or two
//! simple parts, such as `stride >= 1`.
//! **Method**: candidates over the parameters and sizes that the runs name ([`candidates`]), simple
//! ones first. A candidate that a known run satisfies is left out. Each other one is assumed, and
//! the property checked again: it is proved, or there is one more run. Of what is unknown there is
//! no run to go by, and all candidates are assumed at once first ([`unknown`]). At most [`MOST`]
//! checks, or [`MOST_OF_UNKNOWN`].
//! **Sound because** the condition is printed only where the property is proved under it, by the
//! same check that `--assume` asks for. A condition that no launch satisfies proves nothing there.
//! **Misses**: weaker conditions of another form; what more than [`MOST`] checks would find.
//! **Assumes**: what the proof names.
//!
//! **Does not**: change a verdict: the property stays refuted, or unknown.

mod candidates;
mod unknown;

use heddle_diagnostics::{KernelReport, Property, Reach, Refutation, Verdict, Witness};
use heddle_ir::Kernel;
use heddle_passes::condition::{condition_text, parse_condition};
use heddle_passes::launch::LaunchRequest;
use heddle_passes::{Options, Places};

use candidates::{Candidate, holds};

/// Checks of one property at most.
const MOST: usize = 12;
/// The same, of one that is unknown.
const MOST_OF_UNKNOWN: usize = 16;

/// Says of what is refuted for some launches, or unknown, under which condition it is proved.
pub(crate) fn conditions(
    kernel: &Kernel,
    places: &Places,
    asked: &dyn Fn(&LaunchRequest) -> Options,
    request: &LaunchRequest,
    report: &mut KernelReport,
) {
    let mut kernel = kernel.clone();
    let mut found: Vec<(Property, String)> = Vec::new();
    for (property, verdict) in &report.verdicts {
        let Verdict::Refuted(refutations) = verdict else { continue };
        let is_open = |it: &Refutation| it.witness.reach == Reach::Open;
        if !refutations.iter().all(is_open) {
            continue;
        }
        let runs = refutations.iter().map(|it| it.witness.clone()).collect();
        let mut search = Search { kernel: &mut kernel, places, asked, request, runs, left: MOST };
        // What helped another property is tried first.
        let known: Vec<String> = found.iter().map(|(_, text)| text.clone()).collect();
        if let Some(text) = search.run(*property, &known) {
            found.push((*property, text));
        }
    }
    for (property, text) in found {
        if let Some(Verdict::Refuted(all)) = report.verdicts.get_mut(&property) {
            let runs: Vec<Witness> = all.iter().map(|it| it.witness.clone()).collect();
            all.iter_mut().for_each(|it| it.witness.reach = Reach::Unless(text.clone()));
            let told = report.findings.iter_mut().filter_map(|it| it.witness.as_mut());
            told.filter(|it| runs.contains(it))
                .for_each(|it| it.reach = Reach::Unless(text.clone()));
        }
    }
    let mut known: Vec<String> = Vec::new();
    for (property, verdict) in &mut report.verdicts {
        let Verdict::Unknown(reasons) = verdict else { continue };
        let (runs, left) = (Vec::new(), MOST_OF_UNKNOWN);
        let mut search = Search { kernel: &mut kernel, places, asked, request, runs, left };
        if let Some(text) = search.settle(*property, reasons, &known) {
            reasons.iter_mut().for_each(|it| it.proved_if = Some(text.clone()));
            known.push(text);
        }
    }
}

struct Search<'a> {
    kernel: &'a mut Kernel,
    places: &'a Places,
    asked: &'a dyn Fn(&LaunchRequest) -> Options,
    request: &'a LaunchRequest,
    /// Runs that violate the property.
    runs: Vec<Witness>,
    /// Checks that are left.
    left: usize,
}

impl Search<'_> {
    fn run(&mut self, property: Property, known: &[String]) -> Option<String> {
        let all = candidates::of(self.kernel, &self.runs);
        let known = known.iter().filter_map(|text| Candidate::of(self.kernel, text));
        let first: Vec<Vec<Candidate>> = known.map(|it| vec![it]).collect();
        let one = all.iter().map(|it| vec![it.clone()]);
        let pairs = all
            .iter()
            .enumerate()
            .flat_map(|(n, a)| all[n + 1..].iter().map(move |b| vec![a.clone(), b.clone()]));
        let mut tried: Vec<Vec<Candidate>> = first.into_iter().chain(one).chain(pairs).collect();
        // Stable, so that simple ones stay before those that are less so.
        tried.sort_by_key(|parts| parts.iter().map(|it| it.cost).sum::<usize>());
        for parts in tried {
            if self.left == 0 {
                return None;
            }
            if self.runs.iter().any(|run| self.satisfies(run, &parts)) {
                continue;
            }
            self.left -= 1;
            if self.proves(property, &parts) {
                let texts: Vec<_> = parts.iter().map(|it| it.text.as_str()).collect();
                return Some(texts.join(" && "));
            }
        }
        None
    }

    /// Whether a run may satisfy all of them: none is known to be false.
    fn satisfies(&self, run: &Witness, parts: &[Candidate]) -> bool {
        parts.iter().all(|it| holds(self.kernel, it.condition, run) != Some(false))
    }

    /// Whether the property is proved where these hold. Remembers the run that shows that it is
    /// not.
    fn proves(&mut self, property: Property, parts: &[Candidate]) -> bool {
        match self.answer(property, parts) {
            Some(Verdict::Proved(_)) => true,
            Some(Verdict::Refuted(all)) => {
                self.runs.extend(all.iter().map(|it| it.witness.clone()));
                false
            }
            Some(Verdict::Unknown(_)) | None => false,
        }
    }

    /// The answer where these hold, if they can.
    fn answer(&mut self, property: Property, parts: &[Candidate]) -> Option<Verdict> {
        if !self.can_hold(parts) {
            return None;
        }
        let options = (self.asked)(&self.request_with(parts));
        let selected = vec![property.name().to_owned()];
        let options = Options { selected, extra: Vec::new(), ..options };
        heddle_passes::check(self.kernel, &options, self.places).verdicts.remove(&property)
    }

    /// Whether some launch fits these, and what is said of it.
    fn can_hold(&self, parts: &[Candidate]) -> bool {
        let options = (self.asked)(&self.request_with(parts));
        heddle_passes::is_possible(self.kernel, &options, self.places)
    }

    fn request_with(&self, parts: &[Candidate]) -> LaunchRequest {
        let mut request = self.request.clone();
        for Candidate { text, condition, cost: _ } in parts {
            request.assumptions.push((*condition, condition_text(self.kernel, *condition, text)));
        }
        request
    }
}

impl Candidate {
    fn of(kernel: &mut Kernel, text: &str) -> Option<Candidate> {
        let condition = parse_condition(kernel, text).ok()?;
        Some(Candidate { text: text.to_owned(), condition, cost: 0 })
    }
}
