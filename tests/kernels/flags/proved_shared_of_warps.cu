// Each warp waits for the flag of the one before in an array of shared memory that was cleared first.
// launch: grid=any block=256 passes=races
__global__ void k(int *out, const int *in) {
  __shared__ volatile int done[8];
  __shared__ int sums[8];
  int w = threadIdx.x >> 5;
  if (threadIdx.x < 8)
    done[threadIdx.x] = 0;
  __syncthreads();
  if ((threadIdx.x & 31) == 0) {
    int v = in[blockIdx.x * 8 + w];
    if (w > 0) {
      while (done[w - 1] == 0) {
      }
      __threadfence_block();
      v += sums[w - 1];
    }
    sums[w] = v;
    __threadfence_block();
    done[w] = 1;
    out[blockIdx.x * 8 + w] = v;
  }
}
