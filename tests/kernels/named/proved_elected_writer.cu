// An elected thread fills a buffer before its warp arrives.
// launch: grid=1 block=64
#define elect(one)                                                                                                     \
  asm volatile("{ .reg .pred P; elect.sync _|P, 0xffffffff; selp.b32 %0, 1, 0, P; }" : "=r"(one))
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[2][32];
  int t = threadIdx.x, warp = t / 32;
  for (int i = 0; i < 4; i++) {
    if (warp == 0) {
      int leader;
      elect(leader);
      if (leader)
        for (int j = 0; j < 32; j++)
          s[i & 1][j] = i + j;
      __syncwarp();
      arrive_at(1 + (i & 1), 64);
      sync(3 + (i & 1), 64);
    } else {
      sync(1 + (i & 1), 64);
      out[i * 32 + t] = s[i & 1][t % 32];
      arrive_at(3 + (i & 1), 64);
    }
  }
}
