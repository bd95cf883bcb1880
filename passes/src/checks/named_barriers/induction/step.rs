//! One family of values, a period apart: start, step and end in one run ([`super`] says why that is
//! enough).

use std::collections::BTreeMap;

use heddle_interp::Widened;
use heddle_trace::ObjectName;

use super::super::drive::{Attempt, Drive, Outcome, Round, Start, drive_by};
use super::period::Period;
use super::{Case, Range, Short, rounds, to_end};

/// Times that values which do not keep to their steps are taken for unknown.
const TRIES: usize = 12;
/// Periods that are left to go at the end of the step, below zero: so the run of `m = 0` goes
/// through four.
const BEHIND: i128 = 3;

impl Case<'_> {
    /// Shows all values that are whole periods beyond those of a range, up to `last`.
    pub(super) fn step(
        &mut self,
        range: Range,
        period: &Period,
        last: u64,
    ) -> Result<Outcome, Short> {
        let greatest = range.first + (range.size - 1);
        let Some(runs) = last.checked_sub(greatest).map(|it| i128::from(it / period.grows)) else {
            return Err(Short::NotPeriodic);
        };
        let grows = period.grows;
        let start_family = self.family(range, [grows, 0], &[[0, 0], [runs, 0]]);
        let corners = [[-BEHIND, 0], [runs, 0], [-BEHIND, runs + BEHIND]];
        let step_family = self.family(range, [grows, grows], &corners);
        let end_family = self.family(range, [0, grows], &[[0, 0], [0, runs]]);
        let mut left = self.steps_left;
        let (kernel, in_step) = (self.cx.kernel, self.cx.options.warp_sync);
        let mut run = |start: Start<'_>| -> Result<Attempt, Short> {
            let begin = |left: &u64| -> Result<Drive<'_>, Short> {
                Ok(start.within(*left)?.in_family(start_family.clone()))
            };
            let mut seen = begin(&left)?;
            if let Some(cut) = goes(&mut seen, period.first, &mut left)? {
                return Ok(cut);
            }
            let (first, place) = (seen.warps.snapshot(), seen.position());
            let phases: BTreeMap<ObjectName, u32> = seen.execution.phases().collect();
            if let Some(cut) = goes(&mut seen, period.rounds, &mut left)? {
                return Ok(cut);
            }
            if seen.position() != place {
                return Err(Short::NotPeriodic);
            }
            let second = seen.warps.snapshot();
            let grown = seen.execution.phases();
            let steps: BTreeMap<ObjectName, i64> = grown
                .map(|(name, phase)| {
                    (name, i64::from(phase) - i64::from(phases.get(&name).copied().unwrap_or(0)))
                })
                .collect();
            let mut widened = Widened::default();
            for _ in 0..TRIES {
                let mut drive = begin(&left)?;
                if let Some(cut) = goes(&mut drive, period.first, &mut left)? {
                    return Ok(cut);
                }
                drive.warps.generalize(&first, &second, &widened, step_family.clone());
                drive.phase_steps.clone_from(&steps);
                let general = drive.warps.snapshot();
                if let Some(cut) = goes(&mut drive, period.rounds, &mut left)? {
                    return Ok(cut);
                }
                let more = drive.warps.is_moved_from(&general).ok_or(Short::NotPeriodic)?;
                if drive.position() != place {
                    return Err(Short::NotPeriodic);
                }
                if more == Widened::default() {
                    drive.warps.conclude(end_family.clone());
                    return to_end(drive, &mut left);
                }
                if !widened.add(more) {
                    return Err(Short::NotPeriodic);
                }
            }
            Err(Short::NotPeriodic)
        };
        let outcome = drive_by(kernel, self.launch, &self.blocks, in_step, &mut run);
        let races = outcome.as_ref().map_or(0, |it| it.races.steps);
        self.steps_left = left.saturating_sub(races);
        self.if_precise(range, outcome?)
    }
}

/// Runs so many rounds that have to be; a division of strands, where that is what comes first.
fn goes(drive: &mut Drive<'_>, count: usize, left: &mut u64) -> Result<Option<Attempt>, Short> {
    match rounds(drive, count, left)? {
        Round::Goes => Ok(None),
        Round::Cut(lanes) => Ok(Some(Attempt::Cut(lanes))),
        Round::Over => Err(Short::NotPeriodic),
    }
}
