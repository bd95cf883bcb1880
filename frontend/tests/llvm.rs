//! The read view, on modules that clang made and on IR text.

use heddle_frontend::{CompileOptions, Input, Language, load};
use heddle_llvm::{DebugVariable, Module, Opcode, Ordering, Sign, SyncScope};

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
fn signs_of_parameters_come_from_the_types_of_the_source() {
    let text = r"
        typedef unsigned long long size_type;
        enum Kind { first };
        struct Sizes { unsigned rows; int step; const size_type bytes; float scale; };
        template <typename T> __global__ void k(
            T *out, const unsigned n, int m, size_type bytes, unsigned char c, bool flag, float f,
            Kind kind, Sizes sizes) {
          if (flag) *out = n + m + bytes + c + f + kind + sizes.rows;
        }
        template __global__ void k(float *, unsigned, int, size_type, unsigned char, bool, float,
                                   Kind, Sizes);";
    let input = Input::memory("k.cu", text).with_language(Language::Cuda);
    let prepared = load(&input, &CompileOptions::default()).unwrap();
    let module = &prepared.module;
    let k = module.function(&prepared.kernels[0].name).unwrap();
    let (unsigned, signed) = (Some(Sign::Unsigned), Some(Sign::Signed));
    assert_eq!(
        k.parameter_signs(module),
        [None, unsigned, signed, unsigned, unsigned, None, None, None, None]
    );
    let variables = k.instructions().flat_map(|i| i.debug_variables(module));
    let sizes = variables.map(|it| it.0).find(|it| it.name == "sizes").unwrap();
    let members: Vec<_> = sizes.members.iter().map(|it| (it.name.as_str(), it.sign)).collect();
    let expected = [("rows", unsigned), ("step", signed), ("bytes", unsigned), ("scale", None)];
    assert_eq!(members, expected);
    let bare = Module::parse(b"define ptx_kernel void @k(i32 %n) { ret void }", "k.ll").unwrap();
    assert_eq!(bare.function("k").unwrap().parameter_signs(&bare), [None]);
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
