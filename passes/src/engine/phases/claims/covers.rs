//! Copies of threads that a phase waits for: `cp.async`, and `cp.async.mbarrier.arrive` after it;
//! and operands of `tcgen05.mma`, with `tcgen05.commit`.
//!
//! **What**: [`Claims::covers`] gives the number of each arrival that copies add to a phase, and
//! [`Claims::covered`] the copies that a phase waits for, each with its number.
//! **Method**: an added arrival has the number of one that is counted and comes after it, by the
//! same thread; a copy that of the arrival after it, which its thread does if it copies.
//! **Sound because**: such an arrival comes when the copies that its thread has issued so far are
//! done (PTX ISA, 9.7.13.15.16; for products 9.7.16.12.1). It raises the pending count first, and
//! so keeps the phase open that the object is in: the one of its number, since the phase before
//! has ended ([`Claims::falling`]) and this one lacks an arrival of its own thread. With `.noinc`
//! it is itself the one that is counted.
//! **Misses**: arrivals that stand in another loop than the copies, and after the loop.
//! **Assumes**: what the modules above do.

use heddle_ir::{AsyncMechanism, Barrier, Kernel, MbarrierAction, OpId, OpKind};

use super::super::asked::Claims;
use super::super::rings::{Action, Ringed, Rough};
use super::fault;
use crate::facts::phases::{Fault, Step};

impl Claims<'_> {
    /// The number of each arrival of copies that is not counted.
    pub(super) fn covers(
        &mut self,
        ring: &Rough,
        arrivals: &[(Ringed, i64)],
    ) -> Result<Vec<(Ringed, i64)>, Fault> {
        let mut all = Vec::new();
        for it in ring.steps.iter().filter(|it| it.action == Action::Cover) {
            let counted = arrivals.iter().find(|(arrival, shift)| {
                it.choices.contains(shift)
                    && self.is_before(&it.step, &arrival.step)
                    && self.goes_with(&it.step, &arrival.step, 0, None)
            });
            match counted {
                Some((_, shift)) => all.push((it.clone(), *shift)),
                None => {
                    let text = "no arrival after this one of copies, by the same thread, is counted for its phase";
                    return fault(it.step.op, text);
                }
            }
        }
        Ok(all)
    }

    /// The copies of threads that are done when a phase is over.
    pub(super) fn covered(
        &mut self,
        arrivals: &[(Ringed, i64)],
        covers: &[(Ringed, i64)],
    ) -> Vec<(Step, i64)> {
        let kernel = self.analysis.kernel;
        let arrive = |(it, _): &&(Ringed, i64)| covered_by(kernel, it.step.op).is_some();
        let by: Vec<(Step, i64)> = arrivals
            .iter()
            .filter(arrive)
            .chain(covers)
            .filter(|(it, _)| !it.step.last)
            .map(|(it, shift)| (it.step, *shift))
            .collect();
        let mut all = Vec::new();
        for (op, it) in kernel.ops.iter() {
            let OpKind::AsyncCopy(copy) = &it.kind else { continue };
            let of_it =
                |(cover, _): &&(Step, i64)| covered_by(kernel, cover.op) == Some(copy.mechanism);
            let found = by.iter().filter(of_it).find_map(|(cover, shift)| {
                let step = self.as_step(op, cover)?;
                self.goes_with(&step, cover, 0, None).then_some((step, *shift))
            });
            all.extend(found);
        }
        all
    }

    /// A copy as a step in the loop of an arrival after it.
    fn as_step(&self, copy: OpId, cover: &Step) -> Option<Step> {
        let kernel = self.analysis.kernel;
        let order = &self.analysis.order;
        let chain = order.chain(copy);
        let depth = usize::from(cover.of.is_some());
        let is_there = depth == 0 || chain.first() == cover.of.as_ref();
        if !is_there || order.index(copy, depth) >= order.index(cover.op, depth) {
            return None;
        }
        let guard = match chain.get(depth) {
            Some(inside) => kernel[*inside].pred,
            None => kernel[copy].pred,
        };
        Some(Step { op: copy, of: cover.of, guard, last: false })
    }
}

/// Whether an arrival comes when copies or products of its thread are done.
pub(crate) fn is_of_copies(kernel: &Kernel, arrival: OpId) -> bool {
    covered_by(kernel, arrival).is_some()
}

/// What an arrival waits for.
fn covered_by(kernel: &Kernel, arrival: OpId) -> Option<AsyncMechanism> {
    let OpKind::Barrier(Barrier::Mbarrier { action, .. }) = &kernel[arrival].kind else {
        return None;
    };
    match action {
        MbarrierAction::CopiesArrive { .. } => Some(AsyncMechanism::CpAsync),
        MbarrierAction::ProductsArrive => Some(AsyncMechanism::Tensor),
        MbarrierAction::Init(_)
        | MbarrierAction::Invalidate
        | MbarrierAction::Arrive { .. }
        | MbarrierAction::ExpectTx(_)
        | MbarrierAction::CompleteTx(_)
        | MbarrierAction::Test { .. } => None,
    }
}
