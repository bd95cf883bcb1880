// Singe: a slot of shared memory is handed on twice; a barrier says when it is free again.
// launch: grid=1 block=96
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int slot[32];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (w == 0) {
    slot[lane] = lane;
    arrive_at(1, 64);
  } else if (w == 1) {
    wait_at(1, 64);
    out[lane] = slot[lane ^ 1];
    arrive_at(2, 64);
  } else {
    wait_at(2, 64);
    slot[lane] = 2 * lane;
    out[lane + 32] = lane;
  }
}
