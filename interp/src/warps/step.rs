//! One step of a warp: an expression, or an operation that does not synchronize.

use heddle_ir::{
    Access, AccessKind, AtomicOp, Barrier, Ending, ExprId, ExprKind, ObjectKind, OpId, OpKind,
    Space, Special,
};
use heddle_semantics::updated;

use crate::stop::{Cause, Stop, Unknown, Use};

use super::family::{Family, Runs};
use super::value::{LANES, Value};
use super::{WarpAccess, Warps, Watcher};

impl Warps<'_> {
    pub(super) fn eval(&mut self, warp: usize, slot: u32) {
        let id = self.plan.exprs[slot as usize];
        let kernel = self.kernel;
        let expr = &kernel[id];
        let value = if expr.width > 64 {
            Value::unknown(self.causes.of(Unknown::Pure("a value of more than 64 bits".to_owned())))
        } else {
            match &expr.kind {
                ExprKind::Const(value) => Value::uniform(*value as u64),
                ExprKind::Special(special) => self.special(warp, *special),
                ExprKind::Param(index) => {
                    let given = self.launch.args.get(*index as usize).copied().flatten();
                    match (&self.family, given) {
                        (Some(family), _) if family.param == *index => self.of_family(family),
                        (_, Some(value)) => Value::uniform(value as u64),
                        (_, None) => Value::unknown(self.causes.of(Unknown::Param(*index))),
                    }
                }
                ExprKind::Base(object) => match self.launch.bases.get(object) {
                    Some(base) => Value::uniform(*base),
                    None => Value::unknown(self.causes.of(Unknown::Base(*object))),
                },
                // These have their slots written where they come to be.
                ExprKind::Var(_) | ExprKind::Exit(..) | ExprKind::Result(..) => return,
                ExprKind::Undef(index) => Value::unknown(self.causes.of(Unknown::Undef(*index))),
                ExprKind::Sym(_) => Value::unknown(self.causes.of(Unknown::Symbol)),
                ExprKind::Unary(op, a) => {
                    let width = expr.width;
                    self.with(warp, *a, |a| match self.runs([a]) {
                        Some(runs) => runs.unary(*op, a, width),
                        None => Value::unary(*op, a, width),
                    })
                }
                ExprKind::Cast(op, a) => {
                    let (from, to) = (kernel.exprs.width(*a), expr.width);
                    self.with(warp, *a, |a| match self.runs([a]) {
                        Some(runs) => runs.cast(*op, a, from, to),
                        None => Value::cast(*op, a, from, to),
                    })
                }
                ExprKind::Binary(op, _, a, b) => {
                    let [a, b] = [self.of(warp, *a), self.of(warp, *b)];
                    match self.runs([a, b]) {
                        Some(runs) => runs.binary(*op, a, b, expr.width),
                        None => Value::binary(*op, a, b, expr.width),
                    }
                }
                ExprKind::Cmp(op, a, b) => {
                    let width = kernel.exprs.width(*a);
                    let [a, b] = [self.of(warp, *a), self.of(warp, *b)];
                    match self.runs([a, b]) {
                        Some(runs) => runs.compare(*op, a, b, width),
                        None => Value::compare(*op, a, b, width),
                    }
                }
                ExprKind::Select(c, a, b) => {
                    let [c, a, b] = [self.of(warp, *c), self.of(warp, *a), self.of(warp, *b)];
                    match self.runs([a, b]) {
                        Some(runs) => runs.select(c, a, b),
                        None => Value::select(c, a, b),
                    }
                }
                ExprKind::Pure(function, _) => {
                    let name = kernel.exprs.function_name(*function);
                    match self.launch.functions.get(name) {
                        Some(address) => Value::uniform(*address),
                        None => Value::unknown(self.causes.of(Unknown::Pure(name.to_owned()))),
                    }
                }
            }
        };
        self.warps[warp].slots[slot as usize] = value;
    }

    /// The parameter of a family.
    fn of_family(&self, family: &Family) -> Value {
        let mut value = Value::unknown(self.family_cause);
        for lane in 0..LANES {
            value.set_affine(lane, Ok((family.first, family.slope)), self.family_cause);
        }
        value
    }

    /// What computes with operands that differ among the runs of a family; none where none does.
    fn runs<const N: usize>(&self, operands: [&Value; N]) -> Option<Runs<'_>> {
        let family = self.family.as_ref().filter(|_| operands.iter().any(|it| it.is_affine()))?;
        Some(Runs { corners: &family.corners, cause: self.family_cause })
    }

    pub(super) fn of(&self, warp: usize, expr: ExprId) -> &Value {
        let slot = self.plan.slot(expr);
        &self.warps[warp].slots[slot as usize]
    }

    fn with(&self, warp: usize, expr: ExprId, f: impl Fn(&Value) -> Value) -> Value {
        // A wide operand is not kept: what is computed from it is not known either.
        if self.kernel.exprs.width(expr) > 64 {
            self.of(warp, expr).clone()
        } else {
            f(self.of(warp, expr))
        }
    }

    fn special(&mut self, warp: usize, special: Special) -> Value {
        let warp = &self.warps[warp];
        let launch = self.launch;
        let first = warp.number * self.size;
        let last = launch.shape.threads() - 1;
        let tid = |d: u8| {
            let number = |lane: usize| (first + lane as u32).min(last);
            Value::of(|lane| u64::from(launch.shape.thread_index(number(lane))[d as usize]))
        };
        let one = |value: u32| Value::uniform(u64::from(value));
        let known = match special {
            Special::Tid(d) => Some(tid(d)),
            Special::Ctaid(d) => self.blocks[warp.block as usize].map(|it| one(it[d as usize])),
            Special::Ntid(d) => Some(one(launch.shape.block[d as usize])),
            Special::Nctaid(d) => Some(one(launch.shape.grid[d as usize])),
            Special::GlobalOffset(d) => Some(one(launch.global_offset[d as usize])),
            Special::LaneId => Some(Value::of(|lane| lane as u64)),
            Special::WarpId => Some(one(warp.number)),
            Special::ClusterCtaRank => {
                self.blocks[warp.block as usize].map(|at| one(launch.shape.clusters().rank(at)))
            }
            Special::ClusterNctaRank => Some(one(launch.shape.clusters().size())),
            Special::DynamicSharedSize => launch.dynamic_shared.map(one),
        };
        known.unwrap_or_else(|| Value::unknown(self.causes.of(Unknown::Special(special))))
    }

    /// Whether an operation decides whom a thread waits for, or ends it.
    pub(super) fn decides_order(&self, op: OpId) -> bool {
        match &self.kernel[op].kind {
            OpKind::Barrier(_) | OpKind::AsyncCopy(_) | OpKind::AsyncWait { .. } => true,
            OpKind::AsyncCommit(_) | OpKind::EventWait(_) | OpKind::Exit(Ending::Return) => true,
            OpKind::Opaque(opaque) => opaque.may_synchronize,
            OpKind::Access(_)
            | OpKind::Fence { .. }
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Registers(_)
            | OpKind::Exit(Ending::Trap) => false,
        }
    }

    /// Whether an operation changes nothing.
    pub(super) fn only_reads(&self, op: OpId) -> bool {
        match &self.kernel[op].kind {
            OpKind::Access(access) => matches!(access.kind, AccessKind::Load),
            OpKind::Fence { .. } | OpKind::Claim(_) => true,
            OpKind::Barrier(_)
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncWait { .. }
            | OpKind::AsyncCommit(_)
            | OpKind::EventWait(_)
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Registers(_)
            | OpKind::Exit(_)
            | OpKind::Opaque(_) => false,
        }
    }

    /// Does an operation; the lanes that do it where the caller has to say what it means.
    pub(super) fn operation(
        &mut self,
        warp: usize,
        op: OpId,
        lanes: u32,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<u32>, Stop> {
        let kernel = self.kernel;
        let it = &kernel[op];
        let Some(slot) = self.plan.slot_if_needed(it.pred) else {
            // Nothing of it matters.
            return Ok(None);
        };
        let pred = &self.warps[warp].slots[slot as usize];
        let (doing, open) = pred.holds(lanes);
        let cause = pred.cause();
        if let OpKind::Access(access) = &it.kind
            && self.guarded.contains_key(&op)
        {
            let others = self.past_guards(warp, op, lanes) & !(doing | open);
            if others != 0 && !self.tell_perhaps(warp, op, access, others, watcher) {
                self.blur(warp, op, cause);
            }
        }
        if doing | open == 0 {
            return Ok(None);
        }
        if open != 0 && self.decides_order(op) {
            return Err(self.unknown(warp, Use::Predicate(op), open, cause));
        }
        match &it.kind {
            OpKind::Access(access) => {
                if open != 0 && !self.may_access(warp, op, access, (open, cause), watcher) {
                    self.blur(warp, op, cause);
                }
                if doing != 0 {
                    self.access(warp, op, access, doing, watcher);
                }
                self.forget(warp, op, open, cause);
            }
            OpKind::Barrier(Barrier::Grid) => {
                let why = "other blocks are not run".to_owned();
                return Err(Stop::Unsupported { op, why });
            }
            OpKind::AsyncCopy(copy) => {
                let to = copy.destination.object;
                if copy.writes() && kernel[to].kind == ObjectKind::Unknown {
                    let cause = self.causes.of(Unknown::Base(to));
                    self.blur(warp, op, cause);
                } else if copy.writes() && self.plan.tracked.contains(to) {
                    let cause = self.causes.of(Unknown::Op(op));
                    let block = self.warps[warp].block;
                    self.memory.lose((copy.destination.object, block), cause);
                }
                return Ok(Some(doing));
            }
            OpKind::Barrier(barrier) => {
                // What a barrier counts over all threads is not known while they come to it.
                if !matches!(barrier, Barrier::Mbarrier { .. }) {
                    let cause = self.causes.of(Unknown::Op(op));
                    self.forget(warp, op, doing, cause);
                }
                return Ok(Some(doing));
            }
            OpKind::AsyncWait { .. } | OpKind::EventWait(_) | OpKind::AsyncCommit(_) => {
                return Ok(Some(doing));
            }
            OpKind::CrossLane(cross) => {
                self.cross_lane(warp, op, cross, doing, lanes);
                self.forget(warp, op, open, cause);
            }
            OpKind::Exit(ending) => {
                if *ending == Ending::Trap && doing != 0 {
                    self.undefined.get_or_insert(op);
                }
                self.warps[warp].live &= !doing;
            }
            OpKind::Opaque(opaque) => {
                if opaque.may_synchronize {
                    let why = "what it waits for is not modelled".to_owned();
                    return Err(Stop::Unsupported { op, why });
                }
                let cause = self.causes.of(Unknown::Op(op));
                if !opaque.touches.is_nothing() {
                    self.blur(warp, op, cause);
                }
                self.forget(warp, op, doing | open, cause);
            }
            OpKind::Fence { .. }
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Registers(_) => {}
        }
        Ok(None)
    }

    /// The results of an operation are not known for these lanes.
    pub(super) fn forget(&mut self, warp: usize, op: OpId, lanes: u32, cause: Cause) {
        if lanes != 0 {
            for (_, slot) in &self.plan.results[op] {
                self.warps[warp].slots[*slot as usize].take(lanes, &Value::unknown(cause));
            }
        }
    }

    /// It is not known all of what an operation touches, or whether it does.
    pub(super) fn blur(&mut self, warp: usize, op: OpId, cause: Cause) {
        let kernel = self.kernel;
        let block = self.warps[warp].block;
        let unknown = self.causes.get(cause);
        let effects = kernel[op].kind.effects();
        if effects.touches.is_empty() {
            return;
        }
        self.blurred.entry(op).or_insert(unknown);
        for (id, object) in kernel.objects.iter() {
            let written = effects.writes().any(|touch| touch.place.may_be(kernel, id));
            if written && self.plan.tracked.contains(id) {
                if object.space == Space::Local {
                    for thread in 0..self.launch.shape.threads() {
                        self.memory.lose((id, self.local(block, thread)), cause);
                    }
                } else {
                    // An address may lead into the shared memory of another block.
                    for block in 0..self.blocks.len() as u32 {
                        self.memory.lose((id, block), cause);
                    }
                }
            }
        }
    }

    fn local(&self, block: u32, thread: u32) -> u32 {
        block * self.launch.shape.threads() + thread
    }

    fn access(
        &mut self,
        warp: usize,
        op: OpId,
        access: &Access,
        lanes: u32,
        watcher: &mut dyn Watcher,
    ) {
        let kernel = self.kernel;
        let object = access.address.object;
        let is_local = matches!(kernel[object].space, Space::Local | Space::Constant);
        // Where nothing depends on what a thread keeps for itself, that is not followed.
        let is_kept = |expr: ExprId| self.plan.slot_if_needed(expr).is_some();
        if is_local && !(is_kept(access.address.offset) && is_kept(access.size)) {
            return;
        }
        let (sized, mut open) = self.places(warp, access, lanes);
        if kernel[object].kind == ObjectKind::Unknown && !is_local {
            open = Some(self.causes.of(Unknown::Base(object)));
        }
        if let Some(cause) = open {
            self.blur(warp, op, cause);
            self.forget(warp, op, lanes, cause);
            if kernel[object].kind == ObjectKind::Unknown {
                return;
            }
        }
        let (block, number) = (self.warps[warp].block, self.warps[warp].number);
        if let Some(bytes) = kernel[object].size {
            let is_beyond =
                |offset: u64, size: u64| offset.checked_add(size).is_none_or(|end| end > bytes);
            let mut places =
                sized.iter().flat_map(|(size, list)| list.iter().map(|it| (it.1, *size)));
            if places.any(|(offset, size)| is_beyond(offset, size)) {
                self.undefined.get_or_insert(op);
            }
        }
        if !is_local {
            for (size, list) in &sized {
                let written = self.values_of(warp, op, access, list);
                let written = written.as_deref();
                let lanes = list.as_slice();
                let told = WarpAccess {
                    block,
                    warp: number,
                    op,
                    object,
                    size: *size,
                    lanes,
                    written,
                    perhaps: false,
                };
                watcher.access(&told);
            }
        }
        if self.plan.tracked.contains(object) {
            for (size, list) in &sized {
                for (lane, offset) in list {
                    self.lane_access(warp, op, access, *lane as usize, *offset, *size);
                }
            }
        } else {
            let cause = self.causes.of(Unknown::Op(op));
            self.forget(warp, op, lanes, cause);
        }
    }

    fn values_of(
        &self,
        warp: usize,
        op: OpId,
        access: &Access,
        lanes: &[(u8, u64)],
    ) -> Option<Vec<u64>> {
        let AccessKind::Store(values) = &access.kind else { return None };
        if values.is_empty() || !self.values.contains(&op) {
            return None;
        }
        let mut written = Vec::new();
        for (lane, _) in lanes {
            for value in values {
                written.push(self.lane(warp, *value, *lane as usize).ok()?);
            }
        }
        Some(written)
    }

    pub(super) fn lane(&self, warp: usize, expr: ExprId, lane: usize) -> Result<u64, Cause> {
        match self.kernel.exprs.as_const(expr) {
            Some(value) => Ok(value as u64),
            None => self.of(warp, expr).get(lane),
        }
    }

    /// The part of an access that concerns what an object holds.
    fn lane_access(
        &mut self,
        warp: usize,
        op: OpId,
        access: &Access,
        lane: usize,
        offset: u64,
        size: u64,
    ) {
        let kernel = self.kernel;
        let object = access.address.object;
        let block = self.warps[warp].block;
        let instance = match kernel[object].space {
            Space::Local => self.local(block, self.warps[warp].number * self.size + lane as u32),
            Space::Global | Space::Shared | Space::Constant | Space::Generic => block,
        };
        let place = (object, instance);
        let start = self.causes.of(Unknown::Contents(object));
        // Other blocks may have written what this one has not.
        let counts_start = match kernel[object].space {
            Space::Shared | Space::Local => false,
            Space::Constant => true,
            Space::Global | Space::Generic => !self.plan.written.contains(object),
        };
        let results = self.plan.results[op].clone();
        let widths = &kernel[op].results;
        // What other threads do to it at the same time is no race.
        let is_atomic = access.order.is_some() || matches!(access.kind, AccessKind::Atomic(..));
        let among = is_atomic && kernel[object].space != Space::Local;
        // Another block may write it later, and a barrier of the cluster order that.
        let is_common =
            self.blocks.len() > 1 && matches!(kernel[object].space, Space::Global | Space::Generic);
        let in_another_order = self.causes.of(Unknown::Op(op));
        match &access.kind {
            AccessKind::Load if among => {
                for (_, slot) in results {
                    self.warps[warp].slots[slot as usize].set(lane, Err(in_another_order));
                }
            }
            AccessKind::Load => {
                for (index, slot) in results {
                    let before: u64 =
                        widths[..index as usize].iter().map(|it| u64::from(it.div_ceil(8))).sum();
                    let bytes = u64::from(widths[index as usize].div_ceil(8));
                    let at = offset.wrapping_add(before);
                    let value =
                        self.memory.load(self.launch, place, at, bytes, start, counts_start);
                    self.warps[warp].slots[slot as usize].set(lane, value);
                }
            }
            AccessKind::Store(_) if among || is_common => {
                self.memory.store(place, offset, size, Err(in_another_order));
            }
            AccessKind::Store(values) => {
                if values.is_empty() {
                    let cause = self.causes.of(Unknown::Op(op));
                    self.memory.store(place, offset, size, Err(cause));
                }
                let mut at = offset;
                for value in values {
                    let bytes = u64::from(kernel.exprs.width(*value).div_ceil(8));
                    let bits = self.lane(warp, *value, lane);
                    self.memory.store(place, at, bytes, bits);
                    at = at.wrapping_add(bytes);
                }
            }
            AccessKind::Atomic(kind, operands) => {
                let old = self.memory.load(self.launch, place, offset, size, start, counts_start);
                let operand = |index: usize| self.lane(warp, operands[index], lane).map(u128::from);
                let width = (8 * size.min(8)) as u8;
                // Whether a weak one writes is the hardware's choice.
                let is_weak = *kind == AtomicOp::CompareExchangeWeak;
                let new = updated(*kind, old.map(u128::from), operand, width);
                let new = match new.filter(|_| !is_weak && !is_common) {
                    Some(new) => new.map(|it| it as u64),
                    None => Err(in_another_order),
                };
                match among {
                    true => {
                        let new = (*kind, new);
                        self.memory.store_among(place, offset, size, new, in_another_order);
                    }
                    false => self.memory.store(place, offset, size, new),
                }
                for (index, slot) in results {
                    // Whether a weak one wrote is not told by what was there.
                    let value = match index {
                        0 if !among => old,
                        _ => Err(in_another_order),
                    };
                    self.warps[warp].slots[slot as usize].set(lane, value);
                }
            }
        }
    }
}

const _: () = assert!(LANES == 32, "lanes are kept in 32 bits");
