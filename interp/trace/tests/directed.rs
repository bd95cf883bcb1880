//! Rules that random programs seldom touch, one small execution each.

use heddle_trace::{
    Arrivals, ClusterStep, Execution, ObjectName, ObjectStep, Partition, StrandId, Sync, Violation,
    confirm,
};

const OBJECT: ObjectName = ObjectName { region: 1, offset: 0 };

fn meet() -> Sync {
    let expected = Arrivals::Count(2);
    Sync::Named { id: 0, expected, brings: 1, waits: true, aligned: false }
}

/// Two threads arrive at an object of which the first initialised it; the first announces bytes
/// before or after its arrival.
fn announced(before: bool) -> Vec<bool> {
    let partition = Partition::whole_warps(1, 2, |_, _| 1);
    let mut execution = Execution::new(&partition, 2, true);
    let [one, two] = [0, 1].map(StrandId);
    let object = |step| Sync::Object(OBJECT, step);
    let arrive = object(ObjectStep::Arrive { count: 1, expect: 0, drop: false });
    let expect = object(ObjectStep::Expect(4));
    let first = if before { [expect, arrive] } else { [arrive, expect] };
    let events = [
        (one, object(ObjectStep::Init(2))),
        (one, meet()),
        (two, meet()),
        (one, first[0]),
        (one, first[1]),
        (two, arrive),
        (one, object(ObjectStep::Complete(4))),
    ];
    for (source, (strand, sync)) in (0..).zip(events) {
        execution.perform(strand, sync, source);
    }
    let (trace, violations) = execution.finish();
    let is_late = |it: &Violation| matches!(it, Violation::LateExpect { .. });
    assert!(violations.iter().all(is_late), "{violations:?}");
    violations.iter().map(|it| confirm(&trace, it, 2, true)).collect()
}

#[test]
fn bytes_are_announced_before_the_last_arrival() {
    assert_eq!(announced(true), []);
    assert_eq!(
        announced(false),
        [true],
        "the other arrival completes the phase first, in a replay"
    );
}

#[test]
fn lanes_of_a_strand_are_ordered_by_where_they_meet() {
    let partition = Partition::whole_warps(1, 1, |_, _| 0b11);
    let mut execution = Execution::new(&partition, 2, true);
    let it = StrandId(0);
    execution.perform(it, Sync::Issue, 0);
    execution.perform(it, Sync::Warp { lanes: 0b11 }, 1);
    let (trace, _) = execution.finish();
    let before = |i, j| trace.is_before(it, i, it, j);
    assert!(before(0, 2) && before(1, 2), "behind the barrier all is known");
    assert!(!before(0, 1), "one lane's copy orders nothing for the other");
    assert!(!before(2, 2), "an interval is not before itself");
}

#[test]
fn a_cluster_does_not_wait_for_threads_that_have_ended() {
    let partition = Partition::whole_warps(2, 1, |_, _| 1);
    let mut execution = Execution::new(&partition, 1, false);
    let [one, two] = [0, 1].map(StrandId);
    let step = |step| Sync::Cluster { step, brings: 1 };
    execution.perform(one, step(ClusterStep::Arrive), 0);
    execution.perform(one, step(ClusterStep::Wait), 1);
    assert!(execution.is_blocked(one), "the other block may yet arrive");
    execution.exit(two, 1);
    assert!(!execution.is_blocked(one) && execution.stuck().is_empty());
    // An arrival of a thread that ends in the same phase does not count any more either.
    let mut execution = Execution::new(&partition, 1, false);
    execution.perform(two, step(ClusterStep::Arrive), 0);
    execution.exit(two, 1);
    execution.perform(one, step(ClusterStep::Arrive), 1);
    execution.perform(one, step(ClusterStep::Wait), 2);
    assert!(execution.stuck().is_empty());
}
