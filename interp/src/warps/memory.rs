//! What tracked objects hold while warps run.

use heddle_ir::ObjectId;
use rustc_hash::FxHashMap;

use crate::launch::{Contents, Launch};
use crate::stop::Cause;

/// An object of a block, or of a thread where it is local.
pub(super) type Place = (ObjectId, u32);

/// Bytes that were written; the others are as at the start.
#[derive(Clone, Default, Debug)]
pub(super) struct Memory {
    pub(super) bytes: FxHashMap<(Place, u64), Result<u8, Cause>>,
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
                (Some(byte), _) => *byte,
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
        for index in 0..size {
            let byte = value.map(|bits| (bits >> (8 * (index % 8))) as u8);
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
        let differs = |(at, byte): &(&(Place, u64), &Result<u8, Cause>)| {
            byte.is_ok() && other.bytes.get(at) != Some(byte)
        };
        self.bytes.iter().filter(differs).map(|(at, _)| *at)
    }
}
