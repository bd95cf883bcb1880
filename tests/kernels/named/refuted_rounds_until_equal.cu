// The same rounds with one stage, which is written again while it is read.
// launch: grid=1 block=64
__global__ void k(int *out, const int *in, int n) {
  __shared__ int stage[32];
  int t = threadIdx.x, lane = t & 31;
  if (n < 1) return;
  int i = 0;
  do {
    if (t < 32) stage[lane] = in[lane] * i; // ~ HD0101
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t >= 32) out[lane] += stage[31 - lane];
    i++;
  } while (i != n);
}
