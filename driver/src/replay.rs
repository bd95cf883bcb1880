//! `--replay=jit`: the run of each refutation, as native code under race checks.
//!
//! ```text
//! Witness ── launch, arguments, what memory holds ──► run, by several schedules ──► the same accesses? ──► note on the finding
//! ```
//!
//! **Promises**: a finding is said to be seen only if a run reported an error of the same family at
//! the same places; what a run did not show is told and takes nothing away. **Does not**: follow
//! pointers that the kernel loads from memory; run all blocks of launches with more than
//! [`MOST_THREADS`] threads (then the two blocks of the witness alone).

mod pointers;

use std::time::Duration;

use heddle_diagnostics::{
    Code, Confirmation, Family, Finding, KernelReport, Place, SourceMap, Verdict, Witness,
};
use heddle_execute::instrument::Skips;
use heddle_execute::jit::{Compiled, ParameterKind, compile};
use heddle_frontend::compile::Compiler;
use heddle_frontend::{Prepared, Target};
use heddle_ir::{Kernel, ParamKind};
use heddle_passes::launch::{BarrierModel, LaunchRequest};
use heddle_runtime::{Launch, LaunchShape, Limits, Memory, Schedule, Site};

use crate::native::{RESIDENT_THREADS, shared_share};
use crate::options::{CheckOptions, Size};
use crate::sites;
use crate::source::Source;

/// A kernel with the source that it came from.
pub(crate) struct Subject<'a> {
    /// Its file, or text.
    pub(crate) source: &'a Source,
    /// As it was lifted.
    pub(crate) kernel: &'a Kernel,
    /// The files that places point into.
    pub(crate) map: &'a SourceMap,
    /// The launches that it was checked under.
    pub(crate) request: &'a LaunchRequest,
}

/// Threads of a launch of which all blocks are run.
const MOST_THREADS: u64 = 1 << 18;
/// Bytes behind each pointer parameter. Pages that the kernel does not touch cost nothing.
const BUFFER: usize = 64 << 20;
/// Numbers of a witness that lie farther than this in a buffer are left out.
const MOST_BUFFER: u64 = 1 << 36;
/// Bytes at the start of each buffer that hold numbers, in the attempts with numbers.
const NUMBERED: usize = 1 << 20;
/// Bytes of dynamic shared memory where the launch does not say: the most a block can have by
/// default.
const DYNAMIC_SHARED: u32 = 48 << 10;
/// Wall-clock time of one attempt.
const TIME: Duration = Duration::from_secs(5);
/// Visits in a row that change nothing until threads are said to wait for what nobody writes.
const IDLE: u64 = 1 << 16;

/// One way to run a witness.
#[derive(Clone, Copy)]
struct Attempt {
    schedule: Schedule,
    /// Memory that the witness leaves open holds small numbers, and not zeros.
    numbers: bool,
    /// One block is there at a time, and if so whether the last comes first.
    alone: Option<BlockOrder>,
}

#[derive(Clone, Copy)]
enum BlockOrder {
    First,
    Last,
}

const fn attempt(schedule: Schedule, numbers: bool) -> Attempt {
    Attempt { schedule, numbers, alone: None }
}

const fn alone(order: BlockOrder) -> Attempt {
    Attempt { schedule: Schedule::RoundRobin, numbers: false, alone: Some(order) }
}

const ATTEMPTS: [Attempt; 9] = [
    attempt(Schedule::RoundRobin, false),
    attempt(Schedule::RoundRobin, true),
    attempt(Schedule::Reverse, false),
    attempt(Schedule::Random, false),
    attempt(Schedule::Random, true),
    attempt(Schedule::Priorities, true),
    // What takes two threads in turn: of two blocks with a lock, two in five of these show an
    // access after its release.
    attempt(Schedule::Random, false),
    attempt(Schedule::Random, false),
    attempt(Schedule::Random, true),
];

/// For blocks that wait for each other: their flags start from zero, and not all need be there at
/// once.
const WAITING: [Attempt; 9] = [
    alone(BlockOrder::First),
    alone(BlockOrder::Last),
    attempt(Schedule::Reverse, false),
    attempt(Schedule::RoundRobin, false),
    attempt(Schedule::Priorities, false),
    attempt(Schedule::Random, false),
    attempt(Schedule::Random, false),
    attempt(Schedule::Random, false),
    attempt(Schedule::Random, false),
];

/// Runs the witnesses of a kernel's findings; each finding says what its runs showed.
pub(crate) fn confirm(
    report: &mut KernelReport,
    subject: &Subject<'_>,
    options: &CheckOptions,
    compiler: &dyn Compiler,
) {
    let mut native = None;
    for finding in &mut report.findings {
        let Some(witness) = finding.witness.clone().filter(|_| is_sought(finding.code)) else {
            continue;
        };
        let native = native.get_or_insert_with(|| Native::new(subject, options, compiler));
        let seen = match native {
            Ok(native) => native.seen(subject, options, finding, &witness),
            Err(why) => Seen::NotRun(why.clone()),
        };
        tell(finding, &witness, &seen, &mut report.verdicts);
    }
}

