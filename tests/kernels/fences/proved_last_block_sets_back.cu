// The last block adds up what the fences have published, and sets the counter back for the next launch.
// launch: grid=64 block=32
__device__ unsigned count;
__global__ void k(const int *in, volatile int *partial, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    out[0] = sum;
    count = 0;
  }
}
