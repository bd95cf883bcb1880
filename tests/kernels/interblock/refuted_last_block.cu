// The last block to take a ticket adds partial sums that no fence has published.
// launch: grid=64 block=32
__device__ unsigned tickets;
__global__ void k(const int *in, volatile int *partial, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];   // ~ HD0102
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    out[0] = sum;
  }
}
