//! Tells the device library what synchronizes: calls before and after barriers, fences, waits and
//! copies.
//!
//! On the CPU such an instruction is replaced by a call; on a GPU it stays, and the library hears
//! of it. What is not known is announced as ordering everything, which can hide a race and never
//! makes one up.
//!
//! Loads and stores of inline PTX, weak or with an order and a scope, its atomics and its
//! `cp.async` are checked where they are all that their template has: of several instructions the
//! library could not be told in their order. **Does not**: announce loads, stores and atomics of
//! LLVM's (instrumentation does), or intrinsics without a row in the table of `heddle_ptx`; follow
//! addresses that inline PTX computes.

use heddle_ir::{BarrierAction, ClusterAction, MemoryOrder, Scope};
use heddle_runtime::abi;

use heddle_llvm::{Arg, Function, Inst, Module, NewCall, Opcode, Side, Spot, SyncScope, Value};
use heddle_ptx::{
    self, Class, Effect, Instruction, LoadStore, MbarrierOp, Offset, Operand, Role, Semantics,
    Space,
};

/// What `__heddle_wait` waits for.
const CLUSTER: u32 = 3;
const MBARRIER: u32 = 4;

/// Puts the calls into a kernel. `shared` is the variable that holds all that it has in shared
/// memory.
pub(super) fn announce(module: &mut Module, kernel: &str, shared: Option<Spot>) {
    let Some(function) = module.function(kernel) else { return };
    let mut calls = Calls { made: Vec::new(), site: 0, arrivals: arrivals(function) };
    for (n, inst) in function.instructions().enumerate() {
        if n == 0 {
            let base = shared.map_or(Arg::I64(u64::MAX), Arg::Bits);
            calls.before(inst, "__heddle_enter", vec![base]);
        }
        calls.instruction(module, inst);
    }
    module.insert_calls(&calls.made);
}

struct Calls {
    made: Vec<NewCall>,
    /// The site that the last check named.
    site: u32,
    /// At which barriers threads arrive that do not wait there; `None` for one that is not known.
    arrivals: Vec<Option<u128>>,
}

/// The barriers of the arrivals of a kernel.
fn arrivals(function: Function<'_>) -> Vec<Option<u128>> {
    let mut all = Vec::new();
    let arrives = |it: &Class| matches!(it, Class::Barrier { action: BarrierAction::Arrive, .. });
    for inst in function.instructions().filter(|it| it.opcode() == Opcode::Call) {
        let args = inst.arguments();
        if let Some(asm) = inst.callee().and_then(|it| it.as_inline_asm()) {
            let read = heddle_ptx::read(&asm.text, &asm.constraints);
            for asm in read.iter() {
                for it in asm.instructions.iter().filter(|it| arrives(&it.class)) {
                    all.push(match it.operand(Role::Id) {
                        Some(Operand::Int(id)) => u128::try_from(*id).ok(),
                        Some(Operand::Asm(n)) => {
                            let at = n.checked_sub(outputs(asm));
                            at.and_then(|n| args.get(n)?.const_int())
                        }
                        _ => None,
                    });
                }
            }
        } else if let Some(name) = inst.called_function().map(|it| it.name())
            && let Some(it) = name.strip_prefix("llvm.nvvm.").and_then(heddle_ptx::intrinsic)
            && arrives(&it.class)
        {
            let id = it.argument(Role::Id).and_then(|at| args.get(at)?.const_int());
            all.push(id);
        }
    }
    all
}

impl Calls {
    fn before(&mut self, inst: Inst<'_>, callee: &'static str, args: Vec<Arg>) {
        self.made.push(NewCall { at: inst.spot(), side: Side::Before, callee, args });
    }

    fn after(&mut self, inst: Inst<'_>, callee: &'static str, args: Vec<Arg>) {
        self.made.push(NewCall { at: inst.spot(), side: Side::After, callee, args });
    }

    fn instruction(&mut self, module: &Module, inst: Inst<'_>) {
        match inst.opcode() {
            Opcode::Ret => self.before(inst, "__heddle_leave", Vec::new()),
            Opcode::Fence => {
                let wide = match inst.sync_scope(module) {
                    Some(SyncScope::Block | SyncScope::Warp | SyncScope::SingleThread) => 0,
                    Some(
                        SyncScope::Cluster
                        | SyncScope::Device
                        | SyncScope::System
                        | SyncScope::Other,
                    )
                    | None => 1,
                };
                self.before(inst, "__heddle_fence", vec![Arg::I32(wide)]);
            }
            Opcode::Call if super::is_check(inst) => {
                let name = inst.called_function().map(|it| it.name()).unwrap_or_default();
                if name == "__heddle_site" {
                    let site = inst.arguments().first().and_then(|it| it.const_int());
                    self.site = site.and_then(|it| u32::try_from(it).ok()).unwrap_or(0);
                }
            }
            Opcode::Call => self.called(inst),
            _ => {}
        }
    }

