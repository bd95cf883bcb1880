// The flag is acquired for the block only.
// launch: grid=any block=any passes=races
__global__ void k(int *data, int *flag, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = b;   // ~ HD0102
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag + b) : "memory");   // ~ HD0102
    if (b > 0) {
      int seen;
        do {
          asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag + b - 1) : "memory");
        } while (seen == 0);
      out[b] = data[b - 1];
    }
  }
}
