//! Barriers of the whole grid that a kernel makes of a counter, its threads and fences.
//!
//! **What**: block barriers that stand for a barrier of the grid, since what comes between them and
//! the next block barrier makes the first thread of each block add one to a counter and wait until
//! all have.
//! **Method**: all that touches the counter stands in such places ([`Site`]), where nothing else is
//! touched; each is preceded by a release and its wait is followed by an acquire; whether a block
//! comes there is the same for all blocks and all rounds of the loops around; and what the n-th
//! wait of a block waits for is n times the number of blocks ([`goals`]).
//! **Sound because**: say that a wait, a block's n-th, is the first of all n-th waits to end. No
//! block has begun an addition after its n-th then, so that n times the number of blocks are
//! reached only if each block has done n. Hence each block's n-th addition comes before each n-th
//! wait ends, and as the counter is changed by read-modify-writes only, what was released before
//! the one is acquired after the other (PTX ISA, section 8.9.2). The barriers of the block, before
//! and after, hand this on to all of its threads. As all blocks pass the same barriers in the same
//! rounds, the n-th of one stands where the n-th of the other does: this is what a barrier of the
//! grid promises.
//! **Misses**: other ways to set counters back, barriers that only some blocks take part in, or
//! under conditions that are read from memory; OpenCL; kernels in which threads return early.
//! **Assumes**: the counter starts at zero and does not wrap around; that volatile accesses are
//! relaxed atomics, where the waits are such. Both are named by the properties between blocks.

mod goals;
mod halves;
mod last;
mod sum;

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Access, AccessKind, AtomicOp, Barrier, Ending, ExprId, ExprKind, Item, Kernel, LoopId,
    MemoryOrder, ObjectId, OpId, Orders, Region, Scope, Space, Special, TouchedBy,
};

use crate::facts::analysis::Analysis;
use crate::facts::order::{GridBarriers, barrier_of, implies, only_first_thread};
use crate::facts::strength::{Fenced, is_strong, leaves_as_read, orders_by_itself};
use crate::facts::uniformity::Varies;

/// A word that blocks count in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counter {
    object: ObjectId,
    offset: u128,
    size: u128,
}

/// How blocks count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Each adds one, and waits for a number.
    Goals,
    /// All together add half of what the word holds ([`halves`]).
    Halves,
}

/// A place where each block counts itself and waits for the others.
#[derive(Clone, Copy, Debug)]
struct Site {
    /// The block barrier before.
    lead: OpId,
    /// Who comes there.
    pred: ExprId,
    add: OpId,
    /// What the wait reads.
    read: OpId,
    /// How the wait goes on.
    waits_while: ExprId,
}

/// The barriers of the grid that a kernel makes by itself.
pub(super) fn grid_barriers(analysis: &Analysis<'_>) -> GridBarriers {
    let kernel = analysis.kernel;
    let mut found = GridBarriers::default();
    if kernel.target.opencl || analysis.order.ends_untold() || !returns_together(analysis) {
        return found;
    }
    let mut tried: Vec<Counter> = Vec::new();
    for op in kernel.ops.keys() {
        let by_parts = || {
            let access = kernel.access(op).filter(|_| halves::adds_its_part(analysis, op));
            access.and_then(|it| Counter::of(kernel, it))
        };
        let Some(counter) = last::counted(analysis, op).or_else(by_parts) else { continue };
        if tried.contains(&counter) {
            continue;
        }
        tried.push(counter);
        let goals = sites(analysis, counter, Kind::Goals)
            .filter(|sites| goals::are_reached_by_all(analysis, sites));
        let halves = || {
            let sites = sites(analysis, counter, Kind::Halves);
            sites.filter(|it| it.iter().all(|site| halves::waits_for_turn(kernel, *site)))
        };
        let (leads, own): (Vec<OpId>, Vec<OpId>) = if let Some(sites) = goals.or_else(halves) {
            sites.iter().map(|it| (it.lead, it.read)).unzip()
        } else if let Some(sites) = last::sites(analysis, counter) {
            let leads = sites.iter().map(|it| it.lead).collect();
            let own: Vec<OpId> = sites.into_iter().flat_map(|it| it.own).collect();
            found.own.extend(own.iter().copied());
            (leads, own)
        } else {
            continue;
        };
        found.stand_for.extend(leads);
        found.relies.insert(Assumption::CountersStartAtZero);
        let is_volatile = |op: &OpId| kernel.access(*op).is_some_and(|it| it.volatile);
        if own.iter().any(is_volatile) {
            found.relies.insert(Assumption::VolatileIsRelaxed);
        }
    }
    found
}

