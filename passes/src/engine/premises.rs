//! What the proofs of a check take for granted before anything is asked.
//!
//! **What**: the launch; that accesses stay in their objects, which do not overlap; that all
//! threads meet at block barriers. The facts and the engine use these without asking, so each check
//! that asks about runs of a kernel begins with them: [`Obligations::new`] takes no less.
//! **Sound because**: a premise that a property shows itself, or that does not concern the kernel,
//! is left out by name ([`Premises::but`]), and what is left is named by the answer. Where another
//! property shows one, its own premises are named instead (`checks.rs`).
//! **Misses**: which question used which premise; an answer may name one that it did not need.
//! **Does not**: name what single questions rely on; that travels with their evidence.
//!
//! [`Obligations::new`]: heddle_diagnostics::Obligations::new

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;

use crate::engine::cx::Cx;
use crate::facts::loads::tells_apart;
use crate::facts::order::waits_for_block;

/// Assumptions that a check begins with.
#[derive(Clone, Debug)]
pub(crate) struct Premises {
    all: BTreeSet<Assumption>,
}

impl Premises {
    /// Of questions about where threads go: the launch, and loops that end.
    pub(crate) fn of_control(cx: &Cx<'_>) -> Premises {
        Premises { all: cx.analysis.assumptions().into_iter().collect() }
    }

    /// Of questions about what threads do to memory, and what memory holds.
    pub(crate) fn of_memory(cx: &Cx<'_>) -> Premises {
        let Premises { mut all } = Premises::of_control(cx);
        all.insert(Assumption::InBounds);
        if tells_apart(cx.kernel) {
            all.insert(Assumption::DistinctPointers);
        }
        if cx.kernel.ops.values().any(|op| waits_for_block(&op.kind)) {
            all.insert(Assumption::UniformBarriers);
        }
        all.extend(cx.analysis.order.regular().relies.iter().cloned());
        Premises { all }
    }

    /// Of a run that is followed thread by thread: the launch alone.
    pub(crate) fn of_trace(cx: &Cx<'_>) -> Premises {
        Premises { all: cx.launch.assumptions(cx.kernel).into_iter().collect() }
    }

    /// Those and another one.
    #[must_use]
    pub(crate) fn and(mut self, assumption: Assumption) -> Premises {
        self.all.insert(assumption);
        self
    }

    /// Those without what the property itself is about.
    #[must_use]
    pub(crate) fn but(mut self, assumption: &Assumption) -> Premises {
        self.all.remove(assumption);
        self
    }
}

impl IntoIterator for Premises {
    type Item = Assumption;
    type IntoIter = std::collections::btree_set::IntoIter<Assumption>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter()
    }
}
