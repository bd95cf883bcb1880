//! Relations over the events of an execution, as a row of bits for each event.

/// The most events of an execution.
pub(crate) const MOST_EVENTS: usize = 64;

/// Pairs of events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relation(Vec<u64>);

impl Relation {
    /// No pair, over so many events.
    pub(crate) fn empty(events: usize) -> Relation {
        Relation(vec![0; events])
    }

    pub(crate) fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    pub(crate) fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    /// The pairs of both.
    pub(crate) fn union(&self, other: &Relation) -> Relation {
        Relation(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    /// The pairs for which something holds.
    pub(crate) fn filter(&self, keep: impl Fn(usize, usize) -> bool) -> Relation {
        let mut kept = Relation::empty(self.0.len());
        for (a, b) in self.pairs().filter(|(a, b)| keep(*a, *b)) {
            kept.add(a, b);
        }
        kept
    }

    /// A pair of the one, then a pair of the other.
    pub(crate) fn then(&self, other: &Relation) -> Relation {
        let row = |bits: u64| bits_of(bits).fold(0, |row, at| row | other.0[at]);
        Relation(self.0.iter().map(|bits| row(*bits)).collect())
    }

    /// One pair or more in a row.
    pub(crate) fn closure(mut self) -> Relation {
        for via in 0..self.0.len() {
            let through = self.0[via];
            for row in &mut self.0 {
                if *row >> via & 1 == 1 {
                    *row |= through;
                }
            }
        }
        self
    }

    /// Whether no event is related to itself.
    pub(crate) fn is_irreflexive(&self) -> bool {
        self.0.iter().enumerate().all(|(at, row)| row >> at & 1 == 0)
    }

    /// Whether no pairs in a row lead back.
    pub(crate) fn is_acyclic(&self) -> bool {
        self.clone().closure().is_irreflexive()
    }

    /// Whether each pair is one of the other's.
    pub(crate) fn is_within(&self, other: &Relation) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().enumerate().flat_map(|(a, row)| bits_of(*row).map(move |b| (a, b)))
    }
}

/// The numbers of the bits that are set.
pub(crate) fn bits_of(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_finds_cycles() {
        let mut ring = Relation::empty(3);
        ring.add(0, 1);
        ring.add(1, 2);
        assert!(ring.is_acyclic());
        assert!(ring.clone().closure().has(0, 2));
        assert!(ring.then(&ring).has(0, 2) && !ring.then(&ring).has(0, 1));
        ring.add(2, 0);
        assert!(!ring.is_acyclic());
    }
}
