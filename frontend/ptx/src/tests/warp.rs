//! Exchanges among the lanes of a warp: shuffles, votes, matches, masks.

use heddle_ir::CrossLaneKind;

use super::super::class::Class;
use super::super::instruction::Role;
use super::super::types::Type;
use super::{check, roles};

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    let lanes = |kind, ty| Class::CrossLane { kind, ty: Type::parse(ty).expect("a type") };
    vec![
        ("shfl.sync.up.b32 r0|p, $2, 1, 0, -1;", lanes(CrossLaneKind::ShuffleUp, "b32")),
        ("shfl.sync.down.b32 $0, $2, 16, 0x1f, $4;", lanes(CrossLaneKind::ShuffleDown, "b32")),
        ("shfl.sync.bfly.b32 $0, $2, r1, 31, r2;", lanes(CrossLaneKind::ShuffleBfly, "b32")),
        ("shfl.idx.b32 $0|p, $2, 0, 31;", lanes(CrossLaneKind::ShuffleIdx, "b32")),
        ("vote.sync.all.pred p, q, 0xffffffff;", lanes(CrossLaneKind::VoteAll, "pred")),
        ("vote.sync.any.pred p, !q, $2;", lanes(CrossLaneKind::VoteAny, "pred")),
        ("vote.uni.pred p, q;", lanes(CrossLaneKind::VoteUniform, "pred")),
        ("vote.sync.ballot.b32 $0, p, r0;", lanes(CrossLaneKind::Ballot, "b32")),
        ("vote.ballot.sync.b32 $0, p, r0;", lanes(CrossLaneKind::Ballot, "b32")),
        ("match.sync.any.b32 $0, $2, r0;", lanes(CrossLaneKind::MatchAny, "b32")),
        ("vote.ballot.b32 $0, p;", lanes(CrossLaneKind::Ballot, "b32")),
        ("match.any.sync.b32 $0, $2, r0;", lanes(CrossLaneKind::MatchAny, "b32")),
        ("match.all.sync.b64 $0|p, $3, r0;", lanes(CrossLaneKind::MatchAll, "b64")),
        ("redux.sync.add.s32 $0, $2, r0;", lanes(CrossLaneKind::ReduceAdd, "s32")),
        ("redux.sync.min.s32 $0, $2, r0;", lanes(CrossLaneKind::ReduceSMin, "s32")),
        ("redux.sync.max.u32 $0, $2, r0;", lanes(CrossLaneKind::ReduceUMax, "u32")),
        ("redux.sync.xor.b32 $0, $2, r0;", lanes(CrossLaneKind::ReduceXor, "b32")),
        ("elect.sync _|p, $2;", lanes(CrossLaneKind::Elect, "b32")),
        ("activemask.b32 $0;", lanes(CrossLaneKind::ActiveMask, "b32")),
    ]
}

#[test]
fn exchanges() {
    check(&examples());
}

#[test]
fn the_predicate_beside_a_result_has_a_role_of_its_own() {
    let with = "shfl.sync.idx.b32 r0|p, $2, 1, 31, -1;";
    assert_eq!(
        roles(with),
        [Role::Dest, Role::DestPred, Role::Value, Role::Lane, Role::Clamp, Role::Mask]
    );
    assert_eq!(roles("elect.sync r0|p, -1;"), [Role::Dest, Role::DestPred, Role::Mask]);
    check(&[("redux.sync.min.abs.NaN.f32 f0, f1, -1;", Class::Unknown)]);
}