    fn called(&mut self, inst: Inst<'_>) {
        if let Some(asm) = inst.callee().and_then(|it| it.as_inline_asm()) {
            match heddle_ptx::read(&asm.text, &asm.constraints) {
                Ok(read) => read.instructions.iter().for_each(|it| self.ptx(inst, &read, it)),
                Err(_) => self.unknown(inst),
            }
            return;
        }
        let Some(function) = inst.called_function() else { return self.unknown(inst) };
        let name = function.name();
        if let Some(rest) = name.strip_prefix("llvm.nvvm.") {
            self.intrinsic(inst, rest);
        }
    }

    fn intrinsic(&mut self, inst: Inst<'_>, name: &str) {
        let args = inst.arguments();
        // What has no row is not announced: most of it computes in registers.
        let Some(it) = heddle_ptx::intrinsic(name) else { return };
        let given = |role: Role| Some(*args.get(it.argument(role)?)?);
        match &it.class {
            // Instrumentation tells of them, as of LLVM's.
            Class::Atomic { .. } => {}
            // Nobody writes what `ldu` reads.
            Class::Load(_) => {}
            Class::CpAsync(_) => {
                // Of a copy that says how many bytes it reads, they may be fewer than it writes.
                if let (Some(to), Some(from), Some(size), None) =
                    (given(Role::Address), given(Role::Source), it.size, given(Role::SourceSize))
                {
                    let site = Arg::I32(self.site);
                    let copy = vec![pointer(to), pointer(from), Arg::I32(size), site];
                    self.before(inst, "__heddle_copy", copy);
                }
            }
            Class::CpAsyncWait => {
                let (pending, all) = match given(Role::Pending) {
                    Some(pending) => (word(pending), 0),
                    None => (Arg::I32(0), 1),
                };
                self.after(inst, "__heddle_copy_wait", vec![pending, Arg::I32(all)]);
            }
            class => {
                let counted = it.argument(Role::Count).is_some();
                let value = |role: Role| given(role).map(word);
                self.meets(inst, class, &value, (counted, false));
            }
        }
    }

    fn ptx(&mut self, inst: Inst<'_>, asm: &heddle_ptx::Asm, it: &Instruction) {
        let outputs = outputs(asm);
        let args = inst.arguments();
        let value = |role: Role| match it.operand(role) {
            Some(Operand::Asm(n)) => n.checked_sub(outputs).and_then(|n| Some(word(*args.get(n)?))),
            Some(Operand::Int(n)) => u32::try_from(*n).ok().map(Arg::I32),
            _ => None,
        };
        if let Class::Load(access) | Class::Store(access) = &it.class
            && access.semantics == Semantics::Weak
        {
            return self.weak(inst, asm, it, *access);
        }
        if self.strong(inst, asm, it) {
            return;
        }
        if let Class::CpAsync(_) = it.class {
            return self.copy(inst, asm, it);
        }
        let counted = it.operand(Role::Count).is_some();
        self.meets(inst, &it.class, &value, (counted, it.guard.is_some()));
    }

