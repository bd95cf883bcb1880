//! Everything one run has to say, in a fixed order, and the exit code that follows from it.
//!
//! **Promises**: [`Report::new`] sorts kernels and findings by place, code and text, and drops
//! repeated findings and repeated kernels, so that the same input gives the same bytes whatever ran
//! in parallel; each reason of an unknown verdict has a finding, added where no pass reported one,
//! and shared by those with one cause. **Does not**: exit.

use std::sync::Arc;

use crate::code::Code;
use crate::exit::{self, ExitCode, FailOn};
use crate::finding::Finding;
use crate::kernel::KernelReport;
use crate::known::Known;
use crate::place_order::key_of_place;
use crate::scope::Scope;
use crate::source::SourceMap;
use crate::unknowns;
use crate::witness::Reach;

/// What was found in one run.
#[derive(Debug)]
pub struct Report {
    sources: Arc<SourceMap>,
    kernels: Vec<KernelReport>,
    findings: Vec<Finding>,
    fail_on: FailOn,
    gone: Vec<Known>,
    scope: Option<Scope>,
    partial: bool,
}

impl Report {
    /// From the kernels, and the findings that belong to none (bad input), in any order.
    pub fn new(
        sources: Arc<SourceMap>,
        mut kernels: Vec<KernelReport>,
        mut findings: Vec<Finding>,
    ) -> Report {
        settle(&sources, &mut findings);
        for kernel in &mut kernels {
            unknowns::tell(&sources, kernel);
            settle(&sources, &mut kernel.findings);
        }
        kernels.sort_by_cached_key(|kernel| {
            (
                kernel.place.as_ref().map(|place| key_of_place(&sources, place)),
                kernel.name.clone(),
                kernel.symbol.clone(),
            )
        });
        tell_once(&sources, &mut kernels);
        Report {
            sources,
            kernels,
            findings,
            scope: None,
            fail_on: FailOn::default(),
            gone: Vec::new(),
            partial: false,
        }
    }

    /// The same report, about this part of a project.
    #[must_use]
    pub fn of_project(self, scope: Scope) -> Report {
        Report { scope: Some(scope), ..self }
    }

    /// What part of a project this is about; `None` for files named one by one.
    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// The files that places point into.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// By place, then name.
    pub fn kernels(&self) -> &[KernelReport] {
        &self.kernels
    }

    /// Findings that belong to no kernel.
    pub fn loose_findings(&self) -> &[Finding] {
        &self.findings
    }

