// Neighbours store what a round reads for both, and whether they may be in different rounds is not followed.
// launch: grid=1 block=64
__global__ void k(const float *in) {
  __shared__ float read[32];
  asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(64) : "memory");
  for (int n = 0; n < 4; ++n)
    read[threadIdx.x / 2] = in[n]; // ~ HD0002
}
