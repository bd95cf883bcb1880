// Lanes that run in step exchange data without a barrier.
// launch: grid=1 block=64 warp-sync
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  out[t] = s[t ^ 1];
  sync(1, 64);
}
