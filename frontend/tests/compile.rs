//! What compiles without a toolkit: the device side of CUDA, host code beside it, OpenCL for both
//! targets.

use heddle_frontend::compile::OpenClTarget;
use heddle_frontend::{CompileOptions, Input, Language, Prepared, Target, load};
use heddle_llvm::{Function, Opcode};

fn cuda(text: &str) -> Prepared {
    let input = Input::memory("k.cu", text).with_language(Language::Cuda);
    load(&input, &CompileOptions::default()).unwrap_or_else(|e| panic!("{e}\n{}", e.output))
}

/// The names of what the first kernel calls, sorted.
fn called(prepared: &Prepared) -> Vec<String> {
    let kernel = prepared.module.function(&prepared.kernels[0].name).unwrap();
    let mut names: Vec<_> =
        kernel.instructions().filter_map(|i| i.called_function()).map(Function::name).collect();
    names.sort();
    names.dedup();
    names.retain(|n| !n.starts_with("llvm.lifetime"));
    names
}

#[test]
fn synchronization_becomes_the_intrinsics_of_clang() {
    let prepared = cuda(
        "__global__ void k(int *p) {
           __syncthreads(); __syncwarp(); __threadfence(); __threadfence_block(); __threadfence_system();
           p[0] = __syncthreads_count(p[1]) + __syncthreads_or(p[2]) + __syncthreads_and(p[3]);
           __barrier_sync_count(1, 64);
           p[1] = __shfl_sync(~0u, p[2], 3) + __ballot_sync(~0u, p[4]) + __activemask() + __any_sync(~0u, p[1]);
           p[2] = __reduce_add_sync(~0u, p[3]) + __match_any_sync(~0u, p[3]);
           __nanosleep(10);
         }",
    );
    assert_eq!(
        called(&prepared),
        [
            "llvm.nvvm.activemask",
            "llvm.nvvm.bar.warp.sync",
            "llvm.nvvm.barrier.cta.red.and.aligned.all",
            "llvm.nvvm.barrier.cta.red.or.aligned.all",
            "llvm.nvvm.barrier.cta.red.popc.aligned.all",
            "llvm.nvvm.barrier.cta.sync.aligned.all",
            "llvm.nvvm.barrier.cta.sync.count",
            "llvm.nvvm.match.any.sync.i32",
            "llvm.nvvm.membar.cta",
            "llvm.nvvm.membar.gl",
            "llvm.nvvm.membar.sys",
            "llvm.nvvm.nanosleep",
            "llvm.nvvm.redux.sync.add",
            "llvm.nvvm.shfl.sync.idx.i32",
            "llvm.nvvm.vote.any.sync",
            "llvm.nvvm.vote.ballot.sync",
        ]
    );
}

#[test]
fn header_functions_are_located_at_their_call() {
    let prepared = cuda("__global__ void k(int *p) {\n  atomicAdd(p,\n    1);\n  __syncwarp();\n}");
    let kernel = prepared.module.function(&prepared.kernels[0].name).unwrap();
    let lines: Vec<_> = kernel
        .instructions()
        .filter(|i| i.opcode() == Opcode::AtomicRmw || i.is_call())
        .filter_map(|i| i.location(&prepared.module))
        .map(|l| (l.function.clone(), l.line, l.inlined_at.is_some()))
        .collect();
    assert_eq!(lines, [("k".to_owned(), 2, false), ("k".to_owned(), 4, false)]);
}

