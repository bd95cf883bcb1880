// The last block reads by a plain pointer what the others store as volatile: only one side is strong.
// launch: grid=any block=128
__device__ unsigned finished;
__global__ void k(const int *in, int *sums, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    ((volatile int *)sums)[blockIdx.x] = in[blockIdx.x];   // ~ HD0102
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
      total += sums[b];
    out[0] = total;
  }
}
