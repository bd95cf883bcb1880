//! Barriers of a block: whom they wait for, which arrivals complete a named one, and what a
//! reduction gives (PTX ISA, section 9.7.13.1).
//!
//! **What.** [`BarrierModel`], [`Arrived`] (one generation of one of the sixteen barriers) and
//! [`reduced`].
//!
//! **Sound because** the first arrival of a generation fixes how many it needs, and the ISA leaves
//! arrivals undefined that name another count or bring more than is lacking: both are a [`Misuse`].
//!
//! **Does not**: know who arrives or waits, or what they learn.

use heddle_ir::{Family, Reduction, Target};

use crate::Known;

/// Whether a barrier of the whole block waits for threads that have returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BarrierModel {
    /// It waits for all threads of the block.
    Strict,
    /// It waits for the threads that have not returned (from `sm_70`).
    ExitedOk,
}

impl BarrierModel {
    /// The model of a target. Before `sm_70`, and in OpenCL, each thread has to come.
    pub fn of(target: &Target) -> BarrierModel {
        match target.family {
            Family::Nvptx if target.sm >= 70 && !target.opencl => BarrierModel::ExitedOk,
            Family::Nvptx | Family::Spirv => BarrierModel::Strict,
        }
    }
}

/// Arrivals that a generation of a named barrier needs, in threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arrivals {
    /// As many as the instruction says.
    Count(u32),
    /// All threads of the block; with this number, and fewer as threads return where that counts.
    All,
}

impl Arrivals {
    /// The number, in a block of which `all` arrivals are expected now.
    pub fn number(self, all: u32) -> u32 {
        match self {
            Arrivals::Count(count) => count,
            Arrivals::All => all,
        }
    }

    /// The number that both this one, which came first, and another arrival of the generation name.
    pub fn agrees(self, other: Arrivals, all: u32) -> Result<u32, Misuse> {
        let (fixed, given) = (self.number(all), other.number(all));
        if fixed == given { Ok(fixed) } else { Err(Misuse::CountMismatch { fixed, given }) }
    }
}

/// A generation of a named barrier that has begun: what it needs, and how many have come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrived {
    expected: Arrivals,
    arrived: u32,
}

/// An arrival that the ISA does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misuse {
    /// It names another count than the first arrival did.
    CountMismatch {
        /// The first arrival's.
        fixed: u32,
        /// This one's.
        given: u32,
    },
    /// It brings more than is lacking.
    TooMany {
        /// What was lacking.
        lacking: u32,
    },
}

impl Arrived {
    /// A generation that begins: its first arrival expects this.
    pub fn begin(expected: Arrivals) -> Arrived {
        Arrived { expected, arrived: 0 }
    }

    /// What the first arrival expected.
    pub fn expected(&self) -> Arrivals {
        self.expected
    }

    /// How many have come.
    pub fn arrived(&self) -> u32 {
        self.arrived
    }

    /// An arrival that expects something and brings this many; `all` as for [`Arrivals::number`].
    /// One that is not defined changes nothing.
    pub fn arrive(&mut self, expected: Arrivals, brings: u32, all: u32) -> Result<(), Misuse> {
        let fixed = self.expected.agrees(expected, all)?;
        if self.arrived.saturating_add(brings) > fixed {
            return Err(Misuse::TooMany { lacking: fixed.saturating_sub(self.arrived) });
        }
        self.arrived += brings;
        Ok(())
    }

    /// Whether all have come. It may become so because a thread returned.
    pub fn is_full(&self, all: u32) -> bool {
        self.arrived >= self.expected.number(all)
    }
}

/// How many arrivals lanes of a warp bring that come to a barrier. Warps count whole: lanes that
/// the warp does not have, or that have returned, count with the lowest one that has not. `live`
/// are the lanes that have not, as bits, of a warp of `size`.
pub fn brings(lanes: u64, live: u64, size: u32) -> u32 {
    let has_first = lanes & live & live.wrapping_neg() != 0;
    lanes.count_ones() + if has_first { size - live.count_ones() } else { 0 }
}

/// How many arrivals the threads of a warp are that come to a barrier one by one, each as often as
/// `came` says: the warp comes whole as often as each of its lanes that have not returned. `live`
/// are these, as bits, of a warp of `size`. For lanes that come together it is [`brings`].
pub fn arrivals_of_warp(came: &[u32], live: u64, size: u32) -> u32 {
    let of_live = (0..).zip(came).filter(|(lane, _)| live >> *lane & 1 == 1).map(|(_, it)| *it);
    let whole = of_live.min().or_else(|| came.iter().copied().max()).unwrap_or(0);
    let rest: u32 = came.iter().map(|it| it.saturating_sub(whole)).sum();
    whole * size + rest
}

