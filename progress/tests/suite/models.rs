//! One test, or a few, for each model and each erratum, with no data from elsewhere.
//!
//! Errata of the published definitions that the tests pin down:
//! - an empty `F` inside a cycle fails (read literally, the formulas let `unfair` pass everything);
//! - an empty `F` outside a cycle owes nothing (else no strong OBE could ever pass);
//! - "strong" is per transition: per thread it would be weak, because threads are always enabled;
//! - LOBE counts terminated threads among those that started; LOBE-live does not.

use heddle_progress::axb::{Axb, parse};
use heddle_progress::model::{
    Criterion, FAIR, HSA, HSA_OBE, LOBE, LOBE_LIVE, Model, OBE, UNFAIR, View,
};
use heddle_progress::oracle::Oracle;
use heddle_progress::requirement::Requirement;
use heddle_progress::system::{System, explore};
use heddle_progress::threads::ThreadSet;

fn system(text: &str) -> System {
    let test = parse(text).expect("a test");
    explore(&Axb::new(&test), 10_000).expect("a small test").system
}

fn requirement(text: &str) -> Requirement {
    Requirement::of(&mut Oracle::of(&system(text)))
}

fn passes(text: &str, criterion: Criterion) -> bool {
    Oracle::of(&system(text)).verdict(criterion).passes()
}

/// The higher thread waits for the lower one.
const CONSUMER_ABOVE: &str = "thread 0\n store x = 1\nthread 1\n L: load x, if 0 goto L\n";

/// The lower thread waits for the higher one.
const CONSUMER_BELOW: &str = "thread 0\n L: load x, if 0 goto L\nthread 1\n store x = 1\n";

/// A spin lock: the holder has started, whoever it is.
const SPIN_LOCK: &str = "
thread 0
  L: exch m = 1, if 1 goto L
  store m = 0
thread 1
  L: exch m = 1, if 1 goto L
  store m = 0
";

/// Thread 1 needs both: thread 0 before it starts, and thread 2 once it holds the lock.
const WAIT_AND_LOCK: &str = "
thread 0
  store go = 1
  L: exch m = 1, if 1 goto L
  store m = 0
thread 1
  W: load go, if 0 goto W
  L: exch m = 1, if 1 goto L
  store m = 0
";

/// Thread 2 starts, then waits for thread 1, which need not have started; thread 0 is not done
/// before: it waits for 2. The lowest live thread spins, and only LOBE guarantees the middle one.
const MIDDLE: &str = "
thread 0
  A: load b, if 0 goto A
thread 1
  store a = 1
thread 2
  B: load a, if 0 goto B
  store b = 1
";

#[test]
fn nothing_to_wait_for_needs_nothing() {
    let text = "thread 0\n store x = 1\nthread 1\n exch x = 1, if 1 goto end\n store x = 0\n";
    assert_eq!(requirement(text), Requirement::None);
    assert!(passes(text, UNFAIR.weak()));
    assert!(passes(text, UNFAIR.strong()));
}

#[test]
fn unfair_fails_each_cycle() {
    // Erratum: no thread is guaranteed, so the published formulas hold for want of a thread.
    assert!(!passes(CONSUMER_ABOVE, UNFAIR.weak()));
    assert!(!passes(CONSUMER_ABOVE, UNFAIR.strong()));
}

#[test]
fn waiting_for_a_lower_thread_needs_hsa() {
    assert_eq!(requirement(CONSUMER_ABOVE), Requirement::Weak(vec![HSA]));
    assert!(!passes(CONSUMER_ABOVE, OBE.strong()));
    assert!(passes(CONSUMER_ABOVE, LOBE.weak()));
    assert!(passes(CONSUMER_ABOVE, LOBE_LIVE.weak()));
}

#[test]
fn waiting_for_a_higher_thread_needs_fairness() {
    assert_eq!(requirement(CONSUMER_BELOW), Requirement::Weak(vec![FAIR]));
    assert!(!passes(CONSUMER_BELOW, LOBE.strong()));
}

#[test]
fn a_spin_lock_needs_obe() {
    assert_eq!(requirement(SPIN_LOCK), Requirement::Weak(vec![OBE]));
    // The lowest thread spins while the other holds the lock and is not guaranteed.
    assert!(!passes(SPIN_LOCK, HSA.weak()));
}

#[test]
fn order_and_lock_need_hsa_and_obe_together() {
    assert_eq!(requirement(WAIT_AND_LOCK), Requirement::Weak(vec![HSA_OBE]));
    assert!(!passes(WAIT_AND_LOCK, OBE.weak()));
    assert!(!passes(WAIT_AND_LOCK, HSA.weak()));
}

#[test]
fn a_middle_thread_needs_lobe() {
    // Thread 2 may never start while 0 spins, so even LOBE fails; with 0 waiting for 1 it passes.
    assert_eq!(requirement(MIDDLE), Requirement::Weak(vec![FAIR]));
    let text = "
thread 0
  A: load b, if 0 goto A
thread 1
  store b = 1
thread 2
  B: load b, if 0 goto B
";
    assert!(!passes(text, LOBE.weak()), "0 may start alone");
}

#[test]
fn lobe_counts_threads_that_are_gone_and_lobe_live_does_not() {
    // Thread 0 waits, at the flag that thread 2 raises in its only step, for thread 1.
    // Once 2 has been, LOBE guarantees 1 for good; LOBE-live forgets it with 2.
    let text = "
thread 0
  load go, if 0 goto end
  A: load a, if 0 goto A
thread 1
  store a = 1
thread 2
  store go = 1
";
    assert!(passes(text, LOBE.weak()));
    assert!(!passes(text, LOBE_LIVE.weak()));
    assert!(!passes(text, LOBE_LIVE.strong()));
    assert_eq!(requirement(text), Requirement::Weak(vec![LOBE]));
}

#[test]
fn a_livelock_needs_strong_fairness() {
    // The threads overwrite each other's value: in lock-step for ever, but each could get ahead.
    let text = "
thread 0
  L: exch x = 0, if 1 goto L
thread 1
  L: exch x = 1, if 0 goto L
";
    let needs = requirement(text);
    assert!(!passes(text, FAIR.weak()));
    assert!(passes(text, FAIR.strong()));
    assert!(matches!(needs, Requirement::Livelock(_)), "{needs}");
}

#[test]
fn strong_obe_can_pass_although_nobody_is_guaranteed_at_the_start() {
    // Erratum: the initial state guarantees nobody under OBE and owes nothing.
    assert!(passes(SPIN_LOCK, OBE.strong()));
}

#[test]
fn a_deadlock_fails_under_every_model() {
    let text = "
thread 0
  L: exch a = 1, if 1 goto L
  M: exch b = 1, if 1 goto M
  store b = 0
  store a = 0
thread 1
  L: exch b = 1, if 1 goto L
  M: exch a = 1, if 1 goto M
  store a = 0
  store b = 0
";
    assert_eq!(requirement(text), Requirement::Never);
    for criterion in Criterion::all() {
        assert!(!passes(text, criterion), "{criterion}");
    }
}

#[test]
fn a_user_can_bring_a_model() {
    /// Guarantees the highest live thread, which no GPU does.
    fn highest(View { live, .. }: View) -> ThreadSet {
        live.iter().last().map_or(ThreadSet::EMPTY, ThreadSet::one)
    }
    let upside_down = Model { name: "upside-down", summary: "the highest", guaranteed: highest };
    assert!(passes(CONSUMER_BELOW, upside_down.weak()));
    assert!(!passes(CONSUMER_ABOVE, upside_down.weak()));
}
