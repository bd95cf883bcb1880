//! Records of devices (`tests/gpu/records`), against what is held now: no GPU is needed to judge
//! what one gave.
//!
//! Each task of a record is made anew. Where the text that it was made of is the same, what the
//! device gave must be what the executor, the oracles and the models say now; where it is another,
//! the record is older than what it speaks of, and that is printed. By default the corpus and
//! the tests of progress are judged by one in 64; `HEDDLE_RECORDS=all` judges all,
//! `HEDDLE_RECORDS=FILE` that record alone.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use heddle_runtime::gpu::kit::{Step, Writer};
use heddle_runtime::gpu::record::{Done, End, Head, Line, read};

use crate::kit::{Expects, Name, Prepared, again, missed, needs, wrong};
use crate::sample::is_sampled;

/// Each with the reason.
const KNOWN: &[Known] = &[
    // `bfe` and `bfi` of 64 bits take position and length modulo 256 by the PTX ISA; the compiler
    // of the driver takes all of their bits, and does as the ISA says for 32 bits.
    Known { device: "NVIDIA", task: "vectors ptx 2", wrong: "[9, 40, 0, 0, 0]" },
    Known { device: "NVIDIA", task: "vectors ptx 2", wrong: "[20, 8584, 0, 0, 0]" },
    Known { device: "NVIDIA", task: "vectors ptx 3", wrong: "[2, 24628, 0, 0, 0]" },
    // `neg.s16` of -32768 is -32768; the compiler of the driver takes it for 32768 where a
    // `setp.lt.s16` compares it with 0, so that a saturating negation does not saturate.
    Known { device: "NVIDIA", task: "vectors lanes 0", wrong: "[1, 131076, 0, 2147483648, 0]" },
    Known { device: "NVIDIA", task: "vectors lanes 0", wrong: "[3, 1048624, 0, 2147483650, 0]" },
    // Thread 0 enters the loop of this kernel at another place than the others, as LLVM's optimiser
    // wrote it, and its warp does not come together again before the barrier in the loop. With the
    // same code in a loop of one entry it ends.
    Known { device: "NVIDIA", task: "plain progress/proved_count_of_returned.cu", wrong: "" },
    // It spins for ever inside an assembly, and the device gives it up for an illegal address: not
    // understood (docs/gpu.md).
    Known {
        device: "NVIDIA",
        task: "checked control/refuted_halts_in_assembly.cu",
        wrong: "Race is not found",
    },
    // One of the stores that need not be aligned: cells were of four bytes when this was run.
    Known {
        device: "NVIDIA H200",
        task: "checked layout/proved_wide_stores.cu",
        wrong: "{\"HD0104\": 20} are found",
    },
    // What threads leave depends on their order, which two schedules of the executor do not show:
    // sums of floats, and what is read under a sequence lock.
    Known { device: "", task: "applied/proved_sparse_columns.cu", wrong: "its buffers" },
    Known { device: "", task: "locks/proved_seqlock.cu", wrong: "its buffers" },
    // The random numbers lead it from one buffer into the other, wherever that is.
    Known { device: "", task: "interblock/proved_ranges_of_blocks.cu", wrong: "its buffers" },
    // Missed in 20 launches, and not understood (docs/gpu.md).
    Known {
        device: "NVIDIA H200",
        task: "checked loops/refuted_crosses_half_of_the_numbers.cu _Z4downPi",
        wrong: "Race is not found",
    },
    // Numbers that nothing promises: where the device has put a warp, what a lane reads of one that
    // its mask does not name, and the bits of a barrier object.
    Known { device: "", task: "warp/proved_slot_of_warp.cu", wrong: "its buffers" },
    Known {
        device: "",
        task: "exchange/proved_ballot_names_who_exchanges.cu",
        wrong: "its buffers",
    },
    Known { device: "", task: "named/proved_object_shown.cu", wrong: "its buffers" },
];

/// What a device is known to do otherwise.
struct Known {
    /// A part of the device's name.
    device: &'static str,
    /// A part of the task's name.
    task: &'static str,
    /// A part of what is wrong.
    wrong: &'static str,
}

/// What became of a record.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// Tasks that were judged.
    pub(crate) count: usize,
    /// What is wrong.
    pub(crate) wrong: Vec<String>,
    /// Races and barriers that a device may miss, and missed.
    pub(crate) missed: usize,
    /// Tasks whose text is another now, or is gone.
    pub(crate) older: Vec<String>,
    /// Tasks whose PTX is another now, though their text is the same.
    pub(crate) made_anew: usize,
    /// Models of progress that the device does not keep.
    pub(crate) refutes: BTreeSet<String>,
    /// Whether it has an end.
    pub(crate) whole: bool,
}

/// Tasks by their names.
pub(crate) type Tasks = BTreeMap<Name, Prepared>;

