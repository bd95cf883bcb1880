//! Runs one launch of a case by each of Heddle's executors, and keeps what they computed.
//!
//! **Promises**: all get the same source, sizes, arguments and memory. The door to the executors,
//! as [`super::ask`] is to the checker. **Does not**: compare.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use heddle_diagnostics::Severity;
use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, RunOptions, run};
use heddle_frontend::{CompileOptions, Input, Language as SourceLanguage};
use heddle_interp::{
    AccessEvent, Contents, Launch, Moment, Pause, Session, Visitor, WarpAccess, Warps, Watcher,
};
use heddle_ir::{Barrier, Initial, Kernel, ObjectId, OpId, OpKind, ParamKind, Space};

use crate::case::Case;
use crate::lower::OPEN_SHARED;
use crate::syntax::Language;

/// Operations, once for each thread, that a run may take.
const STEPS: u64 = 30_000_000;

/// A launch, and what its memory holds.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) scalars: Vec<Scalar>,
    /// By pointer parameter.
    pub(crate) buffers: Vec<(String, Vec<u8>)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    pub(crate) name: String,
    /// As on the command line.
    pub(crate) text: String,
    /// Cut to its width.
    pub(crate) bits: u64,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub(crate) enum Ran {
    /// Each byte of each buffer, where it is known; and what was reported.
    Ended { memory: Vec<Vec<Option<u8>>>, reported: Vec<String> },
    /// It has no answer, and why.
    Stopped(String),
}

fn language(case: &Case) -> SourceLanguage {
    match case.program.language {
        Language::Cuda => SourceLanguage::Cuda,
        Language::OpenCl => SourceLanguage::OpenCl,
    }
}

/// As `heddle run` does it: native code, checked.
pub(crate) fn native(case: &Case, inputs: &Inputs, folder: &Path, seed: u64) -> Ran {
    let text = case.text();
    let mut options = RunOptions {
        grid: inputs.grid,
        block: inputs.block,
        // As many bytes as the evaluator gives.
        dynamic_shared: if text.contains("extern __shared__") { OPEN_SHARED as u32 } else { 0 },
        args: inputs.scalars.iter().map(|it| (it.name.clone(), it.text.clone())).collect(),
        threads: Some(1),
        ..RunOptions::default()
    };
    let mut files = Vec::new();
    for (name, bytes) in &inputs.buffers {
        let path = folder.join(format!("{seed}_{name}.bin"));
        std::fs::write(&path, bytes).expect("the folder is writable");
        match Buffer::unnamed(&format!("u8:file:{}", path.display())) {
            Ok(buffer) => options.buffers.push(buffer.named(name)),
            Err(error) => return Ran::Stopped(error),
        }
        files.push(path);
    }
    let source = Source::Text {
        name: "<drawn>".to_owned(),
        bytes: text.into_bytes(),
        language: Some(language(case)),
    };
    let outcome = run(&source, &options, &heddle_clang::Embedded);
    for path in files {
        std::fs::remove_file(path).expect("it was written");
    }
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return Ran::Stopped(error.to_string()),
    };
    let memory: Option<Vec<_>> = inputs
        .buffers
        .iter()
        .map(|(name, _)| Some(outcome.buffer(name)?.iter().map(|it| Some(*it)).collect()))
        .collect();
    let errors = outcome.report.findings().filter(|it| it.severity == Severity::Error);
    let reported: Vec<_> = errors.map(|it| format!("{}: {}", it.code, it.message)).collect();
    match memory {
        Some(memory) if outcome.exit_code() < 2 => Ran::Ended { memory, reported },
        Some(_) | None => Ran::Stopped(reported.join("; ")),
    }
}

/// A case as the interpreters take it.
#[derive(Debug)]
pub(crate) struct Lifted {
    kernel: Kernel,
    launch: Launch,
    /// The objects of the buffers.
    objects: Vec<ObjectId>,
}

impl Lifted {
    /// Why it cannot be, else.
    pub(crate) fn new(case: &Case, inputs: &Inputs) -> Result<Lifted, String> {
        let text = case.text();
        let input = Input::memory("<drawn>", text.as_bytes()).with_language(language(case));
        let options = CompileOptions::default();
        let prepared = heddle_frontend::load_with(&input, &options, &heddle_clang::Embedded)
            .map_err(|error| error.to_string())?;
        let [kernel] = &prepared.kernels[..] else { return Err("not one kernel".to_owned()) };
        let function = prepared.module.function(&kernel.name).ok_or("no such function")?;
        let kernel = heddle_lift::lift(&prepared.module, function).map_err(|it| it.to_string())?;
        let mut launch = Launch::new(&kernel, inputs.grid, inputs.block);
        for (id, object) in &kernel.objects {
            if let Initial::First(data) | Initial::Host(data) = &object.initial {
                launch.buffers.insert(id, Contents::of_data(data));
            }
        }
        let mut objects = Vec::new();
        for (name, bytes) in &inputs.buffers {
            let param = kernel.params.iter().find(|it| it.name == *name);
            let Some(ParamKind::Pointer(object)) = param.map(|it| &it.kind) else {
                return Err(format!("no pointer `{name}`"));
            };
            launch.buffers.insert(*object, Contents::of_bytes(bytes.iter().copied()));
            objects.push(*object);
        }
        for param in &kernel.params {
            let given = inputs.scalars.iter().find(|it| it.name == param.name);
            launch.args.push(given.map(|it| u128::from(it.bits)));
        }
        Ok(Lifted { kernel, launch, objects })
    }

