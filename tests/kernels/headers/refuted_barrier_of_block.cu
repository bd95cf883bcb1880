// All threads arrive at a cuda::barrier, and nobody waits.
// launch: grid=1 block=64
#include <cuda/barrier>

__global__ void k(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&met, 64);
  __syncthreads();
  s[t] = t; // ~ HD0101
  (void)met.arrive();
  out[t] = s[63 - t];
}
