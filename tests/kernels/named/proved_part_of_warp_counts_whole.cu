// The last warp has 16 lanes, and counts as 32 at a named barrier.
// launch: grid=1 block=48
__global__ void k(int *out) {
  __shared__ int s[48];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("barrier.sync 1, 64;" ::: "memory");
  out[t] = s[47 - t];
}
