// Somebody reads the counter plainly before the barrier: another block may be adding to it.
// launch: grid=any block=64 passes=races
#include <cuda/atomic>
__device__ unsigned counter;
__global__ void k(int *a, int *b, int steps) {
  unsigned *count = &counter;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  unsigned goal = 0;
  if (threadIdx.x == 1) b[blockIdx.x] = *count;
  for (int s = 0; s < steps; s++) {
    int v = a[n - 1 - i];
    goal += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> c(*count);
      c.fetch_add(1u, cuda::memory_order_release); // ~ HD0102
      while (c.load(cuda::memory_order_acquire) < goal) {
      }
    }
    __syncthreads();
    a[i] = v + 1;
    goal += gridDim.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1u);
      while (*(volatile unsigned *)count < goal) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
