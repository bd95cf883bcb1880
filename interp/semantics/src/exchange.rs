//! What lanes of a warp get from each other: shuffles, votes, matches, reductions, elections (PTX
//! ISA, sections 9.7.9.6 and 9.7.13.8 to 9.7.13.14).
//!
//! **What.** [`group`] says which lanes exchange with a lane; [`Exchange`] what each of them gets.
//!
//! **Sound because** a lane that is not in its own mask, a mask of which a lane that has not ended
//! is missing, lanes with different masks, and a source lane that does not take part have no
//! result: the ISA leaves these undefined. A result of which some inputs are not known is known
//! only if the others decide it.
//!
//! **Does not**: wait for lanes, or know of instructions without a mask; their mask is the lanes
//! that the caller takes to be together.

use heddle_ir::{BinOp, CrossLaneKind, fold_binary, mask};

use crate::Known;

/// The lanes that exchange with each other: those that a mask names and that have not ended. `here`
/// are the lanes that execute the instruction with this mask. None where one of them is missing.
pub fn group(mask: u64, here: u64, alive: u64) -> Option<u64> {
    let lanes = mask & here;
    let complete = mask & alive & !lanes == 0;
    (complete && lanes != 0).then_some(lanes)
}

/// How a choice of the hardware is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// As one that the hardware may make: the lowest lane, all lanes. A run with it is possible.
    Possible,
    /// As not known. What holds then holds for each choice.
    Any,
}

/// Lanes that exchange, and how to look at what they bring: the operand's position, and the lane.
pub struct Exchange<E, F: Fn(usize, u32) -> Known<E>> {
    /// What they do.
    pub kind: CrossLaneKind,
    /// The lanes, as bits: an answer of [`group`].
    pub lanes: u64,
    /// Bits of the first operand.
    pub width: u8,
    /// What a lane brings.
    pub brings: F,
    /// Why a result that the ISA leaves undefined is not known.
    pub undefined: E,
    /// Which lane is elected.
    pub elects: Choice,
    /// Which lanes happen to be together.
    pub together: Choice,
}

impl<E: Copy + PartialEq, F: Fn(usize, u32) -> Known<E>> Exchange<E, F> {
    /// Both results of a lane; a kind with one repeats it. `common` is [`Exchange::common`], which
    /// may be computed once for all lanes. A lane that is not of the group has no result.
    pub fn results(&self, lane: u32, common: Option<[Known<E>; 2]>) -> [Known<E>; 2] {
        if self.lanes >> lane & 1 == 0 {
            return [Err(self.undefined); 2];
        }
        match (common, self.kind) {
            (Some(common), _) => common,
            (None, CrossLaneKind::MatchAny) => [self.equal_to(lane); 2],
            (None, CrossLaneKind::Elect) => match self.elects {
                Choice::Possible => {
                    let leader = self.lanes.trailing_zeros();
                    [Ok(u128::from(leader)), Ok(u128::from(leader == lane))]
                }
                Choice::Any => [Err(self.undefined); 2],
            },
            (None, _) => self.shuffled(lane),
        }
    }

    /// The results that are the same for all lanes of the group, for kinds that have such.
    pub fn common(&self) -> Option<[Known<E>; 2]> {
        let lanes = u128::from(self.lanes);
        let any = |wanted: u128| self.members().any(|lane| self.first(lane) == Ok(wanted));
        let value = match self.kind {
            CrossLaneKind::ShuffleIdx
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly
            | CrossLaneKind::MatchAny
            | CrossLaneKind::Elect => return None,
            CrossLaneKind::VoteAll if any(0) => Ok(0),
            CrossLaneKind::VoteAny if any(1) => Ok(1),
            CrossLaneKind::VoteUniform if any(0) && any(1) => Ok(0),
            CrossLaneKind::VoteAll => self.ballot().map(|ones| u128::from(ones == lanes)),
            CrossLaneKind::VoteAny => self.ballot().map(|ones| u128::from(ones != 0)),
            CrossLaneKind::VoteUniform => {
                self.ballot().map(|ones| u128::from(ones == 0 || ones == lanes))
            }
            CrossLaneKind::Ballot => self.ballot(),
            CrossLaneKind::MatchAll => {
                let all = self.equal_to(self.lanes.trailing_zeros()).map(|equal| equal == lanes);
                return Some([all.map(|all| if all { lanes } else { 0 }), all.map(u128::from)]);
            }
            CrossLaneKind::ReduceAdd => self.fold(BinOp::Add),
            CrossLaneKind::ReduceUMin => self.fold(BinOp::UMin),
            CrossLaneKind::ReduceUMax => self.fold(BinOp::UMax),
            CrossLaneKind::ReduceSMin => self.fold(BinOp::SMin),
            CrossLaneKind::ReduceSMax => self.fold(BinOp::SMax),
            CrossLaneKind::ReduceAnd => self.fold(BinOp::And),
            CrossLaneKind::ReduceOr => self.fold(BinOp::Or),
            CrossLaneKind::ReduceXor => self.fold(BinOp::Xor),
            CrossLaneKind::ActiveMask => match self.together {
                Choice::Possible => Ok(lanes),
                Choice::Any => Err(self.undefined),
            },
        };
        Some([value; 2])
    }

