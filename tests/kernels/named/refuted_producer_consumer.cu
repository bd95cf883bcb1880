// The producer does not wait for the buffer to be drained before it fills it again.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[32];
  int lane = threadIdx.x % 32;
  for (int i = 0; i < 8; i++) {
    if (threadIdx.x < 32) {
      arrive_at(1, 64);   // ~ HD0204
      s[lane] = i;
      arrive_at(2, 64);   // ~ HD0204
    } else {
      arrive_at(1, 64);
      wait_at(2, 64);
      out[i * 32 + lane] = s[31 - lane];
    }
  }
}
