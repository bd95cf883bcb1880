//! What preparation keeps, and what it says about kernels.

use std::collections::BTreeMap;

use heddle_frontend::{CompileOptions, Input, Language, Values, compile, load, read};
use heddle_lift::prepare::{self, flow, kernels};
use heddle_llvm::{Function, Inst, Module, Opcode, TypeKind, Value, ValueKind};

/// Whether a pointer comes from an `alloca`, possibly through a variable that holds it.
fn is_private(pointer: Value<'_>) -> bool {
    match pointer.as_inst() {
        Some(inst) => match inst.opcode() {
            Opcode::Alloca => true,
            Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast => {
                is_private(inst.operand(0).unwrap())
            }
            _ => false,
        },
        None => false,
    }
}

fn is_shared_access(inst: &Inst<'_>) -> bool {
    match inst.pointer_operand() {
        Some(pointer) => !is_private(pointer),
        None => {
            inst.is_call()
                && inst.called_function().is_none_or(|f| {
                    !["llvm.lifetime", "llvm.dbg"].iter().any(|p| f.name().starts_with(p))
                        && f.attribute("speculatable").is_none()
                })
        }
    }
}

/// How often each kind of access stands at each line of the source.
fn accesses(module: &Module, function: Function<'_>) -> BTreeMap<(String, u32), usize> {
    let mut counts = BTreeMap::new();
    for inst in function.instructions().filter(is_shared_access) {
        let line = inst.location(module).map_or(0, |l| l.line);
        *counts.entry((inst.opcode().name().to_owned(), line)).or_default() += 1;
    }
    counts
}

const ACCESSES: &str = r"
struct Pair { int a; float b; };
__device__ __noinline__ int twice(int *p) { int unused = p[3]; return *p + *p; }
__device__ int deeper(int *p) { return twice(p) + twice(p + 1); }
__global__ void k(int *out, volatile int *flag, Pair *pairs, int n) {
  __shared__ int s[64];
  __shared__ Pair sp[64];
  int t = threadIdx.x;
  int local[4] = {0, 1, 2, 3};
  s[t] = t;
  s[t] = t;
  int dead = s[t ^ 1];
  int again = s[t ^ 1];
  __syncthreads();
  Pair whole = pairs[t];
  sp[t] = whole;
  switch (t) { case 1: out[1] = 2; break; case 5: out[5] = 6; break; default: out[0]++; }
  for (int i = 0; i < n; i++) { if (s[i] > 3) continue; out[i] += local[i & 3]; }
  while (*flag == 0) { }
  atomicAdd(out, deeper(s));
  if (n > 3) atomicCAS(out, 1, 2);
  out[t] = __shfl_xor_sync(~0u, s[t], 1) + whole.a;
}
";

#[test]
fn no_access_to_memory_of_others_is_lost() {
    let input = Input::memory("k.cu", ACCESSES).with_language(Language::Cuda);
    let options = CompileOptions::default();
    let compiled = compile::to_ir(&input, &options, &compile::ClangProcess).unwrap();
    let (mut inlined, target) = read::read("k.cu", &compiled.bytes).unwrap();
    let found = kernels::find(&inlined);
    prepare::inline("k.cu", &mut inlined, &found).unwrap();
    let before = accesses(&inlined, inlined.function(&found[0].name).unwrap());

    let (module, _) = read::read("k.cu", &compiled.bytes).unwrap();
    let prepared = prepare::prepare("k.cu", module, target, Values::All).unwrap();
    prepared.module.verify().unwrap();
    let kernel = prepared.module.function(&found[0].name).unwrap();
    let after = accesses(&prepared.module, kernel);

    // The copy of a struct is a `memcpy` before, and loads and stores of its members after.
    let copied = |key: &(String, u32)| key.1 == 15 || key.1 == 16;
    let without = |map: &BTreeMap<(String, u32), usize>| -> BTreeMap<(String, u32), usize> {
        map.iter().filter(|(key, _)| !copied(key)).map(|(k, v)| (k.clone(), *v)).collect()
    };
    // Variables hold pointers before; loads through them are counted on both sides, loads of them
    // on neither.
    assert_eq!(without(&before), without(&after));
    let count = |opcode: &str, line| after.get(&(opcode.to_owned(), line)).copied().unwrap_or(0);
    assert_eq!(count("load", 3), 6, "`p[3]`, `*p` and `*p`, in two calls");
    assert_eq!((count("store", 10), count("store", 11)), (1, 1), "two equal stores stay two");
    assert_eq!(
        (count("load", 12), count("load", 13)),
        (1, 1),
        "values that nobody uses are still read"
    );
    assert!(
        count("load", 15) >= 2 && count("store", 16) >= 2,
        "the members of a struct that is copied"
    );
    assert_eq!(kernel.instructions().filter(|i| i.opcode() == Opcode::Switch).count(), 1);
    let left: Vec<_> =
        prepared.module.functions().filter(|f| !f.is_declaration()).map(Function::name).collect();
    assert_eq!(left, [found[0].name.clone()], "what is inlined everywhere goes");
}

