// Volatile sums that the last block adds up without a fence of its own, as the programming guide does.
// launch: grid=any block=128
__device__ unsigned finished;
__global__ void k(const int *in, volatile int *sums) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = in[blockIdx.x];
    __threadfence();
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