    /// All findings: those of no kernel first, then kernel by kernel, each part sorted by place.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(self.kernels.iter().flat_map(|kernel| &kernel.findings))
    }

    /// Whether it is one of several parts: kernels may all be in the others.
    pub(crate) fn is_part(&self) -> bool {
        self.scope.as_ref().is_some_and(|scope| scope.shard.is_some())
    }

    /// Whether some passes or kernels were left out.
    pub(crate) fn is_partial(&self) -> bool {
        self.partial
    }

    /// Says that some passes or kernels were left out, if they were.
    #[must_use]
    pub(crate) fn partial_if(self, partial: bool) -> Report {
        Report { partial: self.partial || partial, ..self }
    }

    /// The findings that nobody has accepted: those of no kernel first, then those at launches of
    /// the host's code, then by place, whichever kernel they are of.
    pub fn open_findings(&self) -> impl Iterator<Item = &Finding> {
        let open = |it: &&Finding| it.accepted.is_none();
        let of_kernels = self.kernels.iter().flat_map(|kernel| &kernel.findings);
        let mut of_kernels: Vec<_> = of_kernels.filter(open).collect();
        of_kernels.sort_by_cached_key(|it| {
            (!is_launched(it), it.place().map(|at| key_of_place(&self.sources, at)))
        });
        self.findings.iter().filter(open).chain(of_kernels)
    }

    /// Why a run that has no finding fails all the same: nothing was checked.
    pub(crate) fn nothing_checked(&self) -> Option<String> {
        let is_bad = self.findings().any(|it| it.code == Code::BadInput);
        if !self.kernels.is_empty() || self.is_part() || is_bad {
            return None;
        }
        Some(match &self.scope {
            Some(scope) if scope.units.is_empty() => {
                "no device code was checked: the project has no unit that compiles any".to_owned()
            }
            Some(_) => "no kernel was checked: the units of the project have none".to_owned(),
            None => "no kernel was checked: the inputs have none".to_owned(),
        })
    }

    /// What the baseline has and this run has not, in the files that were checked.
    pub(crate) fn gone(&self) -> &[Known] {
        &self.gone
    }

    /// The same report, put in order again after `change` was done to its kernels and loose
    /// findings.
    #[must_use]
    pub(crate) fn changed(
        self,
        change: impl FnOnce(&Arc<SourceMap>, &mut Vec<KernelReport>, &mut Vec<Finding>),
    ) -> Report {
        let Report { sources, mut kernels, mut findings, scope, fail_on, gone, partial } = self;
        change(&sources, &mut kernels, &mut findings);
        Report { scope, fail_on, gone, partial, ..Report::new(sources, kernels, findings) }
    }

    /// Says what the baseline has and this run has not.
    #[must_use]
    pub(crate) fn without(self, gone: Vec<Known>) -> Report {
        Report { gone, ..self }
    }

    /// Says what it takes to fail; a property that is unknown unless said.
    #[must_use]
    pub(crate) fn failing_on(self, fail_on: FailOn) -> Report {
        Report { fail_on, ..self }
    }

    /// How the run ends; `exit` has the table.
    pub fn exit_code(&self) -> ExitCode {
        exit::exit_code(&self.kernels, &self.findings, self.is_part(), self.fail_on)
    }
}

/// Drops kernels of which everything is said already: those of a header that several units of a
/// project include. The kernels are sorted; what they are sorted by may be equal for some that
/// differ, which are put into a fixed order here.
fn tell_once(sources: &SourceMap, kernels: &mut Vec<KernelReport>) {
    let same = |a: &KernelReport, b: &KernelReport| {
        (&a.place, &a.name, &a.symbol) == (&b.place, &b.name, &b.symbol)
    };
    if kernels.windows(2).all(|pair| !same(&pair[0], &pair[1])) {
        return;
    }
    let groups = kernels.chunk_by_mut(same);
    groups.filter(|group| group.len() > 1).for_each(|group| {
        group.sort_by_cached_key(|it| crate::record::write(sources, std::slice::from_ref(it), &[]))
    });
    kernels.dedup();
}

/// Whether a launch of the host's code has what was found: it is told first.
fn is_launched(finding: &Finding) -> bool {
    let reach = finding.witness.as_ref().map(|it| &it.reach);
    matches!(reach, Some(Reach::Launched(_)))
}

/// Sorts, and keeps one of several findings that say the same of the same places: the first
/// confirmed one if there is one, else the first.
fn settle(sources: &SourceMap, findings: &mut Vec<Finding>) {
    findings.sort_by_cached_key(|finding| {
        let labels = finding.labels.iter();
        let place = finding.place().map(|place| key_of_place(sources, place));
        let places: Vec<_> = labels.map(|label| key_of_place(sources, &label.place)).collect();
        let replayed = finding.confirmation.as_ref().map(|it| it.name());
        (
            !is_launched(finding),
            place,
            finding.code,
            places,
            finding.kernel.clone(),
            finding.message.clone(),
            replayed,
            finding.labels.iter().map(|label| label.text.clone()).collect::<Vec<_>>(),
            format!("{:?}", finding.witness),
        )
    });
    findings.dedup_by(|later, kept| {
        let places =
            |it: &Finding| it.labels.iter().map(|label| label.place.clone()).collect::<Vec<_>>();
        (later.code, &later.kernel, &later.message) == (kept.code, &kept.kernel, &kept.message)
            && places(later) == places(kept)
    });
}
