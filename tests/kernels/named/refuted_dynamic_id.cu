// The id runs past the last barrier that a block has.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[32];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < 12; i++) {
    if (w == (i & 1))
      s[lane] = i;
    wait_at(8 + i, 64);   // ~ HD0205
    if (w != (i & 1))
      out[i * 32 + lane] = s[31 - lane];
    wait_at(7, 64);
  }
}
