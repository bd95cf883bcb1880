//! Runs the warps of a block under the barriers' semantics: what comes out is a trace, with what is
//! wrong in it.
//!
//! A warp runs in one piece as long as it can: lanes that wait hold up the others. Only when
//! nothing else can run do the others go on alone, as the hardware would let them; they meet again
//! at the next instruction that the whole warp does together.

mod copies;
mod fenced;
mod meet;
mod overwritten;
mod record;

use std::collections::BTreeMap;

use heddle_interp::{Family, FlowId, Launch, Pause, Stop, Unknown, Warps};
use heddle_ir::{Barrier, Kernel, OpId, OpKind, Space};
use heddle_trace::{
    AccessKind, Execution, ObjectName, Partition, Races, StrandId, Stuck, Target, Trace, Violation,
    WaitId, brings, find_races,
};
use rustc_hash::FxHashMap;

use self::copies::Copies;
pub(super) use self::copies::{GroupStanding, of_source};
use self::overwritten::{may_be_overwritten, overwritten};
use self::record::{Recorder, Values};
use super::fault::{Fault, FaultKind};

/// Work that one run may cost: steps of warps.
pub(super) const STEPS: u64 = 16_000_000;

/// Instructions that synchronize that one run may do, of all warps together: each stays in the
/// trace.
const MOST_EVENTS: u64 = 500_000;

/// What a run showed.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The blocks that ran; none of one whose index does not matter.
    pub(crate) blocks: Vec<Option<[u32; 3]>>,
    /// Threads in a block.
    pub(crate) block: [u32; 3],
    /// What happened.
    pub(crate) trace: Trace,
    /// What is wrong with its barriers.
    pub(crate) violations: Vec<Violation>,
    /// Who waits for ever.
    pub(crate) stuck: Vec<Stuck>,
    /// Instructions used wrongly.
    pub(crate) faults: Vec<Fault>,
    /// Accesses that are not all known, with a reason.
    pub(crate) blurred: BTreeMap<OpId, Unknown>,
    /// Accesses that may happen or not, with a reason; those that would race are blurred too.
    pub(crate) perhaps: BTreeMap<OpId, Unknown>,
    /// Whether one of them would race.
    pub(crate) would_race: bool,
    /// Whether it accesses beyond an object, or traps.
    pub(crate) is_undefined: bool,
    /// Races, where the barriers are right.
    pub(crate) races: Races,
    /// Arguments that have a value here and nowhere else.
    pub(crate) given: Vec<(u32, u128)>,
    /// Arrivals of a whole block.
    pub(crate) block_arrivals: u32,
    /// Whether barriers for all wait for threads that have ended.
    pub(crate) exited_are_awaited: bool,
    /// Whether lanes of a warp have ended where the others do what the whole warp has to.
    pub(crate) beside_ended: bool,
    /// A barrier object that somebody overwrites who races: the run shows the race, and no more.
    pub(crate) overwritten: Option<Stop>,
    /// Steps that the run left to the search for its races.
    pub(crate) steps_left: u64,
}

impl Outcome {
    /// Whether its barriers are right, so that it speaks for all schedules.
    pub(crate) fn is_clean(&self) -> bool {
        self.violations.is_empty() && self.stuck.is_empty() && self.faults.is_empty()
    }
}

/// The run of some blocks of a launch.
pub(super) fn drive(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[Option<[u32; 3]>],
    in_step: bool,
    steps: u64,
) -> Result<Outcome, Stop> {
    run_by(kernel, launch, blocks, in_step, &mut |start| start.within(steps)?.run())
}

