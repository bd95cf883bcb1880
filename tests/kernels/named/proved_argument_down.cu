// Counted down, a number of sixty-four bits; a second argument guards accesses alone.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, long long n, int limit) {
  __shared__ float s[32];
  int t = threadIdx.x, lane = t % 32;
  if (t < 32) {
    for (long long i = n; i > 0; i--) {
      wait_at(1, 64);
      s[lane] = lane < limit ? x[i * 32 + lane] : 0;
      arrive_at(2, 64);
    }
  } else {
    for (long long i = n; i > 0; i--) {
      arrive_at(1, 64);
      wait_at(2, 64);
      float v = s[31 - lane];
      if (lane < limit)
        y[i * 32 + lane] = v;
    }
  }
}
