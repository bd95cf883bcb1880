//! Loads, stores and atomics.

use std::ops::ControlFlow;
use std::rc::Rc;

use heddle_ir::{
    Access, AccessKind, Address, AtomicOp, ExprId, MemoryOrder, ObjectId, ObjectKind, OpId, Remote,
    Scope, Space, mask, sign_extend,
};
use heddle_semantics::{stored_is_expected, updated};
use smallvec::SmallVec;

use super::{Done, Halt, Machine, Threads};
use crate::column::{Column, Range};
use crate::floats;
use crate::journal::{AccessClass, AccessEvent, ThreadAccess};
use crate::launch::UnknownAddress;
use crate::memory::ByteStore;
use crate::stop::{Cause, Unknown, Use};

/// A write without a known value makes this many bytes unknown one by one; beyond, the whole
/// object.
const LARGEST_EXACT: u64 = 4096;

impl Machine<'_> {
    pub(super) fn access(
        &mut self,
        id: OpId,
        access: &Access,
        active: &Threads,
        range: Range,
    ) -> Done {
        if let Some(remote) = Remote::of(self.kernel, access)
            && let Some((threads, ranks)) = self.places_in_cluster(&remote, access.size, active)
        {
            return self.access_in_cluster(id, access, (&remote, &threads, &ranks), active, range);
        }
        let Access { address, size, kind, order, volatile: _, align: _, by_warp: _ } = access;
        let (threads, skipped) = self.addresses(id, address, *size, active)?;
        let object = address.object;
        let cause = self.cause(Unknown::Op(id));
        if access.writes() && !skipped.is_empty() {
            self.clobber(object, cause);
        }
        let not_known = self.kernel[object].kind == ObjectKind::Unknown;
        if self.kernel[object].space == Space::Global && !not_known {
            let mut incoming = Vec::new();
            self.tell(id, |visitor, at| {
                visitor.incoming(at, object, &threads, &mut incoming);
                ControlFlow::Continue(())
            })?;
            for (offset, bytes, value) in incoming {
                self.bytes(object, 0).store(offset, bytes, Ok(value));
            }
        }
        let values: SmallVec<[Rc<Column>; 2]> = match kind {
            AccessKind::Load if not_known => {
                self.unknown_results(id);
                SmallVec::new()
            }
            AccessKind::Load => {
                self.load(id, object, &threads, active, range, cause);
                SmallVec::new()
            }
            AccessKind::Store(values) => {
                let columns: SmallVec<[Rc<Column>; 2]> =
                    values.iter().map(|value| self.get(*value)).collect();
                match not_known {
                    true => self.clobber(object, cause),
                    false => self.store(object, &threads, &columns, cause),
                }
                columns
            }
            AccessKind::Atomic(..) if not_known => {
                self.clobber(object, cause);
                self.unknown_results(id);
                SmallVec::new()
            }
            AccessKind::Atomic(op, operands) => {
                let written = self.atomic(id, *op, operands, object, (&threads, active), range);
                SmallVec::from_iter([written])
            }
        };
        if !skipped.is_empty() {
            self.tell(id, |visitor, at| visitor.skipped(at, &skipped))?;
        }
        let class = match kind {
            AccessKind::Load => AccessClass::Read,
            AccessKind::Store(_) => AccessClass::Write,
            AccessKind::Atomic(op, _) => AccessClass::Atomic(*op),
        };
        let event = AccessEvent {
            class,
            atomic: order.map(|(_, scope): (MemoryOrder, Scope)| scope),
            object,
            threads: &threads,
            group: None,
            values: &values,
        };
        self.tell(id, |visitor, at| visitor.access(at, &event))
    }

    /// The bytes of the object that each thread touches, and in the block of which rank, where all
    /// of that is known.
    fn places_in_cluster(
        &mut self,
        remote: &Remote,
        size: ExprId,
        active: &Threads,
    ) -> Option<(Vec<ThreadAccess>, Vec<u32>)> {
        let (sizes, ranks) = (self.get(size), self.get(remote.rank));
        let terms: Vec<Rc<Column>> = remote.distance.iter().map(|it| self.get(*it)).collect();
        let width = terms.first().map_or(64, |it| it.width);
        let (mut threads, mut of_blocks) = (Vec::new(), Vec::new());
        for &thread in active.iter() {
            let mut sum = 0u128;
            for term in &terms {
                sum = mask(sum.wrapping_add(term.get(thread).ok()?), width);
            }
            let offset = sign_extend(sum, width) as u64;
            let size = sizes.get(thread).ok()? as u64;
            threads.push(ThreadAccess { thread, offset, size });
            of_blocks.push(u32::try_from(ranks.get(thread).ok()?).ok()?);
        }
        Some((threads, of_blocks))
    }

    /// An access to shared memory of blocks of the cluster. What is in that of others is not known,
    /// and what is written there does not arrive: blocks run one after the other.
    fn access_in_cluster(
        &mut self,
        id: OpId,
        access: &Access,
        (remote, threads, ranks): (&Remote, &[ThreadAccess], &[u32]),
        active: &Threads,
        range: Range,
    ) -> Done {
        let own = self.launch.shape.clusters().rank(self.block);
        let cause = self.cause(Unknown::Op(id));
        let stays = ranks.iter().all(|rank| *rank == own);
        let mut values: SmallVec<[Rc<Column>; 2]> = SmallVec::new();
        match &access.kind {
            AccessKind::Load if stays => {
                self.load(id, remote.object, threads, active, range, cause);
            }
            AccessKind::Load => self.unknown_results(id),
            AccessKind::Store(stored) => {
                values = stored.iter().map(|value| self.get(*value)).collect();
                let mine: Vec<ThreadAccess> =
                    threads.iter().zip(ranks).filter(|it| *it.1 == own).map(|it| *it.0).collect();
                self.store(remote.object, &mine, &values, cause);
            }
            AccessKind::Atomic(op, operands) if stays => {
                let written =
                    self.atomic(id, *op, operands, remote.object, (threads, active), range);
                values.push(written);
            }
            AccessKind::Atomic(..) => {
                if ranks.contains(&own) {
                    self.clobber(remote.object, cause);
                }
                self.unknown_results(id);
            }
        }
        let class = match access.kind {
            AccessKind::Load => AccessClass::Read,
            AccessKind::Store(_) => AccessClass::Write,
            AccessKind::Atomic(op, _) => AccessClass::Atomic(op),
        };
        let event = AccessEvent {
            class,
            atomic: access.order.map(|(_, scope)| scope),
            object: remote.object,
            threads,
            group: None,
            values: &values,
        };
        self.tell(id, |visitor, at| visitor.access_in_cluster(at, &event, ranks))
    }

    /// Where each thread goes, and who is left out because that is not known.
    pub(super) fn addresses(
        &mut self,
        id: OpId,
        address: &Address,
        size: ExprId,
        active: &Threads,
    ) -> Result<(Vec<ThreadAccess>, Vec<u32>), Halt> {
        let (offsets, sizes) = (self.get(address.offset), self.get(size));
        let space = self.kernel[address.object].space;
        let stop = match space {
            Space::Shared => true,
            Space::Local => false,
            Space::Global | Space::Constant | Space::Generic => {
                self.launch.unknown_address == UnknownAddress::Stop
            }
        };
        let mut threads = Vec::with_capacity(active.len());
        let mut skipped = Vec::new();
        for &thread in active.iter() {
            match (offsets.get(thread), sizes.get(thread)) {
                (Ok(offset), Ok(size)) => {
                    threads.push(ThreadAccess { thread, offset: offset as u64, size: size as u64 });
                }
                (Err(cause), _) if stop => {
                    return Err(self.unknown(Use::Address(id), thread, cause));
                }
                (Ok(_), Err(cause)) if stop => {
                    return Err(self.unknown(Use::Size(id), thread, cause));
                }
                (Err(_), _) | (_, Err(_)) => skipped.push(thread),
            }
        }
        Ok((threads, skipped))
    }

    fn load(
        &mut self,
        id: OpId,
        object: ObjectId,
        threads: &[ThreadAccess],
        active: &Threads,
        range: Range,
        skipped: Cause,
    ) {
        let kernel = self.kernel;
        let widths = &kernel[id].results;
        let mut columns: SmallVec<[Rc<Column>; 2]> = SmallVec::new();
        let mut start = 0u64;
        for &width in widths {
            let bytes = u32::from(width.div_ceil(8));
            let mut builder = self.results_builder(id, width, active, range);
            if threads.len() < active.len() {
                active.iter().for_each(|thread| builder.set(*thread, Err(skipped)));
            }
            if kernel[object].space == Space::Local {
                for it in threads {
                    let store = self.bytes(object, it.thread);
                    builder.set(it.thread, store.load(it.offset.wrapping_add(start), bytes));
                }
            } else {
                let store = self.bytes(object, 0);
                for it in threads {
                    builder.set(it.thread, store.load(it.offset.wrapping_add(start), bytes));
                }
            }
            columns.push(Rc::new(builder.finish()));
            start += u64::from(bytes);
        }
        self.values.set_results(id, columns);
    }

    pub(super) fn store(
        &mut self,
        object: ObjectId,
        threads: &[ThreadAccess],
        columns: &[Rc<Column>],
        not_modelled: Cause,
    ) {
        let is_local = self.kernel[object].space == Space::Local;
        if columns.is_empty() {
            for it in threads {
                match it.size > LARGEST_EXACT {
                    true => self.clobber(object, not_modelled),
                    false => self.bytes(object, it.thread).forget(it.offset, it.size, not_modelled),
                }
            }
            return;
        }
        if is_local {
            threads.iter().for_each(|it| write(self.bytes(object, it.thread), it, columns));
        } else {
            let store = self.bytes(object, 0);
            threads.iter().for_each(|it| write(store, it, columns));
        }
    }

    /// One thread after the other; what each wrote.
    fn atomic(
        &mut self,
        id: OpId,
        op: AtomicOp,
        operands: &[ExprId],
        object: ObjectId,
        (threads, active): (&[ThreadAccess], &Threads),
        range: Range,
    ) -> Rc<Column> {
        let kernel = self.kernel;
        let operands: SmallVec<[Rc<Column>; 2]> =
            operands.iter().map(|operand| self.get(*operand)).collect();
        let width = operands.first().map_or(32, |it| it.width);
        let bytes = u32::from(width.div_ceil(8));
        let unknown = self.cause(Unknown::Op(id));
        let mut old_values = self.results_builder(id, width, active, range);
        let mut written = self.results_builder(id, 1, active, range);
        let mut new_values = self.results_builder(id, width, active, range);
        for &thread in active.iter().filter(|_| threads.len() < active.len()) {
            old_values.set(thread, Err(unknown));
            written.set(thread, Err(unknown));
            new_values.set(thread, Err(unknown));
        }
        for it in threads {
            let store = self.bytes(object, it.thread);
            let old = store.load(it.offset, bytes).map(|it| mask(it, width));
            let given: SmallVec<[Result<u128, Cause>; 2]> =
                operands.iter().map(|operand| operand.get(it.thread)).collect();
            let new = update(op, old, &given, width, unknown);
            let writes = stored_is_expected(old, *given.first().unwrap_or(&Err(unknown)));
            store.store(it.offset, bytes, new);
            old_values.set(it.thread, old);
            written.set(it.thread, writes);
            new_values.set(it.thread, new);
        }
        if !kernel[id].results.is_empty() {
            let mut results = SmallVec::from_iter([Rc::new(old_values.finish())]);
            if op == AtomicOp::CompareExchangeWeak {
                results.push(Rc::new(written.finish()));
            }
            self.values.set_results(id, results);
        }
        Rc::new(new_values.finish())
    }
}

