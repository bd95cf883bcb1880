//! Strands: lanes of a warp that do all their synchronization together.

use std::collections::BTreeMap;

/// The number of a strand in an execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StrandId(pub u32);

/// Lanes of one warp that take part in the same events.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Strand {
    /// The block, where several run at once.
    pub block: u32,
    /// The warp in its block.
    pub warp: u32,
    /// Its lanes, one bit each.
    pub lanes: u64,
}

/// How the lanes of each warp are divided into strands.
///
/// A run starts with whole warps and [`cut`](Partition::cut)s where an event concerns only some
/// lanes of a strand; a partition that changed is the start of the next run. Divisions only get
/// finer, so a few runs suffice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    strands: Vec<Strand>,
    of_warp: BTreeMap<(u32, u32), Vec<StrandId>>,
    is_fixed: bool,
}

impl Partition {
    /// One strand per warp; `lanes_of(block, warp)` are its lanes.
    pub fn whole_warps(blocks: u32, warps: u32, lanes_of: impl Fn(u32, u32) -> u64) -> Partition {
        let mut strands = Vec::new();
        for block in 0..blocks {
            for warp in 0..warps {
                strands.push(Strand { block, warp, lanes: lanes_of(block, warp) });
            }
        }
        Partition::of(strands)
    }

    /// These strands.
    pub fn of(strands: Vec<Strand>) -> Partition {
        let mut of_warp: BTreeMap<(u32, u32), Vec<StrandId>> = BTreeMap::new();
        for (index, strand) in (0..).zip(&strands) {
            of_warp.entry((strand.block, strand.warp)).or_default().push(StrandId(index));
        }
        Partition { strands, of_warp, is_fixed: false }
    }

    /// The same, never cut: lanes of a warp move together whatever happens (warp-synchronous
    /// execution).
    #[must_use]
    pub fn fixed(self) -> Partition {
        Partition { is_fixed: true, ..self }
    }

    /// Whether strands are never divided.
    pub fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// All strands.
    pub fn strands(&self) -> &[Strand] {
        &self.strands
    }

    /// The strands of a warp that have some of these lanes.
    pub fn touched(&self, block: u32, warp: u32, lanes: u64) -> impl Iterator<Item = StrandId> {
        let all = self.of_warp.get(&(block, warp)).into_iter().flatten().copied();
        all.filter(move |it| self.strands[it.0 as usize].lanes & lanes != 0)
    }

    /// Divides the strands that have lanes both in and out of `lanes`; whether there were any.
    pub fn cut(&mut self, block: u32, warp: u32, lanes: u64) -> bool {
        if self.is_fixed {
            return false;
        }
        let split: Vec<StrandId> = self
            .touched(block, warp, lanes)
            .filter(|it| self.strands[it.0 as usize].lanes & !lanes != 0)
            .collect();
        for id in &split {
            let strand = &mut self.strands[id.0 as usize];
            let outside = Strand { lanes: strand.lanes & !lanes, ..*strand };
            strand.lanes &= lanes;
            let new = StrandId(self.strands.len() as u32);
            self.strands.push(outside);
            self.of_warp.entry((block, warp)).or_default().push(new);
        }
        !split.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_divides_only_what_straddles_it() {
        let mut partition = Partition::whole_warps(1, 2, |_, _| 0xff);
        assert!(!partition.cut(0, 0, 0xff));
        assert!(partition.cut(0, 0, 0x0f));
        assert!(!partition.cut(0, 0, 0xf0));
        assert!(partition.cut(0, 0, 0x3c));
        let lanes: Vec<u64> = partition.strands().iter().map(|it| it.lanes).collect();
        assert_eq!(lanes, [0x0c, 0xff, 0x30, 0x03, 0xc0]);
        assert!(!partition.fixed().cut(0, 1, 1));
    }
}
