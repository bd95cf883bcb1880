//! Barriers that are right for every value of an argument: induction over one period of their
//! pattern.
//!
//! # What is proved
//! Runs are deterministic: warps take turns, and a run is a sequence of rounds. Two rounds, one
//! period apart, are proposed ([`period`]) from runs with values; nothing of that is believed. Let
//! `d` be the growth of the argument that adds one period. For a value `N` and all `N + k·d` up to
//! the type's greatest, three things are shown by one run over the whole family at once (`step`):
//! 1. *Start.* Up to the first of the two rounds, `T1`, all of them do the same. Values that differ
//!    among them do so linearly in `k`.
//! 2. *Step.* Let `Y(m, j)` be the state at `T1` with the argument for `m` periods to go and each
//!    value grown by its step `j` times. One period from `Y(m, j)` does the same events for all `m
//!    ≥ -3` and `j ≥ 0`, and ends in `Y(m - 1, j + 1)`. The position (program places, barriers,
//!    parities, bytes that are awaited, copies under way: [`super::position`]) has to be equal, the
//!    values have to have grown by their steps, or are taken for unknown from `T1` on. So each run
//!    comes to `Y(-1, k + 1)`.
//! 3. *End.* From `Y(-1, j + 1)` on, to the end, all do the same for all `j`.
//!
//! The trace of `N + k·d` is therefore that of `N` with `k` periods put in behind `T1`, events,
//! bytes and all. The trace of `N` has four of them, and is checked as any trace is. That what is
//! put in is right follows:
//! - *Counts, deadlock, use before initialisation* depend on events and positions alone.
//! - *Order of generations and phases.* What happens before what is reachability along program
//!   order and from arrivals to waits, which all lead forward in the run: whether `a` comes before
//!   `b` is decided by what lies between them. A barrier that completes a use in a period does so
//!   in each, so that the last two uses that are over, and the one that is not, lie within three
//!   periods (an arrival left over would be another position): all stretches of that length are in
//!   the run of `N`, which has four. A barrier that completes none is used before and after the
//!   loop, or only looked at in it; a path between the two is still one with periods put in, since
//!   a thread that leaves a period goes through the next.
//! - *Races.* Accesses of two periods that do not succeed each other are ordered if those of
//!   successive ones are: the later one's thread does it again in each period, at the same bytes.
//!   One that threads may do or not, as a guard says of which the periods differ, is in the trace
//!   of each thread that comes by it, from the first period that is put in on. An access whose
//!   bytes differ from period to period is not in the trace, and left to the race passes.
//!
//! Each value below `N` is run, and each rest modulo `d` has its own proof; values between which no
//! decision differs are run at once. Numbers that are negative as signed are one such range, or
//! else the argument is taken as unsigned.
//!
//! # What it relies on
//! The meaning of instructions in the interpreter; that tests of barrier objects wait (as every
//! trace does). A value loaded from memory that others may change is unknown; so is a value that
//! depends on the argument in no linear way. **Does not** prove kernels with two such arguments, or
//! whose pattern does not recur: they are `unknown`, with the values that were checked.

mod kept_runs;
mod period;
mod step;

use heddle_diagnostics::Assumption;
use heddle_interp::{Family, Launch, Stop, Use};
use heddle_ir::{ExprKind, OpId, Place, Space};

use self::kept_runs::KeptRuns;
use self::period::Period;
use super::drive::{Attempt, Drive, Outcome, Round, drive_by};
use crate::engine::cx::Cx;

/// Steps of warps that a proof may cost.
const STEPS: u64 = 16_000_000;
/// Steps that one range of values, negative as signed, may cost: as unsigned, it would cost too
/// many.
const STEPS_BELOW: u64 = 1_000_000;
/// Up to so many values in a period, guards of accesses are told apart value by value.
const PRECISE: u64 = 256;
/// Multiples of a period that is proved which are tried as well, where accesses differ from one
/// period to the next: two stages that take turns need two.
const MORE: u32 = 3;
/// Values that are run where nothing recurs.
const UNPROVED: u64 = 40;
/// Values that stay out of reach of a sum, where the last ones of the type are not proved.
const MARGIN: u64 = 1 << 16;

