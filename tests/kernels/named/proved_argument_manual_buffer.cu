// Two buffers by hand, two tiles in each round; the last round may have one.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, int n) {
  __shared__ float s[2][32];
  int t = threadIdx.x, lane = t % 32;
  if (t >= 32) {
    for (int i = 0; i < n; i += 2) {
      wait_at(1, 64);
      s[0][lane] = x[i * 32 + lane];
      arrive_at(2, 64);
      if (i + 1 < n) {
        wait_at(3, 64);
        s[1][lane] = x[i * 32 + 32 + lane];
        arrive_at(4, 64);
      }
    }
  } else {
    if (n > 0)
      arrive_at(1, 64);
    if (n > 1)
      arrive_at(3, 64);
    for (int i = 0; i < n; i += 2) {
      wait_at(2, 64);
      y[i * 32 + t] = s[0][31 - t];
      if (i + 2 < n)
        arrive_at(1, 64);
      if (i + 1 < n) {
        wait_at(4, 64);
        y[i * 32 + 32 + t] = s[1][31 - t];
        if (i + 3 < n)
          arrive_at(3, 64);
      }
    }
  }
}
