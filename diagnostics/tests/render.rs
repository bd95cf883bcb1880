//! What people and programs read, as text.

use std::collections::BTreeMap;
use std::sync::Arc;

use heddle_diagnostics::render::{
    Colour, github, human, json, jsonl, junit, sarif, short, summary,
};
use heddle_diagnostics::{
    Acceptance, Assumption, Binding, Code, Confirmation, Dim3, Evidence, Finding, InstructionPlace,
    Iteration, KernelReport, Location, Method, Obligations, Property, Reason, Refutation, Report,
    SourceMap, ThreadId, Unreplayed, Verdict, Witness, record,
};
use insta::assert_snapshot;

const KERNEL: &str = "\
// A thread reads its neighbour's slot before the barrier that publishes it.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
";

fn sources() -> SourceMap {
    SourceMap::new("/project")
}

fn witness() -> Witness {
    let one = Dim3::new(1, 1, 1);
    let zero = Dim3::new(0, 0, 0);
    Witness {
        grid: one,
        block: Dim3::new(64, 1, 1),
        threads: [
            ThreadId { block: zero, thread: Dim3::new(6, 0, 0) },
            ThreadId { block: zero, thread: Dim3::new(7, 0, 0) },
        ],
        arguments: Vec::new(),
        memory: Vec::new(),
        bytes: Some("s[6]".into()),
        iterations: Vec::new(),
        interval: None,
        reach: heddle_diagnostics::Reach::default(),
        rests_on: Vec::new(),
    }
}

fn race(at: [Location; 2]) -> Finding {
    let [write, read] = at;
    Finding::new(Code::IntraBlockRace, "two threads of one block race on `s[6]`")
        .kernel("k")
        .label(write, "write of `s[6]` by thread (6,0,0)")
        .label(read, "read of `s[6]` by thread (7,0,0)")
        .witness(witness(), Confirmation::Confirmed)
        .help("a `__syncthreads()` between (1) and (2) would order them")
}

fn plain(sources: &SourceMap, finding: &Finding) -> String {
    human::finding(sources, finding, human::Options::default())
}

#[test]
fn a_race_shows_both_accesses_and_the_run() {
    let sources = sources();
    let file = sources.add_text("k.cu", KERNEL);
    let finding = race([Location::new(file, 5, 18), Location::new(file, 6, 22)]);
    assert_snapshot!(plain(&sources, &finding));
    assert_snapshot!(short::finding(&sources, &finding), @"k.cu:5:18: error[HD0101]: two threads of one block race on `s[6]`");
}

#[test]
fn one_instruction_races_with_itself_in_a_loop() {
    let sources = sources();
    let text =
        "void k(int *hist, int n) {\n  for (int i = 0; i < n; i++)\n    hist[f(i)] += 1;\n}\n";
    let file = sources.add_text("k.cu", text);
    let at = Location::new(file, 3, 16);
    let run = Witness {
        grid: Dim3::new(2, 3, 1),
        block: Dim3::new(8, 8, 4),
        arguments: vec![Binding::new("n", 128)],
        iterations: vec![Iteration { name: "the loop at line 2".into(), of: [Some(3), None] }],
        interval: Some("between the start of the kernel and its end".into()),
        bytes: Some("hist[4..8]".into()),
        ..witness()
    };
    let finding =
        Finding::new(Code::InterBlockRace, "threads of different blocks race on `hist[4..8]`")
            .kernel("k")
            .label(at.clone(), "read by thread (6,0,0)")
            .label(at, "write by thread (7,0,0)")
            .primary(1)
            .witness(
                run,
                Confirmation::Unconfirmed("the replay took another path at line 2".into()),
            )
            .note("`hist` is a parameter of the kernel")
            .help("`atomicAdd` would order them")
            .help("or give each thread its own row");
    assert_snapshot!(plain(&sources, &finding));
}

