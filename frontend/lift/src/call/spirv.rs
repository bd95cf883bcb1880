//! SPIR-V's own names, as its readers and the `-cl-std` headers of other front ends write them:
//! `__spirv_BuiltIn…` variables and functions, `__spirv_ControlBarrier`, `__spirv_Atomic…` (SPIR-V
//! 1.6, sections 3.21, 3.26, 3.28).

use heddle_ir::{AtomicOp, ExprId, MemoryOrder, OpKind, Proxy, Scope, Special};

use super::Call;
use crate::Lifter;
use crate::strength::Strength;
use crate::value::{Val, scalar_width};
use heddle_llvm::{Global, Type, TypeKind};

/// `WorkgroupMemory`, `CrossWorkgroupMemory`, which OpenCL calls global, and `ImageMemory`.
const SHARED: u128 = 0x100;
const GLOBAL: u128 = 0x200;
const IMAGES: u128 = 0x800;

/// `AcquireRelease`, `SequentiallyConsistent`.
const ACQUIRES_AND_RELEASES: u128 = 0x8 | 0x10;

impl<'m> Lifter<'m> {
    /// A function by its source name.
    pub(super) fn spirv_function(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        let name = name.strip_prefix("__spirv_")?;
        if let Some(builtin) = name.strip_prefix("BuiltIn") {
            let builtin =
                builtin.trim_end_matches("_x").trim_end_matches("_y").trim_end_matches("_z");
            let width = scalar_width(call.inst.ty())?;
            let value = if call.args.is_empty() {
                self.builtin(builtin, 0)?
            } else {
                builtin_function(builtin)?;
                let lookup = |lifter: &mut Self, d: u8| match lifter.builtin(builtin, d) {
                    Some(value) => value,
                    None => lifter.undef(64),
                };
                self.per_dimension(call, &lookup, 0)?
            };
            return Some(Val::Scalar(self.out.exprs().resize(value, width)));
        }
        match name {
            "ControlBarrier" => self.control_barrier(call),
            "MemoryBarrier" => {
                let (scope, semantics) = (self.scope_arg(call, 0), self.constant_arg(call, 1));
                let proxy = match semantics {
                    Some(s) if s & SHARED != 0 && s & GLOBAL != 0 => None,
                    Some(s) if s & SHARED != 0 => Some(Proxy::OpenclLocal),
                    Some(s) if s & GLOBAL != 0 => Some(Proxy::OpenclGlobal),
                    Some(_) | None => Some(Proxy::OpenclUnknown),
                };
                self.emit(OpKind::Fence { order: order_of(semantics), scope, proxy }, &[]);
                Some(Val::Nothing)
            }
            _ => self.spirv_atomic(call, name.strip_prefix("Atomic")?),
        }
    }

    fn control_barrier(&mut self, call: &Call<'m>) -> Option<Val> {
        // Semantics that are not constant promise nothing that can be relied on, nor do those that
        // do not both acquire and release (SPIR-V, `OpControlBarrier` and memory semantics).
        let semantics = self.constant_arg(call, 2).filter(|it| it & ACQUIRES_AND_RELEASES != 0);
        let flags = semantics.map_or(0, |it| {
            let bit = |of: u128, at: u32| u128::from(it & of != 0) << at;
            bit(SHARED, 0) | bit(GLOBAL, 1) | bit(IMAGES, 2)
        });
        let proxy = match flags & 3 {
            3 => None,
            2 => Some(Proxy::OpenclGlobal),
            _ => Some(Proxy::OpenclLocal),
        };
        let flags = self.out.exprs().constant(flags, 32);
        let none = self.out.exprs().constant(0, 32);
        let memory = self.scope_arg(call, 1);
        match (self.scope_arg(call, 0), memory) {
            (Scope::Block, Scope::Warp) => {
                self.warp_wait(flags);
                self.group_wait(none);
            }
            (Scope::Block, Scope::Thread) => self.group_wait(none),
            (Scope::Block, Scope::Block | Scope::Cluster | Scope::Device | Scope::System) => {
                self.between_fences(memory, proxy, |it| it.group_wait(flags));
            }
            (Scope::Warp, Scope::Thread) => self.warp_wait(none),
            (
                Scope::Warp,
                Scope::Warp | Scope::Block | Scope::Cluster | Scope::Device | Scope::System,
            ) => self.between_fences(memory, proxy, |it| it.warp_wait(flags)),
            (Scope::Thread | Scope::Cluster | Scope::Device | Scope::System, _) => return None,
        }
        Some(Val::Nothing)
    }

    /// A `Scope` operand; one that is not constant is the narrowest.
    fn scope_arg(&mut self, call: &Call<'m>, n: usize) -> Scope {
        match self.constant_arg(call, n) {
            Some(0) => Scope::System,
            Some(1) => Scope::Device,
            Some(2) => Scope::Block,
            Some(3) => Scope::Warp,
            Some(_) | None => Scope::Thread,
        }
    }

