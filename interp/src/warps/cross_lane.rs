//! Exchanges among the lanes of a flow. What needs lanes of other flows is not known.

use heddle_ir::{CrossLane, OpId};
use heddle_semantics::{Choice, Exchange, group};

use crate::stop::{Cause, Unknown};

use super::Warps;
use super::value::ones;

/// The lanes of a group, and what they get that is the same for all; none for those without one.
type Shared = Option<(u64, Option<[Result<u128, Cause>; 2]>)>;

impl Warps<'_> {
    /// `doing` are the lanes that do it, `active` those of the flow.
    pub(super) fn cross_lane(
        &mut self,
        warp: usize,
        op: OpId,
        cross: &CrossLane,
        doing: u32,
        active: u32,
    ) {
        let results = self.plan.results[op].clone();
        if results.is_empty() || doing == 0 {
            return;
        }
        let cause = self.causes.of(Unknown::Op(op));
        let live = self.warps[warp].live;
        let masks: Vec<(usize, Result<u64, Cause>)> = ones(doing)
            .map(|lane| match cross.mask {
                Some(mask) => (lane, self.lane(warp, mask, lane)),
                None => (lane, Ok(u64::from(active))),
            })
            .collect();
        let mut last: Option<(u64, Shared)> = None;
        for &(lane, mask) in &masks {
            let answers = match mask {
                Ok(mask) => {
                    let shared = match last.take() {
                        Some((its, shared)) if its == mask => shared,
                        Some(_) | None => {
                            // Lanes that the mask names, and that are elsewhere in the program or
                            // name others, may bring anything.
                            let same = masks.iter().filter(|(_, its)| *its == Ok(mask));
                            let here = same.fold(0, |all, (lane, _)| all | 1u64 << lane);
                            group(mask, here, u64::from(live)).map(|lanes| {
                                (lanes, self.exchange(warp, cross, lanes, cause).common())
                            })
                        }
                    };
                    last = Some((mask, shared));
                    match shared {
                        Some((lanes, common)) => {
                            self.exchange(warp, cross, lanes, cause).results(lane as u32, common)
                        }
                        None => [Err(cause); 2],
                    }
                }
                Err(cause) => [Err(cause); 2],
            };
            for (index, slot) in &results {
                let value = answers.get(*index as usize).copied().unwrap_or(Err(cause));
                self.warps[warp].slots[*slot as usize].set(lane, value.map(|it| it as u64));
            }
        }
    }

    /// Which lanes happen to be together is the hardware's choice. So is the elected lane, and the
    /// lowest one stands for it: see the module head of `warps`.
    fn exchange<'a>(
        &'a self,
        warp: usize,
        cross: &'a CrossLane,
        lanes: u64,
        cause: Cause,
    ) -> Exchange<Cause, impl Fn(usize, u32) -> Result<u128, Cause> + 'a> {
        Exchange {
            kind: cross.kind,
            lanes,
            width: cross.args.first().map_or(32, |expr| self.kernel.exprs.width(*expr)),
            brings: move |index, lane| match cross.args.get(index) {
                Some(expr) => self.lane(warp, *expr, lane as usize).map(u128::from),
                None => Err(cause),
            },
            undefined: cause,
            elects: Choice::Possible,
            together: Choice::Any,
        }
    }
}
