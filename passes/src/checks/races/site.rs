//! The accesses of a kernel that can race, in groups that one question can be asked about.

use heddle_ir::{
    Access, AccessKind, Barrier, ExprId, Item, Kernel, LoopId, MemoryOrder, ObjectId, ObjectKind,
    Op, OpId, OpKind, Orders, Remote, Scope, Space, TouchedBy,
};
use rustc_hash::FxHashMap;

use super::template::{Shape, Template, shape};
use crate::facts::order::{Level, separates};

/// An access to memory that other threads see; or several, which differ in one constant of their
/// offset, and stand under one predicate with no barrier, and nothing about copies, between them.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The first.
    pub(crate) op: OpId,
    /// All, in order, each with its constant.
    pub(crate) members: Vec<(OpId, i128)>,
    shape: Option<Shape>,
    pub(crate) object: ObjectId,
    pub(crate) writes: bool,
    /// The scope of an atomic, or of an ordered load or store.
    pub(crate) atomic: Option<Scope>,
    /// Where it goes, if to the shared memory of a block of the cluster.
    pub(crate) remote: Option<Remote>,
}

/// The first operations of a pair.
pub(crate) fn ops_of([a, b]: &[Site; 2]) -> Vec<OpId> {
    vec![a.op, b.op]
}

impl Site {
    /// The object that it goes to, of whichever block.
    pub(crate) fn place(&self) -> ObjectId {
        self.remote.as_ref().map_or(self.object, |it| it.object)
    }

    /// The offset that stands for all members; `None` for one.
    pub(crate) fn template(&self) -> Option<Template> {
        let constants: Vec<_> = self.members.iter().map(|(_, c)| *c).collect();
        (constants.len() > 1).then(|| Template::of(self.shape.as_ref()?, &constants))?
    }

    /// The lower and the upper half of the members, by constant.
    pub(crate) fn halves(&self) -> [Site; 2] {
        let mut members = self.members.clone();
        members.sort_by_key(|(op, c)| (*c, *op));
        let upper = members.split_off(members.len() / 2);
        [members, upper].map(|members| Site { op: members[0].0, members, ..self.clone() })
    }
}

/// What members of one group have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    chain: Vec<LoopId>,
    segment: u32,
    pred: ExprId,
    object: ObjectId,
    size: ExprId,
    writes: bool,
    atomic: Option<Scope>,
    order: Option<(MemoryOrder, Scope)>,
    volatile: bool,
    element: Option<u128>,
    shape: Shape,
}

/// All sites, grouped, in the order of their first members.
pub(crate) fn grouped_sites(kernel: &Kernel) -> Vec<Site> {
    let segments = segments(kernel);
    let mut groups: Vec<Site> = Vec::new();
    let mut index: FxHashMap<Key, usize> = FxHashMap::default();
    let chains = {
        let mut chains = FxHashMap::default();
        kernel.for_each_op(|op, around| {
            chains.insert(op, around.to_vec());
        });
        chains
    };
    for site in sites(kernel) {
        let shaped = if site.remote.is_none() { shape(kernel, site.op) } else { None };
        let (Some(access), Some((shape, constant))) = (kernel.access(site.op), shaped) else {
            groups.push(site);
            continue;
        };
        let key = Key {
            chain: chains[&site.op].clone(),
            segment: segments[&site.op],
            pred: kernel[site.op].pred,
            object: site.object,
            size: access.size,
            writes: site.writes,
            atomic: site.atomic,
            order: access.order,
            volatile: access.volatile,
            element: kernel.element_size(site.op),
            shape: shape.clone(),
        };
        match index.get(&key) {
            Some(&at) => groups[at].members.push((site.op, constant)),
            None => {
                index.insert(key, groups.len());
                let members = vec![(site.op, constant)];
                groups.push(Site { members, shape: Some(shape), ..site });
            }
        }
    }
    groups
}

/// For each operation, the number of barriers and of operations about copies, and of loops with
/// such, before it in its region.
fn segments(kernel: &Kernel) -> FxHashMap<OpId, u32> {
    fn walk(kernel: &Kernel, items: &[Item], segments: &mut FxHashMap<OpId, u32>) -> bool {
        let mut segment = 0;
        for item in items {
            let cuts = match *item {
                Item::Op(op) => {
                    segments.insert(op, segment);
                    // Copies are over at a wait, and not before.
                    let copies = kernel[op].kind.effects().orders;
                    separates(kernel, op, Level::Warp)
                        || matches!(
                            copies,
                            Some(Orders::Copies | Orders::Barrier(Barrier::Cluster { .. }))
                        )
                }
                Item::Loop(inner) => walk(kernel, &kernel[inner].body.items, segments),
            };
            segment += u32::from(cuts);
        }
        segment > 0
    }
    let mut segments = FxHashMap::default();
    walk(kernel, &kernel.body.items, &mut segments);
    segments
}

/// All sites one by one, in the order of the tree.
fn sites(kernel: &Kernel) -> Vec<Site> {
    let mut sites = Vec::new();
    kernel.for_each_op(|op, _| {
        for touch in kernel[op].kind.effects().touches {
            match touch.by {
                TouchedBy::Access(access) => sites.extend(site(kernel, op, access)),
                // Not pairs of accesses: see `left_out`.
                TouchedBy::Copy | TouchedBy::BarrierObject | TouchedBy::NotModelled => {}
            }
        }
    });
    sites
}

