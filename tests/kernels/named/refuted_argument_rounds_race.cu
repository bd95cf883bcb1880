// With two rounds and more, a buffer is written while it is read.
// launch: grid=1 block=64
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, int n) {
  __shared__ int s[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < n; i++) {
      s[lane] = i; // ~ HD0101
      arrive_at(2, 64);
      sync(1, 64);
    }
  } else {
    for (int i = 0; i < n; i++) {
      sync(2, 64);
      arrive_at(1, 64);
      out[i * 32 + lane] = s[31 - lane];
    }
  }
}
