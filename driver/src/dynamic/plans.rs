//! What a run need not check: the plans of a source's kernels, from the static verdicts.

use std::collections::BTreeSet;

use heddle_diagnostics::{Assumption, Code, Finding, SourceMap};
use heddle_execute::instrument::{self, Skips, instrument};
use heddle_frontend::compile::Compiler;
use heddle_frontend::{CompileOptions, Prepared, Target};
use heddle_ir::{ClaimKind, Kernel, OpKind};
use heddle_lift::prepare as lift;
use heddle_llvm::{Function, TypeKind};
use heddle_passes::instrument::{Plan, Run, Use, plan, rests_on};
use heddle_passes::launch::{BarrierModel, GlobalOffset};

use super::arguments::dynamic_shared;
use super::{RunOptions, bad};
use crate::load::prepared;
use crate::names::means;
use crate::options::{Argument, CheckOptions, Host, LaunchOptions, Replay, Size};
use crate::outcome::Outcome;
use crate::progress::Progress;
use crate::run::check;
use crate::source::Source;

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
    (launch, used): (LaunchOptions, Use),
    checks: Checks,
) -> anyhow::Result<Vec<Plan>> {
    Ok(plans_of(&checked(source, how, launch, &[])?, checks, &used))
}

/// The launch of a run, for the static checks, and what is known of the run beside their verdicts.
/// Sizes, the offset and integers are known. Launches of the host's code in the source are others.
pub(super) fn known_launch(options: &RunOptions, prepared: &Prepared) -> (LaunchOptions, Use) {
    let integers = integers(prepared);
    let integer = |(name, value): &(String, String)| {
        let argument = format!("{name}={value}").parse::<Argument>().ok();
        argument.filter(|it| integers.contains(&it.name))
    };
    let args: Vec<_> = options.args.iter().filter_map(integer).collect();
    let run = Run {
        grid: options.grid,
        block: options.block,
        global_offset: options.global_offset,
        arguments: args.iter().map(|it| it.name.clone()).collect(),
    };
    let strict = options.strict_barriers.unwrap_or(match prepared.target {
        Target::Nvptx => false,
        Target::Spirv => true,
    });
    let launch = LaunchOptions {
        host: Host::Off,
        grid: Some(Size::Known(options.grid)),
        block: Some(Size::Known(options.block)),
        cluster: options.cluster.map(Size::Known),
        global_offset: GlobalOffset::Given(options.global_offset),
        dynamic_shared: Some(dynamic_shared(options).into()).filter(|it| *it > 0),
        barriers: Some(if strict { BarrierModel::Strict } else { BarrierModel::ExitedOk }),
        args,
        ..LaunchOptions::default()
    };
    (launch, Use::Run(run))
}

/// The names of parameters that are integers in each kernel which has them. `2` is the number for a
/// float of a run, and its bits for a proof.
fn integers(prepared: &Prepared) -> BTreeSet<String> {
    let functions =
        prepared.kernels.iter().filter_map(|kernel| prepared.module.function(&kernel.name));
    let (integers, others): (Vec<_>, Vec<_>) = functions
        .flat_map(Function::arguments)
        .partition(|it| matches!(it.ty().kind(), TypeKind::Int(_)));
    let others: BTreeSet<String> = others.into_iter().map(|it| it.name()).collect();
    integers.into_iter().map(|it| it.name()).filter(|it| !others.contains(it)).collect()
}

/// The plans of the kernels that these patterns mean, or of all. The inner error says what is wrong
/// with the input. The map is told of the files that were read.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn planned(
    source: &Source,
    compile: &CompileOptions,
    compiler: &dyn Compiler,
    checks: Checks,
    kernels: &[String],
    sources: &SourceMap,
) -> anyhow::Result<Result<Vec<Plan>, Finding>> {
    let outcome = checked(source, (compile, compiler), LaunchOptions::default(), kernels)?;
    tell_read(&outcome, sources);
    let refused = outcome.report.findings().find(|it| it.code == Code::BadInput).cloned();
    Ok(match refused {
        Some(finding) => Err(finding),
        None => Ok(plans_of(&outcome, checks, &Use::Module)),
    })
}

/// The plans of the kernels that these patterns mean, or of all, under the launches that the source
/// names. The inner error says what is wrong with these.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub(super) fn sound_plans(
    source: &Source,
    how: (&CompileOptions, &dyn Compiler),
    checks: Checks,
    kernels: &[String],
    sources: &SourceMap,
) -> anyhow::Result<Result<Vec<Plan>, Finding>> {
    let outcome = checked(source, how, LaunchOptions::default(), kernels)?;
    tell_read(&outcome, sources);
    let refused = outcome.report.loose_findings().iter().find(|it| it.code == Code::BadInput);
    Ok(match refused {
        Some(finding) => Err(finding.clone()),
        None => Ok(plans_of(&outcome, checks, &Use::Module)),
    })
}

