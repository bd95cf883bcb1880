// A barrier for two warps, which three reach: the third begins a use that nobody ends.
// launch: grid=1 block=96
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  if (threadIdx.x < 96)
    wait_at(1, 64);   // ~ HD0204
  out[threadIdx.x] = 1;
}
