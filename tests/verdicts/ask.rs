//! Asks the checker, in this process, and keeps of its answer what a verdict claims.
//!
//! **Promises**: the one place of this test that knows Heddle's types. **Does not**: judge.

use std::collections::BTreeMap;
use std::time::Duration;

use heddle_diagnostics::{Code, Confirmation, Property, Verdict, Witness};
use heddle_driver::{
    CheckOptions, LaunchOptions, Progress, ResourceLimit, Size as AskedSize, Source, check,
};
use heddle_frontend::Language as SourceLanguage;

use crate::case::{Case, Size};
use crate::syntax::Language;

/// What can be decided about a kernel, as far as it is run here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) enum Claim {
    Divergence,
    Named,
    Warp,
    Block,
    Grid,
}

impl Claim {
    pub(crate) const ALL: [(Claim, &'static str); 5] = [
        (Claim::Divergence, "barrier-divergence"),
        (Claim::Named, "named-barriers"),
        (Claim::Warp, "intra-warp-race"),
        (Claim::Block, "intra-block-race"),
        (Claim::Grid, "inter-block-race"),
    ];

    pub(crate) fn name(self) -> &'static str {
        Claim::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, name)| name)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// With its assumptions as text.
    Proved(Vec<String>),
    Refuted(Vec<Run>),
    Unknown,
}

/// A run that is said to violate the property.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) arguments: Vec<(String, String)>,
    /// Object, offset, bytes, value.
    pub(crate) memory: Vec<(String, u64, u64, u64)>,
    pub(crate) confirmed: bool,
    /// The blocks of the two threads, by index.
    pub(crate) of_threads: [u64; 2],
}

impl Run {
    /// The blocks to run: all, or those of the two threads; none if these are too large.
    pub(crate) fn blocks(&self, threads: u32) -> Vec<usize> {
        let product =
            |size: [u32; 3]| size.iter().fold(1u64, |all, it| all.saturating_mul((*it).into()));
        let (blocks, per_block) = (product(self.grid), product(self.block));
        let most = u64::from(threads.max(1024)) / per_block;
        let mut some: Vec<u64> = if blocks <= most {
            (0..blocks).collect()
        } else if most >= 2 || self.of_threads[0] == self.of_threads[1] {
            self.of_threads.to_vec()
        } else {
            Vec::new()
        };
        some.sort_unstable();
        some.dedup();
        some.into_iter().map(|it| it as usize).collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Verdicts {
        said: BTreeMap<Claim, Said>,
        took: Duration,
    },
    /// The input was not accepted: a fault of the generator.
    Rejected(String),
    /// A fault of the checker.
    Fault(String),
}

/// Checks one kernel, with all the work that the command line would take, or with as much as a
/// build allows.
pub(crate) fn ask(case: &Case, full: bool) -> Answer {
    let size = |size: Size| match size {
        Size::Any => AskedSize::Any,
        Size::Known(sizes) => AskedSize::Known(sizes),
    };
    let argument = |(name, value): &(String, i128)| heddle_driver::Argument {
        name: name.clone(),
        value: *value,
    };
    let launch = LaunchOptions {
        grid: Some(size(case.grid)),
        block: Some(size(case.block)),
        args: case.args.iter().map(argument).collect(),
        assumptions: case.conditions(),
        ..LaunchOptions::default()
    };
    let options = CheckOptions {
        launch,
        limit: if full { ResourceLimit::Full } else { ResourceLimit::Build },
        jobs: std::num::NonZeroUsize::new(1),
        passes: Claim::ALL.iter().map(|(_, name)| (*name).to_owned()).collect(),
        ..CheckOptions::default()
    };
    let language = match case.program.language {
        Language::Cuda => SourceLanguage::Cuda,
        Language::OpenCl => SourceLanguage::OpenCl,
    };
    let source = Source::Text {
        name: "<drawn>".to_owned(),
        bytes: case.text().into_bytes(),
        language: Some(language),
    };
    let start = processor_time();
    let outcome = match check(&[source], &options, &heddle_clang::Embedded, &Progress::default()) {
        Ok(outcome) => outcome,
        Err(error) => return Answer::Fault(error.to_string()),
    };
    let took = processor_time().saturating_sub(start);
    let report = &outcome.report;
    let of_code = |code: Code| report.findings().find(|it| it.code == code);
    if let Some(it) = of_code(Code::InternalError) {
        return Answer::Fault(format!("{}: {}", it.message, it.notes.join("; ")));
    }
    let [kernel] = report.kernels() else {
        let messages: Vec<_> = report.findings().map(|it| it.message.clone()).collect();
        return Answer::Rejected(messages.join("; "));
    };
    let said = kernel.verdicts.iter().filter_map(|(property, verdict)| {
        let claim = claim_of(*property)?;
        let said = match verdict {
            Verdict::Proved(proof) => {
                Said::Proved(proof.assumptions().iter().map(ToString::to_string).collect())
            }
            Verdict::Refuted(refutations) => {
                let run = |it: &heddle_diagnostics::Refutation| {
                    run_of(&it.witness, it.confirmation == Confirmation::Confirmed)
                };
                Said::Refuted(refutations.iter().map(run).collect())
            }
            Verdict::Unknown(_) => Said::Unknown,
        };
        Some((claim, said))
    });
    Answer::Verdicts { said: said.collect(), took }
}

/// What this process has worked so far: checks are not slower because others work as well.
pub(crate) fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets: user and system time are the 12th and 13th numbers, in hundredths
    // (proc(5)).
    let numbers = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = numbers.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|it| it.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn claim_of(property: Property) -> Option<Claim> {
    match property {
        Property::BarrierDivergence => Some(Claim::Divergence),
        Property::NamedBarriers => Some(Claim::Named),
        Property::IntraWarpRace => Some(Claim::Warp),
        Property::IntraBlockRace => Some(Claim::Block),
        Property::InterBlockRace => Some(Claim::Grid),
        Property::AsyncCopies
        | Property::Bounds
        | Property::UninitialisedShared
        | Property::Assertions
        | Property::Progress => None,
    }
}

fn run_of(witness: &Witness, confirmed: bool) -> Run {
    let size = |it: heddle_diagnostics::Dim3| [it.x, it.y, it.z];
    let arguments = witness.arguments.iter().map(|it| (it.name.clone(), it.value.clone()));
    let memory = witness
        .memory
        .iter()
        .map(|it| (it.object.clone(), it.offset, u64::from(it.bits).div_ceil(8), it.value as u64));
    Run {
        grid: size(witness.grid),
        block: size(witness.block),
        arguments: arguments.collect(),
        memory: memory.collect(),
        confirmed,
        of_threads: witness.threads.map(|it| {
            let (at, grid) = (it.block, witness.grid);
            let rows = u64::from(at.z) * u64::from(grid.y) + u64::from(at.y);
            rows * u64::from(grid.x) + u64::from(at.x)
        }),
    }
}