/// A kernel with one argument that nobody gave.
pub(super) struct Case<'a> {
    cx: &'a Cx<'a>,
    launch: &'a Launch,
    blocks: [Option<[u32; 3]>; 1],
    param: u32,
    steps_left: u64,
    /// Values go different ways where an access to shared memory does.
    is_precise: bool,
}

/// What came of an induction.
pub(super) struct Proof {
    /// Runs that stand for all values.
    pub(super) outcomes: Vec<Outcome>,
    /// What the proof takes for granted of the argument.
    pub(super) assumes: Option<Assumption>,
}

/// Why there is no proof.
pub(super) struct Gap {
    /// Values from zero to below this were run, and nothing is wrong with them.
    pub(super) checked: u64,
    /// What stands in the way.
    pub(super) why: String,
    /// A run that is wrong, with its value.
    pub(super) wrong: Option<Box<Outcome>>,
}

/// Why a run does not count.
enum Short {
    Stop(Stop),
    NotPeriodic,
}

impl From<Stop> for Short {
    fn from(stop: Stop) -> Short {
        Short::Stop(stop)
    }
}

/// Values that are run at once.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u64,
    size: u64,
}

/// Proves the kernel for all values of a parameter.
pub(super) fn prove(
    cx: &Cx<'_>,
    launch: &Launch,
    block: Option<[u32; 3]>,
    param: u32,
) -> Result<Proof, Gap> {
    let steps_left = cx.allowed(STEPS);
    Case { cx, launch, blocks: [block], param, steps_left, is_precise: false }.prove()
}

