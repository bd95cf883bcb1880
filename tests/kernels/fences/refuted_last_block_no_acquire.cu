// The last block reads what the others wrote without a fence after its ticket.
// launch: grid=4 block=1
__device__ unsigned count;
__global__ void k(const int *in, int *partial, int *out) {
  partial[blockIdx.x] = in[blockIdx.x];   // ~ HD0102
  __threadfence();
  if (atomicAdd(&count, 1) == gridDim.x - 1) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    out[0] = sum;
    count = 0;
  }
}
