// Lanes of the producer exchange through shared memory as if they ran in step.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[32], r[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    r[lane] = lane;   // ~ HD0104
    s[lane] = r[lane ^ 1];
    arrive_at(1, 64);
  } else {
    wait_at(1, 64);
    out[lane] = s[31 - lane];
  }
}
