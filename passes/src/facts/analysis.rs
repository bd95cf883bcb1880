//! What every check asks of a kernel first, computed once: scopes, uniformity, recurrences, memory
//! use.

use std::sync::OnceLock;

use heddle_diagnostics::Assumption;
use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{
    BinOp, CastOp, ClaimKind, ExprId, ExprKind, Initial, Kernel, LoopId, ObjectKind, OpId, Scopes,
    Special, VarId,
};
use heddle_solver::Budget;

use super::counts::{Limited, TripLimit, counter_flags, counts_below_2_31};
use super::evolution::{Evolution, evolution};
use super::invariants::{Tiers, claim};
use super::journal::Journal;
use super::launch::{Launch, MOST_THREADS};
use super::memory::MemoryUse;
use super::open_inputs::{OpenInputs, is_block_open};
use super::order::{ProgramOrder, Regular};
use super::phases::Phases;
use super::sums::Sums;
use super::uniformity::Uniformity;
use super::unsigned::unsigned_sizes;

/// The analyses of one kernel under one launch.
#[derive(Debug)]
pub(crate) struct Analysis<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// The launch.
    pub launch: &'k Launch,
    /// Which loop each expression belongs to.
    pub scopes: Scopes,
    /// What is done to each object.
    pub memory: MemoryUse,
    /// How far each value varies.
    pub uniformity: Uniformity,
    /// Where barriers stand between operations.
    pub order: ProgramOrder,
    /// Accesses that promise more of their addresses than their offsets show.
    pub aligned: Vec<OpId>,
    /// Claims of subscripts, where they may count: nobody says how large blocks are.
    pub subscripts: Vec<OpId>,
    evolutions: SecondaryMap<VarId, Option<Evolution>>,
    trips: SecondaryMap<LoopId, Option<Limited>>,
    phases: Phases,
    /// Invariants that the source claims and that hold.
    pub stated: Tiers,
    /// Invariants that were found, once someone asked for them.
    pub found: OnceLock<Tiers>,
    /// What finding them may cost, whoever asks first: questions are asked side by side.
    pub for_found: Option<Budget>,
    /// Sums over the threads of a block, once someone asked for them.
    pub sums: OnceLock<Sums>,
    /// Where it is written down what is asked.
    pub journal: Journal,
    open: OpenInputs,
    unsigned_sizes: rustc_hash::FxHashSet<u32>,
    global_ids: Vec<ExprId>,
}

