//! What the lanes of a warp access, put into the trace, with what they write.
//!
//! **Claims**: accesses with one number of a value write the same to each byte that both touch.
//! What may happen or not is there as such, wherever it may.

use heddle_interp::{WarpAccess, Watcher};
use heddle_ir::{AccessKind as IrAccess, Kernel, OpKind, Scope};
use heddle_trace::{AccessKind, Execution, Partition};
use rustc_hash::FxHashMap;

use super::copies::perhaps_by;
use super::region;

/// Puts accesses into the trace.
pub(super) struct Recorder<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) partition: &'a Partition,
    pub(super) execution: &'a mut Execution,
    pub(super) values: &'a mut Values,
}

impl Watcher for Recorder<'_> {
    fn access(&mut self, it: &WarpAccess<'_>) {
        let OpKind::Access(access) = &self.kernel[it.op].kind else { return };
        let ordered = access.order.is_some_and(|(_, scope)| scope >= Scope::Block);
        let kind = match &access.kind {
            IrAccess::Load if ordered => AccessKind::AtomicRead,
            IrAccess::Load => AccessKind::Read,
            IrAccess::Store(_) if ordered => AccessKind::Atomic,
            IrAccess::Store(_) => AccessKind::Write,
            IrAccess::Atomic(..) => match access.order {
                Some((_, scope)) if scope < Scope::Block => AccessKind::Write,
                Some(_) | None => AccessKind::Atomic,
            },
        };
        let bytes = it.written.and_then(|written| bytes_of(self.kernel, access, it, written));
        let value = bytes.and_then(|bytes| Written::of(&bytes, it)).map_or(0, |key| {
            let next = self.values.len() as u32 + 1;
            *self.values.entry(key).or_insert(next)
        });
        let region = region(self.kernel, it.block, it.object);
        let of = (it.block, it.warp);
        let (size, lanes) = (it.size, it.lanes);
        let source = if it.perhaps { perhaps_by(it.op) } else { it.op.as_u32() };
        self.execution.access(self.partition, of, region, size, lanes, kind, source, value);
        if access.by_warp && kind == AccessKind::Read {
            // Four lanes read each row, so at least one that does not give its address.
            let mut others: Vec<_> = lanes.iter().map(|(lane, at)| (lane ^ 1, *at)).collect();
            others.sort_unstable();
            self.execution.access(self.partition, of, region, size, &others, kind, source, value);
        }
    }
}

/// Whether two lanes of an access touch a common byte.
fn share_bytes(lanes: &[(u8, u64)], size: u64) -> bool {
    // Offsets below zero are numbers of the upper half.
    let mut places: Vec<i64> = lanes.iter().map(|(_, offset)| *offset as i64).collect();
    places.sort_unstable();
    places.windows(2).any(|pair| pair[1].abs_diff(pair[0]) < size)
}

/// Numbers of what is written.
pub(super) type Values = FxHashMap<Written, u32>;

/// What an access writes. Two that write the same by this write the same to each byte that both
/// touch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Written {
    /// This byte, everywhere.
    Byte(u8),
    /// These bytes by each lane, at a multiple of their number after this offset: accesses of which
    /// two that overlap are at one place.
    Number(Vec<u8>, u64),
    /// These bytes by these lanes at these offsets, of which no two overlap.
    Lanes(Vec<Vec<u8>>, Vec<(u8, u64)>),
}

impl Written {
    /// Of the bytes that each lane writes.
    fn of(bytes: &[Vec<u8>], it: &WarpAccess<'_>) -> Option<Written> {
        let first = bytes.first()?;
        let byte = *first.first()?;
        if bytes.iter().flatten().all(|it| *it == byte) {
            return Some(Written::Byte(byte));
        }
        let phase = it.lanes.first()?.1 % it.size;
        // Offsets below zero are numbers of the upper half, and 2^64 is a multiple of few sizes.
        let aligned =
            it.size.is_power_of_two() && it.lanes.iter().all(|at| at.1 % it.size == phase);
        if aligned && bytes.iter().all(|it| it == first) {
            return Some(Written::Number(first.clone(), phase));
        }
        (!share_bytes(it.lanes, it.size)).then(|| Written::Lanes(bytes.to_vec(), it.lanes.to_vec()))
    }
}

/// The bytes that each lane of a store writes.
fn bytes_of(
    kernel: &Kernel,
    access: &heddle_ir::Access,
    it: &WarpAccess<'_>,
    written: &[u64],
) -> Option<Vec<Vec<u8>>> {
    let IrAccess::Store(values) = &access.kind else { return None };
    let of_lane = |numbers: &[u64]| {
        let mut bytes = Vec::new();
        for (number, value) in numbers.iter().zip(values) {
            let size = usize::from(kernel.exprs.width(*value).div_ceil(8));
            bytes.extend_from_slice(number.to_le_bytes().get(..size)?);
        }
        (bytes.len() as u64 == it.size).then_some(bytes)
    };
    written.chunks(values.len().max(1)).map(of_lane).collect()
}
