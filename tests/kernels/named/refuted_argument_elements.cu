// A tile is given back while the short last one reads on.
// launch: grid=1 block=96
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, float a, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, tiles = (n + 63) / 64;
  if (t >= 64) {
    for (int i = 0; i < tiles; i++) {
      wait_at(1, 96);
      for (int j = t - 64; j < 64; j += 32)
        s[j] = i * 64 + j < n ? x[i * 64 + j] : 0; // ~ HD0101
      arrive_at(2, 96);
    }
  } else {
    if (tiles > 0)
      arrive_at(1, 96);
    for (int i = 0; i < tiles; i++) {
      wait_at(2, 96);
      if (i + 1 < tiles)
        arrive_at(1, 96);
      if (i * 64 + t < n)
        y[i * 64 + t] += a * s[t];
    }
  }
}
