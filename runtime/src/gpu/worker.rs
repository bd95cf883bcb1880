//! One task of a kit after the other, in a process that may die of them.
//!
//! A number of a task comes in on a line, what it gave goes out on a line. After a task that leaves
//! the device in an unknown state (a kernel that hangs, one that the device gave up) the process
//! ends by itself: its parent starts another, and the device is clean.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use heddle_diagnostics::Place;
use heddle_diagnostics::{InstructionPlace, Severity};
use heddle_semantics::{LaunchShape, WARP};

use super::driver::Driver;
use super::kit::{Given, Kit, Task, hash};
use super::launch::{self, Argument, Fault, Job};
use super::record::{Done, End};
use super::{Names, events};
use crate::launch::{Launch, Limits, Site};
use crate::report::findings_of;
use crate::schedule::Schedule;

/// Answers until the input ends, or a task leaves the device in an unknown state.
///
/// # Errors
/// There is no driver or no kit, or nobody reads what is answered.
pub fn serve(
    kit: &Path,
    driver: Option<&Path>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), String> {
    let kit = Kit::open(kit)?;
    let driver = Driver::open(driver)?;
    for line in input.lines() {
        let line = line.map_err(|error| error.to_string())?;
        let task = line.trim().parse().ok().and_then(|n: usize| kit.tasks.get(n));
        let task = task.ok_or_else(|| format!("`{line}` is no task"))?;
        let done = run(&driver, &kit, task);
        let text = serde_json::to_string(&done).map_err(|error| error.to_string())?;
        writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| error.to_string())?;
        let is_lost = [End::Hangs, End::Failed].iter().any(|it| done.ends.contains_key(it));
        if is_lost {
            break;
        }
    }
    Ok(())
}

/// Runs a task.
pub fn run(driver: &Driver, kit: &Kit, task: &Task) -> Done {
    let mut done = Done {
        step: task.step,
        name: task.name.clone(),
        of: task.of.clone(),
        ptx: task.ptx.clone(),
        ends: BTreeMap::new(),
        codes: BTreeMap::new(),
        outputs: None,
        outcomes: Vec::new(),
        micros: 0,
        shadow: 0,
        why: String::new(),
    };
    let tried = match task.memory {
        Some(bytes) => memory(driver, bytes, &mut done),
        None => launches(driver, kit, task, &mut done),
    };
    if let Err(why) = tried {
        *done.ends.entry(End::Refused).or_default() += 1;
        done.why = why;
    }
    done
}

/// Asks for memory; that there is not so much is what is expected.
fn memory(driver: &Driver, bytes: u64, done: &mut Done) -> Result<(), String> {
    driver.start().map_err(|error| error.to_string())?;
    let at = driver.zeroed(bytes as usize).map_err(|error| error.to_string())?;
    driver.release(at);
    done.ends.insert(End::Returned, 1);
    Ok(())
}

