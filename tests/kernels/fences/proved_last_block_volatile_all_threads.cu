// Every thread of the last block reads volatile sums after a barrier, without a fence.
// launch: grid=any block=128
__device__ unsigned finished;
__global__ void k(const int *in, volatile int *sums, int *out) {
  __shared__ bool last;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
      total += sums[b * blockDim.x + threadIdx.x];
    out[threadIdx.x] = total;
  }
}
