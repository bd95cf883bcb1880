//! The loop that an expression belongs to: the innermost one whose iterations can change its value.
//!
//! An expression whose scope is `None` has one value per thread. The scope of `exit(l, e)` is the parent of
//! `l`, whatever `e` reads. Expressions of a verified kernel read leaves along one chain of loops, so the
//! deepest is the answer.

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{ExprId, ExprKind, Kernel, LoopId, OpId};

/// Scopes of all expressions of a kernel, and the loop chain of each operation.
#[derive(Debug)]
pub struct Scopes {
    of_expr: SecondaryMap<ExprId, Option<LoopId>>,
    of_op: SecondaryMap<OpId, Option<LoopId>>,
    depth: SecondaryMap<LoopId, u32>,
    parent: SecondaryMap<LoopId, Option<LoopId>>,
}

impl Scopes {
    /// Computes them.
    pub fn of(kernel: &Kernel) -> Scopes {
        let mut scopes = Scopes {
            of_expr: SecondaryMap::new(),
            of_op: SecondaryMap::new(),
            depth: SecondaryMap::new(),
            parent: SecondaryMap::new(),
        };
        for (id, it) in &kernel.loops {
            // A parent is made before its children.
            scopes.depth[id] = it.parent.map_or(1, |parent| scopes.depth[parent] + 1);
            scopes.parent[id] = it.parent;
        }
        kernel.for_each_op(|op, around| scopes.of_op[op] = around.last().copied());
        for (id, expr) in kernel.exprs.iter() {
            let mut scope = match expr.kind {
                ExprKind::Var(var) => Some(kernel[var].of),
                ExprKind::Result(op, _) => scopes.of_op[op],
                ExprKind::Exit(of, _) => kernel[of].parent,
                ExprKind::Const(_)
                | ExprKind::Special(_)
                | ExprKind::Param(_)
                | ExprKind::Base(_)
                | ExprKind::Undef(_)
                | ExprKind::Sym(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cmp(..)
                | ExprKind::Select(..)
                | ExprKind::Cast(..)
                | ExprKind::Pure(..) => None,
            };
            if !matches!(expr.kind, ExprKind::Exit(..)) {
                kernel.exprs.for_each_operand(id, |operand| {
                    scope = scopes.deeper(scope, scopes.of_expr[operand]);
                });
            }
            scopes.of_expr[id] = scope;
        }
        scopes
    }

    /// The innermost loop whose iterations can change the expression.
    pub fn expr(&self, id: ExprId) -> Option<LoopId> {
        self.of_expr[id]
    }

    /// The loop an operation is in.
    pub fn op(&self, id: OpId) -> Option<LoopId> {
        self.of_op[id]
    }

    /// The loops around, outermost first, `innermost` included.
    pub fn chain(&self, innermost: Option<LoopId>) -> Vec<LoopId> {
        let mut chain = Vec::new();
        let mut at = innermost;
        while let Some(id) = at {
            chain.push(id);
            at = self.parent[id];
        }
        chain.reverse();
        chain
    }

    /// Whether `inner` is `outer` or inside it.
    pub fn contains(&self, outer: LoopId, inner: Option<LoopId>) -> bool {
        let mut at = inner;
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.parent[id];
        }
        false
    }

    /// Whether the iterations of `of` leave the value of the expression alone.
    pub fn invariant(&self, of: LoopId, expr: ExprId) -> bool {
        !self.contains(of, self.of_expr[expr])
    }

    fn deeper(&self, a: Option<LoopId>, b: Option<LoopId>) -> Option<LoopId> {
        let depth = |it: Option<LoopId>| it.map_or(0, |id| self.depth[id]);
        if depth(a) >= depth(b) { a } else { b }
    }
}
