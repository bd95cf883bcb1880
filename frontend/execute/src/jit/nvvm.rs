//! NVVM's intrinsics on the host (`llvm/IR/IntrinsicsNVVM.td`; PTX ISA sections 9.7 and 10), by
//! their class in the table of `heddle_ptx`.
//!
//! **Does not**: read names, but those of special registers, of matrices and of arithmetic. What
//! has no body here is refused.

use heddle_ir::{AtomicOp, ClusterAction, CrossLaneKind, MemoryOrder, Reduction};
use heddle_runtime::abi::{
    self, BarrierAction, Exchange, NO_ACQUIRE, NO_RELEASE, SC_FENCE, Scope, Special,
};

use super::signature::Signature;
use heddle_ptx::{
    BulkCompletion, BulkCopy, BulkKind, Class, Intrinsic, MbarrierOp, PhaseBy, PureOp, Role, Space,
};

/// The body of `llvm.nvvm.<name>`, where it is known.
pub(super) fn body(name: &str, s: &Signature) -> Option<String> {
    if let Some(it) = heddle_ptx::intrinsic(name) {
        return understood(name, &it, s);
    }
    if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
        return special(register, s);
    }
    super::matrix::body(name, s).or_else(|| arithmetic(&name.split('.').collect::<Vec<_>>(), s))
}

/// The body of an intrinsic of the table, where it has one here.
fn understood(name: &str, it: &Intrinsic, s: &Signature) -> Option<String> {
    let nothing = || Some("  ret void\n".to_owned());
    match &it.class {
        Class::Barrier { action, reduce, aligned: _ } => block_barrier(it, *action, *reduce, s),
        Class::WarpBarrier => {
            Some(call_exchange(Exchange::Barrier, "%a0", "0", "0", "0") + "  ret void\n")
        }
        Class::ClusterBarrier { action: ClusterAction::Arrive, order, aligned: _ } => {
            let publishes = u32::from(*order != MemoryOrder::Relaxed);
            Some(format!("  call void @__heddle_cluster_arrive(i32 {publishes})\n  ret void\n"))
        }
        Class::ClusterBarrier { action: ClusterAction::Wait, .. } => {
            Some("  call void @__heddle_cluster_wait()\n  ret void\n".to_owned())
        }
        Class::Fence { order, scope, restricted_to: None } => {
            let wide = *scope > heddle_ir::Scope::Block;
            Some(fence(if wide { Scope::Grid } else { Scope::Block }, *order))
        }
        // It orders no more than initialisations; a run takes it for a whole fence.
        Class::FenceMbarrierInit => Some(fence(Scope::Grid, MemoryOrder::AcqRel)),
        // It orders ways to memory, and no access of one thread with another's.
        Class::ProxyFence { .. } => nothing(),
        Class::SetMaxRegisters { .. } => nothing(),
        Class::CrossLane { kind, ty: _ } => cross_lane(it, *kind, s),
        Class::Mbarrier { op, place: _ } => barrier_object(it, *op, s),
        Class::CpAsync(_) => copy(it, s),
        Class::CpAsyncCommit => {
            Some("  call void @__heddle_copy_commit()\n  ret void\n".to_owned())
        }
        Class::CpAsyncWait => {
            let (pending, all) =
                it.argument(Role::Pending).map_or(("0".to_owned(), 1), |n| (format!("%a{n}"), 0));
            Some(format!("  call void @__heddle_copy_wait(i32 {pending}, i32 {all})\n  ret void\n"))
        }
        Class::BulkCopy(of) => bulk(it, *of, s),
        Class::BulkCommit => Some("  call void @__heddle_bulk_commit()\n  ret void\n".to_owned()),
        Class::BulkWait { read_only: _ } => {
            let pending = it.argument(Role::Pending)?;
            Some(format!("  call void @__heddle_bulk_wait(i32 %a{pending})\n  ret void\n"))
        }
        Class::Load(_) => {
            let address = s.arg(it.argument(Role::Address)?);
            Some(format!("  %v = load {0}, {address}, align 1\n  ret {0} %v\n", s.result))
        }
        Class::Atomic { op, .. } => atomic(it, *op, s),
        Class::Pure { op: PureOp::IsSpace(space), ty: _ } => is_space(it, *space, s),
        Class::Pure { op: PureOp::MapToBlock, ty: _ } => mapped(it, s),
        Class::Pure { op: PureOp::BlockRank, ty: _ } => {
            let (cast, pointer) = s.generic(it.argument(Role::Value)?);
            Some(format!("{cast}  %r = call i32 @__heddle_rank_of(ptr {pointer})\n  ret i32 %r\n"))
        }
        Class::LoadMatrix { .. } | Class::StoreMatrix { .. } => super::matrix::body(name, s),
        Class::Hint => nothing(),
        Class::Sleep => Some("  call void @__heddle_yield()\n  ret void\n".to_owned()),
        Class::Exit => Some("  call void @__heddle_exit()\n  ret void\n".to_owned()),
        Class::Fence { restricted_to: Some(_), .. }
        | Class::ClusterBarrier { action: ClusterAction::Sync, .. }
        | Class::GridDependency { .. }
        | Class::CpAsyncArrive { .. }
        | Class::Store(_)
        | Class::Surface(_)
        | Class::Pure { .. }
        | Class::Warpgroup(_)
        | Class::TensorCore(_)
        | Class::Opaque(_)
        | Class::Trap
        | Class::Breakpoint
        | Class::Branch { .. }
        | Class::Unknown => None,
    }
}

