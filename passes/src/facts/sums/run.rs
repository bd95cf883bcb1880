//! Runs a block with values that nobody knows, of which sums are kept.
//!
//! **What**: for each expression and thread a number, or a sum of values that threads of the block
//! compute ([`Form`]).
//! **Method**: operations in order, each for all threads of the block before the next, as
//! `heddle_interp` does with numbers. A value that is no number and no sum stands for itself.
//! Shared memory holds what was stored at a place; what may be written elsewhere is forgotten.
//! A loop that ends at a number that nobody knows is left out where it changes nothing that is
//! followed, else the run ends there.
//! A condition that nobody knows, on which the threads of the block agree, is taken to hold where
//! shared memory is written under it, and not to where threads would end: what is found then holds
//! where it does so.
//! **Sound because**: nothing else is decided by a value that is not a number. In a run without a race
//! up to a load, what it reads is what threads stored before, in whatever order they ran; so the
//! order taken here gives it. Barriers are uniform, as the race properties name.
//! **Misses**: everything after a barrier, or an end of threads, that some threads come to and
//! nobody knows which.
//! **Assumes**: accesses stay in their objects.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_ir::cranelift_entity::{EntityRef, SecondaryMap};
use heddle_ir::{
    Access, AccessKind, AtomicOp, Barrier, BinOp, CastOp, CrossLane, CrossLaneKind, Ending, ExprId,
    ExprKind, Item, Kernel, LoopId, ObjectId, ObjectKind, OpId, OpKind, Region, Space, Special,
    TouchedBy, ValueFrom, VarId, flags_hold, fold_binary, fold_cast, fold_cmp, fold_unary, mask,
};
use heddle_semantics::{Choice, Exchange, Known, Warps, group, index_of};
use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::Form;
use super::interval::{Interval, Touch, Write};
use super::most::most;
use crate::facts::analysis::Analysis;
use crate::facts::order::{is_for_all_lanes, orders};
use crate::facts::uniformity::Varies;

/// Values that are computed at most.
const MOST_VALUES: u64 = 6_000_000;
/// Wider values are not followed.
const WIDEST: u8 = 64;
/// Conditions that are taken to hold.
const MOST_ASSUMED: usize = 12;

/// Stands for the thread of a value on which all threads of the block agree.
pub(super) const ALL_THREADS: u32 = u32::MAX - 1;

/// The number of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tag(u32);

/// What the instruction set leaves undefined, and lanes that are not known to be there.
const UNDEFINED: Tag = Tag(0);

/// A number, or a sum.
type Value = Known<Tag>;
type Column = Rc<Vec<Value>>;

/// The value of an expression in one iteration of its home: what runs are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub(super) value: ExprId,
    /// It is of no loop.
    pub(super) fixed: bool,
    pub(super) most: u128,
}

/// The run does not go on.
struct Halt;

type Done = Result<(), Halt>;

/// The bytes of one place, and what they hold.
type Cells = BTreeMap<u64, (u64, Value)>;

pub(super) struct Machine<'a> {
    analysis: &'a Analysis<'a>,
    kernel: &'a Kernel,
    warps: Option<Warps>,
    block: [u32; 3],
    threads: u32,
    pub(super) keys: Vec<Key>,
    known_keys: FxHashMap<(ExprId, u64), u32>,
    forms: Vec<Form>,
    cache: Vec<Option<(u64, Column)>>,
    iteration: SecondaryMap<LoopId, u64>,
    last_iteration: u64,
    vars: SecondaryMap<VarId, Option<Column>>,
    results: SecondaryMap<OpId, Vec<Column>>,
    exits: FxHashMap<(LoopId, ExprId), Column>,
    cells: FxHashMap<ObjectId, Cells>,
    /// The expressions that stand for results of operations, and for what loops leave behind.
    of_results: FxHashMap<(OpId, u32), ExprId>,
    of_exits: FxHashMap<LoopId, Vec<(ExprId, ExprId)>>,
    /// Objects in shared memory that nothing but accesses to them write.
    followed: FxHashSet<ObjectId>,
    interval: Interval,
    /// A value was taken for granted that need not be so.
    is_belied: bool,
    /// Conditions on which all threads of the block agree, taken to hold or not.
    pub(super) assumed: Vec<(ExprId, bool)>,
    /// Of each thread, whether it is in the running iteration.
    inside: Vec<bool>,
    /// Whether it has ended, where that is known.
    ended: Vec<Option<bool>>,
    left: u64,
}

