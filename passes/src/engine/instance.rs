//! The two-thread reduction: a kernel's expressions, as two arbitrary threads compute them.
//!
//! A race or a divergence needs two threads. Each gets its own copy of every expression, over
//! symbols for its ids, for the iteration it is in of each loop (a [`FrameId`]), and for what it
//! read. Symbols are shared between the two where the value cannot differ: sizes, parameters, what
//! is uniform, and iteration numbers that a barrier keeps equal.
//!
//! **Promises**: if two threads of some launch do two operations in some iterations, then the
//! symbols have values under which every instantiated expression has the value those threads
//! compute, and every recorded fact holds. So a query without a model excludes all launches.
//! **False alarms**: a value with no recurrence, or read from memory that changes, is an arbitrary
//! symbol.
//! **Relies on**: what [`Instance::relies`] lists, which each answer carries; and a counter whose
//! addition is marked not to overflow stays within 2^31 of its start, which the compiler promised;
//! `blockIdx * blockDim + threadIdx` stays below 2^31 where the launch is not given, which each
//! proof under such a launch names.

mod arrays;
mod cluster;
mod cut;
mod defined;
mod equal_end;
mod extremum;
mod guess;
mod invariants;
mod lanes;
mod leaf;
mod on_the_way;
mod placement;
mod plain;
mod poison;
mod question;
mod quotient;
mod reach;
mod record;
mod recurrence;
mod seen;
mod settled;
mod sub_groups;
mod table;
mod theorem;
mod told;
mod wrap;

