//! Asynchronous copies in the trace: accesses of nobody, from their issue to the wait that ends
//! them.
//!
//! **Claim.** Groups belong to threads (PTX ISA, 9.7.9.25.3): a commit takes in, and a wait ends,
//! copies of the threads that execute it and of no others. A strand has one list of groups because
//! its lanes copy, commit and wait together: where some of them do without the others, the strand
//! is cut. So it is where copies differ in bytes or in the barrier object that they signal. A
//! strand that may not be cut, since lanes run in step, has one list for the lanes that copied;
//! what only some of those do is not followed. A group without copies is kept only after one that
//! has some: a wait counts from the last.
//!
//! A copy that its own strand knows to be over leaves its group: whoever could learn its end from a
//! later wait of the strand learns from it what the strand knew. An arrival that tracks copies ends
//! it for those who wait for that phase alone, who do not learn what the strand knew. All copies of
//! a strand are therefore kept beside the groups, and each is told once to each object: a later
//! phase of the same object says no more.

use std::collections::{BTreeMap, VecDeque};

use heddle_interp::{FlowId, Stop, Unknown, Use};
use heddle_ir::{
    Address, AsyncCopy, AsyncMechanism, ExprId, ExprKind, OPERAND_BYTES, ObjectKind, OpId, Space,
};
use heddle_trace::{
    AccessKey, AccessKind, ObjectName, ObjectStep, ProductStep, Progress, StrandId, Sync, Tick,
};

use super::{Drive, Met, object_of, region};

/// What the trace has as the source of bytes that an operation may touch, and may not.
const PERHAPS: u32 = 1 << 31;

pub(super) fn perhaps_by(op: OpId) -> u32 {
    op.as_u32() | PERHAPS
}

/// The operation of a source, and whether it touches the bytes for certain.
pub(in super::super) fn of_source(source: u32) -> (OpId, bool) {
    (OpId::from_u32(source & !PERHAPS), source & PERHAPS == 0)
}

/// Copies by the groups that strands wait for.
#[derive(Default)]
pub(super) struct Copies {
    of: BTreeMap<(StrandId, AsyncMechanism), Groups>,
    tracked: BTreeMap<(StrandId, AsyncMechanism), Tracked>,
    products: BTreeMap<StrandId, Products>,
}

/// The groups of matrix products of a strand.
#[derive(Default)]
struct Products {
    /// The numbers of the operands of each.
    groups: Vec<Vec<usize>>,
    /// From when on a strand of the warpgroup knew that the first groups are over, and how many.
    over: Vec<(usize, StrandId, Tick)>,
}

/// The copies of a strand that arrivals may track, by their numbers in the trace, rising.
#[derive(Default)]
struct Tracked {
    all: Vec<usize>,
    /// How many of them each object was told of.
    told: BTreeMap<ObjectName, usize>,
}

/// Where each lane's copy goes to, and where it comes from, as far as known.
type Ends = [Vec<(u8, u64)>; 2];

/// What lanes of a strand copy alike: their ends, and the lanes.
#[derive(Default)]
struct Alike {
    ends: Ends,
    lanes: u32,
}

/// How an instruction about groups concerns those of a strand.
enum Concern {
    /// All lanes that have copied do it.
    All,
    /// None of them does.
    None,
    /// The strand has to be divided.
    Part,
}

/// Copies of a strand by group, the open one last: what each touches, and whether it reads.
pub(in super::super) type GroupStanding = ((StrandId, AsyncMechanism), Vec<Vec<(AccessKey, bool)>>);

/// Copies are kept by their numbers in the trace, with whether they read.
#[derive(Default)]
struct Groups {
    /// Lanes that have copied.
    lanes: u32,
    open: Vec<(usize, bool)>,
    committed: VecDeque<Vec<(usize, bool)>>,
}

