// Two warp groups take turns, each lets the other go on; the last arrival is taken up at the end.
// launch: grid=1 block=128
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, group = t / 64;
  if (group == 1)
    arrive_at(1, 128);
  for (int i = 0; i < 4; i++) {
    sync(1 + group, 128);
    s[t % 64] += i;
    arrive_at(2 - group, 128);
  }
  if (group == 0)
    sync(1, 128);
}
