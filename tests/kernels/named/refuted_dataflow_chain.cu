// Two links of the chain use one barrier.
// launch: grid=1 block=128
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[4][32];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  int v = lane;
  if (w > 0) {
    wait_at(w / 3 + 1, 64);   // ~ HD0204
    v = s[w - 1][31 - lane] + 1;
  }
  s[w][lane] = v;
  if (w < 3)
    arrive_at((w + 1) / 3 + 1, 64);
  else
    out[lane] = v;
}
