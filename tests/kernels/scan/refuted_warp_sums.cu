// Warp scans are joined through shared warp totals that may not be stored yet.
// launch: grid=4 block=256
__global__ void k(int *data) {
  __shared__ int total[8];
  int t = threadIdx.x, lane = t & 31, warp = t / 32, g = blockIdx.x * 256 + t;
  int v = data[g];
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d)
      v += u;
  }
  if (lane == 31)
    total[warp] = v;   // ~ HD0101
  for (int w = 0; w < warp; w++)
    v += total[w];
  data[g] = v;
}