/// As [`drive`], for runs that are done in another way than to the end at once: `run` does one.
/// None in which a barrier object is overwritten.
pub(super) fn drive_by<E: From<Stop>>(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[Option<[u32; 3]>],
    in_step: bool,
    run: &mut dyn FnMut(Start<'_>) -> Result<Attempt, E>,
) -> Result<Outcome, E> {
    let outcome = run_by(kernel, launch, blocks, in_step, run)?;
    match &outcome.overwritten {
        Some(stop) => Err(stop.clone().into()),
        None => Ok(outcome),
    }
}

fn run_by<E: From<Stop>>(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[Option<[u32; 3]>],
    in_step: bool,
    run: &mut dyn FnMut(Start<'_>) -> Result<Attempt, E>,
) -> Result<Outcome, E> {
    let mut outcome = settle(kernel, launch, blocks, in_step, &[], run)?;
    let both_write = |race: &&heddle_trace::Race| race.accesses == [AccessKind::Write; 2];
    let mut values: Vec<OpId> = outcome
        .races
        .list
        .iter()
        .filter(both_write)
        .flat_map(|race| race.sources)
        .map(|source| of_source(source).0)
        .filter(|op| matches!(kernel[*op].kind, OpKind::Access(_)))
        .collect();
    values.sort_unstable();
    values.dedup();
    if !values.is_empty() {
        outcome = settle(kernel, launch, blocks, in_step, &values, run)?;
    }
    Ok(outcome)
}

/// Runs until the division of warps into strands stays as it is.
fn settle<E: From<Stop>>(
    kernel: &Kernel,
    launch: &Launch,
    blocks: &[Option<[u32; 3]>],
    in_step: bool,
    values: &[OpId],
    run: &mut dyn FnMut(Start<'_>) -> Result<Attempt, E>,
) -> Result<Outcome, E> {
    divide(launch, blocks, in_step, &mut |partition| {
        let start = Start { kernel, launch, blocks, partition, values };
        Ok(match run(start)? {
            Attempt::Done(mut outcome) => {
                if outcome.is_clean() {
                    if let Some(stop) = may_be_overwritten(kernel, &outcome) {
                        return Err(stop.into());
                    }
                    let races = find_races(&outcome.trace, in_step, outcome.steps_left);
                    outcome.races = races.ok_or(Stop::Budget)?;
                    match overwritten(&outcome.races) {
                        Some((stop, true)) => outcome.overwritten = Some(stop),
                        Some((stop, false)) => return Err(stop.into()),
                        None => {}
                    }
                    leave_open(kernel, &mut outcome);
                }
                Attempt::Done(*outcome)
            }
            Attempt::Cut(lanes) => Attempt::Cut(lanes),
        })
    })
}

/// A race of an access that may happen or not is none that a run has: the access is left to the
/// race passes, as if the trace did not have it.
fn leave_open(kernel: &Kernel, outcome: &mut Outcome) {
    let may_happen = |source: u32| {
        let (op, is_sure) = of_source(source);
        (!is_sure && matches!(kernel[op].kind, OpKind::Access(_))).then_some(op)
    };
    let Outcome { races, perhaps, would_race, blurred, .. } = outcome;
    races.list.retain(|race| {
        let mut open = race.sources.into_iter().filter_map(may_happen).peekable();
        let is_sure = open.peek().is_none();
        blurred.extend(open.map(|op| (op, perhaps.get(&op).cloned().unwrap_or(Unknown::Op(op)))));
        *would_race |= !is_sure;
        is_sure
    });
}

/// Runs with warps divided into strands as the answer says, until it is no division any more.
pub(super) fn divide<T, E>(
    launch: &Launch,
    blocks: &[Option<[u32; 3]>],
    in_step: bool,
    run: &mut dyn FnMut(&Partition) -> Result<Attempt<T>, E>,
) -> Result<T, E> {
    let size = launch.shape.warp_size.unwrap_or(32).max(1);
    let warps = launch.shape.threads().div_ceil(size);
    let lanes_of = |_, warp: u32| (1u64 << size.min(launch.shape.threads() - warp * size)) - 1;
    let mut partition = Partition::whole_warps(blocks.len() as u32, warps, lanes_of);
    if in_step {
        partition = partition.fixed();
    }
    loop {
        match run(&partition)? {
            Attempt::Done(done) => return Ok(done),
            Attempt::Cut(lanes) => {
                for block in 0..blocks.len() as u32 {
                    for warp in 0..warps {
                        partition.cut(block, warp, lanes);
                    }
                }
            }
        }
    }
}

/// All that a run starts from.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) launch: &'a Launch,
    pub(super) blocks: &'a [Option<[u32; 3]>],
    pub(super) partition: &'a Partition,
    /// Stores whose values are told.
    pub(super) values: &'a [OpId],
}

impl<'a> Start<'a> {
    /// At the start, within so many steps of warps.
    pub(super) fn within(self, steps: u64) -> Result<Drive<'a>, Stop> {
        Drive::new(self, steps)
    }
}

/// A run, if its strands were as they have to be.
pub(super) enum Attempt<T = Box<Outcome>> {
    Done(T),
    /// An event concerned these lanes of a warp and not the others of a strand.
    Cut(u64),
}

/// What a flow is doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    Ready,
    Waits(OpId, u32, Vec<WaitId>),
    /// It is at an instruction that the whole warp does together, and lanes of it are elsewhere.
    Held(OpId),
    Ended,
}

