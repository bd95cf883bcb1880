//! `make gpu` against a driver that plays scripts: a kit of a few kernels, `heddle-device`, a
//! record, its judgement; and that a device which does otherwise, or a record that was changed, is
//! seen.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use heddle_runtime::gpu::kit::{Step, Writer};
use heddle_runtime::gpu::record::{Done, Line, read};

use crate::host::stub;
use crate::kit::{Choice, Expects, Name, Prepared, again, contents};
use crate::records::judge;
use crate::scripts::{Scripts, forbidden, shortened};

/// Of the corpus: proved and refuted ones, by races within and between blocks and by barriers.
const KERNELS: [&str; 6] = [
    "exchange/proved_xor_partner.cu",
    "exchange/refuted_xor_partner.cu",
    "histogram/proved_shared_atomics.cu",
    "histogram/refuted_global_plain.cu",
    "barrier/refuted_both_arms.cu",
    "barrier/proved_both_arms.cu",
];

/// A kit with the scripts by which the stub does what each task must do.
struct Scene {
    root: PathBuf,
    prepared: Vec<Prepared>,
    scripts: Scripts,
}

impl Scene {
    fn new(name: &str) -> Scene {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("meeting_{name}_{}", std::process::id()));
        let _none = std::fs::remove_dir_all(&root);
        let mut kit = Writer::new(&root.join("kit")).expect("the folder is ours");
        let takes = |path: &Path| KERNELS.iter().any(|it| path.ends_with(it));
        let choice = Choice { takes: &takes, steps: &|_| true, whole: false, named: &|_, _| true };
        let made = contents(&kit, &choice);
        let left_out: Vec<_> = made
            .left_out
            .iter()
            .filter(|it| !it.contains("not at hand") && !it.contains("libdevice has none"))
            .collect();
        assert!(left_out.is_empty(), "{left_out:?}");
        let mut prepared = made.tasks;
        prepared.sort_by_key(|it| it.task.step);
        for it in &mut prepared {
            it.task = shortened(it.task.clone());
            kit.add(it.task.clone());
        }
        kit.finish().expect("the folder is ours");
        let scripts = Scripts::new(&root.join("kit"), &root.join("scripts"));
        scripts.as_they_must(&prepared);
        Scene { root, prepared, scripts }
    }

    fn command(&self, out: &str, seconds: u32) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heddle-device"));
        command
            .arg(self.root.join("kit"))
            .args(["--seconds", &seconds.to_string(), "--out"])
            .arg(self.root.join(out))
            .arg("--cuda-driver")
            .arg(stub())
            .env("HEDDLE_STUB", "kit")
            .env("HEDDLE_STUB_SCRIPTS", self.root.join("scripts"));
        command
    }

    fn run(&self, out: &str, seconds: u32) -> (Output, String) {
        let output = self.command(out, seconds).output().expect("heddle-device starts");
        (output, self.record(out))
    }

    fn record(&self, out: &str) -> String {
        std::fs::read_to_string(self.root.join(out)).unwrap_or_default()
    }

    fn judge(&self, record: &str) -> Result<crate::records::Judged, String> {
        judge(record, &|_| true, &|names| {
            let of = |it: &&Prepared| names.contains(&(it.task.step, it.task.name.clone()));
            let keyed = self.prepared.iter().filter(of);
            keyed.map(|it| ((it.task.step, it.task.name.clone()), it.clone())).collect()
        })
    }

    fn task(&self, step: Step, part: &str) -> &Prepared {
        let found =
            self.prepared.iter().find(|it| it.task.step == step && it.task.name.contains(part));
        found.unwrap_or_else(|| panic!("no task of {} is like {part}", step.name()))
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.root);
    }
}

fn tasks(record: &str) -> Vec<Done> {
    let (_, lines) = read(record).expect("a record");
    let of = |line| match line {
        Line::Task(done) => Some(*done),
        Line::Head(_) | Line::NotRun { .. } | Line::End { .. } => None,
    };
    lines.into_iter().filter_map(of).collect()
}