impl<'a> Machine<'a> {
    pub(super) fn new(analysis: &'a Analysis<'a>, block: [u32; 3]) -> Machine<'a> {
        let kernel = analysis.kernel;
        let threads = heddle_semantics::count(block);
        let warps = analysis.launch.warp_size.map(|size| Warps { size, threads });
        let mut of_results = FxHashMap::default();
        let mut of_exits: FxHashMap<LoopId, Vec<(ExprId, ExprId)>> = FxHashMap::default();
        for (id, expr) in kernel.exprs.iter() {
            match expr.kind.value_from() {
                ValueFrom::Result(op, index) => _ = of_results.insert((op, index), id),
                ValueFrom::Exit(of, inner) => of_exits.entry(of).or_default().push((id, inner)),
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Var(_)
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_) => {}
            }
        }
        Machine {
            analysis,
            kernel,
            warps,
            block,
            threads,
            keys: Vec::new(),
            known_keys: FxHashMap::default(),
            forms: vec![Form::constant(0)],
            cache: vec![None; kernel.exprs.len()],
            iteration: SecondaryMap::new(),
            last_iteration: 0,
            vars: SecondaryMap::new(),
            results: SecondaryMap::new(),
            exits: FxHashMap::default(),
            cells: FxHashMap::default(),
            of_results,
            of_exits,
            followed: followed(kernel),
            interval: Interval::new(warps),
            is_belied: false,
            assumed: Vec::new(),
            inside: vec![true; threads as usize],
            ended: vec![Some(false); threads as usize],
            left: MOST_VALUES,
        }
    }

    /// Runs the block as far as it can be followed; whether what was found holds.
    pub(super) fn run(&mut self) -> bool {
        let kernel = self.kernel;
        // What was found up to where it stops holds, unless something that comes later belies it.
        let done = self.region(&kernel.body).is_ok();
        !self.is_belied && (done || !self.interval.has_believed())
    }

    /// The value of each thread, of an expression that has one value in each run or round; `None`
    /// of one that has many.
    pub(super) fn values(&mut self, id: ExprId) -> Option<Vec<Form>> {
        if !self.is_fixed(id) || self.kernel.exprs.width(id) > WIDEST {
            return None;
        }
        let column = self.get(id).ok()?;
        Some(column.iter().map(|it| self.form(*it)).collect())
    }

    /// Whether a value is of no loop: it has one value in each run of the block.
    fn is_fixed(&self, id: ExprId) -> bool {
        self.analysis.scopes.home(id).is_none()
    }

    fn form(&self, value: Value) -> Form {
        match value {
            Ok(number) => Form::constant(number),
            Err(tag) => self.forms[tag.0 as usize].clone(),
        }
    }

    fn tagged(&mut self, form: Form) -> Value {
        if form.runs.is_empty() {
            return Ok(form.constant);
        }
        self.forms.push(form);
        Err(Tag(self.forms.len() as u32 - 1))
    }

    /// A value that stands for itself.
    fn itself(&mut self, id: ExprId, thread: u32) -> Value {
        let stamp = self.stamp(id);
        let fixed = self.is_fixed(id);
        let thread = match self.analysis.uniformity.block_uniform(id) {
            true => ALL_THREADS,
            false => thread,
        };
        let keys = &mut self.keys;
        let key = *self.known_keys.entry((id, stamp)).or_insert_with(|| {
            keys.push(Key { value: id, fixed, most: most(self.kernel, id) });
            keys.len() as u32 - 1
        });
        self.tagged(Form::value(key, thread))
    }

    fn all_themselves(&mut self, id: ExprId) -> Column {
        let values = (0..self.threads).map(|thread| self.itself(id, thread)).collect();
        Rc::new(values)
    }

    fn stamp(&self, id: ExprId) -> u64 {
        self.analysis.scopes.home(id).map_or(0, |of| self.iteration[of])
    }

    /// The value of an expression, for all threads.
    fn get(&mut self, root: ExprId) -> Result<Column, Halt> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.ready(id).is_some() {
                stack.pop();
                continue;
            }
            let mut missing = Vec::new();
            self.kernel.exprs.for_each_operand(id, |operand| missing.push(operand));
            missing.retain(|operand| self.ready(*operand).is_none());
            if missing.is_empty() {
                stack.pop();
                self.spend(u64::from(self.threads))?;
                let column = self.compute(id);
                self.keep(id, column);
            } else {
                stack.extend(missing);
            }
        }
        self.ready(root).ok_or(Halt)
    }

    fn spend(&mut self, steps: u64) -> Done {
        self.left = self.left.checked_sub(steps).ok_or(Halt)?;
        Ok(())
    }

    fn ready(&self, id: ExprId) -> Option<Column> {
        match self.kernel[id].kind {
            ExprKind::Var(var) if self.vars[var].is_some() => self.vars[var].clone(),
            ExprKind::Result(op, index) if !self.results[op].is_empty() => {
                self.results[op].get(index as usize).cloned()
            }
            ExprKind::Exit(of, inner) if self.exits.contains_key(&(of, inner)) => {
                self.exits.get(&(of, inner)).cloned()
            }
            _ => {
                let (stamp, column) = self.cache[id.index()].as_ref()?;
                (*stamp == self.stamp(id)).then(|| column.clone())
            }
        }
    }

    fn keep(&mut self, id: ExprId, column: Column) {
        self.cache[id.index()] = Some((self.stamp(id), column));
    }

    fn compute(&mut self, id: ExprId) -> Column {
        let kernel = self.kernel;
        let width = kernel.exprs.width(id);
        let kind = &kernel[id].kind;
        let assumed = self.assumed.iter().find(|it| it.0 == id).map(|it| u128::from(it.1));
        let given = match *kind {
            _ if assumed.is_some() => assumed,
            ExprKind::Const(value) => Some(value),
            ExprKind::Param(index) => self.analysis.launch.arg(index),
            _ => None,
        };
        if let Some(value) = given {
            return Rc::new(vec![Ok(mask(value, width)); self.threads as usize]);
        }
        if let ExprKind::Special(special) = *kind {
            return self.special(id, special);
        }
        let mut operands = Vec::new();
        kernel.exprs.for_each_operand(id, |it| operands.push(it));
        let too_wide = |it: &ExprId| kernel.exprs.width(*it) > WIDEST;
        if width > WIDEST || operands.iter().any(too_wide) {
            return self.all_themselves(id);
        }
        let columns: Option<Vec<Column>> = operands.iter().map(|it| self.ready(*it)).collect();
        let Some(columns) = columns else { return self.all_themselves(id) };
        let of_thread = |it: &mut Self, thread: u32| {
            let at = |index: usize| columns[index][thread as usize];
            let widths = |index: usize| kernel.exprs.width(operands[index]);
            match *kind {
                ExprKind::Unary(op, _) => Some(Ok(fold_unary(op, at(0).ok()?, width))),
                ExprKind::Binary(op, flags, ..) => match (at(0), at(1)) {
                    (Ok(a), Ok(b)) => {
                        flags_hold(op, flags, a, b, width).then(|| Ok(fold_binary(op, a, b, width)))
                    }
                    (a, b) => it.summed(op, a, b, width),
                },
                ExprKind::Cmp(op, ..) => {
                    Some(Ok(u128::from(fold_cmp(op, at(0).ok()?, at(1).ok()?, widths(0)))))
                }
                ExprKind::Select(..) => Some(if at(0).ok()? == 0 { at(2) } else { at(1) }),
                ExprKind::Cast(op, _) => match at(0) {
                    Ok(a) => Some(Ok(fold_cast(op, a, widths(0), width))),
                    Err(tag) => it.cast(op, tag, widths(0), width),
                },
                ExprKind::Const(_)
                | ExprKind::Special(_)
                | ExprKind::Param(_)
                | ExprKind::Base(_)
                | ExprKind::Var(_)
                | ExprKind::Exit(..)
                | ExprKind::Result(..)
                | ExprKind::Undef(_)
                | ExprKind::Sym(_)
                | ExprKind::Pure(..) => None,
            }
        };
        let values = (0..self.threads)
            .map(|thread| match of_thread(self, thread) {
                Some(value) if value != Err(UNDEFINED) => value,
                Some(_) | None => self.itself(id, thread),
            })
            .collect();
        Rc::new(values)
    }

    /// What an operator makes of a sum and another value; none where that is no sum.
    fn summed(&mut self, op: BinOp, a: Value, b: Value, width: u8) -> Option<Value> {
        if [a, b].contains(&Err(UNDEFINED)) {
            return None;
        }
        let (a, b) = (self.form(a), self.form(b));
        let number = |it: &Form| it.runs.is_empty().then_some(it.constant);
        let zero = Form::constant(0);
        let form = match op {
            BinOp::Add => a.plus(&b, 1, width),
            BinOp::Sub => a.plus(&b, u128::MAX, width),
            BinOp::Mul => match (number(&a), number(&b)) {
                (Some(times), _) => zero.plus(&b, times, width),
                (None, Some(times)) => zero.plus(&a, times, width),
                (None, None) => None,
            },
            BinOp::Shl => {
                let by = number(&b).filter(|by| *by < u128::from(width))?;
                zero.plus(&a, 1 << by, width)
            }
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => None,
        };
        form.map(|it| self.tagged(it))
    }

    /// A sum of another width, where that is the sum of its values.
    fn cast(&mut self, op: CastOp, tag: Tag, from: u8, to: u8) -> Option<Value> {
        if tag == UNDEFINED {
            return None;
        }
        let form = self.forms[tag.0 as usize].clone();
        let form = match op {
            CastOp::Trunc => form.narrowed(to)?,
            CastOp::Zext | CastOp::Sext => {
                let most = self.most_of(&form)?;
                (most < 1 << (from - 1)).then_some(form)?
            }
        };
        Some(self.tagged(form))
    }

    /// The largest value of a form as a sum of numbers.
    fn most_of(&self, form: &Form) -> Option<u128> {
        form.runs.iter().try_fold(form.constant, |sum, run| {
            let each = self.keys[run.key as usize].most.checked_mul(run.times)?;
            sum.checked_add(each.checked_mul(u128::from(run.to - run.from))?)
        })
    }

    fn special(&mut self, id: ExprId, special: Special) -> Column {
        let (block, warps) = (self.block, self.warps);
        let each = |of: &dyn Fn(u32) -> u32| {
            let values = (0..self.threads).map(|thread| Ok(u128::from(of(thread))));
            Rc::new(values.collect())
        };
        match (special, warps) {
            (Special::Tid(axis), _) => each(&|it| index_of(it, block)[usize::from(axis)]),
            (Special::Ntid(axis), _) => each(&|_| block[usize::from(axis)]),
            (Special::LaneId, Some(warps)) => each(&|it| warps.lane(it)),
            (Special::WarpId, Some(warps)) => each(&|it| warps.warp(it)),
            (
                Special::LaneId
                | Special::WarpId
                | Special::Ctaid(_)
                | Special::Nctaid(_)
                | Special::GlobalOffset(_)
                | Special::ClusterCtaRank
                | Special::ClusterNctaRank
                | Special::DynamicSharedSize,
                _,
            ) => self.all_themselves(id),
        }
    }

    fn region(&mut self, region: &Region) -> Done {
        for item in &region.items {
            match *item {
                Item::Op(op) => self.operation(op)?,
                Item::Loop(of) => self.enter(of)?,
            }
        }
        Ok(())
    }

    /// Whether each thread that is here meets a condition, where that is known.
    fn holding(&mut self, condition: ExprId) -> Result<Vec<Option<bool>>, Halt> {
        let column = self.get(condition)?;
        let holding = (0..self.threads as usize).map(|thread| {
            let here = self.inside[thread] && self.ended[thread] != Some(true);
            match column[thread] {
                Ok(value) if !here || value == 0 => Some(false),
                Ok(_) => self.ended[thread].map(|_| true),
                Err(_) => (!here).then_some(false),
            }
        });
        Ok(holding.collect())
    }

    fn operation(&mut self, id: OpId) -> Done {
        let kernel = self.kernel;
        let op = &kernel[id];
        self.results[id].clear();
        self.spend(u64::from(self.threads))?;
        let mut active = self.holding(op.pred)?;
        if active.contains(&None) && self.matters(id) && self.assume(op.pred)? {
            active = self.holding(op.pred)?;
        }
        if active.iter().all(|it| *it == Some(false)) {
            return Ok(());
        }
        match &op.kind {
            OpKind::Access(access) if self.is_of_shared(access) => self.access(id, access, &active),
            OpKind::CrossLane(exchange) => self.exchange(id, exchange, &active),
            OpKind::Barrier(Barrier::Block { .. }) => {
                if active.contains(&None) {
                    return Err(Halt);
                }
                if orders(kernel, id, SHARED) == Some(true) {
                    self.interval.end();
                }
                Ok(())
            }
            OpKind::Barrier(Barrier::Warp { .. }) if is_for_all_lanes(kernel, id) => {
                let ordered = orders(kernel, id, SHARED) == Some(true);
                for warp in 0..self.warps.filter(|_| ordered).map_or(0, |it| it.count()) {
                    let mut threads = self.warps.into_iter().flat_map(|it| it.threads_of(warp));
                    if threads.all(|it| active[it as usize] == Some(true)) {
                        self.interval.end_of_warp(warp);
                    }
                }
                Ok(())
            }
            OpKind::Exit(Ending::Return) if self.agree_on(op.pred) && active.contains(&None) => {
                self.take(op.pred, false);
                Ok(())
            }
            OpKind::Exit(Ending::Return) => {
                for (ended, active) in self.ended.iter_mut().zip(&active) {
                    match active {
                        Some(true) => *ended = Some(true),
                        Some(false) => {}
                        None => *ended = None,
                    }
                }
                Ok(())
            }
            // A run that traps shows nothing else.
            OpKind::Exit(Ending::Trap) => match active.contains(&Some(true)) {
                true => Err(Halt),
                false => Ok(()),
            },
            OpKind::Opaque(opaque) if opaque.may_synchronize => Err(Halt),
            OpKind::Access(_)
            | OpKind::Opaque(_)
            | OpKind::AsyncCopy(_)
            | OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Registers(_) => Ok(()),
        }
    }

    /// Whether what is known of shared memory, or of where threads are, depends on who executes an
    /// operation.
    fn matters(&self, id: OpId) -> bool {
        match &self.kernel[id].kind {
            OpKind::Access(access) => match access.kind {
                AccessKind::Load => false,
                AccessKind::Store(_) | AccessKind::Atomic(..) => self.is_of_shared(access),
            },
            OpKind::CrossLane(_) => true,
            OpKind::Barrier(barrier) => matches!(barrier, Barrier::Block { .. }),
            OpKind::AsyncCopy(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => false,
        }
    }

    /// Whether the threads of the block agree on a condition, which has one value in each round.
    fn agree_on(&self, condition: ExprId) -> bool {
        self.analysis.uniformity.block_uniform(condition) && self.is_fixed(condition)
    }

    /// Takes what is not known of a condition to hold, where all threads agree on it.
    fn assume(&mut self, condition: ExprId) -> Result<bool, Halt> {
        let mut some = false;
        for part in self.kernel.exprs.conjuncts(condition) {
            let open = self.get(part)?.iter().any(Result::is_err);
            if open && self.agree_on(part) && self.assumed.len() < MOST_ASSUMED {
                self.take(part, true);
                some = true;
            }
        }
        Ok(some)
    }

    fn take(&mut self, condition: ExprId, holds: bool) {
        self.assumed.push((condition, holds));
        // What was computed from it is computed anew.
        self.cache.fill(None);
    }

    fn is_of_shared(&self, access: &Access) -> bool {
        self.followed.contains(&access.address.object)
    }

    fn access(&mut self, id: OpId, access: &Access, active: &[Option<bool>]) -> Done {
        let kernel = self.kernel;
        let object = access.address.object;
        let size = kernel.exprs.as_const(access.size);
        let elements = match &access.kind {
            AccessKind::Load => kernel[id].results.to_vec(),
            AccessKind::Store(values) => values.iter().map(|it| kernel.exprs.width(*it)).collect(),
            AccessKind::Atomic(_, operands) => {
                operands.last().map(|it| kernel.exprs.width(*it)).into_iter().collect()
            }
        };
        let bytes: u128 = elements.iter().map(|it| u128::from(*it) / 8).sum();
        let plain = !access.by_warp && elements.iter().all(|it| it % 8 == 0 && *it <= WIDEST);
        if !plain || size != Some(bytes) {
            return match access.kind {
                AccessKind::Load => Ok(()),
                AccessKind::Store(_) | AccessKind::Atomic(..) => self.write_anywhere(object),
            };
        }
        let column = self.get(access.address.offset)?;
        let places: Vec<Option<u64>> = column
            .iter()
            .map(|it| {
                let place = u64::try_from((*it).ok()?).ok()?;
                place.checked_add(bytes as u64).map(|_| place)
            })
            .collect();
        match &access.kind {
            AccessKind::Load if access.volatile || access.order.is_some() => Ok(()),
            AccessKind::Load => {
                self.load(id, object, &places, active, &elements);
                Ok(())
            }
            AccessKind::Store(values) => self.store_all(id, object, &places, active, values),
            AccessKind::Atomic(op, operands) => {
                let added = match operands[..] {
                    [added] if *op == AtomicOp::Add => Some(added),
                    _ => None,
                };
                self.update_all(id, object, &places, active, (elements[0], added))
            }
        }
    }

    fn load(
        &mut self,
        id: OpId,
        object: ObjectId,
        places: &[Option<u64>],
        active: &[Option<bool>],
        elements: &[u8],
    ) {
        let (mut start, mut results) = (0, Vec::new());
        for (index, width) in (0..).zip(elements) {
            let size = u64::from(width / 8);
            let of_result = self.of_results.get(&(id, index)).copied();
            let mut column = Vec::new();
            for thread in 0..self.threads {
                let place = places[thread as usize].map(|it| it + start);
                let cell = place.and_then(|it| self.cells.get(&object)?.get(&it)).copied();
                let held = cell.filter(|it| it.0 == size && it.1 != Err(UNDEFINED));
                let believed = match (held, place) {
                    (Some((_, value)), Some(place)) => {
                        // What nobody reads may be what anybody has written.
                        let reads = active[thread as usize] != Some(false);
                        let alone = reads && self.interval.read(object, place, size, thread);
                        alone.then_some(value)
                    }
                    (None, _) | (_, None) => None,
                };
                column.push(match believed {
                    Some(value) => value,
                    None => self.read(of_result, thread),
                });
            }
            results.push(Rc::new(column));
            start += size;
        }
        self.results[id] = results;
    }

    fn store_all(
        &mut self,
        id: OpId,
        object: ObjectId,
        places: &[Option<u64>],
        active: &[Option<bool>],
        values: &[ExprId],
    ) -> Done {
        let columns = values.iter().map(|it| self.get(*it)).collect::<Result<Vec<_>, _>>()?;
        let round = self.analysis.scopes.loop_of(id).map_or(0, |of| self.iteration[of]);
        for thread in 0..self.threads {
            let done = active[thread as usize];
            if done == Some(false) {
                continue;
            }
            let Some(mut place) = places[thread as usize] else {
                self.write_anywhere(object)?;
                continue;
            };
            for (column, value) in columns.iter().zip(values) {
                let size = u64::from(self.kernel.exprs.width(*value) / 8);
                let touch = match self.analysis.uniformity.variation(*value).varies {
                    Varies::Never | Varies::ByBlock => Touch::Agreed(id, round, None),
                    Varies::ByWarp => {
                        Touch::Agreed(id, round, self.warps.map(|it| it.warp(thread)))
                    }
                    Varies::ByThread => Touch::Write(id),
                };
                let value = done.map_or(Err(UNDEFINED), |_| column[thread as usize]);
                self.write(object, (place, size), value, (thread, touch))?;
                place += size;
            }
        }
        Ok(())
    }

    fn update_all(
        &mut self,
        id: OpId,
        object: ObjectId,
        places: &[Option<u64>],
        active: &[Option<bool>],
        (width, added): (u8, Option<ExprId>),
    ) -> Done {
        let size = u64::from(width / 8);
        let added = added.map(|it| self.get(it)).transpose()?;
        for thread in 0..self.threads {
            let done = active[thread as usize];
            if done == Some(false) {
                continue;
            }
            let Some(place) = places[thread as usize] else {
                self.write_anywhere(object)?;
                continue;
            };
            let held = self.cells.get(&object).and_then(|it| it.get(&place)).copied();
            let sum = match (held, &added, done) {
                (Some((held, before)), Some(added), Some(true)) if held == size => {
                    self.sum(before, added[thread as usize], width)
                }
                _ => None,
            };
            let touch = if added.is_some() { Touch::Add } else { Touch::Write(id) };
            let value = sum.unwrap_or(Err(UNDEFINED));
            self.write(object, (place, size), value, (thread, touch))?;
        }
        Ok(())
    }

    /// A write of a value, or of one that is not known.
    fn write(
        &mut self,
        object: ObjectId,
        (place, size): (u64, u64),
        value: Value,
        by: (u32, Touch),
    ) -> Done {
        match self.interval.write(object, place, size, by) {
            Write::Settled if value == Err(UNDEFINED) => self.forget(object, place, size),
            Write::Settled => self.store(object, place, size, value),
            Write::Unsettled => _ = self.cells.remove(&object),
            Write::Belied => return Err(self.belied()),
        }
        Ok(())
    }

    fn write_anywhere(&mut self, object: ObjectId) -> Done {
        self.cells.remove(&object);
        match self.interval.write_anywhere(object) {
            Write::Settled | Write::Unsettled => Ok(()),
            Write::Belied => Err(self.belied()),
        }
    }

    /// Something that was believed may not be so: nothing is.
    fn belied(&mut self) -> Halt {
        self.is_belied = true;
        Halt
    }

    fn sum(&mut self, a: Value, b: Value, width: u8) -> Option<Value> {
        match (a, b) {
            (Ok(a), Ok(b)) => Some(Ok(mask(a.wrapping_add(b), width))),
            (a, b) => self.summed(BinOp::Add, a, b, width),
        }
    }

    /// What a thread gets from an operation of which nothing is known.
    fn read(&mut self, result: Option<ExprId>, thread: u32) -> Value {
        result.map_or(Err(UNDEFINED), |it| self.itself(it, thread))
    }

    fn store(&mut self, object: ObjectId, place: u64, size: u64, value: Value) {
        self.forget(object, place, size);
        self.cells.entry(object).or_default().insert(place, (size, value));
    }

    fn forget(&mut self, object: ObjectId, place: u64, size: u64) {
        let Some(cells) = self.cells.get_mut(&object) else { return };
        let before = place.saturating_sub(u64::from(WIDEST / 8));
        let end = place.saturating_add(size);
        let meets = |(at, (of, _)): (&u64, &(u64, Value))| (at + of > place).then_some(*at);
        let met: Vec<u64> = cells.range(before..end).filter_map(meets).collect();
        for at in met {
            cells.remove(&at);
        }
    }

    fn exchange(&mut self, id: OpId, exchange: &CrossLane, active: &[Option<bool>]) -> Done {
        let kernel = self.kernel;
        let Some(warps) = self.warps.filter(|it| it.size == 32) else { return Ok(()) };
        if exchange.args.iter().any(|it| kernel.exprs.width(*it) > WIDEST) {
            return Ok(());
        }
        let args = exchange.args.iter().map(|it| self.get(*it)).collect::<Result<Vec<_>, _>>()?;
        let masks = exchange.mask.map(|it| self.get(it)).transpose()?;
        let ids: Vec<Option<ExprId>> = (0..kernel[id].results.len() as u32)
            .map(|index| self.of_results.get(&(id, index)).copied())
            .collect();
        let mut results = vec![vec![Err(UNDEFINED); self.threads as usize]; ids.len()];
        for warp in 0..warps.count() {
            let threads = warps.threads_of(warp);
            let base = threads.start;
            let of = |wanted: &dyn Fn(usize) -> bool| {
                let lanes = threads.clone().filter(|it| wanted(*it as usize));
                lanes.fold(0u64, |all, thread| all | 1 << (thread - base))
            };
            let here = of(&|it| active[it] == Some(true));
            let is_open = |it: usize| active[it].is_none() || self.ended[it].is_none();
            let surely = !threads.clone().any(|it| is_open(it as usize));
            let alive = of(&|it| self.ended[it] == Some(false));
            let named = masks.as_ref().map_or(Ok(u128::from(here)), |it| it[base as usize]);
            let one_mask = masks
                .as_ref()
                .is_none_or(|it| threads.clone().all(|thread| it[thread as usize] == named));
            // Which lane is read must be known: only the first operand is handed on.
            let from_known = args
                .iter()
                .skip(1)
                .all(|it| threads.clone().all(|thread| it[thread as usize].is_ok()));
            let lanes = named.ok().filter(|_| surely && one_mask && from_known);
            let lanes = lanes.and_then(|it| group(it as u64, here, alive));
            let values = lanes.map(|lanes| {
                let it = Exchange {
                    kind: exchange.kind,
                    lanes,
                    width: exchange.args.first().map_or(32, |it| kernel.exprs.width(*it)),
                    brings: |index: usize, lane: u32| args[index][(base + lane) as usize],
                    undefined: UNDEFINED,
                    elects: Choice::Any,
                    together: Choice::Any,
                };
                let common = it.common();
                threads.clone().map(|thread| it.results(thread - base, common)).collect::<Vec<_>>()
            });
            for thread in threads.clone() {
                for (index, of_result) in ids.iter().enumerate() {
                    let found =
                        values.as_ref().map(|it| it[(thread - base) as usize][index.min(1)]);
                    // Only what a shuffle gives is what a lane brought.
                    let is_value = found.is_some_and(|it| it.is_ok() || shuffles(exchange.kind));
                    results[index][thread as usize] = match found.filter(|_| is_value) {
                        Some(value) if value != Err(UNDEFINED) => value,
                        Some(_) | None => self.read(*of_result, thread),
                    };
                }
            }
        }
        self.results[id] = results.into_iter().map(Rc::new).collect();
        Ok(())
    }

    fn enter(&mut self, id: LoopId) -> Done {
        let kernel = self.kernel;
        let it = &kernel[id];
        self.forget_inside(id);
        let mut entering = self.holding(it.pred)?;
        let quiet = self.is_quiet(&it.body);
        if entering.contains(&None) && !quiet && self.assume(it.pred)? {
            entering = self.holding(it.pred)?;
        }
        if entering.iter().all(|it| *it == Some(false)) {
            return Ok(());
        }
        let outside = self.inside.clone();
        let Some(entering) = entering.into_iter().collect::<Option<Vec<bool>>>() else {
            return self.open_loop(id);
        };
        if let Ok(true) = self.rounds(id, &entering) {
            self.inside = outside;
            return Ok(());
        }
        if self.is_belied {
            return Err(Halt);
        }
        self.inside = outside;
        self.open_loop(id)
    }

    /// Runs the rounds of a loop, as long as it is known who is in them; whether that is to the
    /// end.
    fn rounds(&mut self, id: LoopId, entering: &[bool]) -> Result<bool, Halt> {
        let kernel = self.kernel;
        let it = &kernel[id];
        let starts =
            it.vars.iter().map(|var| self.get(kernel[*var].init)).collect::<Result<Vec<_>, _>>()?;
        for (var, start) in it.vars.iter().zip(starts) {
            self.vars[*var] = Some(start);
        }
        let exits = self.of_exits.get(&id).cloned().unwrap_or_default();
        let mut gone: Vec<Vec<Value>> =
            exits.iter().map(|_| vec![Err(UNDEFINED); self.threads as usize]).collect();
        self.inside = entering.to_vec();
        loop {
            self.begin(id);
            self.region(&it.body)?;
            let staying = self.holding(it.cont)?;
            let Some(staying) = staying.into_iter().collect::<Option<Vec<bool>>>() else {
                return Ok(false);
            };
            let leaving = |thread: usize| self.inside[thread] && !staying[thread];
            let leaving: Vec<usize> =
                (0..self.threads as usize).filter(|it| leaving(*it)).collect();
            if !leaving.is_empty() {
                for ((_, inner), gone) in exits.iter().zip(&mut gone) {
                    let column = self.get(*inner)?;
                    leaving.iter().for_each(|thread| gone[*thread] = column[*thread]);
                }
            }
            if !staying.contains(&true) {
                break;
            }
            let next = it
                .vars
                .iter()
                .map(|var| self.get(kernel[*var].next))
                .collect::<Result<Vec<_>, _>>()?;
            for (var, next) in it.vars.iter().zip(next) {
                self.vars[*var] = Some(next);
            }
            self.inside = staying;
        }
        for ((exit, inner), gone) in exits.into_iter().zip(gone) {
            let column = (0..).zip(gone).map(|(thread, value)| match value {
                Err(UNDEFINED) => self.itself(exit, thread),
                value => value,
            });
            let column: Vec<Value> = column.collect();
            self.exits.insert((id, inner), Rc::new(column));
        }
        Ok(true)
    }

    fn begin(&mut self, id: LoopId) {
        self.last_iteration += 1;
        self.iteration[id] = self.last_iteration;
    }

    /// A loop of which nobody knows how often it runs: left out where it changes nothing that is
    /// followed.
    fn open_loop(&mut self, id: LoopId) -> Done {
        self.forget_inside(id);
        match self.is_quiet(&self.kernel[id].body) {
            true => Ok(()),
            false => Err(Halt),
        }
    }

    /// Of what is inside a loop, and of what it leaves behind, nothing is known any more.
    fn forget_inside(&mut self, id: LoopId) {
        let kernel = self.kernel;
        self.exits.retain(|(of, _), _| *of != id);
        for var in &kernel[id].vars {
            self.vars[*var] = None;
        }
        for item in &kernel[id].body.items {
            match *item {
                Item::Op(op) => self.results[op].clear(),
                Item::Loop(inner) => self.forget_inside(inner),
            }
        }
        self.begin(id);
    }

    /// Whether nothing in a region changes shared memory, waits for threads or ends them.
    fn is_quiet(&self, region: &Region) -> bool {
        let kernel = self.kernel;
        region.items.iter().all(|item| match *item {
            Item::Loop(inner) => self.is_quiet(&kernel[inner].body),
            Item::Op(op) => {
                let ends = match &kernel[op].kind {
                    OpKind::Exit(_) => true,
                    OpKind::Barrier(barrier) => matches!(barrier, Barrier::Block { .. }),
                    OpKind::Opaque(opaque) => opaque.may_synchronize,
                    OpKind::Access(_)
                    | OpKind::CrossLane(_)
                    | OpKind::AsyncCopy(_)
                    | OpKind::Fence { .. }
                    | OpKind::AsyncCommit(_)
                    | OpKind::AsyncWait { .. }
                    | OpKind::EventWait(_)
                    | OpKind::Assume(_)
                    | OpKind::Assert { .. }
                    | OpKind::Claim(_)
                    | OpKind::Registers(_) => false,
                };
                let may_be_shared = |(_, object): (ObjectId, &heddle_ir::Object)| {
                    object.space.may_be(Space::Shared)
                };
                let writes = || {
                    kernel[op].kind.effects().touches.iter().any(|touch| {
                        touch.writes
                            && kernel.objects.iter().any(|(id, object)| {
                                may_be_shared((id, object)) && touch.place.may_be(kernel, id)
                            })
                    })
                };
                !ends && !writes()
            }
        })
    }
}