pub(super) struct Drive<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) launch: &'a Launch,
    pub(super) partition: &'a Partition,
    pub(super) warps: Warps<'a>,
    pub(super) execution: Execution,
    pub(super) faults: Vec<Fault>,
    copies: Copies,
    /// By test that asks ahead: what was asked last, and whether it was waited for.
    pub(super) asked: BTreeMap<(StrandId, OpId), (ObjectName, Target, bool)>,
    /// By barrier object, how many phases it goes through in each period of an induction.
    pub(super) phase_steps: BTreeMap<ObjectName, i64>,
    pub(super) states: Vec<State>,
    blocks: Vec<Option<[u32; 3]>>,
    values: Values,
    block_arrivals: u32,
    pub(super) beside_ended: bool,
    events_left: u64,
}

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Round {
    /// There is more to run.
    Goes,
    /// The strands have to be divided.
    Cut(u64),
    /// Nothing goes on any more.
    Over,
}

/// What became of an instruction that synchronizes.
pub(super) enum Met {
    /// The flow goes on.
    Passes,
    /// Lanes wait.
    Waits(Vec<WaitId>),
    /// The rest of the warp is not here yet.
    Holds,
    /// The strands have to be divided.
    Cut(u64),
    /// Nothing can go on.
    Halts,
}

impl<'a> Drive<'a> {
    fn new(start: Start<'a>, steps: u64) -> Result<Drive<'a>, Stop> {
        let Start { kernel, launch, blocks, partition, values } = start;
        let warps = Warps::new(kernel, launch, blocks, values, steps)?;
        let size = launch.shape.warp_size.unwrap_or(32).max(1);
        let block_arrivals = launch.shape.threads().div_ceil(size) * size;
        let awaited = launch.barriers == heddle_interp::BarrierModel::Strict;
        let states = warps.flows().map(|_| State::Ready).collect();
        Ok(Drive {
            kernel,
            launch,
            partition,
            warps,
            execution: Execution::new(partition, block_arrivals, awaited),
            faults: Vec::new(),
            copies: Copies::default(),
            asked: BTreeMap::new(),
            phase_steps: BTreeMap::new(),
            blocks: blocks.to_vec(),
            states,
            values: FxHashMap::default(),
            block_arrivals,
            beside_ended: false,
            events_left: MOST_EVENTS,
        })
    }

    /// The same for a family of runs.
    pub(super) fn in_family(self, family: Family) -> Drive<'a> {
        Drive { warps: self.warps.in_family(family), ..self }
    }

    /// Runs to the end.
    pub(super) fn run(mut self) -> Result<Attempt, Stop> {
        loop {
            match self.round()? {
                Round::Goes => {}
                Round::Cut(lanes) => return Ok(Attempt::Cut(lanes)),
                Round::Over => return Ok(self.finish()),
            }
        }
    }

    /// Lets each flow run once, as far as it can.
    pub(super) fn round(&mut self) -> Result<Round, Stop> {
        let mut moved = false;
        for index in 0..self.states.len() {
            let flow = FlowId(index as u32);
            if let State::Waits(op, lanes, waits) = &self.states[index]
                && waits.iter().all(|wait| self.execution.is_over(*wait))
            {
                let (op, lanes) = (*op, *lanes);
                self.go_on(flow, op, lanes);
            }
            if self.states[index] == State::Ready {
                moved = true;
                match self.step(flow)? {
                    None => {}
                    Some(Met::Cut(lanes)) => return Ok(Round::Cut(lanes)),
                    Some(_) => return Ok(Round::Over),
                }
            }
        }
        let goes = moved || self.reunite() || self.part();
        Ok(if goes { Round::Goes } else { Round::Over })
    }

    /// Runs a flow to its next synchronization, and does that.
    fn step(&mut self, flow: FlowId) -> Result<Option<Met>, Stop> {
        let index = flow.0 as usize;
        let mut recorder = Recorder {
            kernel: self.kernel,
            partition: self.partition,
            execution: &mut self.execution,
            values: &mut self.values,
        };
        let (op, lanes) = match self.warps.advance(flow, &mut recorder)? {
            Pause::At { op, lanes } => (op, lanes),
            Pause::Ended => {
                self.states[index] = State::Ended;
                self.leave(flow)?;
                return Ok(None);
            }
        };
        self.events_left = self.events_left.checked_sub(1).ok_or(Stop::Budget)?;
        match self.synchronize(flow, op, lanes)? {
            Met::Passes => self.warps.pass(flow),
            Met::Waits(waits) => self.states[index] = State::Waits(op, lanes, waits),
            Met::Holds => self.states[index] = State::Held(op),
            cut_or_halt @ (Met::Cut(_) | Met::Halts) => return Ok(Some(cut_or_halt)),
        }
        Ok(None)
    }

    /// A wait is over.
    fn go_on(&mut self, flow: FlowId, op: OpId, lanes: u32) {
        // What a test answers. What other barriers count over all threads stays unknown.
        if let OpKind::Barrier(Barrier::Mbarrier { .. }) = &self.kernel[op].kind {
            self.warps.answer(flow, op, lanes, 1);
        }
        self.warps.pass(flow);
        self.states[flow.0 as usize] = State::Ready;
    }

