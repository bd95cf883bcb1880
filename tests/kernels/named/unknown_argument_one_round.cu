// One round out of a thousand does not wait: few values show it, and no period holds.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, lane = t % 32;
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      if (i != 1000)
        wait_at(1, 64); // ~ HD0002
      s[lane] = i; // ~ HD0002
      arrive_at(2, 64);
    }
  } else {
    for (int i = 0; i < n; i++) {
      if (i != 1000)
        arrive_at(1, 64);
      wait_at(2, 64);
      out[i * 32 + lane] = s[31 - lane];
    }
  }
}
