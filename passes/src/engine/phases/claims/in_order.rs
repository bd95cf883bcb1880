//! Whether arrivals come after the end of the phase of their object before their own.
//!
//! **What**: [`Claims::falling`] gives the rings of which that was not shown, with the reason.
//! **Method**: of each arrival, a wait of its own thread for that phase, or one at another ring all
//! of whose arrivals come after such a wait.
//! **Sound because**: what rests on other rings rests on what happened before, see the modules
//! above. **Misses**, **assumes**: what they do.

use heddle_ir::OpId;

use super::super::asked::Claims;
use super::super::rings::Ringed;
use super::Chosen;
use crate::facts::phases::{Fault, Step};

impl Claims<'_> {
    /// Which rings fall, of all together, and why.
    pub(super) fn falling(
        &mut self,
        rings: &[&Chosen],
        open: &[(OpId, Fault)],
    ) -> Vec<Option<Fault>> {
        let mut faults: Vec<Option<Fault>> = vec![None; rings.len()];
        loop {
            let mut fell = false;
            for index in 0..rings.len() {
                if faults[index].is_some() {
                    continue;
                }
                let Chosen { arrivals, covers, .. } = rings[index];
                let late = arrivals
                    .iter()
                    .chain(covers)
                    .find(|(it, shift)| !self.in_order(rings, &faults, index, it, *shift));
                if let Some((it, _)) = late {
                    let text = "this arrival, or the refill that goes with it, was not shown to come after the end of the phase before";
                    // Another ring may be to blame, which a wait before it is of.
                    let is_before = |(op, _): &&(OpId, Fault)| {
                        self.analysis.order.chain(*op).first() == it.step.of.as_ref()
                    };
                    let other = open.iter().find(is_before).map(|(_, fault)| fault.clone());
                    let own = Fault { at: it.step.op, why: text.to_owned() };
                    faults[index] = Some(other.unwrap_or(own));
                    fell = true;
                }
            }
            if !fell {
                return faults;
            }
        }
    }

    /// Whether an arrival comes after the end of the phase before its own at the object.
    fn in_order(
        &mut self,
        rings: &[&Chosen],
        faults: &[Option<Fault>],
        ring: usize,
        it: &Ringed,
        shift: i64,
    ) -> bool {
        let Chosen { length: n, waits, .. } = rings[ring];
        let n = *n;
        let last = |it: &Ringed, shift: i64| {
            it.few.as_ref().map(|few| few.iter().max().map_or(0, |k| *k as i64) + shift)
        };
        if last(it, shift).is_some_and(|last| last < n) {
            return true;
        }
        // From which iteration on the phase is not the first of its object.
        let from = Some(n - shift);
        let by_itself = waits.iter().any(|(wait, of_wait)| {
            let lag = shift - n - of_wait;
            // In the iteration in which a loop is left, nothing more is done in it.
            let is_first = self.is_before(wait, &it.step) && !it.step.last;
            let most = if is_first { 0 } else { -1 };
            let in_time = match it.step.of {
                Some(_) => lag <= most && *of_wait <= 0,
                None => lag == 0 && most == 0,
            };
            wait.of == it.step.of && in_time && self.goes_with(&it.step, wait, lag, from)
        });
        if by_itself {
            return true;
        }
        rings.iter().zip(faults).any(|(other, fault)| {
            fault.is_none()
                && other.waits.iter().any(|(wait, of_wait)| {
                    let lag = if it.step.last { -1 } else { 0 };
                    let ahead = shift - of_wait - lag;
                    ahead <= n
                        && n - shift >= -lag
                        && self.is_before(wait, &it.step)
                        && self.goes_with(&it.step, wait, lag, from)
                        && other.arrivals.iter().all(|(by, of_by)| {
                            let exempt = last(by, *of_by).is_some_and(|last| last < n - ahead);
                            exempt || self.knows(by, *of_by, waits, n, ahead)
                        })
                })
        })
    }

    /// Whether a thread that arrives elsewhere has waited for the phase that is meant: the one of
    /// its number there, `ahead` on, less a turn of the ring; or a later one of the object.
    fn knows(
        &mut self,
        by: &Ringed,
        shift: i64,
        waits: &[(Step, i64)],
        n: i64,
        ahead: i64,
    ) -> bool {
        let outside: Vec<(Step, i64)> =
            waits.iter().filter(|(wait, _)| wait.of.is_none()).copied().collect();
        waits.iter().any(|(wait, of_wait)| {
            let more = of_wait - shift - ahead + n;
            // So many iterations before the arrival the wait was for the object.
            let back = more.rem_euclid(n);
            let first = (n - ahead - shift).max(0);
            let exists = match back {
                0 => self.is_before(wait, &by.step),
                _ => {
                    let early = first..back;
                    wait.of == by.step.of
                        && by.step.of.is_some()
                        && early.into_iter().all(|k| {
                            let meant = k + shift + ahead - n;
                            let covers = |(wait, of): &(Step, i64)| {
                                *of == meant && self.goes_with_outside(&by.step, k, wait)
                            };
                            meant < 0 || outside.iter().any(covers)
                        })
                }
            };
            more >= back && exists && self.goes_with(&by.step, wait, -back, Some(back))
        })
    }
}
