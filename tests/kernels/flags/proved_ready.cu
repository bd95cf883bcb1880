// One block fills a table and says so; all others wait.
// launch: grid=any block=any passes=races
#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
__global__ void k(int *data, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) ready.store(1, cuda::std::memory_order_release);
  } else {
    if (threadIdx.x == 0)
      while (ready.load(cuda::std::memory_order_acquire) == 0) {
      }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
  }
}
