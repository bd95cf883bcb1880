//! What tracked objects hold while warps run.
//!
//! The order in which the warps run is one of many. **Sound because** a byte is known only where
//! each order gives the same: what plain stores write is read after them, or races, which the trace
//! shows; atomics do not race with each other, so what one of them reads is not known, and what
//! they leave only where all of them since the last plain store are the same operation of one size,
//! whose order does not matter. Memory of one thread has one order.

use heddle_ir::{AtomicOp, ObjectId};
use rustc_hash::FxHashMap;

use crate::launch::{Contents, Launch};
use crate::stop::Cause;

/// An object of a block, or of a thread where it is local.
pub(super) type Place = (ObjectId, u32);

/// A byte, with the operation, and its size in bytes, by which atomics have changed it since a
/// plain store left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Byte {
    value: u8,
    by: Option<(AtomicOp, u64)>,
}

/// Whether a number of these, in any order, leave the same.
fn commutes(op: AtomicOp) -> bool {
    match op {
        AtomicOp::Add
        | AtomicOp::Sub
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax => true,
        AtomicOp::Exchange
        | AtomicOp::CompareExchange
        | AtomicOp::CompareExchangeWeak
        | AtomicOp::Nand
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        | AtomicOp::FAdd
        | AtomicOp::FSub
        | AtomicOp::FMin
        | AtomicOp::FMax => false,
    }
}

/// Bytes that were written; the others are as at the start.
#[derive(Clone, Default, Debug)]
pub(super) struct Memory {
    pub(super) bytes: FxHashMap<(Place, u64), Result<Byte, Cause>>,
    /// Nothing that was there before is known any more.
    pub(super) lost: FxHashMap<Place, Cause>,
}

impl Memory {
    /// An element of up to eight bytes, little-endian. `start` is the cause of bytes that nobody
    /// knows, and `None` where the contents at the start do not count.
    pub(super) fn load(
        &self,
        launch: &Launch,
        place: Place,
        offset: u64,
        size: u64,
        start: Cause,
        counts_start: bool,
    ) -> Result<u64, Cause> {
        let mut bits = 0;
        for index in 0..size.min(8) {
            let at = offset.wrapping_add(index);
            let byte = match (self.bytes.get(&(place, at)), self.lost.get(&place)) {
                (Some(byte), _) => byte.map(|it| it.value),
                (None, Some(cause)) => Err(*cause),
                (None, None) => {
                    let rest = &launch.other_contents;
                    let named = launch.buffers.get(&place.0);
                    let byte = match counts_start {
                        true => named.map_or_else(|| rest.byte(at), |it: &Contents| it.byte(at)),
                        false => None,
                    };
                    byte.ok_or(start)
                }
            };
            bits |= u64::from(byte?) << (8 * index);
        }
        Ok(bits)
    }

    pub(super) fn store(
        &mut self,
        place: Place,
        offset: u64,
        size: u64,
        value: Result<u64, Cause>,
    ) {
        self.put(place, offset, size, value, None);
    }

    /// What an atomic of many leaves, where other threads do theirs at the same time.
    pub(super) fn store_among(
        &mut self,
        place: Place,
        offset: u64,
        size: u64,
        (op, value): (AtomicOp, Result<u64, Cause>),
        otherwise: Cause,
    ) {
        let fits = |byte: &Result<Byte, Cause>| {
            byte.is_ok_and(|it| it.by.is_none_or(|by| by == (op, size)))
        };
        let all_fit = (0..size)
            .all(|index| self.bytes.get(&(place, offset.wrapping_add(index))).is_some_and(fits));
        let value = if commutes(op) && all_fit { value } else { Err(otherwise) };
        self.put(place, offset, size, value, Some((op, size)));
    }

    fn put(
        &mut self,
        place: Place,
        offset: u64,
        size: u64,
        value: Result<u64, Cause>,
        by: Option<(AtomicOp, u64)>,
    ) {
        for index in 0..size {
            let byte = value.map(|bits| Byte { value: (bits >> (8 * (index % 8))) as u8, by });
            self.bytes.insert((place, offset.wrapping_add(index)), byte);
        }
    }

    /// Something unknown may have been written anywhere.
    pub(super) fn lose(&mut self, place: Place, cause: Cause) {
        self.bytes.retain(|(of, _), _| *of != place);
        self.lost.insert(place, cause);
    }

    /// Known bytes that are not to be kept become unknown.
    pub(super) fn widen(&mut self, keeps: impl Fn(&(Place, u64)) -> bool, cause: Cause) {
        self.bytes.retain(|at, byte| {
            if byte.is_ok() && !keeps(at) {
                *byte = Err(cause);
            }
            true
        });
    }

    /// Bytes that are known here and not the same in another.
    pub(super) fn known_but_in(&self, other: &Memory) -> impl Iterator<Item = (Place, u64)> {
        let differs = |(at, byte): &(&(Place, u64), &Result<Byte, Cause>)| {
            byte.is_ok() && other.bytes.get(at) != Some(byte)
        };
        self.bytes.iter().filter(differs).map(|(at, _)| *at)
    }
}
