// A tile is announced without a fence.
// launch: grid=any block=32 passes=races
__global__ void k(int *aggregate, volatile int *status, const int *in, int *out) {
  int b = blockIdx.x, lane = threadIdx.x;
  if (lane == 0) {
    aggregate[b] = in[b];   // ~ HD0102
    status[b] = 1;
  }
  int sum = 0;
  for (int base = b - 1; base >= 0; base -= 32) {
    int p = base - lane;
    int v = 0;
    if (p >= 0) {
      while (status[p] == 0) {
      }
      __threadfence();
      v = aggregate[p];
    }
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    sum += v;
  }
  if (lane == 0) out[b] = sum;
}
