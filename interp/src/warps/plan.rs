//! What a run of warps computes, and in which order: only what decides where threads go, where they
//! access, and whom they wait for.
//!
//! Each needed expression has a slot, and is computed once per iteration of the innermost loop it
//! depends on, before its first use there. The arithmetic that only feeds stored values is left
//! out, unless what is stored comes back to matter.

use heddle_ir::cranelift_entity::{EntitySet, SecondaryMap};
use heddle_ir::{
    AccessKind, Barrier, Ending, ExprId, ExprKind, Item, Kernel, LoopId, ObjectId, OpId, OpKind,
    Region, Scopes, Space, ValueFrom, VarId,
};

use super::asks::{Answers, if_answered_no, is_test};

/// No slot.
const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) body: Vec<Step>,
    pub(super) loops: Vec<PlanLoop>,
    /// Expressions by slot.
    pub(super) exprs: Vec<ExprId>,
    slots: SecondaryMap<ExprId, u32>,
    /// Slots of an operation's results.
    pub(super) results: SecondaryMap<OpId, Vec<(u32, u32)>>,
    /// Objects whose contents matter.
    pub(super) tracked: EntitySet<ObjectId>,
    /// Objects that the kernel may change.
    pub(super) written: EntitySet<ObjectId>,
    /// What becomes of the answers of barrier objects.
    pub(super) answers: Answers,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Eval(u32),
    Op(OpId),
    Loop(u32),
}

#[derive(Debug)]
pub(super) struct PlanLoop {
    pub(super) id: LoopId,
    pub(super) pred: u32,
    /// Variable, first value, next value.
    pub(super) vars: Vec<[u32; 3]>,
    pub(super) body: Vec<Step>,
    pub(super) cont: u32,
    /// Value after the loop, value inside.
    pub(super) exits: Vec<[u32; 2]>,
    /// Operations in it, at any depth.
    pub(super) ops: Vec<OpId>,
    /// It does nothing but ask whether a phase is over.
    pub(super) spins: bool,
}

struct Needs<'k> {
    kernel: &'k Kernel,
    needed: EntitySet<ExprId>,
    work: Vec<ExprId>,
    tracked: EntitySet<ObjectId>,
}

impl Plan {
    /// The plan of a kernel; what the operations of `values` store is computed too.
    pub(super) fn of(kernel: &Kernel, values: &[OpId]) -> Plan {
        let (needed, tracked) = Needs::of(kernel, values);
        let mut slots = SecondaryMap::with_default(NONE);
        let mut exprs = Vec::new();
        let mut results: SecondaryMap<OpId, Vec<(u32, u32)>> = SecondaryMap::new();
        let mut exits: SecondaryMap<LoopId, Vec<(ExprId, ExprId)>> = SecondaryMap::new();
        let mut vars: EntitySet<VarId> = EntitySet::new();
        for (id, expr) in kernel.exprs.iter() {
            if !needed.contains(id) {
                continue;
            }
            let slot = exprs.len() as u32;
            slots[id] = slot;
            exprs.push(id);
            match expr.kind.value_from() {
                ValueFrom::Result(op, index) => results[op].push((index, slot)),
                ValueFrom::Exit(of, inner) => exits[of].push((id, inner)),
                ValueFrom::Var(var) => _ = vars.insert(var),
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_) => {}
            }
        }
        let written = written_objects(kernel);
        let answers = Answers::of(kernel, &|of| spins(kernel, of));
        let (body, loops) = (Vec::new(), Vec::new());
        let plan = Plan { body, loops, exprs, slots, results, tracked, written, answers };
        let scopes = Scopes::of(kernel);
        let mut layout =
            Layout { kernel, plan, scopes, needed, exits, vars, ready: EntitySet::new() };
        let body = layout.region(&kernel.body, None);
        Plan { body, ..layout.plan }
    }

    /// The slot of an expression that the run needs.
    ///
    /// # Panics
    /// The expression was not listed as needed, although a step reads it: a fault of [`Needs`].
    pub(super) fn slot(&self, expr: ExprId) -> u32 {
        let slot = self.slot_if_needed(expr);
        slot.unwrap_or_else(|| panic!("a step reads {expr}, which the plan does not compute"))
    }

    /// The slot of an expression, or none where nothing of the run depends on it.
    pub(super) fn slot_if_needed(&self, expr: ExprId) -> Option<u32> {
        let slot = self.slots[expr];
        (slot != NONE).then_some(slot)
    }
}

