// The kernel exchanges pointers that lie in memory: two places may have led to one buffer.
// launch: grid=1 block=2
__global__ void k(float **rows) {
  float *mine = rows[threadIdx.x];
  __syncthreads();
  rows[1 - threadIdx.x] = mine;
  __syncthreads();
  float *other = rows[threadIdx.x];
  other[0] = threadIdx.x; // ~ HD0002
}
