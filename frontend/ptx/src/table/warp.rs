//! Exchanges among the lanes of a warp (PTX ISA 9.7.9, 9.7.13).

use heddle_ir::CrossLaneKind;

use super::super::class::Class;
use super::super::pattern::Modifiers;
use super::super::types::{Type, TypeKind};
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "shfl.sync.up|down|bfly|idx.b32",
        operands: "dest dest_pred? value lane clamp mask",
        class: shuffle,
    },
    Row {
        pattern: "shfl.up|down|bfly|idx.b32",
        operands: "dest dest_pred? value lane clamp",
        class: shuffle,
    },
    Row { pattern: "vote.sync.all|any|uni.pred", operands: "dest predicate mask", class: vote },
    Row { pattern: "vote.all|any|uni.pred", operands: "dest predicate", class: vote },
    Row { pattern: "vote.sync.ballot.b32", operands: "dest predicate mask", class: vote },
    Row { pattern: "vote.ballot.b32", operands: "dest predicate", class: vote },
    Row {
        pattern: "match.any.sync.b32|b64",
        operands: "dest value mask",
        class: |m| lanes(m, CrossLaneKind::MatchAny),
    },
    Row {
        pattern: "match.all.sync.b32|b64",
        operands: "dest dest_pred? value mask",
        class: |m| lanes(m, CrossLaneKind::MatchAll),
    },
    Row { pattern: "redux.sync.add|min|max.u32|s32", operands: "dest value mask", class: reduce },
    Row { pattern: "redux.sync.and|or|xor.b32", operands: "dest value mask", class: reduce },
    Row {
        pattern: "elect.sync",
        operands: "dest dest_pred mask",
        class: |_| {
            let ty = Type { kind: TypeKind::Bits, bits: 32, lanes: 1 };
            Some(Class::CrossLane { kind: CrossLaneKind::Elect, ty })
        },
    },
    Row {
        pattern: "activemask.b32",
        operands: "dest",
        class: |m| lanes(m, CrossLaneKind::ActiveMask),
    },
];

fn lanes(m: &Modifiers<'_>, kind: CrossLaneKind) -> Option<Class> {
    Some(Class::CrossLane { kind, ty: m.types().next()? })
}

fn shuffle(m: &Modifiers<'_>) -> Option<Class> {
    let kind = m.first(|name| {
        Some(match name {
            "up" => CrossLaneKind::ShuffleUp,
            "down" => CrossLaneKind::ShuffleDown,
            "bfly" => CrossLaneKind::ShuffleBfly,
            "idx" => CrossLaneKind::ShuffleIdx,
            _ => return None,
        })
    })?;
    lanes(m, kind)
}

fn vote(m: &Modifiers<'_>) -> Option<Class> {
    let kind = m.first(|name| {
        Some(match name {
            "all" => CrossLaneKind::VoteAll,
            "any" => CrossLaneKind::VoteAny,
            "uni" => CrossLaneKind::VoteUniform,
            "ballot" => CrossLaneKind::Ballot,
            _ => return None,
        })
    })?;
    lanes(m, kind)
}

fn reduce(m: &Modifiers<'_>) -> Option<Class> {
    let signed = m.has("s32");
    let kind = m.first(|name| {
        Some(match (name, signed) {
            ("add", _) => CrossLaneKind::ReduceAdd,
            ("min", false) => CrossLaneKind::ReduceUMin,
            ("min", true) => CrossLaneKind::ReduceSMin,
            ("max", false) => CrossLaneKind::ReduceUMax,
            ("max", true) => CrossLaneKind::ReduceSMax,
            ("and", _) => CrossLaneKind::ReduceAnd,
            ("or", _) => CrossLaneKind::ReduceOr,
            ("xor", _) => CrossLaneKind::ReduceXor,
            _ => return None,
        })
    })?;
    lanes(m, kind)
}