fn special(register: &str, s: &Signature) -> Option<String> {
    use heddle_ptx::Special as Register;
    let register = heddle_ptx::special_register(register)?;
    if let Some(number) = super::id_of(register) {
        return Some(format!(
            "  %s = call i64 @__heddle_special(i32 {number})\n  %r = trunc i64 %s to {0}\n  ret {0} %r\n",
            s.result
        ));
    }
    match register {
        Register::ClusterNctarank => Some(blocks_of_cluster()),
        // A device of one multiprocessor.
        Register::SmId => Some("  ret i32 0\n".to_owned()),
        Register::NsmId => Some("  ret i32 1\n".to_owned()),
        Register::Clock | Register::Clock64 | Register::GlobalTimer => {
            let rest = match s.bits {
                64 => "  ret i64 %t\n".to_owned(),
                _ => format!("  %n = trunc i64 %t to {0}\n  ret {0} %n\n", s.result),
            };
            Some("  %t = call i64 @__heddle_clock()\n".to_owned() + &rest)
        }
        Register::LanemaskEq => Some(lane_mask("  ret i32 %own\n")),
        Register::LanemaskLt => Some(lane_mask("  ret i32 %below\n")),
        Register::LanemaskLe => Some(lane_mask("  %r = or i32 %below, %own\n  ret i32 %r\n")),
        Register::LanemaskGe => Some(lane_mask("  %r = xor i32 %below, -1\n  ret i32 %r\n")),
        Register::LanemaskGt => {
            Some(lane_mask("  %u = or i32 %below, %own\n  %r = xor i32 %u, -1\n  ret i32 %r\n"))
        }
        Register::Tid(_)
        | Register::Ntid(_)
        | Register::Ctaid(_)
        | Register::Nctaid(_)
        | Register::Clusterid(_)
        | Register::Nclusterid(_)
        | Register::ClusterCtaid(_)
        | Register::ClusterNctaid(_)
        | Register::ClusterCtarank
        | Register::LaneId
        | Register::WarpId
        | Register::WarpSize
        | Register::DynamicSmemSize
        | Register::NwarpId
        | Register::GridId
        | Register::IsExplicitCluster
        | Register::ClockHi
        | Register::GlobalTimerLo
        | Register::GlobalTimerHi
        | Register::TotalSmemSize
        | Register::AggrSmemSize
        | Register::CurrentGraphExec
        | Register::ReservedSmemBegin
        | Register::ReservedSmemEnd
        | Register::ReservedSmemCap
        | Register::ReservedSmem(_)
        | Register::EnvReg(_)
        | Register::Pm(_) => None,
    }
}

