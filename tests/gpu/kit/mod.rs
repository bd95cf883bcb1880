//! The kit for a machine with a GPU, and what must come of it: `heddle-device` runs the tasks,
//! [`crate::records`] judges what they gave.
//!
//! `HEDDLE_GPU_KIT=folder cargo test --test gpu kit` writes one (`make gpu-kit`); what cannot be in
//! it is in `left_out.txt` there, with reasons. `HEDDLE_GPU_SHORT=1` has a few tasks of each step,
//! `HEDDLE_GPU=race` the kernels with that text in their path.

mod corpus;
mod faults;
mod litmus;
mod progress;
mod slow;
pub(crate) mod vectors;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heddle_runtime::gpu::kit::{Step, Task, Writer};
use heddle_runtime::gpu::record::{Done, End};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::scripts::{Scripts, shortened};

/// A task, and what must come of it.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) task: Task,
    pub(crate) expects: Expects,
}

/// What must come of a task.
#[derive(Clone, Debug)]
pub(crate) enum Expects {
    /// Nothing is found, and buffers are left like this.
    Same(Vec<Vec<u8>>),
    /// Nothing is found; what is left depends on the order of threads.
    Quiet,
    /// Something of the kind is found in one of the runs.
    Found(Kind, Seen),
    /// Each outcome is one of those that the model allows: of all that can be said, those that are.
    Allowed(Allowed),
    /// It ends, if the device gives what these models promise.
    Ends { under: Vec<String> },
    /// It returns; how long it takes is what is asked.
    Returns,
    /// It ends like this.
    Like(End),
    /// Its driver says this.
    Refused(&'static str),
}

/// Whether what is there must be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Always,
    /// It may be missed, for this reason.
    Unless(&'static str),
}

/// Whether a device missed what it may miss, and why it may.
pub(crate) fn missed(done: &Done, expects: &Expects) -> Option<&'static str> {
    let Expects::Found(kind, Seen::Unless(why)) = expects else { return None };
    let returned = done.ends.keys().all(|it| *it == End::Returned);
    (returned && !is_found(done, *kind)).then_some(*why)
}

/// Whether a device showed it: by a finding, or, where threads wait for each other, by not going
/// on.
fn is_found(done: &Done, kind: Kind) -> bool {
    let of = |code: &String| match kind {
        Kind::Race => code.starts_with("HD01"),
        Kind::Barrier => code.starts_with("HD02"),
        Kind::Outside => code == "HD0301",
    };
    let stays = [End::Hangs, End::Stopped, End::Failed].iter().any(|it| done.ends.contains_key(it));
    done.codes.keys().any(of) || kind == Kind::Barrier && stays
}

/// What is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Race,
    Barrier,
    Outside,
}

/// What a memory model says of outcomes, and one that it allows.
#[derive(Clone)]
pub(crate) struct Allowed(pub(crate) Arc<IsAllowed>, pub(crate) Vec<u32>);

/// Whether a model allows an outcome: the words of it.
pub(crate) type IsAllowed = dyn Fn(&[u32]) -> bool + Send + Sync;

impl std::fmt::Debug for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Allowed")
    }
}

/// What became of a task that differs from what must come of it. `capability` is the device's.
pub(crate) fn wrong(done: &Done, expects: &Expects, capability: &str, needs: &str) -> Vec<String> {
    let ends: BTreeSet<End> = done.ends.keys().copied().collect();
    let only = |end: End| ends == BTreeSet::from([end]);
    let ended = || format!("it ended like {:?} ({})", done.ends, done.why);
    if only(End::Refused) && lacks(capability, needs) && !matches!(expects, Expects::Refused(_)) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    match expects {
        Expects::Same(buffers) => {
            let should = heddle_runtime::gpu::worker::of_outputs(buffers);
            if !only(End::Returned) {
                wrong.push(ended());
            } else if done.outputs.as_ref() != Some(&should) {
                wrong.push("its buffers are not those of the executor".to_owned());
            }
            if !done.codes.is_empty() {
                wrong.push(format!("it is proved, and {:?} are found", done.codes));
            }
        }
        Expects::Quiet => {
            if !only(End::Returned) {
                wrong.push(ended());
            }
            if !done.codes.is_empty() {
                wrong.push(format!("it is proved, and {:?} are found", done.codes));
            }
        }
        Expects::Found(kind, _) => {
            if !is_found(done, *kind) && missed(done, expects).is_none() {
                wrong.push(format!("{kind:?} is not found, but {:?}; {}", done.codes, ended()));
            }
        }
        Expects::Allowed(Allowed(is_allowed, _)) => {
            if !only(End::Returned) {
                wrong.push(ended());
            }
            if done.outcomes.is_empty() {
                wrong.push("no outcome was seen".to_owned());
            }
            let bad = done.outcomes.iter().filter(|(words, _)| !is_allowed(words));
            wrong.extend(bad.map(|(words, times)| {
                format!("the model forbids the outcome {words:?}, which was seen {times} times")
            }));
        }
        // That it hangs refutes models for this device, and no claim of ours.
        Expects::Ends { under: _ } => {
            let may = [End::Returned, End::Hangs].map(|it| ends.contains(&it));
            if !may.contains(&true) {
                wrong.push(ended());
            }
        }
        Expects::Returns => {
            if !only(End::Returned) || done.micros == 0 {
                wrong.push(ended());
            }
        }
        Expects::Like(end) => {
            if !ends.contains(end) {
                wrong.push(ended());
            }
        }
        Expects::Refused(words) => {
            if !only(End::Refused) || !done.why.contains(words) {
                wrong.push(ended());
            }
        }
    }
    wrong
}

