// Each row of a cheapest-path search is copied back while neighbours still read the row before.
// launch: grid=1 block=256
__global__ void k(const int *wall, const int *start, int *result, int rows) {
  __shared__ int before[256], now[256];
  int t = threadIdx.x;
  before[t] = start[t];
  __syncthreads();
  for (int row = 1; row < rows; row++) {
    int best = before[t];
    if (t > 0)
      best = min(best, before[t - 1]);
    if (t < 255)
      best = min(best, before[t + 1]);
    now[t] = best + wall[row * 256 + t];
    before[t] = now[t];   // ~ HD0101
    __syncthreads();
  }
  result[t] = before[t];
}
