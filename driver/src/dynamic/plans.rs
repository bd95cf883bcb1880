//! What a run need not check: the plans of a source's kernels, from the static verdicts.

use heddle_diagnostics::{Code, Finding, SourceMap};
use heddle_execute::instrument::{self, Skips, instrument};
use heddle_frontend::compile::Compiler;
use heddle_frontend::{CompileOptions, Prepared};
use heddle_passes::instrument::{Plan, is_race_free, plan};

use super::super::load::prepared;
use super::super::{CheckOptions, LaunchOptions, Outcome, Progress, Replay, Source, check};

/// Which accesses are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// None: the code runs as it is.
    Off,
    /// All that touch memory which others see.
    #[default]
    All,
    /// Those of kernels that the static checks did not prove.
    Unproved,
}

/// A module with checks in it.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// Its IR.
    pub text: String,
    /// The plan of each kernel.
    pub plans: Vec<Plan>,
}

/// The plans of a source's kernels for a launch. A kernel that cannot be checked or lifted has a
/// plan that skips nothing.
pub(super) fn plans(
    source: &Source,
    how: (&CompileOptions, &dyn Compiler),
    launch: LaunchOptions,
    checks: Checks,
) -> anyhow::Result<Vec<Plan>> {
    Ok(plans_of(&checked(source, how, launch, &[])?, checks))
}

/// The plans of the kernels that these patterns mean, or of all. The inner error says what is wrong
/// with the input.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn planned(
    source: &Source,
    compile: &CompileOptions,
    compiler: &dyn Compiler,
    checks: Checks,
    kernels: &[String],
) -> anyhow::Result<Result<Vec<Plan>, Finding>> {
    let outcome = checked(source, (compile, compiler), LaunchOptions::default(), kernels)?;
    let refused = outcome.report.findings().find(|it| it.code == Code::BadInput).cloned();
    Ok(match refused {
        Some(finding) => Err(finding),
        None => Ok(plans_of(&outcome, checks)),
    })
}

/// The plans of a source's kernels under the launches that the source names. The inner error says
/// what is wrong with these.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub(super) fn sound_plans(
    source: &Source,
    how: (&CompileOptions, &dyn Compiler),
    checks: Checks,
) -> anyhow::Result<Result<Vec<Plan>, Finding>> {
    let outcome = checked(source, how, LaunchOptions::default(), &[])?;
    let refused = outcome.report.loose_findings().iter().find(|it| it.code == Code::BadInput);
    Ok(match refused {
        Some(finding) => Err(finding.clone()),
        None => Ok(plans_of(&outcome, checks)),
    })
}

fn checked(
    source: &Source,
    (compile, compiler): (&CompileOptions, &dyn Compiler),
    launch: LaunchOptions,
    kernels: &[String],
) -> anyhow::Result<Outcome> {
    let options = CheckOptions {
        compile: compile.clone(),
        launch,
        kernels: kernels.to_vec(),
        replay: Replay::None,
        ..CheckOptions::default()
    };
    check(std::slice::from_ref(source), &options, compiler, &Progress::default())
}

fn plans_of(outcome: &Outcome, checks: Checks) -> Vec<Plan> {
    let proved = |name: &str| {
        let kernel = outcome.report.kernels().iter().find(|it| &*it.symbol == name);
        checks == Checks::Unproved && kernel.is_some_and(|it| is_race_free(&it.verdicts))
    };
    outcome.kernels.iter().map(|it| plan(it, proved(&it.name))).collect()
}

/// What the plans skip, as the front end takes it.
pub(super) fn skips(plans: &[Plan]) -> Skips {
    plans.iter().map(|it| (it.kernel.clone(), it.skipped())).collect()
}

/// Puts checks into a source's module. The inner error says what is wrong with the input.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn instrumented(
    source: &Source,
    compile: &CompileOptions,
    compiler: &dyn Compiler,
    checks: Checks,
) -> anyhow::Result<Result<Instrumented, Finding>> {
    let plans = match sound_plans(source, (compile, compiler), checks)? {
        Ok(plans) => plans,
        Err(finding) => return Ok(Err(finding)),
    };
    let prepared = match prepared(source, compile, compiler, &SourceMap::default()) {
        Ok(prepared) => prepared,
        Err(finding) => return Ok(Err(*finding)),
    };
    if instrument::instrumented(&prepared.module) != instrument::Instrumented::No {
        let message = format!("`{}` has checks in it already", source.name());
        let finding = Finding::new(Code::BadInput, message);
        return Ok(Err(finding.help("`heddle run` runs it as it is")));
    }
    let Prepared { mut module, target, kernels, .. } = prepared;
    let _sites = instrument(&mut module, target, &kernels, &skips(&plans));
    if let Err(why) = module.verify() {
        return Ok(Err(Finding::new(
            Code::InternalError,
            format!("the instrumented module is not valid: {why}"),
        )));
    }
    Ok(Ok(Instrumented { text: module.text(), plans }))
}
