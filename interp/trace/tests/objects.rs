//! Barrier objects against all schedules, on random small programs: what is called good is the same
//! in every schedule, and what a replay shows to be wrong is wrong in some.

#[expect(dead_code, reason = "the programs are shared with other tests")]
mod common;

use common::{Dice, Item, Opinion, Program, all_schedules, library};
use heddle_trace::{ObjectStep, Target};

fn object(which: u64, step: ObjectStep) -> (u64, Item) {
    (1, Item::Object { which, step })
}

/// One thread initialises two objects, all meet, and rounds of arrivals and waits follow, now and
/// then spoilt.
fn pipeline(dice: &mut Dice) -> Program {
    let threads = 2 + dice.below(2) as usize;
    let mut program = Program { width: 1, warps: vec![Vec::new(); threads] };
    let mut parties = [0; 2];
    for party in &mut parties {
        *party = 1 + dice.below(threads as u64) as u32;
    }
    for (which, count) in parties.iter().enumerate() {
        program.warps[0].push(object(which as u64, ObjectStep::Init(*count)));
    }
    if dice.below(8) > 0 {
        for items in &mut program.warps {
            items.push((1, Item::Named { id: 0, count: threads as u32, waits: true }));
        }
    }
    let mut phases = [0u32; 2];
    for _ in 0..1 + dice.below(4) {
        let which = dice.below(2) as usize;
        let expect = if dice.below(4) == 0 { 4 } else { 0 };
        for (thread, items) in program.warps.iter_mut().enumerate() {
            if (thread as u32) < parties[which] {
                let bytes = if thread == 0 { expect } else { 0 };
                let step = ObjectStep::Arrive { count: 1, expect: bytes, drop: false };
                items.push(object(which as u64, step));
                if bytes > 0 {
                    items.push(object(which as u64, ObjectStep::Complete(bytes)));
                }
            }
            if dice.below(3) > 0 {
                let spoilt = dice.below(16) == 0;
                let parity = (phases[which] & 1 == 1) != spoilt;
                items.push(object(which as u64, ObjectStep::Wait(Target::Parity(parity))));
            }
        }
        phases[which] += 1;
    }
    program
}

#[test]
fn what_is_called_good_or_shown_to_be_wrong_is_so() {
    let (mut good, mut bad, mut strict, mut open) = (0, 0, 0, 0);
    for seed in 0..4_000 {
        let mut dice = Dice::new(seed);
        let program = pipeline(&mut dice);
        let truth = all_schedules(&program);
        let said = library(&program, &mut dice);
        let accepted = said.opinion != Opinion::Bad;
        assert!(truth || !accepted, "seed {seed}: some schedule differs\n{program:#?}\n{said:?}");
        let refuted = said.stuck && said.violations.is_empty() || said.shown.contains(&true);
        assert!(!(truth && refuted), "seed {seed}: no schedule is wrong\n{program:#?}\n{said:?}");
        good += usize::from(accepted);
        bad += usize::from(!truth);
        strict += usize::from(truth && !accepted);
        open += usize::from(!truth && !refuted);
    }
    // What is wrong is nearly always shown by a replay, and what is not shown is called unknown.
    assert!(open * 20 < bad, "bad {bad}, not shown {open}");
    assert!(good > 400 && bad > 400, "good {good}, bad {bad}, refused though good {strict}");
    assert!(strict * 10 < good, "good {good}, bad {bad}, refused though good {strict}");
}
