//! What a run needs to know of a kernel, found once per session.

use std::collections::BTreeMap;

use heddle_ir::cranelift_entity::EntitySet;
use heddle_ir::{ExprId, ExprKind, Kernel, LoopId, Scopes};

#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) scopes: Scopes,
    /// Per loop, the expressions that are looked at after it.
    exits: BTreeMap<LoopId, Vec<ExprId>>,
    /// Who arrives at the barrier of its cluster waits there at once.
    pub(crate) cluster_arrivals_wait: bool,
}

impl Plan {
    pub(crate) fn of(kernel: &Kernel) -> Plan {
        let mut reached: EntitySet<ExprId> = EntitySet::new();
        for op in kernel.ops.values().filter(|it| !it.kind.is_subscript()) {
            op.for_each_expr(|expr| _ = reached.insert(expr));
        }
        for inner in kernel.loops.values() {
            reached.extend([inner.pred, inner.cont]);
        }
        for var in kernel.vars.values() {
            reached.extend([var.init, var.next]);
        }
        let mut exits: BTreeMap<LoopId, Vec<ExprId>> = BTreeMap::new();
        // Operands come before users: one pass from the end reaches all.
        let all: Vec<ExprId> = kernel.exprs.iter().map(|(id, _)| id).collect();
        for id in all.into_iter().rev() {
            if !reached.contains(id) {
                continue;
            }
            kernel.exprs.for_each_operand(id, |operand| _ = reached.insert(operand));
            if let ExprKind::Exit(of, inner) = kernel[id].kind {
                exits.entry(of).or_default().push(inner);
            }
        }
        let cluster_arrivals_wait = kernel.cluster_arrivals_wait_at_once();
        Plan { scopes: Scopes::of(kernel), exits, cluster_arrivals_wait }
    }

    pub(crate) fn exits(&self, of: LoopId) -> &[ExprId] {
        self.exits.get(&of).map_or(&[], |list| list)
    }
}
