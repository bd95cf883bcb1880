//! Runs the warps of a block against each other, each up to where it has to wait.
//!
//! A [`Flow`](FlowId) is lanes of a warp that go through the program together. [`Warps::advance`]
//! runs one to its next synchronization, which the caller gives a meaning: it then lets the flow
//! [`pass`](Warps::pass), or rest. A flow can be [`part`](Warps::part)ed and
//! [`join`](Warps::join)ed again. A [`Watcher`] is told the accesses.
//!
//! **Promises.** What is computed is what the program computes in the schedule that the caller
//! chose. A value is computed if it decides where a thread goes, which memory it accesses, or for
//! which others it waits; other values are not.
//!
//! An access whose place is not known is in [`Warps::blurred`], with the reason. One that may
//! happen or not, at a known place, is told as such, and is in [`Warps::perhaps`]. Once the runs
//! of a family have differed in a guard, the access is told of each lane that comes by it. A
//! barrier that may happen or not is a [`Stop`].
//!
//! **Does not** know what barriers do, and does not run warps of more than 32 lanes or blocks whose
//! parts fall out of step in a shuffle.
//!
//! **Assumes** that `elect` elects the lowest lane. The hardware may choose another, so a proof
//! that rests on a run says so.

mod asks;
mod cross_lane;
mod family;
mod guards;
mod memory;
mod plan;
mod snapshot;
mod step;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use heddle_ir::{ExprId, Kernel, ObjectId, OpId};
use heddle_semantics::Warps as OfBlock;

use crate::launch::Launch;
use crate::stop::{Cause, Causes, Stop, Unknown};

pub use self::asks::Asks;
pub use self::family::Family;
use self::memory::Memory;
pub use self::plan::spins;
use self::plan::{Plan, Step};
pub use self::snapshot::{Place, Snapshot, Widened};
use self::value::Value;

/// Rounds of a loop that carries nothing and only reads, after which it is taken to have no end
/// while its flow alone runs.
const MOST_POLLS: u64 = 1 << 12;

/// A flow of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlowId(pub u32);

/// Why a flow does not go on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// These lanes are about to do this operation, which synchronizes.
    At {
        /// Which.
        op: OpId,
        /// The lanes that do it.
        lanes: u32,
    },
    /// The lanes have ended.
    Ended,
}

/// An access of some lanes of a warp.
#[derive(Clone, Copy, Debug)]
pub struct WarpAccess<'a> {
    /// The block, by its position in the run.
    pub block: u32,
    /// The warp in its block.
    pub warp: u32,
    /// The operation.
    pub op: OpId,
    /// The object.
    pub object: ObjectId,
    /// Bytes that each lane touches.
    pub size: u64,
    /// Each lane with its first byte.
    pub lanes: &'a [(u8, u64)],
    /// What each lane writes, element by element, where that was asked for and is known.
    pub written: Option<&'a [u64]>,
    /// Whether the lanes may do it or not.
    pub perhaps: bool,
}

/// Is told the accesses.
pub trait Watcher {
    /// Lanes of a warp touch memory outside local memory.
    fn access(&mut self, access: &WarpAccess<'_>);
}

/// Blocks under way.
#[derive(Debug)]
pub struct Warps<'k> {
    kernel: &'k Kernel,
    launch: &'k Launch,
    plan: Plan,
    /// Lanes of a warp.
    size: u32,
    blocks: Vec<Option<[u32; 3]>>,
    warps: Vec<Warp>,
    flows: Vec<Flow>,
    memory: Memory,
    causes: Causes,
    blurred: BTreeMap<OpId, Unknown>,
    perhaps: BTreeMap<OpId, Unknown>,
    /// Those of them that the runs of a family may do or not, so that in rounds that are put in
    /// other lanes may: the parts of the predicate in which the runs may differ.
    guarded: BTreeMap<OpId, BTreeSet<ExprId>>,
    undefined: Option<OpId>,
    values: Vec<OpId>,
    steps_left: u64,
    /// The runs that this one speaks for, where it is not for itself alone.
    family: Option<Family>,
    /// The cause of what differs among them.
    family_cause: Cause,
}

