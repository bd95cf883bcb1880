//! Which instructions access memory or synchronize, and the call that says so.

use heddle_runtime::abi::{self, Access, MemoryOrder, Scope, access_flags};

use super::Calls;
use super::flags::scope_of_atomic;
use heddle_lift::Target;
use heddle_llvm::{Arg, Inst, Module, Opcode, Ordering, Side, SyncScope, Type, TypeKind, Value};

/// Calls after whose name no thread waits, orders or copies anything: they need no site.
const QUIET: &[&str] = &[
    "llvm.nvvm.read.",
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.experimental.",
    "llvm.nvvm.ptr.",
    "llvm.prefetch",
];

impl Calls {
    pub(super) fn instruction(
        &mut self,
        module: &Module,
        target: Target,
        inst: Inst<'_>,
        skipped: bool,
    ) {
        match inst.opcode() {
            Opcode::Load | Opcode::Store => self.plain(module, inst, skipped),
            Opcode::AtomicRmw | Opcode::CmpXchg => {
                let order = match (inst.opcode(), target, inst.ordering()) {
                    // NVPTX emits `atom` without an order. CUDA's `atomicCAS` is relaxed too, and
                    // clang has no other instruction for it than this one.
                    (Opcode::AtomicRmw, Target::Nvptx, _)
                    | (Opcode::CmpXchg, Target::Nvptx, Ordering::SeqCst) => MemoryOrder::Relaxed,
                    (_, _, ordering) => order_of(ordering),
                };
                self.atomic(
                    module,
                    inst,
                    inst.pointer_operand(),
                    inst.accessed_type().and_then(|it| it.store_size(module)),
                    order,
                    scope_of(module, inst),
                );
            }
            Opcode::Call => self.called(module, inst),
            _ => {}
        }
    }

    fn plain(&mut self, module: &Module, inst: Inst<'_>, skipped: bool) {
        let Some(pointer) = inst.pointer_operand() else { return };
        let Some(ty) = inst.accessed_type() else { return };
        let Some(size) = ty.store_size(module).filter(|size| *size > 0) else { return };
        let store = inst.opcode() == Opcode::Store;
        if is_private(pointer) {
            let aligned = inst.alignment().map_or(1, u64::from);
            let own = Own { pointer, varies: false, aligned };
            return self.private(module, inst, own, Arg::I64(size), store);
        }
        if skipped && !inst.is_volatile() && inst.ordering() == Ordering::NotAtomic {
            self.partial = true;
            return;
        }
        let access = if store { Access::Store } else { Access::Load };
        let mut flags = access_flags(access, order_of(inst.ordering()), scope_of(module, inst));
        if inst.ordering() != Ordering::NotAtomic {
            flags |= abi::ATOMIC;
        }
        if self.flags.has(inst) {
            flags = access_flags(access, MemoryOrder::Relaxed, Scope::Grid) | abi::ATOMIC;
        }
        if inst.is_volatile() {
            flags |= abi::VOLATILE;
        }
        flags |= inst.alignment().map_or(0, |it| abi::alignment_flags(u64::from(it)));
        if flags & (abi::ATOMIC | abi::VOLATILE) != 0 {
            flags |= element_of(module, inst, ty).map_or(0, abi::element_flags);
        }
        let value = match inst.operand(0).filter(|_| store && size <= 8) {
            Some(value) if fits_bits(ty.kind(), size) => {
                flags |= abi::VALUE;
                Arg::Bits(value.spot())
            }
            _ => Arg::I64(0),
        };
        let site = self.site(module, inst, if store { "store" } else { "load" });
        let args = vec![
            Arg::Pointer(pointer.spot()),
            Arg::I32(size as u32),
            Arg::I32(site),
            Arg::I32(flags),
            value,
        ];
        self.call(inst, Side::Before, "__heddle_access", args);
    }

    /// An access to memory that nobody else sees changed, by an index that is not known or of a
    /// number of bytes that varies: whether it stays in its array, and is aligned.
    fn private(&mut self, module: &Module, inst: Inst<'_>, own: Own<'_>, bytes: Arg, store: bool) {
        let Own { pointer, varies, aligned } = own;
        let array = array_of(module, pointer, varies).filter(|_| self.bounds);
        let Some((base, len)) = array else { return };
        // Where an array that asks for less is placed, nothing says.
        let own_alignment = base.as_inst().and_then(Inst::alignment).map_or(1, u64::from);
        let aligned = aligned.min(own_alignment);
        let site = self.site(module, inst, if store { "store" } else { "load" });
        let args = vec![
            Arg::Pointer(base.spot()),
            len,
            Arg::Pointer(pointer.spot()),
            bytes,
            Arg::I64(aligned),
            Arg::I32(site),
            Arg::I32(store.into()),
        ];
        self.call(inst, Side::Before, "__heddle_private", args);
    }

