// Sums of all elements up to each, within blocks of 1,024; the last block to come adds up the blocks' totals.
__global__ void block_scan(const int *in, int *out, int *totals, unsigned *ticket, int n) {
  __shared__ int of_warp[8];
  __shared__ bool is_last;
  int t = threadIdx.x, lane = t % 32, warp = t / 32, base = blockIdx.x * 1024 + t * 4;
  int own[4], sum = 0;
  for (int i = 0; i < 4; i++) own[i] = sum += base + i < n ? in[base + i] : 0;
  int all = sum;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, all, d);
    if (lane >= d) all += other;
  }
  if (lane == 31) of_warp[warp] = all;
  __syncthreads();
  int below = all - sum;
  for (int w = 0; w < warp; w++) below += of_warp[w];
  for (int i = 0; i < 4; i++)
    if (base + i < n) out[base + i] = below + own[i];
  if (t == 255) totals[blockIdx.x] = below + sum;
  __syncthreads();
  if (t == 0) {
    __threadfence();
    is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && t == 0) {
    __threadfence();
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++) totals[b] = sum += totals[b];
  }
}
