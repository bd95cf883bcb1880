//! Could release and acquire order the two accesses of a race? Asked before anything is called racy.
//!
//! **Promises**: `None` only if no run can order the two by fences and atomics: one thread would have to release behind its
//! access (a fence and then an atomic or volatile write, or such a write that releases), the other to acquire before
//! its own (PTX ISA, section 8.8), both with a scope that includes the other; through others or directly.
//! **Does not**: say that they are ordered ([`super::locks`] and [`super::ticket`] do, for what they know).

use heddle_ir::{
    Access, Barrier, BarrierAction, BinOp, ClusterAction, ExprId, ExprKind, Kernel, OpId, OpKind,
    Order, Scope, UnOp,
};

use rustc_hash::FxHashSet;

use super::pair::Candidate;
use crate::cx::Cx;
use crate::instance::Placement;

/// What else could order the two accesses of a candidate, where something could: synchronization that the
/// race passes do not follow.
pub(super) fn may_be_ordered(cx: &Cx<'_>, candidate: &Candidate<'_>) -> Option<OpId> {
    let kernel = cx.kernel;
    let mut found = None;
    let mut barriers = false;
    kernel.for_each_op(|op, _| {
        let orders = match &kernel[op].kind {
            OpKind::Barrier(barrier) => {
                barriers = true;
                match barrier {
                    Barrier::Named { action, count, .. } => {
                        candidate.placement != Placement::DifferentBlocks
                            && (count.is_some() || *action == BarrierAction::Arrive)
                    }
                    Barrier::Mbarrier { .. } => true,
                    Barrier::Cluster { action, .. } => *action != ClusterAction::Sync,
                    Barrier::Block { .. } | Barrier::Warp { .. } | Barrier::Grid => false,
                }
            }
            OpKind::Opaque(opaque) => opaque.may_synchronize,
            OpKind::Access(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Exit(_) => false,
        };
        if orders {
            found = found.or(Some(op));
        }
    });
    let needed = match candidate.placement {
        Placement::DifferentBlocks => Scope::Device,
        Placement::SameBlock | Placement::SameWarp | Placement::DifferentWarps => Scope::Block,
    };
    let search = Search { cx, needed, barriers };
    let [a, b] = candidate.ops;
    found
        .or_else(|| search.handed_over(a, b))
        .or_else(|| search.handed_over(b, a))
        .or_else(|| search.is_flag([a, b]))
}

struct Search<'a, 'k> {
    cx: &'a Cx<'k>,
    needed: Scope,
    /// Threads of a block may do parts of a pattern for each other.
    barriers: bool,
}

impl Search<'_, '_> {
    /// What might release behind `from`, if something might acquire before `to` too.
    fn handed_over(&self, from: OpId, to: OpId) -> Option<OpId> {
        let released = self.released_behind(from)?;
        self.acquired_before(to).then_some(released)
    }

    /// A fence, where both are strong accesses to something that decides who does what: the flag itself.
    /// `ld.volatile` and `st.volatile` are relaxed by the PTX ISA (section 8.4), and no race.
    fn is_flag(&self, ops: [OpId; 2]) -> Option<OpId> {
        let kernel = self.cx.kernel;
        let fence = self.fences().next()?;
        let object = self.strong(ops[0])?.address.object;
        self.strong(ops[1])?;
        let mut work: Vec<ExprId> = kernel.ops.values().map(|op| op.pred).collect();
        work.extend(kernel.loops.values().flat_map(|it| [it.pred, it.cont]));
        let mut seen = FxHashSet::default();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let ExprKind::Result(op, _) = kernel[id].kind
                && self.strong(op).is_some_and(|access| access.address.object == object)
            {
                return Some(fence);
            }
            if let ExprKind::Var(var) = kernel[id].kind {
                work.push(kernel[var].next);
            }
            kernel.exprs.for_each_operand(id, |operand| work.push(operand));
        }
        None
    }

    fn released_behind(&self, op: OpId) -> Option<OpId> {
        let kernel = self.cx.kernel;
        kernel.ops.keys().find_map(|write| {
            let access = self.strong(write).filter(|access| access.writes())?;
            let by_itself =
                matches!(access.order, Some((Order::Release | Order::AcqRel | Order::SeqCst, _)))
                    && self.may_follow(op, write);
            let fence = || {
                self.fences()
                    .find(|fence| self.may_follow(op, *fence) && self.may_follow(*fence, write))
            };
            if by_itself { Some(write) } else { fence() }
        })
    }

    /// Where the access itself is volatile or atomic, many a program goes without the second fence, and reading the flag
    /// is believed to do.
    fn acquired_before(&self, op: OpId) -> bool {
        let kernel = self.cx.kernel;
        let needs_fence = self.strong(op).is_none();
        kernel.ops.keys().any(|read| {
            let Some(access) = self.strong(read).filter(|access| access.reads()) else {
                return false;
            };
            let by_itself =
                matches!(access.order, Some((Order::Acquire | Order::AcqRel | Order::SeqCst, _)));
            ((by_itself || !needs_fence) && self.may_follow(read, op))
                || self
                    .fences()
                    .any(|fence| self.may_follow(read, fence) && self.may_follow(fence, op))
        })
    }

    /// An atomic or volatile access that reaches the other thread.
    fn strong(&self, op: OpId) -> Option<&Access> {
        match &self.cx.kernel[op].kind {
            OpKind::Access(access) => {
                let wide = access.order.is_some_and(|(_, scope)| scope >= self.needed);
                (wide || access.volatile).then_some(access)
            }
            _ => None,
        }
    }

    fn fences(&self) -> impl Iterator<Item = OpId> {
        let kernel = self.cx.kernel;
        kernel.ops.iter().filter_map(|(op, it)| match it.kind {
            OpKind::Fence { scope, .. } if scope >= self.needed => Some(op),
            _ => None,
        })
    }

    /// Whether a thread that does one operation may do the other behind it, or another thread for it.
    fn may_follow(&self, earlier: OpId, later: OpId) -> bool {
        let order = &self.cx.analysis.order;
        let kernel = self.cx.kernel;
        let repeated = !order.chain(earlier).is_empty()
            && order.chain(earlier).first() == order.chain(later).first();
        if repeated {
            return true;
        }
        let guard = |op: OpId| match order.chain(op).first() {
            Some(outermost) => kernel[*outermost].pred,
            None => kernel[op].pred,
        };
        order.before(earlier, later)
            && (self.barriers || !exclude(kernel, guard(earlier), guard(later)))
    }
}

/// Whether two predicates plainly do not hold together: one has a conjunct that is the other's negated.
fn exclude(kernel: &Kernel, one: ExprId, two: ExprId) -> bool {
    let [one, two] = [one, two].map(|it| conjuncts(kernel, it));
    let negated = |a: &ExprId, b: &ExprId| match kernel[*a].kind {
        ExprKind::Unary(UnOp::Not, inner) => inner == *b,
        _ => false,
    };
    one.iter().any(|a| two.iter().any(|b| negated(a, b) || negated(b, a)))
}

fn conjuncts(kernel: &Kernel, id: ExprId) -> Vec<ExprId> {
    let mut work = vec![id];
    let mut all = Vec::new();
    while let Some(id) = work.pop() {
        match kernel[id].kind {
            ExprKind::Binary(BinOp::And, _, a, b) => work.extend([a, b]),
            _ => all.push(id),
        }
    }
    all
}