    /// Lanes that have ended are told to the barriers, once all of a strand have.
    fn leave(&mut self, flow: FlowId) -> Result<(), Stop> {
        let (block, warp) = self.warps.warp_of(flow);
        let others = self.warps.flows().any(|it| {
            it != flow
                && self.warps.warp_of(it) == (block, warp)
                && !matches!(self.states[it.0 as usize], State::Ended)
                && self.warps.lanes(it) != 0
        });
        if !others {
            let mut arrivals = self.launch.shape.warp_size.unwrap_or(32);
            for strand in self.partition.touched(block, warp, u64::MAX) {
                let asked = (strand, OpId::from_u32(0))..=(strand, OpId::from_u32(u32::MAX - 1));
                if let Some(((_, test), _)) = self.asked.range(asked).find(|it| !it.1.2) {
                    return Err(Self::asks_in_vain(*test));
                }
                self.execution.exit(strand, std::mem::take(&mut arrivals));
            }
        }
        Ok(())
    }

    /// Flows of one warp that are held at the same instruction go on together.
    fn reunite(&mut self) -> bool {
        let mut any = false;
        for index in 0..self.states.len() {
            let State::Held(op) = self.states[index] else { continue };
            let flow = FlowId(index as u32);
            for other in index + 1..self.states.len() {
                let with = FlowId(other as u32);
                if self.states[other] == State::Held(op) && self.warps.join(flow, with) {
                    self.states[other] = State::Ended;
                }
            }
            if self.warps.lanes(flow) == self.warps.live(flow) {
                self.states[index] = State::Ready;
                any = true;
            }
        }
        any
    }

    /// Lanes that do not wait leave those behind that do.
    fn part(&mut self) -> bool {
        let mut any = false;
        for index in 0..self.states.len() {
            let flow = FlowId(index as u32);
            if let State::Waits(op, lanes, waits) = self.states[index].clone()
                && self.warps.lanes(flow) & !lanes != 0
            {
                self.warps.part(flow, lanes);
                self.states[index] = State::Ready;
                self.states.push(State::Waits(op, lanes, waits));
                any = true;
            }
        }
        any
    }

    pub(super) fn finish(mut self) -> Attempt {
        for index in 0..self.states.len() {
            if let State::Held(op) = self.states[index] {
                let flow = FlowId(index as u32);
                let (present, live) = (self.warps.lanes(flow), self.warps.live(flow));
                self.fault(flow, op, present, FaultKind::PartOfWarp { missing: live & !present });
            }
        }
        let stuck = self.execution.stuck();
        let (trace, violations) = self.execution.finish();
        Attempt::Done(Box::new(Outcome {
            blocks: self.blocks,
            block: self.launch.shape.block,
            trace,
            violations,
            stuck,
            faults: self.faults,
            blurred: self.warps.blurred().clone(),
            perhaps: self.warps.perhaps().clone(),
            would_race: false,
            is_undefined: self.warps.undefined().is_some(),
            races: Races::default(),
            given: Vec::new(),
            block_arrivals: self.block_arrivals,
            exited_are_awaited: self.launch.barriers == heddle_interp::BarrierModel::Strict,
            beside_ended: self.beside_ended,
            overwritten: None,
            steps_left: self.warps.steps_left(),
        }))
    }

    pub(super) fn fault(&mut self, flow: FlowId, op: OpId, lanes: u32, kind: FaultKind) {
        let (block, warp) = self.warps.warp_of(flow);
        let known = self.faults.iter().any(|it| it.op == op && it.kind == kind);
        if !known {
            self.faults.push(Fault { op, block, warp, lanes, kind });
        }
    }

    /// Arrivals that lanes of a flow bring: those that the warp lacks, or that have ended, count
    /// with the first that lives.
    pub(super) fn weight(&self, flow: FlowId, lanes: u32) -> u32 {
        let size = self.launch.shape.warp_size.unwrap_or(32);
        let live = self.warps.live(flow);
        brings(u64::from(lanes), u64::from(live), size)
    }
}

/// The number of an object's memory in the trace: shared memory is one per block.
pub(super) fn region(kernel: &Kernel, block: u32, object: heddle_ir::ObjectId) -> u32 {
    let block = if kernel[object].space == Space::Shared { block } else { 0 };
    block * kernel.objects.len() as u32 + object.as_u32()
}

/// The object of a region.
pub(super) fn object_of(kernel: &Kernel, region: u32) -> heddle_ir::ObjectId {
    heddle_ir::ObjectId::from_u32(region % kernel.objects.len() as u32)
}
