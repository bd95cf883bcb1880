//! Litmus tests as CUDA kernels, and what the checker says of their races.
//!
//! Each access is one instruction of inline PTX, so that the compiler leaves it as it is. A thread
//! of the test is the first of a warp of its own; `until` is a loop that polls.

use std::collections::BTreeSet;

use heddle_diagnostics::{Property, Verdict};
use heddle_driver::{CheckOptions, LaunchOptions, Progress, Size, Source, check};
use heddle_frontend::Language;
use heddle_litmus::Test;
use heddle_litmus::program::{Change, Guard, Instruction, Mark, Operand, Statement};

/// What is said of the races of a kernel, all properties together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Said {
    Proved,
    Refuted,
    Unknown,
}

/// Checks tests, each as a kernel of one source.
pub(crate) fn ask(tests: &[&Test]) -> Vec<Said> {
    let blocks = tests.iter().flat_map(|test| &test.threads).map(|it| it.block + 1).max();
    let blocks = u32::try_from(blocks.unwrap_or(1)).expect("few blocks");
    let text: String =
        tests.iter().enumerate().map(|(number, test)| kernel(test, number)).collect();
    let races = [Property::IntraWarpRace, Property::IntraBlockRace, Property::InterBlockRace];
    let options = CheckOptions {
        launch: LaunchOptions {
            grid: Some(Size::Known([blocks, 1, 1])),
            block: Some(Size::Known([THREADS, 1, 1])),
            ..LaunchOptions::default()
        },
        passes: races.map(|it| it.name().to_owned()).to_vec(),
        ..CheckOptions::default()
    };
    let source = Source::Text {
        name: "<litmus>".to_owned(),
        bytes: text.clone().into_bytes(),
        language: Some(Language::Cuda),
    };
    let outcome = check(&[source], &options, &heddle_clang::Embedded, &Progress::default())
        .expect("threads and a current folder");
    let kernels = outcome.report.kernels();
    assert_eq!(kernels.len(), tests.len(), "{text}\n{:?}", outcome.report.findings().next());
    let said = |number: usize| {
        let name = format!("k{number}");
        let found = kernels.iter().find(|it| it.name.contains(&name) && it.name.ends_with(&name));
        let kernel = found.unwrap_or_else(|| panic!("no kernel {name}"));
        let verdicts: Vec<_> = races.iter().filter_map(|it| kernel.verdicts.get(it)).collect();
        assert_eq!(verdicts.len(), races.len(), "{name}");
        if verdicts.iter().any(|it| matches!(it, Verdict::Refuted(_))) {
            Said::Refuted
        } else if verdicts.iter().all(|it| matches!(it, Verdict::Proved(_))) {
            Said::Proved
        } else {
            Said::Unknown
        }
    };
    (0..tests.len()).map(said).collect()
}

/// Threads of a block: three threads of a test, each in a warp of its own.
const THREADS: u32 = 96;

/// A kernel in which each thread of the test does what it does there.
pub(crate) fn kernel(test: &Test, number: usize) -> String {
    let locations: Vec<String> =
        test.locations().iter().map(|name| format!("unsigned *{name}")).collect();
    let mut text = format!("extern \"C\" __global__ void k{number}({}) {{\n", locations.join(", "));
    let registers: BTreeSet<String> = test.threads.iter().flat_map(|it| it.registers()).collect();
    for register in registers {
        text += &format!("  unsigned {register} = 0;\n");
    }
    let blocks: BTreeSet<u64> = test.threads.iter().map(|it| it.block).collect();
    for block in blocks {
        let of_block: Vec<_> = test.threads.iter().filter(|it| it.block == block).collect();
        text += &format!("  if (blockIdx.x == {block}) {{\n");
        let is_barrier = |it: &Statement| matches!(it.instruction, Instruction::Barrier { .. });
        let rounds: Vec<Vec<&[Statement]>> =
            of_block.iter().map(|it| it.body.split(is_barrier).collect()).collect();
        let most = rounds.iter().map(Vec::len).max().unwrap_or(0);
        for round in 0..most {
            if round > 0 {
                text += "    __syncthreads();\n";
            }
            for (slot, parts) in rounds.iter().enumerate() {
                text += &format!("    if (threadIdx.x == {}) {{\n", slot * 32);
                if let Some(part) = parts.get(round) {
                    statements(part, 6, &mut text);
                }
                text += "    }\n";
            }
        }
        text += "  }\n";
    }
    text + "}\n"
}

fn statements(body: &[Statement], indent: usize, text: &mut String) {
    for (at, statement) in body.iter().enumerate() {
        let polls = match body.get(at + 1).map(|it| &it.instruction) {
            Some(Instruction::Until(guard)) => Some(guard),
            _ => None,
        };
        let line = match &statement.instruction {
            Instruction::If(guard, inner) => {
                *text += &format!("{:indent$}if ({}) {{\n", "", condition(guard));
                statements(inner, indent + 2, text);
                "}".to_owned()
            }
            Instruction::Until(_) => continue,
            other => assembly(other),
        };
        let line = match polls {
            Some(guard) => format!("do {{ {line} }} while (!({}));", condition(guard)),
            None => line,
        };
        *text += &format!("{:indent$}{line}\n", "");
    }
}

fn condition(guard: &Guard) -> String {
    format!("{} {} {}", guard.register, guard.comparison, operand(&guard.with))
}

fn operand(it: &Operand) -> String {
    match it {
        Operand::Number(number) => format!("{number}u"),
        Operand::Register(name) => name.clone(),
    }
}

fn assembly(instruction: &Instruction) -> String {
    let volatile = |text: &str, out: &str, inputs: &str| {
        format!("asm volatile(\"{text};\" : {out} : {inputs} : \"memory\");")
    };
    let marked = |mark: &Mark| match mark {
        Mark::Weak => String::new(),
        other => format!(".{other}"),
    };
    match instruction {
        Instruction::Load(mark, register, location) => volatile(
            &format!("ld{}.global.u32 %0, [%1]", marked(mark)),
            &format!("\"=r\"({register})"),
            &format!("\"l\"({location})"),
        ),
        Instruction::Store(mark, location, value) => volatile(
            &format!("st{}.global.u32 [%0], %1", marked(mark)),
            "",
            &format!("\"l\"({location}), \"r\"({})", operand(value)),
        ),
        Instruction::Atomic(mark, register, location, change) => {
            let (name, kind, values) = match change {
                Change::Add(value) => ("add", "u32", vec![value]),
                Change::Exchange(value) => ("exch", "b32", vec![value]),
                Change::CompareAndSwap(expected, value) => ("cas", "b32", vec![expected, value]),
            };
            let places: String = (0..values.len()).map(|it| format!(", %{}", it + 2)).collect();
            let inputs: String =
                values.iter().map(|it| format!(", \"r\"({})", operand(it))).collect();
            volatile(
                &format!("atom{}.global.{name}.{kind} %0, [%1]{places}", marked(mark)),
                &format!("\"=r\"({register})"),
                &format!("\"l\"({location}){inputs}"),
            )
        }
        Instruction::Fence { sc, scope } => {
            let kind = if *sc { "sc" } else { "acq_rel" };
            volatile(&format!("fence.{kind}.{scope}"), "", "")
        }
        Instruction::Barrier { .. } | Instruction::Until(_) | Instruction::If(..) => String::new(),
    }
}