impl Counter {
    /// The counter that an operation adds one to, whatever it is: an atomic for all threads of the
    /// device, on one word of global memory that may be zero at the start.
    fn added_to(kernel: &Kernel, op: OpId) -> Option<Counter> {
        let access = kernel.access(op)?;
        let AccessKind::Atomic(AtomicOp::Add, operands) = &access.kind else { return None };
        let one = kernel.exprs.as_const(*operands.first()?) == Some(1);
        one.then(|| Counter::of(kernel, access)).flatten()
    }

    /// The word of an access that is strong for all threads of the device, if it is one word of
    /// global memory that may be zero at the start.
    fn of(kernel: &Kernel, access: &Access) -> Option<Counter> {
        let object = access.address.object;
        let counts = is_strong(access, Scope::Device)
            && kernel[object].space == Space::Global
            && kernel[object].initial.may_be_zeros();
        let offset = kernel.exprs.as_const(access.address.offset)?;
        let size = kernel.exprs.as_const(access.size)?;
        let is_word = matches!(size, 4 | 8) && offset.is_multiple_of(size);
        (counts && is_word).then_some(Counter { object, offset, size })
    }

    /// Whether an access is of this word.
    fn is(&self, kernel: &Kernel, access: &Access) -> bool {
        access.address.object == self.object
            && kernel.exprs.as_const(access.address.offset) == Some(self.offset)
            && kernel.exprs.as_const(access.size) == Some(self.size)
    }

    /// Whether no operation touches the word but these.
    fn is_touched_by_none_but(&self, kernel: &Kernel, own: &[OpId]) -> bool {
        kernel.ops.iter().all(|(op, it)| {
            it.kind.effects().touches.iter().all(|touch| {
                let beside = match touch.by {
                    TouchedBy::Access(access) => self.is_beside(kernel, access),
                    TouchedBy::Copy | TouchedBy::BarrierObject | TouchedBy::NotModelled => false,
                };
                !touch.place.may_be(kernel, self.object) || beside || own.contains(&op)
            })
        })
    }

    /// Whether two words have no byte in common.
    fn is_apart_from(&self, other: &Counter) -> bool {
        self.object != other.object
            || self.offset + self.size <= other.offset
            || other.offset + other.size <= self.offset
    }

    /// Whether an access is of other bytes of the same object.
    fn is_beside(&self, kernel: &Kernel, access: &Access) -> bool {
        let constant = |id: ExprId| kernel.exprs.as_const(id);
        let (Some(offset), Some(size)) = (constant(access.address.offset), constant(access.size))
        else {
            return false;
        };
        let end = offset.saturating_add(size);
        access.address.object == self.object
            && (end <= self.offset || self.offset + self.size <= offset)
    }
}

/// All that touches the counter, each in its place. `None` where something else may, be it a read:
/// a block's own addition comes after the barrier of the block that stands for one of the grid.
fn sites(analysis: &Analysis<'_>, counter: Counter, kind: Kind) -> Option<Vec<Site>> {
    let kernel = analysis.kernel;
    let counts = |op: &OpId| match kind {
        Kind::Goals => Counter::added_to(kernel, *op) == Some(counter),
        Kind::Halves => {
            halves::adds_its_part(analysis, *op)
                && kernel.access(*op).is_some_and(|it| counter.is(kernel, it))
        }
    };
    let adds = kernel.ops.keys().filter(counts);
    let sites: Option<Vec<Site>> = adds.map(|add| site(analysis, counter, add)).collect();
    let sites = sites?;
    let own: Vec<OpId> = sites.iter().flat_map(|it| [it.add, it.read]).collect();
    counter.is_touched_by_none_but(kernel, &own).then_some(sites)
}

/// The place of an addition, if it is one where blocks wait for each other.
fn site(analysis: &Analysis<'_>, counter: Counter, add: OpId) -> Option<Site> {
    let kernel = analysis.kernel;
    let place = Place::of(analysis, add)?;
    let (mut wait, mut read) = (None, None);
    for (index, item) in place.items() {
        match *item {
            Item::Op(op) if op == add || is_quiet(kernel, op) => {}
            Item::Loop(of) if wait.is_none() && index > place.at && kernel[of].pred == place.by => {
                wait = Some((of, index));
                read = sole_read(kernel, counter, &kernel[of].body);
            }
            Item::Op(_) | Item::Loop(_) => return None,
        }
    }
    let ((wait, wait_at), read) = (wait?, read?);
    let releases = place.releases(add);
    let acquires = place.acquires(read, wait_at);
    let is_ordered = releases.iter().any(|a| acquires.iter().any(|b| a.goes_with(*b)));
    let waits_while = kernel[wait].cont;
    let lead = place.lead;
    is_ordered.then_some(Site { lead, pred: place.pred, add, read, waits_while })
}

