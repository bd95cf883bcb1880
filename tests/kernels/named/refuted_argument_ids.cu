// The last of four buffers has a barrier that nobody arrives at: from the fourth tile on.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, unsigned n) {
  __shared__ int s[4][32];
  int t = threadIdx.x, lane = t % 32;
  for (unsigned i = 0; i < n; i++) {
    int b = i & 3;
    if (t < 32) {
      wait_at(1 + b, 64);
      s[b][lane] = i;
      arrive_at(5 + b, 64);
    } else {
      arrive_at(1 + b, 64);
      wait_at(5 + b + b / 3, 64); // ~ HD0202
      out[i * 32 + lane] = s[b][31 - lane];
    }
  }
}
