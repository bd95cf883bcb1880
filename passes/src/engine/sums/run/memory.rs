//! Shared memory of a block: what is where, and what a thread that reads may believe.
//!
//! **Promises**: a read gives a value only where it is the same in each run without a race
//! (`interval.rs`). **Does not** follow what anything but accesses writes.

use std::rc::Rc;

use heddle_ir::{Access, AccessKind, AtomicOp, BinOp, ExprId, ObjectId, OpId, mask};

use super::{Done, Halt, Machine, UNDEFINED, Value, WIDEST};
use crate::engine::sums::interval::{Touch, Write};
use crate::facts::uniformity::Varies;

impl Machine<'_> {
    pub(super) fn access(&mut self, id: OpId, access: &Access, active: &[Option<bool>]) -> Done {
        let kernel = self.kernel;
        let object = access.address.object;
        let size = kernel.exprs.as_const(access.size);
        let elements = match &access.kind {
            AccessKind::Load => kernel[id].results.to_vec(),
            AccessKind::Store(values) => values.iter().map(|it| kernel.exprs.width(*it)).collect(),
            AccessKind::Atomic(_, operands) => {
                operands.last().map(|it| kernel.exprs.width(*it)).into_iter().collect()
            }
        };
        let bytes: u128 = elements.iter().map(|it| u128::from(*it) / 8).sum();
        let plain = !access.by_warp && elements.iter().all(|it| it % 8 == 0 && *it <= WIDEST);
        if !plain || size != Some(bytes) {
            return match access.kind {
                AccessKind::Load => Ok(()),
                AccessKind::Store(_) | AccessKind::Atomic(..) => self.write_anywhere(object),
            };
        }
        let column = self.get(access.address.offset)?;
        let places: Vec<Option<u64>> = column
            .iter()
            .map(|it| {
                let place = u64::try_from((*it).ok()?).ok()?;
                place.checked_add(bytes as u64).map(|_| place)
            })
            .collect();
        match &access.kind {
            AccessKind::Load if access.volatile || access.order.is_some() => Ok(()),
            AccessKind::Load => {
                self.load(id, object, &places, active, &elements);
                Ok(())
            }
            AccessKind::Store(values) => self.store_all(id, object, &places, active, values),
            AccessKind::Atomic(op, operands) => {
                let added = match operands[..] {
                    [added] if *op == AtomicOp::Add => Some(added),
                    _ => None,
                };
                self.update_all(id, object, &places, active, (elements[0], added))
            }
        }
    }

    pub(super) fn load(
        &mut self,
        id: OpId,
        object: ObjectId,
        places: &[Option<u64>],
        active: &[Option<bool>],
        elements: &[u8],
    ) {
        let (mut start, mut results) = (0, Vec::new());
        for (index, width) in (0..).zip(elements) {
            let size = u64::from(width / 8);
            let of_result = self.of_results.get(&(id, index)).copied();
            let mut column = Vec::new();
            for thread in 0..self.threads {
                let place = places[thread as usize].map(|it| it + start);
                let cell = place.and_then(|it| self.cells.get(&object)?.get(&it)).copied();
                let held = cell.filter(|it| it.0 == size && it.1 != Err(UNDEFINED));
                let believed = match (held, place) {
                    (Some((_, value)), Some(place)) => {
                        // What nobody reads may be what anybody has written.
                        let reads = active[thread as usize] != Some(false);
                        let alone = reads && self.interval.read(object, place, size, thread);
                        alone.then_some(value)
                    }
                    (None, _) | (_, None) => None,
                };
                column.push(match believed {
                    Some(value) => value,
                    None => self.read(of_result, thread),
                });
            }
            results.push(Rc::new(column));
            start += size;
        }
        self.results[id] = results;
    }

    pub(super) fn store_all(
        &mut self,
        id: OpId,
        object: ObjectId,
        places: &[Option<u64>],
        active: &[Option<bool>],
        values: &[ExprId],
    ) -> Done {
        let columns = values.iter().map(|it| self.get(*it)).collect::<Result<Vec<_>, _>>()?;
        let round = self.analysis.scopes.loop_of(id).map_or(0, |of| self.iteration[of]);
        for thread in 0..self.threads {
            let done = active[thread as usize];
            if done == Some(false) {
                continue;
            }
            let Some(mut place) = places[thread as usize] else {
                self.write_anywhere(object)?;
                continue;
            };
            for (column, value) in columns.iter().zip(values) {
                let size = u64::from(self.kernel.exprs.width(*value) / 8);
                let touch = match self.analysis.uniformity.variation(*value).varies {
                    Varies::Never | Varies::ByBlock => Touch::Agreed(id, round, None),
                    Varies::ByWarp => {
                        Touch::Agreed(id, round, self.warps.map(|it| it.warp(thread)))
                    }
                    Varies::ByThread => Touch::Write(id),
                };
                let value = done.map_or(Err(UNDEFINED), |_| column[thread as usize]);
                self.write(object, (place, size), value, (thread, touch))?;
                place += size;
            }
        }
        Ok(())
    }

    pub(super) fn update_all(
        &mut self,
        id: OpId,
        object: ObjectId,
        places: &[Option<u64>],
        active: &[Option<bool>],
        (width, added): (u8, Option<ExprId>),
    ) -> Done {
        let size = u64::from(width / 8);
        let added = added.map(|it| self.get(it)).transpose()?;
        for thread in 0..self.threads {
            let done = active[thread as usize];
            if done == Some(false) {
                continue;
            }
            let Some(place) = places[thread as usize] else {
                self.write_anywhere(object)?;
                continue;
            };
            let held = self.cells.get(&object).and_then(|it| it.get(&place)).copied();
            let sum = match (held, &added, done) {
                (Some((held, before)), Some(added), Some(true)) if held == size => {
                    self.sum(before, added[thread as usize], width)
                }
                _ => None,
            };
            let touch = if added.is_some() { Touch::Add } else { Touch::Write(id) };
            let value = sum.unwrap_or(Err(UNDEFINED));
            self.write(object, (place, size), value, (thread, touch))?;
        }
        Ok(())
    }

    /// A write of a value, or of one that is not known.
    pub(super) fn write(
        &mut self,
        object: ObjectId,
        (place, size): (u64, u64),
        value: Value,
        by: (u32, Touch),
    ) -> Done {
        match self.interval.write(object, place, size, by) {
            Write::Settled if value == Err(UNDEFINED) => self.forget(object, place, size),
            Write::Settled => self.store(object, place, size, value),
            Write::Unsettled => _ = self.cells.remove(&object),
            Write::Belied => return Err(self.belied()),
        }
        Ok(())
    }

    pub(super) fn write_anywhere(&mut self, object: ObjectId) -> Done {
        self.cells.remove(&object);
        match self.interval.write_anywhere(object) {
            Write::Settled | Write::Unsettled => Ok(()),
            Write::Belied => Err(self.belied()),
        }
    }

    /// Something that was believed may not be so: nothing is.
    pub(super) fn belied(&mut self) -> Halt {
        self.is_belied = true;
        Halt
    }

    pub(super) fn sum(&mut self, a: Value, b: Value, width: u8) -> Option<Value> {
        match (a, b) {
            (Ok(a), Ok(b)) => Some(Ok(mask(a.wrapping_add(b), width))),
            (a, b) => self.summed(BinOp::Add, a, b, width),
        }
    }

    /// What a thread gets from an operation of which nothing is known.
    pub(super) fn read(&mut self, result: Option<ExprId>, thread: u32) -> Value {
        result.map_or(Err(UNDEFINED), |it| self.itself(it, thread))
    }

    pub(super) fn store(&mut self, object: ObjectId, place: u64, size: u64, value: Value) {
        self.forget(object, place, size);
        self.cells.entry(object).or_default().insert(place, (size, value));
    }

    pub(super) fn forget(&mut self, object: ObjectId, place: u64, size: u64) {
        let Some(cells) = self.cells.get_mut(&object) else { return };
        let before = place.saturating_sub(u64::from(WIDEST / 8));
        let end = place.saturating_add(size);
        let meets = |(at, (of, _)): (&u64, &(u64, Value))| (at + of > place).then_some(*at);
        let met: Vec<u64> = cells.range(before..end).filter_map(meets).collect();
        for at in met {
            cells.remove(&at);
        }
    }
}