impl Case<'_> {
    fn prove(&mut self) -> Result<Proof, Gap> {
        let gap = |why: &str| Gap { checked: 0, why: why.to_owned(), wrong: None };
        let Some(width) = self.width().filter(|it| (8..=64).contains(it)) else {
            return Err(gap("the argument has a width that is not followed"));
        };
        let periods = self.periods(width)?;
        let top = u64::MAX >> (64 - u32::from(width));
        let half = top / 2 + 1;
        let mut below = KeptRuns::default();
        let last = match self.below_zero(half, &periods, &mut below) {
            true => half - 1,
            false => top,
        };
        let mut why = "the pattern of its barriers was not seen to recur".to_owned();
        let mut best: Option<(usize, KeptRuns, Option<Assumption>)> = None;
        let mut more = MORE;
        for period in &periods {
            if best.is_some() {
                if more == 0 {
                    break;
                }
                more -= 1;
            }
            self.is_precise = period.grows <= PRECISE;
            for (bound, is_all) in [(last, true), (last.saturating_sub(MARGIN), false)] {
                let mut large = KeptRuns::default();
                let mut step = |case: &mut Self, range| case.step(range, period, bound);
                if let Err(gap) = self.cover(period.start, period.grows, &mut large, &mut step) {
                    if gap.wrong.is_some() {
                        return Err(gap);
                    }
                    why = gap.why;
                    continue;
                }
                let mut kept = KeptRuns::default();
                let mut run = |case: &mut Self, range| case.run(range);
                match self.cover(0, period.start, &mut kept, &mut run) {
                    Err(gap) if best.is_some() && gap.wrong.is_none() => break,
                    of_small => of_small?,
                }
                kept.take_over(large);
                let name = &self.cx.kernel.params[self.param as usize].name;
                let assumes =
                    (!is_all).then(|| Assumption::ArgumentAtMost { name: name.clone(), bound });
                let open = kept.open(&|op| self.is_shared(op));
                if best.as_ref().is_none_or(|it| open < it.0) {
                    best = Some((open, kept, assumes));
                }
                break;
            }
            if best.as_ref().is_some_and(|it| it.0 == 0) {
                break;
            }
        }
        if let Some((_, mut kept, assumes)) = best {
            kept.take_over(below);
            return Ok(Proof { outcomes: kept.outcomes(), assumes });
        }
        let mut kept = KeptRuns::default();
        let checked = periods.first().map_or(0, |period| period.start).max(UNPROVED);
        let mut run = |case: &mut Self, range| case.run(range);
        self.cover(0, checked, &mut kept, &mut run)?;
        Err(Gap { checked, why, wrong: None })
    }

    /// Whether an operation may touch memory that the threads of a block share among them alone.
    fn is_shared(&self, op: OpId) -> bool {
        let kernel = self.cx.kernel;
        kernel[op].kind.effects().touches.iter().any(|touch| match touch.place {
            Place::At(address) => kernel[address.object].space != Space::Global,
            Place::Anywhere(space) => space != Space::Global,
        })
    }

    /// Whether the values from `half` on, which are negative as signed, are right: all at once, or
    /// by a step that the periods propose.
    fn below_zero(&mut self, half: u64, periods: &[Period], kept: &mut KeptRuns) -> bool {
        let whole = self.steps_left;
        self.steps_left = whole.min(STEPS_BELOW);
        let spent = |case: &Self| whole.min(STEPS_BELOW) - case.steps_left;
        let mut all = KeptRuns::default();
        let mut run = |case: &mut Self, range| case.run(range);
        let mut done = match run(self, Range { first: half, size: half }) {
            Ok(outcome) => all.add(outcome).is_none(),
            Err(_) => false,
        };
        all.name(self.param, half);
        if let Some(period) = periods.first()
            && !done
            && let Some(rest) = half.checked_sub(2 * period.grows)
            && let runs @ 1.. = rest / period.grows
        {
            let each = period.grows;
            let mut some = KeptRuns::default();
            let mut apart = |case: &mut Self, range: Range| {
                let corners = [[0, 0], [i128::from(runs - 1), 0]];
                let family = case.family(range, [each, 0], &corners);
                case.run_family(family)
            };
            let last = half + runs * each;
            done = self.cover(half, each, &mut some, &mut apart).is_ok()
                && self.cover(last, half - runs * each, &mut some, &mut run).is_ok();
            all = some;
        }
        self.steps_left = whole - spent(self);
        if done {
            kept.take_over(all);
        }
        done
    }

    fn width(&self) -> Option<u8> {
        let mut all = self.cx.kernel.exprs.iter();
        all.find(|(_, it)| it.kind == ExprKind::Param(self.param)).map(|(_, it)| it.width)
    }

    /// Runs values from `first` on, so many, in ranges as wide as possible.
    fn cover(
        &mut self,
        first: u64,
        count: u64,
        kept: &mut KeptRuns,
        run: &mut dyn FnMut(&mut Self, Range) -> Result<Outcome, Short>,
    ) -> Result<(), Gap> {
        let (mut done, mut usual, mut in_vain) = (0, 1, 0);
        while done < count {
            let (at, room) = (first + done, count - done);
            let mut size = usual.min(room);
            let mut best = loop {
                match run(self, Range { first: at, size }) {
                    Ok(outcome) => break outcome,
                    Err(_) if size > 1 => size /= 2,
                    Err(short) => {
                        let why = self.describe(&short);
                        return Err(Gap { checked: at, why, wrong: None });
                    }
                }
            };
            let mut too_wide = None;
            while size >= usual && in_vain < 2 && size < room && too_wide != Some(size + 1) {
                let wider = match too_wide {
                    Some(limit) => size + (limit - size) / 2,
                    None => (2 * size).min(room),
                };
                match run(self, Range { first: at, size: wider }) {
                    Ok(outcome) => (best, size) = (outcome, wider),
                    Err(_) => too_wide = Some(wider),
                }
            }
            in_vain = if size > usual { 0 } else { in_vain + u32::from(too_wide.is_some()) };
            usual = usual.max(size);
            if let Some(outcome) = kept.add(best) {
                let wrong = self.run(Range { first: at, size: 1 }).unwrap_or(outcome);
                let wrong = Outcome { given: vec![(self.param, u128::from(at))], ..wrong };
                return Err(Gap { checked: at, why: String::new(), wrong: Some(Box::new(wrong)) });
            }
            kept.name(self.param, at);
            done += size;
        }
        Ok(())
    }

    /// The run of one value, or of several that go the same way.
    fn run(&mut self, range: Range) -> Result<Outcome, Short> {
        if range.size > 1 {
            let outcome = self.run_family(self.family(range, [0, 0], &[[0, 0]]))?;
            return self.if_precise(range, outcome);
        }
        let mut launch = self.launch.clone();
        launch.args[self.param as usize] = Some(u128::from(range.first));
        self.run_as(&launch, None)
    }

    /// Whether a run says all of shared memory that runs of fewer values may say.
    fn if_precise(&self, range: Range, outcome: Outcome) -> Result<Outcome, Short> {
        let mut open = outcome.blurred.keys().chain(outcome.perhaps.keys());
        let lacks = self.is_precise && range.size > 1 && open.any(|op| self.is_shared(*op));
        if lacks { Err(Short::NotPeriodic) } else { Ok(outcome) }
    }

    /// The runs of a family that all go the same way to the end.
    fn run_family(&mut self, family: Family) -> Result<Outcome, Short> {
        self.run_as(self.launch, Some(family))
    }

    fn run_as(&mut self, launch: &Launch, family: Option<Family>) -> Result<Outcome, Short> {
        let mut left = self.steps_left;
        let (kernel, in_step) = (self.cx.kernel, self.cx.options.warp_sync);
        let outcome = drive_by(kernel, launch, &self.blocks, in_step, &mut |start| {
            let drive = start.within(left)?;
            match &family {
                Some(family) => to_end(drive.in_family(family.clone()), &mut left),
                None => to_end(drive, &mut left),
            }
        });
        let races = outcome.as_ref().map_or(0, |it| it.races.steps);
        self.steps_left = left.saturating_sub(races);
        outcome
    }

    /// The values of a range, with a slope along runs to go and periods after, and corners there.
    fn family(&self, range: Range, slope: [u64; 2], corners: &[[i128; 2]]) -> Family {
        let rest = i128::from(range.size - 1);
        let corners = corners.iter().flat_map(|[m, j]| [[*m, *j, 0], [*m, *j, rest]]).collect();
        let [m, j] = slope.map(|it| it as i64);
        Family { param: self.param, first: range.first, slope: [m, j, 1], corners }
    }

    fn describe(&self, short: &Short) -> String {
        match short {
            Short::Stop(Stop::Unknown { used_by, .. }) => {
                let op = match used_by {
                    Use::Predicate(op) | Use::Address(op) | Use::Size(op) | Use::Barrier(op) => {
                        Some(self.cx.places.op(self.cx.kernel, *op))
                    }
                    Use::Entry(of) | Use::Continuation(of) => {
                        Some(self.cx.places.origin(self.cx.kernel, self.cx.kernel[*of].origin))
                    }
                };
                match op.and_then(|place| place.line()) {
                    Some(line) => format!("what line {line} does differs in another way than by a fixed step from period to period"),
                    None => "what an operation does differs in another way than by a fixed step from period to period".to_owned(),
                }
            }
            Short::Stop(stop) => stop.describe(self.cx.kernel),
            Short::NotPeriodic => "the pattern of its barriers was not seen to recur".to_owned(),
        }
    }
}

/// Runs on to the end.
fn to_end(mut drive: Drive<'_>, steps_left: &mut u64) -> Result<Attempt, Short> {
    match rounds(&mut drive, usize::MAX, steps_left)? {
        Round::Cut(lanes) => Ok(Attempt::Cut(lanes)),
        Round::Goes | Round::Over => Ok(drive.finish()),
    }
}

/// Runs so many rounds; how the last one ended.
fn rounds(drive: &mut Drive<'_>, count: usize, steps_left: &mut u64) -> Result<Round, Short> {
    for _ in 0..count {
        let round = drive.round();
        *steps_left = drive.warps.steps_left();
        match round? {
            Round::Goes => {}
            ended @ (Round::Cut(_) | Round::Over) => return Ok(ended),
        }
    }
    Ok(Round::Goes)
}
