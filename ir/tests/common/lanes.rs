//! What lanes exchange, and what is not modelled, of drawn kernels.

use heddle_ir::{CrossLane, CrossLaneKind, ExprId, OpKind, Opaque, Space, Touches};

use super::Make;

impl Make {
    pub(super) fn cross_lane(&mut self) -> (OpKind, Vec<u8>) {
        let kind = self.random.pick(CrossLaneKind::ALL);
        let mask = (self.random.below(2) == 0).then(|| self.of_width(32));
        let (args, results): (Vec<ExprId>, Vec<u8>) = match kind {
            CrossLaneKind::ShuffleIdx
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly => {
                let args = vec![self.of_width(64), self.of_width(32), self.of_width(32)];
                (args, vec![64, 1])
            }
            CrossLaneKind::VoteAll | CrossLaneKind::VoteAny | CrossLaneKind::VoteUniform => {
                (vec![self.of_width(1)], vec![1])
            }
            CrossLaneKind::Ballot => (vec![self.of_width(1)], vec![32]),
            CrossLaneKind::MatchAny => (vec![self.of_width(64)], vec![32]),
            CrossLaneKind::MatchAll => (vec![self.of_width(32)], vec![32, 1]),
            CrossLaneKind::ReduceAdd
            | CrossLaneKind::ReduceUMin
            | CrossLaneKind::ReduceUMax
            | CrossLaneKind::ReduceSMin
            | CrossLaneKind::ReduceSMax
            | CrossLaneKind::ReduceAnd
            | CrossLaneKind::ReduceOr
            | CrossLaneKind::ReduceXor => (vec![self.of_width(32)], vec![32]),
            CrossLaneKind::Elect => (vec![], vec![32, 1]),
            CrossLaneKind::ActiveMask => (vec![], vec![32]),
        };
        let wanted = results.len() - self.random.below(results.len());
        (OpKind::CrossLane(CrossLane { kind, mask, args: args.into() }), results[..wanted].to_vec())
    }

    pub(super) fn opaque(&mut self) -> (OpKind, Vec<u8>) {
        let mut touches = Touches::nothing();
        if self.random.below(2) == 0 {
            touches.reads.push(self.address(2));
            touches.reads_spaces.push(self.random.pick(Space::ALL));
        }
        if self.random.below(2) == 0 {
            touches.writes.extend([self.address(0), self.address(3)]);
        } else {
            touches.writes_spaces.extend([Space::Shared, Space::Global]);
        }
        let args = (0..self.random.below(3)).map(|_| self.any()).collect();
        let may_synchronize = self.random.below(2) == 0;
        let name = self.random.pick(&["llvm.nvvm.tex", "call \"f\""]).to_owned();
        (OpKind::Opaque(Opaque { name, args, touches, may_synchronize }), vec![128, 7])
    }
}