/// An access as a site, if other threads see its memory.
fn site(kernel: &Kernel, op: OpId, access: &Access) -> Option<Site> {
    let object = access.address.object;
    match kernel[object].space {
        Space::Local | Space::Constant => return None,
        Space::Global | Space::Shared | Space::Generic => {}
    }
    let scope = access.order.map(|(_, scope)| scope);
    let atomic = match access.kind {
        AccessKind::Atomic(..) => Some(scope.unwrap_or(Scope::Device)),
        AccessKind::Load | AccessKind::Store(_) => scope,
    };
    let members = vec![(op, 0)];
    let remote = Remote::of(kernel, access);
    Some(Site { op, members, shape: None, object, writes: access.writes(), atomic, remote })
}

/// Whether two threads could race with these, as far as objects and kinds tell. `needed` is the
/// scope at which two atomics do not race. Atomics of different sizes do: they are strong towards
/// each other only if they touch the same bytes (PTX ISA, section 8.7.1); those of one size are
/// aligned, and touch the same bytes or none in common.
pub(crate) fn may_race(kernel: &Kernel, a: &Site, b: &Site, needed: Scope) -> bool {
    let inclusive = match (a.atomic, b.atomic) {
        (Some(x), Some(y)) => {
            x >= needed && y >= needed && (x == y || !kernel.target.has_strict_scopes())
        }
        _ => false,
    };
    let both_atomic = inclusive && kernel.element_size(a.op) == kernel.element_size(b.op);
    (a.writes || b.writes) && !both_atomic && may_be_one(kernel, a, b)
}

/// Whether two accesses may go to one object.
fn may_be_one(kernel: &Kernel, a: &Site, b: &Site) -> bool {
    let to_block = |remote: &Remote, other: &Site| {
        other.object == remote.object
            || kernel[other.object].kind == ObjectKind::Unknown
                && kernel[other.object].space.may_be(Space::Shared)
    };
    match (&a.remote, &b.remote) {
        (None, None) => kernel.may_alias(a.object, b.object),
        (Some(a), Some(b)) => a.object == b.object,
        (Some(remote), None) => to_block(remote, b),
        (None, Some(remote)) => to_block(remote, a),
    }
}

/// Whether threads of different blocks may meet there: what two threads call by the name of a
/// shared object is one memory for each block.
pub(crate) fn meet_across(kernel: &Kernel, [a, b]: [&Site; 2]) -> bool {
    let is_own = |site: &Site| {
        let object = &kernel[site.object];
        object.space == Space::Shared && object.kind != ObjectKind::Unknown
    };
    crosses_blocks(kernel, a) && crosses_blocks(kernel, b) && !(is_own(a) && is_own(b))
}

/// Whether blocks share the object. Blocks of a cluster reach each other's shared memory, by
/// addresses that come from elsewhere (`mapa`).
pub(crate) fn crosses_blocks(kernel: &Kernel, site: &Site) -> bool {
    match kernel[site.object].space {
        Space::Global | Space::Generic => true,
        Space::Shared => reaches_other_blocks(kernel),
        Space::Local | Space::Constant => false,
    }
}

/// Whether an address of the kernel may lead into the shared memory of another block.
pub(super) fn reaches_other_blocks(kernel: &Kernel) -> bool {
    // A launch may give the size, too; who asks for another block's memory has such launches.
    let has_cluster = match kernel.launch.cluster {
        Some(size) => size != [1; 3],
        None => kernel.maps_to_blocks(),
    };
    let from_elsewhere = |id: ObjectId| {
        kernel[id].kind == ObjectKind::Unknown && kernel[id].space.may_be(Space::Shared)
    };
    has_cluster && kernel.objects.keys().any(from_elsewhere)
}

/// Whether other blocks may touch what a copy touches, one of the two writing.
pub(crate) fn meets_other_blocks(kernel: &Kernel, op: OpId) -> bool {
    let OpKind::AsyncCopy(copy) = &kernel[op].kind else { return false };
    let is_shared = |object: ObjectId| kernel[object].space == Space::Shared;
    let writes_source = |other: &Op| {
        other.kind.effects().writes().any(|touch| match touch.by {
            TouchedBy::Access(_) | TouchedBy::Copy => {
                touch.place.may_be(kernel, copy.source.object)
            }
            // What is not modelled keeps everything unproved; barrier objects are in shared memory.
            TouchedBy::BarrierObject | TouchedBy::NotModelled => false,
        })
    };
    !is_shared(copy.destination.object)
        || !is_shared(copy.source.object) && kernel.ops.values().any(writes_source)
}

/// Whether one of the two may be done by other lanes than the one that gives the address.
pub(super) fn is_by_warp(kernel: &Kernel, pair: [&Site; 2]) -> bool {
    let mut members = pair.into_iter().flat_map(|site| &site.members);
    members.any(|(op, _)| kernel.access(*op).is_some_and(|access| access.by_warp))
}
