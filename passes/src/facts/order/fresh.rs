//! Loads that read what memory held when their barrier interval, or the kernel, began, and loads
//! of shared memory after all writes.
//!
//! **What** is settled: what a load of shared memory reads if each write of the object comes before
//! the load in the text, with a barrier in between in each way in which their iterations relate.
//! Two such loads at one place have one value if they are in the same iteration of the loops that
//! they share with writes, however many barriers lie between the two.
//! **Sound because** the barriers put each write of these iterations before both loads, and each
//! write of a later iteration after both: what memory holds in between is the same for all threads
//! of the block. Atomics and volatile accesses are ordered by barriers as others are.
//! **Misses**: writes that stand after the load in a loop around both.
//! **Assumes**: barriers are uniform, as all that [`ProgramOrder`] says.

use heddle_ir::{AccessKind, Barrier, Kernel, ObjectKind, OpId, Orders, Place, Space, TouchedBy};

use super::{Level, ProgramOrder, Relation};
use crate::facts::thread::Thread;

/// Whether anything but barriers may order threads of two blocks.
fn hand_over(kernel: &Kernel) -> bool {
    kernel.ops.values().any(|op| match op.kind.effects().orders {
        Some(Orders::Fence(..) | Orders::NotModelled) => true,
        Some(Orders::Access(order, _)) => order != heddle_ir::MemoryOrder::Relaxed,
        Some(Orders::Barrier(barrier)) => matches!(barrier, Barrier::Cluster { .. }),
        Some(Orders::Copies) | None => false,
    })
}

impl ProgramOrder {
    pub(super) fn find_fresh(&mut self, kernel: &Kernel) {
        let mut loads = Vec::new();
        let mut writes = Vec::new();
        let mut copied = Vec::new();
        let mut opaque = false;
        kernel.for_each_op(|op, _| {
            for touch in kernel[op].kind.effects().touches {
                match (touch.by, touch.place) {
                    (TouchedBy::NotModelled, _) | (_, Place::Anywhere(_)) => opaque = true,
                    (TouchedBy::Access(access), Place::At(at)) => {
                        match kernel[at.object].space == Space::Local {
                            true => {}
                            false if access.writes() => writes.push((op, at.object)),
                            false => loads.push((op, at.object)),
                        }
                    }
                    (TouchedBy::Copy | TouchedBy::BarrierObject, Place::At(at)) => {
                        writes.extend(touch.writes.then_some((op, at.object)));
                        copied.extend(touch.writes.then_some(at.object));
                    }
                }
            }
        });
        // A bound on work, not on soundness: past it no load is called fresh.
        if opaque || loads.len().saturating_mul(writes.len()) > 1 << 20 {
            return;
        }
        // Where threads are ordered by other means than barriers of the block, a write by another
        // thread need not race with the load, and so must not be there at all.
        let others_may_write = self.otherwise;
        let blocks_hand_over = hand_over(kernel);
        for &(load, object) in &loads {
            let mut to_it = writes.iter().filter(|(_, to)| kernel.may_alias(object, *to));
            if let (Some((store, _)), None) = (to_it.next(), to_it.next())
                && !self.ends_untold
                && self.brings(kernel, *store, load)
            {
                self.sole_stores[load] = Some(*store);
            }
        }
        for (load, object) in loads {
            let writes = || writes.iter().filter(|(_, to)| kernel.may_alias(object, *to));
            // Another block may do the write in the midst of the interval, and a flag or a lock
            // order it with each load. Through the name of a shared variable a block writes its
            // own.
            let is_shared =
                kernel[object].space == Space::Shared && kernel[object].kind != ObjectKind::Unknown;
            let is_of_block = |to| !blocks_hand_over || is_shared && to == object;
            let apart = |write: OpId| {
                let relations = self.relations(write, load, Level::Block);
                relations.into_iter().all(|relation| {
                    self.obviously_ordered(kernel, write, load, relation, Level::Block)
                })
            };
            // A copy lands at a time of its own, whatever barriers follow its issue.
            let lands = copied.iter().any(|to| kernel.may_alias(object, *to));
            let after_all = is_shared
                && !lands
                && writes()
                    .all(|(write, to)| *to == object && apart(*write) && self.before(*write, load));
            let common = || writes().map(|(write, _)| self.common(*write, load, Level::Block));
            let settled = after_all.then(|| common().max().unwrap_or(0));
            if !lands
                && writes().all(|(write, to)| {
                    is_of_block(*to) && apart(*write)
                        || (!others_may_write && !self.may_precede(kernel, *write, load))
                })
            {
                self.fresh_in_interval.insert(load);
            }
            self.settled[load] = settled;
            let looped = |write| {
                let common = self.chain[load].first();
                common.is_some() && common == self.chain[write].first()
            };
            let late = |write| self.before(load, write) && !looped(write) && !others_may_write;
            if writes().all(|(write, _)| late(*write)) {
                self.fresh_in_kernel.insert(load);
            }
        }
    }

    /// Whether a store and a load are of the same constant bytes of shared memory, with a barrier
    /// in between, in the same rounds of the loops around the store.
    fn brings(&self, kernel: &Kernel, store: OpId, load: OpId) -> bool {
        let (Some(from), Some(to)) = (kernel.access(store), kernel.access(load)) else {
            return false;
        };
        let plain = [from, to].iter().all(|it| it.order.is_none());
        plain
            && matches!(&from.kind, AccessKind::Store(values) if values.len() == 1)
            && kernel[to.address.object].space == Space::Shared
            && from.address == to.address
            && from.size == to.size
            && kernel.exprs.as_const(to.address.offset).is_some()
            && kernel.exprs.as_const(to.size).is_some()
            && self.chain[load].starts_with(&self.chain[store])
            && self.before(store, load)
            && self.obviously_ordered(kernel, store, load, Relation::Same, Level::Block)
    }

    /// Whether a thread may do the write before the load with no barrier in between.
    fn may_precede(&self, kernel: &Kernel, write: OpId, load: OpId) -> bool {
        let depth = self.common(write, load, Level::Block);
        let chains = (self.chain[write].get(depth), self.chain[load].get(depth));
        // In a common loop without a barrier an earlier iteration may have written.
        let looped = chains.0.is_some() && chains.0 == chains.1;
        self.relations(write, load, Level::Block).into_iter().any(|relation| {
            let possible = match relation {
                Relation::Same => looped || self.before(write, load),
                Relation::Apart { first, .. } => first == Thread::One,
            };
            possible && !self.obviously_ordered(kernel, write, load, relation, Level::Block)
        })
    }
}
