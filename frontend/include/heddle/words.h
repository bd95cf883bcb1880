// The words that CUDA adds to C++, as clang's attributes.
//
// Functions of this header set are `nodebug` and inlined: what they do is then located at the call in the user's
// file, which is where a finding has to point.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* Managed variables are the device's, also without `__device__`. */
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// clang 22 puts nothing of `cluster_dims` into the module, and refuses it for architectures without clusters.
#define __cluster_dims__(...) __attribute__((annotate("heddle.cluster", __VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define __maxnreg__(n)
#define __inline_hint__
#define __nv_pure__
#ifndef __restrict
#define __restrict __restrict__
#endif

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080

// One function of ours.
#define HEDDLE_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))
#define HEDDLE_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug))
// A function that is only declared: its result depends on its arguments and on nothing else.
#define HEDDLE_PURE __attribute__((device, const, nothrow))

typedef __SIZE_TYPE__ size_t;
