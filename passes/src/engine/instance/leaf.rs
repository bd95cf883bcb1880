//! Leaves of the two-thread reduction: ids, sizes, and what was read from memory or from other
//! threads.

use heddle_diagnostics::Assumption;
use heddle_ir::{
    Access, AccessKind, ArrayContract, AsyncCopy, BinOp, CastOp, CrossLaneKind, Data, ExprId,
    ExprKind, Initial, ObjectId, ObjectKind, OpId, OpKind, ParamKind, Space, Special, VarId,
};

use super::{FrameId, Instance, Meaning, Placement, Read, Ticket, table};
use crate::facts::launch::{Extent, GlobalOffset, MOST_THREADS};
use crate::facts::thread::Thread;
use crate::facts::uniformity::Varies;

/// Reads of one question after which values of tables are left out: each may be hundreds of
/// selects.
const MOST_LOOKUPS: usize = 64;

impl Instance<'_> {
    /// An id of a thread, or a size.
    pub(crate) fn special(&mut self, frame: FrameId, special: Special) -> ExprId {
        let thread = self.thread(frame);
        match special {
            Special::Tid(d) => self.tid(thread, d),
            Special::Ctaid(d) => self.ctaid(thread, d),
            Special::Ntid(d) => self.size(special, self.analysis.launch.block[d as usize]),
            Special::Nctaid(d) => self.size(special, self.analysis.launch.grid[d as usize]),
            Special::GlobalOffset(d) => match self.analysis.launch.global_offset {
                GlobalOffset::Given(offset) => {
                    self.pool.constant(u128::from(offset[usize::from(d)]), 32)
                }
                GlobalOffset::Unsaid | GlobalOffset::Any => self.pool.special(special),
            },
            Special::ClusterNctaRank => self.cluster_size(),
            Special::ClusterCtaRank => self.cluster_rank(frame),
            Special::DynamicSharedSize => match self.analysis.launch.dynamic_shared {
                Some(bytes) => self.pool.constant(u128::from(bytes), 32),
                None => self.pool.special(special),
            },
            Special::LaneId => match self.analysis.launch.warp_size {
                Some(_) => self.lane(thread),
                None => {
                    let id = self.pool.special(special);
                    self.leaf(frame, id)
                }
            },
            Special::WarpId => self.warp_number(frame),
        }
    }

    /// Blocks of the grid in one dimension.
    pub(crate) fn grid_size(&mut self, d: u8) -> ExprId {
        self.size(Special::Nctaid(d), self.analysis.launch.grid[d as usize])
    }

    /// One dimension of a thread's index.
    pub(crate) fn tid(&mut self, thread: Thread, d: u8) -> ExprId {
        if thread.is_leader() {
            return self.pool.constant(0, 32);
        }
        let extent = self.analysis.launch.block[d as usize];
        self.index(Meaning::Tid(thread, d), Special::Ntid(d), extent)
    }

    /// One dimension of the index of a thread's block.
    pub(crate) fn ctaid(&mut self, thread: Thread, d: u8) -> ExprId {
        let extent = self.analysis.launch.grid[d as usize];
        let of = self.placement.is_across().then(|| thread.member());
        self.index(Meaning::Ctaid(of, d), Special::Nctaid(d), extent)
    }

    /// A thread's index in its block, all dimensions in one number.
    pub(crate) fn linear_tid(&mut self, thread: Thread) -> ExprId {
        let flags = heddle_ir::NoWrap::BOTH;
        let mut sum = self.tid(thread, 2);
        for d in [1, 0] {
            let size = self.size(Special::Ntid(d), self.analysis.launch.block[d as usize]);
            let scaled = self.pool.binary_flagged(BinOp::Mul, flags, sum, size);
            let tid = self.tid(thread, d);
            sum = self.pool.binary_flagged(BinOp::Add, flags, scaled, tid);
        }
        sum
    }

    /// A thread's lane in its warp; lanes are numbered along the linear index.
    pub(crate) fn lane(&mut self, thread: Thread) -> ExprId {
        if let Some(lane) = self.lane_of_source(thread) {
            return lane;
        }
        let linear = self.linear_tid(thread);
        let warp = self.analysis.launch.warp_size.unwrap_or(1);
        let warp = self.pool.constant(u128::from(warp), 32);
        self.pool.binary(BinOp::URem, linear, warp)
    }

    fn index(&mut self, meaning: Meaning, size: Special, extent: Extent) -> ExprId {
        if extent.known() == Some(1) {
            return self.pool.constant(0, 32);
        }
        if let Some(&known) = self.ids.get(&meaning) {
            return known;
        }
        let id = self.symbol(meaning, 32);
        self.bound(id, 0, u128::from(extent.limit().max(1) - 1));
        if extent.known().is_none() {
            let size = self.size(size, extent);
            let below = self.pool.ult(id, size);
            self.state(below);
        }
        id
    }

    pub(super) fn size(&mut self, special: Special, extent: Extent) -> ExprId {
        match extent.known() {
            Some(size) => self.pool.constant(u128::from(size), 32),
            None => self.pool.special(special),
        }
    }

    /// Sizes within the target's limits, and what the user vouches for.
    pub(super) fn state_launch(&mut self) {
        let launch = self.analysis.launch;
        let mut threads = self.pool.constant(1, 32);
        for d in [0u8, 1, 2] {
            for (special, extent) in [
                (Special::Ntid(d), launch.block[d as usize]),
                (Special::Nctaid(d), launch.grid[d as usize]),
            ] {
                if extent.known().is_none() {
                    let id = self.pool.special(special);
                    let mut limit = u128::from(extent.limit());
                    // What `Assumption::GridInRange` and `Assumption::GlobalIdsInRange` say of
                    // blocks of a known size; one of them is named wherever a size is open.
                    if let (Special::Nctaid(_), Some(threads)) =
                        (special, launch.block[d as usize].known())
                    {
                        let most = (MOST_THREADS - 1) / u128::from(threads);
                        // More than are assumed are there where it is said that they are.
                        let is_said = self.analysis.blocks_listed(d).is_some_and(|it| it > most);
                        if !is_said {
                            limit = limit.min(most);
                        }
                    }
                    self.bound(id, 1, limit);
                }
            }
            self.state_whole_clusters(d);
            let size = self.size(Special::Ntid(d), launch.block[d as usize]);
            threads = self.pool.binary_flagged(BinOp::Mul, heddle_ir::NoWrap::BOTH, threads, size);
        }
        if self.pool.as_const(threads).is_none()
            && !matches!(self.pool[threads].kind, ExprKind::Special(_))
        {
            let limit = self.pool.constant(u128::from(launch.max_threads), 32);
            let fits = self.pool.cmp(heddle_ir::CmpOp::Ule, threads, limit);
            self.state(fits);
        }
        self.state_members_agree();
        self.state_sub_groups();
        let analysis = self.analysis;
        let fits = analysis.linear_index_fits();
        for &id in analysis.global_ids().iter().filter(|_| fits) {
            for thread in [Thread::One, Thread::Two] {
                let id = self.cut(self.root(thread), id, 32);
                let limit = self.pool.constant(MOST_THREADS - 1, self.pool.width(id));
                let fits = self.pool.cmp(heddle_ir::CmpOp::Ule, id, limit);
                self.state(fits);
            }
        }
        for condition in launch.conditions() {
            let arrays = ArrayContract::all_of(&self.pool, condition);
            let parts = match arrays.is_empty() {
                true => vec![condition],
                false => self.pool.conjuncts(condition),
            };
            for part in parts {
                match ArrayContract::of(&self.pool, part) {
                    Some(contract) => self.state_array_of_kernel(contract),
                    None => {
                        let holds = self.at(self.root(Thread::One), part);
                        self.conditions.push(holds);
                        self.state(holds);
                        self.state_quotients(holds);
                    }
                }
            }
        }
        self.of_launch = self.facts.len();
    }

    /// A grid is made of whole clusters (PTX ISA, `.reqnctapercluster`); any other launch is
    /// refused.
    fn state_whole_clusters(&mut self, d: u8) {
        let grid = self.analysis.launch.grid[d as usize];
        let cluster = self.analysis.kernel.launch.cluster.map_or(1, |it| it[d as usize]);
        if grid.known().is_some() || cluster <= 1 {
            return;
        }
        let blocks = self.pool.special(Special::Nctaid(d));
        let cluster = self.pool.constant(u128::from(cluster), 32);
        let (rest, zero) =
            (self.pool.binary(BinOp::URem, blocks, cluster), self.pool.constant(0, 32));
        let whole = self.pool.eq(rest, zero);
        self.state(whole);
    }

    /// A leaf whose value is not computed: one symbol per iteration, and per thread where the
    /// threads need not agree.
    ///
    /// # Panics
    /// If the kernel has no such expression.
    pub(super) fn leaf(&mut self, frame: FrameId, id: ExprId) -> ExprId {
        let is_of_kernel = (id.as_u32() as usize) < self.analysis.kernel.exprs.len();
        assert!(is_of_kernel, "whether threads agree is known of the kernel's expressions alone");
        let varies = self.analysis.uniformity.variation(id).varies;
        let thread = self.thread(frame);
        let agree = match self.placement {
            Placement::DifferentBlocks | Placement::SameCluster | Placement::DifferentClusters => {
                varies == Varies::Never
            }
            Placement::SameBlock | Placement::DifferentWarps => varies <= Varies::ByBlock,
            // The leader of the block may be in another warp.
            Placement::SameWarp | Placement::SameThread if thread.is_leader() => {
                varies <= Varies::ByBlock
            }
            Placement::SameWarp | Placement::SameThread => varies <= Varies::ByWarp,
        };
        // A source is in the warp of its thread, and in the same iterations.
        let thread = match thread.is_source() && varies <= Varies::ByWarp {
            true => thread.member(),
            false => thread,
        };
        let thread = (!agree).then_some(thread);
        let key = (id, self.iterations(frame), thread);
        if let Some(&known) = self.symbol_index.get(&key) {
            return known;
        }
        let width = self.pool.width(id);
        let symbol = self.symbol(Meaning::Leaf(id, thread), width);
        self.symbol_index.insert(key, symbol);
        symbol
    }

    /// The result of an operation.
    pub(super) fn result(&mut self, frame: FrameId, id: ExprId, op: OpId, index: u32) -> ExprId {
        let kernel = self.analysis.kernel;
        match &kernel[op].kind {
            OpKind::Access(access) => match access.kind {
                AccessKind::Load => self.loaded(frame, id, op, index, access),
                AccessKind::Atomic(..) => {
                    let value = self.leaf(frame, id);
                    // The other result, of a weak compare-and-swap, is no value of the memory.
                    if index == 0 && !self.tickets.iter().any(|it| it.op == op && it.frame == frame)
                    {
                        self.tickets.push(Ticket { op, id, frame, value });
                    }
                    value
                }
                AccessKind::Store(_) => self.leaf(frame, id),
            },
            OpKind::AsyncCopy(AsyncCopy { event: Some(given), .. }) => {
                // Where each round joins the event of the round before, all have that of the first.
                if self.event_of_rounds(id).is_some()
                    && let Some((outside, of, k)) = self.frames[frame.0].inside
                    && self.pool.as_const(k) != Some(0)
                {
                    let zero = self.pool.constant(0, 32);
                    let first = self.enter(outside, of, zero);
                    return self.at(first, id);
                }
                let given = self.at(frame, *given);
                let new = self.new_event(frame, id);
                let zero = self.pool.constant(0, 64);
                let is_new = self.pool.eq(given, zero);
                self.pool.select(is_new, new, given)
            }
            OpKind::CrossLane(lanes) if lanes.kind == CrossLaneKind::Elect => {
                self.elected(frame, id, index, lanes.mask)
            }
            OpKind::CrossLane(lanes) => self.exchanged(frame, id, (op, index), lanes),
            OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => self.leaf(frame, id),
        }
    }

    /// The lane that is elected of a whole warp, or whether it is this one: taken to be the lowest.
    fn elected(&mut self, frame: FrameId, id: ExprId, index: u32, mask: Option<ExprId>) -> ExprId {
        let all = mask.and_then(|mask| self.pool.as_const(mask)) == Some(u128::from(u32::MAX));
        if !all || self.analysis.launch.warp_size != Some(32) {
            return self.leaf(frame, id);
        }
        self.rely_on(Assumption::LowestLaneElected);
        let width = self.pool.width(id);
        if index == 0 {
            return self.pool.constant(0, width);
        }
        let lane = self.lane(self.thread(frame));
        let zero = self.pool.constant(0, 32);
        let is_lowest = self.pool.eq(lane, zero);
        self.pool.resize(is_lowest, width)
    }

    /// A new event of a copy: not zero, and one in each round.
    fn new_event(&mut self, frame: FrameId, id: ExprId) -> ExprId {
        let new = self.leaf(frame, id);
        if self.events.iter().any(|it| it.3 == new) {
            return new;
        }
        self.bound(new, 1, u128::from(u64::MAX));
        let (thread, rounds) = (self.thread(frame), self.iterations(frame));
        let alone = self.placement == Placement::SameThread;
        let known: Vec<_> = self.events.iter().filter(|it| it.0 == id).cloned().collect();
        for (_, _, others, event) in known.into_iter().filter(|it| alone || it.1 == thread) {
            let mut alike = self.pool.eq(new, event);
            for (a, b) in rounds.iter().zip(others) {
                let other_round = self.pool.ne(*a, b);
                alike = self.pool.or(alike, other_round);
            }
            self.state(alike);
        }
        self.events.push((id, thread, rounds, new));
        new
    }

    /// The loop variable that holds the event which all copies of a loop join, one after the other,
    /// if this is one of their events.
    pub(super) fn event_of_rounds(&self, event: ExprId) -> Option<VarId> {
        let kernel = self.analysis.kernel;
        let joined = |mut at: ExprId| loop {
            if let ExprKind::Var(var) = kernel.exprs[at].kind {
                return Some(var);
            }
            let ExprKind::Result(op, _) = kernel.exprs[at].kind else { return None };
            let OpKind::AsyncCopy(copy) = &kernel[op].kind else { return None };
            at = copy.event?;
        };
        let var = joined(event)?;
        let here = self.analysis.scopes.home(event) == Some(kernel[var].of);
        (here && joined(kernel[var].next) == Some(var)).then_some(var)
    }

    /// What a load read: a function of the address where the thread itself has not written the
    /// object in the meantime (equal addresses, equal values), else anything. Writes of others
    /// would race with the load, and the first race of a run is found with only race-free values
    /// behind it.
    fn loaded(
        &mut self,
        frame: FrameId,
        id: ExprId,
        op: OpId,
        index: u32,
        access: &Access,
    ) -> ExprId {
        let kernel = self.analysis.kernel;
        let object = access.address.object;
        let it = &kernel[object];
        let is_blind = self.goal.is_some();
        if is_blind || it.kind == ObjectKind::Unknown || it.space == Space::Local {
            return self.leaf(frame, id);
        }
        let width = self.pool.width(id);
        let offset = self.place_read(frame, op, index, access);
        let order = &self.analysis.order;
        let same_block = !self.placement.is_across();
        let plain = !access.volatile && access.order.is_none();
        let plain = plain && self.analysis.memory.only_plain(object);
        // Shared memory of two blocks is two memories.
        let plain = plain && (same_block || it.space != Space::Shared);
        let written = self.analysis.memory.written(object);
        let value = if let (Initial::Fixed(data), false) = (&it.initial, written) {
            return self.fixed((frame, op, id), object, data, offset);
        } else if let Some(value) = self.stored_by_leader(frame, op, width) {
            value
        } else if let Some(value) = self.settled(frame, op, (object, width), offset) {
            value
        } else if plain && (!written || order.fresh_in_kernel(op)) {
            let value = self.pool.pure(&format!("{}.{width}", it.name), &[offset], width);
            if self.agrees_with_members(object, &it.name, width) {
                self.initial.insert(value);
            }
            value
        } else if plain && same_block && order.fresh_in_interval(op) {
            // One version per instance of the barrier interval: the iterations of the loops with
            // barriers.
            let mut args = vec![offset];
            for of in self.analysis.scopes.chain(self.analysis.scopes.loop_of(op)) {
                if order.has_barrier(of) {
                    args.extend(self.iteration(frame, of));
                }
            }
            let version = order.segment(op);
            self.pool.pure(&format!("{}.{width}#{version}", it.name), &args, width)
        } else {
            self.leaf(frame, id)
        };
        self.reads.push(Read { op, frame, of: id, object, offset, value });
        value
    }

    /// The first byte of what a load gives as one of its results.
    pub(super) fn place_read(
        &mut self,
        frame: FrameId,
        load: OpId,
        index: u32,
        access: &Access,
    ) -> ExprId {
        let results = &self.analysis.kernel[load].results[..index as usize];
        let before: u64 = results.iter().map(|bits| u64::from(*bits).div_ceil(8)).sum();
        let start = self.at(frame, access.address.offset);
        let before = self.pool.constant(u128::from(before), 64);
        self.pool.add(start, before)
    }

    /// What a load reads from an object whose contents the program fixes. Where it does not say
    /// them all, the value is a guess.
    fn fixed(
        &mut self,
        (frame, op, of): (FrameId, OpId, ExprId),
        object: ObjectId,
        data: &Data,
        offset: ExprId,
    ) -> ExprId {
        let width = self.pool.width(of);
        let name = format!("{}.{width}", self.analysis.kernel[object].name);
        let otherwise = self.pool.pure(&name, &[offset], width);
        self.reads.push(Read { op, frame, of, object, offset, value: otherwise });
        if self.reads.len() > MOST_LOOKUPS {
            return otherwise;
        }
        table::number_at(&mut self.pool, data, offset, width, otherwise).unwrap_or(otherwise)
    }

    /// Whether the program leaves open what an object holds at the start, so that any contents are
    /// those of some run: parameters, and variables that the host may set. Shared memory is not
    /// among them, as a program must write it first. Of a structure passed by value, members that
    /// are parameters are stated to hold the parameter.
    fn agrees_with_members(&mut self, object: ObjectId, name: &str, width: u8) -> bool {
        let kernel = self.analysis.kernel;
        let of = match kernel[object].initial {
            Initial::Any | Initial::Host(_) => return kernel[object].space != Space::Shared,
            Initial::Fixed(_) | Initial::First(_) => return false,
            Initial::Argument(of) => of,
        };
        let mut all_alike = true;
        for (index, param) in (0..).zip(&kernel.params) {
            let ParamKind::Field { of: position, offset, width: bits } = param.kind else {
                continue;
            };
            if position != of {
                continue;
            }
            if bits != width {
                all_alike = false;
                continue;
            }
            let offset = self.pool.constant(u128::from(offset), 64);
            let held = self.pool.pure(&format!("{name}.{width}"), &[offset], width);
            let member = match self.analysis.launch.arg(index) {
                Some(value) => self.pool.constant(value, width),
                None => self.pool.param(index, width),
            };
            let same = self.pool.eq(held, member);
            self.state(same);
        }
        all_alike
    }

    /// Members of a structure passed by value that share bytes, as those of a union, or one read in
    /// parts.
    fn state_members_agree(&mut self) {
        let members: Vec<_> = (0..)
            .zip(&self.analysis.kernel.params)
            .filter_map(|(index, param)| match param.kind {
                ParamKind::Field { of, offset, width } => Some((index, of, offset, width)),
                ParamKind::Scalar { .. } | ParamKind::Pointer(_) => None,
            })
            .collect();
        for (n, &one) in members.iter().enumerate() {
            for &two in &members[n + 1..] {
                let first = one.2.max(two.2);
                let end = |(.., offset, width): (u32, u32, u64, u8)| offset + u64::from(width / 8);
                let end = end(one).min(end(two));
                if one.1 != two.1 || first >= end {
                    continue;
                }
                let [a, b] = [one, two].map(|(index, _, offset, width)| {
                    let member = match self.analysis.launch.arg(index) {
                        Some(value) => self.pool.constant(value, width),
                        None => self.pool.param(index, width),
                    };
                    let by = self.pool.constant(u128::from(first - offset) * 8, width);
                    let down = self.pool.binary(BinOp::LShr, member, by);
                    self.pool.cast(CastOp::Trunc, down, ((end - first) * 8) as u8)
                });
                let same = self.pool.eq(a, b);
                self.state(same);
            }
        }
    }
}