    fn atomic(
        &mut self,
        module: &Module,
        inst: Inst<'_>,
        pointer: Option<Value<'_>>,
        size: Option<u64>,
        order: MemoryOrder,
        scope: Scope,
    ) {
        self.atomic_access(module, inst, pointer, size, (Access::Update, order, scope));
    }

    fn atomic_access(
        &mut self,
        module: &Module,
        inst: Inst<'_>,
        pointer: Option<Value<'_>>,
        size: Option<u64>,
        (access, order, scope): (Access, MemoryOrder, Scope),
    ) {
        let (Some(pointer), Some(size)) = (pointer, size) else { return };
        if is_private(pointer) {
            return;
        }
        let aligned = abi::alignment_flags(size);
        let flags = access_flags(access, order, scope) | abi::ATOMIC | aligned;
        let site = self.site(module, inst, "atomic");
        let pointer = Arg::Pointer(pointer.spot());
        let args =
            vec![pointer, Arg::I32(size as u32), Arg::I32(site), Arg::I32(flags), Arg::I64(0)];
        self.call(inst, Side::Before, "__heddle_access", args);
        // Whoever does not look at the result does not wait for anything.
        let looked_at = !inst.as_value().users().is_empty() || access == Access::Load;
        let bytes = if looked_at { size as u32 } else { 0 };
        self.call(inst, Side::After, "__heddle_atomic_done", vec![pointer, Arg::I32(bytes)]);
    }

    fn called(&mut self, module: &Module, inst: Inst<'_>) {
        let Some(function) = inst.called_function() else {
            let site = self.site(module, inst, "synchronization");
            return self.call(inst, Side::Before, "__heddle_site", vec![Arg::I32(site)]);
        };
        let (name, args) = (function.name(), inst.arguments());
        let result = inst.ty().store_size(module);
        if let Some(rest) = name.strip_prefix("llvm.mem") {
            self.bulk(module, inst, rest, &args);
        } else if let Some(scope) = scope_of_atomic(&name) {
            let wide = scope > heddle_ir::Scope::Block;
            let scope = if wide { Scope::Grid } else { Scope::Block };
            self.atomic(module, inst, args.first().copied(), result, MemoryOrder::Relaxed, scope);
        } else if let Some(op) = opencl_atomic(&name) {
            let size = result.or_else(|| args.get(1).and_then(|it| it.ty().store_size(module)));
            let Stated { access, order, scope } = stated(op, &args);
            self.atomic_access(module, inst, args.first().copied(), size, (access, order, scope));
        } else if heddle_lift::mangled::unmangled(&name) == Some("atomic_init") {
            self.initialisation(module, inst, &args);
        } else if !QUIET.iter().any(|it| name.starts_with(it)) {
            let site = self.site(module, inst, "synchronization");
            self.call(inst, Side::Before, "__heddle_site", vec![Arg::I32(site)]);
        }
    }