/// What stands between two barriers of the block, around an addition by its first thread.
#[derive(Clone, Copy)]
struct Place<'k> {
    kernel: &'k Kernel,
    region: &'k Region,
    /// The barrier before.
    lead: OpId,
    /// Who adds.
    by: ExprId,
    /// Who comes to the barriers: in the whole grid all or none.
    pred: ExprId,
    /// Where the barriers are in the region, and the addition between them.
    from: usize,
    at: usize,
    to: usize,
}

impl<'k> Place<'k> {
    fn of(analysis: &Analysis<'k>, add: OpId) -> Option<Place<'k>> {
        let kernel = analysis.kernel;
        let region = match analysis.scopes.loop_of(add) {
            Some(of) => &kernel[of].body,
            None => &kernel.body,
        };
        let at = region.items.iter().position(|it| *it == Item::Op(add))?;
        let is_barrier =
            |item: &Item| matches!(item, Item::Op(op) if is_block_barrier(kernel, *op));
        let from = region.items[..at].iter().rposition(is_barrier)?;
        let to = at + region.items[at..].iter().position(is_barrier)?;
        let (Item::Op(lead), Item::Op(trail)) = (region.items[from], region.items[to]) else {
            return None;
        };
        let (pred, by) = (kernel[lead].pred, kernel[add].pred);
        let around = analysis.scopes.chain(analysis.scopes.loop_of(add));
        let conditions = around.iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
        let is_of_all = |it: ExprId| is_first_of_block(kernel, it) || implies(kernel, pred, it);
        let comes = kernel[trail].pred == pred
            && only_first_thread(kernel, analysis.launch, by)
            && kernel.exprs.conjuncts(by).into_iter().all(is_of_all)
            && (kernel.exprs.as_const(pred) == Some(1) || implies(kernel, by, pred))
            && conditions.chain([pred]).all(|it| is_alike(analysis, it));
        comes.then_some(Place { kernel, region, lead, by, pred, from, at, to })
    }

    /// What is between the barriers.
    fn items(&self) -> impl Iterator<Item = (usize, &'k Item)> + use<'k> {
        let first = self.from + 1;
        self.region.items[first..self.to].iter().enumerate().map(move |(at, it)| (first + at, it))
    }

    /// How what threads of the block did before is released by the addition.
    fn releases(&self, add: OpId) -> Vec<Fenced> {
        let itself = self.by_itself(add, MemoryOrder::Release);
        let before = self.fence_of_all(self.region.items[..self.from].iter().rev());
        [itself, self.fence(self.from + 1..self.at), before].into_iter().flatten().collect()
    }

    /// How a read is an acquire for what they do afterwards.
    fn acquires(&self, read: OpId, read_at: usize) -> Vec<Fenced> {
        let itself = self.by_itself(read, MemoryOrder::Acquire);
        let after = self.fence_of_all(self.region.items[self.to + 1..].iter());
        [itself, self.fence(read_at + 1..self.to), after].into_iter().flatten().collect()
    }

    fn by_itself(&self, op: OpId, way: MemoryOrder) -> Option<Fenced> {
        let access = self.kernel.access(op)?;
        orders_by_itself(self.kernel, access, way).then_some(Fenced::BY_ITSELF)
    }

    /// A fence by the thread that adds, among some items.
    fn fence(&self, within: std::ops::Range<usize>) -> Option<Fenced> {
        let holds = |pred| {
            self.kernel.exprs.as_const(pred) == Some(1) || implies(self.kernel, self.by, pred)
        };
        let fences = self.region.items[within].iter().filter_map(|item| match *item {
            Item::Op(op) if holds(self.kernel[op].pred) => fence(self.kernel, op),
            Item::Op(_) | Item::Loop(_) => None,
        });
        fences.map(|strict| Fenced { in_thread: true, strict }).max_by_key(|it| it.strict)
    }

    /// A fence that all threads of the block do next, with nothing touched before it.
    fn fence_of_all<'i>(&self, next: impl Iterator<Item = &'i Item>) -> Option<Fenced> {
        let holds = |pred| {
            self.kernel.exprs.as_const(pred) == Some(1)
                || pred == self.pred
                || implies(self.kernel, self.pred, pred)
        };
        for item in next {
            let Item::Op(op) = *item else { return None };
            match fence(self.kernel, op) {
                Some(strict) if holds(self.kernel[op].pred) => {
                    return Some(Fenced { in_thread: false, strict });
                }
                _ if is_quiet(self.kernel, op) => {}
                _ => return None,
            }
        }
        None
    }
}

/// Whether an operation is a fence in both directions for all threads of the device, and then
/// whether it is sequentially consistent.
fn fence(kernel: &Kernel, op: OpId) -> Option<bool> {
    let Some(Orders::Fence(order, scope, proxy)) = kernel[op].kind.effects().orders else {
        return None;
    };
    let both_ways = matches!(order, MemoryOrder::AcqRel | MemoryOrder::SeqCst);
    let counts = both_ways && proxy.is_none() && scope >= Scope::Device;
    counts.then_some(order == MemoryOrder::SeqCst)
}

/// Whether an operation touches nothing, ends nothing, and makes no thread wait.
fn is_quiet(kernel: &Kernel, op: OpId) -> bool {
    let effects = kernel[op].kind.effects();
    let orders = matches!(effects.orders, None | Some(Orders::Fence(..)));
    effects.touches.is_empty()
        && orders
        && effects.waits.is_none()
        && effects.ends.is_none()
        && effects.not_modelled.is_none()
}

/// The read of the counter that a loop does and does nothing else.
fn sole_read(kernel: &Kernel, counter: Counter, body: &Region) -> Option<OpId> {
    let mut found = None;
    for item in &body.items {
        let Item::Op(op) = *item else { return None };
        if is_quiet(kernel, op) {
            continue;
        }
        let access = kernel.access(op)?;
        let is_read = match access.kind {
            AccessKind::Load => kernel[op].results.len() == 1,
            AccessKind::Store(_) => false,
            AccessKind::Atomic(..) => leaves_as_read(kernel, access),
        };
        let surely = kernel.exprs.as_const(kernel[op].pred) == Some(1);
        if found.is_some()
            || !is_read
            || !is_strong(access, Scope::Device)
            || !surely
            || !counter.is(kernel, access)
        {
            return None;
        }
        found = Some(op);
    }
    found
}

fn is_block_barrier(kernel: &Kernel, op: OpId) -> bool {
    matches!(barrier_of(&kernel[op].kind), Some(Barrier::Block { .. }))
}

fn is_first_of_block(kernel: &Kernel, condition: ExprId) -> bool {
    let ExprKind::Cmp(heddle_ir::CmpOp::Eq, a, b) = kernel[condition].kind else { return false };
    matches!(kernel[a].kind, ExprKind::Special(Special::Tid(_)))
        && kernel.exprs.as_const(b) == Some(0)
}

/// Whether a condition is the same for all threads of the grid, and no memory is read for it.
fn is_alike(analysis: &Analysis<'_>, condition: ExprId) -> bool {
    let kernel = analysis.kernel;
    let (mut seen, mut work) = (BTreeSet::new(), vec![condition]);
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind.value_from() {
            heddle_ir::ValueFrom::Result(..) | heddle_ir::ValueFrom::Nothing => return false,
            heddle_ir::ValueFrom::Var(var) => work.extend([kernel[var].init, kernel[var].next]),
            heddle_ir::ValueFrom::Exit(of, _) => work.push(kernel[of].cont),
            heddle_ir::ValueFrom::Operands
            | heddle_ir::ValueFrom::Launch
            | heddle_ir::ValueFrom::Analysis(_) => {}
        }
        kernel.exprs.for_each_operand(id, |operand| work.push(operand));
    }
    analysis.uniformity.variation(condition).varies == Varies::Never
}

/// Whether threads return all together or not at all.
fn returns_together(analysis: &Analysis<'_>) -> bool {
    let kernel = analysis.kernel;
    kernel.ops.iter().all(|(op, it)| match it.kind.effects().ends {
        Some(Ending::Return) => {
            let around = analysis.scopes.chain(analysis.scopes.loop_of(op));
            let loops = around.iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
            loops.chain([it.pred]).all(|id| is_alike(analysis, id))
        }
        Some(_) | None => true,
    })
}

/// Whether a loop is around an operation.
fn is_in(analysis: &Analysis<'_>, of: LoopId, op: OpId) -> bool {
    analysis.scopes.encloses(Some(of), analysis.scopes.loop_of(op))
}
