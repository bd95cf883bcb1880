// A count of one warp, where the block has one and a half: the first warp goes on alone.
// launch: grid=1 block=48
__global__ void k(int *out) {
  __shared__ int s[48];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("barrier.sync 1, 32;" ::: "memory"); // ~ HD0204
  out[t] = s[47 - t];
}
