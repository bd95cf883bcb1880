// The same, where the writer fills the stage that is read in the same round.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n) {
  __shared__ int stage[2][32];
  int t = threadIdx.x, lane = t & 31;
  for (int i = 0; i < n; i++) {
    if (t < 32) stage[i & 1][lane] = in[i * 32 + lane]; // ~ HD0101
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t >= 32) out[i * 32 + lane] = stage[(i + 1) & 1][31 - lane];
  }
}
