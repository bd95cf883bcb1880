//! Runs a block: the tree from top to bottom, each operation for all its threads before the next.
//!
//! Threads that left a loop wait, disabled, for those still in it. Threads of one operation act in
//! the order of their numbers; that is one of the orders the machine may choose, and what differs
//! between orders is a race.

mod access;
mod barrier;
mod copy;
mod cross_lane;
mod group_copy;

use std::ops::ControlFlow;
use std::rc::Rc;

use heddle_ir::{
    ExprId, Item, Kernel, Loop, LoopId, ObjectId, ObjectKind, OpId, OpKind, Region, Space,
};
use smallvec::SmallVec;

use crate::column::{Column, ColumnBuilder, Range};
use crate::eval::Values;
use crate::journal::{Divergence, Moment, Visitor};
use crate::launch::Launch;
use crate::memory::{ByteStore, Memory};
use crate::plan::Plan;
use crate::stop::{Cause, Causes, Stop, Unknown, Use};

/// Why a block is left early.
pub(crate) enum Halt {
    Stop(Stop),
    /// The visitor has seen enough.
    Visitor,
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

type Done = Result<(), Halt>;

/// Threads by number, rising.
type Threads = Rc<Vec<u32>>;

pub(crate) struct Machine<'s> {
    pub(crate) kernel: &'s Kernel,
    pub(crate) launch: &'s Launch,
    pub(crate) plan: &'s Plan,
    pub(crate) causes: &'s mut Causes,
    /// Objects that outlive the block.
    pub(crate) global: &'s mut Memory,
    /// Shared and local objects.
    pub(crate) own: Memory,
    pub(crate) visitor: &'s mut dyn Visitor,
    pub(crate) budget: &'s mut u64,
    pub(crate) values: Values<'s>,
    pub(crate) block: [u32; 3],
    pub(crate) block_number: u32,
    /// The threads in each open region, outermost first.
    frames: Vec<Threads>,
    iterations: Vec<u64>,
    exited: Vec<bool>,
    shared_interval: u32,
    global_interval: u32,
    grid_interval: u32,
    cluster_interval: u32,
    warp_intervals: Vec<u32>,
    copies: copy::Copies,
    /// Divergences whose missing threads may yet return.
    missed: Vec<Divergence>,
}

