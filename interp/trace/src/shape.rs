//! Footprints: which bytes an access of a warp touches, lane by lane.
//!
//! A [`Footprint`] is a region, a first byte and a shape; the shape says, relative to that byte,
//! where each lane begins and how many bytes it touches. Shapes are kept once however often they
//! recur.

use rustc_hash::FxHashMap;

/// A shape in its table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShapeId(pub u32);

/// The bytes of one access by some lanes of a warp.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Footprint {
    /// Which memory: addresses in different regions are different bytes.
    pub region: u32,
    /// The lowest byte.
    pub base: u64,
    /// Where the lanes are from there.
    pub shape: ShapeId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Shape {
    size: u64,
    /// Lanes by number, each with its distance from the lowest byte.
    lanes: Box<[(u8, u64)]>,
}

/// The table of shapes.
#[derive(Clone, Default, Debug)]
pub struct Shapes {
    list: Vec<Shape>,
    index: FxHashMap<Shape, ShapeId>,
}

impl Shapes {
    /// The footprint of lanes that each touch `size` bytes from an offset. `lanes` is in rising
    /// order of lanes and not empty, and `size` is not zero; otherwise nothing is touched, and the
    /// answer is none.
    pub fn footprint(&mut self, region: u32, size: u64, lanes: &[(u8, u64)]) -> Option<Footprint> {
        let base = lanes.iter().map(|(_, offset)| *offset).min().filter(|_| size > 0)?;
        let lanes = lanes.iter().map(|(lane, offset)| (*lane, offset - base)).collect();
        let shape = Shape { size, lanes };
        let id = match self.index.get(&shape) {
            Some(id) => *id,
            None => {
                let id = ShapeId(self.list.len() as u32);
                self.list.push(shape.clone());
                self.index.insert(shape, id);
                id
            }
        };
        Some(Footprint { region, base, shape: id })
    }

    /// How many different ones there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Bytes that each lane touches.
    pub fn size(&self, shape: ShapeId) -> u64 {
        self.list[shape.0 as usize].size
    }

    /// Each lane with its first byte.
    pub fn lanes(&self, footprint: Footprint) -> impl Iterator<Item = (u8, u64)> {
        let shape = &self.list[footprint.shape.0 as usize];
        shape.lanes.iter().map(move |(lane, from)| (*lane, footprint.base.wrapping_add(*from)))
    }

    /// The lanes that touch a byte.
    pub fn lanes_at(&self, footprint: Footprint, byte: u64) -> u64 {
        let size = self.size(footprint.shape);
        let hit = self.lanes(footprint).filter(|(_, from)| byte.wrapping_sub(*from) < size);
        hit.fold(0, |lanes, (lane, _)| lanes | 1 << lane)
    }

    /// The touched bytes as ranges that neither touch nor overlap, rising: first byte, and the byte
    /// after the last. A first byte in the upper half of all numbers is one below zero.
    pub fn runs(&self, footprint: Footprint) -> Vec<(i64, i64)> {
        let size = self.size(footprint.shape).min(i64::MAX as u64) as i64;
        let mut starts: Vec<i64> = self.lanes(footprint).map(|(_, from)| from as i64).collect();
        starts.sort_unstable();
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for from in starts {
            let after = from.saturating_add(size);
            match runs.last_mut() {
                Some((_, end)) if from <= *end => *end = (*end).max(after),
                _ => runs.push((from, after)),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_shapes_at_different_places_are_one() {
        let mut shapes = Shapes::default();
        let row =
            |base: u64| (0..4).map(|lane| (lane, base + 4 * u64::from(lane))).collect::<Vec<_>>();
        let a = shapes.footprint(0, 4, &row(64)).expect("not empty");
        let b = shapes.footprint(0, 4, &row(128)).expect("not empty");
        assert_eq!(a.shape, b.shape);
        assert_eq!(shapes.runs(b), [(128, 144)]);
        assert_eq!(shapes.lanes_at(a, 71), 1 << 1);
        let apart = shapes.footprint(0, 2, &row(0)).expect("not empty");
        assert_eq!(shapes.runs(apart), [(0, 2), (4, 6), (8, 10), (12, 14)]);
        assert_eq!(shapes.lanes_at(apart, 3), 0);
        assert_eq!(shapes.footprint(0, 4, &[]), None);
        let below = shapes.footprint(0, 4, &[(0, 8u64.wrapping_neg()), (1, 0)]).expect("not empty");
        assert_eq!(shapes.runs(below), [(-8, -4), (0, 4)]);
        let across =
            shapes.footprint(0, 4, &[(0, 4u64.wrapping_neg()), (1, 0)]).expect("not empty");
        assert_eq!(shapes.runs(across), [(-4, 4)]);
    }
}