/// What the runs of a witness showed.
enum Seen {
    /// The same, by this schedule and seed.
    Same(Schedule, u64),
    /// The same two stores, and both store the same value.
    SameValue(Schedule, u64),
    /// This instead.
    Other(String),
    Nothing,
    NotRun(String),
}

fn is_sought(code: Code) -> bool {
    match code.family() {
        Family::Races | Family::Barriers | Family::Progress | Family::Assertions => true,
        // Arrays of native code lie side by side.
        Family::NotModelled | Family::Memory | Family::Convergence | Family::Tool => false,
    }
}

fn tell(
    finding: &mut Finding,
    witness: &Witness,
    seen: &Seen,
    verdicts: &mut std::collections::BTreeMap<heddle_diagnostics::Property, Verdict>,
) {
    let note = match seen {
        Seen::Same(schedule, seed) => {
            format!(
                "seen: run as native code it does the same, with `--schedule={schedule} --seed={seed}`"
            )
        }
        Seen::SameValue(schedule, seed) => format!(
            "seen: run as native code both store without an order, if the same value, with `--schedule={schedule} --seed={seed}`"
        ),
        Seen::Other(what) => format!("run as native code it does something else: {what}"),
        Seen::Nothing => "not seen: run as native code it does not do this".to_owned(),
        Seen::NotRun(why) => format!("not run as native code: {why}"),
    };
    finding.notes.push(note);
    if !matches!(seen, Seen::Same(..) | Seen::SameValue(..)) {
        return;
    }
    finding.confirmation = Some(Confirmation::Confirmed);
    for verdict in verdicts.values_mut() {
        match verdict {
            Verdict::Refuted(refutations) => {
                let same = refutations
                    .iter_mut()
                    .filter(|it| it.code == finding.code && it.witness == *witness);
                same.for_each(|it| it.confirmation = Confirmation::Confirmed);
            }
            Verdict::Proved(_) | Verdict::Unknown(_) => {}
        }
    }
}

/// The kernel as native code.
struct Native {
    prepared: Prepared,
    compiled: Compiled,
    sites: Vec<Site>,
    /// What the code says.
    required_cluster: Option<[u32; 3]>,
}

impl Native {
    fn new(
        subject: &Subject<'_>,
        options: &CheckOptions,
        compiler: &dyn Compiler,
    ) -> Result<Native, String> {
        let Subject { source, kernel, map, request: _ } = subject;
        let prepared = heddle_frontend::load_with(
            &source.input(),
            source.compile_options(&options.compile),
            compiler,
        )
        .map_err(|error| error.to_string())?;
        let entry = prepared.kernels.iter().find(|it| it.name == kernel.name);
        let entry = entry.ok_or("the kernel is gone")?;
        let compiled = compile(&prepared, entry, Some(&Skips::new()), &heddle_runtime::symbols())
            .map_err(|error| error.to_string())?;
        let sites = sites::places(&compiled.sites, map, source.add_to(map), source);
        let required_cluster = entry.cluster;
        Ok(Native { prepared, compiled, sites, required_cluster })
    }

    fn seen(
        &mut self,
        subject: &Subject<'_>,
        options: &CheckOptions,
        finding: &Finding,
        witness: &Witness,
    ) -> Seen {
        let (mut other, mut same_value) = (None, None);
        let attempts: &[Attempt] = match finding.code.family() {
            Family::Progress => &WAITING,
            Family::NotModelled
            | Family::Races
            | Family::Barriers
            | Family::Memory
            | Family::Convergence
            | Family::Assertions
            | Family::Tool => &ATTEMPTS,
        };
        for (seed, &Attempt { schedule, numbers, alone }) in attempts.iter().enumerate() {
            if alone.is_some() && self.compiled.cooperative {
                continue;
            }
            let mut launch = self.launch(options, witness);
            (launch.schedule, launch.seed) = (schedule, seed as u64);
            if let Some(order) = alone {
                launch.resident = 1;
                let blocks = launch.shape.blocks() as u32;
                launch.blocks = match order {
                    BlockOrder::First => launch.blocks,
                    BlockOrder::Last => launch.blocks.or_else(|| Some((0..blocks).rev().collect())),
                };
            }
            let (found, died) = match self.attempt(subject, witness, &launch, numbers) {
                Ok(found) => found,
                Err(why) => return Seen::NotRun(why),
            };
            if died {
                // The other attempts would end like this one, or take as long.
                return Seen::Other(found.iter().map(with_place).collect::<Vec<_>>().join("; "));
            }
            if found.iter().any(|it| is_same(finding, it)) {
                return Seen::Same(schedule, seed as u64);
            }
            if found.iter().any(|it| it.code == Code::BenignRace && is_here(finding, it)) {
                same_value.get_or_insert((schedule, seed as u64));
            }
            other = other.or(found.into_iter().next());
        }
        match (same_value, other) {
            (Some((schedule, seed)), _) => Seen::SameValue(schedule, seed),
            (None, Some(other)) => Seen::Other(other.message),
            (None, None) => Seen::Nothing,
        }
    }

