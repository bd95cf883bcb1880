// All threads store what they read at one place, before warps meet at a numbered barrier: one value, as no thread writes there later.
// launch: grid=1 block=64
__global__ void k(const int *in, int *out) {
  __shared__ int first, copy;
  if (threadIdx.x == 0) first = in[0];
  __syncthreads();
  copy = first;  // ~ HD0103
  __syncthreads();
  out[threadIdx.x] = copy;
  if (threadIdx.x < 32) asm volatile("bar.sync 3, 32;" ::: "memory");
}
