// That lanes run in step orders nothing between warps.
// launch: grid=1 block=64 warp-sync
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ volatile int s[64];
  int t = threadIdx.x, warp = t / 32;
  s[t] = t; // ~ HD0101
  for (int d = 16; d > 0; d /= 2)
    if (t % 32 < d)
      s[t] += s[t + d]; // ~ HD0101
  if (warp == 0) {
    if (t == 0)
      out[0] = s[0] + s[32];
    sync(1, 64);
  } else {
    sync(1, 64);
  }
}