fn tell_read(outcome: &Outcome, sources: &SourceMap) {
    outcome.report.sources().all_read().iter().for_each(|it| sources.was_read(it));
}

/// The module with the kernels that these patterns mean alone, if there are any patterns; what only
/// the others use goes with them.
///
/// # Errors
/// A pattern means no kernel.
pub(super) fn only(prepared: Prepared, patterns: &[String]) -> Result<Prepared, Finding> {
    let is_meant = |pattern: &String, it: &lift::Kernel| means(pattern, &it.name, &it.display);
    let idle =
        patterns.iter().find(|pattern| !prepared.kernels.iter().any(|it| is_meant(pattern, it)));
    if let Some(pattern) = idle {
        let names: Vec<_> = prepared.kernels.iter().map(|it| format!("`{}`", it.display)).collect();
        return Err(bad(&format!("`--kernel {pattern}`: no kernel has this name"))
            .help(format!("the kernels are {}", names.join(", "))));
    }
    if patterns.is_empty() {
        return Ok(prepared);
    }
    let Prepared { mut module, mut kernels, .. } = prepared;
    kernels.retain(|it| patterns.iter().any(|pattern| is_meant(pattern, it)));
    module.hide_functions(&|name| kernels.iter().any(|it| it.name == name));
    module.run_passes("globaldce").map_err(|why| {
        Finding::new(Code::InternalError, format!("LLVM refuses to tidy up: {why}"))
    })?;
    Ok(Prepared { module, kernels, ..prepared })
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

fn plans_of(outcome: &Outcome, checks: Checks, used: &Use) -> Vec<Plan> {
    // What runs is compiled without contracts, and its instructions have other numbers.
    let is_contract =
        |it: &OpKind| matches!(it, OpKind::Claim(it) if it.kind != ClaimKind::Subscript);
    let is_claim = |it: &Kernel| it.ops.values().any(|op| is_contract(&op.kind));
    let has_contracts = outcome.kernels.iter().any(is_claim);
    let race_free = |kernel: &Kernel| {
        let of = outcome.report.kernels().iter().find(|it| *it.symbol == kernel.name);
        let of = of.filter(|_| checks == Checks::Unproved && !has_contracts)?;
        rests_on(&of.verdicts, used)
    };
    outcome.kernels.iter().map(|it| plan(it, race_free(it))).collect()
}

/// What the plans skip in a module, as the front end takes it. A module that was compiled without
/// the contracts of its source has other numbers than the plans.
pub(super) fn skips(plans: &[Plan], prepared: &Prepared) -> Skips {
    let plans = plans.iter().filter(|_| !prepared.has_contracts);
    plans.map(|it| (it.kernel.clone(), it.skipped())).collect()
}

/// What the plan of a kernel takes for granted.
pub(super) fn resting(plans: Vec<Plan>, kernel: &str) -> Vec<Assumption> {
    plans.into_iter().find(|it| it.kernel == kernel).map(|it| it.rests_on).unwrap_or_default()
}

/// Puts checks into a source's module, of which the kernels that these patterns mean are kept, or
/// all. The inner error says what is wrong with the input. The map is told of the files that were
/// read.
///
/// # Errors
/// The machine gives no threads, or there is no current folder.
pub fn instrumented(
    source: &Source,
    compile: &CompileOptions,
    compiler: &dyn Compiler,
    checks: Checks,
    kernels: &[String],
    sources: &SourceMap,
) -> anyhow::Result<Result<Instrumented, Finding>> {
    let plans = match sound_plans(source, (compile, compiler), checks, kernels, sources)? {
        Ok(plans) => plans,
        Err(finding) => return Ok(Err(finding)),
    };
    let prepared = match prepared(source, compile, compiler, sources) {
        Ok(prepared) => prepared,
        Err(finding) => return Ok(Err(*finding)),
    };
    if instrument::instrumented(&prepared.module) != instrument::Instrumented::No {
        let message = format!("`{}` has checks in it already", source.name());
        let finding = Finding::new(Code::BadInput, message);
        return Ok(Err(finding.help("`heddle run` runs it as it is")));
    }
    let prepared = match only(prepared, kernels) {
        Ok(prepared) => prepared,
        Err(finding) => return Ok(Err(finding)),
    };
    let skips = skips(&plans, &prepared);
    let Prepared { mut module, target, kernels, .. } = prepared;
    let _sites = instrument(&mut module, target, &kernels, &skips);
    if let Err(why) = module.verify() {
        return Ok(Err(Finding::new(
            Code::InternalError,
            format!("the instrumented module is not valid: {why}"),
        )));
    }
    Ok(Ok(Instrumented { text: module.text(), plans }))
}
