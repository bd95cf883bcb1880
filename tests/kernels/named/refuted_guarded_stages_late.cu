// The same stages, where one more store under a guard comes when the stage was handed on, but neither in the first rounds nor in the last.
// launch: grid=1 block=128
__global__ void k(float *out, const float *in, int n) {
  __shared__ float buf[2][64];
  int t = threadIdx.x;
  if (t < 64) {
    for (int i = 0; i < n; i++) {
      if (i >= 2) {
        if (i & 1) asm volatile("bar.sync 4, 128;" ::: "memory");
        else asm volatile("bar.sync 3, 128;" ::: "memory");
      }
      buf[i & 1][t] = in[i * 64 + t];
      if (i & 1) asm volatile("bar.arrive 2, 128;" ::: "memory");
      else asm volatile("bar.arrive 1, 128;" ::: "memory");
      if (i > 30 && i < n - 20) buf[i & 1][t] = 0; // ~ HD0101
    }
  } else {
    for (int i = 0; i < n; i++) {
      if (i & 1) asm volatile("bar.sync 2, 128;" ::: "memory");
      else asm volatile("bar.sync 1, 128;" ::: "memory");
      out[i * 64 + t - 64] = buf[i & 1][t - 64];
      if (i + 2 < n) {
        if (i & 1) asm volatile("bar.arrive 4, 128;" ::: "memory");
        else asm volatile("bar.arrive 3, 128;" ::: "memory");
      }
    }
  }
}
