//! Threads without stacks: a kernel whose threads wait for each other at barriers of the block
//! alone becomes a coroutine (LLVM's, `CoroSplit`), so that going from one thread to the next is a
//! call instead of a change of stacks.
//!
//! **Promises**: the code does what it does on fibers, up to the first thing that is met; the
//! runtime then says that the run is to be made again, on fibers. **Does not**: take kernels that
//! wait elsewhere, or whose blocks communicate ([`may_fit`], `order`); find out whether all threads
//! come to the same barrier, which the runtime does.

use super::layout::ENTRY;
use super::library::filled;
use heddle_llvm::{AtomicOp, Inst, Module, Opcode, Ordering, Value};

/// The functions that the runtime calls: [`heddle_runtime::Stackless`].
pub(super) const ENTRIES: [&str; 3] = ["__heddle_frame_bytes", "__heddle_start", "__heddle_resume"];

/// What a thread without a stack calls at a barrier, until it is made a coroutine.
pub(super) const WAIT: &str = "heddle.wait";

const TEXT: &str = include_str!("stackless.ll");
const SECOND: &str = "; -- second part --";

/// What is linked before the kernel is optimised.
pub(super) fn before() -> String {
    filled(TEXT.split(SECOND).next().unwrap_or_default())
}

/// Whether all is one function that waits at barriers of the whole block alone, and not for what
/// others write.
pub(super) fn may_fit(module: &Module) -> bool {
    let mut defined = module.functions().filter(|it| !it.is_declaration());
    defined.all(|it| it.name() == ENTRY && it.instructions().all(may_follow))
}

fn may_follow(inst: Inst<'_>) -> bool {
    match inst.opcode() {
        Opcode::Fence | Opcode::CmpXchg | Opcode::Invoke | Opcode::CallBr => false,
        // What may be of a loop that waits.
        Opcode::Load => !inst.is_volatile() && inst.ordering() == Ordering::NotAtomic,
        Opcode::AtomicRmw => !matches!(inst.atomic_op(), Some(AtomicOp::Xchg) | None),
        Opcode::Call => may_call(inst),
        _ => true,
    }
}

fn may_call(call: Inst<'_>) -> bool {
    let Some(callee) = call.called_function() else { return false };
    let constant = |n: usize| call.arguments().get(n).copied().and_then(Value::const_int);
    match callee.name().as_str() {
        // The barrier of the whole block: number 0, and no count of threads.
        WAIT => {
            constant(1) == Some(0)
                && constant(3) == Some(0)
                && constant(2).is_some_and(|action| action != ARRIVE)
        }
        "__heddle_facts" | "__heddle_access_slow" | "__heddle_range" | "__heddle_atomic_done" => {
            true
        }
        "__heddle_poll_slow" | "__heddle_trap" | "__heddle_assert_fail" => true,
        name => !name.starts_with("__heddle_"),
    }
}

const ARRIVE: u128 = heddle_runtime::abi::BarrierAction::Arrive as u128;

/// Makes the optimised entry a coroutine, with the functions that run one for each thread of a
/// block.
///
/// # Errors
/// What LLVM says of code that is our fault.
pub(super) fn split(module: &mut Module) -> Result<(), String> {
    let second = TEXT.split(SECOND).nth(1).unwrap_or_default();
    module.link_text(&filled(second))?;
    module.mark_for_inlining(&|name| ENTRIES.contains(&name), &|_| true);
    module.run_passes("always-inline,globaldce")?;
    module.leave_through("heddle.thread", "heddle.leave", "llvm.coro.end");
    module.verify()?;
    module.run_passes(
        "coro-early,cgscc(coro-split),coro-cleanup,globaldce,\
         function(early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)",
    )
}