    /// `atomic_init`, which is no atomic (OpenCL C 3.0, 6.15.12.2).
    fn initialisation(&mut self, module: &Module, inst: Inst<'_>, args: &[Value<'_>]) {
        let &[pointer, value] = args else { return };
        let Some(size) = value.ty().store_size(module).filter(|_| !is_private(pointer)) else {
            return;
        };
        let flags = access_flags(Access::Store, MemoryOrder::Relaxed, Scope::Grid);
        let site = self.site(module, inst, "store");
        let pointer = Arg::Pointer(pointer.spot());
        let args =
            vec![pointer, Arg::I32(size as u32), Arg::I32(site), Arg::I32(flags), Arg::I64(0)];
        self.call(inst, Side::Before, "__heddle_access", args);
    }

    /// `memcpy`, `memmove`, `memset`: after `llvm.mem`.
    fn bulk(&mut self, module: &Module, inst: Inst<'_>, rest: &str, args: &[Value<'_>]) {
        let &[target, source, count, ..] = args else { return };
        let copies = rest.starts_with("cpy") || rest.starts_with("move");
        for (pointer, argument, write) in [(source, 1, 0), (target, 0, 1)] {
            if write == 0 && !copies {
                continue;
            }
            // A structure that is assigned is copied with the alignment of its type.
            let promised = inst.argument_attribute(argument, "align").and_then(|it| it.int_value());
            if is_private(pointer) {
                let (bytes, varies) = (Arg::Count(count.spot()), count.const_int().is_none());
                let own = Own { pointer, varies, aligned: promised.unwrap_or(1) };
                self.private(module, inst, own, bytes, write == 1);
                continue;
            }
            let site = self.site(module, inst, "copy");
            let aligned = promised.map_or(0, abi::alignment_flags);
            let args = vec![
                Arg::Pointer(pointer.spot()),
                Arg::Count(count.spot()),
                Arg::I32(site),
                Arg::I32(write | aligned),
            ];
            self.call(inst, Side::Before, "__heddle_range", args);
        }
    }
}

/// The name of an OpenCL atomic function, unmangled.
pub(crate) fn opencl_atomic(name: &str) -> Option<&str> {
    let name = heddle_lift::mangled::unmangled(name)?;
    let known = name.starts_with("atomic_") || name.starts_with("atom_");
    (known && name != "atomic_work_item_fence" && name != "atomic_init").then_some(name)
}

/// What an OpenCL atomic function does.
struct Stated {
    access: Access,
    order: MemoryOrder,
    scope: Scope,
}

/// What the name and the arguments of an OpenCL atomic function say (OpenCL C 3.0, 6.15.12). Those
/// of OpenCL 1.x are relaxed, those of C11 without `_explicit` are not; what is not said reaches
/// the whole grid.
fn stated(op: &str, args: &[Value<'_>]) -> Stated {
    let (name, explicit) = match op.strip_suffix("_explicit") {
        Some(name) => (name, true),
        None => (op, false),
    };
    let (access, order_at) = match name {
        "atomic_load" => (Access::Load, 1),
        "atomic_store" => (Access::Store, 2),
        "atomic_compare_exchange_strong" | "atomic_compare_exchange_weak" => (Access::Update, 3),
        _ => (Access::Update, 2),
    };
    let c11 = name.starts_with("atomic_fetch_")
        || matches!(name, "atomic_load" | "atomic_store" | "atomic_exchange")
        || name.starts_with("atomic_compare_exchange");
    let number = |at: usize| args.get(at).filter(|_| explicit).and_then(|it| it.const_int());
    let scope_at = if order_at == 3 { 5 } else { order_at + 1 };
    let order = match (number(order_at), access) {
        (Some(2), _) => MemoryOrder::Acquire,
        (Some(3), _) => MemoryOrder::Release,
        (Some(4 | 5), Access::Load) => MemoryOrder::Acquire,
        (Some(4 | 5), Access::Store) => MemoryOrder::Release,
        (Some(4 | 5), Access::Update) => MemoryOrder::AcqRel,
        (Some(_), _) => MemoryOrder::Relaxed,
        (None, Access::Load) if c11 && !explicit => MemoryOrder::Acquire,
        (None, Access::Store) if c11 && !explicit => MemoryOrder::Release,
        (None, Access::Update) if c11 && !explicit => MemoryOrder::AcqRel,
        (None, _) => MemoryOrder::Relaxed,
    };
    // `memory_scope_work_item`, `_work_group`, and `_sub_group`.
    let narrow = matches!(number(scope_at), Some(0 | 1 | 4));
    Stated { access, order, scope: if narrow { Scope::Block } else { Scope::Grid } }
}

/// The bytes of an element of a vector that is accessed; in parts where it is not aligned to them.
fn element_of(module: &Module, inst: Inst<'_>, ty: Type<'_>) -> Option<u64> {
    let TypeKind::Vector(_, element) = ty.kind() else { return None };
    let size = element.store_size(module)?;
    Some(inst.alignment().map_or(size, |it| size.min(it.into())))
}

/// Whether a value of a type can be handed over as its bits.
fn fits_bits(kind: TypeKind<'_>, size: u64) -> bool {
    match kind {
        TypeKind::Int(bits) => u64::from(bits) == size * 8,
        TypeKind::Float(bits) => u64::from(bits) == size * 8,
        TypeKind::Pointer(_) | TypeKind::BFloat => true,
        TypeKind::Vector(count, element) => match element.kind() {
            TypeKind::Int(bits) | TypeKind::Float(bits) => u64::from(count * bits) == size * 8,
            TypeKind::BFloat => u64::from(count) * 16 == size * 8,
            TypeKind::Void
            | TypeKind::Pointer(_)
            | TypeKind::Array(..)
            | TypeKind::Vector(..)
            | TypeKind::Struct { .. }
            | TypeKind::Function
            | TypeKind::Event
            | TypeKind::Other => false,
        },
        TypeKind::Void
        | TypeKind::Array(..)
        | TypeKind::Struct { .. }
        | TypeKind::Function
        | TypeKind::Event
        | TypeKind::Other => false,
    }
}

/// Whether a pointer leads to memory that only its thread sees, or that nobody writes.
fn is_private(pointer: Value<'_>) -> bool {
    let mut at = pointer;
    for _ in 0..64 {
        if matches!(at.ty().kind(), TypeKind::Pointer(4 | 5))
            && at.as_inst().is_none()
            && at.as_global().is_some()
        {
            return true;
        }
        if let Some(global) = at.as_global() {
            return global.is_constant();
        }
        if let Some(argument) = at.as_argument() {
            return argument.byval_type().is_some();
        }
        let opcode = at.as_inst().map(Inst::opcode).or_else(|| at.const_opcode());
        match opcode {
            Some(Opcode::Alloca) => return true,
            Some(Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast) => {
                match at.operand(0) {
                    Some(next) => at = next,
                    None => return false,
                }
            }
            _ => return false,
        }
    }
    false
}

/// An address in memory that nobody else sees changed.
struct Own<'m> {
    pointer: Value<'m>,
    /// Whether the number of bytes is not known.
    varies: bool,
    /// What the access promises of the address.
    aligned: u64,
}

