// A cuda::barrier is set up for as many threads as come.
// launch: grid=1 block=64
#include <cuda/barrier>

__global__ void k(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  if (threadIdx.x == 0)
    init(&met, 64);
  __syncthreads();
  met.arrive_and_wait();
  out[threadIdx.x] = 1;
}
