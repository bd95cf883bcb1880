//! Evaluates expressions for all threads of a block at once.
//!
//! An expression is computed at most once per iteration of its home, for the threads that are in
//! that iteration: its leaves do not change as long ([`Scopes`]). Values at threads that are not in
//! the iteration mean nothing and are never looked at.

use std::rc::Rc;

use heddle_ir::cranelift_entity::{EntityRef, SecondaryMap};
use heddle_ir::{ExprId, ExprKind, Kernel, LoopId, OpId, Scopes, Special, ValueFrom, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::column::{Column, Data, Range};
use crate::launch::Launch;
use crate::stop::{Cause, Causes, Unknown};
use crate::{floats, operators};

/// Values that are computed for one step of the budget: few threads of an operation may need what
/// is computed for many.
const VALUES_OF_A_STEP: u64 = 16;

pub(crate) struct Values<'k> {
    kernel: &'k Kernel,
    scopes: &'k Scopes,
    launch: &'k Launch,
    block: [u32; 3],
    /// Per expression, its last value.
    cache: Vec<Computed>,
    /// The iteration that each loop is in, as a number that never comes again.
    iteration: SecondaryMap<LoopId, u64>,
    last_iteration: u64,
    /// The threads between the first and the last of the running iteration.
    range: SecondaryMap<LoopId, Range>,
    vars: SecondaryMap<VarId, Option<Rc<Column>>>,
    results: SecondaryMap<OpId, SmallVec<[Rc<Column>; 2]>>,
    exits: FxHashMap<(LoopId, ExprId), Rc<Column>>,
    stack: Vec<ExprId>,
    /// Values computed for which no step was charged; a column that is the same for all threads is
    /// one.
    uncharged: u64,
}

/// A value that was computed, and the iteration of its home that it is of.
#[derive(Clone, Default)]
struct Computed {
    iteration: u64,
    value: Option<Rc<Column>>,
}

