//! LLVM's `fence` for the executor.
//!
//! On NVPTX it becomes `fence.sc` or a weaker `fence` of its scope, and `membar` before sm_70, so
//! it orders as those do (PTX ISA 9.7.13.4). The instruction itself stays: it keeps the host's
//! compiler from moving accesses across the call.
//!
//! **Promises**: a fence orders as its order and its scope say. One of a single thread, or of a
//! scope that no target defines, is none for others, as lifting has it. **Relies on**: OpenCL's
//! fences of memory scopes are calls, which `opencl` defines; `fence` has no memory of its own to
//! name.

use heddle_lift::Target;
use heddle_llvm::{Arg, Inst, Module, NewCall, Opcode, Ordering, Side, SyncScope};
use heddle_runtime::abi::Scope;

use super::nvvm::fence_flags;

/// Puts the executor's call before each fence of the functions that run.
pub(super) fn announce(module: &mut Module, target: Target, functions: &[&str]) {
    let of = functions.iter().filter_map(|it| module.function(it));
    let fences = of.flat_map(heddle_llvm::Function::instructions);
    let call = |inst: Inst<'_>| {
        let args = vec![Arg::I32(kind(module, target, inst)?)];
        Some(NewCall { at: inst.spot(), side: Side::Before, callee: "__heddle_fence", args })
    };
    let calls: Vec<NewCall> =
        fences.filter(|it| it.opcode() == Opcode::Fence).filter_map(call).collect();
    module.insert_calls(&calls);
}

/// What `__heddle_fence` is called with; `None` if the fence orders nothing among threads.
fn kind(module: &Module, target: Target, inst: Inst<'_>) -> Option<u32> {
    let scope = match inst.sync_scope(module) {
        Some(SyncScope::SingleThread | SyncScope::Other) => return None,
        Some(SyncScope::Warp | SyncScope::Block) => Scope::Block,
        Some(SyncScope::Cluster | SyncScope::Device | SyncScope::System) | None => Scope::Grid,
    };
    let order = match (inst.ordering(), target) {
        (Ordering::NotAtomic | Ordering::Unordered | Ordering::Monotonic, _) => return None,
        (Ordering::Acquire, _) => heddle_ir::MemoryOrder::Acquire,
        (Ordering::Release, _) => heddle_ir::MemoryOrder::Release,
        // The one order of all such fences is PTX's.
        (Ordering::AcqRel, _) | (Ordering::SeqCst, Target::Spirv) => heddle_ir::MemoryOrder::AcqRel,
        (Ordering::SeqCst, Target::Nvptx) => heddle_ir::MemoryOrder::SeqCst,
    };
    Some(scope.number() | fence_flags(order))
}