/// The record with one task changed.
fn changed(record: &str, name: &Prepared, change: impl Fn(&mut Done)) -> String {
    let mut lines = Vec::new();
    for line in record.lines() {
        match serde_json::from_str(line).expect("a line") {
            Line::Task(mut done)
                if (done.step, &done.name) == (name.task.step, &name.task.name) =>
            {
                change(&mut done);
                lines.push(serde_json::to_string(&Line::Task(done)).expect("a line"));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn all_steps_run_and_a_changed_record_is_seen() {
    let scene = Scene::new("whole");
    let (output, record) = scene.run("record.jsonl", 300);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("stub, compute capability 9.0, 4 multiprocessors"), "{said}");
    let steps: BTreeSet<Step> = tasks(&record).iter().map(|it| it.step).collect();
    let all = [
        Step::Plain,
        Step::Checked,
        Step::Litmus,
        Step::Progress,
        Step::Slow,
        Step::Faults,
        Step::Vectors,
    ];
    assert!(all.iter().all(|it| steps.contains(it)), "{steps:?}");
    // Once as records are judged, by tasks that are made anew; below by those of the scene.
    let anew = |names: &BTreeSet<Name>| {
        again(&Writer::new(&scene.root.join("judge")).expect("the folder is ours"), names)
    };
    let judged = judge(&record, &|_| true, &anew).expect("a record");
    assert!(judged.wrong.is_empty(), "{}\n{said}", judged.wrong.join("\n"));
    assert_eq!(judged.count, scene.prepared.len());
    assert!(judged.whole && judged.older.is_empty() && judged.made_anew == 0, "{judged:?}");

    let proved = scene.task(Step::Checked, "proved_xor_partner");
    let refuted = scene.task(Step::Checked, "refuted_xor_partner");
    let litmus = scene.task(Step::Litmus, "");
    let sees = |record: &str, words: &str| {
        let judged = scene.judge(record).expect("it still is a record");
        assert!(judged.wrong.len() == 1 && judged.wrong[0].contains(words), "{words}: {judged:?}");
    };
    let codes = |done: &mut Done| {
        done.codes.insert("HD0101".to_owned(), 1);
    };
    sees(&changed(&record, proved, codes), "it is proved, and {\"HD0101\": 1} are found");
    let outputs = |done: &mut Done| done.outputs = Some("0123456789abcdef".to_owned());
    sees(&changed(&record, proved, outputs), "its buffers are not those of the executor");
    sees(&changed(&record, refuted, |done| done.codes.clear()), "Race is not found");
    let Expects::Allowed(allowed) = &litmus.expects else { panic!("a litmus test") };
    let tally = litmus.task.tally.as_ref().expect("outcomes are counted");
    let forbidden = forbidden(tally, allowed).expect("one is forbidden");
    sees(
        &changed(&record, litmus, |done| done.outcomes.push((forbidden.clone(), 1))),
        "the model forbids the outcome",
    );
    sees(&changed(&record, litmus, |done| done.outcomes.clear()), "no outcome was seen");
    let vectors = scene.task(Step::Vectors, "");
    let differs = vec![3, 1 << 5, 0, 0x7fff_ffff, 0];
    sees(
        &changed(&record, vectors, |done| done.outcomes.push((differs.clone(), 1))),
        "the model forbids the outcome [3, 32, 0, 2147483647, 0]",
    );
    let first = tasks(&record).remove(0);
    let twice = record.clone()
        + &serde_json::to_string(&Line::Task(Box::new(first))).expect("a line")
        + "\n";
    sees(&twice, "two lines of one task");

    // Another text is no fault of the device; a line that is cut off is left out; damage is told.
    let older =
        scene.judge(&changed(&record, proved, |done| done.of = "0".repeat(16))).expect("a record");
    assert!(older.wrong.is_empty() && older.older.len() == 1, "{older:?}");
    let cut = scene.judge(&record[..record.len() * 2 / 3]).expect("a record");
    assert!(cut.wrong.is_empty() && !cut.whole && cut.count > 5, "{cut:?}");
    let damaged = record.replacen("\"ends\"", "\"end\"", 1);
    assert!(scene.judge(&damaged).is_err_and(|why| why.contains("line ")), "damage");
    assert!(scene.judge(&record.replacen("\"form\":1", "\"form\":2", 1)).is_err(), "another form");
}

#[test]
fn a_device_that_does_otherwise_is_seen_and_one_that_dies_stops_nothing() {
    let scene = Scene::new("otherwise");
    let plain = scene.task(Step::Plain, "proved_xor_partner");
    scene.scripts.play(&plain.task, "");
    let proved = scene.task(Step::Checked, "proved_xor_partner");
    scene.scripts.play(&proved.task, "race\n");
    let refuted = scene.task(Step::Checked, "refuted_xor_partner");
    scene.scripts.play(&refuted.task, "");
    let dies = scene.task(Step::Slow, "matmul x1 plain");
    scene.scripts.play(&dies.task, "die\n");
    let litmus = scene.task(Step::Litmus, "");
    let Expects::Allowed(allowed) = &litmus.expects else { panic!("a litmus test") };
    let tally = litmus.task.tally.as_ref().expect("outcomes are counted");
    let forbidden = forbidden(tally, allowed).expect("one is forbidden");
    scene.scripts.play(&litmus.task, &scene.scripts.ends_with(&litmus.task, &forbidden));
    let hangs = scene.task(Step::Progress, "");
    scene.scripts.play(&hangs.task, "hang\n");

    let (output, record) = scene.run("record.jsonl", 300);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let judged = scene.judge(&record).expect("a record");
    assert_eq!(tasks(&record).len(), scene.prepared.len(), "nothing is left out");
    let mut lacking: Vec<&str> = Vec::new();
    for (task, words) in [
        (plain, "its buffers are not those"),
        (proved, "it is proved, and"),
        (refuted, "is not found"),
        (litmus, "the model forbids"),
        (dies, "it ended like {Died: 1}"),
    ] {
        let of = format!("{} {}", task.task.step.name(), task.task.name);
        if !judged.wrong.iter().any(|it| it.starts_with(&of) && it.contains(words)) {
            lacking.push(words);
        }
    }
    assert!(lacking.is_empty(), "{lacking:?} is not among {:#?}", judged.wrong);
    // A buffer that is not what it must be, and a race beside it, are two.
    assert_eq!(judged.wrong.len(), 6, "{:#?}", judged.wrong);
    let Expects::Ends { under } = &hangs.expects else { panic!("a test of progress") };
    assert_eq!(judged.refutes, under.iter().cloned().collect::<BTreeSet<_>>());
}

#[test]
fn without_time_each_step_says_so_and_without_a_driver_the_way_out_is_named() {
    let scene = Scene::new("limits");
    let (output, record) = scene.run("record.jsonl", 0);
    assert_eq!(output.status.code(), Some(0));
    let (_, lines) = read(&record).expect("a record");
    let not_run = lines.iter().filter(|it| matches!(it, Line::NotRun { .. })).count();
    assert_eq!(not_run, Step::EACH.len(), "{record}");
    assert!(scene.judge(&record).is_ok_and(|it| it.count == 0 && it.whole && it.wrong.is_empty()));
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_heddle-device"))
            .args(arguments)
            .env("HEDDLE_STUB", "none")
            .output()
            .expect("heddle-device starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let kit = scene.root.join("kit").display().to_string();
    let stub = stub().display().to_string();
    let (code, said) = run(&[&kit, "--cuda-driver", "no/such.so"]);
    assert!(code == Some(2) && said.contains("no CUDA driver found: tried `no/such.so`"), "{said}");
    assert!(said.contains("nothing was run: this needs an NVIDIA GPU"), "{said}");
    let (code, said) = run(&[&kit, "--cuda-driver", &stub]);
    assert!(code == Some(2) && said.contains("CUDA_ERROR_NO_DEVICE"), "{said}");
    for (arguments, words) in [
        (&["no/such/kit"][..], "`no/such/kit/tasks.jsonl` cannot be read"),
        (&[][..], "no kit is named"),
        (&["kit", "--no-such"][..], "`--no-such` is no option"),
        (&["kit", "--seconds", "x"][..], "`x` is no number of seconds"),
    ] {
        let (code, said) = run(arguments);
        assert!(code == Some(2) && said.contains(words), "{said}");
    }
}

#[test]
fn a_driver_that_does_not_come_back_ends_its_step_and_no_other() {
    let scene = Scene::new("stalls");
    let stalls = scene.task(Step::Plain, "");
    scene.scripts.play(&stalls.task, "stall\n");
    let start = Instant::now();
    let (output, record) = scene.run("record.jsonl", 20);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let (_, lines) = read(&record).expect("a record");
    let plain = lines.iter().find_map(|it| match it {
        Line::NotRun { step: Step::Plain, tasks, why } => Some((*tasks, why.clone())),
        Line::NotRun { .. } | Line::Head(_) | Line::Task(_) | Line::End { .. } => None,
    });
    let (left, why) = plain.expect("the step is not done");
    let of_step = scene.prepared.iter().filter(|it| it.task.step == Step::Plain).count();
    // Others of the step may have had another worker.
    assert!((1..=of_step).contains(&left), "its first task stalls: {left}");
    assert!(why.contains("the time of the step was over in `") && why.contains(&stalls.task.name));
    let done = tasks(&record);
    let plain: Vec<_> = done.iter().filter(|it| it.step == Step::Plain).collect();
    assert!(plain.len() == of_step - left && plain.iter().all(|it| it.name != stalls.task.name));
    assert!(done.iter().any(|it| it.step == Step::Faults), "the steps after it are run");
    let judged = scene.judge(&record).expect("a record");
    assert!(judged.wrong.is_empty() && judged.whole, "{judged:?}");
}

#[test]
fn a_run_that_is_killed_keeps_what_it_has_and_leaves_no_process() {
    let scene = Scene::new("killed");
    let stalls = scene.task(Step::Progress, "");
    scene.scripts.play(&stalls.task, "stall\n");
    let before = scene.prepared.iter().filter(|it| it.task.step < Step::Progress).count();
    let mut run = scene.command("record.jsonl", 600).spawn().expect("heddle-device starts");
    let patience = Instant::now() + Duration::from_secs(120);
    while tasks_of(&scene.record("record.jsonl")) < before {
        assert!(Instant::now() < patience, "{}", scene.record("record.jsonl"));
        std::thread::sleep(Duration::from_millis(20));
    }
    let workers = children(run.id());
    assert!(!workers.is_empty(), "one works");
    run.kill().expect("it is ours");
    run.wait().expect("it is ours");
    let record = scene.record("record.jsonl");
    let judged = scene.judge(&record).expect("a record");
    assert!(judged.wrong.is_empty() && !judged.whole, "{judged:?}");
    assert_eq!(judged.count, before, "{record}");
    while workers.iter().any(|it| Path::new("/proc").join(it.to_string()).exists()) {
        assert!(Instant::now() < patience, "its worker still waits for the driver");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How many tasks a record has whose head may not yet be written.
fn tasks_of(record: &str) -> usize {
    record.lines().filter(|it| it.starts_with("{\"task\":")).count()
}

/// Processes whose parent is this one.
fn children(parent: u32) -> Vec<u32> {
    let stat = |process: std::fs::DirEntry| {
        let text = std::fs::read_to_string(process.path().join("stat")).ok()?;
        // After the name, which may have spaces: state, parent.
        let of: u32 = text.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()?;
        let number = process.file_name().to_string_lossy().parse().ok()?;
        (of == parent).then_some(number)
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(stat).collect()
}

#[test]
fn the_runner_needs_no_compiler() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_heddle-device")).expect("it was built");
    let names = |word: &[u8]| program.windows(word.len()).any(|it| it == word);
    assert!(!names(b"libLLVM") && !names(b"libclang"), "it runs where only the CUDA driver is");
}