fn written_objects(kernel: &Kernel) -> EntitySet<ObjectId> {
    let mut written = EntitySet::new();
    for op in kernel.ops.values() {
        for touch in op.kind.effects().writes() {
            let meant = kernel.objects.keys().filter(|id| touch.place.may_be(kernel, *id));
            meant.for_each(|id| _ = written.insert(id));
        }
    }
    written
}

impl<'k> Needs<'k> {
    fn of(kernel: &'k Kernel, values: &[OpId]) -> (EntitySet<ExprId>, EntitySet<ObjectId>) {
        let mut needs =
            Needs { kernel, needed: EntitySet::new(), work: Vec::new(), tracked: EntitySet::new() };
        for (id, op) in kernel.ops.iter() {
            match &op.kind {
                OpKind::Access(access) => match kernel[access.address.object].space {
                    Space::Local | Space::Constant => {}
                    Space::Global | Space::Shared | Space::Generic => {
                        needs.add_all([op.pred, access.address.offset, access.size]);
                    }
                },
                OpKind::Barrier(barrier) => {
                    let reduced = match barrier {
                        Barrier::Block { reduce, .. } | Barrier::Named { reduce, .. } => {
                            reduce.map(|(_, predicate)| predicate)
                        }
                        Barrier::Warp { .. }
                        | Barrier::Cluster { .. }
                        | Barrier::Grid
                        | Barrier::Mbarrier { .. } => None,
                    };
                    op.for_each_expr(|it| {
                        if Some(it) != reduced {
                            needs.add(it);
                        }
                    });
                }
                OpKind::AsyncCopy(_) | OpKind::AsyncWait { .. } | OpKind::EventWait(_) => {
                    op.for_each_expr(|it| needs.add(it));
                }
                OpKind::AsyncCommit(_) | OpKind::Exit(Ending::Return | Ending::Trap) => {
                    needs.add(op.pred);
                }
                OpKind::Opaque(opaque) => {
                    if opaque.may_synchronize || !opaque.touches.is_nothing() {
                        needs.add(op.pred);
                    }
                }
                OpKind::Fence { .. }
                | OpKind::CrossLane(_)
                | OpKind::Assume(_)
                | OpKind::Registers(_)
                | OpKind::Assert { .. }
                | OpKind::Claim(_) => {}
            }
            if values.contains(&id) {
                op.for_each_expr(|it| needs.add(it));
            }
        }
        for of in kernel.loops.values() {
            needs.add_all([of.pred, of.cont]);
        }
        while let Some(id) = needs.work.pop() {
            kernel.exprs.for_each_operand(id, |it| needs.add(it));
            match kernel[id].kind.value_from() {
                ValueFrom::Var(var) => needs.add_all([kernel[var].init, kernel[var].next]),
                ValueFrom::Result(op, _) => needs.result(op),
                // What an exit leads to is an operand.
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Exit(..)
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_) => {}
            }
        }
        (needs.needed, needs.tracked)
    }

    fn add(&mut self, expr: ExprId) {
        if self.needed.insert(expr) {
            self.work.push(expr);
        }
    }

    fn add_all(&mut self, exprs: impl IntoIterator<Item = ExprId>) {
        exprs.into_iter().for_each(|it| self.add(it));
    }

    fn result(&mut self, op: OpId) {
        let kernel = self.kernel;
        match &kernel[op].kind {
            OpKind::Access(access) => {
                kernel[op].for_each_expr(|it| self.add(it));
                if self.tracked.insert(access.address.object) {
                    for (id, other) in kernel.ops.iter() {
                        let writes = kernel.access(id).is_some_and(|it| {
                            it.writes() && it.address.object == access.address.object
                        });
                        if writes {
                            other.for_each_expr(|it| self.add(it));
                        }
                    }
                }
            }
            OpKind::CrossLane(_) => kernel[op].for_each_expr(|it| self.add(it)),
            OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => {}
        }
    }
}

