// The rows of interleaved private counters are narrower than the block.
// launch: grid=1 block=64
__global__ void k(const unsigned char *in, int *hist) {
  __shared__ unsigned char bins[64 * 64];
  int t = threadIdx.x;
  for (int i = 0; i < 127; i++)
    bins[(in[i * 64 + t] >> 2) * 32 + t]++;   // ~ HD0101
  __syncthreads();
  int sum = 0;
  for (int u = 0; u < 64; u++)
    sum += bins[t * 32 + u];
  hist[t] = sum;
}
