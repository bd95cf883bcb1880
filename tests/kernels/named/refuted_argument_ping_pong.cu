// The second consumer does not give the last turn but one back.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out, int n) {
  __shared__ int s[32];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (w == 1 && n > 0)
    arrive_at(1, 64);
  for (int i = 0; i < n; i++) {
    wait_at(1 + w, 64); // ~ HD0202
    s[lane ^ 1] = i + w;
    if (w == 0 || i + 2 < n)
      arrive_at(2 - w, 64);
  }
  out[threadIdx.x] = w;
}