/// The flag of shared memory, for barriers of OpenCL.
const SHARED: u32 = 1;

/// Objects in shared memory that nothing but accesses to them write.
fn followed(kernel: &Kernel) -> FxHashSet<ObjectId> {
    let mut followed: FxHashSet<ObjectId> = kernel
        .objects
        .iter()
        .filter(|(_, it)| it.space == Space::Shared && it.kind != ObjectKind::Unknown)
        .map(|(id, _)| id)
        .collect();
    for op in kernel.ops.values() {
        for touch in op.kind.effects().touches.iter().filter(|it| it.writes) {
            let only = match touch.by {
                TouchedBy::Access(access) => Some(access.address.object),
                TouchedBy::Copy | TouchedBy::BarrierObject | TouchedBy::NotModelled => None,
            };
            followed.retain(|it| only == Some(*it) || !touch.place.may_be(kernel, *it));
        }
    }
    followed
}

/// Whether lanes get what another one brings.
fn shuffles(kind: CrossLaneKind) -> bool {
    match kind {
        CrossLaneKind::ShuffleIdx
        | CrossLaneKind::ShuffleUp
        | CrossLaneKind::ShuffleDown
        | CrossLaneKind::ShuffleBfly => true,
        CrossLaneKind::VoteAll
        | CrossLaneKind::VoteAny
        | CrossLaneKind::VoteUniform
        | CrossLaneKind::Ballot
        | CrossLaneKind::MatchAny
        | CrossLaneKind::MatchAll
        | CrossLaneKind::ReduceAdd
        | CrossLaneKind::ReduceUMin
        | CrossLaneKind::ReduceUMax
        | CrossLaneKind::ReduceSMin
        | CrossLaneKind::ReduceSMax
        | CrossLaneKind::ReduceAnd
        | CrossLaneKind::ReduceOr
        | CrossLaneKind::ReduceXor
        | CrossLaneKind::Elect
        | CrossLaneKind::ActiveMask => false,
    }
}
