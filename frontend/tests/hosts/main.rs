//! Random host programs: each launch that a program does satisfies what is read of its launches.
//!
//! A program is drawn by seed, printed as C++ and compiled, and run here by an evaluator of its own
//! syntax that shares nothing with the code that reads it. An input with undefined behaviour is
//! left out. What is read is judged where its unknowns are known: parameters by their names, and
//! what an argument or a size of the kernel is.
//!
//! `HEDDLE_HOST_SEEDS=100` tries so many files.

mod draw;
mod judge;
mod print;
mod run;

use draw::{PARAMETERS, Program, Random, VARS};
use heddle_frontend::compile::{ClangProcess, host_ir};
use heddle_frontend::host::{Launches, Wanted, launches};
use heddle_frontend::{CompileOptions, Input, Language, load};
use heddle_lift::lift;
use judge::fits;
use print::Printer;
use run::Run;

/// Programs in a file, inputs of each, and steps of a run.
const PROGRAMS: usize = 24;
const INPUTS: usize = 40;
const STEPS: usize = 4000;

#[test]
fn each_launch_of_a_random_program_is_as_it_was_read() {
    let files = std::env::var("HEDDLE_HOST_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(6);
    let (mut judged, mut facts) = (0usize, 0usize);
    for seed in 1..=files {
        let mut random = Random(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
        let programs: Vec<Program> = (0..PROGRAMS).map(|_| Program::draw(&mut random)).collect();
        let mut printer = Printer::default();
        printer.line("extern int global;\nvoid tick();");
        printer.line("static int half(int e) { return e > 100 ? e / 2 : e; }");
        programs.iter().for_each(|it| printer.program(it));
        let input = Input::memory("random.cu", printer.text.clone()).with_language(Language::Cuda);
        let options = CompileOptions { clang_args: vec!["-w".into()], ..CompileOptions::default() };
        let prepared = load(&input, &options)
            .unwrap_or_else(|error| panic!("{error}{}\n{}", error.output, printer.text));
        let wanted: Vec<Wanted> = (0..PROGRAMS)
            .map(|n| {
                let symbol = format!("_Z{}k{n}Piilj", 1 + n.to_string().len());
                let function = prepared.module.function(&symbol).expect("a kernel");
                let kernel = lift(&prepared.module, function).expect("it is lifted");
                Wanted::of(&prepared, &kernel).expect("its parameters are told apart")
            })
            .collect();
        let host =
            host_ir(&input, &options, &ClangProcess, &[]).expect("it compiles").expect("CUDA");
        let found = launches(&host, &wanted);
        for (n, program) in programs.iter().enumerate() {
            let Launches::Seen(read) = &found[n] else { continue };
            facts += read.iter().map(|it| it.facts.len()).sum::<usize>();
            for _ in 0..INPUTS {
                let inputs: Vec<i128> = (0..PARAMETERS)
                    .map(|v| {
                        let small = random.below(140) as i128 - 6;
                        let large = random.below(u64::MAX) as i128;
                        program.types[v].cut(if random.below(5) == 0 { large } else { small })
                    })
                    .collect();
                let mut values = inputs.clone();
                values.resize(VARS, 0);
                let global = random.below(200) as i128 - 50;
                let mut run =
                    Run { program, values, points_to: 0, global, left: STEPS, done: Vec::new() };
                if run.block(&program.body).is_none() {
                    continue;
                }
                for done in &run.done {
                    let line = printer.lines[&(n, done.0)];
                    let here: Vec<_> = read.iter().filter(|it| it.line == line).collect();
                    judged += 1;
                    assert!(
                        here.iter().any(|it| fits(it, program, &inputs, done)),
                        "seed {seed}, program {n}, line {line}, inputs {inputs:?}: {done:?} is none \
                         of the {} launches read there\n{here:#?}\n{}",
                        here.len(),
                        printer.text
                    );
                }
            }
        }
    }
    assert!(judged > 500 && facts > 50, "{judged} launches and {facts} facts were judged");
}
