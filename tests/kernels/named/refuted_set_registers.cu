// Registers that change hands order nothing.
// launch: grid=1 block=256
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  if (t < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    s[t] = t; // ~ HD0101
    arrive_at(1, 256);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    out[t] = s[255 - t];
    sync(1, 256);
  }
}