#[test]
fn recursion_stays_a_call() {
    let text = "__device__ int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
        __global__ void k(int *o) { *o = f(threadIdx.x); }";
    let prepared = load(
        &Input::memory("r.cu", text).with_language(Language::Cuda),
        &CompileOptions::default(),
    )
    .unwrap();
    let k = prepared.module.function("_Z1kPi").unwrap();
    assert!(k.instructions().any(|i| i.called_function().is_some_and(|f| f.name() == "_Z1fi")));
}

#[test]
fn a_cycle_with_two_entrances_gets_one() {
    let text = r#"
        target triple = "nvptx64-nvidia-cuda"
        define ptx_kernel void @k(ptr %p, i1 %c, i32 %n) {
        entry:
          switch i32 %n, label %a [ i32 1, label %b ]
        a:
          store volatile i32 1, ptr %p
          br i1 %c, label %b, label %out
        b:
          store volatile i32 2, ptr %p
          br i1 %c, label %a, label %out
        out:
          ret void
        }"#;
    let module = Module::parse(text.as_bytes(), "i.ll").unwrap();
    assert!(!flow::is_reducible(module.function("k").unwrap()));
    let prepared = load(&Input::memory("i.ll", text), &CompileOptions::default()).unwrap();
    prepared.module.verify().unwrap();
    let k = prepared.module.function("k").unwrap();
    assert!(flow::is_reducible(k));
    assert_eq!(
        k.instructions().filter(|i| i.opcode() == Opcode::Store && i.is_volatile()).count(),
        2
    );
}

#[test]
fn loops_with_two_latches_stay_one_loop() {
    let text = "__global__ void k(int *o, int n) { int i = 0, s = 0;
        while (i < n) { i++; if (o[i] == 3) continue; s += i; __syncthreads(); } o[0] = s; }";
    let prepared = load(
        &Input::memory("l.cu", text).with_language(Language::Cuda),
        &CompileOptions::default(),
    )
    .unwrap();
    let k = prepared.module.function(&prepared.kernels[0].name).unwrap();
    assert!(flow::is_reducible(k));
    let phis: Vec<_> = k.instructions().filter(|i| i.opcode() == Opcode::Phi).collect();
    let header = phis[0].block();
    let entering = k.blocks().flat_map(|b| b.successors()).filter(|b| *b == header).count();
    assert_eq!(entering, 3, "one way in and two ways back");
    assert_eq!(phis[0].incoming().len(), 3);
}

#[test]
fn launch_bounds_are_read() {
    let text =
        "template <class T> __global__ void __launch_bounds__(256) t(T *p) { p[threadIdx.x] = 1; }
        template __global__ void t<float>(float *);";
    let input = Input::memory("b.cu", text).with_language(Language::Cuda);
    let kernels = load(&input, &CompileOptions::default()).unwrap().kernels;
    let t = kernels
        .iter()
        .find(|k| k.display == "t<float>")
        .expect("a template kernel shows its arguments");
    assert_eq!((t.required_block, t.max_threads), (None, Some(256)));
    let cl = "__kernel __attribute__((reqd_work_group_size(16, 2, 1))) void k(__global int *p) { *p = 1; }";
    let prepared = load(&Input::memory("b.cl", cl), &CompileOptions::default()).unwrap();
    let names: Vec<_> =
        prepared.kernels.iter().map(|k| (k.name.as_str(), k.required_block)).collect();
    assert_eq!(names, [("k", Some([16, 2, 1]))], "each OpenCL kernel is found once");
}

#[test]
fn annotations_of_older_compilers_are_read() {
    let text = r#"
        target triple = "nvptx64-nvidia-cuda"
        define void @k(ptr %p) { ret void }
        define void @not_a_kernel() { ret void }
        !nvvm.annotations = !{!0, !1}
        !0 = !{ptr @k, !"kernel", i32 1, !"maxntidx", i32 128, !"maxntidy", i32 2}
        !1 = !{ptr @k, !"reqntidx", i32 64}"#;
    let prepared = load(&Input::memory("a.ll", text), &CompileOptions::default()).unwrap();
    let k = &prepared.kernels[0];
    assert_eq!(prepared.kernels.len(), 1);
    assert_eq!((k.required_block, k.max_threads), (Some([64, 1, 1]), Some(256)));
}