    /// `__spirv_Atomic…(pointer, scope, semantics, value)`.
    fn spirv_atomic(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        let source = *call.args.first()?;
        let pointer = self.pointer(source);
        let scope = self.scope_arg(call, 1);
        let semantics = self.constant_arg(call, 2);
        let strength =
            Strength { order: Some((order_of(semantics), scope)), volatile: false, align: 1 };
        match name {
            "Load" => return Some(self.load(&pointer, source, call.inst.ty(), strength)),
            "Store" => {
                let stored = *call.args.get(3)?;
                let value = self.value(stored);
                self.store(&pointer, value, stored.ty(), strength);
                return Some(Val::Nothing);
            }
            _ => {}
        }
        let width = scalar_width(call.inst.ty())?;
        let one = self.out.exprs().constant(1, width);
        let (op, operands): (AtomicOp, Vec<ExprId>) = match name {
            "IIncrement" => (AtomicOp::Add, vec![one]),
            "IDecrement" => (AtomicOp::Sub, vec![one]),
            "CompareExchange" => {
                (AtomicOp::CompareExchange, vec![self.arg(call, 5)?, self.arg(call, 4)?])
            }
            _ => {
                let op = match name {
                    "Exchange" => AtomicOp::Exchange,
                    "IAdd" => AtomicOp::Add,
                    "ISub" => AtomicOp::Sub,
                    "And" => AtomicOp::And,
                    "Or" => AtomicOp::Or,
                    "Xor" => AtomicOp::Xor,
                    "SMin" => AtomicOp::SMin,
                    "SMax" => AtomicOp::SMax,
                    "UMin" => AtomicOp::UMin,
                    "UMax" => AtomicOp::UMax,
                    "FAddEXT" => AtomicOp::FAdd,
                    "FMinEXT" => AtomicOp::FMin,
                    "FMaxEXT" => AtomicOp::FMax,
                    _ => return None,
                };
                (op, vec![self.arg(call, 3)?])
            }
        };
        Some(Val::Scalar(self.atomic(&pointer, op, &operands, width, strength)))
    }

    /// A built-in variable of one dimension, 64 bits wide.
    fn builtin(&mut self, name: &str, dimension: u8) -> Option<ExprId> {
        match name {
            "LocalInvocationIndex" => return Some(self.local_linear_id()),
            "SubgroupLocalInvocationId" => {
                let lane = self.out.exprs().special(Special::LaneId);
                return Some(self.out.exprs().resize(lane, 64));
            }
            "SubgroupId" => {
                let warp = self.out.exprs().special(Special::WarpId);
                return Some(self.out.exprs().resize(warp, 64));
            }
            _ => {}
        }
        Some(self.id(builtin_function(name)?, dimension))
    }

    /// What a load from a `__spirv_BuiltIn…` variable gives.
    pub(crate) fn builtin_variable(&mut self, global: Global<'m>, ty: Type<'m>) -> Option<Val> {
        let symbol = global.name();
        let name = symbol.strip_prefix("__spirv_BuiltIn")?;
        match ty.kind() {
            TypeKind::Vector(count, element) if count <= 3 => {
                let width = scalar_width(element)?;
                let mut lanes = Vec::new();
                for dimension in 0..count as u8 {
                    let value = self.builtin(name, dimension)?;
                    lanes.push(Val::Scalar(self.out.exprs().resize(value, width)));
                }
                Some(Val::Aggregate(lanes))
            }
            _ => {
                let width = scalar_width(ty)?;
                let value = self.builtin(name, 0)?;
                Some(Val::Scalar(self.out.exprs().resize(value, width)))
            }
        }
    }
}

/// OpenCL's function for a built-in variable of SPIR-V.
fn builtin_function(name: &str) -> Option<&'static str> {
    Some(match name {
        "GlobalInvocationId" => "get_global_id",
        "LocalInvocationId" => "get_local_id",
        "WorkgroupId" => "get_group_id",
        "WorkgroupSize" => "get_local_size",
        "EnqueuedWorkgroupSize" => "get_enqueued_local_size",
        "NumWorkgroups" => "get_num_groups",
        "GlobalSize" => "get_global_size",
        "GlobalOffset" => "get_global_offset",
        _ => return None,
    })
}

/// Memory semantics; those that are not constant promise nothing.
fn order_of(semantics: Option<u128>) -> MemoryOrder {
    match semantics {
        Some(s) if s & 0x10 != 0 => MemoryOrder::SeqCst,
        Some(s) if s & 0x8 != 0 => MemoryOrder::AcqRel,
        Some(s) if s & 0x4 != 0 => MemoryOrder::Release,
        Some(s) if s & 0x2 != 0 => MemoryOrder::Acquire,
        Some(_) | None => MemoryOrder::Relaxed,
    }
}
