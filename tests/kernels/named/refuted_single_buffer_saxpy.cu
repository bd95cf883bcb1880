// The compute warps start the next transfer before they have read the buffer.
// launch: grid=1 block=96
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, float a) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= 64) {
    int lane = t - 64;
    for (int i = 0; i < 8; i++) {
      wait_at(1, 96);
      s[lane] = x[i * 64 + lane];   // ~ HD0101
      s[lane + 32] = x[i * 64 + lane + 32];   // ~ HD0101
      arrive_at(2, 96);
    }
  } else {
    arrive_at(1, 96);
    for (int i = 0; i < 8; i++) {
      wait_at(2, 96);
      if (i < 7)
        arrive_at(1, 96);
      float v = s[t];
      y[i * 64 + t] += a * v;
    }
  }
}
