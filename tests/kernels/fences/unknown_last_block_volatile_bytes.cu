// The last block reads volatile bytes of volatile words: accesses of two sizes are not strong for each other.
// launch: grid=any block=128
__device__ unsigned finished;
__global__ void k(const int *in, int *sums, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    ((volatile int *)sums)[blockIdx.x] = in[blockIdx.x];   // ~ HD0002
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0; volatile signed char *bytes = (volatile signed char *)sums;
    for (unsigned b = 0; b < gridDim.x; b++)
      total += bytes[4 * b];
    out[0] = total;
  }
}
