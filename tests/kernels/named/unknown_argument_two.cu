// Two arguments decide how often: one period is not all.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, int n, int m) {
  __shared__ int s[32];
  int t = threadIdx.x, lane = t % 32;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) { // ~ HD0002
      if (t < 32) {
        wait_at(1, 64);
        s[lane] = i; // ~ HD0002
        arrive_at(2, 64);
      } else {
        arrive_at(1, 64);
        wait_at(2, 64);
        out[i * 32 + lane] = s[31 - lane];
      }
    }
}
