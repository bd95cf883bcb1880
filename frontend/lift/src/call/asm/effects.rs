//! Statements that do something: barriers, memory, copies, exchanges.

use heddle_ir::{
    ALL_MEMORY, AccessKind, AsyncMechanism, Barrier, BarrierAction, Ending, ExprId, MbarrierAction,
    MemoryOrder, OpKind, Proxy as Fenced, RegisterMove, Scope, Space, Touches,
};
use smallvec::SmallVec;

use super::Machine;
use crate::Lifter;
use crate::pointer::Pointer;
use crate::strength::Strength;
use crate::value::Val;
use heddle_ptx::{Class, Effect, Instruction, MbarrierOp, MbarrierWhere, Role};

impl<'m> Lifter<'m> {
    /// One statement, for the threads of `here`; the present predicate is theirs already.
    pub(super) fn statement(
        &mut self,
        machine: &mut Machine<'m>,
        instruction: &Instruction,
        here: ExprId,
    ) {
        if self.modelled(machine, instruction, here).is_none() {
            // An operand is not of the kind that the class promises.
            self.unmodelled(machine, instruction, crate::touches_everything(), true, here);
        }
    }

    fn modelled(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        here: ExprId,
    ) -> Option<()> {
        match &it.class {
            Class::Barrier { action, reduce, aligned } => {
                let id = self.role(machine, it, Role::Id, 32)?;
                let count = self.role(machine, it, Role::Count, 32);
                let reduce = match reduce {
                    Some(reduction) => {
                        Some((*reduction, self.role(machine, it, Role::Predicate, 1)?))
                    }
                    None => None,
                };
                // Whoever writes the number goes by it: the same number at another place is the
                // same barrier.
                let numbered =
                    *action == BarrierAction::Sync && count.is_none() && reduce.is_none();
                let result = if numbered {
                    let (action, aligned) = (*action, *aligned);
                    let barrier = Barrier::Named { action, id, count, aligned, reduce };
                    self.emit(OpKind::Barrier(barrier), &[]);
                    None
                } else {
                    self.barrier(*action, id, count, *aligned, reduce)
                };
                self.result(machine, it, result, here);
            }
            Class::WarpBarrier => {
                let mask = self.role(machine, it, Role::Mask, 32)?;
                let orders = self.out.exprs().constant(ALL_MEMORY, 32);
                self.emit(OpKind::Barrier(Barrier::Warp { mask, orders }), &[]);
            }
            Class::ClusterBarrier { action, order, aligned } => {
                let barrier =
                    Barrier::Cluster { action: *action, order: *order, aligned: *aligned };
                self.emit(OpKind::Barrier(barrier), &[]);
            }
            Class::GridDependency { wait: _ } => {
                // Other grids are not looked at.
                self.opaque(&it.opcode, &[], &[], Touches::nothing(), false);
            }
            Class::SetMaxRegisters { increase } => {
                let how = if *increase { RegisterMove::Take } else { RegisterMove::Give };
                self.emit(OpKind::Registers(how), &[]);
            }
            Class::Mbarrier { op, place } => {
                self.barrier_object_statement(machine, it, *op, *place, here)?
            }
            Class::CpAsync(_) => {
                let size = self.role(machine, it, Role::Size, 64)?;
                let to = self.role_address(machine, it, Role::Address, Space::Shared)?;
                let from = self.role_address(machine, it, Role::Source, Space::Global)?;
                let read = match self.role(machine, it, Role::SourceSize, 64) {
                    Some(read) => Some(self.fewer(size, read)),
                    None => self.role(machine, it, Role::IgnoreSource, 1).map(|ignored| {
                        let none = self.out.exprs().constant(0, 64);
                        self.out.exprs().select(ignored, none, size)
                    }),
                };
                self.copy(AsyncMechanism::CpAsync, &to, &from, (size, read), None);
            }
            Class::CpAsyncCommit => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::CpAsync), &[]);
            }
            Class::CpAsyncWait => match self.role(machine, it, Role::Pending, 32) {
                Some(pending) => self.wait_for_groups(AsyncMechanism::CpAsync, pending, false),
                None => self.wait_for_all_copies(),
            },
            Class::CpAsyncArrive { no_increment, space: _ } => {
                let at = self.role_address(machine, it, Role::Mbarrier, Space::Shared)?;
                let action = MbarrierAction::CopiesArrive { extra: !no_increment };
                self.on_barrier_object(&at, &action, &[]);
            }
            Class::BulkCopy(copy) => self.bulk_copy(machine, it, copy)?,
            Class::BulkCommit => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::BulkGroup), &[]);
            }
            Class::BulkWait { read_only } => {
                let pending = self.role(machine, it, Role::Pending, 32)?;
                self.wait_for_groups(AsyncMechanism::BulkGroup, pending, *read_only);
            }
            Class::Hint | Class::Sleep | Class::Breakpoint | Class::Branch { uniform: _ } => {}
            Class::Fence { order, scope, restricted_to } => {
                let proxy = restricted_to.map(|_| Fenced::Restricted);
                self.fence(*order, *scope, proxy);
            }
            Class::FenceMbarrierInit => {
                self.fence(MemoryOrder::Release, Scope::Cluster, Some(Fenced::MbarrierInit));
            }
            Class::ProxyFence { proxy, order } => {
                self.proxy_fence(*proxy, *order);
            }
            Class::Load(access) => self.load_statement(machine, it, access, here)?,
            Class::Store(access) => self.store_statement(machine, it, access)?,
            Class::Atomic { op, order, scope, space, ty, elements } => {
                let strength =
                    Strength { order: Some((*order, *scope)), volatile: false, align: 1 };
                self.atomic_statement(
                    machine,
                    it,
                    (*op, *ty, *elements),
                    space_of(*space),
                    strength,
                    here,
                )?;
            }
            Class::CrossLane { kind, ty } => {
                self.exchange_statement(machine, it, *kind, *ty, here)?
            }
            Class::LoadMatrix { space, row_bytes, rows } => {
                self.rows(machine, it, space_of(*space), *row_bytes, *rows, &AccessKind::Load)?;
                self.unknown_results(machine, it, here);
            }
            Class::StoreMatrix { space, row_bytes, rows } => {
                let kind = AccessKind::Store(SmallVec::new());
                self.rows(machine, it, space_of(*space), *row_bytes, *rows, &kind)?;
            }
            Class::Surface(surface) => self.surface_statement(machine, it, surface, here)?,
            Class::Pure { op, ty } => self.pure_statement(machine, it, *op, *ty, here)?,
            Class::Warpgroup(step) => self.warpgroup(machine, it, *step, here)?,
            Class::TensorCore(step) => self.tensor_core(machine, it, *step, here)?,
            Class::Opaque(effect) => {
                self.out.kernel_mut().fetches |= *effect == Effect::ReadsTexture;
                let (touches, waits) = match effect {
                    Effect::RegistersOnly | Effect::ReadsTexture => (Touches::nothing(), false),
                    Effect::WritesSurface => (writes(Space::Global), false),
                    Effect::Anything => (crate::touches_everything(), true),
                };
                self.unmodelled(machine, it, touches, waits, here);
            }
            Class::Exit => self.end_thread(Ending::Return),
            Class::Trap => self.end_thread(Ending::Trap),
            Class::Unknown => return None,
        }
        Some(())
    }

    /// A statement known by its opcode only; what it may write is unknown afterwards.
    pub(super) fn unmodelled(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        touches: Touches,
        may_synchronize: bool,
        here: ExprId,
    ) {
        let dests: Vec<_> = it.dests().cloned().collect();
        let widths: Vec<u8> = dests.iter().flat_map(|d| self.rooms(machine, d)).collect();
        let mut results =
            self.opaque(&it.opcode, &[], &widths, touches, may_synchronize).into_iter();
        for dest in &dests {
            let count = self.rooms(machine, dest).len();
            let parts: Vec<Val> = results.by_ref().take(count).map(Val::Scalar).collect();
            let value = match parts.len() {
                1 => parts[0].clone(),
                _ => Val::Aggregate(parts),
            };
            self.write(machine, dest, value, here);
        }
    }

    /// Results that are not modelled, of a statement whose accesses are.
    fn unknown_results(&mut self, machine: &mut Machine<'m>, it: &Instruction, here: ExprId) {
        self.unmodelled(machine, it, Touches::nothing(), false, here);
    }

    fn rooms(&self, machine: &Machine<'m>, to: &heddle_ptx::Operand) -> Vec<u8> {
        match to {
            heddle_ptx::Operand::Vector(elements) => {
                elements.iter().flat_map(|e| self.rooms(machine, e)).collect()
            }
            _ => vec![self.room(machine, to)],
        }
    }

    pub(super) fn result(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        value: Option<ExprId>,
        here: ExprId,
    ) {
        if let (Some(dest), Some(value)) = (it.operand(Role::Dest), value) {
            self.write_number(machine, &dest.clone(), value, false, here);
        }
    }

    fn barrier_object_statement(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        op: MbarrierOp,
        place: MbarrierWhere,
        here: ExprId,
    ) -> Option<()> {
        let space = match place {
            // Another block's shared memory is not this block's.
            MbarrierWhere::Generic | MbarrierWhere::Cluster => Space::Generic,
            MbarrierWhere::Block => Space::Shared,
        };
        let at = self.role_address(machine, it, Role::Mbarrier, space)?;
        let mut number = |lifter: &mut Self, role, width| lifter.role(machine, it, role, width);
        let (action, results) = self.barrier_action(op, &mut number)?;
        let value = self.on_barrier_object(&at, &action, results);
        self.result(machine, it, value, here);
        Some(())
    }

    /// The targets of a pointer that has to be in a space: what cannot be there is an address of
    /// it.
    pub(in crate::call) fn targets_in(
        &mut self,
        pointer: &Pointer,
        space: Space,
    ) -> Vec<(ExprId, heddle_ir::Address)> {
        let targets = self.targets(pointer);
        targets
            .into_iter()
            .map(|(guard, address)| {
                if self.out.kernel().objects[address.object].space.may_be(space) {
                    return (guard, address);
                }
                let object = self.unknown(space);
                (guard, heddle_ir::Address { object, offset: address.offset })
            })
            .collect()
    }
}

fn writes(space: Space) -> Touches {
    Touches { writes_spaces: [space].into_iter().collect(), ..Touches::default() }
}

/// A state space here; the shared memory of a cluster may be another block's.
pub(super) fn space_of(space: heddle_ptx::Space) -> Space {
    match space {
        heddle_ptx::Space::Generic | heddle_ptx::Space::SharedCluster => Space::Generic,
        heddle_ptx::Space::Global => Space::Global,
        heddle_ptx::Space::SharedBlock => Space::Shared,
        heddle_ptx::Space::Local => Space::Local,
        heddle_ptx::Space::Constant | heddle_ptx::Space::Parameter => Space::Constant,
    }
}