/// The array that a private pointer is computed from with an index that is not known, and its
/// bytes; none if neither `varies` nor an index does, and the array's size is a constant: compilers
/// check that.
fn array_of<'m>(
    module: &'m Module,
    pointer: Value<'m>,
    mut varies: bool,
) -> Option<(Value<'m>, Arg)> {
    let mut at = pointer;
    for _ in 0..64 {
        let opcode = at.as_inst().map(Inst::opcode).or_else(|| at.const_opcode());
        match opcode {
            Some(Opcode::GetElementPtr) => {
                let indices = (1..).map_while(|n| at.operand(n));
                varies |= indices.into_iter().any(|it| it.const_int().is_none());
                at = at.operand(0)?;
            }
            Some(Opcode::AddrSpaceCast | Opcode::BitCast) => at = at.operand(0)?,
            Some(Opcode::Alloca) => {
                let inst = at.as_inst()?;
                let (count, each) = (inst.operand(0)?, inst.allocated_type()?.alloc_size(module)?);
                return match count.const_int() {
                    Some(count) => {
                        let len = u64::try_from(count).ok()?.checked_mul(each)?;
                        varies.then_some((at, Arg::I64(len)))
                    }
                    // `alloca` counts bytes.
                    None => (each == 1).then(|| (at, Arg::Count(count.spot()))),
                };
            }
            _ => {
                let ty = match (at.as_global(), at.as_argument()) {
                    (Some(global), _) => global.value_type(),
                    (None, argument) => argument?.byval_type()?,
                };
                return varies.then_some((at, Arg::I64(ty.alloc_size(module)?)));
            }
        }
    }
    None
}

fn order_of(ordering: Ordering) -> MemoryOrder {
    match ordering {
        Ordering::NotAtomic | Ordering::Unordered | Ordering::Monotonic => MemoryOrder::Relaxed,
        Ordering::Acquire => MemoryOrder::Acquire,
        Ordering::Release => MemoryOrder::Release,
        Ordering::AcqRel | Ordering::SeqCst => MemoryOrder::AcqRel,
    }
}

fn scope_of(module: &Module, inst: Inst<'_>) -> Scope {
    match inst.sync_scope(module) {
        Some(SyncScope::Block | SyncScope::Warp | SyncScope::SingleThread | SyncScope::Other) => {
            Scope::Block
        }
        Some(SyncScope::Cluster | SyncScope::Device | SyncScope::System) | None => Scope::Grid,
    }
}