/// The architecture that a task's device must have: a number, at least, or with a letter that one
/// alone.
pub(crate) fn needs(task: &Task) -> &str {
    task.name.split("needs sm_").nth(1).unwrap_or("0")
}

/// Whether a device of this compute capability, as `9.0`, lacks what a task needs.
fn lacks(capability: &str, needs: &str) -> bool {
    let has: u32 = capability.replace('.', "").parse().unwrap_or(0);
    let number = needs.trim_end_matches(char::is_alphabetic);
    let least: u32 = number.parse().unwrap_or(0);
    if number == needs { has < least } else { has != least }
}

/// What is in a kit, and what is not, with reasons.
pub(crate) struct Contents {
    pub(crate) tasks: Vec<Prepared>,
    pub(crate) left_out: Vec<String>,
}

/// What goes into a kit.
pub(crate) struct Choice<'a> {
    /// Which kernels of the corpus.
    pub(crate) takes: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Which other steps.
    pub(crate) steps: &'a dyn Fn(Step) -> bool,
    /// All of the others' tasks, or a few of each.
    pub(crate) whole: bool,
    /// Which of the others' tasks, by name.
    pub(crate) named: &'a dyn Fn(Step, &str) -> bool,
}

/// Bytes of stack of the threads that make tasks.
const STACK: usize = 256 << 20;

/// The tasks of a kit.
pub(crate) fn contents(kit: &Writer, choice: &Choice<'_>) -> Contents {
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    let few = if choice.whole { usize::MAX } else { 6 };
    let others = Step::EACH.into_iter().filter(|it| (choice.steps)(*it)).map(|step| {
        let named = |name: &str| (choice.named)(step, name);
        match step {
            Step::Litmus => litmus::tasks(kit, few, &named),
            Step::Progress => progress::tasks(kit, few, &named),
            Step::Slow => slow::tasks(kit, if choice.whole { 4 } else { 1 }, &named),
            Step::Faults => faults::tasks(kit),
            Step::Vectors => vectors::tasks(kit, few, &named),
            Step::Plain | Step::Checked | Step::Sanitizer => {
                Contents { tasks: Vec::new(), left_out: Vec::new() }
            }
        }
    });
    // These take seconds, the corpus minutes.
    let others: Vec<Contents> = others.collect();
    let files: Vec<PathBuf> = corpus::files().into_iter().filter(|it| (choice.takes)(it)).collect();
    // A check of a large kernel goes deep, deeper still in a build for tests.
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().expect("threads start");
    let made: Vec<Contents> = pool
        .install(|| files.par_iter().with_max_len(1).map(|it| corpus::tasks(kit, it)).collect());
    for Contents { tasks, left_out } in made.into_iter().chain(others) {
        all.tasks.extend(tasks);
        all.left_out.extend(left_out);
    }
    all
}

/// A task by its step and its name.
pub(crate) type Name = (Step, String);

/// The tasks of these names, made anew: what they are now, and what must come of them.
pub(crate) fn again(kit: &Writer, names: &BTreeSet<Name>) -> BTreeMap<Name, Prepared> {
    let files: BTreeSet<PathBuf> = names
        .iter()
        .filter(|(step, _)| matches!(step, Step::Plain | Step::Checked))
        .filter_map(|(_, name)| Some(Path::new("tests/kernels").join(name.split(' ').next()?)))
        .collect();
    let choice = Choice {
        takes: &|path| files.contains(path),
        steps: &|step| names.iter().any(|(of, _)| *of == step),
        whole: true,
        named: &|step, name| names.contains(&(step, name.to_owned())),
    };
    let contents = contents(kit, &choice);
    let keyed = contents.tasks.into_iter().map(|it| ((it.task.step, it.task.name.clone()), it));
    keyed.filter(|(key, _)| names.contains(key)).collect()
}

#[test]
fn a_kit_is_written_where_one_is_asked_for() {
    let Some(folder) = std::env::var_os("HEDDLE_GPU_KIT").map(PathBuf::from) else { return };
    let only = std::env::var("HEDDLE_GPU").unwrap_or_default();
    let mut kit = Writer::new(&folder).expect("the folder can be made");
    let takes = |path: &Path| only.is_empty() || path.to_string_lossy().contains(&only);
    let whole = std::env::var_os("HEDDLE_GPU_SHORT").is_none();
    let choice = Choice { takes: &takes, steps: &|_| true, whole, named: &|_, _| true };
    let contents = contents(&kit, &choice);
    let mut left_out = contents.left_out;
    left_out.sort();
    std::fs::write(folder.join("left_out.txt"), left_out.join("\n") + "\n")
        .expect("it can be written");
    // What a driver that plays scripts is to play, where one is asked for that.
    let scripts = std::env::var_os("HEDDLE_STUB_SCRIPTS").map(PathBuf::from);
    for prepared in &contents.tasks {
        let task = prepared.task.clone();
        kit.add(if scripts.is_some() { shortened(task) } else { task });
    }
    let count = kit.finish().expect("it can be written");
    if let Some(scripts) = scripts {
        Scripts::new(&folder, &scripts).as_they_must(&contents.tasks);
    }
    let mut told = std::io::stderr();
    let _unheard = std::io::Write::write_fmt(
        &mut told,
        format_args!("{count} tasks in {}, {} left out\n", folder.display(), left_out.len()),
    );
    assert!(count > 0, "nothing is in the kit");
}
