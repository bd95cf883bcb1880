// CudaDMA, double buffering: while one buffer is computed on, the other is filled (saxpy).
// launch: grid=1 block=96
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, float a) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  if (t >= 64) {
    int lane = t - 64;
    for (int i = 0; i < 8; i++) {
      int b = i & 1;
      if (i >= 2)
        wait_at(3 + b, 96);
      s[b][lane] = x[i * 64 + lane];
      s[b][lane + 32] = x[i * 64 + lane + 32];
      arrive_at(1 + b, 96);
    }
  } else {
    for (int i = 0; i < 8; i++) {
      int b = i & 1;
      wait_at(1 + b, 96);
      y[i * 64 + t] += a * s[b][t];
      if (i < 6)
        arrive_at(3 + b, 96);
    }
  }
}