#[derive(Clone, Debug)]
struct Warp {
    block: u32,
    number: u32,
    /// Lanes that have not ended.
    live: u32,
    slots: Vec<Value>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Flow {
    warp: usize,
    frames: Vec<Frame>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Frame {
    /// The loop, by its position in the plan; none for the kernel's body.
    of: Option<u32>,
    next: usize,
    lanes: u32,
    iteration: u64,
    /// A barrier object was asked in it, and has answered.
    asked: bool,
}

impl<'k> Warps<'k> {
    /// Blocks of a launch at their start: those with these indices, one whose index is not known
    /// for `None`. The run ends after so many `steps`; what the operations of `values` write is
    /// told.
    pub fn new(
        kernel: &'k Kernel,
        launch: &'k Launch,
        blocks: &[Option<[u32; 3]>],
        values: &[OpId],
        steps: u64,
    ) -> Result<Warps<'k>, Stop> {
        launch.check().map_err(Stop::Launch)?;
        let lanes = launch.shape.warp_size.filter(|it| *it as usize <= value::LANES);
        let Some(lanes) = lanes else {
            return Err(Stop::Launch(crate::LaunchError::WarpSize(
                launch.shape.warp_size.unwrap_or(0),
            )));
        };
        let of_block = OfBlock { size: lanes, threads: launch.shape.threads() };
        let plan = Plan::of(kernel, values);
        let mut causes = Causes::default();
        let nothing = causes.of(Unknown::Symbol);
        let mut warps = Vec::new();
        let mut flows = Vec::new();
        for block in 0..blocks.len() as u32 {
            for number in 0..of_block.count() {
                let live = of_block.lanes_of(number) as u32;
                let slots = vec![Value::unknown(nothing); plan.exprs.len()];
                let frame = Frame { of: None, next: 0, lanes: live, iteration: 0, asked: false };
                flows.push(Flow { warp: warps.len(), frames: vec![frame] });
                warps.push(Warp { block, number, live, slots });
            }
        }
        Ok(Warps {
            kernel,
            launch,
            plan,
            size: lanes,
            blocks: blocks.to_vec(),
            warps,
            flows,
            memory: Memory::default(),
            causes,
            blurred: BTreeMap::new(),
            perhaps: BTreeMap::new(),
            guarded: BTreeMap::new(),
            undefined: None,
            values: values.to_vec(),
            steps_left: steps,
            family: None,
            family_cause: Cause::KNOWN,
        })
    }

    /// The same, for all runs of a family at once: what is computed from now on holds in each of
    /// them.
    #[must_use]
    pub fn in_family(mut self, family: Family) -> Warps<'k> {
        self.family_cause = self.causes.of(Unknown::Param(family.param));
        self.family = Some(family);
        self
    }

    /// Steps that may still be taken.
    pub fn steps_left(&self) -> u64 {
        self.steps_left
    }

