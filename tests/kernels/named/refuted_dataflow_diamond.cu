// The join waits for one of the two branches only.
// launch: grid=1 block=128
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int a[32], b[2][32];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (w == 0) {
    a[lane] = lane;
    arrive_at(1, 96);
  } else if (w < 3) {
    wait_at(1, 96);
    b[w - 1][lane] = a[31 - lane];   // ~ HD0101
    arrive_at(1 + w, 64);
  } else {
    wait_at(2, 64);
    out[lane] = b[0][lane] + b[1][lane];
  }
}
