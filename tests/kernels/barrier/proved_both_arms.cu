// The two arms of a uniform branch each have a barrier of their own.
// launch: grid=4 block=64
__global__ void k(int *out) {
  int g = blockIdx.x * 64 + threadIdx.x;
  if (blockIdx.x & 1) {
    out[g] = 1;
    __syncthreads();
  } else {
    out[g] = 2;
    __syncthreads();
  }
  out[g + 256] = 3;
}
