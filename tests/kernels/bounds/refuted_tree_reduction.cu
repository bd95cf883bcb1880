// The first step of a reduction reaches as far behind the array as the block has threads.
// launch: grid=1 block=128 check-bounds
__global__ void k(int *out, const int *in) {
  __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    int other = s[threadIdx.x + d]; // ~ HD0301
    __syncthreads();
    s[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *out = s[0];
}
