//! Exchanges among the lanes of a warp: who is there; `heddle_semantics` says what they get.
//!
//! A lane exchanges with those that execute the same operation with the same mask. A result that is
//! not defined is unknown. `elect` chooses the lowest lane, `activemask` says who is there in
//! lock-step; the hardware may answer otherwise.

use std::rc::Rc;

use heddle_ir::{CrossLane, OpId};
use heddle_semantics::{Choice, Exchange, group};
use smallvec::SmallVec;

use super::barrier::unsupported;
use super::{Done, Machine, Threads};
use crate::column::{Column, ColumnBuilder, Range};
use crate::stop::{Cause, Unknown};

/// What the lanes of a group get that is the same for all of them; none for those without a group.
type Shared = Option<(u64, Option<[Result<u128, Cause>; 2]>)>;

impl Machine<'_> {
    pub(super) fn cross_lane(
        &mut self,
        id: OpId,
        exchange: &CrossLane,
        active: &Threads,
        range: Range,
    ) -> Done {
        let Some(warps) = self.launch.shape.warps() else {
            return unsupported(id, "the size of a warp is not known");
        };
        let CrossLane { kind, mask, args } = exchange;
        let args: SmallVec<[Rc<Column>; 3]> = args.iter().map(|arg| self.get(*arg)).collect();
        let masks = mask.map(|mask| self.get(mask));
        let undefined = self.cause(Unknown::Op(id));
        let kernel = self.kernel;
        let mut results: SmallVec<[ColumnBuilder; 2]> = kernel[id]
            .results
            .iter()
            .map(|width| self.results_builder(id, *width, active, range))
            .collect();
        let mut at = 0;
        while at < active.len() {
            let warp = warps.warp(active[at]);
            let rest =
                active[at..].iter().take_while(|thread| warps.warp(**thread) == warp).count();
            let members = &active[at..at + rest];
            at += rest;
            let threads = warps.threads_of(warp);
            let base = threads.start;
            let here = members.iter().fold(0u64, |all, thread| all | 1 << (thread - base));
            let alive = threads
                .filter(|thread| !self.exited[*thread as usize])
                .fold(0u64, |all, thread| all | 1 << (thread - base));
            let same = |own: u128| match &masks {
                None => here,
                Some(masks) if masks.as_uniform().is_some() => here,
                Some(masks) => members
                    .iter()
                    .filter(|other| masks.get(**other) == Ok(own))
                    .fold(0u64, |all, other| all | 1 << (other - base)),
            };
            let exchange = |lanes| Exchange {
                kind: *kind,
                lanes,
                width: args.first().map_or(32, |arg| arg.width),
                brings: |index: usize, lane: u32| args[index].get(base + lane),
                undefined,
                elects: Choice::Possible,
                together: Choice::Possible,
            };
            // Neighbours nearly always have one mask, and then one group.
            let mut last: Option<(u128, Shared)> = None;
            for &thread in members {
                let lane = thread - base;
                let own = match masks.as_ref().map_or(Ok(u128::from(here)), |it| it.get(thread)) {
                    Ok(own) => own,
                    Err(cause) => {
                        results.iter_mut().for_each(|builder| builder.set(thread, Err(cause)));
                        continue;
                    }
                };
                let shared = match last.take() {
                    Some((known, shared)) if known == own => shared,
                    Some(_) | None => group(own as u64, same(own), alive)
                        .map(|lanes| (lanes, exchange(lanes).common())),
                };
                let values = match shared {
                    Some((lanes, common)) => exchange(lanes).results(lane, common),
                    None => [Err(undefined); 2],
                };
                for (builder, value) in results.iter_mut().zip(values) {
                    builder.set(thread, value);
                }
                last = Some((own, shared));
            }
        }
        let columns = results.into_iter().map(|builder| Rc::new(builder.finish()));
        self.values.set_results(id, columns.collect());
        Ok(())
    }
}