    fn blocks(&self) -> Vec<[u32; 3]> {
        let [x, y, z] = self.launch.shape.grid;
        let row = |y: u32, z: u32| (0..x).map(move |x| [x, y, z]);
        (0..z).flat_map(|z| (0..y).flat_map(move |y| row(y, z))).collect()
    }

    /// Blocks one after the other, each in lock-step: what replays witnesses. With its accesses.
    pub(crate) fn in_lockstep(&self, inputs: &Inputs) -> (Ran, Accesses) {
        let mut accesses = Accesses::default();
        let mut session = match Session::new(&self.kernel, &self.launch) {
            Ok(session) => session,
            Err(error) => return (Ran::Stopped(error.to_string()), accesses),
        };
        let mut budget = STEPS;
        for block in self.blocks() {
            let mut visitor = Told { lifted: self, block, into: &mut accesses };
            if let Err(stop) = session.run_block(block, &mut visitor, &mut budget) {
                return (Ran::Stopped(format!("{stop:?}")), accesses);
            }
        }
        let sizes = inputs.buffers.iter().map(|(_, bytes)| bytes.len() as u64);
        let memory = self.objects.iter().zip(sizes).map(|(object, size)| {
            let byte = |at| session.global(*object, at, 1).map(|it| it as u8);
            (0..size).map(byte).collect()
        });
        (Ran::Ended { memory: memory.collect(), reported: Vec::new() }, accesses)
    }

    /// Warps against each other, each up to where it waits: what follows named barriers.
    pub(crate) fn by_warps(&self) -> Result<Accesses, String> {
        let blocks = self.blocks();
        let all: Vec<_> = blocks.iter().map(|it| Some(*it)).collect();
        let mut told = OfWarps { lifted: self, blocks, accesses: Accesses::default() };
        let stopped = |stop| format!("{stop:?}");
        let mut warps =
            Warps::new(&self.kernel, &self.launch, &all, &[], STEPS).map_err(stopped)?;
        let flows: Vec<_> = warps.flows().collect();
        // Where each waits; `None` once it has ended.
        let mut at: Vec<Option<OpId>> = vec![None; flows.len()];
        let mut ready: Vec<usize> = (0..flows.len()).collect();
        while let Some(index) = ready.pop() {
            let flow = flows[index];
            match warps.advance(flow, &mut told).map_err(stopped)? {
                Pause::Ended => at[index] = None,
                Pause::At { op, lanes } => match &self.kernel[op].kind {
                    OpKind::Barrier(Barrier::Warp { .. }) => {
                        warps.pass(flow);
                        ready.push(index);
                        continue;
                    }
                    OpKind::Barrier(Barrier::Block { reduce: None, .. }) => {
                        if lanes != warps.live(flow) {
                            return Err("a part of a warp at a barrier".to_owned());
                        }
                        at[index] = Some(op);
                    }
                    _ => return Err("another kind of synchronization".to_owned()),
                },
            }
            if !ready.is_empty() {
                continue;
            }
            // Nothing goes on by itself: barriers open. Blocks do not wait for each other.
            for (index, op) in at.iter_mut().enumerate() {
                if op.take().is_some() {
                    warps.pass(flows[index]);
                    ready.push(index);
                }
            }
        }
        let mut accesses = told.accesses;
        accesses.open.extend(warps.blurred().keys().map(|it| it.as_u32()));
        Ok(accesses)
    }

    fn is_shared_by_threads(&self, object: ObjectId) -> bool {
        matches!(self.kernel.objects[object].space, Space::Global | Space::Shared)
    }
}

/// An operation, a block, and a thread in it.
type Who = (u32, [u32; 3], u32);

/// An object and an offset.
type Where = (u32, u64);

/// Where each thread touched memory that others see, by operation, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses {
    pub(crate) all: BTreeMap<Who, Vec<Where>>,
    /// Operations of which not all is known.
    pub(crate) open: Vec<u32>,
}

struct Told<'a> {
    lifted: &'a Lifted,
    block: [u32; 3],
    into: &'a mut Accesses,
}

impl Visitor for Told<'_> {
    fn access(&mut self, at: &Moment<'_>, event: &AccessEvent<'_>) -> ControlFlow<()> {
        if self.lifted.is_shared_by_threads(event.object) {
            for it in event.threads {
                let key = (at.op.as_u32(), self.block, it.thread);
                let place = (event.object.as_u32(), it.offset);
                self.into.all.entry(key).or_default().push(place);
            }
        }
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, at: &Moment<'_>, _: &[u32]) -> ControlFlow<()> {
        self.into.open.push(at.op.as_u32());
        ControlFlow::Continue(())
    }
}

struct OfWarps<'a> {
    lifted: &'a Lifted,
    blocks: Vec<[u32; 3]>,
    accesses: Accesses,
}

impl Watcher for OfWarps<'_> {
    fn access(&mut self, access: &WarpAccess<'_>) {
        if !self.lifted.is_shared_by_threads(access.object) {
            return;
        }
        if access.perhaps {
            self.accesses.open.push(access.op.as_u32());
            return;
        }
        let size = self.lifted.launch.shape.warp_size.unwrap_or(32);
        for (lane, offset) in access.lanes {
            let thread = access.warp * size + u32::from(*lane);
            let key = (access.op.as_u32(), self.blocks[access.block as usize], thread);
            let place = (access.object.as_u32(), *offset);
            self.accesses.all.entry(key).or_default().push(place);
        }
    }
}
