// Two stages, of which threads fill and read what is inside of the data: a guard changes no barrier.
// launch: grid=1 block=128
__global__ void k(float *out, const float *in, int n, int elements) {
  __shared__ float buf[2][64];
  int t = threadIdx.x;
  if (t < 64) {
    for (int i = 0; i < n; i++) {
      if (i >= 2) {
        if (i & 1) asm volatile("bar.sync 4, 128;" ::: "memory");
        else asm volatile("bar.sync 3, 128;" ::: "memory");
      }
      if (i * 64 + t < elements) buf[i & 1][t] = in[i * 64 + t];
      if (i & 1) asm volatile("bar.arrive 2, 128;" ::: "memory");
      else asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
  } else {
    for (int i = 0; i < n; i++) {
      if (i & 1) asm volatile("bar.sync 2, 128;" ::: "memory");
      else asm volatile("bar.sync 1, 128;" ::: "memory");
      if (i * 64 + t - 64 < elements) out[i * 64 + t - 64] = buf[i & 1][t - 64];
      if (i + 2 < n) {
        if (i & 1) asm volatile("bar.arrive 4, 128;" ::: "memory");
        else asm volatile("bar.arrive 3, 128;" ::: "memory");
      }
    }
  }
}