#[test]
fn inlined_code_shows_the_calls_that_lead_to_it() {
    let sources = sources();
    let header = sources.add_text("ops.h", "inline void put(int *p, int v) {\n  *p = v;\n}\n");
    let file =
        sources.add_text("k.cu", "__global__ void k(int *p) {\n\n\n  put(p, 1);\n  p[0] = 2;\n}\n");
    let inside = Location::new(header, 2, 6)
        .in_function("put")
        .inlined_at(vec![Location::new(file, 4, 3).in_function("k")]);
    let one = race([Location::new(file, 5, 8), inside.clone()]).primary(1);
    let both = race([inside.clone(), inside]);
    assert_snapshot!(format!("{}\n\n{}", plain(&sources, &one), plain(&sources, &both)));
}

#[test]
fn a_divergent_barrier_points_at_its_branch() {
    let sources = sources();
    let text = "__global__ void k(int *out) {\n  if (threadIdx.x < 32)\n    __syncthreads();\n}\n";
    let file = sources.add_text("k.cu", text);
    let run = Witness { bytes: None, ..witness() };
    let finding =
        Finding::new(Code::BarrierDivergence, "some threads of the block skip this barrier")
            .kernel("k")
            .label(
                Location::new(file, 3, 5),
                "reached by thread (6,0,0) and not by thread (40,0,0)",
            )
            .secondary(Location::new(file, 2, 19), "this condition differs between the threads")
            .witness(
                run,
                Confirmation::NotReplayed(
                    Unreplayed::Undetermined,
                    "`out` has no known size".into(),
                ),
            )
            .help("move the barrier out of the branch");
    assert_snapshot!(plain(&sources, &finding));
}

#[test]
fn without_source_text_every_label_is_still_there() {
    let sources = sources();
    let gone = sources.add("gone/k.cu");
    let finding = race([Location::new(gone, 5, 18), Location::new(gone, 6, 0)]);
    assert_snapshot!(plain(&sources, &finding));
    assert_snapshot!(short::finding(&sources, &finding), @"gone/k.cu:5:18: error[HD0101]: two threads of one block race on `s[6]`");
}

#[test]
fn instructions_without_debug_info_are_shown_as_text() {
    let sources = sources();
    let file = sources.add_text("k.ll", "define void @k() {\n}\n");
    let at = |ordinal, text: &str| InstructionPlace {
        file: Some(file),
        function: "k".into(),
        ordinal,
        text: Some(text.into()),
    };
    let finding = Finding::new(Code::IntraBlockRace, "two threads of one block race on `@s[6]`")
        .kernel("k")
        .label(at(3, "  store i32 %t, ptr addrspace(3) %p"), "write by thread (6,0,0)")
        .label(at(7, "  %v = load i32, ptr addrspace(3) %q"), "read by thread (7,0,0)")
        .witness(witness(), Confirmation::Confirmed);
    assert_snapshot!(plain(&sources, &finding));
    assert_snapshot!(short::finding(&sources, &finding), @"k.ll: function `k`, instruction 3: error[HD0101]: two threads of one block race on `@s[6]`");
}

#[test]
fn a_finding_without_a_place_is_a_title_with_notes() {
    let finding =
        Finding::new(Code::BadInput, "`k.cu` has no kernel").help("mark one `__global__`");
    assert_snapshot!(plain(&sources(), &finding));
    assert_snapshot!(short::finding(&sources(), &finding), @"heddle: error[HD0901]: `k.cu` has no kernel");
}

#[test]
fn escape_sequences_in_names_and_source_never_reach_the_terminal() {
    let sources = sources();
    let file = sources.add_text("k.cu", "x\u{1b}[31m = 1;\n");
    let finding = Finding::new(Code::BadInput, "bad \u{1b}[31mname\nand more")
        .kernel("\u{1b}[0mk")
        .label(Location::new(file, 1, 1), "here\u{7}\nand there")
        .note("note \u{1b}c");
    let text = plain(&sources, &finding) + &short::finding(&sources, &finding);
    assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
    assert!(!short::finding(&sources, &finding).contains('\n'));
}