struct Layout<'k> {
    kernel: &'k Kernel,
    plan: Plan,
    scopes: Scopes,
    needed: EntitySet<ExprId>,
    exits: SecondaryMap<LoopId, Vec<(ExprId, ExprId)>>,
    vars: EntitySet<VarId>,
    /// Computed in this iteration of this region, or around it.
    ready: EntitySet<ExprId>,
}

impl Layout<'_> {
    fn region(&mut self, region: &Region, of: Option<LoopId>) -> Vec<Step> {
        let kernel = self.kernel;
        let mut steps = Vec::new();
        for item in &region.items {
            match *item {
                Item::Op(op) if kernel[op].kind.is_subscript() => {}
                Item::Op(op) => {
                    kernel[op].for_each_expr(|it| self.compute(it, of, &mut steps));
                    steps.push(Step::Op(op));
                }
                Item::Loop(inner) => {
                    self.uses_of(inner, &mut |layout, it| layout.compute(it, of, &mut steps));
                    steps.push(Step::Loop(self.inner(inner, of)));
                }
            }
        }
        steps
    }

    fn inner(&mut self, id: LoopId, of: Option<LoopId>) -> u32 {
        let _ = of;
        let kernel = self.kernel;
        let it = &kernel[id];
        let outside = self.ready.clone();
        let mut body = self.region(&it.body, Some(id));
        self.compute(it.cont, Some(id), &mut body);
        let vars: Vec<VarId> =
            it.vars.iter().copied().filter(|var| self.vars.contains(*var)).collect();
        for var in &vars {
            self.compute(kernel[*var].next, Some(id), &mut body);
        }
        let exits = self.exits[id].clone();
        for (_, inner) in &exits {
            self.compute(*inner, Some(id), &mut body);
        }
        self.ready = outside;
        let slot = |expr: ExprId| self.plan.slot(expr);
        let var_slot = |var: VarId| {
            let found =
                self.plan.exprs.iter().position(|it| kernel[*it].kind == ExprKind::Var(var));
            found.unwrap_or_else(|| panic!("{var} is needed, and the plan does not keep it")) as u32
        };
        let vars = vars
            .iter()
            .map(|var| [var_slot(*var), slot(kernel[*var].init), slot(kernel[*var].next)]);
        let mut ops = Vec::new();
        ops_in(kernel, &it.body, &mut ops, &mut true);
        let assumed = ops.iter().any(|op| self.plan.answers.assumed.contains(*op));
        let done = PlanLoop {
            id,
            pred: slot(it.pred),
            vars: vars.collect(),
            cont: slot(it.cont),
            exits: exits.iter().map(|(exit, inner)| [slot(*exit), slot(*inner)]).collect(),
            body,
            spins: spins(kernel, id) && !assumed,
            ops,
        };
        self.plan.loops.push(done);
        self.plan.loops.len() as u32 - 1
    }

    /// All needed expressions that a loop looks at from inside or as its first values.
    fn uses_of(&mut self, id: LoopId, visit: &mut dyn FnMut(&mut Self, ExprId)) {
        let kernel = self.kernel;
        let it = &kernel[id];
        visit(self, it.pred);
        visit(self, it.cont);
        for var in &it.vars {
            visit(self, kernel[*var].init);
            visit(self, kernel[*var].next);
        }
        for (_, inner) in self.exits[id].clone() {
            visit(self, inner);
        }
        for item in &it.body.items {
            match *item {
                Item::Op(op) if kernel[op].kind.is_subscript() => {}
                Item::Op(op) => kernel[op].for_each_expr(|expr| visit(self, expr)),
                Item::Loop(inner) => self.uses_of(inner, visit),
            }
        }
    }

    /// Steps that compute what an expression needs and this region has.
    fn compute(&mut self, expr: ExprId, of: Option<LoopId>, steps: &mut Vec<Step>) {
        if !self.needed.contains(expr) || self.ready.contains(expr) {
            return;
        }
        let kernel = self.kernel;
        let mut order = Vec::new();
        let mut inside = EntitySet::new();
        let mut work = vec![(expr, false)];
        while let Some((id, operands_done)) = work.pop() {
            if operands_done {
                order.push(id);
                continue;
            }
            if self.ready.contains(id) || !self.needed.contains(id) {
                continue;
            }
            // What belongs to a loop further in is computed there; what stands on it, too.
            let here = self.scopes.encloses(self.scopes.home(id), of);
            match kernel[id].kind.value_from() {
                ValueFrom::Exit(..) | ValueFrom::Var(_) | ValueFrom::Result(..) => continue,
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_) => {}
            }
            if here {
                self.ready.insert(id);
                work.push((id, true));
            } else if !inside.insert(id) {
                continue;
            }
            kernel.exprs.for_each_operand(id, |it| work.push((it, false)));
        }
        for id in order {
            steps.push(Step::Eval(self.plan.slot(id)));
        }
    }
}

