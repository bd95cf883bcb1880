//! Which expressions a printed kernel binds to a name of their own, and where.
//!
//! An expression is bound where it is used twice (unless it is as short as its name), has a name in
//! the source, would be long, or is looked at from outside its loop. It is bound once, in its home,
//! before the first item of that region that needs it: operands before users, so that nothing is
//! named before it stands there.

use std::collections::BTreeMap;

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::entity::{ExprId, LoopId};
use crate::expr::ExprKind;
use crate::kernel::{Item, Kernel, Region};
use crate::scope::Scopes;

/// Terms of more operators and leaves than this are broken up.
const LONGEST_TERM: u32 = 8;
/// Terms up to this size are repeated where they are used.
const SHORTEST_BINDING: u32 = 2;

pub(super) struct Bindings {
    /// Per region and item index, what to bind before that item; the length of the region stands
    /// for its end.
    before: BTreeMap<(Option<LoopId>, usize), Vec<ExprId>>,
}

impl Bindings {
    pub(super) fn of(kernel: &Kernel) -> Bindings {
        let scopes = Scopes::of(kernel);
        let (bound, exits) = bound_and_exits(kernel);
        let mut finder = Finder {
            kernel,
            scopes,
            bound,
            exits,
            path: Vec::new(),
            seen: EntitySet::new(),
            entered: EntitySet::new(),
            before: BTreeMap::new(),
        };
        finder.region(None, &kernel.body);
        let mut before = finder.before;
        before.values_mut().for_each(|list| list.sort_unstable());
        Bindings { before }
    }

    pub(super) fn before(&self, region: Option<LoopId>, item: usize) -> &[ExprId] {
        self.before.get(&(region, item)).map_or(&[], |list| list)
    }
}

/// The expressions the kernel's tree refers to, at any depth.
fn roots(kernel: &Kernel, visit: &mut dyn FnMut(ExprId)) {
    fn region(
        kernel: &Kernel,
        of: &Region,
        seen: &mut EntitySet<LoopId>,
        visit: &mut dyn FnMut(ExprId),
    ) {
        for item in &of.items {
            match *item {
                Item::Op(id) => {
                    kernel.ops.get(id).into_iter().for_each(|op| op.for_each_expr(&mut *visit))
                }
                Item::Loop(id) => {
                    let Some(inner) = kernel.loops.get(id).filter(|_| seen.insert(id)) else {
                        continue;
                    };
                    visit(inner.pred);
                    for var in inner.vars.iter().filter_map(|&var| kernel.vars.get(var)) {
                        visit(var.init);
                        visit(var.next);
                    }
                    region(kernel, &inner.body, seen, visit);
                    visit(inner.cont);
                }
            }
        }
    }
    region(kernel, &kernel.body, &mut EntitySet::new(), visit);
}

/// What to bind, and per loop what is looked at from outside.
fn bound_and_exits(kernel: &Kernel) -> (EntitySet<ExprId>, BTreeMap<LoopId, Vec<ExprId>>) {
    let pool = &kernel.exprs;
    let mut uses: SecondaryMap<ExprId, u32> = SecondaryMap::new();
    roots(kernel, &mut |id| uses[id] += 1);
    // Users have larger handles than operands: one pass downwards counts, one upwards measures.
    let ids: Vec<ExprId> = pool.iter().map(|(id, _)| id).collect();
    let mut left: EntitySet<ExprId> = EntitySet::new();
    let mut exits: BTreeMap<LoopId, Vec<ExprId>> = BTreeMap::new();
    for &id in ids.iter().rev() {
        if uses[id] == 0 {
            continue;
        }
        pool.for_each_operand(id, |operand| uses[operand] += 1);
        if let ExprKind::Exit(of, inner) = pool[id].kind {
            left.insert(inner);
            exits.entry(of).or_default().push(inner);
        }
    }
    let mut size: SecondaryMap<ExprId, u32> = SecondaryMap::new();
    let mut bound = EntitySet::new();
    for &id in &ids {
        let mut own = 1;
        pool.for_each_operand(id, |operand| {
            own += if bound.contains(operand) { 1 } else { size[operand] };
        });
        size[id] = own;
        let defined_elsewhere = matches!(pool[id].kind, ExprKind::Var(_) | ExprKind::Result(..));
        let is_leaf = own == 1;
        let wanted = kernel.names.contains_key(&id)
            || (!is_leaf
                && (own > LONGEST_TERM
                    || (uses[id] > 1 && own > SHORTEST_BINDING)
                    || left.contains(id)));
        if wanted && !defined_elsewhere && uses[id] > 0 {
            bound.insert(id);
        }
    }
    (bound, exits)
}

struct Finder<'k> {
    kernel: &'k Kernel,
    scopes: Scopes,
    bound: EntitySet<ExprId>,
    exits: BTreeMap<LoopId, Vec<ExprId>>,
    /// The regions around the place that is looked at, outermost first, and the item there.
    path: Vec<(Option<LoopId>, usize)>,
    seen: EntitySet<ExprId>,
    entered: EntitySet<LoopId>,
    before: BTreeMap<(Option<LoopId>, usize), Vec<ExprId>>,
}

impl Finder<'_> {
    fn region(&mut self, of: Option<LoopId>, region: &Region) {
        self.path.push((of, 0));
        for (index, item) in region.items.iter().enumerate() {
            self.at(index);
            match *item {
                Item::Op(id) => {
                    let kernel = self.kernel;
                    kernel
                        .ops
                        .get(id)
                        .into_iter()
                        .for_each(|op| op.for_each_expr(|e| self.used(e)));
                }
                Item::Loop(id) if self.entered.insert(id) && self.kernel.loops.is_valid(id) => {
                    self.enter(id);
                }
                Item::Loop(_) => {}
            }
        }
        self.at(region.items.len());
        if let Some(id) = of {
            for inner in self.exits.remove(&id).unwrap_or_default() {
                self.used(inner);
            }
            let kernel = self.kernel;
            for var in kernel[id].vars.iter().filter_map(|&var| kernel.vars.get(var)) {
                self.used(var.next);
            }
            self.used(kernel[id].cont);
        }
        self.path.pop();
    }

    fn at(&mut self, index: usize) {
        if let Some(last) = self.path.last_mut() {
            last.1 = index;
        }
    }

    fn enter(&mut self, id: LoopId) {
        let kernel = self.kernel;
        let inner = &kernel[id];
        self.used(inner.pred);
        for var in inner.vars.iter().filter_map(|&var| kernel.vars.get(var)) {
            self.used(var.init);
        }
        self.region(Some(id), &inner.body);
    }

    fn used(&mut self, root: ExprId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            if self.bound.contains(id) {
                let depth = self.scopes.depth(self.scopes.home(id)) as usize;
                let place = self.path[depth.min(self.path.len() - 1)];
                self.before.entry(place).or_default().push(id);
            }
            // What an exit looks at was bound at the end of its loop.
            if !matches!(self.kernel[id].kind, ExprKind::Exit(..)) {
                self.kernel.exprs.for_each_operand(id, |operand| stack.push(operand));
            }
        }
    }
}