/// How many blocks the cluster has.
fn blocks_of_cluster() -> String {
    let size = |n: u32| {
        let number = Special::ClusterDimX.number() + n;
        format!("  %s{n} = call i64 @__heddle_special(i32 {number})\n")
    };
    let sizes: String = (0..3).map(size).collect();
    sizes
        + "  %p = mul i64 %s0, %s1\n  %w = mul i64 %p, %s2\n  %r = trunc i64 %w to i32\n  ret i32 %r\n"
}

/// `mapa`: an address in the shared memory of the block of a rank.
fn mapped(it: &Intrinsic, s: &Signature) -> Option<String> {
    let (cast, pointer) = s.generic(it.argument(Role::Value)?);
    let rank = it.argument(Role::Second)?;
    let back = match s.result.as_str() {
        "ptr" => "  ret ptr %m\n".to_owned(),
        ty => format!("  %r = addrspacecast ptr %m to {ty}\n  ret {ty} %r\n"),
    };
    Some(format!("{cast}  %m = call ptr @__heddle_mapa(ptr {pointer}, i32 %a{rank})\n{back}"))
}

/// The lane's own bit and the bits below it, and what is made of them.
fn lane_mask(rest: &str) -> String {
    let head = "  %l = call i64 @__heddle_special(i32 12)\n  %lane = trunc i64 %l to i32\n  %own = shl i32 1, %lane\n  %below = sub i32 %own, 1\n";
    head.to_owned() + rest
}

/// What is added to the scope of a fence.
pub(super) fn fence_flags(order: MemoryOrder) -> u32 {
    match order {
        MemoryOrder::SeqCst => SC_FENCE,
        MemoryOrder::AcqRel => 0,
        MemoryOrder::Acquire => NO_RELEASE,
        MemoryOrder::Release => NO_ACQUIRE,
        MemoryOrder::Relaxed => NO_RELEASE | NO_ACQUIRE,
    }
}

fn fence(scope: Scope, order: MemoryOrder) -> String {
    let kind = scope.number() | fence_flags(order);
    format!("  call void @__heddle_fence(i32 {kind})\n  ret void\n")
}

fn block_barrier(
    it: &Intrinsic,
    action: heddle_ir::BarrierAction,
    reduce: Option<Reduction>,
    s: &Signature,
) -> Option<String> {
    let action = BarrierAction::of(action, reduce);
    let count = it.argument(Role::Count).map_or("0".to_owned(), |n| format!("%a{n}"));
    let mut text = String::new();
    let value = match it.argument(Role::Predicate) {
        Some(n) if s.params.get(n)? == "i1" => {
            text.push_str(&format!("  %v = zext i1 %a{n} to i32\n"));
            "%v".to_owned()
        }
        Some(n) => format!("%a{n}"),
        None => "0".to_owned(),
    };
    text.push_str(&format!(
        "  %r = call i32 @__heddle_barrier(i32 %a0, i32 {}, i32 {count}, i32 {value})\n",
        action.number()
    ));
    text.push_str(match s.result.as_str() {
        "void" => "  ret void\n",
        "i1" => "  %b = icmp ne i32 %r, 0\n  ret i1 %b\n",
        _ => "  ret i32 %r\n",
    });
    Some(text)
}

fn call_exchange(kind: Exchange, mask: &str, value: &str, lane: &str, clamp: &str) -> String {
    format!(
        "  %x = call i64 @__heddle_exchange(i32 {}, i32 {mask}, i64 {value}, i32 {lane}, i32 {clamp})\n",
        kind.number()
    )
}