/// What a reduction gives if all its predicates are known: `ones` of the `threads` that come.
pub fn counted(reduction: Reduction, ones: u32, threads: u32) -> u32 {
    match reduction {
        Reduction::Popc => ones,
        Reduction::And => u32::from(ones == threads),
        Reduction::Or => u32::from(ones > 0),
    }
}

/// What a reduction over the predicates of the threads gives; known if those that are known decide
/// it.
pub fn reduced<E: Copy>(
    reduction: Reduction,
    predicates: impl Iterator<Item = Known<E>>,
) -> Known<E> {
    let (mut ones, mut zeros, mut unknown) = (0, 0, None);
    for predicate in predicates {
        match predicate {
            Ok(0) => zeros += 1,
            Ok(_) => ones += 1,
            Err(cause) => unknown = unknown.or(Some(cause)),
        }
    }
    match (reduction, unknown) {
        (Reduction::And, Some(_)) if zeros > 0 => Ok(0),
        (Reduction::Or, Some(_)) if ones > 0 => Ok(1),
        (_, Some(cause)) => Err(cause),
        (_, None) => Ok(u128::from(counted(reduction, ones, ones + zeros))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_arrival_fixes_the_count() {
        let mut open = Arrived::begin(Arrivals::Count(64));
        assert_eq!(open.arrive(Arrivals::Count(64), 32, 128), Ok(()));
        let other = open.arrive(Arrivals::All, 32, 128);
        assert_eq!(other, Err(Misuse::CountMismatch { fixed: 64, given: 128 }));
        assert_eq!(open.arrive(Arrivals::Count(64), 64, 128), Err(Misuse::TooMany { lacking: 32 }));
        assert!(!open.is_full(128));
        assert_eq!(open.arrive(Arrivals::Count(64), 32, 128), Ok(()));
        assert!(open.is_full(128));
    }

    #[test]
    fn a_barrier_for_all_is_full_when_those_missing_return() {
        let mut open = Arrived::begin(Arrivals::All);
        assert_eq!(open.arrive(Arrivals::All, 32, 64), Ok(()));
        assert!(!open.is_full(64) && open.is_full(32));
    }

    #[test]
    fn a_warp_that_lacks_lanes_arrives_whole() {
        assert_eq!([brings(0b0111, 0b0111, 4), brings(0b1111, 0b1111, 4)], [4, 4]);
        // In parts, the lacking ones come once.
        assert_eq!([brings(0b0001, 0b0111, 4), brings(0b0110, 0b0111, 4)], [2, 2]);
        assert_eq!([brings(0b0100, 0b1110, 4), brings(0b0010, 0b1110, 4)], [1, 2]);
    }

    #[test]
    fn threads_that_come_one_by_one_count_as_lanes_that_come_together() {
        let of = |came: &[u32], live| arrivals_of_warp(came, live, 4);
        assert_eq!([of(&[1, 0, 0], 0b111), of(&[1, 1, 1], 0b111)], [1, brings(0b111, 0b111, 4)]);
        assert_eq!([of(&[0, 0], 0b11), of(&[2, 2], 0b11)], [0, 8]);
        // Lanes that arrived and have returned since do not count twice.
        assert_eq!([of(&[1, 1, 0, 0], 0b1100), of(&[1, 1, 1, 1], 0b1100)], [2, 4]);
        assert_eq!(of(&[1, 1, 1, 1], 0), brings(0b1111, 0b1111, 4));
        // A lane that had returned before does not come.
        assert_eq!(of(&[0, 1, 1, 1], 0b1110), brings(0b1110, 0b1110, 4));
    }

    #[test]
    fn reductions_are_known_where_the_known_decide() {
        let of = |reduction, bits: &[Known<char>]| reduced(reduction, bits.iter().copied());
        assert_eq!(of(Reduction::Popc, &[Ok(1), Ok(0), Ok(1)]), Ok(2));
        assert_eq!(of(Reduction::Popc, &[Ok(1), Err('x')]), Err('x'));
        assert_eq!(of(Reduction::And, &[Ok(0), Err('x')]), Ok(0));
        assert_eq!(of(Reduction::Or, &[Ok(1), Err('x')]), Ok(1));
        assert_eq!(of(Reduction::And, &[Ok(1), Err('x')]), Err('x'));
        assert_eq!(of(Reduction::And, &[Ok(1), Ok(1)]), Ok(1));
    }

    #[test]
    fn opencl_waits_for_all_also_on_nvidia() {
        let cuda =
            Target { family: Family::Nvptx, sm: 70, warp_size: 32, opencl: false, flushes: false };
        assert_eq!(BarrierModel::of(&cuda), BarrierModel::ExitedOk);
        for strict in [
            Target { sm: 60, ..cuda.clone() },
            Target { opencl: true, ..cuda.clone() },
            Target { family: Family::Spirv, ..cuda },
        ] {
            assert_eq!(BarrierModel::of(&strict), BarrierModel::Strict);
        }
    }
}
