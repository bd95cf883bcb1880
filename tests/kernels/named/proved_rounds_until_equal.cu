// Rounds that end where a count is reached, as optimised code has them: the end is the same for all that are whole rounds apart.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n) {
  __shared__ int stage[2][32];
  int t = threadIdx.x, lane = t & 31;
  if (n < 1) return;
  int i = 0;
  do {
    if (t < 32) stage[i & 1][lane] = in[lane] * i;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t >= 32) out[lane] += stage[i & 1][31 - lane];
    i++;
  } while (i != n);
}
