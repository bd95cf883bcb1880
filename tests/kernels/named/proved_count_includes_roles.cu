// The barrier counts the producer and both consumers.
// launch: grid=1 block=128
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[32];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (w == 0) {
    s[lane] = lane;
    arrive_at(1, 96);
  } else if (w < 3) {
    wait_at(1, 96);
    out[w * 32 + lane] = s[31 - lane];
  } else {
    out[96 + lane] = lane;
  }
}
