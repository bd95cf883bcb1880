// The buffers of the last three tiles are not given back, and the last one is waited for.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, float a, int n) {
  __shared__ float s[2][32];
  int t = threadIdx.x;
  if (t >= 32) {
    int lane = t - 32;
    for (int i = 0; i < n; i++) {
      int b = i & 1;
      if (i >= 2)
        wait_at(3 + b, 64);
      s[b][lane] = x[i * 32 + lane];
      arrive_at(1 + b, 64);
    }
  } else {
    for (int i = 0; i < n; i++) {
      int b = i & 1;
      wait_at(1 + b, 64); // ~ HD0202
      y[i * 32 + t] += a * s[b][t];
      if (i + 3 < n)
        arrive_at(3 + b, 64);
    }
  }
}
