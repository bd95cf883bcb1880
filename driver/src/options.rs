//! What a run is asked to do, as data: the same for the command line, the tests and a plugin.
//!
//! The textual forms of sizes and arguments are read here, so that `--block 16,16`, a `launch:`
//! line of a test and a plugin's option mean the same. **Does not**: know which kernel the options
//! will meet; `bind` fits them to one.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use heddle_diagnostics::policy::Policy;
use heddle_frontend::CompileOptions;
use heddle_ir::Kernel;
use heddle_passes::launch::{BarrierModel, GlobalOffset};
use heddle_passes::{Profile, ProgressOptions, Why};
use heddle_solver::{Budget, Fuel, QueryCache};

use crate::cache::Cache;

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// How sources are compiled.
    pub compile: CompileOptions,
    /// Patterns of kernel names, with `*` and `?`; all kernels if empty.
    pub kernels: Vec<String>,
    /// Kernels of a source that are not in its module, as templates that nothing instantiates, are
    /// no matter.
    pub allow_missing: bool,
    /// The launch.
    pub launch: LaunchOptions,
    /// Several threads that store the same value race.
    pub benign_is_error: bool,
    /// Work that one question may cost.
    pub budget: Budget,
    /// Work that all questions about one kernel may cost together.
    pub limit: ResourceLimit,
    /// Names of the passes to run; all but those that are extra if empty.
    pub passes: Vec<String>,
    /// Names of passes to run besides, which do not run otherwise.
    pub also: Vec<String>,
    /// Where the witnesses of refutations are replayed.
    pub replay: Replay,
    /// Lanes of a warp run in step, for the check of named barriers.
    pub warp_sync: bool,
    /// How forward progress is checked.
    pub progress: ProgressOptions,
    /// What is refuted for some arguments is checked for the condition that is missing.
    pub infer: bool,
    /// What is decided about findings.
    pub policy: Policy,
    /// How long one kernel may take, if there is a limit; questions that are open then are unknown.
    pub max_time: Option<Duration>,
    /// Where it is written down how long each question takes, if anywhere.
    pub profile: Option<Arc<Profile>>,
    /// Where it is written down how each question was settled, if anywhere. The cache is left alone
    /// then: what it knows has no explanation.
    pub why: Option<Arc<Why>>,
    /// Threads that work at the same time; as many as the machine has cores if not said.
    pub jobs: Option<NonZeroUsize>,
    /// Where answers are kept between runs.
    pub cache: Option<Arc<Cache>>,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            compile: CompileOptions::default(),
            kernels: Vec::new(),
            allow_missing: false,
            launch: LaunchOptions::default(),
            benign_is_error: false,
            budget: scaled(1.0),
            limit: ResourceLimit::default(),
            passes: Vec::new(),
            also: Vec::new(),
            replay: Replay::Interpreter,
            warp_sync: false,
            progress: ProgressOptions::default(),
            infer: false,
            policy: Policy::default(),
            max_time: None,
            profile: None,
            why: None,
            jobs: None,
            cache: None,
        }
    }
}

/// A time in seconds, as it is given.
///
/// # Errors
/// It is none.
pub(crate) fn seconds(text: &str) -> Result<Duration, BadOption> {
    let given = text.parse().ok().filter(|it: &f64| *it > 0.0 && *it <= 1e6);
    let given = given.map(Duration::from_secs_f64);
    given.ok_or_else(|| BadOption("give seconds above 0, as in `20` or `0.5`".to_owned()))
}

/// What all questions about one kernel may cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResourceLimit {
    /// Its share of what its source may cost, and each question what one may cost.
    #[default]
    Full,
    /// In proportion to what a compiler does with the kernel ([`ResourceLimit::fuel`]).
    Build,
}

/// The work for one source, as a multiple of what a kernel gets that is alone in its source.
const WORK_OF_A_SOURCE: u64 = 2;

/// However many kernels a source has, each gets at least the whole amount divided by this.
const LEAST_SHARE: u64 = 64;

/// Units of work that a build allows for each kernel, and for each operation and expression of it.
const ALLOWED: u64 = 100_000;
const ALLOWED_FOR_EACH: u64 = 500;

impl ResourceLimit {
    /// Units of work for one of `answers` answers: of the kernels that are asked for of a source,
    /// under each launch of its host. `whole` is what there is for one alone. A source of a hundred
    /// instances of a template, all of them hard, would take half an hour otherwise.
    pub(crate) fn units(self, whole: u64, answers: usize) -> u64 {
        match self {
            ResourceLimit::Full => {
                let share = whole.saturating_mul(WORK_OF_A_SOURCE) / answers.max(1) as u64;
                share.clamp(whole / LEAST_SHARE, whole).max(1)
            }
            ResourceLimit::Build => whole,
        }
    }

    /// What there is for one kernel in a build: the same wherever and in whatever company it is
    /// checked.
    pub fn fuel(self, kernel: &Kernel) -> Fuel {
        match self {
            ResourceLimit::Full => Fuel::default(),
            ResourceLimit::Build => {
                let size = kernel.ops.len() + kernel.exprs.len();
                Fuel::of(ALLOWED + ALLOWED_FOR_EACH * size as u64)
            }
        }
    }
}

