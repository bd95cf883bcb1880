// The counter of the last block starts at two by the program, so that others may still be writing.
// launch: grid=64 block=32
__device__ unsigned tickets = 2;
__global__ void k(const int *in, volatile int *partial, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; // ~ HD0002
    __threadfence();
    last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += partial[b];
    out[0] = sum; // ~ HD0002
  }
}
