// Neighbours store one value beside a named barrier: one that both read, and one that floats compute from the warp.
// launch: grid=1 block=64
__global__ void k(const float *in, int n) {
  __shared__ float read[32], computed[32];
  asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(64) : "memory");
  read[threadIdx.x / 2] = in[threadIdx.x / 64] * n; // ~ HD0103
  computed[threadIdx.x / 2] = sqrtf((float)(threadIdx.x / 32)); // ~ HD0103
}