impl<'k> Values<'k> {
    pub(crate) fn new(
        kernel: &'k Kernel,
        scopes: &'k Scopes,
        launch: &'k Launch,
        block: [u32; 3],
    ) -> Values<'k> {
        Values {
            kernel,
            scopes,
            launch,
            block,
            cache: vec![Computed::default(); kernel.exprs.len()],
            iteration: SecondaryMap::new(),
            last_iteration: 0,
            range: SecondaryMap::new(),
            vars: SecondaryMap::new(),
            results: SecondaryMap::new(),
            exits: FxHashMap::default(),
            stack: Vec::new(),
            uncharged: 0,
        }
    }

    /// Steps to charge for the values computed since the last call: one for each
    /// [`VALUES_OF_A_STEP`]; the remainder counts in the next call. A column has a value for each
    /// thread between the first and the last of its iteration, however few of them are in it.
    pub(crate) fn take_steps(&mut self) -> u64 {
        let steps = self.uncharged / VALUES_OF_A_STEP;
        self.uncharged %= VALUES_OF_A_STEP;
        steps
    }

    /// Starts an iteration of a loop for threads of a range.
    pub(crate) fn begin_iteration(&mut self, of: LoopId, range: Range) {
        self.last_iteration += 1;
        self.iteration[of] = self.last_iteration;
        self.range[of] = range;
    }

    pub(crate) fn set_var(&mut self, var: VarId, value: Rc<Column>) {
        self.vars[var] = Some(value);
    }

    pub(crate) fn set_results(&mut self, op: OpId, values: SmallVec<[Rc<Column>; 2]>) {
        self.results[op] = values;
    }

    pub(crate) fn set_exit(&mut self, of: LoopId, expr: ExprId, value: Rc<Column>) {
        self.exits.insert((of, expr), value);
    }

    /// The threads that a region's running iteration spans.
    pub(crate) fn range(&self, home: Option<LoopId>) -> Range {
        match home {
            Some(of) => self.range[of],
            None => (0, self.launch.shape.threads()),
        }
    }

    fn iteration_of(&self, home: Option<LoopId>) -> u64 {
        home.map_or(0, |of| self.iteration[of])
    }

    /// The value of an expression that belongs here.
    pub(crate) fn get(&mut self, root: ExprId, causes: &mut Causes) -> Rc<Column> {
        if !self.is_ready(root) {
            self.make_ready(root, causes);
        }
        self.operand(root, causes)
    }

    /// Computes an expression, and before it what it is made of.
    fn make_ready(&mut self, root: ExprId, causes: &mut Causes) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&id) = stack.last() {
            let so_far = stack.len();
            if !self.is_ready(id) {
                self.kernel.exprs.for_each_operand(id, |operand| {
                    if !self.is_ready(operand) {
                        stack.push(operand);
                    }
                });
                if stack.len() > so_far {
                    continue;
                }
                self.keep(id, causes);
            }
            stack.pop();
        }
        self.stack = stack;
    }

    /// Computes an expression whose operands are ready. Its value of the iteration before gives its
    /// memory, where nothing else holds it.
    fn keep(&mut self, id: ExprId, causes: &mut Causes) {
        let home = self.scopes.home(id);
        let (first, end) = self.range(home);
        let before = self.cache[id.index()].value.take();
        let value = match self.chosen(id, causes) {
            Some(arm) => arm,
            None => {
                let unheld = before.filter(|it| Rc::strong_count(it) == 1);
                let mut place = unheld.unwrap_or_else(|| Rc::new(Column::uniform(0, 1)));
                let column = Rc::get_mut(&mut place).expect("nothing else holds it");
                let buffer = column.take_buffer();
                *column = self.compute(id, (first, end), buffer, causes);
                place
            }
        };
        self.uncharged += match value.as_uniform() {
            Some(_) => 1,
            None => u64::from(end.saturating_sub(first)),
        };
        let iteration = self.iteration_of(home);
        self.cache[id.index()] = Computed { iteration, value: Some(value) };
    }

    /// Whether the value need not be computed.
    fn is_ready(&self, id: ExprId) -> bool {
        match self.kernel[id].kind.value_from() {
            // A loop sets its variables before its body; results and exits that are not there are
            // unknown.
            ValueFrom::Var(_) | ValueFrom::Result(..) | ValueFrom::Exit(..) => true,
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => {
                let Computed { iteration, value } = &self.cache[id.index()];
                value.is_some() && *iteration == self.iteration_of(self.scopes.home(id))
            }
        }
    }

    /// The value of an expression that is ready.
    fn operand(&self, id: ExprId, causes: &mut Causes) -> Rc<Column> {
        let unknown = |why: Unknown, causes: &mut Causes| {
            Rc::new(Column::unknown(causes.of(why), self.kernel.exprs.width(id)))
        };
        match self.kernel[id].kind.value_from() {
            ValueFrom::Var(var) => self.vars[var].clone().expect("a loop sets its variables"),
            ValueFrom::Result(op, index) => match self.results[op].get(index as usize) {
                Some(value) => value.clone(),
                None => unknown(Unknown::NotExecuted(op), causes),
            },
            ValueFrom::Exit(of, inner) => match self.exits.get(&(of, inner)) {
                Some(value) => value.clone(),
                None => unknown(Unknown::NotEntered(of), causes),
            },
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => {
                self.cache[id.index()].value.clone().expect("operands are computed first")
            }
        }
    }

    /// The arm of a select that all threads choose.
    fn chosen(&self, id: ExprId, causes: &mut Causes) -> Option<Rc<Column>> {
        let ExprKind::Select(c, a, b) = self.kernel[id].kind else { return None };
        let condition = self.operand(c, causes).as_uniform()?;
        Some(self.operand(if condition == 0 { b } else { a }, causes))
    }

    /// Computes a node whose operands are ready; `buffer` is memory for its values.
    fn compute(&self, id: ExprId, range: Range, buffer: Vec<u64>, causes: &mut Causes) -> Column {
        let width = self.kernel.exprs.width(id);
        let kernel = self.kernel;
        let mut unknown = |why: Unknown| Column::unknown(causes.of(why), width);
        match &kernel[id].kind {
            ExprKind::Const(value) => Column::uniform(*value, width),
            ExprKind::Special(special) => match self.special(*special) {
                Some(column) => column,
                None => unknown(Unknown::Special(*special)),
            },
            ExprKind::Param(index) => {
                match self.launch.args.get(*index as usize).copied().flatten() {
                    Some(value) => Column::uniform(value, width),
                    None => unknown(Unknown::Param(*index)),
                }
            }
            ExprKind::Base(object) => match self.launch.bases.get(object) {
                Some(address) => Column::uniform(u128::from(*address), width),
                None => unknown(Unknown::Base(*object)),
            },
            ExprKind::Undef(index) => unknown(Unknown::Undef(*index)),
            ExprKind::Sym(_) => unknown(Unknown::Symbol),
            // Always ready.
            ExprKind::Var(_) | ExprKind::Result(..) | ExprKind::Exit(..) => {
                unknown(Unknown::Symbol)
            }
            ExprKind::Unary(op, a) => {
                let a = self.operand(*a, causes);
                operators::unary(*op, &a, range, buffer)
            }
            ExprKind::Binary(op, flags, a, b) => {
                let (a, b) = (self.operand(*a, causes), self.operand(*b, causes));
                let value = operators::binary(*op, &a, &b, range, buffer);
                match operators::is_undefined(*op, *flags, &a, &b, range) {
                    false => value,
                    true => {
                        let cause = causes.of(Unknown::Undefined(id));
                        operators::without_undefined(*op, *flags, (&a, &b), &value, cause, range)
                    }
                }
            }
            ExprKind::Cmp(op, a, b) => {
                let (a, b) = (self.operand(*a, causes), self.operand(*b, causes));
                operators::compare(*op, &a, &b, range, buffer)
            }
            ExprKind::Select(c, a, b) => {
                let c = self.operand(*c, causes);
                let (a, b) = (self.operand(*a, causes), self.operand(*b, causes));
                operators::select(&c, &a, &b, range, buffer)
            }
            ExprKind::Cast(op, a) => {
                let a = self.operand(*a, causes);
                operators::cast(*op, &a, width, range, buffer)
            }
            ExprKind::Pure(function, args) => {
                let name = kernel.exprs.function_name(*function);
                if let Some(address) = self.launch.functions.get(name) {
                    return Column::uniform(u128::from(*address), width);
                }
                let products = match (name, &args[..]) {
                    ("fadd" | "fsub", [a, b]) => [*a, *b].map(|it| self.factors(it, causes)),
                    _ => [None, None],
                };
                let args: Vec<Rc<Column>> = args.iter().map(|a| self.operand(*a, causes)).collect();
                let no_model = causes.of(Unknown::Pure(name.to_owned()));
                let function = (name, kernel.target.flushes);
                pure(function, (&args, &products), width, range, no_model)
            }
        }
    }

    /// What a product of two floats is made of.
    fn factors(&self, id: ExprId, causes: &mut Causes) -> Option<Factors> {
        let ExprKind::Pure(function, args) = &self.kernel[id].kind else { return None };
        let [a, b] = args[..] else { return None };
        let is_product = self.kernel.exprs.function_name(*function) == "fmul";
        let are_there = is_product && self.is_ready(a) && self.is_ready(b);
        are_there.then(|| [a, b].map(|it| self.operand(it, causes)))
    }

    fn special(&self, special: Special) -> Option<Column> {
        let launch = self.launch;
        let threads = launch.shape.threads();
        let same = |value: u32| Some(Column::uniform(u128::from(value), 32));
        let each = |of: &dyn Fn(u32) -> u32| {
            let values = (0..threads).map(|thread| Ok(u128::from(of(thread))));
            Some(Column::of_values(32, 0, values))
        };
        let warps = launch.shape.warps();
        match special {
            // One index only: the same for all threads.
            Special::Tid(axis) if launch.shape.block[usize::from(axis)] == 1 => same(0),
            Special::Tid(axis) => {
                each(&|thread| launch.shape.thread_index(thread)[usize::from(axis)])
            }
            Special::Ctaid(axis) => same(self.block[usize::from(axis)]),
            Special::Ntid(axis) => same(launch.shape.block[usize::from(axis)]),
            Special::Nctaid(axis) => same(launch.shape.grid[usize::from(axis)]),
            Special::GlobalOffset(axis) => same(launch.global_offset[usize::from(axis)]),
            Special::LaneId => warps.and_then(|it| each(&|thread| it.lane(thread))),
            Special::WarpId => warps.and_then(|it| each(&|thread| it.warp(thread))),
            Special::ClusterCtaRank => same(launch.shape.clusters().rank(self.block)),
            Special::ClusterNctaRank => same(launch.shape.clusters().size()),
            Special::DynamicSharedSize => launch.dynamic_shared.and_then(same),
        }
    }
}

