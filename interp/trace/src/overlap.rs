//! The sweep over bytes: which footprints meet, without looking at each byte, or at one combination
//! twice.
//!
//! Footprints begin and end at edges; between two edges the same ones are there. What matters of
//! such a stretch is only which they are, so stretches with an equal set are looked at once.

use rustc_hash::FxHashMap;

use crate::shape::{Footprint, Shapes};

/// Calls `visit` with the first byte of a stretch and the indices of the footprints that cover it,
/// rising, once for each different set in which `matters` holds for some member.
pub(crate) fn sweep(
    shapes: &Shapes,
    footprints: &[Footprint],
    matters: impl Fn(usize) -> bool,
    mut visit: impl FnMut(u64, &[u32]),
) {
    let mut edges: Vec<(i64, bool, u32)> = Vec::new();
    for (index, footprint) in (0..).zip(footprints) {
        for (from, to) in shapes.runs(*footprint) {
            edges.push((from, true, index));
            edges.push((to, false, index));
        }
    }
    edges.sort_unstable();
    let mut active: Vec<u32> = Vec::new();
    let mut signature = 0u64;
    let mut writers = 0usize;
    let mut seen: FxHashMap<u64, Vec<Box<[u32]>>> = FxHashMap::default();
    let mut rest = edges.as_slice();
    while let Some((position, ..)) = rest.first().copied() {
        let here = rest.iter().take_while(|it| it.0 == position).count();
        for (_, starts, index) in &rest[..here] {
            let place = active.binary_search(index);
            match (place, starts) {
                (Err(at), true) => active.insert(at, *index),
                (Ok(at), false) => {
                    active.remove(at);
                }
                (Ok(_), true) | (Err(_), false) => continue,
            }
            let (change, weight) = (scatter(*index), usize::from(matters(*index as usize)));
            if *starts {
                signature = signature.wrapping_add(change);
                writers += weight;
            } else {
                signature = signature.wrapping_sub(change);
                writers -= weight;
            }
        }
        rest = &rest[here..];
        if writers == 0 {
            continue;
        }
        let alike = seen.entry(signature).or_default();
        if !alike.iter().any(|it| **it == *active) {
            alike.push(active.clone().into_boxed_slice());
            visit(position as u64, &active);
        }
    }
}

/// A number that looks random (the finalizer of SplitMix64): sums of these tell sets apart nearly
/// always, and the sets themselves are compared where they do not.
fn scatter(index: u32) -> u64 {
    let mut bits = u64::from(index).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stretches_are_visited_once() {
        let mut shapes = Shapes::default();
        let row: Vec<(u8, u64)> = (0..8).map(|lane| (lane, 8 * u64::from(lane))).collect();
        let a = shapes.footprint(0, 4, &row).expect("not empty");
        let b = shapes.footprint(0, 64, &[(0, 0)]).expect("not empty");
        let mut visits = Vec::new();
        sweep(&shapes, &[a, b], |index| index == 1, |byte, set| visits.push((byte, set.to_vec())));
        assert_eq!(visits, [(0, vec![0, 1]), (4, vec![1])]);
        visits.clear();
        sweep(&shapes, &[a, b], |index| index == 0, |byte, set| visits.push((byte, set.to_vec())));
        assert_eq!(visits, [(0, vec![0, 1])]);
    }

    #[test]
    fn touching_footprints_do_not_overlap() {
        let mut shapes = Shapes::default();
        let a = shapes.footprint(0, 4, &[(0, 0)]).expect("not empty");
        let b = shapes.footprint(0, 4, &[(0, 4)]).expect("not empty");
        sweep(&shapes, &[a, b], |_| true, |_, set| assert_eq!(set.len(), 1));
    }
}