    /// Takes steps for work that the caller does beside the run.
    pub fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(Stop::Budget)?;
        Ok(())
    }

    /// All flows, those made by parting last.
    pub fn flows(&self) -> impl Iterator<Item = FlowId> + use<> {
        (0..self.flows.len() as u32).map(FlowId)
    }

    /// The block, by its position in the run, and the warp in it.
    pub fn warp_of(&self, flow: FlowId) -> (u32, u32) {
        let warp = &self.warps[self.flows[flow.0 as usize].warp];
        (warp.block, warp.number)
    }

    /// The lanes of the warp that a flow belongs to that have not ended.
    pub fn live(&self, flow: FlowId) -> u32 {
        self.warps[self.flows[flow.0 as usize].warp].live
    }

    /// The lanes of the flow that have not ended.
    pub fn lanes(&self, flow: FlowId) -> u32 {
        let frames = &self.flows[flow.0 as usize].frames;
        frames.first().map_or(0, |frame| frame.lanes) & self.live(flow)
    }

    /// Iterations of the loops around where the flow is, outermost first.
    pub fn iterations(&self, flow: FlowId) -> Vec<u64> {
        let frames = &self.flows[flow.0 as usize].frames;
        frames.iter().skip(1).map(|frame| frame.iteration).collect()
    }

    /// Accesses of which the run does not know all, each with one reason.
    pub fn blurred(&self) -> &BTreeMap<OpId, Unknown> {
        &self.blurred
    }

    /// Accesses that were told although it is not known whether they happen, each with one reason.
    pub fn perhaps(&self) -> &BTreeMap<OpId, Unknown> {
        &self.perhaps
    }

    /// The first operation that accessed beyond its object, or at which a lane trapped: the program
    /// does not say what a run does from there on.
    pub fn undefined(&self) -> Option<OpId> {
        self.undefined
    }

    /// The value of an operand of the operation that a flow is at, for one of its lanes.
    pub fn value(&self, flow: FlowId, expr: ExprId, lane: usize) -> Result<u64, Unknown> {
        if let Some(value) = self.kernel.exprs.as_const(expr) {
            return Ok(value as u64);
        }
        let warp = self.flows[flow.0 as usize].warp;
        self.of(warp, expr).get(lane).map_err(|cause| self.causes.get(cause))
    }

    /// Gives the first result of the operation that a flow is at, for some lanes.
    pub fn answer(&mut self, flow: FlowId, op: OpId, lanes: u32, value: u64) {
        let warp = &mut self.warps[self.flows[flow.0 as usize].warp];
        for (index, slot) in &self.plan.results[op] {
            if *index == 0 {
                warp.slots[*slot as usize].take(lanes, &Value::uniform(value));
            }
        }
    }

    /// Whether the loop that a flow is in does nothing but ask a barrier object.
    fn only_asks(&self, flow: FlowId) -> bool {
        let frame = self.flows[flow.0 as usize].frames.last();
        frame.and_then(|it| it.of).is_some_and(|it| self.plan.loops[it as usize].spins)
    }

    /// What the answer of a test of a barrier object is for.
    pub fn asks(&self, op: OpId) -> Asks {
        self.plan.answers.asks(op)
    }

    /// The tests whose answers say whether a wait has to be done.
    pub fn excuses(&self, op: OpId) -> &[OpId] {
        self.plan.answers.excuses(op)
    }

    /// The flow goes on after the operation it is at.
    pub fn pass(&mut self, flow: FlowId) {
        let asks = self.only_asks(flow);
        let flow = &mut self.flows[flow.0 as usize];
        if let Some(frame) = flow.frames.last_mut() {
            frame.asked |= asks;
            frame.next += 1;
        }
    }

    /// Takes some lanes out of a flow into one of their own, at the same operation; the others pass
    /// it.
    pub fn part(&mut self, flow: FlowId, lanes: u32) -> FlowId {
        let mut parted = self.flows[flow.0 as usize].clone();
        parted.frames.iter_mut().for_each(|frame| frame.lanes &= lanes);
        let rest = &mut self.flows[flow.0 as usize];
        rest.frames.iter_mut().for_each(|frame| frame.lanes &= !lanes);
        if let Some(frame) = rest.frames.last_mut() {
            frame.next += 1;
        }
        self.flows.push(parted);
        FlowId(self.flows.len() as u32 - 1)
    }

    /// Makes two flows of one warp that are at the same place in the same iterations one: the
    /// first. Whether they were.
    pub fn join(&mut self, flow: FlowId, other: FlowId) -> bool {
        let [a, b] = [flow, other].map(|it| self.flows[it.0 as usize].clone());
        let place = |flow: &Flow| -> Vec<_> {
            flow.frames.iter().map(|it| (it.of, it.next, it.iteration)).collect()
        };
        if a.warp != b.warp || flow == other || place(&a) != place(&b) {
            return false;
        }
        for (frame, more) in self.flows[flow.0 as usize].frames.iter_mut().zip(&b.frames) {
            frame.lanes |= more.lanes;
        }
        self.flows[other.0 as usize].frames.clear();
        true
    }

    /// Runs a flow to its next synchronization, or to its end.
    pub fn advance(&mut self, flow: FlowId, watcher: &mut dyn Watcher) -> Result<Pause, Stop> {
        loop {
            let index = flow.0 as usize;
            let Some(frame) = self.flows[index].frames.last().copied() else {
                return Ok(Pause::Ended);
            };
            let warp = self.flows[index].warp;
            let lanes = frame.lanes & self.warps[warp].live;
            let steps = match frame.of {
                Some(of) => &self.plan.loops[of as usize].body,
                None => &self.plan.body,
            };
            let step = steps.get(frame.next).copied().filter(|_| lanes != 0);
            self.steps_left = self.steps_left.checked_sub(1).ok_or(Stop::Budget)?;
            match step {
                Some(Step::Eval(slot)) => self.eval(warp, slot),
                Some(Step::Op(op)) => {
                    if let Some(lanes) = self.operation(warp, op, lanes, watcher)? {
                        if frame.asked {
                            let why = "the loop around it asks again although its phase is over";
                            return Err(Stop::Unsupported { op, why: why.to_owned() });
                        }
                        return Ok(Pause::At { op, lanes });
                    }
                }
                Some(Step::Loop(of)) => {
                    self.step_over(index);
                    self.enter(index, warp, of, lanes)?;
                    continue;
                }
                None => {
                    self.end_of_region(index, warp, frame, lanes)?;
                    continue;
                }
            }
            self.step_over(index);
        }
    }

    fn step_over(&mut self, flow: usize) {
        if let Some(frame) = self.flows[flow].frames.last_mut() {
            frame.next += 1;
        }
    }

    fn enter(&mut self, flow: usize, warp: usize, of: u32, lanes: u32) -> Result<(), Stop> {
        let it = &self.plan.loops[of as usize];
        let (entering, open) = self.warps[warp].slots[it.pred as usize].holds(lanes);
        if open != 0 {
            let cause = self.warps[warp].slots[it.pred as usize].cause();
            let used_by = crate::stop::Use::Entry(it.id);
            self.leave_out(warp, of, open, cause, used_by)?;
        }
        if entering == 0 {
            return Ok(());
        }
        let it = &self.plan.loops[of as usize];
        for [var, first, _] in &it.vars {
            let first = self.warps[warp].slots[*first as usize].clone();
            self.warps[warp].slots[*var as usize].take(entering, &first);
        }
        let frame = Frame { of: Some(of), next: 0, lanes: entering, iteration: 0, asked: false };
        self.flows[flow].frames.push(frame);
        Ok(())
    }

    fn end_of_region(
        &mut self,
        flow: usize,
        warp: usize,
        frame: Frame,
        lanes: u32,
    ) -> Result<(), Stop> {
        let Some(of) = frame.of.filter(|_| lanes != 0) else {
            self.flows[flow].frames.pop();
            return Ok(());
        };
        let it = &self.plan.loops[of as usize];
        let (going_on, open) = self.warps[warp].slots[it.cont as usize].holds(lanes);
        let leaving = lanes & !going_on;
        for [exit, inner] in &it.exits {
            let value = self.warps[warp].slots[*inner as usize].clone();
            self.warps[warp].slots[*exit as usize].take(leaving, &value);
        }
        if open != 0 {
            let cause = self.warps[warp].slots[it.cont as usize].cause();
            let used_by = crate::stop::Use::Continuation(it.id);
            self.leave_out(warp, of, open, cause, used_by)?;
        }
        if going_on == 0 {
            self.flows[flow].frames.pop();
            return Ok(());
        }
        let it = &self.plan.loops[of as usize];
        if frame.iteration >= MOST_POLLS
            && it.vars.is_empty()
            && let Some(&op) = it.ops.last()
            && it.ops.iter().all(|op| self.only_reads(*op))
        {
            let why = "the loop around it polls memory that nobody changes meanwhile".to_owned();
            return Err(Stop::Unsupported { op, why });
        }
        let next: Vec<Value> = it
            .vars
            .iter()
            .map(|[_, _, next]| self.warps[warp].slots[*next as usize].clone())
            .collect();
        for ([var, ..], value) in it.vars.iter().zip(&next) {
            self.warps[warp].slots[*var as usize].take(going_on, value);
        }
        if let Some(frame) = self.flows[flow].frames.last_mut() {
            *frame = Frame { next: 0, lanes: going_on, iteration: frame.iteration + 1, ..*frame };
        }
        Ok(())
    }

    /// Lanes may or may not run (more of) a loop: what it does is blurred, unless it decides who
    /// waits for whom.
    fn leave_out(
        &mut self,
        warp: usize,
        of: u32,
        lanes: u32,
        cause: Cause,
        used_by: crate::stop::Use,
    ) -> Result<(), Stop> {
        let ops = self.plan.loops[of as usize].ops.clone();
        if ops.iter().any(|op| self.decides_order(*op)) {
            return Err(self.unknown(warp, used_by, lanes, cause));
        }
        for op in ops {
            self.blur(warp, op, cause);
        }
        for [exit, _] in &self.plan.loops[of as usize].exits {
            self.warps[warp].slots[*exit as usize].take(lanes, &Value::unknown(cause));
        }
        Ok(())
    }

    fn unknown(&self, warp: usize, used_by: crate::stop::Use, lanes: u32, cause: Cause) -> Stop {
        let origin = self.causes.get(cause);
        let warp = &self.warps[warp];
        let thread = warp.number * self.size + lanes.trailing_zeros();
        let flag = origin.flag(self.kernel);
        Stop::Unknown { used_by, thread, origin, flag }
    }
}