/// What a product of two floats is made of.
type Factors = [Rc<Column>; 2];

fn pure(
    (name, flushes): (&str, bool),
    (args, products): (&[Rc<Column>], &[Option<Factors>; 2]),
    width: u8,
    range: Range,
    no_model: Cause,
) -> Column {
    let at = |thread: u32| {
        let mut known: SmallVec<[(u128, u8); 3]> = SmallVec::new();
        for arg in args {
            known.push((arg.get(thread)?, arg.width));
        }
        let value = floats::evaluate(name, &known, width, flushes).ok_or(no_model)?;
        for (side, factors) in products.iter().enumerate() {
            if let Some([a, b]) = factors {
                let factors = [(a.get(thread)?, a.width), (b.get(thread)?, b.width)];
                let other = (known[1 - side], side);
                if floats::fused(name, factors, other, width, flushes) != Some(value) {
                    return Err(no_model);
                }
            }
        }
        Ok(value)
    };
    let factors = products.iter().flatten().flatten();
    if args.iter().chain(factors).all(|arg| matches!(arg.data, Data::Uniform(..))) {
        return match at(range.0) {
            Ok(value) => Column::uniform(value, width),
            Err(cause) => Column::unknown(cause, width),
        };
    }
    let values: Vec<Result<u128, Cause>> = (range.0..range.1).map(at).collect();
    Column::of_values(width, range.0, values.into_iter())
}
