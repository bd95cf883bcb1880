//! Litmus tests of the memory model as tasks: `tests/litmus`, and some of each generated family;
//! many instances side by side.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use heddle_litmus::emit::{KERNEL, SPACING, emit};
use heddle_litmus::program::Place;
use heddle_litmus::{Limits, answer, parse};
use heddle_runtime::gpu::kit::{Given, Step, Tally, Task, Writer, hash};

use super::{Allowed, Contents, Expects, Prepared};
use crate::families::{drawn, hand_over, section};

/// Instances of one launch: with two blocks each they fit on a device at one time.
const INSTANCES: usize = 128;
/// Tests of a generated family.
const OF_FAMILY: usize = 24;
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
    let written = files.into_iter().map(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&file).expect("a file"))
    });
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    for (name, text) in written.chain(generated(few)) {
        match one(kit, &text, &name, named) {
            Ok(one) => all.tasks.extend(one),
            Err(why) => all.left_out.push(format!("litmus {name}: {why}")),
        }
    }
    all
}

/// Tests of each family, spread over it, as many as are asked for and [`OF_FAMILY`] at most.
fn generated(few: usize) -> Vec<(String, String)> {
    let spread = |name: &str, of: &dyn Fn(usize) -> Option<String>| {
        let all: Vec<String> = (0..).map_while(of).filter(|it| polls_end(it)).collect();
        // No common divisor with the numbers of choices, so that each choice comes.
        let step = (all.len() / OF_FAMILY).next_multiple_of(2) + 1;
        let numbered = all.into_iter().enumerate().step_by(step).filter(|(_, text)| ends(text));
        let taken = numbered.take(few.min(OF_FAMILY));
        taken.map(|(n, text)| (format!("{name} {n}"), text)).collect::<Vec<_>>()
    };
    let some = |seed: usize| (seed < 8 * OF_FAMILY).then(|| drawn(seed as u64));
    [spread("hand-over", &hand_over), spread("section", &section), spread("drawn", &some)].concat()
}

/// Whether some execution ends, and the model can say so.
fn ends(text: &str) -> bool {
    let test = parse(text).expect("families are of the text form");
    answer(&test, Limits::default()).is_ok_and(|it| it.executions > 0)
}

/// Whether what each `until` reads is of the grid: a device may show another block's store to
/// nobody who reads weakly, or within the block, and then no instance ends.
fn polls_end(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let of_grid = |poll: &str| !poll.contains(".weak") && !poll.contains(".cta");
    lines.windows(2).all(|it| !it[1].starts_with("until") || of_grid(it[0]))
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
    let first = answer.outcomes.iter().next().ok_or("no execution of it ends")?;
    // Where an outcome does not say a place, or says some values of it, any of these will do.
    let value = |it| first.get(it).and_then(|values| values.iter().next()).copied().unwrap_or(0);
    let example: Vec<u32> = places.iter().map(|it| value(it) as u32).collect();
    let is_allowed = move |words: &[u32]| {
        let ended: BTreeMap<Place, u64> =
            places.iter().cloned().zip(words.iter().map(|it| u64::from(*it))).collect();
        words.len() == places.len() && answer.allows(&ended)
    };
    let expects = Expects::Allowed(Allowed(Arc::new(is_allowed), example));
    Ok(Some(Prepared { task, expects }))
}
