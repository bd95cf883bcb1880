// Prefix sums by shuffles within warps and over the warps' totals, each at its place of the block.
// launch: grid=any block=256 passes=races
__global__ void k(const int *in, int *out, int n) {
  __shared__ int sums[8];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * 256 + t;
  int keep = i < n && in[i] > 0, x = keep;
  for (int o = 1; o < 32; o <<= 1) {
    int y = __shfl_up_sync(~0u, x, o);
    if (lane >= o)
      x += y;
  }
  if (lane == 31)
    sums[w] = x;
  __syncthreads();
  if (w == 0) {
    int s = lane < 8 ? sums[lane] : 0;
    for (int o = 1; o < 8; o <<= 1) {
      int y = __shfl_up_sync(~0u, s, o);
      if (lane >= o)
        s += y;
    }
    if (lane < 8)
      sums[lane] = s;
  }
  __syncthreads();
  int before = w > 0 ? sums[w - 1] : 0;
  if (keep)
    out[blockIdx.x * 256 + before + x - keep] = in[i];
}
