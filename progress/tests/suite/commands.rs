//! The commands: what they write, and how they end.

use std::path::Path;

use heddle_progress::cli::{
    CheckArguments, EmissionArguments, Exit, Output, SynthArguments, check, emission, synth,
};
use heddle_progress::emit::Layout;
use heddle_progress::synth::{Constraints, Progress};

fn arguments(name: &str) -> CheckArguments {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/progress").join(name);
    CheckArguments {
        input: name.to_owned(),
        text: std::fs::read_to_string(path).expect("a test of the repository"),
        explain: None,
        assume: None,
        output: Output::Text,
        state_limit: 10_000,
    }
}

fn run_check(arguments: &CheckArguments) -> (Exit, String) {
    let mut out = Vec::new();
    let exit = check(arguments, &mut out).expect("a vector can be written to");
    (exit, String::from_utf8(out).expect("text"))
}

#[test]
fn a_test_gets_a_table_a_requirement_and_a_lasso() {
    let (exit, text) = run_check(&arguments("higher_thread_left.axb"));
    assert_eq!(exit, Exit::Proved);
    let expected = "\
higher_thread_left: 3 threads, 4 instructions, 2 locations; 10 states, 15 transitions

model      weak   strong guarantees
unfair     fail   -      no thread is guaranteed
hsa        fail   fail   the live thread with the lowest id
obe        fail   fail   live threads that have started
hsa+obe    fail   fail   live threads that have started, and the live one with the lowest id
lobe-live  fail   fail   live threads up to the highest id that has started and still lives
lobe       pass   pass   live threads up to the highest id that ever started
fair       pass   pass   each live thread

needs lobe (met by fair too)

does not terminate under weak lobe-live:
    1. thread 2: store go = 1, and ends  (instruction 0)
    2. thread 0: load go, saw 1  (instruction 0)
  then for ever:
    3. thread 0: load a, saw 0  (instruction 1)
  guaranteed: {0}
  spinning: thread 0 on a
  starved: thread 1, never started, not guaranteed
";
    assert_eq!(text, expected);
}

#[test]
fn an_assumption_decides_the_exit() {
    let with = |model: &str| {
        let assume = Some(model.to_owned());
        run_check(&CheckArguments { assume, ..arguments("spin_lock.axb") })
    };
    let (exit, text) = with("obe");
    assert_eq!(exit, Exit::Proved);
    assert!(text.ends_with("terminates under weak obe\n"), "{text}");
    let (exit, text) = with("strong-hsa");
    assert_eq!((exit, exit.code()), (Exit::Refuted, 1));
    assert!(text.contains("does not terminate under strong hsa:"), "{text}");
    let (exit, text) = with("nonsense");
    assert_eq!(exit, Exit::Usage);
    assert!(text.starts_with("error: `nonsense` is not a model; write one of unfair, hsa,"));
}

#[test]
fn what_cannot_be_answered_is_unknown() {
    let limited = CheckArguments { state_limit: 5, ..arguments("spin_lock.axb") };
    let (exit, text) = run_check(&limited);
    assert_eq!(exit, Exit::Unknown);
    let reason =
        "unknown: spin_lock.axb: more than 5 states; try fewer threads or a higher limit\n";
    assert_eq!(text, reason);
    let broken = CheckArguments { text: "thread\n lod x\n".to_owned(), ..limited };
    let (exit, text) = run_check(&broken);
    assert_eq!(exit, Exit::Usage);
    assert_eq!(text, "error: spin_lock.axb:2:2: expected `load`, `store` or `exch`, found `lod`\n");
}