/// An exchange of lanes. The forms without a mask are of the lanes that are there.
fn cross_lane(it: &Intrinsic, kind: CrossLaneKind, s: &Signature) -> Option<String> {
    let exchange = Exchange::of(kind)?;
    let given = |role| it.argument(role).map(|n| format!("%a{n}"));
    let mut text = String::new();
    let mask = given(Role::Mask).unwrap_or_else(|| {
        text.push_str("  %active = call i32 @__heddle_active()\n");
        "%active".to_owned()
    });
    let value = it.argument(Role::Value).or_else(|| it.argument(Role::Predicate));
    let ty = value.and_then(|n| s.params.get(n)).map_or("", String::as_str);
    if let Some(n) = value {
        text.push_str(&match ty {
            "float" => format!("  %i = bitcast float %a{n} to i32\n  %v = zext i32 %i to i64\n"),
            "i64" => format!("  %v = add i64 %a{n}, 0\n"),
            ty => format!("  %v = zext {ty} %a{n} to i64\n"),
        });
    }
    let [lane, clamp] =
        [Role::Lane, Role::Clamp].map(|role| given(role).unwrap_or_else(|| "0".to_owned()));
    let value = if value.is_some() { "%v" } else { "0" };
    text.push_str(&call_exchange(exchange, &mask, value, &lane, &clamp));
    text.push_str(&match s.result.as_str() {
        ty @ ("i1" | "i32") => format!("  %r = trunc i64 %x to {ty}\n  ret {ty} %r\n"),
        "float" => "  %t = trunc i64 %x to i32\n  %r = bitcast i32 %t to float\n  ret float %r\n"
            .to_owned(),
        _ => low_and_flag(if ty == "float" { "float" } else { "i32" }),
    });
    Some(text)
}

fn low_and_flag(low: &str) -> String {
    let cast = if low == "float" {
        "  %lo = bitcast i32 %l to float\n"
    } else {
        "  %lo = add i32 %l, 0\n"
    };
    format!(
        "  %l = trunc i64 %x to i32\n{cast}  %h = lshr i64 %x, 32\n  %p = trunc i64 %h to i1\n  \
         %s0 = insertvalue {{ {low}, i1 }} poison, {low} %lo, 0\n  %s1 = insertvalue {{ {low}, i1 }} %s0, i1 %p, 1\n  \
         ret {{ {low}, i1 }} %s1\n"
    )
}

fn atomic(it: &Intrinsic, op: AtomicOp, s: &Signature) -> Option<String> {
    let ty = &s.result;
    let pointer = s.arg(it.argument(Role::Address)?);
    let value = it.argument(Role::Value)?;
    let op = match op {
        AtomicOp::CompareExchange => {
            let new = it.argument(Role::Second)?;
            return Some(format!(
                "  %p = cmpxchg {pointer}, {ty} %a{value}, {ty} %a{new} seq_cst seq_cst\n  %r = extractvalue {{ {ty}, i1 }} %p, 0\n  ret {ty} %r\n"
            ));
        }
        AtomicOp::Add => "add",
        AtomicOp::FAdd => "fadd",
        AtomicOp::Exchange => "xchg",
        AtomicOp::SMax => "max",
        AtomicOp::SMin => "min",
        AtomicOp::IncWrap => "uinc_wrap",
        AtomicOp::DecWrap => "udec_wrap",
        AtomicOp::And => "and",
        AtomicOp::Or => "or",
        AtomicOp::Xor => "xor",
        AtomicOp::CompareExchangeWeak
        | AtomicOp::Sub
        | AtomicOp::Nand
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::FSub
        | AtomicOp::FMin
        | AtomicOp::FMax => return None,
    };
    Some(format!("  %r = atomicrmw {op} {pointer}, {ty} %a{value} seq_cst\n  ret {ty} %r\n"))
}

fn is_space(it: &Intrinsic, space: Space, s: &Signature) -> Option<String> {
    let (cast, pointer) = s.generic(it.argument(Role::Value)?);
    let number = match space {
        // That of the cluster, the block's own included.
        Space::SharedCluster => {
            return Some(format!(
                "{cast}  %s = call i32 @__heddle_space(ptr {pointer})\n  %own = icmp eq i32 %s, 3\n  \
                 %near = icmp eq i32 %s, 7\n  %r = or i1 %own, %near\n  ret i1 %r\n"
            ));
        }
        Space::Global => 1,
        Space::SharedBlock => 3,
        Space::Constant => 4,
        Space::Local => 5,
        Space::Generic | Space::Parameter => return None,
    };
    Some(format!(
        "{cast}  %s = call i32 @__heddle_space(ptr {pointer})\n  %r = icmp eq i32 %s, {number}\n  ret i1 %r\n"
    ))
}

