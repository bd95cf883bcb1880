// The last block of any number of them sets the counter back by an exchange.
// launch: grid=any block=1
__device__ unsigned count;
__global__ void k(const int *in, int *partial, int *out) {
  partial[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (atomicAdd(&count, 1) == gridDim.x - 1) {
    __threadfence();
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    out[0] = sum;
    atomicExch(&count, 0);
  }
}
