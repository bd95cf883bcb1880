//! The read view, on modules that clang made and on IR text.

use heddle_frontend::{CompileOptions, Input, Language, load};
use heddle_llvm::{DebugVariable, Module, Opcode, Ordering, SyncScope};

const KERNEL: &str = r"
struct Inner { int a; float b[2]; };
struct Params { int x; Inner inner; double *y; };
__device__ int neighbour(int *p, int i) {
  return p[i ^ 1];
}
__global__ void k(int *out, Params p, Params *q) {
  __shared__ int s[64];
  int t = __nvvm_read_ptx_sreg_tid_x();
  s[t] = p.inner.a;
  out[t] = neighbour(s, t) + q->x;
}
";

#[test]
fn names_and_places_come_from_debug_info() {
    let input = Input::memory("k.cu", KERNEL).with_language(Language::Cuda);
    let prepared = load(&input, &CompileOptions::default()).unwrap();
    let module = &prepared.module;
    let shared = module.globals().find(|g| g.address_space() == 3).unwrap();
    let variable = DebugVariable::of_global(module, shared).unwrap();
    assert_eq!((variable.name.as_str(), variable.line), ("s", 8));
    let k = module.function(&prepared.kernels[0].name).unwrap();
    let inlined = k
        .instructions()
        .filter(|i| i.opcode() == Opcode::Load)
        .filter_map(|i| i.location(module))
        .find(|l| l.inlined_at.is_some())
        .unwrap();
    let chain: Vec<_> = inlined.chain().map(|l| (l.function.as_str(), l.line)).collect();
    assert_eq!(chain, [("neighbour", 5), ("k", 11)]);
    let variables: Vec<_> = k.instructions().flat_map(|i| i.debug_variables(module)).collect();
    let q = variables.iter().find(|(v, _)| v.name == "q").unwrap();
    assert_eq!(q.1.as_argument().unwrap().index(), 2);
    let members: Vec<_> = q.0.members.iter().map(|m| (m.name.as_str(), m.offset, m.size)).collect();
    assert_eq!(members, [("x", 0, 4), ("inner.a", 4, 4), ("inner.b", 8, 8), ("y", 16, 8)]);
}

#[test]
fn atomics_show_order_and_scope() {
    let text = r#"
        target triple = "nvptx64-nvidia-cuda"
        define ptx_kernel void @k(ptr %p) {
          %a = atomicrmw add ptr %p, i32 1 syncscope("block") acq_rel
          %b = cmpxchg ptr %p, i32 0, i32 1 seq_cst monotonic
          %c = load atomic i32, ptr %p syncscope("device") acquire, align 4
          %d = load i32, ptr %p, align 4
          fence syncscope("agent") release
          ret void
        }"#;
    let module = Module::parse(text.as_bytes(), "k.ll").unwrap();
    let k = module.function("k").unwrap();
    let seen: Vec<_> =
        k.instructions().map(|i| (i.opcode(), i.ordering(), i.sync_scope(&module))).collect();
    assert_eq!(
        seen,
        [
            (Opcode::AtomicRmw, Ordering::AcqRel, Some(SyncScope::Block)),
            (Opcode::CmpXchg, Ordering::SeqCst, Some(SyncScope::System)),
            (Opcode::Load, Ordering::Acquire, Some(SyncScope::Device)),
            (Opcode::Load, Ordering::NotAtomic, None),
            (Opcode::Fence, Ordering::Release, Some(SyncScope::Device)),
            (Opcode::Ret, Ordering::NotAtomic, None),
        ]
    );
}