/// Judges the text of a record, by the tasks that `takes` chooses, which `again` makes anew.
pub(crate) fn judge(
    text: &str,
    takes: &dyn Fn(&Done) -> bool,
    again: &dyn Fn(&BTreeSet<Name>) -> Tasks,
) -> Result<Judged, String> {
    let (head, lines) = read(text)?;
    let mut judged = Judged::default();
    judged.wrong.extend(wrong_in_head(&head));
    let mut tasks: Vec<Box<Done>> = Vec::new();
    for line in lines {
        match line {
            Line::Task(done) => tasks.push(done),
            Line::End { .. } => judged.whole = true,
            Line::NotRun { .. } => {}
            Line::Head(_) => judged.wrong.push("it has two heads".to_owned()),
        }
    }
    // What NVIDIA's tool says is theirs, and only shown.
    tasks.retain(|it| it.step != Step::Sanitizer && takes(it));
    let names: BTreeSet<Name> = tasks.iter().map(|it| (it.step, it.name.clone())).collect();
    if names.len() != tasks.len() {
        judged.wrong.push("it has two lines of one task".to_owned());
    }
    let now = again(&names);
    for done in &tasks {
        let shown = format!("{} {}", done.step.name(), done.name);
        let Some(prepared) = now.get(&(done.step, done.name.clone())) else {
            judged.older.push(format!("{shown}: there is no such task now"));
            continue;
        };
        if prepared.task.of != done.of {
            judged.older.push(format!("{shown}: its text is another now"));
            continue;
        }
        judged.count += 1;
        // A module of progress tests has others in it, too.
        let alone = done.step != Step::Progress;
        judged.made_anew += usize::from(alone && prepared.task.ptx != done.ptx);
        if let (Expects::Ends { under }, true) =
            (&prepared.expects, done.ends.contains_key(&End::Hangs))
        {
            judged.refutes.extend(under.iter().cloned());
        }
        judged.missed += usize::from(missed(done, &prepared.expects).is_some());
        let known = |why: &str| {
            KNOWN.iter().any(|it| {
                head.device.contains(it.device) && shown.contains(it.task) && why.contains(it.wrong)
            })
        };
        let bad = wrong(done, &prepared.expects, &head.capability, needs(&prepared.task));
        judged
            .wrong
            .extend(bad.into_iter().filter(|it| !known(it)).map(|why| format!("{shown}: {why}")));
    }
    Ok(judged)
}

fn wrong_in_head(head: &Head) -> Option<String> {
    let Head { form: _, device, driver, capability, processors, memory, date, heddle, kit } = head;
    let texts = [device, driver, capability, date, heddle, kit];
    let named = texts.iter().all(|it| !it.trim().is_empty()) && *processors > 0 && *memory > 0;
    let is_date = date.len() == 10 && date.bytes().filter(|it| *it == b'-').count() == 2;
    (!named || !is_date).then(|| format!("its head does not say what ran: {head:?}"))
}

#[test]
fn what_devices_gave_is_what_is_held_now() {
    let asked = std::env::var("HEDDLE_RECORDS").unwrap_or_default();
    let files: Vec<PathBuf> = match asked.as_str() {
        "" | "all" => records(),
        file => vec![file.into()],
    };
    let mut told = std::io::stderr();
    if files.is_empty() {
        let _unheard = writeln!(told, "no device has been met: tests/gpu/records has no record");
    }
    let mut all = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a record");
        let takes = |done: &Done| match done.step {
            Step::Plain | Step::Checked | Step::Progress if asked.is_empty() => {
                is_sampled(Path::new(done.name.split(' ').next().unwrap_or_default()), 64)
            }
            _ => true,
        };
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("judge_{}", std::process::id()));
        let shown = path.display();
        let anew = |names: &BTreeSet<Name>| {
            again(&Writer::new(&folder).expect("the folder is cargo's for tests"), names)
        };
        match judge(&text, &takes, &anew) {
            Err(why) => all.push(format!("{shown}: {why}")),
            Ok(judged) => {
                let _unheard = writeln!(
                    told,
                    "{shown}: {} tasks judged, {} of them missed what a device may miss, {} older than their text, PTX of {} made anew since{}; refutes of progress: {:?}",
                    judged.count,
                    judged.missed,
                    judged.older.len(),
                    judged.made_anew,
                    if judged.whole { "" } else { ", cut off" },
                    judged.refutes
                );
                for older in &judged.older {
                    let _unheard = writeln!(told, "  older: {older}");
                }
                all.extend(judged.wrong.into_iter().map(|why| format!("{shown}: {why}")));
                let (head, _) = read(&text).expect("it was read");
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if asked.is_empty() && name != head.file_name() {
                    all.push(format!("{shown}: its name is to be {}", head.file_name()));
                }
            }
        }
        let _gone = std::fs::remove_dir_all(folder);
    }
    assert!(all.is_empty(), "{} wrong:\n{}", all.len(), all.join("\n"));
}

fn records() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("tests/gpu/records").into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|it| it.path())
        .filter(|it| it.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    files.sort();
    files
}

#[test]
fn the_table_of_devices_names_each_record() {
    let page = std::fs::read_to_string("docs/gpu.md").expect("the page");
    let files = records();
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        assert!(page.contains(&*name), "docs/gpu.md has no row for {name}");
    }
    assert_eq!(page.contains("No device has been met"), files.is_empty());
}
