// Counted down; the consumer waits once more, if there was any tile.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, long long n, int limit) {
  __shared__ float s[32];
  int t = threadIdx.x, lane = t % 32;
  if (t < 32) {
    for (long long i = n; i > 0; i--) {
      wait_at(1, 64);
      if (lane < limit)
        s[lane] = x[i * 32 + lane];
      arrive_at(2, 64);
    }
  } else {
    for (long long i = n; i > 0; i--) {
      arrive_at(1, 64);
      wait_at(2, 64);
      if (lane < limit)
        y[i * 32 + lane] = s[lane];
    }
    if (n > 0)
      wait_at(2, 64); // ~ HD0202
  }
}