    fn launch(&self, options: &CheckOptions, witness: &Witness) -> Launch {
        let size = |it: heddle_diagnostics::Dim3| [it.x, it.y, it.z];
        let (grid, block) = (size(witness.grid), size(witness.block));
        let product = |it: [u32; 3]| it.iter().map(|n| u64::from(*n)).product::<u64>();
        let (nvptx, asked) = (self.prepared.target == Target::Nvptx, &options.launch);
        let warp_size = asked.warp_size.or(nvptx.then_some(32));
        // A grid with more blocks than numbers is refused where it would run.
        let number = |index: heddle_diagnostics::Dim3| {
            let row = index.y.wrapping_add(grid[1].wrapping_mul(index.z));
            index.x.wrapping_add(grid[0].wrapping_mul(row))
        };
        let mut two = witness.threads.map(|it| number(it.block)).to_vec();
        two.sort_unstable();
        two.dedup();
        Launch {
            shape: LaunchShape { grid, block, cluster: self.cluster(options), warp_size },
            offset: offset(witness),
            dynamic_shared: match asked.dynamic_shared {
                Some(bytes) => u32::try_from(bytes).unwrap_or(u32::MAX),
                None => DYNAMIC_SHARED,
            },
            strict_barriers: match asked.barriers {
                Some(BarrierModel::Strict) => true,
                Some(BarrierModel::ExitedOk) => false,
                None => !nvptx,
            },
            schedule: Schedule::RoundRobin,
            seed: 0,
            blocks: (product(grid) * product(block) > MOST_THREADS).then_some(two),
            threads: 1,
            resident: match self.compiled.cooperative {
                true => u32::try_from(product(grid)).unwrap_or(u32::MAX),
                false => RESIDENT_THREADS / product(block).clamp(1, 1 << 16) as u32,
            }
            .max(1),
            limits: Limits { time: TIME, idle: IDLE },
        }
    }

    /// The cluster that the check took: the one asked for, or the one that the code requires.
    fn cluster(&self, options: &CheckOptions) -> [u32; 3] {
        let asked = match options.launch.cluster {
            Some(Size::Known(size)) => Some(size),
            Some(Size::Any) | None => None,
        };
        asked.or(self.required_cluster).unwrap_or([1; 3])
    }

    fn attempt(
        &mut self,
        subject: &Subject<'_>,
        witness: &Witness,
        launch: &Launch,
        numbers: bool,
    ) -> Result<(Vec<Finding>, bool), String> {
        let pointers: Vec<_> = self
            .compiled
            .parameters
            .iter()
            .filter(|it| it.kind == ParameterKind::Pointer)
            .map(|it| it.name.clone())
            .collect();
        let layout: Vec<_> =
            pointers.iter().map(|name| (name.clone(), bytes_of(witness, name), 4)).collect();
        let mut memory = Memory::new(&layout).map_err(|error| error.to_string())?;
        for (n, name) in pointers.iter().enumerate() {
            if numbers {
                let words = memory.bytes_mut(n)[..NUMBERED].chunks_exact_mut(4).enumerate();
                words.for_each(|(at, word)| word[0] = varied(at as u64));
            }
            store(memory.bytes_mut(n), witness, name);
        }
        let variables = self.compiled.variables.iter().zip(&mut self.compiled.initial);
        for ((name, ..), bytes) in variables {
            store(bytes, witness, name);
        }
        let mut arguments = self.arguments(subject.kernel, witness, &memory, launch)?;
        pointers::share(subject, witness, &self.compiled, &mut arguments);
        let outcome = self
            .compiled
            .run(self.sites.clone(), launch, &mut memory, &arguments)
            .map_err(|error| error.to_string())?;
        let name = &subject.kernel.display_name;
        let found = heddle_runtime::findings(name, &self.sites, launch, &outcome);
        Ok((found, outcome.died))
    }