pub(crate) use invariants::{Goal, Positions};
pub(crate) use placement::Placement;
pub(crate) use question::Explain;
pub(crate) use record::{Followed, Read, Ticket, What};
pub(crate) use table::low_bits;
pub(crate) use wrap::WrapAround;

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::cranelift_entity::PrimaryMap;
use heddle_ir::{
    ArrayContract, BinOp, CastOp, ExprId, ExprKind, ExprPool, LoopId, NoWrap, Space, SymId,
};
use heddle_solver::{Model, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::answer::Held;
use crate::facts::analysis::Analysis;
use crate::facts::counts::{Limited, TripLimit};
use crate::facts::invariants::Invariant;
use crate::facts::thread::Thread;

/// The highest iteration number that a proof looks at, in loops without a limit of their own.
const LAST_ITERATION: u32 = 0x7fff_ffff;

/// A thread, and the iterations of the loops it is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FrameId(usize);

#[derive(Debug)]
struct Frame {
    thread: Thread,
    /// The frame outside, the loop, and its iteration number. `None` for the thread's root frame.
    inside: Option<(FrameId, LoopId, ExprId)>,
    memo: FxHashMap<ExprId, ExprId>,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Meaning {
    /// A dimension of a thread's index in its block.
    Tid(Thread, u8),
    /// A dimension of a block's index; of both threads where they share a block.
    Ctaid(Option<Thread>, u8),
    /// Which block of its cluster a thread is in, where the kernel does not look at it; of both
    /// threads where they share a block.
    ClusterRank(Option<Thread>),
    /// The number of an iteration; of both threads where a barrier keeps them together.
    Iteration(LoopId, Option<Thread>),
    /// Which of several accesses that differ in a constant.
    Member,
    /// The value of a leaf of the kernel.
    Leaf(ExprId, Option<Thread>),
}

/// Copies of a kernel's expressions for two threads.
#[derive(Debug)]
pub(crate) struct Instance<'a> {
    /// What is known of the kernel.
    pub analysis: &'a Analysis<'a>,
    /// The expressions: the kernel's own, under their own handles, and the instantiated ones.
    pub pool: ExprPool,
    /// How the threads are placed.
    pub placement: Placement,
    wrap: WrapAround,
    /// What loops inside add to a variable is computed, and not any number.
    pub(crate) follows_rounds: bool,
    /// What was taken for granted in what was stated, and so by each answer.
    relies: BTreeSet<Assumption>,
    /// Operators to which [`WrapAround::Excluded`] would apply, with their operands.
    excusable: Vec<(BinOp, ExprId, ExprId)>,
    /// What was cut, with the same computed in as many bits.
    cuts: FxHashMap<ExprId, ExprId>,
    /// Arguments that are sizes without a sign, and not given.
    unsigned: Vec<ExprId>,
    frames: Vec<Frame>,
    frame_index: FxHashMap<(FrameId, LoopId, ExprId), FrameId>,
    symbols: PrimaryMap<SymId, Meaning>,
    symbol_index: FxHashMap<(ExprId, Vec<ExprId>, Option<Thread>), ExprId>,
    exit_index: FxHashMap<(LoopId, Vec<ExprId>, Option<Thread>), ExprId>,
    facts: Vec<ExprId>,
    /// Those of them that hold where they have a value, and may have none.
    theorems: FxHashSet<ExprId>,
    /// How many of the facts, the first ones, hold of the launch, whatever is asked.
    of_launch: usize,
    /// What is said of the launch.
    conditions: Vec<ExprId>,
    /// What the program itself states, as far as threads met it.
    of_program: Vec<ExprId>,
    reaches: Vec<reach::Reach>,
    /// Where what is stated holds alone, if not everywhere.
    supposed: Option<ExprId>,
    ranges: Vec<(ExprId, u128, u128)>,
    tickets: Vec<Ticket>,
    sources: lanes::Sources,
    reads: Vec<Read>,
    /// New events of copies: which, by which thread in which rounds, and the symbol.
    events: Vec<(ExprId, Thread, Vec<ExprId>, ExprId)>,
    /// Reads of what memory held when the kernel began.
    initial: FxHashSet<ExprId>,
    ids: FxHashMap<Meaning, ExprId>,
    /// What arrays keep when the kernel begins.
    arrays: Vec<ArrayContract>,
    /// What holds in each iteration of loops, and what showing that took for granted.
    invariants: Vec<Invariant>,
    invariants_rely: BTreeSet<Assumption>,
    /// What is being shown of them, if that is what is asked.
    goal: Option<Goal<'a>>,
}

impl<'a> Instance<'a> {
    /// Two threads of this placement.
    pub(crate) fn new(
        analysis: &'a Analysis<'a>,
        placement: Placement,
        wrap: WrapAround,
    ) -> Instance<'a> {
        let root = |thread| Frame { thread, inside: None, memo: FxHashMap::default() };
        let mut instance = Instance {
            analysis,
            pool: analysis.kernel.exprs.clone(),
            placement,
            wrap,
            follows_rounds: true,
            relies: BTreeSet::new(),
            excusable: Vec::new(),
            cuts: FxHashMap::default(),
            unsigned: Vec::new(),
            frames: Thread::ALL.map(root).into(),
            frame_index: FxHashMap::default(),
            symbols: PrimaryMap::new(),
            symbol_index: FxHashMap::default(),
            exit_index: FxHashMap::default(),
            facts: Vec::new(),
            theorems: FxHashSet::default(),
            of_launch: 0,
            conditions: Vec::new(),
            of_program: Vec::new(),
            reaches: Vec::new(),
            supposed: None,
            ranges: Vec::new(),
            tickets: Vec::new(),
            sources: lanes::Sources::default(),
            reads: Vec::new(),
            events: Vec::new(),
            initial: FxHashSet::default(),
            ids: FxHashMap::default(),
            arrays: Vec::new(),
            invariants: Vec::new(),
            invariants_rely: BTreeSet::new(),
            goal: None,
        };
        instance.take(&analysis.stated);
        instance.state_launch();
        instance
    }

    /// An instance with nothing stated, of threads of another placement, that excludes the same
    /// runs.
    pub(crate) fn of_other_threads(&self, placement: Placement) -> Instance<'a> {
        let mut other = Instance::new(self.analysis, placement, self.wrap);
        other.invariants.clone_from(&self.invariants);
        other.invariants_rely.clone_from(&self.invariants_rely);
        other
    }

    /// A thread, outside all loops.
    pub(crate) fn root(&self, thread: Thread) -> FrameId {
        FrameId(thread.index())
    }

    /// The same thread, in iteration `k` (32 bits) of a loop directly inside.
    pub(crate) fn enter(&mut self, outside: FrameId, of: LoopId, k: ExprId) -> FrameId {
        if let Some(&frame) = self.frame_index.get(&(outside, of, k)) {
            return frame;
        }
        let id = FrameId(self.frames.len());
        self.frames.push(Frame {
            thread: self.frames[outside.0].thread,
            inside: Some((outside, of, k)),
            memo: FxHashMap::default(),
        });
        self.frame_index.insert((outside, of, k), id);
        id
    }

    /// The thread of a frame.
    pub(crate) fn thread(&self, frame: FrameId) -> Thread {
        self.frames[frame.0].thread
    }

    /// The frame, out of its innermost `levels` loops.
    ///
    /// # Panics
    /// If it is in fewer.
    pub(crate) fn outer(&self, frame: FrameId, levels: usize) -> FrameId {
        (0..levels).fold(frame, |at, _| {
            let (outside, ..) = self.frames[at.0].inside.expect("a frame inside that many loops");
            outside
        })
    }

    /// The iteration number of a loop around, in a frame.
    pub(crate) fn iteration(&self, frame: FrameId, of: LoopId) -> Option<ExprId> {
        let mut at = frame;
        while let Some((outside, it, k)) = self.frames[at.0].inside {
            if it == of {
                return Some(k);
            }
            at = outside;
        }
        None
    }

    /// A new symbol for an iteration number: 32 bits, below 2^31.
    pub(crate) fn iteration_symbol(&mut self, of: LoopId, thread: Option<Thread>) -> ExprId {
        let k = self.symbol(Meaning::Iteration(of, thread), 32);
        let last = self.trips_relied_on(of).map_or(LAST_ITERATION, |limit| limit.last);
        self.bound(k, 0, u128::from(last));
        k
    }

    /// How often a loop can run at most. What that takes for granted, answers name from here on.
    fn trips_relied_on(&mut self, of: LoopId) -> Option<TripLimit> {
        let Limited { limit, relies } = self.analysis.limited(of)?;
        self.relies.extend(relies.iter().cloned());
        Some(*limit)
    }

    /// A symbol of its own, at most `last`.
    pub(crate) fn index_symbol(&mut self, width: u8, last: u128) -> ExprId {
        let symbol = self.symbols.push(Meaning::Member);
        let id = self.pool.symbol(symbol, width);
        self.bound(id, 0, last);
        id
    }

    /// The two parts of a sum with a constant.
    fn plus_constant(&self, sum: ExprId) -> Option<(ExprId, u128)> {
        let ExprKind::Binary(BinOp::Add, _, base, c) = self.pool[sum].kind else { return None };
        Some((base, self.pool.as_const(c)?))
    }

    /// Iteration `k + delta`, written so that equal iterations get equal expressions.
    pub(crate) fn shift_iteration(&mut self, k: ExprId, delta: i64) -> ExprId {
        let (base, offset) = match (self.pool.as_const(k), self.plus_constant(k)) {
            (Some(value), _) => (None, value as i64),
            (None, Some((base, c))) => (Some(base), i64::from(c as u32 as i32)),
            (None, None) => (Some(k), 0),
        };
        let sum = self.pool.signed(i128::from(offset + delta), 32);
        match base {
            None => sum,
            Some(base) if offset + delta == 0 => base,
            Some(base) => {
                let flags = if offset + delta > 0 { NoWrap::BOTH } else { NoWrap::SIGNED };
                self.pool.binary_flagged(BinOp::Add, flags, base, sum)
            }
        }
    }

    /// An expression of the kernel, as the frame's thread computes it in the frame's iterations.
    pub(crate) fn at(&mut self, frame: FrameId, id: ExprId) -> ExprId {
        if matches!(self.pool[id].kind, ExprKind::Const(_)) {
            return id;
        }
        let frame = self.frame_of(frame, id);
        if let Some(&known) = self.frames[frame.0].memo.get(&id) {
            return known;
        }
        let value = self.build(frame, id);
        self.frames[frame.0].memo.insert(id, value);
        value
    }

    /// The same at several places.
    pub(crate) fn all_at(&mut self, frame: FrameId, ids: &[ExprId]) -> Vec<ExprId> {
        ids.iter().map(|id| self.at(frame, *id)).collect()
    }

    /// Adds something that holds for the two threads, and has a value in all that they do: what
    /// they execute, or what is under the predicate of what computes it. Else it is a theorem
    /// ([`Instance::state_theorem`]).
    pub(crate) fn state(&mut self, fact: ExprId) {
        let fact = match self.supposed {
            Some(supposed) => self.pool.implies(supposed, fact),
            None => fact,
        };
        if self.pool.as_const(fact) != Some(1) && !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    /// What is stated from here on holds if this does. It is about what a thread does later, if it
    /// comes to that: a loop that it never enters need not end.
    pub(crate) fn suppose(&mut self, supposed: Option<ExprId>) {
        self.supposed = supposed;
    }

    /// Records that what is stated takes something for granted. Each answer from here on carries
    /// it.
    pub(crate) fn rely_on(&mut self, assumption: Assumption) {
        self.relies.insert(assumption);
    }

    /// Records that what is stated was shown elsewhere, with what that took for granted.
    pub(crate) fn rely_on_all(&mut self, held: &Held) {
        self.relies.extend(held.relies().iter().cloned());
    }

    /// What is taken for granted so far.
    pub(crate) fn relies(&self) -> &BTreeSet<Assumption> {
        &self.relies
    }

    /// What holds for the two threads so far.
    pub(crate) fn facts(&self) -> &[ExprId] {
        &self.facts
    }

    /// Bounds of leaves, inclusive, unsigned.
    pub(crate) fn ranges(&self) -> &[(ExprId, u128, u128)] {
        &self.ranges
    }

    /// What a symbol stands for.
    pub(crate) fn meaning(&self, symbol: SymId) -> Meaning {
        self.symbols[symbol]
    }

    /// What the two threads read from memory, as far as the instance looked.
    pub(crate) fn reads(&self) -> &[Read] {
        &self.reads
    }

    pub(crate) fn tickets(&self) -> &[Ticket] {
        &self.tickets
    }

    /// The frame, cut to the loops that an expression's value depends on, so that what is the same
    /// in more iterations is one expression.
    fn frame_of(&self, frame: FrameId, id: ExprId) -> FrameId {
        let scope = self.analysis.scopes.home(id);
        let mut at = frame;
        while let Some((outside, of, _)) = self.frames[at.0].inside {
            if Some(of) == scope {
                return at;
            }
            at = outside;
        }
        // Outside all loops; or the expression is used after its loop, which the verifier forbids.
        debug_assert!(scope.is_none(), "an expression outside its loop");
        at
    }

    fn build(&mut self, frame: FrameId, id: ExprId) -> ExprId {
        // What it is computed from does not say that the lanes agree on it.
        if self.placement == Placement::SameWarp && self.analysis.uniformity.is_combined(id) {
            return self.leaf(frame, id);
        }
        match self.analysis.kernel.exprs[id].kind.clone() {
            // Each thread has private memory of its own, somewhere.
            ExprKind::Base(object) if self.analysis.kernel[object].space == Space::Local => {
                self.leaf(frame, id)
            }
            ExprKind::Const(_) | ExprKind::Base(_) | ExprKind::Sym(_) => id,
            ExprKind::Special(special) => self.special(frame, special),
            ExprKind::Param(index) => match self.analysis.launch.arg(index) {
                Some(value) => {
                    let width = self.pool.width(id);
                    self.pool.constant(value, width)
                }
                None => {
                    self.argument(index, id);
                    id
                }
            },
            ExprKind::Var(var) => self.var(frame, id, var),
            ExprKind::Exit(of, value) => {
                let k = self.last_iteration(frame, of);
                let inside = self.enter(frame, of, k);
                self.at(inside, value)
            }
            ExprKind::Result(op, index) => self.result(frame, id, op, index),
            ExprKind::Undef(_) => self.leaf(frame, id),
            ExprKind::Unary(op, a) => {
                let a = self.at(frame, a);
                self.pool.unary(op, a)
            }
            ExprKind::Binary(op, flags, a, b) => {
                let (x, y) = (self.at(frame, a), self.at(frame, b));
                // Widened, it has the flags of its width.
                let is_linear = self.pool.width(id) == 32 && self.linear_index(op, a, b);
                let flags = match is_linear && self.analysis.linear_index_fits() {
                    true => self.linear_flags(op, (x, y), id, (a, b)),
                    false => self.in_range(op, flags, (x, y), id),
                };
                self.pool.binary_flagged(op, flags, x, y)
            }
            ExprKind::Cmp(op, a, b) => {
                let (a, b) = (self.at(frame, a), self.at(frame, b));
                self.compared(op, a, b)
            }
            ExprKind::Select(c, a, b) => {
                let c = self.at(frame, c);
                match self.pool.as_const(c) {
                    Some(0) => self.at(frame, b),
                    Some(_) => self.at(frame, a),
                    None => {
                        let (a, b) = (self.at(frame, a), self.at(frame, b));
                        self.pool.select(c, a, b)
                    }
                }
            }
            ExprKind::Cast(op, a) => {
                let width = self.pool.width(id);
                if op == CastOp::Trunc {
                    return self.cut(frame, a, width);
                }
                let a = self.at(frame, a);
                self.pool.cast(op, a, width)
            }
            ExprKind::Pure(function, args) => {
                let name = self.pool.function_name(function).to_owned();
                let width = self.pool.width(id);
                let args = self.all_at(frame, &args);
                self.pool.pure(&name, &args, width)
            }
        }
    }

    fn symbol(&mut self, meaning: Meaning, width: u8) -> ExprId {
        let symbol = self.symbols.push(meaning);
        let id = self.pool.symbol(symbol, width);
        self.ids.entry(meaning).or_insert(id);
        id
    }

    fn bound(&mut self, leaf: ExprId, low: u128, high: u128) {
        self.ranges.push((leaf, low, high));
    }

    /// Iteration numbers of a frame, outermost first.
    fn iterations(&self, frame: FrameId) -> Vec<ExprId> {
        let mut all = Vec::new();
        let mut at = frame;
        while let Some((outside, _, k)) = self.frames[at.0].inside {
            all.push(k);
            at = outside;
        }
        all.reverse();
        all
    }
}

/// The value of an expression of an instance in a model. Where a no-wrap flag does not hold the
/// program is undefined there, and the value is zero.
pub(crate) fn evaluate(instance: &Instance<'_>, model: &Model, id: ExprId) -> u128 {
    match model.evaluate(&instance.pool, id) {
        Value::Known(value) => value,
        Value::Poison => 0,
    }
}