/// An action on a barrier object: of arrivals, one by one thread that names no scope; of tests, one
/// of a token for the block.
fn barrier_object(it: &Intrinsic, op: MbarrierOp, s: &Signature) -> Option<String> {
    let (cast, object) = s.generic(it.argument(Role::Mbarrier)?);
    let call = |does: abi::Mbarrier, operand: &str| {
        let does = does.number();
        format!("  %x = call i64 @__heddle_mbarrier(i32 {does}, ptr {object}, i64 {operand})\n")
    };
    Some(match op {
        MbarrierOp::Init => {
            let count = it.argument(Role::Count)?;
            let widened = format!("  %n = zext i32 %a{count} to i64\n");
            cast + &widened + &call(abi::Mbarrier::Init, "%n") + "  ret void\n"
        }
        MbarrierOp::Invalidate => cast + &call(abi::Mbarrier::Invalidate, "0") + "  ret void\n",
        MbarrierOp::Arrive {
            drop: false,
            expect_bytes: false,
            no_complete: false,
            order: MemoryOrder::Release,
            scope: heddle_ir::Scope::Block,
        } if it.argument(Role::Count).is_none() => {
            cast + &call(abi::Mbarrier::Arrive, "1") + "  ret i64 %x\n"
        }
        MbarrierOp::Test {
            by: PhaseBy::Token,
            may_wait: false,
            order: MemoryOrder::Acquire,
            scope: heddle_ir::Scope::Block,
        } => {
            let token = format!("%a{}", it.argument(Role::Token)?);
            let test = call(abi::Mbarrier::TestToken, &token);
            cast + &test + "  %r = trunc i64 %x to i1\n  ret i1 %r\n"
        }
        MbarrierOp::Arrive { .. }
        | MbarrierOp::Test { .. }
        | MbarrierOp::ExpectBytes(_)
        | MbarrierOp::CompleteBytes(_) => return None,
    })
}

/// A `cp.async` that reads as many bytes as it writes.
fn copy(it: &Intrinsic, s: &Signature) -> Option<String> {
    if it.argument(Role::SourceSize).is_some() {
        return None;
    }
    let size = it.size?;
    let (cast, to) = s.generic(it.argument(Role::Address)?);
    let (cast_source, from) = s.generic(it.argument(Role::Source)?);
    Some(format!(
        "{cast}{cast_source}  call void @__heddle_copy(ptr {to}, ptr {from}, i32 {size}, i32 {size})\n  ret void\n"
    ))
}

/// A bulk copy of one dimension, of all its bytes.
fn bulk(it: &Intrinsic, copy: BulkCopy, s: &Signature) -> Option<String> {
    let BulkCopy { kind, destination: _, source: _, completion, tensor, multicast } = copy;
    if kind != BulkKind::Copy || tensor.is_some() || it.argument(Role::ByteMask).is_some() {
        return None;
    }
    let (cast, to) = s.generic(it.argument(Role::Address)?);
    let (cast_source, from) = s.generic(it.argument(Role::Source)?);
    let (cast_object, object) = match completion {
        BulkCompletion::Mbarrier => s.generic(it.argument(Role::Mbarrier)?),
        BulkCompletion::Group => (String::new(), "null".to_owned()),
    };
    let size = it.argument(Role::Size)?;
    let head = cast + &cast_source + &cast_object;
    let copy = format!(
        "  call void @__heddle_bulk(ptr {to}, ptr {from}, i32 %a{size}, ptr {object}, i32 0)\n  ret void\n"
    );
    if !multicast {
        return Some(head + &copy);
    }
    let (some, blocks) = (it.argument(Role::HasMulticast)?, it.argument(Role::Multicast)?);
    Some(format!(
        "{head}  br i1 %a{some}, label %some, label %one\none:\n{copy}some:\n  %blocks = zext i16 %a{blocks} to i32\n  \
         call void @__heddle_multicast(ptr {to}, ptr {from}, i32 %a{size}, ptr {object}, i32 %blocks)\n  ret void\n"
    ))
}