    /// An instruction of a class that synchronizes, or might: the values of its operands, whether
    /// it has a count, and whether it is executed under a condition.
    fn meets(
        &mut self,
        inst: Inst<'_>,
        class: &Class,
        value: &dyn Fn(Role) -> Option<Arg>,
        (counted, guarded): (bool, bool),
    ) {
        let wide = |scope: Scope| match scope {
            Scope::Thread | Scope::Warp | Scope::Block => 0,
            Scope::Cluster | Scope::Device | Scope::System => 1,
        };
        match class {
            Class::Barrier { action: BarrierAction::Arrive, .. } => self.arrive(inst, 0),
            Class::Barrier { action: BarrierAction::Sync, .. } => {
                let count = if counted { value(Role::Count) } else { Some(Arg::I32(0)) };
                match (value(Role::Id), count, guarded) {
                    // Those that arrive are counted, and are not ordered: no epoch either.
                    (Some(id), Some(_), false) if self.has_arrivals(&id) => {
                        self.barrier(inst, id, Arg::I32(1));
                    }
                    (Some(id), Some(count), false) => self.barrier(inst, id, count),
                    // Some threads may not come here: an order, and no epoch.
                    _ => self.barrier(inst, Arg::I32(0), Arg::I32(1)),
                }
            }
            Class::WarpBarrier => match (value(Role::Mask), guarded) {
                (Some(mask), false) => self.warp_barrier(inst, mask),
                _ => self.warp_barrier(inst, Arg::I32(0)),
            },
            Class::ClusterBarrier { action: ClusterAction::Arrive, .. } => self.arrive(inst, 1),
            Class::ClusterBarrier { action: ClusterAction::Wait, .. } => {
                self.wait(inst, CLUSTER, 1);
            }
            Class::ClusterBarrier { action: ClusterAction::Sync, .. } => {
                self.arrive(inst, 1);
                self.wait(inst, CLUSTER, 1);
            }
            Class::Mbarrier { op: MbarrierOp::Test { scope, .. }, .. } => {
                self.wait(inst, MBARRIER, wide(*scope));
            }
            Class::Mbarrier { op: MbarrierOp::Arrive { scope, .. }, .. } => {
                self.arrive(inst, wide(*scope));
            }
            Class::Mbarrier {
                op:
                    MbarrierOp::Init
                    | MbarrierOp::Invalidate
                    | MbarrierOp::ExpectBytes(_)
                    | MbarrierOp::CompleteBytes(_),
                ..
            }
            | Class::CpAsyncArrive { .. } => self.arrive(inst, 0),
            Class::Fence { scope, .. } => self.fence(inst, wide(*scope)),
            Class::FenceMbarrierInit | Class::ProxyFence { .. } => self.fence(inst, 1),
            Class::CpAsyncCommit => self.before(inst, "__heddle_copy_commit", vec![]),
            Class::Exit if !guarded => self.before(inst, "__heddle_leave", Vec::new()),
            // Weak ones are the caller's.
            Class::Load(_) | Class::Store(_) => self.unknown(inst),
            Class::Atomic { .. }
            | Class::GridDependency { .. }
            | Class::SetMaxRegisters { .. }
            | Class::BulkCopy(_)
            | Class::BulkCommit
            | Class::BulkWait { .. }
            | Class::CpAsyncWait
            | Class::Warpgroup(_)
            | Class::TensorCore(_)
            | Class::Opaque(Effect::Anything)
            | Class::Exit
            | Class::Unknown => self.unknown(inst),
            // The caller tells where it goes.
            Class::CpAsync(_)
            | Class::Hint
            | Class::CrossLane { .. }
            | Class::LoadMatrix { .. }
            | Class::Surface(_)
            | Class::StoreMatrix { .. }
            | Class::Pure { .. }
            | Class::Opaque(Effect::RegistersOnly | Effect::ReadsTexture | Effect::WritesSurface)
            | Class::Sleep
            | Class::Trap
            | Class::Breakpoint
            | Class::Branch { .. } => {}
        }
    }

    /// A weak load or store that is all that the template has.
    fn weak(&mut self, inst: Inst<'_>, asm: &heddle_ptx::Asm, it: &Instruction, access: LoadStore) {
        let Some(place) = place(inst, asm, it, Role::Address, access.space) else { return };
        let does = match it.class {
            Class::Store(_) => abi::Access::Store,
            _ => abi::Access::Load,
        };
        let bytes = u32::from(access.ty.bits) / 8 * u32::from(access.elements);
        let flags = abi::access_flags(does, abi::MemoryOrder::Relaxed, abi::Scope::Grid)
            | abi::alignment_flags(u64::from(bytes));
        let (bytes, site) = (Arg::I32(bytes), Arg::I32(self.site));
        let args = vec![place, bytes, site, Arg::I32(flags), Arg::I64(0)];
        self.before(inst, "__heddle_access", args);
    }

    /// An access with an order and a scope, or an atomic, that is all that the template has: told
    /// as those of LLVM are. What `.volatile` and `.mmio` order beyond that is left to the caller.
    fn strong(&mut self, inst: Inst<'_>, asm: &heddle_ptx::Asm, it: &Instruction) -> bool {
        let (does, order, scope, space, ty, elements) = match &it.class {
            Class::Load(LoadStore {
                semantics: Semantics::Ordered(order, scope),
                space,
                ty,
                elements,
                ..
            }) => (abi::Access::Load, *order, *scope, *space, *ty, *elements),
            Class::Store(LoadStore {
                semantics: Semantics::Ordered(order, scope),
                space,
                ty,
                elements,
                ..
            }) => (abi::Access::Store, *order, *scope, *space, *ty, *elements),
            Class::Atomic { op: _, order, scope, space, ty, elements } => {
                (abi::Access::Update, *order, *scope, *space, *ty, *elements)
            }
            _ => return false,
        };
        let Some(place) = place(inst, asm, it, Role::Address, space) else { return false };
        let order = match order {
            MemoryOrder::Relaxed => abi::MemoryOrder::Relaxed,
            MemoryOrder::Acquire => abi::MemoryOrder::Acquire,
            MemoryOrder::Release => abi::MemoryOrder::Release,
            MemoryOrder::AcqRel | MemoryOrder::SeqCst => abi::MemoryOrder::AcqRel,
        };
        let scope = match scope {
            Scope::Thread | Scope::Warp | Scope::Block => abi::Scope::Block,
            Scope::Cluster | Scope::Device | Scope::System => abi::Scope::Grid,
        };
        let bytes = u32::from(ty.bits) / 8 * u32::from(elements);
        let aligned = abi::alignment_flags(u64::from(bytes));
        let flags = abi::access_flags(does, order, scope) | abi::ATOMIC | aligned;
        let (bytes, site) = (Arg::I32(bytes), Arg::I32(self.site));
        let args = vec![place, bytes, site, Arg::I32(flags), Arg::I64(0)];
        self.before(inst, "__heddle_access", args);
        true
    }