fn launches(driver: &Driver, kit: &Kit, task: &Task, done: &mut Done) -> Result<(), String> {
    let ptx = String::from_utf8(kit.blob(&task.ptx)?).map_err(|error| error.to_string())?;
    let buffers = task.buffers.iter().map(|it| kit.blob(it)).collect::<Result<Vec<_>, _>>()?;
    let mut outcomes = BTreeMap::new();
    let mut best: Option<Duration> = None;
    let mut loaded: Option<launch::Loaded> = None;
    for number in 1..=task.runs.max(1) {
        let job = Job {
            ptx: &ptx,
            kernel: &task.kernel,
            grid: task.grid,
            block: task.block,
            dynamic_shared: task.dynamic_shared,
            buffers: buffers.clone(),
            arguments: task
                .arguments
                .iter()
                .map(|it| match it {
                    Given::Buffer(n) => Argument::Buffer(*n),
                    Given::Bytes(bytes) => Argument::Bytes(bytes.clone()),
                    Given::Run => Argument::Bytes(number.to_le_bytes().to_vec()),
                })
                .collect(),
            variables: task.variables.clone(),
            shift: task.shift,
            bounds: task.bounds,
            checked: task.sites > 0,
            timeout: Duration::from_millis(task.timeout),
            delays: if task.delays { number } else { 0 },
        };
        // Variables of a module are as it has them in a module that is loaded anew.
        if let Some(old) = loaded.take_if(|_| !task.variables.is_empty()) {
            old.release(driver);
        }
        let ready = match loaded.take() {
            Some(ready) => ready,
            None => launch::load(driver, &job).map_err(|fault| said(&fault))?,
        };
        let ran = launch::run_loaded(driver, &ready, &job).map_err(|fault| said(&fault))?;
        loaded = Some(ready);
        let end = match &ran.end {
            launch::End::Returned => End::Returned,
            launch::End::Stopped => End::Stopped,
            launch::End::Hangs => End::Hangs,
            launch::End::Failed(error) => {
                done.why = error.to_string();
                End::Failed
            }
        };
        *done.ends.entry(end).or_default() += 1;
        let before = done.codes.len();
        count(task, &job, &ran, &mut done.codes);
        done.shadow = ran.shadow_bytes as u64;
        if end != End::Returned {
            break;
        }
        best = Some(best.map_or(ran.elapsed, |it| it.min(ran.elapsed)));
        if let Some(tally) = &task.tally {
            tally.count(&ran.buffers, &mut outcomes);
        }
        let left = of_outputs(&ran.buffers);
        if number == 1 {
            done.outputs = Some(left);
        } else if done.outputs.as_ref() != Some(&left) {
            done.outputs = None;
        }
        if task.until_found && done.codes.len() > before {
            break;
        }
    }
    let is_over = done.ends.keys().all(|it| matches!(it, End::Returned | End::Stopped));
    if let Some(loaded) = loaded.filter(|_| is_over) {
        loaded.release(driver);
    }
    done.micros = best.map_or(0, |it| it.as_micros() as u64);
    if task.tally.is_some() {
        done.outputs = None;
        done.outcomes = outcomes.into_iter().collect();
    }
    Ok(())
}

/// The hash of all buffers.
pub fn of_outputs(buffers: &[Vec<u8>]) -> String {
    let mut all = Vec::new();
    for buffer in buffers {
        all.extend_from_slice(&(buffer.len() as u64).to_le_bytes());
        all.extend_from_slice(buffer);
    }
    hash(&all)
}

/// Counts findings by code, errors and warnings alike.
fn count(task: &Task, job: &Job<'_>, ran: &launch::Done, codes: &mut BTreeMap<String, u64>) {
    let place = |ordinal| {
        Place::Instruction(InstructionPlace {
            file: None,
            function: task.kernel.as_str().into(),
            ordinal,
            text: None,
        })
    };
    let sites: Vec<Site> =
        (0..task.sites).map(|n| Site { place: place(n), what: "access".to_owned() }).collect();
    let launch = Launch {
        shape: LaunchShape::new(task.grid, task.block, Some(WARP)),
        offset: [0; 3],
        dynamic_shared: task.dynamic_shared,
        strict_barriers: false,
        schedule: Schedule::RoundRobin,
        seed: 0,
        blocks: None,
        resident: 1,
        threads: 1,
        limits: Limits::default(),
    };
    let met = events(ran, job, &sites, &Names::default());
    for finding in findings_of(&task.kernel, &sites, &launch, &met, "on a GPU") {
        if finding.severity >= Severity::Warning {
            *codes.entry(finding.code.number().to_owned()).or_default() += 1;
        }
    }
}

fn said(fault: &Fault) -> String {
    match fault {
        Fault::Driver(error) => error.to_string(),
        Fault::Module(error, log) => format!("{error}: {}", log.lines().next().unwrap_or_default()),
        Fault::Version(why) | Fault::TooLarge(why) => why.clone(),
    }
}