/// Arithmetic by name. Other roundings than to nearest are not known.
fn arithmetic(words: &[&str], s: &Signature) -> Option<String> {
    if words.iter().any(|it| ["rz", "rm", "rp"].contains(it)) {
        return None;
    }
    let (ty, bits) = (s.result.as_str(), s.bits);
    let float = ty == "float" || ty == "double";
    let unary =
        |f: &str| Some(format!("  %r = call {ty} @llvm.{f}.f{bits}({ty} %a0)\n  ret {ty} %r\n"));
    let binary = |f: &str| {
        Some(format!("  %r = call {ty} @llvm.{f}.f{bits}({ty} %a0, {ty} %a1)\n  ret {ty} %r\n"))
    };
    let operator = |f: &str| Some(format!("  %r = {f} {ty} %a0, %a1\n  ret {ty} %r\n"));
    match words[0] {
        "sqrt" if float => unary("sqrt"),
        "ex2" if float => unary("exp2"),
        "lg2" if float => unary("log2"),
        "sin" if float => unary("sin"),
        "cos" if float => unary("cos"),
        "fabs" if float => unary("fabs"),
        "floor" if float => unary("floor"),
        "ceil" if float => unary("ceil"),
        "trunc" if float => unary("trunc"),
        "round" if float => unary("roundeven"),
        "fmin" if float => binary("minnum"),
        "fmax" if float => binary("maxnum"),
        "add" if float => operator("fadd"),
        "mul" if float => operator("fmul"),
        "div" if float => operator("fdiv"),
        "fma" if float => Some(format!(
            "  %r = call {ty} @llvm.fma.f{bits}({ty} %a0, {ty} %a1, {ty} %a2)\n  ret {ty} %r\n"
        )),
        "rcp" if float => Some(format!("  %r = fdiv {ty} 1.0, %a0\n  ret {ty} %r\n")),
        "rsqrt" if float => Some(format!(
            "  %s = call {ty} @llvm.sqrt.f{bits}({ty} %a0)\n  %r = fdiv {ty} 1.0, %s\n  ret {ty} %r\n"
        )),
        "mulhi" => {
            let (extend, wide) =
                (if words.get(1)?.starts_with('u') { "zext" } else { "sext" }, bits * 2);
            Some(format!(
                "  %l = {extend} {ty} %a0 to i{wide}\n  %m = {extend} {ty} %a1 to i{wide}\n  %p = mul i{wide} %l, %m\n  \
                 %h = lshr i{wide} %p, {bits}\n  %r = trunc i{wide} %h to {ty}\n  ret {ty} %r\n"
            ))
        }
        "prmt" if words.len() == 1 => Some(permute()),
        "bitcast" => Some(format!("  %r = bitcast {} to {ty}\n  ret {ty} %r\n", s.arg(0))),
        _ => None,
    }
}

/// Four bytes picked out of two words, or the sign of one (PTX ISA 9.7.9.7, `prmt` without a mode).
fn permute() -> String {
    let mut text = "  %low = zext i32 %a0 to i64\n  %high = zext i32 %a1 to i64\n  %up = shl i64 %high, 32\n  \
                    %all = or i64 %low, %up\n"
        .to_owned();
    let mut sum = "0".to_owned();
    for n in 0..4 {
        let (from, to) = (4 * n, 8 * n);
        text += &format!(
            "  %s{n} = lshr i32 %a2, {from}\n  %i{n} = and i32 %s{n}, 7\n  %m{n} = mul i32 %i{n}, 8\n  \
             %w{n} = zext i32 %m{n} to i64\n  %h{n} = lshr i64 %all, %w{n}\n  %b{n} = trunc i64 %h{n} to i8\n  \
             %g{n} = ashr i8 %b{n}, 7\n  %e{n} = and i32 %s{n}, 8\n  %c{n} = icmp ne i32 %e{n}, 0\n  \
             %y{n} = select i1 %c{n}, i8 %g{n}, i8 %b{n}\n  %z{n} = zext i8 %y{n} to i32\n  \
             %p{n} = shl i32 %z{n}, {to}\n  %r{n} = or i32 {sum}, %p{n}\n"
        );
        sum = format!("%r{n}");
    }
    text + &format!("  ret i32 {sum}\n")
}