#[test]
fn atomics_have_their_scopes() {
    let prepared = cuda(
        "__global__ void k(int *p, float *f, unsigned long long *u, double *d) {
           atomicAdd(p, 1); atomicSub(p, 1); atomicMax(p, 1); atomicExch(f, 1.0f); atomicAdd(f, 1.0f);
           atomicAdd(u, 1ull); atomicCAS(p, 1, 2); atomicCAS(u, 1ull, 2ull); atomicAdd(d, 1.0);
           atomicInc((unsigned *)p, 7u); atomicAdd_block(p, 1); atomicAdd_system(p, 1); atomicCAS_block(p, 1, 2);
         }",
    );
    let kernel = prepared.module.function(&prepared.kernels[0].name).unwrap();
    let count = |opcode| kernel.instructions().filter(|i| i.opcode() == opcode).count();
    assert_eq!((count(Opcode::AtomicRmw), count(Opcode::CmpXchg)), (8, 0));
    let assembly = kernel.instructions().filter_map(|i| i.callee()?.as_inline_asm());
    let swaps = assembly.filter(|it| it.text.starts_with("atom.cas.b")).count();
    assert_eq!(swaps, 2, "relaxed, as a `cmpxchg` of clang's is not");
    let scoped = called(&prepared);
    assert!(scoped.iter().any(|n| n.contains("add.gen.i.cta")), "{scoped:?}");
    assert!(scoped.iter().any(|n| n.contains("add.gen.i.sys")), "{scoped:?}");
    assert!(scoped.iter().any(|n| n.contains("cas.gen.i.cta")), "{scoped:?}");
}

#[test]
fn mathematics_touches_no_memory() {
    let prepared = cuda(
        "#include <cmath>
         __global__ void k(float *p, double *d) {
           *p = sinf(*p) + expf(*p) + fminf(*p, 2.0f) + sqrtf(*p) + __expf(*p) + std::abs(*p) + pow(*p, 2.0f) + max(1, 2);
           *d = sin(*d) + fmax(*d, 1.0) + floor(*d) + __double2int_rn(*d) + rsqrt(*d);
         }",
    );
    let kernel = prepared.module.function(&prepared.kernels[0].name).unwrap();
    for callee in kernel.instructions().filter_map(|i| i.called_function()) {
        let memory = callee.attribute("memory").and_then(|a| a.int_value());
        assert_eq!(memory, Some(0), "{} may touch memory", callee.name());
    }
}

