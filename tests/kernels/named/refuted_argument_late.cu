// From the tenth tile on, the producer does not wait for the buffer to be drained.
// launch: grid=1 block=96
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(float *y, const float *x, float a, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= 64) {
    int lane = t - 64;
    for (int i = 0; i < n; i++) {
      if (i < 9) wait_at(1, 96);
      s[lane] = x[i * 64 + lane];
      s[lane + 32] = x[i * 64 + lane + 32];
      arrive_at(2, 96); // ~ HD0204
    }
  } else {
    for (int i = 0; i < n; i++) {
      if (i < 9) arrive_at(1, 96);
      wait_at(2, 96);
      y[i * 64 + t] += a * s[t];
    }
  }
}
