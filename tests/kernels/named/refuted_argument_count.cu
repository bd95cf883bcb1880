// The producer runs one round more than the consumer.
// launch: grid=1 block=64 n=6
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, int n) {
  __shared__ int s[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i <= n; i++) {
      wait_at(1, 64);   // ~ HD0202
      s[lane] = i;
      arrive_at(2, 64);
    }
  } else {
    for (int i = 0; i < n; i++) {
      arrive_at(1, 64);
      wait_at(2, 64);
      out[i * 32 + lane] = s[31 - lane];
    }
  }
}
