//! Verdicts, order and exit codes: nothing that could not tell may look like success.

use std::collections::BTreeMap;
use std::sync::Arc;

use heddle_diagnostics::{
    Assumption, Code, Confirmation, Dim3, Evidence, ExitCode, Finding, KernelReport, Location,
    Method, Obligation, Obligations, Property, Reason, Refutation, Report, SourceMap, ThreadId,
    Verdict, Witness,
};

const PROPERTY: Property = Property::IntraBlockRace;

fn witness() -> Witness {
    let zero = Dim3::new(0, 0, 0);
    let thread = |x| ThreadId { block: zero, thread: Dim3::new(x, 0, 0) };
    Witness {
        grid: Dim3::new(1, 1, 1),
        block: Dim3::new(32, 1, 1),
        threads: [thread(0), thread(1)],
        arguments: Vec::new(),
        memory: Vec::new(),
        rests_on: Vec::new(),
        bytes: None,
        iterations: Vec::new(),
        interval: None,
        reach: heddle_diagnostics::Reach::default(),
    }
}

fn refutation() -> Refutation {
    Refutation {
        code: Code::IntraBlockRace,
        witness: witness(),
        confirmation: Confirmation::Confirmed,
    }
}

fn tracker_with(count: usize) -> (Obligations, Vec<Obligation>) {
    let mut obligations = Obligations::new(PROPERTY, []);
    let open = (0..count).map(|_| obligations.open()).collect();
    obligations.all_listed();
    (obligations, open)
}

fn reasons(verdict: Verdict) -> Vec<(Code, String)> {
    match verdict {
        Verdict::Unknown(reasons) => reasons.into_iter().map(|it| (it.code, it.text)).collect(),
        Verdict::Proved(_) | Verdict::Refuted(_) => panic!("expected unknown, got {verdict:?}"),
    }
}

#[test]
fn all_discharged_is_proved_with_its_assumptions() {
    let (mut obligations, open) = tracker_with(3);
    obligations.assume(Assumption::InBounds);
    obligations.assume(Assumption::DistinctPointers);
    obligations.assume(Assumption::InBounds);
    open.into_iter()
        .for_each(|it| obligations.discharge(it, Evidence::unconditional(Method::Bits)));
    let Verdict::Proved(proof) = obligations.conclude() else { panic!("all were discharged") };
    assert_eq!(proof.assumptions(), [Assumption::DistinctPointers, Assumption::InBounds]);
    assert_eq!(proof.methods(), &BTreeMap::from([(Method::Bits, 3)]));
}

#[test]
fn nothing_to_show_is_proved_only_when_all_was_listed() {
    let (obligations, _) = tracker_with(0);
    assert!(matches!(obligations.conclude(), Verdict::Proved(_)));
    let why = reasons(Obligations::new(PROPERTY, []).conclude());
    let text = "the obligations of intra-block-race were not all listed";
    assert_eq!(why, [(Code::InternalError, text.to_owned())]);
}

#[test]
fn a_dropped_obligation_is_unknown() {
    let (mut obligations, mut open) = tracker_with(2);
    obligations.discharge(open.pop().expect("two are open"), Evidence::unconditional(Method::Bits));
    drop(open);
    let text = "1 of 2 obligations of intra-block-race were left open";
    assert_eq!(reasons(obligations.conclude()), [(Code::InternalError, text.to_owned())]);
}

#[test]
fn giving_up_once_outweighs_all_that_was_discharged() {
    let (mut obligations, mut open) = tracker_with(2);
    obligations.discharge(open.remove(0), Evidence::unconditional(Method::Bits));
    obligations.give_up(open.remove(0), Reason::new(Code::Undecided, "the index is loaded"));
    assert_eq!(
        reasons(obligations.conclude()),
        [(Code::Undecided, "the index is loaded".to_owned())]
    );
}

#[test]
fn a_pass_that_stops_for_a_reason_need_not_close_the_rest() {
    let (mut obligations, open) = tracker_with(2);
    obligations.leave_open(Reason::new(Code::BudgetSpent, "10000 steps"));
    obligations.leave_open(Reason::new(Code::BudgetSpent, "10000 steps"));
    drop(open);
    assert_eq!(reasons(obligations.conclude()), [(Code::BudgetSpent, "10000 steps".to_owned())]);
}

#[test]
fn a_refutation_outlives_doubt() {
    let (mut obligations, mut open) = tracker_with(2);
    obligations.refute(open.remove(0), refutation());
    obligations.give_up(open.remove(0), Reason::new(Code::Undecided, "the index is loaded"));
    assert_eq!(obligations.conclude(), Verdict::Refuted(vec![refutation()]));
}

#[test]
fn an_obligation_of_another_property_discharges_nothing() {
    let (mut obligations, open) = tracker_with(1);
    let mut other = Obligations::new(Property::InterBlockRace, []);
    obligations.discharge(other.open(), Evidence::unconditional(Method::Bits));
    drop(open);
    let text = "an obligation of inter-block-race was closed as one of intra-block-race";
    assert_eq!(reasons(obligations.conclude()), [(Code::InternalError, text.to_owned())]);
}

#[test]
fn a_part_that_is_not_finished_keeps_the_whole_from_being_proved() {
    let (mut whole, _) = tracker_with(0);
    let (part, open) = tracker_with(1);
    whole.absorb(part);
    drop(open);
    assert_eq!(reasons(whole.conclude()).len(), 1);

    let (mut whole, _) = tracker_with(0);
    whole.absorb(Obligations::new(PROPERTY, []));
    assert_eq!(reasons(whole.conclude()).len(), 1);

    let (mut whole, _) = tracker_with(0);
    let mut foreign = Obligations::new(Property::InterBlockRace, []);
    foreign.all_listed();
    whole.absorb(foreign);
    assert_eq!(reasons(whole.conclude()).len(), 1);
}