/// Whether a loop does nothing but ask barrier objects, and does not end before the answer is yes.
pub fn spins(kernel: &Kernel, of: LoopId) -> bool {
    let (mut ops, mut only_asks) = (Vec::new(), true);
    ops_in(kernel, &kernel[of].body, &mut ops, &mut only_asks);
    let leaves = |op: &OpId| kernel[*op].kind.effects().ends.is_some() && !never(kernel, *op);
    only_asks
        && ops.iter().any(|op| is_test(kernel, *op))
        && if_answered_no(kernel, kernel[of].cont) == Some(1)
        && !ops.iter().any(leaves)
}

/// Whether an operation is not done as long as the answers are no.
fn never(kernel: &Kernel, op: OpId) -> bool {
    if_answered_no(kernel, kernel[op].pred) == Some(0)
}

/// Operations of a region at any depth, and whether they only ask barrier objects.
fn ops_in(kernel: &Kernel, region: &Region, ops: &mut Vec<OpId>, only_asks: &mut bool) {
    for item in &region.items {
        match *item {
            Item::Op(op) => {
                ops.push(op);
                *only_asks &= match &kernel[op].kind {
                    OpKind::Barrier(_) => is_test(kernel, op),
                    OpKind::Opaque(opaque) => {
                        opaque.touches.is_nothing() && !opaque.may_synchronize
                    }
                    OpKind::Fence { .. }
                    | OpKind::Assume(_)
                    | OpKind::Claim(_)
                    | OpKind::Registers(_) => true,
                    OpKind::Access(access) => {
                        kernel[access.address.object].space == Space::Local
                            && matches!(access.kind, AccessKind::Load)
                    }
                    OpKind::Exit(Ending::Return) => true,
                    OpKind::AsyncCopy(_)
                    | OpKind::AsyncCommit(_)
                    | OpKind::AsyncWait { .. }
                    | OpKind::EventWait(_)
                    | OpKind::CrossLane(_)
                    | OpKind::Assert { .. }
                    | OpKind::Exit(Ending::Trap) => false,
                };
            }
            Item::Loop(inner) => {
                *only_asks = false;
                ops_in(kernel, &kernel[inner].body, ops, only_asks);
            }
        }
    }
}
