// The lanes add their own number to the argument.
// launch: grid=1 block=64 n=1
__global__ void k(int *out, int n) {
  __shared__ int s;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x < 32) s = n + threadIdx.x; // ~ HD0104
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = s;
}
