//! Named barriers against the paper's algorithm and against all schedules, on random programs.

#[expect(dead_code, reason = "the programs are shared with other tests")]
mod common;

use common::{Dice, Item, Opinion, Program, all_schedules, closure, library};
use heddle_trace::AccessKind;

/// A program that tends to be well-synchronized: rounds in which some warps sync or arrive at a
/// barrier with the right count.
fn likely(dice: &mut Dice) -> Program {
    let width = 1 + dice.below(3) as u32;
    let warps = 2 + dice.below(2) as usize;
    let all = (1u64 << width) - 1;
    let mut program = Program { width, warps: vec![Vec::new(); warps] };
    for _ in 0..1 + dice.below(5) {
        for items in &mut program.warps {
            for _ in 0..dice.below(3) {
                items.push(touch(dice, all));
            }
        }
        let id = dice.below(2) as u32;
        let takes_part: Vec<bool> = (0..warps).map(|_| dice.below(4) > 0).collect();
        let count = width * takes_part.iter().filter(|it| **it).count() as u32;
        let spoilt = if dice.below(12) == 0 { 1 } else { 0 };
        for (warp, items) in program.warps.iter_mut().enumerate() {
            if takes_part[warp] {
                let waits = dice.below(4) > 0;
                items.push((all, Item::Named { id, count: count + spoilt, waits }));
            }
        }
    }
    program
}

fn touch(dice: &mut Dice, all: u64) -> (u64, Item) {
    let kinds = [AccessKind::Read, AccessKind::Write, AccessKind::Atomic];
    let kind = kinds[dice.below(3) as usize];
    let lanes = if dice.below(3) == 0 { 1 } else { all };
    let stride = [0, 4, 2][dice.below(3) as usize];
    (lanes, Item::Touch { base: 4 * dice.below(6), stride, kind })
}

/// Anything at all.
fn wild(dice: &mut Dice) -> Program {
    let width = 1 + dice.below(2) as u32;
    let warps = 2 + dice.below(2) as usize;
    let all = (1u64 << width) - 1;
    let mut program = Program { width, warps: vec![Vec::new(); warps] };
    for items in &mut program.warps {
        for _ in 0..dice.below(6) {
            if dice.below(2) == 0 {
                items.push(touch(dice, all));
            } else {
                let lanes = if dice.below(4) == 0 { 1 } else { all };
                let count = width * (1 + dice.below(warps as u64) as u32);
                let waits = dice.below(2) == 0;
                items.push((lanes, Item::Named { id: dice.below(2) as u32, count, waits }));
            }
        }
    }
    program
}

fn compare(programs: impl Fn(&mut Dice) -> Program, seeds: std::ops::Range<u64>) -> [usize; 3] {
    let mut tally = [0; 3];
    for seed in seeds {
        let mut dice = Dice::new(seed);
        let program = programs(&mut dice);
        let expected = closure(&program);
        let said = library(&program, &mut dice);
        assert_eq!(said.opinion, expected, "seed {seed}: {program:#?}\n{said:?}");
        tally[match expected {
            Opinion::Bad => 0,
            Opinion::Good(races) if races.is_empty() => 1,
            Opinion::Good(_) => 2,
        }] += 1;
    }
    tally
}

#[test]
fn verdicts_equal_the_closure_on_likely_programs() {
    let tally = compare(likely, 0..4_000);
    assert!(tally.iter().all(|it| *it > 100), "bad, clean, racy: {tally:?}");
}

#[test]
fn verdicts_equal_the_closure_on_wild_programs() {
    let tally = compare(wild, 0..4_000);
    assert!(tally.iter().all(|it| *it > 100), "bad, clean, racy: {tally:?}");
}

#[test]
fn one_schedule_speaks_for_all() {
    let mut tally = [0; 2];
    for seed in 0..1_500 {
        let mut dice = Dice::new(seed);
        let mut program = if seed % 2 == 0 { likely(&mut dice) } else { wild(&mut dice) };
        for items in &mut program.warps {
            items.retain(|(_, item)| !matches!(item, Item::Touch { .. }));
        }
        let good = all_schedules(&program);
        let said = library(&program, &mut dice);
        assert_eq!(said.opinion != Opinion::Bad, good, "seed {seed}: {program:#?}\n{said:?}");
        tally[usize::from(good)] += 1;
    }
    assert!(tally.iter().all(|it| *it > 100), "bad, good: {tally:?}");
}
