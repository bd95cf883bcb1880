//! Litmus tests of forward progress as tasks: those of `tests/progress`; all that the project
//! enumerates of two threads with two and three instructions and of three with three; those of
//! (2,4) and (3,4) that distinguish strong OBE; and, where they are at hand, the 483 published
//! ones, of which the enumerated sets have the first 184 in any case.

use std::ops::ControlFlow;
use std::path::PathBuf;

use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{Checks, ptx};
use heddle_frontend::{CompileOptions, Language};
use heddle_progress::axb::{self, Axb};
use heddle_progress::emit::{Layout, Target, kernel_name, llvm_module};
use heddle_progress::model::Criterion;
use heddle_progress::oracle::Oracle;
use heddle_progress::synth::{Constraints, Request, Selection, synthesise};
use heddle_progress::system::explore;
use heddle_runtime::gpu::kit::{Given, Step, Task, Writer, hash};

use super::{Contents, Expects, Prepared};

/// Instances of a test in one launch, and launches.
const INSTANCES: u32 = 32;
const RUNS: u32 = 20;
/// Tests in one module: the driver compiles it for each of them.
const TOGETHER: usize = 24;
/// Models whose guarantee a device could give, from weak to strong.
const MODELS: [&str; 8] =
    ["hsa", "obe", "hsa+obe", "lobe", "fair", "strong-hsa", "strong-obe", "strong-fair"];

pub(crate) fn tasks(kit: &Writer, few: usize, named: &dyn Fn(&str) -> bool) -> Contents {
    let layouts =
        [Layout::RoundRobin { instances: INSTANCES }, Layout::Chunked { instances: INSTANCES }];
    let mut tests = tests(few);
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    tests.dedup_by(|a, b| a.name == b.name);
    tests.truncate(few);
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    if published().is_empty() {
        let why = "the published tests of (2,4), (3,3) and (3,4) are not at hand: those that are enumerated stand for them";
        all.left_out.push(format!("progress: {why}"));
    }
    for layout in layouts {
        let of_layout = |it: &&axb::Test| named(&task_name(it, layout));
        let tests: Vec<axb::Test> = tests.iter().filter(of_layout).cloned().collect();
        for together in tests.chunks(TOGETHER) {
            match module(kit, together, layout) {
                Ok(tasks) => all.tasks.extend(tasks),
                Err(why) => all.left_out.push(format!("progress {}: {why}", together[0].name)),
            }
        }
    }
    all
}

fn tests(few: usize) -> Vec<axb::Test> {
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/progress")
        .expect("the tests")
        .filter_map(|it| Some(it.ok()?.path()))
        .filter(|it| it.extension().is_some_and(|it| it == "axb"))
        .collect();
    files.sort();
    let named = files.iter().map(|it| {
        let test = axb::parse(&std::fs::read_to_string(it).expect("a file")).expect("a test");
        let name = it.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        axb::Test { name, ..test }
    });
    let mut tests: Vec<axb::Test> = named.collect();
    if tests.len() >= few {
        return tests;
    }
    let strong = Criterion::named("strong-obe").expect("a model");
    for (threads, instructions, selection) in [
        (2, 2, Selection::All),
        (2, 3, Selection::All),
        (3, 3, Selection::All),
        (2, 4, Selection::Distinguish(strong)),
        (3, 4, Selection::Distinguish(strong)),
    ] {
        let request = Request {
            threads,
            instructions,
            constraints: Constraints::Paper,
            rename_threads: false,
            irredundant: false,
            shard: None,
            workers: 2,
        };
        let mut each = |found: &heddle_progress::synth::Found| {
            if selection.wants(found.verdicts) {
                let test = found.candidate.test();
                let name = format!("s{threads}{instructions}_{}", test.name);
                tests.push(axb::Test { name, ..test });
            }
            ControlFlow::Continue(())
        };
        synthesise(&request, &mut each, &mut |_| {}).expect("a size that can be enumerated");
    }
    tests.extend(published());
    tests
}

/// The published tests, which are no part of this repository.
fn published() -> Vec<axb::Test> {
    let path = "../shared/data/progress/litmus_483.jsonl";
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(read).collect()
}

fn read(line: &str) -> Option<axb::Test> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let number = |value: &serde_json::Value| value.as_u64().map(|it| it as u8);
    let mut threads = Vec::new();
    for thread in value["threads"].as_array()? {
        let mut code = Vec::new();
        for (position, it) in thread.as_array()?.iter().enumerate() {
            let exchange = if it["doExch"].as_bool()? { number(&it["exchVal"]) } else { None };
            let target = number(&it["jump"])?;
            let branch = axb::Branch { value: number(&it["checkVal"])?, target };
            code.push(axb::Instruction {
                location: number(&it["checkLoc"])?,
                exchange,
                branch: (usize::from(target) != position + 1).then_some(branch),
            });
        }
        threads.push(code);
    }
    Some(axb::Test::new(&format!("published_{}", value["id"].as_str()?), threads))
}

/// The name of the task.
fn task_name(test: &axb::Test, layout: Layout) -> String {
    let how = match layout {
        Layout::Plain => "alone",
        Layout::RoundRobin { .. } => "round robin",
        Layout::Chunked { .. } => "chunked",
    };
    format!("{} {how}", test.name)
}

fn module(kit: &Writer, tests: &[axb::Test], layout: Layout) -> Result<Vec<Prepared>, String> {
    let all: Vec<&axb::Test> = tests.iter().collect();
    let text = llvm_module(&all, Target::Nvptx, layout);
    let name = "<progress tests>".to_owned();
    let of = hash(text.as_bytes());
    let source = Source::Text { name, bytes: text.into_bytes(), language: Some(Language::Ir) };
    let options = CompileOptions { arch: "sm_70".to_owned(), ..CompileOptions::default() };
    let code = ptx(&source, &options, &Embedded, Checks::Off).map_err(|error| error.to_string())?;
    let code = code.map_err(|finding| finding.message)?;
    let blob = |bytes: &[u8]| kit.blob(bytes).map_err(|error| error.to_string());
    let ptx = blob(format!("// kit {of}\n{}", code.ptx).as_bytes())?;
    let task = |test: &axb::Test| {
        let bytes = test.locations.len() * layout.instances() as usize * 4;
        let task = Task {
            step: Step::Progress,
            name: task_name(test, layout),
            // The test itself: others that are in the module change nothing.
            of: hash(test.to_string().as_bytes()),
            ptx: ptx.clone(),
            kernel: kernel_name(test),
            grid: [layout.blocks(test), 1, 1],
            block: [1, 1, 1],
            dynamic_shared: 0,
            buffers: vec![blob(&vec![0; bytes])?],
            arguments: vec![Given::Buffer(0)],
            variables: Vec::new(),
            shift: 2,
            bounds: false,
            sites: 0,
            // One that ends takes less than a millisecond.
            timeout: 400,
            runs: RUNS,
            delays: false,
            until_found: false,
            tally: None,
            memory: None,
        };
        Ok(Prepared { task, expects: Expects::Ends { under: promised(test) } })
    };
    tests.iter().map(task).collect()
}

/// The models under which a test must end: that it hangs refutes them for a device.
pub(crate) fn promised(test: &axb::Test) -> Vec<String> {
    let explored = explore(&Axb::new(test), 1_000_000);
    let Ok(explored) = explored else { return Vec::new() };
    let mut oracle = Oracle::of(&explored.system);
    let ends = |name: &&str| Criterion::named(name).is_some_and(|it| oracle.verdict(it).passes());
    MODELS.into_iter().filter(ends).map(str::to_owned).collect()
}
