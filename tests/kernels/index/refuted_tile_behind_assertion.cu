// The same by an assertion.
// launch: grid=1 block=any passes=races
#include <cassert>
__global__ void k(float *out) {
  __shared__ float tile[16][17];
  assert(blockDim.x == 64);
  tile[threadIdx.y][threadIdx.x] = threadIdx.y;  // ~ HD0101
  __syncthreads();
  if (threadIdx.x == 0)
    out[threadIdx.y] = tile[threadIdx.y][0];
}
