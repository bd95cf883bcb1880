// A cuda::barrier is set up for fewer threads than come.
// launch: grid=1 block=64
#include <cuda/barrier>

__global__ void k(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  if (threadIdx.x == 0)
    init(&met, 32);
  __syncthreads();
  met.arrive_and_wait(); // ~ HD0204 HD0206
  out[threadIdx.x] = 1;
}
