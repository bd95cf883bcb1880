// Two roles meet at two barriers in different orders, and each waits for the other.
// launch: grid=1 block=64
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  if (threadIdx.x < 32) {
    wait_at(1, 64);   // ~ HD0202
    wait_at(2, 64);
  } else {
    wait_at(2, 64);
    wait_at(1, 64);
  }
  out[threadIdx.x] = 1;
}
