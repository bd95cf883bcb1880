// Volatile sums that nothing fences before the ticket is drawn.
// launch: grid=any block=128
__device__ unsigned finished;
__global__ void k(const int *in, volatile int *sums) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = in[blockIdx.x];   // ~ HD0102
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
      total += sums[b];
    sums[0] = total;
    finished = 0;
  }
}