#[test]
fn colours_appear_only_when_asked_for() {
    let sources = sources();
    let file = sources.add_text("k.cu", KERNEL);
    let finding = race([Location::new(file, 5, 18), Location::new(file, 6, 22)]);
    let options = human::Options { colour: Colour::Always, ..human::Options::default() };
    assert!(human::finding(&sources, &finding, options).contains("\u{1b}["));
    assert!(!plain(&sources, &finding).contains('\u{1b}'));
}

/// One kernel with a verdict of each kind, one that is proved, and a warning.
fn mixed_report() -> Report {
    let sources = sources();
    let file = sources.add_text("k.cu", KERNEL);
    let finding = race([Location::new(file, 5, 18), Location::new(file, 6, 22)]);
    let refutation = Refutation::of(&finding).expect("it has a witness");
    let undecided = Reason::new(Code::Undecided, "the index `p[i]` is loaded from memory");
    let verdicts = BTreeMap::from([
        (Property::BarrierDivergence, proved(Property::BarrierDivergence, &[])),
        (
            Property::IntraWarpRace,
            proved(
                Property::IntraWarpRace,
                &[
                    Assumption::DistinctPointers,
                    Assumption::Launch { grid: None, block: Some(Dim3::new(16, 16, 1)) },
                    Assumption::Given("n % 16 == 0".into()),
                ],
            ),
        ),
        (Property::IntraBlockRace, Verdict::Refuted(vec![refutation])),
        (Property::InterBlockRace, Verdict::unknown(undecided.at(Location::new(file, 6, 3)))),
    ]);
    let kernel = |name: &str, line, verdicts, findings| KernelReport {
        name: name.into(),
        symbol: format!("_Z1{name}Pi").into(),
        place: Some(Location::new(file, line, 17).into()),
        verdicts,
        findings,
    };
    let all = [Assumption::Launch { grid: None, block: None }];
    let quiet =
        BTreeMap::from([(Property::BarrierDivergence, proved(Property::BarrierDivergence, &all))]);
    let kernels = vec![
        kernel("z", 7, quiet, Vec::new()),
        kernel("k", 3, verdicts, vec![finding.clone(), finding]),
    ];
    Report::new(Arc::new(sources), kernels, Vec::new())
}

fn proved(property: Property, assumptions: &[Assumption]) -> Verdict {
    let mut obligations = Obligations::new(property, []);
    let one = obligations.open();
    obligations.all_listed();
    obligations.discharge(one, Evidence::unconditional(Method::Bits));
    assumptions.iter().for_each(|it| obligations.assume(it.clone()));
    obligations.conclude()
}

#[test]
fn the_summary_has_a_line_per_property() {
    let report = mixed_report();
    assert_snapshot!(summary::report(&report, Colour::Never));
    let coloured = summary::report(&report, Colour::Always);
    assert!(coloured.contains("\u{1b}[1m\u{1b}[32mproved \u{1b}[0m"), "{coloured:?}");
}

#[test]
fn json_has_the_documented_shape() {
    assert_snapshot!(json::report(&mixed_report()));
}

/// The same, with its race allowed by a comment.
fn accepted_report() -> Report {
    let report = mixed_report();
    let (mut kernels, _) =
        record::read(&record::write(report.sources(), report.kernels(), &[]), &sources())
            .expect("a record");
    let sources = sources();
    let file = sources.add_text("k.cu", KERNEL);
    for finding in kernels.iter_mut().flat_map(|kernel| &mut kernel.findings) {
        finding.accepted = Some(Acceptance::Source {
            reason: "the lanes of a warp run in step here".into(),
            place: Location::new(file, 4, 3).into(),
        });
    }
    Report::new(Arc::new(sources), kernels, Vec::new())
}

#[test]
fn sarif_has_the_accesses_the_run_and_the_rules() {
    let mut log: serde_json::Value =
        serde_json::from_str(&sarif::report(&mixed_report())).expect("JSON");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].take();
    assert_eq!(rules.as_array().map(Vec::len), Some(Code::ALL.len()));
    for (rule, code) in rules.as_array().into_iter().flatten().zip(Code::ALL) {
        assert_eq!(rule["id"], code.number());
        assert_eq!(rule["help"]["markdown"], code.page());
        assert!(!code.page().contains("](."), "{code}: a viewer cannot follow a link in the tree");
        // What cannot be opened is no address.
        let address = rule.get("helpUri").map(ToString::to_string);
        assert!(address.is_none_or(|it| it.starts_with("\"https://")), "{code}");
    }
    assert_snapshot!(serde_json::to_string_pretty(&log).expect("JSON"));
}