#[test]
fn a_finding_without_a_run_refutes_nothing() {
    assert_eq!(Refutation::of(&Finding::new(Code::IntraBlockRace, "a race")), None);
}

fn proved() -> Verdict {
    let (obligations, _) = tracker_with(0);
    obligations.conclude()
}

fn unknown(code: Code) -> Verdict {
    Verdict::unknown(Reason::new(code, "could not tell"))
}

fn exit(verdicts: Vec<Verdict>, loose: Vec<Finding>) -> ExitCode {
    let verdicts = verdicts.into_iter().map(|it| KernelReport {
        name: "k".into(),
        symbol: "k".into(),
        place: None,
        verdicts: BTreeMap::from([(PROPERTY, it)]),
        findings: Vec::new(),
    });
    Report::new(Arc::new(SourceMap::new("/")), verdicts.collect(), loose).exit_code()
}

#[test]
fn exit_codes_follow_their_precedence() {
    let refuted = || Verdict::Refuted(vec![refutation()]);
    let bad_input = || vec![Finding::new(Code::BadInput, "no such file")];
    let fault = || vec![Finding::new(Code::InternalError, "a pass panicked")];
    assert_eq!(exit(vec![proved(), proved()], vec![]), ExitCode::Proved);
    assert_eq!(exit(vec![proved(), unknown(Code::Undecided)], vec![]), ExitCode::Unknown);
    assert_eq!(exit(vec![unknown(Code::Undecided), refuted()], vec![]), ExitCode::Refuted);
    assert_eq!(exit(vec![refuted()], bad_input()), ExitCode::Input);
    assert_eq!(exit(vec![refuted(), unknown(Code::InternalError)], bad_input()), ExitCode::Fault);
    assert_eq!(exit(vec![proved()], fault()), ExitCode::Fault);
    assert_eq!(exit(vec![], vec![]), ExitCode::Input);
    let numbers =
        [ExitCode::Proved, ExitCode::Refuted, ExitCode::Input, ExitCode::Unknown, ExitCode::Fault];
    assert_eq!(numbers.map(ExitCode::number), [0, 1, 2, 3, 4]);
}

#[test]
fn a_kernel_that_was_checked_for_nothing_is_not_proved() {
    let kernel = KernelReport {
        name: "k".into(),
        symbol: "k".into(),
        place: None,
        verdicts: BTreeMap::new(),
        findings: Vec::new(),
    };
    let report = Report::new(Arc::new(SourceMap::new("/")), vec![kernel], Vec::new());
    assert_eq!(report.exit_code(), ExitCode::Unknown);
}

#[test]
fn findings_are_sorted_by_where_they_are_and_told_once() {
    let sources = SourceMap::new("/");
    // Added in the reverse of their names: ids must not decide the order.
    let b = sources.add("b.cu");
    let a = sources.add("a.cu");
    let at = |file, line, confirmation| {
        Finding::new(Code::IntraBlockRace, "a race")
            .label(Location::new(file, 99, 1), "read")
            .label(Location::new(file, line, 1), "write")
            .primary(1)
            .witness(witness(), confirmation)
    };
    let unconfirmed = || Confirmation::Unconfirmed("another path".into());
    let findings = vec![
        at(b, 1, Confirmation::Confirmed),
        at(a, 10, unconfirmed()),
        at(a, 9, Confirmation::Confirmed),
        at(a, 10, Confirmation::Confirmed),
    ];
    let mut reversed = findings.clone();
    reversed.reverse();
    let sources = Arc::new(sources);
    let report = |findings| Report::new(sources.clone(), Vec::new(), findings);
    let report = [report(findings), report(reversed)];
    let expected =
        [(a, 9), (a, 10), (b, 1)].map(|(file, line)| at(file, line, Confirmation::Confirmed));
    for report in report {
        assert!(report.findings().eq(&expected), "{:#?}", report.loose_findings());
    }
}

#[test]
fn no_unknown_is_silent() {
    let sources = SourceMap::new("/");
    let file = sources.add("k.cu");
    let at = |line| Location::new(file, line, 1);
    let reason = |line| Reason::new(Code::Undecided, "the index is loaded").at(at(line));
    let kernel = KernelReport {
        name: "k".into(),
        symbol: "k".into(),
        place: Some(at(1).into()),
        verdicts: BTreeMap::from([
            (Property::IntraBlockRace, Verdict::Unknown(vec![reason(5), reason(7)])),
            (Property::InterBlockRace, Verdict::unknown(reason(5))),
            (Property::BarrierDivergence, unknown(Code::BudgetSpent)),
        ]),
        findings: vec![Finding::new(Code::Undecided, "told by a pass").label(at(7), "this index")],
    };
    let report = Report::new(Arc::new(sources), vec![kernel], Vec::new());
    let told: Vec<_> =
        report.findings().map(|it| (it.code, it.message.as_str(), &it.notes)).collect();
    let expected = [
        (
            Code::BudgetSpent,
            "could not tell",
            &vec!["this leaves unknown: barrier-divergence".into()],
        ),
        (
            Code::Undecided,
            "the index is loaded",
            &vec!["this leaves unknown: intra-block-race, inter-block-race".into()],
        ),
        (Code::Undecided, "told by a pass", &vec![]),
    ];
    assert_eq!(told, expected);
    assert!(report.findings().all(|it| it.place().is_some()));
}