/// Where the run that refutes a property is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
    /// Nowhere: it stays unconfirmed.
    None,
    /// In the interpreter of the IR.
    #[default]
    Interpreter,
    /// There, and then as native code under race checks (`crate::replay`).
    Jit,
}

/// What is said of the launch; absent is not said.
#[derive(Clone, Debug, Default)]
pub struct LaunchOptions {
    /// Whether launches are as the host's part of a source has them, where nothing is said.
    pub host: Host,
    /// What holds for some kernels, and counts less; a later rule counts more.
    pub rules: Vec<LaunchRule>,
    /// Blocks in the grid.
    pub grid: Option<Size>,
    /// Threads in a block.
    pub block: Option<Size>,
    /// Blocks in a cluster.
    pub cluster: Option<Size>,
    /// Values of kernel arguments by name.
    pub args: Vec<Argument>,
    /// Conditions, in the language of [`heddle_passes::condition`].
    pub assumptions: Vec<String>,
    /// Sizes of buffers.
    pub sizes: Vec<BufferElements>,
    /// OpenCL's global offset.
    pub global_offset: GlobalOffset,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: Option<u64>,
    /// What a barrier waits for.
    pub barriers: Option<BarrierModel>,
    /// Lanes of a warp.
    pub warp_size: Option<u32>,
}

/// What holds for the launches of some kernels.
#[derive(Clone, Debug)]
pub struct LaunchRule {
    /// Which: a pattern of their names, with `*` and `?`.
    pub name: String,
    /// What holds; no rules of its own.
    pub launch: LaunchOptions,
    /// Who says so, for messages: `heddle.toml, [launch]`.
    pub origin: String,
}

/// What of the host's part of a source is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Host {
    /// Its launches: sizes, arguments, and what holds on the way to them.
    #[default]
    On,
    /// The sizes of its launches that are constants.
    Off,
}

/// The size of a grid or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Whatever the code requires, else any size that the target allows.
    Any,
    /// This one, in x, y and z.
    Known([u32; 3]),
}

/// A text that is no size; the message says what would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption(pub(crate) String);

impl BadOption {
    pub(crate) fn new(message: impl Into<String>) -> BadOption {
        BadOption(message.into())
    }
}

impl fmt::Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadOption {}

/// The largest size in any dimension of any target: `gridDim.x` (CUDA C++ Programming Guide,
/// compute capabilities).
const LARGEST: u32 = 0x7fff_ffff;

impl FromStr for Size {
    type Err = BadOption;

    /// Reads `64`, `16,16` or `16x16`, `8,8,4` (sizes left out are 1), or `any`, for each dimension
    /// that is symbolic: `any,any`.
    fn from_str(text: &str) -> Result<Size, BadOption> {
        let parts: Vec<_> = text.split([',', 'x']).map(str::trim).collect();
        if parts.len() > 3 {
            return Err(BadOption("a size has at most three dimensions, as in `8,8,4`".to_owned()));
        }
        if parts.iter().all(|part| *part == "any") {
            return Ok(Size::Any);
        }
        if parts.contains(&"any") {
            return Err(BadOption(
                "give numbers in all dimensions or `any` in all; to fix one of them, add `--assume 'blockDim.x == 16'`".to_owned(),
            ));
        }
        let mut sizes = [1; 3];
        for (size, part) in sizes.iter_mut().zip(parts) {
            *size = match part.parse() {
                Ok(0) => {
                    return Err(BadOption(
                        "a size is at least 1 in each dimension; give `any` to leave it open"
                            .to_owned(),
                    ));
                }
                Ok(size) if size <= LARGEST => size,
                Ok(_) => return Err(BadOption(format!("no target takes a size above {LARGEST}"))),
                Err(_) => {
                    return Err(BadOption(
                        "give one to three numbers, as in `256` or `16,16`, or `any`".to_owned(),
                    ));
                }
            };
        }
        Ok(Size::Known(sizes))
    }
}

/// Reads OpenCL's global offset: `464`, `8,8` or `8x8` (what is left out is 0), or `any`.
///
/// # Errors
/// The text is none of these.
pub fn global_offset(text: &str) -> Result<GlobalOffset, BadOption> {
    if text.split([',', 'x']).all(|part| part.trim() == "any") {
        return Ok(GlobalOffset::Any);
    }
    known_offset(text).map(GlobalOffset::Given)
}

/// The same, where a number is needed.
///
/// # Errors
/// The text is none.
pub fn known_offset(text: &str) -> Result<[u32; 3], BadOption> {
    let parts: Vec<_> = text.split([',', 'x']).map(str::trim).collect();
    let mut offset = [0; 3];
    let wrong = || BadOption::new("give one to three numbers, as in `464` or `8,8`");
    if parts.len() > offset.len() {
        return Err(wrong());
    }
    for (of, part) in offset.iter_mut().zip(parts) {
        *of = part.parse().map_err(|_| wrong())?;
        if *of >= 1 << 31 {
            return Err(BadOption::new("global ids of 2^31 and more are not looked at: give less"));
        }
    }
    Ok(offset)
}

