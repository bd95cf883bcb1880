// After the block has met, the second half reads what the first half is about to write.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[32];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (w == 0) {
    s[lane] = lane;
    arrive_at(1, 64);
  } else {
    wait_at(1, 64);
    out[lane] = s[31 - lane];
  }
  __syncthreads();
  if (w == 0)
    s[lane] = 2 * lane;   // ~ HD0101
  if (w == 1)
    out[lane] += s[31 - lane];
}
