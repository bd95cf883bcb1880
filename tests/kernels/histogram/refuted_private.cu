// Private bins are indexed by a value that has not been cut to the number of bins.
// launch: grid=any block=64
__global__ void k(const unsigned char *in, int *hist, int n) {
  __shared__ int bins[64 * 16 + 256];
  int t = threadIdx.x;
  for (int i = t; i < n; i += 64)
    bins[t * 16 + in[i]]++;   // ~ HD0101
  __syncthreads();
  if (t < 16) {
    int sum = 0;
    for (int u = 0; u < 64; u++)
      sum += bins[u * 16 + t];
    atomicAdd(&hist[t], sum);
  }
}
