// Only the first thread stores, and it stores zero.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ volatile int last;
  if (threadIdx.x == 0)
    last = threadIdx.x;
  __syncthreads();
  if (last != 0 && threadIdx.x < 32)
    __syncthreads();
  out[threadIdx.x] = last;
}
