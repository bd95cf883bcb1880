// Each of four blocks takes every fourth tile.
// launch: grid=4 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, lane = t % 32;
  if (t < 32) {
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
      wait_at(1, 64);
      s[lane] = i;
      arrive_at(2, 64);
    }
  } else {
    for (int i = blockIdx.x; i < n; i += gridDim.x) {
      arrive_at(1, 64);
      wait_at(2, 64);
      out[i * 32 + lane] = s[31 - lane];
    }
  }
}