impl Drive<'_> {
    pub(super) fn copy(
        &mut self,
        flow: FlowId,
        op: OpId,
        lanes: u32,
        copy: &AsyncCopy,
    ) -> Result<Met, Stop> {
        let (block, warp) = self.warps.warp_of(flow);
        if copy.mechanism == AsyncMechanism::WorkGroupEvent {
            let why = "copies by a work group are not run here".to_owned();
            return Err(Stop::Unsupported { op, why });
        }
        let source = &self.kernel[copy.source.object];
        if !copy.writes() && source.kind == ObjectKind::Unknown {
            let why = "where its operand lies is in a descriptor that is not followed".to_owned();
            return Err(Stop::Unsupported { op, why });
        }
        let strands: Vec<StrandId> =
            self.partition.touched(block, warp, u64::from(lanes)).collect();
        for strand in &strands {
            let of = self.partition.strands()[strand.0 as usize].lanes;
            if of & !u64::from(lanes) != 0 && !self.partition.is_fixed() {
                return Ok(Met::Cut(u64::from(lanes)));
            }
        }
        for strand in strands {
            let of = self.partition.strands()[strand.0 as usize].lanes as u32 & lanes;
            if matches!(self.kernel[copy.size].kind, ExprKind::Undef(_)) {
                let why =
                    "how many bytes it brings is in its tensor map, which only the host knows";
                return Err(Stop::Unsupported { op, why: why.to_owned() });
            }
            let mut alike: BTreeMap<(u64, u64, Option<ObjectName>), Alike> = BTreeMap::new();
            for lane in lanes_in(of) {
                let size = self.operand(flow, op, copy.size, lane, Use::Size)?;
                let signals = match &copy.mbarrier {
                    Some(at) => {
                        let offset = self.operand(flow, op, at.offset, lane, Use::Barrier)?;
                        Some(ObjectName { region: region(self.kernel, block, at.object), offset })
                    }
                    None => None,
                };
                // What is not read is written as zeros. Of an open number of bytes none are noted,
                // and the trace says that it went on without them.
                let is_shared = |end: &Address| self.kernel[end.object].space == Space::Shared;
                let read = match copy.read.map(|it| self.warps.value(flow, it, lane)) {
                    None => size,
                    Some(Ok(read)) if copy.writes() => read.min(size),
                    Some(Ok(read)) => read,
                    Some(Err(why)) if !is_shared(&copy.source) => {
                        self.warps.blur_outside(op, why);
                        0
                    }
                    Some(Err(_)) => size,
                };
                let Alike { ends, lanes } = alike.entry((size, read, signals)).or_default();
                for (end, list) in [copy.destination, copy.source].into_iter().zip(ends) {
                    match self.warps.value(flow, end.offset, lane) {
                        Ok(offset) => list.push((lane as u8, offset)),
                        // Outside shared memory, the trace goes on without it.
                        Err(why) if !is_shared(&end) => self.warps.blur_outside(op, why),
                        Err(_) => _ = self.operand(flow, op, end.offset, lane, Use::Address)?,
                    }
                }
                *lanes |= 1 << lane;
            }
            let first = alike.values().next().map_or(0, |it| it.lanes);
            if copy.mbarrier.is_some() && first != of && !self.partition.is_fixed() {
                return Ok(Met::Cut(u64::from(first)));
            }
            for ((size, read, signals), Alike { ends: [to, from], lanes: some }) in alike {
                // Of an operand, what is read for certain, and up to where it may be read.
                let sure = if copy.writes() { read } else { read.min(OPERAND_BYTES) };
                let perhaps = if copy.writes() { 0 } else { read };
                let written = if copy.combines { AccessKind::Atomic } else { AccessKind::Write };
                let (to_object, from_object) = (copy.destination.object, copy.source.object);
                let ends = [
                    (to_object, written, size, &to, op.as_u32()),
                    (from_object, AccessKind::Read, sure, &from, op.as_u32()),
                    (from_object, AccessKind::Read, perhaps, &from, perhaps_by(op)),
                ];
                for (object, kind, bytes, list, source) in ends.into_iter().filter(|it| it.2 > 0) {
                    let region = region(self.kernel, block, object);
                    if let Some(place) = self.execution.shapes().footprint(region, bytes, list) {
                        let number = self.execution.issue(strand, place, kind, source, signals);
                        if copy.mechanism == AsyncMechanism::Matrix {
                            self.execution.is_together(number);
                        }
                        let reads = kind == AccessKind::Read;
                        // Those that a barrier object is told of belong to no group.
                        if copy.mechanism != AsyncMechanism::BulkMbarrier {
                            let whose = (strand, copy.mechanism);
                            let groups = self.copies.of.entry(whose).or_default();
                            groups.lanes |= some;
                            groups.open.push((number, reads));
                            let may_be_tracked = matches!(
                                copy.mechanism,
                                AsyncMechanism::CpAsync | AsyncMechanism::Tensor
                            );
                            if may_be_tracked {
                                let tracked = self.copies.tracked.entry(whose).or_default();
                                tracked.all.push(number);
                            }
                        }
                    }
                }
                if let Some(name) = signals {
                    let bytes = (size as u32).wrapping_mul(some.count_ones());
                    let step = Sync::Object(name, ObjectStep::Complete(bytes));
                    if self.execution.perform(strand, step, op.as_u32()) == Progress::Halts {
                        return Ok(Met::Halts);
                    }
                }
            }
        }
        Ok(Met::Passes)
    }

    /// The copies of lanes so far end with the phase of a barrier object, and arrive at it; or the
    /// products.
    pub(super) fn copies_arrive(
        &mut self,
        flow: FlowId,
        op: OpId,
        events: &[(ObjectName, u32)],
        (mechanism, extra): (AsyncMechanism, bool),
    ) -> Result<Met, Stop> {
        let (block, warp) = self.warps.warp_of(flow);
        for (name, lanes) in events {
            for strand in self.partition.touched(block, warp, u64::from(*lanes)) {
                let of = self.partition.strands()[strand.0 as usize].lanes as u32 & lanes;
                let count = of.count_ones();
                let whose = (strand, mechanism);
                if matches!(self.concern(whose, op, *lanes)?, Concern::All) {
                    self.forget_over(whose)?;
                    self.tell(whose, *name)?;
                }
                if mechanism == AsyncMechanism::Tensor {
                    self.tell_known(strand, *name)?;
                }
                let steps = match extra {
                    true => vec![ObjectStep::Expect(count), ObjectStep::Complete(count)],
                    false => vec![ObjectStep::Signal(count)],
                };
                for step in steps {
                    let sync = Sync::Object(*name, step);
                    if self.execution.perform(strand, sync, op.as_u32()) == Progress::Halts {
                        return Ok(Met::Halts);
                    }
                }
            }
        }
        Ok(Met::Passes)
    }

    /// Copies of a strand end with the phase of an object that is in progress, also those that it
    /// has waited for by groups: who waits for the phase knows of all (PTX ISA 9.7.13.15.17).
    fn tell(&mut self, whose: (StrandId, AsyncMechanism), name: ObjectName) -> Result<(), Stop> {
        let Some(tracked) = self.copies.tracked.get_mut(&whose) else { return Ok(()) };
        let from = tracked.told.insert(name, tracked.all.len()).unwrap_or(0);
        let new = &tracked.all[from..];
        self.warps.spend(new.len() as u64)?;
        self.execution.ends_with(name, new);
        Ok(())
    }

    /// What a strand has waited for before it issued a product is over before that is: who waits
    /// for the product knows of it.
    fn tell_known(&mut self, strand: StrandId, name: ObjectName) -> Result<(), Stop> {
        let trace = self.execution.trace();
        let now = trace.tick(strand);
        self.warps.spend(trace.pending.len() as u64)?;
        let known = (0..trace.pending.len())
            .filter(|number| trace.is_over(&trace.pending[*number], strand, now, false));
        let known: Vec<usize> = known.collect();
        self.execution.ends_with(name, &known);
        Ok(())
    }

    /// Takes copies that their strand knows to be over out of its groups, and groups without copies
    /// that come before all others.
    fn forget_over(&mut self, whose: (StrandId, AsyncMechanism)) -> Result<(), Stop> {
        let Some(groups) = self.copies.of.get_mut(&whose) else { return Ok(()) };
        let all = groups.committed.iter_mut().chain([&mut groups.open]);
        let (trace, mut looked_at) = (self.execution.trace(), 0);
        for group in all {
            looked_at += 1 + group.len() as u64;
            let now = trace.tick(whose.0);
            group
                .retain(|(number, _)| !trace.is_over(&trace.pending[*number], whose.0, now, false));
        }
        while groups.committed.front().is_some_and(Vec::is_empty) {
            groups.committed.pop_front();
        }
        self.warps.spend(looked_at)
    }

    /// How what these lanes do concerns the groups of a strand.
    fn concern(
        &self,
        whose: (StrandId, AsyncMechanism),
        op: OpId,
        lanes: u32,
    ) -> Result<Concern, Stop> {
        let copied = self.copies.of.get(&whose).map_or(0, |it| it.lanes);
        if copied & lanes == 0 {
            return Ok(Concern::None);
        }
        if copied & !lanes == 0 {
            return Ok(Concern::All);
        }
        if self.partition.is_fixed() {
            let why = "only some lanes of a warp that has copied do it, and groups of copies belong to lanes";
            return Err(Stop::Unsupported { op, why: why.to_owned() });
        }
        Ok(Concern::Part)
    }

    pub(super) fn commit(
        &mut self,
        flow: FlowId,
        op: OpId,
        lanes: u32,
        mechanism: AsyncMechanism,
    ) -> Result<Met, Stop> {
        let (block, warp) = self.warps.warp_of(flow);
        for strand in self.partition.touched(block, warp, u64::from(lanes)) {
            match self.concern((strand, mechanism), op, lanes)? {
                Concern::All => {}
                Concern::None if mechanism == AsyncMechanism::Matrix => {}
                Concern::None => continue,
                Concern::Part => return Ok(Met::Cut(u64::from(lanes))),
            }
            self.forget_over((strand, mechanism))?;
            let groups = self.copies.of.entry((strand, mechanism)).or_default();
            let group = std::mem::take(&mut groups.open);
            if mechanism == AsyncMechanism::Matrix {
                self.commit_products(strand, op, group.iter().map(|it| it.0).collect());
            }
            let groups = self.copies.of.entry((strand, mechanism)).or_default();
            groups.committed.push_back(group);
        }
        Ok(Met::Passes)
    }

    /// Products of a strand are a group. Another warp of its warpgroup may have waited for it.
    fn commit_products(&mut self, strand: StrandId, op: OpId, numbers: Vec<usize>) {
        let products = self.copies.products.entry(strand).or_default();
        let number = products.groups.len();
        for (count, by, tick) in &products.over {
            if number < *count {
                self.execution.ends_where(*by, *tick, &numbers);
            }
        }
        products.groups.push(numbers);
        let step = Sync::Product(ProductStep::Commit);
        self.execution.perform(strand, step, op.as_u32());
    }

    /// A strand waits for all but its last groups of products: they are over for its warpgroup, and
    /// all warps have issued them.
    fn wait_for_products(&mut self, strand: StrandId, op: OpId, behind: u64) -> Progress {
        let committed = self.copies.products.get(&strand).map_or(0, |it| it.groups.len());
        let over = committed.saturating_sub(behind as usize);
        // What the strand does in the interval that the wait ends may come before it.
        let tick = self.execution.trace().tick(strand) + 1;
        for beside in self.execution.strands_beside(strand) {
            if beside == strand {
                continue;
            }
            let products = self.copies.products.entry(beside).or_default();
            let known = products.over.iter().filter(|it| it.1 == strand).map(|it| it.0).max();
            let known = known.unwrap_or(0);
            if over <= known {
                continue;
            }
            products.over.retain(|it| it.1 != strand);
            products.over.push((over, strand, tick));
            let last = over.min(products.groups.len());
            for group in products.groups.get(known..last).unwrap_or(&[]) {
                self.execution.ends_where(strand, tick, group);
            }
        }
        let step = Sync::Product(ProductStep::Wait { behind: behind as u32 });
        self.execution.perform(strand, step, op.as_u32())
    }

    pub(super) fn wait_for_groups(
        &mut self,
        flow: FlowId,
        op: OpId,
        lanes: u32,
        (mechanism, pending, reads_only): (AsyncMechanism, ExprId, bool),
    ) -> Result<Met, Stop> {
        let (block, warp) = self.warps.warp_of(flow);
        let lane = lanes.trailing_zeros() as usize;
        let left = self.operand(flow, op, pending, lane, Use::Barrier)?;
        let mut waits = Vec::new();
        for strand in self.partition.touched(block, warp, u64::from(lanes)) {
            match self.concern((strand, mechanism), op, lanes)? {
                Concern::All => {}
                Concern::None => continue,
                Concern::Part => return Ok(Met::Cut(u64::from(lanes))),
            }
            let Some(groups) = self.copies.of.get_mut(&(strand, mechanism)) else { continue };
            let of_products = mechanism == AsyncMechanism::Matrix;
            let waited = (groups.committed.len() as u64).saturating_sub(left) as usize;
            let mut numbers: Vec<usize> = Vec::new();
            match reads_only {
                // What they write is still under way, and a later wait counts them.
                true => {
                    for group in groups.committed.iter_mut().take(waited) {
                        numbers.extend(group.extract_if(.., |it| it.1).map(|it| it.0));
                    }
                }
                false => {
                    let all = groups.committed.drain(..waited).flatten();
                    numbers.extend(all.map(|it| it.0));
                }
            }
            if !numbers.is_empty() {
                self.execution.settle(strand, &numbers, op.as_u32());
            }
            if of_products {
                match self.wait_for_products(strand, op, left) {
                    Progress::Goes => {}
                    Progress::Waits(wait) => waits.push(wait),
                    Progress::Halts => return Ok(Met::Halts),
                }
            }
        }
        Ok(if waits.is_empty() { Met::Passes } else { Met::Waits(waits) })
    }

    /// The groups of each strand: what each of its copies touches in shared memory, and whether it
    /// reads.
    pub(in super::super) fn groups(&self) -> Vec<GroupStanding> {
        let trace = self.execution.trace();
        let is_shared = |key: &AccessKey| {
            self.kernel[object_of(self.kernel, key.footprint.region)].space == Space::Shared
        };
        let key = |list: &Vec<(usize, bool)>| -> Vec<(AccessKey, bool)> {
            let all = list.iter().map(|(number, reads)| (trace.pending[*number].key, *reads));
            all.filter(|(key, _)| is_shared(key)).collect()
        };
        // Groups that have nothing there left and come before all others are as none.
        let of = |groups: &Groups| {
            let all = groups.committed.iter().chain([&groups.open]).map(key);
            all.skip_while(Vec::is_empty).collect()
        };
        self.copies.of.iter().map(|(whose, groups)| (*whose, of(groups))).collect()
    }

    /// An operand that has to be known, and may grow by a step in each period of an induction.
    pub(super) fn operand_stepped(
        &self,
        flow: FlowId,
        op: OpId,
        expr: ExprId,
        lane: usize,
        step: i64,
    ) -> Result<u64, Stop> {
        let value = self.warps.stepped_value(flow, expr, lane, step);
        value.map_err(|origin| self.unknown(op, flow, lane, origin, Use::Barrier))
    }

    fn unknown(
        &self,
        op: OpId,
        flow: FlowId,
        lane: usize,
        origin: Unknown,
        as_what: impl Fn(OpId) -> Use,
    ) -> Stop {
        let (_, warp) = self.warps.warp_of(flow);
        let thread = warp * self.launch.shape.warp_size.unwrap_or(32) + lane as u32;
        let flag = origin.flag(self.kernel);
        Stop::Unknown { used_by: as_what(op), thread, origin, flag }
    }

    /// An operand that has to be known.
    pub(super) fn operand(
        &self,
        flow: FlowId,
        op: OpId,
        expr: ExprId,
        lane: usize,
        as_what: impl Fn(OpId) -> Use,
    ) -> Result<u64, Stop> {
        let value = self.warps.value(flow, expr, lane);
        value.map_err(|origin| self.unknown(op, flow, lane, origin, as_what))
    }
}

/// Lanes of a mask, rising.
pub(super) fn lanes_in(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |lane| mask >> lane & 1 == 1)
}
