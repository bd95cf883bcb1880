//! Reads the published tests, where they are at hand.

use std::path::Path;

use heddle_progress::axb::{Branch, Instruction, Test};
use serde_json::Value;

/// A published test, its verdicts by published model name, and the sizes of its system.
pub(crate) struct Published {
    pub(crate) test: Test,
    pub(crate) expected: Vec<(String, bool)>,
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    pub(crate) memories: usize,
}

/// The published tests, or `None`, with the reason printed.
pub(crate) fn tests() -> Option<Vec<Published>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/progress/litmus_483.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: the published tests are not at hand");
        return None;
    };
    Some(text.lines().map(read).collect())
}

fn read(line: &str) -> Published {
    let value: Value = serde_json::from_str(line).expect("one object per line");
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let threads = value["threads"].as_array().expect("threads").iter();
    let threads = threads.map(|thread| {
        let code = thread.as_array().expect("instructions").iter().enumerate();
        code.map(|(position, instruction)| {
            let (location, target) = (&instruction["checkLoc"], number(&instruction["jump"]));
            let exchanges = instruction["doExch"].as_bool().expect("a flag");
            let branch =
                Branch { value: number(&instruction["checkVal"]) as u8, target: target as u8 };
            Instruction {
                location: number(location) as u8,
                exchange: exchanges.then(|| number(&instruction["exchVal"]) as u8),
                branch: (target != position + 1).then_some(branch),
            }
        })
        .collect()
    });
    let test = Test::new(value["id"].as_str().expect("an id"), threads.collect());
    let verdicts = value["expected"].as_object().expect("verdicts").iter();
    let expected = verdicts.map(|(model, verdict)| (model.clone(), verdict == "pass")).collect();
    let size = &value["alloy"];
    Published {
        test,
        expected,
        states: number(&size["states"]),
        transitions: number(&size["actions"]),
        memories: number(&size["g_mem"]),
    }
}
