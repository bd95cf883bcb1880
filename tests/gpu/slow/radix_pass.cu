// One pass of a radix sort: each block orders its 1,024 keys by four bits, stably, and counts its digits.
__global__ void radix_pass(const unsigned *in, unsigned *out, unsigned *counts, int n) {
  __shared__ unsigned keys[1024], counted[16][256], first[16];
  int t = threadIdx.x, base = blockIdx.x * 1024;
  for (int d = 0; d < 16; d++) counted[d][t] = 0;
  for (int i = 0; i < 4; i++) {
    int at = base + t * 4 + i;
    unsigned key = at < n ? in[at] : ~0u;
    keys[t * 4 + i] = key;
    counted[key & 15][t]++;
  }
  __syncthreads();
  // Sums over the threads below, for each digit by the threads of a warp's half.
  int digit = t / 16, lane = t % 16;
  unsigned total = 0;
  for (int i = 0; i < 16; i++) total += counted[digit][lane * 16 + i];
  unsigned below = total;
  for (int d = 1; d < 16; d *= 2) {
    unsigned other = __shfl_up_sync(~0u, below, d, 16);
    if (lane >= d) below += other;
  }
  if (lane == 15) first[digit] = below;
  below -= total;
  for (int i = 0; i < 16; i++) {
    unsigned own = counted[digit][lane * 16 + i];
    counted[digit][lane * 16 + i] = below;
    below += own;
  }
  __syncthreads();
  if (t == 0) {
    unsigned start = 0;
    for (int d = 0; d < 16; d++) {
      unsigned own = first[d];
      counts[blockIdx.x * 16 + d] = own;
      first[d] = start;
      start += own;
    }
  }
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    unsigned key = keys[t * 4 + i];
    unsigned to = first[key & 15] + counted[key & 15][t]++;
    if (base + (int)to < n) out[base + to] = key;
  }
}