#[test]
fn values_are_what_they_are() {
    let text = r#"
        target triple = "nvptx64-nvidia-cuda"
        @g = external addrspace(3) global [0 x i32]
        define ptx_kernel void @k(i128 %x) {
          %y = add i128 %x, -5
          store i32 7, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @g, i64 4)
          ret void
        }"#;
    let module = Module::parse(text.as_bytes(), "v.ll").unwrap();
    let k = module.function("k").unwrap();
    let add = k.instructions().next().unwrap();
    assert_eq!(add.operand(1).unwrap().const_int(), Some((-5_i128) as u128));
    let store = k.instructions().nth(1).unwrap();
    let pointer = store.pointer_operand().unwrap();
    assert_eq!(pointer.kind(), ValueKind::ConstExpr);
    assert_eq!(pointer.const_opcode(), Some(Opcode::GetElementPtr));
    assert_eq!(pointer.operand(0).unwrap().as_global().unwrap().name(), "g");
}

const IMAGES: &str = r"
typedef struct { float m[3]; } Row;
float twice(float a) { float b = a; return b + b; }
float mixed(constant float *m, float a) { Row r; r.m[0] = a; r.m[1] = m[1]; return r.m[0] * m[0] + r.m[1]; }
float4 get(read_only image2d_t in, sampler_t s, float2 at) { return read_imagef(in, s, at * 2.0f); }
int row(int a) { return a * 7; }
kernel void k(read_only image2d_t in, write_only image2d_t out, global float *sums, local int *seen,
              constant float *m, sampler_t s, int n) {
  int x = get_global_id(0);
  float4 c = get(in, s, (float2)(mixed(m, twice((float)x)), 0.0f));
  write_imagef(out, (int2)(x, x), c);
  int unused = seen[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (c.y > 0.5f) seen[row(x)] = n;
  sums[x] = twice(c.z);
}
";

#[test]
fn values_that_nobody_asks_about_go_and_nothing_else() {
    let input = Input::memory("k.cl", IMAGES).with_language(Language::OpenCl);
    let options = CompileOptions { opencl_std: "CL1.2".to_owned(), ..CompileOptions::default() };
    let prepared = |values| {
        let compiled = compile::to_ir(&input, &options, &compile::ClangProcess).unwrap();
        let (module, target) = read::read("k.cl", &compiled.bytes).unwrap();
        let prepared = prepare::prepare("k.cl", module, target, values).unwrap();
        prepared.module.verify().unwrap();
        prepared
    };
    let counts = |values| {
        let prepared = prepared(values);
        let kernel = prepared.module.function("k").unwrap();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for inst in kernel.instructions() {
            let called = inst.called_function().map(|it| it.name());
            let space = inst.pointer_operand().map(|it| match it.ty().kind() {
                TypeKind::Pointer(space) => format!(" of {space}"),
                _ => String::new(),
            });
            let what = called.unwrap_or_else(|| inst.opcode().name().to_owned());
            *counts.entry(what + &space.unwrap_or_default()).or_default() += 1;
        }
        counts
    };
    let (all, asked) = (counts(Values::All), counts(Values::Asked));
    let of = |counts: &BTreeMap<String, usize>, what: &str| counts.get(what).copied().unwrap_or(0);
    // What other threads can see, and what decides whether it happens, is as it was.
    for kept in ["load of 3", "store of 3", "store of 1", "_Z7barrierj", "fcmp", "br", "mul"] {
        assert_eq!(of(&all, kept), of(&asked, kept), "{kept}: {all:?}\n{asked:?}");
        assert!(of(&asked, kept) > 0, "{kept}: {asked:?}");
    }
    let image = |counts: &BTreeMap<String, usize>| {
        counts.iter().filter(|(name, _)| name.contains("_image")).map(|(_, n)| n).sum::<usize>()
    };
    assert_eq!((image(&all), image(&asked)), (2, 2), "{asked:?}");
    // Where an image is read: `mixed`, with its reads of constants, and the product in `get`.
    assert!(of(&all, "load of 2") > 0 && of(&asked, "load of 2") == 0, "{asked:?}");
    assert!(of(&all, "fmul") > 0 && of(&asked, "fmul") == 0, "{asked:?}");
    assert_eq!((of(&all, "fadd"), of(&asked, "fadd")), (2, 1), "what `sums` gets: {asked:?}");
}