#[test]
fn host_code_beside_the_kernel_parses() {
    let prepared = cuda(
        "#include <stdio.h>
         #include <stdlib.h>
         #include <cstdint>
         #include <vector>
         #include <iostream>
         #include <algorithm>
         #include <cuda_runtime.h>
         #include \"device_launch_parameters.h\"
         #define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \\
           fprintf(stderr, \"%s\\n\", cudaGetErrorString(e)); exit(1); } } while (0)
         __constant__ float weights[16];
         extern __shared__ float dynamic[];
         template <int N> __global__ void k(float *out, uint32_t n) {
           dynamic[threadIdx.x] = weights[threadIdx.x % N];
           __syncthreads();
           if (threadIdx.x < n) out[threadIdx.x] = dynamic[threadIdx.x ^ 1];
           if (n == 0) printf(\"%d\\n\", n);
         }
         int main() {
           std::vector<float> host(64, 1.0f);
           float *out, w[16] = {};
           cudaStream_t stream; cudaEvent_t start;
           CHECK(cudaStreamCreate(&stream)); CHECK(cudaEventCreate(&start)); CHECK(cudaEventRecord(start, stream));
           CHECK(cudaMalloc(&out, 64 * sizeof(float))); CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
           CHECK(cudaMemcpyAsync(out, host.data(), 256, cudaMemcpyHostToDevice, stream));
           dim3 grid(1), block(64);
           k<16><<<grid, block, 64 * sizeof(float), stream>>>(out, 64);
           CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
           std::sort(host.begin(), host.end()); std::cout << host[0] << std::endl;
           cudaFree(out);
         }",
    );
    assert_eq!(prepared.kernels[0].display, "k<16>");
    let dynamic =
        prepared.module.globals().find(|g| g.is_declaration() && g.address_space() == 3).unwrap();
    assert_eq!(dynamic.name(), "dynamic");
}

#[test]
fn cooperative_groups_are_read() {
    let prepared = cuda(
        "#include <cooperative_groups.h>
         #include <cooperative_groups/reduce.h>
         namespace cg = cooperative_groups;
         __global__ void k(int *p) {
           cg::thread_block block = cg::this_thread_block();
           auto tile = cg::tiled_partition<16>(block);
           int v = p[block.thread_rank()];
           for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
           block.sync();
           cg::sync(tile);
           if (tile.thread_rank() == 0) p[block.group_index().x] = v + cg::reduce(tile, v, cg::plus<int>());
           auto active = cg::coalesced_threads();
           active.sync();
         }",
    );
    let names = called(&prepared);
    assert!(names.contains(&"llvm.nvvm.barrier.cta.sync.all".to_owned()), "{names:?}");
    assert!(names.contains(&"llvm.nvvm.bar.warp.sync".to_owned()), "{names:?}");
}

#[test]
fn what_nvcc_includes_unasked_is_there() {
    let prepared = cuda(
        "__global__ void k(int *p, cudaTextureObject_t t) {
           memcpy(p + threadIdx.x, p, 4);
           p[0] = (int)tex2D<float>(t, 1.0f, 2.0f);
         }
         int main() {
           int *host = (int *)malloc(64);
           if (host == NULL) exit(EXIT_FAILURE);
           memset(host, 0, 64);
           clock_t start = clock();
           host[0] = max((int)fabs(-1.0), (int)start);
           free(host);
         }",
    );
    let names = called(&prepared);
    assert!(names.iter().any(|n| n.starts_with("llvm.memcpy")), "{names:?}");
}

#[test]
fn half_precision_is_read() {
    let prepared = cuda(
        "#include <cuda_fp16.h>
         #include <cuda_bf16.h>
         __global__ void k(__half *h, half2 *h2, __nv_bfloat16 *b, float *f) {
           int t = threadIdx.x;
           h[t] = __float2half(f[t]); f[t] = __half2float(h[t + 1]) + __low2float(h2[t]);
           h2[t] = __hadd2(h2[t], __floats2half2_rn(1.0f, 2.0f)); h[t] = __hadd(h[t], h[t]) * h[t];
           b[t] = __float2bfloat16(f[t]); f[t] += __bfloat162float(b[t]);
         }",
    );
    assert_eq!(prepared.kernels.len(), 1);
}

#[test]
fn opencl_compiles_for_both_targets() {
    let text = "
        int both(__local int *p, int i) { return p[i] + p[i ^ 1]; }
        __kernel void k(__global int *out, __local int *scratch, const int n) {
          int t = get_local_id(0);
          scratch[t] = t;
          barrier(CLK_LOCAL_MEM_FENCE);
          if (get_global_id(0) < n) out[get_global_id(0)] = both(scratch, t);
          atomic_add(out, 1);
        }";
    for (opencl_target, target) in
        [(OpenClTarget::Spirv64, Target::Spirv), (OpenClTarget::Nvptx64, Target::Nvptx)]
    {
        let options = CompileOptions { opencl_target, ..CompileOptions::default() };
        let prepared = load(&Input::memory("k.cl", text), &options)
            .unwrap_or_else(|e| panic!("{e}\n{}", e.output));
        assert_eq!(prepared.target, target);
        assert_eq!(prepared.kernels.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(), ["k"]);
        let names = called(&prepared);
        assert!(names.contains(&"_Z7barrierj".to_owned()), "{names:?}");
        // The kernel's body is a function that the kernel calls; that call is no news to a reader.
        let kernel = prepared.module.function("k").unwrap();
        let store = kernel.instructions().find(|i| i.opcode() == Opcode::Store).unwrap();
        let at = store.location(&prepared.module).unwrap();
        assert_eq!((at.function.as_str(), at.line, at.inlined_at), ("k", 5, None));
    }
}

#[test]
fn architectures_from_old_to_new_compile() {
    let text = "__global__ void k(int *p) { p[threadIdx.x] = __shfl_xor_sync(~0u, p[0], 1); __syncwarp(); }";
    for arch in ["sm_60", "sm_70", "sm_75", "sm_86", "sm_90a", "sm_100", "sm_120"] {
        let options = CompileOptions { arch: arch.to_owned(), ..CompileOptions::default() };
        let loaded = load(&Input::memory("k.cu", text), &options);
        assert!(loaded.is_ok(), "{arch}: {}", loaded.unwrap_err().output);
    }
}
