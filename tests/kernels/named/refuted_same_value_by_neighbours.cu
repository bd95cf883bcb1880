// Neighbours store what each of them reads, beside a named barrier.
// launch: grid=1 block=64
__global__ void k(const float *in, int n) {
  __shared__ float read[32];
  asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(64) : "memory");
  read[threadIdx.x / 2] = in[threadIdx.x] * n; // ~ HD0104
}
