// All lanes store one argument between two named barriers.
// launch: grid=1 block=64
__global__ void k(int *out, int n) {
  __shared__ int s;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x < 32) s = n;             // ~ HD0103
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = s;
}
