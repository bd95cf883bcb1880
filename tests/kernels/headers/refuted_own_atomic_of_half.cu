// An addition to a short float of the program's own that is not atomic, beside PyTorch's headers.
// launch: grid=1 block=64
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__device__ inline at::Half atomicAdd(at::Half *place, at::Half value) {
  at::Half before = *place;
  *place = before + value; // ~ HD0101
  return before;
}
__global__ void k(at::Half *sum) { atomicAdd(sum, at::Half((float)threadIdx.x)); }
