//! The accesses of a kernel that can race, and the pairs of them worth asking about.

use heddle_ir::{AccessKind, Kernel, ObjectId, OpId, OpKind, Scope, Space};

use crate::memory::may_alias;

/// An access to memory that other threads see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) op: OpId,
    pub(crate) object: ObjectId,
    pub(crate) writes: bool,
    /// The scope of an atomic, or of an ordered load or store.
    pub(crate) atomic: Option<Scope>,
}

/// All sites, in the order of the tree.
pub(crate) fn sites(kernel: &Kernel) -> Vec<Site> {
    let mut sites = Vec::new();
    kernel.for_each_op(|op, _| {
        let OpKind::Access(access) = &kernel[op].kind else { return };
        let object = access.address.object;
        if matches!(kernel[object].space, Space::Local | Space::Constant) {
            return;
        }
        let scope = access.order.map(|(_, scope)| scope);
        let atomic = match access.kind {
            AccessKind::Atomic(..) => Some(scope.unwrap_or(Scope::Device)),
            AccessKind::Load | AccessKind::Store(_) => scope,
        };
        sites.push(Site { op, object, writes: access.writes(), atomic });
    });
    sites
}

/// Whether two threads could race with these, as far as objects and kinds tell. `needed` is the scope at
/// which two atomics do not race.
pub(crate) fn may_race(kernel: &Kernel, a: &Site, b: &Site, needed: Scope) -> bool {
    let both_atomic =
        matches!((a.atomic, b.atomic), (Some(x), Some(y)) if x >= needed && y >= needed);
    (a.writes || b.writes) && !both_atomic && may_alias(kernel, a.object, b.object)
}

/// Whether blocks share the object.
pub(crate) fn crosses_blocks(kernel: &Kernel, site: &Site) -> bool {
    match kernel[site.object].space {
        Space::Global | Space::Generic => true,
        Space::Shared | Space::Local | Space::Constant => false,
    }
}
