// The producer arrives for the next round without having waited: its arrival may be counted for the last one.
// launch: grid=1 block=96
#define wait_at(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = 1;
    arrive_at(1, 96);
    arrive_at(2, 96);
    s[t] = 2;
    arrive_at(1, 96);   // ~ HD0204
  } else {
    wait_at(1, 96);
    out[t] = s[t % 32];
    arrive_at(2, 96);
    wait_at(1, 96);
    out[t + 96] = s[t % 32];
  }
}
