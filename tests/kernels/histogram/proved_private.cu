// Each thread counts into sixteen bins of its own and the bins are merged after a barrier.
// launch: grid=any block=64
__global__ void k(const int *in, int *hist, int n) {
  __shared__ int bins[64 * 16];
  int t = threadIdx.x;
  for (int b = 0; b < 16; b++)
    bins[t * 16 + b] = 0;
  for (int i = t; i < n; i += 64)
    bins[t * 16 + (in[i] & 15)]++;
  __syncthreads();
  if (t < 16) {
    int sum = 0;
    for (int u = 0; u < 64; u++)
      sum += bins[u * 16 + t];
    atomicAdd(&hist[t], sum);
  }
}
