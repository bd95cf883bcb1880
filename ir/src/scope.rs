//! Where in the tree things are: the loop of each operation, and the home of each expression.
//!
//! The **home** of an expression is the innermost loop that one of its leaves belongs to, or `None`
//! for the kernel's body. Its value is fixed during one iteration of its home, so an analysis may
//! keep it that long, and the printer names it there. Everything here is meant for kernels that the
//! verifier accepts; for others the answers are arbitrary, but there are answers.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::entity::{ExprId, LoopId, OpId};
use crate::expr::ExprKind;
use crate::kernel::{Item, Kernel, Region};

/// The place of each operation, loop and expression of a kernel.
#[derive(Clone, Debug)]
pub struct Scopes {
    op_loop: SecondaryMap<OpId, Option<LoopId>>,
    parent: SecondaryMap<LoopId, Option<LoopId>>,
    depth: SecondaryMap<LoopId, u32>,
    home: SecondaryMap<ExprId, Option<LoopId>>,
}

impl Scopes {
    /// Looks at the whole kernel once.
    pub fn of(kernel: &Kernel) -> Scopes {
        let mut scopes = Scopes {
            op_loop: SecondaryMap::new(),
            parent: SecondaryMap::new(),
            depth: SecondaryMap::new(),
            home: SecondaryMap::new(),
        };
        scopes.place(kernel, &kernel.body, None, 0, &mut EntitySet::new());
        for (id, expr) in kernel.exprs.iter() {
            let home = match &expr.kind {
                ExprKind::Var(var) => kernel.vars.get(*var).map(|var| var.of),
                ExprKind::Result(op, _) => scopes.op_loop[*op],
                ExprKind::Exit(of, _) => scopes.parent[*of],
                ExprKind::Const(_)
                | ExprKind::Special(_)
                | ExprKind::Param(_)
                | ExprKind::Base(_)
                | ExprKind::Undef(_)
                | ExprKind::Sym(_) => None,
                ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cmp(..)
                | ExprKind::Select(..)
                | ExprKind::Cast(..)
                | ExprKind::Pure(..) => {
                    let mut home = None;
                    kernel.exprs.for_each_operand(id, |operand| {
                        home = scopes.inner(home, scopes.home[operand]);
                    });
                    home
                }
            };
            scopes.home[id] = home;
        }
        scopes
    }

    /// The innermost loop around an operation.
    pub fn loop_of(&self, op: OpId) -> Option<LoopId> {
        self.op_loop[op]
    }

    /// The loop around a loop.
    pub fn parent(&self, of: LoopId) -> Option<LoopId> {
        self.parent[of]
    }

    /// The home of an expression.
    pub fn home(&self, expr: ExprId) -> Option<LoopId> {
        self.home[expr]
    }

    /// How many loops are around the body of this one, itself included; zero for the kernel's body.
    pub fn depth(&self, of: Option<LoopId>) -> u32 {
        of.map_or(0, |id| self.depth[id])
    }

    /// Whether `inner` is `outer` or inside it.
    pub fn encloses(&self, outer: Option<LoopId>, inner: Option<LoopId>) -> bool {
        let mut at = inner;
        while self.depth(at) > self.depth(outer) {
            at = at.and_then(|id| self.parent[id]);
        }
        at == outer
    }

    /// The loops around, outermost first, `innermost` included.
    pub fn chain(&self, innermost: Option<LoopId>) -> Vec<LoopId> {
        let mut chain: Vec<_> = std::iter::successors(innermost, |id| self.parent[*id]).collect();
        chain.reverse();
        chain
    }

    /// Whether the iterations of a loop leave the value of the expression alone.
    pub fn invariant(&self, of: LoopId, expr: ExprId) -> bool {
        !self.encloses(Some(of), self.home[expr])
    }

    fn inner(&self, a: Option<LoopId>, b: Option<LoopId>) -> Option<LoopId> {
        if self.depth(a) >= self.depth(b) { a } else { b }
    }

    fn place(
        &mut self,
        kernel: &Kernel,
        region: &Region,
        around: Option<LoopId>,
        depth: u32,
        seen: &mut EntitySet<LoopId>,
    ) {
        for item in &region.items {
            match *item {
                Item::Op(op) => self.op_loop[op] = around,
                Item::Loop(id) => {
                    // A loop met twice is an error of the verifier's; here it must only not go on
                    // for ever.
                    if let (true, Some(inner)) = (seen.insert(id), kernel.loops.get(id)) {
                        self.parent[id] = around;
                        self.depth[id] = depth + 1;
                        self.place(kernel, &inner.body, Some(id), depth + 1, seen);
                    }
                }
            }
        }
    }
}