#[test]
fn drawings_mark_the_failing_component() {
    let (_, dot) = run_check(&CheckArguments { output: Output::Dot, ..arguments("turns.axb") });
    assert!(dot.starts_with("digraph progress {"), "{dot}");
    assert!(dot.contains("turns: does not terminate under weak fair"), "{dot}");
    assert_eq!(dot.matches("fillcolor=\"#ffd6d6\"").count(), 2, "{dot}");
    assert_eq!(dot.matches(" -> ").count(), 8, "{dot}");
    let (_, svg) = run_check(&CheckArguments { output: Output::Svg, ..arguments("turns.axb") });
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("fill=\"#ffd6d6\"").count(), 2);
    // Two of the eight states are final or failing; each has a box, a final one has two.
    assert_eq!(svg.matches("<path ").count(), 2 * 8);
    let (_, clean) =
        run_check(&CheckArguments { output: Output::Dot, ..arguments("no_cycle.axb") });
    assert!(!clean.contains("#ffd6d6"));
}

fn synth_arguments() -> SynthArguments {
    SynthArguments {
        threads: 2,
        instructions: 4,
        constraints: Constraints::Paper,
        rename_threads: false,
        irredundant: false,
        distinguish: None,
        conformance: None,
        table: false,
        list: false,
        shard: None,
        workers: 2,
    }
}

fn run_synth(arguments: &SynthArguments) -> (Exit, String, Option<Progress>) {
    let (mut out, mut last) = (Vec::new(), None);
    let exit = synth(arguments, &mut out, &mut |progress| last = Some(progress));
    let text = String::from_utf8(out).expect("text");
    (exit.expect("a vector can be written to"), text, last)
}

#[test]
fn synth_counts_selects_and_reports_progress() {
    let (exit, text, last) = run_synth(&synth_arguments());
    assert_eq!(exit, Exit::Proved);
    let hash = "5a796e75e59e6834fa7ad1491fcba9c9";
    let summary =
        format!("// (2,4) paper constraints: 6946 tests of 124712 candidates, hash {hash}\n");
    assert_eq!(text, summary);
    let Some(Progress { done, units, tests }) = last else { panic!("no progress") };
    assert_eq!((done, tests), (units, 6946));
    let distinguish = Some("strong-obe".to_owned());
    let arguments = SynthArguments { distinguish, list: true, ..synth_arguments() };
    let (_, text, _) = run_synth(&arguments);
    assert_eq!(text.matches("\ntest t").count(), 51);
    assert!(text.ends_with("// 51 tests distinguish strong obe\n"), "{text}");
    let conformance = Some("lobe".to_owned());
    let (_, text, _) = run_synth(&SynthArguments { conformance, ..synth_arguments() });
    assert!(text.contains(" conformance tests of weak lobe\n"), "{text}");
}

#[test]
fn synth_refuses_with_a_reason() {
    let refuses = |arguments: SynthArguments, reason: &str| {
        let (exit, text, _) = run_synth(&arguments);
        assert_eq!(exit, Exit::Usage);
        assert!(text.starts_with(reason), "{text}");
    };
    let shard = |text: &str| SynthArguments { shard: Some(text.to_owned()), ..synth_arguments() };
    refuses(shard("3/3"), "error: `3/3` is not a shard");
    refuses(shard("a"), "error: `a` is not a shard");
    refuses(
        SynthArguments { threads: 9, ..synth_arguments() },
        "error: 9 threads with 4 instructions",
    );
    let distinguish = Some("unfair".to_owned());
    refuses(
        SynthArguments { distinguish, ..synth_arguments() },
        "error: each test of the set fails",
    );
}

#[test]
fn emission_writes_a_program_or_says_why_not() {
    let with = |language: &str| {
        let arguments = EmissionArguments {
            input: "a.axb".to_owned(),
            text: "thread\n store x = 1\n".to_owned(),
            language: language.to_owned(),
            layout: Layout::Plain,
        };
        let mut out = Vec::new();
        let exit = emission(&arguments, &mut out).expect("a vector can be written to");
        (exit, String::from_utf8(out).expect("text"))
    };
    let (exit, text) = with("cuda");
    assert_eq!(exit, Exit::Proved);
    assert!(text.contains("__global__ void progress_test(unsigned int *memory)"), "{text}");
    let (exit, text) = with("fortran");
    assert_eq!(exit, Exit::Usage);
    assert!(text.starts_with("error: `fortran` is not a language; write one of llvm-nvptx64,"));
}
