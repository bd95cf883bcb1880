//! A kernel without what nothing refers to, its tables in the order of the tree.
//!
//! Two kernels that differ only in numbering and leftovers become equal, table by table; places
//! that say the same become one. Objects,
//! parameters and files keep their order: they are part of the kernel even where nothing uses them.
//! Meant for kernels that the verifier accepts.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;

use crate::entity::{ExprId, LoopId, OpId, OriginId, VarId};
use crate::expr::{ExprKind, ExprPool};
use crate::kernel::{Item, Kernel, Loop, Origin, Region, Var};

/// The same kernel, renumbered.
pub fn renumber(kernel: &Kernel) -> Kernel {
    let mut order = Numbering::default();
    order.region(kernel, &kernel.body);
    let mut out = Rewriter {
        old: kernel,
        ops: order.ops.iter().enumerate().map(|(n, id)| (*id, OpId::new(n))).collect(),
        loops: order.loops.iter().enumerate().map(|(n, id)| (*id, LoopId::new(n))).collect(),
        vars: order.vars.iter().enumerate().map(|(n, id)| (*id, VarId::new(n))).collect(),
        exprs: SecondaryMap::new(),
        origins: SecondaryMap::new(),
        same: FxHashMap::default(),
        pool: ExprPool::new(),
        origin_order: Vec::new(),
    };
    out.kernel(&order)
}

/// The order of the tree.
#[derive(Default)]
struct Numbering {
    ops: Vec<OpId>,
    loops: Vec<LoopId>,
    vars: Vec<VarId>,
}

impl Numbering {
    fn region(&mut self, kernel: &Kernel, region: &Region) {
        for item in &region.items {
            match *item {
                Item::Op(op) => self.ops.push(op),
                Item::Loop(id) => {
                    self.loops.push(id);
                    self.vars.extend(&kernel[id].vars);
                    self.region(kernel, &kernel[id].body);
                }
            }
        }
    }
}

type Table<K> = std::collections::BTreeMap<K, K>;

struct Rewriter<'k> {
    old: &'k Kernel,
    ops: Table<OpId>,
    loops: Table<LoopId>,
    vars: Table<VarId>,
    exprs: SecondaryMap<ExprId, Option<ExprId>>,
    origins: SecondaryMap<OriginId, Option<OriginId>>,
    /// Places by what they say, with the first of equal ones as the place of the call.
    same: FxHashMap<Origin, OriginId>,
    pool: ExprPool,
    origin_order: Vec<OriginId>,
}

impl Rewriter<'_> {
    fn kernel(&mut self, order: &Numbering) -> Kernel {
        let mut ops = PrimaryMap::new();
        let mut loops = PrimaryMap::new();
        let mut vars = PrimaryMap::new();
        for &id in &order.ops {
            let mut op = self.old[id].clone();
            op.map_exprs(&mut |expr| self.expr(expr));
            op.origin = self.origin(op.origin);
            ops.push(op);
        }
        for &id in &order.loops {
            let Loop { pred, vars, body, cont, parent, origin } = &self.old[id];
            let renumbered = Loop {
                pred: self.expr(*pred),
                vars: vars.iter().map(|var| self.vars[var]).collect(),
                body: self.region(body),
                cont: self.expr(*cont),
                parent: parent.map(|id| self.loops[&id]),
                origin: self.origin(*origin),
            };
            loops.push(renumbered);
        }
        for &id in &order.vars {
            let Var { of, width, init, next, name } = &self.old[id];
            let (init, next) = (self.expr(*init), self.expr(*next));
            vars.push(Var { of: self.loops[of], width: *width, init, next, name: name.clone() });
        }
        let mut origins = PrimaryMap::new();
        let mut done = 0;
        while done < self.origin_order.len() {
            let mut origin = self.old[self.origin_order[done]].clone();
            origin.inlined_at = origin.inlined_at.map(|at| self.origin(at));
            origins.push(origin);
            done += 1;
        }
        let names = self.names();
        let Kernel { name, display_name, target, launch, params, objects, files, .. } = self.old;
        Kernel {
            name: name.clone(),
            display_name: display_name.clone(),
            target: target.clone(),
            launch: launch.clone(),
            fetches: self.old.fetches,
            callees_assumed: self.old.callees_assumed,
            shared_aligned: self.old.shared_aligned,
            returns_written: self.old.returns_written,
            params: params.clone(),
            body: self.region(&self.old.body),
            exprs: std::mem::take(&mut self.pool),
            objects: objects.clone(),
            ops,
            loops,
            vars,
            origins,
            files: files.clone(),
            names,
        }
    }

    fn names(&self) -> FxHashMap<ExprId, String> {
        let kept = self.old.exprs.iter().filter_map(|(id, _)| {
            let name = self.old.names.get(&id)?;
            Some((self.exprs[id]?, name.clone()))
        });
        kept.collect()
    }

    fn region(&self, region: &Region) -> Region {
        let items = region.items.iter().map(|item| match item {
            Item::Op(op) => Item::Op(self.ops[op]),
            Item::Loop(id) => Item::Loop(self.loops[id]),
        });
        Region { items: items.collect() }
    }

    fn origin(&mut self, id: OriginId) -> OriginId {
        let id = self.first_of_equal(id);
        *self.origins[id].get_or_insert_with(|| {
            self.origin_order.push(id);
            OriginId::new(self.origin_order.len() - 1)
        })
    }

    /// The first place met that says the same.
    fn first_of_equal(&mut self, id: OriginId) -> OriginId {
        let mut chain = vec![id];
        while let Some(at) = chain.last().and_then(|it| self.old[*it].inlined_at) {
            chain.push(at);
        }
        let mut at = None;
        for id in chain.into_iter().rev() {
            let origin = Origin { inlined_at: at, ..self.old[id].clone() };
            at = Some(*self.same.entry(origin).or_insert(id));
        }
        at.unwrap_or(id)
    }

    /// Operands first, without recursion: expressions may be deep.
    fn expr(&mut self, root: ExprId) -> ExprId {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.exprs[id].is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            self.old.exprs.for_each_operand(id, |operand| {
                if self.exprs[operand].is_none() {
                    stack.push(operand);
                }
            });
            if stack.len() == waiting {
                let kind = self.kind(id);
                self.exprs[id] = Some(self.pool.intern(kind, self.old.exprs.width(id)));
                stack.pop();
            }
        }
        self.exprs[root].expect("just translated")
    }

    fn kind(&mut self, id: ExprId) -> ExprKind {
        let new = |id: ExprId| self.exprs[id].expect("operands are translated first");
        match &self.old[id].kind {
            kind @ (ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)) => kind.clone(),
            ExprKind::Var(var) => ExprKind::Var(self.vars[var]),
            ExprKind::Exit(of, a) => ExprKind::Exit(self.loops[of], new(*a)),
            ExprKind::Result(op, n) => ExprKind::Result(self.ops[op], *n),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, new(*a)),
            ExprKind::Binary(op, flags, a, b) => ExprKind::Binary(*op, *flags, new(*a), new(*b)),
            ExprKind::Cmp(op, a, b) => ExprKind::Cmp(*op, new(*a), new(*b)),
            ExprKind::Select(c, a, b) => ExprKind::Select(new(*c), new(*a), new(*b)),
            ExprKind::Cast(op, a) => ExprKind::Cast(*op, new(*a)),
            ExprKind::Pure(function, args) => {
                let args = args.iter().map(|a| new(*a)).collect();
                let name = self.old.exprs.function_name(*function);
                ExprKind::Pure(self.pool.function(name), args)
            }
        }
    }
}
