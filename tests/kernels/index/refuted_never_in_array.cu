// No two threads index the array inside: that they do proves nothing.
// launch: grid=1 block=any
__global__ void never(int *out) {
  __shared__ int s[64];
  if (threadIdx.x > 0)
    s[threadIdx.x * 40 + 30] = 1;
  __syncthreads();
  if (threadIdx.x > 0)
    *out = threadIdx.x;  // ~ HD0101
}
