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
//! **Sound because**: nothing else is decided by a value that is not a number. What a thread reads
//! is believed only where no other thread writes it between the same two barriers
//! ([`super::interval`]): then it is what was there before, in whatever order threads run, in each
//! run without a race up to there. Barriers are uniform, as the race properties name.
//! **Misses**: everything after a barrier, or an end of threads, that some threads come to and
//! nobody knows which.
//! **Assumes**: accesses stay in their objects.

use std::collections::BTreeMap;
use std::rc::Rc;

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{
    Access, Barrier, Ending, ExprId, Item, Kernel, LoopId, ObjectId, ObjectKind, OpId, OpKind,
    Region, Space, TouchedBy, ValueFrom, VarId, Waits,
};
use heddle_semantics::{Known, Warps};
use rustc_hash::{FxHashMap, FxHashSet};

use super::interval::Interval;
use crate::facts::analysis::Analysis;
use crate::facts::order::{is_for_all_lanes, orders, waits_for_block};
use crate::facts::sums::forms::{Form, Key};

mod exchange;
mod memory;
mod values;

/// Values that are computed at most.
const MOST_VALUES: u64 = 500_000;
/// Wider values are not followed.
const WIDEST: u8 = 64;
/// Conditions that are taken to hold.
const MOST_ASSUMED: usize = 12;

/// The number of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tag(u32);

/// What the instruction set leaves undefined, and lanes that are not known to be there.
const UNDEFINED: Tag = Tag(0);

/// A number, or a sum.
type Value = Known<Tag>;
type Column = Rc<Vec<Value>>;

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
    /// The expressions that stand for results of operations, and for values at the ends of loops.
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

    /// The value of each thread, of an expression that has one value in each run; `None` of one
    /// that has many.
    pub(super) fn values(&mut self, id: ExprId) -> Option<Vec<Form>> {
        if !self.is_fixed(id) || self.kernel.exprs.width(id) > WIDEST {
            return None;
        }
        let column = self.get(id).ok()?;
        Some(column.iter().map(|it| self.form(*it)).collect())
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
        let kind = &self.kernel[id].kind;
        matches!(kind, OpKind::CrossLane(_)) || waits_for_block(kind) || self.writes_followed(id)
    }

    /// Whether an operation may write an object that is followed.
    fn writes_followed(&self, id: OpId) -> bool {
        let touches = self.kernel[id].kind.effects().touches;
        let mut written = touches.iter().filter(|it| it.writes).map(|it| it.place);
        written.any(|it| self.followed.iter().any(|object| it.may_be(self.kernel, *object)))
    }

    /// Whether the threads of the block agree on a condition, which has one value in each run.
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
            // A round costs something even where nothing is done in it: some loops never end.
            self.spend(u64::from(self.threads))?;
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

    /// Of what is inside a loop, and of its values at the end, nothing is known any more.
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

    /// Whether nothing in a region changes what is followed, waits for the block or ends threads.
    fn is_quiet(&self, region: &Region) -> bool {
        region.items.iter().all(|item| match *item {
            Item::Loop(inner) => self.is_quiet(&self.kernel[inner].body),
            Item::Op(op) => {
                let kind = &self.kernel[op].kind;
                let effects = kind.effects();
                let waits = waits_for_block(kind) || effects.waits == Some(Waits::NotModelled);
                effects.ends.is_none() && !waits && !self.writes_followed(op)
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
