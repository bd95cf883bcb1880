// A cuda::barrier of all threads stands for the block's own.
// launch: grid=1 block=64
#include <cuda/barrier>

__global__ void k(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&met, 64);
  __syncthreads();
  s[t] = t;
  met.arrive_and_wait();
  out[t] = s[63 - t];
}