impl<'s> Machine<'s> {
    #[allow(clippy::too_many_arguments, reason = "the parts of a session, each borrowed by itself")]
    pub(crate) fn new(
        kernel: &'s Kernel,
        launch: &'s Launch,
        plan: &'s Plan,
        causes: &'s mut Causes,
        global: &'s mut Memory,
        visitor: &'s mut dyn Visitor,
        budget: &'s mut u64,
        block: [u32; 3],
        block_number: u32,
    ) -> Machine<'s> {
        let threads = launch.shape.threads();
        Machine {
            kernel,
            launch,
            plan,
            causes,
            global,
            own: Memory::default(),
            visitor,
            budget,
            values: Values::new(kernel, &plan.scopes, launch, block),
            block,
            block_number,
            frames: vec![Rc::new((0..threads).collect())],
            iterations: Vec::new(),
            exited: vec![false; threads as usize],
            shared_interval: 0,
            global_interval: 0,
            grid_interval: 0,
            cluster_interval: 0,
            warp_intervals: vec![0; threads as usize],
            copies: copy::Copies::default(),
            missed: Vec::new(),
        }
    }

    pub(crate) fn run(&mut self) -> Done {
        let kernel = self.kernel;
        self.region(&kernel.body, None)?;
        self.report_missing()?;
        match self.visitor.block_end(self.block) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Visitor),
        }
    }

    fn region(&mut self, region: &Region, of: Option<LoopId>) -> Done {
        for item in &region.items {
            match *item {
                Item::Op(op) => self.operation(op, of)?,
                Item::Loop(id) => self.enter(id, of)?,
            }
        }
        Ok(())
    }

    /// Takes these steps from the budget, and those for the values computed since the last call.
    fn spend(&mut self, steps: usize) -> Done {
        let steps = steps as u64 + self.values.take_steps();
        match self.budget.checked_sub(steps) {
            Some(left) => {
                *self.budget = left;
                Ok(())
            }
            None => {
                *self.budget = 0;
                Err(Stop::Budget.into())
            }
        }
    }

    fn present(&self) -> Threads {
        self.frames.last().expect("the body is open").clone()
    }

    fn get(&mut self, expr: ExprId) -> Rc<Column> {
        self.values.get(expr, self.causes)
    }

    fn cause(&mut self, unknown: Unknown) -> Cause {
        self.causes.of(unknown)
    }

    fn unknown(&mut self, used_by: Use, thread: u32, cause: Cause) -> Halt {
        let origin = self.causes.get(cause);
        let flag = origin.flag(self.kernel);
        Stop::Unknown { used_by, thread, origin, flag }.into()
    }

    /// Those of `threads` for which a predicate holds.
    fn holding(
        &mut self,
        predicate: ExprId,
        threads: &Threads,
        used_by: Use,
    ) -> Result<Threads, Halt> {
        let column = self.get(predicate);
        match column.as_uniform() {
            Some(0) => return Ok(Rc::new(Vec::new())),
            Some(_) => return Ok(threads.clone()),
            None => {}
        }
        let mut holding = Vec::with_capacity(threads.len());
        for &thread in threads.iter() {
            match column.get(thread) {
                Ok(0) => {}
                Ok(_) => holding.push(thread),
                Err(cause) => return Err(self.unknown(used_by, thread, cause)),
            }
        }
        Ok(Rc::new(holding))
    }

    fn enter(&mut self, id: LoopId, around: Option<LoopId>) -> Done {
        let kernel = self.kernel;
        let plan = self.plan;
        let Loop { pred, vars, body, cont, parent: _, origin: _ } = &kernel[id];
        let outside = self.present();
        let entering = self.holding(*pred, &outside, Use::Entry(id))?;
        let exits = plan.exits(id);
        let not_entered = self.cause(Unknown::NotEntered(id));
        for &expr in exits {
            let column = Column::unknown(not_entered, kernel.exprs.width(expr));
            self.values.set_exit(id, expr, Rc::new(column));
        }
        if entering.is_empty() {
            return Ok(());
        }
        let starts: Vec<Rc<Column>> = vars.iter().map(|var| self.get(kernel[*var].init)).collect();
        for (var, start) in vars.iter().zip(starts) {
            self.values.set_var(*var, start);
        }
        let outer_range = self.values.range(around);
        let all_enter = entering.len() == outside.len();
        let mut left: Vec<Option<ColumnBuilder>> = exits.iter().map(|_| None).collect();
        let entered = entering.len();
        self.frames.push(entering);
        self.iterations.push(0);
        loop {
            let inside = self.present();
            self.spend(inside.len())?;
            let range = span(&inside);
            self.values.begin_iteration(id, range);
            self.region(body, Some(id))?;
            // Some may have returned meanwhile.
            let inside = self.present();
            let staying = self.holding(*cont, &inside, Use::Continuation(id))?;
            if staying.len() < inside.len() {
                let all = staying.is_empty() && inside.len() == entered;
                let whole = all && all_enter && range == outer_range;
                for (&expr, left) in exits.iter().zip(&mut left) {
                    let column = self.values.get(expr, self.causes);
                    if whole {
                        self.values.set_exit(id, expr, column);
                        continue;
                    }
                    let width = kernel.exprs.width(expr);
                    let builder = left
                        .get_or_insert_with(|| ColumnBuilder::new(width, outer_range, not_entered));
                    let mut stays = staying.iter().peekable();
                    for &thread in inside.iter() {
                        if stays.next_if_eq(&&thread).is_none() {
                            builder.set(thread, column.get(thread));
                        }
                    }
                }
            }
            if staying.is_empty() {
                break;
            }
            let next: Vec<Rc<Column>> =
                vars.iter().map(|var| self.get(kernel[*var].next)).collect();
            for (var, next) in vars.iter().zip(next) {
                self.values.set_var(*var, next);
            }
            *self.frames.last_mut().expect("the loop is open") = staying;
            *self.iterations.last_mut().expect("the loop is open") += 1;
        }
        self.frames.pop();
        self.iterations.pop();
        for (&expr, left) in exits.iter().zip(left) {
            if let Some(builder) = left {
                self.values.set_exit(id, expr, Rc::new(builder.finish()));
            }
        }
        Ok(())
    }

    fn operation(&mut self, id: OpId, around: Option<LoopId>) -> Done {
        let kernel = self.kernel;
        let op = &kernel[id];
        if op.kind.is_subscript() {
            return Ok(());
        }
        let present = self.present();
        let active = self.holding(op.pred, &present, Use::Predicate(id))?;
        self.spend(active.len().max(1))?;
        if active.is_empty() {
            self.values.set_results(id, SmallVec::new());
            return Ok(());
        }
        let range = self.values.range(around);
        match &op.kind {
            OpKind::Access(access) => self.access(id, access, &active, range),
            OpKind::Barrier(barrier) => self.barrier(id, barrier, &active, range),
            OpKind::Fence { .. } => self.tell(id, |visitor, at| visitor.fence(at, &active)),
            // Other warps are taken to give back the registers that one takes.
            OpKind::Registers(_) => Ok(()),
            OpKind::AsyncCopy(copy) => self.issue_copy(id, copy, &active),
            OpKind::AsyncCommit(mechanism) => self.commit_copies(id, *mechanism, &active),
            OpKind::AsyncWait { mechanism, pending, read_only } => {
                self.wait_for_copies(id, *mechanism, (*pending, *read_only), &active)
            }
            OpKind::EventWait(events) => self.wait_for_events(id, events, &active),
            OpKind::CrossLane(exchange) => self.cross_lane(id, exchange, &active, range),
            OpKind::Assume(condition) => match self.failing(*condition, &active) {
                Some(thread) => Err(Stop::AssumptionFailed { op: id, thread }.into()),
                None => Ok(()),
            },
            OpKind::Assert { condition, message: _ } => match self.failing(*condition, &active) {
                Some(thread) => Err(Stop::Trapped { op: id, thread }.into()),
                None => Ok(()),
            },
            OpKind::Claim(claim) if self.launch.watched == Some(id) => {
                match self.failing(claim.condition, &active) {
                    Some(thread) => Err(Stop::Trapped { op: id, thread }.into()),
                    None => Ok(()),
                }
            }
            OpKind::Claim(_) => Ok(()),
            OpKind::Exit(heddle_ir::Ending::Trap) => {
                Err(Stop::Trapped { op: id, thread: active[0] }.into())
            }
            OpKind::Exit(heddle_ir::Ending::Return) => {
                self.leave(&active);
                Ok(())
            }
            OpKind::Opaque(opaque) => {
                if opaque.may_synchronize {
                    let why = format!("`{}` may wait for other threads", opaque.name);
                    return Err(Stop::Unsupported { op: id, why }.into());
                }
                let cause = self.cause(Unknown::Op(id));
                for address in &opaque.touches.writes {
                    self.clobber(address.object, cause);
                }
                for space in &opaque.touches.writes_spaces {
                    self.clobber_space(*space, cause);
                }
                self.unknown_results(id);
                Ok(())
            }
        }
    }

    /// The first thread for which a condition is known not to hold.
    fn failing(&mut self, condition: ExprId, active: &Threads) -> Option<u32> {
        let column = self.get(condition);
        active.iter().copied().find(|thread| column.get(*thread) == Ok(0))
    }

    fn leave(&mut self, active: &Threads) {
        active.iter().for_each(|thread| self.exited[*thread as usize] = true);
        self.forgive(active);
        for frame in &mut self.frames {
            let staying = frame.iter().copied().filter(|it| !self.exited[*it as usize]);
            *frame = Rc::new(staying.collect());
        }
    }

    fn unknown_results(&mut self, id: OpId) {
        let cause = self.cause(Unknown::Op(id));
        let columns =
            self.kernel[id].results.iter().map(|width| Rc::new(Column::unknown(cause, *width)));
        self.values.set_results(id, columns.collect());
    }

    /// Starts a column of results: threads of the region that do not execute the operation have
    /// none.
    fn results_builder(
        &mut self,
        id: OpId,
        width: u8,
        active: &Threads,
        range: Range,
    ) -> ColumnBuilder {
        let all = active.len() == self.present().len();
        let cause = if all { Cause::KNOWN } else { self.cause(Unknown::NotExecuted(id)) };
        ColumnBuilder::new(width, range, cause)
    }

    fn memory_of(&mut self, object: ObjectId) -> &mut Memory {
        match self.kernel[object].space {
            Space::Shared | Space::Local => &mut self.own,
            Space::Global | Space::Constant | Space::Generic => self.global,
        }
    }

    /// The bytes of an object that a thread sees.
    fn bytes(&mut self, object: ObjectId, thread: u32) -> &mut ByteStore {
        let memory = match self.kernel[object].space {
            Space::Shared | Space::Local => &mut self.own,
            Space::Global | Space::Constant | Space::Generic => &mut *self.global,
        };
        memory.store(object, thread, self.kernel, self.launch, self.causes)
    }

    /// Makes what an object, or any it may be, holds unknown.
    fn clobber(&mut self, object: ObjectId, cause: Cause) {
        let of = &self.kernel[object];
        match of.kind {
            ObjectKind::Unknown => self.clobber_space(of.space, cause),
            ObjectKind::Param(_)
            | ObjectKind::ParamField(..)
            | ObjectKind::Pointee(_)
            | ObjectKind::Variable
            | ObjectKind::DynamicShared
            | ObjectKind::Alloca => self.memory_of(object).clobber(object, cause),
        }
    }

    fn clobber_space(&mut self, space: Space, cause: Cause) {
        for (object, it) in &self.kernel.objects {
            if it.space.may_be(space) {
                self.memory_of(object).clobber(object, cause);
            }
        }
    }

    /// Calls the visitor with the present moment.
    fn tell(
        &mut self,
        op: OpId,
        tell: impl FnOnce(&mut dyn Visitor, &Moment<'_>) -> ControlFlow<()>,
    ) -> Done {
        let moment = Moment {
            block: self.block,
            block_number: self.block_number,
            op,
            iterations: &self.iterations,
            shared_interval: self.shared_interval,
            global_interval: self.global_interval,
            grid_interval: self.grid_interval,
            cluster_interval: self.cluster_interval,
            warp_intervals: &self.warp_intervals,
        };
        match tell(self.visitor, &moment) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Visitor),
        }
    }
}

/// From the first of some threads to past the last.
fn span(threads: &Threads) -> Range {
    match (threads.first(), threads.last()) {
        (Some(first), Some(last)) => (*first, last + 1),
        _ => (0, 0),
    }
}
