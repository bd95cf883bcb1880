// Private byte counters are interleaved by thread so that a bin's row belongs to all threads.
// launch: grid=1 block=64
__global__ void k(const unsigned char *in, int *hist) {
  __shared__ unsigned char bins[64 * 64];
  int t = threadIdx.x;
  for (int b = 0; b < 64; b++)
    bins[b * 64 + t] = 0;
  for (int i = 0; i < 127; i++)
    bins[(in[i * 64 + t] >> 2) * 64 + t]++;
  __syncthreads();
  int sum = 0;
  for (int u = 0; u < 64; u++)
    sum += bins[t * 64 + u];
  hist[t] = sum;
}
