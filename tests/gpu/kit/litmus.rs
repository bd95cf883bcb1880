//! Litmus tests of the memory model as tasks: `tests/litmus`, many instances side by side.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use heddle_litmus::emit::{KERNEL, SPACING, emit};
use heddle_litmus::program::Place;
use heddle_litmus::{Limits, answer, parse};
use heddle_runtime::gpu::kit::{Given, Step, Tally, Task, Writer, hash};

use super::{Allowed, Contents, Expects, Prepared};

/// Instances of one launch: with two blocks each they fit on a device at one time.
const INSTANCES: usize = 128;
/// Launches, each with delays of its own.
const RUNS: u32 = 200;

pub(crate) fn tasks(kit: &Writer, few: usize, named: &dyn Fn(&str) -> bool) -> Contents {
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/litmus")
        .expect("the tests")
        .filter_map(|it| Some(it.ok()?.path()))
        .filter(|it| it.extension().is_some_and(|it| it == "litmus"))
        .collect();
    files.sort();
    files.truncate(few);
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match one(kit, &std::fs::read_to_string(&file).expect("a file"), &name, named) {
            Ok(one) => all.tasks.extend(one),
            Err(why) => all.left_out.push(format!("litmus {name}: {why}")),
        }
    }
    all
}

fn one(
    kit: &Writer,
    text: &str,
    name: &str,
    named: &dyn Fn(&str) -> bool,
) -> Result<Option<Prepared>, String> {
    let test = parse(text).map_err(|error| error.to_string())?;
    let program = emit(&test).map_err(|why| why.to_string())?;
    let name = format!("{name}, needs sm_{}", program.needs);
    if !named(&name) {
        return Ok(None);
    }
    let answer = answer(&test, Limits::default()).map_err(|_| "it is too large".to_owned())?;
    let blob = |bytes: &[u8]| kit.blob(bytes).map_err(|error| error.to_string());
    let ptx = format!("// kit {}\n{}", hash(name.as_bytes()), program.ptx);
    let (registers, locations) = (program.registers.len(), program.locations.len());
    let stride = program.words as usize * 4;
    let tally = Tally {
        instances: INSTANCES,
        words: (0..registers)
            .map(|n| (1, n * 4, stride))
            .chain((0..locations).map(|n| {
                let spacing = SPACING as usize;
                (0, n * spacing, locations * spacing)
            }))
            .collect(),
        flags: (registers..program.words as usize).map(|n| (1, n * 4, stride)).collect(),
    };
    let task = Task {
        step: Step::Litmus,
        of: hash(text.as_bytes()),
        ptx: blob(ptx.as_bytes())?,
        kernel: KERNEL.to_owned(),
        grid: [program.blocks * INSTANCES as u32, 1, 1],
        block: [program.threads, 1, 1],
        dynamic_shared: 0,
        buffers: vec![
            blob(&program.memory(&test, INSTANCES))?,
            blob(&vec![0; INSTANCES * stride])?,
        ],
        arguments: vec![Given::Buffer(0), Given::Buffer(1), Given::Run],
        variables: Vec::new(),
        shift: 2,
        bounds: false,
        sites: 0,
        timeout: 5_000,
        runs: RUNS,
        delays: false,
        until_found: false,
        tally: Some(tally),
        memory: None,
        name,
    };
    let places: Vec<Place> = program
        .registers
        .iter()
        .map(|(thread, name)| Place::Register(*thread, name.clone()))
        .chain(program.locations.iter().map(|name| Place::Location(name.clone())))
        .collect();
    let is_allowed = move |words: &[u32]| {
        let ended: BTreeMap<Place, u64> =
            places.iter().cloned().zip(words.iter().map(|it| u64::from(*it))).collect();
        words.len() == places.len() && answer.allows(&ended)
    };
    Ok(Some(Prepared { task, expects: Expects::Allowed(Allowed(Arc::new(is_allowed))) }))
}