/// The size of the buffer that a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferElements {
    /// The pointer's name.
    pub name: String,
    /// Its elements, as an expression in the language of [`heddle_passes::condition`].
    pub elements: String,
}

impl FromStr for BufferElements {
    type Err = BadOption;

    /// Reads `out=1024` or `out=n * m`.
    fn from_str(text: &str) -> Result<BufferElements, BadOption> {
        let (name, elements) = text.split_once('=').unwrap_or((text, ""));
        let (name, elements) = (name.trim(), elements.trim());
        if name.is_empty() || elements.is_empty() {
            return Err(BadOption(
                "write `name=elements`, as in `out=1024` or `out=n * m`".to_owned(),
            ));
        }
        Ok(BufferElements { name: name.to_owned(), elements: elements.to_owned() })
    }
}

/// A kernel argument with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The parameter's name.
    pub name: String,
    /// Its value; whether it fits is known once the parameter is.
    pub value: i128,
}

impl FromStr for Argument {
    type Err = BadOption;

    /// Reads `n=1024`, `n=-3` or `n=0x400`.
    fn from_str(text: &str) -> Result<Argument, BadOption> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| BadOption("write `name=value`, as in `n=1024`".to_owned()))?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() {
            return Err(BadOption(
                "there is no name before `=`; write `name=value`, as in `n=1024`".to_owned(),
            ));
        }
        let (negative, digits) = match value.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, value),
        };
        let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        let magnitude = magnitude.map_err(|_| {
            BadOption(format!("`{value}` is not an integer of at most 64 bits; write it as `1024`, `-3` or `0x400`"))
        })?;
        let value = i128::from(magnitude);
        Ok(Argument { name: name.to_owned(), value: if negative { -value } else { value } })
    }
}

/// The default budget, each count times `factor` and at least one, with a cache of queries that all
/// kernels of a run share.
pub(crate) fn scaled(factor: f64) -> Budget {
    let Budget {
        cases,
        pivots,
        instances,
        instance_conflicts,
        conflicts,
        clauses,
        units,
        fuel,
        cache: _,
    } = Budget::default();
    let small = |count: u32| (f64::from(count) * factor).max(1.0) as u32;
    let large = |count: u64| (count as f64 * factor).max(1.0) as u64;
    Budget {
        cases: small(cases),
        pivots: large(pivots),
        instances: small(instances),
        instance_conflicts: large(instance_conflicts),
        conflicts: large(conflicts),
        clauses: large(clauses),
        units: large(units),
        fuel,
        cache: QueryCache::kept(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_of_a_source_share_what_it_may_cost() {
        let share = |answers| ResourceLimit::Full.units(6_400, answers);
        assert_eq!([0, 1, 2].map(share), [6_400; 3]);
        assert_eq!([4, 32, 128, 100_000].map(share), [3_200, 400, 100, 100]);
        assert_eq!(ResourceLimit::Full.units(1, 1_000), 1);
        assert_eq!(ResourceLimit::Build.units(6_400, 100_000), 6_400);
    }

    #[test]
    fn a_budget_grows_with_its_factor() {
        assert_eq!(scaled(1.0), Budget::default());
        assert_eq!(scaled(2.0).conflicts, 2 * Budget::default().conflicts);
        assert_eq!(scaled(1e-9).cases, 1);
    }

    #[test]
    fn sizes_are_read_as_documented() {
        assert_eq!("64".parse(), Ok(Size::Known([64, 1, 1])));
        assert_eq!("16, 8".parse(), Ok(Size::Known([16, 8, 1])));
        assert_eq!("16x8".parse(), Ok(Size::Known([16, 8, 1])));
        assert_eq!("8,8,4".parse(), Ok(Size::Known([8, 8, 4])));
        assert_eq!("any".parse(), Ok(Size::Any));
        assert_eq!("any,any".parse(), Ok(Size::Any));
        for (text, part) in [
            ("0", "at least 1"),
            ("16,0", "at least 1"),
            ("1,2,3,4", "three dimensions"),
            ("any,16", "--assume"),
            ("", "one to three numbers"),
            ("-1", "one to three numbers"),
            ("4294967295", "above 2147483647"),
            ("99999999999", "one to three numbers"),
        ] {
            let message = text.parse::<Size>().expect_err(text).to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn arguments_are_read_as_documented() {
        let argument = |name: &str, value| Ok(Argument { name: name.to_owned(), value });
        assert_eq!("n=1024".parse(), argument("n", 1024));
        assert_eq!("cfg.rows = -3".parse(), argument("cfg.rows", -3));
        assert_eq!("n=0xffffffffffffffff".parse(), argument("n", u64::MAX.into()));
        for (text, part) in [
            ("n", "name=value"),
            ("=3", "no name"),
            ("n=", "integer"),
            ("n=1.5", "integer"),
            ("n=--3", "integer"),
        ] {
            let message = text.parse::<Argument>().expect_err(text).to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
