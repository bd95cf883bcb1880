// PyTorch's additions to short floats come with headers of their own: without these a program declares what it wants.
// launch: grid=any block=any
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__device__ inline at::Half atomicAdd(at::Half *place, at::Half value) {
  return atomicAdd(reinterpret_cast<__half *>(place), static_cast<__half>(value));
}
__global__ void k(at::Half *sum) { atomicAdd(sum, at::Half(1.0f)); }
