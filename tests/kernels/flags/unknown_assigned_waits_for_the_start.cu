// What is waited for is what the atomic holds at the start.
// launch: grid=any block=any passes=races
#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
__global__ void k(int *data, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;   // ~ HD0002
    __syncthreads();
    if (threadIdx.x == 0) ready = 1;
  } else {
    if (threadIdx.x == 0)
      while (ready) {
      }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
  }
}