    /// A `cp.async` of all its bytes that is all that the template has.
    fn copy(&mut self, inst: Inst<'_>, asm: &heddle_ptx::Asm, it: &Instruction) {
        let partial = [Role::SourceSize, Role::IgnoreSource]
            .iter()
            .any(|it_has| it.operand(*it_has).is_some());
        let size = match it.operand(Role::Size) {
            Some(Operand::Int(size)) => u32::try_from(*size).ok(),
            Some(Operand::Asm(n)) => {
                let value =
                    n.checked_sub(outputs(asm)).and_then(|n| inst.arguments().get(n).copied());
                value.and_then(Value::const_int).and_then(|it| u32::try_from(it).ok())
            }
            _ => None,
        };
        let to = place(inst, asm, it, Role::Address, Space::SharedBlock);
        let from = place(inst, asm, it, Role::Source, Space::Global);
        if let (Some(to), Some(from), Some(size), false) = (to, from, size, partial) {
            let args = vec![to, from, Arg::I32(size), Arg::I32(self.site)];
            self.before(inst, "__heddle_copy", args);
        }
    }

    /// Whether threads may arrive at a barrier that do not wait there.
    fn has_arrivals(&self, id: &Arg) -> bool {
        let known = if let Arg::I32(id) = id { Some(u128::from(*id)) } else { None };
        self.arrivals.iter().any(|it| it.is_none() || known.is_none() || *it == known)
    }

    fn barrier(&mut self, inst: Inst<'_>, id: Arg, count: Arg) {
        self.before(inst, "__heddle_barrier", vec![id, count]);
        self.after(inst, "__heddle_barrier_done", vec![id, count]);
    }

    fn warp_barrier(&mut self, inst: Inst<'_>, mask: Arg) {
        self.before(inst, "__heddle_warp_barrier", vec![mask]);
        self.after(inst, "__heddle_warp_barrier_done", vec![mask]);
    }

    fn arrive(&mut self, inst: Inst<'_>, wide: u32) {
        self.before(inst, "__heddle_arrive", vec![Arg::I32(wide)]);
    }

    fn wait(&mut self, inst: Inst<'_>, kind: u32, wide: u32) {
        self.before(inst, "__heddle_wait", vec![Arg::I32(kind)]);
        self.after(inst, "__heddle_wait_done", vec![Arg::I32(wide)]);
    }

    fn fence(&mut self, inst: Inst<'_>, wide: u32) {
        self.before(inst, "__heddle_fence", vec![Arg::I32(wide)]);
    }

    fn unknown(&mut self, inst: Inst<'_>) {
        self.before(inst, "__heddle_unknown", Vec::new());
        self.after(inst, "__heddle_unknown", Vec::new());
    }
}

fn outputs(asm: &heddle_ptx::Asm) -> usize {
    asm.operands.iter().filter(|it| it.kind == heddle_ptx::ConstraintKind::Output).count()
}

/// The address of an operand, if the instruction is all that its template has, and always executed.
fn place(
    inst: Inst<'_>,
    asm: &heddle_ptx::Asm,
    it: &Instruction,
    role: Role,
    space: Space,
) -> Option<Arg> {
    if asm.instructions.len() != 1 || !asm.labels.is_empty() || it.guard.is_some() {
        return None;
    }
    let space = match space {
        Space::Generic => 0,
        Space::Global => 1,
        Space::SharedBlock => 3,
        Space::SharedCluster | Space::Local | Space::Constant | Space::Parameter => return None,
    };
    let Some(Operand::Address(address)) = it.operand(role) else { return None };
    let Offset::Bytes(beyond) = address.offset else { return None };
    let Operand::Asm(n) = *address.base else { return None };
    let value = inst.arguments().get(n.checked_sub(outputs(asm))?).copied()?;
    Some(Arg::Address(value.spot(), space, i64::try_from(beyond).ok()?))
}

fn word(value: Value<'_>) -> Arg {
    match value.const_int().and_then(|it| u32::try_from(it).ok()) {
        Some(number) => Arg::I32(number),
        None => Arg::Word(value.spot()),
    }
}

fn pointer(value: Value<'_>) -> Arg {
    Arg::Pointer(value.spot())
}

#[cfg(test)]
mod tests;