#[test]
fn lines_annotations_and_test_cases_tell_the_same() {
    let report = mixed_report();
    assert_snapshot!(jsonl::report(&report));
    assert_snapshot!(github::report(&report));
    assert_snapshot!(junit::report(&report));
}

#[test]
fn what_is_accepted_stays_refuted_and_counts_no_more() {
    let report = accepted_report();
    assert_eq!(report.exit_code().number(), 0);
    assert_snapshot!(summary::report(&report, Colour::Never));
    assert_eq!(human::report(&report, human::Options::default()) + &short::report(&report), "");
    assert_eq!(github::report(&report), "");
    let log: serde_json::Value = serde_json::from_str(&sarif::report(&report)).expect("JSON");
    let suppressed = &log["runs"][0]["results"][0]["suppressions"][0];
    assert_eq!(suppressed["kind"], "inSource");
    assert_eq!(suppressed["justification"], "the lanes of a warp run in step here");
    let tests = junit::report(&report);
    assert_eq!((tests.matches("<skipped").count(), tests.matches("<failure").count()), (2, 0));
    assert!(json::report(&report).contains("\"verdict\": \"refuted\""));
}

#[test]
fn annotations_cannot_be_broken_out_of() {
    let sources = sources();
    let file = sources.add_text("a,b:c.cu", "x\n");
    let finding = Finding::new(Code::BadInput, "100% of\n::error::x\r")
        .label(Location::new(file, 1, 0), "here");
    assert_snapshot!(github::finding(&sources, &finding), @"::error file=a%2Cb%3Ac.cu,line=1,title=HD0901 bad-input::100%25 of%0A::error::x␍");
}

#[test]
fn a_record_reads_back_to_the_same_report() {
    for report in [mixed_report(), accepted_report()] {
        let text = record::write(report.sources(), report.kernels(), report.loose_findings());
        assert_eq!(text.lines().count(), 1);
        let sources = sources();
        sources.add_text("another/file.cu", "which shifts the ids of all files behind it");
        sources.add_text("k.cu", KERNEL);
        let (kernels, findings) = record::read(&text, &sources).expect("a record");
        assert_eq!(record::write(&sources, &kernels, &findings), text);
        let again = Report::new(Arc::new(sources), kernels, findings);
        assert_eq!(sarif::report(&again), sarif::report(&report));
        assert_eq!(json::report(&again), json::report(&report));
    }
}

#[test]
fn a_record_of_another_version_or_a_damaged_one_is_refused() {
    let report = mixed_report();
    let text = record::write(report.sources(), report.kernels(), &[]);
    for (bad, part) in [
        (text.replace(record::VERSION, "0.0.0"), "check again"),
        (text[..text.len() / 2].to_owned(), "no record"),
        (
            text.replace("\"files\":[{\"path\":\"k.cu\",\"text\":null}]", "\"files\":[]"),
            "does not name",
        ),
        (text.replace("proved", "perhaps"), "damaged"),
    ] {
        let error = record::read(&bad, &sources()).expect_err(part).to_string();
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn points_anywhere_in_odd_text_are_rendered() {
    let text = "\tint é = s[\u{1F600}];\r\n\n  \t \n]])x(((\n日本語(a)\u{200b}->b\u{0}\n";
    let sources = sources();
    let file = sources.add_text("odd.cu", text);
    for line in 0..8 {
        for column in 0..30 {
            let there = race([Location::new(file, line, column), Location::new(file, 5, 1)]);
            for finding in [there.clone(), there.primary(1)] {
                let text = plain(&sources, &finding);
                assert!(
                    text.contains("(1) write") && text.contains("(2) read"),
                    "{line}:{column}\n{text}"
                );
                assert!(text.starts_with("error[HD0101]: "), "{text}");
            }
        }
    }
}