    fn first(&self, lane: u32) -> Known<E> {
        (self.brings)(0, lane)
    }

    fn members(&self) -> impl Iterator<Item = u32> {
        let mut rest = self.lanes;
        std::iter::from_fn(move || {
            let lane = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (lane < u64::BITS).then_some(lane)
        })
    }

    /// The lanes whose predicate is one.
    fn ballot(&self) -> Known<E> {
        self.members().try_fold(0, |all, lane| Ok(all | (self.first(lane)? & 1) << lane))
    }

    fn fold(&self, op: BinOp) -> Known<E> {
        let mut values = self.members().map(|lane| self.first(lane));
        let first = values.next().unwrap_or(Err(self.undefined))?;
        values.try_fold(first, |all, value| Ok(fold_binary(op, all, value?, self.width)))
    }

    /// The lanes of the group whose value is this lane's.
    fn equal_to(&self, lane: u32) -> Known<E> {
        let own = self.first(lane)?;
        self.members().try_fold(0, |all, it| Ok(all | u128::from(self.first(it)? == own) << it))
    }

    /// The second operand gives the source lane, the third the clamp (bits 0 to 4) and the segment
    /// mask (bits 8 to 12); PTX ISA, 9.7.9.6.
    fn shuffled(&self, lane: u32) -> [Known<E>; 2] {
        let (b, c) = match ((self.brings)(1, lane), (self.brings)(2, lane)) {
            (Ok(b), Ok(c)) => (mask(b, 5) as i64, c),
            (Err(cause), _) | (_, Err(cause)) => return [Err(cause); 2],
        };
        let (clamp, segment) = (mask(c, 5) as i64, mask(c >> 8, 5) as i64);
        let own = i64::from(lane);
        let last = own & segment | clamp & !segment;
        let (source, in_range) = match self.kind {
            // For this mode the clamp is the lowest lane, not the highest.
            CrossLaneKind::ShuffleUp => (own - b, own - b >= last),
            CrossLaneKind::ShuffleDown => (own + b, own + b <= last),
            CrossLaneKind::ShuffleBfly => (own ^ b, own ^ b <= last),
            CrossLaneKind::ShuffleIdx => {
                let source = own & segment | b & !segment;
                (source, source <= last)
            }
            CrossLaneKind::VoteAll
            | CrossLaneKind::VoteAny
            | CrossLaneKind::VoteUniform
            | CrossLaneKind::Ballot
            | CrossLaneKind::MatchAny
            | CrossLaneKind::MatchAll
            | CrossLaneKind::ReduceAdd
            | CrossLaneKind::ReduceUMin
            | CrossLaneKind::ReduceUMax
            | CrossLaneKind::ReduceSMin
            | CrossLaneKind::ReduceSMax
            | CrossLaneKind::ReduceAnd
            | CrossLaneKind::ReduceOr
            | CrossLaneKind::ReduceXor
            | CrossLaneKind::Elect
            | CrossLaneKind::ActiveMask => unreachable!("{} has no source lane", self.kind),
        };
        let source = if in_range { source } else { own };
        let is_there = (0..64).contains(&source) && self.lanes >> source & 1 == 1;
        let value = if is_there { self.first(source as u32) } else { Err(self.undefined) };
        [value, Ok(u128::from(in_range))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What lanes get that bring these operands; `()` is not known.
    fn all(
        kind: CrossLaneKind,
        lanes: u64,
        brings: impl Fn(usize, u32) -> Known<()>,
    ) -> Vec<[Known<()>; 2]> {
        let (elects, together) = (Choice::Possible, Choice::Possible);
        let it = Exchange { kind, lanes, width: 32, brings, undefined: (), elects, together };
        let common = it.common();
        (0..32).map(|lane| it.results(lane, common)).collect()
    }

    fn shuffled(kind: CrossLaneKind, by: u128, c: u128) -> Vec<[Known<()>; 2]> {
        all(kind, u64::from(u32::MAX), |index, lane| Ok([u128::from(lane) * 10, by, c][index]))
    }

    #[test]
    fn shuffles_read_the_lanes_that_the_manual_names() {
        let down = shuffled(CrossLaneKind::ShuffleDown, 1, 0x1f);
        assert_eq!([down[3], down[31]], [[Ok(40), Ok(1)], [Ok(310), Ok(0)]]);
        let flipped = shuffled(CrossLaneKind::ShuffleBfly, 1, 0x1f);
        assert_eq!(flipped[6], [Ok(70), Ok(1)]);
        let up = shuffled(CrossLaneKind::ShuffleUp, 2, 0);
        assert_eq!([up[5], up[1]], [[Ok(30), Ok(1)], [Ok(10), Ok(0)]]);
        let halves = (32 - 16) << 8 | 0x1f;
        assert_eq!(shuffled(CrossLaneKind::ShuffleIdx, 1, halves)[20], [Ok(170), Ok(1)]);
        assert_eq!(shuffled(CrossLaneKind::ShuffleDown, 1, halves)[15], [Ok(150), Ok(0)]);
    }

    #[test]
    fn a_source_that_does_not_take_part_has_no_value() {
        let read = all(CrossLaneKind::ShuffleIdx, 0b0111, |index, _| Ok([7, 3, 0x1f][index]));
        assert_eq!([read[0], read[5]], [[Err(()), Ok(1)], [Err(()); 2]]);
    }

    #[test]
    fn results_are_known_where_the_known_decide() {
        let bring = |_: usize, lane: u32| if lane == 0 { Ok(1) } else { Err(()) };
        assert_eq!(all(CrossLaneKind::VoteAny, 0b11, bring)[1][0], Ok(1));
        assert_eq!(all(CrossLaneKind::VoteAll, 0b11, bring)[1][0], Err(()));
        assert_eq!(all(CrossLaneKind::Ballot, 0b11, bring)[1][0], Err(()));
        assert_eq!(all(CrossLaneKind::Ballot, 0b01, bring)[0][0], Ok(1));
    }

    #[test]
    fn matches_reductions_and_elections() {
        let parity = |_: usize, lane: u32| Ok(u128::from(lane & 1));
        assert_eq!(all(CrossLaneKind::MatchAny, 0b1111, parity)[2][0], Ok(0b0101));
        assert_eq!(all(CrossLaneKind::MatchAll, 0b0101, parity)[2], [Ok(0b0101), Ok(1)]);
        assert_eq!(all(CrossLaneKind::MatchAll, 0b0111, parity)[2], [Ok(0), Ok(0)]);
        let signed = |_: usize, lane: u32| Ok(u128::from(0u32.wrapping_sub(lane)));
        assert_eq!(all(CrossLaneKind::ReduceSMin, 0b111, signed)[0][0], Ok(0xffff_fffe));
        assert_eq!(all(CrossLaneKind::ReduceUMin, 0b111, signed)[0][0], Ok(0));
        assert_eq!(all(CrossLaneKind::ReduceAdd, 0b111, signed)[0][0], Ok(0xffff_fffd));
        assert_eq!(all(CrossLaneKind::Elect, 0b110, parity)[1], [Ok(1), Ok(1)]);
        assert_eq!(all(CrossLaneKind::Elect, 0b110, parity)[2], [Ok(1), Ok(0)]);
    }

    #[test]
    fn a_mask_needs_all_its_lanes_that_have_not_ended() {
        assert_eq!(group(0b111, 0b011, 0b111), None);
        assert_eq!(group(0b111, 0b011, 0b011), Some(0b011));
        assert_eq!(group(0b010, 0b001, 0b011), None);
    }
}
