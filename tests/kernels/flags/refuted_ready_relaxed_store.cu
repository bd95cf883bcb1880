// The store that says so does not release.
// launch: grid=any block=any passes=races
#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
__global__ void k(int *data, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;   // ~ HD0102
    __syncthreads();
    if (threadIdx.x == 0) ready.store(1, cuda::std::memory_order_relaxed);
  } else {
    if (threadIdx.x == 0)
      while (ready.load(cuda::std::memory_order_acquire) == 0) {
      }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
  }
}
