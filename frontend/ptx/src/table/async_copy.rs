//! Asynchronous copies (PTX ISA 9.7.9), and prefetches.

use super::super::class::{BulkCompletion, BulkCopy, BulkKind, CacheLevel, Class, Tensor};
use super::super::pattern::Modifiers;
use super::super::types::Space;
use super::Row;
use super::memory::atomic_op;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "cp.async.ca.shared|shared::cta.global{.CACHE}*",
        operands: "address source size source_size? ignore_source? cache_policy@L2::cache_hint",
        class: |_| Some(Class::CpAsync(CacheLevel::All)),
    },
    Row {
        pattern: "cp.async.cg.shared|shared::cta.global{.CACHE}*",
        operands: "address source size source_size? ignore_source? cache_policy@L2::cache_hint",
        class: |_| Some(Class::CpAsync(CacheLevel::Global)),
    },
    Row { pattern: "cp.async.commit_group", operands: "", class: |_| Some(Class::CpAsyncCommit) },
    Row {
        pattern: "cp.async.wait_group",
        operands: "pending",
        class: |_| Some(Class::CpAsyncWait),
    },
    Row { pattern: "cp.async.wait_all", operands: "", class: |_| Some(Class::CpAsyncWait) },
    Row {
        pattern: "cp.async.mbarrier.arrive{.noinc}{.shared|shared::cta}.b64",
        operands: "mbarrier",
        class: |m| {
            let space = m.spaces().next().unwrap_or(Space::Generic);
            Some(Class::CpAsyncArrive { no_increment: m.has("noinc"), space })
        },
    },
    Row { pattern: "cp.async.bulk.commit_group", operands: "", class: |_| Some(Class::BulkCommit) },
    Row {
        pattern: "cp.async.bulk.wait_group{.read}",
        operands: "pending",
        class: |m| Some(Class::BulkWait { read_only: m.has("read") }),
    },
    Row {
        pattern: "cp.async.bulk.shared::cluster|shared::cta.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.L2::cache_hint}",
        operands: "address source size mbarrier multicast@multicast::cluster cache_policy@L2::cache_hint",
        class: |m| bulk(m, BulkKind::Copy),
    },
    Row {
        pattern: "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
        operands: "address source size mbarrier",
        class: |m| bulk(m, BulkKind::Copy),
    },
    Row {
        pattern: "cp.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}{.cp_mask}",
        operands: "address source size cache_policy@L2::cache_hint byte_mask@cp_mask",
        class: |m| bulk(m, BulkKind::Copy),
    },
    Row {
        pattern: "cp.async.bulk.tensor.DIM.shared::cluster|shared::cta.global{.tile|tile::gather4|im2col|im2col::w|im2col::w::128}.mbarrier::complete_tx::bytes{.multicast::cluster}{.cta_group::1|cta_group::2}{.L2::cache_hint}",
        operands: "address source mbarrier im2col? multicast@multicast::cluster cache_policy@L2::cache_hint",
        class: |m| bulk(m, BulkKind::Copy),
    },
    Row {
        pattern: "cp.async.bulk.tensor.DIM.global.shared::cta{.tile|tile::scatter4|im2col_no_offs}.bulk_group{.L2::cache_hint}",
        operands: "address source cache_policy@L2::cache_hint",
        class: |m| bulk(m, BulkKind::Copy),
    },
    Row {
        pattern: "cp.reduce.async.bulk.tensor.DIM.global.shared::cta.add|min|max|inc|dec|and|or|xor{.tile|im2col_no_offs}.bulk_group{.L2::cache_hint}",
        operands: "address source cache_policy@L2::cache_hint",
        class: reduce,
    },
    Row {
        pattern: "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add|min|max|inc|dec|and|or|xor.TYPE",
        operands: "address source size mbarrier",
        class: reduce,
    },
    Row {
        pattern: "cp.reduce.async.bulk.global.shared::cta.bulk_group{.L2::cache_hint}.add|min|max|inc|dec|and|or|xor{.noftz}.TYPE",
        operands: "address source size cache_policy@L2::cache_hint",
        class: reduce,
    },
    Row {
        pattern: "cp.async.bulk.prefetch.L2.global{.L2::cache_hint}",
        operands: "source size cache_policy@L2::cache_hint",
        class: |_| Some(Class::Hint),
    },
    Row {
        pattern: "cp.async.bulk.prefetch.tensor.DIM.L2.global{.tile|tile::gather4|im2col|im2col::w|im2col::w::128}{.L2::cache_hint}",
        operands: "source im2col? cache_policy@L2::cache_hint",
        class: |_| Some(Class::Hint),
    },
    Row {
        pattern: "prefetch{.global|local}.L1|L2|L2::evict_last|L2::evict_normal",
        operands: "address",
        class: |_| Some(Class::Hint),
    },
    Row {
        pattern: "prefetch{.const|param}.tensormap",
        operands: "address",
        class: |_| Some(Class::Hint),
    },
    Row { pattern: "prefetchu.L1", operands: "address", class: |_| Some(Class::Hint) },
    Row {
        pattern: "applypriority{.global}.L2::evict_normal",
        operands: "address size",
        class: |_| Some(Class::Hint),
    },
];

fn bulk(m: &Modifiers<'_>, kind: BulkKind) -> Option<Class> {
    let mut spaces = m.spaces();
    let (destination, source) = (spaces.next()?, spaces.next()?);
    let dimensions = m.first(|m| match m {
        "1d" => Some(1),
        "2d" => Some(2),
        "3d" => Some(3),
        "4d" => Some(4),
        "5d" => Some(5),
        _ => None,
    });
    let other_shape =
        m.first(|m| (m.starts_with("im2col") || m.starts_with("tile::")).then_some(()));
    let completion =
        if m.has("bulk_group") { BulkCompletion::Group } else { BulkCompletion::Mbarrier };
    Some(Class::BulkCopy(BulkCopy {
        kind,
        destination,
        source,
        completion,
        tensor: dimensions.map(|dimensions| Tensor { dimensions, tiled: other_shape.is_none() }),
        multicast: m.has("multicast::cluster"),
    }))
}

/// The element type of a tensor is in its map, so there the opcode does not say what is computed.
fn reduce(m: &Modifiers<'_>) -> Option<Class> {
    let op = match m.types().next() {
        Some(ty) => Some((m.first(|name| atomic_op(name, ty))?, ty)),
        None => None,
    };
    bulk(m, BulkKind::Reduce(op))
}
