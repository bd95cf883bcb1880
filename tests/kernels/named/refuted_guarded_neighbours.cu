// The same, read before the object is waited for.
// launch: grid=any block=128
#include <cuda/barrier>
__global__ void k(float *out, const float *in, int n) {
  __shared__ float row[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) row[threadIdx.x] = in[i]; // ~ HD0101
  float left = i < n && threadIdx.x > 0 ? row[threadIdx.x - 1] : 0;
  bar.arrive_and_wait();
  if (i < n) out[i] = left;
}