impl<'k> Analysis<'k> {
    /// Computes them, with the barriers that count by their place; nothing is asked, so no loop has
    /// a trip limit.
    pub(crate) fn under(kernel: &'k Kernel, launch: &'k Launch, regular: Regular) -> Analysis<'k> {
        let scopes = Scopes::of(kernel);
        let memory = MemoryUse::of(kernel, &regular);
        let order = ProgramOrder::of(kernel, regular);
        let uniformity = Uniformity::of(kernel, launch, &memory, &order);
        let mut evolutions = SecondaryMap::new();
        for var in kernel.vars.keys() {
            let mut found = evolution(kernel, &scopes, var);
            if let Evolution::Add(step, flags) = &mut found {
                *flags = flags.or(counter_flags(kernel, launch, var, *step));
            }
            evolutions[var] = Some(found);
        }
        let trips = SecondaryMap::new();
        let open = OpenInputs::of(kernel, launch);
        let unsigned_sizes = unsigned_sizes(kernel);
        let global_ids = global_ids(kernel);
        let aligned = kernel
            .ops
            .keys()
            .filter(|op| kernel.access(*op).is_some_and(|it| it.align > 1))
            .collect();
        let is_subscript =
            |op: &OpId| claim(kernel, *op).is_some_and(|it| it.kind == ClaimKind::Subscript);
        let subscripts = match is_block_open(kernel, launch) {
            true => kernel.ops.keys().filter(is_subscript).collect(),
            false => Vec::new(),
        };
        Analysis {
            aligned,
            subscripts,
            kernel,
            launch,
            scopes,
            memory,
            uniformity,
            order,
            evolutions,
            trips,
            phases: Phases::default(),
            stated: Tiers::default(),
            found: OnceLock::new(),
            for_found: None,
            sums: OnceLock::new(),
            journal: Journal::default(),
            open,
            unsigned_sizes,
            global_ids,
        }
    }

    /// The same, with the limits of its loops.
    pub(crate) fn with_trips(self, trips: SecondaryMap<LoopId, Option<Limited>>) -> Analysis<'k> {
        Analysis { trips, ..self }
    }

    /// The same, with the phases of its barrier objects.
    pub(crate) fn with_phases(self, phases: Phases) -> Analysis<'k> {
        Analysis { phases, ..self }
    }

    /// The same, with what is asked from here on written down.
    pub(crate) fn with_journal(self, journal: Journal) -> Analysis<'k> {
        Analysis { journal, ..self }
    }

    /// What is known of barrier objects.
    pub(crate) fn phases(&self) -> &Phases {
        &self.phases
    }

    /// The same, with what the source claims of its loops and what holds of that.
    pub(crate) fn with_stated(self, stated: Tiers) -> Analysis<'k> {
        Analysis { stated, ..self }
    }

    /// The highest iteration number of a loop, where one is known that takes nothing for granted.
    pub(crate) fn trips(&self, of: LoopId) -> Option<TripLimit> {
        self.limited(of).filter(|it| it.relies.is_empty()).map(|it| it.limit)
    }

    /// The highest iteration number of a loop, and what that takes for granted.
    pub(crate) fn limited(&self, of: LoopId) -> Option<&Limited> {
        self.trips[of].as_ref()
    }

    /// Whether an open size or argument reaches an expression.
    pub(crate) fn is_open(&self, id: ExprId) -> bool {
        self.open.reach(id)
    }

    /// Whether an expression is a left shift that computes no product
    /// ([`OpenInputs::shifts_bits`]).
    pub(crate) fn shifts_bits(&self, id: ExprId) -> bool {
        self.open.shifts_bits(id)
    }

    /// Whether loops inside step a variable of a loop around them.
    pub(crate) fn has_rounds(&self) -> bool {
        self.evolutions.values().any(|it| matches!(it, Some(Evolution::Rounds(..))))
    }

    /// Whether a parameter is a size without a sign ([`crate::facts::unsigned`]), and it is not
    /// said which values it has.
    pub(crate) fn is_unsigned_size(&self, index: u32) -> bool {
        self.unsigned_sizes.contains(&index) && !self.open.is_listed(index)
    }

    /// How many blocks there are at most in a dimension, if it is said which numbers there may be.
    pub(crate) fn blocks_listed(&self, dimension: u8) -> Option<u128> {
        self.open.blocks_listed(dimension)
    }

    /// Whether numbers of 31 bits tell the threads of the grid apart, in each dimension. A launch
    /// that is given, or one that the host lists, may have more; another has not by assumption.
    pub(crate) fn linear_index_fits(&self) -> bool {
        (0..3u8).all(|d| {
            let at = usize::from(d);
            let blocks = match self.launch.grid[at].known() {
                Some(blocks) => Some(u128::from(blocks)),
                None => self.blocks_listed(d),
            };
            match (blocks, self.launch.block[at].known()) {
                (Some(blocks), Some(threads)) => blocks * u128::from(threads) <= MOST_THREADS,
                (_, _) => true,
            }
        })
    }

    /// What every proof about this kernel and launch takes for granted: the launch, and that loops
    /// end in time where neither a trip limit nor a counter that the compiler keeps from
    /// overflowing says so.
    pub(crate) fn assumptions(&self) -> Vec<Assumption> {
        let mut all = self.launch.assumptions(self.kernel);
        if !self.kernel.loops.keys().all(|of| self.ends_in_time(of)) {
            all.push(Assumption::FewIterations);
        }
        if self.kernel.objects.values().any(|it| matches!(it.kind, ObjectKind::Pointee(_))) {
            all.push(Assumption::DistinctPointersInMemory);
        }
        if self.tells_members_apart() {
            all.push(Assumption::IndicesInMembers);
        }
        all
    }

    /// Whether pointers are read from a structure passed by value both at computed places and at
    /// others.
    fn tells_members_apart(&self) -> bool {
        let objects = || self.kernel.objects.values();
        let is_named = |argument: u32| {
            objects().any(|it| matches!(it.kind, ObjectKind::ParamField(of, _) if of == argument))
        };
        objects().filter_map(|it| it.kind.table()).any(
            |table| matches!(self.kernel[table].initial, Initial::Argument(of) if is_named(of)),
        )
    }

    /// Whether a trip limit, or a counter that the compiler keeps from overflowing, says that a
    /// loop ends within 2^31 iterations.
    pub(crate) fn ends_in_time(&self, of: LoopId) -> bool {
        self.trips(of).is_some()
            || counts_below_2_31(self.kernel, self.launch, |var| self.evolution(var), of)
    }

    /// OpenCL's global ids, as the kernel computes them: `get_global_id` with its offset.
    pub(crate) fn global_ids(&self) -> &[ExprId] {
        &self.global_ids
    }

    /// How a loop variable goes on.
    pub(crate) fn evolution(&self, var: VarId) -> Evolution {
        self.evolutions[var].unwrap_or(Evolution::Unknown)
    }
}

/// The sums `offset + (block * size + thread)` of one dimension, in whatever order.
fn global_ids(kernel: &Kernel) -> Vec<ExprId> {
    let special = |id: ExprId| {
        let narrow =
            if let ExprKind::Cast(CastOp::Zext, inner) = kernel[id].kind { inner } else { id };
        if let ExprKind::Special(special) = kernel[narrow].kind { Some(special) } else { None }
    };
    let is_id = |sum: ExprId| {
        let (mut terms, mut work) = (Vec::new(), vec![sum]);
        while let Some(at) = work.pop() {
            if let ExprKind::Binary(BinOp::Add, _, a, b) = kernel[at].kind {
                work.extend([a, b]);
            } else {
                terms.push(at);
            }
            if terms.len() > 3 {
                return false;
            }
        }
        let offset = terms.iter().find_map(|it| {
            if let Some(Special::GlobalOffset(d)) = special(*it) { Some(d) } else { None }
        });
        let Some(d) = offset else { return false };
        let is_block_start = |it: ExprId| {
            let ExprKind::Binary(BinOp::Mul, _, a, b) = kernel[it].kind else { return false };
            let of = [special(a), special(b)];
            of.contains(&Some(Special::Ctaid(d))) && of.contains(&Some(Special::Ntid(d)))
        };
        let has = |wanted| terms.iter().any(|it| special(*it) == Some(wanted));
        terms.len() == 3
            && has(Special::GlobalOffset(d))
            && has(Special::Tid(d))
            && terms.iter().any(|it| is_block_start(*it))
    };
    let sums = kernel.exprs.iter().map(|(id, _)| id);
    sums.filter(|id| matches!(kernel[*id].kind, ExprKind::Binary(BinOp::Add, ..)))
        .filter(|id| is_id(*id))
        .collect()
}
