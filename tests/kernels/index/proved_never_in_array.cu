// The same, and one thread alone writes the result.
// launch: grid=1 block=any
__global__ void never(int *out) {
  __shared__ int s[64];
  if (threadIdx.x > 0)
    s[threadIdx.x * 40 + 30] = 1;
  __syncthreads();
  if (threadIdx.x == 1)
    *out = threadIdx.x;
}
