//! What a machine with a GPU gave, as lines of JSON: a head, a line for each task, an end.
//!
//! A run that is cut off keeps the lines that it wrote, and has no end. Unknown fields are refused,
//! so that a damaged line does not pass for one that says little. docs/gpu.md describes the form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::kit::Step;

/// The version of the form.
pub const FORM: u32 = 1;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Line {
    /// The first.
    Head(Head),
    /// What a task gave.
    Task(Box<Done>),
    /// What was not run, and why.
    NotRun {
        /// Of which step.
        step: Step,
        /// How many tasks; none where the step has none.
        tasks: usize,
        /// Why.
        why: String,
    },
    /// The last.
    End {
        /// Seconds, from the start.
        seconds: u64,
    },
}

/// Who ran what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// [`FORM`].
    pub form: u32,
    /// The device's name.
    pub device: String,
    /// The version of CUDA that the driver has, as in `12.8`.
    pub driver: String,
    /// Compute capability, as in `9.0`.
    pub capability: String,
    /// Multiprocessors.
    pub processors: u32,
    /// Bytes of memory.
    pub memory: u64,
    /// The day, as in `2026-01-31`.
    pub date: String,
    /// The version of Heddle.
    pub heddle: String,
    /// The hash of the list of tasks.
    pub kit: String,
}

impl Head {
    /// The name of the file that the record belongs in.
    pub fn file_name(&self) -> String {
        let word = |text: &str| -> String {
            let keep = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
            text.trim().chars().map(keep).collect()
        };
        format!("{}-{}-{}.jsonl", word(&self.device), word(&self.driver), self.date)
    }
}

/// What a task gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// Of which step.
    pub step: Step,
    /// Which.
    pub name: String,
    /// The hash of the text that it was made of.
    pub of: String,
    /// The hash of the PTX.
    pub ptx: String,
    /// How its runs ended, and how many did so.
    pub ends: BTreeMap<End, u32>,
    /// Codes of findings, and how often each was met.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub codes: BTreeMap<String, u64>,
    /// The hash of all buffers, where each run left the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<String>,
    /// Outcomes that were counted, with how often.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<(Vec<u32>, u64)>,
    /// Microseconds of the fastest run.
    #[serde(default)]
    pub micros: u64,
    /// Bytes of shadow memory.
    #[serde(default)]
    pub shadow: u64,
    /// What was said of the last run that did not return.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// All threads returned.
    Returned,
    /// Threads ended when they were asked to.
    Stopped,
    /// Threads did not end, and were given up with the process.
    Hangs,
    /// The device gave the kernel up.
    Failed,
    /// There was no launch: the driver refused it.
    Refused,
    /// The process of the run ended before it said anything.
    Died,
    /// The process of the run said nothing within its time.
    Silent,
}

/// Reads a record. What is not complete at its end (a line that was being written) is left out.
///
/// # Errors
/// It is none: the line, and what is wrong.
pub fn read(text: &str) -> Result<(Head, Vec<Line>), String> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = Vec::new();
    for (n, line) in whole.lines().enumerate() {
        let line: Line =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", n + 1))?;
        lines.push(line);
    }
    if lines.is_empty() {
        return Err("it has no line".to_owned());
    }
    match lines.remove(0) {
        Line::Head(head) if head.form == FORM => Ok((head, lines)),
        Line::Head(head) => Err(format!("it has form {}, and form {FORM} is read", head.form)),
        Line::Task(_) | Line::NotRun { .. } | Line::End { .. } => {
            Err("its first line is no head".to_owned())
        }
    }
}