    /// The packed arguments: numbers from the witness, zero where it leaves them open.
    fn arguments(
        &self,
        kernel: &Kernel,
        witness: &Witness,
        memory: &Memory,
        launch: &Launch,
    ) -> Result<Vec<u8>, String> {
        let compiled = &self.compiled;
        let mut packed = vec![0; compiled.argument_bytes.max(16)];
        let (mut buffer, mut shared) = (0, compiled.shared_bytes as u64);
        for parameter in &compiled.parameters {
            let at = parameter.offset;
            match parameter.kind {
                ParameterKind::Pointer => {
                    let address = memory.buffers()[buffer].address as u64;
                    packed[at..at + 8].copy_from_slice(&address.to_le_bytes());
                    buffer += 1;
                }
                ParameterKind::SharedPointer => {
                    packed[at..at + 8].copy_from_slice(&shared.to_le_bytes());
                    shared += shared_share(compiled, launch.dynamic_shared);
                }
                ParameterKind::Int | ParameterKind::Float | ParameterKind::Bytes => {}
            }
        }
        for argument in &witness.arguments {
            let name = &argument.name;
            if name.starts_with(OFFSET) {
                continue;
            }
            let known = kernel.params.iter().find(|it| it.name == *name);
            let (place, bytes) = match known.map(|it| &it.kind) {
                Some(&ParamKind::Field { of, offset, width }) => {
                    let structure = compiled.parameters.get(of as usize);
                    (structure.map(|it| it.offset + offset as usize), usize::from(width) / 8)
                }
                Some(ParamKind::Scalar { .. } | ParamKind::Pointer(_)) | None => {
                    let scalar = compiled.parameters.iter().find(|it| it.name == *name);
                    (scalar.map(|it| it.offset), scalar.map_or(0, |it| it.bytes))
                }
            };
            let value: Option<i128> = argument.value.parse().ok();
            let (Some(place), Some(value)) = (place, value) else {
                return Err(format!("its argument `{name}` has no place among those of the code"));
            };
            let bytes = bytes.clamp(1, 16).min(packed.len().saturating_sub(place));
            packed[place..place + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
        Ok(packed)
    }
}

/// What a run met, and near which line.
fn with_place(finding: &Finding) -> String {
    let line = finding.labels.first().and_then(|it| it.place.line());
    let near = line.map(|it| format!(", near line {it}")).unwrap_or_default();
    format!("{}{near}", finding.message)
}

/// How a witness names OpenCL's global offset: with the axis in parentheses.
const OFFSET: &str = "get_global_offset(";

/// The global offset that a witness names.
fn offset(witness: &Witness) -> [u32; 3] {
    [0, 1, 2].map(|axis| {
        let name = format!("{OFFSET}{axis})");
        let found = witness.arguments.iter().find(|it| it.name == name);
        found.and_then(|it| it.value.parse().ok()).unwrap_or(0)
    })
}

/// Puts what the witness says of an object into its bytes. What lies beyond them a run cannot read.
fn store(bytes: &mut [u8], witness: &Witness, object: &str) {
    for it in witness.memory.iter().filter(|it| it.object == object) {
        let len = usize::from(it.bits).div_ceil(8);
        let start = usize::try_from(it.offset).ok();
        let place = start.and_then(|at| bytes.get_mut(at..at.checked_add(len)?));
        if let Some(place) = place {
            place.copy_from_slice(&it.value.to_le_bytes()[..len]);
        }
    }
}

/// Bytes behind a pointer parameter: enough for what the witness says is in them.
fn bytes_of(witness: &Witness, object: &str) -> usize {
    let offsets = witness.memory.iter().filter(|it| it.object == object).map(|it| it.offset);
    let last = offsets.filter(|it| *it < MOST_BUFFER).max().unwrap_or(0);
    BUFFER + (last as usize).next_multiple_of(4096)
}

/// Small numbers that look like nothing in particular.
fn varied(word: u64) -> u8 {
    (word.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// Whether a run's finding is the one that the check told.
fn is_same(told: &Finding, met: &Finding) -> bool {
    match (told.code, met.code) {
        (told_code, Code::BenignRace) if told_code != Code::BenignRace => false,
        (_, Code::EarlyReturnBeforeBarrier) => told.code == met.code,
        _ if told.code.family() != met.code.family() => false,
        _ => match told.code.family() {
            Family::Races | Family::Assertions => is_here(told, met),
            // The one says where threads part, or what they need, the other where they wait.
            Family::Barriers | Family::Progress => true,
            Family::NotModelled | Family::Memory | Family::Convergence | Family::Tool => false,
        },
    }
}

/// Whether both are about the same places.
fn is_here(told: &Finding, met: &Finding) -> bool {
    let places = |finding: &Finding| {
        let mut all: Vec<_> = finding.labels.iter().map(|it| key(&it.place)).collect();
        all.sort();
        all.dedup();
        all
    };
    places(told) == places(met)
}

/// File and line of a place, or function and instruction.
fn key(place: &Place) -> (String, u32) {
    match place {
        Place::Source(at) => (format!("{:?}", at.file), at.line),
        Place::Instruction(at) => (at.function.to_string(), at.ordinal),
    }
}
