//! Guesses the period of a pattern of barriers from runs with values. Nothing of it is believed:
//! [`super::step`] shows it.

use std::hash::{Hash, Hasher};

use heddle_interp::Stop;
use rustc_hash::FxHasher;

use super::super::drive::{Attempt, Outcome, Round, Start, divide};
use super::{Case, Gap};

/// Values whose runs are looked at, until one is long enough.
const VALUES: [u64; 7] = [16, 64, 256, 1024, 4096, 16_384, 65_536];
/// Numbers that change more slowly than the barriers recur may need so many of their periods.
const MULTIPLES: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16];
/// Periods that must be seen.
const SEEN: usize = 5;
/// Periods in the run that is taken for the others: four behind the first mark, and one each before
/// and behind.
const NEEDED: usize = 6;

/// A guess.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    /// Rounds before the first mark.
    pub(super) first: usize,
    /// Rounds of a period.
    pub(super) rounds: usize,
    /// How much more of the argument makes one period more.
    pub(super) grows: u64,
    /// The least value that is long enough.
    pub(super) start: u64,
}

/// A run: a number for each round, equal at equal positions.
struct Pattern {
    positions: Vec<u64>,
    outcome: Box<Outcome>,
}

impl Case<'_> {
    /// Guesses, the likeliest first.
    pub(super) fn periods(&mut self, width: u8) -> Result<Vec<Period>, Gap> {
        let mut all = Vec::new();
        for value in VALUES.into_iter().filter(|it| *it <= u64::MAX >> (65 - u32::from(width))) {
            let Some(pattern) = self.pattern(value)? else { break };
            let Some((first, rounds, recurs)) = recurrence(&pattern.positions) else { continue };
            let total = pattern.positions.len();
            let Some(begin) = self.next_longer(value, total + 1)? else { continue };
            let Some(length) = self.length(begin)? else { continue };
            let Some(end) = self.next_longer(begin, length + rounds)? else { continue };
            if self.length(end)? != Some(length + rounds) {
                break;
            }
            let tail = total - recurs - rounds;
            let each = end - begin;
            for many in MULTIPLES {
                let needed = (first + tail + NEEDED * rounds * many).div_ceil(rounds) as u64;
                let there = (length / rounds) as u64;
                let start = (begin + each * needed.saturating_sub(there))
                    .checked_sub(each * there.saturating_sub(needed));
                let (rounds, grows) = (rounds * many, each * many as u64);
                all.extend(start.map(|start| Period { first, rounds, grows, start }));
            }
            break;
        }
        Ok(all)
    }

    /// The least value, greater than one that is shorter, whose run has at least so many rounds.
    fn next_longer(&mut self, from: u64, rounds: usize) -> Result<Option<u64>, Gap> {
        let (mut short, mut step) = (from, 1);
        let mut long = loop {
            match self.length(short + step)? {
                Some(length) if length >= rounds => break short + step,
                Some(_) if step < 1 << 20 => (short, step) = (short + step, 2 * step),
                Some(_) | None => return Ok(None),
            }
        };
        while long - short > 1 {
            let middle = short + (long - short) / 2;
            match self.length(middle)? {
                Some(length) if length >= rounds => long = middle,
                Some(_) => short = middle,
                None => return Ok(None),
            }
        }
        Ok(Some(long))
    }

    fn length(&mut self, value: u64) -> Result<Option<usize>, Gap> {
        Ok(self.pattern(value)?.map(|it| it.positions.len()))
    }

    /// The run of a value; none if it stops short. A run that is wrong ends the search.
    fn pattern(&mut self, value: u64) -> Result<Option<Pattern>, Gap> {
        let mut launch = self.launch.clone();
        launch.args[self.param as usize] = Some(u128::from(value));
        let mut left = self.steps_left;
        let (kernel, in_step) = (self.cx.kernel, self.cx.options.warp_sync);
        let run = divide(&launch, &self.blocks, in_step, &mut |partition| {
            let start =
                Start { kernel, launch: &launch, blocks: &self.blocks, partition, values: &[] };
            let mut drive = start.within(left)?;
            let mut positions = Vec::new();
            loop {
                let mut hasher = FxHasher::default();
                let position = drive.position();
                drive.warps.spend(position.size())?;
                position.hash(&mut hasher);
                positions.push(hasher.finish());
                let round = drive.round();
                left = drive.warps.steps_left();
                match round? {
                    Round::Goes => {}
                    Round::Cut(lanes) => return Ok(Attempt::Cut(lanes)),
                    Round::Over => break,
                }
            }
            Ok::<_, Stop>(match drive.finish() {
                Attempt::Done(outcome) => Attempt::Done(Pattern { positions, outcome }),
                Attempt::Cut(lanes) => Attempt::Cut(lanes),
            })
        });
        self.steps_left = left;
        match run {
            Ok(Pattern { outcome, .. }) if !outcome.is_clean() => {
                let given = vec![(self.param, u128::from(value))];
                let wrong = Some(Box::new(Outcome { given, ..*outcome }));
                Err(Gap { checked: 0, why: String::new(), wrong })
            }
            Ok(pattern) => Ok(Some(pattern)),
            Err(_) => Ok(None),
        }
    }
}

/// The shortest lag at which positions recur for long: from which round, the lag, and up to which
/// round.
fn recurrence(positions: &[u64]) -> Option<(usize, usize, usize)> {
    (1..=positions.len() / (SEEN + 1)).find_map(|lag| {
        let mut best: Option<(usize, usize)> = None;
        let mut from = None;
        for at in 0..=positions.len() - lag {
            let same = at + lag < positions.len() && positions[at] == positions[at + lag];
            match (same, from) {
                (true, None) => from = Some(at),
                (false, Some(begin)) => {
                    if best.is_none_or(|it| at - begin > it.1 - it.0) {
                        best = Some((begin, at));
                    }
                    from = None;
                }
                (true, Some(_)) | (false, None) => {}
            }
        }
        best.filter(|it| it.1 - it.0 >= SEEN * lag).map(|(begin, end)| (begin, lag, end))
    })
}

#[cfg(test)]
mod tests {
    use super::recurrence;

    #[test]
    fn the_shortest_lag_is_found() {
        let positions: Vec<u64> =
            [9, 8].into_iter().chain((0..24).map(|it| it % 3)).chain([7]).collect();
        assert_eq!(recurrence(&positions), Some((2, 3, 23)));
        let rising: Vec<u64> = (0..40).collect();
        assert_eq!(recurrence(&rising), None);
    }
}
