//! What lanes get from each other; `heddle_semantics` says what that is.
//!
//! **Promises**: a sum is handed on only by a shuffle whose source lane is known. **Does not** add
//! up in reductions, or count in votes, what nobody knows.

use std::rc::Rc;

use heddle_ir::{CrossLane, CrossLaneKind, ExprId, OpId};
use heddle_semantics::{Choice, Exchange, group};

use super::{Done, Machine, UNDEFINED, WIDEST};

impl Machine<'_> {
    pub(super) fn exchange(
        &mut self,
        id: OpId,
        exchange: &CrossLane,
        active: &[Option<bool>],
    ) -> Done {
        let kernel = self.kernel;
        let Some(warps) = self.warps.filter(|it| it.size == 32) else { return Ok(()) };
        if exchange.args.iter().any(|it| kernel.exprs.width(*it) > WIDEST) {
            return Ok(());
        }
        let args = exchange.args.iter().map(|it| self.get(*it)).collect::<Result<Vec<_>, _>>()?;
        let masks = exchange.mask.map(|it| self.get(it)).transpose()?;
        let ids: Vec<Option<ExprId>> = (0..kernel[id].results.len() as u32)
            .map(|index| self.of_results.get(&(id, index)).copied())
            .collect();
        // Only what a shuffle gives is what a lane brought.
        let hands_on = matches!(
            exchange.kind,
            CrossLaneKind::ShuffleIdx
                | CrossLaneKind::ShuffleUp
                | CrossLaneKind::ShuffleDown
                | CrossLaneKind::ShuffleBfly
        );
        let mut results = vec![vec![Err(UNDEFINED); self.threads as usize]; ids.len()];
        for warp in 0..warps.count() {
            let threads = warps.threads_of(warp);
            let base = threads.start;
            let of = |wanted: &dyn Fn(usize) -> bool| {
                let lanes = threads.clone().filter(|it| wanted(*it as usize));
                lanes.fold(0u64, |all, thread| all | 1 << (thread - base))
            };
            let here = of(&|it| active[it] == Some(true));
            let is_open = |it: usize| active[it].is_none() || self.ended[it].is_none();
            let surely = !threads.clone().any(|it| is_open(it as usize));
            let alive = of(&|it| self.ended[it] == Some(false));
            let named = masks.as_ref().map_or(Ok(u128::from(here)), |it| it[base as usize]);
            let one_mask = masks
                .as_ref()
                .is_none_or(|it| threads.clone().all(|thread| it[thread as usize] == named));
            // Which lane is read must be known: only the first operand is handed on.
            let from_known = args
                .iter()
                .skip(1)
                .all(|it| threads.clone().all(|thread| it[thread as usize].is_ok()));
            let lanes = named.ok().filter(|_| surely && one_mask && from_known);
            let lanes = lanes.and_then(|it| group(it as u64, here, alive));
            let values = lanes.map(|lanes| {
                let it = Exchange {
                    kind: exchange.kind,
                    lanes,
                    width: exchange.args.first().map_or(32, |it| kernel.exprs.width(*it)),
                    brings: |index: usize, lane: u32| args[index][(base + lane) as usize],
                    undefined: UNDEFINED,
                    elects: Choice::Any,
                    together: Choice::Any,
                };
                let common = it.common();
                threads.clone().map(|thread| it.results(thread - base, common)).collect::<Vec<_>>()
            });
            for thread in threads.clone() {
                for (index, of_result) in ids.iter().enumerate() {
                    let found =
                        values.as_ref().map(|it| it[(thread - base) as usize][index.min(1)]);
                    let is_value = found.is_some_and(|it| it.is_ok() || hands_on);
                    results[index][thread as usize] = match found.filter(|_| is_value) {
                        Some(value) if value != Err(UNDEFINED) => value,
                        Some(_) | None => self.read(*of_result, thread),
                    };
                }
            }
        }
        self.results[id] = results.into_iter().map(Rc::new).collect();
        Ok(())
    }
}
