//! What the instructions that synchronize do to the barriers.

use heddle_interp::{Asks, FlowId, Stop, Use};
use heddle_ir::{
    ALL_MEMORY, Address, AsyncMechanism, Barrier, BarrierAction, ClusterAction, ExprId,
    MbarrierAction, MemoryOrder, OpId, OpKind, Phase,
};
use heddle_trace::{Arrivals, ClusterStep, ObjectName, ObjectStep, Progress, Sync, Target};

use super::super::fault::FaultKind;
use super::copies::lanes_in;
use super::fenced::releases;
use super::{Drive, Met, region};

impl Drive<'_> {
    pub(super) fn synchronize(&mut self, flow: FlowId, op: OpId, lanes: u32) -> Result<Met, Stop> {
        let kernel = self.kernel;
        match &kernel[op].kind {
            OpKind::Barrier(barrier) => self.barrier(flow, op, lanes, barrier),
            OpKind::AsyncCopy(copy) => self.copy(flow, op, lanes, copy),
            OpKind::AsyncCommit(mechanism) => self.commit(flow, op, lanes, *mechanism),
            OpKind::AsyncWait { mechanism, pending, read_only } => {
                self.wait_for_groups(flow, op, lanes, (*mechanism, *pending, *read_only))
            }
            OpKind::EventWait(_) => {
                let why = "copies by a work group are not run here".to_owned();
                Err(Stop::Unsupported { op, why })
            }
            OpKind::Access(_)
            | OpKind::Fence { .. }
            | OpKind::CrossLane(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => Ok(Met::Passes),
        }
    }

    fn barrier(
        &mut self,
        flow: FlowId,
        op: OpId,
        lanes: u32,
        barrier: &Barrier,
    ) -> Result<Met, Stop> {
        match barrier {
            Barrier::Block { aligned, .. } => {
                self.named(flow, op, lanes, None, None, (true, *aligned))
            }
            Barrier::Named { action, id, count, aligned, reduce: _ } => {
                let waits = match action {
                    BarrierAction::Sync => true,
                    BarrierAction::Arrive => false,
                };
                self.named(flow, op, lanes, Some(*id), *count, (waits, *aligned))
            }
            Barrier::Warp { mask, orders } => {
                if self.kernel.exprs.as_const(*orders) != Some(ALL_MEMORY) {
                    let why = "a barrier of lanes that orders a part of memory".to_owned();
                    return Err(Stop::Unsupported { op, why });
                }
                let mut groups: Vec<(u64, u32)> = Vec::new();
                let live = self.warps.live(flow);
                for lane in lanes_in(lanes) {
                    let mask = self.operand(flow, op, *mask, lane, Use::Barrier)?;
                    add(&mut groups, mask & u64::from(live), lane);
                }
                let events =
                    groups.into_iter().map(|(mask, group)| (Sync::Warp { lanes: mask }, group));
                let events: Vec<_> = events.filter(|_| !self.partition.is_fixed()).collect();
                if let Some(cut) = self.must_cut(flow, &events) {
                    return Ok(cut);
                }
                for (sync, _) in &events {
                    if let Sync::Warp { lanes } = sync
                        && self.cuts(flow, *lanes)
                    {
                        return Ok(Met::Cut(*lanes));
                    }
                }
                Ok(self.perform(flow, op, &events))
            }
            Barrier::Cluster { action, order, .. } => {
                let brings = 0;
                let step = |step| (Sync::Cluster { step, brings }, lanes);
                let events = match action {
                    ClusterAction::Arrive
                        if *order == MemoryOrder::Relaxed && !releases(self.kernel, op) =>
                    {
                        vec![step(ClusterStep::ArriveRelaxed)]
                    }
                    ClusterAction::Arrive => vec![step(ClusterStep::Arrive)],
                    ClusterAction::Wait => vec![step(ClusterStep::Wait)],
                    ClusterAction::Sync => vec![step(ClusterStep::Arrive), step(ClusterStep::Wait)],
                };
                if let Some(cut) = self.must_cut(flow, &events) {
                    return Ok(cut);
                }
                Ok(self.perform(flow, op, &events))
            }
            Barrier::Mbarrier { address, action } => self.object(flow, op, lanes, *address, action),
            Barrier::Grid => {
                let why = "other blocks are not run".to_owned();
                Err(Stop::Unsupported { op, why })
            }
        }
    }

    fn named(
        &mut self,
        flow: FlowId,
        op: OpId,
        lanes: u32,
        id: Option<ExprId>,
        count: Option<ExprId>,
        (waits, aligned): (bool, bool),
    ) -> Result<Met, Stop> {
        let (here, live) = (self.warps.lanes(flow), self.warps.live(flow));
        if aligned && lanes != live {
            if lanes == here {
                return Ok(Met::Holds);
            }
            self.fault(flow, op, lanes, FaultKind::PartOfWarp { missing: live & !lanes });
            return Ok(Met::Halts);
        }
        let size = self.launch.shape.warp_size.unwrap_or(32).max(1);
        let first = self.warps.warp_of(flow).1 * size;
        let all = self.launch.shape.threads().saturating_sub(first).min(size);
        self.beside_ended |= aligned && lanes.count_ones() < all;
        let mut groups: Vec<((u64, Option<u64>), u32)> = Vec::new();
        for lane in lanes_in(lanes) {
            let id = match id {
                Some(id) => self.operand(flow, op, id, lane, Use::Barrier)?,
                None => 0,
            };
            let count = match count {
                Some(count) => Some(self.operand(flow, op, count, lane, Use::Barrier)?),
                None => None,
            };
            add(&mut groups, (id, count), lane);
        }
        if aligned && groups.len() > 1 {
            self.fault(flow, op, lanes, FaultKind::UnequalLanes);
            return Ok(Met::Halts);
        }
        let size = self.launch.shape.warp_size.unwrap_or(32);
        let block = self.launch.shape.threads().div_ceil(size) * size;
        for ((id, count), group) in &groups {
            let wrong = match (*id, *count) {
                (id, _) if id > 15 => FaultKind::NoSuchBarrier(id),
                (_, Some(count)) if count == 0 || count > u64::from(block) => {
                    FaultKind::NotInBlock { count, block }
                }
                (_, Some(count)) if count % u64::from(size) != 0 => FaultKind::NotWholeWarps(count),
                _ => continue,
            };
            self.fault(flow, op, *group, wrong);
            return Ok(Met::Halts);
        }
        let events: Vec<_> = groups
            .into_iter()
            .map(|((id, count), group)| {
                let expected = count.map_or(Arrivals::All, |count| Arrivals::Count(count as u32));
                let named = Sync::Named { id: id as u32, expected, brings: 0, waits, aligned };
                (named, group)
            })
            .collect();
        if let Some(cut) = self.must_cut(flow, &events) {
            return Ok(cut);
        }
        Ok(self.perform(flow, op, &events))
    }

    fn object(
        &mut self,
        flow: FlowId,
        op: OpId,
        lanes: u32,
        address: Address,
        action: &MbarrierAction,
    ) -> Result<Met, Stop> {
        let (block, _) = self.warps.warp_of(flow);
        let region = region(self.kernel, block, address.object);
        let test = match action {
            MbarrierAction::Test { may_wait, .. } => match (self.warps.asks(op), may_wait) {
                (Asks::Nothing, _) => return Ok(Met::Passes),
                (Asks::Ahead, false) | (Asks::Decides, _) => {
                    let why = "its answer decides more than whether to ask again".to_owned();
                    return Err(Stop::Unsupported { op, why });
                }
                (asks @ (Asks::Waits | Asks::Ahead), _) => Some(asks),
            },
            MbarrierAction::Init(_)
            | MbarrierAction::Invalidate
            | MbarrierAction::Arrive { .. }
            | MbarrierAction::ExpectTx(_)
            | MbarrierAction::CompleteTx(_)
            | MbarrierAction::ProductsArrive
            | MbarrierAction::CopiesArrive { .. } => None,
        };
        let mut groups: Vec<((ObjectName, ObjectStep), u32)> = Vec::new();
        for lane in lanes_in(lanes) {
            let offset = self.operand(flow, op, address.offset, lane, Use::Barrier)?;
            let number = |expr| self.operand(flow, op, expr, lane, Use::Barrier);
            let step = match action {
                MbarrierAction::Init(count) => ObjectStep::Init(number(*count)? as u32),
                MbarrierAction::Invalidate => ObjectStep::Invalidate,
                MbarrierAction::Arrive { count, transactions, drop } => {
                    let expect = match transactions {
                        Some(bytes) => number(*bytes)? as u32,
                        None => 0,
                    };
                    let count = number(*count)? as u32;
                    if count == 0 {
                        let why = "it arrives no times, and the PTX ISA asks for one at least";
                        return Err(Stop::Unsupported { op, why: why.to_owned() });
                    }
                    ObjectStep::Arrive { count, expect, drop: *drop }
                }
                MbarrierAction::ExpectTx(bytes) => ObjectStep::Expect(number(*bytes)? as u32),
                MbarrierAction::CompleteTx(bytes) => ObjectStep::Complete(number(*bytes)? as u32),
                MbarrierAction::CopiesArrive { .. } | MbarrierAction::ProductsArrive => {
                    ObjectStep::Signal(1)
                }
                MbarrierAction::Test { phase: Phase::Parity(parity), .. } => {
                    ObjectStep::Wait(Target::Parity(number(*parity)? & 1 == 1))
                }
                MbarrierAction::Test { phase: Phase::Token(token), .. } => {
                    let name = ObjectName { region, offset };
                    let step = self.phase_steps.get(&name).copied().unwrap_or(0);
                    let token = self.operand_stepped(flow, op, *token, lane, step)?;
                    ObjectStep::Wait(Target::Phase(token as u32))
                }
            };
            add(&mut groups, (ObjectName { region, offset }, step), lane);
        }
        if test == Some(Asks::Ahead) {
            groups.iter_mut().for_each(|((_, step), _)| *step = step.ahead());
        }
        let events: Vec<_> = groups
            .into_iter()
            .map(|((name, step), group)| (Sync::Object(name, step), group))
            .collect();
        if let Some(cut) = self.must_cut(flow, &events) {
            return Ok(cut);
        }
        let deferred = match action {
            MbarrierAction::CopiesArrive { extra } => Some((AsyncMechanism::CpAsync, *extra)),
            MbarrierAction::ProductsArrive => Some((AsyncMechanism::Tensor, false)),
            MbarrierAction::Init(_)
            | MbarrierAction::Invalidate
            | MbarrierAction::Arrive { .. }
            | MbarrierAction::ExpectTx(_)
            | MbarrierAction::CompleteTx(_)
            | MbarrierAction::Test { .. } => None,
        };
        if let Some(deferred) = deferred {
            let named = events.iter().filter_map(|(sync, lanes)| match sync {
                Sync::Object(name, _) => Some((*name, *lanes)),
                Sync::Named { .. }
                | Sync::Cluster { .. }
                | Sync::Issue
                | Sync::Settle
                | Sync::Product(_)
                | Sync::Warp { .. } => None,
            });
            return self.copies_arrive(flow, op, &named.collect::<Vec<_>>(), deferred);
        }
        if test.is_some() {
            self.excuse(flow, op, &events)?;
        }
        for (sync, group) in &events {
            if let Sync::Object(name, ObjectStep::Arrive { .. }) = sync {
                // A token is the number of the phase.
                let phase = u64::from(self.execution.phase(*name).unwrap_or(0));
                match self.phase_steps.get(name) {
                    Some(step) => self.warps.answer_stepped(flow, op, *group, phase, *step),
                    None => self.warps.answer(flow, op, *group, phase),
                }
            }
        }
        let met = self.perform(flow, op, &events);
        match test {
            // Asking once may always be too early; the wait after it then is done.
            Some(Asks::Ahead) => self.warps.answer(flow, op, lanes, 0),
            Some(_) if matches!(met, Met::Passes) => self.warps.answer(flow, op, lanes, 1),
            Some(_) | None => {}
        }
        Ok(met)
    }

    /// A wait that a yes of an earlier test makes needless has to be for what was asked then, and
    /// nothing may be asked ahead that is not waited for.
    fn excuse(&mut self, flow: FlowId, op: OpId, events: &[(Sync, u32)]) -> Result<(), Stop> {
        let (block, warp) = self.warps.warp_of(flow);
        for (sync, lanes) in events {
            let Sync::Object(name, step) = *sync else { continue };
            for strand in self.partition.touched(block, warp, u64::from(*lanes)) {
                let fits = match step {
                    ObjectStep::Ask(target) => {
                        let before = self.asked.insert((strand, op), (name, target, false));
                        before.is_none_or(|(.., waited)| waited)
                    }
                    ObjectStep::Wait(target) => {
                        let mut all = true;
                        for test in self.warps.excuses(op) {
                            if let Some(asked) = self.asked.get_mut(&(strand, *test)) {
                                all &= (asked.0, asked.1) == (name, target);
                                asked.2 = true;
                            }
                        }
                        all
                    }
                    ObjectStep::Init(_)
                    | ObjectStep::Invalidate
                    | ObjectStep::Arrive { .. }
                    | ObjectStep::Expect(_)
                    | ObjectStep::Complete(_)
                    | ObjectStep::Signal(_) => true,
                };
                if !fits {
                    return Err(Self::asks_in_vain(op));
                }
            }
        }
        Ok(())
    }

    pub(super) fn asks_in_vain(op: OpId) -> Stop {
        let why = "its answer excuses a wait that is for something else".to_owned();
        Stop::Unsupported { op, why }
    }

    fn cuts(&self, flow: FlowId, lanes: u64) -> bool {
        let (block, warp) = self.warps.warp_of(flow);
        let mut touched = self.partition.touched(block, warp, lanes);
        touched.any(|it| self.partition.strands()[it.0 as usize].lanes & !lanes != 0)
            && !self.partition.is_fixed()
    }

    fn must_cut(&self, flow: FlowId, events: &[(Sync, u32)]) -> Option<Met> {
        let lanes = events.iter().map(|(_, lanes)| u64::from(*lanes));
        lanes.into_iter().find(|it| self.cuts(flow, *it)).map(Met::Cut)
    }

    /// Gives the events to the strands that have the lanes.
    fn perform(&mut self, flow: FlowId, op: OpId, events: &[(Sync, u32)]) -> Met {
        let (block, warp) = self.warps.warp_of(flow);
        let mut waits = Vec::new();
        for (sync, lanes) in events {
            for strand in self.partition.touched(block, warp, u64::from(*lanes)) {
                let of = self.partition.strands()[strand.0 as usize].lanes as u32 & lanes;
                if self.execution.is_blocked(strand) {
                    self.fault(flow, op, of, FaultKind::UnequalLanes);
                    return Met::Halts;
                }
                let weight = self.weight(flow, of);
                let threads = of.count_ones();
                let sync = match *sync {
                    Sync::Named { id, expected, waits, aligned, .. } => {
                        Sync::Named { id, expected, brings: weight, waits, aligned }
                    }
                    Sync::Cluster { step, .. } => Sync::Cluster { step, brings: weight },
                    Sync::Object(name, ObjectStep::Arrive { count, expect, drop }) => {
                        let (count, expect) = (count * threads, expect * threads);
                        Sync::Object(name, ObjectStep::Arrive { count, expect, drop })
                    }
                    Sync::Object(name, ObjectStep::Expect(bytes)) => {
                        Sync::Object(name, ObjectStep::Expect(bytes * threads))
                    }
                    Sync::Object(name, ObjectStep::Complete(bytes)) => {
                        Sync::Object(name, ObjectStep::Complete(bytes * threads))
                    }
                    other @ (Sync::Object(..)
                    | Sync::Product(_)
                    | Sync::Warp { .. }
                    | Sync::Issue
                    | Sync::Settle) => other,
                };
                match self.execution.perform(strand, sync, op.as_u32()) {
                    Progress::Goes => {}
                    Progress::Waits(wait) => waits.push(wait),
                    Progress::Halts => return Met::Halts,
                }
            }
        }
        waits.retain(|wait| !self.execution.is_over(*wait));
        if waits.is_empty() { Met::Passes } else { Met::Waits(waits) }
    }
}

/// Adds a lane to the group with its operands.
fn add<T: PartialEq>(groups: &mut Vec<(T, u32)>, operands: T, lane: usize) {
    match groups.iter_mut().find(|it| it.0 == operands) {
        Some((_, lanes)) => *lanes |= 1 << lane,
        None => groups.push((operands, 1 << lane)),
    }
}