fn write(store: &mut ByteStore, at: &ThreadAccess, columns: &[Rc<Column>]) {
    let mut offset = at.offset;
    for column in columns {
        let bytes = u32::from(column.width.div_ceil(8));
        store.store(offset, bytes, column.get(at.thread));
        offset = offset.wrapping_add(u64::from(bytes));
    }
}

/// What an atomic leaves in memory.
fn update(
    op: AtomicOp,
    old: Result<u128, Cause>,
    operands: &[Result<u128, Cause>],
    width: u8,
    unknown: Cause,
) -> Result<u128, Cause> {
    let operand = |index: usize| *operands.get(index).unwrap_or(&Err(unknown));
    // An addition of floats in global memory flushes subnormal numbers (PTX ISA, section 9.7.13.5).
    let float = |name: &str| {
        floats::evaluate(name, &[(old?, width), (operand(0)?, width)], width, true).ok_or(unknown)
    };
    match op {
        AtomicOp::FAdd => float("fadd"),
        AtomicOp::FSub => float("fsub"),
        AtomicOp::FMin => float("minnum"),
        AtomicOp::FMax => float("maxnum"),
        AtomicOp::Exchange
        | AtomicOp::Add
        | AtomicOp::Sub
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Nand
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        // A weak one that never fails for nothing is one of those that the program allows.
        | AtomicOp::CompareExchange
        | AtomicOp::CompareExchangeWeak => {
            updated(op, old, operand, width).unwrap_or(Err(unknown))
        }
    }
}
