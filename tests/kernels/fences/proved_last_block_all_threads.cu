// Every thread publishes its own word by a fence before the barrier, and acquires by one after the barrier.
// launch: grid=any block=64
__global__ void k(const int *in, int *partial, int *out, unsigned *count) {
  __shared__ bool last;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b * blockDim.x + threadIdx.x];
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
      *count = 0;
  }
}
